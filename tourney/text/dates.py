"""Dates as people type them: day first as 20/11/2026, or as 2026-11-20."""

import datetime
import re
from typing import Final

from tourney.text.i18n import _

_YEAR_FIRST = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})", re.ASCII)
_DAY_FIRST = re.compile(r"(?P<day>[0-9]{1,2})([/.-])(?P<month>[0-9]{1,2})\2(?P<year>[0-9]{4})", re.ASCII)
_SHORT_YEAR = re.compile(r"[0-9]{1,2}([/.-])[0-9]{1,2}\1[0-9]{1,2}", re.ASCII)
_MONTHS: Final = 12


def read_date(text: str) -> str | None:
    """Return the date in ISO form; None for text that is not a date, or not for certain, as one with a short year."""
    found = _YEAR_FIRST.fullmatch(text.strip()) or _DAY_FIRST.fullmatch(text.strip())
    if found is None:
        return None
    try:
        return datetime.date(int(found["year"]), int(found["month"]), int(found["day"])).isoformat()
    except ValueError:
        return None


def date_hint(text: str) -> str:
    """Return how to write the date that `read_date` does not read."""
    if _SHORT_YEAR.fullmatch(text.strip()):
        return _("write the year with four digits, as 20/11/2026 or 2026-11-20")
    found = _DAY_FIRST.fullmatch(text.strip())
    if found is not None and int(found["day"]) <= _MONTHS < int(found["month"]):
        return _("write the day first, as 20/11/2026, or the year, as 2026-11-20")
    return _("write it as 20/11/2026 or 2026-11-20")
