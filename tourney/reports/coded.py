"""Reports of a state with the code that says which state it was, in the language that the event prints in."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from tourney.reports.render.report import Report
from tourney.service.codes import CodeOf, coded, language_of
from tourney.text.i18n import printing

State = TypeVar("State")


def coded_report(
    db: str | None, read: Callable[[], State], report: Callable[[State], Report], code_of: CodeOf
) -> tuple[Report, str | None]:
    """Return the report of what `read` reads, with its code, and the language that the event keeps for what is printed.

    It is None where the event keeps none. Raises TourneyError as `read` and `code_of` do.
    """
    state, code = coded(db, read, code_of)
    kept = language_of(db, code_of)
    with printing(kept):
        return replace(report(state), code=code), kept
