"""The rating cache: the fold of a pool continued from the newest checkpoint before which nothing has changed."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise, repeat
from typing import TYPE_CHECKING, cast

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.pools import Pool
from tourney.ratings.fold import Fold
from tourney.ratings.model import Checkpoint, Rating, day_number
from tourney.ratings.parameters import Parameters
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.files.results import FileGame

ARITHMETIC_VERSION = 3
"""Version of the arithmetic of ratings; checkpoints of another version are not used."""
CHECKPOINT_INTERVAL = 2000
"""A checkpoint may be kept after each batch that passes a multiple of this number of games."""


@dataclass(frozen=True, slots=True)
class CachedFold:
    """A pool's fold after all its games, the `new` checkpoints to store, and the input digests of those to `keep`."""

    fold: Fold
    new: tuple[storage.KeptRatings, ...]
    keep: frozenset[str]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The batches of a pool in the order of rating.

    `games` has the number of games before each batch, and at the end the number of all; `inputs` has a digest of all
    inputs of the ratings at the same places.
    """

    batches: Sequence[storage.GameBatch]
    games: Sequence[int]
    inputs: Sequence[str]

    @property
    def marks(self) -> Mapping[int, int]:
        """Return the number of each batch (from 1) that passes a multiple of CHECKPOINT_INTERVAL, with the multiple."""
        return _marks(self.games)

    def start(
        self, reader: storage.Reader, pool: Pool, stored: Collection[str], most: int | None = None
    ) -> tuple[int, Fold]:
        """Return how many batches the newest valid checkpoint covers, of at most so many games, and its fold."""
        last = len(self.batches) if most is None else bisect_right(self.games, most) - 1
        done, ratings = _newest_checkpoint(reader, pool, self.inputs, stored, last)
        return done, Fold(parameters_of(pool), Checkpoint(self.games[done], ratings))

    def kept(self, fold: Fold, new: Iterable[storage.KeptRatings], stored: Collection[str]) -> CachedFold:
        """Return a fold of all games, with the checkpoints to store and to keep."""
        places = checkpoint_places(self.games)
        still = frozenset(self.inputs[place] for place in places if self.inputs[place] in stored)
        return CachedFold(fold, tuple(new), still)


def timeline(pool: Pool, history: storage.History) -> Timeline:
    """Return the batches of a pool in the order of rating."""
    batches = list(history.batches(pool.kind))
    games = list(accumulate((batch.games for batch in batches), initial=0))
    return Timeline(batches, games, list(_input_digests(pool, history, batches)))


def current_fold(reader: storage.Reader, pool: Pool, history: storage.History) -> CachedFold:
    """Return the fold of all games of the pool, continued from the newest valid checkpoint.

    Raises TourneyError REFUSED where the numbers overflow, or games lack the dates that the pool needs; STORAGE for
    damaged games.
    """
    line, stored = timeline(pool, history), reader.pools.checkpoints(pool.name)
    places = checkpoint_places(line.games)
    done, fold = line.start(reader, pool, stored)
    new: list[storage.KeptRatings] = []
    for place, batch in enumerate(line.batches[done:], done + 1):
        fold.add_all(history.games(batch), _days(pool, history, batch) if pool.ages else None)
        if place in places:
            new.append(checkpoint(fold, line.inputs[place]))
    return line.kept(fold, new, stored)


def with_parameters(pool: Pool, parameters: Parameters) -> Pool:
    """Return the pool as a reading with these parameters rates it; its checkpoints are kept under that name."""
    # No pool that is typed has a name with a line end.
    return replace(pool, name=f"{pool.name}\n{parameters.sigma!r}", sigma=repr(parameters.sigma))


def checkpoint_places(games: Sequence[int]) -> frozenset[int]:
    """Return the numbers of batches (from 1) after which a checkpoint is kept.

    `games` has the number of games before each batch, and at the end the number of all. A checkpoint is kept after the
    last batch and before it, since its results come one by one; and after batches that pass a multiple of
    CHECKPOINT_INTERVAL: one that is divisible by a higher power of 2 is kept for longer. So there are about
    log2(games / CHECKPOINT_INTERVAL) + 3 checkpoints, and after a correction the games to be rated again are at most a
    few times those that follow it, and about one interval more.
    """
    last = games[-1] // CHECKPOINT_INTERVAL
    kept = {place for place, mark in _marks(games).items() if last - mark < 2 * (mark & -mark)}
    return frozenset((kept | {len(games) - 2, len(games) - 1}) - {-1, 0})


def games_of(pool: Pool, history: storage.History) -> list[storage.Game]:
    """Return all games of the pool, in the order of rating. Raises TourneyError STORAGE for damaged games."""
    return [game for batch in history.batches(pool.kind) for game in history.games(batch)]


def days_of(pool: Pool, history: storage.History) -> list[int]:
    """Return the day number of each game of `games_of`, or an empty list if the pool's `absence` is 0.

    Raises TourneyError REFUSED for games without a date.
    """
    batches = history.batches(pool.kind) if pool.ages else ()
    return [day for batch in batches for day in _days(pool, history, batch)]


def known_days(pool: Pool, history: storage.History) -> list[int]:
    """Return the day number of each game of `games_of`, or an empty list if not all games have a date."""
    days = [entry for batch in history.batches(pool.kind) for entry in history.days(batch)]
    if not all(day for _games, day in days):
        return []
    return [number for games, day in days for number in [day_number(day)] * games]


def day_of(pool: Pool, day: str) -> int:
    """Return the number of an ISO date, or 0 if the pool's `absence` is 0. Raises TourneyError REFUSED for no date."""
    if not pool.ages:
        return 0
    try:
        return day_number(day)
    except ValueError:
        message = _("not all games of {pool} have a date in their file").format(pool=pool.name)
        hint = _("a pool with the parameter absence needs the date of every game, as 2026-05-01")
        raise TourneyError(ExitCode.REFUSED, message, hint) from None


