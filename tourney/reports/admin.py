"""Reports on the database file, the journal, undo and redo, a written site, and the pages of the guide."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from os.path import join
from typing import Any, Final

from tourney.domain.club import Club
from tourney.domain.database import (
    CODE_LENGTH,
    Backup,
    Check,
    CodeFound,
    Finding,
    Log,
    LogLine,
    MirrorState,
    Restored,
    Turned,
    Upgrade,
)
from tourney.reports.plan_changes import with_each_ahead
from tourney.reports.render.report import Field, Fields, Report, Section, listing, record
from tourney.reports.results.standings import head_line
from tourney.service.admin.guide import GuidePage
from tourney.text.authors import shown_author
from tourney.text.dates import local, shown_time
from tourney.text.i18n import _, ngettext, pgettext
from tourney.text.numbers import Number
from tourney.text.ranges import listed, ranges


def written(folder: str, files: Mapping[str, bytes]) -> Report:
    """Report the number and the size of the files, and which one to open."""
    size = sum(map(len, files.values()))
    text = ngettext("{folder}: {number} file", "{folder}: {number} files", len(files))
    line = _("{size} kB in all. Open {file} in a browser, or copy the whole folder to a web host.")
    return Report(
        text.format(folder=folder, number=len(files)),
        data={"folder": folder, "files": len(files), "bytes": size},
        lines=(line.format(size=f"{Number(size / 1000):.0f}", file=join(folder, "index.html")),),
    )


def place(path: str) -> Report:
    """Report where the database is."""
    return Report(path, data={"path": path})


def club(known: Club) -> Report:
    """Report the name, the colour and the logo of the club, as far as they are set."""
    width, height = known.size if known.logo else (0, 0)
    size = _("{width} × {height} pixels").format(width=width, height=height) if known.logo else ""
    light, dark = known.accents if known.colour else ("", "")
    readable = _("{light}, and {dark} on dark pages").format(light=light, dark=dark) if known.colour else ""
    rows = ((_("Colour"), known.colour), (_("As shown"), readable), (_("Logo"), size))
    unset = pgettext("of a setting", "not set")
    data = {"name": known.name, "colour": known.colour, "light": light, "dark": dark, "width": width, "height": height}
    lines = tuple(f"{heading}: {value or unset}" for heading, value in rows if value or heading != _("As shown"))
    return Report(known.name or _("The club has no name yet"), data=data, lines=lines)


def check(checked: Check, code: CodeFound | None = None) -> Report:
    """Report the problems that a check of the database found, and where a printed code stands in its journal."""
    fields: Fields[str] = (Field("problem", _("Problem"), lambda problem: problem),)
    changes = _changes(checked.entries)
    if checked.problems:
        number = len(checked.problems)
        title = ngettext("{number} problem in {changes}", "{number} problems in {changes}", number).format(
            number=number, changes=changes
        )
    else:
        title = _("nothing wrong: {changes}, data consistent").format(changes=changes)
    data: dict[str, Any] = {"problems": list(checked.problems), "acts": checked.entries, "head": checked.head}
    if code is None:
        return listing(title, fields, checked.problems, data=data, lines=(head_line(checked.head),))
    place = {"event": code.event or None, "place": code.place, "of": code.entries, "act": code.change}
    data["code"] = {"hash": code.hash, **place, "time": code.time}
    return listing(title, fields, checked.problems, data=data, lines=(head_line(checked.head), _code_line(code)))


def _code_line(code: CodeFound) -> str:
    """Return a line that says after which change the journal or an event had the code."""
    if code.event:
        text = _("{code} was the code of {event} after change {number} of the journal, at {time}; {later}")
    else:
        text = _("{code} was the code of the journal after change {number}, at {time}; {later}")
    later = code.entries - code.place
    since = ngettext("{n} change since then", "{n} changes since then", later).format(n=later)
    number, time = code.change, shown_time(local(code.time))
    return text.format(code=code.hash[:CODE_LENGTH], event=code.event, number=number, time=time, later=since)


def upgrade(done: Upgrade) -> Report:
    """Report what an upgrade did."""
    data = {"before": done.before, "after": done.after, "backup": done.backup}
    if done.before == done.after:
        return Report(_("nothing to do: the database has version {version}").format(version=done.after), data=data)
    title = _("upgraded from version {before} to {after}").format(before=done.before, after=done.after)
    lines = (_("backup: {path}").format(path=done.backup),) if done.backup else ()
    return Report(title, data=data, lines=lines)


def backup(made: Backup) -> Report:
    """Report where a backup is, and the number of its changes and its journal's head."""
    title = _("backup: {path}").format(path=made.path)
    return Report(
        title,
        data={"path": made.path, "acts": made.entries, "head": made.head},
        lines=(_changes(made.entries), head_line(made.head)),
    )


