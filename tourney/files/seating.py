"""Read a seating from a file: JSON as `seating plan` and `round show` print it, or CSV round,table,seat,player."""

import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import Path, read_bytes, read_failure, shown
from tourney.files.rows import MAX_NUMBER, Row, read_rows, whole_number
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean, fold

MAX_BYTES: Final = 5_000_000
"""The maximum size of a seating file; one of a thousand players over six rounds has 100,000 bytes."""

MAX_SEATS: Final = 8
"""The largest table at which Continental is played."""

_BYES: Final = 0
"""The table number under which the byes of a round are kept."""


@dataclass(frozen=True, slots=True)
class SeatingFile:
    """A seating by name, round by round; the first player of a table deals first.

    `numbers[r][t]` is the number of the table `rounds[r][t]`; the numbers of a round ascend, perhaps with gaps.
    `sitting_out[r]` are the players with a bye in the file. A name with several spellings has the first one everywhere.
    """

    rounds: tuple[tuple[tuple[str, ...], ...], ...]
    numbers: tuple[tuple[int, ...], ...]
    sitting_out: tuple[tuple[str, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of each player once, in the order of the file."""
        names = (
            name
            for tables, byes in zip(self.rounds, self.sitting_out, strict=True)
            for players in (*tables, byes)
            for name in players
        )
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class _SeatRow:
    """A player's seat or bye in a round, and `where` the file has it."""

    round: int
    table: int
    seat: int
    name: str
    where: str


class _RepeatedField(ValueError):
    """A JSON object has a field twice."""


_Tables = dict[int, dict[int, _SeatRow]]
"""Seat rows by table and seat."""


def read_seating(path: Path, only_round: int = 1, limits: tuple[int, int] = (2, MAX_SEATS)) -> SeatingFile:
    """Return the seating that the file holds; names match whatever their accents and case.

    Rounds are numbered from 1; a file of one round may also give it the number `only_round`. `limits` are the sizes of
    the smallest and the largest table.

    Raises TourneyError NOT_FOUND if there is no file; REFUSED, saying where, for text that is neither such JSON nor
    such CSV, for a seat or a player twice in a round, for missing seats and rounds, and for tables of other sizes.
    """
    raw = read_bytes(path, MAX_BYTES, _hint())
    if b"\0" in raw:
        hint = _("save it as UTF-8; {hint}").format(hint=_hint())
        raise _refusal(path, "", _("this is not UTF-8 text"), hint)
    is_json = raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    rounds: dict[int, _Tables] = {}
    for entry in _same_spelling(_json_rows(path, raw) if is_json else _csv_rows(path)):
        seats = rounds.setdefault(entry.round, {}).setdefault(entry.table, {})
        if entry.seat in seats:
            message = _("seat {seat} of this table is taken already").format(seat=entry.seat)
            raise _refusal(path, entry.where, message, _("give each seat to one player"))
        seats[entry.seat] = entry
    ordered = [_round(path, rounds, number, limits) for number in _rounds_read(path, rounds, only_round)]
    if not ordered:
        raise _refusal(path, "", _("there are no rounds"), _hint())
    return SeatingFile(
        tuple(tuple(map(_names, tables)) for tables, _byes in ordered),
        tuple(tuple(table[0].table for table in tables) for tables, _byes in ordered),
        tuple(_names(byes) for _tables, byes in ordered),
    )


def _hint() -> str:
    return _('a seating is JSON, {"rounds": [[["Ana", "Beñat"], …], …]}, or CSV with round,table,seat,player')


def _refusal(path: Path, where: str, message: str, hint: str) -> TourneyError:
    return TourneyError(ExitCode.REFUSED, f"{_place(path, where)}: {message}", hint)


def _place(path: Path, where: str) -> str:
    """Return the file, and where in it unless the file as a whole is meant."""
    name = shown(os.fspath(path), 200)
    return f"{name}, {where}" if where else name


def _names(entries: Sequence[_SeatRow]) -> tuple[str, ...]:
    return tuple(entry.name for entry in entries)


def _same_spelling(entries: Iterator[_SeatRow]) -> Iterator[_SeatRow]:
    first: dict[str, str] = {}
    for entry in entries:
        name = first.setdefault(fold(entry.name), entry.name)
        yield _SeatRow(entry.round, entry.table, entry.seat, name, entry.where)


def _rounds_read(path: Path, rounds: Collection[int], only_round: int) -> Sequence[int]:
    """Return the numbers of the rounds. Raises TourneyError REFUSED for a single round with another number."""
    if set(rounds) == {only_round}:
        return (only_round,)
    if len(rounds) == 1 and 1 not in rounds:
        message = _("the file holds round {round}; round {wanted} is wanted").format(
            round=min(rounds), wanted=only_round
        )
        hint = _("give a file of round {wanted} only, or of all rounds from 1").format(wanted=only_round)
        raise _refusal(path, "", message, hint)
    return range(1, max(rounds, default=0) + 1)


def _round(
    path: Path, rounds: dict[int, _Tables], number: int, limits: tuple[int, int]
) -> tuple[list[list[_SeatRow]], list[_SeatRow]]:
    """Return the tables of a round in order, each in seat order, and who has a bye."""
    if set(rounds.get(number, ())) <= {_BYES}:
        raise _no_tables(path, number)
    seen: dict[str, _SeatRow] = {}
    for seats in rounds[number].values():
        for entry in seats.values():
            if seen.setdefault(entry.name, entry) is not entry:
                message = _("{name} appears twice in round {round}").format(name=shown(entry.name), round=number)
                raise _refusal(path, entry.where, message, _("seat everybody once in a round"))
    tables = [_table(path, rounds[number][table], limits) for table in sorted(rounds[number]) if table != _BYES]
    return tables, list(rounds[number].get(_BYES, {}).values())


def _no_tables(path: Path, number: int) -> TourneyError:
    message = _("round {round} has no tables").format(round=number)
    return _refusal(path, "", message, _("number the rounds from 1, leaving none out, and seat somebody in each"))


def _table(path: Path, seats: dict[int, _SeatRow], limits: tuple[int, int]) -> list[_SeatRow]:
    entries = [seats[seat] for seat in sorted(seats)]
    place = _("round {round}, table {table}").format(round=entries[0].round, table=entries[0].table)
    least, most = limits
    if not least <= len(entries) <= most:
        message = ngettext("the table has {number} player", "the table has {number} players", len(entries))
        message = message.format(number=len(entries))
        hint = _("a table has {least} to {most} players").format(least=least, most=most)
        raise _refusal(path, place, message, hint)
    missing = next((seat for seat, taken in enumerate(sorted(seats), 1) if seat != taken), None)
    if missing is not None:
        message = _("seat {seat} is missing").format(seat=missing)
        raise _refusal(path, place, message, _("number the seats of a table from 1"))
    return entries


def _csv_rows(path: Path) -> Iterator[_SeatRow]:
    """Yield the rows of a CSV file; a row without table and seat is a bye."""
    byes: dict[int, int] = {}
    for row in read_rows(path, ("round", "table", "seat", "player")):
        where = _("line {line}").format(line=row.line)
        number, name = _number(path, row, "round"), clean(row.values["player"], where=_place(path, where))
        if row.values["table"] == row.values["seat"] == "":
            byes[number] = byes.get(number, 0) + 1
            yield _SeatRow(number, _BYES, byes[number], name, where)
        else:
            yield _SeatRow(number, _number(path, row, "table"), _number(path, row, "seat"), name, where)


def _number(path: Path, row: Row, column: str) -> int:
    return whole_number(
        path, row, column, _("number rounds, tables and seats from 1; who sits out has neither table nor seat")
    )


def _json_rows(path: Path, raw: bytes) -> Iterator[_SeatRow]:
    document = _document(path, raw)
    rounds = _list(path, document.get("rounds"), "rounds")
    byes = _list(path, document.get("sitting_out", []), "sitting_out")
    if len(byes) not in (0, len(rounds)):
        message = _("sitting_out and rounds differ in length: {byes} and {rounds}")
        message = message.format(byes=len(byes), rounds=len(rounds))
        raise _refusal(path, "", message, _("give a list for each round, empty where nobody sits out"))
    for number, tables in enumerate(rounds, 1):
        if not _list(path, tables, _("round {round}").format(round=number)):
            raise _no_tables(path, number)
        for table, players in zip(_table_numbers(path, document, number, len(tables)), tables, strict=True):
            place = _("round {round}, table {table}").format(round=number, table=table)
            if not _list(path, players, place):
                raise _refusal(path, place, _("nobody sits there"), _("leave the table out"))
            yield from _seats(path, number, table, players, place)
        if byes:
            place = _("sitting_out, round {round}").format(round=number)
            yield from _seats(path, number, _BYES, _list(path, byes[number - 1], place), place)


def _table_numbers(path: Path, document: dict[str, Any], number: int, tables: int) -> Sequence[int]:
    """Return the numbers of a round's tables: those of the document, or 1, 2, 3 …"""
    if "numbers" not in document:
        return range(1, tables + 1)
    where = _("numbers, round {round}").format(round=number)
    rounds = _list(path, document["numbers"], "numbers")
    numbers = _list(path, rounds[number - 1], where) if number <= len(rounds) else []
    whole = [table for table in numbers if type(table) is int and 1 <= table <= MAX_NUMBER]
    if not len(whole) == len(numbers) == len(set(whole)) == tables:
        message = _("the tables are not numbered once each, with whole numbers from 1")
        raise _refusal(path, where, message, _("give one number for each table, or leave “numbers” out"))
    return whole


def _seats(path: Path, number: int, table: int, players: list[Any], place: str) -> Iterator[_SeatRow]:
    for seat, player in enumerate(players, 1):
        if not isinstance(player, str | int) or isinstance(player, bool):
            message = _("seat {seat} holds no name").format(seat=seat)
            raise _refusal(path, place, message, _("write players by name, or by number"))
        yield _SeatRow(number, table, seat, clean(str(player), where=_place(path, place)), place)


def _document(path: Path, raw: bytes) -> dict[str, Any]:
    try:
        document = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_without_repeats)
    except UnicodeDecodeError:
        raise _refusal(path, "", _("the file is not UTF-8 text"), _("save it as UTF-8")) from None
    except json.JSONDecodeError as error:
        where = _("line {line}").format(line=error.lineno)
        raise _refusal(path, where, _("this is not JSON: {why}").format(why=error.msg), _hint()) from None
    except (ValueError, RecursionError) as error:
        raise _refusal(path, "", _("this is not a seating: {why}").format(why=read_failure(error)), _hint()) from None
    if not isinstance(document, dict) or "rounds" not in document:
        raise _refusal(path, "", _("this JSON has no “rounds”"), _hint())
    return document


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object without repeated fields; a repeated field is refused, since nobody knows which one counts."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise _RepeatedField(_("the field “{field}” appears twice").format(field=shown(name)))
        fields[name] = value
    return fields


def _list(path: Path, value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        message = _("a list is expected, not “{value}”").format(value=shown(str(value)))
        raise _refusal(path, where, message, _hint())
    return value
