"""Tests that every regular expression of the sources ends in a time that grows with its text, whoever wrote that text.

A pattern that reads a part of its text again at each place takes 100 times as long for ten times the text. None is
listed here: a new one has its turn at once, in the way in which the sources use it.
"""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import pytest

import engine
import tourney
from tourney.domain.errors import TourneyError
from tourney.files.sheet_toml import MAX_HAND, read_flags
from tourney.rulebook.engine_sentences import ACTIONS, action_text
from tourney.rulebook.fault_sentences import KINDS, REASONS, SENTENCES, fault_text
from tourney.text.i18n import speaking

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


READERS: dict[str, Callable[[str], object]] = {"a fault": _fault, "an action": action_text, "a hand": _hand}
"""Readers whose patterns are made when they are used."""


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_a_time_that_grows_with_its_text(reader: str) -> None:
    fixed = [part for text in (*SENTENCES, *REASONS, *ACTIONS) for part in re.split(r"\{\w+\}", text) if part]
    with speaking("es"):
        assert _is_slow(READERS[reader], [*PUMPED, *fixed, "x: [", ": x ["], 100_000) == ""
