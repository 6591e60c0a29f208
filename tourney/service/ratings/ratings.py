"""Ratings: of people, of bots, of both together, and of results files in pools of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.modes import Mode
from tourney.domain.rankings import ImportedRatings, Pool, PoolKind, RatingRow, RatingsTable, View
from tourney.service.ratings.rating_cache import day_of, folded, last_checkpoint, parameters_of, rated_on
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean, fold

if TYPE_CHECKING:
    from os import PathLike

    from tourney.ratings.fold import Fold
    from tourney.ratings.parameters import Parameters


def ratings(db: str | None, pool: str = "people") -> RatingsTable:
    """The ratings of a pool, best score first: people, bots, joint, or one that was imported.

    A table is one step: event date, event, round, table. Worked out anew only if something has changed. Where sigma
    grows with the calendar, everybody is shown as of the day of the pool's last game.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED where the numbers leave what floats can hold.
    """
    _keep_rounds(db, pool)
    with storage.reading(db) as reader:
        number, found = find_pool(reader, pool)
        history = history_of(reader, number, found)
        now = folded(reader, found, history)
        table = _table(reader, found, now.fold, now.fold.day, _notes(reader, found, history))
    if now.new:
        _keep(db, lambda store: store.keep_checkpoints(found.name, now.new, now.still))
    return table


def ratings_of_view(db: str | None, pool: str, view: View) -> RatingsTable:
    """The ratings that a pool would have if only the games of the view had been played; nothing is kept of them.

    Raises TourneyError as `ratings` and `viewed` do.
    """
    from tourney.service.ratings.rating_filter import viewed

    with storage.reading(db) as reader:
        number, found = find_pool(reader, pool)
        fold = viewed(reader, found, history_of(reader, number, found), view)
        day = day_of(found, view.day) if view.day else fold.day
        counted = ngettext("{count} game of the pool counts here.", "{count} games of the pool count here.", fold.games)
        return replace(_table(reader, found, fold, day, (counted.format(count=fold.games),)), view=view)


def known_pools(reader: storage.Reader) -> list[tuple[int | None, Pool]]:
    """Every pool with its number, people and bots first; these have none until their parameters are set."""
    kept = list(reader.pools().items())
    standing = [next((one for one in kept if one[1].kind == pool.kind), (None, pool)) for pool in _standing_pools()]
    return [*standing, *(one for one in kept if one not in standing)]


def event_pools(reader: storage.Reader) -> tuple[Pool, ...]:
    """The pools in which events count: people, bots, and the joint one if it is open."""
    return tuple(pool for _number, pool in known_pools(reader) if pool.kind != "imported")


def rows_of(reader: storage.Reader, number: int | None, pool: Pool) -> tuple[RatingRow, ...]:
    """The rows of one of `known_pools` as this transaction sees it; nothing is remembered of them."""
    fold = folded(reader, pool, history_of(reader, number, pool)).fold
    return _rows(reader, pool, fold, fold.day)


def rows_of_events(reader: storage.Reader, pool: Pool) -> tuple[RatingRow, ...]:
    """The same of one of `event_pools`."""
    return rows_of(reader, None, pool)


def import_file(
    db: str | None,
    path: str | PathLike[str],
    pool: str,
    columns: Mapping[str, str] | None = None,
    parameters: str = "",
    mode: Mode = "save",
) -> ImportedRatings:
    """Rate a results file in its own pool, made if need be; further files go behind the first.

    A pool keeps the parameters that it was made with, as `tau=0 beta=2.5`; those not named are the program's own.
    Raises TourneyError REFUSED with file and line for what cannot be read or rated, for a pool that is not for files,
    and for parameters that cannot be; CONFLICT if the file is in the pool already, or the pool has other parameters.
    """
    from tourney.files.results import read_results

    wanted = _imported_pool(clean(pool, _("pool")), parameters)
    with storage.writing(db, mode) as store:
        number, kept = _pool_for_file(store.pools(), wanted)
        if parameters and replace(wanted, name=kept.name) != kept:
            raise _made_otherwise(kept)
        if number is None:
            number = store.new_pool(kept)
        results = read_results(path, columns, "needed" if kept.ages else "kept")
        files = history_of(store, number, kept)
        before = folded(store, kept, files)
        games, rows = store.import_games(
            number, rated_on(before.fold, kept, results), lambda: {"days": results.days, "names": results.names}
        )
        after = last_checkpoint(before.fold, kept, history_of(store, number, kept))
        store.keep_checkpoints(kept.name, (*before.new, after), before.still)
    players = len(before.fold.checkpoint().ratings)
    return ImportedRatings(kept, games, players, rows, results.alone, results.undated, results.unnamed)


def made_pool(name: str, kind: PoolKind, parameters: Parameters) -> Pool:
    """The pool with these parameters."""
    numbers = (parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw, parameters.absence)
    return Pool(name, kind, *map(repr, numbers))


def history_of(reader: storage.Reader, number: int | None, pool: Pool) -> storage.History:
    """The games of the pool of that number, as this transaction sees them."""
    return reader.played_rounds() if number is None or pool.kind != "imported" else reader.imported_files(number)


def shown_names(reader: storage.Reader, pool: Pool) -> dict[str, str]:
    """Names by player's key; in an imported pool the keys are the names."""
    return {} if pool.kind == "imported" else {str(player.id): player.shown for player in reader.players()}


