"""Reports of a state with the code that says which state it was, as its event has them printed."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from tourney import storage
from tourney.reports.render.report import Report
from tourney.service.admin import club
from tourney.service.events.codes import CodeOf, coded, settings_of
from tourney.text.i18n import printing

State = TypeVar("State")


def coded_report(
    db: str | None, read: Callable[[], State], report: Callable[[State], Report], code_of: CodeOf
) -> tuple[Report, str | None]:
    """Return the report of what `read` reads, and the language in which its event prints, None where it keeps none.

    The report has its code, its organiser and the club, and bots without their folders: it is handed out.

    Raises TourneyError as `read` and `code_of` do.
    """
    with storage.as_handed_out():
        state, code = coded(db, read, code_of)
    settings = settings_of(db, code_of)
    kept, organiser = (None, None) if settings is None else (settings.lang, settings.organiser)
    with printing(kept):
        return replace(report(state), code=code, organiser=organiser or "", club=club.club_if_any(db)), kept
