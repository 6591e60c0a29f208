"""Tests of stages that score in their own way: table points, tie-breaks, what is carried over, and the arithmetic."""

from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.desk import CONTRACTS
from tests.harness.evening.weekend import (
    FINAL,
    by_name,
    by_number,
    from_preset,
    names,
    planned,
    play,
    play_round,
    seated,
    with_stages,
)
from tourney.domain.events import Event, stage_settings
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Stage, Table
from tourney.service.change import apply
from tourney.service.events.copy_event import ChangePlan, CreatePlannedEvent
from tourney.service.events.events import EnterPlayers, show
from tourney.service.events.settings import ChangeSettings
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.stages.shown import standings

QUALIFYING = Stage("Qualifying", 2, "rotation", table_points="7-5-3-1")


def test_a_stage_scores_table_points_and_the_final_points(db: str) -> None:
    """Four play, and P01 always has the fewest points, then P02 …: after two rounds 14, 10, 6 and 2 table points."""
    with_stages(db, 4, QUALIFYING, FINAL)
    play(db, 2)
    assert [(row.player.shown, row.score) for row in standings(db).rows] == [
        ("P01", 14),
        ("P02", 10),
        ("P03", 6),
        ("P04", 2),
    ]
    play_round(db)
    assert [(row.player.shown, row.score) for row in standings(db).rows] == [
        ("P01", 0),
        ("P02", 140),
        ("P03", 210),
        ("P04", 280),
    ]


@pytest.mark.parametrize(("scoring", "last"), [("points", [0, 140, 210, 280]), ("place points", [3, 2, 1, 0])])
def test_a_final_scores_otherwise_than_its_event_that_ranks_by_table_points(
    db: str, scoring: str, last: list[int]
) -> None:
    """A place point is one for each player who is beaten."""
    event = {"table_points": "7-5-3-1", "scoring": "table points"}
    with_stages(db, 4, Stage("Qualifying", 2), planned(FINAL, scoring=scoring), **event)
    play(db, 2)
    assert [row.score for row in standings(db).rows] == [14, 10, 6, 2]
    play_round(db)
    assert [row.score for row in standings(db).rows] == last


def test_half_the_table_points_are_carried_into_a_final_for_table_points(db: str) -> None:
    """7, 5, 3 and 1 are half of 14, 10, 6 and 2; the final adds 7, 5, 3 and 1."""
    with_stages(db, 4, QUALIFYING, planned(FINAL, carry="half", table_points="7-5-3-1"))
    play(db, 3)
    assert [row.score for row in standings(db).rows] == [14, 10, 6, 2]
    assert [row.carried for row in standings(db).rows] == [7, 5, 3, 1]


def test_points_that_are_brought_along_are_whole(db: str) -> None:
    """Half of a share is a fraction, and points have none."""
    with_stages(db, 4, Stage("Qualifying", 1, scoring="share"), planned(FINAL, carry="half"))
    play(db, 1)
    halves = [row.score / 2 for row in standings(db).rows]
    assert any(half != int(half) for half in halves)
    play_round(db)
    rows = {row.player.shown: row for row in standings(db).rows}
    assert [rows[name].carried for name in sorted(rows)] == [int(half) for half in halves]
    assert all(row.score == row.points for row in rows.values())


def test_finalists_keep_their_ranks_where_the_only_result_of_the_final_is_void(db: str) -> None:
    with_stages(db, 8, Stage("Qualifying", 1), planned(FINAL, carry="all"))
    play(db, 1)
    apply(db, DrawRound())
    before = [(row.rank, row.player.shown) for row in standings(db).rows]
    apply(db, EnterResult(None, 2, 1, by_number(show(db), rounds.show(db, None, 2).rounds[0].tables[0])))
    apply(db, VoidResult(None, 2, 1, "torn"))
    assert [(row.rank, row.player.shown) for row in standings(db).rows] == before
    assert None not in dict(before)


