"""`python -m tourney` is the command `tourney`, whatever files lie in the folder where it runs."""

import os
import sys

HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if not sys.flags.safe_path and HOME != os.path.abspath(sys.path[0]) == os.getcwd():
    del sys.path[0]  # the current folder, where a file `random.py` would hide the standard library's

from tourney.cli import run  # noqa: E402 - only now modules are found where they belong

run()
