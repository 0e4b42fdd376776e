//! Sparse binary rows by the patterns they are made of.
//!
//! Columns are cut into consecutive groups. Within a group rows show few different patterns, kept
//! as a prefix tree whose node is its parent and one more column; a row is one node a group. Then
//!
//! ```text
//! value(node) = value(parent) + w(column)        η_i = bias + Σ_groups value(node_i)
//! sum(parent) += sum(node), g(column) += sum(node),   after sum(node_i) += u_i
//! ```
//!
//! so a row costs as many look-ups as there are groups instead of set columns. The 13.9 columns a
//! row of a9a become three or four.

use super::{Design, Link};
use crate::lanes;
use crate::simd::Level;
use posterior::{Block, Rows, SparseBlock};
use std::ops::Range;

/// Rows a piece.
const PIECE: usize = 512;
/// Trees looked at together.
const AT_ONCE: usize = 3;
/// Neighbouring rows add to different banks, so that one need not wait for the other.
const BANKS: usize = 2;

/// Nodes a tree may have: a fraction of the rows, so that trees cost little beside them …
const ROWS_A_NODE: usize = 8;
/// … but not so few that no two columns fit, …
const FEWEST_NODES: usize = 64;
/// … and not more than stay in the cache.
const MOST_NODES: usize = 1 << 11;

/// Binary rows, gathered once for many sweeps.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternBlock {
    rows: SparseBlock,
    trees: Vec<Tree>,
}

/// Sparse binary rows handed out as patterns.
#[derive(Clone, Debug)]
pub struct Patterned<R>(pub R);

/// Rows with values other than one have no patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rows} rows of {width} columns have values other than one")]
pub struct NotBinary {
    /// n.
    pub rows: usize,
    /// d.
    pub width: usize,
}

/// The patterns of one group of columns.
#[derive(Clone, Debug, PartialEq)]
struct Tree {
    // Invariant: node 0 is the empty pattern; a parent comes before its children.
    parents: Vec<u16>,
    columns: Vec<u32>,
    // Invariant: one a row, below the number of nodes.
    nodes: Vec<u16>,
}

impl PatternBlock {
    /// Finds the patterns of these rows.
    pub fn new(rows: SparseBlock) -> Result<PatternBlock, NotBinary> {
        if !rows.is_binary() {
            return Err(NotBinary { rows: rows.rows(), width: rows.width() });
        }
        let most = (rows.rows() / ROWS_A_NODE).clamp(FEWEST_NODES, MOST_NODES);
        let (starts, members) = by_column(&rows);
        let mut trees = Vec::new();
        let mut tree = Tree::new(rows.rows());
        // The child of each node for the column at hand: (column + 1, child).
        let mut children = vec![(0, 0); most + 1];
        for column in 0..rows.width() {
            let members = &members[starts[column]..starts[column + 1]];
            if members.is_empty() {
                continue;
            }
            let grown = tree.count_children(members, column, &mut children);
            if tree.parents.len() + grown > most && tree.parents.len() > 1 {
                trees.push(std::mem::replace(&mut tree, Tree::new(rows.rows())));
                children.fill((0, 0));
            }
            tree.grow(members, column, &mut children);
        }
        trees.push(tree);
        Ok(PatternBlock { rows, trees })
    }

    /// The rows, as they came.
    pub fn sparse(&self) -> &SparseBlock {
        &self.rows
    }

    /// Look-ups a row.
    pub fn groups(&self) -> usize {
        self.trees.len()
    }
}

/// For each column, where its rows start in a list of rows, and that list.
fn by_column(rows: &SparseBlock) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; rows.width() + 1];
    for column in rows.indices().iter() {
        starts[column + 1] += 1;
    }
    for column in 0..rows.width() {
        starts[column + 1] += starts[column];
    }
    let mut next = starts.clone();
    let mut members = vec![0; rows.indices().len()];
    for (i, ends) in rows.offsets().windows(2).enumerate() {
        for column in rows.indices().range(ends[0] as usize..ends[1] as usize).iter() {
            let slot = &mut next[column];
            members[*slot] = i as u32;
            *slot += 1;
        }
    }
    (starts, members)
}

