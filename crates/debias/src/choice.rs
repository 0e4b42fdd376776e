//! Which form and law: the least work × variance under the depths that will really be drawn.
//!
//! Antithetic sums and antithetic single terms are put together from the same increments Δ_t, at the
//! same cost a level, so that one pilot knows both. A level enters a sum by P(T ≥ t) and a single term
//! by P(T = t): single terms avoid the covariance of mean increments of one sign, sums can have many
//! levels enter often, and how much of either stratified depths take away is a matter of the problem
//! ([`DepthMeans`]). So it is measured.
//!
//! Form and law are functions of the pilot's draws alone. The replicates are drawn afterwards from
//! streams of their own, so that given the choice each has the expectation E φ_L, whatever was chosen:
//! E Z = E[ E(Z ∣ choice) ] = E φ_L.

use crate::{
    Coupling, DecayError, DepthMeans, Form, OptimalError, Pilot, Scheme, Tradeoff, Truncation,
    TunedLaw, TunerError, optimal,
};

impl Pilot {
    /// The same draws in the better form: antithetic single term or antithetic sum, by least work ×
    /// variance of depths drawn in groups of this size. A pilot of nested batches knows one form only.
    pub fn in_better_form<E: std::error::Error>(
        self,
        scheme: Scheme,
        group: usize,
    ) -> Result<Pilot, TunerError<E>> {
        if self.form().coupling() == Coupling::Nested {
            return Ok(self);
        }
        let (single, sum) =
            (self.in_form(Form::AntitheticSingleTerm), self.in_form(Form::AntitheticSum));
        let (_, product) = single.least_product(scheme, group)?;
        let (_, of_sum) = sum.least_product(scheme, group)?;
        Ok(if of_sum < product { sum } else { single })
    }

    /// The law of least work × variance of depths drawn in groups of this size, refused by nobody; the
    /// variance and the product it comes with are those of independent depths.
    pub fn best_under<E: std::error::Error>(
        &self,
        scheme: Scheme,
        group: usize,
    ) -> Result<TunedLaw, TunerError<E>> {
        Ok(self.predict(self.least_product(scheme, group)?.0)?)
    }

    /// The predicted variance of a replicate, depths drawn in groups of this size.
    pub fn variance(
        &self,
        law: &Truncation,
        scheme: Scheme,
        group: usize,
    ) -> Result<f64, DecayError> {
        Ok(self.tradeoff()?.variance(law) - self.depth_means().saving(law, scheme, group))
    }

    fn least_product<E: std::error::Error>(
        &self,
        scheme: Scheme,
        group: usize,
    ) -> Result<(Truncation, f64), TunerError<E>> {
        let (tradeoff, means) = (self.tradeoff()?, self.depth_means());
        Ok(of_least_product(&tradeoff, |law| {
            tradeoff.cost(law) * (tradeoff.variance(law) - means.saving(law, scheme, group))
        })?)
    }

    fn depth_means(&self) -> DepthMeans {
        DepthMeans { form: self.form(), means: self.mean_increments() }
    }
}

/// The law of least product, and that, over caps between the cheapest law and a tenth of a replicate
/// that goes through all levels, beyond which subsets save nothing.
pub(crate) fn of_least_product(
    tradeoff: &Tradeoff,
    product: impl Fn(&Truncation) -> f64,
) -> Result<(Truncation, f64), OptimalError> {
    // Sixty caps a factor of 1.26 or less apart: finer than any pilot's own noise.
    let least = match optimal(tradeoff, f64::NEG_INFINITY) {
        Err(OptimalError::Cap { least, .. }) => least * (1.0 + 1e-9),
        Err(other) => return Err(other),
        Ok(law) => unreachable!("no law costs as little as {}", tradeoff.cost(&law)),
    };
    let most = (tradeoff.costs.iter().sum::<f64>() / 10.0).max(2.0 * least);
    let laws: Vec<(Truncation, f64)> = (0..60)
        .map(|step| least * (most / least).powf(f64::from(step) / 59.0))
        .map(|cap| {
            let law = optimal(tradeoff, cap)?;
            let product = product(&law);
            Ok((law, product))
        })
        .collect::<Result<_, OptimalError>>()?;
    Ok(laws.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are sixty laws"))
}
