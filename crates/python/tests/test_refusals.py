"""What is wrong is refused by a ValueError or TypeError whose sentence says what to do."""

import ctypes

import numpy as np
import pytest

import unbiased_bayes as ub

X = np.random.default_rng(0).normal(size=(500, 3))
Y = (X[:, 0] > 0.3 * X[:, 1]).astype(float)


def with_value(array, place, value):
    array = array.copy()
    array[place] = value
    return array


NAN = with_value(X, (17, 2), np.nan)
ONES = with_value(X, (slice(None), 1), 1.0)

WRONG_ARRAYS = [
    (ub.Logistic(), X[:, 0], Y, ValueError, "X[:, None]"),
    (ub.Logistic(), X[None], Y, ValueError, "3 dimensions"),
    (ub.Logistic(), X, Y[:-1], ValueError, "X has 500 rows and y 499"),
    (ub.Logistic(), X, Y[:, None], ValueError, "y.ravel()"),
    (ub.Logistic(), X[:0], Y[:0], ValueError, "nothing to learn from"),
    (ub.Logistic(), NAN, Y, ValueError, "X[17, 2] is NaN: leave such rows out"),
    (ub.Logistic(), X, with_value(Y, 3, np.inf), ValueError, "y[3] is inf"),
    (ub.Logistic(), X.astype(str), Y, TypeError, "numbers belong there: convert text"),
    (ub.Logistic(), X, np.where(Y > 0, "yes", "no"), TypeError, "numbers belong there"),
    (ub.Logistic(), X.astype(complex), Y, TypeError, "real numbers"),
    (ub.Logistic(), X.astype(object), Y, TypeError, "numbers belong there"),
    (ub.Logistic(), np.ma.masked_less(X, 0), Y, ValueError, "masked"),
    (ub.Logistic(), [[1.0, 2.0], [3.0]], [0, 1], ValueError, "rows of equal length"),
    (ub.Logistic(), X, Y + X[:, 0].round(), ValueError, "two classes"),
    (ub.Logistic(), X, np.ones(500), ValueError, "all of y is 1"),
    (ub.Logistic(), ONES, Y, ValueError, "column 1 of X is 1 in all rows"),
    (ub.Logistic(), X + 1e12, Y, ValueError, "cannot be told from the bias"),
    (ub.Logistic(), X, None, TypeError, "y is missing"),
    (ub.Logistic(), X, "clicked", TypeError, "names a column"),
    (ub.Poisson(), X, Y - 2, ValueError, "counts: 0, 1, 2"),
    (ub.Gamma(), X, Y, ValueError, "above zero"),
    (ub.Binomial(), X, Y, ValueError, "trials="),
]


@pytest.mark.parametrize("model, x, y, kind, sentence", WRONG_ARRAYS)
def test_arrays(model, x, y, kind, sentence):
    with pytest.raises(kind) as refused:
        model.estimate(x, y)
    assert sentence in str(refused.value)
    assert type(refused.value) is kind


def test_nan_in_sparse_and_behind():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match=r"X\[17, 2\] is NaN"):
        ub.Logistic().estimate(sparse.csr_matrix(NAN), Y)
    with pytest.raises(ValueError, match=r"weights\[4\] is -1, and weights are zero or more"):
        ub.Logistic().estimate(X, Y, weights=with_value(Y, 4, -1.0))
    with pytest.raises(ValueError, match="X has 500 rows and offset 3"):
        ub.Logistic().estimate(X, Y, offset=Y[:3])


WRONG_SETTINGS = [
    ({"target": "small"}, ValueError, "write 0.01, or 0.1sd"),
    ({"target": -1.0}, ValueError, "write 0.01"),
    ({"target": [1]}, TypeError, "target="),
    ({"seed": 1.5}, TypeError, "seed="),
    ({"seed": -1}, ValueError, "seed="),
    ({"ask": "median"}, ValueError, "ask="),
    ({"ask": 3}, TypeError, "a name or a list of names"),
    ({"ask": "sd:w9"}, ValueError, "near it"),
    ({"method": "mcmc"}, ValueError, "nuts"),
    ({"threads": 0}, ValueError, "threads="),
    ({"budget": 10.0}, ValueError, "budget="),
    ({"names": ["a", "b"]}, ValueError, "2 names for the 3 columns"),
    ({"names": ["a", "a", "b"]}, ValueError, "twice"),
    ({"progress": 3}, TypeError, "progress="),
]


