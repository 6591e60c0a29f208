"""Dates as people type and read them: 20/11/2026, 2026-11-20, or in words, `20 November 2026`."""

import datetime
import re
from typing import Final

from tourney.text.i18n import _, language
from tourney.text.names import fold

_YEAR_FIRST = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})", re.ASCII)
_DAY_FIRST = re.compile(r"(?P<day>[0-9]{1,2})([/.-])(?P<month>[0-9]{1,2})\2(?P<year>[0-9]{4})", re.ASCII)
_SHORT_YEAR = re.compile(r"[0-9]{1,2}([/.-])[0-9]{1,2}\1[0-9]{1,2}", re.ASCII)
_IN_WORDS = re.compile(
    r"(?:(?P<weekday>[a-z]+),? )?(?P<day>[0-9]{1,2}) (?:de )?(?P<month>[a-z]+)\.? (?:del? )?(?P<year>[0-9]{4})",
    re.ASCII,
)
_IN_A_TEXT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_MONTHS: Final = 12
_MONTHS_IN_ENGLISH: Final = {
    "enero": "january",
    "febrero": "february",
    "marzo": "march",
    "abril": "april",
    "mayo": "may",
    "junio": "june",
    "julio": "july",
    "agosto": "august",
    "septiembre": "september",
    "octubre": "october",
    "noviembre": "november",
    "diciembre": "december",
}
"""The months in order, by their Spanish names."""
_MONTH: Final = {name: at for at, names in enumerate(_MONTHS_IN_ENGLISH.items(), 1) for name in names} | {
    "setiembre": 9
}
_SHORT_MONTH: Final = {name[:3]: at for name, at in _MONTH.items()}
_WEEKDAYS: Final = (
    *(("lunes", "monday"), ("martes", "tuesday"), ("miércoles", "wednesday"), ("jueves", "thursday")),
    *(("viernes", "friday"), ("sábado", "saturday"), ("domingo", "sunday")),
)
"""The days of the week, from Monday on."""


def read_date(text: str) -> str | None:
    """Return the date in ISO form; None for text that is not a date, or not for certain, as one with a short year."""
    found = _YEAR_FIRST.fullmatch(text.strip()) or _DAY_FIRST.fullmatch(text.strip()) or _IN_WORDS.fullmatch(fold(text))
    if found is None:
        return None
    month = _MONTH.get(found["month"], _SHORT_MONTH.get(found["month"], found["month"]))
    try:
        day = datetime.date(int(found["year"]), int(month), int(found["day"]))
    except ValueError:
        return None
    weekday = found.groupdict().get("weekday")
    return day.isoformat() if weekday is None or weekday in map(fold, _WEEKDAYS[day.weekday()]) else None


def date_hint(text: str) -> str:
    """Return how to write the date that `read_date` does not read."""
    if _SHORT_YEAR.fullmatch(text.strip()):
        return _("write the year with four digits, as 20/11/2026 or 2026-11-20")
    found = _DAY_FIRST.fullmatch(text.strip())
    if found is not None and int(found["day"]) <= _MONTHS < int(found["month"]):
        return _("write the day first, as 20/11/2026, or the year, as 2026-11-20")
    return _("write it as 20/11/2026, 2026-11-20 or 20 November 2026")


def shown_dates(text: str) -> str:
    """Return the text with every date of the form 2026-11-20 as people read it: 20/11/2026 in Spanish."""
    if language() != "es":
        return text
    return _IN_A_TEXT.sub(lambda found: "/".join(reversed(found[0].split("-"))), text)


def long_date(day: str) -> str:
    """Return a date of the form 2026-11-20 in words: `20 November 2026`, in Spanish `20 de noviembre de 2026`."""
    if not _YEAR_FIRST.fullmatch(day):
        return day
    between = " de " if language() == "es" else " "
    return between.join((_day_and_month(day), day[:4]))


def day_name(day: str) -> str:
    """Return a name for an event of a date of the form 2026-11-20: `Friday 20 November`."""
    weekday = _WEEKDAYS[datetime.date.fromisoformat(day).weekday()]
    return f"{weekday[language() != 'es'].capitalize()} {_day_and_month(day)}"


def _day_and_month(day: str) -> str:
    _year, month, number = map(int, day.split("-"))
    spanish, english = list(_MONTHS_IN_ENGLISH.items())[month - 1]
    return f"{number} de {spanish}" if language() == "es" else f"{number} {english.capitalize()}"


def local(time: str | datetime.datetime, zone: datetime.tzinfo | None = None, minutes: int = 0) -> datetime.datetime:
    """Return a time of the journal (UTC), or so many minutes later, as clocks in a time zone, or here, show it.

    A time of the first or last year, which a file of others may have, stays as it is where the calendar would end.
    """
    moment = datetime.datetime.fromisoformat(time) if isinstance(time, str) else time
    try:
        return (moment + datetime.timedelta(minutes=minutes)).astimezone(zone)
    except OverflowError:
        return moment.replace(tzinfo=datetime.UTC)


def shown_time(moment: datetime.datetime) -> str:
    """Return a date with the time of day, to the minute."""
    return shown_dates(f"{moment:%Y-%m-%d %H:%M}")
