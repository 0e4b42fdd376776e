//! Symmetric matrices shaped like an arrow: parameters of the *head* meet those of the *tail* only.
//!
//! ```text
//!         head       tail
//! head  ⎡ diagonal   border ⎤
//! tail  ⎣ borderᵀ    corner ⎦
//! ```
//!
//! A row has one level of a category, never two, so the Hessian of a regression has no entry between
//! two levels. With the levels of the largest category as the head a matrix takes g (s + 1) + s²
//! numbers for g levels and s other parameters, where (g + s)² would be too many. Without a head it
//! is an ordinary dense matrix.

use std::borrow::Cow;
use std::sync::Arc;

/// Which parameters are in the head and which in the tail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrowShape {
    // Invariant: every parameter once, at the place that head or tail has it.
    places: Vec<Place>,
    head: Vec<usize>,
    tail: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Head(usize),
    Tail(usize),
}

/// A symmetric matrix whose entries between two parameters of the head are zero, or not wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrowMatrix {
    shape: Arc<ArrowShape>,
    /// The head's diagonal, g entries.
    pub diagonal: Vec<f64>,
    /// Head by tail, g lines of s entries.
    pub border: Vec<f64>,
    /// Tail by tail, s lines of s entries.
    pub corner: Vec<f64>,
}

impl ArrowShape {
    /// No head: a dense matrix.
    pub fn dense(dimension: usize) -> ArrowShape {
        ArrowShape::with_head(dimension, Vec::new())
    }

    /// These parameters in the head, all others in the tail.
    ///
    /// # Panics
    /// If a parameter is not below the dimension.
    pub fn with_head(dimension: usize, head: Vec<usize>) -> ArrowShape {
        let mut places = vec![Place::Tail(0); dimension];
        for (at, &column) in head.iter().enumerate() {
            places[column] = Place::Head(at);
        }
        let mut tail = Vec::with_capacity(dimension - head.len());
        for (column, place) in places.iter_mut().enumerate() {
            if matches!(place, Place::Tail(_)) {
                *place = Place::Tail(tail.len());
                tail.push(column);
            }
        }
        ArrowShape { places, head, tail }
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.places.len()
    }

    /// The parameters of the head.
    pub fn head(&self) -> &[usize] {
        &self.head
    }

    /// The parameters of the tail, in order.
    pub fn tail(&self) -> &[usize] {
        &self.tail
    }

    /// Whether there is no head.
    pub fn is_dense(&self) -> bool {
        self.head.is_empty()
    }

    /// The numbers that a matrix of this shape holds.
    pub fn numbers(&self) -> usize {
        let (g, s) = (self.head.len(), self.tail.len());
        g * (s + 1) + s * s
    }
}

impl ArrowMatrix {
    /// The matrix of zeros.
    pub fn zeros(shape: Arc<ArrowShape>) -> ArrowMatrix {
        let (g, s) = (shape.head.len(), shape.tail.len());
        ArrowMatrix {
            diagonal: vec![0.0; g],
            border: vec![0.0; g * s],
            corner: vec![0.0; s * s],
            shape,
        }
    }

    /// A dense matrix of d² entries, row by row.
    ///
    /// # Panics
    /// If there are not d² entries.
    pub fn dense(dimension: usize, entries: Vec<f64>) -> ArrowMatrix {
        assert_eq!(entries.len(), dimension * dimension, "a square of entries");
        let shape = Arc::new(ArrowShape::dense(dimension));
        ArrowMatrix { shape, diagonal: Vec::new(), border: Vec::new(), corner: entries }
    }

    /// The shape.
    pub fn shape(&self) -> &Arc<ArrowShape> {
        &self.shape
    }

