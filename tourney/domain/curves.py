"""A player's rating game by game."""

from dataclasses import dataclass

from tourney.domain.rankings import Pool


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A game of a player, by its number among those of the pool, and his place among its `players`.

    mu and sigma are those behind it, from what was known then; the smoothed ones are those at it, from all games of
    the pool, later ones too.
    """

    game: int
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
