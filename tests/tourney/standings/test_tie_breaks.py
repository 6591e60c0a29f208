"""Tests of every tie-break by a worked example: from a published text where there is one, otherwise by hand."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.tourney.standings.games import Evening
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.results import Ruling
from tourney.service.change import apply
from tourney.service.results import standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.standings.arithmetic import arithmetic
from tourney.standings.placing import Ranked, RankingBasis, ranked
from tourney.standings.ranking import why
from tourney.standings.scales import table_points
from tourney.standings.scoring import BY_POINTS, TOTALS, Scoring
from tourney.standings.tiebreaks.registry import LISTS, TIE_BREAKS, read_tie_breaks, tie_breaks
from tourney.standings.tiebreaks.tiebreak import TieBreak, each
from tourney.text.i18n import _, speaking

FIRST_TWO = table_points(EventSettings("x", "oficial", table_points="first two", scoring="table points"))
BY_PLACES = table_points(EventSettings("x", "oficial", table_points="3-2-1", scoring="table points"))
TWO_FOR_A_WIN = table_points(EventSettings("x", "oficial", table_points="2-0", scoring="table points"))


def by(key: str, scoring: Scoring = BY_POINTS) -> Scoring:
    """Return the scoring with one tie-break."""
    return replace(scoring, tie_breaks=tie_breaks(key))


def order(evening: Evening, scoring: Scoring, rulings: Sequence[Ruling] = ()) -> Ranked:
    return ranked(evening.entrants, evening.results, 1, basis=RankingBasis(rulings=rulings, scoring=scoring))


def values(found: Ranked) -> list[tuple[int, str, str]]:
    """Return rank, name and value of those about whom the first tie-break was asked."""
    return [
        (placed.rank, placed.tally.player.name, placed.steps[0].tie_break.text(placed.steps[0].value))
        for placed in found.placed
        if placed.steps
    ]


def two_seconds() -> Evening:
    """Ana is second twice, Beñat first and third, both with 40 points; Carmen has 50."""
    evening = Evening("Ana", "Beñat", "Carmen")
    evening.table(1, "Ana 20, Beñat 10, Carmen 40", ["Beñat", "Ana", "Ana"])
    evening.table(2, "Ana 20, Beñat 30, Carmen 10", ["Carmen", "Beñat", "Carmen"])
    return evening


def different_games() -> Evening:
    """Koldo and Diego have 40 points per game, and without their worst game 30 each: 30 / 1 and (20 + 30 + 40) / 3."""
    evening = Evening("Koldo", "Diego", "Carmen")
    evening.table(1, "Koldo 30, Diego 20, Carmen 90")
    evening.table(2, "Koldo 50, Diego 30, Carmen 90")
    evening.table(3, "Diego 40, Carmen 90")
    evening.table(4, "Diego 70, Carmen 90")
    return evening


def half_the_games() -> Evening:
    """Diego and Koldo have half a table point per game: 2 in 4 games with 80 points, and 1 in 2 games with 50."""
    evening = Evening("Diego", "Koldo", "X", "Y")
    evening.table(1, "Diego 10, X 30", ["Diego"])
    evening.table(1, "Koldo 20, Y 40", ["Koldo"])
    evening.table(2, "Diego 20, X 40", ["Diego"])
    evening.table(2, "Koldo 30, Y 10", ["Koldo"])
    evening.table(3, "Diego 20, X 10")
    evening.table(4, "Diego 30, X 15")
    return evening


def more_wins() -> Evening:
    """Ana and Beñat have 40 points each; Beñat has won both games, Ana one."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego")
    evening.table(1, "Ana 10, Carmen 30")
    evening.table(1, "Beñat 20, Diego 25")
    evening.table(2, "Ana 30, Diego 20")
    evening.table(2, "Beñat 20, Carmen 21")
    return evening


def tables_of_two_sizes() -> Evening:
    """Ana is third of three and Beñat first of two, both with 20 points."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego", "Elena")
    evening.table(1, "Ana 20, Carmen 10, Diego 5", number=2)
    evening.table(1, "Beñat 20, Elena 30", number=1)
    return evening


def two_winners() -> Evening:
    """Ana is first of three and Beñat first of two, both with 5 points."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego", "Elena")
    evening.table(1, "Ana 5, Carmen 10, Diego 20", number=1)
    evening.table(1, "Beñat 5, Elena 30", number=2)
    return evening


