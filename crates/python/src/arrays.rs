//! Arrays of numpy as rows, without a copy: the numbers stay where they are, and the arrays live until the
//! last reader is done.

use data::{ArrayRows, CsrRows, Order, SharedIndices, SharedNumbers};
use models::design::Extras;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use unbiased::{Arrays, Behind, Source, Wants};

/// Covariates as Python hands them over.
#[derive(FromPyObject)]
pub enum Matrix<'py> {
    /// A matrix in one piece.
    Dense(Bound<'py, PyArray2<f64>>),
    /// Starts, columns and values of CSR, and the number of columns.
    Sparse(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f64>>, usize),
}

/// The elements of an array, and the array itself, which keeps them where they are.
struct Lent<T> {
    start: *const T,
    length: usize,
    _array: Py<PyAny>,
}

// SAFETY: the elements are only read, as plain numbers, by any thread; the array is only dropped.
unsafe impl<T: Sync> Send for Lent<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Lent<T> {}

impl<T> AsRef<[T]> for Lent<T> {
    fn as_ref(&self) -> &[T] {
        // SAFETY: start and length are those of a contiguous array, which lives as long as self. numpy
        // does not move an array that is referred to; whoever writes into it while a run reads it gets a
        // posterior of neither content, as with any library that reads arrays without the lock.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

impl<T: Element> Lent<T> {
    /// Of a vector, or a matrix in one piece of either order.
    fn new<D: numpy::ndarray::Dimension>(
        array: &Bound<'_, numpy::PyArray<T, D>>,
    ) -> PyResult<Lent<T>> {
        if !array.is_contiguous() {
            return Err(PyValueError::new_err("an array in one piece is wanted here"));
        }
        let _array = array.clone().into_any().unbind();
        Ok(Lent { start: array.data().cast_const(), length: array.len(), _array })
    }
}

fn numbers(array: &Bound<'_, PyArray1<f64>>) -> PyResult<SharedNumbers> {
    Ok(Arc::new(Lent::new(array)?))
}

/// Everything in memory that a source needs.
pub struct Rows {
    arrays: Arrays,
    called: String,
    names: Vec<String>,
    behind: Behind,
    remarks: Vec<String>,
}

impl Rows {
    /// `behind` has arrays called weights, offset or trials.
    pub fn new(
        x: Matrix<'_>,
        y: &Bound<'_, PyArray1<f64>>,
        names: Vec<String>,
        behind: Vec<(String, Bound<'_, PyArray1<f64>>)>,
        called: &str,
        remarks: Vec<String>,
    ) -> PyResult<Rows> {
        let place = |name: &str| behind.iter().position(|(known, _)| known == name);
        let roles =
            Extras { offset: place("offset"), weight: place("weights"), trials: place("trials") };
        let columns = behind.iter().map(|(_, array)| numbers(array)).collect::<PyResult<_>>()?;
        let refused =
            |error: String| PyValueError::new_err(format!("X is no matrix here: {error}"));
        let targets = numbers(y)?;
        let arrays = match x {
            Matrix::Dense(x) => {
                let order = if x.is_c_contiguous() { Order::Rows } else { Order::Columns };
                let width = x.shape()[1];
                let x: SharedNumbers = Arc::new(Lent::new(&x)?);
                let rows = ArrayRows::new(x, order, width, columns, targets);
                Arrays::Dense(rows.map_err(|error| refused(error.to_string()))?)
            }
            Matrix::Sparse(starts, indices, values, width) => {
                let starts = starts.to_vec().map_err(|error| refused(error.to_string()))?;
                let starts = starts.into_iter().map(|start| usize::try_from(start).ok());
                let starts = starts.collect::<Option<Vec<usize>>>();
                let starts = starts.ok_or_else(|| refused("a row starts below zero".to_owned()))?;
                let indices: SharedIndices = Arc::new(Lent::new(&indices)?);
                let values = numbers(&values)?;
                let rows = CsrRows::new(starts, indices, values, width, columns, targets);
                Arrays::Sparse(rows.map_err(|error| refused(error.to_string()))?)
            }
        };
        let behind = Behind { roles, names: behind.into_iter().map(|(name, _)| name).collect() };
        Ok(Rows { arrays, called: called.to_owned(), names, behind, remarks })
    }

    /// Checks and sums them.
    pub fn source(self, wants: Wants) -> anyhow::Result<Source> {
        let Rows { arrays, called, names, behind, remarks } = self;
        Source::of_arrays(arrays, &called, names, behind, wants, remarks)
    }
}