def test_games_carried_over_rank_those_whose_table_of_the_stage_is_still_open(db: str) -> None:
    """P01 has 70 points in every game, P02 140, and so on: a game less changes no mean, and no rank."""
    with_stages(db, 8, Stage("Qualifying", 1), Stage("Second", 1, carry="all"), FINAL, minimum=1)
    play_round(db, by_name)
    play_round(db, by_name, open_tables=1)
    assert [(row.rank, row.player.shown, row.score) for row in standings(db).rows] == [
        (number, f"P{number:02}", 70 * number) for number in range(1, 9)
    ]
    assert sorted(row.games for row in standings(db).rows) == [1, 1, 1, 1, 2, 2, 2, 2]


@pytest.mark.parametrize(
    ("said", "changes", "scores"),
    [
        ({"table_points": "7-5-3-1"}, [{"table_points": "10-6-4-2"}, {"scoring": "neuberg"}], [14, 10, 6, 2]),
        ({"scoring": "points"}, [{"scoring": "place points"}], [0, 280, 420, 560]),
        ({"scoring": "place points"}, [{"scoring": "place points"}, {"scoring": "points"}], [6, 4, 2, 0]),
        ({"totals": "sum"}, [{"totals": "sum"}, {"totals": "per game"}], [0, 280, 420, 560]),
    ],
)
def test_what_a_stage_says_about_its_scoring_stays_whatever_the_event_says_later(
    db: str, said: dict[str, str], changes: list[dict[str, str]], scores: list[int]
) -> None:
    """Four play two rounds, always in one order: P01 closes every hand, and P02 has 7 · 20 points in a game."""
    with_stages(db, 4, planned(Stage("Qualifying", 2), **said), FINAL)
    for change in changes:
        apply(db, ChangeSettings(None, change))
    play(db, 2)
    assert [row.score for row in standings(db).rows] == scores


def test_the_tie_breaks_of_a_stage_stay_and_a_stage_that_says_none_follows_the_event(db: str) -> None:
    with_stages(db, 4, planned(Stage("Qualifying", 1), tie_breaks="hands-won"), FINAL, tie_breaks="hands-won")
    apply(db, ChangeSettings(None, {"tie_breaks": "games-won"}))
    settings = show(db).settings
    assert [stage_settings(settings, stage).tie_breaks for stage in settings.stages] == ["hands-won", "games-won"]


def test_the_plan_of_a_stage_that_has_begun_may_be_given_again(db: str, tmp_path: Path) -> None:
    """The lists are called by their name in the file, and the scoring that they imply is not in it."""
    plan = tmp_path / "plan.toml"
    final = '[[stages]]\nname = "Final"\nrounds = {}\ntake = "best"\nnumber = 4\nties = "list"\ntables = 1\n'
    text = '[[stages]]\nname = "Q"\nrounds = 2\ntable_points = "ifpa"\n' + final
    plan.write_text(text.format(1), encoding="utf-8")
    apply(db, CreatePlannedEvent("Weekend", plan=plan))
    apply(db, EnterPlayers("Weekend", names(4), add=True))
    play(db, 1)
    plan.write_text(text.format(2), encoding="utf-8")
    apply(db, ChangePlan(None, plan))
    assert [(stage.name, stage.rounds) for stage in show(db).settings.stages] == [("Q", 2), ("Final", 2)]


def test_the_arithmetic_of_a_finalist_goes_through_all_stages(db: str, run: Runner) -> None:
    with_stages(db, 4, QUALIFYING, FINAL)
    play(db, 3)
    steps = run("standings", "--why", "P02", "--db", db, "--json").json["steps"]
    assert [step.partition(":")[0] for step in steps] == ["Final", "Qualifying", "Qualifying", "Qualifying"]
    assert "140" in steps[0]
    assert "10" in steps[-1]


def test_a_final_that_counts_all_points_has_no_arithmetic_for_a_player_who_is_outside_it(db: str, run: Runner) -> None:
    with_stages(db, 8, Stage("Qualifying", 1), planned(FINAL, carry="all"))
    play(db, 2)
    finalist, other = (standings(db).rows[at].player.shown for at in (0, -1))
    steps = {name: run("standings", "--why", name, "--db", db, "--json").json["steps"] for name in (finalist, other)}
    assert [step.partition(":")[0] for step in steps[finalist][:2]] == ["Final", "Qualifying"]
    assert {step.partition(":")[0] for step in steps[other]} == {"Qualifying"}


