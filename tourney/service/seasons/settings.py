"""Check the settings of a season before they are kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.seasons import SEASON_SETTINGS, SeasonSettings
from tourney.service.typed_settings import TABLE_POINTS_READER, SettingReader, checked_value, given_or_cleared
from tourney.standings.seasons.results import RESULTS, read_places
from tourney.standings.seasons.weights import read_decay
from tourney.text.i18n import _, marked
from tourney.text.names import clean

_READERS: Final[Mapping[str, SettingReader]] = {
    "places": SettingReader(read_places, marked("write what each rank gives, as 10-7-5-3-2-1")),
    "table_points": TABLE_POINTS_READER,
    "decay": SettingReader(read_decay, marked("write months and per cent, as 12:50/24:0")),
}
PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "best": {"by": "place points", "best": 4},
    "table points": {"by": "table points", "table_points": "7-5-3-1/7-4-1"},
    "ema": {
        "by": "base rank",
        "totals": "ema",
        "weights": "ema",
        "minimum": 2,
        "decay": "12:50/24:0",
        "rounding": "round",
    },
}
"""Settings that go together, by name; the last are those of the European mahjong ranking."""


def checked(settings: SeasonSettings) -> SeasonSettings:
    """Return the settings, cleaned. Raises TourneyError REFUSED or USAGE for settings that no season can have."""
    values = {
        name: checked_value(setting, getattr(settings, name), _READERS.get(name), setting.choices)
        for name, setting in SEASON_SETTINGS.items()
    }
    settings = replace(settings, name=clean(settings.name, _("name")), **values)
    _refuse_both(settings)
    _check_lists(settings)
    if settings.by == "points" and settings.totals == "sum":
        message = _("the sum of points favours players of fewer events")
        raise TourneyError(ExitCode.REFUSED, message, _("give `--totals mean`, or leave it out"))
    return settings


def changed(before: SeasonSettings, changes: Mapping[str, Any], cleared: Collection[str]) -> SeasonSettings:
    """Return the settings after the changes. Raises TourneyError USAGE for a setting that is both given and cleared."""
    given = given_or_cleared(SEASON_SETTINGS, changes, cleared)
    if "best" in given and "drop" not in given:
        given["drop"] = None
    elif "drop" in given and "best" not in given:
        given["best"] = None
    return replace(before, **given)


def _refuse_both(settings: SeasonSettings) -> None:
    if settings.best is not None and settings.drop is not None:
        message = _("the best results and those left out contradict each other")
        raise TourneyError(ExitCode.REFUSED, message, _("give `--best` or `--drop`, not both"))


def _check_lists(settings: SeasonSettings) -> None:
    """Raise TourneyError REFUSED for lists that the kind of result lacks, or does not use."""
    needed = RESULTS[settings.by].lists
    if needed == "table_points" and settings.table_points is None:
        message = _("table points need lists of what each place gives")
        raise TourneyError(ExitCode.REFUSED, message, _(TABLE_POINTS_READER.hint))
    if settings.table_points is not None and needed != "table_points":
        message = _('`--table-points` goes only with `--by "table points"`')
        raise TourneyError(ExitCode.REFUSED, message, _("leave out one of the two options"))
    if settings.places is not None and settings.by != SEASON_SETTINGS["by"].default:
        message = _('`--places` goes only with `--by "place points"`')
        raise TourneyError(ExitCode.REFUSED, message, _("leave out one of the two options"))