def restored(done: Restored) -> Report:
    """Report what was restored, how many changes that removed, and where the old file is kept."""
    title = _("restored: {path}").format(path=done.source)
    lines = [_changes(done.entries), head_line(done.head), _gone(done), *_erased(done)]
    if done.kept:
        lines.append(_("the file as it was: {path}").format(path=done.kept))
    return Report(title, data=json_fields(done), lines=tuple(lines))


MOST_CHANGES: Final = 20
"""The most changes of a mirror that are listed."""


def completed(done: Restored, changes: Sequence[str] = ()) -> Report:
    """Report what a mirror has added to the database; `changes` are all that the mirror has beyond it, in words."""
    data, lacked = json_fields(done), done.entries - done.common
    if not lacked:
        return Report(_("nothing to do: the database has every change of its mirror"), data=data)
    title = ngettext(
        "completed: {number} change from {mirror}", "completed: {number} changes from {mirror}", lacked
    ).format(number=lacked, mirror=done.source)
    lines = [_changes(done.entries), head_line(done.head)]
    if done.before != 0:
        lines += [_gone(done), *_erased(done)]
    if done.before:
        lines += [_("added: {change}").format(change=change) for change in changes[:MOST_CHANGES]]
        lines += [_("`tourney log` has the others")] if len(changes) > MOST_CHANGES else []
    if done.kept:
        lines.append(_("the file as it was: {path}").format(path=done.kept))
    return Report(title, data=data, lines=(*lines, _("from now on it is mirrored there")))


def mirror(state: MirrorState, *, one_disk: bool) -> Report:
    """Report the mirror that was added, and whether it is on the disk of the database."""
    title = _("mirror: {path}").format(path=state.path)
    line = _("It is on the disk of the database: if that fails, both are lost.")
    return Report(title, data=asdict(state), lines=(_changes(state.entries), *([line] if one_disk else ())))


def mirror_removed(path: str) -> Report:
    """Report the mirror that was removed, whose files stay."""
    line = _("Its files stay as they are; the one that ends in -names.txt has the names of people.")
    return Report(_("no mirror any more: {path}").format(path=path), data={"path": path}, lines=(line,))


def mirrors(states: Sequence[MirrorState]) -> Report:
    """Report the mirrors of a database, each with its state in words."""
    words = {
        "complete": pgettext("of a mirror", "complete"),
        "away": _("away"),
        "damaged": _("damaged"),
        "differs": _("differs"),
    }
    fields: Fields[MirrorState] = (
        Field("path", _("Mirror"), lambda state: state.path, priority=0),
        Field("state", _("State"), lambda state: state.state, cell=lambda state: words[state.state], priority=0),
        Field("entries", _("Changes"), lambda state: state.entries, "right"),
        Field("missing", _("Missing"), lambda state: state.missing, "right"),
        Field("problem", _("Problem"), lambda state: state.problem, optional=True),
    )
    number = len(states)
    title = ngettext("{number} mirror", "{number} mirrors", number).format(number=number)
    lines = () if states else (_("Add one: `tourney db mirror add FOLDER`."),)
    return listing(title, fields, states, lines=lines)


def json_fields(done: Restored | Turned) -> dict[str, Any]:
    """Return the fields as JSON data, in which `entries` are called `acts`."""
    return {"acts" if name == "entries" else name: value for name, value in asdict(done).items()}


def _changes(number: int) -> str:
    return ngettext("{number} change", "{number} changes", number).format(number=number)


def _gone(done: Restored) -> str:
    """Return a line with the number of changes that the database had and the backup lacks."""
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
    """Return lines with the number of names that stay erased, and whether others may be back."""
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
    if done.published:
        text = _("What rankings show of {people} is as it was then: set it again with `tourney player publish`.")
        lines.append(text.format(people=listed(done.published)))
    return lines


def doctor(findings: Sequence[Finding]) -> Report:
    """Report every check with its state in words, and what to do."""
    states = {"ok": _("ok"), "warning": _("warning"), "bad": _("bad")}
    fields: Fields[Finding] = (
        Field("check", _("Check"), lambda finding: finding.check, cell=_check, priority=0),
        Field(
            "state",
            _("State"),
            lambda finding: finding.state,
            cell=lambda finding: states[finding.state],
            priority=0,
            look="state",
        ),
        Field("found", pgettext("by a check", "Found"), lambda finding: finding.found, cell=_found, priority=0),
        Field("advice", _("What to do"), lambda finding: finding.advice, priority=0),
    )
    return listing(_verdict(findings), fields, findings)


