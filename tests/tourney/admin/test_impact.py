"""Tests that a dry run shows exactly the rows of standings and ratings that the change then moves."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.crowd import crowd
from tourney.domain.events import Event, EventSettings
from tourney.service import impact
from tourney.service.admin.journal import Undo
from tourney.service.change import Change, apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent, bot_seats
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import Moves, preview
from tourney.service.players import MergePlayers, RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.ratings.pools import OpenJointPool, SetPoolParameters
from tourney.service.results import standings
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling, CancelRuling, Decision
from tourney.service.rounds import bot_tables, rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.standings.standing import StandingsTable
from tourney.storage.store import Reader


def make_db(db: str) -> None:
    """Two events, years apart, of people and bots: with a withdrawn player, a penalty, and pools that count absence."""
    desk.event(db, 5, "greedy:3", rounds=2, size=4)
    apply(db, EnterPlayers(None, bots=bot_seats("random:1")))
    for number in (1, 2):
        if number == 2:
            apply(db, WithdrawPlayers(None, [_seats(db)[0]]))
        for table in apply(db, DrawRound()).rounds[-1].tables:
            if any(player.kind == "person" for player in table.players):
                sheet = desk.hands([player.shown for player in table.players], range(table.round, table.round + 7))
                apply(db, EnterResult(None, table.round, table.number, sheet))
    bot_tables.play(db)
    apply(db, OpenJointPool())
    apply(db, RegisterPlayers(["Iris"]))
    apply(db, CreateEvent(EventSettings("Sunday", "oficial", rounds=1, date="2020-01-05")))
    apply(db, EnterPlayers("Sunday", ["Iris", "Elena"]))
    (table,) = apply(db, DrawRound("Sunday")).rounds[0].tables
    apply(db, EnterResult("Sunday", 1, 1, desk.hands([player.shown for player in table.players])))
    for pool in ("people", "joint"):
        apply(db, SetPoolParameters(pool, {"absence": 1.0}))
    apply(db, AddRuling("Friday", Decision("penalty", "late", player="Ana", points=40)))


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
MOVE_NOTHING = {"note", "finish"}


def _rows(db: str) -> tuple[dict, dict]:
    """Return the values of every row of all standings and ratings, by event or pool and player."""
    standing_rows = {
        (name, row.player.shown): (row.rank, row.points, row.penalty, row.hands_won, row.games, row.short)
        for name in ("Friday", "Sunday")
        for row in standings.standings(db, name).rows
    }
    rating_rows = {
        (pool, row.player): (row.rank, row.mu, row.sigma, row.games, row.wins)
        for pool in ("people", "bots", "joint")
        for row in ratings.ratings(db, pool).rows
    }
    return standing_rows, rating_rows


def _changed_rows(before: dict, after: dict) -> dict:
    keys = {**before, **after}
    return {key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)}


def _rows_of_moves(moves: Moves) -> tuple[dict, dict]:
    def standing(row):
        return row and (row.rank, row.points, row.penalty, row.hands_won, row.games, row.short)

    def rating(row):
        return row and (row.rank, row.mu, row.sigma, row.games, row.wins)

    standing_rows = {
        (move.event, (move.after or move.before).player.shown): (standing(move.before), standing(move.after))
        for move in moves.standings
    }
    rating_rows = {
        (move.pool, (move.after or move.before).player): (rating(move.before), rating(move.after))
        for move in moves.ratings
    }
    return standing_rows, rating_rows


@pytest.mark.parametrize("name", CHANGES)
def test_a_dry_run_has_every_row_that_the_change_then_moves_and_no_other(db: str, name: str) -> None:
    """The moves are compared with the standings and ratings before and after the change."""
    before, change = _rows(db), CHANGES[name](db)
    moves = preview(db, change).moves
    assert moves is not None
    assert _rows(db) == before
    apply(db, change)
    assert _rows_of_moves(moves) == tuple(_changed_rows(old, new) for old, new in zip(before, _rows(db), strict=True))
    assert (moves == Moves((), ())) == (name in MOVE_NOTHING)


def test_a_dry_run_computes_the_standings_of_its_event_only_twice(new_db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event has 200 players and 8 rounds; the standings of another event, which cannot move, are not computed."""
    crowd(new_db)
    crowd(new_db, 8, 1, "Small")
    computed = []

    def counting_table_of(reader: Reader, event: Event) -> StandingsTable:
        computed.append(event.settings.name)
        return standings.table_of(reader, event)

    monkeypatch.setattr(impact, "table_of", counting_table_of)
    moves = preview(new_db, AddRuling("Crowd", Decision("penalty", "late", player="1", points=10_000))).moves
    assert moves is not None
    assert computed == ["Crowd", "Crowd"]
    assert moves.ratings == ()
    assert len(moves.standings) == 200 - standings.row_of(standings.standings(new_db, "Crowd"), "1").rank + 1
