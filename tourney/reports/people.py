"""Players as reports."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tourney.domain.people import Player
from tourney.domain.registration import Erased, Merged, PlayerPage, Registered, Renamed
from tourney.reports.plan_changes import with_each_ahead
from tourney.reports.render.report import Cell, Column, Report
from tourney.text.i18n import _, ngettext


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
    others = ", ".join(one.shown for one in known.namesakes)
    columns = (Column("what", _("What")), Column("value", _("Value")))
    rows: tuple[tuple[Cell, ...], ...] = (
        (_("number"), player.id),
        (_("kind"), player.kind),
        *(((_("label"), player.label),) if player.label else ()),
        *(((_("club"), player.club),) if player.club else ()),
        *(((_("others of this name"), others),) if others else ()),
        (_("events"), ", ".join(known.events) if known.events else _("none")),
        (_("games"), known.games),
        (_("tables won"), known.wins),
    )
    data = {
        **player_data(player),
        "events": list(known.events),
        "games": known.games,
        "wins": known.wins,
        "namesakes": [one.shown for one in known.namesakes],
    }
    return Report(player.shown, columns, rows, data=data)


def player_data(player: Player) -> dict[str, Any]:
    """A player for programs."""
    keys = (column.key for column in _columns())
    return dict(zip(keys, _row(player), strict=True))


def renamed(what: Renamed) -> Report:
    """A person's new name, label or club."""
    title = _("{before} is now {after}").format(before=what.before.shown, after=what.after.shown)
    if what.before.shown == what.after.shown:
        club = what.after.club or _("none")
        title = _("{name}: club {club}").format(name=what.after.shown, club=club)
    report = Report(title, data={"before": player_data(what.before), "after": player_data(what.after)})
    return with_each_ahead(report, what.ahead)


def merged(what: Merged) -> Report:
    """Two entries that are one now, and what went from one to the other."""
    columns = (Column("event", _("Event")), Column("games", _("Games"), "right"))
    title = _("{gone} is now {keep}").format(gone=what.gone.shown, keep=what.keep.shown)
    lines = () if what.moved else (_("{gone} had entered no event.").format(gone=what.gone.shown),)
    moved = tuple((one.event, one.games) for one in what.moved)
    data = {
        "keep": player_data(what.keep),
        "gone": player_data(what.gone),
        "moved": [{"event": event, "games": games} for event, games in moved],
    }
    return with_each_ahead(Report(title, columns, moved, data=data, lines=lines), what.ahead, _("Games that go over"))


def erased(what: Erased) -> Report:
    """A person whose name is gone, what remains, and that this is for good."""
    title = _("{name} is erased, and now called {after}").format(name=what.before.shown, after=what.after.shown)
    events = ngettext("{number} event", "{number} events", what.events).format(number=what.events)
    games = ngettext("{number} game", "{number} games", what.games).format(number=what.games)
    notes = (
        _("This cannot be undone. What remains: {events}, {games} and their points.").format(
            events=events, games=games
        ),
        _("Reasons that somebody wrote, printed pages and copies elsewhere may still hold the name."),
    )
    data = {
        "player": player_data(what.after),
        "events": what.events,
        "games": what.games,
        "backups": list(what.backups),
    }
    return Report(title, notes=notes + _still_held(what.backups), data=data)


def _still_held(backups: Sequence[str]) -> tuple[str, ...]:
    """How many backups hold an erased name, where they are, and what to do about it."""
    if not backups:
        return ()
    said = ngettext(
        "{number} backup in {folder} still holds the name: make a new one with `tourney db backup`, then delete it.",
        "{number} backups in {folder} still hold the name: make a new one with `tourney db backup`, then delete them.",
        len(backups),
    )
    return (said.format(number=len(backups), folder=Path(backups[0]).parent),)
