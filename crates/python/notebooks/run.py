"""Runs the notebooks, cell by cell, in one process and without Jupyter.

python run.py            runs all of them; fails if a cell fails or a stored notebook is out of date
python run.py --write    also writes the notebooks, with what the cells show
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def cells(text):
    """Markdown and code, as they follow each other."""
    for part in re.split(r"^# %%", text, flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        if "[markdown]" in head:
            body = "\n".join(line[2:] if line.startswith("# ") else line[1:] for line in body.strip().split("\n"))
            yield "markdown", body
        else:
            yield "code", body.strip()


def shown(value):
    """What a notebook shows of a value."""
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return data


def run(code, names, count):
    """Outputs of one cell: what it prints, and its last expression."""
    tree = ast.parse(code)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
    outputs = []
    if printed.getvalue():
        outputs.append(
            {"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)}
        )
    if value is not None:
        outputs.append(
            {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": shown(value)}
        )
    return outputs


def notebook(path):
    """The executed notebook of a source."""
    names, made, count = {"__name__": "__main__"}, [], 0
    for number, (kind, text) in enumerate(cells(path.read_text())):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if kind == "code":
            count += 1
            cell |= {"execution_count": count, "outputs": run(text, names, count)}
        made.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def main():
    os.chdir(HERE)
    for path in sorted(HERE.glob("*.py")):
        if path.name == "run.py":
            continue
        made, stored = notebook(path), path.with_suffix(".ipynb")
        if "--write" in sys.argv:
            stored.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
        sources = [cell["source"] for cell in made["cells"]]
        if [cell["source"] for cell in json.loads(stored.read_text())["cells"]] != sources:
            sys.exit(f"{stored.name} is not {path.name}: run this with --write")
        print(f"{path.name}: {sum(cell['cell_type'] == 'code' for cell in made['cells'])} cells ran")


main()
