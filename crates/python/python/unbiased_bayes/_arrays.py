"""Arrays as rows: float64 in one piece as it is, anything else copied once, which a remark says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_NUMBERS = "biuf"


def is_sparse(x: object) -> bool:
    """A matrix of scipy, whichever format it has."""
    return hasattr(x, "tocsr") and hasattr(x, "nnz")


def is_table(x: object) -> bool:
    """A table that hands out its columns."""
    return hasattr(x, "__arrow_c_stream__") or hasattr(x, "__dataframe__") or _is_lazy(x)


def _is_lazy(x: object) -> bool:
    return type(x).__name__ == "LazyFrame" and hasattr(x, "collect")


def _checked(what: str, array: np.ndarray) -> None:
    if array.dtype.kind in "OSUT":
        raise TypeError(
            f"{what} holds {array.dtype}, and numbers belong there: convert text yourself, or put the columns "
            "into a table (pandas, polars, pyarrow), where text columns are categories"
        )
    if array.dtype.kind not in _NUMBERS:
        raise TypeError(f"{what} holds {array.dtype}, and real numbers belong there")


def _one_piece(what: str, array: np.ndarray, remarks: list[str]) -> np.ndarray:
    """The array itself if it can be read as it is, else a copy."""
    laid_out = array.flags.c_contiguous or array.flags.f_contiguous
    if array.dtype == np.float64 and array.dtype.isnative and laid_out and array.flags.aligned:
        return array
    if array.dtype == np.float64 and array.dtype.isnative:
        why = "its values are not in one piece"
    else:
        why = f"{array.dtype} became float64"
    remarks.append(f"{what} was copied once: {why} ({array.size * 8 / 1e6:.1f} MB)")
    return np.ascontiguousarray(array, dtype=np.float64)


def _array(what: str, values: Any, remarks: list[str]) -> np.ndarray:
    if isinstance(values, np.ma.MaskedArray):
        if np.ma.getmaskarray(values).any():
            raise ValueError(f"{what} has masked values: leave such rows out, or fill them")
        values = values.data
    if isinstance(values, np.ndarray):
        return np.asarray(values)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{what} is no array: {error}; rows of equal length make one") from None
    if not hasattr(values, "__array__"):
        remarks.append(f"{what} was copied once: a {type(values).__name__} became an array")
    return array


def vector(what: str, values: Any, rows: int, remarks: list[str]) -> np.ndarray:
    """One number per row."""
    array = _array(what, values, remarks)
    _checked(what, array)
    if array.ndim != 1:
        flat = f"; {what}.ravel() makes it one" if array.size == rows else ""
        raise ValueError(f"{what} has the shape {array.shape}, and one number per row belongs there{flat}")
    if len(array) != rows:
        raise ValueError(f"X has {rows} rows and {what} {len(array)}: one number per row belongs there")
    return _one_piece(what, array, remarks)


def matrix(x: Any, remarks: list[str]) -> tuple[Any, int, int]:
    """The covariates as the native part takes them, and their shape."""
    if is_sparse(x):
        return _csr(x, remarks)
    array = _array("X", x, remarks)
    _checked("X", array)
    if array.ndim != 2:
        advice = "; X[:, None] makes one column of it" if array.ndim == 1 else ""
        raise ValueError(
            f"X has {array.ndim} dimensions, shape {array.shape}: a row for each row and a column for each "
            f"covariate belong there{advice}"
        )
    rows, width = array.shape
    if rows == 0 or width == 0:
        raise ValueError(f"X has the shape {array.shape}: there is nothing to learn from")
    return _one_piece("X", array, remarks), rows, width


def _csr(x: Any, remarks: list[str]) -> tuple[Any, int, int]:
    if x.ndim != 2:
        raise ValueError(f"X has the shape {x.shape}: a sparse matrix of two dimensions belongs there")
    if 0 in x.shape:
        raise ValueError(f"X has the shape {x.shape}: there is nothing to learn from")
    if np.dtype(x.dtype).kind not in _NUMBERS:
        raise TypeError(f"X holds {x.dtype}, and real numbers belong there")
    if x.format != "csr":
        remarks.append(f"X was copied once: {x.format} became csr")
        x = x.tocsr()
    if not x.has_canonical_format:
        remarks.append("X was copied once: its columns were sorted, and those that were there twice added")
        x = x.copy()
        x.sum_duplicates()
    values = _one_piece("X.data", x.data, remarks)
    indices = x.indices
    if indices.dtype != np.int32 or not indices.flags.c_contiguous:
        if x.shape[1] > np.iinfo(np.int32).max:
            raise ValueError(f"X has {x.shape[1]} columns, and at most {np.iinfo(np.int32).max} fit")
        remarks.append(f"X.indices was copied once: {indices.dtype} became int32")
        indices = np.ascontiguousarray(indices, dtype=np.int32)
    starts = np.ascontiguousarray(x.indptr, dtype=np.int64)
    return (starts, indices, values, x.shape[1]), x.shape[0], x.shape[1]


def two_classes(y: np.ndarray, remarks: list[str]) -> np.ndarray:
    """−1 and +1 for the lower and the higher of two values; anything else stays and is refused later."""
    low, high = y.min(), y.max()
    if (low, high) == (-1.0, 1.0) or not ((y == low) | (y == high)).all() or low == high:
        return y
    remarks.append(f"y was copied once: {low:g} and {high:g} became -1 and 1")
    return np.where(y == high, 1.0, -1.0)


def covariate_names(names: Sequence[str] | None, width: int) -> list[str]:
    """w1, w2, …, or those that are given."""
    if names is None:
        return [f"w{j + 1}" for j in range(width)]
    found = [str(name) for name in names] if not isinstance(names, str) else [names]
    if len(found) != width:
        raise ValueError(f"names has {len(found)} names for the {width} columns of X")
    twice = {name for name in found if found.count(name) > 1}
    if twice:
        raise ValueError(f"names has {sorted(twice)[0]!r} twice")
    if "bias" in found:
        raise ValueError('names has "bias", which every model here has already: rename that column')
    return found
