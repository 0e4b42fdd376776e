"""What the recipes for Dask and Ray share: one question, a share of the work per seed, and how shares are pooled.

Every worker reads all rows, has a seed and a folder of its own, and pays the set-up once. Which worker runs a
share changes no byte of it. Means of independent unbiased estimates are unbiased.
"""

import os
import tempfile

import numpy as np

import unbiased_bayes as ub


def share(question, seed):
    """One seed: the answer as JSON, names, means and standard errors."""
    formula, data, target = question
    with tempfile.TemporaryDirectory() as work:
        model = ub.glm(formula, data=data, work=work)
        fit = model.estimate(target=target, seed=seed, threads=1, progress=False)
        return fit.json, fit.names, fit.mean, fit.se


def pooled(shares):
    """Names, means and errors of all shares. Weights are equal: weights by estimated errors would bias."""
    _, names, means, errors = zip(*shares)
    return names[0], np.mean(means, axis=0), np.sqrt(np.sum(np.square(errors), axis=0)) / len(errors)


def example(folder):
    """A question on 200 000 rows that every worker can read: formula, file, standard error of a share."""
    rng = np.random.default_rng(0)
    dose, city = rng.normal(size=200_000).round(4), rng.integers(0, 20, 200_000)
    chance = 1 / (1 + np.exp(-(0.8 * dose + 0.1 * city - 1)))
    cured = rng.random(200_000) < chance
    data = os.path.join(folder, "cured.csv")
    lines = [f"{y:d},{x},c{c}\n" for y, x, c in zip(cured, dose, city)]
    with open(data, "w") as file:
        file.writelines(["cured,dose,city\n", *lines])
    return "cured ~ dose + C(city)", data, "0.1sd"


def report(question, seeds, shares):
    """Prints the pooled table, and runs all seeds once more in this process: the same bytes."""
    for name, mean, error in zip(*pooled(shares)):
        print(f"{name:12} {mean:10.5f} ± {error:.1e}")
    here = [share(question, seed) for seed in seeds]
    same = [one[0] == other[0] for one, other in zip(shares, here)]
    print(f"{sum(same)} of {len(same)} shares have the same bytes as in one process")
    if not all(same):
        raise SystemExit("shares differ")
