"""Who sits where in the blocks of a league: counted, seat by seat and opponent by opponent, over whole cycles."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import get_args

import pytest

from tourney.domain import Design
from tourney.league.designs import Sitting, cycle, seatings

DESIGNS: tuple[Design, ...] = get_args(Design)
LEAGUES = [pytest.param(design, seats, id=f"{design} at {seats}") for design, seats in product(DESIGNS, range(2, 9))]
ENTRANTS = range(1, 9)


def block_of(design: Design, entrants: int, seats: int, block: int) -> tuple[Sitting, ...]:
    """The block as a league would seat it."""
    return seatings(design, entrants, seats, block, Random(f"league/{block}"))


def cycle_of(design: Design, entrants: int, seats: int) -> list[tuple[Sitting, ...]]:
    """The blocks of one cycle that does not begin with the league."""
    length = cycle(design, entrants, seats)
    return [block_of(design, entrants, seats, block) for block in range(length, 2 * length)]


def blocks_of(design: Design, seats: int) -> Iterator[tuple[int, tuple[Sitting, ...]]]:
    """Up to five blocks of the cycle of every number of entrants, with that number."""
    for entrants in ENTRANTS:
        for block in cycle_of(design, entrants, seats)[:5]:
            yield entrants, block


def meetings(block: tuple[Sitting, ...]) -> Iterator[tuple[int, int]]:
    """Everybody at every table with everybody else there."""
    for sitting in block:
        yield from permutations(sitting.seating, 2)


def places_of(block: tuple[Sitting, ...]) -> Counter[tuple[int, int]]:
    """How often each entrant has each seat."""
    return Counter((entrant, seat) for sitting in block for seat, entrant in enumerate(sitting.seating))


@pytest.mark.parametrize(("design", "seats"), LEAGUES)
def test_in_every_block_everybody_plays_as_much_in_each_seat_as_the_others(design: Design, seats: int) -> None:
    for entrants, block in blocks_of(design, seats):
        assert all(len(sitting.seating) == seats for sitting in block)
        counts = places_of(block)
        assert len(counts) == entrants * seats
        assert len(set(counts.values())) == 1


@pytest.mark.parametrize(("design", "seats"), LEAGUES)
def test_over_a_cycle_everybody_meets_everybody_equally_often(design: Design, seats: int) -> None:
    for entrants in ENTRANTS:
        whole = cycle_of(design, entrants, seats)
        seats_had = sum(map(places_of, whole), Counter[tuple[int, int]]())
        assert len({seats_had[entrant, seat] for entrant in range(entrants) for seat in range(seats)}) == 1
        met = Counter(pair for block in whole for pair in meetings(block))
        assert len({met[pair] for pair in permutations(range(entrants), 2)}) <= 1
        assert len({met[entrant, entrant] for entrant in range(entrants)}) == 1


@pytest.mark.parametrize(("design", "seats"), LEAGUES)
def test_every_entrant_faces_the_cards_of_every_deal(design: Design, seats: int) -> None:
    """In paired designs all who play a deal have had the same cards; only `fresh` deals anew for every game."""
    for _entrants, block in blocks_of(design, seats):
        hands: dict[int, dict[int, list[int]]] = {}
        for sitting in block:
            for seat, entrant in enumerate(sitting.seating):
                hands.setdefault(sitting.deal, {}).setdefault(entrant, []).append(seat)
        assert sorted(hands) == list(range(len(hands)))
        if design == "fresh":
            assert len(hands) == len(block)
        elif design == "rotations":
            for deal in hands.values():
                assert all(len(set(Counter(seats_had).values())) == 1 for seats_had in deal.values())
        else:
            assert len(hands) == 1
            assert len({tuple(sorted(seats_had)) for seats_had in hands[0].values()}) == 1


def test_pairs_are_complementary_and_meet_alone() -> None:
    """Three entrants at tables of five: three couples of games; in the second of each all seats have changed hands."""
    block = block_of("pairs", 3, 5, 0)
    assert len(block) == 6
    for one, other in zip(block[::2], block[1::2], strict=True):
        assert one.deal == other.deal
        assert set(one.seating) == set(other.seating)
        assert all(a != b for a, b in zip(one.seating, other.seating, strict=True))
    assert [set(sitting.seating) for sitting in block[::2]] == [{0, 1}, {0, 2}, {1, 2}]


@pytest.mark.parametrize("design", ["pairs", "replace"])
def test_who_joins_only_adds_games_where_every_two_meet_alone(design: Design) -> None:
    before, after = block_of(design, 3, 4, 7), block_of(design, 4, 4, 7)
    assert [sitting for sitting in after if 3 not in sitting.seating] == list(before)
    assert len(after) == 12


def test_replace_gives_one_seat_of_a_table_to_another_and_the_other_way_round() -> None:
    """Three entrants at tables of three, by hand: in the second block it is the second seat."""
    assert [sitting.seating for sitting in block_of("replace", 3, 3, 1)] == [
        (0, 1, 0),
        (1, 0, 1),
        (0, 2, 0),
        (2, 0, 2),
        (1, 2, 1),
        (2, 1, 2),
    ]
    lone = [sitting.seating.index(1) for block in range(6) for sitting in block_of("replace", 2, 3, block)[:1]]
    assert lone == [0, 1, 2, 0, 1, 2]


def test_rotations_of_a_full_table_are_its_four_turns() -> None:
    first, *others = (sitting.seating for sitting in block_of("rotations", 4, 4, 0))
    assert sorted(first) == [0, 1, 2, 3]
    assert others == [first[moved:] + first[:moved] for moved in (1, 2, 3)]


@pytest.mark.parametrize(
    ("design", "entrants", "seats", "games", "length"),
    [
        ("fresh", 2, 4, 2, 1),
        ("fresh", 4, 4, 4, 1),
        ("fresh", 5, 4, 5, 4),
        ("fresh", 8, 4, 8, 35),
        ("fresh", 3, 8, 3, 2),
        ("rotations", 2, 4, 4, 1),
        ("rotations", 3, 4, 12, 1),
        ("rotations", 8, 4, 32, 35),
        ("pairs", 2, 4, 2, 1),
        ("pairs", 8, 4, 56, 1),
        ("replace", 2, 4, 2, 4),
        ("replace", 8, 4, 56, 4),
        ("fresh", 1, 4, 1, 1),
    ],
)
def test_how_many_games_a_block_has_and_how_many_blocks_a_cycle(
    design: Design, entrants: int, seats: int, games: int, length: int
) -> None:
    """By hand: a game an entrant, times seats; two a couple. Sets of those with a seat more; lone seats."""
    assert len(block_of(design, entrants, seats, 3)) == games
    assert cycle(design, entrants, seats) == length


@pytest.mark.parametrize("design", ["fresh", "rotations", "pairs"])
def test_the_order_of_seats_is_drawn_from_the_blocks_own_chance(design: Design) -> None:
    """The same again for the same chance; over twenty blocks all of four seats have neighbours of both kinds."""
    assert block_of(design, 2, 4, 5) == block_of(design, 2, 4, 5)
    neighbours = Counter(
        (seat, sitting.seating[seat] == sitting.seating[(seat + 1) % 4])
        for block in range(20)
        for sitting in block_of(design, 2, 4, block)
        for seat in range(4)
    )
    assert len(neighbours) == 8
