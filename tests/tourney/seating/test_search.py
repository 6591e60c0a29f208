"""Searches for rounds: what they count is counted again, and what others found they find too."""

import random
from collections import Counter
from itertools import chain, combinations

import pytest

from tourney.seating.balance.seats import seat
from tourney.seating.plan import plan
from tourney.seating.quality.metrics import judge
from tourney.seating.rng import seeded_rng
from tourney.seating.search.anneal import anneal
from tourney.seating.search.deltas import NEVER, SwapDeltas
from tourney.seating.search.state import ScheduleState
from tourney.seating.sizes import table_sizes

ROUNDS = [[[0, 1, 2, 3], [4, 5, 6]], [[0, 4, 1, 5], [2, 6, 7]], [[0, 6, 7, 3], [1, 2, 8]]]
SITTING = [[7, 8], [3, 8], [4, 5]]
NOBODY = [[0] * 9 for _ in range(9)], [0] * 9


def met_in(state: ScheduleState) -> Counter:
    tables = chain.from_iterable(state.groups(state.seats))
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def price_of_repeats(state: ScheduleState, third: int, further: int) -> int:
    """A second meeting is 240, a third `third`, each later one `further` more than the one before."""
    steps = [0, 0, 240] + [third + further * more for more in range(20)]
    return sum(sum(steps[: count + 1]) for count in met_in(state).values())


@pytest.mark.parametrize(("aim", "third", "further"), [("fewest repeats", 241, 1), ("no third meeting", 961, 961)])
def test_an_exchange_costs_what_counting_everything_anew_shows(aim, third, further):
    """Make 300 random swaps, byes included: compare the delta with the change, and recount the meetings."""
    lot, state = random.Random(aim), ScheduleState(ROUNDS, SITTING, NOBODY, aim)
    for _exchange in range(300):
        number = lot.randrange(3)
        left = lot.randrange(sum(state.sizes[number]))
        right = lot.choice([place for place in range(9) if place not in (left, *state.mates[number][left])])
        before = state.pairs + state.turn_price + state.bye_price
        rise = state.swap_delta(number, left, right)
        state.swap(number, left, right)
        assert state.pairs + state.turn_price + state.bye_price == before + rise
        assert state.pairs == price_of_repeats(state, third, further)
        assert all(sorted(row) == list(range(9)) for row in state.seats)


