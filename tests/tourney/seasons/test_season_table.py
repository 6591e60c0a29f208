"""Tests of the ranking of a season: published figures of the European mahjong ranking, and cases worked by hand."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.tourney.standings.games import Evening
from tourney.domain.people import Player
from tourney.domain.seasons import CountedEvent, Season, SeasonSettings
from tourney.reports.seasons import standings
from tourney.standings.placing import RankingBasis, ranked
from tourney.standings.scoring import BY_POINTS
from tourney.standings.seasons.results import base_rank, placings, rounded
from tourney.standings.seasons.table import SeasonEvent, SeasonRow, SeasonTable, season_table, steps
from tourney.standings.seasons.totals import EMA, Weighted
from tourney.standings.seasons.weights import EMA_COUNTRIES, EMA_PLAYERS, WEIGHTS, faded, read_decay, read_weight
from tourney.text.names import name_order

# --- the European mahjong ranking (mahjong-europe.org, "Basics of the ranking") ------------------------------


@pytest.mark.parametrize(
    ("rank", "players", "rounding", "expected"),
    [(32, 60, "round", 475), (3, 16, "round", 867), (75, 100, "truncate", 252), (75, 100, "round", 253)],
)
def test_base_ranks_are_those_of_the_published_page(rank: int, players: int, rounding: str, expected: int) -> None:
    """The page rounds 474.58 and 866.67, but truncates 252.53, so that the rounding is a setting of the season."""
    assert rounded(base_rank(rank, players), rounding) == expected


def results(*pairs: tuple[int, int]) -> list[Weighted]:
    return [(Fraction(value), Fraction(weight)) for value, weight in pairs]


PUBLISHED = results((1000, 1), (1000, 1), (1000, 1), (501, 6), (500, 1))


def test_the_mean_of_two_parts_is_that_of_the_published_example() -> None:
    """A is 650.6 and B 667.33; their mean is 658.97, where the page prints 658.95."""
    assert EMA.total(PUBLISHED) == (Fraction("650.6") + Fraction(6006, 9)) / 2
    assert round(float(EMA.total(PUBLISHED)), 2) == 658.97
    assert EMA.working(PUBLISHED) == (
        "A, the best 5 results: (1000 + 1000 + 1000 + 6 × 501 + 500) / 10 = 650.6",
        "B, the best 4 results: (1000 + 1000 + 1000 + 6 × 501) / 9 = 667.33",
        "(650.6 + 667.33) / 2 = 658.97",
    )


def test_the_best_results_are_chosen_by_their_value_and_not_by_what_helps_most() -> None:
    """With 500 of weight 1 in place of 501 of weight 6 part B would be 875, and the ranking 762.8."""
    helpful = results((1000, 1), (1000, 1), (1000, 1), (500, 1))
    assert float((Fraction("650.6") + sum(value for value, _weight in helpful) / 4) / 2) == 762.8
    assert EMA.total(PUBLISHED) < 700


@pytest.mark.parametrize(("number", "in_a"), [(1, 5), (5, 5), (6, 6), (7, 7), (10, 9), (13, 12), (25, 21)])
def test_part_a_has_five_results_and_four_fifths_of_those_beyond(number: int, in_a: int) -> None:
    """ceil(5 + 0.8 · (n − 5)); fewer than five are filled up with 0 of weight 1."""
    part = EMA.part_a(results(*[(600, 2)] * number))
    assert len(part) == in_a
    assert part.count((Fraction(0), Fraction(1))) == max(0, 5 - number)
    assert len(EMA.part_b(results(*[(600, 2)] * number))) == min(4, number)


def test_the_weight_of_an_event_comes_from_days_players_countries_and_qualification() -> None:
    """0 up to 40 players, 0.5 up to 80, then 1; 0 up to 5 countries, 0.5 up to 9, then 1; a qualification adds 1."""
    assert [EMA_PLAYERS.at(number) for number in (8, 40, 41, 80, 81, 300)] == [0, 0, 0.5, 0.5, 1, 1]
    assert [EMA_COUNTRIES.at(number) for number in (1, 5, 6, 9, 10, 30)] == [0, 0, 0.5, 0.5, 1, 1]
    weight = WEIGHTS["ema"].weight
    assert weight(CountedEvent(1, days=2, countries=7), 60) == 3
    assert weight(CountedEvent(1, days=3, countries=12, qualification=True), 100) == 6


@pytest.mark.parametrize(
    ("as_of", "left"),
    [
        ("2026-03-31", 1),
        ("2027-03-30", 1),
        ("2027-03-31", Fraction(1, 2)),
        ("2028-03-30", Fraction(1, 2)),
        ("2028-03-31", 0),
    ],
)
def test_weights_are_halved_after_a_year_and_gone_after_two(as_of: str, left: Fraction) -> None:
    assert faded("12:50/24:0", "2026-03-31", as_of) == left


def test_a_month_without_that_day_ends_with_its_last_one() -> None:
    """A month after 31 January is 28 February, in a leap year 29 February."""
    assert [faded("1:50", "2026-01-31", f"2026-02-{day}") for day in (27, 28)] == [1, Fraction(1, 2)]
    assert [faded("1:50", "2028-01-31", f"2028-02-{day}") for day in (28, 29)] == [1, Fraction(1, 2)]
    assert faded("12:50", "", "2030-01-01") == 1


# --- seasons by hand -----------------------------------------------------------------------------------------

LINES = (
    "Ana 10, Beñat 20, Carmen 30, Diego 40",
    "Ana 40, Beñat 30, Carmen 20, Diego 10",
    "Ana 10, Beñat 30, Carmen 20",
)
PEOPLE = {name: Player(number, name) for number, name in enumerate(("Ana", "Beñat", "Carmen", "Diego"), 1)}
DAYS = ("2026-01-09", "2026-02-13", "2026-03-13")


def event(number: int, counted: CountedEvent | None = None) -> SeasonEvent:
    """Return one of the three evenings: Ana wins the first and the third, Diego the second and misses the third."""
    evening = Evening()
    evening.people = dict(PEOPLE)
    evening.table(1, LINES[number - 1])
    order = ranked(tuple(PEOPLE.values()), evening.results, basis=RankingBasis(scoring=BY_POINTS))
    return SeasonEvent(f"E{number}", DAYS[number - 1], counted or CountedEvent(number), order)


def table(*events: SeasonEvent, as_of: str = DAYS[-1], **settings: object) -> SeasonTable:
    chosen = replace(SeasonSettings("Season"), **settings)  # type: ignore[arg-type]
    return season_table(Season(1, chosen), events or (event(1), event(2), event(3)), as_of, name_order)


def scores(found: SeasonTable) -> list[tuple[int | None, str, float]]:
    return [(row.rank, row.player.name, round(float(row.score), 2)) for row in found.rows]


SEASONS: Mapping[str, tuple[dict[str, object], list[tuple[int | None, str, float]]]] = {
    # Ana has 3, 0 and 2 points; Beñat 2, 1 and 0; Carmen 1, 2 and 1; Diego 0 and 3. Of those who are level, the one
    # with the better result left out ranks first.
    "all count, 1 for each player behind": (
        {},
        [(1, "Ana", 5), (2, "Carmen", 4), (3, "Beñat", 3), (3, "Diego", 3)],
    ),
    "the best two": ({"best": 2}, [(1, "Ana", 5), (2, "Carmen", 3), (3, "Beñat", 3), (4, "Diego", 3)]),
    "the worst of three left out, a missed one too": (
        {"drop": 1},
        [(1, "Ana", 5), (2, "Carmen", 3), (3, "Beñat", 3), (4, "Diego", 3)],
    ),
    "a list of place points": (
        {"places": "10-6-3"},
        [(1, "Ana", 20), (2, "Carmen", 15), (3, "Beñat", 12), (4, "Diego", 10)],
    ),
    "table points": (
        {"by": "table points", "table_points": "7-5-3-1/7-4-1"},
        [(1, "Ana", 15), (2, "Carmen", 12), (3, "Beñat", 9), (4, "Diego", 8)],
    ),
    "points per game, the mean": (
        {"by": "points"},
        [(1, "Ana", 20), (2, "Carmen", 23.33), (3, "Diego", 25), (4, "Beñat", 26.67)],
    ),
    "the best two by points": (
        {"by": "points", "best": 2},
        [(1, "Ana", 10), (2, "Carmen", 20), (3, "Beñat", 25), (4, "Diego", 25)],
    ),
    "a minimum of three": ({"minimum": 3}, [(1, "Ana", 5), (2, "Carmen", 4), (3, "Beñat", 3), (None, "Diego", 3)]),
    "decay": (
        {"decay": "1:50/2:0"},  # E2 keeps half since 13 March; E1 is two months old on 9 March
        [(1, "Ana", 2), (1, "Carmen", 2), (3, "Diego", 1.5), (4, "Beñat", 0.5)],
    ),
}


@pytest.mark.parametrize("name", SEASONS)
def test_a_season_ranks_as_worked_by_hand(name: str) -> None:
    settings, expected = SEASONS[name]
    assert sorted(scores(table(**settings)), key=str) == sorted(expected, key=str)


def test_weights_multiply_and_the_bonus_is_for_finals_alone() -> None:
    """E3 is a final of weight 2 with a bonus of 5: Ana has 3 + 0 + 2 · (2 + 5), Diego, who was not there, 3."""
    final = event(3, CountedEvent(3, weight="2", final=True))
    found = table(event(1), event(2), final, final_bonus=5)
    assert scores(found) == [(1, "Ana", 17), (2, "Carmen", 15), (3, "Beñat", 13), (4, "Diego", 3)]
    assert steps(found, found.rows[0]) == (
        "E1: rank 1 of 4: 3",
        "E2: rank 4 of 4: 0",
        "E3: rank 1 of 3: 2; with the bonus for finals 7; weight 2",
        "2 × 7 + 3 + 0 = 17",
    )


def test_a_weight_is_shown_with_its_result_so_that_the_row_adds_up() -> None:
    """Ana's 7 with the bonus counts twice: 3 + 0 + 7 × 2 = 17."""
    found = table(event(1), event(2), event(3, CountedEvent(3, weight="2", final=True)), final_bonus=5)
    report = standings(found)
    at = [column.key for column in report.columns].index("results")
    assert report.rows[0][at] == "3 · 0 · 7 × 2"


