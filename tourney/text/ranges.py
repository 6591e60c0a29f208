"""Lists in one line: numbers as ranges in words, tables without a result as such ranges, and names."""

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, groupby

from tourney.text.i18n import _, ngettext

MOST_RANGES = 12
"""The most ranges in one list; the numbers of the others are counted."""
MOST_GROUPS = 6
"""The most rounds in one list; the tables of the others are counted."""
LISTED_WIDTH = 240
"""The characters that a list of names may have in a message."""


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers as a list in which three or more that follow each other are one range: `1, 2, 5 to 8`."""
    parts = list(_parts(sorted(set(numbers))))
    shown = ", ".join(text for text, _number in parts[:MOST_RANGES])
    more = sum(number for _text, number in parts[MOST_RANGES:])
    return _("{shown} and {more} more").format(shown=shown, more=more) if more else shown


def _parts(numbers: Sequence[int]) -> Iterable[tuple[str, int]]:
    """Yield each range or single number as text, with how many numbers it stands for."""
    for _offset, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _place, number in group]
        if len(run) > 2:
            yield _("{first} to {last}").format(first=run[0], last=run[-1]), len(run)
        else:
            yield from ((str(number), 1) for number in run)


def listed_tables(spots: Iterable[tuple[int, int]], partial: Collection[tuple[int, int]] = ()) -> str:
    """Return tables, given as (round, table), in one line: `round 1, tables 1 to 8; round 2, table 3`.

    Those in `partial` are said to have a partial sheet. Of many rounds the first are listed.
    """
    groups: dict[tuple[int, bool], list[int]] = {}
    for spot in spots:
        groups.setdefault((spot[0], spot in partial), []).append(spot[1])
    keys = sorted(groups)
    texts = [_group_text(*key, groups[key]) for key in keys[:MOST_GROUPS]]
    if more := sum(len(groups[key]) for key in keys[MOST_GROUPS:]):
        texts.append(ngettext("and {number} more table", "and {number} more tables", more).format(number=more))
    return "; ".join(texts)


def _group_text(round_number: int, has_partial_sheets: bool, tables: Sequence[int]) -> str:
    """Return the tables of one round that have partial sheets, or those that have none."""
    text = ngettext("round {round}, table {tables}", "round {round}, tables {tables}", len(tables))
    if has_partial_sheets:
        text = ngettext(
            "round {round}, table {tables} (partial sheet)",
            "round {round}, tables {tables} (partial sheets)",
            len(tables),
        )
    return text.format(round=round_number, tables=ranges(tables))


def listed(names: Iterable[str], most: int = 5) -> str:
    """Return the first names as a list in one line, at most `most` and as many as fit, and the number of the rest."""
    known = list(names)
    room = accumulate(len(name) + 2 for name in known)
    shown = max(1, min(most, sum(length <= LISTED_WIDTH for length in room)))
    text = ", ".join(known[:shown])
    return text if len(known) <= shown else _("{shown} and {more} more").format(shown=text, more=len(known) - shown)


def names_text(names: Sequence[str]) -> str:
    """Return names of hands in one line, as `TT TE`, or `hands 1 2`."""
    text = " ".join(names)
    if not text or not names[0].isdecimal():
        return text
    return ngettext("hand {names}", "hands {names}", len(names)).format(names=text)
