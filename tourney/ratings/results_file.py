"""Plain results files: a row for each player of each game, with his rank.

Columns `seq`, `rank` and `driver` or `player`; `date` and `race` or `game` if there; others are ignored. The
rows of one `seq` are one game.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from tourney.named_files import Path, shown
from tourney.ratings.parameters import RatingError
from tourney.ratings.values import RatedTable
from tourney.spreadsheet import Row, read_rows, refusal

_RANK: Final = re.compile(r"0*[1-9][0-9]{0,8}", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?", re.ASCII)
_DIGITS: Final = re.compile(r"([0-9]+)", re.ASCII)

_HEADERS: Final[Mapping[str, Sequence[str]]] = {
    "seq": ("seq",),
    "rank": ("rank",),
    "player": ("player", "driver"),
    "date": ("date",),
    "game": ("game", "race"),
}

_Seq = tuple[int | float, tuple[str, ...], str]
"""What a seq sorts by: its number; or 0, the parts of its text between and within numbers, and the text."""


@dataclass(frozen=True, slots=True)
class FileGame:
    """One game of a results file: its number in the order of rating (from 1), and its first line there.

    `players` and `places` (1 best, equal = tie) stand in the order of the rows. `date` and `name` are ""
    where the file has none.
    """

    number: int
    seq: str
    date: str
    name: str
    line: int
    players: tuple[str, ...]
    places: tuple[int, ...]

    def rated(self, event: str) -> RatedTable:
        """The game as a step of rating: a results file is one event of one round, its games the tables."""
        return RatedTable(("", event, 1, self.number), self.players, self.places)


def read_results(path: Path, columns: Mapping[str, str] | None = None) -> Iterator[FileGame]:
    """The games of two or more players of a results file, in the order of their seq.

    Seqs are put in order as numbers if all of them are, otherwise as text in which numbers count as numbers
    (`R2` before `R10`). A file in that order is streamed; any other is held in memory and sorted, rows of a
    game staying in their order. `columns` says which header stands for seq, rank, player, date or game.

    Raises TourneyError with file and line: everything that `read_rows` refuses, a seq or player left empty,
    a rank that is no whole number from 1, a player twice in a game, no game of two players at all.
    """
    headers = _headers(columns)
    key = _number_key if all(map(_NUMBER.fullmatch, _seqs(path, headers))) else _text_key
    rows: Iterable[Row] = _rows(path, headers)
    if any(one > other for one, other in pairwise(map(key, _seqs(path, headers)))):
        rows = sorted(rows, key=lambda row: key(row.values["seq"]))
    number = 0
    for _, group in groupby(rows, key=lambda row: key(row.values["seq"])):
        game = _game(path, number + 1, list(group))
        if len(game.players) > 1:
            number += 1
            yield game
    if number == 0:
        raise refusal(path, 0, "no game of two or more players", "the rows of one game have the same seq")


def _headers(columns: Mapping[str, str] | None) -> dict[str, Sequence[str]]:
    headers = dict(_HEADERS)
    for name, header in (columns or {}).items():
        if name not in headers:
            raise RatingError(f"no column '{shown(name)}' in a results file", f"there are: {', '.join(headers)}")
        headers[name] = (header,)
    return headers


def _rows(path: Path, headers: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    return read_rows(path, ("seq", "rank", "player"), ("date", "game"), headers)


def _seqs(path: Path, headers: Mapping[str, Sequence[str]]) -> Iterator[str]:
    return (row.values["seq"] for row in _rows(path, headers))


def _number_key(seq: str) -> _Seq:
    return (float(seq) if "." in seq else int(seq), (), "")


def _text_key(seq: str) -> _Seq:
    parts = _DIGITS.split(seq)
    # Digits behind their count compare as numbers do, however many there are.
    parts[1::2] = [f"{len(digits.lstrip('0')):06}{digits.lstrip('0')}" for digits in parts[1::2]]
    return (0, tuple(parts), seq)


def _game(path: Path, number: int, rows: Sequence[Row]) -> FileGame:
    first = rows[0]
    if not first.values["seq"]:
        raise refusal(path, first.line, "no seq", "every row names its game by a seq")
    lines: dict[str, int] = {}
    for row in rows:
        player = row.values["player"]
        if not player:
            raise refusal(path, row.line, "no player", "every row names a player")
        if player in lines:
            twice = f"'{shown(player)}' stands twice in game {shown(first.values['seq'])}"
            raise refusal(path, row.line, f"{twice}, first in line {lines[player]}", "remove one of the rows")
        lines[player] = row.line
    return FileGame(
        number=number,
        seq=first.values["seq"],
        date=first.values.get("date", ""),
        name=first.values.get("game", ""),
        line=first.line,
        players=tuple(lines),
        places=tuple(_place(path, row) for row in rows),
    )


def _place(path: Path, row: Row) -> int:
    rank = row.values["rank"]
    if not _RANK.fullmatch(rank):
        raise refusal(
            path, row.line, f"rank '{shown(rank)}' is no whole number from 1", "1 is the best, equal is a tie"
        )
    return int(rank)
