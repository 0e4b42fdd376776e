"""Models, and what can be asked of them.

    Logistic            ln p(y | η) = −ln(1 + exp(−yη)),  y = ±1
    Binomial            y of n trials, each with chance 1 / (1 + exp(−η))
    Linear              y = η + sigma · normal noise
    Student             y = η + scale · Student's t
    Poisson             y has mean exp η
    NegativeBinomial    y has mean m = exp η and variance m + m²/shape
    Gamma               y has mean m = exp η and variance m²/shape

with the linear predictor η = x·w + bias + offset. A bias is always there.
"""

from __future__ import annotations

import ctypes
import difflib
import json
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _priors, _tables, _words
from ._fit import Certificate, Comparison, Fit, Plan
from ._progress import shown

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class Common(TypedDict, total=False):
        """Of every question."""

        seed: int
        threads: int | None
        progress: bool | Callable[[float | None, list[str]], object] | None

    class EstimateSettings(Common, total=False):
        """Of an estimate."""

        target: str | float | None
        budget: float | None
        replicates: int | None
        ask: str | Sequence[str]
        groups: str | Sequence[str]
        method: str
        form: str | None
        first: int | None
        chain: str | None
        draws: int
        fresh: bool

    class PlanSettings(Common, total=False):
        """Of a plan."""

        targets: Sequence[str | float]
        ask: str | Sequence[str]

    class CompareSettings(Common, total=False):
        """Of a comparison, which needs a budget."""

        budget: float
        ask: str | Sequence[str]

    class CertifySettings(Common, total=False):
        """Of a certificate."""

        approximations: Mapping[str, Mapping[str, Any]] | None
        target: str | float | None
        budget: float | None


_FAMILIES = {
    "bernoulli": "logistic",
    "logistic": "logistic",
    "binomial": "binomial",
    "gaussian": "linear",
    "normal": "linear",
    "linear": "linear",
    "student": "student",
    "student_t": "student",
    "poisson": "poisson",
    "negative_binomial": "negative-binomial",
    "gamma": "gamma",
}


class _Data:
    """Rows, wherever they are, and what the native part is told of them."""

    def __init__(self, words: list[str], arrays: dict[str, Any], table: _tables.Written | None = None) -> None:
        self.words = words
        self.arrays = arrays
        self.table = table


