"""Read plain results files: a row for each player of each game, with their rank.

The columns are `seq`, `rank` and `driver` or `player`; `date` and `race` or `game` are optional; other columns are
ignored. The rows of one `seq` are one game.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, groupby, islice, pairwise, repeat
from math import inf
from operator import lt, ne
from sys import intern
from typing import Any, Final, Literal, NamedTuple

from tourney.domain.errors import TourneyError
from tourney.domain.pools import BackwardDate
from tourney.files.description import PLAIN, Description, is_plain
from tourney.files.named import Block, Path, refusal, shown
from tourney.files.rank_text import is_unfinished, natural_key, read_rank
from tourney.files.rows import read_columns, too_many
from tourney.files.shaping import shaped, unfinished, unknown_rank
from tourney.ratings.parameters import RatingError
from tourney.text.dates import date_hint, read_date, shown_dates
from tourney.text.i18n import _

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}([.,][0-9]{1,18})?", re.ASCII)

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

_Key = Callable[[str], Any]
"""A key that sorts seqs: by their numbers, or by their texts, split before and after each number."""

_Rows = tuple[Block, int, int]
"""Some rows of a block: from one of them to before another."""

_Row = tuple[int, tuple[str, ...]]
"""The line of a row, and its seq, rank, player, date and game; a Block has these columns."""


class OutOfOrder(Exception):
    """The rows of a results file are not in the order of their seqs, or only its later seqs tell that order."""


class FileGame(NamedTuple):
    """One game of a results file: its number in the order of rating (from 1), and the lines of its rows in the file.

    `players` and `places` (1 best, equal = tie) are in the order of the rows; `date` (ISO) and `name` may be "".
    """

    number: int
    seq: str
    date: str
    name: str
    lines: Sequence[int]
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
        if game.date == self._last:
            return
        self.any_dated = self.any_dated or game.date != ""
        if game.date >= self._newest:
            self._newest = game.date
        elif game.date and self.backwards is None:
            self.backwards = BackwardDate(game.lines[0], game.date, self._newest)
        self._last = game.date
        if not self._keeping:
            return
        self.found.append((game.number, game.date))
        if not game.date:
            self.undated = game.lines[0]
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


MAX_SORTED: Final = 1_000_000
"""The most rows of a file that is not in the order of its seqs, and of one game: they are held in memory."""


class ResultsFile:
    """The games of a results file with two or more players, in the order of their seq.

    Seqs are sorted as numbers if all of them are numbers, otherwise as text in which numbers count as numbers (`R2`
    before `R10`). A file in that order is streamed; any other is held in memory and sorted, rows of a game staying in
    their order. Each iteration reads the file again; the attributes describe what the latest one has read so far, and
    `games_of_one` counts the games that it has left out. To know the order the file is read beforehand, unless
    `in_order` takes it for granted: then OutOfOrder is raised at the first row that is elsewhere.
    """

    def __init__(
        self,
        path: Path,
        columns: Mapping[str, str] | None = None,
        dates: Dates = "kept",
        described: Description = PLAIN,
        *,
        in_order: bool = False,
    ) -> None:
        self.games_of_one = 0
        self._in_order = in_order
        self._dates = dates
        self._days = _Days()
        self._names = _Names()
        self._path = path
        self._headers = _headers({**described.layout.columns, **(columns or {})})
        self._described = described
        self._shaped: list[Block] = []

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
        number, date, name = 0, None, None
        key, blocks = self._as_found() if self._in_order else self._by_seq()
        for rows in _games(self._path, blocks, key, in_order=self._in_order):
            game = _game(self._path, number + 1, rows, self._refuse_twice)
            if len(game.players) > 1:
                number += 1
                if self._dates == "needed" and not game.date:
                    hint = _("a pool with absence in its parameters needs the date of every game, as 2026-05-01")
                    raise refusal(self._path, game.lines[0], _("no date"), hint)
                if game.date != date or game.name != name:
                    date, name = game.date, game.name
                    self._days.add(game)
                    self._names.add(game)
                yield game
            else:
                self.games_of_one += 1
        if number == 0:
            hint = _("the rows of one game have the same seq")
            raise refusal(self._path, 0, _("no game of two or more players"), hint)

    def _blocks(self) -> Iterator[Block]:
        if is_plain(self._described.layout):
            return read_columns(self._path, ("seq", "rank", "player"), ("date", "game"), self._headers, self._described)
        self._shaped = self._shaped or list(shaped(self._path, self._headers, self._described))
        return iter(self._shaped)

    def _refuse_twice(self) -> None:
        """Raise TourneyError REFUSED with all players who are in a game twice."""
        list(shaped(self._path, self._headers, self._described))

    def _seqs(self) -> Iterator[list[str]]:
        """Yield the seqs block by block, each once where rows that follow each other have the same."""
        return ([seq for seq, _rows in groupby(columns[0])] for _lines, columns in self._blocks())

    def _as_found(self) -> tuple[_Key, Iterator[Block]]:
        """Return the key that sorts the seqs, as the first of them tell it, and the blocks in the order of the file."""
        blocks = self._blocks()
        first = list(islice(blocks, 1))
        numbers = all(_NUMBER.fullmatch(seq) for block in first for seq in block.columns[0])
        return _number_key if numbers else natural_key, chain(first, blocks)

    def _by_seq(self) -> tuple[_Key, Iterator[Block]]:
        """Return the key that sorts the seqs, and the blocks in that order."""
        key, ordered = self._order()
        return key, self._blocks() if ordered else _sorted(self._path, self._blocks(), key)

    def _order(self) -> tuple[_Key, bool]:
        """Return the key that sorts the seqs, and whether the file is in that order."""
        ordered, last = True, -inf
        for seqs in self._seqs():
            if not all(map(_NUMBER.fullmatch, seqs)):
                keys = map(natural_key, chain.from_iterable(self._seqs()))
                return natural_key, all(earlier <= later for earlier, later in pairwise(keys))
            numbers = [last, *map(_number_key, seqs)]
            ordered, last = ordered and numbers == sorted(numbers), numbers[-1]
        return _number_key, ordered


def read_results(
    path: Path,
    columns: Mapping[str, str] | None = None,
    dates: Dates = "kept",
    described: Description = PLAIN,
    *,
    in_order: bool = False,
) -> ResultsFile:
    """Return the results file, which is read as its games are iterated.

    `columns` says which header stands for seq, rank, player, date or game; `in_order` is that of `ResultsFile`. Raises
    RatingError at once if `columns` names another column. Iterating raises TourneyError REFUSED, with file and line,
    for everything that `read_columns` refuses, an empty seq or player, a rank that is not a place, an impossible date,
    a player twice or two dates in a game, no game of two players at all, and a game without a date if dates are needed.
    """
    return ResultsFile(path, columns, dates, described, in_order=in_order)


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


def _number_key(seq: str) -> float:
    return float(seq.replace(",", ".")) if "." in seq or "," in seq else int(seq)


def _sorted(path: Path, blocks: Iterable[Block], key: _Key) -> Iterator[Block]:
    """Yield all rows by their seqs; rows of equal ones stay in their order. Raises TourneyError as `_held`."""
    parts: list[_Rows] = []
    count = 0
    for block in blocks:
        parts.append((block, 0, len(block.lines)))
        count = _held(path, count + len(block.lines))
    (lines, columns), _start, _end = _joined(parts)
    del parts
    keys = {seq: key(seq) for seq in set(columns[0])}
    order = sorted(range(len(lines)), key=lambda at: keys[columns[0][at]])
    yield Block([lines[at] for at in order], [[column[at] for at in order] for column in columns])


def _held(path: Path, rows: int) -> int:
    """Return the number of rows that are held. Raises TourneyError REFUSED for one too many."""
    if rows > MAX_SORTED:
        message = _("more than {most} rows have to be held: they are one game, or not in the order of their seq")
        error = too_many(path, message.format(most=MAX_SORTED))
        raise TourneyError(error.code, error.message, _("sort the rows by seq, then the file may be longer"))
    return rows


def _games(path: Path, blocks: Iterable[Block], key: _Key, *, in_order: bool) -> Iterator[_Rows]:
    """Yield the rows of each game: neighbours whose seqs compare as equal.

    Raises TourneyError as `_held`, and OutOfOrder for a seq that is before the last one, if they shall be in order.
    """
    parts: list[_Rows] = []
    held, last = 0, None
    for lines, (seqs, ranks, names, *others) in blocks:
        # Equal texts that are one object are found quicker in tables, of which each game asks several.
        block = Block(lines, (seqs, ranks, list(map(intern, names)), *others))
        starts = [0, *compress(range(1, len(seqs)), map(ne, seqs, islice(seqs, 1, None)))]
        found = [seqs[start] for start in starts]
        if in_order and key is _number_key and not all(map(_NUMBER.fullmatch, found)):
            raise OutOfOrder
        keys = list(map(key, found))
        before = [keys[0] if last is None else last, *keys]
        if in_order and any(map(lt, keys, before)):
            raise OutOfOrder
        last = keys[-1]
        # What precedes the first game that begins here belongs to a game of the blocks before.
        games = [*compress(starts, map(ne, keys, before)), len(seqs)]
        parts.append((block, 0, games[0]))
        held = _held(path, held + games[0])
        if len(games) > 1:
            yield _joined(parts)
            yield from zip(repeat(block), games[:-2], games[1:-1])
            parts, held = [(block, games[-2], games[-1])], _held(path, games[-1] - games[-2])
    if parts:
        yield _joined(parts)


def _joined(parts: Sequence[_Rows]) -> _Rows:
    """Return the rows of all parts, of which there is at least one."""
    if len(parts) == 1:
        return parts[0]
    lines = [line for block, start, end in parts for line in block.lines[start:end]]
    columns = [
        [field for block, start, end in parts for field in block.columns[at][start:end]]
        for at in range(len(parts[0][0].columns))
    ]
    return Block(lines, columns), 0, len(lines)


def _by_row(rows: _Rows) -> Iterator[_Row]:
    (lines, columns), start, end = rows
    return islice(zip(lines, zip(*columns, strict=True), strict=True), start, end)


def _game(path: Path, number: int, rows: _Rows, refuse_twice: Callable[[], None]) -> FileGame:
    (lines, (seqs, ranks, names, dates, titles)), start, end = rows
    players = tuple(names[start:end])
    if not seqs[start] or "" in players or len(set(players)) < len(players):
        _refuse_unnamed(path, rows)
        refuse_twice()
    places = tuple([_PLACES.get(rank, 0) for rank in ranks[start:end]])
    if 0 in places:
        places = tuple([_place(path, row) for row in _by_row(rows)])
    days = dates[start:end]
    date = _day(days[0]) if days[0] else ""
    if date is None or (any(days) and days.count(days[0]) < len(days)):
        date = _date(path, rows)
    return FileGame(number, seqs[start], date, titles[start], lines[start:end], players, places)


def _refuse_unnamed(path: Path, rows: _Rows) -> None:
    """Raise TourneyError REFUSED for a row of a game without its seq or its player."""
    for line, (seq, _rank, player, _date, _name) in _by_row(rows):
        if not seq:
            raise refusal(path, line, _("no seq"), _("every row names its game by a seq"))
        if not player:
            raise refusal(path, line, _("no player"), _("every row names a player"))


def _date(path: Path, rows: _Rows) -> str:
    """Return the one day that the rows of a game name; rows may leave it empty."""
    first_date, first_line = "", 0
    for line, (seq, _rank, _player, date, _name) in _by_row(rows):
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
    place = read_rank(rank)
    if place is None:
        raise unfinished(path, line, rank) if is_unfinished(rank) else unknown_rank(path, line, rank)
    return place
