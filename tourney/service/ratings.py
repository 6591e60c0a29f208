"""Ratings: of people, of bots, of both together, and of results files in pools of their own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast

from tourney.domain import (
    ExitCode,
    ImportedRatings,
    Mode,
    PlayerKind,
    Pool,
    PoolKind,
    RatingRow,
    RatingsTable,
    TourneyError,
)
from tourney.names import clean, fold
from tourney.text import _, ngettext, typed

if TYPE_CHECKING:
    from os import PathLike

    from tourney.ratings import Parameters, RatedTable, Rating
    from tourney.storage import ImportedRow, PlayedTable, Reader

CACHE = 1
"""Version of what is kept of ratings worked out before; another arithmetic needs another."""


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What a pool's ratings follow from, named by `digest`; names by player's key; an import's tables are unread."""

    digest: str
    names: Mapping[str, str]
    tables: tuple[RatedTable, ...]


def ratings(db: str | None, pool: str = "people") -> RatingsTable:
    """The ratings of a pool, best score first: people, bots, joint, or one that was imported.

    A table is one step: event date, event, round, table. Worked out anew only if something has changed.
    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED where skills lie too far apart to compute.
    """
    from tourney.storage import reading

    with reading(db) as reader:
        number, found = find_pool(reader, pool)
        head = reader.head()[1]
        inputs, notes = _inputs(reader, number, found)
        cached = reader.cached_ratings(found.name, inputs.digest)
        tables = inputs.tables
        if found.kind == "imported" and number is not None and cached is None:
            tables = _imported(reader, number)
    if cached is None:
        from tourney.ratings import rate

        rated = rate(tables, parameters_of(found))
        _remember(db, found, inputs.digest, rated)
    else:
        rated = _read_cache(cached)
    return RatingsTable(found, _rows(rated, inputs.names), notes, head)


def event_pools(reader: Reader) -> tuple[Pool, ...]:
    """The pools in which events count: people, bots, and the joint one if it is open."""
    joint = (pool for pool in reader.pools().values() if pool.kind == "joint")
    return (*_standing_pools(), *joint)


def rows_of_events(reader: Reader, pool: Pool) -> tuple[RatingRow, ...]:
    """The rows of one of `event_pools` as this transaction sees it; nothing is remembered of them."""
    from tourney.ratings import rate

    inputs, _unrated = _event_inputs(reader, pool)
    cached = reader.cached_ratings(pool.name, inputs.digest)
    rated = rate(inputs.tables, parameters_of(pool)) if cached is None else _read_cache(cached)
    return _rows(rated, inputs.names)


def pools(db: str | None) -> tuple[Pool, ...]:
    """Every pool that `ratings` knows, with its parameters: people and bots first."""
    from tourney.storage import reading

    with reading(db) as reader:
        return (*_standing_pools(), *reader.pools().values())


def open_pool(db: str | None, mode: Mode = "save") -> Pool:
    """Open the joint pool, in which tables of people and bots count. Raises TourneyError CONFLICT if it is open."""
    from tourney.ratings import Parameters
    from tourney.storage import writing

    with writing(db, mode) as store:
        if any(pool.kind == "joint" for pool in store.pools().values()):
            raise TourneyError(ExitCode.CONFLICT, _("the joint pool is open already"))
        pool = _pool("joint", "joint", Parameters())
        store.new_pool(pool)
        return pool


def import_file(
    db: str | None,
    path: str | PathLike[str],
    pool: str,
    columns: Mapping[str, str] | None = None,
    mode: Mode = "save",
) -> ImportedRatings:
    """Rate a results file in its own pool, made if need be; further files go behind the first.

    Raises TourneyError REFUSED with file and line for what cannot be read or rated, and for a pool that is
    not for files; CONFLICT if the file is in the pool already.
    """
    from tourney.ratings import rate, read_results
    from tourney.storage import ImportedRow, writing

    wanted = _imported_pool(clean(pool, _("pool")))
    games = list(read_results(path, columns))
    rows = [ImportedRow(game.number, *one) for game in games for one in zip(game.players, game.places, strict=True)]
    known, before, earlier = _before(db, wanted, rows)
    rated = rate([*earlier, *(game.rated(known.name) for game in games)], parameters_of(known))
    with writing(db, mode) as store:
        number, kept = _pool_for_file(store.pools(), wanted)
        if number is None:
            number = store.new_pool(kept)
        _refuse_changed(store, number, kept, before)
        store.import_ratings(number, rows)
        digest = _import_digest(kept, store.imports(number))
        store.keep_ratings(kept.name, digest, _cache_text(rated))
    return ImportedRatings(kept, len(games), len(rated), len(rows), _all_rows(path, columns) - len(rows))


def _refuse_changed(reader: Reader, number: int, pool: Pool, before: tuple[str, ...]) -> None:
    """Raises TourneyError CONFLICT if somebody has brought a file in while this one was rated."""
    if reader.imports(number) != before:
        message = _("the pool {pool} has changed meanwhile").format(pool=pool.name)
        raise TourneyError(ExitCode.CONFLICT, message, _("try again"))


def find_pool(reader: Reader, name: str) -> tuple[int | None, Pool]:
    """The pool of that name and its number; people and bots need none. Raises TourneyError NOT_FOUND."""
    known: list[tuple[int | None, Pool]] = [(None, pool) for pool in _standing_pools()]
    known += list(reader.pools().items())
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
    """People and bots, which need not be opened."""
    from tourney.ratings import Parameters

    # Bots that do not change keep their skill: nothing is added to sigma between games.
    return _pool("people", "people", Parameters()), _pool("bots", "bots", Parameters(tau=0.0))


