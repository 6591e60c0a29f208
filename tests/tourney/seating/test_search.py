"""Tests of the search for rounds: its prices are recounted, and it reaches the results of other searches."""

import random
from collections import Counter
from itertools import chain, combinations

import pytest

from tourney.seating.balance.seats import seat
from tourney.seating.model import table_sizes
from tourney.seating.plan import PlanWish, plan
from tourney.seating.quality.metrics import judge
from tourney.seating.rng import seeded_rng
from tourney.seating.search.anneal import anneal
from tourney.seating.search.deltas import NEVER, SwapDeltas
from tourney.seating.search.state import ScheduleState

ROUNDS = [[[0, 1, 2, 3], [4, 5, 6]], [[0, 4, 1, 5], [2, 6, 7]], [[0, 6, 7, 3], [1, 2, 8]]]
SITTING = [[7, 8], [3, 8], [4, 5]]
NOBODY = [[0] * 9 for _ in range(9)], [0] * 9


def met_in(state: ScheduleState) -> Counter:
    tables = chain.from_iterable(state.groups(state.seats))
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def price_of_repeats(state: ScheduleState, third: int, further: int) -> int:
    """Return the price of all repeats: 240 for a second meeting, `third` for a third, then each `further` more."""
    steps = [0, 0, 240] + [third + further * more for more in range(20)]
    return sum(sum(steps[: count + 1]) for count in met_in(state).values())


@pytest.mark.parametrize(("aim", "third", "further"), [("fewest repeats", 241, 1), ("no third meeting", 961, 961)])
def test_the_delta_of_a_swap_is_the_change_in_price(aim, third, further):
    """Make 300 random swaps, byes included: compare the delta with the change, and recount the meetings."""
    rng, state = random.Random(aim), ScheduleState(ROUNDS, SITTING, NOBODY, aim)
    for _swap in range(300):
        number = rng.randrange(3)
        first = rng.randrange(sum(state.sizes[number]))
        second = rng.choice([place for place in range(9) if place not in (first, *state.mates[number][first])])
        before = state.pairs + state.turn_price + state.bye_price
        delta = state.swap_delta(number, first, second)
        state.swap(number, first, second)
        assert state.pairs + state.turn_price + state.bye_price == before + delta
        assert state.pairs == price_of_repeats(state, third, further)
        assert all(sorted(row) == list(range(9)) for row in state.seats)


