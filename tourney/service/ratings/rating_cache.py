"""The ratings of a pool as they stand: gone on with from the newest checkpoint before which nothing has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise, repeat
from typing import TYPE_CHECKING, cast

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rankings import Pool
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.files.results import FileGame
    from tourney.ratings.fold import Fold
    from tourney.ratings.model import Rating
    from tourney.ratings.parameters import Parameters

ARITHMETIC = 3
"""Version of what ratings are worked out with; what was kept under another is not gone on from."""
EVERY = 2000
"""Games between two checkpoints, at least."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A pool's fold behind all its games; `new` are checkpoints to keep, `still` the inputs of those to be left."""

    fold: Fold
    new: tuple[storage.KeptRatings, ...]
    still: frozenset[str]


def folded(reader: storage.Reader, pool: Pool, history: storage.History) -> Folded:
    """Fold the games of the pool that are behind the newest sound checkpoint.

    Raises TourneyError REFUSED where the numbers leave what floats can hold, or games lack the days that the pool
    needs; STORAGE for games that are damaged.
    """
    from tourney.ratings.fold import Fold
    from tourney.ratings.model import Checkpoint

    stretches = list(history.stretches(pool.kind))
    inputs = list(_inputs(pool, history, stretches))
    games = list(accumulate((stretch.games for stretch in stretches), initial=0))
    kept, known = kept_at(games), reader.checkpoints(pool.name)
    done, ratings = _newest(reader, pool, inputs, known)
    fold = Fold(parameters_of(pool), Checkpoint(games[done], ratings))
    new: list[storage.KeptRatings] = []
    for place, stretch in enumerate(stretches[done:], done + 1):
        fold.add_all(history.games(stretch), _days(pool, history, stretch) if pool.ages else None)
        if place in kept:
            new.append(_checkpoint(fold, inputs[place]))
    return Folded(fold, tuple(new), frozenset(inputs[place] for place in kept if inputs[place] in known))


def kept_at(games: Sequence[int]) -> frozenset[int]:
    """Behind which stretches a checkpoint is kept; `games` counts those before each, and at last all.

    Behind the last one, and where the next multiple of EVERY was passed: the rounder (in binary) the multiple, the
    longer. So there are twice as many as the logarithm of `games`, and a correction costs no more than a few times
    the games behind it.
    """
    most = games[-1] // EVERY
    marks = {place: _roundest(one // EVERY, other // EVERY) for place, (one, other) in enumerate(pairwise(games), 1)}
    kept = {place for place, mark in marks.items() if mark and most - mark < 2 * (mark & -mark)}
    return frozenset(kept | {len(games) - 1} - {0})


def games_of(pool: Pool, history: storage.History) -> list[storage.Game]:
    """All games of the pool, in the order of rating. Raises TourneyError STORAGE for games that are damaged."""
    return [game for stretch in history.stretches(pool.kind) for game in history.games(stretch)]


def days_of(pool: Pool, history: storage.History) -> list[int]:
    """The day of each of `games_of` as a number, where days count in the pool; nothing where they do not.

    Raises TourneyError REFUSED for games without a day.
    """
    stretches = history.stretches(pool.kind) if pool.ages else ()
    return [day for stretch in stretches for day in _days(pool, history, stretch)]


def day_of(pool: Pool, day: str) -> int:
    """A game's day (ISO) as a number, 0 where days do not count in the pool. Raises TourneyError REFUSED for none."""
    from tourney.ratings.model import day_number

    if not pool.ages:
        return 0
    try:
        return day_number(day)
    except ValueError:
        message = _("not all games of {pool} have a date in their file").format(pool=pool.name)
        hint = _("with absence in its parameters a pool needs that of every game, as 2026-05-01")
        raise TourneyError(ExitCode.REFUSED, message, hint) from None


def parameters_of(pool: Pool) -> Parameters:
    """The pool's parameters as numbers."""
    from tourney.ratings.parameters import Parameters

    return Parameters(**{name: float(text) for name, text in pool.parameters.items()})


def last_checkpoint(fold: Fold, pool: Pool, history: storage.History) -> storage.KeptRatings:
    """What to keep of a fold that stands behind all games of the pool."""
    *_before, inputs = _inputs(pool, history, list(history.stretches(pool.kind)))
    return _checkpoint(fold, inputs)


def rated_on(fold: Fold, pool: Pool, games: Iterable[FileGame]) -> Iterator[storage.Game]:
    """The games as they are read, each rated as it passes by."""
    for game in games:
        fold.advance_to(day_of(pool, game.date))
        fold.add(game.players, game.places)
        yield game.players, game.places


def _roundest(before: int, after: int) -> int:
    """The number above `before`, up to `after`, that most powers of 2 divide; 0 if there is none."""
    shift = (before ^ after).bit_length() - 1
    return 0 if before == after else after >> shift << shift


def _days(pool: Pool, history: storage.History, stretch: storage.Stretch) -> Iterator[int]:
    """The day of each game of the stretch as a number."""
    return chain.from_iterable(repeat(day_of(pool, day), games) for games, day in history.days(stretch))


def _inputs(pool: Pool, history: storage.History, stretches: Collection[storage.Stretch]) -> Iterator[str]:
    """Digests of what the ratings follow from: before the first stretch, and behind each."""
    taken = hashlib.sha256(repr((ARITHMETIC, pool)).encode())
    yield taken.hexdigest()
    for stretch in stretches:
        taken.update(f"{stretch.games} {stretch.digest}\n".encode())
        if pool.ages:
            taken.update(repr(history.days(stretch)).encode())
        yield taken.hexdigest()


def _newest(
    reader: storage.Reader, pool: Pool, inputs: Sequence[str], known: Collection[str]
) -> tuple[int, Mapping[str, Rating]]:
    """How many stretches the newest sound checkpoint has behind it, and the ratings there."""
    from tourney.ratings.model import Rating

    for done in range(len(inputs) - 1, 0, -1):
        text = reader.checkpoint(pool.name, inputs[done]) if inputs[done] in known else None
        if text is not None:
            rows = cast("list[tuple[str, float, float, int, int, float, float, int]]", json.loads(text))
            return done, {row[0]: Rating(*row) for row in rows}
    return 0, {}


def _checkpoint(fold: Fold, inputs: str) -> storage.KeptRatings:
    games, ratings = fold.checkpoint()
    rows = [
        [one.player, one.mu, one.sigma, one.games, one.wins, one.change, one.trend, one.day] for one in ratings.values()
    ]
    return storage.KeptRatings(games, inputs, json.dumps(rows, ensure_ascii=False))
