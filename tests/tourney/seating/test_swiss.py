"""Swiss rounds, against a search of our own through every seating there is."""

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations

import pytest

from tourney.seating.constraints import Constraints
from tourney.seating.sizes import table_sizes
from tourney.seating.swiss import Pairing, swiss

Tables = list[tuple[int, ...]]


def every_seating(players: Sequence[int], sizes: Sequence[int]) -> Iterator[Tables]:
    """All ways to seat these players at tables of these sizes, some of them more than once."""
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        # Equal tables in one order only.
        if len(sizes) > 1 and sizes[0] == sizes[1] and len(sizes) == sizes.count(sizes[0]) and players[0] not in table:
            continue
        rest = [player for player in players if player not in table]
        for others in every_seating(rest, sizes[1:]):
            yield [table, *others]


def counted(before: int) -> int:
    """A second meeting of two counts one; a third or later one more than four of them."""
    return (0, 1, 5)[min(before, 2)]


class Counts:
    """Meetings, short turns and seats of the rounds before, counted here."""

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

    def worth(self, order: Sequence[int], table: tuple[int, ...], largest: int) -> tuple[int, int, int, int]:
        """Repeats as they count, distance in the standings, meetings before beyond the first, and what short turns add
        to the squares."""
        pairs = list(combinations(table, 2))
        times = [self.met[frozenset(pair)] for pair in pairs]
        near = sum(abs(order.index(one) - order.index(other)) for one, other in pairs)
        squares = sum((self.short[one] + 1) ** 2 - self.short[one] ** 2 for one in table) * (len(table) < largest)
        return sum(map(counted, times)), near, sum(count - 1 for count in times if count > 1), squares

    def turns_too_many(self, order: Sequence[int], table: tuple[int, ...], largest: int) -> int:
        """Of all seats that they may take the least: a turn beyond one's rarest seat counts one, a first deal beyond
        the fewest that anybody has two more."""
        dealt = min(self.seat[player, 0] for player in order)

        def too_many(player: int, seat: int) -> int:
            rarest = min(self.seat[player, other] for other in range(largest))
            return self.seat[player, seat] - rarest + (2 * (self.seat[player, 0] - dealt) if seat == 0 else 0)

        return min(sum(too_many(player, seat) for seat, player in enumerate(way)) for way in permutations(table))

    def unevenness(self, table: Sequence[int]) -> tuple[int, int]:
        """The dealer's first deals before, and the sum of squares over all seats with this table played."""
        added = [(self.seat[player, seat] + 1) ** 2 - self.seat[player, seat] ** 2 for seat, player in enumerate(table)]
        return self.seat[table[0], 0], sum(added)


