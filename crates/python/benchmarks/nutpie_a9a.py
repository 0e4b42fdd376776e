"""a9a, weights ~ normal(0, 1): our means beside those of a long NUTS run by nutpie on the same posterior.

    pip install nutpie scipy
    python nutpie_a9a.py [draws per chain]

Not a test: it needs nutpie and takes minutes.
"""

import bz2
import pathlib
import sys
import time

import numpy as np
import nutpie
import scipy.sparse
from nutpie.compiled_pyfunc import from_pyfunc

import unbiased_bayes as ub

FILE = pathlib.Path(__file__).resolve().parents[3] / "datasets" / "embedded" / "a9a.bz2"
starts, columns, y = [0], [], []
for line in bz2.open(FILE, "rt"):
    label, *entries = line.split()
    y.append(float(label))
    columns += [int(entry.split(":")[0]) - 1 for entry in entries]
    starts.append(len(columns))
X, y = scipy.sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(y), 123)), np.array(y)

begun = time.perf_counter()
fit = ub.Logistic(prior=ub.Normal(1.0)).estimate(X, y, seed=1, target="0.05sd")
print(
    f"ours: {fit.method}, {fit.cost.passes:.0f} passes, {time.perf_counter() - begun:.1f} s, "
    f"largest error {np.max(fit.se / fit.sd):.3f} sd"
)

# Equal rows together, which is the same posterior: nutpie's function is then called on fewer rows.
design = scipy.sparse.hstack([X, np.ones((len(y), 1))]).tocsr()
keys, counts = {}, []
for row in range(len(y)):
    key = (design.indices[design.indptr[row] : design.indptr[row + 1]].tobytes(), y[row])
    at = keys.setdefault(key, len(keys))
    if at == len(counts):
        counts.append([row, 0])
    counts[at][1] += 1
kept, counts = (np.array(one) for one in zip(*counts))
A, signs = design[kept], y[kept]
A = scipy.sparse.diags(signs) @ A
At = A.T.tocsr()


def posterior(theta):
    """ln p(θ | y) up to a constant, and its gradient."""
    eta = A @ theta
    value = -np.dot(counts, np.logaddexp(0, -eta)) - 0.5 * theta @ theta
    return value, At @ (counts / (1 + np.exp(eta))) - theta


# θ = mode + L z, L Lᵀ the inverse Hessian there: the same posterior, in which trees are short.
mode = np.zeros(124)
for _ in range(12):
    p = 1 / (1 + np.exp(-(A @ mode)))
    hessian = (At @ scipy.sparse.diags(counts * p * (1 - p)) @ A).toarray() + np.eye(124)
    mode += np.linalg.solve(hessian, posterior(mode)[1])
L = np.linalg.inv(np.linalg.cholesky(hessian)).T


def make_logp():
    def logp(z):
        value, gradient = posterior(mode + L @ z)
        return value, L.T @ gradient

    return logp


def make_expand(*_):
    return lambda z: {"theta": mode + L @ z}


def compiled(count):
    return from_pyfunc(count, make_logp, make_expand, [np.dtype("float64")], [(count,)], ["theta"])


draws = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
begun = time.perf_counter()
trace = nutpie.sample(compiled(124), draws=draws, tune=600, chains=4, cores=2, seed=1, progress_bar=False)
values = np.asarray(trace["posterior"]["theta"])
print(f"nutpie: 4 chains of {draws} draws, {time.perf_counter() - begun:.0f} s")

# Batch means give the error of an average of correlated draws.
batches = values[:, : draws // 25 * 25].reshape(4, 25, -1, 124).mean(axis=2).reshape(100, 124)
mean, error, sd = batches.mean(0), batches.std(0, ddof=1) / 10, values.reshape(-1, 124).std(0)
z = (fit.mean - mean) / np.hypot(fit.se, error)
print(f"error of nutpie: at most {np.max(error / sd):.3f} sd")
print(f"(ours - nutpie) / joint standard error: rms {np.sqrt(np.mean(z**2)):.2f}, largest {np.abs(z).max():.2f} of 124")
print(
    f"largest distance {np.max(np.abs(fit.mean - mean) / sd):.3f} posterior sds; sds within "
    f"{100 * np.max(np.abs(fit.sd / sd - 1)):.1f} %"
)
