"""Tables of pandas, polars, pyarrow and whatever else hands out Arrow: written once as an Arrow stream, which
the reader of Arrow files then reads as it would read yours."""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import tempfile
import threading
from typing import Any

_folder: str | None = None


def _place() -> str:
    """A folder that ends with the process."""
    global _folder
    if _folder is None:
        _folder = tempfile.mkdtemp(prefix="unbiased-bayes-")
        atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    return _folder


class Written:
    """A table in a file. Its folder also keeps finished work, under the name of the content, so that an
    interrupted run goes on when the same is asked again; it is removed when the answer is there."""

    def __init__(self, table: Any) -> None:
        half = tempfile.mkdtemp(dir=_place())
        path = os.path.join(half, "table.arrow")
        self.categories = _write(table, path)
        """Categories whose levels are numbers."""
        self._index = [name for name in getattr(getattr(table, "index", None), "names", []) if isinstance(name, str)]
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "sha256") if hasattr(hashlib, "file_digest") else _digest(file)
        # Each thread has its own, since the first that is done removes it.
        self.folder = os.path.join(_place(), f"{content.hexdigest()[:32]}-{threading.get_ident()}")
        try:
            os.rename(half, self.folder)
        except OSError:
            # The same table was written before.
            shutil.rmtree(half, ignore_errors=True)
        self.path = os.path.join(self.folder, "table.arrow")
        self.bytes = os.path.getsize(self.path)

    def forget(self) -> None:
        """Removes it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def named(self, sentence: str) -> str:
        """A sentence that calls it what people call it."""
        sentence = sentence.replace(self.path, "the table")
        sentence = re.sub(r'leave it out with drop="[^"]*"', "convert it, or leave it out", sentence)
        for name in self._index:
            if f'no column "{name}"' in sentence:
                sentence += f'\n"{name}" is the index: reset_index() makes a column of it'
        return sentence


def _digest(file: Any) -> Any:
    """The same for Python 3.10."""
    sha = hashlib.sha256()
    while piece := file.read(1 << 20):
        sha.update(piece)
    return sha


def _write(table: Any, path: str) -> list[str]:
    """Writes the table, and gives the names of categories whose levels are no text, which became text."""
    if hasattr(table, "collect") and not hasattr(table, "write_ipc_stream"):
        raise TypeError("data is lazy: collect() it first")
    if hasattr(table, "to_frame") and not hasattr(table, "columns"):
        raise TypeError(f"data is a {type(table).__name__}, one column: to_frame() makes a table of it")
    _check_names(table)
    if hasattr(table, "write_ipc_stream"):
        table.write_ipc_stream(path)
        return []
    try:
        import pyarrow
    except ImportError:
        raise ImportError(
            f"a {type(table).__module__.split('.')[0]} table is read by way of pyarrow: pip install pyarrow"
        ) from None
    if hasattr(table, "columns") and hasattr(table, "iloc"):
        table = _of_pandas(table)
    if hasattr(table, "__arrow_c_stream__"):
        batches = pyarrow.RecordBatchReader.from_stream(table)
    elif isinstance(table, pyarrow.RecordBatch):
        batches = pyarrow.RecordBatchReader.from_batches(table.schema, [table])
    else:
        batches = pyarrow.table(table).to_reader()
    text, categories = pyarrow.dictionary(pyarrow.int32(), pyarrow.string()), []
    for at, field in enumerate(schema := batches.schema):
        if pyarrow.types.is_dictionary(field.type) and not _is_text(field.type.value_type):
            categories.append(field.name)
            schema = schema.set(at, field.with_type(text))
    with pyarrow.OSFile(path, "wb") as file, pyarrow.ipc.new_stream(file, schema) as stream:
        for batch in batches:
            if categories:
                cells = [_as(column, field.type) for column, field in zip(batch.columns, schema)]
                batch = pyarrow.RecordBatch.from_arrays(cells, schema=schema)
            stream.write_batch(batch)
    return categories


def _is_text(kind: Any) -> bool:
    import pyarrow

    return bool(pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind) or kind == pyarrow.string_view())


def _as(column: Any, kind: Any) -> Any:
    """A column of this type; levels are written as numbers are."""
    import pyarrow

    if column.type == kind:
        return column
    levels = column.dictionary.cast(pyarrow.string())
    return pyarrow.DictionaryArray.from_arrays(column.indices.cast(pyarrow.int32()), levels)


def _check_names(table: Any) -> None:
    """Refuses tables without columns, and names that a formula cannot have."""
    names = list(getattr(table, "column_names", getattr(table, "columns", [])))
    if not names:
        raise ValueError("the table has no columns: there is nothing to learn from")
    other = next((name for name in names if not isinstance(name, str)), None)
    if other is not None:
        raise ValueError(
            f"a column of the table is called {other!r}, and a name is text: df.columns = [...] gives names"
        )
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f'two columns of the table are called "{twice}": rename one')


def _of_pandas(table: Any) -> Any:
    import pyarrow

    try:
        return pyarrow.Table.from_pandas(table, preserve_index=False)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
        raise ValueError(
            f"a column of the table holds cells of several types: {'; '.join(map(str, error.args))}. "
            'pandas.to_numeric(df["x"]) makes numbers of it, df["x"].astype(str) words'
        ) from None


def columns(table: Any) -> list[str]:
    """The names of its columns."""
    if hasattr(table, "column_names"):
        return list(table.column_names)
    return [str(name) for name in getattr(table, "columns", [])]


def with_column(table: Any, name: str, values: Any) -> Any:
    """The table and one column more."""
    if hasattr(table, "assign"):
        index = getattr(values, "index", None)
        if index is not None and hasattr(index, "equals") and not index.equals(table.index):
            raise ValueError(
                "X and y have different indexes: y.to_numpy() takes y in its order, y.reindex(X.index) by its labels"
            )
        return table.assign(**{name: values})
    if hasattr(table, "with_columns"):
        import polars

        return table.with_columns(polars.Series(name, values))
    if hasattr(table, "append_column"):
        import pyarrow

        return table.append_column(name, pyarrow.array(values))
    raise TypeError("y is an array beside a table that takes no column: put y into the table and give its name")
