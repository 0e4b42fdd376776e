"""Prints the design matrices of designs.json: python3 print_designs.py > designs.json

Needs formulaic (1.2.2 printed the stored file), pandas and numpy.
"""

import io
import json

import formulaic
import numpy
import pandas

TABLE = """y,x,z,w,c,d,t
0,1,2,0.5,a,m,3
1,2,0.5,1.5,g,m,1
3,4,1,-2,a,n,3
2,,3,0.25,b,m,2
5,8,2,7,a,m,3
1,1,4,-1,g,n,1
0,2,2.5,3,b,n,3
4,5.5,6,12,,m,2
2,3,7,1,a,n,3
1,0.25,1.25,2,b,m,1
"""

# Ours, and formulaic's where it is written in another way.
FORMULAS = [
    ("x + z + c", None),
    ("x * z", None),
    ("x * c", None),
    ("c * d", None),
    ("c:x", None),
    ("x + c:x", None),
    ("c + c:d", None),
    ("d + c:d + log(x)", None),
    ("(x + z + d)^2", "(x + z + d)**2"),
    ("c * d * z", None),
    ("poly(x, 2) + c", None),
    ("poly(z, 3):d", None),
    ("poly(w, 4)", None),
    ("poly(x, 3, raw=True)", None),
    ("center(z) + scale(w) + standardize(z)", None),
    ("center(z):c + c", None),
    ("scale(log(z))", None),
    ("I(x^2) + I(z / 2 - x * 3) + I((x + z)^2)", "I(x**2) + I(z / 2 - x * 3) + I((x + z)**2)"),
    ("log(z) + log10(z) + log2(z) + exp(x)", None),
    ("sqrt(z) + abs(w) + log1p(z)", "np.sqrt(z) + np.abs(w) + np.log1p(z)"),
    ("C(t) + x", None),
    ('C(c, reference="b") + d', 'C(c, contr.treatment("b")) + d'),
    ('C(c, contr.treatment(base="g")):z + z', None),
    (". - w - t", ". - w - t - y"),
    ("x + z - x + w", None),
    ("(x + c):z + z", None),
    ("I(center(z)^2)", "I(center(z)**2)"),
]

table = pandas.read_csv(io.StringIO(TABLE))
# The level that the others are compared with is the first one there and the most frequent one here;
# of t, where these differ, it is named.
designs = []
for ours, theirs in FORMULAS:
    written = (theirs or ours).replace("C(t)", "C(t, contr.treatment(3))")
    matrix = formulaic.model_matrix(written, table)
    values = numpy.asarray(matrix, dtype=float)
    assert list(matrix.columns)[0] == "Intercept", written
    designs.append(
        {
            "formula": ours,
            "formulaic": written,
            "names": list(matrix.columns)[1:],
            "rows": [[float(value) for value in row[1:]] for row in values],
        }
    )
lines = ",\n".join(json.dumps(design) for design in designs)
print(json.dumps({"formulaic": formulaic.__version__, "table": TABLE})[:-1] + ', "designs": [')
print(lines + "\n]}")
