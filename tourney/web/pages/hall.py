"""The pages of the hall: the standings, and who sits where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Result
from tourney.domain.rounds import Table
from tourney.domain.schedule import Schedule
from tourney.reports.html.document import GridView, grid_view
from tourney.reports.names import seat_names
from tourney.reports.render.report import Report
from tourney.reports.results import results as results_report
from tourney.reports.results import standings as standings_report
from tourney.reports.rounds import rounds as rounds_report
from tourney.service.results import results as results_service
from tourney.service.results.standings import PODIUM
from tourney.service.rounds import rounds as rounds_service
from tourney.service.stages import shown as standings_service
from tourney.standings.scales import shown as shown_score
from tourney.standings.standing import Standing, StandingsTable
from tourney.text.i18n import _
from tourney.text.numbers import Number
from tourney.web.access import is_local
from tourney.web.answers import ForbiddenError, View
from tourney.web.page import Asked, Page
from tourney.web.render import Link, Shown, report_view, sentences, with_column


def front(asked: Asked) -> View:
    """Show the standings; until there is a result, who sits where."""
    drawn = posted(asked)
    table = _table(asked)
    if drawn.rounds and not any(row.games for row in table.rows):
        return seating(asked)
    shown = _ranked(table)
    values = {
        "shown": shown,
        "podium": podium(table) if table.event.state == "finished" else [],
        "first": _to_the_tables(drawn),
        "entry": _to_a_sheet(asked),
    }
    return View("report.html", shown.title, {**values, "others": list(earlier_standings(asked))})


def ended_stages(event: Event) -> dict[int, str]:
    """Return the names of the stages that have ended, by their last rounds."""
    return {following.first - 1: stage.name for stage, following in pairwise(event.settings.stages) if following.begun}


def standings_text(number: int, ended: Mapping[int, str]) -> str:
    """Return the text of a link to the standings after a round, with the stage that it ended."""
    text = _("{stage}: standings after round {round}") if number in ended else _("Standings after round {round}")
    return text.format(round=number, stage=ended.get(number, ""))


def earlier_standings(asked: Asked, numbers: Collection[int] | None = None) -> Iterator[Link]:
    """Yield links to the standings as they were after these earlier rounds; None: after all of them."""
    ended = ended_stages(asked.server.shown_event())
    for drawn in all_posted(asked).rounds[:-1]:
        if numbers is None or drawn.number in numbers:
            yield Link(f"/standings/{drawn.number}", standings_text(drawn.number, ended))


def standings_after(asked: Asked, *, linked: bool = True) -> View:
    """Show the standings as they were after an earlier round; players are `linked` to their pages, but not on a site.

    There a link for each player and round would take more room than the standings.
    """
    number = posted(asked).rounds[0].number
    table = standings_service.standings(asked.db, asked.server.shown_event().settings.name, number)
    links = player_links(table.event, (row.player for row in table.rows)) if linked else ()
    shown = report_view(standings_report.standings_then(table), links)
    return View("report.html", shown.title, {"shown": shown, "others": [Link("/", _("Standings"))]})


def _to_the_tables(drawn: Schedule) -> Link | None:
    """Return a link to who sits where while a round is played, which is what most look for then."""
    if not any(rounds_report.unfinished(drawn, round_) for round_ in drawn.rounds):
        return None
    return Link("/seating", _("Round {round}: find your table").format(round=drawn.rounds[0].number))


def _table(asked: Asked) -> StandingsTable:
    return standings_of(asked, asked.server.shown_event().settings.name)


def standings_of(asked: Asked, event: str) -> StandingsTable:
    """Return the standings of an event as everybody sees them, read once for each version, also for a desk."""
    with storage.as_published():
        return asked.server.once(standings_service.standings, asked.db, event)


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A place on the podium: a rank, which several may share, the player, what ranks them, their page, and a prize."""

    rank: int
    name: str
    score: str
    link: str
    prize: str = ""


def podium(table: StandingsTable) -> list[PodiumPlace]:
    """Return the first three ranks, those of equal rank in the order of the standings."""
    first = [row for row in table.rows if row.games and row.rank is not None and row.rank <= PODIUM]
    links = player_links(table.event, (row.player for row in first))
    return [
        PodiumPlace(row.rank or 0, row.player.shown, _with_unit(table, row), link, _prize(row))
        for row, link in zip(first, links, strict=True)
    ]


