"""What an answer can do: frames, xarray, draws, ArviZ, plots, progress."""

import io
import json
import warnings

import numpy as np
import pytest

import unbiased_bayes as ub
from unbiased_bayes._fit import Draws, draws_to_arviz
from unbiased_bayes._progress import Notebook, Terminal, shown


@pytest.fixture(scope="module")
def fit(rows):
    return ub.Logistic(prior=ub.Normal(2.5)).estimate(*rows, names=["dose", "age"], method="anchored")


@pytest.fixture(scope="module")
def chains(rows):
    return ub.Logistic(prior=ub.Normal(2.5)).estimate(*rows, names=["dose", "age"], method="nuts")


def test_estimates(fit, chains):
    assert fit.names == ["dose", "age", "bias"] and len(fit) == 3
    assert fit["dose"].sd == pytest.approx(fit.sd[0]) and fit["dose"].se == fit.se[0]
    # Two methods on one posterior; |z| < 4 in three estimates fails for right ones once in five thousand seeds.
    assert np.all(np.abs(fit.mean - chains.mean) < 4 * np.hypot(fit.se, chains.se))
    with pytest.raises(KeyError, match="dose"):
        fit["dos"]
    assert "dose" in repr(fit) and "<pre>" in fit._repr_html_() and repr(fit.summary()) == fit.summary()


def test_guarantees_and_cost(fit, chains):
    assert fit.method == "anchored" and chains.method == "nuts"
    assert not fit.guarantees.unbiased and any("self-normalised" in one for one in fit.guarantees.caveats)
    assert any("all tuning used draws" in one for one in fit.guarantees.holds)
    assert "does not" in str(fit.guarantees)
    assert fit.cost.evaluations == fit.cost.setup + fit.cost.replicates > 0
    assert f"{fit.cost.passes:.1f} passes" in fit.summary()
    assert any(remark.startswith("prior: weights ~ normal(0, 2.5") for remark in fit.remarks)


def test_frames(fit):
    for library in ("pandas", "polars"):
        pytest.importorskip(library)
        frame = fit.to_frame(library)
        assert list(frame["functional"]) == fit.names
        assert list(frame["mean"]) == fit.mean.tolist()
        assert {"q2.5", "q50", "q97.5"} <= set(frame.columns)
    with pytest.raises(ValueError, match="belongs there"):
        fit.to_frame("excel")


def test_xarray_has_replicates_and_no_posterior(fit):
    pytest.importorskip("xarray")
    data = fit.to_xarray()
    assert data["replicate_value"].dims == ("functional", "replicate")
    assert data["replicate_value"].shape == (3, len(fit.replicates))
    assert "no posterior sample" in data.attrs["note"]
    assert not {"chain", "draw"} & set(data.dims)


def test_draws(fit, chains):
    with pytest.raises(ValueError, match='method="nuts"'):
        fit.draws()
    draws = chains.draws()
    assert draws.parameters == ["dose", "age", "bias"] and draws.equal()
    assert draws.values.shape == (len(draws.weights), 3) and draws.weights.sum() == pytest.approx(1)
    assert np.allclose(draws.weights @ draws.values, chains.mean, atol=0.2 * chains.sd.max())


def test_arviz(fit, chains):
    pytest.importorskip("arviz")
    with pytest.raises(ValueError):
        fit.to_arviz()
    posterior = chains.to_arviz()["posterior"]
    assert posterior["dose"].dims == ("chain", "draw") and posterior.sizes["chain"] == 4
    weighted = Draws(["a"], np.arange(4.0)[:, None], np.array([0.7, 0.1, 0.1, 0.1]), np.zeros(4, int))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        data = draws_to_arviz(weighted)["posterior"]
    assert any("resampled" in str(one.message) for one in said) and "resampled" in data.attrs["note"]


