"""Reports on players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tourney.domain.people import Player, PublishedAs
from tourney.reports.names import names_of
from tourney.reports.plan_changes import with_each_ahead
from tourney.reports.render.report import Field, Fields, Report, facts, listing, named, record
from tourney.service import players as service
from tourney.text.i18n import _, fill, ngettext, pgettext
from tourney.text.ranges import ranges


def player_fields() -> Fields[Player]:
    """Return the fields of a player."""
    return (
        Field("id", _("No."), lambda player: player.id, "right", priority=0),
        Field("name", _("Name"), lambda player: player.name, priority=0),
        Field("label", _("Label"), lambda player: player.label, priority=2),
        Field("club", _("Club"), lambda player: player.club),
        Field("kind", _("Kind"), lambda player: player.kind, priority=2, look="word"),
    )


def counted(number: int) -> str:
    """Return a number of players in words: `1 player`, `22 players`."""
    return ngettext("{number} player", "{number} players", number).format(number=number)


def players(listed_players: Sequence[Player]) -> Report:
    """Report the players found."""
    steps = () if listed_players else (_("Register people with `tourney player add NAME`."),)
    return listing(counted(len(listed_players)), player_fields(), listed_players, next_steps=steps)


def added(new: Sequence[Player]) -> Report:
    """Report players who were just registered."""
    return registered(service.Registered(tuple(new)))


def registered(registration: service.Registered) -> Report:
    """Report who was registered; a note names who was registered already."""
    title = _("registered: {players}").format(players=counted(len(registration.added)))
    names = names_of(registration.known)
    notes = (_("registered already: {names}").format(names=names),) if names else ()
    return listing(title, player_fields(), registration.added, notes=notes)


def page(player_page: service.PlayerPage) -> Report:
    """Report one player: name, club, events, games and tables won."""
    player = player_page.player
    table = {
        _("number"): player.id,
        _("kind"): player.kind,
        _("label"): player.label,
        _("club"): player.club,
        _("others of this name"): names_of(player_page.namesakes),
        _("events"): ", ".join(player_page.events) or pgettext("of events", "none"),
        _("games"): player_page.games,
        _("tables won"): player_page.wins,
        _("in rankings"): player_page.published or _("not shown"),
    }
    data = {
        **record(player_fields(), player),
        **named(player_page, "events", "games", "wins", "published"),
        "namesakes": [namesake.shown for namesake in player_page.namesakes],
    }
    return Report(player.shown, *facts(table), data=data)


def renamed(renaming: service.Renamed) -> Report:
    """Report a person's new name, label or club."""
    title = _("{before} is now {after}").format(before=renaming.before.shown, after=renaming.after.shown)
    if renaming.before.shown == renaming.after.shown:
        club = renaming.after.club or pgettext("of clubs", "none")
        title = _("{name}: club {club}").format(name=renaming.after.shown, club=club)
    fields = player_fields()
    data = {"before": record(fields, renaming.before), "after": record(fields, renaming.after)}
    return with_each_ahead(Report(title, data=data), renaming.ahead)


def published(changed: tuple[Player, PublishedAs, str]) -> Report:
    """Report what rankings show of a person."""
    person, shown, name = changed
    titles = {
        "name": _("rankings show {player} by name"),
        "other name": _("rankings show {player} as {name}"),
        "nothing": _("rankings do not show {player}"),
    }
    data = {"player": record(player_fields(), person), "published": shown, "name": name}
    note = _("Earlier editions, pages and prints that are made from now on follow; what was given out before does not.")
    return Report(titles[shown].format(player=person.shown, name=name), data=data, notes=(note,))


