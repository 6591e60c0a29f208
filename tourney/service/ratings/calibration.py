"""The calibration of a pool's ratings: how often the favourite of a pair finished ahead, by how likely that was."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rankings import ALL_GAMES, Calibration, CalibrationBin
from tourney.ratings.fold import Fold
from tourney.ratings.forecast import win_probability
from tourney.service.ratings.pools import open_history
from tourney.service.ratings.rating_cache import day_of, parameters_of
from tourney.service.ratings.rating_filter import FilteredGame, filtered_games
from tourney.text.i18n import _

BINS: Final = 5
"""The bins of the favourite's probability, from a half to 1."""


class _Bin:
    """The pairs of a bin so far."""

    def __init__(self) -> None:
        self.pairs = 0
        self.predicted = self.happened = 0.0

    def add(self, probability: float, outcome: float) -> None:
        """Add a pair whose favourite was expected to finish ahead with this probability."""
        self.pairs += 1
        self.predicted += probability
        self.happened += outcome

    def closed(self, place: int) -> CalibrationBin:
        """Return the finished bin."""
        low, high = (0.5 + 0.5 * end / BINS for end in (place, place + 1))
        share = self.happened / self.pairs
        error = sqrt(share * (1.0 - share) / self.pairs)
        return CalibrationBin(low, high, self.pairs, self.predicted / self.pairs, share, error)


def calibration(db: str | None, pool: str = "people") -> Calibration:
    """Return the calibration of a pool over all pairs of players who had both played before.

    Raises TourneyError NOT_FOUND for an unknown pool; REFUSED if there is no such pair, and where numbers overflow.
    """
    bins = [_Bin() for _ in range(BINS)]
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        fold = Fold(parameters_of(found))
        for game in filtered_games(reader, found, history, ALL_GAMES):
            fold.advance_to(day_of(found, game.day))
            _add_pairs(bins, fold, game, parameters_of(found).beta)
            fold.add(game.players, game.places)
    closed = tuple(each.closed(place) for place, each in enumerate(bins) if each.pairs)
    if not closed:
        message = _("no two players of {pool} met who had both played before").format(pool=found.name)
        raise TourneyError(ExitCode.REFUSED, message, _("come back after more games"))
    return Calibration(found, fold.games, closed)


def _add_pairs(bins: list[_Bin], fold: Fold, game: FilteredGame, beta: float) -> None:
    ratings = [fold.rating(player, fold.day) for player in game.players]
    known = [(rating, place) for rating, place in zip(ratings, game.places, strict=True) if rating.games]
    for (one, place), (other, behind) in combinations(known, 2):
        probability = win_probability((one.mu, one.sigma), (other.mu, other.sigma), beta)
        ahead = 0.5 if place == behind else float(place < behind)
        favourite, outcome = (probability, ahead) if probability >= 0.5 else (1.0 - probability, 1.0 - ahead)
        bins[min(BINS - 1, int((favourite - 0.5) * 2 * BINS))].add(favourite, outcome)