@pytest.mark.parametrize("sitting_out", [SITTING, [()] * 3], ids=["with byes", "without byes"])
def test_kept_deltas_are_those_computed_anew(sitting_out):
    """Before each of 150 random swaps, compare the deltas of all swaps of one player.

    Swaps of players who share a table, or of a player without a place, have no delta.
    """
    rng, state = random.Random("kept"), ScheduleState(ROUNDS, sitting_out, NOBODY, "no third meeting")
    deltas = SwapDeltas(state)
    for _swap in range(150):
        number = rng.randrange(3)
        seats = state.seats[number]
        place = rng.randrange(sum(state.sizes[number]))
        same_table = {place, *state.mates[number][place]}
        prices = deltas.of(number, seats[place])
        expected = {
            other: state.swap_delta(number, place, other_place)
            for other_place, other in enumerate(seats)
            if other_place not in same_table
        }
        assert {other: price for other, price in enumerate(prices) if price < NEVER // 2} == expected
        deltas.swap(number, seats[place], rng.choice(sorted(expected)))
        assert deltas.leaving == SwapDeltas(state).leaving, "somebody without a place in a round has no meetings there"


# The goal of the search, and the price of a unit in the sum of squared rounds at a smaller table.
GOALS = [("few repeats", 3), ("both", 40), ("level turns", 120), ("level turns first", 400)]


@pytest.mark.parametrize(("goal", "unit"), GOALS)
def test_uneven_rounds_at_short_tables_and_byes_are_priced(goal, unit):
    """Nine players have nine places at short tables: 2 and 6 have two of them, 1, 4, 5, 7 and 8 one."""
    state = ScheduleState(ROUNDS, SITTING, NOBODY, "no third meeting", goal)
    turns = Counter(player for tables in ROUNDS for player in tables[1])
    squares = sum(count * count for count in turns.values())
    assert state.turn_price == unit * (squares - 9)
    # Player 8 has two byes while others have none: 2² is two more than 1 + 1.
    assert state.bye_price == 960 * 2


def test_two_short_tables_above_an_equal_share_cost_like_four_repeats():
    """Player 0 has three of the nine places at short tables; for the aim of fewest repeats this is free."""
    rounds = [[[3, 4, 5, 6], [0, 1, 2]], [[1, 2, 7, 8], [0, 3, 4]], [[1, 3, 5, 7], [0, 6, 8]]]
    sitting_out = [[7, 8], [5, 6], [2, 4]]
    spread, fewest = (ScheduleState(rounds, sitting_out, NOBODY, aim) for aim in ("no third meeting", "fewest repeats"))
    repeats = sum(count - 1 for count in met_in(spread).values())
    assert spread.cost[1] == 240 * repeats + 1_000
    assert fewest.cost[1] == repeats


def test_the_search_never_keeps_a_second_bye_before_everybody_has_one():
    """The search starts from rounds in which the same two players have all byes; it ends with at most one bye each."""
    rounds = [[[0, 1, 2, 3], [4, 5, 6]]] * 3
    state = ScheduleState(rounds, [[7, 8]] * 3, NOBODY, "no third meeting")
    (uneven_byes, _repeats, _short), seats = anneal(state, seeded_rng("rest"), 6_000, (0, 0, 0))
    assert uneven_byes == 0
    assert max(Counter(chain.from_iterable(row[7:] for row in seats)).values()) == 1


# Players, size, rounds, and the repeats that an annealer in C found which also chose the byes.
FREE = [(22, 4, 6, 0), (18, 4, 5, 0), (17, 3, 8, 0), (13, 3, 6, 0), (17, 6, 5, 39), (26, 5, 6, 3)]


@pytest.mark.parametrize(("players", "size", "rounds", "repeats"), FREE)
def test_byes_are_chosen_so_that_there_are_few_repeats(players, size, rounds, repeats):
    seating = plan(players, size, rounds, 1, PlanWish(remainder="sit out", aim="no third meeting"))
    judged = judge(seating.rounds, players)
    assert judged.repeats <= repeats
    assert judged.most_meetings <= 2
    byes = Counter(chain.from_iterable(seating.sitting_out))
    assert max(byes.values()) - min(byes[player] for player in range(players)) <= 1


def test_nobody_has_two_rounds_at_smaller_tables_above_an_equal_share():
    """An equal share is rounded up; nine players at tables of five and four share twenty places in five rounds."""
    for players, size, rounds in ((9, 5, 5), (11, 4, 6)):
        seating = plan(players, size, rounds, 1, PlanWish(aim="no third meeting"))
        short = [table for tables in seating.rounds for table in tables if len(table) < len(max(tables, key=len))]
        counts = Counter(chain.from_iterable(short))
        assert max(counts.values()) <= -(-sum(map(len, short)) // players) + 1, players


@pytest.mark.parametrize(("players", "size", "rounds"), [(14, 5, 8), (19, 5, 8), (11, 4, 9), (27, 6, 8), (13, 4, 10)])
def test_nobody_has_a_seat_more_often_than_necessary(players, size, rounds):
    """Check 20 random plans: no seat is taken more often than ⌈rounds / smallest table⌉, and first deals are level."""
    rng, sizes = random.Random(players), table_sizes(players, size)
    for _plan in range(20):
        groups = []
        for _round in range(rounds):
            waiting = iter(rng.sample(range(players), players))
            groups.append([[next(waiting) for _seat in range(width)] for width in sizes])
        judged = judge(seat(groups, [[0] * size] * players), players)
        assert judged.seat_most <= -(-rounds // min(sizes))
        assert judged.dealer_spread <= 1
