"""Tables of pandas, polars, pyarrow and whatever else hands out Arrow: written once as an Arrow stream, which
the reader of Arrow files then reads as it would read yours."""

from __future__ import annotations

import atexit
import hashlib
import os
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
        _write(table, path)
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
        return sentence.replace(self.path, "the table")


def _digest(file: Any) -> Any:
    """The same for Python 3.10."""
    sha = hashlib.sha256()
    while piece := file.read(1 << 20):
        sha.update(piece)
    return sha


def _write(table: Any, path: str) -> None:
    if hasattr(table, "collect") and not hasattr(table, "write_ipc_stream"):
        raise TypeError("data is lazy: collect() it first")
    if hasattr(table, "write_ipc_stream"):
        table.write_ipc_stream(path)
        return
    try:
        import pyarrow
    except ImportError:
        raise ImportError(
            f"a {type(table).__module__.split('.')[0]} table is read by way of pyarrow: pip install pyarrow"
        ) from None
    if hasattr(table, "columns") and hasattr(table, "iloc"):
        table = pyarrow.Table.from_pandas(table, preserve_index=False)
    if hasattr(table, "__arrow_c_stream__"):
        batches = pyarrow.RecordBatchReader.from_stream(table)
    elif isinstance(table, pyarrow.RecordBatch):
        batches = pyarrow.RecordBatchReader.from_batches(table.schema, [table])
    else:
        batches = pyarrow.table(table).to_reader()
    with pyarrow.OSFile(path, "wb") as file, pyarrow.ipc.new_stream(file, batches.schema) as stream:
        for batch in batches:
            stream.write_batch(batch)


def columns(table: Any) -> list[str]:
    """The names of its columns."""
    if hasattr(table, "column_names"):
        return list(table.column_names)
    return [str(name) for name in getattr(table, "columns", [])]


def with_column(table: Any, name: str, values: Any) -> Any:
    """The table and one column more."""
    if hasattr(table, "assign"):
        return table.assign(**{name: values})
    if hasattr(table, "with_columns"):
        import polars

        return table.with_columns(polars.Series(name, values))
    if hasattr(table, "append_column"):
        import pyarrow

        return table.append_column(name, pyarrow.array(values))
    raise TypeError("y is an array beside a table that takes no column: put y into the table and give its name")
