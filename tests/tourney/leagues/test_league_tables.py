"""Tests of the tables of leagues in every format: ranks with intervals, pairs with errors."""

import csv
import io
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.league_tables import LeagueTable
from tourney.domain.leagues import League
from tourney.league.blocks import BlockOutcome, EntrantTotals, GameOutcome, write_block
from tourney.league.tally import Tally, at_level
from tourney.reports.leagues import table as reports
from tourney.reports.render.export import csv_text, json_text, markdown_text
from tourney.reports.render.page import page_text

HANDS = 14
LEAGUE = League(("greedy", "random", "planner"), "oficial", 2, "1", blocks=4)
CLOSE = [(10, 20, 10), (30, 35, 30), (50, 75, 50), (20, 20, 20)]
"""Points a hand of three entrants in four blocks: the first and the third have equal points."""
APART = [(10, 110, 20), (12, 113, 26), (11, 109, 22), (13, 116, 26)]
"""Points a hand of three entrants, far apart in every block."""
SEVEN = (0,) * 7


def table_of(rows: list[tuple[int, ...]], league: League = LEAGUE) -> LeagueTable:
    """Return the table of a league whose blocks have these points a hand, equal in every contract."""
    tally = Tally(replace(league, blocks=max(len(rows), league.blocks)))
    for number, row in enumerate(rows):
        totals = tuple(EntrantTotals(HANDS, HANDS * points, contracts=(2 * points,) * 7) for points in row)
        game = GameOutcome(0, 7, (0, 1), (7 * row[0], 7 * row[1]), (1, 2))
        tally.add(write_block(BlockOutcome(number, (game,), totals)))
    return tally.table(1)


def words_of(rows: list[tuple[int, ...]]) -> str:
    """Return the text of the table with single blanks between words."""
    return " ".join(text_of(rows).split())


def text_of(rows: list[tuple[int, ...]], league: League = LEAGUE) -> str:
    return page_text(reports.table(table_of(rows, league)), 80)


def test_bots_that_play_alike_share_a_rank_and_the_table_says_so() -> None:
    table = table_of(CLOSE)
    assert [(bot.rank, bot.entrant) for bot in table.bots] == [(1, "greedy"), (1, "planner"), (3, "random")]
    text = text_of(CLOSE)
    assert "greedy and planner have not differed in any block: they play alike and share a\nrank." in text
    assert "  greedy   alike    10.00 " in text
    assert "0.0 %" not in text


EIGHT = replace(LEAGUE, bots=("planner", "search", *["greedy"] * 6))
STEPS = [tuple(100 * bot + (bot + 1) * block for bot in range(8)) for block in range(4)]
"""Points of eight entrants, each 100, 101, 102 and 103 points worse than the one before it in four blocks.

The gap is 101.5 ± 2.05 for each rank between two of them: t with 3 degrees of freedom is 3.182, and the standard error
of the mean √(5/12)."""


def test_on_a_narrow_page_the_pairs_of_many_bots_have_numbered_columns() -> None:
    """No name or cell is folded; gap, error and certainty are one below the other, in at most 80 columns."""
    lines = text_of(STEPS, EIGHT).split("Every pair")[1].split("\n  - ")[0].splitlines()
    assert lines[1].split() == ["Bot", *map(str, range(2, 9))]
    for bot, name in enumerate(EIGHT.entrants):
        worse = range(1, 8 - bot)
        gap, error, certainty = (line.split() for line in [*lines[2 + 3 * bot :][:3], "", ""][:3])
        assert gap == [str(bot + 1), name, *(f"{101.5 * steps:.2f}" for steps in worse)]
        if worse:
            assert error == ["±", *(f"{3.18245 * sqrt(5 / 12) * steps:.2f}" for steps in worse)]
            assert certainty == ["sure", "%", *[">99.9"] * len(worse)]
    assert max(map(len, lines)) <= 80


def test_on_a_wide_page_the_pairs_of_many_bots_have_columns_with_names() -> None:
    report = reports.table(table_of(STEPS, EIGHT))
    for text in (page_text(report, 240), markdown_text(report)):
        assert text.split("Head to head")[0].count("101.50 ± 2.05, >99.9 %") == 7
        assert "sure %" not in text


def test_all_bots_that_play_alike_are_named_in_one_sentence() -> None:
    league = replace(LEAGUE, bots=("greedy",) * 3 + ("random",) * 2)
    text = " ".join(text_of([(10, 10, 10, 90, 90), (30, 30, 30, 80, 80)], league).split())
    assert text.count("have not differed") == 2
    assert "greedy, greedy-2 and greedy-3 have not differed in any block" in text
    assert "random and random-2 have not differed in any block" in text


def test_an_order_that_is_less_than_half_certain_is_not_given_a_probability() -> None:
    assert "The order as a whole is not certain." in text_of([(10, 20, 30), (20, 10, 40)])