impl Tree {
    fn new(rows: usize) -> Tree {
        Tree { parents: vec![0], columns: vec![0], nodes: vec![0; rows] }
    }

    /// How many nodes the column would add.
    fn count_children(&self, members: &[u32], column: usize, seen: &mut [(usize, u16)]) -> usize {
        let mut count = 0;
        for &row in members {
            let entry = &mut seen[usize::from(self.nodes[row as usize])];
            // Marked with child 0, which no child is: the node itself is made by `grow`.
            if entry.0 != column + 1 {
                *entry = (column + 1, 0);
                count += 1;
            }
        }
        count
    }

    fn grow(&mut self, members: &[u32], column: usize, children: &mut [(usize, u16)]) {
        for &row in members {
            let node = &mut self.nodes[row as usize];
            let entry = &mut children[usize::from(*node)];
            if entry.0 != column + 1 || entry.1 == 0 {
                *entry = (column + 1, self.parents.len() as u16);
                self.parents.push(*node);
                self.columns.push(column as u32);
            }
            *node = entry.1;
        }
    }

    /// value(node) for all nodes, and zeros up to a power of two.
    fn values(&self, weights: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; self.parents.len().next_power_of_two()];
        for node in 1..self.parents.len() {
            values[node] =
                values[usize::from(self.parents[node])] + weights[self.columns[node] as usize];
        }
        values
    }

    /// Hands the sums of all nodes to their columns.
    fn add_sums(&self, sums: &[[f64; BANKS]], gradient: &mut [f64]) {
        let mut sums: Vec<f64> = sums.iter().map(|banks| banks.iter().sum()).collect();
        for node in (1..self.parents.len()).rev() {
            gradient[self.columns[node] as usize] += sums[node];
            sums[usize::from(self.parents[node])] += sums[node];
        }
    }
}

/// η += Σ value(node) over K trees, for the rows from `start` on.
#[inline(always)]
fn gather<const K: usize>(trees: [&Tree; K], values: [&[f64]; K], start: usize, eta: &mut [f64]) {
    let nodes = trees.map(|tree| &tree.nodes[start..][..eta.len()]);
    let masks = values.map(mask);
    for i in 0..eta.len() {
        let mut sum = eta[i];
        for k in 0..K {
            sum += values[k][usize::from(nodes[k][i]) & masks[k]];
        }
        eta[i] = sum;
    }
}

/// sum(node) += u in K trees, for the rows from `start` on.
#[inline(always)]
fn scatter<const K: usize>(
    trees: [&Tree; K],
    sums: [&mut [[f64; BANKS]]; K],
    start: usize,
    weights: &[f64],
) {
    let nodes = trees.map(|tree| &tree.nodes[start..][..weights.len()]);
    let masks = sums.each_ref().map(|sums| mask(sums));
    for i in 0..weights.len() {
        for k in 0..K {
            sums[k][usize::from(nodes[k][i]) & masks[k]][i % BANKS] += weights[i];
        }
    }
}

/// What an index is cut to, so that it need not be compared with the length at every row.
#[inline(always)]
fn mask<T>(table: &[T]) -> usize {
    assert!(table.len().is_power_of_two(), "a table of nodes is padded");
    table.len() - 1
}

impl Block for PatternBlock {
    fn rows(&self) -> usize {
        self.rows.rows()
    }
}

impl Design for PatternBlock {
    fn width(&self) -> usize {
        self.rows.width()
    }

    fn targets(&self) -> &[f64] {
        self.rows.targets()
    }

