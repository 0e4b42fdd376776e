//! The native part of the Python package `unbiased_bayes`: arrays in, answers out. What is asked goes
//! through the same door as on the command line, [`unbiased::Inquiry`], so that the same words and the same
//! seed give the same bytes.

mod answered;
mod arrays;
mod background;
mod kept;
mod likelihood;
mod watch;

use crate::arrays::{Matrix, Rows};
use crate::background::Job;
use crate::likelihood::Likelihood;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// Puts a question in the words of the command line to files or to arrays.
///
/// `progress` is called some twenty times per second with the share of the work that is done (or None
/// where that is not known) and a list of lines to be shown; what it raises stops the run.
#[pyfunction]
#[pyo3(signature = (words, program, *, x=None, y=None, names=None, behind=None, called="arrays",
    remarks=None, own=None, threads=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "one call, by name, from our own Python")]
fn ask<'py>(
    py: Python<'py>,
    words: Vec<String>,
    program: PathBuf,
    x: Option<Matrix<'py>>,
    y: Option<Bound<'py, PyArray1<f64>>>,
    names: Option<Vec<String>>,
    behind: Option<Vec<(String, Bound<'py, PyArray1<f64>>)>>,
    called: &str,
    remarks: Option<Vec<String>>,
    own: Option<usize>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut inquiry = unbiased::command::inquiry(&words).map_err(PyValueError::new_err)?;
    if let Some(address) = own {
        inquiry.own = Some(Arc::new(Likelihood::at(address)?));
    }
    let rows = match (x, y) {
        (Some(x), Some(y)) => {
            let (names, behind) = (names.unwrap_or_default(), behind.unwrap_or_default());
            Some(Rows::new(x, &y, names, behind, called, remarks.unwrap_or_default())?)
        }
        _ => None,
    };
    Job { inquiry, rows, program, threads }.run(py, progress.as_ref())
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(ask, module)?)
}
