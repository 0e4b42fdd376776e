//! Sparse rows: the set columns of each, one row after the other.

use super::{Design, Link};
use crate::simd::Level;
use posterior::{Block, Column, Indices, SparseBlock};
use std::ops::Range;

/// Rows a piece.
const PIECE: usize = 512;

/// The columns of a row with their values.
fn row(block: &SparseBlock, index: usize) -> Range<usize> {
    block.offsets()[index] as usize..block.offsets()[index + 1] as usize
}

fn value(block: &SparseBlock, entry: usize) -> f64 {
    if block.is_binary() { 1.0 } else { block.values()[entry] }
}

impl Design for SparseBlock {
    fn width(&self) -> usize {
        SparseBlock::width(self)
    }

    fn targets(&self) -> &[f64] {
        SparseBlock::targets(self)
    }

    fn sweep(
        &self,
        _level: Level,
        parameters: &[f64],
        link: &mut Link<'_>,
        gradient: Option<&mut [f64]>,
    ) {
        match self.indices() {
            Indices::Narrow(columns) => sweep(self, columns, parameters, link, gradient),
            Indices::Wide(columns) => sweep(self, columns, parameters, link, gradient),
        }
    }

    fn add_gram(&self, _level: Level, weights: &[f64], matrix: &mut [f64]) {
        match self.indices() {
            Indices::Narrow(columns) => add_gram(self, columns, weights, matrix),
            Indices::Wide(columns) => add_gram(self, columns, weights, matrix),
        }
    }

    fn row(&self, index: usize, entries: &mut Vec<(usize, f64)>) {
        entries.clear();
        let column = |entry: usize| self.indices().get(entry);
        entries.extend(row(self, index).map(|entry| (column(entry), value(self, entry))));
        entries.push((self.width(), 1.0));
    }

    fn quadratic_forms(&self, matrix: &[f64]) -> Vec<f64> {
        match self.indices() {
            Indices::Narrow(columns) => quadratic_forms(self, columns, matrix),
            Indices::Wide(columns) => quadratic_forms(self, columns, matrix),
        }
    }
}

fn sweep<C: Column>(
    block: &SparseBlock,
    columns: &[C],
    parameters: &[f64],
    link: &mut Link<'_>,
    mut gradient: Option<&mut [f64]>,
) {
    let width = block.width();
    assert_eq!(parameters.len(), width + 1, "one weight a column and a bias");
    let (weights, bias) = (&parameters[..width], parameters[width]);
    let mut buffer = [0.0; PIECE];
    for start in (0..block.rows()).step_by(PIECE) {
        let buffer = &mut buffer[..PIECE.min(block.rows() - start)];
        for (i, eta) in buffer.iter_mut().enumerate() {
            *eta = bias + dot(block, columns, row(block, start + i), weights);
        }
        link(&block.targets()[start..][..buffer.len()], buffer);
        if let Some(gradient) = gradient.as_deref_mut() {
            let mut total = 0.0;
            for (i, &u) in buffer.iter().enumerate() {
                total += u;
                let range = row(block, start + i);
                if block.is_binary() {
                    for &column in &columns[range] {
                        gradient[column.index()] += u;
                    }
                } else {
                    let entries = columns[range.clone()].iter().zip(&block.values()[range]);
                    for (&column, &x) in entries {
                        gradient[column.index()] += u * x;
                    }
                }
            }
            gradient[width] += total;
        }
    }
}

fn add_gram<C: Column>(block: &SparseBlock, columns: &[C], weights: &[f64], matrix: &mut [f64]) {
    let size = block.width() + 1;
    assert_eq!(weights.len(), block.rows(), "one weight a row");
    assert_eq!(matrix.len(), size.pow(2), "a square of columns and bias");
    // Below the diagonal first; columns grow within a row.
    let mut lower = vec![0.0; size * size];
    for (i, &u) in weights.iter().enumerate() {
        let range = row(block, i);
        for entry in range.clone() {
            let (column, product) = (columns[entry].index(), u * value(block, entry));
            let line = &mut lower[column * size..][..size];
            for other in range.start..=entry {
                line[columns[other].index()] += product * value(block, other);
            }
            lower[block.width() * size + column] += product;
        }
        lower[size * size - 1] += u;
    }
    for j in 0..size {
        for k in 0..=j {
            matrix[j * size + k] += lower[j * size + k];
            if k < j {
                matrix[k * size + j] += lower[j * size + k];
            }
        }
    }
}

fn quadratic_forms<C: Column>(block: &SparseBlock, columns: &[C], matrix: &[f64]) -> Vec<f64> {
    let size = block.width() + 1;
    assert_eq!(matrix.len(), size.pow(2), "a square of columns and bias");
    let form = |i: usize| {
        let mut sum = matrix[size * size - 1];
        for entry in row(block, i) {
            let line = &matrix[columns[entry].index() * size..][..size];
            let product = 2.0 * line[block.width()] + dot(block, columns, row(block, i), line);
            sum += value(block, entry) * product;
        }
        sum
    };
    (0..block.rows()).map(form).collect()
}

/// Σ_j x_j w_j over the entries of one row, in four running totals.
fn dot<C: Column>(block: &SparseBlock, all: &[C], row: Range<usize>, weights: &[f64]) -> f64 {
    let (columns, rest) = all[row.clone()].as_chunks::<4>();
    let mut totals = [0.0; 4];
    if block.is_binary() {
        for columns in columns {
            for lane in 0..4 {
                totals[lane] += weights[columns[lane].index()];
            }
        }
        for (total, &column) in totals.iter_mut().zip(rest) {
            *total += weights[column.index()];
        }
    } else {
        let (values, last) = block.values()[row].as_chunks::<4>();
        for (columns, values) in columns.iter().zip(values) {
            for lane in 0..4 {
                totals[lane] += weights[columns[lane].index()] * values[lane];
            }
        }
        for ((total, &column), value) in totals.iter_mut().zip(rest).zip(last) {
            *total += weights[column.index()] * value;
        }
    }
    (totals[0] + totals[2]) + (totals[1] + totals[3])
}