def parameters_of(pool: Pool) -> Parameters:
    """The pool's parameters as numbers."""
    from tourney.ratings import Parameters

    return Parameters(*(float(text) for text in (pool.mu, pool.sigma, pool.beta, pool.tau, pool.draw)))


def _pool(name: str, kind: PoolKind, parameters: Parameters) -> Pool:
    numbers = (parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw)
    return Pool(name, kind, *map(repr, numbers))


def _inputs(reader: Reader, number: int | None, pool: Pool) -> tuple[_Inputs, tuple[str, ...]]:
    if pool.kind == "imported" and number is not None:
        return _Inputs(_import_digest(pool, reader.imports(number)), {}, ()), ()
    return _event_inputs(reader, pool)


def _event_inputs(reader: Reader, pool: Pool) -> tuple[_Inputs, tuple[str, ...]]:
    played = list(reader.played())
    counting = [table for table in played if _kind(table) == pool.kind]
    taken = hashlib.sha256(repr((CACHE, pool)).encode())
    for table in counting:
        ids = [player.id for player in table.players]
        taken.update(repr((table.date, table.event, table.round, table.number, ids, table.places)).encode())
    names = {str(player.id): player.shown for table in counting for player in table.players}
    tables = tuple(map(_rated_table, counting))
    return _Inputs(taken.hexdigest(), names, tables), _notes(reader, pool, played)


def _kind(table: PlayedTable) -> PoolKind:
    """The kind of pool in which the table counts."""
    kinds: set[PlayerKind] = {player.kind for player in table.players}
    if len(kinds) > 1:
        return "joint"
    return "people" if kinds == {"person"} else "bots"


def _rated_table(table: PlayedTable) -> RatedTable:
    from tourney.ratings import RatedTable

    key = (table.date, table.event, table.round, table.number)
    return RatedTable(key, tuple(str(player.id) for player in table.players), table.places)


def _notes(reader: Reader, pool: Pool, played: Iterable[PlayedTable]) -> tuple[str, ...]:
    mixed = sum(_kind(table) == "joint" for table in played)
    if not mixed or pool.kind == "joint":
        return ()
    if any(each.kind == "joint" for each in reader.pools().values()):
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


def _imported_pool(name: str) -> Pool:
    from tourney.ratings import Parameters

    if fold(name) in ("people", "bots", "joint"):
        message = _("the pool {name} is for events").format(name=name)
        raise TourneyError(ExitCode.REFUSED, message, _("give the file's results a pool with another name"))
    return _pool(name, "imported", Parameters())


def _pool_for_file(pools: Mapping[int, Pool], wanted: Pool) -> tuple[int | None, Pool]:
    for number, pool in pools.items():
        if fold(pool.name) == fold(wanted.name):
            return number, pool
    return None, wanted


def _before(
    db: str | None, wanted: Pool, rows: Sequence[ImportedRow]
) -> tuple[Pool, tuple[str, ...], tuple[RatedTable, ...]]:
    """The pool before this file: itself, the digests of its files, and their games.

    Raises TourneyError CONFLICT if these rows are in it already, before much time goes into rating them.
    """
    from tourney.storage import locate, reading, rows_digest

    if not locate(db).exists():
        return wanted, (), ()
    with reading(db) as reader:
        number, pool = _pool_for_file(reader.pools(), wanted)
        if number is None:
            return pool, (), ()
        files = reader.imports(number)
        if rows_digest(rows) in files:
            message = _("the results of this file are in the pool {pool} already").format(pool=pool.name)
            raise TourneyError(
                ExitCode.CONFLICT, message, _("see `tourney ratings --pool {pool}`").format(pool=typed(pool.name))
            )
        return pool, files, _imported(reader, number)


def _imported(reader: Reader, number: int) -> tuple[RatedTable, ...]:
    from tourney.ratings import RatedTable

    name = reader.pools()[number].name
    return tuple(
        RatedTable(("", name, 1, game), names, places) for game, names, places in reader.imported_games(number)
    )


def _import_digest(pool: Pool, imports: Sequence[str]) -> str:
    return hashlib.sha256(repr((CACHE, pool, tuple(imports))).encode()).hexdigest()


def _all_rows(path: str | PathLike[str], columns: Mapping[str, str] | None) -> int:
    """Rows of the file; those that are in no game of two are games of one."""
    from tourney.spreadsheet import read_rows

    seq = (columns or {}).get("seq", "seq")
    return sum(1 for _row in read_rows(path, ("seq",), (), {"seq": (seq,)}))


def _remember(db: str | None, pool: Pool, digest: str, rated: Mapping[str, Rating]) -> None:
    """Keep the ratings for the next time, where the database can be written just now; it matters to nobody else."""
    from tourney.storage import locate, writable, writing

    if not writable(locate(db)):
        return
    try:
        with writing(db) as store:
            store.keep_ratings(pool.name, digest, _cache_text(rated))
    except TourneyError:
        return


def _cache_text(rated: Mapping[str, Rating]) -> str:
    rows = [[one.player, one.mu, one.sigma, one.games, one.wins, one.change] for one in rated.values()]
    return json.dumps(rows, ensure_ascii=False)


def _read_cache(text: str) -> dict[str, Rating]:
    from tourney.ratings import Rating

    rows = cast("list[tuple[str, float, float, int, int, float]]", json.loads(text))
    return {row[0]: Rating(*row) for row in rows}


def _rows(rated: Mapping[str, Rating], names: Mapping[str, str]) -> tuple[RatingRow, ...]:
    from tourney.ratings import ranked

    named = {key: replace(one, player=names.get(key, key)) for key, one in rated.items()}
    return tuple(ranked(named))
