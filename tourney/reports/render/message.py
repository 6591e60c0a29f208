"""A report as a message: short lines of plain text for a messenger, with medals, and a code in the last line."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from tourney.reports.render.report import ListLine, Report
from tourney.text.i18n import _
from tourney.text.sanitize import sanitize

WIDTH: Final = 32
"""The most columns of a line; an emoji, as a Chinese letter, takes two."""
_LEAST_NAME: Final = 12
"""The room that a name has before what stands behind it goes to a line of its own."""
_INDENT: Final = "   "


def message_text(report: Report) -> str:
    """Return the message of a report that has one, with the report's code, each line ending with a line feed."""
    assert report.message is not None
    parts = [*report.message(), *(("", _("code {code}").format(code=report.code)) if report.code else ())]
    shown = _shown_names([part for part in parts if isinstance(part, ListLine)])
    lines = [line for part in parts for line in (wrapped(part) if isinstance(part, str) else _entry(part, shown[part]))]
    return "".join(f"{line}\n" for line in lines)


def _shown_names(entries: Sequence[ListLine]) -> dict[ListLine, str]:
    """Return the name of each entry as it is shown: shortened, unless two would then look the same."""
    short = {entry: _shortened(sanitize(entry.name), _room(entry)) for entry in entries}
    alike = Counter(name for _name, name in {(entry.name, name) for entry, name in short.items()})
    return {entry: name if alike[name] == 1 else sanitize(entry.name) for entry, name in short.items()}


def _entry(entry: ListLine, name: str) -> Iterator[str]:
    """Yield the lines of an entry: one where it fits."""
    line = f"{entry.lead} {name}{entry.tail}"
    if cell_len(line) <= WIDTH or cell_len(f"{entry.lead} {name}") > WIDTH:
        yield from wrapped(line, _INDENT)
    else:
        yield f"{entry.lead} {name}"
        yield from wrapped(f"{_INDENT}{entry.tail.strip()}", _INDENT)


def wrapped(text: str, indent: str = "") -> Iterator[str]:
    """Yield the text in lines that fit, broken between words where that is possible, the later ones indented."""
    line = ""
    for word in sanitize(text).split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= WIDTH:
            line = longer
            continue
        if line.strip():
            yield line
            longer = f"{indent}{word}"
        while cell_len(longer) > WIDTH:
            start = _beginning(longer, WIDTH)
            yield start
            longer = f"{indent}{longer[len(start) :]}"
        line = longer
    yield line


def _room(entry: ListLine) -> int:
    """Return the columns that the name of the entry may take."""
    room = WIDTH - cell_len(f"{entry.lead} {entry.tail}")
    return room if room >= _LEAST_NAME else WIDTH - cell_len(f"{entry.lead} ")


def _shortened(name: str, room: int) -> str:
    """Return the name in so many columns, with an ellipsis; a label at its end stays, if it is not longer than half."""
    if cell_len(name) <= room:
        return name
    start, bracket, label = name.rpartition(" (")
    end = f"{bracket}{label}" if label.endswith(")") and cell_len(label) <= room // 2 else ""
    kept = (start if end else name).strip()
    return f"{_beginning(kept, room - cell_len(end) - 1).rstrip()}…{end}"


def _beginning(text: str, room: int) -> str:
    """Return the beginning of the text that fits into so many columns, at least one character."""
    width = 0
    for place, char in enumerate(text):
        width += cell_len(char)
        if width > room:
            return text[: max(place, 1)]
    return text
