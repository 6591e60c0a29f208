"""Turn a results file that is laid out in its own way into games with ranks, in their order."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.description import Decimals, Description, FileLayout, Order
from tourney.files.named import Block, Path, refusal, shown
from tourney.files.rank_text import (
    NOTHING,
    decimal_sign,
    is_gap,
    is_same,
    is_unfinished,
    natural_key,
    read_rank,
    read_score,
)
from tourney.files.rows import MAX_ROWS, Row, read_rows, title_hint, too_many
from tourney.text.dates import read_date
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold
from tourney.text.sanitize import quote_argument

_SHOWN: Final = 5
"""The most rows that a refusal names."""
Headers = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A player's result in a game, as it is in the file; `value` is less for the better, None if unfinished.

    One that `shares` the last place does so whatever becomes of others without a place.
    """

    line: int
    player: str
    text: str
    column: str
    date: str
    title: str
    value: Decimal | None = None
    shares: bool = False

    def counts(self, layout: FileLayout) -> bool:
        """Return whether the result has a place, or shares the last one."""
        return self.value is not None or self.shares or layout.unfinished != "out"


_Games = dict[tuple[str, ...], list[_Entry]]


def shaped(path: Path, headers: Headers, described: Description) -> Iterator[Block]:
    """Yield a block for each game, with the columns seq (from 1), rank, player, date and game, in the order of rating.

    Raises TourneyError REFUSED, with file and line, for columns that are missing, ranks or scores that cannot be read,
    and players who are twice in a game, unless the layout says what counts.
    """
    layout, notes = described.layout, described.notes
    games: _Games = {}
    for count, (key, entry) in enumerate(_entries(path, headers, described), 1):
        if count > MAX_ROWS:
            raise too_many(path, _("the file has more than {most} results").format(most=MAX_ROWS))
        games.setdefault(key, []).append(entry)
    read = _reader(path, layout, [entry.text for game in games.values() for entry in game])
    games = {key: list(_read_all(path, games.pop(key), read, layout)) for key in list(games)}
    once = _once(path, games, layout, notes)
    for number, key in enumerate(_ordered(path, once, layout, notes), 1):
        entries, places = _placed(once[key], layout)
        rows = [
            (str(number), str(place), entry.player, entry.date, entry.title)
            for entry, place in zip(entries, places, strict=True)
        ]
        if rows:
            yield Block([entry.line for entry in entries], list(zip(*rows, strict=True)))
    _note_unfinished(once, layout, notes)


def _entries(path: Path, headers: Headers, described: Description) -> Iterator[tuple[tuple[str, ...], _Entry]]:
    """Yield the results of the file, each with what tells its game."""
    layout = described.layout
    required, optional = _columns(layout)
    columns: _Columns | None = None
    for row in read_rows(path, required, optional, headers, described):
        columns = columns or _Columns(path, row, layout, described)
        if all(fold(row.values[columns.named(name)]) == fold(value) for name, value in layout.only.items()):
            yield from columns.entries(row)


def _columns(layout: FileLayout) -> tuple[Sequence[str], Sequence[str]]:
    """Return the columns that must be there, and those that may."""
    told = bool(layout.game or layout.one_game)
    if layout.wide is None:
        required = [*([] if told else ["seq"]), *([] if layout.score else ["rank"]), "player"]
        return required, ("date", "game", *(["seq"] if told else ()), *(["rank"] if layout.score else ()))
    if layout.wide == "games":
        return ("player",), ("rank", "seq", "date", "game")
    return (), ("seq", "rank", "date", "game")


