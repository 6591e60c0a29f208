"""Pools of ratings: found, opened, filled from results files, and rated with other parameters."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player, PlayerKind
from tourney.domain.pools import BackwardSource, ImportedRatings, Pool, PoolKind, Unit
from tourney.files.description import PLAIN, Description
from tourney.files.named import shown
from tourney.ratings.fold import Fold
from tourney.ratings.model import Rating, newcomer
from tourney.ratings.parameters import NAMES, Parameters, check_ranges, parse_parameters
from tourney.service.change import Change, Outcome, Scope
from tourney.service.directory import Directory, find_all, near_miss
from tourney.service.ratings.rating_cache import (
    CachedFold,
    current_fold,
    last_checkpoint,
    parameters_of,
    rated_games,
)
from tourney.service.ratings.spellings import Spellings, changes, comparable
from tourney.text.i18n import _
from tourney.text.names import clean, fold, refuse_unnamed
from tourney.text.sanitize import quote_argument

if TYPE_CHECKING:
    from os import PathLike

    from tourney.files.results import Dates, ResultsFile

POOL_PLAYERS: Mapping[PoolKind, tuple[PlayerKind, ...]] = {
    "people": ("person",),
    "bots": ("bot",),
    "joint": ("person", "bot"),
    "imported": (),
}
"""The kinds of players who together make a table count in a pool."""
INDEPENDENT_HANDS = 0.4
"""The share of a game's hands that count as independent in its prediction: points, which decide it, are not places."""
UNPUBLISHED = "–"
"""The name of a player whom rankings do not show."""
MAX_PLAYERS = 64
"""The most players of a game in a forecast."""


def list_pools(db: str | None) -> tuple[Pool, ...]:
    """Return every pool with its parameters: people and bots first."""
    with storage.reading(db) as reader:
        return tuple(pool for _number, pool in known_pools(reader))


@dataclass(frozen=True, slots=True)
class OpenJointPool(Change[Pool]):
    """Open the joint pool, in which tables of people and bots count, with parameters as in `ImportResults`.

    Raises TourneyError CONFLICT if it is open already, REFUSED for parameters out of range.
    """

    parameters: str = ""

    def perform(self, store: storage.Store) -> Pool:
        """Return the new pool."""
        parameters = parse_parameters(self.parameters)
        check_ranges(parameters)
        if any(pool.kind == "joint" for pool in store.pools.all().values()):
            hint = _("`tourney ratings --pool joint` shows it")
            raise TourneyError(ExitCode.CONFLICT, _("the joint pool is open already"), hint)
        pool = make_pool("joint", "joint", parameters)
        store.add(storage.kinds.pools.PoolOpened.of(pool))
        return pool


