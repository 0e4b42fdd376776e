"""Writes draws.csv and the numbers that ArviZ 0.23.4 prints for them to numbers.csv."""

import arviz as az
import numpy as np

rng = np.random.default_rng(20210715)
chains, draws = 4, 251  # odd, so that the halves leave a draw out
columns = {}
walk = np.zeros((chains, draws))
for t in range(1, draws):
    walk[:, t] = 0.8 * walk[:, t - 1] + rng.normal(size=chains)
columns["sticky"] = walk
columns["heavy"] = rng.standard_t(1.5, size=(chains, draws))
columns["apart"] = rng.normal(size=(chains, draws)) + np.array([0.0, 0.0, 0.3, 1.0])[:, None]
columns["wider"] = rng.normal(size=(chains, draws)) * np.array([1.0, 1.0, 1.0, 3.0])[:, None]
flip = np.zeros((chains, draws))
for t in range(1, draws):
    flip[:, t] = -0.6 * flip[:, t - 1] + rng.normal(size=chains)
columns["flips"] = flip
columns["ties"] = rng.poisson(2.0, size=(chains, draws)).astype(float)
columns = {name: np.round(values, 5) for name, values in columns.items()}

with open("draws.csv", "w") as out:
    print("chain", *columns, sep=",", file=out)
    for chain in range(chains):
        for draw in range(draws):
            print(chain, *(values[chain, draw] for values in columns.values()), sep=",", file=out)

with open("numbers.csv", "w") as out:
    print("name,rhat,ess_bulk,ess_tail,ess_mean,mcse_mean,mcse_sd,bfmi", file=out)
    for name, values in columns.items():
        numbers = [
            az.rhat(values),
            az.ess(values, method="bulk"),
            az.ess(values, method="tail"),
            az.ess(values, method="mean"),
            az.mcse(values, method="mean"),
            az.mcse(values, method="sd"),
            az.bfmi(values)[0],
        ]
        print(name, *(repr(float(number)) for number in numbers), sep=",", file=out)