def test_where_few_points_are_good_the_bonus_is_taken_off() -> None:
    """Ana's 10 points in the final become 5: (10 + 40 + 5) / 3."""
    final = event(3, CountedEvent(3, final=True))
    found = table(event(1), event(2), final, by="points", final_bonus=5)
    assert round(float(_row(found, "Ana").score), 2) == round(55 / 3, 2)


def _row(found: SeasonTable, name: str) -> SeasonRow:
    return next(row for row in found.rows if row.player.name == name)


def test_level_players_are_ranked_by_their_best_result_that_does_not_count() -> None:
    """Of the best one, Ana and Diego have 3 each: Ana's next is 2 and Diego's 0; Pentamind goes on in the same way."""
    found = table(best=1)
    assert scores(found)[:2] == [(1, "Ana", 3), (2, "Diego", 3)]
    assert _row(found, "Diego").why == "level with Ana, whose best result that does not count is better"
    assert [each.counts for each in _row(found, "Ana").results] == [True, False, False]


def test_results_that_do_not_count_compete_with_their_weights() -> None:
    """Ana has 1.5, 0 and 4, Carmen 0.5, 4 and 2: of the best one both have 4, and then 2 is better than 1.5."""
    weights = ("0.5", "2", "2")
    weighted = [event(number, CountedEvent(number, weight=weight)) for number, weight in enumerate(weights, 1)]
    assert scores(table(*weighted, best=1)) == [(1, "Diego", 6), (2, "Carmen", 4), (3, "Ana", 4), (4, "Beñat", 2)]