def test_wins_rank_in_the_preset_of_catan_and_points_decide_among_equals(db: str) -> None:
    """Three games: 0 to 3 wins; of the 16 who go through nobody has fewer wins than somebody who is out."""
    from_preset(db, "catan", 20)
    play(db, 3)
    rows = {row.player.shown: row for row in standings(db).rows}
    through = seated(play_round(db))
    out = [name for name in rows if name not in through]
    assert len(through) == 16
    assert min(rows[name].score for name in through) >= max(rows[name].score for name in out)


def test_players_of_a_stage_with_table_points_are_open_until_it_is_over(db: str) -> None:
    with_stages(db, 8, planned(QUALIFYING, rounds=1), FINAL)
    play_round(db, open_tables=1)
    assert {row.cut for row in standings(db).rows} == {"open"}


@pytest.mark.parametrize(
    ("carry", "sum_of_second"),
    [
        ("half", "Final: Points: 70 (carried over) + 140 = 210"),
        ("place points", "Final: Points: 10 (carried over) + 140 = 150"),
        ("all", "Final: Points: 140 + 140 = 280"),
    ],
)
def test_the_arithmetic_shows_what_was_carried_over_as_a_term_of_the_sum(
    db: str, run: Runner, carry: str, sum_of_second: str
) -> None:
    """P02 has 140 points in each of the two rounds; of the qualifying half, 10 place points, or all come along."""
    points = (0, 10, 20, 30) if carry == "place points" else ()
    with_stages(db, 4, Stage("Qualifying", 1), planned(FINAL, carry=carry, carry_points=points))
    play(db, 2)
    assert run("standings", "--why", "P02", "--db", db, "--json").json["steps"][0] == sum_of_second


def test_place_points_of_players_who_share_a_rank_go_by_the_alphabet(db: str) -> None:
    """Without tie-breaks the three behind P01 share rank 2: they bring along 10, 20 and 30 in the order of names."""

    def level(_event: Event, table: Table) -> list[SheetHand[str]]:
        names = sorted(player.shown for player in table.players)
        return [SheetHand(hand, {name: 20 if at else 0 for at, name in enumerate(names)}) for hand in CONTRACTS]

    final = planned(FINAL, carry="place points", carry_points=(0, 10, 20, 30))
    with_stages(db, 4, Stage("Qualifying", 1), final, tie_breaks="none")
    play_round(db, level)
    assert [row.rank for row in standings(db).rows] == [1, 2, 2, 2]
    play_round(db, level)
    carried = {row.player.shown: row.carried for row in standings(db).rows}
    assert carried == {"P01": 0, "P02": 10, "P03": 20, "P04": 30}


TOO_FEW = {
    "winners of tables": planned(FINAL, take="of each table", number=1, tables=1, carry_points=(0, 10, 20)),
    "a share of the players": planned(FINAL, take="percent", number=25, tables=1, carry_points=(0, 10, 20)),
}


@pytest.mark.parametrize("case", TOO_FEW)
def test_players_beyond_the_last_place_points_bring_that_number_along(db: str, case: str) -> None:
    """Without any points the fourth of the winners would begin as well as the best."""
    with_stages(db, 16, Stage("Groups", 1, "groups"), planned(TOO_FEW[case], carry="place points"))
    play(db, 1)
    apply(db, DrawRound())
    assert sorted(row.carried for row in standings(db).rows[:4]) == [0, 10, 20, 20]


def test_before_the_first_game_of_a_final_its_ranks_are_those_of_the_stage_before(db: str) -> None:
    with_stages(db, 8, planned(QUALIFYING, rounds=1), FINAL)
    play_round(db)
    apply(db, DrawRound())
    reasons = {row.why for row in standings(db).rows[:4]}
    assert reasons == {"No result of Final counts yet: the order is from the stage before"}
