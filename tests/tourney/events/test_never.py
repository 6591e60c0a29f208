"""Tests of players who never share a table, from the command to every way to seat them."""

from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, done
from tourney.domain.errors import ExitCode
from tourney.domain.events import Constraint
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import UseEvent
from tourney.service.rounds import rounds

NAMES = [f"P{number:02}" for number in range(1, 15)]


def make_db(db: str) -> None:
    """Nine people in an event of three tables of three; five more are registered."""
    desk.people_in(db, NAMES, 9, format="swiss", rounds=4, size=3)
    apply(db, UseEvent("Friday"))


def tables(db: str, number: int) -> dict[int, list[str]]:
    (round_,) = rounds.show(db, None, number).rounds
    return {table.number: [player.name for player in table.players] for table in round_.tables}


def shared(db: str) -> set[frozenset[str]]:
    """Return the pairs who share a table in any round drawn."""
    drawn = [players for round_ in rounds.show(db).rounds for players in tables(db, round_.number).values()]
    return {frozenset(pair) for players in drawn for pair in combinations(players, 2)}


@pytest.mark.parametrize("format_", [pytest.param("rotation", marks=pytest.mark.slow), "swiss", "random"])
def test_no_draw_move_or_dissolved_table_brings_them_together(db: str, run: Runner, format_: str) -> None:
    """P01, P02 and P03 sit at three tables in every round, while P10 arrives and P09 leaves."""
    if format_ != "swiss":
        done(run("event", "set", "--format", format_))
    shown = done(run("event", "constrain", "--never", "P01,P02,P03", "--never", "P01,P04"))
    assert "  - never at one table: P01, P02, P03\n" in shown.out
    never = {frozenset(pair) for pair in (*combinations(("P01", "P02", "P03"), 2), ("P01", "P04"))}
    for step in ((), ("event", "enter", "P10"), ("event", "withdraw", "P09")):
        if step:
            done(run(*step))
        done(run("round", "draw", "--anyway"))
    assert not never & shared(db)
    seats = {name: at for at, players in tables(db, 3).items() for name in players}
    refused = run("round", "move", "P01", "--table", str(seats["P02"]))
    assert (refused.code, refused.err.splitlines()[0]) == (
        ExitCode.REFUSED,
        f"error: P01 and P02 never share a table, and would share table {seats['P02']}",
    )
    other = next(name for name, at in seats.items() if at == seats["P02"] and name != "P02")
    assert run("round", "move", "P01", "--with", other).code == ExitCode.REFUSED
    done(run("round", "dissolve", "--table", str(seats["P01"]), "--reason", "no chairs"))
    assert not never & shared(db)
    assert "P01" not in {name for players in tables(db, 3).values() for name in players}
    assert database.check(db).problems == ()
    assert "P01, P04 never at one table" in done(run("log")).out


