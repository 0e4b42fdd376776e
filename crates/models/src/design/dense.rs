//! Dense rows by column: pieces that stay in the first-level cache, a few columns at a time.

use super::{Design, Link};
use crate::lanes;
use crate::simd::{Kernel, LANES, Level, Simd};
use posterior::{Block, DenseBlock};

/// Rows a piece: ten columns of them are 20 KB.
const PIECE: usize = 256;

type Lanes = [f64; LANES];

/// One number for each row of a piece, on whole lines of the cache.
#[repr(align(64))]
struct Buffer([Lanes; PIECE / LANES]);

impl Buffer {
    const ZERO: Buffer = Buffer([[0.0; LANES]; PIECE / LANES]);
}

impl Design for DenseBlock {
    fn width(&self) -> usize {
        DenseBlock::width(self)
    }

    fn targets(&self) -> &[f64] {
        DenseBlock::targets(self)
    }

    fn sweep(
        &self,
        level: Level,
        parameters: &[f64],
        link: &mut Link<'_>,
        gradient: Option<&mut [f64]>,
    ) {
        assert_eq!(parameters.len(), self.width() + 1, "one weight a column and a bias");
        level.run(Sweep { block: self, parameters, link, gradient });
    }

    fn add_gram(&self, level: Level, weights: &[f64], matrix: &mut [f64]) {
        assert_eq!(weights.len(), self.rows(), "one weight a row");
        assert_eq!(matrix.len(), (self.width() + 1).pow(2), "a square of columns and bias");
        level.run(Gram { block: self, weights, matrix });
    }

    fn row(&self, row: usize, entries: &mut Vec<(usize, f64)>) {
        entries.clear();
        entries.extend((0..self.width()).map(|j| (j, self.column(j)[row])));
        entries.push((self.width(), 1.0));
    }

    fn quadratic_forms(&self, matrix: &[f64]) -> Vec<f64> {
        let size = self.width() + 1;
        assert_eq!(matrix.len(), size.pow(2), "a square of columns and bias");
        let mut forms = vec![matrix[size * size - 1]; self.rows()];
        let mut product = vec![0.0; self.rows()];
        for j in 0..self.width() {
            // x_j (C_jj x_j + 2 Σ_{k > j} C_jk x_k), the bias being the last k.
            product.fill(2.0 * matrix[j * size + size - 1]);
            for k in j..self.width() {
                let entry = matrix[j * size + k] * if k == j { 1.0 } else { 2.0 };
                for (product, x) in product.iter_mut().zip(self.column(k)) {
                    *product += entry * x;
                }
            }
            for ((form, product), x) in forms.iter_mut().zip(&product).zip(self.column(j)) {
                *form += product * x;
            }
        }
        forms
    }
}

/// One piece of one column, in groups of eight rows; zeros beyond the last row.
#[inline(always)]
fn piece(block: &DenseBlock, column: usize, start: usize, length: usize) -> &[Lanes] {
    block.padded_values()[column * block.stride() + start..][..length].as_chunks().0
}

struct Sweep<'a, 'b> {
    block: &'a DenseBlock,
    parameters: &'a [f64],
    link: &'a mut Link<'b>,
    gradient: Option<&'a mut [f64]>,
}

impl Kernel for Sweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let block = self.block;
        let width = block.width();
        let mut buffer = Buffer::ZERO;
        let mut totals = vec![[0.0; LANES]; width + 1];
        for start in (0..block.rows()).step_by(PIECE) {
            let rows = PIECE.min(block.rows() - start);
            let padded = rows.next_multiple_of(LANES);
            let buffer = &mut buffer.0[..padded / LANES];
            predict(simd, block, self.parameters, start, buffer);
            (self.link)(&block.targets()[start..][..rows], &mut buffer.as_flattened_mut()[..rows]);
            if self.gradient.is_some() {
                // What the padding holds must not reach the bias.
                buffer.as_flattened_mut()[rows..].fill(0.0);
                project(simd, block, width, start, buffer, &mut totals);
            }
        }
        if let Some(gradient) = self.gradient {
            for (gradient, total) in gradient.iter_mut().zip(totals) {
                *gradient += lanes::fold(total);
            }
        }
    }
}

/// η = bias + Σ_j w_j x_j on one piece.
#[inline(always)]
fn predict<S: Simd>(
    simd: S,
    block: &DenseBlock,
    parameters: &[f64],
    start: usize,
    eta: &mut [Lanes],
) {
    let width = block.width();
    eta.fill([parameters[width]; LANES]);
    let mut j = 0;
    while j < width {
        let weights = &parameters[j..width];
        j += match at_once(weights.len()) {
            5 => add_columns::<S, 5>(simd, block, j, weights, start, eta),
            4 => add_columns::<S, 4>(simd, block, j, weights, start, eta),
            3 => add_columns::<S, 3>(simd, block, j, weights, start, eta),
            2 => add_columns::<S, 2>(simd, block, j, weights, start, eta),
            _ => add_columns::<S, 1>(simd, block, j, weights, start, eta),
        };
    }
}

/// Columns to handle together, at most five: what sixteen registers can hold.
#[inline(always)]
fn at_once(left: usize) -> usize {
    left.div_ceil(left.div_ceil(5))
}