class PoolChange(Change[Outcome]):
    """A change that concerns only the ratings of one pool."""

    __slots__ = ()
    pool: str

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: only the ratings of this pool."""
        number, _pool = find_pool(reader, self.pool)
        return Scope(events=(), pools=() if number is None else (number,))


@dataclass(frozen=True, slots=True)
class SetPoolParameters(PoolChange[tuple[Pool, Pool]]):
    """Rate all games of a pool again with other parameters, or by another unit; what is not given stays.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED for parameters out of range, for hands of an
    imported pool, where nothing would change, and where the games cannot be rated with these parameters.
    """

    pool: str
    parameters: Mapping[str, float]
    unit: Unit | None = None

    def perform(self, store: storage.Store) -> tuple[Pool, Pool]:
        """Return the pool before and after."""
        number, before = find_pool(store, self.pool)
        unit = before.unit if self.unit is None else self.unit
        if unit == "hand" and before.kind == "imported":
            message = _("the games of {pool} come from files, which do not have their hands").format(pool=before.name)
            raise TourneyError(ExitCode.REFUSED, message, _("only pools of events can rate hands: people, bots, joint"))
        if unit == "hand" and not game_hands(store, before):
            message = _("no table of the pool {pool} has its hands").format(pool=before.name)
            raise TourneyError(ExitCode.REFUSED, message, _("enter score sheets hand by hand, or let it rate games"))
        parameters = replace(parameters_of(before), **self.parameters)
        after = make_pool(before.name, before.kind, parameters, unit)
        if self.parameters:
            check_ranges(parameters)
        if after == before:
            message = _("the pool {pool} has these parameters already").format(pool=before.name)
            raise TourneyError(ExitCode.REFUSED, message, _("see its parameters with `tourney rating pool`"))
        if number is None:
            number = store.add(storage.kinds.pools.PoolOpened.of(after))
        else:
            store.write(storage.kinds.pools.PoolSet.of(number, before, after))
        rate_again(store, number, after)
        return before, after


def rate_again(store: storage.Store, number: int, pool: Pool) -> Fold:
    """Rate the pool and cache that. Games that cannot be rated are refused here, not by every listing from now on."""
    cached = current_fold(store, pool, history_of(store, number, pool))
    store.pools.keep_checkpoints(pool.name, cached.new, cached.keep)
    return cached.fold


def known_pools(reader: storage.Reader) -> list[tuple[int | None, Pool]]:
    """Return every pool with its number, people and bots first; these two have none until parameters are set."""
    stored = list(reader.pools.all().items())
    standing = [next((entry for entry in stored if entry[1].kind == pool.kind), (None, pool)) for pool in _standing()]
    return [*standing, *(entry for entry in stored if entry not in standing)]


def event_pools(reader: storage.Reader) -> tuple[Pool, ...]:
    """Return the pools in which events count: people, bots, and the joint pool if it is open."""
    return tuple(pool for _number, pool in known_pools(reader) if pool.kind != "imported")


def find_pool(reader: storage.Reader, name: str) -> tuple[int | None, Pool]:
    """Return the pool of that name and its number, if it has one. Raises TourneyError NOT_FOUND."""
    known = known_pools(reader)
    for number, pool in known:
        if fold(pool.name) == fold(name):
            return number, pool
    names = [pool.name for _number, pool in known]
    hint = near_miss(name, names, _("there are: {pools}").format(pools=", ".join(names)), cutoff=70)
    raise TourneyError(ExitCode.NOT_FOUND, _("there is no pool “{name}”").format(name=name[:80]), hint)


def pool_called(db: str | None, name: str) -> Pool:
    """Return the pool of that name. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return find_pool(reader, name)[1]


def open_history(reader: storage.Reader, name: str) -> tuple[Pool, storage.History]:
    """Return the pool of that name and its games. Raises TourneyError NOT_FOUND."""
    number, pool = find_pool(reader, name)
    return pool, history_of(reader, number, pool)


def history_of(reader: storage.Reader, number: int | None, pool: Pool) -> storage.History:
    """Return the games of a pool, or its hands where it rates hands, as this transaction sees them."""
    if number is not None and pool.kind == "imported":
        return reader.pools.imported_files(number)
    return reader.pools.played_hands() if pool.unit == "hand" else reader.pools.played_rounds()


def histories(
    reader: storage.Reader, pools: Iterable[tuple[int | None, Pool]]
) -> Iterator[tuple[Pool, storage.History]]:
    """Yield each of `known_pools` with its games; what pools of events have in common is read once."""
    shared: dict[Unit, storage.History] = {}
    for number, pool in pools:
        if pool.kind == "imported":
            yield pool, history_of(reader, number, pool)
            continue
        if pool.unit not in shared:
            shared[pool.unit] = history_of(reader, number, pool)
        yield pool, shared[pool.unit]


def make_pool(name: str, kind: PoolKind, parameters: Parameters, unit: Unit = "game") -> Pool:
    """Return a pool with these parameters."""
    mu, sigma, beta, tau, draw, absence = (repr(getattr(parameters, name)) for name in NAMES)
    return Pool(name, kind, mu, sigma, beta, tau, draw, absence, unit)


def game_parameters(reader: storage.Reader, pool: Pool) -> Parameters:
    """Return the parameters with which the ratings of a pool predict a whole game.

    A game of a pool of hands counts as INDEPENDENT_HANDS of its hands, of which it has as many as the mean.
    """
    parameters = parameters_of(pool)
    if pool.unit == "game":
        return parameters
    alike = sqrt(game_hands(reader, pool))
    return replace(parameters, beta=parameters.beta / alike, tau=parameters.tau * alike)


