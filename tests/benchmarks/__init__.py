"""Benchmarks: what the program does in a second, beside its peers, taken side by side in one run.

`pip install ".[bench]"`, then `python -m tests.benchmarks engine bots designs ratings storage startup`. The build that
is measured is the installed one, though the command is given in a checkout; `--build compiled` makes sure of it.
"""
