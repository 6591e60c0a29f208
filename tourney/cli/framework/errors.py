"""Errors at the command line: one line for a person and an exit code."""

import errno
import os
import re
import sys
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, Literal

import typer
from typer.exceptions import TyperException

from tourney.cli.framework.help_pages import global_flags
from tourney.cli.framework.language import OPTION
from tourney.cli.framework.output import cleaned, terminal_width
from tourney.domain.errors import ExitCode, LackingEntriesError, TemplateError, TourneyError
from tourney.service import database
from tourney.text.i18n import _, either
from tourney.text.sanitize import quote_argument, sanitize
from tourney.text.similar import similar

Detail = Literal["one line", "with traceback"]

MAX_REFUSAL = 480
"""The most characters of a message and its hint together."""
MAX_VALUE_SHOWN = 40
"""The most characters shown of a refused value."""
_VALUE = re.compile(r"['\"]?(?P<value>.*?)['\"]? is not (?P<why>a valid|one of|in the range) ", re.DOTALL)
"""The beginning of Typer's message about a value that a parameter cannot have."""
_TOO_MANY = re.compile(r"Got unexpected extra argument\(s\) \((?P<words>.*)\)$", re.DOTALL)
"""Typer's message about arguments that the command does not take."""


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
    for style, line in zip(("error", "hint"), lines, strict=False):
        _show(line, style)
    return int(code)


def _sentence(error: BaseException) -> tuple[int, list[str]]:
    if isinstance(error, LackingEntriesError):
        error = _with_newest(error)
    if isinstance(error, TemplateError):
        return error.code, _lines(_filled(error), _(error.hint))
    if isinstance(error, TourneyError):
        return error.code, _lines(error.message, error.hint)
    if isinstance(error, TyperException):
        return error.exit_code, _usage(error)
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return ExitCode.INTERRUPTED, [_("interrupted")]
    if isinstance(error, OSError):
        return ExitCode.STORAGE, _operating_system(error)
    return ExitCode.REFUSED, _fault(error)


def _filled(error: TemplateError) -> str:
    """Return the message in the reader's language; a value that is such an error, too."""
    values = {
        name: _filled(value) if isinstance(value, TemplateError) else value for name, value in error.values.items()
    }
    return _(error.template).format(**values)


def _with_newest(error: LackingEntriesError) -> TourneyError:
    """Return the error with the newest change that only the mirror has, in words."""

    changes = database.mirrored_changes(error.mirror)
    if not changes:
        return error
    message = _("{message}; the newest: {change}").format(message=error.message, change=changes[-1])
    return TourneyError(error.code, message, error.hint)


