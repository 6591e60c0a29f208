"""The pages of one player and of the phone's own: their table now, games and rating, and how they have ended."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from markupsafe import escape

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Result
from tourney.domain.rounds import Table, as_played
from tourney.reports.ratings import player_history as history_report
from tourney.reports.render.plots import legend
from tourney.reports.render.report import Field, Fields, listing
from tourney.reports.results import standings as standings_report
from tourney.service.events.attendance import taking_part
from tourney.service.ratings import player_history as history_service
from tourney.service.results import results as results_service
from tourney.service.stages import shown as standings_service
from tourney.service.web import access
from tourney.service.web.seats import give_back
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _, both
from tourney.text.numbers import ordinal
from tourney.web.access import (
    ME,
    PLAYER_COOKIE,
    is_local,
    known_player,
    seat_cookie,
    seat_holder,
    seat_key,
)
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import all_posted, number_in, player_links, podium, refuse_readers, standings_of
from tourney.web.render import Link, Shown, report_view, with_plot


@dataclass(frozen=True, slots=True)
class _Game:
    """A table of the event at which the player sits or sat, with its result if it has one."""

    table: Table
    seat: int
    result: Result | None


def player(asked: Asked) -> View:
    """Show one entrant, by their number."""
    event = asked.server.shown_event()
    found = _entrant(event, number_in(asked.path["number"]), taking_part(event, all_posted(asked).rounds))
    return View("player.html", found.shown, _of_player(asked, event, found))


def me(asked: Asked) -> View:
    """Show the player whose seat the phone has, with the way to their table; without a seat, how to get one.

    After the end, show how the player has ended, also on a phone that has only said whose it is.
    """
    event = asked.server.shown_event()
    found = seat_holder(asked.db, event.settings.name, _own_key(asked, event.settings.name))
    shown = taking_part(event, all_posted(asked).rounds)
    if event.state == "finished" and (ended := found or known_player(asked.cookies, shown)):
        table = standings_of(asked, event.settings.name)
        if standings_report.is_final(table):
            return _end(asked, event, ended, table)
    if found is None:
        return View("me.html", _("Me"), {"has_seat": False, "can_enter": can_enter(asked, event)}, live=False)
    around = {"has_seat": True, "can_enter": can_enter(asked, event) and own_table(asked, found) is not None}
    return View("me.html", found.shown, {**_of_player(asked, event, found), **around})


def can_enter(asked: Asked, event: Event) -> bool:
    """Return whether a phone may type sheets of the event from where it is."""
    return event.state != "finished" and (is_local(asked.address) or asked.server.settings.entry)


def own_table(asked: Asked, found: Player) -> Table | None:
    """Return the table at which the player plays in the newest round, with those who play; None if there is none."""
    posted = all_posted(asked)
    tables = (as_played(table, posted.substitutions) for drawn in posted.rounds[-1:] for table in drawn.tables)
    return next((table for table in tables if found in table.players), None)


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """The parts of a page for the player whose seat the phone has: their links, to be marked, and a line above all."""

    link: bytes
    line: bytes


def own_place(asked: Asked) -> OwnPlace | None:
    """Return what the pages for everybody show the phone of a player first; None for a phone without a seat."""
    event = asked.server.shown_if_any()
    if event is None:
        return None
    key = _own_key(asked, event.settings.name)
    found = asked.server.seats_of(event.settings.name).get(access.token_hash(key))
    if found is None or found not in event.entrants:
        return None
    table, (path,) = own_table(asked, found), player_links(event, [found])
    seat = "" if table is None else _seat_text(table, found)
    way = seat and f'<a href="{ME}/sheet">{escape(seat)}</a>'
    if asked.server.shown_event().state == "finished" or not asked.server.settings.entry:
        way = escape(seat)
    line = f'<p class="own" dir="auto"><a href="{ME}">{escape(found.shown)}</a> {way}</p>\n'
    return OwnPlace(f'href="{path}"'.encode(), line.encode("utf-8", "xmlcharrefreplace"))


def _seat_text(table: Table, found: Player) -> str:
    text = _("Round {round}: table {table}, seat {seat}")
    return text.format(round=table.round, table=table.number, seat=table.players.index(found) + 1)


def my_sheet(asked: Asked) -> Answer:
    """Go to the sheet of the table at which the player sits whose seat the phone has."""
    refuse_readers(asked)
    event = asked.server.shown_event().settings.name
    key = _own_key(asked, event)
    found = seat_holder(asked.db, event, key)
    table = None if found is None else own_table(asked, found)
    token = None if table is None else access.address_for_seat(asked.db, event, table, key)
    return Moved(ME if token is None else f"/t/{token}")


def leave(asked: Asked) -> Moved:
    """Give the phone's seat back, so that another phone can take it."""
    refuse_readers(asked)
    event = asked.server.shown_event().settings.name
    give_back(asked.db, event, _own_key(asked, event))
    return Moved(ME, ((seat_cookie(asked.server.made_by(event)), ""), (PLAYER_COOKIE, "")))


