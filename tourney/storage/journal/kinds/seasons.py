"""Kinds of entries about seasons, which are read from their entries alone."""

from collections.abc import Iterator
from typing import Any

from tourney.domain.seasons import SEASON_SETTINGS, CountedEvent, Season, SeasonSettings
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import Change, unwritten
from tourney.storage.journal.kinds.meanings import Played, Rows, SeasonNo, Texts, Values
from tourney.storage.journal.kinds.text import JournalText
from tourney.storage.journal.payloads import season_changes
from tourney.storage.journal.subjects import Name, Past
from tourney.text.i18n import _, marked
from tourney.text.names import fold


def _name(payload: Payload, _past: Past) -> Iterator[tuple[Name, int]]:
    if "name" in payload:
        yield ("season", fold(payload["name"])), payload["season"]


def _former_name(payload: Payload, _past: Past) -> Iterator[tuple[Name, int]]:
    if "name" in payload or "changes" not in payload:
        yield ("season", fold(payload["before"])), payload["season"]


class OfSeasons(Change):
    """A change of a season."""

    parts = {"seasons": unwritten}


class SeasonMade(OfSeasons, kind="season.new", makes="season"):
    """A new season has no events."""

    name: str
    changes: Values

    writes = ("season_rules season",)
    takes = _name
    said = marked("new season: {name}")

    @classmethod
    def of(cls, settings: SeasonSettings) -> "SeasonMade":
        """Return the making of a season with these settings."""
        return cls(**season_changes(SeasonSettings(""), settings))


class SeasonSet(OfSeasons, kind="season.set"):
    """A season has other settings; `before` is its name before."""

    season: SeasonNo
    before: str
    changes: Values
    name: str = ""

    writes = ("season_rules season",)
    reads = ("season_rules season",)
    takes = _name
    frees = _former_name

    @classmethod
    def of(cls, season: Season, settings: SeasonSettings) -> "SeasonSet":
        """Return the change of a season's settings to these."""
        return cls(season, season.settings.name, **season_changes(season.settings, settings))

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with each setting's new value."""
        changes: dict[str, Any] = {"name": payload["name"]} if "name" in payload else {}
        changes |= payload["changes"]
        parts = [
            _("{setting} {value}").format(
                setting=_(SEASON_SETTINGS[key].heading) if key in SEASON_SETTINGS else _("name"),
                value=_("not set") if value is None else value,
            )
            for key, value in changes.items()
        ]
        return _("season {season}: {changes}").format(season=payload["before"], changes=", ".join(parts))


class EventsCounted(OfSeasons, kind="season.add"):
    """Events count in a season; `of` and `titles` are the names of both at that time."""

    season: SeasonNo
    of: str
    played: Played
    titles: Texts
    counted: Rows

    writes = ("counted season played",)
    said = marked("season {of}: counts {titles}")

    @classmethod
    def adding(cls, season: Season, counted: list[CountedEvent], titles: list[str]) -> "EventsCounted":
        """Return the change that counts these events of these names."""
        return cls(season, season.settings.name, [each.event for each in counted], titles, counted)


class EventsLeftOut(OfSeasons, kind="season.remove"):
    """Events no longer count in a season; names are as in `EventsCounted`."""

    season: SeasonNo
    of: str
    played: Rows
    titles: Texts

    writes = ("left_out season played", "seasons")
    reads = ("counted season played",)
    said = marked("season {of}: no longer counts {titles}")


class SeasonDeleted(OfSeasons, kind="season.delete"):
    """A season is deleted; its events stay. `before` is its name."""

    season: SeasonNo
    before: str

    writes = ("seasons",)
    frees = _former_name
    said = marked("season {before} deleted")
