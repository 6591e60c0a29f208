"""Tests of the constraints on the seating of an event, from the command to the drawn tables."""

from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import Constraint, EventSettings
from tourney.service import database
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

NAMES = [f"P{number:02}" for number in range(1, 13)]


def make_db(db: str) -> None:
    """An event of twelve people: the first four are of the club Getxo, the next four of Irun."""
    apply(db, RegisterPlayers(NAMES[:4], club="Getxo"))
    apply(db, RegisterPlayers(NAMES[4:8], club="Irun"))
    apply(db, RegisterPlayers(NAMES[8:]))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=2)))
    apply(db, EnterPlayers("Friday", NAMES))
    apply(db, UseEvent("Friday"))


def shared(db: str) -> set[frozenset[str]]:
    """Return the pairs of names that share a table in any round drawn."""
    tables = [table for round_ in rounds.show(db).rounds for table in round_.tables]
    return {frozenset(pair) for table in tables for pair in combinations([player.name for player in table.players], 2)}


def test_constraints_add_up_until_they_are_cleared_and_undo_restores_them(db: str) -> None:
    """Check that a constraint given twice is kept once, whatever the order and case of its names."""
    apply(db, ConstrainSeating(None, ["P09,P10"]))
    apply(db, ConstrainSeating(None, ["p10, P09", "club"], together=["P11,P12"]))
    after = apply(db, ConstrainSeating(None, tables=["P01=3"])).event
    people = after.entrants
    assert after.constraints == (
        Constraint("apart", people[8:10]),
        Constraint("clubs apart"),
        Constraint("together", people[10:12]),
        Constraint("table", people[:1], 3),
    )
    assert apply(db, ConstrainSeating(None, replace=True)).event.constraints == ()
    apply(db, Undo())
    assert events.show(db).constraints == after.constraints
    assert apply(db, ConstrainSeating(None, ["P01,P02"], replace=True)).event.constraints == (
        Constraint("apart", people[:2]),
    )
    assert database.check(db).problems == ()


def test_a_new_table_of_a_player_replaces_the_former_one(db: str) -> None:
    """Check also that two members of a club may be seated together by name although clubs are kept apart."""
    apply(db, ConstrainSeating(None, ["club"], together=["P01,P03"], tables=["P01=3", "P02=1"]))
    after = apply(db, ConstrainSeating(None, tables=["P01=2"])).event.constraints
    people = events.show(db).entrants
    assert after[2:] == (Constraint("table", people[1:2], 1), Constraint("table", people[:1], 2))


@pytest.mark.slow
def test_tables_observe_the_constraints_and_clubs_as_they_are_at_the_draw(db: str) -> None:
    """P09 joins Getxo after the first round and is kept apart from its members in the second, as far as possible; P12
    sits at table 3.
    """
    apply(db, ConstrainSeating(None, ["club"], together=["P09,P10"], tables=["P12=3"]))
    apply(db, DrawRound())
    apply(db, RenamePlayer("P09", club="Getxo"))
    second = apply(db, DrawRound()).rounds[0]
    getxo = {*NAMES[:4], "P09"}
    # Five members of one club at three tables: at least two of them share a table with another.
    clubmates = sum(len(getxo & {player.name for player in table.players}) - 1 for table in second.tables)
    assert clubmates == 2
    assert frozenset({"P09", "P10"}) in shared(db)
    for round_ in rounds.show(db).rounds:
        assert "P12" in {player.name for player in round_.tables[2].players}


def test_constraints_of_a_withdrawn_player_wait_until_the_player_returns(db: str) -> None:
    """Check that draws ignore the constraints of a withdrawn player and observe them again after the return."""
    apply(db, ConstrainSeating(None, ["P01,P02"], together=["P03,P04"], tables=["P01=1"]))
    apply(db, WithdrawPlayers(None, ["P01", "P04"]))
    assert len(apply(db, DrawRound()).rounds[0].tables) == 3
    apply(db, ReturnPlayers(None, ["P01"]))
    assert "P01" in {player.name for player in apply(db, DrawRound()).rounds[0].tables[0].players}
    assert frozenset({"P01", "P02"}) not in shared(db)


