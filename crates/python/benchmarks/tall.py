"""10⁷ rows of ten float64 columns: memory above the arrays, the same bytes on one and two threads, Ctrl-C.

    python tall.py [rows]

Not a test: it takes a gigabyte and reads the clock.
"""

import os
import signal
import sys
import threading
import time

import numpy as np

import unbiased_bayes as ub


def resident():
    """Megabytes in memory now, of which none are mapped files: arrays are not either."""
    fields = dict(line.split(":") for line in open("/proc/self/status"))
    return int(fields["RssAnon"].split()[0]) / 1024


class Peak(threading.Thread):
    """The most that is in memory between start and stop."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self.over = 0.0, threading.Event()

    def run(self):
        while not self.over.wait(0.005):
            self.most = max(self.most, resident())


rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
rng = np.random.default_rng(0)
X = rng.standard_normal((rows, 10))
w = np.linspace(-0.5, 0.5, 10)
y = np.empty(rows)
for at in range(0, rows, 1 << 18):
    part = slice(at, at + (1 << 18))
    chance = 1 / (1 + np.exp(-X[part] @ w))
    y[part] = rng.random(len(chance)) < chance
before = resident()
print(f"arrays: {(X.nbytes + y.nbytes) / 1e6:.0f} MB; resident {before:.0f} MB")

model, fits = ub.Logistic(prior=ub.Normal(2.5)), []
for threads in (1, 2):
    peak = Peak()
    peak.start()
    begun = time.perf_counter()
    fits.append(model.estimate(X, y, seed=1, threads=threads))
    seconds = time.perf_counter() - begun
    peak.over.set()
    peak.join()
    print(
        f"{threads} threads: {seconds:.1f} s, {fits[-1].cost.passes:.2f} passes, at most {peak.most - before:.0f} MB above"
    )
print(f"same bytes on one and two threads: {fits[0].json == fits[1].json}")

pressed = [0.0]


def press():
    pressed[0] = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)


for after in (0.3, 1.0, 2.0):
    timer = threading.Timer(after, press)
    timer.start()
    try:
        model.estimate(X, y, seed=2)
        print(f"finished before Ctrl-C after {after} s")
        timer.cancel()
    except KeyboardInterrupt:
        print(f"Ctrl-C after {after} s: raised {time.perf_counter() - pressed[0]:.3f} s later")
    time.sleep(0.3)
begun = time.perf_counter()
again = model.estimate(X, y, seed=2)
print(f"the same call again: {time.perf_counter() - begun:.1f} s")
print(f"same bytes as without Ctrl-C: {again.json == model.estimate(X, y, seed=2, fresh=True).json}")
