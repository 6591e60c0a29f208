"""Check that what a change is said to move before it is made is exactly what is found once it is made."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.crowd import crowd
from tourney.domain.events import Event, EventSettings
from tourney.service import impact, standings
from tourney.service.admin.journal import Undo
from tourney.service.change import Change, apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import Moves, preview
from tourney.service.people.players import MergePlayers, RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.ratings.pools import OpenJointPool, SetPoolParameters
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling, CancelRuling, Decision
from tourney.service.rounds import rounds
from tourney.service.rounds.rounds import DrawRound
from tourney.standings.standing import StandingsTable
from tourney.storage.read import Reader


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Two events with people and bots, years apart in pools that know it, a penalty, somebody who left early."""
    db = str(tmp_path / "club.db")
    desk.event(db, 5, "greedy:3", rounds=2, size=4)
    apply(db, EnterPlayers(None, bots="random:1"))
    for number in (1, 2):
        if number == 2:
            apply(db, WithdrawPlayers(None, [_seats(db)[0]]))
        for table in apply(db, DrawRound()).rounds[-1].tables:
            if any(player.kind == "person" for player in table.players):
                sheet = desk.hands([player.shown for player in table.players], range(table.round, table.round + 7))
                apply(db, EnterResult(None, table.round, table.number, sheet))
    rounds.play(db)
    apply(db, OpenJointPool())
    apply(db, RegisterPlayers(["Iris"]))
    apply(db, CreateEvent(EventSettings("Sunday", "oficial", rounds=1, date="2020-01-05")))
    apply(db, EnterPlayers("Sunday", ["Iris", "Elena"]))
    (table,) = apply(db, DrawRound("Sunday")).rounds[0].tables
    apply(db, EnterResult("Sunday", 1, 1, desk.hands([player.shown for player in table.players])))
    for pool in ("people", "joint"):
        apply(db, SetPoolParameters(pool, {"absence": 1.0}))
    apply(db, AddRuling("Friday", Decision("penalty", "late", player="Ana", points=40)))
    return db


def _seats(db: str) -> list[str]:
    return [player.shown for player in rounds.show(db, "Friday").rounds[0].tables[0].players]


CHANGES: dict[str, Callable[[str], Change[Any]]] = {
    "correct": lambda db: CorrectResult("Friday", 1, 1, desk.hands(_seats(db), [2] * 7), "slip"),
    "void": lambda db: VoidResult("Friday", 1, 1, "set aside"),
    "penalty": lambda db: AddRuling("Friday", Decision("penalty", "rude", player="Beñat", points=100)),
    "note": lambda db: AddRuling("Friday", Decision("note", "odd")),
    "correction": lambda db: AddRuling("Friday", Decision("correction", "x", 1, 1), desk.hands(_seats(db), [1] * 7)),
    "cancel": lambda db: CancelRuling("Friday", 1, "excused"),
    "minimum": lambda db: ChangeSettings("Friday", {"minimum": 2}),
    "date": lambda db: ChangeSettings("Sunday", {"date": "2099-01-01"}),
    "finish": lambda db: FinishEvent("Sunday"),
    "merge": lambda db: MergePlayers("Ana", "Iris"),
    "parameters": lambda db: SetPoolParameters("bots", {"beta": 3.0}),
    "undo": lambda db: Undo(),
}
STILL = {"note", "finish"}


def _shown(db: str) -> tuple[dict, dict]:
    """Every row that standings and ratings show, by table and player."""
    shown = {
        (name, row.player.shown): (row.rank, row.points, row.penalty, row.hands_won, row.games, row.short)
        for name in ("Friday", "Sunday")
        for row in standings.standings(db, name).rows
    }
    rated = {
        (pool, row.player): (row.rank, row.mu, row.sigma, row.games, row.wins)
        for pool in ("people", "bots", "joint")
        for row in ratings.ratings(db, pool).rows
    }
    return shown, rated


def _differing(before: dict, after: dict) -> dict:
    keys = {**before, **after}
    return {key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)}


def _told(moves: Moves) -> tuple[dict, dict]:
    def standing(row):
        return row and (row.rank, row.points, row.penalty, row.hands_won, row.games, row.short)

    def rating(row):
        return row and (row.rank, row.mu, row.sigma, row.games, row.wins)

    shown = {
        (one.event, (one.after or one.before).player.shown): (standing(one.before), standing(one.after))
        for one in moves.standings
    }
    rated = {
        (one.pool, (one.after or one.before).player): (rating(one.before), rating(one.after)) for one in moves.ratings
    }
    return shown, rated


@pytest.mark.parametrize("name", CHANGES)
def test_a_preview_has_every_row_that_the_change_then_moves_and_no_other(db: str, name: str) -> None:
    """Compare with the standings and ratings that the commands show before and after the change is made."""
    before, change = _shown(db), CHANGES[name](db)
    moves = preview(db, change).moves
    assert moves is not None
    assert _shown(db) == before
    apply(db, change)
    assert _told(moves) == tuple(_differing(old, new) for old, new in zip(before, _shown(db), strict=True))
    assert (moves == Moves((), ())) == (name in STILL)


def test_a_large_event_is_folded_once_before_and_once_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the folds for 200 people and 8 rounds beside another event, which the change cannot move."""
    db = str(tmp_path / "club.db")
    crowd(db)
    crowd(db, 8, 1, "Small")
    folded = []

    def counted(reader: Reader, event: Event) -> StandingsTable:
        folded.append(event.settings.name)
        return standings.table_of(reader, event)

    monkeypatch.setattr(impact, "table_of", counted)
    moves = preview(db, AddRuling("Crowd", Decision("penalty", "late", player="1", points=10_000))).moves
    assert moves is not None
    assert folded == ["Crowd", "Crowd"]
    assert moves.ratings == ()
    assert len(moves.standings) == 200 - standings.row_of(standings.standings(db, "Crowd"), "1").rank + 1
