"""A sheet typed at the desk, all hands in one form: entered, kept for later, or in place of a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import PartialSheetSummary
from tourney.domain.rounds import Table
from tourney.reports.render.report import Report
from tourney.reports.results import results as report
from tourney.reports.results.history import differing, history
from tourney.rulebook import rulesets
from tourney.service.change import Change, apply
from tourney.service.results import entry
from tourney.service.results.begun_sheets import hand_names
from tourney.service.results.dialogue import SheetDialogue, Use
from tourney.service.results.entry import KeepAnswers
from tourney.service.results.results import CorrectResult, Entered, EnterResult
from tourney.service.results.sheets import judge
from tourney.service.results.typed_sheet import CheckedForm, answers_of, check_sheet
from tourney.service.web import submissions
from tourney.service.web.phone_sheets import table_sheet
from tourney.text.cards import alphabet_text, prompt_alphabet, unbroken_suits
from tourney.text.i18n import _, for_terminal, ngettext
from tourney.text.ranges import names_text
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.desk import sheet_form
from tourney.web.pages.desk.page import Refused, as_seen, for_event, form, page, previewed, submit, view
from tourney.web.pages.desk.results import RESULTS, place_of, table_path, typed_on_phones
from tourney.web.pages.desk.sheet_form import Typed
from tourney.web.render import Link


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The sheet of a table that is being typed, for a new result or for a correction."""

    asked: Asked
    use: Use
    event: str
    table: Table
    typed: Typed

    @property
    def checked(self) -> CheckedForm:
        """Return the sheet with the faults of its hands."""
        typed = self.typed
        place = (self.event, self.table.round, self.table.number)
        return check_sheet(self.asked.db, place, typed.answers, typed.kept, typed.length)

    def change(self, checked: CheckedForm) -> Change[Entered]:
        """Return the change that the complete sheet makes."""
        place, typed = (self.event, self.table.round, self.table.number), self.typed
        if self.use == "enter":
            return EnterResult(*place, checked.first, typed.length, players=checked.table.players)
        return CorrectResult(*place, checked.first, typed.reason, typed.length, players=checked.table.players)

    def shown(self, refused: Refused = None, *, with_missing: bool = False, **more: Any) -> View:
        """Return the page with the form as it was typed."""
        checked, kind = self.checked, "typed" if self.use == "enter" else "table"
        about = f"{kind} {self.table.round} {self.table.number}"
        is_knock = rulesets.family(checked.event.rules) == "knock"
        values = {
            "table_path": table_path(self.table),
            "use": self.use,
            **sheet_form.arranged(checked, self.typed, with_missing=with_missing),
            "answered": bool(self.asked.body),
            "about": about,
            "mark": self.asked.field("mark"),
            "how": unbroken_suits(alphabet_text(prompt_alphabet(checked.event.settings.lang))),
            "main_button": "next" if is_knock and not checked.complete else "enter",
            "waiting": False,
            "typing": self._on_phones(),
            "notes": (),
            "moves": None,
            "verdict": "",
            "wrong": any(not fault.missing for hand in checked.hands for fault in hand.faults),
            "conflict": None,
            **more,
        }
        text = (
            _("Sheet of round {round}, table {table}")
            if self.use == "enter"
            else _("Correct the sheet of round {round}, table {table}")
        )
        title = text.format(round=self.table.round, table=self.table.number)
        return replace(view(self.asked, "sheet.html", title, values, refused, about=(about,)), live=False)

    def _on_phones(self) -> list[Link]:
        """Return the sheets that phones are typing, unless this one is a correction or was taken over from a phone."""
        if self.use == "correct" or self.asked.query.get("sheet"):
            return []
        return list(typed_on_phones(self.asked, self.event, self.table))


def begin(use: Use) -> Callable[[Asked], Answer]:
    """Return the page that shows the form, with what was kept of the sheet or what the result has.

    Where there is a result to correct and not a sheet to enter, or the reverse, it leads to the table.
    """

    def begun(asked: Asked) -> Answer:
        event, table = place_of(asked)
        opened = entry.begin if use == "enter" else entry.begin_correction
        try:
            dialogue = opened(asked.db, event, table.round, table.number)
        except TourneyError as error:
            if error.code in (ExitCode.CONFLICT, ExitCode.NOT_FOUND):
                return Moved(table_path(table))
            raise
        typed = _from_phone(asked, event, dialogue) or Typed(
            answers_of(dialogue.event, dialogue.draft.kept), length=dialogue.draft.length
        )
        notes = [note for note in dialogue.notes if not for_terminal(note)]
        waits = bool(submissions.sheets_of_table(asked.db, event, table.round, table.number).since)
        return _Sheet(asked, use, event, table, typed).shown(notes=notes, waiting=waits and "sheet" not in asked.query)

    return begun


def _from_phone(asked: Asked, event: str, dialogue: SheetDialogue) -> Typed | None:
    """Return the answers of the sheet from a phone that is asked for, of who sits there now; None if none is."""
    if not asked.query.get("sheet"):
        return None
    sheet = submissions.submission(asked.db, event, asked.query["sheet"])
    typed = Typed(
        answers_of(dialogue.event, sheet.hands), length=sheet.length, players=sheet_form.numbers_of(sheet.table)
    )
    return sheet_form.reseated(typed, dialogue.table)


