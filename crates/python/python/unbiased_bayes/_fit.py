"""What came out: estimates with errors, what is guaranteed, and what it cost."""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


class Text(str):
    """A text that a prompt shows as it is."""

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Estimate:
    """One posterior expectation: E[φ(θ) | all rows] = mean, up to an error of se."""

    name: str
    mean: float
    """The estimate."""
    se: float
    """Its standard error."""
    interval: tuple[float, float]
    """95 %, of the estimate, not of the posterior."""
    sd: float | None
    """The posterior standard deviation of φ(θ), where it is known."""
    quantiles: dict[float, float]
    """Posterior quantiles by their probability."""
    quantile_errors: dict[float, float]
    """Their standard errors."""
    bias: float | None
    """What self-normalised weights are estimated to leave."""
    ess: float | None
    """As many independent posterior draws have the same standard error."""
    rhat: float | None
    """Split R̂, where chains ran."""


@dataclass(frozen=True)
class Guarantees:
    """What holds of the estimates, and what does not, in sentences."""

    unbiased: bool
    """Whether E Z is exactly the expectation given all rows."""
    holds: list[str]
    caveats: list[str]

    def __str__(self) -> str:
        lines = [f"holds     {one}" for one in self.holds] + [f"does not  {one}" for one in self.caveats]
        return "\n".join(lines)


@dataclass(frozen=True)
class Cost:
    """Work in likelihood evaluations, one per row that is looked at; a pass is as many as there are rows."""

    evaluations: int
    setup: int
    replicates: int
    passes: float
    seconds: float


@dataclass(frozen=True)
class Draws:
    """Draws of the posterior, with their weights: E φ ≈ Σ weights φ(values)."""

    parameters: list[str]
    values: np.ndarray
    """One row per draw, one column per parameter."""
    weights: np.ndarray
    """One per draw; they add up to one."""
    chain: np.ndarray
    """The chain of each draw."""

    def equal(self) -> bool:
        """Whether all draws weigh the same."""
        return bool(np.ptp(self.weights) <= 1e-12 * self.weights.max())

    def resample(self, count: int | None = None, seed: int = 0) -> np.ndarray:
        """Draws of equal weight, taken by systematic resampling: each is there n·weight times, rounded up or
        down at random."""
        count = len(self.weights) if count is None else count
        steps = (np.random.default_rng(seed).random() + np.arange(count)) / count
        taken = np.searchsorted(np.cumsum(self.weights), steps * self.weights.sum())
        return self.values[np.minimum(taken, len(self.weights) - 1)]


def _ledger(ledger: dict[str, Any]) -> int:
    return int(ledger["likelihoods"]) + int(ledger["gradients"])