def catan() -> Evening:
    """The three games of the players A and B in the example of Catan's championship rules, with 28 points each."""
    evening = Evening("A", "B")
    evening.table(1, "A 10, c 9, d 8, e 5")
    evening.table(1, "B 10, f 8, g 7, h 5")
    evening.table(2, "A 8, f 8, g 7, h 7")
    evening.table(2, "B 10, c 9, d 8, e 6")
    evening.table(3, "A 10, B 8, c 9, f 9")
    return evening


def three_level() -> Evening:
    """Player 1 beats 2, and both draw with 3, as in a table of FIDE's seminar for arbiters; all have 45 points."""
    evening = Evening("P1", "P2", "P3")
    evening.table(1, "P1 10, P2 20")
    evening.table(2, "P2 15, P3 15")
    evening.table(3, "P1 20, P3 20")
    evening.table(4, "P1 15, X 99")
    evening.table(4, "P2 10, Y 99")
    evening.table(4, "P3 10, Z 99")
    return evening


Values = list[tuple[int, str, str]]
OTHERS = {"X", "Y", "Z"}
BY_HAND: list[tuple[str, Callable[[], Evening], Values]] = [
    ("recent-hand", two_seconds, [(1, "Beñat", "hand 2 of round 2"), (2, "Ana", "none as recent")]),
    ("hands-won", two_seconds, [(1, "Ana", "2"), (1, "Beñat", "2")]),
    ("games-won", more_wins, [(1, "Beñat", "2"), (2, "Ana", "1")]),
    ("second-places", two_seconds, [(1, "Ana", "2"), (2, "Beñat", "0")]),
    ("count-back", two_seconds, [(1, "Beñat", "1-0-1"), (2, "Ana", "0-2")]),
    ("count-back", two_winners, [(1, "Ana", "1"), (1, "Beñat", "1")]),
    ("mean-place", tables_of_two_sizes, [(3, "Beñat", "1"), (4, "Ana", "3")]),
    ("best-game", two_seconds, [(1, "Beñat", "10"), (2, "Ana", "20")]),
    ("drop-worst", two_seconds, [(1, "Beñat", "10"), (2, "Ana", "20")]),
    ("drop-worst", different_games, [(1, "Diego", "30 a game"), (1, "Koldo", "30 a game")]),
    ("last-game", two_seconds, [(1, "Ana", "20"), (2, "Beñat", "30")]),
    ("last-table", tables_of_two_sizes, [(3, "Beñat", "table 1"), (4, "Ana", "table 2")]),
    ("head-to-head", two_seconds, [(1, "Ana", "1"), (1, "Beñat", "1")]),
    ("head-to-head", more_wins, [(1, "Ana", "0"), (1, "Beñat", "0")]),
    ("head-to-head", three_level, [(1, "P1", "1.5"), (2, "P3", "1"), (3, "P2", "0.5")]),
]


@pytest.mark.parametrize(("key", "evening", "expected"), BY_HAND, ids=[f"{key}-{e.__name__}" for key, e, _v in BY_HAND])
def test_a_tie_break_ranks_the_players_who_are_level(
    key: str, evening: Callable[[], Evening], expected: Values
) -> None:
    """The greater or smaller value ranks first, and equal values share the rank.

    Who have not all met are not compared head to head (UK Chess Challenge, explanation of the tie-breaks).
    """
    assert [value for value in values(order(evening(), by(key))) if value[1] not in OTHERS] == expected


PER_GAME: list[tuple[str, Values]] = [
    ("points", [(1, "Diego", "20 a game"), (3, "Koldo", "25 a game")]),
    ("games-won", [(1, "Diego", "0.5 a game"), (1, "Koldo", "0.5 a game")]),
    ("second-places", [(1, "Diego", "0.5 a game"), (1, "Koldo", "0.5 a game")]),
    ("count-back", [(1, "Diego", "0.5-0.5 a game"), (1, "Koldo", "0.5-0.5 a game")]),
    # 10/40, 20/60, 20/30 and 30/45 over two at each table of two, against 20/60 and 30/40 over two.
    ("share", [(2, "Diego", "23.96 % a game"), (4, "Koldo", "27.08 % a game")]),
    ("hands-won", [(1, "Koldo", "1 a game"), (2, "Diego", "0.5 a game")]),
]


