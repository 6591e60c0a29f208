"""Notes on the columns of a file that was read."""

from collections.abc import Mapping
from dataclasses import replace

from tourney.reports.render.report import Report
from tourney.text.i18n import _


def with_columns(report: Report, used: Mapping[str, str]) -> Report:
    """Return the report with a note on each header of the file that stood for a column of another name."""
    text = _("The column “{theirs}” was read as {ours}.")
    return replace(report, notes=(*report.notes, *(text.format(theirs=each, ours=used[each]) for each in used)))
