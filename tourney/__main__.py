"""`python -m tourney` is the command `tourney`."""

from tourney.cli import run

run()