@pytest.mark.parametrize("settings, kind, sentence", WRONG_SETTINGS)
def test_settings(settings, kind, sentence):
    with pytest.raises(kind) as refused:
        ub.Logistic().estimate(X, Y, **settings)
    assert sentence in str(refused.value)
    assert "--" not in str(refused.value), "Python has no such options"


def test_priors():
    for wrong, kind in [
        (lambda: ub.Normal(-1), ValueError),
        (lambda: ub.Normal("wide"), TypeError),
        (lambda: ub.Logistic(prior=2.5), TypeError),
        (lambda: ub.Laplace(float("nan")), ValueError),
    ]:
        with pytest.raises(kind, match="belongs there|write ub.Normal"):
            wrong()
    with pytest.raises(ValueError, match='no term "w7"'):
        ub.Logistic(prior={"w7": ub.Normal(1)}).estimate(X, Y)
    with pytest.raises(ValueError, match="is no prior: write flat"):
        ub.Logistic(prior="cauchy:1").estimate(X, Y)


def test_models_of_tables(columns):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(columns)
    with pytest.raises(ValueError, match='no family "bernouli", perhaps "bernoulli"; there are'):
        ub.glm("bought ~ age", table, family="bernouli")
    with pytest.raises(ValueError, match="agee"):
        ub.glm("bought ~ agee", table).estimate()
    with pytest.raises(ValueError, match="bought"):
        ub.glm("bought ~ age", table, family="gaussian").estimate()
    with pytest.raises(ValueError, match="cannot read no-such-file.csv"):
        ub.glm("bought ~ age", "no-such-file.csv").estimate()
    with pytest.raises(TypeError, match="a file or a table"):
        ub.glm("y ~ x", X).estimate()
    with pytest.raises(ValueError, match='missing="drop"|missing='):
        ub.glm("bought ~ age", pandas.DataFrame({**columns, "age": [None] + columns["age"][1:]})).estimate()
    with pytest.raises(TypeError, match="collect"):
        ub.glm("bought ~ age", pytest.importorskip("polars").DataFrame(columns).lazy()).estimate()


def test_ugly_frames(columns):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(columns)
    for wrong, kind, sentence in [
        (table.assign(age=["old", *columns["age"][1:]]), ValueError, "cells of several types"),
        (table.set_axis(["age", "age", "bought"], axis=1), ValueError, 'two columns of the table are called "age"'),
        (table.set_axis([0, 1, 2], axis=1), ValueError, "a column of the table is called 0"),
        (table.set_index("age"), ValueError, '"age" is the index: reset_index()'),
        (table.assign(age=pandas.to_timedelta(table.age, unit="s")), ValueError, "is a duration.*convert it"),
        (table[:0], ValueError, "no rows"),
        (table[:1], ValueError, "no column varies|one label"),
        (table[[]], ValueError, "no columns"),
        (table["age"], TypeError, "to_frame"),
    ]:
        with pytest.raises(kind, match=sentence):
            ub.glm("bought ~ age", wrong).estimate()
    with pytest.raises(ValueError, match="different indexes"):
        ub.Logistic().estimate(table[["age"]], table.bought[::-1])


def test_categories_of_numbers_are_categories(columns):
    pandas = pytest.importorskip("pandas")
    floor = [i % 3 for i in range(len(columns["age"]))]
    table = pandas.DataFrame(columns).assign(floor=pandas.Categorical(floor))
    for formula in ["bought ~ floor", "bought ~ C(floor)"]:
        assert ub.glm(formula, table).estimate(progress=False).names == ["floor=1", "floor=2", "bias"]
    assert "floor=2" in ub.glm("bought ~ .", table).estimate(progress=False).names
    assert "floor=2" in ub.Logistic().estimate(table, "bought", progress=False).names
    # Not asked for, and the response.
    assert ub.glm("bought ~ age", table).estimate(progress=False).names == ["age", "bias"]
    response = table.assign(bought=pandas.Categorical((table.bought == "yes").astype(int)))
    assert ub.glm("bought ~ age", response).estimate(progress=False).names == ["age", "bias"]


def test_likelihoods():
    kind = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_double, ctypes.POINTER(ctypes.c_double))

    @kind
    def wrong(y, eta, out):
        out[0], out[1], out[2] = y * eta - eta**2, y - eta, -1.0

    with pytest.raises(ValueError, match="derivative of order 1"):
        ub.Custom(wrong)
    with pytest.raises(TypeError, match="numba.cfunc"):
        ub.Custom(lambda y, eta: 0.0)
    with pytest.raises(ValueError, match="null"):
        ub.Custom(0)
    with pytest.raises(TypeError, match="is no model"):
        ub.plan("logistic", X, Y)
