"""Tests of lower bounds: never above the optimum by brute force, and equal to known results."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

import pytest

from tests.harness.slow import slow
from tourney.seating.model import Aim
from tourney.seating.quality.bounds import KNOWN, NO_BOUND, TRIED, lower_bound
from tourney.text.i18n import _, speaking

Pairs = frozenset[tuple[int, int]]


def pairs_of_rounds(players: tuple[int, ...], sizes: Sequence[int]) -> Iterator[Pairs]:
    """Yield the pairs who share a table, for every way to seat these players at tables of these sizes."""
    if not sizes:
        yield frozenset()
        return
    for size in sorted(set(sizes)):
        other_sizes = list(sizes)
        other_sizes.remove(size)
        for others in combinations(players[1:], size - 1):
            table = (players[0], *others)
            unseated = tuple(player for player in players if player not in table)
            for other_pairs in pairs_of_rounds(unseated, other_sizes):
                yield other_pairs | frozenset(combinations(table, 2))


@cache
def fewest_by_brute_force(sizes: tuple[int, ...], rounds: int) -> dict[Aim, int]:
    """Return the fewest repeats of all plans for each aim; no "no third meeting" if every plan has a third meeting."""
    candidates = list(pairs_of_rounds(tuple(range(sum(sizes))), sizes))
    fewest: dict[Aim, int] = {}
    for later in combinations_with_replacement(candidates, rounds - 1):
        plan = [candidates[0], *later]
        met: dict[tuple[int, int], int] = {}
        for tables in plan:
            for pair in tables:
                met[pair] = met.get(pair, 0) + 1
        repeats = sum(met.values()) - len(met)
        fewest["fewest repeats"] = min(repeats, fewest.get("fewest repeats", repeats))
        if max(met.values()) <= 2:
            fewest["no third meeting"] = min(repeats, fewest.get("no third meeting", repeats))
    return fewest


SMALL = [
    ((2, 2), 3), ((2, 2), 5), ((3, 2), 3), ((3, 3), 3), ((3, 3), 4), ((4, 3), 3), ((4, 4), 2), ((4, 4), 3), ((4, 4), 4),
    ((2, 2, 2), 4), ((3, 2, 2), 3), ((3, 3, 3), 3), ((4, 2), 3), ((5, 5), 3),
]  # fmt: skip


@pytest.mark.parametrize(("sizes", "rounds"), SMALL, ids=str)
def test_no_bound_is_above_the_fewest_repeats_of_all_plans(sizes: tuple[int, ...], rounds: int) -> None:
    """Try every plan, with the first round fixed."""
    for aim, repeats in fewest_by_brute_force(sizes, rounds).items():
        assert lower_bound(sum(sizes), sizes, rounds, aim).repeats <= repeats, aim


@pytest.mark.parametrize(
    ("sizes", "rounds"), [((2, 2), 5), ((3, 3), 3), ((4, 4), 3), ((4, 4), 4), ((2, 2, 2), 4), ((3, 3, 3), 3)], ids=str
)
def test_the_bound_is_reached_where_counting_proves_it(sizes: tuple[int, ...], rounds: int) -> None:
    """For these events the bound by counting pairs is the optimum by brute force."""
    assert lower_bound(sum(sizes), sizes, rounds).repeats == fewest_by_brute_force(sizes, rounds)["fewest repeats"]


@pytest.mark.parametrize(
    ("sizes", "rounds", "fewest", "without_third"),
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
def test_known_bounds(sizes: tuple[int, ...], rounds: int, fewest: int, without_third: int) -> None:
    """The bounds are proven by exhaustive search, by arithmetic, or because a design does not exist."""
    assert lower_bound(sum(sizes), sizes, rounds).repeats == fewest
    assert lower_bound(sum(sizes), sizes, rounds, "no third meeting").repeats == without_third


def bits(pairs: Pairs) -> int:
    """Return the pairs as a bit mask."""
    return sum(1 << (16 * lower + higher) for lower, higher in pairs)


def tables_of(players: int, pairs: Pairs) -> list[list[int]]:
    """Return the tables of a round, from the pairs who share them."""
    lowest = [player for player in range(players) if all(higher != player for _lower, higher in pairs)]
    return [[player, *(higher for lower, higher in pairs if lower == player)] for player in lowest]


def crossings(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return how many players each two tables share, in a normal form.

    It is equal for pairs of rounds that differ only in the names of players and the order of tables.
    """
    shared = [[len(set(table) & set(other)) for other in second] for table in first]
    return max(
        tuple(tuple(row[place] for place in order) for row in rows)
        for rows in permutations(shared)
        for order in permutations(range(len(second)))
    )


