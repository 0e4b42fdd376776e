"""Shares of an estimate on the workers of Dask.

    pip install "dask[distributed]"
    python with_dask.py [scheduler:8786]

Without an address two workers are started here.
"""

import sys
import tempfile

from dask.distributed import Client

import shares

if __name__ == "__main__":
    address = sys.argv[1] if len(sys.argv) > 1 else None
    options = {"address": address} if address else {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with tempfile.TemporaryDirectory() as folder, Client(**options) as client:
        # With workers elsewhere: a file that all of them can read, and shares.py on all of them.
        client.upload_file(shares.__file__)
        question, seeds = shares.example(folder), range(4)
        done = client.gather([client.submit(shares.share, question, seed, pure=False) for seed in seeds])
        shares.report(question, seeds, done)