def typing(use: Use) -> Callable[[Asked], Answer]:
    """Return the function that checks a form, and keeps or enters it."""

    def read(asked: Asked) -> Answer:
        event, table = place_of(asked)
        typed = sheet_form.typed(asked)
        sheet = _Sheet(asked, use, event, table, sheet_form.reseated(typed, table))
        try:
            sheet_form.refuse_others(typed, table)
        except TourneyError as error:
            return sheet.shown(error)
        return _done(sheet, asked.field("do"))

    return read


def _done(sheet: _Sheet, do: str) -> Answer:
    """Do what a button says; without one, show the form with its faults."""
    checked = sheet.checked

    def again(asked: Asked, refused: Refused) -> View:
        if refused is not None and refused.code == ExitCode.CONFLICT:
            # Who has seen how the sheets differ may correct the one that counts now.
            return sheet.shown(refused, conflict=_conflict(asked, sheet, checked), mark="")
        return sheet.shown(refused)

    if do == "keep":
        return _keep(sheet, checked, again)
    if do in ("enter", "moves") and not checked.complete:
        return sheet.shown(sheet_form.mistakes(checked), with_missing=True)
    if do == "enter":
        to = f"{RESULTS}/{sheet.table.round}" if sheet.use == "enter" else table_path(sheet.table)
        return submit(sheet.asked, lambda: sheet.change(checked), _entered, to, again)
    if do == "moves":
        return _moves(sheet, checked)
    return sheet.shown(verdict=_verdict(checked) if do == "check" else "")


def _entered(entered: Entered) -> Report:
    return report.entered(entered.result)


def _verdict(checked: CheckedForm) -> str:
    """Return in a sentence what a check has found."""
    wrong = sum(not fault.missing for hand in checked.hands for fault in hand.faults)
    if wrong:
        text = ngettext("{number} answer is wrong: see below.", "{number} answers are wrong: see below.", wrong)
        return text.format(number=wrong)
    if checked.complete:
        return _("Everything is right: the sheet can be entered.")
    return _("Nothing is wrong so far; the sheet is not complete.")


def _conflict(asked: Asked, sheet: _Sheet, checked: CheckedForm) -> list[str] | None:
    """Return what has happened to the result that somebody else was first to enter, and how it differs from this sheet.

    None if that is not what was in the way.
    """
    found = table_sheet(asked.db, sheet.event, sheet.table.round, sheet.table.number)
    if found.result is None:
        return None
    names = [player.shown for player in found.table.players]
    lines = [text for text, _changed in history(names, found.entries)]
    if not checked.first:
        return lines
    typed = judge(found.event, found.table, checked.first, sheet.typed.length if checked.complete else "short")
    return [*lines, *(list(differing(names, found.result.outcome, typed)) or [_("Both sheets say the same.")])]


def _moves(sheet: _Sheet, checked: CheckedForm) -> View:
    """Show what a correction would change in the standings and the ratings."""
    try:
        return sheet.shown(moves=previewed(sheet.asked, sheet.change(checked), _entered))
    except TourneyError as error:
        return sheet.shown(error)


def _keep(sheet: _Sheet, checked: CheckedForm, again: Callable[[Asked, Refused], Answer]) -> Answer:
    """Keep what was typed; where a part of it cannot be kept, the page stays as it is and says so."""
    if not checked.kept and not checked.lost:
        return sheet.shown(TourneyError(ExitCode.REFUSED, _("nothing is typed yet"), _("type a hand first")))
    change = KeepAnswers(sheet.event, checked.table, checked.kept, sheet.use)
    names = hand_names(checked.kept)
    if not checked.lost:
        kept = PartialSheetSummary(sheet.event, sheet.table, names)
        return submit(
            sheet.asked, lambda: change, lambda _none: report.partial_sheet(kept), table_path(sheet.table), again
        )
    try:
        if checked.kept:
            apply(sheet.asked.db, as_seen(sheet.asked, change), by=sheet.asked.visitor.name)
    except TourneyError as error:
        return again(sheet.asked, error)
    # Only a change that was made as its page showed it renews the mark: the page has not compared anything else.
    return sheet.shown(_not_kept(names, checked.lost), mark="" if checked.kept else sheet.asked.field("mark"))


def _not_kept(kept: Sequence[str], lost: Sequence[str]) -> TourneyError:
    message = _("not kept as it is typed: {hands}").format(hands=names_text(lost))
    hint = _("put right what is marked, in the order of the hands, then keep the sheet again")
    if kept:
        hint = _("kept so far: {hands}; {hint}").format(hands=names_text(kept), hint=hint)
    return TourneyError(ExitCode.REFUSED, message, hint)


PAGES = (
    page(f"{RESULTS}/{{round}}/{{table}}/enter", for_event(begin("enter")), "sheet"),
    form(f"{RESULTS}/{{round}}/{{table}}/enter", for_event(typing("enter"))),
    page(f"{RESULTS}/{{round}}/{{table}}/correct", for_event(begin("correct")), "sheet"),
    form(f"{RESULTS}/{{round}}/{{table}}/correct", for_event(typing("correct"))),
)
