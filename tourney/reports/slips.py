"""Score slips for the tables, to be printed and written on."""

from tourney.domain import Slips, Table
from tourney.reports.report import Cell, Column, Report, Section
from tourney.text import _

TO_WRITE = " "
"""A cell that stays free for a pen; an empty one would take its column away."""


def slips(what: Slips) -> Report:
    """A slip for each table: a line for each hand, two columns for each player in seat order, and signatures.

    The first of a player's columns takes the hand's points, the second the running total. For programs: the
    hands of each table with their cards and dealer.
    """
    event = what.event.settings.name
    sections = tuple(_slip(what, table) for table in what.tables)
    columns = tuple(Column(key, key) for key in ("round", "table", "hand", "cards", "dealer"))
    rows = tuple(
        (table.round, table.number, contract, cards, table.players[number % len(table.players)].shown)
        for table in what.tables
        for number, (contract, cards) in enumerate(what.hands)
    )
    return Report(_("Score slips of {event}").format(event=event), columns, rows, sections=sections)


def _slip(what: Slips, table: Table) -> Section:
    heading = _("{event}, round {round}, table {table}").format(
        event=what.event.settings.name, round=table.round, table=table.number
    )
    columns = [Column("hand", _("Hand")), Column("cards", _("Cards"), "right"), Column("dealer", _("Deals"))]
    for seat, player in enumerate(table.players, 1):
        columns += [Column(f"points_{seat}", player.shown), Column(f"total_{seat}", _("Total"))]
    columns += [Column("closer", _("Closed by")), Column("at_once", _("At once"))]
    rows = tuple(_hand(table, number, contract, cards) for number, (contract, cards) in enumerate(what.hands))
    return Section(heading, tuple(columns), rows, _points(table))


def _hand(table: Table, number: int, contract: str, cards: int) -> tuple[Cell, ...]:
    players = len(table.players)
    return (contract, cards, table.players[number % players].shown, *[TO_WRITE] * (2 * players + 2))


def _points(table: Table) -> tuple[str, ...]:
    """What to write where, and a line for each signature."""
    how = _("Points of the hand left, the running total right; “at once” is for who lays down and closes in one turn.")
    return (how, *(_("{player}: ____________________").format(player=player.shown) for player in table.players))