def game_hands(reader: storage.Reader, pool: Pool) -> float:
    """Return as how many independent hands a game of the pool counts, at least 1; 0 where games have no hands.

    A pool without games counts them as 1.
    """
    hands = sum(batch.games for batch in reader.pools.played_hands().batches(pool.kind))
    games = sum(batch.games for batch in reader.pools.played_rounds().batches(pool.kind))
    if not games:
        return 1.0
    return max(1.0, INDEPENDENT_HANDS * hands / games) if hands else 0.0


def shown_names(reader: storage.Reader, pool: Pool) -> dict[str, str]:
    """Return the name under which rankings show a player by key, or {} for an imported pool, where keys are the names.

    Where people who are not published must be named, as opponents, a dash stands for them.
    """
    if pool.kind == "imported":
        return {}
    published = reader.people.published()
    return {str(player.id): published.get(player.id, player.shown) or UNPUBLISHED for player in reader.people.players()}


def unpublished(reader: storage.Reader, pool: Pool) -> frozenset[str]:
    """Return the keys of the players whom rankings do not show."""
    hidden = {} if pool.kind == "imported" else reader.people.published()
    return frozenset(str(number) for number, name in hidden.items() if name is None)


def game_players(
    reader: storage.Reader, name: str, players: Sequence[str], newcomers: Sequence[str] = ()
) -> tuple[Pool, list[Rating]]:
    """Return the pool and the ratings of the players of one game, by shown name.

    `newcomers` are names of whom nothing is known yet. Raises TourneyError NOT_FOUND for an unknown pool or player,
    USAGE for fewer than two players, more than MAX_PLAYERS, or a repeated one, REFUSED for a newcomer who is known.
    """
    number = len(players) + len(newcomers)
    if not 2 <= number <= MAX_PLAYERS:
        message = _("a game has 2 to {most} players, not {number}").format(most=MAX_PLAYERS, number=number)
        raise TourneyError(ExitCode.USAGE, message, _("name all of them, separated by spaces"))
    pool, history = open_history(reader, name)
    ratings = current_fold(reader, pool, history).fold
    hint = _("see who is in it with `tourney ratings --pool {pool}`; for somebody new: --newcomer NAME")
    keys = player_keys(reader, pool, ratings, players, hint.format(pool=quote_argument(pool.name)))
    # Who is registered but has never played is a newcomer, too.
    played = ratings.checkpoint().ratings.keys()
    players_by_key = _known_players(reader, pool, ratings)
    known = {fold(player.shown) for key, player in players_by_key.items() if key in played or key in keys}
    known |= _aliases(reader, pool).keys()
    rated = [replace(ratings.rating(key, ratings.day), player=shown) for key, shown in keys.items()]
    return pool, [*rated, *(newcomer(each, parameters_of(pool)) for each in _new_names(newcomers, known))]


def _new_names(names: Sequence[str], known: Collection[str]) -> Iterator[str]:
    """Yield the names of newcomers. Raises TourneyError REFUSED for one in `known`, USAGE for a repeated one."""
    seen: set[str] = set()
    for name in (clean(name, _("name")) for name in names):
        if fold(name) in known:
            message = _("{player} is no newcomer in this pool").format(player=name)
            raise TourneyError(ExitCode.REFUSED, message, _("name them without --newcomer"))
        if fold(name) in seen:
            message = _("{player} is named twice").format(player=name)
            raise TourneyError(ExitCode.USAGE, message, _("name each player once"))
        seen.add(fold(name))
        yield name


