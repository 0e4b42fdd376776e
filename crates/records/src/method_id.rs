//! The methods that experiments run and compare.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

macro_rules! methods {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $label:literal;)*) => {
        /// A method, by the name that records give it.
        ///
        /// Tables, quantities (`coupled-sum/total cost`), claims, figures and pages name a method by
        /// [`MethodId::name`], and show it to readers as [`MethodId::label`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum MethodId {
            $($(#[$doc])* $variant,)*
        }

        impl MethodId {
            /// All methods: debiased estimates, averages, exact chains, approximations.
            pub const ALL: &[MethodId] = &[$(MethodId::$variant,)*];

            /// The name in records: lower case, words joined by dashes.
            pub const fn name(self) -> &'static str {
                match self {
                    $(MethodId::$variant => $name,)*
                }
            }

            /// The name for readers.
            pub const fn label(self) -> &'static str {
                match self {
                    $(MethodId::$variant => $label,)*
                }
            }
        }
    };
}

methods! {
    /// Debiased over anchored levels.
    Anchored = "anchored", "debiased, anchored";
    /// Whichever method the front door takes when it is left to itself.
    Auto = "auto", "the front door's choice";
    /// Debiased over anchored levels whose rows are sampled uniformly, equal rows apart.
    AnchoredUniform = "anchored-uniform", "anchored, uniform samples";
    /// The base density of an anchored path, not debiased.
    BaseAlone = "base-alone", "the anchored base alone";
    /// Debiased over levels anchored at the mode under a smooth prior in place of a Laplace prior.
    AnchoredSmoothPrior = "anchored-stand-in", "debiased, anchored at a smooth prior's mode";
    /// Debiased by one antithetic increment per replicate.
    AntitheticSingleTerm = "antithetic-single-term", "debiased, antithetic single term";
    /// Debiased by the sum of antithetic increments up to the depth.
    AntitheticSum = "antithetic-sum", "debiased, antithetic sum";
    /// Debiased by one increment per replicate.
    SingleTerm = "single-term", "debiased, single term";
    /// Debiased by the sum of increments up to the depth, the paper's estimator.
    CoupledSum = "coupled-sum", "debiased, the paper's";
    /// The average of posterior means given random batches of one size.
    ConstantBatch = "constant-batch", "averaged constant batches";
    /// The posterior mean given all rows, in closed form.
    AllRows = "all-rows", "one pass over all rows";
    /// The no-U-turn sampler on all rows.
    FullNuts = "full-nuts", "NUTS on all rows";
    /// The no-U-turn sampler on all rows, by leapfrog steps over the kinks of a Laplace prior.
    LeapfrogNuts = "leapfrog-nuts", "NUTS on all rows, by leapfrogs";
    /// The no-U-turn sampler on all rows, its draws corrected by control variates.
    NutsControlVariates = "nuts-control-variates", "NUTS, control variates";
    /// The same with cubic control variates.
    NutsCubic = "nuts-cubic", "NUTS, cubic control variates";
    /// NUTS with linear control variates on all rows, equal ones apart.
    NutsAllRowsLinear = "nuts-all-rows-linear", "NUTS on all rows, control variates";
    /// NUTS with cubic control variates on all rows, equal ones apart.
    NutsAllRowsCubic = "nuts-all-rows-cubic", "NUTS on all rows, cubic control variates";
    /// Firefly Monte Carlo.
    Firefly = "firefly", "Firefly";
    /// The Zig-Zag process with subsampling.
    ZigZag = "zig-zag", "Zig-Zag";
    /// Scalable Metropolis–Hastings with second-order control variates.
    ScalableMh = "smh-2", "SMH-2";
    /// Signed pseudo-marginal Metropolis–Hastings by the block-Poisson estimator.
    BlockPoisson = "block-poisson", "block-Poisson, signed";
    /// The no-U-turn sampler on distinct rows with counts, its draws corrected by control variates.
    CollapsedNuts = "collapsed-nuts", "NUTS on distinct rows";
    /// Iterated batch importance sampling.
    Ibis = "ibis", "IBIS";
    /// Stochastic gradient Langevin dynamics.
    Sgld = "sgld", "SGLD";
    /// Stochastic gradient Langevin dynamics with control variates.
    SgldControlVariates = "sgld-control-variates", "SGLD, control variates";
    /// Stochastic gradient Hamiltonian Monte Carlo.
    Sghmc = "sghmc", "SGHMC";
    /// Hamiltonian Monte Carlo with energy-conserving subsampling.
    HmcEcs = "hmc-ecs", "HMC-ECS";
    /// Unbiased kinetic Langevin sampling over step sizes, with stochastic gradients.
    Ububu = "ububu", "UBUBU";
    /// The mean of the Laplace approximation to the next order.
    Laplace = "laplace", "Laplace, next order";
    /// The posterior mode.
    Mode = "mode", "mode";
    /// The mean of the Laplace approximation with its first correction, of a regression.
    NextOrderLaplace = "next-order-laplace", "next-order Laplace";
    /// The mean of the Gaussian closest to the posterior: variational inference.
    GaussianVi = "gaussian-vi", "Gaussian VI";
    /// Metropolis–Hastings with sequential tests on subsets.
    Austerity = "austerity", "austerity";
    /// Metropolis–Hastings with concentration bounds on subsets.
    Confidence = "confidence", "confidence sampler";
    /// Consensus Monte Carlo over shards.
    Consensus = "consensus", "consensus";
    /// Gaussian processes by stochastic variational inference.
    GpSvi = "gp-svi", "GP-SVI";
}

impl MethodId {
    /// The name of a quantity about the method: `coupled-sum/total cost`.
    pub fn quantity(self, what: &str) -> String {
        format!("{self}/{what}")
    }

    /// The name as a column of a table: `coupled_sum`.
    pub fn column(self) -> String {
        self.name().replace('-', "_")
    }
}

impl fmt::Display for MethodId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A name that no method has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no method {0}")]
pub struct UnknownMethod(pub String);

impl FromStr for MethodId {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<MethodId, UnknownMethod> {
        let known = MethodId::ALL.iter().copied().find(|method| method.name() == name);
        known.ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_back_to_its_method() {
        for &method in MethodId::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert_eq!("coin".parse::<MethodId>(), Err(UnknownMethod("coin".to_owned())));
        assert_eq!(MethodId::FullNuts.quantity("total cost"), "full-nuts/total cost");
        assert_eq!(MethodId::CoupledSum.column(), "coupled_sum");
    }
}
