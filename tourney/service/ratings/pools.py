"""Pools of ratings: which there are, the one for people and bots, and what each is rated with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.modes import Mode
from tourney.domain.rankings import Pool
from tourney.service.impact import Watch, watching
from tourney.service.ratings.rating_cache import folded, parameters_of
from tourney.service.ratings.ratings import find_pool, history_of, known_pools, made_pool
from tourney.text.i18n import _


def pools(db: str | None) -> tuple[Pool, ...]:
    """Every pool that `ratings` knows, with its parameters: people and bots first."""
    with storage.reading(db) as reader:
        return tuple(pool for _number, pool in known_pools(reader))


def open_pool(db: str | None, parameters: str = "", mode: Mode = "save") -> Pool:
    """Open the joint pool, in which tables of people and bots count.

    The parameters are as in `import_file`. Raises TourneyError CONFLICT if it is open, REFUSED for parameters that
    cannot be.
    """
    from tourney.ratings.parameters import parse_parameters

    wanted = parse_parameters(parameters)
    with storage.writing(db, mode) as store:
        if any(pool.kind == "joint" for pool in store.pools().values()):
            raise TourneyError(ExitCode.CONFLICT, _("the joint pool is open already"))
        pool = made_pool("joint", "joint", wanted)
        store.new_pool(pool)
        return pool


def set_pool(
    db: str | None, name: str, given: Mapping[str, float], mode: Mode = "save", watch: Watch | None = None
) -> tuple[Pool, Pool]:
    """Rate a pool with other parameters, all its games anew; the pool before and after. Those not given stay.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED for parameters that cannot be, where nothing would
    change, and where the pool's games cannot be rated so.
    """
    with storage.writing(db, mode) as store:
        number, before = find_pool(store, name)
        after = made_pool(before.name, before.kind, replace(parameters_of(before), **given))
        if after == before:
            message = _("the pool {pool} is rated so already").format(pool=before.name)
            raise TourneyError(ExitCode.REFUSED, message, _("see its parameters with `tourney rating pool`"))
        with watching(store, watch, events=(), pools=[number]):
            if number is None:
                number = store.new_pool(after)
            else:
                store.set_pool(number, before, after)
        # What cannot be rated is refused here, and not by every listing afterwards.
        now = folded(store, after, history_of(store, number, after))
        store.keep_checkpoints(after.name, now.new, now.still)
        return before, after
