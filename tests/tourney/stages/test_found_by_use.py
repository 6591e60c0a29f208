"""Faults that a championship found: substitutes, the newest round, table points, presets and rounds shown."""

from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.evening.weekend import FINAL, by_number, from_preset, names, play_round, with_stages
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.events.events import CreateEvent, EnterPlayers, show
from tourney.service.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound


def make_db(db: str) -> None:
    """Friday with eight players and a round that is played."""
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    apply(db, EnterPlayers("Friday", names(8), add=True))
    play_round(db)


def test_a_substitute_is_no_entrant(db: str, run: Runner) -> None:
    """Eight have entered; Luis plays a round for P01, and is neither entered nor withdrawn."""
    apply(db, RegisterPlayers(["Luis Sanz"]))
    apply(db, DrawRound())
    assert run("round", "substitute", "P01", "Luis Sanz", "--db", db).code == 0
    found = run("status", "--db", db)
    assert "8 players are here, of 8 entered." in found.out
    assert "Withdrawn" not in found.out
    shown = run("event", "show", "--db", db).out
    assert "8 entrants" in shown
    assert [line.split()[-1] for line in shown.splitlines() if "Luis Sanz" in line] == ["substitute"]
    assert show(db).counted == show(db).entrants[:8]


def test_without_a_round_the_newest_is_meant_by_show_correct_and_void(db: str, run: Runner) -> None:
    play_round(db)
    newest = run("result", "show", "--round", "2", "--table", "1", "--db", db)
    assert run("result", "show", "--table", "1", "--db", db).out == newest.out
    assert run("result", "void", "--table", "1", "--reason", "torn", "--db", db).code == 0
    states = {(row["round"], row["table"]): row["state"] for row in run("result", "show", "--json", "--db", db).json}
    assert states == {(1, 1): "counts", (1, 2): "counts", (2, 1): "void", (2, 2): "counts"}
    corrected = run("result", "correct", "--table", "2", "--reason", "same", "--file", "none.toml", "--db", db)
    assert corrected.code == ExitCode.NOT_FOUND, "only the file is missing"
    assert "none.toml" in corrected.err


BEFORE_A_DRAW = [
    ("result", "show", "--round", "1"),
    ("result", "show", "--table", "1"),
    ("result", "show", "--round", "1", "--table", "1"),
    ("result", "enter", "--table", "1", "--hand", "TT P01=0"),
    ("result", "enter", "--round", "1", "--table", "1", "--hand", "TT P01=0"),
    ("result", "correct", "--round", "1", "--table", "1", "--reason", "misread", "--hand", "TT P01=0"),
    ("result", "void", "--table", "1", "--reason", "torn"),
    ("standings", "--round", "1"),
    ("round", "show", "--round", "1"),
    ("round", "substitute", "P01", "P02"),
]


@pytest.mark.parametrize("words", BEFORE_A_DRAW, ids=" ".join)
def test_before_any_draw_every_command_about_a_round_says_that_none_is_drawn(
    tmp_path: Path, run: Runner, words: tuple[str, ...]
) -> None:
    db = str(tmp_path / "new.db")
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    apply(db, EnterPlayers("Friday", names(8), add=True))
    refused = run(*words, "--db", db)
    assert (refused.code, refused.err) == (
        ExitCode.REFUSED,
        "error: no round of Friday is drawn\nhint: draw one with `tourney round draw`\n",
    )


