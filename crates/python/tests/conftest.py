"""What the tests share: a9a, the command, and a table."""

import bz2
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def a9a_file():
    return ROOT / "datasets" / "embedded" / "a9a.bz2"


@pytest.fixture(scope="session")
def a9a(a9a_file):
    """The matrix as scipy has it, and labels."""
    sparse = pytest.importorskip("scipy.sparse")
    starts, columns, labels = [0], [], []
    for line in bz2.open(a9a_file, "rt"):
        label, *entries = line.split()
        labels.append(float(label))
        columns += [int(entry.split(":")[0]) - 1 for entry in entries]
        starts.append(len(columns))
    values = np.ones(len(columns))
    return sparse.csr_matrix((values, columns, starts), shape=(len(labels), 123)), np.array(labels)


@pytest.fixture(scope="session")
def command():
    """The command `unbiased`, called with words and returning what it printed."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = pathlib.Path(os.environ.get("UNBIASED_COMMAND", target / "release" / "unbiased"))
    assert program.exists(), f"{program} is not built: cargo build --release -p unbiased-bayes-cli"

    def run(*words):
        done = subprocess.run([program, *map(str, words), "--quiet"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def columns():
    """A table as plain lists: a number, a word with three levels, a response."""
    rng = np.random.default_rng(7)
    age = rng.normal(40, 10, 3000).round(2)
    city = rng.choice(["Oslo", "Rome", "Bonn"], 3000, p=[0.5, 0.3, 0.2])
    eta = 0.05 * (age - 40) + 0.5 * (city == "Rome") - 0.5
    bought = np.where(rng.random(3000) < 1 / (1 + np.exp(-eta)), "yes", "no")
    return {"age": age.tolist(), "city": city.tolist(), "bought": bought.tolist()}


@pytest.fixture(scope="session")
def rows():
    """Some rows of two covariates and a binary response."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4000, 2))
    y = (rng.random(4000) < 1 / (1 + np.exp(-(x @ [1.0, -0.5] + 0.2)))).astype(float)
    return x, y