@pytest.mark.parametrize("sitting_out", [SITTING, [()] * 3], ids=["who sits out may change", "who sits out may not"])
def test_prices_kept_while_rounds_change_are_those_asked_anew(sitting_out):
    """Check 150 random exchanges: after each the price of every other exchange of one player.

    Exchanges of players who share a table, or of a player without a place, have no price.
    """
    lot, state = random.Random("kept"), ScheduleState(ROUNDS, sitting_out, NOBODY, "no third meeting")
    deltas = SwapDeltas(state)
    for _exchange in range(150):
        number = lot.randrange(3)
        seats = state.seats[number]
        place = lot.randrange(sum(state.sizes[number]))
        near = {place, *state.mates[number][place]}
        prices = deltas.of(number, seats[place])
        known = {other: state.swap_delta(number, place, to) for to, other in enumerate(seats) if to not in near}
        assert {other: price for other, price in enumerate(prices) if price < NEVER // 2} == known
        deltas.swap(number, seats[place], lot.choice(sorted(known)))


# What is sought, the price of a unit of squared rounds at a smaller table.
SOUGHT = [("few repeats", 3), ("both", 40), ("level turns", 120), ("level turns first", 400)]


@pytest.mark.parametrize(("seeking", "unit"), SOUGHT)
def test_turns_are_priced_by_how_far_they_are_from_level(seeking, unit):
    """Nine places at short tables for nine players; six of them have one, as 2 and 6 have two and 4, 5, 7, 8, 1 one."""
    state = ScheduleState(ROUNDS, SITTING, NOBODY, "no third meeting", seeking)
    turns = Counter(player for tables in ROUNDS for player in tables[1])
    squares = sum(count * count for count in turns.values())
    assert state.turn_price == unit * (squares - 9)
    # Eight sat out twice while four others had not: one square of two more than two ones.
    assert state.bye_price == 960 * 2


def test_a_turn_two_above_an_equal_share_counts_like_four_repeats():
    """Player 0 has three short turns of nine among nine players; with the aim of fewest repeats it does not count."""
    rounds = [[[3, 4, 5, 6], [0, 1, 2]], [[1, 2, 7, 8], [0, 3, 4]], [[1, 3, 5, 7], [0, 6, 8]]]
    sitting_out = [[7, 8], [5, 6], [2, 4]]
    mild, bare = (ScheduleState(rounds, sitting_out, NOBODY, aim) for aim in ("no third meeting", "fewest repeats"))
    repeats = sum(count - 1 for count in met_in(mild).values())
    assert mild.cost[1] == 240 * repeats + 1_000
    assert bare.cost[1] == repeats


def test_who_sits_out_again_before_all_have_is_never_kept():
    """From rounds in which the same two always have a bye, the search ends with everybody having one or none."""
    rounds = [[[0, 1, 2, 3], [4, 5, 6]]] * 3
    state = ScheduleState(rounds, [[7, 8]] * 3, NOBODY, "no third meeting")
    (rest, _repeats, _short), seats = anneal(state, seeded_rng("rest"), 6_000, (0, 0, 0))
    assert rest == 0
    assert max(Counter(chain.from_iterable(row[7:] for row in seats)).values()) == 1


# Players, size, rounds, and the repeats that an annealer in C found where who sits out was free.
FREE = [(22, 4, 6, 0), (18, 4, 5, 0), (17, 3, 8, 0), (13, 3, 6, 0), (17, 6, 5, 39), (26, 5, 6, 3)]


@pytest.mark.parametrize(("players", "size", "rounds", "found"), FREE)
def test_who_sits_out_is_chosen_so_that_few_meet_again(players, size, rounds, found):
    seating = plan(players, size, rounds, 1, remainder="sit out", aim="no third meeting")
    judged = judge(seating.rounds, players)
    assert judged.repeats <= found
    assert judged.most_meetings <= 2
    turns = Counter(chain.from_iterable(seating.sitting_out))
    assert max(turns.values()) - min(turns[player] for player in range(players)) <= 1


def test_nobody_has_two_rounds_at_smaller_tables_above_an_equal_share():
    """Five rounds of nine at five and four: twenty turns for nine, three at most by shares; nobody has all five."""
    for players, size, rounds in ((9, 5, 5), (11, 4, 6)):
        seating = plan(players, size, rounds, 1, aim="no third meeting")
        short = [table for tables in seating.rounds for table in tables if len(table) < len(max(tables, key=len))]
        turns = Counter(chain.from_iterable(short))
        assert max(turns.values()) <= -(-sum(map(len, short)) // players) + 1, players


@pytest.mark.parametrize(("players", "size", "rounds"), [(14, 5, 8), (19, 5, 8), (11, 4, 9), (27, 6, 8), (13, 4, 10)])
def test_nobody_has_a_seat_more_often_than_necessary(players, size, rounds):
    """Check 20 seeds: no seat is taken more often than rounds by seats of the smallest table, and first deals are
    within one.
    """
    lot, sizes = random.Random(players), table_sizes(players, size)
    for _lot in range(20):
        groups = []
        for _round in range(rounds):
            waiting = iter(lot.sample(range(players), players))
            groups.append([[next(waiting) for _seat in range(width)] for width in sizes])
        judged = judge(seat(groups, [[0] * size] * players), players)
        assert judged.seat_most <= -(-rounds // min(sizes))
        assert judged.dealer_spread <= 1
