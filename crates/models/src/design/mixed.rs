//! Numbers and categories side by side: the sweep of the numbers, with one look-up per category in the
//! middle of it.
//!
//! The numbers of a block are dense columns and are swept as such, piece after piece. Between their
//! predictors and their gradient each piece of rows passes through here: w(code) is added to η before
//! the link, and u to the sum of the code after it.

mod gram;

use super::{Design, Link};
use crate::simd::Level;
use posterior::{Block, Indices, LevelCode, MixedBlock};

/// Categories looked up together.
const AT_ONCE: usize = 4;
/// Neighbouring rows add to different banks, so that one need not wait for the other.
const BANKS: usize = 2;
/// Weights are copied into a table where there are at least so many rows for each of them.
const ROWS_PER_WEIGHT: usize = 2;

impl Design for MixedBlock {
    fn width(&self) -> usize {
        self.shape().width()
    }

    fn targets(&self) -> &[f64] {
        self.numbers().targets()
    }

    fn sweep(
        &self,
        level: Level,
        parameters: &[f64],
        link: &mut Link<'_>,
        gradient: Option<&mut [f64]>,
    ) {
        assert_eq!(parameters.len(), self.width() + 1, "one weight a column and a bias");
        match self.codes() {
            Indices::Narrow(codes) => {
                Categories { block: self, codes }.sweep(level, parameters, link, gradient);
            }
            Indices::Wide(codes) => {
                Categories { block: self, codes }.sweep(level, parameters, link, gradient);
            }
        }
    }

    fn add_rows(&self, level: Level, weights: &[f64], sum: &mut [f64]) {
        match self.codes() {
            Indices::Narrow(codes) => {
                Categories { block: self, codes }.add_rows(level, weights, sum);
            }
            Indices::Wide(codes) => Categories { block: self, codes }.add_rows(level, weights, sum),
        }
    }

    fn add_gram(&self, level: Level, weights: &[f64], matrix: &mut [f64]) {
        match self.codes() {
            Indices::Narrow(codes) => {
                Categories { block: self, codes }.add_gram(level, weights, matrix);
            }
            Indices::Wide(codes) => {
                Categories { block: self, codes }.add_gram(level, weights, matrix);
            }
        }
    }

    fn row(&self, row: usize, entries: &mut Vec<(usize, f64)>) {
        entries.clear();
        let number = |number: usize| self.numbers().column(number)[row];
        for (at, covariate) in self.shape().numbers().iter().enumerate() {
            entries.extend(covariate.map(|covariate| (covariate, number(at))));
        }
        for (category, factor) in self.shape().factors().iter().enumerate() {
            let factor = factor.map_or(1.0, number);
            entries.extend(self.level(category, row).map(|level| (level, factor)));
        }
        entries.retain(|&(_, x)| x != 0.0);
        entries.push((self.width(), 1.0));
    }

    fn quadratic_forms(&self, matrix: &[f64]) -> Vec<f64> {
        match self.codes() {
            Indices::Narrow(codes) => Categories { block: self, codes }.quadratic_forms(matrix),
            Indices::Wide(codes) => Categories { block: self, codes }.quadratic_forms(matrix),
        }
    }
}

/// A block with its codes, in as many bytes as they have.
#[derive(Clone, Copy)]
struct Categories<'a, C> {
    block: &'a MixedBlock,
    codes: &'a [C],
}

/// Weights of codes, or sums by code, padded to a power of two. The code for none is all ones, so that
/// under the mask it is the last place, which belongs to no covariate.
struct Table<T>(Vec<T>);

impl<T: Copy> Table<T> {
    fn zeros(width: usize, zero: T) -> Table<T> {
        Table(vec![zero; (width + 1).next_power_of_two()])
    }

    /// What a code is cut to, so that it need not be compared with the length at every row.
    #[inline(always)]
    fn mask(&self) -> usize {
        assert!(self.0.len().is_power_of_two(), "tables are padded");
        self.0.len() - 1
    }
}

/// The weights that rows look up.
enum Weights<'a> {
    Copied(Table<f64>),
    InPlace(&'a [f64]),
}

/// Where rows add to their codes.
enum Sums {
    Banks(Table<[f64; BANKS]>),
    InPlace,
}

