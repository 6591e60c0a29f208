"""Tests that every regular expression of the sources ends in a time that grows with its text, whoever wrote that text.

A pattern that reads a part of its text again at each place takes 100 times as long for ten times the text. None is
listed here: a new one has its turn at once, in the way in which the sources use it.
"""

import ast
import importlib
import pkgutil
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import from_regex

import engine
import tourney
from tourney.domain.errors import TourneyError
from tourney.files.sheet_toml import MAX_HAND, read_flags
from tourney.rulebook.engine_sentences import ACTIONS, action_text
from tourney.rulebook.fault_sentences import KINDS, REASONS, SENTENCES, fault_text
from tourney.service.directory import tidied
from tourney.text.composed import compose
from tourney.text.i18n import speaking
from tourney.text.look_alikes import drawn_as
from tourney.text.names import clean, fold, name_order

WAYS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "split")
PUMPED = (
    *("a", "1", " ", "\n", "=", "-", "(", "[", "{", "<", "/", "`", '"', "'", "a:", ": ", "a ", "1 ", "a=1 ", "= "),
    *("; ", ",", "(a) ", "1.", "jokers=", "Qh ", "\\", '="a" ', "de ", "\u00e9 "),
)
"""The pieces that a text has again and again, besides a pattern's own words."""
ENDS = ("", "\0")
MOST_TIMES = 400
"""The most time of a pattern, in times of a plain search: a linear one takes 20, a quadratic one thousands."""
OF_OURS = {
    "tourney.web.pages.desk.paper.paper._STYLE": "pages of ours, in which texts of others have no `<`",
    repr(r"\[([^\]]*)\]\((?!https?:)[^)]*\)"): "the guide",
}
"""Patterns that never meet a text of others, and what they read."""


def _modules() -> Iterator[ModuleType]:
    for package in (engine, tourney):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__") and ".starters" not in found.name:
                yield importlib.import_module(found.name)


@cache
def _uses() -> dict[str, set[str]]:
    """Return the ways in which the sources use each pattern, by the pattern's name or its text."""
    uses = defaultdict[str, set[str]](set)
    for package in (engine, tourney):
        for path in Path(package.__path__[0]).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                    continue
                way, owner = node.func.attr, node.func.value
                if way not in WAYS:
                    continue
                if isinstance(owner, ast.Name) and owner.id == "re":
                    if isinstance(node.args[0], ast.Constant):
                        uses[node.args[0].value].add(way)
                elif isinstance(owner, ast.Name | ast.Attribute):
                    uses[owner.id if isinstance(owner, ast.Name) else owner.attr].add(way)
    return uses


def _patterns() -> dict[str, tuple[re.Pattern[Any], set[str]]]:
    """Return every pattern of the sources with the ways in which it is used."""
    found = {}
    for module in _modules():
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                ways = _uses().get(name, set()) or {"search", "fullmatch"}
                found[f"{module.__name__}.{name}"] = value, ways
    for text, ways in _uses().items():
        if not text.isidentifier():
            found[repr(text)] = re.compile(text), ways
    return found


PATTERNS = _patterns()


def _of_pattern(pattern: str) -> list[str]:
    """Return the plain words of a pattern, which a text may have again and again."""
    return [word for word in re.findall(r"[\w<>:=`., -]{1,12}", re.sub(r"\\.|\[.*?\]|\{.*?\}", "", pattern)) if word]


def _seconds(use: Callable[[str], object], text: str) -> float:
    begun = process_time()
    use(text)
    return process_time() - begun


def _is_slow(use: Callable[[str], object], pieces: list[str], length: int = 10_000) -> str:
    """Return the text with which something takes too long; "" if it always ends in time."""
    plain = re.compile("[^b]*b").match
    most = MOST_TIMES * max(min(_seconds(plain, "a" * length) for _time in range(5)), 1e-8 * length)
    for piece, end in product(dict.fromkeys(pieces), ENDS):
        text = (piece * length)[:length] + end
        if min(_seconds(use, text) for _time in range(2)) > most:
            return f"{length} characters of {piece!r} with the end {end!r}"
    return ""


