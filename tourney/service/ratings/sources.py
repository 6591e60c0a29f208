"""Sources of an imported pool, and other names of its players: listed, removed, merged and separated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.domain.pools import GameSource, Pool, PoolAliases, PoolSources
from tourney.service.directory import Directory, near_miss
from tourney.service.ratings.pools import PoolChange, find_pool, known_pools, rate_again
from tourney.text.i18n import _
from tourney.text.names import fold
from tourney.text.sanitize import quote_argument


def list_sources(db: str | None, pool: str) -> PoolSources:
    """Return the sources of an imported pool, in the order of rating.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED for one of events.
    """
    with storage.reading(db) as reader:
        number, found = _imported_pool(reader, pool)
        return PoolSources(found, tuple(_sources(found, reader.pools.imported_files(number))))


def list_aliases(db: str | None, pool: str) -> PoolAliases:
    """Return the other names of players of an imported pool. Raises TourneyError as `list_sources` does."""
    with storage.reading(db) as reader:
        number, found = _imported_pool(reader, pool)
        return PoolAliases(found, tuple(sorted(reader.pools.aliases(number).items())))


@dataclass(frozen=True, slots=True)
class RemoveSource(PoolChange[tuple[Pool, GameSource]]):
    """Remove all games of a source from its pool.

    Raises TourneyError NOT_FOUND for an unknown pool or a source that the pool does not have, REFUSED for a pool of
    events.
    """

    source: str
    pool: str

    def perform(self, store: storage.Store) -> tuple[Pool, GameSource]:
        """Return the pool and the source that was removed."""
        number, pool = _imported_pool(store, self.pool)
        history = store.pools.imported_files(number)
        found = next((each for each in _sources(pool, history) if fold(each.name) == fold(self.source)), None)
        if found is None:
            raise _no_source(store, pool, self.source)
        removed = [file.number for file in history.files if file.source == found.name]
        store.write(storage.kinds.pools.FilesRemoved(number, removed))
        rate_again(store, number, pool)
        return pool, found


@dataclass(frozen=True, slots=True)
class AddAlias(PoolChange[tuple[Pool, str, str]]):
    """Count the games of one name for another player of an imported pool, in files that come later too.

    Raises TourneyError NOT_FOUND for an unknown pool or name, USAGE for one name twice, REFUSED for a pool of events,
    for an alias already, and if both played in one game.
    """

    alias: str
    player: str
    pool: str

    def perform(self, store: storage.Store) -> tuple[Pool, str, str]:
        """Return the pool, the other name and the player."""
        number, pool = _imported_pool(store, self.pool)
        history = store.pools.imported_files(number)
        directory = _directory(store, number, history)
        alias, player = (directory.find_exactly(name, _see_names(pool)).shown for name in (self.alias, self.player))
        if alias == player:
            message = _("{player} is named twice").format(player=player)
            raise TourneyError(ExitCode.USAGE, message, _("name each player once"))
        _refuse_opponents(pool, history, alias, player)
        numbers = store.pools.imported_names(number)
        store.write(storage.kinds.pools.AliasSet(number, numbers[alias], numbers[player]))
        rate_again(store, number, pool)
        return pool, alias, player


@dataclass(frozen=True, slots=True)
class RemoveAlias(PoolChange[tuple[Pool, str, str]]):
    """Count the games of another name for a player of their own again.

    Raises TourneyError NOT_FOUND for an unknown pool and for what is no other name of anybody, REFUSED for a pool of
    events.
    """

    alias: str
    pool: str

    def perform(self, store: storage.Store) -> tuple[Pool, str, str]:
        """Return the pool, the name, and the player whose other name it was."""
        number, pool = _imported_pool(store, self.pool)
        aliases = store.pools.aliases(number)
        alias = next((name for name in aliases if fold(name) == fold(self.alias)), None)
        if alias is None:
            message = _("“{name}” is not another name of anybody in the pool {pool}")
            hint = _("see all of them with `tourney rating alias list --pool {pool}`")
            raise TourneyError(
                ExitCode.NOT_FOUND,
                message.format(name=self.alias[:80], pool=pool.name),
                hint.format(pool=quote_argument(pool.name)),
            )
        store.write(storage.kinds.pools.AliasSet(number, store.pools.imported_names(number)[alias], 0))
        rate_again(store, number, pool)
        return pool, alias, aliases[alias]


def _imported_pool(reader: storage.Reader, name: str) -> tuple[int, Pool]:
    number, pool = find_pool(reader, name)
    if number is None or pool.kind != "imported":
        message = _("the pool {name} is for events").format(name=pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("name the pool of a results file with --pool"))
    return number, pool


def _sources(pool: Pool, history: storage.ImportedFiles) -> Iterator[GameSource]:
    """Yield the sources in the order of rating."""
    days = {batch.of: [day for _games, day in history.days(batch)] for batch in history.batches(pool.kind)}
    for name in dict.fromkeys(file.source for file in history.files):
        files = [file for file in history.files if file.source == name]
        players = {player for file in files for player in history.names(file)}
        dated = [day for file in files for day in days[file.number]]
        ends = (min(dated), max(dated)) if all(dated) and dated else ("", "")
        games, rows = sum(file.games for file in files), sum(file.rows for file in files)
        yield GameSource(name, games, rows, len(players), *ends, max(file.entry for file in files))


def _no_source(reader: storage.Reader, pool: Pool, name: str) -> TourneyError:
    """Return the refusal of a source that the pool does not have, with the pools that have it."""
    message = _("the pool {pool} has no source “{name}”").format(pool=pool.name, name=name[:80])
    for number, other in known_pools(reader):
        if number is not None and other.kind == "imported" and _has(reader.pools.imported_files(number).files, name):
            hint = _("it is in the pool {pool}: give --pool {option}")
            hint = hint.format(pool=other.name, option=quote_argument(other.name))
            return TourneyError(ExitCode.NOT_FOUND, message, hint)
    number, _pool = _imported_pool(reader, pool.name)
    names = list(dict.fromkeys(file.source for file in reader.pools.imported_files(number).files))
    hint = _("see them with `tourney rating source list --pool {pool}`").format(pool=quote_argument(pool.name))
    return TourneyError(ExitCode.NOT_FOUND, message, near_miss(name, names, hint))


def _has(files: Iterable[storage.ImportedFile], source: str) -> bool:
    return any(fold(file.source) == fold(source) for file in files)


def _directory(reader: storage.Reader, number: int, history: storage.ImportedFiles) -> Directory:
    """Return the players of a pool by the names in its files, without the other names of players."""
    names: Sequence[str] = [*dict.fromkeys(name for file in history.files for name in history.names(file))]
    aliases = reader.pools.aliases(number)
    return Directory([Player(place, name) for place, name in enumerate(names) if name not in aliases])


def _see_names(pool: Pool) -> str:
    return _("see who is in it with `tourney ratings --pool {pool}`").format(pool=quote_argument(pool.name))


def _refuse_opponents(pool: Pool, history: storage.ImportedFiles, alias: str, player: str) -> None:
    """Raise TourneyError REFUSED if both played in one game."""
    for batch in history.batches(pool.kind):
        for number, (players, _places) in history.numbered(batch):
            if alias in players and player in players:
                message = _("{alias} and {player} both played in game {number} of the source {source}").format(
                    alias=alias,
                    player=player,
                    number=number,
                    source=next(file.source for file in history.files if file.number == batch.of),
                )
                raise TourneyError(ExitCode.REFUSED, message, _("they are two players, or the file is wrong"))
