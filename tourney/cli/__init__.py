"""The command line: parse, submit one change or ask one question, show one report.

No other package knows typer and rich. Nothing is imported before it is needed: the module of a noun when the noun is
used, rich when a terminal shows a table.
"""

import gc
import os
import signal
import sys


def run() -> None:
    """Run the console script `tourney`: carry out the command line and exit with a code of `ExitCode`."""
    _open_streams()
    # What a start makes stays until the end, and looking for garbage among it takes a fifth of a short command's time.
    # Garbage is sought once the command is loaded, and not at the end.
    gc.disable()
    gc.set_threshold(10_000)
    message = "error: interrupted before anything was done\nhint: give the same command again\n"
    try:
        from tourney.cli.framework.language import choose

        choose(sys.argv[1:])
        from tourney.cli.framework.app import main
        from tourney.text.signals import ENDINGS

        message = "interrupted\n"
        code = main(sys.argv[1:])
        # Everything is done: no signal may interrupt the exit of Python.
        _ignore_signals(*ENDINGS)
    except KeyboardInterrupt:
        _ignore_signals(signal.SIGINT)
        sys.stderr.write(message)
        code = 130
    gc.freeze()
    sys.exit(code)


def _ignore_signals(*signals: int) -> None:
    for number in signals:
        signal.signal(number, signal.SIG_IGN)


def _open_streams() -> None:
    """Open a null device for each stream that the caller has closed, so that writing to it does not fail."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
