"""A seating as a file: JSON as `seating plan` and `round show` print it, or CSV round,table,seat,player."""

import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.csv import Row, counted, read_rows
from tourney.files.named import Path, read_bytes, shown, why_given_up
from tourney.text.i18n import _
from tourney.text.names import clean, fold

MOST_BYTES: Final = 5_000_000
"""A thousand players over six rounds take a hundred thousand."""

MOST_SEATS: Final = 8
"""The largest table at which Continental is played."""

_OUT: Final = 0
"""The table of those who sit a round out."""


@dataclass(frozen=True, slots=True)
class SeatingFile:
    """A seating by name, round by round; the first player of a table deals first.

    `numbers[r][t]` is the number of the table `rounds[r][t]`, ascending; numbers may be left out. `sitting_out[r]` are
    those of whom the file says so. A name stands everywhere as it is spelled first.
    """

    rounds: tuple[tuple[tuple[str, ...], ...], ...]
    numbers: tuple[tuple[int, ...], ...]
    sitting_out: tuple[tuple[str, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return everybody once, in the order of the file."""
        everybody = (
            name
            for tables, out in zip(self.rounds, self.sitting_out, strict=True)
            for names in (*tables, out)
            for name in names
        )
        return tuple(dict.fromkeys(everybody))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A player's place in a round, and `where` it stands in the file."""

    round: int
    table: int
    seat: int
    name: str
    where: str


class _Twice(ValueError):
    """A field that an object has twice."""


_Tables = dict[int, dict[int, _Entry]]
"""Entries by table and seat."""


def read_seating(path: Path, alone: int = 1, limits: tuple[int, int] = (2, MOST_SEATS)) -> SeatingFile:
    """Return the seating that the file holds; names match whatever their accents and case.

    Rounds are numbered from 1; a file of one round may also give it the number `alone`. `limits` are the sizes of the
    smallest and the largest table.

    Raises TourneyError NOT_FOUND where there is no file; REFUSED, saying where, for what is neither such JSON nor such
    CSV, for a seat or a player twice in a round, for seats and rounds left out, and tables of other sizes.
    """
    raw = read_bytes(path, MOST_BYTES, _hint())
    if b"\0" in raw:
        hint = _("save it as UTF-8; {hint}").format(hint=_hint())
        raise _refusal(path, "", _("this is not UTF-8 text"), hint)
    entries = _json_entries(path, raw) if raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else _csv_entries(path)
    rounds: dict[int, _Tables] = {}
    for entry in _same_spelling(entries):
        seats = rounds.setdefault(entry.round, {}).setdefault(entry.table, {})
        if entry.seat in seats:
            message = _("seat {seat} of this table is taken already").format(seat=entry.seat)
            raise _refusal(path, entry.where, message, _("give each seat to one player"))
        seats[entry.seat] = entry
    ordered = [_round(path, rounds, number, limits) for number in _rounds_read(path, rounds, alone)]
    if not ordered:
        raise _refusal(path, "", _("there are no rounds"), _hint())
    return SeatingFile(
        tuple(tuple(map(_names, tables)) for tables, _out in ordered),
        tuple(tuple(table[0].table for table in tables) for tables, _out in ordered),
        tuple(_names(out) for _tables, out in ordered),
    )


def _hint() -> str:
    return _('a seating is JSON, {"rounds": [[["Ana", "Beñat"], …], …]}, or CSV with round,table,seat,player')


def _refusal(path: Path, where: str, message: str, hint: str) -> TourneyError:
    return TourneyError(ExitCode.REFUSED, f"{_place(path, where)}: {message}", hint)


def _place(path: Path, where: str) -> str:
    """Return the file, and where in it unless the file as a whole is meant."""
    name = shown(os.fspath(path), 200)
    return f"{name}, {where}" if where else name


def _names(entries: Sequence[_Entry]) -> tuple[str, ...]:
    return tuple(entry.name for entry in entries)


def _same_spelling(entries: Iterator[_Entry]) -> Iterator[_Entry]:
    first: dict[str, str] = {}
    for entry in entries:
        name = first.setdefault(fold(entry.name), entry.name)
        yield _Entry(entry.round, entry.table, entry.seat, name, entry.where)


def _rounds_read(path: Path, rounds: Collection[int], alone: int) -> Sequence[int]:
    """Return the numbers of the rounds. Raises TourneyError REFUSED for one round other than the one asked for."""
    if set(rounds) == {alone}:
        return (alone,)
    if len(rounds) == 1 and 1 not in rounds:
        message = _("the file has only round {round}, and not round {alone}").format(round=min(rounds), alone=alone)
        hint = _("give a file of round {alone} alone, or of all rounds from 1").format(alone=alone)
        raise _refusal(path, "", message, hint)
    return range(1, max(rounds, default=0) + 1)


def _round(
    path: Path, rounds: dict[int, _Tables], number: int, limits: tuple[int, int]
) -> tuple[list[list[_Entry]], list[_Entry]]:
    """Return the tables of a round in order, each in seat order, and who has a bye."""
    if set(rounds.get(number, ())) <= {_OUT}:
        raise _no_tables(path, number)
    seen: dict[str, _Entry] = {}
    for seats in rounds[number].values():
        for entry in seats.values():
            if seen.setdefault(entry.name, entry) is not entry:
                message = _("{name} stands in round {round} twice").format(name=shown(entry.name), round=number)
                raise _refusal(path, entry.where, message, _("seat everybody once in a round"))
    tables = [_table(path, rounds[number][table], limits) for table in sorted(rounds[number]) if table != _OUT]
    return tables, list(rounds[number].get(_OUT, {}).values())


def _no_tables(path: Path, number: int) -> TourneyError:
    message = _("round {round} has no tables").format(round=number)
    return _refusal(path, "", message, _("number the rounds from 1, leaving none out, and seat somebody in each"))


def _table(path: Path, seats: dict[int, _Entry], limits: tuple[int, int]) -> list[_Entry]:
    entries = [seats[seat] for seat in sorted(seats)]
    place = _("round {round}, table {table}").format(round=entries[0].round, table=entries[0].table)
    least, most = limits
    if not least <= len(entries) <= most:
        message = _("a table of {number}").format(number=len(entries))
        hint = _("{least} to {most} play at a table").format(least=least, most=most)
        raise _refusal(path, place, message, hint)
    missing = next((seat for seat, taken in enumerate(sorted(seats), 1) if seat != taken), None)
    if missing is not None:
        message = _("seat {seat} is missing").format(seat=missing)
        raise _refusal(path, place, message, _("number the seats of a table from 1"))
    return entries


def _csv_entries(path: Path) -> Iterator[_Entry]:
    """Yield an entry for each row; a row without table and seat is a bye."""
    outs: dict[int, int] = {}
    for row in read_rows(path, ("round", "table", "seat", "player")):
        where = _("line {line}").format(line=row.line)
        number, name = _number(path, row, "round"), clean(row.values["player"], where=_place(path, where))
        if row.values["table"] == row.values["seat"] == "":
            outs[number] = outs.get(number, 0) + 1
            yield _Entry(number, _OUT, outs[number], name, where)
        else:
            yield _Entry(number, _number(path, row, "table"), _number(path, row, "seat"), name, where)


def _number(path: Path, row: Row, column: str) -> int:
    return counted(
        path, row, column, _("number rounds, tables and seats from 1; who sits out has neither table nor seat")
    )


def _json_entries(path: Path, raw: bytes) -> Iterator[_Entry]:
    document = _document(path, raw)
    rounds = _list(path, document.get("rounds"), _("rounds"))
    outs = _list(path, document.get("sitting_out", []), _("sitting_out"))
    if len(outs) not in (0, len(rounds)):
        message = _("sitting_out is {outs} long, and rounds {rounds}").format(outs=len(outs), rounds=len(rounds))
        raise _refusal(path, "", message, _("give a list for each round, empty where nobody sits out"))
    for number, tables in enumerate(rounds, 1):
        if not _list(path, tables, _("round {round}").format(round=number)):
            raise _no_tables(path, number)
        for table, players in enumerate(tables, 1):
            place = _("round {round}, table {table}").format(round=number, table=table)
            if not _list(path, players, place):
                raise _refusal(path, place, _("nobody sits there"), _("leave the table out"))
            yield from _seats(path, number, table, players, place)
        if outs:
            place = _("sitting_out, round {round}").format(round=number)
            yield from _seats(path, number, _OUT, _list(path, outs[number - 1], place), place)


def _seats(path: Path, number: int, table: int, players: list[Any], place: str) -> Iterator[_Entry]:
    for seat, player in enumerate(players, 1):
        if not isinstance(player, str | int) or isinstance(player, bool):
            message = _("seat {seat} holds no name").format(seat=seat)
            raise _refusal(path, place, message, _("write players by name, or by number"))
        yield _Entry(number, table, seat, clean(str(player), where=_place(path, place)), place)


def _document(path: Path, raw: bytes) -> dict[str, Any]:
    try:
        document = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError:
        raise _refusal(path, "", _("the file is not UTF-8 text"), _("save it as UTF-8")) from None
    except json.JSONDecodeError as error:
        where = _("line {line}").format(line=error.lineno)
        raise _refusal(path, where, _("this is not JSON: {why}").format(why=error.msg), _hint()) from None
    except (ValueError, RecursionError) as error:
        raise _refusal(path, "", _("this is not a seating: {why}").format(why=why_given_up(error)), _hint()) from None
    if not isinstance(document, dict) or "rounds" not in document:
        raise _refusal(path, "", _("this JSON has no “rounds”"), _hint())
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object without repeated fields; a repeated field is refused, since nobody knows which one counts."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(name for place, (name, _value) in enumerate(pairs) if name in dict(pairs[:place]))
        raise _Twice(_("“{field}” stands there twice").format(field=shown(twice)))
    return fields


def _list(path: Path, value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        message = _("“{value}” stands where a list should be").format(value=shown(str(value)))
        raise _refusal(path, where, message, _hint())
    return value
