"""Blocks of leagues: written as they are finished, read in order, and compared by a check.

Blocks are outside the journal, which says what each league plays. A block is written once; those of an undone league
are kept, so that it can be put back. A league's checksum is the sum of its rows' digests, so that rows can be added
in any order.
"""

import json
import zlib
from base64 import b85decode, b85encode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, func, select

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import LeagueFault, PlayedBlock
from tourney.storage import sqlite
from tourney.storage.journal.canonical import bounded, row_checksum, sha256
from tourney.storage.journal.checksums import damaged
from tourney.storage.journal.entries import Entry, parse_entry
from tourney.storage.journal.kinds.leagues import LeagueJoined, LeagueStarted
from tourney.storage.journal.payloads import identified_bots
from tourney.storage.table_rows import delete_rows, insert_rows
from tourney.storage.tables import columns, key_columns, table
from tourney.text.i18n import _

BLOCKS_PER_QUERY = 500
"""The most blocks in one query."""
MOST_RECORD = 4_000_000
"""The most bytes of a record: that of a long game has a hundredth of it."""

RowKind = Literal["block", "fault", "record"]
ROW_KINDS: tuple[RowKind, ...] = ("block", "fault", "record")
"""The kinds of rows that are kept of a league; the rows of each are in the table `league_…`."""

Line = Sequence[Any]
"""The values of a row by column; the last is a checksum of the other columns, or a hash of the text."""


class Sum(NamedTuple):
    """A number of rows, and the sum of their checksums modulo 2²⁵⁶."""

    rows: int = 0
    total: int = 0

    def add(self, row: Line) -> "Sum":
        """Return the sum with another row."""
        return Sum(self.rows + 1, (self.total + int(row_checksum(row), 16)) % (1 << 256))

    def columns(self) -> tuple[int, str]:
        """Return the sum as its columns."""
        return self.rows, f"{self.total:064x}"


