"""Lower bounds: never above what brute force attains, and as high as what is known from elsewhere."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

import pytest

from tourney.seating.model import Aim
from tourney.seating.quality.bounds import KNOWN, TRIED, lower_bound

Pairs = frozenset[tuple[int, int]]


def pairs_of_rounds(players: tuple[int, ...], sizes: Sequence[int]) -> Iterator[Pairs]:
    """The pairs at one table, for every way to seat these players at tables of these sizes."""
    if not sizes:
        yield frozenset()
        return
    for size in sorted(set(sizes)):
        rest = list(sizes)
        rest.remove(size)
        for others in combinations(players[1:], size - 1):
            table = (players[0], *others)
            left = tuple(player for player in players if player not in table)
            for more in pairs_of_rounds(left, rest):
                yield more | frozenset(combinations(table, 2))


@cache
def best_plans(sizes: tuple[int, ...], rounds: int) -> dict[Aim, int]:
    """The fewest repeats by trying all plans; no entry for "no third meeting" if every plan has one."""
    every = list(pairs_of_rounds(tuple(range(sum(sizes))), sizes))
    found: dict[Aim, int] = {}
    for rest in combinations_with_replacement(every, rounds - 1):
        plan = [every[0], *rest]
        met: dict[tuple[int, int], int] = {}
        for tables in plan:
            for pair in tables:
                met[pair] = met.get(pair, 0) + 1
        repeats = sum(met.values()) - len(met)
        found["fewest repeats"] = min(repeats, found.get("fewest repeats", repeats))
        if max(met.values()) <= 2:
            found["no third meeting"] = min(repeats, found.get("no third meeting", repeats))
    return found


SMALL = [
    ((2, 2), 3), ((2, 2), 5), ((3, 2), 3), ((3, 3), 3), ((3, 3), 4), ((4, 3), 3), ((4, 4), 2), ((4, 4), 3), ((4, 4), 4),
    ((2, 2, 2), 4), ((3, 2, 2), 3), ((3, 3, 3), 3), ((4, 2), 3), ((5, 5), 3),
]  # fmt: skip


@pytest.mark.parametrize(("sizes", "rounds"), SMALL, ids=str)
def test_no_bound_is_above_the_best_of_all_plans(sizes: tuple[int, ...], rounds: int) -> None:
    """Every plan of every such event is tried, the first round fixed."""
    for aim, repeats in best_plans(sizes, rounds).items():
        assert lower_bound(sum(sizes), sizes, rounds, aim).repeats <= repeats, aim


@pytest.mark.parametrize(
    ("sizes", "rounds"), [((2, 2), 5), ((3, 3), 3), ((4, 4), 3), ((4, 4), 4), ((2, 2, 2), 4), ((3, 3, 3), 3)], ids=str
)
def test_the_bound_is_what_the_best_of_all_plans_attains(sizes: tuple[int, ...], rounds: int) -> None:
    """Where counting alone shows it."""
    assert lower_bound(sum(sizes), sizes, rounds).repeats == best_plans(sizes, rounds)["fewest repeats"]


@pytest.mark.parametrize(
    ("sizes", "rounds", "fewest", "spread"),
    [
        ((4, 4), 3, 8, 12),
        ((4, 4, 4), 3, 6, 9),
        ((4, 3, 3), 4, 3, 7),
        ((4, 4, 3), 4, 8, 12),
        ((4, 4, 4), 4, 13, 18),
        ((4,) * 4, 5, 0, 0),
        ((4,) * 4, 6, 24, 24),
        ((3,) * 4, 5, 1, 1),
        ((4,) * 5, 6, 1, 1),
        ((6,) * 6, 3, 0, 0),
        ((6,) * 6, 4, 1, 1),
        ((4,) * 250, 6, 0, 0),
    ],
    ids=str,
)
def test_bounds_that_are_known(sizes: tuple[int, ...], rounds: int, fewest: int, spread: int) -> None:
    """The proofs are exhaustive search, arithmetic, or designs that do not exist."""
    assert lower_bound(sum(sizes), sizes, rounds).repeats == fewest
    assert lower_bound(sum(sizes), sizes, rounds, "no third meeting").repeats == spread


def bits(pairs: Pairs) -> int:
    return sum(1 << (16 * one + other) for one, other in pairs)


def tables_of(players: int, pairs: Pairs) -> list[list[int]]:
    firsts = [one for one in range(players) if all(other != one for _lower, other in pairs)]
    return [[one, *(other for lower, other in pairs if lower == one)] for one in firsts]


def crossings(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the crossings of both rounds' tables; equal for pairs of rounds that differ only in names and numbers."""
    sizes = [[len(set(table) & set(other)) for other in second] for table in first]
    return max(
        tuple(tuple(row[place] for place in order) for row in rows)
        for rows in permutations(sizes)
        for order in permutations(range(len(second)))
    )


