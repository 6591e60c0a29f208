"""Read rows under named columns, from CSV or a workbook."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Self

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files import csv
from tourney.files.description import PLAIN, Description
from tourney.files.named import Block, NamedRows, Path, refusal, refuse_no_file, shown, unreadable
from tourney.text.i18n import ForTerminal, _, both, either, fill, in_each_language
from tourney.text.names import fold
from tourney.text.sanitize import quote_argument
from tourney.text.similar import similar

MAX_NUMBER: Final = 99_999
"""The highest number of a round, a table or a seat."""
MAX_COLUMNS: Final = 1_000
MAX_ROWS: Final = 300_000
"""The most rows of a file of which every row is held in memory."""
WORKBOOKS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""The beginnings of a workbook, and of one of an old or encrypted kind."""
_CUTOFFS: Final = (90, 75, 60)
"""Least similarities of a header, of a hundred, from sure to just recognisable."""
_TITLES: Final = 12
"""The lines that are looked through for the header, if the first is not one."""
_OPTION: Final = ForTerminal("--column")
_WHOLE: Final = re.compile(r"0*[1-9][0-9]*", re.ASCII)


Names = Sequence[Collection[str]]
"""The headers that may stand for each of several columns."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line where it begins (from 1) and its values by column, without surrounding blanks.

    `headers` has the header of each column as it stands in the file.
    """

    line: int
    values: Mapping[str, str]
    headers: Mapping[str, str]


def read_rows(
    path: Path,
    required: Sequence[str],
    optional: Sequence[str] = (),
    headers: Mapping[str, Sequence[str]] | None = None,
    described: Description = PLAIN,
) -> Iterator[Row]:
    """Yield the rows of a CSV file or a workbook one by one, up to MAX_ROWS, since those who ask for rows hold them.

    `required` and `optional` name columns, found whatever their case; `headers` lists the headers that may stand for a
    name in the file, if not the name itself; `described` says what is known of the file. `Row.values` has every column
    of the file that has a header: the named ones under their names, all others under their headers. Text is in
    Unicode's composed form (NFC), so that an ñ typed on two systems is the same. Rows without any value are skipped.

    Raises TourneyError with file and line for a file that is empty, has no rows, lacks a column or has it twice, and
    for all that `csv.opened` and `workbook.opened` refuse.
    """
    with _opened(path, described) as source:
        columns, blocks = _table(path, source, _Wanted.of(required, optional, headers, described))
        found = {} if source is None else dict(zip(columns, source.header, strict=True))
        kept = [at for at, name in enumerate(columns) if name]
        count = 0
        for lines, values in blocks:
            count += len(lines)
            if count > MAX_ROWS:
                raise too_many(path, _("the file has more than {most} rows").format(most=MAX_ROWS))
            for line, *fields in zip(lines, *values, strict=True):
                yield Row(line, {columns[at]: fields[at] for at in kept}, found)


def read_columns(
    path: Path,
    required: Sequence[str],
    optional: Sequence[str] = (),
    headers: Mapping[str, Sequence[str]] | None = None,
    described: Description = PLAIN,
) -> Iterator[Block]:
    """Yield the named columns of the rows, block by block; otherwise as `read_rows`, but fast on long files.

    The columns are in the order of `required` and `optional`, of "" where an optional column is missing.
    """
    with _opened(path, described) as source:
        columns, blocks = _table(path, source, _Wanted.of(required, optional, headers, described))
        places = [columns.index(name) if name in columns else None for name in (*required, *optional)]
        for lines, values in blocks:
            missing = [""] * len(lines)
            yield Block(lines, [missing if at is None else values[at] for at in places])


def too_many(path: Path, message: str) -> TourneyError:
    """Return the refusal of a file that would take too much memory."""
    return refusal(path, 0, message, _("divide it into several files"))