def test_ranks_have_intervals_if_the_order_is_not_certain() -> None:
    """Gaps of 10, 5, 25, 0: t = 10 / √(350 / 3 / 4) = 1.85 with three degrees of freedom, which is not significant."""
    assert {(bot.rank_low, bot.rank_high) for bot in table_of(CLOSE).bots} == {(1, 3)}
    assert " 1 1-3 greedy 27.50 " in words_of(CLOSE)
    assert {(bot.rank_low, bot.rank_high) for bot in table_of(APART).bots} == {(1, 1), (2, 2), (3, 3)}
    assert " 1 1 greedy 11.50 " in words_of(APART)
    assert "The order is 99.8 % certain." in text_of(APART)


def test_a_pair_has_its_error_and_confidence() -> None:
    """Gaps of 10, 14, 11, 13: mean 12, sum of squares 10, standard error √(10 / 3 / 4); 3.182 and 5.841 standard errors
    are the half-widths for 95 % and 99 %.
    """
    table = table_of(APART)
    pair = next(pair for pair in table.pairs if pair.worse == "planner")
    error = sqrt(10 / 12)
    assert (pair.better, pair.gap, pair.error) == ("greedy", 12.0, pytest.approx(error))
    assert (pair.low, pair.high) == pytest.approx((12.0 - 3.182 * error, 12.0 + 3.182 * error), abs=0.001)
    assert "12.00 ± 2.91, >99.9 %" in text_of(APART)
    at_99_percent = next(pair for pair in at_level(table, 0.99).pairs if pair.worse == "planner")
    assert (at_99_percent.low, at_99_percent.high) == pytest.approx(
        (12.0 - 5.841 * error, 12.0 + 5.841 * error), abs=0.001
    )


def test_another_level_changes_intervals_and_nothing_else() -> None:
    """With three degrees of freedom t = 12 / √(10 / 12) = 13.1 is above 12.92, the critical value for 0.001, and below
    16.3, that for 0.0005: half of the 0.001 that 99.9 % leaves is the share of each of two other bots.
    """
    table = table_of(APART)
    finer = at_level(table, 0.999)
    assert finer.level == 0.999
    assert all(bot.low < other.low for bot, other in zip(finer.bots, table.bots, strict=True))
    assert {(bot.rank_low, bot.rank_high) for bot in finer.bots} == {(1, 2), (3, 3)}
    assert replace(finer, level=table.level, bots=table.bots, pairs=table.pairs, duels=table.duels) == table
    assert at_level(finer, table.level) == table
    text = " ".join(page_text(reports.table(finer), 80).split())
    assert "At 99.9 % confidence, ± is the margin of a bot's mean, and Ranks is the range of its rank by" in text
    assert "± is the margin of the gap at 99.9 % confidence;" in text
    assert "The order is only 99.8 % certain." in text


def test_one_block_has_no_error() -> None:
    text = text_of([(10, 20, 30)], replace(LEAGUE, blocks=1))
    assert "One block has no error: only more blocks can tell how certain the order is." in text
    assert "0.0 %" not in text
    assert "±  " not in text.split("Every pair")[1].split("- ")[0]


def test_the_table_of_a_league_that_may_end_early_has_its_number_of_looks() -> None:
    """A league of up to 300 blocks has looks after 64, 128, 256 and 300 blocks."""
    assert "looks" not in text_of(APART)
    text = text_of(APART, replace(LEAGUE, certainty="0.95", blocks=300))
    assert "hold at each of the 4 looks" in text
    assert table_of(APART, replace(LEAGUE, certainty="0.95", blocks=300)).looks == 4


def test_the_table_of_an_unfinished_league_names_the_command_that_resumes() -> None:
    text = " ".join(text_of(APART, replace(LEAGUE, blocks=9)).split())
    assert "4 of 9 blocks, 4 games, 28 hands The order is 99.8 % certain." in text
    assert "Not finished: unless it is being played, continue with `tourney league resume 1`." in text


def test_a_knock_league_shows_money() -> None:
    """The bot with the most money is first, and the table has no points."""
    tally = Tally(replace(LEAGUE, rules="knock", stake=100, bots=("greedy", "random"), blocks=2))
    for number, money in enumerate((30, 50)):
        totals = (EntrantTotals(10, 80, money), EntrantTotals(10, 20, -money))
        tally.add(write_block(BlockOutcome(number, (GameOutcome(0, 5, (1, 0), (8, 2), (2, 1), (-1, 1)),), totals)))
    table = tally.table(1)
    assert [(bot.entrant, bot.mean) for bot in table.bots] == [("greedy", 4.0), ("random", -4.0)]
    text = page_text(reports.table(table))
    assert "Money a hand" in text
    assert "Every pair: by how much money a hand the row is better than the column" in text
    assert "oints" not in text