def player_keys(
    reader: storage.Reader, pool: Pool, ratings: Fold, names: Sequence[str], hint: str = ""
) -> dict[str, str]:
    """Return the players' keys in the history of a pool, each with the shown name, in the order of `names`.

    Players who may play in the pool are found whether rated or not. Raises TourneyError NOT_FOUND for other names,
    USAGE for a repeated player.
    """
    known = _known_players(reader, pool, ratings)
    directory = Directory(known.values()) if pool.kind == "imported" else Directory.registered(known.values())
    ids = {player.id: key for key, player in known.items()}
    hint = hint or _("see who is in it with `tourney ratings --pool {pool}`").format(pool=quote_argument(pool.name))
    keys: dict[str, str] = {}
    for player in find_all(partial(directory.find, hint=hint), _without_aliases(reader, pool, names)):
        if ids[player.id] in keys:
            message = _("{player} is named twice").format(player=player.shown)
            raise TourneyError(ExitCode.USAGE, message, _("name each player once"))
        keys[ids[player.id]] = player.shown
    return keys


def _without_aliases(reader: storage.Reader, pool: Pool, names: Sequence[str]) -> list[str]:
    """Return the names with the player in place of each other name that an imported pool knows."""
    players = _aliases(reader, pool)
    return [players.get(fold(name), name) for name in names]


def _aliases(reader: storage.Reader, pool: Pool) -> Mapping[str, str]:
    """Return the player for each alias that an imported pool has, by the folded alias."""
    number, _pool = find_pool(reader, pool.name)
    aliases = {} if number is None or pool.kind != "imported" else reader.pools.aliases(number)
    return {fold(alias): player for alias, player in aliases.items()}


def _standing() -> tuple[Pool, Pool]:
    """Return the pools of people and bots, which need not be opened, with their default parameters."""
    # Bots that do not change keep their skill: nothing is added to sigma between games.
    return make_pool("people", "people", Parameters()), make_pool("bots", "bots", Parameters(tau=0.0))


def _known_players(reader: storage.Reader, pool: Pool, ratings: Fold) -> Mapping[str, Player]:
    """Return the players who may play in the pool, by key."""
    if pool.kind == "imported":
        return {name: Player(number, name) for number, name in enumerate(ratings.checkpoint().ratings)}
    kinds = POOL_PLAYERS[pool.kind]
    return {str(player.id): player for player in reader.people.players() if player.kind in kinds}


