"""The database file as a report."""

from tourney.domain import Check, Upgrade
from tourney.reports.report import Column, Report
from tourney.reports.standings import head_line
from tourney.text import _, ngettext


def place(path: str) -> Report:
    """Where the database is."""
    return Report(path, data={"path": path})


def check(found: Check) -> Report:
    """What folding the journal again found."""
    columns = (Column("problem", _("Problem")),)
    acts = ngettext("{number} act", "{number} acts", found.acts).format(number=found.acts)
    if found.problems:
        number = len(found.problems)
        title = ngettext("{number} problem in {acts}", "{number} problems in {acts}", number).format(
            number=number, acts=acts
        )
    else:
        title = _("nothing wrong: {acts} folded, every table as they say").format(acts=acts)
    data = {"problems": list(found.problems), "acts": found.acts, "head": found.head}
    return Report(
        title, columns, tuple((problem,) for problem in found.problems), data=data, lines=(head_line(found.head),)
    )


def upgrade(done: Upgrade) -> Report:
    """What a migration did."""
    data = {"before": done.before, "after": done.after, "backup": done.backup}
    if done.before == done.after:
        return Report(_("nothing to do: the database has version {version}").format(version=done.after), data=data)
    title = _("upgraded from version {before} to {after}").format(before=done.before, after=done.after)
    lines = (_("backup: {path}").format(path=done.backup),) if done.backup else ()
    return Report(title, data=data, lines=lines)
