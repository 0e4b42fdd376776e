//! The head of an arrow: levels of one category.

/// Parameters that are independent of each other given the tail.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Head {
    /// The parameters of head and tail.
    pub columns: Vec<usize>,
    pub tail: Vec<usize>,
    /// w, the standard deviations given the tail.
    pub deviations: Vec<f64>,
    /// W, minus the slopes of the mean given the tail, g lines of s entries.
    pub slopes: Vec<f64>,
}

impl Head {
    /// The slopes of one parameter of the head.
    pub fn line(&self, h: usize) -> &[f64] {
        let s = self.tail.len();
        &self.slopes[h * s..][..s]
    }

    pub fn tail_of(&self, x: &[f64]) -> Vec<f64> {
        self.tail.iter().map(|&column| x[column]).collect()
    }

    pub fn put_tail(&self, tail: &[f64], x: &mut [f64]) {
        self.tail.iter().zip(tail).for_each(|(&column, value)| x[column] = *value);
    }
}
