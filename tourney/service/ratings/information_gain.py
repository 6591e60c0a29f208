"""What the result of a table would tell of its players' ratings, for events whose rounds are seated by that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.seating.rng import seeded_rng
from tourney.service.ratings.rating_cache import folded, parameters_of
from tourney.service.ratings.ratings import event_pools

if TYPE_CHECKING:
    from tourney.ratings.model import Rating

Tells = Callable[[Sequence[Player]], float]
"""How many bits the result of a table is expected to tell of the ratings of its players."""


def tells(reader: storage.Reader, event: Event) -> Tells:
    """By the ratings now, people's and bots' in their own pools, with the parameters of people's.

    It is the information of `rating quality`; where tables may have more players than those of whom it looks at every
    order, every two of them count as a table instead, which ranks tables much alike and takes no draw. Raises
    TourneyError as `folded` does.
    """
    from tourney.ratings.forecast import MAX_EXACT_PLAYERS, expected_information

    ratings, parameters = _ratings(reader, event), parameters_of(event_pools(reader)[0])

    @cache
    def bits(*skills: tuple[float, float]) -> float:
        return expected_information(skills, parameters, seeded_rng(event.settings.seed))[0]

    def of_table(players: Sequence[Player]) -> float:
        skills = sorted((ratings[player.id].mu, ratings[player.id].sigma) for player in players)
        if event.settings.size <= MAX_EXACT_PLAYERS:
            return bits(*skills)
        return sum(bits(*pair) for pair in combinations(skills, 2))

    return of_table


def _ratings(reader: storage.Reader, event: Event) -> dict[int, Rating]:
    """Those of the entrants, by number; newcomers' too."""
    found: dict[int, Rating] = {}
    for pool in event_pools(reader)[:2]:
        fold = folded(reader, pool, reader.played_rounds()).fold
        kind = "person" if pool.kind == "people" else "bot"
        found |= {one.id: fold.rating(str(one.id), fold.day) for one in event.entrants if one.kind == kind}
    return found