class _Questions:
    """What can be asked; a subclass says of which data."""

    _model: str
    _own: Callable[[], int] | None = None

    def __init__(
        self,
        *,
        prior: Any = None,
        prior_intercept: Any = None,
        noise: float | None = None,
        degrees: float | str | None = None,
    ) -> None:
        intercept = None if prior_intercept is None else _priors.one("prior_intercept=", prior_intercept)
        self._options: dict[str, Any] = {
            "prior": _priors.many(prior),
            "prior_intercept": intercept,
            "noise": noise,
            "degrees": degrees,
        }

    def _ask(
        self,
        command: str,
        data: _Data,
        options: dict[str, Any],
        threads: int | None,
        progress: Any,
    ) -> dict[str, Any]:
        words = [command, self._model, *data.words, *_words.flags({**self._options, **options})]
        show = shown(progress)
        own = None if self._own is None else self._own()
        try:
            raw = _words.ask(words, threads=_words.whole("threads", threads, 1), progress=show, own=own, **data.arrays)
        except (ValueError, RuntimeError) as error:
            if data.table is None:
                raise
            data.table.forget()
            raise type(error)(data.table.named(str(error))) from None
        finally:
            close = getattr(show, "close", None)
            if close is not None:
                close()
        if data.table is not None:
            size = data.table.bytes / 1e6
            raw["remarks"] = [f"the table was copied once, into a file ({size:.1f} MB)", *raw["remarks"]]
            data.table.forget()
        return raw

    def _estimate(
        self,
        data: _Data,
        *,
        target: str | float | None = None,
        seed: int = 2015,
        budget: float | None = None,
        replicates: int | None = None,
        ask: str | Sequence[str] = "mean",
        groups: str | Sequence[str] = (),
        method: str = "auto",
        form: str | None = None,
        first: int | None = None,
        chain: str | None = None,
        draws: int = 0,
        fresh: bool = False,
        threads: int | None = None,
        progress: Any = None,
    ) -> Fit:
        options = {
            "target": _words.number("target", target),
            "seed": _words.whole("seed", seed, 0),
            "budget": _words.number("budget", budget),
            "replicates": _words.whole("replicates", replicates, 1),
            "ask": _words.names("ask", ask),
            "groups": _words.names("groups", groups),
            "method": method,
            "form": form,
            "first": _words.whole("first", first, 1),
            "chain": chain,
            "draws": _words.whole("draws", draws, 0) or None,
            "fresh": bool(fresh),
        }
        return Fit(self._ask("estimate", data, options, threads, progress))

    def _plan(
        self,
        data: _Data,
        *,
        targets: Sequence[str | float] = (),
        seed: int = 2015,
        ask: str | Sequence[str] = "mean",
        threads: int | None = None,
        progress: Any = None,
    ) -> Plan:
        if isinstance(targets, (str, float, int)):
            targets = [targets]
        options = {
            "targets": list(targets),
            "seed": _words.whole("seed", seed, 0),
            "ask": _words.names("ask", ask),
        }
        return Plan(self._ask("plan", data, options, threads, progress))

    def _compare(
        self,
        data: _Data,
        *,
        budget: float,
        seed: int = 2015,
        ask: str | Sequence[str] = "mean",
        threads: int | None = None,
        progress: Any = None,
    ) -> Comparison:
        options = {
            "budget": _words.number("budget", budget),
            "seed": _words.whole("seed", seed, 0),
            "ask": _words.names("ask", ask),
        }
        return Comparison(self._ask("compare", data, options, threads, progress))

    def _certify(
        self,
        data: _Data,
        *,
        approximations: Mapping[str, Mapping[str, Any]] | None = None,
        target: str | float | None = None,
        budget: float | None = None,
        seed: int = 2015,
        threads: int | None = None,
        progress: Any = None,
    ) -> Certificate:
        with tempfile.TemporaryDirectory(prefix="unbiased-bayes-") as folder:
            files = []
            for name, one in (approximations or {}).items():
                files.append(os.path.join(folder, f"{name}.json"))
                with open(files[-1], "w") as file:
                    json.dump({key: np.asarray(value).tolist() for key, value in one.items()}, file)
            options = {
                "approximations": files,
                "target": _words.number("target", target),
                "budget": _words.number("budget", budget),
                "seed": _words.whole("seed", seed, 0),
            }
            return Certificate(self._ask("certify", data, options, threads, progress))


