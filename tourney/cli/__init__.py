"""The command line: parse, call one verb of the service, show one report.

The only package that knows typer and rich. Nothing is imported before it is needed: each noun's module when
that noun is used, rich when a terminal shows a table.
"""

import os
import signal
import sys


def run() -> None:
    """The console script `tourney`: obeys the command line and leaves with the exit code of `ExitCode`."""
    _open_streams()
    told = "error: interrupted before anything was done\nhint: give the same command again\n"
    try:
        from tourney.cli.framework.app import main
        from tourney.text.signals import ENDINGS

        told = "interrupted\n"
        code = main(sys.argv[1:])
        # All is said and done: Python shall end in peace.
        _hear_nothing(*ENDINGS)
    except KeyboardInterrupt:
        _hear_nothing(signal.SIGINT)
        sys.stderr.write(told)
        code = 130
    sys.exit(code)


def _hear_nothing(*signals: int) -> None:
    for one in signals:
        signal.signal(one, signal.SIG_IGN)


def _open_streams() -> None:
    """A stream that the caller has closed swallows what is written to it, so that the act itself still ends well."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
