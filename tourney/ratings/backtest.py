"""How well games are foretold by those before them: the pairwise log-loss of a predictor over part of a history."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

from tourney.ratings.parameters import RatingError
from tourney.ratings.predictors import Ahead, Predictor
from tourney.ratings.values import Played

LEAST: Final = 1e-9
"""No pair is foretold to be more certain than this, so that one surprise does not cost everything."""


@dataclass(frozen=True, slots=True)
class Score:
    """What foretelling some games has cost, game by game.

    `pairs` of players who did not tie, the sum of −ln of what was said of what then happened, and how many of them
    stood as foretold, a chance of one half counting as half.
    """

    pairs: tuple[int, ...]
    losses: tuple[float, ...]
    right: float

    @property
    def loss(self) -> float:
        """The mean over all pairs: ln 2 is a coin's, 0 a prophet's."""
        return sum(self.losses) / sum(self.pairs)

    @property
    def accuracy(self) -> float:
        """The share of pairs that stood as foretold."""
        return self.right / sum(self.pairs)

    def error_beside(self, other: "Score") -> float:
        """The standard error of the difference of the two losses over the same games, held to be independent."""
        behind = self.loss - other.loss
        parts = zip(self.losses, other.losses, self.pairs, strict=True)
        return sqrt(sum((mine - theirs - number * behind) ** 2 for mine, theirs, number in parts)) / sum(self.pairs)


def score(predictor: Predictor, games: Sequence[Played], measured: range) -> Score:
    """Let it foretell each of the `measured` games and learn it then; it learns those before them without a word.

    Raises RatingError where a game cannot be rated, and where nobody is ahead of anybody in those measured.
    """
    pairs: list[int] = []
    losses: list[float] = []
    right = 0.0
    for number, (players, places) in enumerate(games[: measured.stop]):
        if number >= measured.start:
            counted, loss, hits = _game(predictor.before(players), places)
            pairs.append(counted)
            losses.append(loss)
            right += hits
        predictor.add(players, places)
    if not any(pairs):
        raise RatingError(
            f"nothing to foretell in games {measured.start + 1} to {measured.stop}: all have tied",
            "every part of a history needs a game that somebody won",
        )
    return Score(tuple(pairs), tuple(losses), right)


def _game(foretold: Ahead, places: Sequence[int]) -> tuple[int, float, float]:
    """Pairs that did not tie, their loss, and how many were foretold."""
    pairs, loss, right = 0, 0.0, 0.0
    for one in range(len(places)):
        for other in range(one):
            if places[one] != places[other]:
                chance = foretold(one, other) if places[one] < places[other] else foretold(other, one)
                pairs += 1
                loss -= log(min(max(chance, LEAST), 1.0 - LEAST))
                right += 0.5 * ((chance > 0.5) + (chance >= 0.5))
    return pairs, loss, right