class Model(_Questions):
    """A formula, a family and data: what :func:`glm` gives."""

    def __init__(self, model: str, data: Any, columns: dict[str, Any], work: Any, **options: Any) -> None:
        super().__init__(**options)
        self._model = model
        self._data, self._columns, self._work = data, columns, work

    def _rows(self) -> _Data:
        return _of_table(self._data, self._columns, self._work)

    def estimate(self, **settings: Unpack[EstimateSettings]) -> Fit:
        """Posterior expectations given all rows.

        target       standard error of every estimate: "0.05sd" for a twentieth of its posterior sd (default),
                     or a number in its own unit
        seed         of everything: one seed, the same bytes, on any number of threads
        ask          "mean", "sd", "covariance:A,B", "correlation:A,B", "contrast:A-B", "exp:A",
                     "probability:A>0", "quantile:A,0.9", "rank:GROUP", "top:10:GROUP", "predict:FILE", or a list of them
        groups       effects of (1 | g) that the answer has: "all", "none", names of groups or of effects; by
                     default all of them if they are few
        budget       the most likelihood evaluations that it may take; replicates: stop after so many
        method       "auto" takes what is predicted to take the least work; "anchored", "nuts", "plain"
        draws        so many weighted draws of the posterior for `fit.draws()`, from an anchored path: each takes a
                     pass over all rows, and NUTS has its own in any case
        threads      all cores by default; results do not depend on it
        progress     True, False, or a function of (share, lines)

        Ctrl-C stops it within a fifth of a second; finished work is kept, and the same call goes on from there.
        """
        return self._estimate(self._rows(), **settings)

    def plan(self, **settings: Unpack[PlanSettings]) -> Plan:
        """What errors (targets=["0.1sd", "0.01sd"]) would cost, by each method; only a trial is run."""
        return self._plan(self._rows(), **settings)

    def compare(self, **settings: Unpack[CompareSettings]) -> Comparison:
        """Ours, constant batches and NUTS, each within budget= likelihood evaluations."""
        return self._compare(self._rows(), **settings)

    def certify(self, **settings: Unpack[CertifySettings]) -> Certificate:
        """How far Gaussian approximations are off, in posterior sds: Laplace's, its mean to the next order,
        the variational one, and approximations={"advi": {"names": …, "mean": …, "sd": …}}."""
        return self._certify(self._rows(), **settings)


def glm(
    formula: str,
    data: Any,
    family: str = "bernoulli",
    *,
    prior: Any = None,
    prior_intercept: Any = None,
    weights: str | None = None,
    offset: str | None = None,
    trials: str | None = None,
    missing: str = "refuse",
    categorical: str | Sequence[str] = (),
    reference: Mapping[str, Any] | None = None,
    positive: Any = None,
    noise: float | None = None,
    degrees: float | str | None = None,
    work: str | os.PathLike[str] | None = None,
) -> Model:
    """A generalised linear model by a formula, of a file or a table.

    formula      "late ~ distance + C(origin) * hour(date) + (1 | carrier) + offset(log(years))"
    data         a CSV, Parquet or Arrow file, a folder or a pattern of Parquet files; or a table of pandas,
                 polars, pyarrow, or of anything with __arrow_c_stream__
    family       bernoulli, binomial (with trials=), gaussian, student (with degrees=), poisson,
                 negative_binomial, gamma
    prior        of every weight, ub.Normal(2.5), or by term, {"C(origin)": ub.Normal(1)}
    weights, offset, trials   names of columns
    missing      "refuse", "drop" or "indicator"
    reference    {"origin": "JFK"}: the level that others are compared with
    work         where imported files and finished work are kept, ".unbiased" by default
    """
    if not isinstance(family, str):
        raise TypeError(f"family={family!r}: a word belongs there, one of {', '.join(_families())}")
    model = _FAMILIES.get(family.lower().replace("-", "_").replace(" ", "_"))
    if model is None:
        near = difflib.get_close_matches(family.lower(), list(_FAMILIES), 1)
        meant = f', perhaps "{near[0]}"' if near else ""
        raise ValueError(f'there is no family "{family}"{meant}; there are {", ".join(_families())}')
    if not isinstance(formula, str):
        raise TypeError(f'formula={formula!r}: text such as "y ~ a + C(b)" belongs there')
    columns = {
        "formula": formula,
        "weights": _column("weights", weights),
        "offset": _column("offset", offset),
        "trials": _column("trials", trials),
        "missing": missing,
        "categorical": _words.names("categorical", categorical),
        "reference": [f"{column}={level}" for column, level in (reference or {}).items()],
        "positive": None if positive is None else str(positive),
    }
    options = {"prior": prior, "prior_intercept": prior_intercept, "noise": noise, "degrees": degrees}
    return Model(model, data, columns, work, **options)


def _families() -> list[str]:
    return [name for name in _FAMILIES if name not in ("logistic", "normal", "linear", "student_t")]


