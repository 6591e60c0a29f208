"""The number of tables of a round, and their sizes."""

from collections.abc import Sequence
from typing import get_args

from tourney.seating.model import Remainder, SeatingError


def table_sizes(players: int, size: int, smallest: int = 2, remainder: Remainder = "short tables") -> tuple[int, ...]:
    """Return the sizes of the tables of one round, largest first; players beyond them have a bye.

    `size` is the wanted and largest size, `smallest` the smallest table that the rules allow. With `short tables`
    everybody plays, at the fewest tables that hold all, whose sizes differ by at most one; as few as necessary have a
    bye where no such tables hold all. With `sit out` every table has exactly `size` seats, unless all players fit one
    table. Raises ValueError, saying what to change, for fewer players than `smallest`, and for impossible sizes.
    """
    if remainder not in get_args(Remainder):
        raise SeatingError(
            "'{remainder}' is no way to seat; choose one of: {possible}",
            remainder=remainder,
            possible=", ".join(get_args(Remainder)),
        )
    if not 2 <= smallest <= size:
        raise SeatingError(
            "tables of {size} with at least {least} players; they need 2 <= least <= size", size=size, least=smallest
        )
    if players < smallest:
        raise SeatingError(
            "too few players for a table: {players}; the smallest has {least}", players=players, least=smallest
        )
    if remainder == "sit out":
        return (size,) * (players // size) if players >= size else (players,)
    return _level_sizes(players, size, smallest)


def limit_tables(sizes: tuple[int, ...], tables: int, most: int, remainder: Remainder) -> tuple[int, ...]:
    """Return these sizes, or sizes for `tables` tables where there are too many of them.

    The tables then become larger, up to `most` players; with `sit out` they keep their size. Players beyond them have a
    bye.
    """
    if len(sizes) <= tables:
        return sizes
    if remainder == "sit out" or tables == 0:
        return sizes[:tables]
    smaller, larger = divmod(min(sum(sizes), tables * most), tables)
    return (smaller + 1,) * larger + (smaller,) * (tables - larger)


def given_sizes(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return these sizes, largest first. Raises ValueError for tables of one, and for more places than players."""
    if not sizes or min(sizes) < 2:
        raise SeatingError("a table has two players at least; give the size of each table of a round")
    if sum(sizes) > players:
        raise SeatingError(
            "these tables have {places} places for {players} players; give smaller or fewer tables",
            places=sum(sizes),
            players=players,
        )
    return tuple(sorted(sizes, reverse=True))


def _level_sizes(players: int, size: int, smallest: int) -> tuple[int, ...]:
    """Return sizes that seat everybody, or as many as such tables can hold."""
    for seated in range(players, smallest, -1):
        tables = -(-seated // size)
        smaller, larger = divmod(seated, tables)
        if smaller >= smallest:
            return (smaller + 1,) * larger + (smaller,) * (tables - larger)
    return (smallest,)