def fewest_repeats(sizes: tuple[int, ...], aim: Aim, hope: int) -> int:
    """Return the fewest repeats of any four rounds, or `hope` + 1 if all have more than `hope`, by trying all.

    One pair of first rounds represents all that differ only in names and the order of tables; three rounds that already
    have too many repeats are not continued.
    """
    candidates = list(pairs_of_rounds(tuple(range(sum(sizes))), sizes))
    first = tables_of(sum(sizes), candidates[0])
    seconds = {crossings(first, tables_of(sum(sizes), pairs)): bits(pairs) for pairs in candidates}
    one, rounds = bits(candidates[0]), [bits(pairs) for pairs in candidates]
    pairs_per_round, no_third = one.bit_count(), aim == "no third meeting"
    best = hope + 1
    for two in seconds.values():
        for place, three in enumerate(rounds):
            met, twice = one | two | three, one & two | one & three | two & three
            if 3 * pairs_per_round - met.bit_count() >= best or (no_third and one & two & three):
                continue
            fourths = [four for four in rounds[place:] if not (no_third and twice & four)]
            best = min([best, *(4 * pairs_per_round - (met | four).bit_count() for four in fourths)])
    return best


SEARCHED = sorted((sizes, aim) for (sizes, rounds, aim), bound in KNOWN.items() if rounds == 4 and bound.why == TRIED)


@pytest.mark.parametrize(("sizes", "aim"), [SEARCHED[0], *slow(SEARCHED[1:])], ids=str)
def test_bounds_by_exhaustive_search_are_confirmed_by_another_search(sizes: tuple[int, ...], aim: Aim) -> None:
    """Four rounds with that many repeats exist, and none with fewer."""
    assert fewest_repeats(sizes, aim, KNOWN[sizes, 4, aim].repeats) == KNOWN[sizes, 4, aim].repeats


def test_bounds_for_full_tables_do_not_apply_with_byes() -> None:
    """Ten of eleven players sit at 4 + 3 + 3: in four rounds there are 48 meetings for 55 pairs."""
    bound = lower_bound(11, (4, 3, 3), 4, "no third meeting")
    assert bound.repeats == 0


@pytest.mark.parametrize("sizes", [(4, 4), (4, 3, 3), (4, 4, 3), (3, 3, 3, 3), (4,) * 5])
def test_more_rounds_never_have_a_lower_bound(sizes: tuple[int, ...]) -> None:
    """A plan of more rounds contains a plan of fewer rounds."""
    for aim in ("fewest repeats", "no third meeting"):
        bounds = [lower_bound(sum(sizes), sizes, rounds, aim).repeats for rounds in range(1, 15)]
        assert bounds == sorted(bounds)
        assert bounds[0] == 0


def test_a_bound_gives_its_reason() -> None:
    """Six rounds of 24 meetings are one round more than the affine plane of order 4 has."""
    assert lower_bound(16, (4, 4, 4, 4), 6).why == "there are 144 meetings and 120 pairs to meet"


@pytest.mark.parametrize(
    ("players", "rounds", "why"),
    [(4, 5, "there are 30 meetings and 6 pairs to meet"), (2, 5, "there are 5 meetings and 1 pair to meet")],
)
def test_the_reason_counts_the_meetings_of_all_rounds(players: int, rounds: int, why: str) -> None:
    """At one table everybody meets everybody in every round."""
    assert lower_bound(players, (players,), rounds).why == why


def test_every_reason_has_a_translation() -> None:
    """The catalogue is made from the sources: a reason that is not found there would be shown in English."""
    bounds = [lower_bound(players, (size,) * (players // size), 4) for size in (2, 3, 4) for players in (size, 12)]
    with speaking("es"):
        templates = [bound.template for bound in [NO_BOUND, *KNOWN.values(), *bounds]]
        assert [template for template in templates if _(template) == template] == []
