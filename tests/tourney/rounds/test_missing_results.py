"""Tests of draws while results are missing: refused where results decide the seating, asked about where they do not."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, done
from tests.harness.terminal import Terminal
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

BY_RESULTS = ("swiss", "rated swiss", "snake", "informative")


def begin(db: str, format_: str) -> None:
    """Draw round 1 for eight people at two tables."""
    desk.people_in(db, desk.NAMES, format=format_, rounds=3)
    apply(db, DrawRound())


def names(db: str, table: int) -> list[str]:
    return [player.name for player in rounds.show(db, None, 1).rounds[0].tables[table - 1].players]


def enter(db: str, table: int) -> None:
    apply(db, EnterResult(None, 1, table, desk.hands(names(db, table))))


@pytest.mark.parametrize("format_", BY_RESULTS)
def test_a_format_that_seats_by_results_is_not_drawn_without_them(db: str, run: Runner, format_: str) -> None:
    """The refusal lists the tables, the partial sheet among them; with `--anyway` the draw says on what it rests."""
    begin(db, format_)
    both = "error: round 2 is seated by results, and 2 tables have none: round 1, tables 1, 2"
    for option in ((), ("--dry-run",)):
        refused = run("round", "draw", *option)
        assert (refused.code, refused.out, refused.err.splitlines()[0]) == (ExitCode.REFUSED, "", both)
    first, *others = names(db, 1)
    points = " ".join([f"{first}=0", *(f"{name}=20" for name in others)])
    done(run("result", "enter", "--round", "1", "--table", "1", "--half", "--hand", f"TT {points}"))
    enter(db, 2)
    refused = run("round", "draw")
    assert refused.err.splitlines()[0] == (
        "error: round 2 is seated by results, and 1 table has none: round 1, table 1 (partial sheet)"
    )
    assert "`tourney round draw Friday --anyway`" in refused.err
    drawn = done(run("round", "draw", "--anyway"))
    rests_on = "Seated by the results of 1 of 2 tables; missing: round 1, table 1 (partial sheet)."
    assert rests_on in " ".join(drawn.out.split())
    assert "Round 1: 1 table without a result." in drawn.out


def test_a_round_with_all_results_and_void_ones_is_drawn(db: str, run: Runner) -> None:
    """A void result was decided upon, and is not missing."""
    begin(db, "swiss")
    enter(db, 1)
    enter(db, 2)
    apply(db, VoidResult(None, 1, 2, "wrong pack"))
    assert "missing" not in done(run("round", "draw")).out


def test_tables_that_are_given_need_no_results(db: str, run: Runner, tmp_path: Path) -> None:
    begin(db, "swiss")
    file = tmp_path / "tables.csv"
    rows = [f"1,1,{seat},{name}" for seat, name in enumerate(desk.NAMES[:4], 1)]
    file.write_text("\n".join(("round,table,seat,player", *rows)), encoding="utf-8")
    drawn = done(run("round", "draw", "--file", str(file)))
    assert "Round 1: 2 tables without a result." in drawn.out
    assert "Seated by" not in drawn.out


@pytest.mark.parametrize("format_", ["rotation", "random"])
def test_other_formats_only_note_what_is_missing_where_nobody_can_be_asked(db: str, run: Runner, format_: str) -> None:
    begin(db, format_)
    assert "Round 1: 2 tables without a result." in done(run("round", "draw")).out


@pytest.mark.parametrize(
    ("typed", "is_drawn"),
    [("n", False), ("maybe\nsí", True)],
    ids=["no", "another word, then sí"],
)
def test_a_terminal_asks_before_a_round_is_drawn_without_results(db: str, typed: str, is_drawn: bool) -> None:
    begin(db, "rotation")
    with Terminal("round", "draw", columns=120) as terminal:
        terminal.wait("Results are missing: round 1, tables 1, 2. Draw round 2 all the same? (y/n) [n]")
        terminal.type(typed)
        terminal.wait("Rounds 1 to 2" if is_drawn else "error: round 2 is not drawn")
        assert terminal.code() == (0 if is_drawn else ExitCode.REFUSED)
    assert len(rounds.show(db).rounds) == 1 + is_drawn


@pytest.mark.parametrize("option", ["--anyway", pytest.param("--dry-run", marks=pytest.mark.slow)])
def test_a_terminal_does_not_ask_when_told_or_when_nothing_is_saved(db: str, option: str) -> None:
    begin(db, "rotation")
    with Terminal("round", "draw", option) as terminal:
        assert terminal.code() == 0
    assert "all the same?" not in terminal.shown
