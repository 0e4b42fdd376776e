//! What came out, for Python: the text that the command prints, the JSON that it writes, and arrays.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use unbiased::{Found, Inquiry, Outcome, Source, holds};
use unbiased_bayes::{Answer, Draws, Replicates, WeightedDraws};

/// Everything, once the rows are no longer needed.
pub struct Answered {
    text: String,
    json: Vec<u8>,
    notes: Vec<String>,
    holds: Vec<&'static str>,
    caveats: Vec<&'static str>,
    remarks: Vec<String>,
    parameters: Vec<String>,
    seconds: f64,
    replicates: Replicates,
    draws: Vec<Draws>,
    weighted: Option<WeightedDraws>,
}

impl Answered {
    pub fn new(
        inquiry: &Inquiry,
        source: &Source,
        found: Found,
        seconds: f64,
    ) -> anyhow::Result<Answered> {
        let text = inquiry.text(source, &found, seconds);
        let json = inquiry.json(source, &found)?;
        let answer = match found.outcome {
            Outcome::Answer(answer) => Some(*answer),
            Outcome::Comparison(comparison) => comparison.ours,
            Outcome::Plan(_) => None,
        };
        let promised = answer.as_ref().map_or_else(Vec::new, holds);
        let caveats = answer.iter().flat_map(|answer| &answer.guarantees.caveats);
        let caveats = caveats.map(|caveat| caveat.sentence()).collect();
        let (replicates, draws, weighted) = match answer {
            Some(Answer { replicates, draws, weighted, .. }) => (replicates, draws, weighted),
            None => Default::default(),
        };
        Ok(Answered {
            text,
            holds: promised,
            caveats,
            json,
            notes: found.notes,
            remarks: source.remarks.clone(),
            parameters: found.parameters,
            seconds,
            replicates,
            draws,
            weighted,
        })
    }

    /// A dictionary, which Python makes a `Fit`.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let all = PyDict::new(py);
        all.set_item("text", self.text)?;
        all.set_item("json", String::from_utf8_lossy(&self.json))?;
        all.set_item("notes", self.notes)?;
        all.set_item("holds", self.holds)?;
        all.set_item("caveats", self.caveats)?;
        all.set_item("remarks", self.remarks)?;
        all.set_item("parameters", self.parameters)?;
        all.set_item("seconds", self.seconds)?;
        let run = &self.replicates;
        let values = run.values().to_vec().into_pyarray(py);
        all.set_item("replicates", values.reshape([run.count(), run.width()])?)?;
        let depths: Vec<u32> = run.depths().iter().map(|&depth| u32::from(depth)).collect();
        all.set_item("depths", depths.into_pyarray(py))?;
        let costs: Vec<u64> = run.costs().iter().map(|cost| cost.evaluations()).collect();
        all.set_item("evaluations", costs.into_pyarray(py))?;
        let chains = PyList::empty(py);
        for chain in &self.draws {
            let positions = chain.positions().to_vec().into_pyarray(py);
            chains.append(positions.reshape([chain.count(), chain.dimension()])?)?;
        }
        all.set_item("chains", chains)?;
        if let Some(WeightedDraws { positions, weights }) = self.weighted {
            let count = weights.len();
            let width = positions.len() / count.max(1);
            let positions = positions.into_pyarray(py).reshape([count, width])?;
            all.set_item("weighted", (positions, weights.into_pyarray(py)))?;
        }
        Ok(all)
    }
}