class _Columns:
    """The columns of a file with a layout; headers are found whatever their case and accents."""

    def __init__(self, path: Path, row: Row, layout: FileLayout, described: Description) -> None:
        self._path, self._line, self._layout, self._described = path, row.line, layout, described
        self._headers = list(row.headers.values())
        headers = {fold(row.headers.get(name, name)): name for name in row.values}
        self._names = {fold(name): name for name in row.values} | headers
        self._game = [self.named(name) for name in layout.game]
        self._value = self.named(layout.score) if layout.score else "rank"
        for name in layout.only:
            self.named(name)
        self._cells = self._in_cells(row) if layout.wide else []
        if layout.wide and not layout.cells:
            text = _("The columns of {what} are: {columns}; `--cells` names others.")
            what = {"games": _("games"), "players": _("players"), "places": _("places")}[layout.wide]
            listed = ", ".join(shown(cell) for cell in self._cells)
            described.notes["cells"] = text.format(what=what, columns=shown(listed, 200))

    def named(self, header: str) -> str:
        """Return the column with that header. Raises TourneyError REFUSED if there is none."""
        name = self._names.get(fold(header))
        if name is None:
            message = _("no column “{theirs}”; the columns found are: {columns}")
            listed = shown(", ".join(filter(None, self._headers)), 200)
            first, names = self._described.lines[0] or 1, [{fold(header)}]
            skipped = title_hint(self._path, first, self._headers, names, self._described)
            hint = skipped or _("write it as the first line has it")
            raise refusal(self._path, 0, message.format(theirs=shown(header), columns=listed), hint)
        return name

    def _in_cells(self, row: Row) -> list[str]:
        """Return the columns that are games, players or places: those named, also from one to another, or the rest."""
        every = list(row.values)
        if not self._layout.cells:
            known = {"player", "rank", "seq", "date", "game", *self._game, *map(self.named, self._layout.only)}
            return [name for name in every if name not in known]
        found: list[str] = []
        for cell in self._layout.cells:
            first, colon, last = cell.partition(":")
            if fold(cell) in self._names or not colon:
                found.append(self.named(cell))
            else:
                found += every[every.index(self.named(first)) : every.index(self.named(last)) + 1]
        return found

    def entries(self, row: Row) -> Iterator[tuple[tuple[str, ...], _Entry]]:
        """Yield the results of a row."""
        values, wide = row.values, self._layout.wide
        key = self._key(row)
        if wide is None:
            player = values["player"]
            if not player:
                raise refusal(self._path, row.line, _("no player"), _("every row names a player"))
            yield key, self._entry(row, key, player, self._value)
            return
        for place, cell in enumerate(self._cells, 1):
            text = values[cell]
            if text.casefold() in NOTHING:
                continue
            if wide == "places":
                yield key, replace(self._entry(row, key, text, cell), text=str(place))
            elif wide == "players":
                yield key, self._entry(row, key, cell, cell)
            else:
                day = cell if any(map(str.isdigit, cell)) and read_date(cell) else ""
                yield (cell,), _Entry(row.line, values["player"], text, cell, day, "" if day else cell)

    def _key(self, row: Row) -> tuple[str, ...]:
        """Return what tells the game of a row; in wide tables each row is one, unless columns say so."""
        if self._layout.one_game:
            return ("1",)
        if self._game:
            return tuple(row.values[name] for name in self._game)
        if "seq" in row.values and self._layout.wide != "games":
            return (row.values["seq"],)
        return (str(row.line),)

    def _entry(self, row: Row, key: Sequence[str], player: str, column: str) -> _Entry:
        date = row.values.get("date", self._layout.day)
        title = row.values.get("game", "")
        if not title and self._game != ["date"]:
            title = ", ".join(key) if self._game else ""
        header = row.headers.get(column, column)
        return _Entry(row.line, player, row.values[column], header, date, title)


Reader = Callable[[str], Decimal | None]


def _reader(path: Path, layout: FileLayout, texts: Iterable[str]) -> tuple[Reader, bool]:
    """Return the function that reads a rank or a score, and whether it is a score. Raises TourneyError for doubts."""
    if not (layout.score or (layout.wide in ("games", "players") and layout.best)):
        if layout.best:
            message = _("--best goes only with --score COLUMN, or with --across games or --across players")
            raise TourneyError(ExitCode.USAGE, message, _("leave out one of the two options"))
        return _rank, False
    if layout.best is None:
        message = _("--score needs --best: is the high score the best, or the low one?")
        raise TourneyError(ExitCode.USAGE, message, _("add `--best high` or `--best low`"))
    sign: Decimals | None = layout.decimals or decimal_sign(texts)
    if sign is None:
        message = _("scores such as 1.234 or 1,234 may be above a thousand, or have decimals")
        raise refusal(path, 0, message, _("say which sign begins decimals: `--decimals point` or `--decimals comma`"))
    return lambda text: read_score(text, sign), True