def fewest_repeats(sizes: tuple[int, ...], aim: Aim, hope: int) -> int:
    """Return the fewest repeats of any four rounds, or `hope` + 1 if none have so few, by trying all.

    One pair of first rounds stands for all that differ only in names and the order of tables; three rounds that already
    have too many repeats are not continued.
    """
    every = list(pairs_of_rounds(tuple(range(sum(sizes))), sizes))
    first = tables_of(sum(sizes), every[0])
    seconds = {crossings(first, tables_of(sum(sizes), one)): bits(one) for one in every}
    one, rounds = bits(every[0]), [bits(pairs) for pairs in every]
    each, spread = one.bit_count(), aim == "no third meeting"
    best = hope + 1
    for two in seconds.values():
        for place, three in enumerate(rounds):
            met, twice = one | two | three, one & two | one & three | two & three
            if 3 * each - met.bit_count() >= best or (spread and one & two & three):
                continue
            fourths = [four for four in rounds[place:] if not (spread and twice & four)]
            best = min([best, *(4 * each - (met | four).bit_count() for four in fourths)])
    return best


SEARCHED = [(sizes, aim) for (sizes, rounds, aim), bound in KNOWN.items() if rounds == 4 and bound.why == TRIED]


@pytest.mark.parametrize(("sizes", "aim"), SEARCHED, ids=str)
def test_what_was_searched_is_found_by_another_search(sizes: tuple[int, ...], aim: Aim) -> None:
    """No four rounds have fewer repeats, and some have as many."""
    assert fewest_repeats(sizes, aim, KNOWN[sizes, 4, aim].repeats) == KNOWN[sizes, 4, aim].repeats


def test_what_is_known_of_full_tables_says_nothing_where_some_sit_out() -> None:
    """Ten of eleven at 4+3+3: 48 meetings, 55 pairs; any two rounds share nine players at nine crossings."""
    bound = lower_bound(11, (4, 3, 3), 4, "no third meeting")
    assert bound.repeats == 0


@pytest.mark.parametrize("sizes", [(4, 4), (4, 3, 3), (4, 4, 3), (3, 3, 3, 3), (4,) * 5])
def test_more_rounds_never_have_a_lower_bound(sizes: tuple[int, ...]) -> None:
    """A plan of more rounds contains one of fewer."""
    for aim in ("fewest repeats", "no third meeting"):
        bounds = [lower_bound(sum(sizes), sizes, rounds, aim).repeats for rounds in range(1, 15)]
        assert bounds == sorted(bounds)
        assert bounds[0] == 0


def test_a_bound_says_why() -> None:
    """One round more than the affine plane of order 4 has: 6 rounds of 24 meetings."""
    assert lower_bound(16, (4, 4, 4, 4), 6).why == "there are 144 meetings and 120 pairs to meet"


@pytest.mark.parametrize(
    ("players", "rounds", "why"),
    [(4, 5, "there are 30 meetings and 6 pairs to meet"), (2, 5, "there are 5 meetings and 1 pair to meet")],
)
def test_the_reason_speaks_of_all_rounds_where_it_can(players: int, rounds: int, why: str) -> None:
    """At one table everybody meets everybody in every round."""
    assert lower_bound(players, (players,), rounds).why == why
