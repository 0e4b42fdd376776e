"""The same seed and settings give the same bytes as the command, from files, arrays and tables."""

import csv
import json

import numpy as np
import pytest

import unbiased_bayes as ub


def answer(text):
    """The answer alone: arrays and files are known by different sums."""
    return json.dumps(json.loads(text)["answer"])


def test_a_file(command, a9a_file, tmp_path):
    out = tmp_path / "out.json"
    words = ["--data", a9a_file, "--prior", "laplace:1", "--seed", "5", "--work", tmp_path / "command"]
    text = command("estimate", "logistic", *words, "--json", out)
    model = ub.Logistic(prior=ub.Laplace(1))
    fit = model.estimate(str(a9a_file), seed=5, work=tmp_path / "python")
    assert fit.json == out.read_text()
    assert fit.summary() == text


def test_csr_is_the_file(a9a, a9a_file, tmp_path):
    x, y = a9a
    model = ub.Logistic(prior=ub.Laplace(1))
    of_file = model.estimate(a9a_file, seed=5, work=tmp_path)
    for labels in (y, y > 0, (y + 1) / 2):
        of_array = model.estimate(x, labels, seed=5)
        assert answer(of_array.json) == answer(of_file.json)
        assert of_array.replicates.tobytes() == of_file.replicates.tobytes()


def test_certify_plan_and_compare(command, a9a, a9a_file, tmp_path):
    model = ub.Logistic()
    work = ["--data", a9a_file, "--work", tmp_path]
    command("certify", "logistic", *work, "--json", tmp_path / "certify.json")
    certificate = ub.certify(model, *a9a)
    assert answer(certificate.json) == answer((tmp_path / "certify.json").read_text())
    assert abs(certificate.worst()["error"]["value"]) > 0.1
    command("plan", "logistic", *work, "--targets", "0.1sd,0.02sd", "--json", tmp_path / "plan.json")
    plan = ub.plan(model, *a9a, targets=["0.1sd", "0.02sd"])
    assert plan.json == (tmp_path / "plan.json").read_text()
    assert list(plan.to_frame()["target"]) == ["0.1sd", "0.02sd"]
    command("compare", "logistic", *work, "--budget", "2e7", "--json", tmp_path / "compare.json")
    comparison = ub.compare(model, *a9a, budget=2e7)
    compared = json.loads((tmp_path / "compare.json").read_text())["comparison"]
    assert comparison.methods == compared["methods"]
    assert len(comparison.to_frame()) > 0


def test_tables_are_the_csv(command, columns, tmp_path):
    path = tmp_path / "shop.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values()))
    formula = "bought ~ age + C(city) + age:C(city)"
    words = ["--data", path, "--formula", formula, "--work", tmp_path / "command", "--seed", "9"]
    command("estimate", "logistic", *words, "--json", tmp_path / "out.json")
    expected = answer((tmp_path / "out.json").read_text())
    tables = [str(path)]
    for library in ("pandas", "polars", "pyarrow"):
        module = pytest.importorskip(library)
        tables.append(module.table(columns) if library == "pyarrow" else module.DataFrame(columns))
    for data in tables:
        fit = ub.glm(formula, data, "bernoulli", work=tmp_path / "python" if data is tables[0] else None)
        assert answer(fit.estimate(seed=9).json) == expected


def test_threads_orders_and_copies(rows):
    x, y = rows
    model = ub.Logistic()
    fits = [
        model.estimate(x, y, threads=1),
        model.estimate(x, y, threads=2),
        model.estimate(np.asfortranarray(x), y),
        model.estimate(np.repeat(x, 2, axis=1)[:, ::2], y),
        model.estimate(x.tolist(), y.astype(bool)),
    ]
    for fit in fits:
        assert answer(fit.json) == answer(fits[0].json)
    copied = [any("copied" in remark for remark in fit.remarks) for fit in fits]
    assert copied == [False, False, False, True, True]


def test_dense_arrays_are_the_csv(command, rows, tmp_path):
    x, y = rows
    rng = np.random.default_rng(1)
    counts = rng.poisson(np.exp(0.3 * x[:, 0] - 0.2)).astype(float)
    offset, weights, trials = rng.normal(size=4000), rng.integers(0, 3, 4000) * 1.0, counts + rng.integers(0, 4, 4000)
    table = np.column_stack([x, counts, np.exp(counts), offset, weights, trials])
    path = tmp_path / "all.csv"
    np.savetxt(path, table, delimiter=",", header="w1,w2,count,size,off,wt,n", comments="", fmt="%.17g")
    cases = [
        (
            ub.Poisson(),
            "poisson",
            counts,
            {"offset": offset, "weights": weights},
            ["--offset", "off", "--weights", "wt"],
        ),
        (ub.Binomial(), "binomial", counts, {"trials": trials}, ["--trials", "n"]),
        (ub.Linear(), "linear", counts, {}, []),
        (ub.NegativeBinomial(), "negative-binomial", counts, {}, []),
        (ub.Student(degrees=5), "student", counts, {}, ["--degrees", "5"]),
        (ub.Gamma(), "gamma", np.exp(counts), {}, []),
    ]
    for model, name, response, behind, words in cases:
        label = "size" if name == "gamma" else "count"
        words = ["--data", path, "--label", label, "--columns", "w1,w2", *words, "--work", tmp_path / "work"]
        command("estimate", name, *words, "--json", tmp_path / "out.json")
        fit = model.estimate(x, response, **behind)
        assert answer(fit.json) == answer((tmp_path / "out.json").read_text()), name
