"""Entrants who come late, go away and come back."""

from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.service import standings
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.attendance import CheckInPlayers, ReturnPlayers, WithdrawPlayers
from tourney.service.events.events import EnterPlayers, FinishEvent, ReopenEvent
from tourney.service.impact import preview
from tourney.service.people.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds.rounds import DrawRound


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Eight have entered Friday, and nothing is drawn."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=3)
    return db


def _states(db: str) -> dict[str, str]:
    event = events.show(db)
    return dict(zip((entrant.shown for entrant in event.entrants), event.states, strict=True))


def _seated(db: str) -> set[str]:
    drawn = apply(db, DrawRound()).rounds[-1]
    return {player.shown for table in drawn.tables for player in table.players}


def test_withdrawn_players_are_not_seated_until_they_come_back(db: str) -> None:
    """Named without accents or by the short number; the tables are those of who is left."""
    went = apply(db, WithdrawPlayers(None, ["benat", "8"], reason="ill"))
    assert [one.name for one in went.changed] == ["Beñat", "Hugo"]
    assert went.seated == ()
    assert _states(db)["Beñat"] == _states(db)["Hugo"] == "withdrawn"
    assert _seated(db) == {*desk.NAMES} - {"Beñat", "Hugo"}
    came = apply(db, ReturnPlayers(None, ["Hugo", "Ana"]))
    assert ([one.name for one in came.changed], [one.name for one in came.already]) == (["Hugo"], ["Ana"])
    assert _seated(db) == {*desk.NAMES} - {"Beñat"}


def test_who_never_came_is_no_withdrawal(db: str) -> None:
    """Check that the state says which, and does not change: a player already gone is reported so, whatever is asked
    the second time.
    """
    apply(db, WithdrawPlayers(None, ["Beñat"]))
    assert apply(db, WithdrawPlayers(None, ["Ana"], absence="no-show")).event.states[:2] == ("no-show", "withdrawn")
    before = desk.query(db, "SELECT hash FROM head")
    for how in ("withdrawn", "no-show"):
        again = apply(db, WithdrawPlayers(None, ["Ana", "ana", "Beñat"], absence=how))
        assert ([one.name for one in again.already], again.changed) == (["Ana", "Beñat"], ())
        assert again.event.states[:2] == ("no-show", "withdrawn")
    assert desk.query(db, "SELECT hash FROM head") == before


def test_going_away_from_an_open_table_tells_where_one_still_sits(db: str) -> None:
    """Check that tables with a result are not named: that game stays."""
    first, second = apply(db, DrawRound()).rounds[0].tables
    apply(db, EnterResult(None, 1, first.number, desk.hands([player.shown for player in first.players])))
    assert apply(db, WithdrawPlayers(None, [first.players[0].shown])).seated == ()
    assert apply(db, WithdrawPlayers(None, [second.players[0].shown])).seated == (second,)
    rows = {row.player.id: row.state for row in standings.standings(db).rows}
    assert rows[first.players[0].id] == "withdrawn"
    assert second.players[0].id not in rows


def test_where_check_in_is_required_only_who_is_there_is_seated(tmp_path: Path) -> None:
    """Somebody who comes back is there; somebody who enters late is not yet."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=3, checkin="required")
    came = apply(db, CheckInPlayers(None, desk.NAMES[:6]))
    assert [one.name for one in came.changed] == list(desk.NAMES[:6])
    apply(db, WithdrawPlayers(None, ["Ana"]))
    assert _seated(db) == set(desk.NAMES[1:6])
    apply(db, ReturnPlayers(None, ["Ana"]))
    apply(db, RegisterPlayers(["Iris"]))
    apply(db, EnterPlayers(None, ["Iris"]))
    assert _seated(db) == set(desk.NAMES[:6])
    everybody = apply(db, CheckInPlayers(None, everybody=True))
    assert [one.name for one in everybody.changed] == ["Gloria", "Hugo", "Iris"]
    assert [one.name for one in everybody.already] == list(desk.NAMES[:6])


def test_everybody_who_checks_in_leaves_out_who_has_gone(db: str) -> None:
    apply(db, WithdrawPlayers(None, ["Ana"]))
    apply(db, CheckInPlayers(None, everybody=True))
    assert _states(db) == {"Ana": "withdrawn"} | dict.fromkeys(desk.NAMES[1:], "checked in")


def test_a_late_entry_says_how_many_rounds_are_drawn(db: str) -> None:
    """And is seated in the next one."""
    assert apply(db, EnterPlayers(None, ["Ana"])).drawn == 0
    apply(db, DrawRound())
    apply(db, RegisterPlayers(["Iris"]))
    assert apply(db, EnterPlayers(None, ["Iris"])).drawn == 1
    assert "Iris" in _seated(db)


REFUSED = {
    "nobody to check in": (ExitCode.USAGE, lambda db: apply(db, CheckInPlayers(None)), ("--all",)),
    "names and everybody": (
        ExitCode.USAGE,
        lambda db: apply(db, CheckInPlayers(None, ["Ana"], everybody=True)),
        ("--all",),
    ),
    "nobody to withdraw": (ExitCode.USAGE, lambda db: apply(db, WithdrawPlayers(None, [])), ("nobody",)),
    "nobody to bring back": (ExitCode.USAGE, lambda db: apply(db, ReturnPlayers(None, [])), ("nobody",)),
    "one not entered": (ExitCode.NOT_FOUND, lambda db: apply(db, WithdrawPlayers(None, ["Zuriñe"])), ("Zuriñe",)),
    "no such number": (ExitCode.NOT_FOUND, lambda db: apply(db, WithdrawPlayers(None, ["9"])), ("entrant 9", "1 to 8")),
    "checking in who has gone": (
        ExitCode.REFUSED,
        lambda db: apply(db, CheckInPlayers(None, ["Hugo"])),
        ("Hugo", "event return Friday"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_and_changes_nothing(db: str, case: str) -> None:
    code, act, words = REFUSED[case]
    apply(db, WithdrawPlayers(None, ["Hugo"]))
    before = desk.query(db, "SELECT hash FROM head")
    with desk.refused(code, *words):
        act(db)
    assert desk.query(db, "SELECT hash FROM head") == before


CHANGES = {
    "check in": CheckInPlayers(None, ["Ana"]),
    "withdraw": WithdrawPlayers(None, ["Ana"]),
    "bring back": ReturnPlayers(None, ["Hugo"]),
    "enter": EnterPlayers(None, ["Iris"]),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_dry_run_says_the_same_and_a_finished_event_refuses(db: str, case: str) -> None:
    apply(db, RegisterPlayers(["Iris"]))
    apply(db, WithdrawPlayers(None, ["Hugo"]))
    before = desk.query(db, "SELECT hash FROM head")
    outcome = preview(db, CHANGES[case]).outcome
    assert desk.query(db, "SELECT hash FROM head") == before
    apply(db, FinishEvent(None, incomplete=True))
    with desk.refused(ExitCode.REFUSED, "Friday is finished", "event reopen Friday"):
        apply(db, CHANGES[case])
    apply(db, ReopenEvent(None, "too early"))
    assert apply(db, CHANGES[case]) == outcome
