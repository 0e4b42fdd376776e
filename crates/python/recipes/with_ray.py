"""Shares of an estimate on the workers of Ray.

    pip install ray
    python with_ray.py [address]

Without an address two workers are started here.
"""

import os
import sys
import tempfile

import ray

import shares

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(shares.__file__))
    # Workers find shares.py by its folder; elsewhere runtime_env={"working_dir": here} carries it to them.
    options = {"runtime_env": {"env_vars": {"PYTHONPATH": here}}, "include_dashboard": False}
    ray.init(**options, **({"address": sys.argv[1]} if len(sys.argv) > 1 else {"num_cpus": 2}))
    with tempfile.TemporaryDirectory() as folder:
        question, seeds = shares.example(folder), range(4)
        run = ray.remote(num_cpus=1)(shares.share)
        done = ray.get([run.remote(question, seed) for seed in seeds])
        shares.report(question, seeds, done)
    ray.shutdown()
