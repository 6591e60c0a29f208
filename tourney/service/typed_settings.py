"""Settings as they are typed, of events and of seasons: read, checked, changed and cleared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Setting
from tourney.standings.table_points import read_table_points
from tourney.text.i18n import _, marked
from tourney.text.names import clean


@dataclass(frozen=True, slots=True)
class SettingReader:
    """A reader of a setting of several parts: `read` returns its text as it is kept, or raises ValueError."""

    read: Callable[[str], str]
    hint: str


TABLE_POINTS_READER: Final = SettingReader(
    lambda typed: read_table_points(typed).text(),
    marked("write 7-5-3-1/7-4-1, or a name that `tourney event table-points` shows"),
)


def checked_value(
    setting: Setting,
    value: Any,
    reader: SettingReader | None,
    allowed: Collection[str],
    limits: tuple[int, int] | None = None,
) -> Any:
    """Return a setting's value, cleaned: a number within its limits, one of the texts allowed, or what is read.

    Raises TourneyError REFUSED for a wrong number, USAGE for a wrong choice and for text that cannot be read.
    """
    if isinstance(value, int):
        least, most = limits or (setting.least or 0, setting.most)
        if not least <= value <= most:
            raise _impossible(ExitCode.REFUSED, setting, value, _("{least} to {most}").format(least=least, most=most))
        return value
    if allowed and value not in allowed and not (value is None and setting.clearable):
        raise _impossible(ExitCode.USAGE, setting, value, ", ".join(allowed))
    if value is not None and reader is not None:
        try:
            return reader.read(value)
        except ValueError as error:
            message = _("{setting}: {problem}").format(setting=_(setting.heading), problem=error)
            raise TourneyError(ExitCode.USAGE, message, _(reader.hint)) from None
    return clean(value, _(setting.heading)) if value or not setting.clearable else value


def _impossible(code: ExitCode, setting: Setting, value: object, possible: str) -> TourneyError:
    message = _("{setting}: “{value}” is not possible").format(setting=_(setting.heading), value=str(value)[:40])
    return TourneyError(code, message, _("it can be {possible}").format(possible=possible))


def given_or_cleared(
    settings: Mapping[str, Setting], changes: Mapping[str, Any], cleared: Collection[str]
) -> dict[str, Any]:
    """Return the new values of settings: those given, without None, and the usual ones of those that are cleared.

    Raises TourneyError USAGE for a setting that is both given and cleared.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    for name in cleared:
        if name in given:
            option = name.replace("_", "-")
            message = _("--{option} and --clear {setting} contradict each other").format(option=option, setting=name)
            raise TourneyError(ExitCode.USAGE, message, _("give only one of the two options"))
        given[name] = settings[name].default
    return given