@pytest.mark.parametrize(("key", "expected"), PER_GAME, ids=[key for key, _values in PER_GAME])
def test_a_tie_break_compares_per_game_where_scores_are_per_game(key: str, expected: Values) -> None:
    """Diego has twice as many games: over all games he would have more of everything."""
    found = order(half_the_games(), by(key, Scoring(FIRST_TWO)))
    assert [value for value in values(found) if value[1] not in OTHERS] == expected


def test_a_tie_break_compares_sums_where_scores_are_summed_up_or_games_are_equal() -> None:
    """With sums Diego is ahead of Koldo by his score; Ana and Beñat have as many games, though Carmen has one more."""
    summed = order(half_the_games(), by("points", Scoring(FIRST_TWO, TOTALS["sum"])))
    assert [value[1:] for value in values(summed) if value[1] not in OTHERS] == [("Diego", "80"), ("Koldo", "50")]
    evening = two_seconds()
    evening.table(3, "Carmen 0, Diego 0")
    assert values(order(evening, by("games-won"))) == [(3, "Beñat", "1"), (4, "Ana", "0")]


def test_the_reason_names_the_figure_per_game() -> None:
    """The case of the tie-break by points, in the steps and in the sentence under the standings."""
    found = order(half_the_games(), by("points", Scoring(FIRST_TWO)))
    koldo = next(placed for placed in found.placed if placed.tally.player.name == "Koldo")
    assert arithmetic(found, koldo.tally.player)[-1].startswith(
        "level with Diego, X and Y; tie-break 1, points: 25 a game, against 20 a game (Diego)"
    )
    assert why(found.contest, koldo) == "level with X; points: 23.75 a game against 25 a game"


def test_hands_won_are_counted_over_all_games() -> None:
    """Beñat has won three hands and Ana two."""
    evening = Evening("Ana", "Beñat")
    evening.table(1, "Ana 10, Beñat 20", ["Ana", "Beñat"])
    evening.table(2, "Ana 20, Beñat 10", ["Beñat", "Beñat", "Ana"])
    assert values(order(evening, by("hands-won"))) == [(1, "Beñat", "3"), (2, "Ana", "2")]


def test_points_rank_who_are_level_in_table_points() -> None:
    """All three have 4 table points: 2 + 2, 3 + 1 and 1 + 3; Carmen has most points."""
    found = order(two_seconds(), by("points", Scoring(BY_PLACES)))
    assert values(found) == [(1, "Ana", "40"), (1, "Beñat", "40"), (3, "Carmen", "50")]


def test_shares_are_those_of_the_published_example() -> None:
    """Catan's rules print 31.25, 26.67 and 27.78 per cent for A, 33.33, 30.30 and 22.22 for B: 85.69 and 85.86.

    There the greater sum ranks first, here, where few points are good, the smaller one.
    """
    assert values(order(catan(), by("share"))) == [(7, "A", "85.69 %"), (8, "B", "85.86 %")]
    found = order(catan(), by("share"))
    share = TIE_BREAKS["share"].measure
    for name, parts in {"A": (3125, 2667, 2778), "B": (3333, 3030, 2222)}.items():
        tally = next(each for each in found.contest.tallies.values() if each.player.name == name)
        alone = [share([replace(tally, played=[game])], found.contest)[0] for game in tally.played]
        assert [round(10_000 * part) for part in alone] == list(parts)


def test_a_table_of_three_counts_as_if_an_average_player_sat_at_the_fourth_seat() -> None:
    """Catan's example: 10, 9 and 5 points are 24, with the average of 8 they are 32; 10 of 32 is 31.25 per cent."""
    evening = Evening("A", "B", "C")
    evening.table(1, "A 10, B 9, C 5")
    found = order(evening, by("share"))
    tally = found.contest.tallies[1]
    assert TIE_BREAKS["share"].measure([tally], found.contest) == [Fraction(10, 32)]


