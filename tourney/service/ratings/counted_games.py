"""The games that an edition counts, by event or imported file, so that changes are found without rating again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from tourney import storage
from tourney.domain.editions import CountedGames, PublishedEdition
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rankings import Pool
from tourney.text.i18n import _

DIGITS = 16
"""The digits of a digest that an edition keeps."""


def counted_games(pool: Pool, history: storage.History, day: str) -> tuple[CountedGames, ...]:
    """Return the games of a pool up to that day, in the order of rating.

    Raises TourneyError REFUSED for a file in which not all games have a date.
    """
    counted = []
    for of, group in groupby(history.batches(pool.kind), attrgetter("of")):
        batches = list(group)
        days = [each for batch in batches for _games, each in history.days(batch)]
        if "" in days:
            message = _("not all games of {pool} have a date in their file").format(pool=pool.name)
            hint = _("an edition needs one: import a file with a column date into another pool")
            raise TourneyError(ExitCode.REFUSED, message, hint)
        if days and min(days) <= day:
            counted.append(CountedGames(of, min(days), _digest(batches)))
    return tuple(counted)


def known_games(editions: Iterable[PublishedEdition]) -> dict[int, CountedGames]:
    """Return the games that the last of these editions has counted, by event or file."""
    known: dict[int, CountedGames] = {}
    for published in editions:
        known |= {games.of: games for games in published.edition.counted}
    return {of: games for of, games in known.items() if games.digest}


def differing(known: Mapping[int, CountedGames], now: Sequence[CountedGames]) -> tuple[CountedGames, ...]:
    """Return the games that are not as they were known; those that are gone have their former day and no digest."""
    there = {games.of for games in now}
    changed = (games for games in now if known.get(games.of) != games)
    gone = (CountedGames(games.of, games.day, "") for games in known.values() if games.of not in there)
    return (*changed, *gone)


def _digest(batches: Iterable[storage.GameBatch]) -> str:
    text = "\n".join(f"{batch.round} {batch.games} {batch.digest}" for batch in batches)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
