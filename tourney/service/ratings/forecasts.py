"""Games that are not yet played: how they are expected to end, and how good they would be."""

from __future__ import annotations

from collections.abc import Sequence
from math import perm
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.forecasts import Contender, Expected, ExpectedOrder, Forecast, TableQuality
from tourney.domain.rankings import Pool
from tourney.service.ratings.pool_players import contenders
from tourney.service.ratings.rating_cache import parameters_of
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.ratings.model import Rating
    from tourney.ratings.parameters import Parameters

MOST_ORDERS = 5040
"""Orders that are worked out and listed: all of seven players."""


def predict(db: str | None, names: Sequence[str], pool: str = "people", top: int = 0) -> Forecast:
    """How likely every place is for each of 2 to 64 players, and where asked for, every order of the first `top`.

    Raises TourneyError NOT_FOUND for an unknown pool or player; USAGE for one named twice, for too few or too many
    players, and for too many orders; REFUSED where skills are too far apart to compute.
    """
    with storage.reading(db) as reader:
        found, ratings = contenders(reader, pool, names)
    parameters = parameters_of(found)
    _refuse_orders(len(ratings), top)
    return Forecast(found, _expected(ratings, parameters.beta), _orders(ratings, parameters.beta, top))


def quality(db: str | None, names: Sequence[str], pool: str = "people", seed: str = "1") -> TableQuality:
    """How even and how telling a game of these players would be; the seed is for orders drawn where many play.

    Raises TourneyError as `predict` does.
    """
    with storage.reading(db) as reader:
        found, ratings = contenders(reader, pool, names)
    return _judged(found, parameters_of(found), ratings, seed)


def _refuse_orders(players: int, top: int) -> None:
    if not 0 <= top <= players:
        message = _("the first {top} of {players} players have no order").format(top=top, players=players)
        raise TourneyError(ExitCode.USAGE, message, _("give a number from 1 to {most}").format(most=players))
    if perm(players, top) > MOST_ORDERS:
        message = _("the first {top} of {players} players have {number} orders; {most} are the most").format(
            top=top, players=players, number=perm(players, top), most=MOST_ORDERS
        )
        raise TourneyError(ExitCode.USAGE, message, _("ask for fewer of the first"))


def _expected(ratings: Sequence[Rating], beta: float) -> tuple[Expected, ...]:
    from tourney.ratings.forecast import place_probabilities, win_probability

    skills = [(one.mu, one.sigma) for one in ratings]
    expected: list[Expected] = []
    for one, skill, chances in zip(ratings, skills, place_probabilities(skills, beta), strict=True):
        against = tuple(win_probability(skill, other, beta) for other in skills)
        expected.append(Expected(one.player, one.mu, one.sigma, one.games, tuple(chances), against))
    return tuple(expected)


def _orders(ratings: Sequence[Rating], beta: float, top: int) -> tuple[ExpectedOrder, ...]:
    from tourney.ratings.forecast import order_probabilities

    if top == 0:
        return ()
    found = order_probabilities([(one.mu, one.sigma) for one in ratings], beta, top)
    likeliest = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return tuple(ExpectedOrder(tuple(ratings[place].player for place in order), chance) for order, chance in likeliest)


def _judged(pool: Pool, parameters: Parameters, ratings: Sequence[Rating], seed: str) -> TableQuality:
    from tourney.ratings.forecast import evenness, expected_information, match_quality, place_probabilities
    from tourney.seating.rng import seeded_rng

    skills = [(one.mu, one.sigma) for one in ratings]
    first = [chances[0] for chances in place_probabilities(skills, parameters.beta)]
    bits, sigmas = expected_information(skills, parameters, seeded_rng(seed))
    players = tuple(
        Contender(one.player, one.mu, one.sigma, wins, sigma)
        for one, wins, sigma in zip(ratings, first, sigmas, strict=True)
    )
    return TableQuality(pool, players, match_quality(skills, parameters.beta), evenness(first), bits)
