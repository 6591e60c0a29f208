"""Benchmarks: the program beside its peers, measured side by side in one run.

`pip install ".[bench]"`, then `python -m tests.benchmarks engine bots designs ratings storage startup`. The
installed build is measured even if the command is given in a checkout; `--build compiled` refuses any other build.
"""
