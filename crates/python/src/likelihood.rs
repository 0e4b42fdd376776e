//! A likelihood that is brought as the address of a C function: ln p(y ∣ η) and its first two derivatives
//! in the linear predictor.
//!
//! ```c
//! void likelihood(double y, double eta, double out[3]);
//! ```

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use unbiased_bayes::Family;

type Function = unsafe extern "C" fn(f64, f64, *mut f64);

/// The function.
pub struct Likelihood(Function);

impl Likelihood {
    /// At an address.
    pub fn at(address: usize) -> PyResult<Likelihood> {
        if address == 0 {
            return Err(PyValueError::new_err("the address of the likelihood is null"));
        }
        // SAFETY: whoever gives an address promises a function of this kind there that outlives the run;
        // Python keeps the object that it came from, and has called it before.
        Ok(Likelihood(unsafe { std::mem::transmute::<usize, Function>(address) }))
    }
}

impl Family for Likelihood {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        let mut out = [f64::NAN; 3];
        // SAFETY: as promised, the function writes three numbers.
        unsafe { (self.0)(target, predictor, out.as_mut_ptr()) };
        out
    }
}
