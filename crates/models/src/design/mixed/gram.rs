//! Products of pairs: Σ_i c_i x_i x_iᵀ and x_iᵀ C x_i of rows with numbers and categories.
//!
//! Pairs of numbers are those of the dense columns. A level meets the numbers and the bias in one short
//! line of sums, and the levels of other categories entry by entry.

use super::Categories;
use crate::design::Design;
use crate::simd::Level;
use posterior::LevelCode;

impl<C: LevelCode> Categories<'_, C> {
    /// The parameter of each column of numbers, and that of the bias.
    fn places(self) -> Vec<Option<usize>> {
        let numbers = self.block.shape().numbers().iter().copied();
        numbers.chain([Some(self.width())]).collect()
    }

    pub fn add_gram(self, level: Level, weights: &[f64], matrix: &mut [f64]) {
        let (width, size) = (self.width(), self.width() + 1);
        assert_eq!(weights.len(), self.rows(), "one weight a row");
        assert_eq!(matrix.len(), size.pow(2), "a square of columns and bias");
        let numbers = self.block.numbers();
        let (places, short) = (self.places(), numbers.width() + 1);
        let mut of_numbers = vec![0.0; short.pow(2)];
        numbers.add_gram(level, weights, &mut of_numbers);
        for (&a, line) in places.iter().zip(of_numbers.chunks_exact(short)) {
            for (&b, product) in places.iter().zip(line) {
                if let (Some(a), Some(b)) = (a, b) {
                    matrix[a * size + b] += product;
                }
            }
        }
        let columns: Vec<&[f64]> = (0..numbers.width()).map(|j| numbers.column(j)).collect();
        // For each level its products with the numbers and with the bias, and the diagonal.
        let mut lines = vec![0.0; width * (short + 1)];
        for category in 0..self.count() {
            let factor = self.factor(category);
            for (i, code) in self.codes(category).iter().enumerate() {
                let code = code.index();
                if code >= width {
                    continue;
                }
                let line = &mut lines[code * (short + 1)..][..short + 1];
                let f = factor.map_or(1.0, |factor| factor[i]);
                let u = weights[i] * f;
                for (sum, column) in line.iter_mut().zip(&columns) {
                    *sum += u * column[i];
                }
                line[short - 1] += u;
                line[short] += u * f;
            }
            for other in 0..category {
                self.add_pairs([other, category], weights, matrix);
            }
        }
        for (code, line) in lines.chunks_exact(short + 1).enumerate() {
            matrix[code * size + code] += line[short];
            for (&place, product) in places.iter().zip(line) {
                if let Some(place) = place {
                    matrix[code * size + place] += product;
                    matrix[place * size + code] += product;
                }
            }
        }
    }

    /// What the levels of two categories have with each other.
    fn add_pairs(self, categories: [usize; 2], weights: &[f64], matrix: &mut [f64]) {
        let (width, size) = (self.width(), self.width() + 1);
        let [a, b] = categories.map(|category| self.codes(category));
        let factors = categories.map(|category| self.factor(category));
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            let (a, b) = (a.index(), b.index());
            if a < width && b < width {
                let f = factors.iter().flatten().fold(weights[i], |u, factor| u * factor[i]);
                matrix[a * size + b] += f;
                matrix[b * size + a] += f;
            }
        }
    }

    pub fn quadratic_forms(self, matrix: &[f64]) -> Vec<f64> {
        let (width, size) = (self.width(), self.width() + 1);
        assert_eq!(matrix.len(), size.pow(2), "a square of columns and bias");
        let numbers = self.block.numbers();
        let places = self.places();
        let entry = |a: Option<usize>, b: Option<usize>| match (a, b) {
            (Some(a), Some(b)) => matrix[a * size + b],
            _ => 0.0,
        };
        let pairs = places.iter().flat_map(|&a| places.iter().map(move |&b| (a, b)));
        let of_numbers: Vec<f64> = pairs.map(|(a, b)| entry(a, b)).collect();
        let mut forms = numbers.quadratic_forms(&of_numbers);
        let met: Vec<(usize, &[f64])> = (0..numbers.width())
            .filter_map(|j| places[j].map(|place| (place, numbers.column(j))))
            .collect();
        for category in 0..self.count() {
            let factor = self.factor(category);
            for (i, code) in self.codes(category).iter().enumerate() {
                let code = code.index();
                if code >= width {
                    continue;
                }
                let line = &matrix[code * size..][..size];
                let mut across = line[width];
                for &(place, column) in &met {
                    across += line[place] * column[i];
                }
                for other in 0..category {
                    let code = self.codes(other)[i].index();
                    if code < width {
                        across += line[code] * self.factor(other).map_or(1.0, |factor| factor[i]);
                    }
                }
                let f = factor.map_or(1.0, |factor| factor[i]);
                forms[i] += f * (2.0 * across + f * line[code]);
            }
        }
        forms
    }
}