class _Answer:
    """What plans, comparisons and fits share."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self._all = json.loads(raw["json"])
        self.remarks: list[str] = list(raw["remarks"]) + list(raw["notes"])
        """What people should know: copies that were made, how columns were coded, which prior was taken."""
        self.seconds: float = raw["seconds"]

    @property
    def json(self) -> str:
        """The answer for programs: the same bytes as the command writes with --json."""
        return self._raw["json"]

    def summary(self) -> Text:
        """The answer for people, as the command prints it."""
        return Text(self._raw["text"])

    def __repr__(self) -> str:
        return self._raw["text"]

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._raw['text'])}</pre>"


class Fit(_Answer):
    """Posterior expectations given all rows."""

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__(raw)
        answer = self._answer = self._all["answer"]
        self.estimates: list[Estimate] = [_estimate(one) for one in answer["estimates"]]
        self.method: str = answer["method"]
        self.reason: str = answer["reason"]
        self.rows: int = answer["rows"]
        self.remarks += answer["remarks"]
        self.replicates: np.ndarray = raw["replicates"]
        """Z_1, …, Z_R: a row per replicate, a column per functional. They are unbiased estimates of the
        expectations, each from its own random subset of the rows, and **not** draws of the posterior. Where
        NUTS ran: what is averaged at each draw, control variates included."""
        self.depths: np.ndarray = raw["depths"]
        self.evaluations: np.ndarray = raw["evaluations"]

    @property
    def names(self) -> list[str]:
        """The functionals."""
        return [one.name for one in self.estimates]

    @property
    def mean(self) -> np.ndarray:
        """The estimates."""
        return np.array([one.mean for one in self.estimates])

    @property
    def se(self) -> np.ndarray:
        """Their standard errors."""
        return np.array([one.se for one in self.estimates])

    @property
    def sd(self) -> np.ndarray:
        """Posterior standard deviations; nan where they are not known."""
        return np.array([np.nan if one.sd is None else one.sd for one in self.estimates])

    def __getitem__(self, name: str) -> Estimate:
        for one in self.estimates:
            if one.name == name:
                return one
        import difflib

        near = difflib.get_close_matches(str(name), self.names, 3)
        raise KeyError(f"{name!r} was not asked for; near it: {near or self.names[:5]}")

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    @property
    def guarantees(self) -> Guarantees:
        """What holds, and what does not."""
        caveats = list(self._raw["caveats"])
        return Guarantees(unbiased=not caveats, holds=list(self._raw["holds"]), caveats=caveats)

    @property
    def cost(self) -> Cost:
        """What it took, set-up included."""
        cost = self._answer["cost"]
        setup = _ledger(cost["setup"]) + _ledger(cost["pilot"])
        replicates = _ledger(cost["replicates"])
        total = setup + replicates
        return Cost(total, setup, replicates, total / max(self.rows, 1), self.seconds)

    def _columns(self) -> dict[str, list[Any]]:
        columns: dict[str, list[Any]] = {
            "functional": self.names,
            "mean": [one.mean for one in self.estimates],
            "se": [one.se for one in self.estimates],
            "low": [one.interval[0] for one in self.estimates],
            "high": [one.interval[1] for one in self.estimates],
            "sd": [one.sd for one in self.estimates],
        }
        for probability in sorted({p for one in self.estimates for p in one.quantiles}):
            columns[f"q{100 * probability:g}"] = [one.quantiles.get(probability) for one in self.estimates]
        columns["ess"] = [one.ess for one in self.estimates]
        return columns

    def to_frame(self, library: str | None = None) -> Any:
        """A table with a row per functional, of "pandas" or "polars", whichever is installed."""
        return _frame(self._columns(), library)

    def to_xarray(self) -> Any:
        """An xarray.Dataset: `replicate_value` over (functional, replicate), and what is known of each
        functional. Replicates are no draws of the posterior: their spread is that of the estimator."""
        xarray = _optional("xarray")
        columns = self._columns()
        names = columns.pop("functional")
        known = {
            key: ("functional", np.array([np.nan if value is None else value for value in values], dtype=float))
            for key, values in columns.items()
        }
        kind = "draws of NUTS with control variates" if self._raw["chains"] else "unbiased replicates"
        note = f"{kind}; their mean estimates the posterior expectation, they are no posterior sample"
        return xarray.Dataset(
            {
                "replicate_value": (("functional", "replicate"), self.replicates.T, {"note": note}),
                "depth": ("replicate", self.depths),
                "evaluations": ("replicate", self.evaluations),
                **known,
            },
            coords={"functional": names, "replicate": np.arange(len(self.replicates))},
            attrs={"method": self.method, "reason": self.reason, "rows": self.rows, "note": note},
        )

    def draws(self) -> Draws:
        """Draws of the posterior with their weights. Those of NUTS weigh the same. An anchored path has them where
        estimate(draws=200) asked for so many, each at the price of a pass over all rows. Debiased replicates are
        estimates of expectations, of which no draws can be made."""
        chains, weighted = self._raw["chains"], self._raw.get("weighted")
        if weighted is not None:
            values, weights = weighted
            return Draws(list(self._raw["parameters"]), values, weights, np.zeros(len(weights), dtype=int))
        if not chains:
            raise ValueError(
                f"the {self.method} method estimates expectations, and no draws of the posterior were asked for: "
                "estimate(draws=200) weighs so many, each by a pass over all rows (anchored paths only), and "
                'method="nuts" draws them; sds, quantiles and probabilities need none: ask=["sd", "quantile:w1,0.9"]'
            )
        values = np.concatenate(chains)
        chain = np.repeat(np.arange(len(chains)), [len(one) for one in chains])
        weights = np.full(len(values), 1 / len(values))
        return Draws(list(self._raw["parameters"]), values, weights, chain)

    def to_arviz(self, seed: int = 0) -> Any:
        """Draws for ArviZ, in its group `posterior`; replicates are never put there."""
        return draws_to_arviz(self.draws(), seed)

    def plot(self, ax: Any = None, most: int = 40) -> Any:
        """Posterior means and 95 % intervals, one line per functional; the thick part is the error of the
        estimate, twice its standard error to either side. Returns the axes of matplotlib."""
        if ax is None:
            figure = _optional("matplotlib.figure", "matplotlib").Figure(
                figsize=(6, 0.6 + 0.25 * min(len(self), most)), layout="constrained"
            )
            ax = figure.subplots()
        shown = self.estimates[:most]
        for line, one in enumerate(shown):
            if 0.025 in one.quantiles and 0.975 in one.quantiles:
                ax.plot([one.quantiles[0.025], one.quantiles[0.975]], [line, line], color="#9db8d2", lw=1.5)
            ax.plot([one.mean - 2 * one.se, one.mean + 2 * one.se], [line, line], color="#1f4e79", lw=5)
            ax.plot([one.mean], [line], "|", color="black")
        ax.axvline(0, color="0.8", lw=0.8, zorder=0)
        ax.set_yticks(range(len(shown)), [one.name for one in shown])
        ax.invert_yaxis()
        ax.set_xlabel("posterior mean, 95 % of the posterior, and twice the standard error")
        if len(self) > most:
            ax.set_title(f"the first {most} of {len(self)}")
        return ax


class Certificate(Fit):
    """How far Gaussian approximations are from the posterior, in posterior standard deviations:

    error = (approximate mean − posterior mean) / posterior sd, ratio = approximate sd / posterior sd
    """

    @property
    def approximations(self) -> dict[str, list[dict[str, Any]]]:
        """By name, and for each parameter its `error` and `sd_ratio` with intervals."""
        return {one["name"]: one["parameters"] for one in self._answer["approximations"]}

    def worst(self, name: str = "Laplace") -> dict[str, Any]:
        """The parameter whose mean is farthest off."""
        known = [one for one in self.approximations[name] if one["error"] is not None]
        return max(known, key=lambda one: abs(one["error"]["value"]))


class Plan(_Answer):
    """What errors would cost, from a trial alone."""

    @property
    def predictions(self) -> list[dict[str, Any]]:
        """One for each target: replicates, evaluations, and those of NUTS on all rows."""
        return self._all["predictions"]

    def to_frame(self, library: str | None = None) -> Any:
        """A table with a row per target."""
        keys = ["error", "replicates", "evaluations", "nuts"]
        columns: dict[str, list[Any]] = {"target": [_target(one["target"]) for one in self.predictions]}
        columns |= {key: [one[key] for one in self.predictions] for key in keys}
        return _frame(columns, library)


class Comparison(_Answer):
    """Ours, constant batches and NUTS within one budget."""

    @property
    def methods(self) -> list[dict[str, Any]]:
        """Name, estimates, evaluations and a remark of each."""
        return self._all["comparison"]["methods"]

    def to_frame(self, library: str | None = None) -> Any:
        """A table with a row per method and functional."""
        lines = [(method["name"], one) for method in self.methods for one in method["estimates"]]
        return _frame(
            {
                "method": [name for name, _ in lines],
                "functional": [one["name"] for _, one in lines],
                "mean": [one["summary"]["mean"] for _, one in lines],
                "se": [one["summary"]["standard_error"] for _, one in lines],
            },
            library,
        )


def _target(target: dict[str, float]) -> str:
    """As it is asked for: "0.05sd", or a number."""
    ((unit, value),) = target.items()
    return f"{value:g}sd" if unit == "posterior-sds" else f"{value:g}"


def _estimate(one: dict[str, Any]) -> Estimate:
    summary = one["summary"]
    return Estimate(
        name=one["name"],
        mean=summary["mean"],
        se=summary["standard_error"],
        interval=(summary["interval"]["low"], summary["interval"]["high"]),
        sd=one["posterior_sd"],
        quantiles={q["probability"]: q["value"] for q in one["quantiles"]},
        quantile_errors={q["probability"]: q["standard_error"] for q in one["quantiles"]},
        bias=one["bias"],
        ess=one["effective"],
        rhat=one["rhat"],
    )


def draws_to_arviz(draws: Draws, seed: int = 0) -> Any:
    """Draws of equal weight as they are, chain by chain; weighted ones are resampled, which is said."""
    arviz = _optional("arviz")
    note = "draws of equal weight, as they were drawn"
    if draws.equal():
        chains = [draws.values[draws.chain == chain] for chain in np.unique(draws.chain)]
        length = min(len(one) for one in chains)
        values = np.stack([one[:length] for one in chains])
    else:
        effective = 1 / float(np.sum(draws.weights**2))
        note = (
            f"{len(draws.weights)} weighted draws, worth {effective:.0f}, were resampled: ESS and R-hat of the "
            "result say nothing"
        )
        warnings.warn(note, stacklevel=3)
        values = draws.resample(seed=seed)[None]
    posterior = {name: values[:, :, j] for j, name in enumerate(draws.parameters)}
    try:
        data = arviz.from_dict(posterior=posterior)
    except TypeError:
        # Since ArviZ 1.0.
        data = arviz.from_dict({"posterior": posterior})
    group = data["posterior"]
    group.attrs["note"] = note
    return data


def _optional(module: str, package: str | None = None) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        name = package or module
        raise ImportError(f"this needs {name}, which is not installed: pip install {name}") from None


def _frame(columns: dict[str, list[Any]], library: str | None) -> Any:
    if library not in (None, "pandas", "polars"):
        raise ValueError(f'library={library!r}: "pandas" or "polars" belongs there')
    import importlib

    for name in (library,) if library else ("pandas", "polars"):
        try:
            return importlib.import_module(name).DataFrame(columns)
        except ImportError:
            continue
    wanted = library or "pandas or polars"
    raise ImportError(f"to_frame needs {wanted}, which is not installed: pip install {library or 'pandas'}")
