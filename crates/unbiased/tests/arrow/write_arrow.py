"""Writes the Arrow files of this folder, and the CSV of the same: python3 write_arrow.py

Needs pyarrow (26.0 wrote the stored files).
"""

import datetime
import decimal
import math

import pyarrow
import pyarrow.ipc

ROWS = 60
rows = range(ROWS)
x = [None if i % 11 == 4 else math.sin(1.7 * i) * 10 / 3 for i in rows]
columns = {
    "y": pyarrow.array(["yes" if math.sin(12.9898 * i) * 3 < math.sin(1.7 * i) else "no" for i in rows]),
    "x": pyarrow.array(x, pyarrow.float64()),
    "tags": pyarrow.array([["a"] * (i % 3) for i in rows]),
    "f": pyarrow.array([0.1 * (i % 13) for i in rows], pyarrow.float32()),
    "i8": pyarrow.array([i % 7 - 3 for i in rows], pyarrow.int8()),
    "u16": pyarrow.array([i * 1000 % 65521 for i in rows], pyarrow.uint16()),
    "nested": pyarrow.array([{"a": i, "b": str(i)} for i in rows]),
    "c": pyarrow.array([None if i % 13 == 6 else ["web", "ios", "and, roid", "web"][i * i % 4] for i in rows]).dictionary_encode(),
    "v": pyarrow.array([["a rather long word, beyond twelve bytes", "short"][i % 5 == 0] for i in rows], pyarrow.string_view()),
    "l": pyarrow.array([["m", "n"][i % 3 == 0] for i in rows], pyarrow.large_string()),
    "b": pyarrow.array([i % 4 == 1 for i in rows]),
    "d": pyarrow.array([decimal.Decimal(i * 7 % 50) / 100 for i in rows], pyarrow.decimal128(9, 2)),
    "t": pyarrow.array([datetime.datetime(2024, 1, 1 + i % 28, i * 5 % 24, i) for i in rows], pyarrow.timestamp("ms")),
    "day": pyarrow.array([datetime.date(2024, 1 + i % 12, 1 + i % 28) for i in rows], pyarrow.date32()),
}
table = pyarrow.table(columns)

with pyarrow.ipc.new_stream("shop.arrows", table.schema) as sink:
    sink.write_table(table, max_chunksize=25)
for codec in ["lz4", "zstd"]:
    options = pyarrow.ipc.IpcWriteOptions(compression=codec)
    with pyarrow.ipc.new_file(f"shop-{codec}.arrow", table.schema, options=options) as sink:
        sink.write_table(table, max_chunksize=40)

with open("shop.csv", "w") as text:
    names = [name for name in columns if name not in ("tags", "nested")]
    print(",".join(names), file=text)
    for i in rows:
        cells = []
        for name in names:
            value = columns[name][i].as_py()
            if name == "f":
                value = round(value, 6)
            if name == "b":
                value = int(value)
            cells.append("" if value is None else f'"{value}"' if isinstance(value, str) else str(value))
        print(",".join(cells), file=text)