def _prize(row: Standing) -> str:
    return _("prize {amount}").format(amount=f"{Number(row.prize / 100):.2f}") if row.prize else ""


def _with_unit(table: StandingsTable, row: Standing) -> str:
    """Return what ranks a player, with its unit where it is not the points that everybody has added up."""
    score = score_text(table, row)
    return _("{points} per game").format(points=score) if table.per_game else score


def score_text(table: StandingsTable, row: Standing) -> str:
    """Return what ranks a player: to two decimals where it is a mean of their games."""
    return f"{Number(row.score):.2f}" if table.per_game else shown_score(row.score)


def _ranked(table: StandingsTable) -> Shown:
    """Return the standings with a link to each player's page."""
    report = standings_report.standings(table, by_round="people")
    return report_view(report, player_links(table.event, (row.player for row in table.rows)))


def player_links(event: Event, players: Iterable[Player]) -> list[str]:
    """Return the path of each player's page."""
    numbers = {player.id: number for number, player in enumerate(event.entrants, 1)}
    return [f"/players/{numbers[player.id]}" for player in players]


def seating(asked: Asked) -> View:
    """Show who sits where, by name: of the newest round, or of the one in the path."""
    drawn = posted(asked)
    values = {**by_name(drawn), **_others(asked, "/seating"), "entry": _to_a_sheet(asked)}
    return View("seating.html", title(drawn, _("Seating")), values)


def tables(asked: Asked) -> View:
    """Show who sits where, table by table, and which tables have a result."""
    drawn = posted(asked)
    results = asked.server.once(results_service.show, asked.db, drawn.event.settings.name)
    places = {**by_table(drawn, results), **_others(asked, "/tables"), "is_earlier": "round" in asked.path}
    return View("tables.html", title(drawn, _("Tables")), {**places, "entry": _to_a_sheet(asked)})


def _to_a_sheet(asked: Asked) -> Link | None:
    """Return a link to the page for a table's code, where tables may enter their sheets on phones, and still can."""
    if not asked.server.settings.entry or asked.server.shown_event().state == "finished":
        return None
    return Link("/code", _("Type the sheet of your table"))


def refuse_readers(asked: Asked) -> None:
    """Raise ForbiddenError for a visitor on another device where nothing can be entered from one."""
    if not (is_local(asked.address) or asked.server.settings.entry):
        message = _("here the event can only be read")
        raise ForbiddenError(message, _("the desk can open it for entries: `tourney serve --entry`"))


def sheet(asked: Asked) -> View:
    """Show a table's sheet, hand by hand, so that its players can check it."""
    drawn = posted(asked)
    place = number_in(asked.path["round"]), number_in(asked.path["table"])
    (result,) = results_service.show(asked.db, drawn.event.settings.name, *place)
    # On the narrowest phone the points say who closed.
    notes = results_service.substitute_notes(asked.db, drawn.event.settings.name, *place)
    report = with_column(results_report.sheet(result, notes), "closer", priority=1)
    return View("report.html", report.title, {"shown": report_view(report)})


def posted(asked: Asked) -> Schedule:
    """Return the round that is asked for, or the newest; no round if none is drawn. Drafts are not shown.

    Raises TourneyError NOT_FOUND for a round that is not there, or not yet.
    """
    which = asked.path.get("round")
    name = asked.server.shown_event().settings.name
    if which is None:
        return rounds_service.published(asked.server.once(rounds_service.show, asked.db, name, "played"))
    number = number_in(which)
    # The service would say how many rounds are drawn, drafts among them.
    if number not in [drawn.number for drawn in all_posted(asked).rounds]:
        raise no_page()
    return rounds_service.published(rounds_service.show(asked.db, name, number))


def all_posted(asked: Asked) -> Schedule:
    """Return all rounds but the drafts."""
    return rounds_service.published(
        asked.server.once(rounds_service.show, asked.db, asked.server.shown_event().settings.name)
    )


