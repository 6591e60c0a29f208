"""Check the constraints on the seating of an event, from the organiser's words to the tables."""

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
from tourney.service.people.players import RegisterPlayers, RenamePlayer
from tourney.service.rounds import rounds
from tourney.service.rounds.rounds import DrawRound

NAMES = [f"P{number:02}" for number in range(1, 13)]


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Twelve people; the first four are of Getxo, the next four of Irun."""
    db = str(tmp_path / "club.db")
    apply(db, RegisterPlayers(NAMES[:4], club="Getxo"))
    apply(db, RegisterPlayers(NAMES[4:8], club="Irun"))
    apply(db, RegisterPlayers(NAMES[8:]))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=2)))
    apply(db, EnterPlayers("Friday", NAMES))
    apply(db, UseEvent("Friday"))
    return db


def shared(db: str) -> set[frozenset[str]]:
    """Pairs who share a table in any round drawn."""
    tables = [table for round_ in rounds.show(db).rounds for table in round_.tables]
    return {frozenset(pair) for table in tables for pair in combinations([player.name for player in table.players], 2)}


def test_constraints_add_up_until_they_are_cleared_and_undo_brings_them_back(db: str) -> None:
    """Check that constraints given twice are kept once, whatever their order and case."""
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


def test_a_player_who_needs_another_table_no_longer_needs_the_former_one(db: str) -> None:
    """Check that the newer constraint counts; clubs and couples may conflict, since a couple is meant by name."""
    apply(db, ConstrainSeating(None, ["club"], together=["P01,P03"], tables=["P01=3", "P02=1"]))
    after = apply(db, ConstrainSeating(None, tables=["P01=2"])).event.constraints
    people = events.show(db).entrants
    assert after[2:] == (Constraint("table", people[1:2], 1), Constraint("table", people[:1], 2))


def test_the_tables_heed_them_and_a_club_is_who_is_in_it_then(db: str) -> None:
    """P09 joins Getxo after the first round, and meets nobody of it in the second; P12 sits at table 3."""
    apply(db, ConstrainSeating(None, ["club"], together=["P09,P10"], tables=["P12=3"]))
    apply(db, DrawRound())
    apply(db, RenamePlayer("P09", club="Getxo"))
    second = apply(db, DrawRound()).rounds[0]
    getxo = {*NAMES[:4], "P09"}
    # Five of one club at three tables: two pairs at least.
    clubmates = sum(len(getxo & {one.name for one in table.players}) - 1 for table in second.tables)
    assert clubmates == 2
    assert frozenset({"P09", "P10"}) in shared(db)
    for round_ in rounds.show(db).rounds:
        assert "P12" in {player.name for player in round_.tables[2].players}


def test_who_has_gone_constraints_nothing(db: str) -> None:
    """Check that a constraint with a player who has gone is passed over, and holds again once the player is back."""
    apply(db, ConstrainSeating(None, ["P01,P02"], together=["P03,P04"], tables=["P01=1"]))
    apply(db, WithdrawPlayers(None, ["P01", "P04"]))
    assert len(apply(db, DrawRound()).rounds[0].tables) == 3
    apply(db, ReturnPlayers(None, ["P01"]))
    assert "P01" in {player.name for player in apply(db, DrawRound()).rounds[0].tables[0].players}
    assert frozenset({"P01", "P02"}) not in shared(db)


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
    "the contrary of what stands": (
        ExitCode.USAGE,
        {"together": ["P12,P11"]},
        "P12 and P11 cannot be both kept apart and seated together",
        "--clear",
    ),
    "two of a table to be apart": (
        ExitCode.USAGE,
        {"apart": ["P01,P02"], "tables": ["P01=2", "P02=2"]},
        "P01 and P02 cannot be kept apart: both need table 2",
    ),
    "two of two tables to meet": (
        ExitCode.USAGE,
        {"together": ["P01,P02"], "tables": ["P01=2", "P02=3"]},
        "P01 and P02 cannot be seated together: one needs table 2, the other table 3",
    ),
    "too many at a table": (
        ExitCode.REFUSED,
        {"tables": [f"{name}=1" for name in NAMES[:5]]},
        "5 players need table 1, which has 4 seats",
    ),
    "a number nobody has": (ExitCode.NOT_FOUND, {"together": ["1,13"]}, "Friday has no entrant 13", "1 to 12"),
    "a stranger": (ExitCode.NOT_FOUND, {"together": ["P01,Zoe"]}, "Zoe"),
    "no table": (ExitCode.USAGE, {"tables": ["P01"]}, "Ana=3"),
    "what stands already": (ExitCode.REFUSED, {"apart": ["P11,P12"]}, "would change"),
    "nothing to clear": (ExitCode.REFUSED, {"apart": ["P11,P12"], "replace": True}, "would change"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_wished_is_refused_and_the_others_stay(db: str, case: str) -> None:
    code, words, *said = WRONG[case]
    before = apply(db, ConstrainSeating(None, ["P11,P12"])).event.constraints
    with desk.refused(code, *said):
        apply(db, ConstrainSeating(None, **words))
    assert events.show(db).constraints == before


def test_clubs_need_somebody_in_one_and_an_event_that_is_open(tmp_path: Path, db: str) -> None:
    other = str(tmp_path / "other.db")
    desk.event(other, 4, rounds=1)
    with desk.refused(ExitCode.REFUSED, "nobody has a club"):
        apply(other, ConstrainSeating("Friday", ["club"]))
    apply(db, FinishEvent("Friday", incomplete=True))
    with desk.refused(ExitCode.REFUSED, "Friday is finished"):
        apply(db, ConstrainSeating(None, ["club"]))


def test_the_desk_reads_its_constraints_back(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that constraints are shown after the change, on the event's page and in the log; a dry run keeps none."""
    run = Runner(capsys)
    words = ("event", "constrain", "Friday", "--apart", "club", "--apart", "P09,P10", "--table", "P01=2", "--db", db)
    assert run(*words, "--dry-run").code == 0
    assert events.show(db).constraints == ()
    output = run(*words).out
    lines = ["keep apart: members of one club", "keep apart: P09, P10", "at table 2 in every round: P01"]
    page = run("event", "show", "Friday", "--db", db).out
    assert all(f"\n  - {line}\n" in text for line in lines for text in (output, page))
    kinds = [one["kind"] for one in run("event", "show", "Friday", "--json", "--db", db).json["wishes"]]
    assert kinds == ["clubs apart", "apart", "table"]
    assert "constraints on the seating" in run("log", "--db", db).out


def test_entrants_are_wished_for_by_their_short_numbers(db: str) -> None:
    """The third and the eleventh to enter."""
    wished = apply(db, ConstrainSeating(None, ["3,11"])).event
    assert wished.constraints == (Constraint("apart", (wished.entrants[2], wished.entrants[10])),)


def test_a_needed_table_that_no_round_has_is_kept_and_noted(db: str) -> None:
    """Twelve at fours have three tables; more people may come, and then there is a fourth."""
    assert apply(db, ConstrainSeating(None, tables=["P01=3"])).notes == ()
    (note,) = apply(db, ConstrainSeating(None, tables=["P01=4"])).notes
    assert note == "P01 needs table 4, and there are 3 tables for those who play now."
    apply(db, RegisterPlayers(["P13"]))
    apply(db, EnterPlayers(None, ["P13"]))
    assert apply(db, ConstrainSeating(None, ["P02,P03"])).notes == ()


def test_the_first_entrants_may_need_any_table(tmp_path: Path) -> None:
    """With one entrant nobody knows how many tables there will be."""
    db = str(tmp_path / "early.db")
    desk.event(db, 1)
    assert apply(db, ConstrainSeating(None, tables=["Ana=9"])).notes == ()
