"""A likelihood of one's own, by the address of a C function."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import unbiased_bayes as ub

SOURCE = """
#include <math.h>
void poisson(double y, double eta, double *out) {
    double mean = exp(eta);
    out[0] = y * eta - mean;
    out[1] = y - mean;
    out[2] = -mean;
}
"""


@pytest.fixture(scope="module")
def poisson(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("c")
    (folder / "poisson.c").write_text(SOURCE)
    library = folder / "poisson.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, folder / "poisson.c", "-lm"], check=True)
    return ctypes.CDLL(str(library)).poisson


def test_it_is_the_built_in_one(poisson):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(20_000, 3))
    y = rng.poisson(np.exp(0.4 * x[:, 0] - 0.3)).astype(float)
    prior = {"*": ub.Normal(2.5)}
    address = ctypes.cast(poisson, ctypes.c_void_p).value
    own = ub.Custom(address, prior=prior).estimate(x, y)
    built_in = ub.Poisson(prior=prior).estimate(x, y)
    # Exponentials by the system and by vectors differ in the last digit.
    assert np.allclose(own.mean, built_in.mean, rtol=1e-9) and np.allclose(own.se, built_in.se, rtol=1e-6)
    assert ub.Custom(poisson, prior=prior).estimate(x, y).json == own.json
