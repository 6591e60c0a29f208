"""Sentences on the constraints that rounds break, each with the reason, and their JSON."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tourney.domain.schedule import BrokenConstraint
from tourney.text.i18n import _, fill, ngettext
from tourney.text.ranges import ranges

MOST: Final = 6
"""The most broken constraints that are named."""


def broken_lines(broken: Sequence[BrokenConstraint]) -> Iterator[str]:
    """Yield a sentence for each of the first broken constraints, and the number of the others.

    Pairs who cannot all be kept apart, such as those of a large club, have one sentence together.
    """
    counted = _counted(broken)
    if counted:
        yield _counted_line(counted)
    others = [each for each in broken if each not in counted]
    for each in others[:MOST]:
        yield _LINES[each.kind](each)
    if len(others) > MOST:
        more = len(others) - MOST
        yield ngettext("{number} more constraint is broken.", "{number} more constraints are broken.", more).format(
            number=more
        )


def broken_details(broken: Sequence[BrokenConstraint]) -> Iterator[str]:
    """Yield a sentence for each pair of those that have one together."""
    for each in _counted(broken):
        yield _LINES[each.kind](each)


def _counted(broken: Sequence[BrokenConstraint]) -> Sequence[BrokenConstraint]:
    """Return the pairs whom counting does not allow to be kept apart, if there are several."""
    counted = [each for each in broken if each.kind == "apart" and each.why == "counting"]
    return counted if len(counted) > 1 else []


def _counted_line(counted: Sequence[BrokenConstraint]) -> str:
    rounds = {each.round for each in counted}
    text = ngettext(
        "By counting, {number} pairs to keep apart share a table in round {rounds}; `--verbose` names them.",
        "By counting, {number} pairs to keep apart share a table in rounds {rounds}; `--verbose` names them.",
        len(rounds),
    )
    return text.format(number=len(counted), rounds=ranges(rounds))


def broken_data(broken: Sequence[BrokenConstraint]) -> dict[str, Any]:
    """Return broken constraints as JSON data, under a key of their own where there are any."""
    rows = [
        {
            "kind": each.kind,
            "round": each.round,
            "table": each.table,
            "players": [player.shown for player in each.players],
            "why": each.why,
            "price": each.price,
        }
        for each in broken
    ]
    return {"broken": rows} if rows else {}


def _apart(broken: BrokenConstraint) -> str:
    text = _("Round {round}, table {table}: {one} and {other} are not kept apart: {reason}.")
    one, other = (player.shown for player in broken.players)
    return fill(text, round=broken.round, table=broken.table, one=one, other=other, reason=_reason(broken))


def _together(broken: BrokenConstraint) -> str:
    one, other = (player.shown for player in broken.players)
    text = _("{one} and {other} are to share a table, and do so in no round: {reason}.")
    return fill(text, one=one, other=other, reason=_reason(broken))


def _table(broken: BrokenConstraint) -> str:
    (player,) = broken.players
    text = _("Round {round}: {name} sits at table {table}, and needs table {needed}: {reason}.")
    others = ", ".join(other.shown for other in broken.others)
    if broken.why == "no such table":
        reason = ngettext("the round has {number} table", "the round has {number} tables", broken.tables).format(
            number=broken.tables
        )
    elif others:
        reason = ngettext(
            "{names} needs one of the two tables, too", "{names} need one of the two tables, too", len(broken.others)
        ).format(names=others)
    else:
        reason = _("the tables were changed by hand")
    return text.format(round=broken.round, name=player.shown, table=broken.table, needed=broken.needed, reason=reason)


def _never(broken: BrokenConstraint) -> str:
    text = _(
        "Round {round}, table {table}: {one} and {other} are never to share a table, and would have to at so few "
        "tables, so that the round is not drawn: have more tables, or give the constraint up with `tourney event "
        "constrain --remove`."
    )
    one, other = (player.shown for player in broken.players)
    return text.format(round=broken.round, table=broken.table, one=one, other=other)


_LINES: Final[Mapping[str, Callable[[BrokenConstraint], str]]] = {
    "apart": _apart,
    "together": _together,
    "table": _table,
    "never": _never,
}


def _reason(broken: BrokenConstraint) -> str:
    """Return why two players are not kept apart, or not seated together."""
    if broken.why == "price":
        return _price(broken)
    if broken.number:
        players = ngettext("{number} player", "{number} players", broken.number).format(number=broken.number)
        text = ngettext(
            "by counting, {players} to be kept apart at {number} table",
            "by counting, {players} to be kept apart at {number} tables",
            broken.tables,
        )
        return text.format(players=players, number=broken.tables)
    return _("by counting, no seating of these players keeps this constraint and the others")


def _price(broken: BrokenConstraint) -> str:
    if broken.price is None:
        return _("keeping this constraint would cost repeats")
    if broken.price <= 0:
        return _("this constraint can be kept without one more repeat, with `tourney round move`")
    if broken.exact:
        text = ngettext(
            "keeping this constraint would cost {number} repeat",
            "keeping this constraint would cost {number} repeats",
            broken.price,
        )
    else:
        text = ngettext(
            "keeping this constraint would cost at most {number} repeat",
            "keeping this constraint would cost at most {number} repeats",
            broken.price,
        )
    return text.format(number=broken.price)
