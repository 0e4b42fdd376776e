"""Ctrl-C stops soon and loses nothing. How soon is measured by benchmarks/tall.py, not by a test."""

import os
import signal
import threading

import numpy as np
import pytest

import unbiased_bayes as ub


def test_an_interrupted_run_goes_on(a9a):
    x, y = a9a
    model, settings = ub.Logistic(prior=ub.Laplace(1)), {"target": "0.01sd", "method": "anchored"}
    shares = []

    def interrupt(share, lines):
        # Once a third of the replicates is done, as if somebody pressed Ctrl-C.
        if share is not None and share > 0.3 and not any("interrupted" == one for one in shares):
            shares.append("interrupted")
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        model.estimate(x, y, progress=interrupt, **settings)
    first = []
    again = model.estimate(x, y, progress=lambda share, lines: first.append(share), **settings)
    whole = model.estimate(x, y, fresh=True, **settings)
    assert again.json == whole.json and again.replicates.tobytes() == whole.replicates.tobytes()
    begun = next(share for share in first if share)
    assert begun > 0.1, "what was finished was not done again"


def test_other_threads_run_meanwhile(rows):
    """The lock of Python is free while a run goes on."""
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    seen = []
    try:
        ub.Logistic().estimate(*rows, method="nuts", target="0.01sd", progress=lambda *_: seen.append(counted[0]))
    finally:
        done.set()
        thread.join()
    assert seen[-1] > seen[0] > 0 or len(seen) == 1 and seen[0] > 1000


def test_arrays_live_as_long_as_they_are_read():
    rng = np.random.default_rng(0)

    def fit():
        return ub.Logistic().estimate(rng.normal(size=(2000, 2)), rng.random(2000) < 0.5)

    assert fit().rows == 2000