# Rows of the final table of a club championship of 27 players and six rounds (Hamilton Chess Club, 2018): opponents
# with + for a win, = for a draw and - for a loss; a bye has no opponent. Its page prints the Buchholz score of player
# 1 as 22.5 and 20.0 without the weakest opponent, that of player 2 as 20.0.
CROSS_TABLE = """
+10 +17 +12 =2 +4 +3
+27 +16 +9 =1 +8 +10
=bye +11 +6 =4 +5 -1
+22 +15 =8 =3 -1 +13
-16 +14 +22 +15 -3 +8
-21 +27 -3 +23 +16 +14
-9 -23 +27 +19 +15 +12
+25 +21 =4 +13 -2 -5
+7 +13 -2 =bye +18
-1 +25 +26 =12 +17 -2
=bye -3 -14 +25 +20 +17
+20 +18 -1 =10 =14 -7
+23 -9 +19 -8 +21 -4
=bye -5 +11 +22 =12 -6
+26 -4 +21 -5 -7 +24
+5 -2 -17 +24 -6 +22
+24 -1 +16 =bye -10 -11
+19 -12 +23 =bye -9
-18 +20 -13 -7 =25 +21
-12 -19 =25 +27 -11 +26
+6 -8 -15 +26 -13 -19
-4 +24 -5 -14 +26 -16
-13 +7 -18 -6 -24 +27
-17 -22 +bye -16 +23 -15
-8 -10 =20 -11 =19 +bye
-15 +bye -10 -21 -22 -20
-2 -6 -7 -20 +bye -23
"""
POINTS_OF = {"+": "0, {} 9", "-": "9, {} 0", "=": "5, {} 5"}


def cross_table() -> tuple[Evening, list[Ruling]]:
    """Return the games of the cross table, and its byes as points that a ruling gives: 2 for a win, 1 for a draw."""
    rows = [row.split() for row in CROSS_TABLE.split("\n") if row]
    evening, byes = Evening(*map(str, range(1, len(rows) + 1))), []
    for number, row in enumerate(rows, 1):
        for round_number, game in enumerate(row, 1):
            result, other = game[0], game[1:]
            if other == "bye":
                points = -2 if result == "+" else -1
                byes.append(Ruling(1, "x", "penalty", "bye", player=evening.people[str(number)], points=points))
            elif number < int(other):
                evening.table(round_number, f"{number} {POINTS_OF[result].format(other)}")
    return evening, byes


@pytest.mark.parametrize(
    ("key", "doubled_sum", "opponents"),
    [("opponents", 45, 6), ("opponents-cut", 40, 5), ("opponents-median", 29, 4), ("opponents-median-2", 15, 2)],
)
def test_opponents_scores_are_those_of_the_published_table(key: str, doubled_sum: int, opponents: int) -> None:
    """Player 1's opponents have 3.5, 2.5, 3, 5.5, 4 and 4 points: the first two sums are printed, the others by hand.

    A win is 2 points here, so that there are no halves.
    """
    evening, byes = cross_table()
    found = order(evening, Scoring(TWO_FOR_A_WIN, TOTALS["sum"]), byes)
    scores = {each.tally.player.name: each.tally.total for each in found.placed}
    assert (scores["1"], scores["2"], scores["3"], scores["26"]) == (11, 11, 8, 2)
    first, second = (found.contest.tallies[number] for number in (1, 2))
    assert TIE_BREAKS[key].measure([first], found.contest) == [Fraction(doubled_sum, opponents)]
    assert TIE_BREAKS["opponents"].measure([second], found.contest) == [Fraction(40, 6)]


def test_means_of_no_opponents_tell_nobody_apart() -> None:
    """Without the two best and the two worst, nobody is left of the two opponents of Ana and of Beñat's four."""
    evening = Evening()
    evening.table(1, "Ana 10, Carmen 20, Diego 30")
    evening.table(1, "Beñat 10, Eva 20, Fermín 30")
    evening.table(2, "Beñat 10, Gema 15, Hugo 90, Iker 95")
    found = order(evening, by("opponents-median-2"))
    assert [(each.rank, each.tally.player.name) for each in found.placed][:2] == [(1, "Ana"), (1, "Beñat")]
    measure = TIE_BREAKS["opponents-median-2"].measure
    tallies = [each.tally for each in found.placed if each.tally.player.name in ("Ana", "Beñat")]
    assert measure(tallies, found.contest) == [0, 0]
    assert measure([tally for tally in tallies if tally.player.name == "Beñat"], found.contest) != [0]


