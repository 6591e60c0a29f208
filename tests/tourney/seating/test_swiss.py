"""Tests of Swiss rounds against an exhaustive search of all seatings."""

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations

import pytest

from tests.harness.slow import slow
from tourney.seating.constraints import Constraints
from tourney.seating.model import table_sizes
from tourney.seating.swiss import Pairing, swiss

Tables = list[tuple[int, ...]]


def every_seating(players: Sequence[int], sizes: Sequence[int]) -> Iterator[Tables]:
    """Yield all ways to seat these players at tables of these sizes, some of them more than once."""
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        # If all tables have one size, yield them in one order only.
        if len(sizes) > 1 and sizes[0] == sizes[1] and len(sizes) == sizes.count(sizes[0]) and players[0] not in table:
            continue
        rest = [player for player in players if player not in table]
        for others in every_seating(rest, sizes[1:]):
            yield [table, *others]


def repeat_weight(before: int) -> int:
    """Return the weight of a meeting after `before` others: 1 for a second meeting, and 4 more for each later one."""
    return (0, 1, 5, 9, 13, 17, 21)[before]


class Counts:
    """The meetings, rounds at short tables and seats in the played rounds."""

    def __init__(self, played: list[Tables]) -> None:
        self.met: Counter[frozenset[int]] = Counter()
        self.short: Counter[int] = Counter()
        self.seat: Counter[tuple[int, int]] = Counter()
        for tables in played:
            largest = max(map(len, tables))
            for table in tables:
                self.met.update(map(frozenset, combinations(table, 2)))
                self.short.update(table if len(table) < largest else ())
                self.seat.update((player, seat) for seat, player in enumerate(table))

    def cost(self, order: Sequence[int], table: tuple[int, ...], largest: int) -> tuple[int, int, int, int]:
        """Return weighted repeats, distance in the standings, earlier repeats of the pairs, and what the table adds to
        the squared rounds at short tables."""
        pairs = list(combinations(table, 2))
        times = [self.met[frozenset(pair)] for pair in pairs]
        distance = sum(abs(order.index(p) - order.index(q)) for p, q in pairs)
        squares = sum((self.short[player] + 1) ** 2 - self.short[player] ** 2 for player in table) * (
            len(table) < largest
        )
        return sum(map(repeat_weight, times)), distance, sum(count - 1 for count in times if count > 1), squares

    def imbalance(self, order: Sequence[int], table: tuple[int, ...], largest: int) -> int:
        """Return the least imbalance of all orders of the table.

        Each count above a player's rarest seat adds 1; for a first deal each above the fewest of all adds 2 more.
        """
        dealt = min(self.seat[player, 0] for player in order)

        def excess(player: int, seat: int) -> int:
            rarest = min(self.seat[player, other] for other in range(largest))
            return self.seat[player, seat] - rarest + (2 * (self.seat[player, 0] - dealt) if seat == 0 else 0)

        return min(sum(excess(player, seat) for seat, player in enumerate(seated)) for seated in permutations(table))

    def unevenness(self, table: Sequence[int]) -> tuple[int, int]:
        """Return the dealer's earlier first deals, and the increase of the squared seat counts by this table."""
        added = [(self.seat[player, seat] + 1) ** 2 - self.seat[player, seat] ** 2 for seat, player in enumerate(table)]
        return self.seat[table[0], 0], sum(added)


