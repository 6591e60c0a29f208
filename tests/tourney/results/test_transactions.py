"""Tests of how many transactions the entering of a sheet takes: each is a lock, and a moment for others to be first."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.web.asking import client
from tests.harness.web.phone import Phone
from tourney.service.rounds import rounds
from tourney.service.web import access
from tourney.storage import sqlite
from tourney.web.live import Live

Counted = Callable[[], list[str]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Return what returns the kinds of the transactions begun since it was called last."""
    kinds: list[str] = []
    transaction = sqlite.transaction

    @contextmanager
    def counting(engine: object, kind: str, *rest: object, **more: object) -> Iterator[object]:
        kinds.append(kind)
        with transaction(engine, kind, *rest, **more) as connection:
            yield connection

    def begun() -> list[str]:
        found = list(kinds)
        kinds.clear()
        return found

    monkeypatch.setattr(sqlite, "transaction", counting)
    return begun


SHEET = "".join(
    f'[[hands]]\ncontract = "{contract}"\npoints = {{ {points} }}\n'
    for contract in desk.CONTRACTS
    for points in [", ".join(f'"{name}" = {number}' for name, number in zip(desk.NAMES, desk.POINTS, strict=False))]
)
"""A sheet in which the four people of `drawn` have 0, 20, 30 and 40 points in every hand."""
PLACE = ("--round", "1", "--table", "1")


@pytest.mark.parametrize(
    "words",
    [
        ("result", "enter", *PLACE, "--file", "sheet.toml"),
        ("result", "enter", "--table", "1", "--file", "sheet.toml"),
        ("result", "enter", *PLACE, *map(desk.hand_option, desk.CONTRACTS)),
        ("result", "enter", *PLACE, "--half", desk.hand_option("TT")),
    ],
    ids=["a file", "a file for the newest round", "options", "a half sheet"],
)
def test_a_sheet_is_entered_in_one_transaction(
    run: Runner, counted: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Doubts, the note on letters and what was begun before are found in it, too."""
    db = desk.drawn(tmp_path / "club.db")
    (tmp_path / "sheet.toml").write_text(SHEET, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    counted()
    assert run(*words, "--db", db).code == 0
    assert counted() == ["IMMEDIATE"]


def test_a_correction_is_one_transaction(run: Runner, counted: Counted, tmp_path: Path) -> None:
    db = desk.with_a_sheet(tmp_path / "club.db")
    counted()
    hands = map(desk.hand_option, desk.CONTRACTS)
    assert run("result", "correct", *PLACE, "--reason", "misread", *hands, "--db", db).code == 0
    assert counted() == ["IMMEDIATE"]


def test_a_hand_on_a_phone_is_four_transactions(
    counted: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three read who asks, whose seat the phone has, and the table with its sheets; the fourth writes the hand.

    The server's own look at what is new, which comes at its own time, is left out.
    """
    monkeypatch.setattr(Live, "look", lambda _live: None)
    db = desk.drawn(tmp_path / "club.db")
    assert rounds.show(db).rounds
    with client(db, entry=True) as pages:
        phone = Phone(pages, access.grant_tables(db, None)[0].token, 1)
        phone.get()
        counted()
        fields = {"closer": "1", "at_once": "0", "points-2": "20", "points-3": "30", "points-4": "40"}
        assert phone.type_hand(1, fields).status_code == 303
        assert counted() == ["DEFERRED", "DEFERRED", "DEFERRED", "IMMEDIATE"]
