"""Provide events to be printed: a played evening of 22, and a tournament of 66 with its first round drawn."""

from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.events import EventSettings
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound

LONGEST = "Maria de los Angeles Etxeberria Goikoetxea-Aranburu Zabalata"
"""A name of 60 letters."""
ODD = ("<script>alert(1)</script>", "\"><img src=x onerror='1'>", LONGEST, "王" * 30, "שלום עולם", "{{ 7*7 }}{% raw %}")
FIRST = ("Ana", "Beñat", "Carmen", "Diego", "Elena", "Félix", "Gloria", "Hugo", "Inés", "Óscar", "Ñandú", "Zoe")
FAMILIES = ("García", "Ruiz de la Torre", "Etxeberria", "López", "Áviles")


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Use a database with an evening of 22 players and 5 rounds, all played."""
    db = desk.evening(tmp_path / "club.db")
    monkeypatch.setenv("TOURNEY_DB", db)
    return db


@pytest.fixture
def crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Use a database with a tournament of 66 players, some of them with odd names, of which round 1 is drawn."""
    db = desk.copied(tmp_path / "crowd.db", make_a_crowd)
    monkeypatch.setenv("TOURNEY_DB", db)
    return db


def make_a_crowd(db: str) -> None:
    names = [*ODD, *(f"{first} {family}" for family in FAMILIES for first in FIRST)]
    apply(db, RegisterPlayers(names))
    apply(db, CreateEvent(EventSettings("Otoño </style> 2026", "oficial", rounds=3)))
    apply(db, EnterPlayers("Otoño </style> 2026", names))
    apply(db, DrawRound())
