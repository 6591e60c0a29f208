"""Rounds to come when somebody leaves or comes late: compared with a search through all that could be done."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from tourney.seating import Wishes, plan, table_sizes

Tables = Sequence[Sequence[int]]
STEPS = {1: 0, 2: 240, 3: 961, 4: 1922}
"""What the first, second and each later meeting costs where a third is to be avoided: more than four second ones."""


def price(before: Sequence[Tables], after: Sequence[Tables]) -> int:
    met = Counter(frozenset(pair) for tables in before for table in tables for pair in combinations(table, 2))
    total = 0
    for pair in (frozenset(pair) for tables in after for table in tables for pair in combinations(table, 2)):
        met[pair] += 1
        total += STEPS.get(met[pair]) or 961 * (met[pair] - 2) if met[pair] > 1 else 0
    return total


def changed(planned: Tables, tables: Tables) -> int:
    """Tables at which others sit than were to."""
    return len({frozenset(table) for table in tables} - {frozenset(table) for table in planned})


class Exhaustive:
    """Every plan of the rounds to come that is better than a known one, by branch and bound."""

    def __init__(self, played: Sequence[Tables], ahead: Sequence[Tables], players: int, sizes: Sequence[int]) -> None:
        self.played, self.ahead, self.players, self.sizes = played, ahead, players, list(sizes)
        room = [
            Counter(len(table) for table in tables if max(table) < players) & Counter(self.sizes) for tables in ahead
        ]
        self.least = [len(self.sizes) - kept.total() for kept in room]

    def best(self, known: tuple[int, int]) -> tuple[int, int]:
        """The least price of repeats and, with it, the fewest changed tables; `known` if nothing is better."""
        self.known = known
        self._go([], 0, 0)
        return self.known

    def _go(self, done: list[Tables], spent: int, changes: int) -> None:
        if len(done) == len(self.ahead):
            self.known = min(self.known, (spent, changes))
            return
        planned, still = self.ahead[len(done)], sum(self.least[len(done) + 1 :])
        met = Counter(
            frozenset(pair) for tables in (*self.played, *done) for table in tables for pair in combinations(table, 2)
        )
        seatings = self._seatings(list(range(self.players)), self.sizes, met, self.known[0] - spent)
        options = sorted(
            ((cost, changed(planned, tables), tables) for cost, tables in seatings), key=lambda one: one[:2]
        )
        for cost, change, tables in options:
            if (spent + cost, changes + change + still) < self.known:
                self._go([*done, tables], spent + cost, changes + change)

    def _seatings(
        self, waiting: list[int], sizes: list[int], met: Counter[frozenset[int]], most: int
    ) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
        if not waiting:
            yield 0, []
        for size in sorted(set(sizes)):
            for mates in combinations(waiting[1:], size - 1):
                table = (waiting[0], *mates)
                again = [met[frozenset(pair)] + 1 for pair in combinations(table, 2)]
                cost = sum(STEPS.get(count) or 961 * (count - 2) for count in again if count > 1)
                if cost <= most:
                    rest = [player for player in waiting if player not in table]
                    sizes_left = list(sizes)
                    sizes_left.remove(size)
                    for more, others in self._seatings(rest, sizes_left, met, most - cost):
                        yield cost + more, [table, *others]


# (players, change, size, rounds): two rounds are played. Up to 16 players, and as many rounds as have no repeats;
# and few players who meet again whatever is done.
CASES = [
    (9, -1, 3, 4), (9, 1, 3, 4), (12, 1, 3, 5), (15, -1, 3, 6), (14, -1, 4, 4), (14, 1, 4, 4), (15, 1, 4, 4),
    (15, -1, 4, 4), (16, -1, 4, 4), (16, -1, 4, 5), (15, 1, 4, 5), (6, -1, 3, 5), (6, 1, 3, 5),
    (7, 1, 4, 5), (8, -1, 4, 5),
]  # fmt: skip


# Round 3 of 6 with so few players that all can be tried.
SOAK = [(6, -1, 3, 6), (6, 1, 3, 6), (7, 1, 4, 6), (8, -1, 4, 6), (8, 1, 4, 6)]


@pytest.mark.parametrize(
    ("players", "change", "size", "rounds"), CASES + [pytest.param(*case, marks=pytest.mark.soak) for case in SOAK]
)
def test_no_plan_has_fewer_repeats_or_as_few_and_fewer_changes(players, change, size, rounds):
    """One leaves or comes in round 3; all seatings of the rounds to come that could be better are tried."""
    for seed in range(2):
        first = plan(players, size, rounds, seed, aim="no third meeting").rounds
        now, sizes = players + change, table_sizes(players + change, size)
        after = plan(now, size, rounds, seed, played=first[:2], ahead=first[2:], aim="no third meeting").rounds
        assert after[:2] == first[:2]
        cost = price(first[:2], after[2:])
        changes = sum(changed(one, other) for one, other in zip(first[2:], after[2:], strict=True))
        assert Exhaustive(first[:2], first[2:], now, sizes).best((cost, changes)) == (cost, changes)


@pytest.mark.parametrize(("players", "rounds"), [(28, 7), (40, 6), (64, 6), (100, 6), (200, 6)])
@pytest.mark.parametrize("change", [-2, -1, 1, 2])
def test_larger_events_change_the_least_and_repeat_nothing(players, rounds, change):
    """By the sizes alone: each who leaves is missing at one table; a table more takes two of others for who comes."""
    first = plan(players, 4, rounds, 1).rounds
    after = plan(players + change, 4, rounds, 1, played=first[:2], ahead=first[2:]).rounds
    assert price((), after) == 0
    # 4n + 1 players take two from other tables to sit at one of three; 4n + 2 sit at a new table with one each of two.
    least = {-2: 2, -1: 1, 1: 3, 2: 2}[change]
    assert [changed(one, other) for one, other in zip(first[2:], after[2:], strict=True)] == [least] * (rounds - 2)


def without(rounds: Sequence[Tables], gone: int, last: int) -> tuple[Tables, ...]:
    """The rounds in numbers in which who goes is the last, and those behind him move up."""
    number = {player: player - (player > gone) for player in range(last + 1)} | {gone: last}
    return tuple(tuple(tuple(number[player] for player in table) for table in tables) for tables in rounds)


@pytest.mark.parametrize(("players", "seed"), [(22, 1), (22, 2), (23, 2)])
def test_who_leaves_in_round_3_of_6_costs_no_repeat_where_an_annealer_in_c_found_none(players, seed):
    rounds = without(plan(players, 4, 6, seed, least=3, aim="no third meeting").rounds, seed, players - 1)
    after = plan(players - 1, 4, 6, seed, least=3, played=rounds[:2], ahead=rounds[2:], aim="no third meeting").rounds
    met = Counter(frozenset(pair) for tables in after for table in tables for pair in combinations(table, 2))
    assert set(met.values()) == {1}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_table_lost_lets_others_rest_in_turn_with_three_repeats_at_most(seed):
    """Twenty at five tables, four from round 3 of 6 on; an annealer in C found one repeat. Four rest, nobody twice."""
    first = plan(20, 4, 6, seed, aim="no third meeting")
    played, ahead = first.rounds[:2], first.rounds[2:]
    after = plan(20, 4, 6, seed, sizes=(4,) * 4, played=played, ahead=ahead, aim="no third meeting")
    assert [len(out) for out in after.sitting_out] == [0, 0, 4, 4, 4, 4]
    assert len({player for out in after.sitting_out for player in out}) == 16
    met = Counter(frozenset(pair) for tables in after.rounds for table in tables for pair in combinations(table, 2))
    assert sum(count - 1 for count in met.values()) <= 3


@pytest.mark.parametrize(("players", "change"), [(22, -1), (23, -1), (19, 2), (20, 1), (18, -1), (24, -4), (16, 1)])
def test_a_table_that_stays_keeps_its_number(players, change):
    """Wherever a table of the new plan was planned for that round, at a number that still is: there it stands."""
    first = plan(players, 4, 6, 1, least=3, aim="no third meeting").rounds
    after = plan(players + change, 4, 6, 1, least=3, played=first[:2], ahead=first[2:], aim="no third meeting").rounds
    for planned, tables in zip(first[2:], after[2:], strict=True):
        number_of = {frozenset(table): number for number, table in enumerate(planned)}
        for number, table in enumerate(tables):
            before = number_of.get(frozenset(table), number)
            assert before == number or before >= len(tables)


def test_a_table_lost_costs_at_most_one_repeat_more_than_a_plan_made_anew():
    """24 in fours after two of four rounds, then at five tables of four and five: all sit, round after round."""
    first = plan(24, 4, 4, 2).rounds
    after = plan(24, 5, 4, 2, played=first[:2], ahead=first[2:], aim="no third meeting").rounds
    assert [sorted(map(len, tables)) for tables in after[2:]] == [[4, 5, 5, 5, 5]] * 2
    anew = plan(24, 5, 4, 2, played=first[:2], aim="no third meeting").rounds
    assert price((), after) <= price((), anew) + STEPS[2]


def test_who_was_to_sit_out_still_does_where_turns_allow_it():
    """Of 42 at tables of four, two rest; when one leaves, one of the two planned rests, round after round."""
    first = plan(42, 4, 6, 5, short="sit out")
    rested = [[player for player in out if player < 41] for out in first.sitting_out[:2]]
    played, ahead = first.rounds[:2], first.rounds[2:]
    after = plan(41, 4, 6, 5, short="sit out", played=played, sat_out=rested, ahead=ahead)
    for planned, out in zip(first.sitting_out[2:], after.sitting_out[2:], strict=True):
        assert len(out) == 1
        assert set(out) <= set(planned)


def test_wishes_hold_in_the_rounds_that_are_changed():
    """Two who should not meet have places at one table in round 3: they are parted, for two repeats at most."""
    first = plan(40, 4, 6, 3).rounds
    one, other = first[2][0][:2]
    wishes = Wishes(apart=(frozenset({one, other}),))
    after = plan(40, 4, 6, 3, played=first[:2], ahead=first[2:], wishes=wishes).rounds
    assert not any({one, other} <= set(table) for tables in after[2:] for table in tables)
    assert price((), after) <= 2 * 240