def parameters_of(pool: Pool) -> Parameters:
    """Return the pool's parameters as numbers."""
    return Parameters(**{name: float(text) for name, text in pool.parameters.items()})


def last_checkpoint(fold: Fold, pool: Pool, history: storage.History) -> storage.KeptRatings:
    """Return the checkpoint of a fold after all games of the pool."""
    *_before, inputs = _input_digests(pool, history, list(history.batches(pool.kind)))
    return checkpoint(fold, inputs)


def rated_games(fold: Fold, pool: Pool, games: Iterable[FileGame]) -> Iterator[storage.Game]:
    """Yield the games of a file as they are read, each added to the fold."""
    ages = pool.ages
    for game in games:
        if ages:
            fold.advance_to(day_of(pool, game.date))
        fold.add(game.players, game.places)
        yield game.players, game.places


def _marks(games: Sequence[int]) -> dict[int, int]:
    """Return the batches that pass a multiple of CHECKPOINT_INTERVAL, each with the roundest that it passes."""
    multiples = [number // CHECKPOINT_INTERVAL for number in games]
    passed = ((place, *pair) for place, pair in enumerate(pairwise(multiples), 1) if pair[0] != pair[1])
    return {place: _roundest(before, after) for place, before, after in passed}


def _roundest(before: int, after: int) -> int:
    """Return the number in (before, after] that is divisible by the highest power of 2."""
    shift = (before ^ after).bit_length() - 1
    return after >> shift << shift


def _days(pool: Pool, history: storage.History, batch: storage.GameBatch) -> Iterator[int]:
    """Yield the day number of each game of the batch."""
    return chain.from_iterable(repeat(day_of(pool, day), games) for games, day in history.days(batch))


def _input_digests(pool: Pool, history: storage.History, batches: Collection[storage.GameBatch]) -> Iterator[str]:
    """Yield digests of all inputs of the ratings: before the first batch, and after each batch."""
    digest = hashlib.sha256(repr((ARITHMETIC_VERSION, pool)).encode())
    yield digest.hexdigest()
    for batch in batches:
        digest.update(f"{batch.games} {batch.digest}\n".encode())
        if pool.ages:
            digest.update(repr(history.days(batch)).encode())
        yield digest.hexdigest()


def _newest_checkpoint(
    reader: storage.Reader, pool: Pool, inputs: Sequence[str], stored: Collection[str], last: int
) -> tuple[int, Mapping[str, Rating]]:
    """Return how many batches the newest valid checkpoint covers, at most `last`, and its ratings."""
    for done in range(last, 0, -1):
        text = reader.pools.checkpoint(pool.name, inputs[done]) if inputs[done] in stored else None
        if text is not None:
            rows = cast("list[tuple[str, float, float, int, int, float, float, int]]", json.loads(text))
            return done, {row[0]: Rating(*row) for row in rows}
    return 0, {}


def checkpoint(fold: Fold, inputs: str) -> storage.KeptRatings:
    """Return the ratings of a fold as they are kept for these inputs."""
    games, ratings = fold.checkpoint()
    rows = [
        [row.player, row.mu, row.sigma, row.games, row.wins, row.change, row.trend, row.day] for row in ratings.values()
    ]
    return storage.KeptRatings(games, inputs, json.dumps(rows, ensure_ascii=False, separators=(",", ":")))
