"""Questions on a terminal: they go to standard error, so that standard output has only the report."""

import sys
from contextlib import suppress
from typing import Final

from tourney.cli.framework.output import note, wrapped
from tourney.text.i18n import _
from tourney.text.sanitize import sanitize
from tourney.text.signals import read_typed_line
from tourney.text.typed_words import read_yes_or_no

ANSWER_WIDTH: Final = 6
"""The columns that stay free for the answer on the line of a question."""


def possible() -> bool:
    """Return whether there is a terminal on which to ask."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty()


def ask(question: str) -> str | None:
    """Show the question and return the line that is typed; None at the end of input, or if the terminal is gone.

    The question ends with a blank, and is wrapped between words on a narrow terminal. Ctrl-C raises KeyboardInterrupt.
    What is shown after either of them begins a line of its own.
    """
    parts = wrapped(sanitize(question), ANSWER_WIDTH)
    sys.stderr.write("\n".join(parts).rstrip() + " ")
    sys.stderr.flush()
    typed = ""
    try:
        with suppress(OSError):
            typed = read_typed_line(sys.stdin)
    finally:
        if not typed:
            _end_the_line()
    return typed or None


def _end_the_line() -> None:
    # A closed terminal takes no output.
    with suppress(OSError):
        sys.stderr.write("\n")


def confirm(question: str) -> bool:
    """Ask a question until it is answered with yes or no; Enter and the end of input mean no.

    The question is a whole sentence such as "Take back the draw of round 2?"; ` (y/n) [n] ` is added to it. Ask only
    where it is `possible`.
    """
    while True:
        typed = ask(_("{question} (y/n) [n] ").format(question=question))
        if typed is None or not typed.strip():
            return False
        answer = read_yes_or_no(typed)
        if answer is not None:
            return answer
        note(_("type y or n"))
