"""Authors of changes that a table makes at its phones: they name its seats, for erasing a person reaches no author."""

import re
from collections.abc import Sequence
from typing import Final

from tourney.text.i18n import _, ngettext, pgettext

DESK: Final = "desk"
"""The author of what a desk enters that gives no name, as the journal keeps it."""
_OF_TABLE = re.compile(r"table ([1-9][0-9]{0,8}): seats? ([1-9][0-9]?(?:, [1-9][0-9]?)*)", re.ASCII)


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


def named_author(by: str, players: Sequence[str]) -> str:
    """Return an author as people read it, that of a table with the names of its `players`, if they are known."""
    found = _OF_TABLE.fullmatch(by)
    if found is None or not players:
        return shown_author(by)
    return _("table {table}: {players}").format(table=found[1], players=", ".join(players))
