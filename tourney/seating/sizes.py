"""How many tables, and how large."""

from collections.abc import Sequence
from typing import get_args

from tourney.seating.model import Short


def table_sizes(players: int, size: int, least: int = 2, short: Short = "short tables") -> tuple[int, ...]:
    """The sizes of the tables of one round, largest first; what they do not hold sits out.

    `size` is the wished and largest size, `least` the smallest table that the rules allow. With
    `short tables` everybody plays, at the fewest tables that hold all, which differ by at most one
    seat; as few as need be sit out where no such tables hold all. With `sit out` every table has exactly
    `size` seats, unless all players fit one table.
    Raises ValueError, saying what to change, for fewer players than `least`, and for sizes that cannot be.
    """
    if short not in get_args(Short):
        raise ValueError(f"'{short}' is no way to seat; choose one of: {', '.join(get_args(Short))}")
    if not 2 <= least <= size:
        raise ValueError(f"tables of {size} with at least {least} players; they need 2 <= least <= size")
    if players < least:
        raise ValueError(f"{players} cannot be seated: the smallest table has {least} players")
    if short == "sit out":
        return (size,) * (players // size) if players >= size else (players,)
    return _level_sizes(players, size, least)


def at_most(sizes: tuple[int, ...], tables: int, most: int, short: Short) -> tuple[int, ...]:
    """These sizes, where they are not too many for so many tables; otherwise sizes for as many tables as there are.

    These are larger, up to `most` players; with `sit out` they stay as they were. Whom they do not hold sits out.
    """
    if len(sizes) <= tables:
        return sizes
    if short == "sit out" or tables == 0:
        return sizes[:tables]
    smaller, larger = divmod(min(sum(sizes), tables * most), tables)
    return (smaller + 1,) * larger + (smaller,) * (tables - larger)


def given_sizes(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """These sizes, largest first. Raises ValueError for tables of one, and for more places than players."""
    if not sizes or min(sizes) < 2:
        raise ValueError("a table has two players at least; give the size of each table of a round")
    if sum(sizes) > players:
        raise ValueError(f"these tables have {sum(sizes)} places for {players} players; give smaller or fewer tables")
    return tuple(sorted(sizes, reverse=True))


def _level_sizes(players: int, size: int, least: int) -> tuple[int, ...]:
    """The sizes that seat everybody, or as many as such tables can hold."""
    for seated in range(players, least, -1):
        tables = -(-seated // size)
        smaller, larger = divmod(seated, tables)
        if smaller >= least:
            return (smaller + 1,) * larger + (smaller,) * (tables - larger)
    return (least,)
