//! One pass over all rows: the sum of their quadratics, and what makes their strata.

use crate::counted::CountedRows;
use crate::strata::{Notes, OCTAVES, octave};
use posterior::{ArrowMatrix, ArrowShape, Regression, Rows};
use std::sync::Arc;

/// Numbers that all partial sums of a pass may hold together.
const NUMBERS: usize = 1 << 26;
/// Parts of a pass.
const PARTS: usize = 64;

/// What one pass sums.
pub(crate) struct Sums {
    pub value: f64,
    pub gradient: Vec<f64>,
    pub hessian: ArrowMatrix,
    pub variance: f64,
    pub notes: Notes,
}

/// One pass over all rows, smoothed where there is a covariance; beside it stands the value at which variances
/// of predictors are cut.
pub(crate) fn sums<R: Rows>(
    regression: &dyn Regression<R::Block>,
    rows: &CountedRows<'_, R>,
    theta: &[f64],
    shape: &Arc<ArrowShape>,
    smoothed: Option<(&ArrowMatrix, f64)>,
) -> Sums {
    let d = theta.len();
    let (covariance, cap) = smoothed.unzip();
    let cap = cap.unwrap_or(f64::INFINITY);
    let zero = || Sums {
        value: 0.0,
        gradient: vec![0.0; d],
        hessian: ArrowMatrix::zeros(shape.clone()),
        variance: 0.0,
        notes: Notes {
            squares: vec![0.0; if covariance.is_some() { OCTAVES } else { 0 }],
            curvature: vec![0.0; if covariance.is_some() { OCTAVES * d } else { 0 }],
            ..Notes::default()
        },
    };
    let variances = covariance.map_or(Vec::new(), ArrowMatrix::diagonal_entries);
    let ordered = Notes::ordered(rows.kinds());
    let numbers = shape.numbers() + if covariance.is_some() { OCTAVES * d } else { 0 };
    let parts = PARTS.min(NUMBERS / numbers).max(1);
    let parts = rows.in_parts(parts, zero, |sums, range| {
        rows.visit(range, |block, counts| {
            let mut found = regression.expand(theta, covariance, cap, block);
            sums.value += found.value.iter().zip(counts).map(|(l, count)| l * count).sum::<f64>();
            if covariance.is_some() {
                sums.variance = sums.variance.max(found.largest);
                let dominant = regression.dominant(&variances, block);
                let notes = &mut sums.notes;
                for i in 0..counts.len() {
                    let score = counts[i] * found.score[i];
                    let octave = octave(score);
                    notes.octaves.push(octave);
                    if ordered {
                        notes.keys.push((dominant[i], found.predictor[i] as f32));
                    }
                    let at = usize::from(octave);
                    notes.squares[at] += score * score;
                    notes.curvature[at * d + dominant[i] as usize] +=
                        -found.second[i] * found.variance[i] * counts[i];
                }
            }
            let weigh = |terms: &mut [f64]| {
                for terms in terms.chunks_mut(counts.len()) {
                    terms.iter_mut().zip(counts).for_each(|(term, count)| *term *= count);
                }
            };
            weigh(&mut found.first);
            weigh(&mut found.second);
            regression.add_rows(&found.first, block, &mut sums.gradient);
            regression.add_gram(&found.second, block, &mut sums.hessian);
        });
    });
    let mut parts = parts.into_iter();
    let mut total = parts.next().expect("there is at least one part");
    for part in parts {
        let add = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(a, b)| *a += b);
        total.value += part.value;
        add(&mut total.gradient, &part.gradient);
        total.hessian.add(1.0, &part.hessian);
        total.variance = total.variance.max(part.variance);
        total.notes.octaves.extend(part.notes.octaves);
        total.notes.keys.extend(part.notes.keys);
        add(&mut total.notes.squares, &part.notes.squares);
        add(&mut total.notes.curvature, &part.notes.curvature);
    }
    total
}