def test_stronger_opponents_rank_first_on_either_scale() -> None:
    """Where few points are good, opponents with few points are strong."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego")
    evening.table(1, "Ana 10, Carmen 30")
    evening.table(1, "Beñat 10, Diego 40")
    assert values(order(evening, by("opponents"))) == [(1, "Ana", "30"), (2, "Beñat", "40")]
    evening.table(2, "Carmen 10, Diego 20")
    found = order(evening, by("opponents", Scoring(TWO_FOR_A_WIN, TOTALS["sum"])))
    assert [value for value in values(found) if value[1] in ("Ana", "Beñat")] == [(1, "Ana", "2"), (3, "Beñat", "0")]


@pytest.mark.parametrize("totals", ["sum", "per game"])
def test_the_penalties_of_opponents_count_as_the_explanation_says(totals: str) -> None:
    """Carmen's 30 points and her penalty of 15 are 45 for Ana, who is level with Beñat, whose Diego has 40."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego")
    evening.table(1, "Ana 10, Carmen 30")
    evening.table(1, "Beñat 10, Diego 40")
    late = Ruling(1, "x", "penalty", "late", player=evening.people["Carmen"], points=15)
    scoring = by("opponents", replace(BY_POINTS, totals=TOTALS[totals]))
    assert values(order(evening, scoring, [late]))[:2] == [(1, "Beñat", "40"), (2, "Ana", "45")]
    keys = [key for key in TIE_BREAKS if key.startswith("opponents")]
    assert all(TIE_BREAKS[key].explanation.endswith("their penalties count.") for key in keys)


def test_penalties_stay_in_the_total_without_the_worst_game() -> None:
    """Ana's 10 and 5 with a penalty of 10, and Beñat's 20 and 5: without the worst game 15 and 5."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego")
    for number, (ana, other) in enumerate([(10, 20), (5, 5)], 1):
        evening.table(number, f"Ana {ana}, Carmen 90")
        evening.table(number, f"Beñat {other}, Diego 90")
    late = Ruling(1, "x", "penalty", "late", player=evening.people["Ana"], points=10)
    assert values(order(evening, by("drop-worst"), [late]))[:2] == [(1, "Beñat", "5"), (2, "Ana", "15")]


def test_an_only_game_stays_in_the_total_without_the_worst_game() -> None:
    """Ana's only game of 15 and Beñat's of 25 stay, with 10 points of penalty for Ana: nothing tells them apart."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego")
    evening.table(1, "Ana 15, Carmen 90")
    evening.table(1, "Beñat 25, Diego 90")
    late = Ruling(1, "x", "penalty", "late", player=evening.people["Ana"], points=10)
    assert values(order(evening, by("drop-worst"), [late]))[:2] == [(1, "Ana", "25"), (1, "Beñat", "25")]


def test_fewer_penalties_rank_first() -> None:
    """Ana has 20 points and a penalty of 10, Beñat 30."""
    evening = Evening("Ana", "Beñat")
    evening.table(1, "Ana 20, Beñat 30")
    late = Ruling(1, "x", "penalty", "late", player=evening.people["Ana"], points=10)
    assert values(order(evening, by("fewest-penalties"), [late])) == [(1, "Beñat", "0"), (2, "Ana", "10")]


