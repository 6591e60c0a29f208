"""Authors of changes that a table makes at its phones: they name its seats, for erasing a person reaches no author."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from tourney.text.i18n import _, in_each_language, ngettext, pgettext
from tourney.text.look_alikes import drawn_as

DESK: Final = "desk"
"""The author of what a desk enters that gives no name, as the journal keeps it."""
_OF_TABLE = re.compile(r"table ([1-9][0-9]{0,8}): seats? ([1-9][0-9]?(?:, [1-9][0-9]?)*)", re.ASCII)

_AN_AUTHOR: Final = "table 1: seat 2"


def author_of_table(number: int, seats: Sequence[int]) -> str:
    """Return the author of what players of a table enter, by their seats (from 0), as the journal keeps it."""
    word = "seat" if len(seats) == 1 else "seats"
    return f"table {number}: {word} {', '.join(str(seat + 1) for seat in seats)}"


def shown_author(by: str) -> str:
    """Return an author as people read it: a table or an unnamed desk in their language, any other as it is."""
    if by == DESK:
        return pgettext("author of a change", "desk")
    found = _OF_TABLE.fullmatch(by)
    if found is None:
        return by
    table, seats = found.groups()
    text = ngettext("table {table}: seat {seats}", "table {table}: seats {seats}", 1 + seats.count(","))
    return text.format(table=table, seats=seats)


def seats_of_author(by: str) -> tuple[int, ...]:
    """Return the seats (from 0) that an author of a table names; none for another author."""
    found = _OF_TABLE.fullmatch(by)
    return () if found is None else tuple(int(seat) - 1 for seat in found[2].split(", "))


def reads_as_table(name: str) -> bool:
    """Return whether a name reads as a table's players, as pages show them in any of our languages."""
    return _table_forms().match(drawn_as(name)) is not None


@cache
def _table_forms() -> re.Pattern[str]:
    """Return the pattern of a word for a table, with a number or with a colon further on, however it is written."""
    texts = {
        *in_each_language(lambda: named_author(_AN_AUTHOR, "?")),
        *in_each_language(lambda: shown_author(_AN_AUTHOR)),
    }
    words = {re.escape(drawn_as(text.partition("1")[0])) for text in texts}
    return re.compile(rf"[\W_]*(?:{'|'.join(sorted(words))})(?:[\W_]*\d|\b.*[:\u02d0\u2236\ua789])")


def named_author(by: str, players: Sequence[str]) -> str:
    """Return an author as people read it, that of a table with the names of its `players`, if they are known."""
    found = _OF_TABLE.fullmatch(by)
    if found is None or not players:
        return shown_author(by)
    return _("table {table}: {players}").format(table=found[1], players=", ".join(players))