def merged(merge: service.Merged) -> Report:
    """Report that two registrations were merged, and the games that moved."""
    fields: Fields[service.EventGames] = (
        Field("event", _("Event"), lambda moved: moved.event, priority=0),
        Field("games", _("Games"), lambda moved: moved.games, "right", priority=0),
    )
    title = _("{gone} is now {keep}").format(gone=merge.gone.shown, keep=merge.keep.shown)
    lines = () if merge.moved else (_("{gone} had entered no event.").format(gone=merge.gone.shown),)
    data = {
        "keep": record(player_fields(), merge.keep),
        "gone": record(player_fields(), merge.gone),
        "moved": [record(fields, moved) for moved in merge.moved],
        "published": merge.published,
    }
    report = listing(title, fields, merge.moved, data=data, lines=lines, notes=_kept_wish(merge))
    return with_each_ahead(report, merge.ahead, _("Games that move"))


def _kept_wish(merge: service.Merged) -> tuple[str, ...]:
    """Return how rankings show somebody after a merger, unless they do so by name."""
    if merge.published == merge.keep.shown:
        return ()
    text = _("Rankings show {player} as {name}: one of the two registrations asked for that.")
    if merge.published is None:
        text = _("Rankings do not show {player}: one of the two registrations asked for that.")
    return (fill(text, player=merge.keep.shown, name=merge.published or ""),)


def erased(erasure: service.Erased) -> Report:
    """Report an erased name, what remains, and that the erasure cannot be undone."""
    title = _("{name} is erased and now called {after}").format(name=erasure.before.shown, after=erasure.after.shown)
    notes = (
        _what_remains(erasure),
        _("Printed pages and copies elsewhere may still contain the name, and the journal a shorter form of it."),
    )
    data = {
        "player": record(player_fields(), erasure.after),
        **named(erasure, "events", "games", "backups", "pools", "mirrors", "changes", "settings"),
    }
    return Report(title, notes=notes + _still_held(erasure), data=data)


def before_erasing(erasure: service.Erased) -> tuple[str, ...]:
    """Return what an erasure would do, as lines for the question whether to do it."""
    title = _("{name} would be erased and called {after}").format(name=erasure.before.shown, after=erasure.after.shown)
    return title, _what_remains(erasure)


def _what_remains(erasure: service.Erased) -> str:
    events = ngettext("{number} event", "{number} events", erasure.events).format(number=erasure.events)
    games = ngettext("{number} game", "{number} games", erasure.games).format(number=erasure.games)
    message = _("This cannot be undone. What remains: {events}, {games} and their points.")
    return message.format(events=events, games=games)


def _still_held(erasure: service.Erased) -> tuple[str, ...]:
    """Return a note for each kind of place that still contains the erased name, and what to do there."""
    notes = []
    if erasure.settings:
        text = _("The settings of {events} contain the name, and so do their pages: see `tourney event set --help`.")
        notes.append(text.format(events=", ".join(erasure.settings)))
    if erasure.changes:
        text = ngettext(
            "Change {numbers} of the journal contains the name, which is not erased there: see `tourney log`.",
            "Changes {numbers} of the journal contain the name, which is not erased there: see `tourney log`.",
            len(erasure.changes),
        )
        notes.append(text.format(numbers=ranges(erasure.changes)))
    if erasure.pools:
        text = _("Results imported into {pools} contain the name, and so do their ratings: that is not erased.")
        notes.append(text.format(pools=", ".join(erasure.pools)))
    if erasure.mirrors:
        text = _("Away, and with the name until the next change when they are back: {mirrors}.")
        notes.append(text.format(mirrors=", ".join(erasure.mirrors)))
    return (*notes, *_in_backups(erasure.backups))


def _in_backups(backups: Sequence[str]) -> tuple[str, ...]:
    """Return a note with how many backups contain an erased name, where, and what to do; or none."""
    if not backups:
        return ()
    text = ngettext(
        "{number} backup in {folder} still holds the name: make a new one with `tourney db backup`, then delete it.",
        "{number} backups in {folder} still hold the name: make a new one with `tourney db backup`, then delete them.",
        len(backups),
    )
    return (text.format(number=len(backups), folder=Path(backups[0]).parent),)
