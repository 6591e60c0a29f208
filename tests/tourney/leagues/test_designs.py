"""Tests of designs: seats and opponents in every block, and difference families."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import gcd
from random import Random
from typing import get_args

import pytest

from tourney.domain.leagues import Design
from tourney.league.designs import DESIGNS, PlannedGame, difference_family, plan_block

EVEN: tuple[Design, ...] = tuple(design for design in get_args(Design) if not DESIGNS[design].against_first)
"""The designs in which all entrants are alike; in the others the first one plays more games."""
LEAGUES = [pytest.param(design, seats, id=f"{design} at {seats}") for design, seats in product(EVEN, range(2, 9))]
ENTRANTS = range(1, 9)


def block_of(design: Design, entrants: int, seats: int, block: int) -> tuple[PlannedGame, ...]:
    """Return a block, with its generator seeded from the number of the block."""
    return plan_block(design, entrants, seats, block, Random(f"league/{block}"))


def blocks_of(design: Design, seats: int) -> Iterator[tuple[int, tuple[PlannedGame, ...]]]:
    """Yield two blocks for each number of entrants, each with that number."""
    for entrants in ENTRANTS:
        for block in (0, 6):
            yield entrants, block_of(design, entrants, seats, block)


def places_of(block: tuple[PlannedGame, ...]) -> Counter[tuple[int, int]]:
    """Count how often each entrant has each seat."""
    return Counter((entrant, seat) for game in block for seat, entrant in enumerate(game.seating))


@pytest.mark.parametrize(("design", "seats"), LEAGUES)
def test_every_block_gives_all_entrants_each_seat_equally_often(design: Design, seats: int) -> None:
    for entrants, block in blocks_of(design, seats):
        assert all(len(game.seating) == seats for game in block)
        counts = places_of(block)
        assert len(counts) == entrants * seats
        assert len(set(counts.values())) == 1


@pytest.mark.parametrize(("design", "seats"), LEAGUES)
def test_every_block_brings_every_two_entrants_together_equally_often(design: Design, seats: int) -> None:
    for entrants, block in blocks_of(design, seats):
        met = Counter(pair for game in block for pair in permutations(game.seating, 2))
        assert len({met[pair] for pair in permutations(range(entrants), 2)}) <= 1
        assert len({met[entrant, entrant] for entrant in range(entrants)}) == 1


def test_a_block_of_a_large_league_balances_meetings_too() -> None:
    """Twenty entrants at tables of eight: 19 sets, so 380 games with 28 pairs each; all 190 pairs meet 56 times."""
    block = block_of("fresh", 20, 8, 3)
    met = Counter(frozenset(pair) for game in block for pair in combinations(game.seating, 2))
    assert len(block) == 380
    assert (len(met), set(met.values())) == (190, {56})


def differences(numbers: int, family: tuple[tuple[int, ...], ...]) -> Counter[int]:
    """Count how often each number is a difference, modulo `numbers`, of two members of a set of the family."""
    return Counter((first - second) % numbers for member in family for first, second in permutations(member, 2))


def check_family(numbers: int, size: int) -> int:
    """Check that the family is balanced and not too large, and return its number of sets."""
    family = difference_family(numbers, size)
    counts = differences(numbers, family)
    assert {(len(member), len(set(member)), member[0]) for member in family} == {(size, size, 0)}
    assert len({counts[difference] for difference in range(1, numbers)}) == 1
    assert len(family) <= 2 * (numbers - 1)
    return len(family)


@pytest.mark.parametrize("numbers", range(2, 14))
def test_a_difference_family_has_every_difference_equally_often(numbers: int) -> None:
    """A set has size × (size − 1) differences, which gives a lower bound of the number of sets; the family has that
    number of sets or twice as many.
    """
    for size in range(1, min(9, numbers)):
        fewest = (numbers - 1) // gcd(numbers - 1, size * (size - 1))
        assert check_family(numbers, size) in (fewest, 2 * fewest)


@pytest.mark.soak
@pytest.mark.parametrize("numbers", range(14, 41))
def test_a_difference_family_of_many_numbers_has_every_difference_equally_often(numbers: int) -> None:
    for size in range(1, 9):
        check_family(numbers, size)


@pytest.mark.parametrize(
    ("numbers", "size"), [(7, 3), (13, 4), (21, 5), (11, 5), (15, 7)], ids=["7,3", "13,4", "21,5", "11,5", "15,7"]
)
def test_planar_difference_sets_are_found(numbers: int, size: int) -> None:
    """One set is enough for the planes of orders 2, 3 and 4, and for 11 and 15 numbers (Handbook of Combinatorial
    Designs, VI.18)."""
    assert len(difference_family(numbers, size)) == 1


def test_triples_of_entrants_meet_equally_often_in_the_long_run() -> None:
    """Six entrants play 30 games of four in a block, with 4 of the 20 triples each: each triple meets 6 times on
    average.
    """
    blocks = 60
    together = Counter(
        frozenset(triple)
        for block in range(blocks)
        for game in block_of("fresh", 6, 4, block)
        for triple in combinations(game.seating, 3)
    )
    assert len(together) == 20
    assert all(abs(often / blocks - 6.0) < 1.0 for often in together.values())


@pytest.mark.parametrize(("design", "seats"), LEAGUES)
def test_all_entrants_of_a_deal_play_the_same_cards(design: Design, seats: int) -> None:
    """In paired designs all entrants of a deal have its hands equally often; only `fresh` has a deal per game."""
    for _entrants, block in blocks_of(design, seats):
        hands: dict[int, dict[int, list[int]]] = {}
        for game in block:
            for seat, entrant in enumerate(game.seating):
                hands.setdefault(game.deal, {}).setdefault(entrant, []).append(seat)
        assert sorted(hands) == list(range(len(hands)))
        if design == "fresh":
            assert len(hands) == len(block)
        elif design == "rotations":
            for deal in hands.values():
                assert all(len(set(Counter(seats_had).values())) == 1 for seats_had in deal.values())
        else:
            assert len(hands) == 1
            assert len({tuple(sorted(seats_had)) for seats_had in hands[0].values()}) == 1


def test_games_of_pairs_have_two_entrants_and_are_complementary() -> None:
    """Three entrants at tables of five play three pairs of games; in the second of each all seats are exchanged."""
    block = block_of("pairs", 3, 5, 0)
    assert len(block) == 6
    for first, second in zip(block[::2], block[1::2], strict=True):
        assert first.deal == second.deal
        assert set(first.seating) == set(second.seating)
        assert all(a != b for a, b in zip(first.seating, second.seating, strict=True))
    assert [set(game.seating) for game in block[::2]] == [{0, 1}, {0, 2}, {1, 2}]


def test_every_design_of_the_command_line_has_a_plan() -> None:
    assert set(DESIGNS) == set(get_args(Design))


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_gauntlet_gives_each_bot_of_the_field_the_same_seats_against_the_first(seats: int) -> None:
    """The first entrant is in every game, with each seat once against each other entrant; the others have the same."""
    for entrants in range(2, 9):
        block = block_of("gauntlet", entrants, seats, 6)
        assert {game.deal for game in block} == {0}
        assert [set(game.seating) for game in block] == [{0, other} for other in range(1, entrants) for _game in (0, 1)]
        counts = places_of(block)
        assert {counts[0, seat] for seat in range(seats)} == {entrants - 1}
        assert {counts[other, seat] for other in range(1, entrants) for seat in range(seats)} == {1}
        first, *others = (
            [tuple(entrant == 0 for entrant in game.seating) for game in block if other in game.seating]
            for other in range(1, entrants)
        )
        assert all(seats_of_first == first for seats_of_first in others)


def test_a_gauntlet_has_the_games_of_pairs_in_which_the_first_entrant_plays() -> None:
    pairs = [game for game in block_of("pairs", 5, 4, 3) if 0 in game.seating]
    assert list(block_of("gauntlet", 5, 4, 3)) == pairs


@pytest.mark.parametrize(("design", "games"), [("pairs", 12), ("replace", 12), ("gauntlet", 6)])
def test_an_entrant_that_joins_a_paired_design_only_adds_games(design: Design, games: int) -> None:
    before, after = block_of(design, 3, 4, 7), block_of(design, 4, 4, 7)
    assert [game for game in after if 3 not in game.seating] == list(before)
    assert len(after) == games


def test_replace_gives_each_of_two_entrants_one_seat_against_the_other() -> None:
    """Three entrants at tables of three, by hand: in the second block the single seat is the second one."""
    assert [game.seating for game in block_of("replace", 3, 3, 1)] == [
        (0, 1, 0),
        (1, 0, 1),
        (0, 2, 0),
        (2, 0, 2),
        (1, 2, 1),
        (2, 1, 2),
    ]
    single_seat = [game.seating.index(1) for block in range(6) for game in block_of("replace", 2, 3, block)[:1]]
    assert single_seat == [0, 1, 2, 0, 1, 2]


def test_rotations_of_a_full_table_are_its_four_shifts() -> None:
    first, *others = (game.seating for game in block_of("rotations", 4, 4, 0))
    assert sorted(first) == [0, 1, 2, 3]
    assert others == [first[moved:] + first[:moved] for moved in (1, 2, 3)]


@pytest.mark.parametrize(
    ("design", "entrants", "seats", "games"),
    [
        ("fresh", 1, 4, 1),
        ("fresh", 2, 4, 2),
        ("fresh", 4, 4, 4),
        ("fresh", 5, 4, 5),
        ("fresh", 6, 4, 30),
        ("fresh", 7, 4, 7),
        ("fresh", 8, 4, 56),
        ("fresh", 3, 8, 3),
        ("rotations", 2, 4, 4),
        ("rotations", 3, 4, 12),
        ("rotations", 8, 4, 224),
        ("pairs", 2, 4, 2),
        ("pairs", 8, 4, 56),
        ("replace", 8, 4, 56),
    ],
)
def test_a_block_has_this_number_of_games(design: Design, entrants: int, seats: int, games: int) -> None:
    """The numbers were derived by hand: two games for each pair; in other designs a game for each entrant times the
    sets of the family (one for 5 and for 7 entrants, five for 6, seven for 8), and in rotations times the seats.
    """
    assert len(block_of(design, entrants, seats, 3)) == games


@pytest.mark.parametrize("design", ["fresh", "rotations", "pairs"])
def test_the_order_of_seats_is_drawn_from_the_generator_of_the_block(design: Design) -> None:
    """One seed gives one block, and over twenty blocks neighbours are equal and different at every seat."""
    assert block_of(design, 2, 4, 5) == block_of(design, 2, 4, 5)
    neighbours = Counter(
        (seat, game.seating[seat] == game.seating[(seat + 1) % 4])
        for block in range(20)
        for game in block_of(design, 2, 4, block)
        for seat in range(4)
    )
    assert len(neighbours) == 8