def test_tied_ranks_share_what_they_give_together() -> None:
    """Two share ranks 2 and 3 of 10-6-3: 4.5 each; without a list 1.5 of the 2 and 1 players behind."""
    evening = Evening()
    evening.people = dict(PEOPLE)
    evening.table(1, "Ana 10, Beñat 20, Carmen 20, Diego 40")
    order = ranked(tuple(PEOPLE.values()), evening.results, basis=RankingBasis(scoring=BY_POINTS))
    tied = SeasonEvent("Tie", DAYS[0], CountedEvent(1), order)
    by_list = table(tied, places="10-6-3")
    assert scores(by_list) == [(1, "Ana", 10), (2, "Beñat", 4.5), (2, "Carmen", 4.5), (4, "Diego", 0)]
    assert [score for _rank, _name, score in scores(table(tied))] == [3, 1.5, 1.5, 0]


def test_events_after_the_day_do_not_count() -> None:
    assert [event.name for event in table(as_of="2026-02-20").events] == ["E1", "E2"]
    assert scores(table(as_of="2026-01-31")) == scores(table(event(1)))


def test_the_ranking_of_a_small_european_season_is_worked_step_by_step() -> None:
    """Two evenings of a day: 1000 and 0 for Ana; A = 1000 / 5, B = 1000 / 2, and their mean 350."""
    found = table(event(1), event(2), by="base rank", totals="ema", weights="ema", minimum=2, rounding="round")
    assert steps(found, _row(found, "Ana")) == (
        "E1: rank 1 of 4, 1000 × (4 − 1) / (4 − 1): 1000",
        "E2: rank 4 of 4, 1000 × (4 − 4) / (4 − 1): 0",
        "A, the best 5 results: (1000 + 0 + 0 + 0 + 0) / 5 = 200",
        "B, the best 2 results: (1000 + 0) / 2 = 500",
        "(200 + 500) / 2 = 350",
    )
    assert steps(found, _row(found, "Beñat"))[0] == "E1: rank 2 of 4, 1000 × (4 − 2) / (4 − 1): 666.67; counted as 667"


