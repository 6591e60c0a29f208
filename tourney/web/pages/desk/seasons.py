"""Seasons at the desk: a new one from a preset, and the events that count in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tourney.domain.seasons import SEASON_SETTINGS, Season
from tourney.reports import seasons as report
from tourney.service.change import Change
from tourney.service.events import events as events_service
from tourney.service.seasons import seasons as service
from tourney.service.seasons.seasons import CountEvents, CreateSeason, DeleteSeason, RemoveEvents, SeasonChange
from tourney.text.i18n import _, marked
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Button, Refused, form, page, press, view, whole_number
from tourney.web.pages.desk.settings import SettingInput

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


def seasons(asked: Asked, refused: Refused = None) -> View:
    """Show all seasons with the forms of their events, and the form of a new one."""
    names = [event.settings.name for event in reversed(events_service.listing(asked.db))]
    listed = [_listed(each, names) for each in reversed(service.listing(asked.db))]
    values = {
        "seasons": listed,
        "numbers": list(_numbers(asked)),
        "presets": [(preset, _(text)) for preset, text in PRESETS.items()],
    }
    about = [f"season {season.id}" for season, _counted, _others in listed]
    return view(asked, "seasons.html", _("Seasons"), values, refused, about=about)


def _listed(shown: SeasonChange, names: Sequence[str]) -> tuple[Season, list[str], list[str]]:
    """Return a season with the names of the events that count in it, and of those that do not."""
    counted = [shown.events[each.event] for each in shown.season.counted]
    return shown.season, counted, [name for name in names if name not in counted]


def _numbers(asked: Asked) -> Iterator[SettingInput]:
    for name in NUMBERS:
        yield SettingInput(name, _(SEASON_SETTINGS[name].heading), asked.field(name), True)


def act(asked: Asked) -> Answer:
    """Do what a button says."""
    season, names = asked.field("season"), asked.form.get("counted", ())
    buttons: dict[str, Button] = {
        "create": (lambda: _creation(asked), report.created, SEASONS),
        "add": (lambda: _count(asked, season, names), report.added, SEASONS),
        "remove": (lambda: RemoveEvents(season, names), report.removed, SEASONS),
        "delete": (lambda: DeleteSeason(season), report.deleted, SEASONS),
    }
    return press(asked, seasons, buttons)


def _creation(asked: Asked) -> Change[SeasonChange]:
    given: dict[str, Any] = {name: whole_number(asked, name) for name in NUMBERS}
    return CreateSeason(asked.field("name"), given, asked.field("preset") or None)


def _count(asked: Asked, season: str, names: Sequence[str]) -> Change[SeasonChange]:
    return CountEvents(season, names, asked.field("weight").strip() or "1", bool(asked.field("final")))


PAGES = (
    page(SEASONS, seasons),
    form(SEASONS, act),
)
