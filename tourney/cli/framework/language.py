"""The language of the program, chosen before the modules of commands are imported, since these hold their sentences."""

import os
from collections.abc import Sequence

from tourney.text.i18n import LANGUAGES, VARIABLE, _, either, known, preferred, speak

OPTION = "--lang"
KEEPING = frozenset({("event", "new"), ("event", "set")})
"""The commands with an option of this name, of which the event keeps the value."""


def choose(args: Sequence[str]) -> None:
    """Choose the language of this process: the one asked for by the words, or else by the environment.

    Processes that this one starts have it, too. A language that we lack is left to `without_language`.
    """
    asked = known(_last_asked(args) or "")
    if asked is not None:
        os.environ[VARIABLE] = asked
    speak(asked or preferred())


def without_language(args: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the words without `--lang`, which may be anywhere before a bare `--`, and the language asked for.

    Commands that keep the language still have the option.

    Raises TourneyError USAGE for a language that we lack, or none.
    """
    asked = _last_asked(args)
    if asked is None:
        return list(args), None
    language = known(asked)
    if language is None:
        raise _unknown(asked)
    taken = {index for start, length, _name in _places(args) for index in range(start, start + length)}
    words = [word for index, word in enumerate(args) if index not in taken]
    return (_with_option(words, language) if tuple(words[:2]) in KEEPING else words), language


def _with_option(words: list[str], language: str) -> list[str]:
    """Return the words with the option, once, where the command reads it."""
    end = words.index("--") if "--" in words else len(words)
    return [*words[:end], OPTION, language, *words[end:]]


def _last_asked(args: Sequence[str]) -> str | None:
    """Return the language named last; "" if the option has no value."""
    return next((name for _start, _length, name in reversed(_places(args))), None)


def _places(args: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return where the option is: index, number of words, and its value."""
    end = args.index("--") if "--" in args else len(args)
    found = []
    for index, word in enumerate(args[:end]):
        if word == OPTION:
            found.append((index, 2, args[index + 1] if index + 1 < end else ""))
        elif word.startswith(f"{OPTION}="):
            found.append((index, 1, word.partition("=")[2]))
    return found


def _unknown(name: str) -> Exception:
    from tourney.domain.errors import ExitCode, TourneyError

    languages = either(f"{OPTION} {language}" for language in LANGUAGES)
    lacking = _("tourney has no sentences in “{name}”") if name else _("{option} needs a value after it")
    return TourneyError(ExitCode.USAGE, lacking.format(name=name[:40], option=OPTION), languages)
