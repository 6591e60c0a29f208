"""Players as reports."""

from collections.abc import Sequence

from tourney.domain import Player, PlayerPage, Registered
from tourney.reports.report import Cell, Column, Report
from tourney.text import _, ngettext


def _columns() -> tuple[Column, ...]:
    return (
        Column("id", _("No."), "right"),
        Column("name", _("Name")),
        Column("label", _("Label")),
        Column("club", _("Club")),
        Column("kind", _("Kind")),
    )


def _row(player: Player) -> tuple[Cell, ...]:
    return (player.id, player.name, player.label, player.club, player.kind)


def counted(number: int) -> str:
    """As `1 player`, `22 players`."""
    return ngettext("{number} player", "{number} players", number).format(number=number)


def listing(players: Sequence[Player]) -> Report:
    """The players found."""
    rows = tuple(_row(player) for player in players)
    lines = () if players else (_("Register people with `tourney player add NAME`."),)
    return Report(counted(len(players)), _columns(), rows, lines=lines)


def registered(what: Registered) -> Report:
    """Whom a registration added; who was known already stands in a note."""
    title = _("registered: {players}").format(players=counted(len(what.added)))
    notes: tuple[str, ...] = ()
    if what.known:
        names = ", ".join(player.shown for player in what.known)
        notes = (_("registered already: {names}").format(names=names),)
    return Report(title, _columns(), tuple(_row(player) for player in what.added), notes)


def page(known: PlayerPage) -> Report:
    """One player: name, club, events, games and tables won."""
    player = known.player
    columns = (Column("what", _("What")), Column("value", _("Value")))
    rows: tuple[tuple[Cell, ...], ...] = (
        (_("number"), player.id),
        (_("kind"), player.kind),
        *(((_("club"), player.club),) if player.club else ()),
        (_("events"), ", ".join(known.events) if known.events else _("none")),
        (_("games"), known.games),
        (_("tables won"), known.wins),
    )
    keys = tuple(column.key for column in _columns())
    data = {
        **dict(zip(keys, _row(player), strict=True)),
        "events": list(known.events),
        "games": known.games,
        "wins": known.wins,
    }
    return Report(player.shown, columns, rows, data=data)