def _column(what: str, name: object) -> str | None:
    if name is None or isinstance(name, str):
        return name
    raise TypeError(f"{what}={name!r}: the name of a column belongs there; put arrays into the table")


def _of_table(data: Any, columns: dict[str, Any], work: Any) -> _Data:
    """A file or a table by its columns."""
    if isinstance(data, (str, os.PathLike)):
        words = _words.flags({"data": os.fspath(data), **columns, "work": work})
        return _Data(words, {})
    if not _arrays.is_table(data):
        kind = type(data).__name__
        raise TypeError(
            f"data is a {kind}, and a file or a table (pandas, polars, pyarrow) belongs there; arrays go to "
            "ub.Logistic().estimate(X, y) and the like"
        )
    table = _tables.Written(data)
    work = table.folder if work is None else work
    # Categories of pandas whose levels are numbers: covariates that would else be taken as numbers.
    named = [name for name in table.categories if name not in columns.values()]
    if "formula" in columns:
        named = _in_formula(named, columns["formula"])
    if named:
        columns = {**columns, "categorical": [*columns.get("categorical", []), *named]}
    return _Data(_words.flags({"data": table.path, **columns, "work": work}), {}, table)


def _in_formula(names: list[str], formula: str) -> list[str]:
    """Those that are covariates of the formula, in which a dot stands for all columns."""

    def stands(name: str, text: str) -> bool:
        return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text) is not None

    response, _, covariates = formula.partition("~")
    dot = re.search(r"(?<![\w.])\.(?![\w.])", covariates) is not None
    return [name for name in names if stands(name, covariates) or (dot and not stands(name, response))]