@pytest.mark.parametrize("staged", [False, True])
def test_standings_after_a_round_have_the_entrants_of_then(tmp_path: Path, run: Runner, staged: bool) -> None:
    """P01 leaves in round 1 and returns after it, P02 leaves after round 2, and Late came after round 1."""
    db = str(tmp_path / "new.db")
    if staged:
        with_stages(db, 8, Stage("Qualifying", 3), FINAL)
    else:
        apply(db, CreateEvent(EventSettings("Weekend", "oficial")))
        apply(db, EnterPlayers("Weekend", names(8), add=True))

    def gone(number: int) -> tuple[int, list[str]]:
        done = run("standings", "--round", str(number), "--json", "--db", db)
        assert done.code == 0, done.err
        rows = done.json
        return len(rows), [row["player"] for row in rows if row["state"] == "withdrawn"]

    last = play_round(db, open_tables=1).tables[-1]
    apply(db, WithdrawPlayers("Weekend", ["P01"]))
    apply(db, EnterResult("Weekend", 1, last.number, by_number(show(db), last)))
    apply(db, ReturnPlayers("Weekend", ["P01"]))
    apply(db, RegisterPlayers(["Late"]))
    apply(db, EnterPlayers("Weekend", ["Late"]))
    assert gone(1) == (8, ["P01"])
    play_round(db)
    apply(db, WithdrawPlayers("Weekend", ["P02"]))
    assert (gone(1), gone(2)) == ((8, ["P01"]), (9, []))
    play_round(db)
    apply(db, WithdrawPlayers("Weekend", ["Late"]))
    assert (gone(1), gone(2), gone(3)) == ((8, ["P01"]), (9, []), (9, ["P02"]))


def test_table_points_imply_their_scoring_whatever_ranked_before(db: str, run: Runner) -> None:
    assert run("event", "set", "--scoring", "place points", "--db", db).code == 0
    assert run("event", "set", "--table-points", "pinburgh", "--db", db).code == 0
    assert show(db).settings.scoring == "table points"
    assert run("event", "set", "--scoring", "share", "--db", db).code == 0
    assert show(db).settings.table_points is None


def test_people_see_the_newest_round_and_all_with_an_option_while_programs_read_all(db: str, run: Runner) -> None:
    play_round(db)
    assert run("round", "show", "--db", db).out.startswith("Friday, round 2\n")
    every = run("round", "show", "--all", "--db", db)
    assert (every.code, every.out.startswith("Friday\n")) == (0, True)
    assert len(run("round", "show", "--json", "--db", db).json["rounds"]) == 2
    assert run("round", "show", "--all", "--round", "1", "--db", db).code == ExitCode.USAGE


def test_a_plan_for_more_players_names_the_presets_that_fit(tmp_path: Path, run: Runner) -> None:
    """Groups with 9 players end with 2 in the final; swiss-final and knock-out are meant for 8 and more."""
    db = str(tmp_path / "groups.db")
    from_preset(db, "groups", 9)
    refused = run("round", "draw", "--db", db)
    assert refused.code == ExitCode.REFUSED
    assert "that is meant for 9: swiss-final, knock-out" in refused.err


def test_a_plan_for_more_players_names_what_fits_so_few(tmp_path: Path, run: Runner) -> None:
    """A plan with a final needs at least 8; an evening without one is meant for 4 and more."""
    db = str(tmp_path / "groups.db")
    from_preset(db, "groups", 5)
    for refused in (run("round", "draw", "--db", db), run("event", "rehearse", "--preset", "groups", "--players", "5")):
        assert refused.code == ExitCode.REFUSED
        assert "that is meant for 5: club-evening, season-evening" in refused.err


@pytest.mark.parametrize(
    ("players", "hint"), [(7, "for 7: club-evening"), (9, "for 9: swiss-final, knock-out"), (13, "")]
)
def test_a_rehearsal_judges_the_number_that_was_asked_for(players: int, hint: str, run: Runner) -> None:
    """Two invented players come late only where the rest can begin: 13 make four groups, as in the draw, 11 do not."""
    ran = run("event", "rehearse", "--preset", "groups", "--players", str(players))
    assert (ran.code, hint in ran.err) == (ExitCode.REFUSED if hint else ExitCode.DONE, True)


@pytest.mark.parametrize(("registered", "compared"), [(34, 34), (3, 22)])
def test_a_new_event_compares_options_for_those_who_are_registered(
    registered: int, compared: int, tmp_path: Path, run: Runner
) -> None:
    """Three fill no table, so that the example stays."""
    db = str(tmp_path / "copa.db")
    apply(db, RegisterPlayers([f"P{number}" for number in range(registered)]))
    for words in ((), ("--preset", "swiss-final")):
        out = " ".join(run("event", "new", f"Copa {len(words)}", *words, "--db", db).out.split())
        assert f"Compare options, here for {compared} players: `tourney seating advise --players {compared} " in out
