"""The database file as a report."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tourney.domain.database import Backup, Check, Finding, Restored, Turned, Upgrade
from tourney.reports.render.report import Column, Report
from tourney.reports.results.standings import head_line
from tourney.text.i18n import _, ngettext


def place(path: str) -> Report:
    """Report where the database is."""
    return Report(path, data={"path": path})


def check(found: Check) -> Report:
    """Report what a replay of the journal found."""
    columns = (Column("problem", _("Problem")),)
    changes = _changes(found.entries)
    if found.problems:
        number = len(found.problems)
        title = ngettext("{number} problem in {changes}", "{number} problems in {changes}", number).format(
            number=number, changes=changes
        )
    else:
        title = _("nothing wrong: {changes}, data consistent").format(changes=changes)
    data = {"problems": list(found.problems), "acts": found.entries, "head": found.head}
    return Report(
        title, columns, tuple((problem,) for problem in found.problems), data=data, lines=(head_line(found.head),)
    )


def upgrade(done: Upgrade) -> Report:
    """Report what an upgrade did."""
    data = {"before": done.before, "after": done.after, "backup": done.backup}
    if done.before == done.after:
        return Report(_("nothing to do: the database has version {version}").format(version=done.after), data=data)
    title = _("upgraded from version {before} to {after}").format(before=done.before, after=done.after)
    lines = (_("backup: {path}").format(path=done.backup),) if done.backup else ()
    return Report(title, data=data, lines=lines)


def backup(made: Backup) -> Report:
    """Report where a backup is, and how far its journal goes."""
    title = _("backup: {path}").format(path=made.path)
    return Report(
        title,
        data={"path": made.path, "acts": made.entries, "head": made.head},
        lines=(_changes(made.entries), head_line(made.head)),
    )


def restored(done: Restored) -> Report:
    """Report what the database went back to, what that took out of it, and where that is kept."""
    title = _("restored: {path}").format(path=done.source)
    lines = [_changes(done.entries), head_line(done.head), _gone(done), *_erased(done)]
    if done.kept:
        lines.append(_("the file as it was: {path}").format(path=done.kept))
    return Report(title, data=as_machine(done), lines=tuple(lines))


def as_machine(done: Restored | Turned) -> dict[str, Any]:
    """Return the fields for programs, which call entries of the journal `acts`."""
    return {"acts" if name == "entries" else name: value for name, value in asdict(done).items()}


def _changes(number: int) -> str:
    return ngettext("{number} change", "{number} changes", number).format(number=number)


def _gone(done: Restored) -> str:
    """Say how many changes the database had and the backup has not."""
    if done.before is None:
        return _("what was there before could not be read")
    gone = done.before - done.common
    if gone == 0:
        return _("every change that was there before is in it")
    return ngettext(
        "the last change that was there before is not in it",
        "the last {number} changes that were there before are not in it",
        gone,
    ).format(number=gone)


def _erased(done: Restored) -> list[str]:
    """Say how many names stay erased, and whether some may have come back."""
    lines = []
    if done.erased:
        text = ngettext(
            "{number} name that was erased since is erased again, by a change behind these",
            "{number} names that were erased since are erased again, by changes behind these",
            done.erased,
        )
        lines.append(text.format(number=done.erased))
    if done.erasures == "some perhaps not known":
        lines.append(_("Names erased since that backup may be back: erase them again with `tourney player erase`."))
    return lines


def doctor(findings: Sequence[Finding]) -> Report:
    """Report every check with its state in words, and what to do."""
    columns = (
        Column("check", _("Check")),
        Column("state", _("State")),
        Column("found", _("Found")),
        Column("advice", _("What to do")),
    )
    states = {"ok": _("ok"), "warning": _("warning"), "bad": _("bad")}
    rows = tuple((each.check, states[each.state], each.found, each.advice) for each in findings)
    return Report(_verdict(findings), columns, rows, data=[asdict(each) for each in findings])


def _verdict(findings: Sequence[Finding]) -> str:
    bad, warnings = (sum(each.state == state for each in findings) for state in ("bad", "warning"))
    counts = [ngettext("{number} bad", "{number} bad", bad).format(number=bad)] if bad else []
    if warnings:
        counts.append(ngettext("{number} warning", "{number} warnings", warnings).format(number=warnings))
    return ", ".join(counts) or _("all well")
