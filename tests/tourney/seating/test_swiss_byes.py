"""Tests of byes in a Swiss round against every fair choice with every seating of the other players."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from tests.harness.effort import effort
from tests.harness.slow import slow
from tourney.seating.constraints import NO_CONSTRAINTS
from tourney.seating.model import table_sizes
from tourney.seating.swiss import RoundTask, swiss, swiss_with_byes

Tables = list[tuple[int, ...]]


def every_seating(players: tuple[int, ...], size: int) -> Iterator[Tables]:
    """Yield all ways to seat the players at full tables."""
    if not players:
        yield []
        return
    for opponents in combinations(players[1:], size - 1):
        rest = tuple(player for player in players[1:] if player not in opponents)
        for others in every_seating(rest, size):
            yield [(players[0], *opponents), *others]


class Evening:
    """A random history of full tables with fair byes, in which some players were absent at times."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"resting {seed}")
        self.size = rng.choice((3, 4, 4, 5))
        people = rng.choice([number for number in range(self.size + 1, 13) if number % self.size])
        self.played: list[Tables] = []
        self.sat_out: list[tuple[int, ...]] = []
        everybody = list(range(people))
        for _round in range(rng.randint(1, 6)):
            present = [player for player in everybody if rng.random() < 0.93]
            if len(present) < self.size:
                continue
            fair = list(self.fair(present, len(present) % self.size))
            byes = rng.choice(fair)
            seated = rng.sample([player for player in present if player not in byes], len(present) - len(byes))
            self.played.append([tuple(seated[first : first + self.size]) for first in range(0, len(seated), self.size)])
            self.sat_out.append(byes)
        self.order = rng.sample(everybody, people)
        self.byes = people % self.size

    def task(self, sizes: tuple[int, ...], seed: int) -> RoundTask:
        """Return the round of tables of these sizes after this history."""
        played, sat_out = tuple(map(tuple, self.played)), tuple(self.sat_out)
        return RoundTask(self.order, True, sizes, played, sat_out, str(seed), NO_CONSTRAINTS)

    def fair(self, present: Sequence[int], byes: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets of players in which nobody has had more byes than any player who plays."""
        turns = Counter(player for out in self.sat_out for player in out)
        for out in combinations(present, byes):
            others = set(present).difference(out)
            if all(turns[player] <= turns[other] for player in out for other in others):
                yield out

    def repeats(self, tables: Sequence[Sequence[int]]) -> int:
        """Return the weighted repeats of the tables: a second meeting counts 1, and each later one 4 more."""
        met = Counter(frozenset(pair) for past in self.played for table in past for pair in combinations(table, 2))
        weights = (0, 1, 5, 9, 13, 17, 21)
        return sum(weights[met[frozenset(pair)]] for table in tables for pair in combinations(table, 2))

    def fewest(self, out: Sequence[int]) -> int:
        """Return the fewest repeats of any seating of the players without a bye."""
        rest = tuple(player for player in range(len(self.order)) if player not in out)
        price = {table: self.repeats([table]) for table in combinations(rest, self.size)}
        return min(sum(price[table] for table in tables) for tables in every_seating(rest, self.size))

    def bye_order(self, out: Sequence[int]) -> list[tuple[int, int, int]]:
        """Return past byes, games (negative) and place (negative) of these players; the least comes first for a bye."""
        turns = Counter(player for resting in self.sat_out for player in resting)
        games = Counter(player for tables in self.played for table in tables for player in table)
        return sorted((turns[player], -games[player], -self.order.index(player)) for player in out)


@pytest.mark.parametrize("block", range(5))
def test_no_fair_choice_in_100_random_histories_has_fewer_repeats_by_brute_force(block: int) -> None:
    """Among the choices with the fewest repeats, the byes go to players with few byes, many games and low places."""
    for seed in range(20 * block, 20 * block + 20):
        evening = Evening(seed)
        sizes = table_sizes(len(evening.order), evening.size, 2, "sit out")
        tables, out = swiss_with_byes(evening.task(sizes, seed))
        assert sorted([*out, *(player for table in tables for player in table)]) == sorted(evening.order)
        assert [len(table) for table in tables] == list(sizes)
        repeats_of = {choice: evening.fewest(choice) for choice in evening.fair(sorted(evening.order), evening.byes)}
        assert evening.repeats(tables) == min(repeats_of.values()), seed
        equal = [choice for choice, repeats in repeats_of.items() if repeats == min(repeats_of.values())]
        assert evening.bye_order(out) == min(map(evening.bye_order, equal)), seed


@pytest.mark.slow
def test_the_random_histories_leave_a_choice() -> None:
    """In at least 20 of 100 histories, giving the byes in order would cost needless repeats."""
    better = 0
    for seed in range(100):
        evening = Evening(seed)
        lowest = min(evening.fair(sorted(evening.order), evening.byes), key=evening.bye_order)
        sizes = table_sizes(len(evening.order), evening.size, 2, "sit out")
        tables, _out = swiss_with_byes(evening.task(sizes, seed))
        better += evening.repeats(tables) < evening.fewest(lowest)
    assert better >= 20


@pytest.mark.slow
@pytest.mark.parametrize(("people", "size"), [(11, 4), (11, 3), (12, 5), (11, 8), (14, 4), (27, 4), (199, 4)])
def test_choosing_byes_takes_the_time_of_85_million_passes_at_most(people: int, size: int) -> None:
    """All three rounds so far had the same tables, so that few choices are good."""
    sizes = table_sizes(people, size, 2, "sit out")
    seated = [tuple(range(first, first + size)) for first in range(0, sum(sizes), size)]
    order = random.Random(people).sample(range(people), people)
    task = RoundTask(order, True, sizes, (tuple(seated),) * 3, (), "1", NO_CONSTRAINTS)
    assert effort(lambda: swiss_with_byes(task), turns=2) < 85


@pytest.mark.parametrize("people", [14, 19, *slow([27, 43])])
def test_among_many_players_the_choice_is_no_worse_than_byes_for_the_lowest(people: int) -> None:
    """Draw six rounds in a row; nobody has two byes before everybody has one."""
    sizes = table_sizes(people, 4, 2, "sit out")
    rng, past = random.Random(people), Evening(0)
    past.played, past.sat_out = [], []
    for number in range(6):
        order = past.order = rng.sample(range(people), people)
        tables, out = swiss_with_byes(past.task(sizes, number))
        assert sorted([*out, *(player for table in tables for player in table)]) == list(range(people))
        turns = Counter(player for resting in [*past.sat_out, out] for player in resting)
        assert max(turns.values()) - min(turns[player] for player in range(people)) <= 1
        past_byes = Counter(player for resting in past.sat_out for player in resting)
        lowest = sorted(order, key=lambda player: (past_byes[player], -order.index(player)))[: len(out)]
        without = swiss([player for player in order if player not in lowest], sizes, past.played, number)
        assert past.repeats(tables) <= past.repeats(without)
        past.played.append(list(tables))
        past.sat_out.append(out)
