"""Tests of entrants who arrive late, withdraw and return."""

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.admin.journal import log
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.attendance import CheckInPlayers, ReturnPlayers, TakeBackCheckIn, WithdrawPlayers
from tourney.service.events.events import EnterPlayers, FinishEvent, ReopenEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.players import RegisterPlayers
from tourney.service.results import standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound


def make_db(db: str) -> None:
    """An event, Friday, with eight entrants and no round drawn."""
    desk.event(db, 8, rounds=3)


def _states(db: str) -> dict[str, str]:
    event = events.show(db)
    return dict(zip((entrant.shown for entrant in event.entrants), event.states, strict=True))


def _draw_and_list_seated(db: str) -> set[str]:
    """Draw the next round and return the names of its seated players."""
    drawn = apply(db, DrawRound()).rounds[-1]
    return {player.shown for table in drawn.tables for player in table.players}


def test_withdrawn_players_are_not_seated_until_they_return(db: str) -> None:
    """Players are named without accents or by their number; only the remaining players are seated."""
    withdrawn = apply(db, WithdrawPlayers(None, ["benat", "8"], reason="ill"))
    assert [player.name for player in withdrawn.changed] == ["Beñat", "Hugo"]
    assert withdrawn.seated == ()
    assert _states(db)["Beñat"] == _states(db)["Hugo"] == "withdrawn"
    assert _draw_and_list_seated(db) == {*desk.NAMES} - {"Beñat", "Hugo"}
    returned = apply(db, ReturnPlayers(None, ["Hugo", "Ana"]))
    assert ([player.name for player in returned.changed], [player.name for player in returned.already]) == (
        ["Hugo"],
        ["Ana"],
    )
    assert _draw_and_list_seated(db) == {*desk.NAMES} - {"Beñat"}


def test_a_no_show_is_not_a_withdrawal(db: str) -> None:
    """Check that a second withdrawal, of either kind, reports the player as already gone and keeps the first state."""
    apply(db, WithdrawPlayers(None, ["Beñat"]))
    assert apply(db, WithdrawPlayers(None, ["Ana"], absence="no-show")).event.states[:2] == ("no-show", "withdrawn")
    before = desk.query(db, "SELECT hash FROM head")
    for absence in ("withdrawn", "no-show"):
        repeated = apply(db, WithdrawPlayers(None, ["Ana", "ana", "Beñat"], absence=absence))
        assert ([player.name for player in repeated.already], repeated.changed) == (["Ana", "Beñat"], ())
        assert repeated.event.states[:2] == ("no-show", "withdrawn")
    assert desk.query(db, "SELECT hash FROM head") == before


def test_withdrawing_from_a_table_without_a_result_names_that_table(db: str) -> None:
    """Check that a table with a result is not named: its game still counts."""
    first, second = apply(db, DrawRound()).rounds[0].tables
    apply(db, EnterResult(None, 1, first.number, desk.hands([player.shown for player in first.players])))
    assert apply(db, WithdrawPlayers(None, [first.players[0].shown])).seated == ()
    assert apply(db, WithdrawPlayers(None, [second.players[0].shown])).seated == (second,)
    rows = {row.player.id: row.state for row in standings.standings(db).rows}
    assert rows[first.players[0].id] == "withdrawn"
    assert second.players[0].id not in rows


def test_only_checked_in_players_are_seated_if_check_in_is_required(new_db: str) -> None:
    """A player who returns is checked in; a player who enters late is not yet."""
    desk.event(new_db, 8, rounds=3, checkin="required")
    checked_in = apply(new_db, CheckInPlayers(None, desk.NAMES[:6]))
    assert [player.name for player in checked_in.changed] == list(desk.NAMES[:6])
    apply(new_db, WithdrawPlayers(None, ["Ana"]))
    assert _draw_and_list_seated(new_db) == set(desk.NAMES[1:6])
    apply(new_db, ReturnPlayers(None, ["Ana"]))
    apply(new_db, RegisterPlayers(["Iris"]))
    apply(new_db, EnterPlayers(None, ["Iris"]))
    assert _draw_and_list_seated(new_db) == set(desk.NAMES[:6])
    everybody = apply(new_db, CheckInPlayers(None, everybody=True))
    assert [player.name for player in everybody.changed] == ["Gloria", "Hugo", "Iris"]
    assert [player.name for player in everybody.already] == list(desk.NAMES[:6])


def test_checking_in_everybody_leaves_out_withdrawn_players(db: str) -> None:
    apply(db, WithdrawPlayers(None, ["Ana"]))
    apply(db, CheckInPlayers(None, everybody=True))
    assert _states(db) == {"Ana": "withdrawn"} | dict.fromkeys(desk.NAMES[1:], "checked in")