def _rank(text: str) -> Decimal | None:
    place = read_rank(text)
    return None if place is None else Decimal(place)


def _read_all(path: Path, game: Sequence[_Entry], reader: tuple[Reader, bool], layout: FileLayout) -> Iterator[_Entry]:
    """Yield the results of a game with their values; those that a word leaves out are not there."""
    read, is_score = reader
    words = {fold(word): rank for word, rank in layout.ranks.items()}
    first: Decimal | None = None
    before: Decimal | None = None
    for entry in game:
        given = words.get(fold(entry.text))
        if given == "out":
            continue
        text = "DNF" if given == "last" else given or entry.text
        value = None if is_unfinished(text) and not (is_score and is_same(text)) else read(text)
        if is_score and before is not None and is_same(text):
            value = before
        elif is_score and value is not None and first is not None and is_gap(text):
            value += first
        if value is None and not is_unfinished(text):
            raise _unread(path, entry, is_score)
        if value is None and layout.unfinished is None and given != "last":
            raise unfinished(path, entry.line, entry.text, entry.column, is_score=is_score)
        first, before = value if first is None else first, value
        sorted_by = -value if value is not None and is_score and layout.best == "high" else value
        yield replace(entry, value=sorted_by, shares=given == "last")


def unfinished(path: Path, line: int, text: str, column: str = "rank", *, is_score: bool = False) -> TourneyError:
    """Return the refusal of a text that says that somebody did not finish, where nothing says what this counts."""
    hint = _(
        "DNF, DQ, a dash or nothing mean “did not finish”: `--unfinished last` shares the last place, `--unfinished "
        "out` leaves them out"
    )
    if is_score:
        return refusal(path, line, _no_score(column, text), hint)
    message = _("column “{column}”: “{text}” is not a place").format(column=shown(column), text=shown(text))
    return refusal(path, line, message, hint)


def _no_score(column: str, text: str) -> str:
    message = _("column “{column}”: “{text}” is neither a number nor a time")
    return message.format(column=shown(column), text=shown(text))


def unknown_rank(path: Path, line: int, text: str) -> TourneyError:
    """Return the refusal of a rank that is neither a place nor a known word."""
    message = _("rank '{rank}' is not a whole number from 1").format(rank=shown(text))
    option = quote_argument(f"{text[:40]}=1")
    hint = _("1 is the best, and equal places are ties; explain a word with `--rank {option}`, =last or =out")
    return refusal(path, line, message, hint.format(option=option))


def _unread(path: Path, entry: _Entry, is_score: bool) -> TourneyError:
    if not is_score:
        return unknown_rank(path, entry.line, entry.text)
    message = _no_score(entry.column, entry.text)
    return refusal(path, entry.line, message, _("explain a word with `--rank WORD=last` or `--rank WORD=out`"))


def _once(path: Path, games: _Games, layout: FileLayout, notes: dict[str, str]) -> _Games:
    """Return the games with each player once. Raises TourneyError REFUSED with all repeats, unless one row counts."""
    found: _Games = {}
    repeats: list[tuple[str, _Entry, _Entry]] = []
    for key, entries in games.items():
        kept: dict[str, _Entry] = {}
        for entry in entries:
            before = kept.setdefault(fold(entry.player), entry)
            if before is entry:
                continue
            repeats.append((", ".join(key), before, entry))
            if layout.twice == "best" and _is_better(entry, before):
                kept[fold(entry.player)] = entry
        found[key] = list(kept.values())
    if repeats and layout.twice is None:
        raise _twice(path, repeats)
    if repeats:
        text = ngettext(
            "{number} row is left out: its player is in that game already.",
            "{number} rows are left out: their players are in those games already.",
            len(repeats),
        )
        notes["twice"] = text.format(number=len(repeats))
    return found


def _is_better(one: _Entry, other: _Entry) -> bool:
    return one.value is not None and (other.value is None or one.value < other.value)


