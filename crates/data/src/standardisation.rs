//! Columns of mean zero and variance one, as the training rows have them.
//!
//! ```text
//! x ↦ (x − m)/s,   m = Σ x/n,   s² = Σ (x − m)²/n     over the training rows alone
//! ```

use posterior::DenseBlock;

/// Mean and standard deviation of each covariate and of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Standardisation {
    covariates: Vec<Scale>,
    target: Scale,
}

/// x ↦ (x − mean)/deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// m.
    pub mean: f64,
    /// s; one where the column is constant, which then becomes zero.
    pub deviation: f64,
}

impl Scale {
    fn of(column: &[f64]) -> Scale {
        let count = column.len() as f64;
        let mean = column.iter().sum::<f64>() / count;
        let square = column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        let deviation = square.sqrt();
        Scale { mean, deviation: if deviation > 0.0 { deviation } else { 1.0 } }
    }

    fn apply(self, column: &mut [f64]) {
        column.iter_mut().for_each(|x| *x = (*x - self.mean) / self.deviation);
    }
}

impl Standardisation {
    /// Measured on the training rows.
    ///
    /// # Panics
    /// If there are none.
    pub fn of(train: &DenseBlock) -> Standardisation {
        assert!(!train.targets().is_empty(), "no rows have no mean");
        Standardisation {
            covariates: (0..train.width()).map(|j| Scale::of(train.column(j))).collect(),
            target: Scale::of(train.targets()),
        }
    }

    /// Standardises covariates and targets in place.
    pub fn apply(&self, block: &mut DenseBlock) {
        for (j, scale) in self.covariates.iter().enumerate() {
            scale.apply(block.column_mut(j));
        }
        self.target.apply(block.targets_mut());
    }

    /// The scale of each covariate.
    pub fn covariates(&self) -> &[Scale] {
        &self.covariates
    }

    /// The scale of the target: errors times its deviation are errors in the target's own unit.
    pub fn target(&self) -> Scale {
        self.target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_rows_are_scaled_by_the_training_rows() {
        let mut train = DenseBlock::zeros(2, 2);
        train.column_mut(0).copy_from_slice(&[1.0, 3.0]);
        train.column_mut(1).fill(7.0);
        train.targets_mut().copy_from_slice(&[-10.0, 10.0]);
        let standardisation = Standardisation::of(&train);
        let mut test = DenseBlock::zeros(1, 2);
        test.column_mut(0)[0] = 4.0;
        test.column_mut(1)[0] = 8.0;
        test.targets_mut()[0] = 5.0;
        standardisation.apply(&mut test);
        assert_eq!((test.column(0)[0], test.column(1)[0], test.targets()[0]), (2.0, 1.0, 0.5));
        standardisation.apply(&mut train);
        assert_eq!((train.column(0), train.column(1)), (&[-1.0, 1.0][..], &[0.0, 0.0][..]));
        assert_eq!(standardisation.target(), Scale { mean: 0.0, deviation: 10.0 });
    }
}
