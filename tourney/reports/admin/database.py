"""The database file as a report."""

from collections.abc import Sequence
from dataclasses import asdict

from tourney.domain.database import Backup, Check, Finding, Restored, Upgrade
from tourney.reports.render.report import Column, Report
from tourney.reports.results.standings import head_line
from tourney.text.i18n import _, ngettext


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


def backup(made: Backup) -> Report:
    """Where a copy is, and how far its journal goes."""
    title = _("backup: {path}").format(path=made.path)
    return Report(title, data=asdict(made), lines=(_acts(made.acts), head_line(made.head)))


def restored(done: Restored) -> Report:
    """What the database went back to, what that took out of it, and where that is kept."""
    title = _("restored: {path}").format(path=done.source)
    lines = [_acts(done.acts), head_line(done.head), _gone(done), *_erased(done)]
    if done.kept:
        lines.append(_("the file as it was: {path}").format(path=done.kept))
    return Report(title, data=asdict(done), lines=tuple(lines))


def _acts(number: int) -> str:
    return ngettext("{number} act", "{number} acts", number).format(number=number)


def _gone(done: Restored) -> str:
    """What the database had and the backup has not."""
    if done.before is None:
        return _("what was there before could not be read")
    gone = done.before - done.common
    if gone == 0:
        return _("every act that was there before is in it")
    return ngettext(
        "the last act that was there before is not in it",
        "the last {number} acts that were there before are not in it",
        gone,
    ).format(number=gone)


def _erased(done: Restored) -> list[str]:
    """Names that stay erased, and whether some may have come back."""
    said = []
    if done.erased:
        text = ngettext(
            "{number} name that was erased since is erased again, by an act behind these",
            "{number} names that were erased since are erased again, by acts behind these",
            done.erased,
        )
        said.append(text.format(number=done.erased))
    if done.erasures == "some perhaps not known":
        said.append(_("Names erased since that backup may be back: erase them again with `tourney player erase`."))
    return said


def doctor(findings: Sequence[Finding]) -> Report:
    """Every check with its state in words, and what to do."""
    columns = (
        Column("check", _("Check")),
        Column("state", _("State")),
        Column("found", _("Found")),
        Column("advice", _("What to do")),
    )
    states = {"ok": _("ok"), "warning": _("warning"), "bad": _("bad")}
    rows = tuple((one.check, states[one.state], one.found, one.advice) for one in findings)
    return Report(_verdict(findings), columns, rows, data=[asdict(one) for one in findings])


def _verdict(findings: Sequence[Finding]) -> str:
    bad, warnings = (sum(one.state == state for one in findings) for state in ("bad", "warning"))
    told = [ngettext("{number} bad", "{number} bad", bad).format(number=bad)] if bad else []
    if warnings:
        told.append(ngettext("{number} warning", "{number} warnings", warnings).format(number=warnings))
    return ", ".join(told) or _("all well")
