"""Rule sets and answers about cards as reports."""

from typing import Any

from tourney.reports.render.report import Column, Report, Section, listing
from tourney.reports.rules.rules_page import differences, entry_fields, page
from tourney.rulebook.answers import Answer, Arranged, Entry, Fit, Irregularity, Legality, NoAnswer
from tourney.text.i18n import _, ngettext

__all__ = ["answer", "answer_data", "differences", "irregularities", "page", "rule_sets", "ruling"]


def rule_sets(entries: tuple[Entry, ...]) -> Report:
    """Return the rule sets, the default first."""
    return listing(_("Rule sets"), entry_fields(), entries)


def irregularities(known: tuple[Irregularity, ...]) -> Report:
    """Return the irregularities that there are steps for, and the moments that make a difference."""
    columns = (Column("kind", _("Kind")), Column("title", _("What happened")), Column("moments", _("Found")))
    rows = tuple((one.kind, _(one.title), " ".join(moment.id for moment in one.moments)) for one in known)
    hint = _("The steps: `tourney rules ruling KIND`, or one moment alone with `--found`.")
    return Report(_("Irregularities"), columns, rows, lines=(hint,), data=[_irregularity(one) for one in known])


def ruling(one: Irregularity, note: str) -> Report:
    """Return the steps of an irregularity, numbered, moment by moment."""
    columns = (
        Column("found", _("Found")),
        Column("step", _("Step"), "right"),
        Column("text", _("What to do")),
        Column("clause", _("Clause")),
    )
    rows = tuple(
        (_(moment.found), number, _(step), moment.clause)
        for moment in one.moments
        for number, step in enumerate(moment.steps, 1)
    )
    sections = tuple(
        Section(f"{_(moment.found)} [{moment.clause}]", points=tuple(_(step) for step in moment.steps))
        for moment in one.moments
    )
    notes = (note,) if note else ()
    return Report(_(one.title), columns, rows, notes=notes, data=_irregularity(one), sections=sections)


def _irregularity(one: Irregularity) -> dict[str, Any]:
    moments = [
        {
            "id": moment.id,
            "found": _(moment.found),
            "steps": [_(step) for step in moment.steps],
            "clause": moment.clause,
        }
        for moment in one.moments
    ]
    return {"kind": one.kind, "title": _(one.title), "moments": moments}


def answer(given: Answer) -> Report:
    """Return an answer in words, and for programs."""
    if isinstance(given, Legality):
        return Report(_legality(given), data=answer_data(given))
    if isinstance(given, Fit):
        return Report(_legality(given), lines=tuple(_fit_lines(given)), data=answer_data(given))
    if isinstance(given, Arranged):
        return Report(_arranged(given), lines=tuple(_arranged_lines(given)), data=answer_data(given))
    text = ngettext("{points} point", "{points} points", given.points)
    return Report(text.format(points=given.points), data=answer_data(given))


def answer_data(given: Answer | NoAnswer) -> dict[str, Any]:
    """Return an answer for programs, its keys in the promised order."""
    if isinstance(given, NoAnswer):
        return {"error": given.error}
    if isinstance(given, Legality):
        return {"legal": given.legal, "clause": given.clause, "reason": given.reason}
    if isinstance(given, Fit):
        legality = {"legal": given.legal, "clause": given.clause, "reason": given.reason}
        return {**legality, "melds": list(given.melds), "swaps": [swap.run for swap in given.swaps]}
    if isinstance(given, Arranged):
        return {
            "possible": given.possible,
            "melds": list(given.melds),
            "left": given.left,
            "points": given.points,
            "missing": given.missing,
            "outs": dict(given.outs),
        }
    return {"points": given.points}


def _legality(given: Legality | Fit) -> str:
    if given.legal:
        return _("legal: {reason}").format(reason=given.reason)
    return _("not legal: {reason} [{clause}]").format(reason=given.reason, clause=given.clause)


def _fit_lines(given: Fit) -> list[str]:
    lines = [_("becomes {meld}").format(meld=meld) for meld in given.melds]
    for swap in given.swaps:
        lines.append(_("exchanged for the joker: {meld}").format(meld=swap.run))
        if swap.joker_goes_to is not None:
            lines.append(_("the joker then goes to {place}").format(place=swap.joker_goes_to))
    return lines


def _arranged(given: Arranged) -> str:
    if given.possible:
        return _("possible: {melds}").format(melds=" / ".join(given.melds))
    text = ngettext("not possible: {missing} card short", "not possible: {missing} cards short", given.missing)
    return text.format(missing=given.missing)


def _arranged_lines(given: Arranged) -> list[str]:
    text = ngettext("left: {left} ({points} point)", "left: {left} ({points} points)", given.points)
    lines = [text.format(left=given.left or _("nothing"), points=given.points)]
    if given.outs:
        listed = ", ".join(f"{card} ({copies})" for card, copies in given.outs.items())
        lines.append(_("cards that help, with the copies unseen: {outs}").format(outs=listed))
    return lines
