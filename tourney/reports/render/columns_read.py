"""Notes on the columns of a file that was read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tourney.reports.render.report import Report
from tourney.text.i18n import _


def with_columns(report: Report, used: Mapping[str, str], notes: Sequence[str] = ()) -> Report:
    """Return the report with notes on a file: how it was read, and which headers stood for columns of another name."""
    text = _("The column “{theirs}” was read as {ours}.")
    return replace(report, notes=(*report.notes, *notes, *(text.format(theirs=each, ours=used[each]) for each in used)))