@pytest.mark.parametrize("name", sorted(PATTERNS.keys() - OF_OURS.keys()))
def test_a_pattern_takes_a_time_that_grows_with_its_text(name: str) -> None:
    pattern, ways = PATTERNS[name]
    is_binary = isinstance(pattern.pattern, bytes)
    source = pattern.pattern.decode() if is_binary else pattern.pattern

    def use(text: str) -> None:
        given = text.encode() if is_binary else text
        for way in ways:
            found = getattr(pattern, way)(*((given[:0], given) if way == "sub" else (given,)))
            if way == "finditer":
                list(found)

    assert _is_slow(use, [*PUMPED, *_of_pattern(source)]) == ""


@pytest.mark.parametrize("name", sorted(PATTERNS.keys() - OF_OURS.keys()))
def test_a_pattern_takes_such_a_time_also_behind_what_it_has_read(name: str) -> None:
    """A text that matches is cut at each place, and what is there, or may be, comes again and again."""
    pattern, ways = PATTERNS[name]

    @settings(derandomize=True, database=None, max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
    @given(from_regex(pattern, fullmatch=True))
    def cut_and_pumped(found: str | bytes) -> None:
        text = found if isinstance(found, str) else found.decode("latin-1")
        for at in range(1, min(len(text), 20) + 1):

            def use(pumped: str, begun: str = text[:at]) -> None:
                given = begun + pumped
                for way in ways & {"match", "fullmatch", "search"}:
                    getattr(pattern, way)(given if isinstance(found, str) else given.encode("latin-1", "replace"))

            assert _is_slow(use, [" ", "0", "a", text[at - 1], text[max(at - 2, 0) : at]], 5_000) == "", text[:at]

    # Hypothesis finds no text for a pattern that looks at what is around its match.
    with suppress(Unsatisfiable):
        cut_and_pumped()


def test_patterns_that_read_only_texts_of_ours_are_there() -> None:
    assert OF_OURS.keys() <= PATTERNS.keys()


def _fault(text: str) -> None:
    for kind in KINDS:
        fault_text(f"{kind.partition('|')[2]}: {text}")


def _hand(text: str) -> None:
    for ending in ("TT", "rummy"):
        try:
            read_flags([f"{ending} {text[: MAX_HAND - 10]}"])
        except TourneyError:
            continue


def _name(text: str) -> None:
    with suppress(TourneyError):
        clean(text)


def _composed(text: str) -> None:
    with suppress(TourneyError):
        compose(text)


READERS: dict[str, Callable[[str], object]] = {
    "a fault": _fault,
    "an action": action_text,
    "a hand": _hand,
    "a name": _name,
    "a text of a file": _composed,
    "a folded name": fold,
    "the order of names": name_order,
    "a name that is sought": tidied,
    "a name as it is drawn": drawn_as,
}
"""Readers whose patterns are made when they are used, and those that compose what they read."""
MARKS = (
    *(
        "\u0301\u0316",
        "a\u0301",
        "\u0344",
        "\u0f73",
        "\uff9e\u0316",
        "\u1161",
        "\u0b47\u0b3e",
        "\u3099",
        "e\u0345\u0301",
    ),
    *("\u0489", "\U0001d16f\u0301", "\uac00\u11a7"),
)
"""Marks of all kinds: such as have one class or two, or decompose into marks, and letters that compose."""


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_a_time_that_grows_with_its_text(reader: str) -> None:
    fixed = [part for text in (*SENTENCES, *REASONS, *ACTIONS) for part in re.split(r"\{\w+\}", text) if part]
    with speaking("es"):
        assert _is_slow(READERS[reader], [*PUMPED, *MARKS, *fixed, "x: [", ": x ["], 100_000) == ""


def test_only_one_module_composes_texts() -> None:
    """A call of `normalize` elsewhere would take a time with the square of what others wrote."""
    found = set()
    for package in (engine, tourney):
        for path in Path(package.__path__[0]).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            if "unicodedata" in source and re.search(r"\b(?:is_)?normali[sz]ed?\b", source):
                found.add(path.relative_to(Path(package.__path__[0]).parent).as_posix())
    assert found == {"tourney/text/composed.py"}


def test_all_marks_are_known() -> None:
    """Unicode's own table is read: no character beyond those that are looked at begins with a mark."""
    marks = {
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.combining(unicodedata.normalize("NFKD", char)[0])
    }
    for mark in marks:
        with pytest.raises(TourneyError, match="more than 30 accents or other marks"):
            compose("a" * 80 + mark * 31)
        compose("a" * 80 + mark * 30)
