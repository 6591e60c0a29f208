"""Entrants files: bots with names, parameters, further files and limits, as TOML."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any, Final

from engine.text import toml_fault, toml_tables
from tourney.bots.limits import limits_of
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import MOST_BOTS, MOST_ENTRANT, OutsideBot
from tourney.files.named import read_bytes
from tourney.rulebook.engine_sentences import translated
from tourney.text.i18n import _
from tourney.text.names import clean
from tourney.text.sanitize import sanitize

MAX_BYTES: Final = 1_000_000
KEYS: Final = ("name", "entrant", "parameters", "files", "limits")
DIGEST: Final = re.compile("[0-9a-f]{64}")
LIMITS: Final = ("action", "bank", "start", "stderr", "answer", "memory", "fuel")
MOST_NUMBER: Final = 1 << 63
EXAMPLE: Final = '[[bot]]  name = "bold"  entrant = "mine.py:Mine"  parameters = { risk = 3 }  files = ["weights.bin"]'
"""A bot in an entrants file, in one line."""


@dataclass(frozen=True, slots=True)
class FileBot:
    """A bot as a file names it: the entrant's text with its parameters, and what else the file says."""

    entrant: str
    name: str = ""
    files: tuple[str, ...] = ()
    limits: tuple[tuple[str, float], ...] = ()


def read_entrants_file(path: Path) -> list[FileBot]:
    """Return the bots of the file, in its order. Raises TourneyError NOT_FOUND or STORAGE if it cannot be read.

    USAGE for a file that is not TOML, or that says something else than who plays.
    """
    data = read_bytes(path, MAX_BYTES, _("an entrants file has some lines for each bot"))
    try:
        text = data.decode("utf-8-sig")
        tables = toml_tables(text)
    except UnicodeDecodeError:
        raise _refusal(path, _("it is not UTF-8 text")) from None
    except (TOMLDecodeError, ValueError, RecursionError) as error:
        raise _refusal(path, translated(toml_fault(error, text))) from None
    bots = tables.get("bot")
    if set(tables) != {"bot"} or not isinstance(bots, list) or not 0 < len(bots) <= MOST_BOTS:
        raise _refusal(path, _("it has a table [[bot]] for each bot, and nothing else"))
    return [_bot(path, number, bot) for number, bot in enumerate(bots, 1)]


def _refusal(path: Path, problem: str) -> TourneyError:
    message = _("{file}: {problem}").format(file=path, problem=problem)
    return TourneyError(ExitCode.USAGE, message, _("write a bot as `{example}`").format(example=EXAMPLE))


def _bot(path: Path, number: int, bot: object) -> FileBot:
    if not isinstance(bot, dict):
        raise _refusal(path, _("it has a table [[bot]] for each bot, and nothing else"))
    unknown = next((key for key in bot if key not in KEYS), None)
    if unknown is not None:
        problem = _("bot {number} has the unknown key “{key}”; the keys are: {keys}")
        raise _refusal(path, problem.format(number=number, key=unknown[:40], keys=", ".join(KEYS)))
    entrant, name, files = bot.get("entrant"), bot.get("name", ""), bot.get("files", [])
    if not isinstance(entrant, str) or not entrant.strip():
        raise _refusal(path, _("bot {number} has no entrant").format(number=number))
    if unseen := unseen_in(number, entrant.strip()):
        raise _refusal(path, unseen)
    if not isinstance(name, str) or not isinstance(files, list) or not all(isinstance(file, str) for file in files):
        problem = _("the name of bot {number} is one text, and its files are a list of texts")
        raise _refusal(path, problem.format(number=number))
    text = entrant.strip() + _parameters(path, number, entrant, bot.get("parameters", {}))
    if max(map(len, (text, *files))) > MOST_ENTRANT:
        problem = _("the entrant of bot {number}, or the name of one of its files, has more than {most} characters")
        raise _refusal(path, problem.format(number=number, most=MOST_ENTRANT))
    limits = _limits(path, number, bot.get("limits", {}))
    return FileBot(
        text,
        clean(name, _("name")) if name else "",
        tuple(files),
        limits,
    )


def unseen_in(number: int, *texts: str) -> str:
    """Return what to say of a bot of whose texts one has characters that cannot be seen; "" if none has."""
    if all(sanitize(text) == text for text in texts):
        return ""
    return _("the entrant of bot {number} has characters that cannot be seen").format(number=number)


def refuse_unsound(outside: Iterable[OutsideBot]) -> None:
    """Raise TourneyError REFUSED for bots of another computer if one has characters that cannot be seen.

    Raises ValueError or TypeError for one with files or limits that no bot has.
    """
    for number, bot in enumerate(outside, 1):
        limits_of(bot.limits)
        if not all(name and DIGEST.fullmatch(digest) for name, digest in bot.files):
            raise ValueError("not a file")
        if unseen := unseen_in(number, bot.name, bot.entrant, bot.runtime, *chain(*bot.files)):
            hint = _("its author names it without them, and exports the file again")
            raise TourneyError(ExitCode.REFUSED, unseen, hint)


def _parameters(path: Path, number: int, entrant: str, parameters: object) -> str:
    """Return the parameters as they stand behind a name."""
    if not isinstance(parameters, Mapping) or not all(_is_plain(value) for value in parameters.values()):
        problem = _("the parameters of bot {number} are texts, numbers, true or false")
        raise _refusal(path, problem.format(number=number))
    parts = [f"{key}={_written(value)}" for key, value in parameters.items()]
    return ("&" if "?" in entrant else "?") + "&".join(parts) if parts else ""


def _is_plain(value: object) -> bool:
    return _is_number(value) or (isinstance(value, str) and "&" not in value)


def _is_number(value: Any) -> bool:
    """Return whether a value is a number that is finite, and that a float can hold."""
    return isinstance(value, int | float) and abs(value) < MOST_NUMBER


def _written(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _limits(path: Path, number: int, limits: object) -> tuple[tuple[str, float], ...]:
    if not isinstance(limits, Mapping):
        raise _refusal(path, _("the limits of bot {number} must be a table of numbers").format(number=number))
    for name, value in limits.items():
        if name not in LIMITS:
            problem = _("bot {number} has the unknown limit “{limit}”; the limits are: {limits}")
            raise _refusal(path, problem.format(number=number, limit=name[:40], limits=", ".join(LIMITS)))
        empty_bank = name == "bank" and value == 0
        if isinstance(value, bool) or not _is_number(value) or not (value > 0 or empty_bank):
            problem = _("the limit “{limit}” of bot {number} must be a number above 0")
            raise _refusal(path, problem.format(limit=name, number=number))
    return tuple(sorted(limits.items()))
