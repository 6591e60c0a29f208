"""What went wrong, as one line for a person and an exit code."""

import errno
import os
import re
import sys
from contextlib import suppress
from typing import Literal

import typer
from typer.exceptions import TyperException

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.text.sanitize import sanitize

Detail = Literal["one line", "with traceback"]

MOST_SHOWN = 40
"""Characters that are shown of a value that is no number."""
_NO_NUMBER = re.compile(r"'([^']*)' is not a valid (int|float)(?: range)?$")
"""How the library ends a line about a value that is no number."""


def told(error: BaseException, detail: Detail) -> int:
    """Says on standard error what went wrong and what to do; returns the exit code."""
    if isinstance(error, BrokenPipeError) or (isinstance(error, OSError) and error.errno == errno.EPIPE):
        # The reader of the pipe has seen enough: that is no failure.
        _drop_output()
        return int(ExitCode.DONE)
    _drain()
    if detail == "with traceback":
        _traceback(error)
    code, lines = _sentence(error)
    for line in lines:
        _say(line)
    return int(code)


def _sentence(error: BaseException) -> tuple[int, list[str]]:
    if isinstance(error, TourneyError):
        return error.code, _lines(error.message, error.hint)
    if isinstance(error, TyperException):
        return error.exit_code, _usage(error)
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return ExitCode.INTERRUPTED, [_("interrupted")]
    if isinstance(error, OSError):
        return ExitCode.STORAGE, _operating_system(error)
    return ExitCode.REFUSED, _fault(error)


def _lines(message: str, hint: str) -> list[str]:
    lines = [_("error: {message}").format(message=_one_line(message))]
    if hint:
        lines.append(_("hint: {hint}").format(hint=_one_line(hint)))
    return lines


def _usage(error: TyperException) -> list[str]:
    message = _NO_NUMBER.sub(_no_number, error.format_message().rstrip("."))
    context = getattr(error, "ctx", None)
    path = "tourney" if context is None else " ".join(filter(None, (context.command_path, context.invoked_subcommand)))
    hint = _("`{path} -h` says what it takes").format(path=path)
    near = getattr(error, "possibilities", None)
    if path == "tourney" and getattr(error, "option_name", None) == "--db":
        hint = _("--db stands behind the verb: `tourney player list --db FILE`")
    elif near:
        message = error.message
        hint = _("did you mean {options}? {hint}").format(options=_(" or ").join(sorted(near)), hint=hint)
    return _lines(message[:1].lower() + message[1:], hint)


def _no_number(found: re.Match[str]) -> str:
    """The value and what it is not, in words of people."""
    value = found[1] if len(found[1]) <= MOST_SHOWN else f"{found[1][: MOST_SHOWN - 1]}…"
    if found[1].isdecimal():
        return _("'{value}' has too many digits").format(value=value)
    told = _("'{value}' is no whole number") if found[2] == "int" else _("'{value}' is no number")
    return told.format(value=value)


def _operating_system(error: OSError) -> list[str]:
    reason = error.strerror or str(error)
    if error.filename is None:
        message = _("the output cannot be written: {reason}").format(reason=reason)
        return _lines(message, _("the act itself may be done: look before you try again"))
    message = _("cannot use “{file}”: {reason}").format(file=error.filename, reason=reason)
    return _lines(message, _("check that it exists and that you may use it"))


def _fault(error: BaseException) -> list[str]:
    message = _("this is a fault in tourney: {kind}: {text}").format(kind=type(error).__name__, text=error)
    return _lines(message, _("run it again with --verbose and report what it shows"))


def _one_line(text: str) -> str:
    return sanitize(" ".join(text.split()))


def _traceback(error: BaseException) -> None:
    import traceback

    for line in traceback.format_exception(error):
        _say(line.rstrip("\n"))


def _say(line: str) -> None:
    # A terminal that was closed hears nothing.
    with suppress(OSError):
        if sys.stderr is not None:
            sys.stderr.write(line + "\n")


def _drain() -> None:
    """Lets out what was already said, so that errors come after it; gives it up where that is impossible."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _drop_output()


def _drop_output() -> None:
    """Sends what is still unsaid nowhere, or Python would complain about it once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
