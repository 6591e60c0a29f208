"""How a results file is laid out, where it is not a row for each player of each game with seq and rank."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

Order = Literal["file", "newest-first", "date", "number"]
Best = Literal["high", "low"]
Wide = Literal["games", "players", "places"]
Unfinished = Literal["last", "out"]
Twice = Literal["best", "first"]
Decimals = Literal["point", "comma"]


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of a results file are, and how its ranks are read.

    A game is told by the values of the columns `game` together, or the whole file is `one_game`, of that `day`. Ranks
    follow from the column `score`, of which the `best` is high or low; the sign `decimals` begins the decimals of its
    numbers. In a `wide` table the columns `cells` are games, players or places; with `best` their values are scores.
    Who did not finish (`unfinished`) is last or left out, `ranks` has places by the words for them. Of a player's rows
    in a game the best or the first counts (`twice`), and of all rows those that have the values of `only`. `columns`
    has headers by the fields that they stand for.
    """

    game: tuple[str, ...] = ()
    one_game: bool = False
    day: str = ""
    order: Order | None = None
    score: str = ""
    best: Best | None = None
    decimals: Decimals | None = None
    wide: Wide | None = None
    cells: tuple[str, ...] = ()
    unfinished: Unfinished | None = None
    ranks: Mapping[str, str] = field(default_factory=dict)
    twice: Twice | None = None
    only: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)


PLAIN_LAYOUT: Final = Layout()
"""A row for each player of each game, with seq and rank."""


def is_plain(layout: Layout) -> bool:
    """Return whether the file has a row for each player of each game, and nothing else to be known but its headers."""
    return replace(layout, columns={}) == PLAIN_LAYOUT