def whole_number(path: Path, row: Row, column: str, hint: str) -> int:
    """Return the number of a round, a table or a seat in that column, from 1.

    Raises TourneyError with file and line for anything else, and with the hint.
    """
    value = row.values[column]
    if not _WHOLE.fullmatch(value):
        message = _("{column} “{value}” is not a whole number from 1").format(column=column, value=shown(value))
        raise refusal(path, row.line, message, hint)
    digits = value.lstrip("0")
    if len(digits) > len(str(MAX_NUMBER)):
        message = _("{column} “{value}” is too large; {most} is the most")
        message = message.format(column=column, value=shown(value), most=MAX_NUMBER)
        raise refusal(path, row.line, message, _("look whether two columns have run together"))
    return int(digits)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The columns to be read: those that must be there, the headers that stand for each, and a club's names of them."""

    accepted: Mapping[str, tuple[str, ...]]
    required: Sequence[str]
    described: Description

    @classmethod
    def of(
        cls,
        required: Sequence[str],
        optional: Sequence[str],
        headers: Mapping[str, Sequence[str]] | None,
        described: Description,
    ) -> Self:
        accepted = {name: tuple((headers or {}).get(name, (name,))) for name in (*required, *optional)}
        return cls(accepted, required, described)

    def named(self, found: Sequence[str], given: Mapping[str, str], name: str) -> list[int]:
        """Return the indexes of the headers that are given for the column."""
        return [index for index, header in enumerate(found) if given.get(fold(header)) in self.accepted[name]]


def _table(path: Path, source: NamedRows | None, wanted: _Wanted) -> tuple[list[str], Iterator[Block]]:
    """Return the name of each column, and the rows below the header in blocks."""
    if source is None:
        missing = ", ".join(either(wanted.accepted[name]) for name in wanted.required)
        hint = _("its first line must name the columns: {columns}").format(columns=missing)
        raise refusal(path, 0, _("the file is empty"), hint)
    if len(source.header) > MAX_COLUMNS:
        message = _("the file has {number} columns, and the limit is {most}")
        raise too_many(path, message.format(number=len(source.header), most=MAX_COLUMNS))
    return _columns(path, source, wanted), _some(path, source)


def _some(path: Path, source: NamedRows) -> Iterator[Block]:
    """Yield the blocks of the source. Raises TourneyError REFUSED if there are none."""
    first = next(source.blocks, None)
    if first is None:
        raise refusal(path, source.line, _("there are no rows below the header"), _("add one row for each entry"))
    yield first
    del first  # Otherwise it would be held to the end.
    yield from source.blocks


@contextmanager
def _opened(path: Path, described: Description) -> Iterator[NamedRows | None]:
    """Yield the rows of a workbook or a CSV file, by what the file begins with."""
    refuse_no_file(path, _("give the path of a CSV file or a workbook"))
    if _is_workbook(path):
        from tourney.files import workbook

        if described.encoding:
            raise refusal(path, 0, _("--encoding is for CSV files, not for a workbook"), _("leave it out"))
        with workbook.opened(path, described) as source:
            yield source
    else:
        if described.sheet:
            raise refusal(path, 0, _("--sheet is for workbooks, not for a CSV file"), _("leave it out"))
        with csv.opened(path, described) as source:
            yield source


def _is_workbook(path: Path) -> bool:
    """Return whether the file begins as a workbook does, of whatever kind."""
    try:
        with open(path, "rb") as file:
            return file.read(4) in WORKBOOKS
    except OSError as error:
        raise unreadable(path, error) from None


def _columns(path: Path, source: NamedRows, wanted: _Wanted) -> list[str]:
    """Return the name of each column: the named one that its header stands for, otherwise the header itself."""
    found = source.header
    _refuse_unknown(path, source, wanted)
    # A header that is the name of a column, but may not stand for that column in this file, is ignored.
    names = ["" if header in wanted.accepted else header for header in found]
    taken: set[int] = set()
    for name in wanted.accepted:
        index = _column(path, source, name, wanted)
        if index is None:
            continue
        if index in taken:
            message = _("column '{column}' cannot stand for two columns").format(column=shown(found[index]))
            raise refusal(path, source.line, message)
        taken.add(index)
        names[index] = name
    return names


def _refuse_unknown(path: Path, source: NamedRows, wanted: _Wanted) -> None:
    """Raise TourneyError for a given name of a column that this file, or this kind of file, does not have."""
    known = [header for headers in wanted.accepted.values() for header in headers]
    headers = {fold(header) for header in source.header}
    for theirs, ours in wanted.described.given.items():
        if ours not in known:
            message = _("--column {theirs}={ours}: there is no column “{ours}” to stand for")
            message = message.format(theirs=shown(theirs), ours=shown(ours))
            near = similar(ours, known)
            hint = _("did you mean `{name} {value}`?") if near else _("there are: {columns}")
            option = quote_argument(f"{theirs}={near[0]}") if near else ""
            hint = fill(hint, name=_OPTION, value=option, columns=", ".join(known))
            raise TourneyError(ExitCode.USAGE, message, hint)
        if theirs not in headers:
            message = _("no column “{theirs}”, which --column names; the columns found are: {columns}")
            message = message.format(theirs=shown(theirs), columns=_listed(source.header))
            near = similar(theirs, [header for header in source.header if header])
            written = _title_hint(path, source, wanted) or _("write it as the first line has it")
            hint = _("did you mean `{name} {value}`?") if near else written
            option = quote_argument(f"{near[0]}={ours}") if near else ""
            raise refusal(path, source.line, message, fill(hint, name=_OPTION, value=option))