def _twice(path: Path, repeats: Sequence[tuple[str, _Entry, _Entry]]) -> TourneyError:
    """Return the refusal of players who are in a game twice, with the first of them."""
    (game, before, entry), *others = repeats
    message = _("'{player}' appears twice in game {game}, first in line {line}").format(
        player=shown(entry.player), game=shown(game), line=before.line
    )
    if others:
        rows = ", ".join(
            _("{player} in line {line}").format(player=shown(other.player), line=other.line)
            for _game, _before, other in others[:_SHOWN]
        )
        more = ngettext("{number} more row: {rows}", "{number} more rows: {rows}", len(others))
        message = f"{message}; {more.format(number=len(others), rows=rows)}" + ("…" if len(others) > _SHOWN else "")
    hint = _("remove one of the rows, or let one count: `--twice best` or `--twice first`")
    return refusal(path, entry.line, message, hint)


def _ordered(path: Path, games: _Games, layout: FileLayout, notes: dict[str, str]) -> Sequence[tuple[str, ...]]:
    """Return what tells the games, in the order of rating, and note which order that is if it was not asked for."""
    days = {key: next((read_date(entry.date) for entry in game if entry.date), None) for key, game in games.items()}
    order = layout.order or _found_order(days, layout)
    if layout.order is None and len(games) > 1:
        notes["order"] = {
            "date": _("The games are rated in the order of their dates; `--order` sets another."),
            "number": _("The games are rated in the order of their numbers; `--order` sets another."),
        }.get(order, _("The games are rated in the order of the file; `--order` sets another."))
    if order == "date":
        undated = next((games[key][0] for key, day in days.items() if day is None), None)
        if undated is not None:
            raise refusal(path, undated.line, _("no date"), _("give every game a date, or another `--order`"))
        return sorted(games, key=lambda key: days[key] or "")
    if order == "number":
        return sorted(games, key=lambda key: [natural_key(part) for part in key])
    return [*games][:: -1 if order == "newest-first" else 1]


def _found_order(days: Mapping[tuple[str, ...], str | None], layout: FileLayout) -> Order:
    if not (layout.game or layout.one_game or layout.wide):
        return "number"
    if all(days.values()):
        return "date"
    return "number" if layout.game and all(part.isdecimal() for key in days for part in key) else "file"


def _placed(game: Sequence[_Entry], layout: FileLayout) -> tuple[list[_Entry], list[int]]:
    """Return the results that count, each with its place."""
    values = [entry.value for entry in game if entry.value is not None]
    by_score = bool(layout.score or (layout.wide in ("games", "players") and layout.best))
    places = {value: 1 + sum(other < value for other in values) if by_score else int(value) for value in set(values)}
    last = max([len(values), *places.values()]) + 1
    counted = [entry for entry in game if entry.counts(layout)]
    return counted, [last if entry.value is None else places[entry.value] for entry in counted]


def _note_unfinished(games: _Games, layout: FileLayout, notes: dict[str, str]) -> None:
    """Note how many results are of players who did not finish, and by which words."""
    placeless = [entry for game in games.values() for entry in game if entry.value is None]
    last = Counter(entry.text or "–" for entry in placeless if entry.counts(layout))
    out = Counter(entry.text or "–" for entry in placeless if not entry.counts(layout))
    if last:
        text = ngettext(
            "{number} result without a place shares the last one of its game: {words}.",
            "{number} results without a place share the last one of their games: {words}.",
            last.total(),
        )
        notes["unfinished"] = text.format(number=last.total(), words=_with_counts(last))
    if out:
        text = ngettext(
            "{number} result without a place is left out: {words}.",
            "{number} results without a place are left out: {words}.",
            out.total(),
        )
        notes["left out"] = text.format(number=out.total(), words=_with_counts(out))


def _with_counts(words: Counter[str]) -> str:
    """Return the most frequent words with their counts, and a sign that there are more."""
    listed = ", ".join(f"{shown(word)} {count}" for word, count in words.most_common(_SHOWN))
    return f"{listed}, …" if len(words) > _SHOWN else listed
