"""Pages for paper at the desk: what `tourney print` makes, in a window of its own that the browser prints."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

from tourney.reports.documents import PRINTED, DeskList
from tourney.reports.html.document import SignLink, html_text
from tourney.reports.render.report import Report
from tourney.service.rounds import rounds as rounds_service
from tourney.service.seasons import seasons as seasons_service
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, language, speaking
from tourney.web.answers import Content, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import event_name, for_event, page, view
from tourney.web.pages.hall import ended_stages, no_page, number_in, standings_text
from tourney.web.render import Link

PAPER: Final = "/desk/paper"
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_INLINE: Final = re.compile(r' style="([^"]*)"')


def overview(asked: Asked) -> View:
    """Show the way to everything that can be printed or taken along."""
    event = asked.server.event()
    drawn, ended = rounds_service.show(asked.db, event.settings.name).rounds, ended_stages(event)
    values = {
        "rounds": [
            (each.number, _("Round {round}").format(round=each.number), list(_of_round(each.number, ended)))
            for each in reversed(drawn)
        ],
        "newest": drawn[-1].number if drawn else None,
        "has_codes": bool(asked.server.settings.address) and asked.server.settings.entry,
        "signs": list(_links("signs")),
        "event_heading": event.settings.name,
        "event_links": list(_links("event")),
        "club_links": [*_links("club"), *_of_seasons(asked)],
    }
    return view(asked, "paper.html", _("Paper and files"), values)


def _of_round(number: int, ended: Mapping[int, str]) -> Iterator[Link]:
    return _links("round", f"?round={number}", round=number, standings=standings_text(number, ended))


def _of_seasons(asked: Asked) -> Iterator[Link]:
    for each in seasons_service.listing(asked.db):
        yield from _links("season", f"?season={each.season.id}", season=each.season.settings.name)


def _links(place: DeskList, query: str = "", **values: object) -> Iterator[Link]:
    """Yield the links to the documents that a list has, with these values in their texts."""
    for name, (_document, paper) in PRINTED.items():
        if place in paper.links:
            yield Link(f"{PAPER}/print/{name}{query}", _(paper.links[place]).format(**values))


# --- the sheets -----------------------------------------------------------------------------------------------------


def sheet(asked: Asked) -> Content:
    """Return a page for paper of the desk's event, or of the round or season whose number the query has."""
    if asked.path["sheet"] not in PRINTED:
        raise no_page()
    document, _paper = PRINTED[asked.path["sheet"]]
    event = asked.query.get("event") or event_name(asked)
    known: dict[str, Any] = {"event": event, "of_event": event}
    if document.asks.keys() & {"number", "after"}:
        known |= dict.fromkeys(("number", "after"), _number(asked, "round"))
    if "season" in document.asks:
        known |= {"season": _number(asked, "season")}
    return printed(*document.of(asked.db, **known).coded(asked.db))


def _number(asked: Asked, field: str) -> int | None:
    given = asked.query.get(field, "")
    return number_in(given) if given else None


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
    page(f"{PAPER}/print/{{sheet}}", for_event(sheet), "round", "season", "event"),
)
