"""Journals of mirrors that a restore has set aside: their names, and the erasure of people in them."""

import os
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from tourney.storage.files.atomic_create import flush_folder
from tourney.storage.journal.canonical import person_checksum
from tourney.storage.journal.entries import parse_entry
from tourney.storage.mirror.compare import difference
from tourney.storage.mirror.names import Row, names_of, read_names, write_names


def set_aside(journal: Path) -> None:
    """Give the journal and the names beside it another name, and create an empty journal."""
    if journal.exists():
        stem = f"{journal.stem}-until-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        stems = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        kept = next(file for file in (journal.with_name(name + journal.suffix) for name in stems) if not file.exists())
        if names_of(journal).exists():
            os.replace(names_of(journal), names_of(kept))
        os.replace(journal, kept)
    journal.touch()
    flush_folder(journal.parent)


def erase_in_kept(connection: sqlite3.Connection, journal: Path) -> None:
    """Erase everybody whom the database has erased beside the journals that were set aside. Raises OSError."""
    erased = {number for (number,) in connection.execute("SELECT id FROM player WHERE erased = 1")}
    hashes = dict(connection.execute("SELECT number, hash FROM act").fetchall())
    for kept in sorted(journal.parent.glob(f"{journal.stem}-until-*Z*{journal.suffix}")):
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