impl<'a, C: LevelCode> Categories<'a, C> {
    fn rows(self) -> usize {
        self.block.rows()
    }

    fn width(self) -> usize {
        self.block.shape().width()
    }

    /// The number of categories.
    fn count(self) -> usize {
        self.block.shape().factors().len()
    }

    /// Whether copying all weights costs little beside the rows.
    fn copies(self) -> bool {
        self.width() * ROWS_PER_WEIGHT <= self.rows()
    }

    fn codes(self, category: usize) -> &'a [C] {
        &self.codes[category * self.rows()..][..self.rows()]
    }

    /// What the levels of a category are multiplied with.
    fn factor(self, category: usize) -> Option<&'a [f64]> {
        self.block.shape().factors()[category].map(|at| self.block.numbers().column(at))
    }

    /// The categories whose levels are multiplied with a number, and those numbers.
    fn multiplied(self) -> impl Iterator<Item = (usize, &'a [f64])> {
        (0..self.count()).filter_map(move |at| self.factor(at).map(|factor| (at, factor)))
    }

    /// The categories whose levels are not.
    fn plain(self) -> Vec<usize> {
        (0..self.count()).filter(|&at| self.factor(at).is_none()).collect()
    }

    fn sweep(
        self,
        level: Level,
        parameters: &[f64],
        link: &mut Link<'_>,
        gradient: Option<&mut [f64]>,
    ) {
        let width = self.width();
        let numbers = self.block.shape().numbers();
        let mut short: Vec<f64> =
            numbers.iter().map(|at| at.map_or(0.0, |at| parameters[at])).collect();
        short.push(parameters[width]);
        let weights = self.weights(&parameters[..width]);
        let mut sums = self.sums();
        let mut at = 0;
        let Some(gradient) = gradient else {
            let mut with_levels = |targets: &[f64], eta: &mut [f64]| {
                self.add_levels(&weights, at, eta);
                at += eta.len();
                link(targets, eta);
            };
            return self.block.numbers().sweep(level, &short, &mut with_levels, None);
        };
        let mut of_numbers = vec![0.0; short.len()];
        let mut with_levels = |targets: &[f64], eta: &mut [f64]| {
            self.add_levels(&weights, at, eta);
            link(targets, eta);
            self.collect(at, eta, &mut sums, gradient);
            at += eta.len();
        };
        self.block.numbers().sweep(level, &short, &mut with_levels, Some(&mut of_numbers));
        self.hand_over(&of_numbers, sums, gradient);
    }

    fn add_rows(self, level: Level, weights: &[f64], sum: &mut [f64]) {
        let mut of_numbers = vec![0.0; self.block.numbers().width() + 1];
        self.block.numbers().add_rows(level, weights, &mut of_numbers);
        let mut sums = self.sums();
        self.collect(0, weights, &mut sums, sum);
        self.hand_over(&of_numbers, sums, sum);
    }

    fn weights<'w>(self, weights: &'w [f64]) -> Weights<'w> {
        if !self.copies() {
            return Weights::InPlace(weights);
        }
        let mut table = Table::zeros(weights.len(), 0.0);
        table.0[..weights.len()].copy_from_slice(weights);
        Weights::Copied(table)
    }

    fn sums(self) -> Sums {
        match self.copies() {
            true => Sums::Banks(Table::zeros(self.width(), [0.0; BANKS])),
            false => Sums::InPlace,
        }
    }

    /// η += Σ_categories w(code) f, for the rows from `start` on.
    fn add_levels(self, weights: &Weights<'_>, start: usize, eta: &mut [f64]) {
        let table = match weights {
            Weights::Copied(table) => table,
            Weights::InPlace(weights) => return self.add_in_place(weights, start, eta),
        };
        let rows = start..start + eta.len();
        let codes = |category: usize| &self.codes(category)[rows.clone()];
        for (category, factor) in self.multiplied() {
            let mask = table.mask();
            for ((eta, code), x) in eta.iter_mut().zip(codes(category)).zip(&factor[start..]) {
                *eta += table.0[code.index() & mask] * x;
            }
        }
        for together in self.plain().chunks(AT_ONCE) {
            match *together {
                [a] => look_up([a].map(codes), table, eta),
                [a, b] => look_up([a, b].map(codes), table, eta),
                [a, b, c] => look_up([a, b, c].map(codes), table, eta),
                [a, b, c, d] => look_up([a, b, c, d].map(codes), table, eta),
                _ => unreachable!("chunks hold one to four categories"),
            }
        }
    }

    fn add_in_place(self, weights: &[f64], start: usize, eta: &mut [f64]) {
        for category in 0..self.count() {
            let factor = self.factor(category);
            for (i, (eta, code)) in eta.iter_mut().zip(&self.codes(category)[start..]).enumerate() {
                if let Some(weight) = weights.get(code.index()) {
                    *eta += weight * factor.map_or(1.0, |factor| factor[start + i]);
                }
            }
        }
    }

    /// sum(code) += u f in every category, for the rows from `start` on.
    fn collect(self, start: usize, weights: &[f64], sums: &mut Sums, gradient: &mut [f64]) {
        let table = match sums {
            Sums::Banks(table) => table,
            Sums::InPlace => return self.collect_in_place(start, weights, gradient),
        };
        let rows = start..start + weights.len();
        let codes = |category: usize| &self.codes(category)[rows.clone()];
        for (category, factor) in self.multiplied() {
            let mask = table.mask();
            let rows = weights.iter().zip(codes(category)).zip(&factor[start..]);
            for (i, ((u, code), x)) in rows.enumerate() {
                table.0[code.index() & mask][i % BANKS] += u * x;
            }
        }
        for together in self.plain().chunks(AT_ONCE) {
            match *together {
                [a] => scatter([a].map(codes), table, weights),
                [a, b] => scatter([a, b].map(codes), table, weights),
                [a, b, c] => scatter([a, b, c].map(codes), table, weights),
                [a, b, c, d] => scatter([a, b, c, d].map(codes), table, weights),
                _ => unreachable!("chunks hold one to four categories"),
            }
        }
    }

    fn collect_in_place(self, start: usize, weights: &[f64], gradient: &mut [f64]) {
        let width = self.width();
        for category in 0..self.count() {
            let factor = self.factor(category);
            for (i, (u, code)) in weights.iter().zip(&self.codes(category)[start..]).enumerate() {
                if code.index() < width {
                    let factor = factor.map_or(1.0, |factor| factor[start + i]);
                    gradient[code.index()] += u * factor;
                }
            }
        }
    }

    /// Adds the sums of numbers, of the bias and of codes to where they belong.
    fn hand_over(self, of_numbers: &[f64], sums: Sums, gradient: &mut [f64]) {
        let numbers = self.block.shape().numbers();
        for (covariate, sum) in numbers.iter().zip(of_numbers) {
            if let Some(covariate) = *covariate {
                gradient[covariate] += sum;
            }
        }
        gradient[self.width()] += of_numbers[numbers.len()];
        if let Sums::Banks(table) = sums {
            for (gradient, banks) in gradient[..self.width()].iter_mut().zip(&table.0) {
                *gradient += banks.iter().sum::<f64>();
            }
        }
    }
}

/// η += Σ w(code) over K categories.
#[inline(always)]
fn look_up<C: LevelCode, const K: usize>(codes: [&[C]; K], table: &Table<f64>, eta: &mut [f64]) {
    let (mask, weights) = (table.mask(), &table.0[..]);
    let codes = codes.map(|codes| &codes[..eta.len()]);
    for i in 0..eta.len() {
        let mut sum = eta[i];
        for k in 0..K {
            sum += weights[codes[k][i].index() & mask];
        }
        eta[i] = sum;
    }
}

/// sum(code) += u in K categories.
#[inline(always)]
fn scatter<C: LevelCode, const K: usize>(
    codes: [&[C]; K],
    table: &mut Table<[f64; BANKS]>,
    weights: &[f64],
) {
    let mask = table.mask();
    let sums = &mut table.0[..];
    let codes = codes.map(|codes| &codes[..weights.len()]);
    for i in 0..weights.len() {
        for k in 0..K {
            sums[codes[k][i].index() & mask][i % BANKS] += weights[i];
        }
    }
}