    /// The part of the first parameters for those who look at no others: the matrix itself where it has a
    /// head, since entries are then found parameter by parameter.
    pub fn leading(&self, parameters: usize) -> Cow<'_, ArrowMatrix> {
        let d = self.shape.dimension();
        if !self.shape.is_dense() || parameters == d {
            return Cow::Borrowed(self);
        }
        let lines = self.corner.chunks_exact(d).take(parameters);
        let entries = lines.flat_map(|line| line[..parameters].to_vec()).collect();
        Cow::Owned(ArrowMatrix::dense(parameters, entries))
    }

    /// The entries on the diagonal, parameter by parameter.
    pub fn diagonal_entries(&self) -> Vec<f64> {
        let s = self.shape.tail.len();
        let entry = |place: &Place| match *place {
            Place::Head(h) => self.diagonal[h],
            Place::Tail(t) => self.corner[t * (s + 1)],
        };
        self.shape.places.iter().map(entry).collect()
    }

    /// Adds these numbers to the diagonal, parameter by parameter.
    pub fn add_diagonal(&mut self, numbers: &[f64]) {
        let s = self.shape.tail.len();
        for (place, number) in self.shape.places.iter().zip(numbers) {
            match *place {
                Place::Head(h) => self.diagonal[h] += number,
                Place::Tail(t) => self.corner[t * (s + 1)] += number,
            }
        }
    }

    /// The entries between a parameter of the tail and all parameters.
    pub fn line(&self, parameter: usize) -> Vec<f64> {
        let s = self.shape.tail.len();
        let own = self.place_in_tail(parameter);
        let entry = |place: &Place| match *place {
            Place::Head(h) => self.border[h * s + own],
            Place::Tail(t) => self.corner[own * s + t],
        };
        self.shape.places.iter().map(entry).collect()
    }

    /// Adds these numbers to the entries between a parameter of the tail and all parameters.
    pub fn add_line(&mut self, parameter: usize, numbers: &[f64]) {
        let s = self.shape.tail.len();
        let own = self.place_in_tail(parameter);
        for (place, number) in self.shape.places.iter().zip(numbers) {
            match *place {
                Place::Head(h) => self.border[h * s + own] += number,
                Place::Tail(t) => {
                    self.corner[own * s + t] += number;
                    if t != own {
                        self.corner[t * s + own] += number;
                    }
                }
            }
        }
    }

    fn place_in_tail(&self, parameter: usize) -> usize {
        match self.shape.places[parameter] {
            Place::Tail(t) => t,
            Place::Head(_) => panic!("parameter {parameter} is in the head"),
        }
    }

    /// Adds s times a matrix of the same shape.
    pub fn add(&mut self, scale: f64, other: &ArrowMatrix) {
        let add = |to: &mut [f64], from: &[f64]| {
            to.iter_mut().zip(from).for_each(|(a, b)| *a += scale * b);
        };
        add(&mut self.diagonal, &other.diagonal);
        add(&mut self.border, &other.border);
        add(&mut self.corner, &other.corner);
    }

    /// A x, where the entries between parameters of the head are zero.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let ArrowShape { head, tail, .. } = &*self.shape;
        let mut product = vec![0.0; x.len()];
        if head.is_empty() {
            for (sum, line) in product.iter_mut().zip(self.corner.chunks_exact(x.len())) {
                *sum = line.iter().zip(x).map(|(a, x)| a * x).sum();
            }
            return product;
        }
        let s = tail.len();
        let short: Vec<f64> = tail.iter().map(|&column| x[column]).collect();
        let mut sums: Vec<f64> = (0..s)
            .map(|t| self.corner[t * s..][..s].iter().zip(&short).map(|(a, x)| a * x).sum())
            .collect();
        for (h, &column) in head.iter().enumerate() {
            let line = &self.border[h * s..][..s];
            let across: f64 = line.iter().zip(&short).map(|(a, x)| a * x).sum();
            product[column] = self.diagonal[h] * x[column] + across;
            sums.iter_mut().zip(line).for_each(|(sum, a)| *sum += a * x[column]);
        }
        for (&column, sum) in tail.iter().zip(sums) {
            product[column] = sum;
        }
        product
    }

    /// Adds u x xᵀ for a row, given by its columns and values; at most one column is in the head.
    pub fn add_product(&mut self, weight: f64, row: &[(usize, f64)]) {
        let s = self.shape.tail.len();
        let mut head = None;
        for (at, &(column, x)) in row.iter().enumerate() {
            match self.shape.places[column] {
                Place::Head(h) => {
                    assert!(head.is_none(), "two columns of the head in one row");
                    self.diagonal[h] += weight * x * x;
                    head = Some((h, weight * x));
                }
                Place::Tail(t) => {
                    let scaled = weight * x;
                    self.corner[t * (s + 1)] += scaled * x;
                    for &(other, z) in &row[..at] {
                        if let Place::Tail(u) = self.shape.places[other] {
                            self.corner[t * s + u] += scaled * z;
                            self.corner[u * s + t] += scaled * z;
                        }
                    }
                }
            }
        }
        if let Some((h, scaled)) = head {
            let line = &mut self.border[h * s..][..s];
            for &(column, x) in row {
                if let Place::Tail(t) = self.shape.places[column] {
                    line[t] += scaled * x;
                }
            }
        }
    }

    /// xᵀ A x for a row, given by its columns and values; at most one column is in the head.
    pub fn quadratic_form(&self, row: &[(usize, f64)]) -> f64 {
        let s = self.shape.tail.len();
        let mut sum = 0.0;
        for (at, &(column, x)) in row.iter().enumerate() {
            let product: f64 = match self.shape.places[column] {
                Place::Head(h) => {
                    let line = &self.border[h * s..][..s];
                    let across = row.iter().map(|&(other, z)| match self.shape.places[other] {
                        Place::Tail(t) => line[t] * z,
                        Place::Head(_) => 0.0,
                    });
                    self.diagonal[h] * x + 2.0 * across.sum::<f64>()
                }
                Place::Tail(t) => {
                    let line = &self.corner[t * s..][..s];
                    let below =
                        row[..at].iter().map(|&(other, z)| match self.shape.places[other] {
                            Place::Tail(u) => line[u] * z,
                            Place::Head(_) => 0.0,
                        });
                    line[t] * x + 2.0 * below.sum::<f64>()
                }
            };
            sum += x * product;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows over five parameters, the first and the third of which never meet.
    const ROWS: [&[(usize, f64)]; 4] = [
        &[(0, 2.0), (1, -1.0), (4, 1.0)],
        &[(2, 1.0), (3, 0.5), (4, 1.0)],
        &[(1, 3.0), (2, -2.0), (4, 1.0)],
        &[(3, 1.5), (4, 1.0)],
    ];

    fn sums(shape: ArrowShape) -> ArrowMatrix {
        let mut matrix = ArrowMatrix::zeros(Arc::new(shape));
        for (row, weight) in ROWS.iter().zip([1.0, 2.0, 0.5, 3.0]) {
            matrix.add_product(weight, row);
        }
        matrix
    }

    #[test]
    fn an_arrow_is_the_dense_matrix_in_another_layout() {
        let dense = sums(ArrowShape::dense(5));
        let arrow = sums(ArrowShape::with_head(5, vec![2, 0]));
        assert_eq!(arrow.shape().numbers(), 2 * 4 + 9);
        assert_eq!(dense.diagonal_entries(), arrow.diagonal_entries());
        let x = [1.0, -2.0, 0.25, 3.0, -1.0];
        assert_eq!(dense.times(&x), arrow.times(&x));
        for row in ROWS {
            assert!((dense.quadratic_form(row) - arrow.quadratic_form(row)).abs() < 1e-12);
        }
        // By hand: only the first row has the first parameter, with weight one: 2 · 2, and 2 · (−1).
        assert_eq!(dense.corner[0], 4.0);
        assert_eq!(dense.corner[1], -2.0);
        let (mut dense, mut arrow) = (dense, arrow);
        assert_eq!(dense.line(3), arrow.line(3));
        for matrix in [&mut dense, &mut arrow] {
            matrix.add_line(3, &[1.0, 2.0, 3.0, 4.0, 5.0]);
        }
        assert_eq!(dense.times(&x), arrow.times(&x));
        assert_eq!((dense.line(3), dense.line(1)[3]), (arrow.line(3), arrow.line(1)[3]));
    }
}