@dataclass(frozen=True, slots=True)
class ImportResults(Change[ImportedRatings]):
    """Rate a results file in its own pool, created if needed; files of other sources are added after the first.

    A file whose `source`, by default its name, is in the pool replaces what came from it before, in the same place of
    the order of rating. A pool keeps the parameters it was created with, written as `tau=0 beta=2.5`; parameters not
    named have defaults. Raises TourneyError REFUSED with file and line for what cannot be read or rated, for a pool
    that is not for files, and for parameters out of range; CONFLICT if the file is in the pool already, or the pool has
    other parameters.
    """

    path: str | PathLike[str]
    pool: str
    columns: Mapping[str, str] | None = None
    parameters: str = ""
    described: Description = PLAIN
    source: str = ""

    def perform(self, store: storage.Store) -> ImportedRatings:
        """Return the pool with the numbers of games, players and rows imported."""
        from tourney.files.results import OutOfOrder

        number, pool = self._pool(store)
        refuse_unnamed(self.path)
        file = os.path.basename(os.fspath(self.path))
        source = clean(self.source or file, _("source"))
        known = _OtherSources(pool, store.pools.imported_files(number), source)
        before = comparable(known.history, known.replaced)
        try:
            read = self._read(store, number, known, source, in_order=True)
        except (OutOfOrder, TourneyError) as stopped:
            if isinstance(stopped, TourneyError) and stopped.code is ExitCode.CONFLICT:
                raise
            # Whatever else is wrong is said of the games in the order of rating, and of the rows first.
            read = self._read(store, number, known, source, in_order=False)
        results, spellings, cached, counts = read
        players = self._rate(store, number, pool, cached)
        after = _OtherSources(pool, store.pools.imported_files(number), source)
        return ImportedRatings(
            pool,
            counts[0],
            players,
            counts[1],
            results.games_of_one,
            shown(file),
            spellings.players,
            results.undated,
            results.unnamed,
            source,
            changes(before, comparable(after.history, after.replaced)) if known.replaced else None,
            spellings.others,
            results.backwards,
            after.backward(source),
        )

    def _read(
        self, store: storage.Store, number: int, known: _OtherSources, source: str, *, in_order: bool
    ) -> tuple[ResultsFile, Spellings, CachedFold | None, tuple[int, int]]:
        """Store the games of the file as they are read; return what was read, and the fold if it has them already.

        Raises OutOfOrder if they are not `in_order` as they should be; none of them is stored then.
        """
        from tourney.files.results import read_results

        pool, aliases = known.pool, store.pools.aliases(number)
        dates: Dates = "needed" if pool.ages else "kept"
        results = read_results(self.path, self.columns, dates, self.described, in_order=in_order)
        spellings = Spellings(known.names(), aliases)
        games = spellings.games(self.path, results)
        cached = None if known.replaced or aliases else current_fold(store, pool, known.history)
        imported = (
            ((game.players, game.places) for game in games) if cached is None else rated_games(cached.fold, pool, games)
        )
        counts = store.pools.import_games(
            number, imported, source, lambda: {"days": results.days, "names": results.names}
        )
        return results, spellings, cached, counts

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: only the ratings of this pool, if it is there."""
        return Scope(events=(), pools=[number for number, pool in reader.pools.all().items() if self._is(pool)])

    def _rate(self, store: storage.Store, number: int, pool: Pool, cached: CachedFold | None) -> int:
        """Cache the ratings of the pool after the import, and return the number of its players."""
        if cached is None:
            return len(rate_again(store, number, pool).checkpoint().ratings)
        after = last_checkpoint(cached.fold, pool, history_of(store, number, pool))
        store.pools.keep_checkpoints(pool.name, (*cached.new, after), cached.keep)
        return len(cached.fold.checkpoint().ratings)

    def _is(self, pool: Pool) -> bool:
        return fold(pool.name) == fold(self.pool)

    def _pool(self, store: storage.Store) -> tuple[int, Pool]:
        """Return the pool of that name and its number, created if there is none."""
        name = clean(self.pool, _("pool"))
        if fold(name) in ("people", "bots", "joint"):
            message = _("the pool {name} is for events").format(name=name)
            raise TourneyError(ExitCode.REFUSED, message, _("choose another pool for the results of a file"))
        parameters = parse_parameters(self.parameters)
        new = make_pool(name, "imported", parameters)
        for number, pool in store.pools.all().items():
            if self._is(pool):
                if self.parameters and replace(new, name=pool.name) != pool:
                    raise _other_parameters(pool)
                return number, pool
        check_ranges(parameters)
        return store.add(storage.kinds.pools.PoolOpened.of(new)), new


class _OtherSources:
    """The files of a pool: those `replaced` by another version of a source, and those of other sources."""

    def __init__(self, pool: Pool, history: storage.ImportedFiles, source: str) -> None:
        self.pool, self.history, self._kind = pool, history, pool.kind
        of_source = {file.number for file in history.files if fold(file.source) == fold(source)}
        self.replaced = [batch for batch in history.batches(pool.kind) if batch.of in of_source]
        self._other = [file for file in history.files if file.number not in of_source]

    def backward(self, source: str) -> BackwardSource | None:
        """Return where days run backwards between this source and another one, in the order of rating."""
        own, before = fold(source), ("", "")
        files = {file.number: file.source for file in self.history.files}
        for batch in self.history.batches(self._kind):
            days = [day for _games, day in self.history.days(batch) if day]
            name = files[batch.of]
            if days and min(days) < before[0] and own in (fold(name), fold(before[1])) and name != before[1]:
                return BackwardSource(name, min(days), before[1], before[0])
            before = max([before, *((day, name) for day in days)])
        return None

    def names(self) -> Iterator[str]:
        """Yield the names in files of other sources, in their order."""
        return (name for file in self._other for name in self.history.names(file))


def _other_parameters(pool: Pool) -> TourneyError:
    message = _("the pool {pool} is rated with {parameters}").format(pool=pool.name, parameters=parameters_of(pool))
    return TourneyError(ExitCode.CONFLICT, message, _("import the file into another pool"))
