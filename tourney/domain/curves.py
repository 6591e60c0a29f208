"""A player's rating game by game."""

from dataclasses import dataclass

from tourney.domain.rankings import Pool


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A game of a player, by its number among those of the pool, and his place among its `players`.

    A game of an event has its `event`, `round` and `table`; a game of a results file has 0 and 0, and as `event` what
    the file calls it. That and `day` (ISO) are "" where the file does not say them.
    mu and sigma are those behind it, from what was known then; the smoothed ones are those at it, from all games of
    the pool, later ones too.
    """

    game: int
    event: str
    day: str
    round: int
    table: int
    place: int
    players: int
    mu: float
    sigma: float
    smoothed_mu: float
    smoothed_sigma: float


@dataclass(frozen=True, slots=True)
class Curve:
    """All games of a player in a pool, in their order."""

    pool: Pool
    player: str
    points: tuple[CurvePoint, ...]
