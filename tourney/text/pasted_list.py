"""Names in a text that people paste: a list, columns of a spreadsheet, or lines of a messenger; and what is no name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from tourney.text import pasted_words
from tourney.text.names import fold

PEOPLE, SURNAME_FIRST, MESSAGES, COLUMNS = "people", "surname-first", "messages", "columns"
"""The ways of reading; the key of columns has their numbers behind it, from 1, as in `columns 2 1`."""
MOST_NAMES: Final = 500
"""The most names of a text."""
_LONGEST: Final = 80
_LONGEST_LINE: Final = 300
"""The longest line that may be a heading, a sentence or a message; a longer one is a list between commas."""
_MOST_COLUMNS: Final = 3
"""The columns among which the desk is asked for names."""
_MOST_WORDS: Final = 6
_SHARE: Final = 0.6
"""The share of the lines of a list from which on they show how all of it is written."""

_DATE: Final = r"\d{1,4}[/.\-]\d{1,2}(?:[/.\-]\d{2,4})?"
_TIME: Final = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s*[ap]\.?\s?m\.?)?"
_STAMP: Final = re.compile(
    rf"\[?\s*(?:{_DATE},?\s+{_TIME}|{_TIME}(?:,\s*{_DATE})?)\s*\]?\s*(?:[-–—]\s*)?", re.IGNORECASE
)
_SAID: Final = re.compile(r"(?P<who>[^:]{1,60}):(?:\s+(?P<what>.*))?$")
_TELEGRAM: Final = re.compile(r"(?P<who>[^\[\]]{1,60}), \[[^\[\]]*\d[:.]\d\d[^\[\]]*\]:?\s*(?P<what>.*)$")
_MARK: Final = re.compile(r"(?:\[[ xX✓✔]?\]|#?[0-9]{1,3}(?:\s*[.):\-–º°ª\ufe0f\u20e3]+|\s+(?=[^\W\d]))|[^\w\"'(]+)\s*")
"""Mark before a name in a list: a number, a dash, a bullet, a tick."""
_TAIL: Final = re.compile(r"[^\w)\"'.\u0300-\u036f]+$")
_GUEST: Final = re.compile(r"\+\s?\d{1,2}$")
_ANSWER: Final = re.compile(r" (?:[-–—]>?|→|=>) ")
"""Mark between a name and what is said of it, where there is no colon."""
_BETWEEN: Final = re.compile(r"[\t,;|]+")
_ADDRESS: Final = re.compile(r"<?(?:mailto:)?[^\s<>]{1,64}@[^\s<>]{1,190}>?|(?:https?://|www\.)\S+", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"([^",;\t]{1,80}),\s*([^",;\t]{1,80})"')
_LEADER: Final = re.compile(r"(?:\.\s?){3}\s?\d{0,4}$|…\s?\d{1,4}$|^\d{1,3}\.\d")
"""Dots that lead to the number of a page, or the number of a section."""
_ASTRAY: Final = "\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks of direction that messengers put around names and times."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """A name in a text, and what its line or its sender `said` besides.

    `doubtful` if that is a no or a question, or if the name reads like a part of a sentence.
    """

    name: str
    said: str = ""
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a text: the names in its order, and what is left out, as it was written."""

    key: str
    people: tuple[Pasted, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Readings:
    """The ways to read a text, the most likely first; `asks` if the text does not say which one is meant."""

    ways: tuple[Reading, ...]
    asks: bool = False


def readings(text: str) -> Readings:
    """Return the ways to read the names in a text: at least one, which may have no name.

    Where the likeliest one has too many names it is the only one: each takes its time.
    """
    lines = [_QUOTED.sub(r"\2 \1", line) for line in map(_straight, text.splitlines()) if line.strip()]
    if any(map(_message, lines)):
        return Readings((_reading(MESSAGES, _of_messages(lines)),))
    rows = _rows(lines)
    chosen, asks = _columns(rows) if rows else ([], False)
    ways: list[Reading] = []
    for each in chosen:
        ways.append(_reading(_key(each), _of_rows(rows, each)))
        if len(ways[0].people) > MOST_NAMES:
            return Readings((ways[0],))
    plain = _reading(PEOPLE, _of_lines(lines))
    if ways:
        return Readings((*ways, plain), asks)
    # With the surname first a line has one name, and not the two between its comma.
    return Readings((plain,)) if len(plain.people) > 2 * MOST_NAMES else _lists(lines, plain)


def _lists(lines: Sequence[str], plain: Reading) -> Readings:
    """Return the ways to read a list: `plain`, or with the surname before a comma."""
    pairs = [parts for parts in map(_pair, lines) if parts]
    if not pairs:
        return Readings((plain,))
    turned = _reading(SURNAME_FIRST, _of_lines(lines, turns=True))
    if len(lines) == 1 or len(pairs) < _SHARE * len(turned.people):
        return Readings((plain, turned) if len(lines) > 1 else (plain,))
    return Readings((turned, plain), asks=all(" " not in part for pair in pairs for part in pair))


def _reading(key: str, found: Iterable[Pasted | str]) -> Reading:
    each = list(found)
    people = tuple(one for one in each if isinstance(one, Pasted))
    left_out = (" ".join(one.split()) for one in each if isinstance(one, str))
    return Reading(key, people, tuple(dict.fromkeys(left_out)))


def _straight(line: str) -> str:
    return line.strip(_ASTRAY + " \r\n\xa0\u202f").translate(dict.fromkeys(map(ord, _ASTRAY)))


# --- lists ------------------------------------------------------------------------------------------------------------


def _of_lines(lines: Iterable[str], *, turns: bool = False) -> Iterator[Pasted | str]:
    """Yield the names of lines, and what is left out; with `turns` a line of one comma has the surname first."""
    for line in lines:
        yield from _of_line(line, turns=turns)


def _of_line(line: str, *, turns: bool = False) -> Iterator[Pasted | str]:
    if _is_other(line):
        yield line
        return
    bare = _bare(line)
    head, colon, rest = bare.partition(":")
    if colon and (not rest or rest[0].isspace()) and len(head) <= _LONGEST_LINE:
        if not rest.strip():
            yield line
        elif pasted_words.is_heading(head) or _BETWEEN.search(rest):
            yield f"{head}:"
            yield from _of_parts(rest)
        else:
            yield from (_answered(each, rest.strip()) for each in _of_part(head))
    elif answer := _ANSWER.search(bare):
        said = bare[answer.end() :].strip()
        yield from (_answered(each, said) for each in _of_part(bare[: answer.start()]))
    elif turns and _pair(line):
        yield from _of_part(_turned(bare))
    else:
        yield from _of_parts(bare)


def _of_parts(text: str) -> Iterator[Pasted | str]:
    for part in _BETWEEN.split(text):
        yield from _of_part(part)


def _of_part(part: str) -> Iterator[Pasted | str]:
    """Yield the name in a part of a line, and what of it is left out; the mark of an empty line is passed over."""
    if len(part) > _LONGEST_LINE:
        yield part
        return
    addresses = _ADDRESS.findall(part)
    yield from addresses
    bare = _TAIL.sub("", _bare(_ADDRESS.sub(" ", part)))
    guest = _GUEST.search(bare)
    if guest:
        bare = bare[: guest.start()]
    name = _unquoted(bare)
    if not any(map(str.isalpha, name)):
        if sum(map(str.isdigit, name)) > 4 and not addresses:
            yield part.strip()
    elif len(name) > _LONGEST or pasted_words.counted(name) > _MOST_WORDS or pasted_words.is_prose(name):
        yield name
    else:
        yield Pasted(name, guest[0] if guest else "", pasted_words.is_doubtful(name))


def _is_other(line: str) -> bool:
    """Return whether a line is no list of names: a heading, a sum, a greeting, a sentence, an entry of contents."""
    return len(line) <= _LONGEST_LINE and bool(_LEADER.search(line) or pasted_words.is_other(line, _bare(line)))


def _bare(text: str) -> str:
    """Return a line or a part of one without the time or the mark before it."""
    text = text.strip()
    for before in (_STAMP, _MARK):
        found = before.match(text)
        text = text[found.end() :] if found else text
    return text


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _pair(line: str) -> tuple[str, str] | None:
    """Return the two parts of a line with one comma, which may be a surname and a first name; None for others."""
    bare = _bare(line) if len(line) <= 2 * _LONGEST else ""
    if bare.count(",") != 1 or _is_other(line):
        return None
    first, second = map(_unquoted, bare.split(","))
    whole = all(any(map(str.isalpha, part)) and ":" not in part and "@" not in part for part in (first, second))
    return (first, second) if whole and len([*_of_parts(bare)]) == 2 else None


def _turned(text: str) -> str:
    surname, _comma, first = text.partition(",")
    return f"{_TAIL.sub('', first.strip())} {surname.strip()}"


def _answered(found: Pasted | str, said: str) -> Pasted | str:
    """Return a name with what its line says of it."""
    return found if isinstance(found, str) else replace(found, said=said, doubtful=pasted_words.is_no(said))


# --- messengers -------------------------------------------------------------------------------------------------------


def _message(line: str) -> re.Match[str] | None:
    """Return who wrote the message that begins with this line, and what; None for another line."""
    if len(line) > 10 * _LONGEST_LINE:
        return None
    stamp = _STAMP.match(line)
    return _SAID.match(line, stamp.end()) if stamp else _TELEGRAM.match(line)


def _of_messages(lines: Sequence[str]) -> Iterator[Pasted | str]:
    """Yield who wrote, each once with all of what they wrote, and the names of lists in a message.

    A list has marks before its lines, or follows a message that ends with a colon.
    """
    said: dict[str, list[str]] = {}
    others: list[str] = []
    words: list[str] = []
    lists = True
    for line in lines:
        found = _message(line)
        if found:
            words = said.setdefault(found["who"].strip(), [])
            words.append((found["what"] or "").strip())
            lists = words[-1].endswith(":")
        elif _STAMP.match(line) or _is_other(line):
            yield line
        elif lists or _MARK.match(line):
            others.append(line)
            lists = lists and not _MARK.match(line)
        else:
            words.append(line)
    for who, texts in said.items():
        whole = " · ".join(filter(None, texts))
        doubtful = any(map(pasted_words.says_no, texts)) or all(map(pasted_words.is_no, texts))
        for each in _of_part(who):
            yield each if isinstance(each, str) else replace(each, said=whole, doubtful=doubtful)
    yield from _of_lines(others)


# --- columns ----------------------------------------------------------------------------------------------------------


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of a text in columns; none of another text."""
    for mark in "\t;|,":
        rows = [[_unquoted(cell) for cell in line.strip("|").split(mark)] for line in lines]
        width, times = Counter(map(len, rows)).most_common(1)[0] if rows else (1, 0)
        if width < 2 or times < 2 or times < _SHARE * len(rows):
            continue
        even = [row for row in rows if len(row) == width]
        other = any(not _has_names([row[at] for row in even]) for at in range(width))
        if mark == "\t" or pasted_words.is_header(even[0], _SHARE) or (other and any("@" in cell for cell in even[-1])):
            return rows
    return []


def _has_names(cells: Sequence[str]) -> bool:
    named = [cell for cell in cells if any(map(str.isalpha, cell)) and "@" not in cell]
    return len(named) >= _SHARE * len(cells)


def _columns(rows: Sequence[Sequence[str]]) -> tuple[list[tuple[int, ...]], bool]:
    """Return the columns that may have the names, the likeliest first, and whether the desk is to be asked."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    even = [row for row in rows if len(row) == width]
    if pasted_words.is_header(even[0], _SHARE):
        named = pasted_words.named_columns(even[0])
        if named:
            return [named], False
        even = even[1:]
    names = [at for at in range(width) if _has_names([row[at] for row in even])]
    various = [at for at in names if len({fold(row[at]) for row in even}) > len(even) / 3]
    names = (various or names)[:_MOST_COLUMNS]
    pairs = [pair for one, other in pairwise(names) for pair in ((other, one), (one, other))]
    return [*pairs, *((at,) for at in names)], len(names) > 1


def _key(columns: Sequence[int]) -> str:
    return " ".join((COLUMNS, *(str(at + 1) for at in columns)))


def _of_rows(rows: Iterable[Sequence[str]], columns: Sequence[int]) -> Iterator[Pasted | str]:
    """Yield the name in these columns of each row, and what has none or is an address."""
    for row in rows:
        whole = " ".join(filter(None, row))
        cells = [row[at].strip() for at in columns if at < len(row)]
        name = " ".join(filter(None, cells))
        if pasted_words.is_header(row, _SHARE) or len(cells) < len(columns) or _is_other(whole) or _is_other(name):
            yield whole
            continue
        yield from _of_part(_turned(name) if len(columns) == 1 and _pair(name) else name)
        yield from (cell for cell in row if "@" in cell and cell not in cells)