class Blocks:
    """The blocks (from 0) of one league, played while it had `entrants` entrants."""

    def __init__(self, connection: Connection, league: int, entrants: int) -> None:
        self._connection = connection
        self._league, self._entrants = league, entrants
        self._kept = table("league_block").c
        self._mine = (self._kept.league == league, self._kept.entrants == entrants)
        self._before = (self._kept.league == league, self._kept.entrants < entrants)

    def texts(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of each block. Raises TourneyError STORAGE if one is damaged, or missing in the end."""
        for _league, _entrants, number, text, _hash in self._rows("block"):
            yield number, text

    def some(self, numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Yield number and text of these blocks, as far as they are kept. Raises TourneyError STORAGE as `texts`."""
        for number in numbers:
            for row in self._read("block", number):
                yield number, row[3]

    def faults(self) -> Iterator[tuple[int, LeagueFault]]:
        """Yield the faults with their block's number, in order. Raises TourneyError STORAGE as `texts` does."""
        for row in self._rows("fault"):
            yield row[2], LeagueFault(*row[4:-1])

    def whole(self) -> Iterator[PlayedBlock]:
        """Yield everything that is kept of each block, in order. Raises TourneyError STORAGE as `texts` does."""
        faults, records = _Groups(self._rows("fault")), _Groups(self._rows("record"))
        for number, text in self.texts():
            kept_faults = [LeagueFault(*row[4:-1]) for row in faults.take(number)]
            kept_records = [(row[3], _unpacked(row[4])) for row in records.take(number)]
            yield PlayedBlock(number, text, kept_faults, kept_records)

    def numbers(self) -> frozenset[int]:
        """Return the numbers of the blocks that are kept."""
        return frozenset(self._connection.execute(select(self._kept.block).where(*self._mine)).scalars())

    def count(self) -> int:
        """Return how many blocks are kept."""
        return self._connection.execute(select(func.count()).where(*self._mine)).scalar_one()

    def joined(self) -> bool:
        """Return whether some blocks were played when the league had fewer entrants."""
        return self._connection.execute(select(self._kept.block).where(*self._before).limit(1)).first() is not None

    def earlier(self, numbers: Sequence[int]) -> Iterator[PlayedBlock]:
        """Yield these blocks as they were played last when the league had fewer entrants.

        Raises TourneyError STORAGE at a damaged block.
        """
        entrants = self._kept.entrants
        for number in numbers:
            before = select(func.max(entrants)).where(*self._before, self._kept.block == number)
            played = self._connection.execute(before).scalar()
            if played is not None:
                yield Blocks(self._connection, self._league, played)._whole(number)

    def record(self, block: int, game: int) -> str | None:
        """Return the record of a game; None if it was not kept. Raises TourneyError STORAGE if it is damaged."""
        return next((_unpacked(row[-2]) for row in self._read("record", block, game)), None)

    def keep(self, blocks: Sequence[PlayedBlock]) -> None:
        """Keep the blocks that are not kept yet, each with its faults and records.

        Raises TourneyError CONFLICT if one is kept with another outcome.
        """
        kept = self._hashes([block.number for block in blocks])
        for block in blocks:
            if kept.get(block.number, sha256(block.text)) != sha256(block.text):
                raise self._played_differently(block.number)
        new = [block for block in blocks if block.number not in kept]
        self._fill("block", [self._block_row(block) for block in new])
        self._fill("fault", [row for block in new for row in self._fault_rows(block)])
        self._fill("record", [row for block in new for row in self._record_rows(block)])

    def forget(self) -> None:
        """Delete the blocks, with their faults, records and checksums."""
        for name in ("league_block", "league_fault", "league_record", "league_seal"):
            delete_rows(self._connection, name, league=self._league, entrants=self._entrants)

    def _whole(self, number: int) -> PlayedBlock:
        """Return everything that is kept of one block."""
        faults = [LeagueFault(*row[4:-1]) for row in self._read("fault", number)]
        records = [(row[3], _unpacked(row[4])) for row in self._read("record", number)]
        return PlayedBlock(number, next(self._read("block", number))[3], faults, records)

    def _read(self, kind: RowKind, *key: int) -> Iterator[Line]:
        """Yield the rows of a kind with this key. Raises TourneyError STORAGE at a damaged row."""
        for row in _stream(self._connection, kind, (self._league, self._entrants, *key)):
            if not _sound(kind, row):
                raise self._damaged(kind)
            yield row

    def _rows(self, kind: RowKind) -> Iterator[Line]:
        """Yield all rows of a kind as `_read` does. Raises TourneyError STORAGE at the end for a missing one."""
        read_sum = Sum()
        for row in self._read(kind):
            read_sum = read_sum.add(row)
            yield row
        if read_sum != self._written_sum(kind):
            raise self._damaged(kind)

    def _written_sum(self, kind: RowKind) -> Sum:
        sums = table("league_seal")
        conditions = (sums.c.league == self._league, sums.c.entrants == self._entrants, sums.c.what == kind)
        row = self._connection.execute(select(sums).where(*conditions)).first()
        if row is None:
            return Sum()
        if row_checksum(row[:-1]) != row.checksum:
            raise self._damaged(kind)
        return Sum(row.rows, int(row.total, 16))

    def _fill(self, kind: RowKind, rows: Sequence[Line]) -> None:
        """Write the rows, and add them to the checksum."""
        if not rows:
            return
        name, written = f"league_{kind}", self._written_sum(kind)
        for row in rows:
            written = written.add(row)
        insert_rows(self._connection, name, [dict(zip(columns(name), row, strict=True)) for row in rows])
        row_of_sum: Line = (self._league, self._entrants, kind, *written.columns())
        delete_rows(self._connection, "league_seal", league=self._league, entrants=self._entrants, what=kind)
        sealed = (*row_of_sum, row_checksum(row_of_sum))
        insert_rows(self._connection, "league_seal", [dict(zip(columns("league_seal"), sealed, strict=True))])

    def _hashes(self, numbers: Sequence[int]) -> dict[int, str]:
        """Return the hash of each of these blocks that is kept, by its number."""
        hashes: dict[int, str] = {}
        for first in range(0, len(numbers), BLOCKS_PER_QUERY):
            batch = self._kept.block.in_(numbers[first : first + BLOCKS_PER_QUERY])
            query = select(self._kept.block, self._kept.hash).where(*self._mine, batch)
            hashes |= {row.block: row.hash for row in self._connection.execute(query)}
        return hashes

    def _block_row(self, block: PlayedBlock) -> Line:
        return self._league, self._entrants, block.number, block.text, sha256(block.text)

    def _fault_rows(self, block: PlayedBlock) -> Iterator[Line]:
        for place, fault in enumerate(block.faults):
            row = (self._league, self._entrants, block.number, place, *fault)
            yield (*row, row_checksum(row))

    def _record_rows(self, block: PlayedBlock) -> Iterator[Line]:
        for game, text in block.records:
            yield self._league, self._entrants, block.number, game, _packed(text), sha256(text)

    def _damaged(self, kind: RowKind) -> TourneyError:
        kept = {"block": _("blocks"), "fault": _("faults"), "record": _("records")}[kind]
        message = _("the {kept} of league {league} are not as they were written")
        return damaged(message.format(kept=kept, league=self._league))

    def _played_differently(self, block: int) -> TourneyError:
        message = _("block {block} of league {league} was played before, and ended otherwise")
        hint = _("a bot does not play by its seed alone, or is another version; start a new league")
        return TourneyError(ExitCode.CONFLICT, message.format(block=block + 1, league=self._league), hint)


class _Groups:
    """Rows in the order of their blocks, which are the third column, taken block by block."""

    def __init__(self, rows: Iterator[Line]) -> None:
        self._groups = groupby(rows, itemgetter(2))
        self._number: int | None = None
        self._rows: list[Line] = []
        self._advance()

    def take(self, number: int) -> list[Line]:
        """Return the rows of a block; blocks must be taken in their order."""
        if number != self._number:
            return []
        rows = self._rows
        self._advance()
        return rows

    def _advance(self) -> None:
        number, rows = next(self._groups, (None, ()))
        self._number, self._rows = number, list(rows)


def played_by(connection: Connection, league: int) -> dict[int, list[Any]]:
    """Return the bots that play the kept blocks of a league, by their number, also of those who joined and were undone.

    No number of bots stands for two sets of bots: the blocks of bots who cannot come back are deleted when others join.
    """
    acts = table("act").c
    kinds = (LeagueStarted.kind_name, LeagueJoined.kind_name)
    texts = connection.execute(select(acts.text).where(acts.kind.in_(kinds)).order_by(acts.number)).scalars()
    payloads = [parse_entry(text).payload for text in texts]
    return {len(payload["bots"]): identified_bots(payload) for payload in payloads if payload["league"] == league}


def problems(connection: Connection, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the problems of blocks, faults and records, also of undone leagues."""
    leagues = {entry.payload["league"] for entry in entries if LeagueStarted.made(entry)}
    written: Mapping[RowKind, dict[tuple[Any, Any], tuple[Any, Any]]] = {kind: {} for kind in ROW_KINDS}
    for *row, checksum in sqlite.stream(connection, "SELECT * FROM league_seal ORDER BY league, entrants, what"):
        if row_checksum(row) != checksum or row[0] not in leagues:
            yield _("league_seal: the checksum of league {league} is not as it was written").format(league=row[0])
        elif row[2] in written:
            written[row[2]][row[0], row[1]] = (row[3], row[4])
    for kind in ROW_KINDS:
        yield from _wrong_sums(connection, kind, written[kind])


def _wrong_sums(
    connection: Connection, kind: RowKind, written: Mapping[tuple[Any, Any], tuple[Any, Any]]
) -> Iterator[str]:
    """Yield a line for each league whose rows of a kind do not have the checksum that was written."""
    sums: dict[tuple[Any, Any], Sum] = defaultdict(Sum)
    for row in _stream(connection, kind, ()):
        if not _sound(kind, row):
            text = _("{table}: a row of league {league} is not as it was written")
            yield text.format(table=f"league_{kind}", league=row[0])
        sums[row[0], row[1]] = sums[row[0], row[1]].add(row)
    for key in sorted({*sums, *written}, key=repr):
        if key not in written:
            yield _("league_seal: there is no checksum for what is kept of league {league}").format(league=key[0])
        if written.get(key) != sums[key].columns():
            text = _("{table}: the rows of league {league} are not those that were kept")
            yield text.format(table=f"league_{kind}", league=key[0])


def _stream(connection: Connection, kind: RowKind, key: Sequence[int]) -> Iterator[Line]:
    """Yield the rows of a kind whose first columns are the key, in order."""
    names = key_columns(f"league_{kind}")
    where = " AND ".join(f"{name} = ?" for name in names[: len(key)]) or "true"
    query = f"SELECT * FROM league_{kind} WHERE {where} ORDER BY {', '.join(names)}"
    return sqlite.stream(connection, query, key)


def _sound(kind: RowKind, row: Line) -> bool:
    """Return whether the row is as it was written, as far as its own checksum says."""
    if kind == "fault":
        return bool(row_checksum(row[:-1]) == row[-1])
    if kind == "record":
        return bool(sha256(_unpacked(row[-2])) == row[-1])
    return sha256(str(row[3])) == row[-1] and _is_block(str(row[3]), row[2])


def _is_block(text: str, number: object) -> bool:
    """Return whether the text is that of block `number`, which is its second item."""
    try:
        return bool(json.loads(bounded(text))[1] == number)
    except (ValueError, TypeError, LookupError):
        return False


def _packed(text: str) -> str:
    """Return the text compressed, as text."""
    return b85encode(zlib.compress(text.encode(), 9)).decode()


def _unpacked(packed: object) -> str:
    """Return the text that was compressed; an empty text if it is damaged or longer than any record."""
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(b85decode(str(packed)), MOST_RECORD).decode()
        return text if unpacking.eof else ""
    except (zlib.error, ValueError):
        return ""
