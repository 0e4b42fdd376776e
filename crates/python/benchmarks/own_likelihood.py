"""What a likelihood of one's own costs: a numba cfunc beside the built-in Poisson regression, on 10⁶ rows.

pip install numba
python own_likelihood.py
"""

import math
import time

import numba
import numpy as np

import unbiased_bayes as ub


@numba.cfunc("void(float64, float64, CPointer(float64))")
def poisson(y, eta, out):
    mean = math.exp(eta)
    out[0] = y * eta - mean
    out[1] = y - mean
    out[2] = -mean


rng = np.random.default_rng(0)
X = rng.standard_normal((1_000_000, 10))
y = rng.poisson(np.exp(X @ np.linspace(-0.2, 0.2, 10))).astype(float)
prior = ub.Normal(2.5)
for name, model in [("built in", ub.Poisson(prior=prior)), ("numba cfunc", ub.Custom(poisson, prior=prior))]:
    begun = time.perf_counter()
    fit = model.estimate(X, y, seed=1)
    seconds = time.perf_counter() - begun
    print(
        f"{name}: {seconds:.2f} s, {fit.cost.passes:.1f} passes, {1e9 * seconds / fit.cost.evaluations:.0f} ns per "
        f"evaluation, w1 = {fit.mean[0]:.6f}"
    )
