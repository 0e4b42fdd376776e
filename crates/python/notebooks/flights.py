# %% [markdown]
# # A tall data set: flights
#
# 273 853 flights out of New York in 2013, from the file as it is. Which of them arrive more than an hour late? The
# formula is read as on the command line, and the file is imported once.

# %%
import pathlib
import tempfile

import numpy as np

import unbiased_bayes as ub

ROOT = next(place for place in [pathlib.Path.cwd(), *pathlib.Path.cwd().parents] if (place / "datasets").exists())
work = tempfile.mkdtemp()
model = ub.glm(
    "ArrDelay > 60 ~ Distance + plane_age + C(Month) + C(DayOfWeek)",
    data=ROOT / "datasets/embedded/nycflights13.csv.bz2",
    family="bernoulli",
    work=work,
)

# %% [markdown]
# First: what would it cost?

# %%
model.plan(targets=["0.1sd", "0.05sd", "0.02sd"]).to_frame()[["target", "replicates"]]

# %%
fit = model.estimate(target="0.05sd", seed=1)
fit.to_frame()[["functional", "mean", "se", "sd"]].round(6).head(8)

# %% [markdown]
# The rows behind these numbers were hardly looked at: a few passes, and samples after that.

# %%
fit.method, round(fit.cost.passes) < 200

# %% [markdown]
# Anything else of the posterior can be asked for by name, and has an error too.

# %%
asked = model.estimate(ask=["probability:Month=12>Month=11", "exp:plane_age", "correlation:Distance,plane_age"], seed=1)
asked.to_frame()[["functional", "mean", "se"]].round(3)

# %% [markdown]
# Taller: 10⁶ rows that are generated here, as one array, which is not copied. One seed gives the same bytes on any
# number of threads.

# %%
rng = np.random.default_rng(0)
X = rng.normal(size=(1_000_000, 10))
w = rng.normal(size=10) / 3
y = (rng.random(1_000_000) < 1 / (1 + np.exp(-X @ w))).astype(float)
one = ub.Logistic().estimate(X, y, seed=1, threads=1)
two = ub.Logistic().estimate(X, y, seed=1, threads=2)
assert one.json == two.json
one.method, round(one.cost.passes), float(np.abs((one.mean[:10] - w) / one.sd[:10]).max()) < 5
