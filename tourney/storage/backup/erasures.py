"""Names that were erased stay erased: going back to an older copy does not bring them back."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from tourney.domain.database import Erasures
from tourney.storage.backup.copies import copies_of, copy, prepared, reader, remove
from tourney.storage.journal import entries
from tourney.storage.location import locate
from tourney.storage.session import writing


class _Acts(NamedTuple):
    """What a journal says of names: the act's number and hash that registered each player, and who is erased."""

    registered: dict[int, tuple[int, str]]
    erased: tuple[int, ...]
    erasures: Erasures


def outstanding(path: Path, source: Path, common: int) -> tuple[tuple[int, ...], Erasures]:
    """Who is erased in the database and not yet in the backup, and whether the database could tell all of them.

    Only who is the same person in both: registered in one of the first `common` acts, which both journals have.
    """
    ours, there = _acts(path), set(_acts(source).erased)
    same = {player for player, (number, _hash) in ours.registered.items() if number <= common}
    return tuple(player for player in ours.erased if player in same and player not in there), ours.erasures


@contextmanager
def erased_again(path: Path, source: Path, players: Sequence[int]) -> Iterator[Path]:
    """The backup without these names, in a file that is gone after the block; itself if there are none."""
    if not players:
        yield source
        return
    part = prepared(path) / f"{path.name}-{os.getpid()}.erased.part"
    try:
        with closing(reader(source)) as content:
            copy(content, part)
        with writing(str(part.absolute())) as store:
            store.erase_entries(players)
        yield part
    finally:
        remove(part)


def holding(db: str | None, players: Sequence[int]) -> tuple[Path, ...]:
    """The copies beside the database that still hold a name of one of these players."""
    path = locate(db)
    copies = copies_of(path)
    if not copies:
        return ()
    registered = _acts(path).registered
    people = [(player, registered[player][1]) for player in players if player in registered]
    return tuple(one for one in copies if any(_has_name(one, *person) for person in people))


def _has_name(backup: Path, player: int, registered: str) -> bool:
    """Whether the player of that number, registered by the act of that hash, has a name in the copy.

    Also true of a copy that cannot be read: nobody can say that it holds none.
    """
    try:
        with closing(reader(backup)) as connection:
            same = connection.execute("SELECT 1 FROM act WHERE hash = ?", (registered,)).fetchone()
            named = connection.execute("SELECT 1 FROM person WHERE player = ? AND name <> ''", (player,)).fetchone()
    except sqlite3.Error:
        return True
    return same is not None and named is not None


def _acts(path: Path) -> _Acts:
    """What can be read of it; of a damaged journal only the acts whose hashes follow from their texts."""
    registered: dict[int, tuple[int, str]] = {}
    erased: dict[int, None] = {}
    erasures: Erasures = "all known"
    before = entries.FIRST
    for number, (text, found) in enumerate(_lines(path), 1):
        if entries.chain(before, text) != found:
            erasures = "some perhaps not known"
        elif (act := entries.read(text)).kind == "player.add":
            registered |= {player["id"]: (number, found) for player in act.payload["players"]}
        elif act.kind == "player.erase":
            erased[act.payload["player"]] = None
        before = found
    return _Acts(registered, tuple(erased), erasures)


def _lines(path: Path) -> list[tuple[str, str]]:
    """Text and hash of every act; a byte that is no text is replaced, and its hash then does not hold."""
    with closing(reader(path)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        return [(str(row[0]), str(row[1])) for row in connection.execute("SELECT text, hash FROM act ORDER BY number")]
