"""Posterior expectations from too much data, with a guarantee.

Let φ_t be an estimate of E[φ(θ) | n_t random rows] on batches n_1 < n_2 < … < n_L = N. Draw a random depth T
and weigh the step that it picks by its chance:

    Z = φ_1 + (φ_T − φ_{T−1}) / P(T),        E Z = E φ_L = E[φ(θ) | all N rows]

Hardly any Z looks at all rows, and their average has no bias but that of φ_L itself. Every answer says which
method gave it and why, what it cost, and what is guaranteed.

    import unbiased_bayes as ub

    fit = ub.glm("late ~ distance + C(origin)", data="flights/*.parquet", family="bernoulli").estimate()
    fit = ub.Logistic(prior=ub.Normal(2.5)).estimate(X, y)
    print(fit.summary())

The same question with the same seed gives the same bytes as the command ``unbiased``.
"""

from ._fit import Certificate, Comparison, Cost, Draws, Estimate, Fit, Guarantees, Plan
from ._models import (
    Binomial,
    Custom,
    Gamma,
    Linear,
    Logistic,
    Model,
    NegativeBinomial,
    Poisson,
    Regression,
    Student,
    certify,
    compare,
    estimate,
    glm,
    plan,
)
from ._native import __version__
from ._priors import Flat, Laplace, Normal, Prior, StudentT

__all__ = [
    "Binomial",
    "Certificate",
    "Comparison",
    "Cost",
    "Custom",
    "Draws",
    "Estimate",
    "Fit",
    "Flat",
    "Gamma",
    "Guarantees",
    "Laplace",
    "Linear",
    "Logistic",
    "Model",
    "NegativeBinomial",
    "Normal",
    "Plan",
    "Poisson",
    "Prior",
    "Regression",
    "Student",
    "StudentT",
    "__version__",
    "certify",
    "compare",
    "estimate",
    "glm",
    "plan",
]
