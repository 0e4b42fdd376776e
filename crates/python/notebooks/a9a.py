# %% [markdown]
# # A small data set: a9a
#
# 32 561 people, 123 binary columns, and whether somebody earns more than 50 000 dollars. With so few rows NUTS on all
# of them would do; what is shown here is what an answer says.

# %%
import bz2
import pathlib

import numpy as np
import scipy.sparse

import unbiased_bayes as ub

ROOT = next(place for place in [pathlib.Path.cwd(), *pathlib.Path.cwd().parents] if (place / "datasets").exists())
starts, columns, y = [0], [], []
for line in bz2.open(ROOT / "datasets/embedded/a9a.bz2", "rt"):
    label, *entries = line.split()
    y.append(float(label))
    columns += [int(entry.split(":")[0]) - 1 for entry in entries]
    starts.append(len(columns))
X = scipy.sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(y), 123))
y = np.array(y)
X.shape

# %% [markdown]
# `estimate` predicts what each method would cost, runs the cheaper one until every standard error is a twentieth of
# its posterior standard deviation, and says why. The matrix is not copied.

# %%
fit = ub.Logistic(prior=ub.Laplace(1)).estimate(X, y, seed=1)
fit.reason

# %%
fit.to_frame().head(8).round(3)

# %% [markdown]
# What is guaranteed, and what is not:

# %%
print(fit.guarantees)

# %% [markdown]
# Work is counted in likelihood evaluations, set-up included.

# %%
round(fit.cost.passes), round(float((fit.se / fit.sd).max()), 3)

# %% [markdown]
# Replicates are unbiased estimates, each from its own random rows. They are **not** draws of the posterior: their
# spread is the error of the estimator, and `az.summary` of them would mislead. `to_xarray` therefore calls them what
# they are.

# %%
fit.to_xarray()["replicate_value"].sizes

# %% [markdown]
# Draws come from NUTS on all rows, which agrees:

# %%
chains = ub.Logistic(prior=ub.Laplace(1)).estimate(X, y, seed=1, method="nuts", target="0.1sd")
z = (fit.mean - chains.mean) / np.hypot(fit.se, chains.se)
assert np.abs(z).max() < 5
chains.draws().values.shape, round(float(np.sqrt(np.mean(z**2))), 1)

# %% [markdown]
# How far is Laplace's approximation off? `certify` says it with an interval, in posterior standard deviations.

# %%
certificate = ub.certify(ub.Logistic(), X, y, target="0.05sd")
worst = certificate.worst("Laplace")
worst["name"], round(worst["error"]["value"], 2)
