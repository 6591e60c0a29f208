"""Read the score sheets of a whole event from a spreadsheet: a row for each player at each table."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import SheetHand
from tourney.files.description import PLAIN, Description
from tourney.files.named import refusal, shown
from tourney.files.rows import Row, read_rows, whole_number
from tourney.files.sheet_toml import contract_text
from tourney.text.i18n import _

_POINTS: Final = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SheetTable:
    """One table of the file: names in seat order, the line of each, and the hands."""

    round: int
    number: int
    names: tuple[str, ...]
    lines: tuple[int, ...]
    hands: tuple[SheetHand[int], ...]


@dataclass(frozen=True, slots=True)
class _Line:
    line: int
    name: str
    seat: int
    points: tuple[int, ...]
    dead: frozenset[str]


def read_score_sheets(
    path: str | PathLike[str], contracts: Sequence[str], described: Description = PLAIN
) -> tuple[SheetTable, ...]:
    """Return the tables of the file by round and number; columns round, table, seat, player and one per contract.

    A column `dead` may name contracts that nobody closed, in any row of the table. Raises TourneyError REFUSED with
    file and line for rows that cannot be read, a seat or player twice, and missing seats or rounds.
    """
    headers = {contract: _spellings(contract) for contract in contracts}
    tables: dict[tuple[int, int], dict[int, _Line]] = {}
    for row in read_rows(path, ("round", "table", "seat", "player", *contracts), ("dead",), headers, described):
        line = _line(path, row, contracts)
        seats = tables.setdefault((_whole(path, row, "round"), _whole(path, row, "table")), {})
        if line.seat in seats:
            before = seats[line.seat].line
            message = _("seat {seat} of this table is in line {line} already").format(seat=line.seat, line=before)
            raise refusal(path, row.line, message, _("remove one of the two rows"))
        seats[line.seat] = line
    _check_rounds(path, sorted({round_number for round_number, _number in tables}))
    ordered = [_table(path, spot, tables[spot], contracts) for spot in sorted(tables)]
    _check_players(path, ordered)
    return tuple(ordered)


def _spellings(contract: str) -> tuple[str, ...]:
    """Return the contract's own name and its spelling in 003: TET for TTE, ETE for TEE."""
    return (contract, *{"TTE": ("TET",), "TEE": ("ETE",)}.get(contract, ()))


def _line(path: str | PathLike[str], row: Row, contracts: Sequence[str]) -> _Line:
    if not row.values["player"]:
        raise refusal(path, row.line, _("no player is named"), _("every row names a player"))
    points = tuple(_points(path, row, contract) for contract in contracts)
    marked = [contract_text(part) for part in re.split(r"[\s,;/+]+", row.values.get("dead", "")) if part]
    unknown = next((contract for contract in marked if contract not in contracts), None)
    if unknown is not None:
        message = _("column dead: there is no hand {hand}").format(hand=shown(unknown))
        raise refusal(path, row.line, message, _("the hands are {hands}").format(hands=" ".join(contracts)))
    return _Line(row.line, row.values["player"], _whole(path, row, "seat"), points, frozenset(marked))


def _whole(path: str | PathLike[str], row: Row, column: str) -> int:
    return whole_number(path, row, column, _("number rounds, tables and seats from 1"))


def _points(path: str | PathLike[str], row: Row, contract: str) -> int:
    value = row.values[contract].replace("−", "-")
    if not _POINTS.fullmatch(value):
        fault = _("“{value}” are not points").format(value=shown(value)) if value else _("the points are missing")
        message = _("hand {hand}: {fault}").format(hand=contract, fault=fault)
        raise refusal(path, row.line, message, _("give a whole number for every hand; 0 or a bonus for the closer"))
    return int(value)


def _table(
    path: str | PathLike[str], spot: tuple[int, int], seats: Mapping[int, _Line], contracts: Sequence[str]
) -> SheetTable:
    if sorted(seats) != list(range(1, len(seats) + 1)):
        missing = min(set(range(1, len(seats) + 1)) - set(seats))
        message = _("{place}: seat {seat} is missing").format(place=place(path, *spot), seat=missing)
        raise TourneyError(ExitCode.REFUSED, message, _("number the seats of a table from 1"))
    lines = [seats[seat] for seat in sorted(seats)]
    dead = frozenset[str]().union(*(line.dead for line in lines))
    hands = tuple(
        SheetHand(contract, {seat: line.points[index] for seat, line in enumerate(lines)}, dead=contract in dead)
        for index, contract in enumerate(contracts)
    )
    return SheetTable(*spot, tuple(line.name for line in lines), tuple(line.line for line in lines), hands)


def place(path: str | PathLike[str], round_number: int, table: int) -> str:
    """Return file, round and table as text, for messages."""
    return _("{file}, round {round}, table {table}").format(file=fspath(path), round=round_number, table=table)


def _check_rounds(path: str | PathLike[str], rounds: Sequence[int]) -> None:
    missing = next((expected for expected, found in enumerate(rounds, 1) if expected != found), None)
    if missing is not None:
        message = _("round {round} is missing").format(round=missing)
        raise refusal(path, 0, message, _("number the rounds from 1, leaving none out"))


def _check_players(path: str | PathLike[str], tables: Iterable[SheetTable]) -> None:
    seen: dict[tuple[int, str], int] = {}
    for table in tables:
        for name, line in zip(table.names, table.lines, strict=True):
            before = seen.setdefault((table.round, name), line)
            if before != line:
                first, second = sorted((before, line))
                message = _("{name} plays in round {round} twice, first in line {line}").format(
                    name=shown(name), round=table.round, line=first
                )
                raise refusal(path, second, message, _("remove one of the two rows"))