def test_three_to_be_seated_together_are_removed_as_they_were_given(db: str) -> None:
    """Three pairs are kept, of which one can be removed alone."""
    apply(db, ConstrainSeating(None, together=["P01,P02,P03", "P03,P04"]))
    kept = apply(db, ConstrainSeating(None, remove=["P03,P01,P02"])).event.constraints
    assert [{player.name for player in each.players} for each in kept] == [{"P03", "P04"}]
    apply(db, ConstrainSeating(None, together=["P01,P02,P03"]))
    assert len(apply(db, ConstrainSeating(None, remove=["P02,P01"])).event.constraints) == 3
    with desk.refused(ExitCode.NOT_FOUND, "names P01,P02,P03"):
        apply(db, ConstrainSeating(None, remove=["P01,P02,P03"]))


@pytest.mark.parametrize(
    "again",
    [{"tables": ["P01=2"]}, {"together": ["P04,P03"]}, {"never": ["P06,P05"]}],
    ids=lambda again: next(iter(again)),
)
def test_a_constraint_given_again_changes_nothing_and_is_refused(db: str, again: dict[str, list[str]]) -> None:
    apply(db, ConstrainSeating(None, tables=["P01=2"], together=["P03,P04"], never=["P05,P06"]))
    with desk.refused(ExitCode.REFUSED, "would change"):
        apply(db, ConstrainSeating(None, **again))


def test_a_contradiction_brought_about_by_a_merger_is_no_reason_to_refuse_other_constraints(db: str) -> None:
    """P01 is to sit with P03 and apart from P04, who is the same person; a second contradiction is refused."""
    apply(db, ConstrainSeating(None, ["P01,P04"], together=["P01,P03"]))
    apply(db, MergePlayers("P04", "P03"))
    assert len(apply(db, ConstrainSeating(None, ["P05,P06"])).event.constraints) == 3
    with desk.refused(ExitCode.USAGE, "P05 and P06 cannot be both kept apart and seated together"):
        apply(db, ConstrainSeating(None, together=["P05,P06"]))


def test_a_table_that_too_many_need_since_tables_are_smaller_takes_no_more_and_others_do(db: str) -> None:
    apply(db, ConstrainSeating(None, tables=[f"{name}=1" for name in NAMES[:4]]))
    apply(db, ChangeSettings(None, {"size": 3}))
    assert len(apply(db, ConstrainSeating(None, tables=["P05=2"])).event.constraints) == 5
    with desk.refused(ExitCode.REFUSED, "5 players need table 1, which has 3 seats"):
        apply(db, ConstrainSeating(None, tables=["P06=1"]))