def test_a_bot_that_is_worse_over_all_games_may_be_better_head_to_head() -> None:
    """Greedy has 10 points a hand against random, which has 20; but against planner greedy has 60 and random 30.

    The means are 35, 25 and 15. In the second block greedy has one point more against random: gaps of 10 and 9.
    """
    tally = Tally(replace(LEAGUE, blocks=2))
    for number in range(2):
        pairs_of_games = {(0, 1): (70 + 7 * number, 140), (0, 2): (420, 70), (1, 2): (210, 140)}
        games = tuple(GameOutcome(0, 7, seats, points, (1, 2)) for seats, points in pairs_of_games.items())
        totals = tuple(
            EntrantTotals(
                14,
                sum(points[seats.index(bot)] for seats, points in pairs_of_games.items() if bot in seats),
                contracts=SEVEN,
            )
            for bot in range(3)
        )
        tally.add(write_block(BlockOutcome(number, games, totals)))
    table = tally.table(1)
    assert [bot.entrant for bot in table.bots] == ["planner", "random", "greedy"]
    duel = next(pair for pair in table.duels if {pair.better, pair.worse} == {"greedy", "random"})
    assert (duel.better, duel.gap, duel.error) == ("random", -9.5, pytest.approx(0.5))
    assert duel.high == pytest.approx(-9.5 + 12.706 * 0.5, abs=0.001)
    text = page_text(reports.table(table), 80)
    assert "Head to head: only the games in which both sat" in text
    assert "-9.50 ± 6.35, 1.7 %" in text.split("Head to head")[1]
    sheet = {row["entrant"]: row for row in csv.DictReader(io.StringIO(csv_text(reports.table(table))))}
    assert float(sheet["greedy"]["duel_with_random"]) == 9.5
    assert reports.table(table).structure()["duels"][-1]["gap"] == -9.5


@pytest.mark.parametrize("rows", [CLOSE, APART, [(10, 20, 30)], []], ids=["alike", "apart", "one block", "no block"])
def test_every_format_has_every_part(rows: list[tuple[int, ...]]) -> None:
    """CSV rows also have contracts and pairs; JSON has every number unrounded."""
    table = table_of(rows)
    report = reports.table(table)
    structure = report.structure()
    json_text(structure)
    assert (structure["level"], structure["looks"], structure["contracts"]) == (0.95, 1, list(table.contracts))
    assert [bot["rank_high"] for bot in structure["bots"]] == [bot.rank_high for bot in table.bots]
    assert [(pair["gap"], pair["error"]) for pair in structure["pairs"]] == [
        (pair.gap, pair.error) for pair in table.pairs
    ]
    sheet = list(csv.DictReader(io.StringIO(csv_text(report))))
    assert [row["entrant"] for row in sheet] == [bot.entrant for bot in table.bots]
    for row, bot in zip(sheet, table.bots, strict=True):
        assert tuple(float(row[name]) for name in table.contracts) == bot.contracts
    by_name = {row["entrant"]: row for row in sheet}
    for pair in table.pairs:
        assert float(by_name[pair.better][f"better_than_{pair.worse}"]) == pair.gap
        assert float(by_name[pair.worse][f"better_than_{pair.better}"]) == -pair.gap
        assert by_name[pair.better][f"error_to_{pair.worse}"] == ("" if pair.error is None else str(pair.error))
        assert float(by_name[pair.better][f"sure_to_beat_{pair.worse}"]) == pair.certainty
    for text in (page_text(report, 80), markdown_text(report)):
        parts = ("Bots", "Every pair", "Points a hand by contract") if rows else ()
        assert all(part in text for part in (*parts, f"hash {table.hash}"))


@pytest.mark.parametrize("bots", [4, 8])
def test_the_table_of_many_bots_has_at_most_eighty_columns(bots: int) -> None:
    """Gaps are a hundred points and more; with eight bots every cell of a pair is folded."""
    league = replace(LEAGUE, bots=("random", "greedy", "planner", "search", *["random"] * 4)[:bots])
    rows = [(160, 30, 22, 15, 400, 555, 707, 909)[:bots], (150, 28, 21, 17, 100, 222, 333, 111)[:bots]]
    title, *lines = text_of(rows, league).splitlines()
    assert title.startswith("League 1: random, greedy, planner, search")
    assert max(map(len, lines)) <= 80


# --- the command ----------------------------------------------------------------------------------------


def test_a_level_changes_only_the_output(run: Runner, tmp_path: Path) -> None:
    """With two blocks the half-widths of the intervals are 63.66 standard errors for 99 % and 12.71 for 95 %."""
    db = ("--db", str(tmp_path / "club.db"), "--json")
    words = ("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "2", "--workers", "1")
    finer, usual = run(*words, "--level", "0.99", *db).json, run("league", "status", *db).json
    assert (finer["level"], usual["level"], finer["hash"]) == (0.99, 0.95, usual["hash"])
    for table, bound in ((finer, 63.657), (usual, 12.706)):
        for row in (*table["bots"], *table["pairs"]):
            assert row["high"] - row["low"] == pytest.approx(2.0 * bound * row["error"], rel=1e-4)
    assert run("league", "resume", "--level", "0.99", "--workers", "1", *db).json == finer


@pytest.mark.parametrize("level", ["1", "0.4", "nan"])
def test_an_impossible_level_is_refused_before_any_game(run: Runner, tmp_path: Path, level: str) -> None:
    result = run("league", "run", "--bots", "greedy,random", "--level", level, "--db", str(tmp_path / "club.db"))
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    assert result.err.endswith("is not a confidence level\nhint: give one from 0.5 to below 1, such as 0.99\n")
    assert not (tmp_path / "club.db").exists()
