"""Reports on leagues that come from a file or go into one, and on books of deals."""

from collections.abc import Sequence
from dataclasses import replace

from tourney.domain.leagues import ExportedLeague, ImportedLeague, OutsideBot, PlayedPart
from tourney.reports.render.report import Report, named
from tourney.text.i18n import _, ngettext


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