class Regression(_Questions):
    """A regression on arrays, a file or a table: the base of Logistic, Linear and the others."""

    def __init__(self, *, prior: Any = None, prior_intercept: Any = None, **options: Any) -> None:
        super().__init__(prior=prior, prior_intercept=prior_intercept, **options)

    def _rows(
        self,
        x: Any,
        y: Any,
        names: Sequence[str] | None,
        behind: dict[str, Any],
        work: Any,
    ) -> _Data:
        if isinstance(x, (str, os.PathLike)) or _arrays.is_table(x):
            return self._of_columns(x, y, behind, work)
        if x is None:
            raise TypeError("X is missing: an array, a table or a file belongs there")
        if y is None:
            raise TypeError("y is missing: one response per row of X belongs there")
        if isinstance(y, str):
            raise TypeError(f"y={y!r} names a column, and X is no table: give an array of one response per row")
        remarks: list[str] = []
        matrix, rows, width = _arrays.matrix(x, remarks)
        response = _arrays.vector("y", y, rows, remarks)
        if self._model == "logistic" and isinstance(matrix, tuple):
            response = _arrays.two_classes(response, remarks)
        columns = [
            (name, _arrays.vector(name, values, rows, remarks)) for name, values in behind.items() if values is not None
        ]
        arrays = {
            "x": matrix,
            "y": response,
            "names": _arrays.covariate_names(names, width),
            "behind": columns,
            "remarks": remarks,
        }
        if (self._model == "binomial") != (behind["trials"] is not None):
            raise ValueError("trials= belongs to Binomial, which needs it: of how many trials y counts the successes")
        # The command knows of arrays only that they are there.
        return _Data(["--data=arrays"], arrays)

    def _of_columns(self, x: Any, y: Any, behind: dict[str, Any], work: Any) -> _Data:
        for name, column in behind.items():
            _column(name, column)
        if not (y is None or isinstance(y, str)):
            if isinstance(x, (str, os.PathLike)):
                raise TypeError("X is a file, and y an array: give the name of the column that is explained")
            taken, name = set(_tables.columns(x)), "y"
            while name in taken:
                name += "_"
            x, y = _tables.with_column(x, name, y), name
        return _of_table(x, {"y": y, **behind}, work)

    def estimate(
        self,
        X: Any,
        y: Any = None,
        *,
        names: Sequence[str] | None = None,
        weights: Any = None,
        offset: Any = None,
        trials: Any = None,
        work: str | os.PathLike[str] | None = None,
        **settings: Unpack[EstimateSettings],
    ) -> Fit:
        """Posterior expectations given all rows.

        X, y     an ndarray (float64 in C or Fortran order is not copied) or a scipy CSR matrix, and one response
                 per row; or a table or a file, and the name of its response; a libsvm file needs no y
        names    of the columns of X; w1, w2, … by default
        weights, offset, trials   arrays, one number per row, or names of columns

        Everything else is as in :meth:`Model.estimate`.
        """
        behind = {"offset": offset, "weights": weights, "trials": trials}
        return self._estimate(self._rows(X, y, names, behind, work), **settings)

    def plan(
        self,
        X: Any,
        y: Any = None,
        *,
        names: Any = None,
        weights: Any = None,
        offset: Any = None,
        trials: Any = None,
        work: Any = None,
        **settings: Unpack[PlanSettings],
    ) -> Plan:
        """What errors (targets=["0.1sd", "0.01sd"]) would cost, by each method; only a trial is run."""
        behind = {"offset": offset, "weights": weights, "trials": trials}
        return self._plan(self._rows(X, y, names, behind, work), **settings)

    def compare(
        self,
        X: Any,
        y: Any = None,
        *,
        names: Any = None,
        weights: Any = None,
        offset: Any = None,
        trials: Any = None,
        work: Any = None,
        **settings: Unpack[CompareSettings],
    ) -> Comparison:
        """Ours, constant batches and NUTS, each within budget= likelihood evaluations."""
        behind = {"offset": offset, "weights": weights, "trials": trials}
        return self._compare(self._rows(X, y, names, behind, work), **settings)

    def certify(
        self,
        X: Any,
        y: Any = None,
        *,
        names: Any = None,
        weights: Any = None,
        offset: Any = None,
        trials: Any = None,
        work: Any = None,
        **settings: Unpack[CertifySettings],
    ) -> Certificate:
        """How far Gaussian approximations are off, in posterior sds."""
        behind = {"offset": offset, "weights": weights, "trials": trials}
        return self._certify(self._rows(X, y, names, behind, work), **settings)


class Logistic(Regression):
    """p(y | x) = 1 / (1 + exp(−y (x·w + bias))) for two classes; the higher one is positive."""

    _model = "logistic"


class Binomial(Regression):
    """y successes in trials= trials, each with chance 1 / (1 + exp(−(x·w + bias)))."""

    _model = "binomial"


class Linear(Regression):
    """y = x·w + bias + sigma · normal noise; noise= is a known variance, sigma² otherwise unknown."""

    _model = "linear"

    def __init__(self, *, prior: Any = None, prior_intercept: Any = None, noise: float | None = None) -> None:
        super().__init__(prior=prior, prior_intercept=prior_intercept, noise=noise)


class Student(Regression):
    """y = x·w + bias + scale · Student's t with so many degrees of freedom, for responses with outliers;
    degrees="unknown" makes them a parameter."""

    _model = "student"

    def __init__(self, *, degrees: float | str = 4.0, prior: Any = None, prior_intercept: Any = None) -> None:
        super().__init__(prior=prior, prior_intercept=prior_intercept, degrees=degrees)


class Poisson(Regression):
    """Counts with mean exp(x·w + bias + offset)."""

    _model = "poisson"


class NegativeBinomial(Regression):
    """Counts with mean m = exp(x·w + bias + offset) and variance m + m²/shape."""

    _model = "negative-binomial"


class Gamma(Regression):
    """Numbers above zero with mean m = exp(x·w + bias + offset) and variance m²/shape."""

    _model = "gamma"


