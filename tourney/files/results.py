"""Read plain results files: a row for each player of each game, with their rank.

The columns are `seq`, `rank` and `driver` or `player`; `date` and `race` or `game` are optional; other columns are
ignored. The rows of one `seq` are one game.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from math import inf
from typing import Final, Literal, NamedTuple

from tourney.domain.errors import TourneyError
from tourney.domain.rankings import BackwardDate
from tourney.files.column_names import NO_NAMES, ColumnNames
from tourney.files.named import Path, refusal, shown
from tourney.files.rows import read_columns
from tourney.ratings.parameters import RatingError
from tourney.text.dates import date_hint, read_date, shown_dates
from tourney.text.i18n import _

_RANK: Final = re.compile(r"0*[1-9][0-9]{0,8}", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}([.,][0-9]{1,18})?", re.ASCII)
_DIGITS: Final = re.compile(r"([0-9]+)", re.ASCII)

_PLACES: Final = {str(place): place for place in range(1, 100)}
"""The place that each usual rank stands for."""

_HEADERS: Final[Mapping[str, Sequence[str]]] = {
    "seq": ("seq",),
    "rank": ("rank",),
    "player": ("player", "driver"),
    "date": ("date",),
    "game": ("game", "race"),
}

FIELDS: Final = tuple(_HEADERS)

_Seq = tuple[int | float, tuple[str, ...], str]
"""The sorting key of a seq: its number; or 0, its text split before and after each number, and the text."""

_FIRST: Final[_Seq] = (-inf, (), "")

_Row = tuple[int, tuple[str, ...]]
"""The line of a row, and its seq, rank, player, date and game."""


class FileGame(NamedTuple):
    """One game of a results file: its number in the order of rating (from 1), and its first line in the file.

    `players` and `places` (1 best, equal = tie) are in the order of the rows; `date` (ISO) and `name` may be "".
    """

    number: int
    seq: str
    date: str
    name: str
    line: int
    players: tuple[str, ...]
    places: tuple[int, ...]


Dates = Literal["kept", "needed"]
"""The treatment of dates: kept if all games have one, or needed for every game."""

MAX_DATE_CHANGES: Final = 20_000
"""The most changes of the date that are remembered of a file: a game a day for half a century."""


class _Days:
    """The days on which the games of a file were played; none once a game has no date, or days change too often."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []
        self.undated: int | None = None
        """The line of the first game without a date."""
        self.any_dated = False
        """True once a game has a date."""
        self.backwards: BackwardDate | None = None
        """The first game that is older than one before it."""
        self._newest = ""
        self._last: str | None = None
        self._keeping = True

    def add(self, game: FileGame) -> None:
        """Add the date of the next game."""
        self.any_dated = self.any_dated or game.date != ""
        if game.date and game.date < self._newest and self.backwards is None:
            self.backwards = BackwardDate(game.line, game.date, self._newest)
        self._newest = max(self._newest, game.date)
        if not self._keeping or game.date == self._last:
            return
        self._last = game.date
        self.found.append((game.number, game.date))
        if not game.date:
            self.undated = game.line
        if self.undated is not None or len(self.found) > MAX_DATE_CHANGES:
            self._keeping = False
            self.found.clear()


MAX_NAME_CHARACTERS: Final = 1_000_000
"""The most characters that are remembered of the names of a file's games: twenty thousand long names."""

_CHARACTERS_PER_NAME: Final = 10
"""The characters that each name counts for in addition to its own."""


