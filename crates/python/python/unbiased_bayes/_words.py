"""The words of the command line, from Python's and back: both ask through the same door."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _native

# What Python calls an option of the command, where the names differ.
_FLAGS = {"target": "target-se", "ask": "functional", "approximations": "approximation", "y": "label"}
_KEYWORDS = {
    flag: flag.replace("-", "_")
    for flag in (
        "approximation budget categorical chain columns data degrees draws drop first form formula fresh functional groups jobs "
        "label method missing noise numeric offset positive prior prior-intercept reference replicates seed "
        "target-se targets trials weights work"
    ).split()
} | {
    "target-se": "target",
    "functional": "ask",
    "jobs": "threads",
    "approximation": "approximations",
    "label": "y",
}
# Words of a sentence that follow an option and are no value of it.
_PROSE = {"and", "or", "of", "for", "in", "names", "name", "takes", "is", "both", "belongs", "to", "reads"}


def flags(options: Mapping[str, Any]) -> list[str]:
    """Options as words; what is None or empty is left out."""
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + _FLAGS.get(name, name.replace("_", "-"))
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, (list, tuple)):
            for one in value:
                words += [f"{flag}={_word(name, one)}"]
        else:
            words.append(f"{flag}={_word(name, value)}")
    return words


def _word(name: str, value: object) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value!r}: a number or a word belongs there")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{name}={value!r}: a finite number belongs there")
        return repr(float(value))
    raise TypeError(f"{name}={value!r}: a number or a word belongs there")


def names(what: str, value: object) -> list[str]:
    """One name or several."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, Iterable):
        found = list(value)
        if all(isinstance(one, str) for one in found):
            return found
    raise TypeError(f"{what}={value!r}: a name or a list of names belongs there")


def whole(what: str, value: object, least: int) -> int | None:
    """A whole number, or nothing."""
    if value is None:
        return None
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{what}={value!r}: a whole number belongs there")
    if value < least:
        raise ValueError(f"{what}={value!r}: {least} or more belongs there")
    return int(value)


def number(what: str, value: object) -> object:
    """A number, or a number with its unit as a word."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        raise TypeError(f"{what}={value!r}: one number belongs there")
    return value


def in_python(sentence: str) -> str:
    """A sentence of the command line with its options as Python calls them."""

    def option(found: re.Match[str]) -> str:
        keyword = _KEYWORDS.get(found[1])
        if keyword is None:
            return found[0]
        value = found[2]
        if value is None:
            return f"{keyword}="
        word = value.strip()
        if word.startswith("<") or word.isupper():
            return f"{keyword}=…"
        if word in _PROSE:
            return f"{keyword}={value}"
        try:
            float(word)
            return f"{keyword}={word}"
        except ValueError:
            return f'{keyword}="{word}"'

    return re.sub(r"--([a-z][a-z-]*)( <[A-Z]+>| [\w.:+-]*[\w+])?", option, sentence)


def ask(words: list[str], **arrays: Any) -> dict[str, Any]:
    """Asks, and says what was wrong in Python's words."""
    try:
        return _native.ask(words, _native.__file__, **arrays)
    except (ValueError, RuntimeError) as error:
        raise type(error)(in_python(str(error))) from None