IMPOSSIBLE = {
    "four of whom no two meet, at three tables": (
        ("--never", "P01,P02,P03,P04"),
        ExitCode.REFUSED,
        "4 players to be kept apart at 3 tables: P01, P02, P03, P04",
    ),
    "the same as pairs": (
        [word for pair in combinations(NAMES[:4], 2) for word in ("--never", ",".join(pair))],
        ExitCode.REFUSED,
        "4 players to be kept apart at 3 tables: P01, P02, P03, P04",
    ),
    "four to be kept apart, at three tables": (
        ("--apart", "P01,P02,P03,P04"),
        ExitCode.REFUSED,
        "4 players to be kept apart at 3 tables: P01, P02, P03, P04",
    ),
    # Five in a ring and one who avoids all five need four tables, although no four of them avoid each other.
    "a wheel of six": (
        [
            word
            for at in range(5)
            for pair in ((at, (at + 1) % 5), (at, 5))
            for word in ("--never", ",".join(NAMES[player] for player in pair))
        ],
        ExitCode.REFUSED,
        "no round at tables of 3, 3, 3 separates all pairs who never share a table: P01 and P02",
    ),
    # Three tables could colour it, but a table of three cannot hold four.
    "two who avoid all others": (
        (
            "--never",
            "P01,P02",
            *(word for one in ("P01", "P02") for name in NAMES[2:6] for word in ("--never", f"{one},{name}")),
        ),
        ExitCode.REFUSED,
        "no round at tables of 3, 3, 3 separates all pairs",
    ),
    "together as well": (
        ("--never", "P01,P02", "--together", "P02,P01"),
        ExitCode.USAGE,
        "P02 and P01 cannot be both kept apart and seated together",
    ),
    "both need one table": (
        ("--never", "P01,P02", "--table", "P01=2", "--table", "P02=2"),
        ExitCode.USAGE,
        "P01 and P02 cannot be kept apart: both need table 2",
    ),
    "one name": (("--never", "P01"), ExitCode.USAGE, "names fewer than two"),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_what_counting_forbids_is_refused_at_once(db: str, run: Runner, case: str) -> None:
    words, code, message = IMPOSSIBLE[case]
    refused = run("event", "constrain", *words)
    assert (refused.code, message in refused.err) == (code, True), refused.err
    assert events.show(db).constraints == ()


def test_a_round_that_cannot_keep_it_is_refused_by_name_and_drawn_with_another_table(db: str, run: Runner) -> None:
    """Nine players at three tables; then the event has only two, at which three cannot be separated."""
    done(run("event", "constrain", "--never", "P01,P02,P03"))
    done(run("event", "set", "--tables", "2", "--size", "4", "--short", "sit out"))
    done(run("event", "withdraw", "P09"))
    refused = run("round", "draw")
    assert refused.code == ExitCode.REFUSED
    assert "never share a table, and round 1 cannot be seated without that" in refused.err
    assert "`tourney event constrain Friday --remove P01,P02,P03`" in refused.err
    assert rounds.show(db).rounds == ()
    done(run("event", "set", "--tables", "3", "--size", "3"))
    done(run("round", "draw"))


def test_a_constraint_that_players_who_left_made_impossible_forbids_no_other(db: str, run: Runner) -> None:
    """Of nine at three tables three leave: P01, P02 and P03 cannot all be apart at two, whatever else is asked for."""
    done(run("event", "constrain", "--never", "P01,P02,P03"))
    done(run("event", "withdraw", "P07", "P08", "P09"))
    for words in (("--apart", "P04,P05"), ("--never", "P05,P06"), ("--table", "P04=1"), ("--together", "P04,P06")):
        done(run("event", "constrain", *words))
    for words in (("--never", "P02,P05,P06"), ("--apart", "P01,P05,P06")):
        refused = run("event", "constrain", *words)
        assert refused.code == ExitCode.REFUSED
        assert f"3 players to be kept apart at 2 tables: {words[1].replace(',', ', ')}" in refused.err
    (command,) = [each["words"] for each in run("status", "--json").json["next"] if "constrain" in each["words"]]
    done(run(*command[1:]))
    done(run("round", "draw"))


def test_tables_from_a_file_that_bring_them_together_are_refused(db: str, run: Runner, tmp_path: Path) -> None:
    done(run("event", "constrain", "--never", "P01,P02"))
    file = tmp_path / "tables.csv"
    file.write_text("round,table,seat,player\n1,2,1,P01\n1,2,2,P02\n", encoding="utf-8")
    refused = run("round", "draw", "--file", str(file))
    assert refused.code == ExitCode.REFUSED
    assert "P01 and P02 never share a table, and table 2 is given to both" in refused.err


def test_one_constraint_is_removed_by_its_names_and_all_by_clear(db: str, run: Runner) -> None:
    done(run("event", "constrain", "--never", "P01,P02", "--apart", "P03,P04", "--table", "P05=2"))
    refused = run("event", "constrain", "--remove", "P01,P03")
    assert (refused.code, "no constraint of Friday names P01,P03" in refused.err) == (ExitCode.NOT_FOUND, True)
    assert refused.err.endswith("hint: see them with `tourney event show`; `--clear` removes all\n")
    removed = done(run("event", "constrain", "--remove", "P02,P01", "--remove", "5")).out
    assert "removed: never at one table: P01, P02\nremoved: at table 2 in every round: P05\n" in removed
    people = events.show(db).entrants
    assert events.show(db).constraints == (Constraint("apart", people[2:4]),)
    assert "removed: keep apart: P03, P04\n" in done(run("event", "constrain", "--clear")).out
    assert events.show(db).constraints == ()
    assert run("event", "constrain", "--remove", "club").code == ExitCode.NOT_FOUND
    nothing = run("event", "constrain").err
    assert "--remove NAMES to remove one, or --clear to remove all" in nothing


def test_a_plan_without_an_event_keeps_them_apart_or_is_refused(run: Runner) -> None:
    """Two of fourteen players; then four who need four tables, and there are three."""
    plan = done(run("seating", "plan", "--players", "14", "--rounds", "3", "--never", "1,2", "--json"))
    assert not any({"1", "2"} <= set(table) for tables in plan.json["rounds"] for table in tables)
    refused = run("seating", "plan", "--players", "9", "--size", "3", "--never", "1,2,3,4")
    assert (refused.code, "4 players to be kept apart at 3 tables: 1, 2, 3, 4" in refused.err) == (
        ExitCode.REFUSED,
        True,
    )