/// η += Σ_k w_k x_{j+k} for K columns; returns K.
#[inline(always)]
fn add_columns<S: Simd, const K: usize>(
    simd: S,
    block: &DenseBlock,
    j: usize,
    weights: &[f64],
    start: usize,
    eta: &mut [Lanes],
) -> usize {
    let mut w = [simd.splat(0.0); K];
    for k in 0..K {
        w[k] = simd.splat(weights[k]);
    }
    let columns = pieces::<K>(block, j, start, eta.len());
    for group in 0..eta.len() {
        let mut sum = simd.load(&eta[group]);
        for k in 0..K {
            sum = simd.mul_add(simd.load(&columns[k][group]), w[k], sum);
        }
        simd.store(sum, &mut eta[group]);
    }
    K
}

/// One piece of K neighbouring columns, all of the same length.
#[inline(always)]
fn pieces<const K: usize>(
    block: &DenseBlock,
    j: usize,
    start: usize,
    groups: usize,
) -> [&[Lanes]; K] {
    let columns: [&[Lanes]; K] =
        std::array::from_fn(|k| piece(block, j + k, start, groups * LANES));
    // Said aloud, so that the loops below need not look.
    for column in columns {
        assert_eq!(column.len(), groups, "a piece of another length");
    }
    columns
}

/// totals_j += Σ u x_j on one piece for the first `columns` columns, then Σ u for the bias.
#[inline(always)]
fn project<S: Simd>(
    simd: S,
    block: &DenseBlock,
    columns: usize,
    start: usize,
    weights: &[Lanes],
    totals: &mut [Lanes],
) {
    let mut j = 0;
    while j < columns {
        let sums = &mut totals[j..columns];
        j += match at_once(sums.len()) {
            5 => add_products::<S, 5>(simd, block, j, start, weights, sums),
            4 => add_products::<S, 4>(simd, block, j, start, weights, sums),
            3 => add_products::<S, 3>(simd, block, j, start, weights, sums),
            2 => add_products::<S, 2>(simd, block, j, start, weights, sums),
            _ => add_products::<S, 1>(simd, block, j, start, weights, sums),
        };
    }
    let mut sum = simd.load(&totals[columns]);
    for u in weights {
        sum = simd.add(sum, simd.load(u));
    }
    simd.store(sum, &mut totals[columns]);
}

/// sums_k += Σ u x_{j+k} for K columns; returns K.
#[inline(always)]
fn add_products<S: Simd, const K: usize>(
    simd: S,
    block: &DenseBlock,
    j: usize,
    start: usize,
    weights: &[Lanes],
    totals: &mut [Lanes],
) -> usize {
    let mut sums = [simd.splat(0.0); K];
    for k in 0..K {
        sums[k] = simd.load(&totals[k]);
    }
    let columns = pieces::<K>(block, j, start, weights.len());
    for group in 0..weights.len() {
        let u = simd.load(&weights[group]);
        for k in 0..K {
            sums[k] = simd.mul_add(simd.load(&columns[k][group]), u, sums[k]);
        }
    }
    for k in 0..K {
        simd.store(sums[k], &mut totals[k]);
    }
    K
}

struct Gram<'a> {
    block: &'a DenseBlock,
    weights: &'a [f64],
    matrix: &'a mut [f64],
}

impl Kernel for Gram<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let block = self.block;
        let (width, size) = (block.width(), block.width() + 1);
        let (mut weights, mut scaled) = (Buffer::ZERO, Buffer::ZERO);
        // Row j: products with columns 0 … j − 1, then with the bias; the diagonal apart.
        let mut totals = vec![[0.0; LANES]; size * size];
        let mut squares = vec![[0.0; LANES]; size];
        for start in (0..block.rows()).step_by(PIECE) {
            let rows = PIECE.min(block.rows() - start);
            let groups = rows.div_ceil(LANES);
            let (weights, scaled) = (&mut weights.0[..groups], &mut scaled.0[..groups]);
            let flat = weights.as_flattened_mut();
            flat[..rows].copy_from_slice(&self.weights[start..][..rows]);
            flat[rows..].fill(0.0);
            for j in 0..width {
                let mut square = simd.load(&squares[j]);
                let column = piece(block, j, start, groups * LANES);
                for ((scaled, u), x) in scaled.iter_mut().zip(&*weights).zip(column) {
                    let x = simd.load(x);
                    let product = simd.mul(simd.load(u), x);
                    square = simd.mul_add(product, x, square);
                    simd.store(product, scaled);
                }
                simd.store(square, &mut squares[j]);
                project(simd, block, j, start, scaled, &mut totals[j * size..][..=j]);
            }
            let mut total = simd.load(&squares[width]);
            for u in &*weights {
                total = simd.add(total, simd.load(u));
            }
            simd.store(total, &mut squares[width]);
        }
        for j in 0..size {
            self.matrix[j * size + j] += lanes::fold(squares[j]);
        }
        for j in 0..width {
            for k in 0..=j {
                // The last product of row j is with the bias, not with column j.
                let other = if k == j { width } else { k };
                let sum = lanes::fold(totals[j * size + k]);
                self.matrix[j * size + other] += sum;
                self.matrix[other * size + j] += sum;
            }
        }
    }
}