    fn sweep(
        &self,
        _level: Level,
        parameters: &[f64],
        link: &mut Link<'_>,
        gradient: Option<&mut [f64]>,
    ) {
        let width = self.width();
        assert_eq!(parameters.len(), width + 1, "one weight a column and a bias");
        let values: Vec<_> = self.trees.iter().map(|tree| tree.values(parameters)).collect();
        let mut sums: Vec<_> =
            values.iter().map(|values| vec![[0.0; BANKS]; values.len()]).collect();
        let mut total = 0.0;
        let mut buffer = [0.0; PIECE];
        for start in (0..self.rows()).step_by(PIECE) {
            let buffer = &mut buffer[..PIECE.min(self.rows() - start)];
            buffer.fill(parameters[width]);
            for (trees, values) in self.trees.chunks(AT_ONCE).zip(values.chunks(AT_ONCE)) {
                match (trees, values) {
                    ([a], [x]) => gather([a], [x], start, buffer),
                    ([a, b], [x, y]) => gather([a, b], [x, y], start, buffer),
                    ([a, b, c], [x, y, z]) => gather([a, b, c], [x, y, z], start, buffer),
                    _ => unreachable!("chunks hold one to three trees"),
                }
            }
            link(&self.targets()[start..][..buffer.len()], buffer);
            if gradient.is_some() {
                for (trees, sums) in self.trees.chunks(AT_ONCE).zip(sums.chunks_mut(AT_ONCE)) {
                    match (trees, sums) {
                        ([a], [x]) => scatter([a], [x], start, buffer),
                        ([a, b], [x, y]) => scatter([a, b], [x, y], start, buffer),
                        ([a, b, c], [x, y, z]) => scatter([a, b, c], [x, y, z], start, buffer),
                        _ => unreachable!("chunks hold one to three trees"),
                    }
                }
                total += lanes::sum(buffer, |u| u);
            }
        }
        if let Some(gradient) = gradient {
            for (tree, sums) in self.trees.iter().zip(&sums) {
                tree.add_sums(sums, gradient);
            }
            gradient[width] += total;
        }
    }

    fn add_gram(&self, level: Level, weights: &[f64], matrix: &mut [f64]) {
        self.rows.add_gram(level, weights, matrix);
    }

    fn row(&self, row: usize, entries: &mut Vec<(usize, f64)>) {
        Design::row(&self.rows, row, entries);
    }

    fn quadratic_forms(&self, matrix: &[f64]) -> Vec<f64> {
        self.rows.quadratic_forms(matrix)
    }
}

impl<R: Rows<Block = SparseBlock>> Rows for Patterned<R> {
    type Block = PatternBlock;

    fn count(&self) -> usize {
        self.0.count()
    }

    /// # Panics
    /// Also if the rows are not binary.
    fn gather(&self, indices: &[usize]) -> PatternBlock {
        PatternBlock::new(self.0.gather(indices)).expect("patterns are for binary rows")
    }

    /// # Panics
    /// Also if the rows are not binary.
    fn range(&self, range: Range<usize>) -> PatternBlock {
        PatternBlock::new(self.0.range(range)).expect("patterns are for binary rows")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Value by value against the rows themselves, for numbers of trees with every remainder.
    #[test]
    fn any_number_of_trees_gives_what_the_rows_give() {
        let mut seen = [false; AT_ONCE];
        for width in (3..48).step_by(3) {
            let mut rows = SparseBlock::new(width);
            for i in 0..600usize {
                // The bits of a multiplicative hash: as good as random, and no generator needed.
                let bits = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8;
                let columns: Vec<u16> = (0..width as u16).filter(|&j| bits >> j & 1 == 1).collect();
                rows.push(&columns, &[], if i % 3 == 0 { 1.0 } else { -1.0 });
            }
            let patterns = PatternBlock::new(rows.clone()).unwrap();
            seen[patterns.groups() % AT_ONCE] = true;
            let theta: Vec<f64> = (0..=width).map(|j| (j as f64).sin()).collect();
            let sweep = |block: &dyn Design| {
                let (mut eta, mut gradient) = (Vec::new(), vec![0.0; width + 1]);
                let mut link = |_: &[f64], piece: &mut [f64]| {
                    eta.extend_from_slice(piece);
                    piece.iter_mut().for_each(|eta| *eta = eta.tanh());
                };
                block.sweep(Level::best(), &theta, &mut link, Some(&mut gradient));
                [eta, gradient].concat()
            };
            for (a, b) in sweep(&rows).iter().zip(sweep(&patterns)) {
                // Rounding of sums of six hundred terms.
                assert!((a - b).abs() < 1e-11, "{width} columns: {a} {b}");
            }
        }
        assert_eq!(seen, [true; AT_ONCE]);
    }
}