def total(counts: Counts, order: Sequence[int], tables: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    largest = max(map(len, tables))
    return tuple(map(sum, zip(*(counts.worth(order, table, largest) for table in tables), strict=True)))


def a_past(seed: int) -> tuple[list[int], list[int], list[Tables]]:
    """An order of up to 12 of 13 people, sizes of 3 to 5 for them, and up to six rounds of the 13."""
    rng = random.Random(f"swiss {seed}")
    sizes = [rng.choice((3, 4, 5)) for _ in range(rng.choice((1, 2, 3, 3, 3, 3)))]
    while sum(sizes) > 12:
        sizes.remove(max(sizes))
    played = []
    for _round in range(rng.randrange(7)):
        who = rng.sample(range(13), rng.randint(sum(sizes), 13))
        shape = table_sizes(len(who), 4, 3)
        ends = [sum(shape[: number + 1]) for number in range(len(shape))]
        played.append([tuple(who[end - size : end]) for end, size in zip(ends, shape, strict=True)])
    return rng.sample(range(13), sum(sizes)), sorted(sizes, reverse=True), played


@cache
def seated_after(seed: int) -> Tables:
    """The round after that past."""
    return list(swiss(*a_past(seed), seed))


@pytest.mark.parametrize("block", range(10))
def test_no_seating_of_200_random_histories_is_better_by_brute_force(block: int) -> None:
    """Fewest repeats, then nearest, then least often together, then level short turns, then seats that can be level;
    and they are as level as can be."""
    for seed in range(20 * block, 20 * block + 20):
        order, sizes, played = a_past(seed)
        counts, largest = Counts(played), max(sizes)
        seated = seated_after(seed)
        assert sorted(player for table in seated for player in table) == sorted(order)
        assert sorted(map(len, seated), reverse=True) == sizes
        worth: dict[tuple[int, ...], tuple[int, int, int, int]] = {
            table: counts.worth(order, table, largest)
            for size in set(sizes)
            for table in combinations(sorted(order), size)
        }
        best, equals = (len(order) ** 3, 0, 0, 0), list[Tables]()
        for tables in every_seating(sorted(order), sizes):
            price = tuple(map(sum, zip(*map(worth.__getitem__, tables), strict=True)))
            if price <= best:
                equals = [*equals, tables] if price == best else [tables]
                best = price
        assert total(counts, order, seated) == best, seed
        uneven = [
            sum(counts.turns_too_many(order, table, largest) for table in tables)
            for tables in (seated, *equals)
            if len(equals) > 1
        ]
        assert not uneven or uneven[0] == min(uneven), seed
        for table in seated:
            assert counts.unevenness(table) == min(map(counts.unevenness, permutations(table))), seed


def test_the_histories_are_worth_a_test() -> None:
    """At least 50 of the 200 force a repeat, 50 mix sizes and 70 have three tables."""
    forced = mixed = three = 0
    for seed in range(200):
        order, sizes, played = a_past(seed)
        forced += total(Counts(played), order, seated_after(seed))[0] > 0
        mixed += len(set(sizes)) > 1
        three += len(sizes) == 3
    assert forced >= 50
    assert mixed >= 50
    assert three >= 70


def test_the_leaders_meet_where_nobody_has_met() -> None:
    """Neighbours by four, table 1 the leaders'; everybody's first seat, so the order stays."""
    order = [7, 3, 9, 1, 4, 8, 0, 2]
    assert swiss(order, (4, 4)) == ((7, 3, 9, 1), (4, 8, 0, 2))


def test_sixteen_in_fours_is_the_known_plan() -> None:
    """The affine plane of order 4 has five rounds without a repeat; given four of them, the fifth is found."""
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
def test_no_two_of_a_few_keep_together(players: int, rounds: int, most: int, repeats: int, pairing: Pairing) -> None:
    """By exhaustive search these are the fewest repeats of 8 and 12 where nobody meets three times. Eleven have 90
    meetings and 55 pairs, so 35 repeats; each round looks no further than itself, and so somebody may meet again."""
    for seed in range(5):
        rng, played = random.Random(seed), list[Tables]()
        for _round in range(rounds):
            order = rng.sample(range(players), players)
            played.append(list(swiss(order, table_sizes(players, 4, 3), played, pairing=pairing)))
        met = Counts(played).met
        assert max(met.values()) <= most, seed
        assert sum(met.values()) - len(met) == repeats, seed


@pytest.mark.parametrize(("players", "rounds", "part"), [(199, 4, 0.25), (24, 4, 1)])
def test_many_players_meet_their_neighbours_without_a_repeat(players: int, rounds: int, part: float) -> None:
    """Standings that shift each round; at most a part of the distance in them that seating at random has."""
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
        worth = total(counts, order, seated)
        mixed = rng.sample(order, players)
        ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
        at_random = [tuple(mixed[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
        assert worth[0] == 0
        assert worth[1] < total(counts, order, at_random)[1] * part
        played.append(list(seated))
        points = [total + rng.gauss(player / 10, 25) for player, total in enumerate(points)]
    deals = Counter(table[0] for tables in played for table in tables)
    assert max(deals.values()) <= 1 + -(-rounds // min(sizes))


def test_the_work_grows_with_the_tables_and_not_with_their_pairs() -> None:
    """Five times as many players take less than fifteen times as long: 200 stay far below a second."""

    def seconds(players: int) -> float:
        sizes, rng = table_sizes(players, 4, 3), random.Random(1)
        order = rng.sample(range(players), players)
        played = [swiss(rng.sample(order, players), sizes)]
        taken = []
        for _try in range(2):
            start = time.process_time()
            swiss(order, sizes, played)
            taken.append(time.process_time() - start)
        return min(taken)

    assert seconds(200) < 15 * seconds(40)


def test_a_swiss_round_is_the_same_for_the_same_seed() -> None:
    """Searched rounds too."""
    sizes = table_sizes(30, 4, 3)
    order = random.Random(2).sample(range(30), 30)
    played = [swiss(order, sizes), swiss(order[::-1], sizes)]
    assert swiss(order, sizes, played, 5) == swiss(order, sizes, played, "5")


@pytest.mark.parametrize(
    ("order", "sizes", "played", "words"),
    [
        ([0, 1, 2], (4,), [], "tables of 4 do not seat 3 players"),
        ([0, 1, 1, 2], (4,), [], "do not seat 4 players once each"),
        ([0, 1, 2, 3], (4,), [[(0, 1), (1, 2)]], "round 1 seats player 1 twice"),
    ],
)
def test_what_cannot_be_a_swiss_round_is_refused(order: list[int], sizes: tuple[int], played: list, words: str) -> None:
    """The refusal is a sentence with the numbers."""
    with pytest.raises(ValueError, match=words):
        swiss(order, sizes, played)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 20))])
def test_forty_simulated_players_over_eight_rounds_stay_among_their_equals(seed: int) -> None:
    """No repeat before round 8 (wanted: 6); who stand next to each other sit at most two tables apart on average; in
    eight rounds everybody sits in each of four seats twice, after any of them once more at most."""
    rng = random.Random(f"forty {seed}")
    skill = [rng.gauss(0, 30) for _player in range(40)]
    points, played, apart = [0.0] * 40, list[Tables](), list[float]()
    for number in range(8):
        order = sorted(range(40), key=points.__getitem__)
        seated = swiss(order, (4,) * 10, played, seed)
        assert number >= 7 or total(Counts(played), order, seated)[0] == 0
        table_of = {player: place for place, table in enumerate(seated) for player in table}
        apart += [abs(table_of[one] - table_of[other]) for one, other in pairwise(order)] if number else []
        played.append(list(seated))
        points = [sum_so_far + rng.gauss(100 + skill[player], 60) for player, sum_so_far in enumerate(points)]
        seats = Counts(played).seat
        counts = [[seats[player, seat] for seat in range(4)] for player in range(40)]
        assert all(max(row) - min(row) <= 1 for row in counts), number
    assert sum(apart) / len(apart) <= 2


@pytest.mark.parametrize("pairing", ["neighbours", "snake"])
def test_first_deals_and_seats_are_level_where_tables_differ(pairing: Pairing) -> None:
    """22 at four tables of four and two of three, five rounds: first deals, and turns at a table of three, differ by
    one at most; nobody has a seat three times, as three seats hold five rounds; nobody meets again before the fifth."""
    rng = random.Random(f"{pairing} level")
    sizes, played = table_sizes(22, 4, 3), list[Tables]()
    for number in range(5):
        seated = swiss(rng.sample(range(22), 22), sizes, played, 1, pairing)
        assert number >= 4 or total(Counts(played), range(22), seated)[0] == 0
        played.append(list(seated))
        counts = Counts(played)
        dealt = [counts.seat[player, 0] for player in range(22)]
        assert max(dealt) - min(dealt) <= 1
        assert max(counts.seat.values()) <= 2
    short = [counts.short[player] for player in range(22)]
    assert max(short) - min(short) <= 1


def balance(tables: Sequence[Sequence[int]], players: int) -> int:
    """The squared sums of places, counted from the middle."""
    return sum(sum(2 * place - (players - 1) for place in table) ** 2 for table in tables)


def test_a_first_snake_is_the_snake() -> None:
    """Twelve at three tables: 1 6 7 12, 2 5 8 11, 3 4 9 10, as sports clubs draw their groups."""
    order = [30, 11, 22, 13, 14, 15, 16, 17, 18, 19, 20, 21]
    seated = swiss(order, (4, 4, 4), pairing="snake")
    wanted = [(1, 6, 7, 12), (2, 5, 8, 11), (3, 4, 9, 10)]
    assert {frozenset(table) for table in seated} == {frozenset(order[one - 1] for one in group) for group in wanted}


def test_later_snakes_are_the_best_by_brute_force() -> None:
    """Fewest repeats, then fewest of one pot, then the most level tables, of all 5,775 ways of three tables of four."""
    played = [list(swiss(list(range(12)), (4, 4, 4), pairing="snake"))]
    for _round in range(3):
        met = Counts(played).met

        def worth(tables: Sequence[Sequence[int]], met: Counter[frozenset[int]] = met) -> tuple[int, int, int]:
            pairs = [pair for table in tables for pair in combinations(table, 2)]
            one_pot = sum(one // 3 == other // 3 for one, other in pairs)
            return sum(counted(met[frozenset(pair)]) for pair in pairs), one_pot, balance(tables, 12)

        seated = swiss(list(range(12)), (4, 4, 4), played, pairing="snake")
        assert worth(seated) == min(map(worth, every_seating(list(range(12)), (4, 4, 4))))
        played.append(list(seated))


def test_a_round_of_anybody_has_the_fewest_repeats_and_keeps_constraints() -> None:
    """Eight people: 0 and 1 have met everybody but each other, and are kept apart; 2 and 3 are seated together."""
    played = [[(0, 2, 3, 4), (1, 5, 6, 7)], [(0, 5, 6, 7), (1, 2, 3, 4)]]
    apart = Constraints(apart=(frozenset({0, 1}),), together=((5, 2),))
    seated = swiss(list(range(8)), (4, 4), played, pairing="anybody", constraints=apart)
    tables = {player: table for table in seated for player in table}
    assert 1 not in tables[0]
    assert 2 in tables[5]
    needed = swiss(list(range(8)), (4, 4), played, pairing="anybody", constraints=Constraints(tables=((7, 1), (0, 2))))
    assert 7 in needed[0]
