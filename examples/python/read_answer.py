"""Read what `unbiased estimate` wrote: the answer as a table, its replicates in ArviZ.

    unbiased estimate logistic --data clicks.csv --label clicked --json answer.json
    python read_answer.py answer.json .unbiased/clicks.csv-*/estimate/anchored.csv

Needs pandas and arviz. Replicates are independent, so ArviZ sees chains without memory: its
Monte Carlo standard errors agree with those of the answer up to the noise of either.
"""

import json
import sys

import arviz
import pandas


def answer(path):
    """Estimates, one a row."""
    with open(path) as file:
        found = json.load(file)["answer"]
    table = pandas.json_normalize(found["estimates"]).set_index("name")
    return found, table.rename(columns=lambda column: column.removeprefix("summary."))


def replicates(path, names):
    """Replicates of each functional; independent, so that any two halves make two chains."""
    table = pandas.read_csv(path)
    return {name: table[name].to_numpy().reshape(2, -1) for name in names}


def main(answer_path, replicates_path):
    found, table = answer(answer_path)
    print(table[["mean", "standard_error", "interval.low", "interval.high", "posterior_sd"]])
    print("caveats:", ", ".join(found["guarantees"]["caveats"]) or "none")
    print("share of the variance never seen:", found["unseen"]["hidden_share"])

    seen = arviz.summary(replicates(replicates_path, table.index), round_to="none")
    ratio = seen["mcse_mean"] / table["standard_error"]
    print(pandas.DataFrame({"answer": table["mean"], "arviz": seen["mean"], "error ratio": ratio}))


if __name__ == "__main__":
    main(*sys.argv[1:])