def _lines(message: str, hint: str) -> list[str]:
    """Return both lines, with the middle left out of what is too long, such as a file of 40,000 letters."""
    shown_hint = _one_line(hint)
    shown = _shortened(_one_line(message), max(MAX_REFUSAL // 2, MAX_REFUSAL - len(shown_hint)))
    lines = [_("error: {message}").format(message=shown)]
    if hint:
        lines.append(_("hint: {hint}").format(hint=_shortened(shown_hint, MAX_REFUSAL - len(shown))))
    return lines


def _shortened(text: str, most: int) -> str:
    """Return the text in at most so many characters: its beginning and, half as long, its end."""
    end = most // 3
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


def _usage(error: TyperException) -> list[str]:
    """Return what is wrong with a command line, and what helps; without anything better, the help page.

    Typer's errors are told apart by their attributes, since it publishes only the class of refused values.
    """
    path, command = _command(error)
    param, option = getattr(error, "param", None), getattr(error, "option_name", None)
    if param is not None and hasattr(error, "param_type"):
        message = _("{name} is missing").format(name=_name(param))
        hint = _example(path, command, _typed_options(error, command))
    elif param is not None:
        message, hint = _refused_value(param, error.message, command)
    elif option is not None and hasattr(error, "possibilities"):
        message, hint = _unknown_option(option, path, command)
    elif option is not None:
        message, hint = _misused_option(option, command)
    else:
        message, hint = _other_misuse(error.format_message(), path, command)
    return _lines(message, hint or _("`{path} -h` explains it").format(path=path))


def _command(error: TyperException) -> tuple[str, Any]:
    """Return the words of the command that was meant, and the command; None if there is none."""
    context: Any = getattr(error, "ctx", None)
    if context is None:
        return "tourney", None
    verb = context.invoked_subcommand
    if verb is None:
        return context.command_path, context.command
    return f"{context.command_path} {verb}", context.command.get_command(context, verb)


def _typed_options(error: TyperException, command: Any) -> set[str]:
    """Return the options that were typed before one was missed."""
    context: Any = getattr(error, "ctx", None)
    if context is None or context.command is not command:
        return set()
    sources = {param.opts[0]: context.get_parameter_source(param.name) for param in command.params}
    return {option for option, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


def _example(path: str, command: Any, typed: AbstractSet[str] = frozenset()) -> str:
    """Return an example of a command: the first, or the one with most of the options typed; "" if it has none."""
    examples = (command.epilog or "").splitlines()
    if not examples:
        return ""
    example = max(examples, key=lambda line: len(typed & set(line.split())))
    return _("for example `{example}`; `{path} -h` explains it").format(example=example, path=path)


def _name(param: Any) -> str:
    """Return the name under which people know the parameter: `EVENT` or `--round`."""
    if param.param_type_name == "option":
        return str(param.opts[0])
    return str(param.human_readable_name.removeprefix("[EVENT] ").rstrip("."))


def _unknown_option(option: str, path: str, command: Any) -> tuple[str, str]:
    message = _("there is no option {option}").format(option=option)
    if hasattr(command, "commands"):
        hint = _("options go after the command, as in `tourney player list --db FILE`; `{path} -h` lists the commands")
        return message, hint.format(path=path)
    if option[1:].isdecimal() and (example := _example(path, command)):
        return _("{option} is read as an option: numbers here have no sign").format(option=option), example
    known = [name for param in getattr(command, "params", ()) for name in param.opts if name.startswith("--")]
    # Without the dashes, which would make every short option similar to every other.
    short = [name for name in known if len(option) == 2 and name[2] == option[1]]
    names = [name.lstrip("-") for name in (*known, *global_flags(), OPTION, "--help")]
    near = [name.lstrip("-") for name in short[:1]] or similar(option.lstrip("-"), names)
    hint = _("did you mean --{option}? `{path} -h` lists the options") if near else _("`{path} -h` lists the options")
    return message, hint.format(option="".join(near), path=path)


def _misused_option(option: str, command: Any) -> tuple[str, str]:
    # `--help` is not among the command's own parameters.
    param = next((param for param in command.params if option in param.opts), None)
    if param is None or param.is_flag:
        return _("{option} takes no value").format(option=option), ""
    message = _("{option} needs a value after it").format(option=option)
    return message, _("{option} {value}: {help}").format(option=option, value=param.metavar, help=param.help)


def _refused_value(param: Any, reason: str, command: Any) -> tuple[str, str]:
    """Return what is wrong with a value, and the nearest possible one, or how the command clears the setting."""
    found, name = _VALUE.match(reason), _name(param)
    if found is None:
        return _("{name}: {reason}").format(name=name, reason=reason), ""
    value = found["value"] if len(found["value"]) <= MAX_VALUE_SHOWN else f"{found['value'][: MAX_VALUE_SHOWN - 1]}…"
    if found["why"] == "a valid" and found["value"].isdecimal():
        return _("{name} cannot be “{value}”: it has too many digits").format(name=name, value=value), ""
    message = _("{name} cannot be “{value}”: it must be {possible}").format(
        name=name, value=value, possible=_possible(param.type)
    )
    near = similar(found["value"], getattr(param.type, "choices", ()))
    hint = _("did you mean `{name} {value}`?").format(name=name, value=quote_argument(near[0])) if near else ""
    return message, hint or _cleared(param, command)


def _cleared(param: Any, command: Any) -> str:
    """Return how the command takes back a setting; "" if it does not."""
    clear = next((other for other in getattr(command, "params", ()) if "--clear" in other.opts), None)
    setting = param.opts[0].removeprefix("--")
    if setting not in getattr(getattr(clear, "type", None), "choices", ()):
        return ""
    return _("`--clear {setting}` takes the setting back").format(setting=setting)


def _possible(kind: Any) -> str:
    """Return in words the values that a parameter of this type can have."""
    if hasattr(kind, "choices"):
        return either(map(quote_argument, kind.choices))
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if most is not None and kind.name == "float range":
        return _("a number from {least} to {most}").format(least=least, most=most)
    if most is not None:
        return _("a whole number from {least} to {most}").format(least=least, most=most)
    if least is not None:
        return _("a whole number from {least} up").format(least=least)
    return _("a whole number") if kind.name == "int" else _("a number")


def _other_misuse(message: str, path: str, command: Any) -> tuple[str, str]:
    found = _TOO_MANY.match(message)
    if found is None:
        return message[:1].lower() + message[1:].rstrip("."), ""
    takes_names = any(param.param_type_name == "argument" for param in command.params)
    # Words that were quoted may still belong to an option, as in the example.
    quotes = _('a name of several words needs quotes, such as "Ana María"')
    hint = "; ".join(filter(None, [quotes, _example(path, command)])) if takes_names else ""
    return _("`{path}` does not take “{words}”").format(path=path, words=found["words"]), hint


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
        _write(cleaned(line.rstrip("\n")))


def _show(line: str, style: str) -> None:
    if sys.stderr is None or not sys.stderr.isatty():
        _write(line)
        return
    from tourney.reports.render.page import message

    with suppress(OSError):
        message(line, style, sys.stderr, terminal_width())


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
