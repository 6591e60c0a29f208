"""Seasons at the desk: a new one from a preset, and the events that count in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tourney.domain.seasons import SEASON_SETTINGS
from tourney.reports import seasons as report
from tourney.service.change import Change
from tourney.service.events import events as events_service
from tourney.service.seasons import seasons as service
from tourney.service.seasons.seasons import CountEvents, CreateSeason, DeleteSeason, RemoveEvents, SeasonChange
from tourney.text.i18n import _, marked, pgettext
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, form, page, submit, view, whole_number
from tourney.web.pages.desk.people.people import unknown_button
from tourney.web.pages.desk.settings import SettingInput
from tourney.web.pages.seasons import path_of
from tourney.web.render import Link

SEASONS: Final = "/desk/events/seasons"
PRESETS: Final[Mapping[str, str]] = {
    "": marked("Place points: 1 for each player ranked behind; all events count"),
    "best": marked("Place points; the best four events count"),
    "table points": marked("Table points, 7-5-3-1 at tables of four and 7-4-1 at tables of three"),
    "ema": marked("As the European mahjong ranking"),
}
"""The presets of a new season in words; without one, the usual settings."""
NUMBERS: Final = ("best", "drop", "minimum", "final_bonus")
"""The settings of a new season that are typed; the others are those of the preset."""


@dataclass(frozen=True, slots=True)
class ListedSeason:
    """A season of the list: its number, name and pages, and the names of the events that count and do not count."""

    number: int
    name: str
    links: tuple[Link, ...]
    counted: tuple[str, ...]
    others: tuple[str, ...]


def seasons(asked: Asked, refused: Refused = None) -> View:
    """Show all seasons with the forms of their events, and the form of a new one."""
    names = [event.settings.name for event in reversed(events_service.listing(asked.db))]
    listed = [_listed(each, names) for each in reversed(service.listing(asked.db))]
    values = {
        "seasons": listed,
        "name": asked.field("name"),
        "numbers": list(_numbers(asked)),
        "presets": [(preset, _(text)) for preset, text in PRESETS.items()],
        "preset": asked.field("preset"),
    }
    about = [f"season {each.number}" for each in listed]
    return view(asked, "seasons.html", _("Seasons"), values, refused, about=about)


def _listed(shown: SeasonChange, names: Sequence[str]) -> ListedSeason:
    season, start = shown.season, path_of(shown.season.id)
    counted = tuple(shown.events[each.event] for each in season.counted)
    links = (Link(start, _("Standings")), Link(f"{start}/events", pgettext("of a season", "What counts")))
    others = tuple(name for name in names if name not in counted)
    return ListedSeason(season.id, season.settings.name, links, counted, others)


def _numbers(asked: Asked) -> Iterator[SettingInput]:
    for name in NUMBERS:
        setting = SEASON_SETTINGS[name]
        label, most = _(setting.heading), setting.most
        yield SettingInput(name, label, asked.field(name), True, least=setting.least or 0, most=most)


def act(asked: Asked) -> Answer:
    """Do what a button says."""
    season, names = asked.field("season"), asked.form.get("counted", ())
    match asked.field("do"):
        case "create":
            return submit(asked, lambda: _creation(asked), report.created, SEASONS, seasons)
        case "add":
            return submit(asked, lambda: _count(asked, season, names), report.added, SEASONS, seasons)
        case "remove":
            return submit(asked, lambda: RemoveEvents(season, names), report.removed, SEASONS, seasons)
        case "delete":
            return submit(asked, lambda: DeleteSeason(season), report.deleted, SEASONS, seasons)
        case _other:
            raise unknown_button()


def _creation(asked: Asked) -> Change[SeasonChange]:
    given: dict[str, Any] = {name: whole_number(asked, name) for name in NUMBERS}
    return CreateSeason(asked.field("name"), given, asked.field("preset") or None)


def _count(asked: Asked, season: str, names: Sequence[str]) -> Change[SeasonChange]:
    return CountEvents(season, names, asked.field("weight").strip() or "1", bool(asked.field("final")))


PAGES = (
    page(SEASONS, seasons),
    form(SEASONS, act),
)
