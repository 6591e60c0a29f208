"""Pages for paper at the desk: what `tourney print` makes, in a window of its own that the browser prints."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Literal

from tourney.domain.rankings import RatingsTable
from tourney.reports import rules as rules_report
from tourney.reports import seasons as seasons_report
from tourney.reports.coded import coded_report
from tourney.reports.html.document import SignLink, html_text
from tourney.reports.ratings import ratings as ratings_report
from tourney.reports.ratings.first_players import Histories, with_pictures
from tourney.reports.render.report import Report
from tourney.reports.results import certificates as certificates_report
from tourney.reports.results import standings as standings_report
from tourney.reports.rounds import posters
from tourney.reports.rounds import slips as slips_report
from tourney.service import rules as rules_service
from tourney.service.codes import event_code, journal_code
from tourney.service.ratings import ratings as ratings_service
from tourney.service.ratings.player_history import player_histories
from tourney.service.rounds import rounds as rounds_service
from tourney.service.seasons import seasons as seasons_service
from tourney.service.seasons import standings as season_standings
from tourney.service.stages import shown as standings_service
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, language, speaking
from tourney.web.answers import Content, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import event_name, for_event, page, view
from tourney.web.pages.hall import ended_stages, no_page, number_in, standings_text
from tourney.web.render import Link

PAPER: Final = "/desk/paper"
WINNERS: Final = 3
"""The ranks that get a certificate."""
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_INLINE: Final = re.compile(r' style="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page for paper: the function that returns its report and the language in which its event prints.

    `of` is the field of the query that has the number of its round or season, if it has one.
    """

    report: Callable[[Asked, int | None], tuple[Report, str | None]]
    of: Literal["", "round", "season"] = ""


def overview(asked: Asked) -> View:
    """Show the way to everything that can be printed or taken along."""
    event = asked.server.event()
    drawn, ended = rounds_service.show(asked.db, event.settings.name).rounds, ended_stages(event)
    values = {
        "rounds": [
            (_("Round {round}").format(round=each.number), list(_of_round(each.number, ended)))
            for each in reversed(drawn)
        ],
        "no_round": _("No round is drawn yet."),
        "event_heading": event.settings.name,
        "event_links": [
            Link(f"{PAPER}/print/standings", _("Standings")),
            Link(f"{PAPER}/print/certificates", _("Certificates for the winners")),
            Link(f"{PAPER}/print/rules", _("The rules of this event")),
        ],
        "club_heading": _("The club"),
        "club_links": [Link(f"{PAPER}/print/ratings", _("Ratings")), *_of_seasons(asked)],
        "why": _("Each opens in a window of its own, which the browser prints or saves as PDF."),
        "more": list(_more()),
    }
    return view(asked, "paper.html", _("Paper and files"), values)


def _of_round(number: int, ended: Mapping[int, str]) -> Iterator[Link]:
    yield Link(f"{PAPER}/print/slips?round={number}", _("Score slips"))
    yield Link(f"{PAPER}/print/wall?round={number}", _("Seating for the wall"))
    yield Link(f"{PAPER}/print/signs?round={number}", _("Signs for the tables"))
    yield Link(f"{PAPER}/print/standings?round={number}", standings_text(number, ended))


def _of_seasons(asked: Asked) -> Iterator[Link]:
    for each in seasons_service.listing(asked.db):
        text = _("Season {season}").format(season=each.season.settings.name)
        yield Link(f"{PAPER}/print/season?season={each.season.id}", text)


def _more() -> Iterator[Link]:
    yield Link(f"{PAPER}/phones", _("Phones at the tables: signs with QR codes, codes and PINs"))
    yield Link(f"{PAPER}/messages", _("Messages to post in a chat"))
    yield Link(f"{PAPER}/files", _("Spreadsheets and the event's file"))
    yield Link(f"{PAPER}/files#site", _("The event's pages for the club's website"))
    yield Link(f"{PAPER}/mirrors", _("Mirrors on a stick or another disk"))


# --- the sheets -----------------------------------------------------------------------------------------------------


def _slips(asked: Asked, number: int | None) -> tuple[Report, str | None]:
    read = partial(rounds_service.slips, asked.db, _event(asked), number)
    return coded_report(asked.db, read, slips_report.slips, event_code(_event(asked)))


def _wall(asked: Asked, number: int | None) -> tuple[Report, str | None]:
    return _posted(asked, number, posters.wall)