class Custom(Regression):
    """A likelihood of your own, as a C function of one row:

        void likelihood(double y, double eta, double out[3]);
        out = [ln p(y | η), its first derivative in η, its second]

    by a ctypes function, a numba cfunc or an address. A Python function is too slow: a pass over 10⁷ rows would
    take ten seconds and more. A C function costs a call per row, without vector instructions: some nanoseconds.
    It must be free of side effects, since many threads call it at once.

    >>> @numba.cfunc("void(float64, float64, CPointer(float64))")
    ... def poisson(y, eta, out):
    ...     mean = math.exp(eta)
    ...     out[0], out[1], out[2] = y * eta - mean, y - mean, -mean
    >>> ub.Custom(poisson).estimate(X, y)
    """

    # Stands for "a number is explained"; the likelihood is the one that is brought.
    _model = "linear"

    def __init__(self, likelihood: Any, *, prior: Any = None, prior_intercept: Any = None) -> None:
        super().__init__(prior=prior, prior_intercept=prior_intercept)
        self._likelihood = likelihood
        self._address = _address(likelihood)
        _check_derivatives(self._address)
        # The object keeps the code alive.
        self._own = lambda: self._address


_C = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_double, ctypes.POINTER(ctypes.c_double))


def _address(likelihood: Any) -> int:
    if isinstance(likelihood, (int, np.integer)) and not isinstance(likelihood, bool):
        return int(likelihood)
    address = getattr(likelihood, "address", None)
    if isinstance(address, int):
        return address
    if isinstance(likelihood, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return ctypes.cast(likelihood, ctypes.c_void_p).value or 0
    advice = "compile it with numba.cfunc or C" if callable(likelihood) else "give a C function or its address"
    raise TypeError(f"the likelihood is {likelihood!r}: {advice}")


def _check_derivatives(address: int) -> None:
    """Refuses derivatives that differences do not confirm, at a few points."""
    if address == 0:
        raise ValueError("the address of the likelihood is null")
    function = _C(address)
    out = (ctypes.c_double * 3)()

    def at(y: float, eta: float) -> list[float]:
        function(y, eta, out)
        return list(out)

    step = 1e-5
    for y in (0.0, 1.0, 2.0, 0.5):
        for eta in (-0.7, 0.1, 0.9):
            here, low, high = at(y, eta), at(y, eta - step), at(y, eta + step)
            if not np.isfinite([here, low, high]).all():
                # A response that this likelihood does not have.
                continue
            for order in (1, 2):
                slope = (high[order - 1] - low[order - 1]) / (2 * step)
                if abs(slope - here[order]) > 1e-4 * max(1.0, abs(slope)):
                    raise ValueError(
                        f"at y = {y}, eta = {eta} the likelihood says that its derivative of order {order} is "
                        f"{here[order]:.6g}, and differences say {slope:.6g}: out[{order}] is wrong"
                    )


def estimate(model: Model | Regression, *data: Any, **settings: Any) -> Fit:
    """``model.estimate(*data, **settings)``."""
    return _asked(model).estimate(*data, **settings)


def plan(model: Model | Regression, *data: Any, **settings: Any) -> Plan:
    """What errors would cost: ``ub.plan(ub.glm(…))`` or ``ub.plan(ub.Logistic(), X, y)``."""
    return _asked(model).plan(*data, **settings)


def compare(model: Model | Regression, *data: Any, **settings: Any) -> Comparison:
    """Ours, constant batches and NUTS, each within ``budget=`` likelihood evaluations."""
    return _asked(model).compare(*data, **settings)


def certify(model: Model | Regression, *data: Any, **settings: Any) -> Certificate:
    """How far Gaussian approximations are from the posterior, in posterior sds."""
    return _asked(model).certify(*data, **settings)


def _asked(model: Any) -> Any:
    if isinstance(model, (Model, Regression)):
        return model
    raise TypeError(f"{model!r} is no model: ub.glm(…) gives one, and so do ub.Logistic() and the like")
