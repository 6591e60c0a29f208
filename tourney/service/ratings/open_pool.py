"""A pool opened in one transaction that reads, and what is computed of it and kept for the next time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.domain.pools import Pool
from tourney.domain.rankings import ALL_GAMES, RatingFilter
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters
from tourney.ratings.readings import Ratings, cautious
from tourney.service.ratings.pools import open_history
from tourney.service.ratings.rating_cache import CachedFold, current_fold, parameters_of, with_parameters
from tourney.service.ratings.rating_filter import Readings, readings

Found = TypeVar("Found")
New: TypeAlias = "dict[str, tuple[Sequence[storage.KeptRatings], Collection[str]]]"
"""Rows to keep, and the inputs of those that stay, by the name under which they are kept."""


@dataclass(slots=True)
class OpenPool:
    """A pool with its games, as one transaction sees them; `new` is what to keep, by the name under which it is kept.

    Names of what is kept besides the ratings begin with that of the pool and a line end, which no pool's name has.
    """

    reader: storage.Reader
    pool: Pool
    history: storage.History
    new: New = field(default_factory=dict)

    def kept_as(self, what: str) -> str:
        """Return the name under which something of the pool is kept."""
        return f"{self.pool.name}\n{what}"

    def keep(self, name: str, new: Sequence[storage.KeptRatings], still: Collection[str]) -> None:
        """Let these rows be kept under a name, with those of the inputs `still` that are kept there."""
        if new:
            self.new[name] = new, still

    def keep_fold(self, rated: Pool, cached: CachedFold) -> Fold:
        """Let the new checkpoints of a pool's fold be kept; return the fold."""
        self.keep(rated.name, cached.new, cached.keep)
        return cached.fold

    def fold(self, parameters: Parameters | None = None) -> Fold:
        """Return the fold of all games, by the pool's parameters or others with another sigma."""
        rated = self.pool if parameters is None else with_parameters(self.pool, parameters)
        return self.keep_fold(rated, current_fold(self.reader, rated, self.history))

    def readings(self, fold: Fold, rating_filter: RatingFilter = ALL_GAMES) -> Readings:
        """Return the readings of the games that pass the filter, which `fold` has; those of all games are kept."""
        if rating_filter != ALL_GAMES:
            return readings(self.reader, self.pool, self.history, rating_filter, fold)

        def rate(other: Parameters) -> Ratings:
            return self.fold(other).ratings(fold.day)

        own = fold.ratings(fold.day)
        return Readings(own, cautious(own, parameters_of(self.pool), rate), fold.day)


def from_pool(db: str | None, pool: str, read: Callable[[OpenPool], Found]) -> Found:
    """Return what is read from a pool in one transaction, and keep what is new if the database can be written now.

    Raises TourneyError NOT_FOUND for an unknown pool, and as `read` does.
    """
    done = _read(db, pool, read, storage.MOST_STALE)
    if done is None:
        # So that the rows of so many rounds need not be read again.
        _write(db, lambda store: store.pools.keep_rounds(store.pools.played_rounds().rows()))
        done = _read(db, pool, read)
    assert done is not None
    found, new, rounds = done
    if new or rounds:
        _write(db, lambda store: _keep(store, new, rounds))
    return found


def _read(
    db: str | None, pool: str, read: Callable[[OpenPool], Found], most: int | None = None
) -> tuple[Found, New, Sequence[storage.StaleRow]] | None:
    """Return what is read, what to keep and the rows of stale rounds; None if more than `most` are stale."""
    with storage.reading(db) as reader:
        opened = OpenPool(reader, *open_history(reader, pool))
        stale = len(opened.history.stale())
        if most is not None and stale > most:
            return None
        found = read(opened)
        return found, opened.new, list(opened.history.rows()) if stale <= storage.MOST_STALE else ()


def _keep(store: storage.Store, new: New, rounds: Sequence[storage.StaleRow]) -> None:
    store.pools.keep_rounds(rounds)
    for name, kept in new.items():
        store.pools.keep_checkpoints(name, *kept)


def _write(db: str | None, write: Callable[[storage.Store], None]) -> None:
    """Write to the cache, which only saves time, if the database can be written now."""
    if not storage.file_writable(storage.locate(db)):
        return
    with suppress(TourneyError), storage.writing(db) as store:
        write(store)
