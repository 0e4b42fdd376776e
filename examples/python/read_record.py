"""Read a stored record of the suite: quantities, claims and raw replicates, with pandas.

    python read_record.py results/full/gaussian-path

The error bars of a record follow from its raw replicates: here they are computed again.
"""

import json
import pathlib
import sys

import pandas


def main(folder):
    folder = pathlib.Path(folder)
    record = json.loads((folder / "record.json").read_text())
    print(record["question"])
    print(pandas.DataFrame(record["quantities"]).set_index("name")["value"])
    for claim in record["claims"]:
        print(f"{claim['id']}: {claim['verdict']}")
    for method in ["coupled-sum", "antithetic-single-term"]:
        table = pandas.read_csv(folder / f"{method}.csv")
        mean, error = table.mean(), table.std() / len(table) ** 0.5
        print(method, pandas.DataFrame({"mean": mean, "standard error": error}), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
