"""Results files rated in pools of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rankings import ImportedRatings, Pool
from tourney.ratings.parameters import parse_parameters
from tourney.service.change import Change
from tourney.service.ratings.pools import history_of, make_pool
from tourney.service.ratings.rating_cache import current_fold, last_checkpoint, parameters_of, rated_games
from tourney.text.i18n import _
from tourney.text.names import clean, fold

if TYPE_CHECKING:
    from os import PathLike


@dataclass(frozen=True, slots=True)
class ImportResults(Change[ImportedRatings]):
    """Rate a results file in its own pool, created if needed; further files are added after the first.

    A pool keeps the parameters it was created with, as `tau=0 beta=2.5`; those not named have their defaults.
    Raises TourneyError REFUSED with file and line for what cannot be read or rated, for a pool that is not for files,
    and for parameters out of range; CONFLICT if the file is in the pool already, or the pool has other parameters.
    """

    path: str | PathLike[str]
    pool: str
    columns: Mapping[str, str] | None = None
    parameters: str = ""

    def perform(self, store: storage.Store) -> ImportedRatings:
        """Return what was imported."""
        from tourney.files.results import read_results

        number, pool = self._pool(store)
        results = read_results(self.path, self.columns, "needed" if pool.ages else "kept")
        cached = current_fold(store, pool, history_of(store, number, pool))
        ratings = cached.fold
        games, rows = store.import_games(
            number, rated_games(ratings, pool, results), lambda: {"days": results.days, "names": results.names}
        )
        after = last_checkpoint(ratings, pool, history_of(store, number, pool))
        store.keep_checkpoints(pool.name, (*cached.new, after), cached.keep)
        players = len(ratings.checkpoint().ratings)
        return ImportedRatings(pool, games, players, rows, results.alone, results.undated, results.unnamed)

    def _pool(self, store: storage.Store) -> tuple[int, Pool]:
        """Return the pool of that name and its number, created if there is none."""
        name = clean(self.pool, _("pool"))
        if fold(name) in ("people", "bots", "joint"):
            message = _("the pool {name} is for events").format(name=name)
            raise TourneyError(ExitCode.REFUSED, message, _("choose another pool for the results of a file"))
        wanted = make_pool(name, "imported", parse_parameters(self.parameters))
        for number, pool in store.pools().items():
            if fold(pool.name) == fold(name):
                if self.parameters and replace(wanted, name=pool.name) != pool:
                    raise _other_parameters(pool)
                return number, pool
        return store.new_pool(wanted), wanted


def _other_parameters(pool: Pool) -> TourneyError:
    message = _("the pool {pool} is rated with {parameters}").format(pool=pool.name, parameters=parameters_of(pool))
    return TourneyError(ExitCode.CONFLICT, message, _("import the file into another pool"))