def test_a_late_entry_says_how_many_rounds_are_drawn(db: str) -> None:
    """Check also that the late entrant is seated in the next round."""
    assert apply(db, EnterPlayers(None, ["Ana"])).drawn == 0
    apply(db, DrawRound())
    apply(db, RegisterPlayers(["Iris"]))
    assert apply(db, EnterPlayers(None, ["Iris"])).drawn == 1
    assert "Iris" in _draw_and_list_seated(db)


REFUSED = {
    "nobody to check in": (ExitCode.USAGE, lambda db: apply(db, CheckInPlayers(None)), ("--all",)),
    "names and everybody": (
        ExitCode.USAGE,
        lambda db: apply(db, CheckInPlayers(None, ["Ana"], everybody=True)),
        ("--all",),
    ),
    "nobody to withdraw": (ExitCode.USAGE, lambda db: apply(db, WithdrawPlayers(None, [])), ("nobody",)),
    "nobody to return": (ExitCode.USAGE, lambda db: apply(db, ReturnPlayers(None, [])), ("nobody",)),
    "a player who is not entered": (
        ExitCode.NOT_FOUND,
        lambda db: apply(db, WithdrawPlayers(None, ["Zuriñe"])),
        ("Zuriñe",),
    ),
    "no such number": (ExitCode.NOT_FOUND, lambda db: apply(db, WithdrawPlayers(None, ["9"])), ("entrant 9", "1 to 8")),
    "checking in a withdrawn player": (
        ExitCode.REFUSED,
        lambda db: apply(db, CheckInPlayers(None, ["Hugo"])),
        ("Hugo", "event return Hugo"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_attendance_change_leaves_the_journal_as_it_was(db: str, case: str) -> None:
    code, change, words = REFUSED[case]
    apply(db, WithdrawPlayers(None, ["Hugo"]))
    before = desk.query(db, "SELECT hash FROM head")
    with desk.refused(code, *words):
        change(db)
    assert desk.query(db, "SELECT hash FROM head") == before


CHANGES = {
    "check in": CheckInPlayers(None, ["Ana"]),
    "withdraw": WithdrawPlayers(None, ["Ana"]),
    "return": ReturnPlayers(None, ["Hugo"]),
    "enter": EnterPlayers(None, ["Iris"]),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_dry_run_gives_the_outcome_of_the_change_which_a_finished_event_refuses(db: str, case: str) -> None:
    apply(db, RegisterPlayers(["Iris"]))
    apply(db, WithdrawPlayers(None, ["Hugo"]))
    before = desk.query(db, "SELECT hash FROM head")
    outcome = preview(db, CHANGES[case]).outcome
    assert desk.query(db, "SELECT hash FROM head") == before
    apply(db, FinishEvent(None, incomplete=True))
    with desk.refused(ExitCode.REFUSED, "Friday is finished", "event reopen --reason"):
        apply(db, CHANGES[case])
    apply(db, ReopenEvent(None, "too early"))
    assert apply(db, CHANGES[case]) == outcome


def test_a_check_in_by_mistake_is_taken_back_and_the_player_is_not_seated(db: str) -> None:
    """The other check-ins of one command stay; the journal says what happened, and an event file keeps it."""
    apply(db, ChangeSettings(None, {"checkin": "required"}))
    apply(db, CheckInPlayers(None, everybody=True))
    back = apply(db, TakeBackCheckIn(None, ["Hugo", "Gloria"]))
    assert [player.name for player in back.changed] == ["Hugo", "Gloria"]
    assert (_states(db)["Hugo"], _states(db)["Ana"]) == ("entered", "checked in")
    again = apply(db, TakeBackCheckIn(None, ["Hugo"]))
    assert (again.changed, [player.name for player in again.already]) == ((), ["Hugo"])
    assert log(db).lines[-1].said == "check-in taken back: Hugo, Gloria"
    assert _draw_and_list_seated(db) == {*desk.NAMES} - {"Hugo", "Gloria"}
    apply(db, CheckInPlayers(None, ["Hugo"]))
    assert _states(db)["Hugo"] == "checked in"


def test_the_check_in_of_a_player_in_a_round_is_not_taken_back(db: str) -> None:
    apply(db, CheckInPlayers(None, everybody=True))
    apply(db, DrawRound())
    with pytest.raises(TourneyError, match="Ana is in round 1, which is drawn") as refused:
        apply(db, TakeBackCheckIn(None, ["Ana"]))
    assert refused.value.code == ExitCode.REFUSED
    assert "--no-show" in refused.value.hint
    with pytest.raises(TourneyError, match="nobody is named"):
        apply(db, TakeBackCheckIn(None, []))
