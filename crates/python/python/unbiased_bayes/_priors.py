"""Priors of weights, in the units of the data.

    Normal(s, c)       p(w) ∝ exp{−(w − c)² / (2 s²)}
    Laplace(s)         p(w) ∝ exp{−|w| / s}
    StudentT(k, s, c)  p(w) ∝ {1 + (w − c)² / (k s²)}^{−(k+1)/2}
    Flat()             p(w) ∝ 1

Without a prior of your own every weight has Normal(2.5 u / s_j), where s_j is the standard deviation of its
column (its range, if it holds two values only) and u the standard deviation of the response where the
predictor is in its units, else one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


class Prior:
    """A law of one weight."""

    def _word(self) -> str:
        raise NotImplementedError


def _number(what: str, value: object, positive: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        try:
            value = float(value)  # type: ignore[arg-type]  # numpy's numbers
        except (TypeError, ValueError):
            raise TypeError(f"{what} is {value!r}, and a number belongs there") from None
    value = float(value)
    if not math.isfinite(value) or (positive and value <= 0):
        kind = "a positive finite number" if positive else "a finite number"
        raise ValueError(f"{what} is {value!r}, and {kind} belongs there")
    return value


@dataclass(frozen=True)
class Normal(Prior):
    """p(w) ∝ exp{−(w − centre)² / (2 scale²)}."""

    scale: float
    centre: float = 0.0

    def __post_init__(self) -> None:
        _number("the scale of Normal", self.scale, True)
        _number("the centre of Normal", self.centre, False)

    def _word(self) -> str:
        return f"normal({float(self.centre)!r}, {float(self.scale)!r})"


@dataclass(frozen=True)
class Laplace(Prior):
    """p(w) ∝ exp{−|w| / scale}: its kink is at zero."""

    scale: float

    def __post_init__(self) -> None:
        _number("the scale of Laplace", self.scale, True)

    def _word(self) -> str:
        return f"laplace(0, {float(self.scale)!r})"


@dataclass(frozen=True)
class StudentT(Prior):
    """p(w) ∝ {1 + (w − centre)² / (df scale²)}^{−(df+1)/2}."""

    df: float
    scale: float
    centre: float = 0.0

    def __post_init__(self) -> None:
        _number("the df of StudentT", self.df, True)
        _number("the scale of StudentT", self.scale, True)
        _number("the centre of StudentT", self.centre, False)

    def _word(self) -> str:
        return f"student({float(self.df)!r}, {float(self.centre)!r}, {float(self.scale)!r})"


@dataclass(frozen=True)
class Flat(Prior):
    """p(w) ∝ 1. The posterior may then have no integral, and is refused where that is seen."""

    def _word(self) -> str:
        return "flat"


def one(what: str, prior: object) -> str:
    """A prior as a word."""
    if isinstance(prior, Prior):
        return prior._word()
    if isinstance(prior, str):
        return prior
    raise TypeError(
        f"{what} is {prior!r}: write ub.Normal(2.5), ub.Laplace(1), ub.StudentT(3, 2.5), ub.Flat(), or as on "
        'the command line "normal(0, 2.5)"'
    )


def many(prior: object) -> list[str]:
    """Priors of all weights, or by term: {"C(origin)": Normal(1), "age": Laplace(1), "*": Normal(2.5)}."""
    if prior is None:
        return []
    if isinstance(prior, Mapping):
        words = []
        for term, law in prior.items():
            if not isinstance(term, str):
                raise TypeError(f'prior= has the term {term!r}: terms are strings, and "*" is every weight')
            law = one(f'the prior of "{term}"', law)
            words.append(law if term == "*" else f"{term} ~ {law}")
        return words
    if isinstance(prior, Iterable) and not isinstance(prior, str):
        return [one("prior=", law) for law in prior]
    return [one("prior=", prior)]
