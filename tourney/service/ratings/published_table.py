"""The table of an edition: ranks, ratings and intervals as of a day, with numbers for the players."""

from __future__ import annotations

from collections.abc import Mapping

from tourney import storage
from tourney.domain.editions import PublishedRow
from tourney.domain.rankings import Pool, RatingFilter
from tourney.ratings.readings import ranked
from tourney.service.ratings.pools import UNPUBLISHED, find_pool
from tourney.service.ratings.rating_cache import day_of
from tourney.service.ratings.rating_filter import cautious_ratings, filtered_fold


def published_table(
    reader: storage.Reader, pool: Pool, history: storage.History, day: str, top: int | None
) -> tuple[int, tuple[PublishedRow, ...]]:
    """Return the number of games up to that day, and the rows down to rank `top`, as the listing `--as-of` has them.

    Raises TourneyError REFUSED where the numbers overflow.
    """
    rating_filter, number_of_day = RatingFilter(until=day, day=day), day_of(pool, day)
    fold = filtered_fold(reader, pool, history, rating_filter)
    own = fold.ratings(number_of_day)
    reading = cautious_ratings(reader, pool, history, rating_filter, own, number_of_day)
    numbers = _numbers(reader, pool) if pool.kind == "imported" else {key: int(key) for key in own}
    rows = (
        PublishedRow(numbers[row.player], row.rank, repr(row.mu), repr(row.sigma), row.games, *interval)
        for row, interval in ranked(own, reading)
        if top is None or row.rank <= top
    )
    return fold.games, tuple(sorted(rows, key=lambda row: (row.rank, row.player)))


def names_by_number(reader: storage.Reader, pool: Pool) -> dict[int, str]:
    """Return today's names by the numbers of an edition's players; a merged player has their last own name."""
    if pool.kind == "imported":
        return {number: name for name, number in _numbers(reader, pool).items()}
    published = reader.people.published()
    everybody = (*reader.people.players(), *reader.people.gone())
    return {player.id: published.get(player.id, player.shown) or UNPUBLISHED for player in everybody}


def _numbers(reader: storage.Reader, pool: Pool) -> Mapping[str, int]:
    """Return the number of each name of an imported pool, as the files first name them."""
    number, _pool = find_pool(reader, pool.name)
    return {} if number is None else reader.pools.imported_names(number)
