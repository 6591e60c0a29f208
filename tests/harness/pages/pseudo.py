"""A pseudo-language, `qps`, in which a sentence that is not translated, or not whole, can be seen.

Each letter of a sentence is replaced by one with an accent, the sentence is put into brackets and made 30 % longer;
placeholders, commands, options and what is typed stay. Plain letters in what a command prints are then data, or a
sentence that does not pass through gettext. `python -m tests.harness.pages.pseudo PART …` runs the commands of these
parts in a process of its own, since help texts keep the language of the start, and prints what it finds as JSON.
"""

import gettext
import io
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

LANGUAGE: Final = "qps"
PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACCENTED: Final = "áƀćďéƒǵĥíĵķĺɱńóþɋŕśťúṽŵẋýźÁƁĆĎÉƑǴĤÍĴĶĹḾŃÓÞɊŔŚŤÚṼŴẊÝŹ"
_ACCENTS: Final = str.maketrans(PLAIN, ACCENTED)
_KEPT: Final = re.compile(
    r"\{[^{}]*\}|`[^`]*`|--[a-z][a-z-]*|\"[^\"]*\"|\b[A-Z]{2,}\b|\b[\w-]+\.(?:csv|toml|db|html|md|json|xlsx|svg)\b"
)
"""The parts of a sentence that stay: placeholders, commands, options, what is typed, metavars and names of files."""

FILLER: Final = "~"
WIDTH: Final = 80


def pseudo(sentence: str) -> str:
    """Return a sentence in the pseudo-language; blanks around it stay outside of the brackets."""
    body = sentence.strip()
    # Lines that begin with the program's name are examples to paste.
    if not body or all(line.startswith("tourney ") for line in body.splitlines()):
        return sentence
    lead, tail = sentence[: len(sentence) - len(sentence.lstrip())], sentence[len(sentence.rstrip()) :]
    end = 0
    parts = []
    for found in _KEPT.finditer(body):
        parts += [body[end : found.start()].translate(_ACCENTS), found[0]]
        end = found.end()
    parts.append(body[end:].translate(_ACCENTS))
    length = len(re.sub(r"\{[^{}]*\}", "", body))
    filler = FILLER * max(0, ceil(0.3 * length) - 2)
    # As long words as the sentence has, so that a line can be broken.
    filler = " ".join(filler[start : start + 7] for start in range(0, len(filler), 8)) if " " in body else filler
    return f"{lead}⟦{''.join(parts)}{filler}⟧{tail}"


class Pseudo(gettext.NullTranslations):
    """The catalogue of the pseudo-language, which has the sentences of the template and no others."""

    def __init__(self) -> None:
        from tests.harness.pages import catalogue

        super().__init__()
        self._known = {text for message in catalogue.read(catalogue.TEMPLATE) for text in catalogue.texts(message.id)}

    def gettext(self, message: str) -> str:
        from tourney.text.i18n import CONTEXT

        return pseudo(message.rpartition(CONTEXT)[2]) if message in self._known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)


def install() -> None:
    """Make the program speak the pseudo-language; no module of a command may have been imported before."""
    from tourney.text import i18n

    assert "tourney.cli.framework.help_pages" not in sys.modules
    catalogue, before = Pseudo(), i18n._catalogue
    vars(i18n)["LANGUAGES"] = {**i18n.LANGUAGES, LANGUAGE: "pseudo"}
    vars(i18n)["_catalogue"] = lambda language: catalogue if language == LANGUAGE else before(language)
    vars(i18n)["_read"] = lambda language: catalogue
    i18n.speak(LANGUAGE)


class Shown(NamedTuple):
    """Text that a command printed, and the words that are data there."""

    command: str
    text: str
    data: frozenset[str]