def _column(path: Path, source: NamedRows, name: str, wanted: _Wanted) -> int | None:
    """Return the index of the column `name`; None if it is optional and missing.

    A name given in the command counts first, then the column's own, then one that is remembered.
    """
    found, headers = source.header, wanted.accepted[name]
    folded = [header.casefold() for header in headers]
    own = [index for index, header in enumerate(found) if header.casefold() in folded]
    indexes = wanted.named(found, wanted.described.given, name) or own
    if not indexes:
        indexes = wanted.named(found, wanted.described.remembered, name)
    if len(indexes) > 1:
        listed = both(f"'{shown(found[index])}'" for index in indexes)
        message = _("two columns for '{name}': {columns}").format(name=name, columns=listed)
        raise refusal(path, source.line, message, _("keep one, or say which one counts"))
    if indexes:
        if indexes != own:
            wanted.described.used[found[indexes[0]]] = headers[0]
        return indexes[0]
    if name not in wanted.required:
        return None
    missing = either(f"'{header}'" for header in headers)
    hint = _("the first line must name the columns, separated by commas, semicolons, tabs or bars")
    if wanted.described is not PLAIN and (skipped := _title_hint(path, source, wanted)):
        hint = skipped
    elif wanted.described is not PLAIN:
        others = {fold(header) for other in wanted.accepted if other != name for header in wanted.accepted[other]}
        free = [header for header in found if header and fold(header) not in others]
        theirs = quote_argument(f"{_nearest(headers, free)}={headers[0]}")
        once = _("say which column it is, once, as in `--column {theirs}`")
        other = _("say which column it is, as in `--column {theirs}`; `tourney guide result-files` has other layouts")
        hint = (other if "seq" in wanted.accepted else once).format(theirs=theirs)
    message = _("no column {missing}; the columns found are: {found}").format(missing=missing, found=_listed(found))
    raise refusal(path, source.line, message, hint)


def _title_hint(path: Path, source: NamedRows, wanted: _Wanted) -> str:
    """Return the hint to skip the lines above the table, which has the columns that must be there or are given."""
    given = wanted.described.given
    names = [
        {
            *map(fold, wanted.accepted[name]),
            *(theirs for theirs, ours in given.items() if ours in wanted.accepted[name]),
        }
        for name in wanted.required
    ]
    return title_hint(path, source.line, source.header, [*names, *({theirs} for theirs in given)], wanted.described)


def title_hint(path: Path, line: int, header: Sequence[str], names: Names, described: Description) -> str:
    """Return the hint to skip the lines above the table, of which `line` was read as the header; "" if it may be one.

    A header has one of each of these `names`, folded; a title fills one cell, and a line below it several.
    """
    several = 0
    for below, found in _headers_below(path, line, described):
        if all(set(map(fold, found)).intersection(each) for each in names):
            return _("line {line} names the columns: read from there with `--lines {line}-`").format(line=below)
        several = several or (below if sum(map(bool, found)) > 1 else 0)
    if several and sum(map(bool, header)) == 1:
        text = _("line {title} looks like a title: skip it, as in `--lines {line}-`")
        return text.format(title=line, line=several)
    return ""


def _headers_below(path: Path, line: int, described: Description) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the next lines of the file as headers."""
    for below in range(line + 1, line + _TITLES):
        with _opened(path, replace(described, lines=(below, 0))) as source:
            if source is not None:
                yield source.line, source.header


def _nearest(headers: Sequence[str], found: Sequence[str]) -> str:
    """Return the header of a file that most resembles ours, in any of our languages; NAME if none does."""
    ours = [*headers, *(text for each in headers for text in in_each_language(partial(_, each.capitalize())))]
    near = (similar(each, found, cutoff=cutoff) for cutoff in _CUTOFFS for each in ours)
    return next((names[0] for names in near if names), "NAME")


def _listed(header: Sequence[str]) -> str:
    return shown(", ".join(shown(name) for name in header if name), 200)
