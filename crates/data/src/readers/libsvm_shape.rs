//! What a libsvm file holds, before it is read: its width and its way of writing labels.

use super::labels::{LabelCounts, Labels};
use super::libsvm::visit_libsvm;
use super::libsvm_error::LibsvmError;
use std::io::{BufReader, Read};

/// The most columns that a sparse row can have.
const WIDEST: usize = 1 << 16;

/// The shape of a libsvm file.
#[derive(Clone, Debug, PartialEq)]
pub struct LibsvmShape {
    /// Lines with a label.
    pub rows: u64,
    /// The largest index.
    pub width: usize,
    /// How often each label was seen.
    pub labels: LabelCounts,
}

impl LibsvmShape {
    /// How labels are written, if those seen fit one way only.
    pub fn written(&self) -> Option<Labels> {
        let ways = [Labels::PlusMinus, Labels::ZeroOne, Labels::OneTwo];
        let positive = self.labels.positive(Labels::Detect)?;
        ways.into_iter()
            .find(|way| self.labels.fit(*way) && self.labels.positive(*way) == Some(positive))
    }

    /// Whether all rows are of one class.
    pub fn one_class(&self) -> bool {
        self.labels.different() == 1
    }
}

/// One pass over a libsvm file.
pub fn survey_libsvm(source: impl Read, file: &str) -> Result<LibsvmShape, LibsvmError> {
    let mut shape = LibsvmShape { rows: 0, width: 0, labels: LabelCounts::default() };
    let source = BufReader::with_capacity(1 << 16, source);
    let rows = visit_libsvm(source, file, WIDEST, Labels::Detect, |row| {
        shape.labels.add(row.label);
        let last = row.columns.last().map_or(0, |&column| usize::from(column) + 1);
        shape.width = shape.width.max(last);
        Ok::<_, LibsvmError>(())
    })?;
    Ok(LibsvmShape { rows, ..shape })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> LibsvmShape {
        survey_libsvm(text.as_bytes(), "test").unwrap()
    }

    #[test]
    fn width_and_labels_are_told() {
        let two = shape("1 3:1 7:0.5\n0\n1 2:1\n");
        assert_eq!((two.rows, two.width, two.written()), (3, 7, Some(Labels::ZeroOne)));
        assert_eq!(shape("2 1:1\n1 2:1\n").written(), Some(Labels::OneTwo));
        assert_eq!(shape("-1 1:1\n1 2:1\n").written(), Some(Labels::PlusMinus));
        assert!(!two.one_class() && shape("1 1:1\n1 2:1\n").one_class());
        assert_eq!(shape("-1 1:1\n2 2:1\n").written(), None);
        assert!(survey_libsvm("1 0:1\n".as_bytes(), "test").is_err());
    }
}