WRONG = {
    "nothing": (ExitCode.USAGE, {}, "no constraint is given"),
    "one name": (ExitCode.USAGE, {"apart": ["P01"]}, "fewer than two"),
    "one name twice": (ExitCode.USAGE, {"together": ["P01,p01"]}, "names somebody twice"),
    "both of two": (
        ExitCode.USAGE,
        {"apart": ["P01,P02,P03"], "together": ["P03,P04", "P03,P01"]},
        "P03 and P01 cannot be both kept apart and seated together",
    ),
    "two tables": (ExitCode.USAGE, {"tables": ["P01=2", "p01=3"]}, "P01 cannot sit at table 2 and at table 3"),
    "the contrary of an earlier constraint": (
        ExitCode.USAGE,
        {"together": ["P12,P11"]},
        "P12 and P11 cannot be both kept apart and seated together",
        "--clear",
    ),
    "two at one table kept apart": (
        ExitCode.USAGE,
        {"apart": ["P01,P02"], "tables": ["P01=2", "P02=2"]},
        "P01 and P02 cannot be kept apart: both need table 2",
    ),
    "two at two tables together": (
        ExitCode.USAGE,
        {"together": ["P01,P02"], "tables": ["P01=2", "P02=3"]},
        "P01 and P02 cannot be seated together: one needs table 2, the other table 3",
    ),
    "too many at a table": (
        ExitCode.REFUSED,
        {"tables": [f"{name}=1" for name in NAMES[:5]]},
        "5 players need table 1, which has 4 seats",
    ),
    "an unknown number": (ExitCode.NOT_FOUND, {"together": ["1,13"]}, "Friday has no entrant 13", "1 to 12"),
    "a stranger": (ExitCode.NOT_FOUND, {"together": ["P01,Zoe"]}, "Zoe"),
    "no table": (ExitCode.USAGE, {"tables": ["P01"]}, "Ana=3"),
    "the constraint that there is already": (ExitCode.REFUSED, {"apart": ["P11,P12"]}, "would change"),
    "nothing to clear": (ExitCode.REFUSED, {"apart": ["P11,P12"], "replace": True}, "would change"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_impossible_constraint_is_refused_and_the_earlier_ones_stay(db: str, case: str) -> None:
    code, constraints, *words = WRONG[case]
    before = apply(db, ConstrainSeating(None, ["P11,P12"])).event.constraints
    with desk.refused(code, *words):
        apply(db, ConstrainSeating(None, **constraints))
    assert events.show(db).constraints == before


def test_keeping_clubs_apart_needs_a_club_member_and_an_open_event(tmp_path: Path, db: str) -> None:
    other = str(tmp_path / "other.db")
    desk.event(other, 4, rounds=1)
    with desk.refused(ExitCode.REFUSED, "nobody has a club"):
        apply(other, ConstrainSeating("Friday", ["club"]))
    apply(db, FinishEvent("Friday", incomplete=True))
    with desk.refused(ExitCode.REFUSED, "Friday is finished"):
        apply(db, ConstrainSeating(None, ["club"]))


def test_constraints_are_shown_after_the_change_on_the_page_of_the_event_and_in_the_log(db: str, run: Runner) -> None:
    """Check that a dry run keeps no constraint, and that JSON has the kinds of those that are kept."""
    words = ("event", "constrain", "Friday", "--apart", "club", "--apart", "P09,P10", "--table", "P01=2", "--db", db)
    assert run(*words, "--dry-run").code == 0
    assert events.show(db).constraints == ()
    output = run(*words).out
    lines = ["keep apart: members of one club", "keep apart: P09, P10", "at table 2 in every round: P01"]
    page = run("event", "show", "Friday", "--db", db).out
    assert all(f"\n  - {line}\n" in text for line in lines for text in (output, page))
    kinds = [constraint["kind"] for constraint in run("event", "show", "Friday", "--json", "--db", db).json["wishes"]]
    assert kinds == ["clubs apart", "apart", "table"]
    assert "constraints on the seating" in run("log", "--db", db).out


def test_constraints_accept_the_numbers_of_entrants(db: str) -> None:
    """The constraint "3,11" names the third and the eleventh entrant."""
    event = apply(db, ConstrainSeating(None, ["3,11"])).event
    assert event.constraints == (Constraint("apart", (event.entrants[2], event.entrants[10])),)


def test_a_table_number_that_no_round_has_yet_is_kept_with_a_note(db: str) -> None:
    """Twelve players at tables of four need three tables; with a thirteenth there is a fourth."""
    assert apply(db, ConstrainSeating(None, tables=["P01=3"])).notes == ()
    (note,) = apply(db, ConstrainSeating(None, tables=["P01=4"])).notes
    assert note == "P01 needs table 4, and there are 3 tables for those who play now."
    apply(db, RegisterPlayers(["P13"]))
    apply(db, EnterPlayers(None, ["P13"]))
    assert apply(db, ConstrainSeating(None, ["P02,P03"])).notes == ()


def test_the_only_entrant_may_need_any_table_number(tmp_path: Path) -> None:
    """With one entrant the number of tables is not known yet, so there is no note."""
    db = str(tmp_path / "early.db")
    desk.event(db, 1)
    assert apply(db, ConstrainSeating(None, tables=["Ana=9"])).notes == ()


@pytest.mark.parametrize("option", ["--apart", "--together", "--never"])
def test_names_with_a_blank_between_them_are_answered_with_commas_and_not_with_a_missing_event(
    db: str, run: Runner, option: str
) -> None:
    """The second name would be the event, which nobody who types two players means."""
    refused = run("event", "constrain", option, "P01", "P02", "--db", db)
    assert refused.code == ExitCode.USAGE
    assert refused.err.startswith(f"error: {option} “P01” names fewer than two\nhint: write names with commas between")
