"""Benchmarks: the program and other programs (its peers), measured side by side in one run.

Run `pip install ".[bench]"`, then `python -m tests.benchmarks engine bots designs ratings storage startup`. The
installed build is measured even if the command runs in a checkout; `--build compiled` refuses any other build.
"""