def test_a_finalist_without_a_rank_takes_nothing_from_those_behind() -> None:
    """Of ranks 1, 2 and 4 the last has two ranked players ahead, and the base rank of the last."""
    first, second, _third, fourth = (order := event(1).order).placed
    places = placings(replace(order, placed=(first, second, fourth)))
    assert [(place.rank, place.players) for place in places] == [(1, 3), (2, 3), (3, 3)]
    assert base_rank(places[-1].rank, places[-1].players) == 0


def test_a_result_outside_both_parts_does_not_count() -> None:
    """Of ten results ceil(5 + 0.8 · 5) = 9 make part A, and part B has four of them."""
    found = table(*[event(1)] * 10, by="base rank", totals="ema")
    ana = _row(found, "Ana")
    assert (ana.counting, len(ana.results), ana.left_out) == (9, 10, (1000,))
    assert [step.partition(":")[0] for step in steps(found, ana)[-3:-1]] == [
        "A, the best 9 results",
        "B, the best 4 results",
    ]


@pytest.mark.parametrize("typed", ["0", "0.0", "-1", "x", "1e3", "1001", ""])
def test_a_weight_is_above_zero(typed: str) -> None:
    with pytest.raises(ValueError, match="weight"):
        read_weight(typed)


@pytest.mark.parametrize("typed", ["12", "0:50", "24:50/12:0", "12:50/24:60", "12:100", "12:50/12:0", "a:b"])
def test_a_decay_falls_from_step_to_step(typed: str) -> None:
    with pytest.raises(ValueError, match="months"):
        read_decay(typed)


def test_weights_and_decays_are_kept_in_one_form() -> None:
    assert [read_weight(typed) for typed in ("1", "1,5", "2.50", " 3 ")] == ["1", "1.5", "2.5", "3"]
    assert read_decay(" 12:50 / 24:0 ") == "12:50/24:0"
