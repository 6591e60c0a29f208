"""Keep erased names erased: restoring an older copy does not bring them back."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from tourney.domain.database import Erasures
from tourney.storage import sqlite
from tourney.storage.backup.copies import copy_file, prepared, reader
from tourney.storage.backup.names import copies_of, is_copy
from tourney.storage.declarations import is_ours
from tourney.storage.files.temporary_copies import temporary_copy
from tourney.storage.journal.entries import FIRST, chain_hash, parse_entry
from tourney.storage.journal.kinds.people import PlayerErased, PlayerPublished, PlayersAdded
from tourney.storage.location import locate
from tourney.storage.session import writing

NOWHERE: Final = (0, "")
"""The entry that registered a player in no journal."""


class _Names(NamedTuple):
    """The names in a journal: number and hash of the entry that registered each player, and who is erased.

    `published` has the number of the last entry on what rankings show of a player.
    """

    registered: dict[int, tuple[int, str]]
    erased: tuple[int, ...]
    erasures: Erasures
    published: dict[int, int]


class Outstanding(NamedTuple):
    """The wishes about names that a database knows and a backup does not.

    `erased` are players by number, `erasures` says whether they are all; `published` are the people whose name
    in rankings was changed after the backup.
    """

    erased: tuple[int, ...] = ()
    erasures: Erasures = "some perhaps not known"
    published: tuple[str, ...] = ()


def outstanding(path: Path, source: Path, common: int) -> Outstanding:
    """Return the wishes about names that the database knows and the backup does not.

    The database knows the erasures of the files that earlier restores have replaced, too. A player is the same in two
    files if both have the entry that registers the player. Only the present file says how rankings show a player.
    """
    ours, theirs = _names_if_any(path), _names_in(source)
    replaced = [_names_if_any(copy) for copy in copies_of(path) if is_copy(path, copy, ("restore",))]
    wished = {(player, names.registered.get(player)) for names in (ours, *replaced) for player in names.erased}
    erased = tuple(
        player for player, _entry in sorted(theirs.registered.items() & wished) if player not in theirs.erased
    )
    since = [
        player
        for player, number in ours.published.items()
        if number > common and theirs.registered.get(player, NOWHERE) == ours.registered.get(player)
    ]
    known = all(names.erasures == "all known" for names in (ours, *replaced))
    return Outstanding(erased, "all known" if known else "some perhaps not known", _called(path, since))


def _names_if_any(path: Path) -> _Names:
    """Return the names in a journal; none, and some erasures perhaps not known, for a file that cannot be read.

    Nor can one with an entry that no program writes: somebody may have put the file there.
    """
    if path.exists():
        with suppress(sqlite3.DatabaseError, ValueError, LookupError, TypeError):
            return _names_in(path)
    return _Names({}, (), "some perhaps not known", {})


def _called(path: Path, players: Sequence[int]) -> tuple[str, ...]:
    """Return the names of these players in the database, except of erased people."""
    if not players:
        return ()
    names = "SELECT name FROM player JOIN person ON person.player = player.id AND person.version = player.version"
    with closing(reader(path)) as connection:
        found = (connection.execute(f"{names} WHERE player.id = ?", (player,)).fetchone() for player in players)
        return tuple(str(row[0]) for row in found if row is not None and row[0])


@contextmanager
def erased_again(path: Path, source: Path, players: Sequence[int], by: str) -> Iterator[Path]:
    """Yield a copy of the backup without the names of these players; without players, the backup itself.

    `by` says who erases them.
    """
    if not players:
        yield source
        return
    with temporary_copy(path, prepared(path)) as part:
        copy_file(source, part)
        with writing(str(part), by=by) as store:
            store.people.erase_names(players)
        yield part


def empty_log(db: str | None) -> bool:
    """Empty the log beside the database, which has what was erased; return False if another program prevents it."""
    path = locate(db)
    with sqlite.plain_errors(path):
        return sqlite.empty_log(sqlite.file_engine(path, "write"))


def backups_naming(db: str | None, players: Sequence[int]) -> tuple[Path, ...]:
    """Return the copies beside the database that still hold a name of one of these players."""
    path = locate(db)
    copies = copies_of(path)
    if not copies:
        return ()
    registered = _names_in(path).registered
    people = [(player, registered[player][1]) for player in players if player in registered]
    return tuple(backup for backup in copies if any(_has_name(backup, *person) for person in people))


def _has_name(backup: Path, player: int, registered: str) -> bool:
    """Return whether the player of that number, registered by the entry of that hash, has a name in the copy.

    True also for a copy that cannot be read: it may hold the name.
    """
    try:
        with _opened(backup) as connection:
            same = connection.execute("SELECT 1 FROM act WHERE hash = ?", (registered,)).fetchone()
            named = connection.execute("SELECT 1 FROM person WHERE player = ? AND name <> ''", (player,)).fetchone()
    except sqlite3.Error:
        return True
    return same is not None and named is not None


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy. Raises sqlite3.DatabaseError for declarations that are not ours: a view may compute without end."""
    with closing(reader(path)) as connection:
        declared = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        if not all(is_ours(name, statement) for name, statement in declared):
            raise sqlite3.DatabaseError("a declaration of another program")
        yield connection


def _names_in(path: Path) -> _Names:
    """Return the names in a journal; in a damaged one, only entries whose hashes follow from their texts count."""
    registered: dict[int, tuple[int, str]] = {}
    erased: dict[int, None] = {}
    published: dict[int, int] = {}
    erasures: Erasures = "all known"
    before = FIRST
    for number, (text, found) in enumerate(_lines(path), 1):
        if chain_hash(before, text) != found:
            erasures = "some perhaps not known"
        elif PlayersAdded.made(entry := parse_entry(text)):
            registered |= {player["id"]: (number, found) for player in entry.payload["players"]}
        elif PlayerErased.made(entry):
            erased[entry.payload["player"]] = None
        elif PlayerPublished.made(entry):
            published[entry.payload["player"]] = number
        before = found
    return _Names(registered, tuple(erased), erasures, published)


def _lines(path: Path) -> list[tuple[str, str]]:
    """Return text and hash of every entry; a byte that is not text is replaced, and its hash then does not hold."""
    with _opened(path) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        return [(str(row[0]), str(row[1])) for row in connection.execute("SELECT text, hash FROM act ORDER BY number")]