def _check(finding: Finding) -> str:
    """Return what was checked, in the reader's language."""
    return pgettext("of the database", "place") if finding.check == "place" else _(finding.check)


def _found(finding: Finding) -> str:
    """Return what was found; not SQLite's own word for the usual kind of log, `wal`."""
    return _("usual") if (finding.check, finding.found) == ("log", "wal") else finding.found


def _verdict(findings: Sequence[Finding]) -> str:
    bad, warnings = (sum(each.state == state for each in findings) for state in ("bad", "warning"))
    counts = [ngettext("{number} bad", "{number} bad", bad).format(number=bad)] if bad else []
    if warnings:
        counts.append(ngettext("{number} warning", "{number} warnings", warnings).format(number=warnings))
    return ", ".join(counts) or _("all well")


def log(journal: Log) -> Report:
    """Report the journal, a line for each entry, in local time; without a single event, events have a column."""
    fields: Fields[LogLine] = (
        Field("number", _("No."), lambda line: line.number, "right", priority=0),
        Field(
            "time",
            _("Time"),
            lambda line: line.time,
            cell=lambda line: f"{local(line.time):%Y-%m-%d %H:%M}",
            look="date",
            priority=2,
        ),
        Field("kind", "", lambda line: line.kind),
        Field("event", "" if journal.event else _("Event"), lambda line: line.event, priority=1),
        Field("said", _("What"), lambda line: line.said, cell=partial(_said, journal), priority=0),
        Field(
            "state",
            _("State"),
            lambda line: line.state,
            cell=lambda line: _("undone") if line.state == "undone" else "",
        ),
        Field("by", _("By"), lambda line: line.by, cell=lambda line: shown_author(line.by), optional=True, priority=3),
        Field("hands", "", lambda line: list(journal.hands.get(line.number, ()))),
    )
    number = len(journal.lines)
    title = ngettext("{number} change", "{number} changes", number).format(number=number)
    if journal.event:
        title = _("{event}: {changes}").format(event=journal.event, changes=title)
    has_folded = journal.folded and any(line.number in journal.hands for line in journal.lines)
    lines = (_("The hands of complete sheets are left out; `--verbose` lists them."),) if has_folded else ()
    return listing(title, fields, journal.lines, lines=lines, details=(head_line(journal.head),))


def _said(journal: Log, line: LogLine) -> str:
    """Return the sentence of a line, with the numbers of the hands that are folded into it."""
    hands = journal.hands.get(line.number, ())
    if not (journal.folded and hands):
        return line.said
    text = ngettext("{change} (its hand: {numbers})", "{change} (its hands: {numbers})", len(hands))
    return text.format(change=line.said, numbers=ranges(hands))


def turned(done: Turned) -> Report:
    """Report what was undone or put back, in one sentence, and what goes with it."""
    when = f"{local(done.line.time):%H:%M}"
    where = f"{done.line.event}, {when}" if done.line.event else when
    words = {"undo": _("undone: {change} ({where})"), "redo": _("put back: {change} ({where})")}
    goes = tuple(_("with it: {change}").format(change=change) for change in done.goes)
    stays = tuple(_("that stays: {change}").format(change=change) for change in done.stays)
    title = words[done.turn].format(change=done.line.said, where=where)
    data = {name: value for name, value in json_fields(done).items() if name != "ahead"}
    return with_each_ahead(Report(title, notes=goes + stays + done.halves, data=data), done.ahead)


def before_undo(planned: Turned) -> tuple[str, ...]:
    """Return what an undo would take back, in full, as lines for the question whether to do it."""
    title = _("this takes back: {change}").format(change=planned.line.said)
    return (title, *(f"  {sentence}" for sentence in (*planned.goes, *planned.halves)))


def guide(pages: Sequence[GuidePage]) -> Report:
    """Report the pages of the guide, a sentence for each, and how to read one."""
    return listing(_("The guide"), _page_fields(), pages, lines=(_("Read one: `tourney guide PAGE`."),))


def guide_page(page: GuidePage) -> Report:
    """Report one page of the guide; only JSON and HTML have its text."""
    data = {**record(_page_fields(), page), "text": page.text}
    text = Section("", figure=lambda _width: page.text.splitlines())
    return listing(page.title, _page_fields(), (page,), data=data, sections=(text,))


def _page_fields() -> Fields[GuidePage]:
    return (
        Field("page", _("Page"), lambda page: page.name),
        Field("title", "", lambda page: page.title),
        Field("about", _("About"), lambda page: page.about),
    )
