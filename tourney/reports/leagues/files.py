"""Reports on the list of leagues, their files and books of deals, and the machines that played them."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from operator import attrgetter
from typing import Any

from tourney.domain.league_tables import (
    ExportedLeague,
    ImportedLeague,
    LeagueMachine,
    LeagueTable,
    ListedLeague,
    PlayedPart,
    Verdict,
)
from tourney.domain.leagues import OutsideBot
from tourney.reports.leagues.fields import figure
from tourney.reports.render.report import Field, Fields, Report, Section, listing, named, table_section
from tourney.text.i18n import _, ngettext, pgettext
from tourney.text.typed_words import explained


def machines_section(table: LeagueTable) -> Section:
    """Return the machines with their states and rates; those that were left out say why below."""
    fields: Fields[LeagueMachine] = (
        Field("name", _("Worker"), attrgetter("name"), priority=0),
        Field("state", pgettext("of a worker", "State"), attrgetter("state"), cell=_machine_state),
        Field("build", _("Build"), attrgetter("build"), cell=_build, priority=3),
        figure("slots", _("Slots"), priority=4),
        figure("blocks", _("Blocks")),
        figure("hands", _("Hands"), priority=3),
        figure("speed", _("Hands/s"), 1),
    )
    why = _("{worker} is left out: {why}")
    notes = tuple([why.format(worker=machine.name, why=machine.why) for machine in table.machines if machine.why])
    return table_section(_("Workers of the scheduler"), fields, table.machines, notes)


def machines_line(machines: tuple[LeagueMachine, ...]) -> str:
    """Return how many workers play, for the progress of a league."""
    playing = [machine for machine in machines if machine.state == "playing" and machine.build]
    return ngettext("{n} worker plays", "{n} workers play", len(playing)).format(n=len(playing))


def machines_data(table: LeagueTable) -> dict[str, Any]:
    """Return the machines for programs; nothing for a league that was played here."""
    return {"machines": [asdict(machine) for machine in table.machines]} if table.machines else {}


def _machine_state(machine: LeagueMachine) -> str:
    return {
        "playing": pgettext("of a worker", "playing"),
        "late": pgettext("of a worker", "late"),
        "done": pgettext("of a worker", "done"),
        "left out": pgettext("of a worker", "left out"),
        "gone": pgettext("of a worker", "gone"),
    }[machine.state]


def _build(machine: LeagueMachine) -> str:
    return {"compiled": pgettext("of a build", "compiled"), "plain": pgettext("of a build", "plain")}.get(
        machine.build, ""
    )


def leagues(listed: Sequence[ListedLeague]) -> Report:
    """Report all leagues, each with its bots, its settings, how many blocks are kept, and its state."""
    fields: Fields[ListedLeague] = (
        Field("league", _("League"), attrgetter("number"), "right", priority=0),
        Field("bots", _("Bots"), _bots, cell=lambda each: ", ".join(_bots(each)), priority=0),
        Field("rules", _("Rules"), attrgetter("league.rules"), priority=3),
        Field("seats", _("Seats"), attrgetter("league.seats"), "right", priority=4),
        Field("design", _("Design"), attrgetter("league.design"), cell=_design, priority=4),
        Field("seed", "seed", attrgetter("seed"), readers="programs"),
        figure("blocks", _("Blocks"), priority=1),
        Field("of_blocks", _("Of"), attrgetter("league.blocks"), "right", priority=2),
        Field("state", _("State"), attrgetter("verdict"), cell=lambda each: _state(each.verdict), priority=1),
    )
    title = ngettext("{number} league", "{number} leagues", len(listed)).format(number=len(listed))
    return listing(title, fields, listed, next_steps=_next_steps(listed))


def _bots(each: ListedLeague) -> list[str]:
    return list(each.league.entrants)


def _design(each: ListedLeague) -> str:
    return explained("design", each.league.design)


def _state(verdict: Verdict) -> str:
    """Return the state of a league in a word or two."""
    states: dict[Verdict, str] = {
        "open": _("not finished"),
        "certain": _("order certain"),
        "not separated": _("not separated"),
        "played": _("finished"),
        "passed": _("passed"),
        "failed": _("failed"),
        "undecided": _("undecided"),
    }
    return states[verdict]


def _next_steps(listed: Sequence[ListedLeague]) -> tuple[str, ...]:
    """Return how to begin a league, or how to see one and continue the newest that is not finished."""
    if not listed:
        return (_("Start one with `tourney league run --bots greedy,random`."),)
    unfinished = [each.number for each in listed if each.verdict == "open"]
    resume = _("Continue an unfinished one with `tourney league resume {number}`.")
    see = _("See the table of one with `tourney league status {number}`.").format(number=listed[-1].number)
    return see, *((resume.format(number=unfinished[-1]),) if unfinished else ())


def exported(outcome: ExportedLeague, file: str | None, text: str = "") -> Report:
    """Report a league that was written to a file; without a file the data have its text."""
    blocks = ngettext("{n} block", "{n} blocks", outcome.blocks).format(n=outcome.blocks)
    records = ngettext("{n} record", "{n} records", outcome.records).format(n=outcome.records)
    title = _("exported: league {number}: {blocks}, {records}, hash {hash}")
    data = {"league": outcome.number, **named(outcome, "blocks", "records", "hash"), "file": file}
    return Report(
        title.format(number=outcome.number, blocks=blocks, records=records, hash=outcome.hash),
        data=data if file is not None else {**data, "text": text},
    )


def imported(outcome: ImportedLeague) -> Report:
    """Report a league that was read from a file."""
    added = ngettext("{n} block", "{n} blocks", outcome.added).format(n=outcome.added)
    title = _("imported: league {number}: {bots}: {blocks}")
    if not outcome.new:
        title = _("added to league {number}: {bots}: {blocks}")
    title = title.format(number=outcome.number, bots=", ".join(outcome.league.entrants), blocks=added)
    data = {"league": outcome.number, **named(outcome, "new", "added", "blocks"), "of_blocks": outcome.league.blocks}
    step = _("See `tourney league status {number}`.").format(number=outcome.number)
    return Report(title, data=data, next_steps=(step,), lines=entrants_shown(outcome.league.outside))


def entrants_shown(outside: Sequence[OutsideBot]) -> tuple[str, ...]:
    """Return a line for each bot from outside, with what would run here."""
    line = _("{name} is not built in; to play it, this computer runs: {entrant}")
    return tuple([line.format(name=bot.name, entrant=bot.entrant) for bot in outside])


def part(outcome: PlayedPart, file: str) -> Report:
    """Report a part of a league that was played into a file."""
    blocks = ngettext("{n} block", "{n} blocks", outcome.blocks).format(n=outcome.blocks)
    title = _("part {part} of {of} is in {file}: {blocks}, {new} of them played now")
    title = title.format(part=outcome.part, of=outcome.of, file=file, blocks=blocks, new=outcome.new)
    data = {"file": file, **named(outcome, "part", "of", "blocks", "new"), "of_blocks": outcome.league.blocks}
    step = _("When all parts are there, merge them: `tourney league merge FILE FILE …`")
    return Report(title, data=data, next_steps=(step,))


def merged(outcome: ImportedLeague, table: Report) -> Report:
    """Add to the table of a league what files have added to it, and what they lack."""
    data = table.data | {"new": outcome.added, **named(outcome, "repeated", "missing")}
    return replace(
        table, data=data, lines=(*table.lines, *_merged_lines(outcome), *entrants_shown(outcome.league.outside))
    )


def _merged_lines(outcome: ImportedLeague) -> list[str]:
    notes = [ngettext("{n} block is new here.", "{n} blocks are new here.", outcome.added).format(n=outcome.added)]
    if outcome.repeated:
        said = ngettext(
            "{n} block was already here or in more than one file, with the same outcome.",
            "{n} blocks were already here or in more than one file, with the same outcome.",
            outcome.repeated,
        )
        notes.append(said.format(n=outcome.repeated))
    if outcome.missing:
        said = ngettext(
            "{n} block is missing: merge the other parts too, or play what is missing with `tourney league resume`.",
            "{n} blocks are missing: merge the other parts too, or play what is missing with `tourney league resume`.",
            outcome.missing,
        )
        notes.append(said.format(n=outcome.missing))
    return notes


def book(seeds: Sequence[str], file: str | None) -> Report:
    """Report a book of deals; without a file the data have its seeds."""
    title = ngettext("book: {n} deal", "book: {n} deals", len(seeds)).format(n=len(seeds))
    data = {"deals": len(seeds), "file": file}
    return Report(title, data=data if file is not None else {**data, "seeds": list(seeds)})
