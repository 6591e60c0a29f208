"""The papers of a round: score slips for the tables, lists of the seating for a wall, and signs."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any

from tourney.domain.rounds import Table
from tourney.domain.schedule import Schedule, Slips
from tourney.reports.names import SeatName, holder, seat_names
from tourney.reports.render.report import TO_SIGN, Field, Report, Section
from tourney.reports.rounds.rounds import posted_list
from tourney.text.i18n import _


def wall(drawn: Schedule) -> Report:
    """Report who sits where, by name and then by table; CSV has the list by name."""
    lists = posted_list(drawn, "name"), posted_list(drawn, "table")
    sections = tuple(section for each in lists for section in each.as_sections(each.title))
    return replace(lists[0], sections=sections, layout="wall")


def signs(drawn: Schedule) -> Report:
    """Report who sits at each table, for a sign on it."""
    return replace(posted_list(drawn, "table"), lines=(), layout="signs")


TO_WRITE = " "
"""A cell to be written in by hand; a column of empty cells would not be shown."""

OPEN_LINES = 12
"""The lines of a slip for a game of any number of hands; more hands go on the back."""


def slips(game_slips: Slips) -> Report:
    """Report a slip for each table: a line for each hand, two columns for each player in seat order, and signatures.

    The first of a player's columns takes the hand's points, the second the running total. JSON and CSV have the hands
    of each table with their cards and dealer, both None if a game has any number of hands.
    """
    event = game_slips.event.settings.name
    columns: tuple[Field[Any], ...] = tuple(Field(key, key) for key in ("round", "table", "hand", "cards", "dealer"))
    rows = tuple(
        (table.round, table.number, *hand) for table in game_slips.tables for hand in _hands(game_slips, table)
    )
    sections = tuple(_slip(game_slips, table) for table in game_slips.tables)
    return Report(_("Score slips of {event}").format(event=event), columns, rows, sections=sections, layout="slips")


def _hands(game_slips: Slips, table: Table, names: SeatName = holder) -> list[tuple[str, int | None, str | None]]:
    """Return each hand's name, the cards dealt and the dealer, who rotates from the first seat."""
    if not game_slips.hands:
        return [(str(number), None, None) for number in range(1, OPEN_LINES + 1)]
    dealers = cycle(names(table.round, player) for player in table.players)
    return [(contract, cards, dealer) for (contract, cards), dealer in zip(game_slips.hands, dealers, strict=False)]


def _slip(game_slips: Slips, table: Table) -> Section:
    heading = (
        _("{event}, round {round} (draft), table {table}")
        if game_slips.draft
        else _("{event}, round {round}, table {table}")
    )
    heading = heading.format(event=game_slips.event.settings.name, round=table.round, table=table.number)
    names = seat_names(game_slips.substitutions)
    columns: list[Field[Any]] = [
        Field("hand", _("Hand")),
        Field("cards", _("Cards"), align="right"),
        Field("dealer", _("Deals")),
    ]
    for seat, player in enumerate(table.players, 1):
        columns += [Field(f"points_{seat}", names(table.round, player)), Field(f"total_{seat}", _("Total"))]
    columns += [Field("closer", _("Closed by")), Field("ending", _("At once") if game_slips.hands else _("Ending"))]
    boxes = [TO_WRITE] * (2 * len(table.players) + 2)
    rows = tuple(
        (hand, "" if cards is None else cards, dealer or TO_WRITE, *boxes)
        for hand, cards, dealer in _hands(game_slips, table, names)
    )
    on_paper = tuple(replace(column, priority=0) for column in columns)
    return Section(heading, on_paper, rows, _instructions(game_slips, table))


def _first_dealer(game_slips: Slips, table: Table) -> Iterator[str]:
    """Yield who deals first, if the lines of the hands do not say it, and the cards drawn for the seats."""
    if not game_slips.hands and table.players:
        first = seat_names(game_slips.substitutions)(table.round, table.players[0])
        yield _("{player} deals the first hand.").format(player=first)
    if game_slips.drawn.get(table.number):
        yield _("Drawn for the seats: {players}.").format(players=game_slips.drawn[table.number])


def _instructions(game_slips: Slips, table: Table) -> tuple[str, ...]:
    """Return what to write where, and a line for each signature."""
    how = _(
        "On the left the points of the hand, on the right the running total; “at once” is for who closes in the turn "
        "of laying down."
    )
    if not game_slips.hands:
        how = _(
            "On the left the points of the hand, on the right the running total; the ending is knock, rummy, color or "
            "continental."
        )
    names = [seat_names(game_slips.substitutions)(table.round, player) for player in table.players]
    signatures = (_("{player}: {line}").format(player=name, line=TO_SIGN) for name in names)
    return (how, *_first_dealer(game_slips, table), *signatures)
