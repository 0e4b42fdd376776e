//! Polynomials of a column that are orthogonal over its cells, by the recurrence that R and Python's
//! formulaic use:
//!
//! ```text
//! P₀ = 1,   P₁(x) = x − a₀,   P_{k+1}(x) = (x − a_k) P_k(x) − (n_k / n_{k−1}) P_{k−1}(x)
//! a_k = Σ x P_k(x)² / n_k,    n_k = Σ P_k(x)²
//! ```
//!
//! The sums run over all cells of the column that are no gaps. center(x) is P₁, scale(x) is P₁ in units
//! of the standard deviation, and poly(x, d) has the columns P_k / √n_k.

use super::cells::Cells;
use super::table_error::TableError;
use serde::{Deserialize, Serialize};

/// Below this share of what it could be, a norm is nothing but rounding errors.
const NOTHING: f64 = 1e-24;

/// One of the polynomials, in some unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orthogonal {
    /// k.
    pub degree: usize,
    /// What P_k is divided by.
    pub unit: Unit,
    /// What is known of the column; empty before it has been read.
    pub column: Recurrence,
}

/// The unit of a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// 1.
    One,
    /// √(n_k / (n₀ − 1)): for k = 1 the standard deviation of a sample.
    Sample,
    /// √(n_k / n₀): for k = 1 the standard deviation of all.
    Population,
    /// √n_k.
    Norm,
}

/// The numbers of the recurrence for one column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recurrence {
    // a₀, rounded; cells are counted from here, so that columns far from zero lose no digits.
    origin: Option<f64>,
    // a₀, a₁, … from there.
    centres: Vec<f64>,
    // n₀, n₁, …
    norms: Vec<f64>,
    // The largest distance from there.
    reach: f64,
}

impl Orthogonal {
    /// The value at x, once the column has been read.
    pub fn of(&self, x: f64) -> f64 {
        let norms = &self.column.norms;
        let (Some(rows), Some(norm)) = (norms.first(), norms.get(self.degree)) else {
            return f64::NAN;
        };
        let unit = match self.unit {
            Unit::One => 1.0,
            Unit::Sample => (norm / (rows - 1.0)).sqrt(),
            Unit::Population => (norm / rows).sqrt(),
            Unit::Norm => norm.sqrt(),
        };
        self.column.polynomial(self.degree, x) / unit
    }
}

impl Recurrence {
    /// P_k(x).
    fn polynomial(&self, degree: usize, x: f64) -> f64 {
        let x = x - self.origin.unwrap_or(0.0);
        let (mut before, mut now) = (0.0, 1.0);
        for k in 0..degree {
            let back = if k == 0 { 0.0 } else { self.norms[k] / self.norms[k - 1] };
            (before, now) = (now, (x - self.centres[k]) * now - back * before);
        }
        now
    }

    /// How many polynomials differ from zero, P₀ included, which is how many different values there
    /// are; fewer if there are more than polynomials. Nothing if the numbers are too large.
    pub fn different(&self) -> Option<usize> {
        if self.norms.iter().any(|norm| !norm.is_finite()) {
            return None;
        }
        let is_nothing =
            |&k: &usize| self.norms[k] <= NOTHING * self.norms[k - 1] * self.reach * self.reach;
        Some((1..self.norms.len()).find(is_nothing).unwrap_or(self.norms.len()))
    }
}

/// One pass over a table, whose columns `of` are numbers: the pass number k finds a_k and n_k.
pub fn orthogonal_pass(
    table: &mut impl Cells,
    of: &[String],
    columns: &mut [Recurrence],
) -> Result<(), TableError> {
    let fields = of.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
    let mut sums = vec![Sums::default(); of.len()];
    while table.advance()? {
        table.check_length()?;
        for ((sums, &field), column) in sums.iter_mut().zip(&fields).zip(&*columns) {
            if let Some(x) = table.number(field)? {
                let k = column.norms.len();
                let square = column.polynomial(k, x).powi(2);
                let away = x - column.origin.unwrap_or(*sums.from.get_or_insert(x));
                sums.norm.add(square);
                sums.moment.add(away * square);
                sums.reach = sums.reach.max(away.abs());
            }
        }
    }
    for (sums, column) in sums.iter().zip(columns) {
        let norm = sums.norm.total();
        let mut centre = if norm > 0.0 { sums.moment.total() / norm } else { 0.0 };
        if column.origin.is_none() {
            let from = sums.from.unwrap_or(0.0);
            let origin = from + centre;
            // What rounding took away.
            centre += from - origin;
            column.origin = Some(origin);
        }
        column.norms.push(norm);
        column.centres.push(centre);
        column.reach = sums.reach;
    }
    Ok(())
}

#[derive(Clone, Default)]
struct Sums {
    from: Option<f64>,
    norm: Compensated,
    moment: Compensated,
    reach: f64,
}

/// A sum that keeps what rounding takes away (Neumaier 1974).
#[derive(Clone, Copy, Default)]
struct Compensated {
    sum: f64,
    lost: f64,
}

impl Compensated {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - sum) + value
        } else {
            (value - sum) + self.sum
        };
        self.sum = sum;
    }

    fn total(&self) -> f64 {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;

    fn fitted(cells: &[&str], degree: usize) -> Recurrence {
        let text =
            format!("x,y\n{}", cells.iter().map(|cell| format!("{cell},0\n")).collect::<String>());
        let mut all = [Recurrence::default()];
        for _ in 0..=degree {
            let mut table = Table::new(text.as_bytes(), "t").unwrap();
            orthogonal_pass(&mut table, &["x".to_owned()], &mut all).unwrap();
        }
        let [column] = all;
        column
    }

    #[test]
    fn polynomials_are_orthonormal() {
        let cells = ["1000001", "1000002", "NA", "1000004.5", "1000001", "1000008", "1000003"];
        let column = fitted(&cells, 3);
        let x: Vec<f64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
        let value =
            |degree, x| Orthogonal { degree, unit: Unit::Norm, column: column.clone() }.of(x);
        for i in 0..=3 {
            for j in 0..=3 {
                let product: f64 = x.iter().map(|&x| value(i, x) * value(j, x)).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j} {product}");
            }
        }
        let scale = Orthogonal { degree: 1, unit: Unit::Sample, column };
        let away: Vec<f64> = x.iter().map(|x| x - 1e6).collect();
        let mean = away.iter().sum::<f64>() / 6.0;
        let sd = (away.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 5.0).sqrt();
        assert!((scale.of(x[0]) - (away[0] - mean) / sd).abs() < 1e-12);
    }

    #[test]
    fn different_values_are_counted() {
        assert_eq!(fitted(&["3", "3", "3"], 2).different(), Some(1));
        assert_eq!(fitted(&["0.1", "0.7", "0.1", "0.7"], 3).different(), Some(2));
        assert_eq!(fitted(&["1", "2", "3.5", "2"], 3).different(), Some(3));
        assert_eq!(fitted(&["1", "2", "3.5", "7"], 2).different(), Some(3));
        assert_eq!(fitted(&["1e200", "2", "-1e200"], 2).different(), None);
    }
}