def printed(words: list[str], database: str, folder: Path, given: str = "") -> str:
    """Return what a command shows at a terminal of 80 columns without colours, in the language that is spoken."""
    from contextlib import chdir
    from unittest.mock import patch

    from tests.harness.commands import KeptTerminal, output_to
    from tourney.cli.framework.app import main
    from tourney.text.i18n import language

    screen = KeptTerminal()
    environment = {"TOURNEY_LANG": language(), "TERM": "dumb", "COLUMNS": str(WIDTH), "TOURNEY_BY": "desk"}
    stdin = io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    with chdir(folder), patch.object(sys, "stdin", stdin), output_to(screen, TOURNEY_DB=database, **environment):
        main(words)
    return screen.getvalue()


def words_in(text: str) -> frozenset[str]:
    """Return the words of a text, in lower case."""
    return frozenset(word.lower() for word in re.findall(r"[A-Za-z]+", text))


def names_of_program() -> frozenset[str]:
    """Return the names that are typed or recorded, of one word: commands, metavars, values, rules, presets, bots.

    Titles of documents are names too.
    """
    from engine.bots import BOTS
    from engine.rules import all_rules, load_rules
    from engine.rules.loading import variants_of
    from tests.harness.commands import all_commands
    from tourney.bots.isolation.levels import LEVELS
    from tourney.domain.club import COLOURS
    from tourney.service.stages.presets import PRESETS
    from tourney.standings import table_points

    found = {
        *BOTS,
        *RECORDED.split(),
        *EXEMPT.split(),
        *all_rules(),
        *LEVELS,
        *PRESETS,
        *table_points.PRESETS,
        *COLOURS,
    }
    for name in all_rules():
        found |= {*variants_of(name), load_rules(name).title}
    for path, command in all_commands():
        found |= {*path}
        for param in command.params:
            values = {*map(str, getattr(param.type, "choices", ())), str(param.default or "")}
            found |= {value for value in values if " " not in value} | {param.metavar or ""}
    return words_in(" ".join(found))


def values_of_words() -> frozenset[str]:
    """Return the values of options that have several words, such as `count hands`."""
    from tourney.domain.events import SETTINGS
    from tourney.seating.formats import FORMATS
    from tourney.seating.model import Aim

    values = {*FORMATS, *get_args(Aim), *(choice for setting in SETTINGS.values() for choice in setting.choices)}
    return frozenset(value for value in values if " " in value)


def help_pages(_folder: Path, step: int = 1) -> Iterator[Shown]:
    """Yield the help page of every command, or of one in so many."""
    from tests.harness.commands import all_commands

    for path, command in islice(all_commands(), 0, None, step):
        names = " ".join(str(param.metavar) for param in command.params)
        with tempfile.TemporaryDirectory() as folder:
            text = printed([*path, "-h"], f"{folder}/none.db", Path(folder))
        yield Shown(" ".join(("tourney", *path, "-h")), text, words_in(names + " " + (command.epilog or "")))


def documented(folder: Path, *pages: str) -> Iterator[Shown]:
    """Yield the commands of README and guide, each page with its own database and files."""
    import shlex

    from tests.harness.pages.examples import EXAMPLE, PAGES, ROOT, Session, fences

    for name in pages or PAGES:
        place = folder / name
        place.mkdir()
        session = Session(PAGES[name], place)
        data = " ".join(fence["body"] for fence in fences(PAGES[name]) if fence["file"])
        data += " ".join(file.read_text() for file in (ROOT / "tourney" / "examples").iterdir())
        for fence in fences(PAGES[name]):
            if fence["language"] == "console":
                for found in EXAMPLE.finditer(fence["body"]):
                    command = found["command"].partition(" | head -")[0]
                    data += f" {command}"
                    text = printed(shlex.split(command)[1:], session.database, session._place)
                    yield Shown(command, text, words_in(data))


