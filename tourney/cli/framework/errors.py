"""Errors at the command line: one line for a person and an exit code."""

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

MAX_VALUE_SHOWN = 40
"""The most characters shown of a value that is not a number."""
_NOT_A_NUMBER = re.compile(r"'([^']*)' is not a valid (int|float)(?: range)?$")
"""The end of the library's message about a value that is not a number."""


def report(error: BaseException, detail: Detail) -> int:
    """Write to standard error what went wrong and what to do; return the exit code."""
    if isinstance(error, BrokenPipeError) or (isinstance(error, OSError) and error.errno == errno.EPIPE):
        # The reader of the pipe has closed it: that is not a failure.
        _drop_output()
        return int(ExitCode.DONE)
    _drain()
    if detail == "with traceback":
        _traceback(error)
    code, lines = _sentence(error)
    for line in lines:
        _write(line)
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
    message = _NOT_A_NUMBER.sub(_not_a_number, error.format_message().rstrip("."))
    context = getattr(error, "ctx", None)
    path = "tourney" if context is None else " ".join(filter(None, (context.command_path, context.invoked_subcommand)))
    hint = _("`{path} -h` says what it takes").format(path=path)
    near = getattr(error, "possibilities", None)
    if path == "tourney" and getattr(error, "option_name", None) == "--db":
        hint = _("--db goes after the verb: `tourney player list --db FILE`")
    elif near:
        message = error.message
        hint = _("did you mean {options}? {hint}").format(options=_(" or ").join(sorted(near)), hint=hint)
    return _lines(message[:1].lower() + message[1:], hint)


def _not_a_number(match: re.Match[str]) -> str:
    """Return the message for a value that is not a number."""
    value = match[1] if len(match[1]) <= MAX_VALUE_SHOWN else f"{match[1][: MAX_VALUE_SHOWN - 1]}…"
    if match[1].isdecimal():
        return _("'{value}' has too many digits").format(value=value)
    text = _("'{value}' is not a whole number") if match[2] == "int" else _("'{value}' is not a number")
    return text.format(value=value)


def _operating_system(error: OSError) -> list[str]:
    reason = error.strerror or str(error)
    if error.filename is None:
        message = _("the output cannot be written: {reason}").format(reason=reason)
        return _lines(message, _("the change itself may have been made: check before you try again"))
    message = _("cannot use “{file}”: {reason}").format(file=error.filename, reason=reason)
    return _lines(message, _("check that it exists and that you have permission to use it"))


def _fault(error: BaseException) -> list[str]:
    message = _("this is a bug in tourney: {kind}: {text}").format(kind=type(error).__name__, text=error)
    return _lines(message, _("run it again with --verbose and report what it shows"))


def _one_line(text: str) -> str:
    return sanitize(" ".join(text.split()))


def _traceback(error: BaseException) -> None:
    import traceback

    for line in traceback.format_exception(error):
        _write(line.rstrip("\n"))


def _write(line: str) -> None:
    # A closed terminal takes no output.
    with suppress(OSError):
        if sys.stderr is not None:
            sys.stderr.write(line + "\n")


def _drain() -> None:
    """Flush standard output, so that errors come after it; drop what cannot be written."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _drop_output()


def _drop_output() -> None:
    """Discard buffered output, about which Python would complain again when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
