"""Command lines with bad input: every command and every option has its turn.

Commands and options are those of the program; only what a person would type for each kind of value stands here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Any, Final, NamedTuple

from tests.harness.bad_input.mutations import MANY, mutated, mutated_file
from tests.harness.commands import all_commands
from tests.harness.desk import ROOT

FIXTURES: Final = ROOT / "fixtures"
SHARE_GIVEN: Final = 0.15
"""The share of the other options that a command line has."""
SHARE_LANGUAGE: Final = 0.05
"""The share of the command lines with `--lang`, and of those with a value of TOURNEY_LANG."""
SHARE_FILES_MUTATED: Final = 0.8
"""The share of the files of which the content is bad; of the rest it is the name."""

_VALUES: Final[dict[str, Sequence[str]]] = {
    "EVENT": ("Friday", "Evening"),
    "PLAYER": ("Ana", "2", "Beñat", "Carmen"),
    "[EVENT] PLAYER": ("Ana", "Beñat"),
    "[EVENT] NUMBER": ("1",),
    "[EVENT] FOLDER": ("Friday", "pages"),
    "NAME": ("Ana", "Newcomer"),
    "NEW": ("Ane",),
    "KEEP": ("Ana",),
    "GONE": ("Beñat",),
    "NAMES": ("Ana,Beñat", "Ana,Beñat,Carmen", "club"),
    "NAME=T": ("Ana=1", "Beñat=2"),
    "BOT:N,...": ("greedy:2,random:2", "greedy:1"),
    "BOT,BOT,...": ("random,random", "random,greedy"),
    "A": ("random",),
    "B": ("greedy",),
    "TEXT": ("because", "7", "Getxo"),
    "DATE": ("2026-11-20",),
    "YEAR": ("2026",),
    "POOL": ("people", "races", "bots"),
    "RULES": ("oficial", "knock", "zoliky", "oficial+no-jokers"),
    "OTHER": ("fournier",),
    "CONTRACT": ("TT", "TE", "EEE"),
    "HAND": ("TT Ana=0 Beñat=20 Carmen=30", "knock Ana=5 Beñat=85 buys=Beñat", "rummy Ana=-10 Beñat=35 jokers=3"),
    "MELDS": ("7h 7d 7c / 4s 5s 6s", "7h 7d 7c / 9h 9d 9c", "-"),
    "MELD": ("7h 7d 7c", "4s 5s 6s 7s"),
    "CARD": ("7s", "8s"),
    "CARDS": ("As 2s 3s 4s 7h 7d 7c Kd", "*", "-"),
    "KIND": ("wrong-lay-down", "note"),
    "MOMENT": ("later",),
    "THEIRS=OURS": ("jugador=player", "name=name", "equipo=club"),
    "FIELD=NAME": ("player=driver", "date=day"),
    "PAGE": ("rules", "seating"),
    "N,N,...": ("4,4,3",),
    "P": ("0.95", "0.99"),
    "HOURS": ("3", "2.5"),
    "SHARE": ("0.1",),
    "POINTS": ("25", "8.3"),
    "SETTING": ("date",),
    "TO": ("copy.db",),
    "FROM": ("kept.db",),
    "FOLDER": (".",),
    "FILE": ("file.csv",),
    "LEAGUE": ("1",),
    "OLD": ("random",),
    "LOW,HIGH": ("0,1", "0,0.5"),
    "SCHEDULER": ("dask:nowhere.json",),
}
_NUMBERS: Final = ("1", "2", "4", "1", "2", "3")
"""The numbers typed where they are right; small, since a long league is no bad input."""

_BOUNDS: Final = {"blocks": "1", "workers": "1", "games": "1", "shuffles": "1"}
"""Numbers that keep the work of a command small: they are always given."""

_FILES: Final[dict[tuple[str, str], Sequence[str]]] = {
    ("player import", "file"): ("club/players.csv",),
    ("event enter", "file"): ("club/players.csv",),
    ("event import", "file"): ("club/friday.event",),
    ("event import", "sheets"): ("club/score-sheets.csv", "club/score-sheets-cp1252.csv"),
    ("result enter", "file"): ("sheet.toml", "sheet-knock.toml"),
    ("result correct", "file"): ("sheet.toml", "sheet-knock.toml"),
    ("ruling add", "file"): ("sheet.toml", "sheet-knock.toml"),
    ("round draw", "file"): ("bad/seating-player-twice.csv", "bad/seating-round-missing.csv"),
    ("seating plan", "file"): ("club/players.csv",),
    ("seating plan", "played"): ("bad/seating-player-twice.csv", "bad/seating-nine-at-a-table.json"),
    ("seating judge", "file"): ("bad/seating-player-twice.csv", "bad/seating-nine-at-a-table.json"),
    ("rating import", "file"): ("bad/results-driver-twice.csv", "bad/results-two-dates.csv"),
    ("league import", "file"): ("bad/league-digit-changed.league", "bad/league-doubled.league"),
    ("league run", "book"): ("bad/book-deal-twice.txt",),
    ("league test", "book"): ("bad/book-deal-twice.txt",),
    ("record verify", "file"): ("records/oficial.toml", "records/knock.toml"),
    ("record replay", "file"): ("records/oficial.toml", "records/knock.toml"),
    ("record show", "file"): ("records/oficial.toml", "records/knock.toml"),
}
"""Files that are read; those of `bad` have one fault each, and all else is as it should be."""
_RULES: Final = ("bad/rules-bonus-positive.toml", "bad/rules-variant-twice.toml", "bad/rules-deal-too-large.toml")
_WRITTEN: Final = ("svg", "output")
"""Options with a file that is written."""
_TYPED: Final = ("0\t7h 7d 7c\nTT\t7h 7d 7c / 9h 9d 9c\n", "As 2s 3s\nKd\n", "7h 7d 7c\t7s\n")


_ASKING: Final = (
    "result enter",
    "result enter --round 2 --table 1",
    "result correct Friday --round 1 --table 1 --reason slip",
    "undo",
    "undo --dry-run",
    "redo",
)
"""Commands that ask at a terminal."""
_ANSWERS: Final = ("1", "2", "3", "", "y", "n", "b", "?", "d", "0", "-10", "35", "Kh 7d", "Ana", "*", "yes", "no", "q")
SHARE_BAD_ANSWERS: Final = 0.3


class Target(NamedTuple):
    """A command and one of its parameters."""

    command: str
    parameter: Any
    parameters: tuple[Any, ...]


@dataclass(slots=True)
class Case:
    """A command line, the files that it reads, and what is typed on standard input, which may be a terminal."""

    words: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    typed: bytes = b""
    terminal: bool = False
    language: str = ""
    """The value of TOURNEY_LANG; empty if the variable is as in all tests."""


@cache
def targets() -> tuple[Target, ...]:
    """Return every parameter of every command."""
    leaves = [
        (" ".join(path), command) for path, command in all_commands() if path and not hasattr(command, "commands")
    ]
    found = []
    for path, command in leaves:
        parameters = tuple(command.params)
        found += [Target(path, parameter, parameters) for parameter in parameters]
    return tuple(found)


def cases(seed: int, number: int) -> Iterator[Case]:
    """Yield so many cases; the targets take turns in an order that depends on the seed."""
    order = list(targets())
    Random(seed).shuffle(order)
    for turn, target in enumerate(islice(cycle(order), number)):
        built = case(Random(f"{seed} {turn}"), target)
        _ask_for_a_language(Random(f"{seed} {turn} language"), built, len(target.command.split()))
        yield built


def dialogues(seed: int, number: int) -> Iterator[Case]:
    """Yield so many cases of commands that ask, with bad answers."""
    for turn in range(number):
        rng = Random(f"{seed} dialogue {turn}")
        answers = [rng.choice(_ANSWERS) for _answer in range(rng.randrange(1, 40))]
        lines = [mutated(rng, answer) if rng.random() < SHARE_BAD_ANSWERS else answer for answer in answers]
        typed = "\n".join(lines).encode("utf-8", "surrogatepass" if rng.random() < 0.5 else "replace")
        yield Case(rng.choice(_ASKING).split(), {}, typed, terminal=True)


def case(rng: Random, target: Target) -> Case:
    """Return the command with bad input for one parameter, and with some of the others."""
    built = Case(target.command.split())
    options, arguments = [], []
    for parameter in target.parameters:
        is_target = parameter is target.parameter
        if is_target or parameter.required or parameter.name in _BOUNDS or rng.random() < SHARE_GIVEN:
            words = _given(rng, built, target.command, parameter, bad=is_target)
            (options if parameter.param_type_name == "option" else arguments).append(words)
    rng.shuffle(options)
    built.words += [word for words in (*arguments, *options) for word in words]
    if rng.random() < 0.03:
        built.words.append(mutated(rng, "--help"))
    built.typed = mutated_file(rng, rng.choice(_TYPED).encode())
    return built


def _ask_for_a_language(rng: Random, built: Case, after: int) -> None:
    """Add what may stand anywhere in a command line and is no parameter of a command, or the variable for it."""
    if rng.random() < SHARE_LANGUAGE:
        place = rng.randrange(after, len(built.words) + 1)
        built.words[place:place] = rng.choice((["--lang", "es"], ["--lang", mutated(rng, "es")], ["--lang"]))
    if rng.random() < SHARE_LANGUAGE:
        value = mutated(rng, "es").encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
        built.language = value.replace("\x00", "")  # which no variable can have


def _given(rng: Random, built: Case, command: str, parameter: Any, *, bad: bool) -> list[str]:
    """Return the words of a parameter, with a bad value or a usual one."""
    if getattr(parameter, "is_flag", False):
        return [parameter.opts[0] + (rng.choice(("", "", "=", "=1", "=x" * 50)) if bad else "")]
    if bad and parameter.nargs == -1 and rng.random() < 0.1:
        return [f"Name{number}" for number in range(MANY)]
    values = [_value(rng, built, command, parameter, bad=bad) for _number in range(2 if parameter.nargs == -1 else 1)]
    if parameter.param_type_name == "argument":
        return values
    if bad and rng.random() < 0.05:
        return [parameter.opts[0]]
    return [f"{parameter.opts[0]}={values[0]}"] if rng.random() < 0.3 else [parameter.opts[0], values[0]]


def _value(rng: Random, built: Case, command: str, parameter: Any, *, bad: bool) -> str:
    metavar = str(parameter.metavar or "").removesuffix("...").strip("[] ")
    if (command, parameter.name) in _FILES:
        return _file(rng, built, _FILES[command, parameter.name], bad=bad)
    if metavar == "RULES" and rng.random() < 0.3:
        return _file(rng, built, _RULES, bad=bad)
    usual = _usual(rng, parameter)
    if not bad:
        return usual
    value = mutated(rng, usual)
    return _harmless(value) if parameter.name in _WRITTEN or metavar in ("TO", "FILE", "EVENT] FOLDER") else value


def _usual(rng: Random, parameter: Any) -> str:
    if getattr(parameter.type, "choices", ()):
        return str(rng.choice(list(parameter.type.choices)))
    if parameter.name in _BOUNDS:
        return _BOUNDS[parameter.name]
    if parameter.type.name.startswith("int"):
        return rng.choice(_NUMBERS)
    known = str(parameter.metavar or "")
    return rng.choice(_VALUES.get(known) or _VALUES.get(known.removesuffix("...").strip("[] ")) or _VALUES["NAME"])


def _file(rng: Random, built: Case, names: Sequence[str], *, bad: bool) -> str:
    """Return the name of a file of the case: with bad content, with a bad name, or as it is in fixtures."""
    content = (FIXTURES / rng.choice(names)).read_bytes()
    name = f"file{len(built.files)}.{rng.choice(('csv', 'toml', 'json'))}" if bad else rng.choice(names).split("/")[-1]
    if bad and rng.random() > SHARE_FILES_MUTATED:
        return mutated(rng, name)
    built.files[name] = mutated_file(rng, content) if bad else content
    return name


def _harmless(path: str) -> str:
    """Return a path that is written within the folder of the test."""
    return path.replace("..", "__").lstrip("/~") or "x"