def total_cost(counts: Counts, order: Sequence[int], tables: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the sums of `Counts.cost` over the tables."""
    largest = max(map(len, tables))
    return tuple(map(sum, zip(*(counts.cost(order, table, largest) for table in tables), strict=True)))


def random_history(seed: int) -> tuple[list[int], list[int], list[Tables]]:
    """Return an order of up to 12 of 13 players, table sizes of 3 to 5 for them, and up to six rounds of the 13."""
    rng = random.Random(f"swiss {seed}")
    sizes = [rng.choice((3, 4, 5)) for _ in range(rng.choice((1, 2, 3, 3, 3, 3)))]
    while sum(sizes) > 12:
        sizes.remove(max(sizes))
    played = []
    for _round in range(rng.randrange(7)):
        present = rng.sample(range(13), rng.randint(sum(sizes), 13))
        shape = table_sizes(len(present), 4, 3)
        ends = [sum(shape[: number + 1]) for number in range(len(shape))]
        played.append([tuple(present[end - size : end]) for end, size in zip(ends, shape, strict=True)])
    return rng.sample(range(13), sum(sizes)), sorted(sizes, reverse=True), played


@cache
def seated_after(seed: int) -> Tables:
    """Return the Swiss round after `random_history(seed)`."""
    return list(swiss(*random_history(seed), seed))


@pytest.mark.parametrize("block", [7, 8, *slow([*range(7), 9])])
def test_no_seating_of_200_random_histories_is_better_by_brute_force(block: int) -> None:
    """The criteria are repeats, distance, earlier repeats, rounds at short tables, then the best balance of seats that
    the tables allow; the seats have this balance."""
    for seed in range(20 * block, 20 * block + 20):
        order, sizes, played = random_history(seed)
        counts, largest = Counts(played), max(sizes)
        seated = seated_after(seed)
        assert sorted(player for table in seated for player in table) == sorted(order)
        assert sorted(map(len, seated), reverse=True) == sizes
        cost_of: dict[tuple[int, ...], tuple[int, int, int, int]] = {
            table: counts.cost(order, table, largest)
            for size in set(sizes)
            for table in combinations(sorted(order), size)
        }
        best, equals = (len(order) ** 3, 0, 0, 0), list[Tables]()
        for tables in every_seating(sorted(order), sizes):
            price = tuple(map(sum, zip(*map(cost_of.__getitem__, tables), strict=True)))
            if price <= best:
                equals = [*equals, tables] if price == best else [tables]
                best = price
        assert total_cost(counts, order, seated) == best, seed
        uneven = [
            sum(counts.imbalance(order, table, largest) for table in tables)
            for tables in (seated, *equals)
            if len(equals) > 1
        ]
        assert not uneven or uneven[0] == min(uneven), seed
        for table in seated:
            assert counts.unevenness(table) == min(map(counts.unevenness, permutations(table))), seed


@pytest.mark.slow
def test_the_random_histories_cover_the_difficult_cases() -> None:
    """At least 50 of the 200 force a repeat, 50 mix sizes and 70 have three tables."""
    forced = mixed = three = 0
    for seed in range(200):
        order, sizes, played = random_history(seed)
        forced += total_cost(Counts(played), order, seated_after(seed))[0] > 0
        mixed += len(set(sizes)) > 1
        three += len(sizes) == 3
    assert forced >= 50
    assert mixed >= 50
    assert three >= 70


def test_neighbours_meet_in_the_first_round() -> None:
    """Tables follow the order, with the leaders at table 1; in a first round the order within a table is kept."""
    order = [7, 3, 9, 1, 4, 8, 0, 2]
    assert swiss(order, (4, 4)) == ((7, 3, 9, 1), (4, 8, 0, 2))


def test_the_fifth_round_of_the_affine_plane_is_found() -> None:
    """For 16 players the affine plane of order 4 has five rounds without a repeat; four of them are played."""
    lines = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    times = [[0] * 4, [0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]]
    slopes = [
        [tuple(4 * x + lines[times[slope][x]][start] for x in range(4)) for start in range(4)] for slope in range(4)
    ]
    last = [tuple(4 * x + y for y in range(4)) for x in range(4)]
    seated = swiss(list(range(16)), (4, 4, 4, 4), slopes)
    assert {frozenset(table) for table in seated} == {frozenset(table) for table in last}


@pytest.mark.parametrize("pairing", ["neighbours", "snake"])
@pytest.mark.parametrize(("players", "rounds", "most", "repeats"), [(8, 3, 2, 12), (12, 3, 2, 9), (11, 6, 3, 35)])
def test_a_few_players_have_as_few_repeats_as_possible(
    players: int, rounds: int, most: int, repeats: int, pairing: Pairing
) -> None:
    """By exhaustive search these are the fewest repeats of 8 and 12 players without third meetings. Eleven players have
    90 meetings and 55 pairs, so 35 repeats; rounds are drawn one by one, so a third meeting may occur."""
    for seed in range(5):
        rng, played = random.Random(seed), list[Tables]()
        for _round in range(rounds):
            order = rng.sample(range(players), players)
            played.append(list(swiss(order, table_sizes(players, 4, 3), played, pairing=pairing)))
        met = Counts(played).met
        assert max(met.values()) <= most, seed
        assert sum(met.values()) - len(met) == repeats, seed


@pytest.mark.parametrize(("players", "rounds", "share"), [(24, 4, 1), *slow([(199, 4, 0.25)])])
def test_many_players_meet_their_neighbours_without_a_repeat(players: int, rounds: int, share: float) -> None:
    """Standings change each round; the distance in them is at most this share of that of a random seating."""
    rng = random.Random(f"{players} players")
    played: list[Tables] = []
    sizes = table_sizes(players, 4, 3)
    points = [0.0] * players
    for _round in range(rounds):
        order = sorted(range(players), key=points.__getitem__)
        seated = swiss(order, sizes, played, "x")
        counts = Counts(played)
        assert sorted(player for table in seated for player in table) == list(range(players))
        assert sorted(map(len, seated)) == sorted(sizes)
        cost = total_cost(counts, order, seated)
        mixed = rng.sample(order, players)
        ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
        at_random = [tuple(mixed[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
        assert cost[0] == 0
        assert cost[1] < total_cost(counts, order, at_random)[1] * share
        played.append(list(seated))
        points = [so_far + rng.gauss(player / 10, 25) for player, so_far in enumerate(points)]
    deals = Counter(table[0] for tables in played for table in tables)
    assert max(deals.values()) <= 1 + -(-rounds // min(sizes))


@pytest.mark.slow
def test_the_time_grows_with_the_tables_and_not_with_their_pairs() -> None:
    """Five times as many players take less than fifteen times as long."""

    def seconds(players: int) -> float:
        sizes, rng = table_sizes(players, 4, 3), random.Random(1)
        order = rng.sample(range(players), players)
        played = [swiss(rng.sample(order, players), sizes)]
        times = []
        for _try in range(2):
            start = time.process_time()
            swiss(order, sizes, played)
            times.append(time.process_time() - start)
        return min(times)

    assert seconds(200) < 15 * seconds(40)


def test_a_swiss_round_is_the_same_for_the_same_seed() -> None:
    """The third round is searched; its seed is a number or a text."""
    sizes = table_sizes(30, 4, 3)
    order = random.Random(2).sample(range(30), 30)
    played = [swiss(order, sizes), swiss(order[::-1], sizes)]
    assert swiss(order, sizes, played, 5) == swiss(order, sizes, played, "5")


@pytest.mark.parametrize(
    ("order", "sizes", "played", "message"),
    [
        ([0, 1, 2], (4,), [], "tables of 4 do not seat 3 players"),
        ([0, 1, 1, 2], (4,), [], "do not seat 4 players once each"),
        ([0, 1, 2, 3], (4,), [[(0, 1), (1, 2)]], "round 1 seats player 1 twice"),
    ],
)
def test_an_impossible_swiss_round_is_refused(order: list[int], sizes: tuple[int], played: list, message: str) -> None:
    """The message names the numbers that are wrong."""
    with pytest.raises(ValueError, match=message):
        swiss(order, sizes, played)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 20))])
def test_forty_simulated_players_meet_their_neighbours_in_eight_rounds(seed: int) -> None:
    """There is no repeat before round 8; neighbours in the standings sit at most two tables apart on average; after
    each round a player's counts of the four seats differ by one at most."""
    rng = random.Random(f"forty {seed}")
    skill = [rng.gauss(0, 30) for _player in range(40)]
    points, played, apart = [0.0] * 40, list[Tables](), list[float]()
    for number in range(8):
        order = sorted(range(40), key=points.__getitem__)
        seated = swiss(order, (4,) * 10, played, seed)
        assert number >= 7 or total_cost(Counts(played), order, seated)[0] == 0
        table_of = {player: place for place, table in enumerate(seated) for player in table}
        apart += (
            [abs(table_of[player] - table_of[next_player]) for player, next_player in pairwise(order)] if number else []
        )
        played.append(list(seated))
        points = [sum_so_far + rng.gauss(100 + skill[player], 60) for player, sum_so_far in enumerate(points)]
        seats = Counts(played).seat
        counts = [[seats[player, seat] for seat in range(4)] for player in range(40)]
        assert all(max(row) - min(row) <= 1 for row in counts), number
    assert sum(apart) / len(apart) <= 2


@pytest.mark.parametrize("pairing", ["neighbours", "snake"])
def test_first_deals_and_seats_are_level_where_tables_differ(pairing: Pairing) -> None:
    """In five rounds of 22 players at tables of four and three, first deals and rounds at short tables differ by one at
    most, nobody has a seat three times, and there is no repeat before the fifth round."""
    rng = random.Random(f"{pairing} level")
    sizes, played = table_sizes(22, 4, 3), list[Tables]()
    for number in range(5):
        seated = swiss(rng.sample(range(22), 22), sizes, played, 1, pairing)
        assert number >= 4 or total_cost(Counts(played), range(22), seated)[0] == 0
        played.append(list(seated))
        counts = Counts(played)
        dealt = [counts.seat[player, 0] for player in range(22)]
        assert max(dealt) - min(dealt) <= 1
        assert max(counts.seat.values()) <= 2
    short = [counts.short[player] for player in range(22)]
    assert max(short) - min(short) <= 1


def balance(tables: Sequence[Sequence[int]], players: int) -> int:
    """Return the sum over tables of the squared sum of places, counted from the middle of the order."""
    return sum(sum(2 * place - (players - 1) for place in table) ** 2 for table in tables)


def test_the_first_snake_round_follows_the_snake() -> None:
    """Places 1 to 12 go to three tables as 1 6 7 12, 2 5 8 11 and 3 4 9 10, as in sports."""
    order = [30, 11, 22, 13, 14, 15, 16, 17, 18, 19, 20, 21]
    seated = swiss(order, (4, 4, 4), pairing="snake")
    expected = [(1, 6, 7, 12), (2, 5, 8, 11), (3, 4, 9, 10)]
    assert {frozenset(table) for table in seated} == {
        frozenset(order[place - 1] for place in group) for group in expected
    }


def test_later_snake_rounds_are_the_best_by_brute_force() -> None:
    """The criteria are repeats, pairs of one pot, then level tables; all 5,775 seatings are compared."""
    played = [list(swiss(list(range(12)), (4, 4, 4), pairing="snake"))]
    for _round in range(3):
        met = Counts(played).met

        def cost(tables: Sequence[Sequence[int]], met: Counter[frozenset[int]] = met) -> tuple[int, int, int]:
            pairs = [pair for table in tables for pair in combinations(table, 2)]
            one_pot = sum(p // 3 == q // 3 for p, q in pairs)
            return sum(repeat_weight(met[frozenset(pair)]) for pair in pairs), one_pot, balance(tables, 12)

        seated = swiss(list(range(12)), (4, 4, 4), played, pairing="snake")
        assert cost(seated) == min(map(cost, every_seating(list(range(12)), (4, 4, 4))))
        played.append(list(seated))


def test_pairing_anybody_keeps_constraints_of_all_kinds() -> None:
    """Players 0 and 1 have not met and are kept apart, 2 and 5 are seated together; then 7 needs table 1."""
    played = [[(0, 2, 3, 4), (1, 5, 6, 7)], [(0, 5, 6, 7), (1, 2, 3, 4)]]
    constraints = Constraints(apart=(frozenset({0, 1}),), together=((5, 2),))
    seated = swiss(list(range(8)), (4, 4), played, pairing="anybody", constraints=constraints)
    tables = {player: table for table in seated for player in table}
    assert 1 not in tables[0]
    assert 2 in tables[5]
    needed = swiss(list(range(8)), (4, 4), played, pairing="anybody", constraints=Constraints(tables=((7, 1), (0, 2))))
    assert 7 in needed[0]


def test_ten_at_tables_of_five_spread_their_meetings_over_five_rounds() -> None:
    """Two pairs sat together in all five rounds when each meeting from the third on cost the same."""
    for seed in ("ten", "a", "b"):
        rng, played = random.Random(seed), list[Tables]()
        for number in range(5):
            played.append(list(swiss(rng.sample(range(10), 10), (5, 5), played, number)))
        met = Counter(frozenset(pair) for tables in played for table in tables for pair in combinations(table, 2))
        assert max(met.values()) <= 4