def test_resampling_keeps_the_weights():
    weights = np.array([0.5, 0.25, 0.125, 0.125])
    draws = Draws(["a"], np.arange(4.0)[:, None], weights, np.zeros(4, int))
    counts = np.bincount(draws.resample(80, seed=1)[:, 0].astype(int), minlength=4)
    assert np.abs(counts - 80 * weights).max() < 1


def test_plot(fit):
    pytest.importorskip("matplotlib")
    axes = fit.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == fit.names


def test_effects_of_groups(columns):
    table = pytest.importorskip("pandas").DataFrame(columns)
    fit = ub.glm("bought ~ age + (1 | city)", table).estimate()
    assert "sd(city)" in fit.names and "city[Rome]" in fit.names
    assert fit["city[Rome]"].mean > fit["city[Oslo]"].mean
    assert "city[Rome]" not in ub.glm("bought ~ age + (1 | city)", table).estimate(groups="none").names


def test_functionals(rows):
    ask = ["sd", "contrast:w1-w2", "probability:w1>0", "quantile:w1,0.9", "exp:w2"]
    fit = ub.Logistic().estimate(*rows, ask=ask)
    assert fit.names[:3] == ["sd w1", "sd w2", "sd bias"] and "P(w1 > 0)" in fit.names
    assert 0.99 < fit["P(w1 > 0)"].mean < 1.01


def test_progress(rows):
    stream = io.StringIO()
    seen = []
    ub.Logistic().estimate(*rows, progress=lambda share, lines: seen.append((share, lines)))
    assert seen and any(lines for _, lines in seen)
    bar = Terminal(stream)
    bar(0.5, ["halfway"])
    bar.close()
    assert "##########" in stream.getvalue() and "halfway" in stream.getvalue()
    updates = []

    class Handle:
        def update(self, html):
            updates.append(html)

    notebook = Notebook((Handle(), str))
    notebook(0.25, ["a < b"])
    notebook.close()
    assert 'value="0.250"' in updates[0] and "a &lt; b" in updates[0] and updates[-1] == ""
    assert shown(False) is None and shown(print) is print

    def stop(share, lines):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        ub.Logistic().estimate(*rows, progress=stop)


def test_weighted_draws(rows):
    x, y = rows
    settings = {"method": "anchored", "seed": 1, "progress": False}
    plain = ub.Logistic().estimate(x, y, **settings)
    with pytest.raises(ValueError, match=r"estimate\(draws=200\)"):
        plain.draws()
    fit = ub.Logistic().estimate(x, y, draws=300, **settings)
    # Draws are beside the estimates, and cost a pass over the distinct rows each.
    assert np.array_equal(fit.mean, plain.mean)
    draws = fit.draws()
    assert draws.values.shape == (300, 3) and draws.parameters == ["w1", "w2", "bias"]
    assert draws.weights.sum() == pytest.approx(1) and not draws.equal()
    assert fit.cost.evaluations - plain.cost.evaluations == 300 * 4000
    effective = 1 / np.sum(draws.weights**2)
    assert effective > 150
    # |z| < 4 for three parameters: a false alarm in five thousand seeds if draws were independent.
    error = (draws.weights @ draws.values - fit.mean) / (fit.sd / np.sqrt(effective))
    assert np.abs(error).max() < 4
    spread = np.sqrt(draws.weights @ (draws.values - fit.mean) ** 2)
    assert np.abs(spread / fit.sd - 1).max() < 0.25
    resampled = draws.resample(seed=3)
    assert np.abs(resampled.mean(axis=0) - draws.weights @ draws.values).max() < 0.1 * fit.sd.max()
    assert json.loads(fit.json)["draws"]["weights"] == draws.weights.tolist()
    pytest.importorskip("arviz")
    with pytest.warns(UserWarning, match="300 weighted draws, worth .* were resampled"):
        posterior = fit.to_arviz()["posterior"]
    assert posterior.sizes["draw"] == 300 and "resampled" in posterior.attrs["note"]