class _Names:
    """The names of the games of a file, as long as there are not too many to remember."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []
        self.too_many = False
        self._last = ""
        self._remaining = MAX_NAME_CHARACTERS

    def add(self, game: FileGame) -> None:
        """Add the name of the next game."""
        if self.too_many or game.name == self._last:
            return
        self._last = game.name
        self._remaining -= len(game.name) + _CHARACTERS_PER_NAME
        self.found.append((game.number, game.name))
        if self._remaining < 0:
            self.too_many = True
            self.found.clear()


class ResultsFile:
    """The games of a results file with two or more players, in the order of their seq.

    Seqs are sorted as numbers if all of them are numbers, otherwise as text in which numbers count as numbers (`R2`
    before `R10`). A file in that order is streamed; any other is held in memory and sorted, rows of a game staying in
    their order. Each iteration reads the file again; the attributes describe what the latest one has read so far, and
    `games_of_one` counts the games that it has left out.
    """

    def __init__(
        self,
        path: Path,
        columns: Mapping[str, str] | None = None,
        dates: Dates = "kept",
        names: ColumnNames = NO_NAMES,
    ) -> None:
        self.games_of_one = 0
        self._dates = dates
        self._days = _Days()
        self._names = _Names()
        self._path = path
        self._headers = _headers(columns)
        self._column_names = names

    @property
    def days(self) -> Sequence[tuple[int, str]]:
        """Return the days (ISO), each with the number of its first game; none unless all games have a date."""
        return self._days.found

    @property
    def undated(self) -> int | None:
        """Return the line of the first game without a date; None if all games have one, or none has."""
        return self._days.undated if self._days.any_dated else None

    @property
    def backwards(self) -> BackwardDate | None:
        """Return the first game that is older than one before it; None if the days never run backwards."""
        return self._days.backwards

    @property
    def names(self) -> Sequence[tuple[int, str]]:
        """Return the names, each with the number of its first game; none if there are too many to keep."""
        return self._names.found

    @property
    def unnamed(self) -> bool:
        """Return whether the games have more names than are kept."""
        return self._names.too_many

    def __iter__(self) -> Iterator[FileGame]:
        self.games_of_one = 0
        self._days, self._names = _Days(), _Names()
        number = 0
        key, ordered = self._order()
        rows = self._rows() if ordered else sorted(self._rows(), key=lambda row: key(row[1][0]))
        for group in _groups(rows, key):
            game = _game(self._path, number + 1, group)
            if len(game.players) > 1:
                number += 1
                if self._dates == "needed" and not game.date:
                    hint = _("a pool with absence in its parameters needs the date of every game, as 2026-05-01")
                    raise refusal(self._path, game.line, _("no date"), hint)
                self._days.add(game)
                self._names.add(game)
                yield game
            else:
                self.games_of_one += 1
        if number == 0:
            hint = _("the rows of one game have the same seq")
            raise refusal(self._path, 0, _("no game of two or more players"), hint)

    def _rows(self) -> Iterator[_Row]:
        return read_columns(self._path, ("seq", "rank", "player"), ("date", "game"), self._headers, self._column_names)

    def _order(self) -> tuple[Callable[[str], _Seq], bool]:
        """Return the key that sorts the seqs, and whether the file is in that order."""
        ordered, last = True, _FIRST
        for seq, _rows in groupby(self._rows(), key=_seq_of):
            if not _NUMBER.fullmatch(seq):
                keys = (_text_key(seq) for seq, _rows in groupby(self._rows(), key=_seq_of))
                return _text_key, all(earlier <= later for earlier, later in pairwise(keys))
            key = _number_key(seq)
            ordered, last = ordered and last <= key, key
        return _number_key, ordered


def read_results(
    path: Path,
    columns: Mapping[str, str] | None = None,
    dates: Dates = "kept",
    names: ColumnNames = NO_NAMES,
) -> ResultsFile:
    """Return the results file, which is read as its games are iterated.

    `columns` says which header stands for seq, rank, player, date or game. Raises RatingError at once if it names
    another column. Iterating raises TourneyError REFUSED, with file and line, for everything that `read_columns`
    refuses, an empty seq or player, a rank that is not a whole number from 1, an impossible date, a player twice or two
    dates in a game, no game of two players at all, and a game without a date if dates are needed.
    """
    return ResultsFile(path, columns, dates, names)


@lru_cache(maxsize=1000)
def _day(date: str) -> str | None:
    """Return the day (ISO) that a cell names; None for text that is not a date. Neighbouring games share their day."""
    return read_date(date)


def _headers(columns: Mapping[str, str] | None) -> dict[str, Sequence[str]]:
    headers = dict(_HEADERS)
    for name, header in (columns or {}).items():
        if name not in headers:
            raise RatingError(
                "no column '{name}' in a results file",
                _("there are: {names}").format(names=", ".join(headers)),
                name=shown(name),
            )
        headers[name] = (header,)
    return headers


def _seq_of(row: _Row) -> str:
    return row[1][0]


def _number_key(seq: str) -> _Seq:
    return (float(seq.replace(",", ".")) if "." in seq or "," in seq else int(seq), (), "")


def _text_key(seq: str) -> _Seq:
    parts = _DIGITS.split(seq)
    # Digits with their count in front compare as numbers do, however many digits there are.
    parts[1::2] = [f"{len(digits.lstrip('0')):06}{digits.lstrip('0')}" for digits in parts[1::2]]
    return (0, tuple(parts), seq)


def _groups(rows: Iterable[_Row], key: Callable[[str], _Seq]) -> Iterator[list[_Row]]:
    """Yield the rows of each game: neighbours whose seqs compare as equal."""
    group: list[_Row] = []
    seq, compared = "", _FIRST
    for row in rows:
        if row[1][0] != seq or not group:
            seq, before = row[1][0], compared
            compared = key(seq)
            if group and compared != before:
                yield group
                group = []
        group.append(row)
    if group:
        yield group


def _game(path: Path, number: int, rows: Sequence[_Row]) -> FileGame:
    seqs, ranks, players, dates, names = zip(*(values for _line, values in rows), strict=True)
    if not seqs[0] or "" in players or len(set(players)) < len(players):
        raise _fault(path, rows)
    places = tuple([_PLACES.get(rank) or _place(path, row) for rank, row in zip(ranks, rows, strict=True)])
    same_date = dates.count(dates[0]) == len(dates)
    day = _day(dates[0]) if same_date and dates[0] else None
    date = day if day is not None else _date(path, rows)
    return FileGame(number, seqs[0], date, names[0], rows[0][0], players, places)


def _fault(path: Path, rows: Sequence[_Row]) -> TourneyError:
    """Return what is missing or repeated in the rows of a game."""
    lines: dict[str, int] = {}
    for line, (seq, _rank, player, _date, _name) in rows:
        if not seq:
            return refusal(path, line, _("no seq"), _("every row names its game by a seq"))
        if not player:
            return refusal(path, line, _("no player"), _("every row names a player"))
        if player in lines:
            twice = _("'{player}' appears twice in game {game}, first in line {line}").format(
                player=shown(player), game=shown(seq), line=lines[player]
            )
            return refusal(path, line, twice, _("remove one of the rows"))
        lines[player] = line
    raise AssertionError("a game without a fault")


def _date(path: Path, rows: Sequence[_Row]) -> str:
    """Return the one day that the rows of a game name; rows may leave it empty."""
    first_date, first_line = "", 0
    for line, (seq, _rank, _player, date, _name) in rows:
        if not date:
            continue
        day = _day(date)
        if day is None:
            hint = _("{hint}, or leave it empty if it is not known").format(hint=date_hint(date))
            raise refusal(path, line, _("date '{date}' is not a date").format(date=shown(date)), hint)
        if first_date and day != first_date:
            two = _("game {game} has a second date, {day}; it is {first} in line {line}").format(
                game=shown(seq), day=shown_dates(day), first=shown_dates(first_date), line=first_line
            )
            raise refusal(path, line, two, _("the rows of one seq are one game, of one day"))
        if not first_date:
            first_date, first_line = day, line
    return first_date


def _place(path: Path, row: _Row) -> int:
    line, (_seq, rank, _player, _date, _name) = row
    if not _RANK.fullmatch(rank):
        message = _("rank '{rank}' is not a whole number from 1").format(rank=shown(rank))
        raise refusal(path, line, message, _("1 is the best, equal is a tie"))
    return int(rank)