def no_page() -> TourneyError:
    """Return the refusal of a page that is not there."""
    return TourneyError(ExitCode.NOT_FOUND, _("there is no such page"), _("go to the standings"))


def name_code(name: str) -> str:
    """Return a code for the name shown in a path: some names would lead elsewhere, and numbers tell who it is."""
    return sha256(name.encode()).hexdigest()[:16]


def number_in(text: str) -> int:
    """Return the number in a path. Raises TourneyError NOT_FOUND for text that is none, or of more than 6 digits.

    A number has one spelling, so that it has one page.
    """
    if text.isascii() and text.isdecimal() and len(text) <= 6 and str(int(text)) == text:
        return int(text)
    raise no_page()


def title(drawn: Schedule, heading: str) -> str:
    """Return the title of a page about one round, or about none."""
    if len(drawn.rounds) != 1:
        return heading
    return _("{page}, round {round}").format(page=heading, round=drawn.rounds[0].number)


def by_name(drawn: Schedule) -> dict[str, object]:
    """Return a line for each player of the round, with a link to the player's page, and who sits out."""
    report = rounds_report.posted_list(drawn, "name")
    places = {
        (table.number, seat): player
        for round_ in drawn.rounds
        for table in round_.tables
        for seat, player in enumerate(table.players, 1)
    }
    keys = [column.key for column in report.columns]
    spots = [tuple(int(str(row[keys.index(key)])) for key in ("table", "seat")) for row in report.rows]
    links = player_links(drawn.event, (places[table, seat] for table, seat in spots))
    return {"grid": _without_round(report), "links": links, "sentences": _sentences(drawn, report)}


def _without_round(report: Report) -> GridView:
    columns, rows = report.for_people()
    kept = [index for index, column in enumerate(columns) if column.key != "round"]
    return grid_view([columns[at] for at in kept], [tuple(row[at] for at in kept) for row in rows])


def _sentences(drawn: Schedule, report: Report) -> tuple[str, ...]:
    return sentences(report) if drawn.rounds else (_("No round is drawn yet."),)


@dataclass(frozen=True, slots=True)
class Card:
    """A table as people find it: its number, who sits where, and the state of its result, with a link to the sheet.

    `points` has those of each player, or the money, if a result counts.
    """

    number: int
    players: tuple[Link, ...]
    state: str
    done: bool
    link: str
    points: tuple[int, ...] = ()


def by_table(drawn: Schedule, results: Iterable[Result] = ()) -> dict[str, object]:
    """Return a card for each table of the round, with points or money of those results that count; and byes."""
    points = {
        (each.table.round, each.table.number): each.outcome.money or each.outcome.points
        for each in results
        if each.state == "counts"
    }
    cards = [
        _card(drawn, table, points.get((table.round, table.number), ()))
        for round_ in drawn.rounds
        for table in round_.tables
    ]
    return {
        "cards": cards,
        "sentences": _sentences(drawn, rounds_report.posted_list(drawn, "table")),
    }


def _card(drawn: Schedule, table: Table, points: Sequence[int]) -> Card:
    links = player_links(drawn.event, table.players)
    names = seat_names(drawn.substitutions)
    players = tuple(Link(link, names(table.round, player)) for link, player in zip(links, table.players, strict=True))
    done = (table.round, table.number) in drawn.done
    state = rounds_report.table_state(drawn, table)
    sheet = f"/tables/{table.round}/{table.number}" if done else ""
    return Card(table.number, players, state, done, sheet, tuple(points))


def _others(asked: Asked, page: str) -> dict[str, object]:
    """Return the links to all rounds of a page about one of them."""
    numbers = [round_.number for round_ in all_posted(asked).rounds]
    paths = [page if number == numbers[-1] else f"{page}/{number}" for number in numbers]
    links = [Link(path, str(number)) for path, number in zip(paths, numbers, strict=True)]
    return {"rounds": links if len(links) > 1 else []}


PAGES = (
    Page("/", front),
    Page("/standings/{round}", standings_after),
    Page("/seating", seating),
    Page("/seating/{round}", seating),
    Page("/tables", tables),
    Page("/tables/{round}", tables),
    Page("/tables/{round}/{table}", sheet),
)