def find_pool(reader: storage.Reader, name: str) -> tuple[int | None, Pool]:
    """The pool of that name and its number; people and bots need none. Raises TourneyError NOT_FOUND."""
    known = known_pools(reader)
    for number, pool in known:
        if fold(pool.name) == fold(name):
            return number, pool
    names = [pool.name for _number, pool in known]
    near = get_close_matches(fold(name), [fold(known) for known in names], n=1)
    hint = _("there are: {pools}").format(pools=", ".join(names))
    if near:
        hint = _("did you mean {near}? {hint}").format(near=near[0], hint=hint)
    raise TourneyError(ExitCode.NOT_FOUND, _("there is no pool “{name}”").format(name=name[:80]), hint)


def _standing_pools() -> tuple[Pool, Pool]:
    """People and bots, which need not be opened, with the parameters that they have until others are set."""
    from tourney.ratings.parameters import Parameters

    # Bots that do not change keep their skill: nothing is added to sigma between games.
    return made_pool("people", "people", Parameters()), made_pool("bots", "bots", Parameters(tau=0.0))


def _notes(reader: storage.Reader, pool: Pool, history: storage.History) -> tuple[str, ...]:
    if pool.kind in ("joint", "imported"):
        return ()
    mixed = sum(stretch.games for stretch in history.stretches("joint"))
    if not mixed:
        return ()
    if any(each.kind == "joint" for each in event_pools(reader)):
        text = ngettext(
            "{count} table of people and bots counts in the joint pool only.",
            "{count} tables of people and bots count in the joint pool only.",
            mixed,
        )
    else:
        text = ngettext(
            "{count} table of people and bots is not rated: open the joint pool with `tourney rating pool --open`.",
            "{count} tables of people and bots are not rated: open the joint pool with `tourney rating pool --open`.",
            mixed,
        )
    return (text.format(count=mixed),)


def _table(reader: storage.Reader, pool: Pool, fold: Fold, day: int, notes: tuple[str, ...]) -> RatingsTable:
    from tourney.ratings.intervals import rank_intervals

    rows = _rows(reader, pool, fold, day)
    intervals = rank_intervals([(row.mu, row.sigma) for row in rows])
    return RatingsTable(pool, rows, (*notes, *_grown(pool, day)), reader.head()[1], tuple(intervals))


def _grown(pool: Pool, day: int) -> tuple[str, ...]:
    """Until when sigma has grown with the calendar; never until today, or a listing would be another one tomorrow."""
    if not (pool.ages and day):
        return ()
    text = _("A year without a game adds {absence:g} to sigma, in squares; it has grown until {day}.")
    return (text.format(absence=float(pool.absence), day=date.fromordinal(day).isoformat()),)


def _imported_pool(name: str, parameters: str) -> Pool:
    from tourney.ratings.parameters import parse_parameters

    if fold(name) in ("people", "bots", "joint"):
        message = _("the pool {name} is for events").format(name=name)
        raise TourneyError(ExitCode.REFUSED, message, _("give the file's results a pool with another name"))
    return made_pool(name, "imported", parse_parameters(parameters))


def _made_otherwise(pool: Pool) -> TourneyError:
    message = _("the pool {pool} is rated with {parameters}").format(pool=pool.name, parameters=parameters_of(pool))
    return TourneyError(ExitCode.CONFLICT, message, _("bring the file into a pool of another name"))


def _pool_for_file(pools: Mapping[int, Pool], wanted: Pool) -> tuple[int | None, Pool]:
    for number, pool in pools.items():
        if fold(pool.name) == fold(wanted.name):
            return number, pool
    return None, wanted


def _keep_rounds(db: str | None, pool: str) -> None:
    """Keep what counts of the rounds that have changed, so that their rows need not be read again.

    Raises TourneyError NOT_FOUND for an unknown pool, before anything is written.
    """
    with storage.reading(db) as reader:
        find_pool(reader, pool)
        stale = reader.played_rounds().stale()
    if stale:
        _keep(db, lambda store: store.keep_rounds())


def _keep(db: str | None, what: Callable[[storage.Store], None]) -> None:
    """Keep it for the next time, where the database can be written just now; it matters to nobody else."""
    if not storage.file_writable(storage.locate(db)):
        return
    with suppress(TourneyError), storage.writing(db) as store:
        what(store)


def _rows(reader: storage.Reader, pool: Pool, fold: Fold, day: int) -> tuple[RatingRow, ...]:
    """Everybody as on that day."""
    from tourney.ratings.model import ranking

    names = shown_names(reader, pool)
    ratings = fold.ratings(day)
    return tuple(ranking({key: replace(one, player=names.get(key, key)) for key, one in ratings.items()}))