def signs(asked: Asked, number: int | None) -> tuple[Report, str | None]:
    """Return the report of the signs of a round, the newest if none is named."""
    return _posted(asked, number, posters.signs)


def _posted(asked: Asked, number: int | None, report: Callable[..., Report]) -> tuple[Report, str | None]:
    which: int | Literal["newest"] = "newest" if number is None else number
    read = partial(rounds_service.show, asked.db, _event(asked), which)
    return coded_report(asked.db, read, report, event_code(_event(asked)))


def _standings(asked: Asked, number: int | None) -> tuple[Report, str | None]:
    read = partial(standings_service.standings, asked.db, _event(asked), number)
    report = partial(standings_report.standings, by_round="people")
    return coded_report(asked.db, read, report, event_code(_event(asked)))


def _certificates(asked: Asked, _number: int | None) -> tuple[Report, str | None]:
    read = partial(standings_service.standings, asked.db, _event(asked))
    report = partial(certificates_report.certificates, top=WINNERS)
    return coded_report(asked.db, read, report, event_code(_event(asked)))


def _ratings(asked: Asked, _number: int | None) -> tuple[Report, str | None]:
    def read() -> tuple[RatingsTable, Histories]:
        return ratings_service.ratings(asked.db), player_histories(asked.db)

    def report(state: tuple[RatingsTable, Histories]) -> Report:
        table, histories = state
        return with_pictures(ratings_report.ratings(table), table, histories)

    return coded_report(asked.db, read, report, journal_code)


def _season(asked: Asked, number: int | None) -> tuple[Report, str | None]:
    read = partial(season_standings.standings, asked.db)
    if number is not None:
        read = partial(season_standings.numbered, asked.db, number)
    return coded_report(asked.db, read, seasons_report.on_paper, journal_code)


def _rules(asked: Asked, _number: int | None) -> tuple[Report, str | None]:
    read = partial(rules_service.page_for, asked.db, rules_service.USUAL, _event(asked))
    return coded_report(asked.db, read, rules_report.page, event_code(_event(asked)))


def _event(asked: Asked) -> str:
    """Return the event that a form is about, or else the one that is served."""
    return event_name(asked)


SHEETS: Final[Mapping[str, Sheet]] = {
    "slips": Sheet(_slips, of="round"),
    "wall": Sheet(_wall, of="round"),
    "signs": Sheet(signs, of="round"),
    "standings": Sheet(_standings, of="round"),
    "certificates": Sheet(_certificates),
    "ratings": Sheet(_ratings),
    "season": Sheet(_season, of="season"),
    "rules": Sheet(_rules),
}
"""The sheets by the last part of their path."""


def sheet(asked: Asked) -> Content:
    """Return a page for paper."""
    found = SHEETS.get(asked.path["sheet"])
    if found is None:
        raise no_page()
    number = asked.query.get(found.of, "")
    return printed(*found.report(asked, number_in(number) if number else None))


def printed(report: Report, kept: str | None, links: Mapping[int, SignLink] = MappingProxyType({})) -> Content:
    """Return a report as a page for paper, in the language that its event keeps for what is printed.

    Its stylesheet is in the page, as in the file that a command makes, so that its policy names the hashes of just
    these styles; no address is allowed, and no script but those of the server.
    """
    with speaking(kept or language()):
        day = shown_dates(f"{datetime.now(UTC).astimezone():%Y-%m-%d}")
        text = html_text(replace(report.in_brief(), next_steps=()), day, "a4", links)
    return Content(
        text.encode("utf-8", "xmlcharrefreplace"),
        "text/html; charset=utf-8",
        headers=(("Content-Security-Policy", style_policy(text)),),
    )


def style_policy(text: str) -> str:
    """Return the policy of a page that has its styles in it, and gets a script of ours: the styles by their hashes."""
    styles = {*_STYLE.findall(text), *_INLINE.findall(text)}
    hashes = " ".join(sorted(f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" for style in styles))
    return (
        f"default-src 'none'; script-src 'self'; style-src 'unsafe-hashes' {hashes}; img-src data:; object-src 'none'; "
        "frame-ancestors 'none'; form-action 'none'; base-uri 'none'"
    )


PAGES = (
    page(PAPER, for_event(overview)),
    page(f"{PAPER}/print/{{sheet}}", for_event(sheet), "round", "season"),
)