def refusals(folder: Path) -> Iterator[Shown]:
    """Yield the bad commands of the fixtures."""
    from tests.harness import desk
    from tests.tourney.cli.test_bad_commands import make_a_played_round

    database = desk.copied(folder / "desk.db", make_a_played_round)
    cases = tomllib.loads((desk.BAD / "commands.toml").read_text(encoding="utf-8"))
    for case in cases.values():
        words = [word.replace("FIXTURES", str(desk.ROOT / "fixtures")) for word in case["words"]]
        text = printed(words, database, folder)
        yield Shown("tourney " + " ".join(words)[:200], text, words_in(" ".join(words)) | words_in(str(folder)))


def some_pages(folder: Path) -> Iterator[Shown]:
    """Yield the help pages of every tenth command, and the page of the rules."""
    yield from islice(help_pages(folder), 0, None, 10)
    yield Shown(
        "tourney rules show knock", printed(["rules", "show", "knock"], f"{folder}/none.db", folder), frozenset()
    )


PARTS: Final = {"some": some_pages, "help": help_pages, "documented": documented, "refusals": refusals}

FOR_PROGRAMS: Final = re.compile(r"--json|--format (json|csv|csv-es)|--record|^tourney guide|--version|^tourney record")
"""Commands whose output is for programs, or a page that is translated as a whole."""

RECORDED: Final = (
    "stock take pass claim discard buy decline down off swap move close knock rummy color continental buys"
)
"""The words of recorded actions and endings, which are the same in every language."""
EXEMPT: Final = """
    tourney csv toml json html pdf xlsx utf excel trueskill openpyxl jk ana beñat carmen getxo four options lang command
    id mu sigma sha beta tau joint rounds bots readme pin dnf
"""
"""Words that are the same in every language, and names in examples: 40 at most."""

_ALLOWED: Final = re.compile(
    r"`[^`]*`|\"[^\"]{,60}\"|--[a-z][a-z-]*|\b(?:[2-9TJQKA][cdhs]|Jk)\b|\b[TE]{1,5}\b|\b[\w./~-]+\.(?:csv|toml|db|html|md|json|xlsx|svg|py)\b"
    r"|https?:\S+|\b[0-9a-f]{8,}\b"
)


def plain_words(shown: Shown, allowed: frozenset[str], values: frozenset[str]) -> list[str]:
    """Return the words of an output that are neither translated nor data; a heading may divide data by a hyphen."""
    text = _ALLOWED.sub(" ", " ".join(shown.text.split()))
    for value in values:
        text = text.replace(value, " ")
    found = re.findall(r"(?<![^\W\d_])[A-Za-z]{2,}(?![^\W\d_])", text)
    data = allowed | shown.data
    return [word for word in found if word.lower() not in data and not _is_piece(word.lower(), data, text.lower())]


def _is_piece(piece: str, data: frozenset[str], text: str) -> bool:
    """Return whether the piece is one of two into which a hyphen divides a word of the data in this text."""
    pairs = ((word[:at], word[at:]) for word in data for at in range(1, len(word)) if piece in (word[:at], word[at:]))
    return any(f"{head}- " in text and re.search(rf"\b{re.escape(tail)}\b", text) for head, tail in pairs)


def wide_lines(shown: Shown) -> list[str]:
    """Return the lines of an output that are too wide."""
    return [line for line in shown.text.splitlines() if len(line) > WIDTH]


def findings(part: str) -> list[tuple[str, list[str], str]]:
    """Return the commands of a part that show untranslated words or wide lines, with these and the text."""
    names, values = names_of_program(), values_of_words()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for shown in PARTS[part](Path(folder)):
            if FOR_PROGRAMS.search(shown.command) and part == "documented":
                continue
            faults = [*plain_words(shown, names, values), *wide_lines(shown)]
            if faults:
                found.append((shown.command, faults, shown.text))
    return found


def run(*parts: str) -> Any:
    """Return the findings of these parts, made in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.harness.pages.pseudo", *parts], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    install()
    sys.stdout.write(json.dumps({part: findings(part) for part in sys.argv[1:]}, ensure_ascii=False))