def _own_key(asked: Asked, event: str) -> str:
    """Return the key of the phone's seat in an event; "" if it keeps none."""
    return seat_key(asked.cookies, asked.server.made_by(event))


def _of_player(asked: Asked, event: Event, found: Player) -> dict[str, object]:
    """Return what is shown of a player: their table now, their rank, their games and their rating."""
    drawn, name = all_posted(asked), event.settings.name
    results = {
        (each.table.round, each.table.number): each for each in asked.server.once(results_service.show, asked.db, name)
    }
    games = [
        _Game(table, table.players.index(found) + 1, results.get((table.round, table.number)))
        for round_ in drawn.rounds
        for table in round_.tables
        if found in table.players
    ]
    newest = drawn.rounds[-1].number if drawn.rounds else 0
    now = [game for game in games if game.table.round == newest and game.result is None]
    return {
        "now": [seat_sentence(game.table, found) for game in now],
        "rank": list(_rank(asked, name, found)),
        "games": _games(games) if games else None,
        "rating": _rating(asked, found),
    }


def _end(asked: Asked, event: Event, found: Player, table: StandingsTable) -> View:
    """Show the podium, and at which rank the player of the phone has ended."""
    ranks = {row.player.id: row.rank for row in table.rows if row.rank is not None}
    (path,) = player_links(event, [found])
    title = _own_rank(ranks.get(found.id), len(ranks))
    values = {"podium": podium(table), "others": [Link(path, found.shown), Link("/", _("Final standings"))]}
    return View("me_end.html", title, values)


def _own_rank(rank: int | None, among: int) -> str:
    if rank is None:
        return _("You: no rank")
    texts = {1: _("You: {rank}st of {all}"), 2: _("You: {rank}nd of {all}"), 3: _("You: {rank}rd of {all}")}
    return ordinal(rank, texts, _("You: {rank}th of {all}")).format(rank=rank, all=among)


def _entrant(event: Event, number: int, shown: Collection[Player]) -> Player:
    if not (1 <= number <= len(event.entrants) and event.entrants[number - 1] in shown):
        message = _("{event} has no entrant {number}").format(event=event.settings.name, number=number)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("find the name in the standings"))
    return event.entrants[number - 1]


def seat_sentence(table: Table, found: Player) -> str:
    """Return where the player sits at a table, and with whom."""
    sentence = _("Round {round}: table {table}, seat {seat}, with {names}.")
    others = both(other.shown for other in table.players if other != found)
    seat = table.players.index(found) + 1
    return sentence.format(round=table.round, table=table.number, seat=seat, names=others)


def _rank(asked: Asked, event: str, found: Player) -> Iterator[str]:
    """Yield the player's rank and why they have it; nothing for one who is not in the standings."""
    table = asked.server.once(standings_service.standings, asked.db, event)
    row = next((row for row in table.rows if row.player.id == found.id), None)
    if row is not None:
        report = standings_report.why(table, row)
        yield from (report.title, *report.lines)


def _games(games: list[_Game]) -> Shown:
    fields: Fields[_Game] = (
        Field("round", _("Round"), lambda game: game.table.round, "right", priority=0),
        Field("table", _("Table"), lambda game: game.table.number, "right", priority=0),
        Field("seat", _("Seat"), lambda game: game.seat, "right", priority=2),
        Field("points", _("Points"), lambda game: _of(game, "points"), "right", priority=0),
        Field("place", _("Place"), lambda game: _of(game, "places"), "right", priority=0),
        Field("others", _("With"), _others, priority=1),
    )
    links = [f"/tables/{game.table.round}/{game.table.number}" if game.result else "" for game in games]
    return report_view(listing(_("Games"), fields, games), links)


def _of(game: _Game, name: str) -> int | str:
    """Return the player's points or place; nothing without a result that counts."""
    if game.result is None or game.result.state != "counts":
        return ""
    values: tuple[int, ...] = getattr(game.result.outcome, name)
    return values[game.seat - 1] if values else ""


def _others(game: _Game) -> str:
    names = (other.shown for at, other in enumerate(game.table.players, 1) if at != game.seat)
    return ", ".join(names)


def _rating(asked: Asked, found: Player) -> Shown | None:
    """Return the player's rating and its curve; None for one who has not played.

    The pool is read once for all entrants, as each of them looks after every round.
    """
    pool = "people" if found.kind == "person" else "bots"
    histories = asked.server.once_for_all(history_service.player_histories, asked.db, pool)
    history = histories.get(str(found.id))
    # Beside the name of an event another name would give itself away.
    if history is None or history.player != found.shown:
        return None
    # The score, and the best and the worst of all times, are on the player's page among the ratings.
    plot = history_report.inline_plot(history, scores=False)
    return with_plot(history_report.rating_now(history), plot, legend(scores=False))


PAGES = (
    Page("/players/{number}", player),
    Page(ME, me, private=True),
    Page(f"{ME}/sheet", my_sheet, private=True),
    Page(f"{ME}/leave", leave, method="POST"),
)
