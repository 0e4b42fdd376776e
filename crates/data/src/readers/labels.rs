//! The three ways in which files write two classes.

use std::fmt;

/// How the two classes are written; the larger label is the positive class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// −1 and +1.
    PlusMinus,
    /// 0 and 1.
    ZeroOne,
    /// 1 and 2.
    OneTwo,
    /// Any one of the three, told by the labels that occur: a file in which only 1 occurs could
    /// be any of them and is refused.
    Detect,
}

impl Labels {
    /// The label as a small number, or nothing if it is not one of these.
    pub(crate) fn parse(self, word: &[u8]) -> Option<i8> {
        let value = match word {
            b"-1" => -1.0,
            b"+1" | b"1" => 1.0,
            _ => super::libsvm::parse::<f64>(word)?,
        };
        let allowed: &[i8] = match self {
            Labels::PlusMinus => &[-1, 1],
            Labels::ZeroOne => &[0, 1],
            Labels::OneTwo => &[1, 2],
            Labels::Detect => &[-1, 0, 1, 2],
        };
        allowed.iter().copied().find(|&label| f64::from(label) == value)
    }
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Labels::PlusMinus => "-1, +1",
            Labels::ZeroOne => "0, 1",
            Labels::OneTwo => "1, 2",
            Labels::Detect => "-1, 0, 1, 2",
        })
    }
}

/// How often each label was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelCounts {
    // For the labels −1, 0, 1, 2.
    counts: [u64; 4],
}

impl LabelCounts {
    pub(crate) fn add(&mut self, label: i8) {
        self.counts[(label + 1) as usize] += 1;
    }

    /// How many different labels were seen.
    pub(crate) fn different(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    /// Whether all labels seen are labels of this way of writing.
    pub(crate) fn fit(&self, labels: Labels) -> bool {
        let seen = (-1i8..=2).zip(self.counts).filter(|(_, count)| *count > 0);
        seen.map(|(label, _)| label.to_string()).all(|word| labels.parse(word.as_bytes()).is_some())
    }

    /// The label of the positive class, if the labels seen fit one way of writing only.
    pub(crate) fn positive(&self, labels: Labels) -> Option<i8> {
        match labels {
            Labels::PlusMinus | Labels::ZeroOne => Some(1),
            Labels::OneTwo => Some(2),
            Labels::Detect => match self.counts.map(|count| count > 0) {
                [true, false, _, false] | [false, true, _, false] => Some(1),
                [false, false, _, true] => Some(2),
                _ => None,
            },
        }
    }
}

impl fmt::Display for LabelCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen: Vec<String> = (-1i8..=2)
            .zip(self.counts)
            .filter(|(_, count)| *count > 0)
            .map(|(label, count)| format!("{label} ({count} times)"))
            .collect();
        f.write_str(&seen.join(", "))
    }
}
