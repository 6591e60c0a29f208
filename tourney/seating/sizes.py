"""How many tables, and how large."""

from typing import get_args

from tourney.seating.values import Short


def table_sizes(players: int, size: int, least: int = 2, short: Short = "short tables") -> tuple[int, ...]:
    """The sizes of the tables of one round, largest first; what they do not hold sits out.

    `size` is the wished and largest size, `least` the smallest table that the rules allow. With
    `short tables` everybody plays, at the fewest tables that hold all, which differ by at most one
    seat; with `sit out` every table has exactly `size` seats, unless all players fit one table.
    Raises ValueError, saying what to change, where that cannot be done.
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


def _level_sizes(players: int, size: int, least: int) -> tuple[int, ...]:
    tables = -(-players // size)
    smaller, larger = divmod(players, tables)
    if smaller < least:
        raise ValueError(
            f"{players} players do not divide into tables of {least} to {size}; "
            f"let {players % size} sit out, or change the size"
        )
    return (smaller + 1,) * larger + (smaller,) * (tables - larger)
