"""Check the settings of a season before they are kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.seasons import SEASON_SETTINGS, SeasonSettings
from tourney.standings.seasons.results import RESULTS, read_places
from tourney.standings.seasons.weights import read_decay
from tourney.standings.table_points import read_table_points
from tourney.text.i18n import _, marked
from tourney.text.names import clean


@dataclass(frozen=True, slots=True)
class _Reader:
    """A reader of a setting of several parts: `read` returns its text as it is kept, or raises ValueError."""

    read: Callable[[str], str]
    hint: str


_READERS: Final[Mapping[str, _Reader]] = {
    "places": _Reader(read_places, marked("write what each rank gives, as 10-7-5-3-2-1")),
    "table_points": _Reader(
        lambda typed: read_table_points(typed).text(),
        marked("write 7-5-3-1/7-4-1, or a name that `tourney event table-points` shows"),
    ),
    "decay": _Reader(read_decay, marked("write months and per cent, as 12:50/24:0")),
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
    values = {name: _checked(name, getattr(settings, name)) for name in SEASON_SETTINGS}
    settings = replace(settings, name=clean(settings.name, _("name")), **values)
    _refuse_both(settings)
    _check_lists(settings)
    if settings.by == "points" and settings.totals == "sum":
        message = _("the sum of points favours whoever plays fewer events")
        raise TourneyError(ExitCode.REFUSED, message, _("give `--totals mean`, or leave it out"))
    return settings


def changed(before: SeasonSettings, changes: Mapping[str, Any], cleared: Collection[str]) -> SeasonSettings:
    """Return the settings after the changes. Raises TourneyError USAGE for a setting that is both given and cleared."""
    given = {name: value for name, value in changes.items() if value is not None}
    for name in cleared:
        if name in given:
            option = name.replace("_", "-")
            message = _("--{option} and --clear {setting} contradict each other").format(option=option, setting=name)
            raise TourneyError(ExitCode.USAGE, message, _("give only one of the two options"))
        given[name] = SEASON_SETTINGS[name].default
    if "best" in given and "drop" not in given:
        given["drop"] = None
    elif "drop" in given and "best" not in given:
        given["best"] = None
    return replace(before, **given)


def _checked(name: str, value: Any) -> Any:
    """Return the setting's value, cleaned."""
    setting = SEASON_SETTINGS[name]
    if isinstance(value, int):
        if not (setting.least or 0) <= value <= setting.most:
            possible = _("{least} to {most}").format(least=setting.least, most=setting.most)
            raise _impossible(ExitCode.REFUSED, name, value, possible)
        return value
    if value is None:
        return value
    if setting.choices and value not in setting.choices:
        raise _impossible(ExitCode.USAGE, name, value, ", ".join(setting.choices))
    return _read(name, value) if name in _READERS else value


def _impossible(code: ExitCode, name: str, value: object, possible: str) -> TourneyError:
    heading = _(SEASON_SETTINGS[name].heading)
    message = _("{setting}: “{value}” is not possible").format(setting=heading, value=str(value)[:40])
    return TourneyError(code, message, _("it can be {possible}").format(possible=possible))


def _read(name: str, typed: str) -> str:
    try:
        return _READERS[name].read(typed)
    except ValueError as error:
        heading = _(SEASON_SETTINGS[name].heading)
        message = _("{setting}: {problem}").format(setting=heading, problem=error)
        raise TourneyError(ExitCode.USAGE, message, _(_READERS[name].hint)) from None


def _refuse_both(settings: SeasonSettings) -> None:
    if settings.best is not None and settings.drop is not None:
        message = _("the best results and those left out contradict each other")
        raise TourneyError(ExitCode.REFUSED, message, _("give `--best` or `--drop`, not both"))


def _check_lists(settings: SeasonSettings) -> None:
    """Raise TourneyError REFUSED for lists that the kind of result lacks, or does not use."""
    needed = RESULTS[settings.by].lists
    if needed == "table_points" and settings.table_points is None:
        message = _("table points need lists of what each place gives")
        raise TourneyError(ExitCode.REFUSED, message, _(_READERS["table_points"].hint))
    if settings.table_points is not None and needed != "table_points":
        message = _('`--table-points` goes only with `--by "table points"`')
        raise TourneyError(ExitCode.REFUSED, message, _("leave out one of the two options"))
    if settings.places is not None and settings.by != SEASON_SETTINGS["by"].default:
        message = _('`--places` goes only with `--by "place points"`')
        raise TourneyError(ExitCode.REFUSED, message, _("leave out one of the two options"))
