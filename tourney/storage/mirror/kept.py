"""Journals of mirrors that a restore has set aside: their names, and the erasure of people in them."""

import os
import re
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tourney.storage.files.atomic_create import flush_folder
from tourney.storage.journal.canonical import person_checksum
from tourney.storage.journal.entries import parse_entry
from tourney.storage.mirror.compare import difference
from tourney.storage.mirror.names import Row, names_of, read_names, write_names
from tourney.storage.private import create

_SET_ASIDE = re.compile(r"-until-(\d{8}T\d{6}Z)(?:-(\d+))?\.txt$")


def set_aside(journal: Path) -> Path | None:
    """Give the journal and the names beside it another name, which is returned, and create an empty journal."""
    kept = None
    if journal.exists():
        kept = _free(journal)
        if names_of(journal).exists():
            os.replace(names_of(journal), names_of(kept))
        os.replace(journal, kept)
    create(journal)
    flush_folder(journal.parent)
    return kept


def journals_set_aside(journal: Path) -> list[Path]:
    """Return the journals that were set aside, oldest first, without the names beside them."""
    return [kept for _time, _number, kept in _set_aside(journal)]


def _set_aside(journal: Path) -> list[tuple[str, int, Path]]:
    """Return time, number within that second and path of the journals that were set aside, oldest first.

    One of a time to come was made by a wrong clock or by hand, and counts as the oldest.
    """
    now = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    found = ((_SET_ASIDE.search(kept.name), kept) for kept in journal.parent.iterdir())
    own = ((match, kept) for match, kept in found if match is not None and kept.name == journal.stem + match[0])
    dated = ((match[1], int(match[2] or 1), kept) for match, kept in own)
    return sorted(dated, key=lambda each: (each[0] <= now, each))


def _free(journal: Path) -> Path:
    """Return a name for the journal that says when it was set aside; later ones of one second have higher numbers."""
    time = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    number = max((nth for then, nth, _kept in _set_aside(journal) if then == time), default=0) + 1
    return journal.with_name(f"{journal.stem}-until-{time}{f'-{number}' if number > 1 else ''}{journal.suffix}")


def erase_in_kept(connection: sqlite3.Connection, journal: Path) -> None:
    """Erase everybody whom the database has erased beside the journals that were set aside. Raises OSError."""
    erased = {number for (number,) in connection.execute("SELECT id FROM player WHERE erased = 1")}
    hashes = dict(connection.execute("SELECT number, hash FROM act").fetchall())
    for kept in journals_set_aside(journal):
        if names_of(kept).exists():
            _erase(kept, erased & _common_players(kept, hashes))


def _common_players(kept: Path, hashes: Mapping[int, str]) -> set[int]:
    """Return the numbers of the players whom both journals register by the same entry."""
    found = difference(hashes, kept)
    entries = [parse_entry(entry.text) for entry in found.content.entries if entry.number <= found.common]
    registered = (entry.payload["players"] for entry in entries if entry.kind == "player.add")
    return {player["id"] for players in registered for player in players}


def _erase(kept: Path, players: set[int]) -> None:
    names = read_names(kept)
    if names is None or not any(row[0] in players and row[2] for row in names.rows):
        return
    rows = [_blank(row[0], row[1]) if row[0] in players else row for row in names.rows]
    write_names(kept, names.database, rows)


def _blank(player: int, version: int) -> Row:
    return player, version, "", "", "", person_checksum(player, version, "", "", "")
