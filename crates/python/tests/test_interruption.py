"""Ctrl-C stops soon and loses nothing. How soon is measured by benchmarks/tall.py, not by a test."""

import os
import signal
import threading

import numpy as np
import pytest

import unbiased_bayes as ub


def test_an_interrupted_run_goes_on():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(20_000, 3))
    y = rng.random(20_000) < 1 / (1 + np.exp(-x @ [1.0, -0.5, 0.2]))
    # Few parameters and many points: there are no chains, and all shares are those of replicates.
    model, settings = ub.Logistic(prior=ub.Normal(2.5)), {"target": "0.00001sd", "method": "anchored"}
    pressed = []

    def press(share, lines):
        # Ctrl-C, once a third of the replicates is done.
        if share is not None and share > 1 / 3 and not pressed:
            pressed.append(share)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        model.estimate(x, y, progress=press, **settings)
    shares = []
    again = model.estimate(x, y, progress=lambda share, lines: shares.append(share), **settings)
    whole = model.estimate(x, y, fresh=True, **settings)
    assert again.json == whole.json and again.replicates.tobytes() == whole.replicates.tobytes()
    begun = next(share for share in shares if share)
    # Two chunks of 48 may have been on their way.
    assert begun > pressed[0] - 2 / 48 - 0.02, "what was finished is not done again"


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
