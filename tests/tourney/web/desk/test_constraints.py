"""Tests of the desk's page on constraints: added, removed, and refused where they contradict each other."""

from html import unescape
from re import findall

import pytest

from tests.harness.slow import half_slow
from tests.harness.web.asking import TestClient
from tests.tourney.web.desk.test_people import refused, send
from tourney.service.change import apply
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import EnterPlayers
from tourney.service.events.events import show as show_event

PATH = "/desk/people/constraints"


def kept(db: str) -> list[tuple[str, list[str], int | None]]:
    return [
        (each.kind, [player.name for player in each.players], each.table)
        for each in show_event(db, "Friday").constraints
    ]


@pytest.mark.parametrize(
    ("form", "constraint"),
    half_slow(
        [
            ({"kind": "apart", "first": "Ana", "second": "Beñat"}, ("apart", ["Ana", "Beñat"], None)),
            ({"kind": "never", "first": "Ana", "second": "Beñat"}, ("never", ["Ana", "Beñat"], None)),
            ({"kind": "together", "first": "Ana", "second": "Hugo"}, ("together", ["Ana", "Hugo"], None)),
            ({"kind": "table", "first": "Ana", "table": "2"}, ("table", ["Ana"], 2)),
        ]
    ),
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_a_constraint_is_added_shown_and_removed(
    db: str, pages: TestClient, form: dict[str, str], constraint: tuple[str, list[str], int | None]
) -> None:
    text = send(pages, PATH, **form, do="add")
    assert kept(db) == [constraint]
    (words,) = findall(r'name="remove" value="([^"]*)"', text)
    send(pages, PATH, remove=unescape(words))
    assert kept(db) == []


def test_names_with_commas_and_quotation_marks_are_constrained_too(db: str, pages: TestClient) -> None:
    names = ["Zoe, the elder", 'Xavier "X"']
    apply(db, EnterPlayers("Friday", names, add=True))
    text = send(pages, PATH, kind="apart", first=names[0], second=names[1], do="add")
    assert kept(db) == [("apart", names, None)]
    (words,) = findall(r'name="remove" value="([^"]*)"', text)
    send(pages, PATH, remove=unescape(words))
    assert kept(db) == []


@pytest.mark.parametrize(
    "form",
    half_slow(
        [
            {},
            {"kind": "nonsense", "first": "Ana", "second": "Beñat"},
            {"kind": "apart", "first": "Ana", "second": ""},
            {"kind": "apart", "first": "Ana", "second": "Ana"},
            {"kind": "together", "first": "Elena", "second": "Félix"},
            {"kind": "table", "first": "Ana", "table": ""},
            {"kind": "table", "first": "Ana", "table": "x"},
            {"kind": "never", "first": "Ana", "second": "Nobody"},
            {"do": "clubs"},
            {"remove": "Ana,Beñat"},
        ]
    ),
    ids=str,
)
def test_a_constraint_that_cannot_be_is_refused(db: str, pages: TestClient, form: dict[str, str]) -> None:
    apply(db, ConstrainSeating("Friday", never=["Elena,Félix"]))
    text = refused(pages, PATH, **form)
    assert "`tourney" not in text
    assert len(kept(db)) == 1