def test_lots_follow_from_the_seed_and_the_number_of_the_entrant() -> None:
    """The lots are the first 16 digits that `printf 'lot 1 N' | sha256sum` prints, modulo 10 to the ninth."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego")
    evening.table(1, "Ana 20, Beñat 20, Carmen 20, Diego 20")
    assert values(order(evening, by("lot"))) == [
        (1, "Diego", "178727441"),
        (2, "Ana", "675854540"),
        (3, "Beñat", "761699947"),
        (4, "Carmen", "783312592"),
    ]


def test_each_tie_break_looks_only_at_those_who_are_still_level() -> None:
    """Three are level; games won put Carmen first, and then head to head compares Ana and Beñat alone."""
    evening = Evening("Ana", "Beñat", "Carmen", "Diego", "Elena")
    evening.table(1, "Ana 10, Beñat 20, Diego 0")
    evening.table(2, "Ana 20, Diego 0, Elena 50")
    evening.table(3, "Beñat 10, Diego 0, Elena 50")
    evening.table(4, "Carmen 15, Elena 50")
    evening.table(5, "Carmen 15, Elena 50")
    found = order(evening, by("games-won,head-to-head", replace(BY_POINTS, totals=TOTALS["sum"])))
    level = [placed for placed in found.placed if placed.steps]
    assert [(placed.rank, placed.tally.player.name, len(placed.steps)) for placed in level] == [
        (2, "Carmen", 1),
        (3, "Ana", 2),
        (4, "Beñat", 2),
    ]
    assert arithmetic(found, evening.people["Beñat"]) == (
        "Points: 20 + 10 = 30",
        "level with Carmen and Ana; tie-break 1, games won: 0, against 2 (Carmen), 0 (Ana)",
        "level with Ana; tie-break 2, head to head: 0, against 1 (Ana)",
    )


ALONE = [key for key in TIE_BREAKS if key not in ("head-to-head", "recent-hand", "count-back")]


def test_lists_of_tie_breaks_order_random_events_as_a_sort_by_all_values_does() -> None:
    """Criteria that look at each player alone give the order of a plain sort by all of their values."""
    chance = random.Random(21)
    separated = 0
    for _event in range(150):
        evening = Evening(*"ABCDEFG")
        for round_number in range(1, 4):
            seats = chance.sample("ABCDEFG", 7)
            for table in (seats[:3], seats[3:]):
                line = ", ".join(f"{name} {chance.choice((0, 10, 20))}" for name in table)
                evening.table(round_number, line, [chance.choice(table), chance.choice(table)])
        keys = chance.sample(ALONE, 3)
        found = order(evening, by(",".join(keys)))
        tallies = [placed.tally for placed in found.placed]
        columns = []
        for key in keys:
            sign = -1 if TIE_BREAKS[key].greatest_first(found.contest) else 1
            columns.append([sign * value for value in TIE_BREAKS[key].measure(tallies, found.contest)])
        whole = list(zip((tally.points for tally in tallies), *columns, strict=True))
        assert whole == sorted(whole)
        assert [placed.rank for placed in found.placed] == [1 + sum(other < own for other in whole) for own in whole]
        separated += len(set(whole)) > len({tally.points for tally in tallies})
    assert separated >= 100


def test_every_tie_break_has_a_name_and_an_explanation_in_both_languages() -> None:
    assert len(TIE_BREAKS) >= 15
    with speaking("es"):
        for tie_break in TIE_BREAKS.values():
            assert _(tie_break.name) != tie_break.name, tie_break.key
            assert _(tie_break.explanation) != tie_break.explanation, tie_break.key


def test_published_lists_are_made_of_the_tie_breaks_in_their_order() -> None:
    """The Mind Sports Olympiad's six steps for games of several players, and Catan's three."""
    assert set(LISTS) == {"official", "mso", "catan"}
    assert read_tie_breaks("MSO") == ("last-table,last-game,share,games-won,count-back,head-to-head,opponents-median-2")
    assert read_tie_breaks("catan") == "games-won,points,share"
    assert all(key in TIE_BREAKS for keys in LISTS.values() for key in keys)


LONGEST_NAME = TieBreak(
    "longest-name", "length of the name", "Whose name is longer.", each(lambda tally: len(tally.player.name))
)


def test_a_new_tie_break_is_an_object_and_its_entry_in_the_registry(
    run: Runner, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings, listing, standings and reasons take it from the registry; without it, the setting is refused."""
    with desk.refused(ExitCode.USAGE, "there is no tie-break “longest-name”"):
        desk.event(db, 8, rounds=1, tie_breaks="longest-name")
    monkeypatch.setitem(TIE_BREAKS, LONGEST_NAME.key, LONGEST_NAME)  # type: ignore[arg-type]
    assert "Whose name is longer." in run("event", "tie-breaks").out
    desk.event(db, 8, rounds=1, tie_breaks="longest-name")
    for table in apply(db, DrawRound()).rounds[0].tables:
        apply(db, EnterResult(None, 1, table.number, desk.hands([player.shown for player in table.players])))
    rows = standings.standings(db).rows
    pairs = [(above, below) for above, below in pairwise(rows) if above.points == below.points]
    assert len(pairs) == 4
    for above, below in pairs:
        longer, shorter = len(above.player.name), len(below.player.name)
        assert longer >= shorter
        assert (above.rank == below.rank) == (longer == shorter)
    above, below = next(pair for pair in pairs if pair[0].rank != pair[1].rank)
    why = run("standings", "--why", below.player.name, "--db", db).out
    assert f"level with {above.player.name}; length of the name: {len(above.player.name)} against" in why
