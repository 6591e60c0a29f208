"""What the blocks of leagues gave: written as they are done, read in order, and looked at by a check.

They stand outside the journal, which has what each league plays. A block that is there already is not written again;
those of a league that was taken back stay for its being put back.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from tourney.domain import ExitCode, TourneyError
from tourney.storage import journal, sqlite
from tourney.storage.projections.rows import fill
from tourney.storage.schema import table
from tourney.storage.seals import damaged
from tourney.text import _

AT_ONCE = 500
"""Blocks asked for in one query."""


class KeptFault(NamedTuple):
    """A bot that failed: in which game and hand of a block (from 0), which entrant, what it did, and the traceback."""

    game: int
    hand: int
    entrant: int
    what: str
    trace: str


class KeptBlock(NamedTuple):
    """A block as it is kept: its outcome as text, the faults in it, and records by game (from 0)."""

    number: int
    text: str
    faults: Sequence[KeptFault] = ()
    records: Sequence[tuple[int, str]] = ()


class Blocks:
    """The blocks (from 0) of one league, played while it had so many entrants."""

    def __init__(self, connection: Connection, league: int, entrants: int) -> None:
        self._connection = connection
        self._key = {"league": league, "entrants": entrants}

    def numbers(self) -> frozenset[int]:
        """Which are there."""
        return frozenset(number for (number,) in self._stream("SELECT block FROM league_block", ""))

    def texts(self, first: int = 0) -> Iterator[tuple[int, str]]:
        """Number and text of each from that number on, in order. Raises TourneyError STORAGE at a damaged one."""
        query = "SELECT block, text, hash FROM league_block"
        for number, text, found in self._stream(query, "AND block >= ? ORDER BY block", first):
            if journal.digest(str(text)) != found:
                raise self._damaged(_("block {block} of league {league}"), number)
            yield number, text

    def faults(self) -> Iterator[tuple[int, KeptFault]]:
        """The faults with their block's number, in the order they were made. Raises TourneyError STORAGE likewise."""
        for row in self._stream("SELECT * FROM league_fault", "ORDER BY block, place"):
            if journal.checksum(row[:-1]) != row[-1]:
                raise self._damaged(_("a fault in block {block} of league {league}"), row[2])
            yield row[2], KeptFault(*row[4:-1])

    def record(self, block: int, game: int) -> str | None:
        """The record of a game; None if it was not kept. Raises TourneyError STORAGE if it is damaged."""
        query = "SELECT packed, digest FROM league_record"
        for packed, digest in self._stream(query, "AND block = ? AND game = ?", block, game):
            text = _unpacked(packed)
            if journal.digest(text) != digest:
                raise self._damaged(_("the record of a game in block {block} of league {league}"), block)
            return text
        return None

    def keep(self, blocks: Sequence[KeptBlock]) -> None:
        """Keep those that are not there yet, each with its faults and records.

        Raises TourneyError CONFLICT if one is there with another outcome.
        """
        there = self._hashes([one.number for one in blocks])
        new = []
        for one in blocks:
            if one.number not in there:
                new.append(one)
            elif there[one.number] != journal.digest(one.text):
                raise self._played_otherwise(one.number)
        fill(self._connection, "league_block", [self._block_row(one) for one in new])
        fill(self._connection, "league_fault", [row for one in new for row in self._fault_rows(one)])
        fill(self._connection, "league_record", [row for one in new for row in self._record_rows(one)])

    def _stream(self, query: str, rest: str, *values: int) -> Iterator[tuple[Any, ...]]:
        where = f"{query} WHERE league = ? AND entrants = ? {rest}"
        return sqlite.stream(self._connection, where, (*self._key.values(), *values))

    def _hashes(self, numbers: Sequence[int]) -> dict[int, str]:
        """The hashes of those of these blocks that are there."""
        blocks = table("league_block").c
        theirs = [blocks[name] == value for name, value in self._key.items()]
        found: dict[int, str] = {}
        for first in range(0, len(numbers), AT_ONCE):
            some = blocks.block.in_(numbers[first : first + AT_ONCE])
            rows = self._connection.execute(select(blocks.block, blocks.hash).where(*theirs, some))
            found |= {row.block: row.hash for row in rows}
        return found

    def _block_row(self, one: KeptBlock) -> Mapping[str, Any]:
        return {**self._key, "block": one.number, "text": one.text, "hash": journal.digest(one.text)}

    def _fault_rows(self, one: KeptBlock) -> Iterator[Mapping[str, Any]]:
        for place, fault in enumerate(one.faults):
            row = {**self._key, "block": one.number, "place": place, **fault._asdict()}
            yield {**row, "checksum": journal.checksum(tuple(row.values()))}

    def _record_rows(self, one: KeptBlock) -> Iterator[Mapping[str, Any]]:
        for game, text in one.records:
            packed = {"packed": zlib.compress(text.encode(), 9), "digest": journal.digest(text)}
            yield {**self._key, "block": one.number, "game": game, **packed}

    def _damaged(self, what: str, block: int) -> TourneyError:
        where = what.format(block=block + 1, league=self._key["league"])
        return damaged(_("{what} is not as it was written").format(what=where))

    def _played_otherwise(self, block: int) -> TourneyError:
        message = _("block {block} of league {league} was played before, and ended otherwise")
        hint = _("a bot plays by something else than its seed, or is another version; begin a new league")
        where = {"block": block + 1, "league": self._key["league"]}
        return TourneyError(ExitCode.CONFLICT, message.format(**where), hint)


def problems(connection: Connection, acts: Iterable[journal.Act]) -> Iterator[str]:
    """What is wrong with blocks, faults and records; those of a league that was taken back are looked at too."""
    leagues = {act.payload["league"] for act in acts if act.kind == "league.new"}
    query = "SELECT league, block, text, hash FROM league_block ORDER BY league, entrants, block"
    for league, block, text, found in sqlite.stream(connection, query):
        if journal.digest(str(text)) != found or not _is_block(str(text), block):
            yield f"league_block: block {block} of league {league} is not as it was written"
        elif league not in leagues:
            yield f"league_block: league {league} is in no act"
    for row in sqlite.stream(connection, "SELECT * FROM league_fault ORDER BY league, entrants, block, place"):
        if journal.checksum(row[:-1]) != row[-1]:
            yield f"league_fault: a fault in block {row[2]} of league {row[0]} is not as it was written"
    query = "SELECT league, block, packed, digest FROM league_record ORDER BY league, entrants, block, game"
    for league, block, packed, digest in sqlite.stream(connection, query):
        if journal.digest(_unpacked(packed)) != digest:
            yield f"league_record: a record in block {block} of league {league} is not as it was written"


def _is_block(text: str, number: object) -> bool:
    """Whether the text is of the block of that number, which stands second in it."""
    try:
        return bool(json.loads(text)[1] == number)
    except (ValueError, TypeError, LookupError):
        return False


def _unpacked(packed: object) -> str:
    """The text that was compressed; nothing where it is damaged."""
    try:
        return zlib.decompress(packed).decode() if isinstance(packed, bytes) else ""
    except (zlib.error, UnicodeDecodeError):
        return ""
