"""Rating filters: some games of a pool, by date, rules or number, rated as if there were no others."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.pools import Pool
from tourney.domain.rankings import ALL_GAMES, RatingFilter
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters
from tourney.ratings.readings import Ratings, cautious
from tourney.rulebook import rulesets
from tourney.service.lookup import iso_date
from tourney.service.ratings.rating_cache import current_fold, day_of, parameters_of, with_parameters
from tourney.text.i18n import _
from tourney.text.ranges import listed


def parse_filter(
    as_of: str = "", since: str = "", season: int | None = None, rules: str = "", games: int | None = None
) -> RatingFilter:
    """Return the filter for dates as text (both included) or a season (a year), for rules, and for a number of games.

    Raises TourneyError REFUSED for what is not a date, USAGE for a season together with dates.
    """
    if season is None:
        day = iso_date(as_of)
        return RatingFilter(iso_date(since), day, rules, games, day)
    if as_of or since:
        message = _("--season cannot be combined with --since or --as-of")
        raise TourneyError(ExitCode.USAGE, message, _("leave one of them out"))
    return RatingFilter(f"{season:04}-01-01", f"{season:04}-12-31", rules, games)


def all_pass(rating_filter: RatingFilter) -> bool:
    """Return whether every game passes the filter."""
    return replace(rating_filter, day="") == ALL_GAMES


class FilteredGame(NamedTuple):
    """A game that passes a filter: its number in a batch, and the number of the pool's games `before` the batch.

    `day` (ISO) is "" where neither the filter nor the pool needs it.
    """

    batch: storage.GameBatch
    number: int
    before: int
    day: str
    players: Sequence[str]
    places: Sequence[int]


def filtered_fold(
    reader: storage.Reader,
    pool: Pool,
    history: storage.History,
    rating_filter: RatingFilter,
    parameters: Parameters | None = None,
) -> Fold:
    """Return a fold of the games that pass the filter, by the pool's parameters or others with another sigma.

    The games are read as they are rated; where all of them pass, the fold is continued from the newest checkpoint.

    Raises TourneyError as `filtered_games` does, and REFUSED where the numbers overflow.
    """
    if all_pass(rating_filter):
        own = pool if parameters is None else with_parameters(pool, parameters)
        return current_fold(reader, own, history).fold
    fold = Fold(parameters or parameters_of(pool))
    for game in filtered_games(reader, pool, history, rating_filter):
        fold.advance_to(day_of(pool, game.day))
        fold.add(game.players, game.places)
    return fold


class Readings(NamedTuple):
    """The ratings of some games by player, on a day, and their cautious reading."""

    own: Ratings
    cautious: Ratings
    day: int


def readings(
    reader: storage.Reader, pool: Pool, history: storage.History, rating_filter: RatingFilter, fold: Fold
) -> Readings:
    """Return the readings of the games that pass the filter, which `fold` has, on the day of the filter or the last."""
    day = day_of(pool, rating_filter.day) if rating_filter.day else fold.day

    def rate(parameters: Parameters) -> Ratings:
        return filtered_fold(reader, pool, history, rating_filter, parameters).ratings(day)

    own = fold.ratings(day)
    return Readings(own, cautious(own, parameters_of(pool), rate), day)


def filtered_games(
    reader: storage.Reader, pool: Pool, history: storage.History, rating_filter: RatingFilter
) -> Iterator[FilteredGame]:
    """Yield the games that pass the filter, in the order of rating, as they are read.

    Raises TourneyError NOT_FOUND for rules that no game was played by, REFUSED for a filter by date or rules if games
    have none.
    """
    batches = list(history.batches(pool.kind))
    chosen = _played_by(reader, pool, batches, rating_filter.rules) if rating_filter.rules else set(batches)
    dated = bool(rating_filter.since or rating_filter.until)
    games = _games(history, batches, chosen, dated or pool.ages)
    passed = (game for game in games if not dated or _in_period(rating_filter, pool, game.day))
    # `islice` takes no number above `sys.maxsize`, which is more than there can be games.
    return passed if rating_filter.games is None else islice(passed, min(rating_filter.games, sys.maxsize))


def _games(
    history: storage.History, batches: Collection[storage.GameBatch], chosen: Collection[storage.GameBatch], dated: bool
) -> Iterator[FilteredGame]:
    """Yield all games of the chosen batches."""
    before = 0
    for batch in batches:
        if batch in chosen:
            for number, (players, places) in history.numbered(batch):
                day = history.day(batch, number) if dated else ""
                yield FilteredGame(batch, number, before, day, players, places)
        before += batch.games


def _in_period(rating_filter: RatingFilter, pool: Pool, day: str) -> bool:
    """Return whether the day passes the filter. Raises TourneyError REFUSED for an unknown day."""
    if not day:
        message = _("not all games of {pool} have a date in their file").format(pool=pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("choose the first games by number with --games"))
    return rating_filter.since <= day and day <= (rating_filter.until or day)


def _played_by(
    reader: storage.Reader, pool: Pool, batches: Collection[storage.GameBatch], rules: str
) -> set[storage.GameBatch]:
    """Return the batches of those events that were played by these rules."""
    if pool.kind == "imported":
        message = _("the games of {pool} come from files, which do not say the rules").format(pool=pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("leave --rules out"))
    played = {event.number: event.rules for event in reader.events.rated()}
    found = _find_rules(rules, {played[batch.of] for batch in batches})
    return {batch for batch in batches if played[batch.of] == found}


def _find_rules(rules: str, used: Collection[str]) -> str:
    """Return the id of the rules as events keep it. Raises TourneyError NOT_FOUND for rules not in `used`."""
    if rules in used:
        return rules
    found = rulesets.resolve(rules).id
    if found not in used:
        message = _("no game in this pool was played by {rules}").format(rules=found)
        hint = _("rules played: {rules}").format(rules=listed(sorted(used))) if used else _("it has no games yet")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return found
