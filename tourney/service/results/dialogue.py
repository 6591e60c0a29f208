"""A sheet by question and answer: takes a typed line, says what to show and what to ask next.

No input, no output: whoever uses it shows `greeting` once, then `asks`, and gives `answer` each line that is typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tourney import rulebook
from tourney.domain.events import Event
from tourney.domain.results import Outcome, SheetHand
from tourney.domain.rounds import Table
from tourney.files.sheet_toml import contract_text
from tourney.service.results.contract_questions import ContractQuestions
from tourney.service.results.hand_sequence import ContractCourse, Course, KnockCourse
from tourney.service.results.knock_questions import KnockQuestions
from tourney.service.results.questions import HandQuestions, Lines, Question, Way, nothing_offered, yes_or_no
from tourney.service.results.sheet_draft import OpenSheet
from tourney.service.results.sheets import Seats, declared, judge, seats_of
from tourney.text.i18n import _
from tourney.text.names import fold

Now = Literal["asking", "entered", "left"]


class SheetEntry:
    """One table's sheet, asked for hand by hand; `sheet` is what has been answered.

    An empty line keeps what stands in brackets: an earlier answer, or what is to be corrected.
    """

    def __init__(self, event: Event, at: Table, hands: Sequence[SheetHand] = ()) -> None:
        self.event, self.at = event, at
        self.now: Now = "asking"
        self.seats: Seats = seats_of(event, at)
        knock = rulebook.family(event.rules) == "knock"
        course: Course = (KnockCourse if knock else ContractCourse)(event, self.seats.names)
        self.sheet = OpenSheet(course, hands)
        asking = KnockQuestions if knock else ContractQuestions
        self._hand: HandQuestions = asking(event, self.seats, self.sheet)
        self._confirming = Way(self._ask_confirm, nothing_offered, self._take_confirm, self._help_confirm)

    @property
    def greeting(self) -> Lines:
        """What to show before the first question: who sits there, and where the sheet goes on."""
        place = _("{event}, round {round}, table {table}").format(
            event=self.event.settings.name, round=self.at.round, table=self.at.number
        )
        lines = [place, self._hand.there(), _("? is help, b goes back, q leaves and keeps what was typed")]
        if self.sheet.kept and not self.sheet.over:
            lines += [_("continuing at {hand}").format(hand=self.sheet.name), *self._hand.totals()]
        return tuple(lines)

    @property
    def asks(self) -> str:
        """The question, to be shown without a line end; what an empty line keeps stands in brackets."""
        way, question = self._way
        said, kept = way.ask(question), way.offered(question)
        return f"{said} [{kept}] " if kept else f"{said} "

    @property
    def outcome(self) -> Outcome | None:
        """What the sheet gives, once it is asked to be confirmed."""
        if not self.sheet.over:
            return None
        return judge(self.event, self.at, declared(self.seats, self.sheet.hands), self.sheet.length)

    def answer(self, text: str) -> Lines:
        """Take a typed line; the lines to show before the next question."""
        typed, (way, question) = " ".join(text.split()), self._way
        match fold(typed):
            case "q":
                self.now = "left"
                return ()
            case "b":
                return self._back()
            case "?":
                return way.help()
            case "end" if not self.sheet.over and not self._hand.answered():
                return self._end()
        return way.take(question, typed or way.offered(question))

    @property
    def _way(self) -> tuple[Way, Question]:
        if self.sheet.over:
            return self._confirming, Question("confirm")
        question = self._hand.next()
        return self._hand.ways[question.kind], question

    def _back(self) -> Lines:
        answered = [] if self.sheet.over else self._hand.answered()
        if answered:
            self._hand.take_back(answered[-1])
        elif self.sheet.hands:
            self.sheet.change(len(self.sheet.hands) - 1)
        else:
            return (_("this is the first question; q leaves"),)
        return ()

    def _end(self) -> Lines:
        if not self.sheet.hands:
            return (_("no hand is entered yet; q leaves, and the table stays open"),)
        self.sheet.end()
        return (self._hand.stopped(),)

    # --- the whole sheet ------------------------------------------------------------------------------------

    def _ask_confirm(self, question: Question) -> str:
        example = self.sheet.names[-1] if self.sheet.length == "whole" else self.sheet.names[-2]
        return _("Is the sheet right? (y, or the hand to mend, as {hand})").format(hand=example)

    def _take_confirm(self, question: Question, typed: str) -> Lines:
        match yes_or_no(fold(typed)):
            case "yes":
                self.now = "entered"
                return ()
            case "no":
                return self._back()
        place = self._named(typed)
        if place is not None:
            self.sheet.change(place)
            return ()
        hands = " ".join(self.sheet.names)
        return (_("type y to enter it, or the hand to mend: {hands}").format(hands=hands),)

    def _named(self, typed: str) -> int | None:
        """The place of the hand that is named, by its contract, `hand 3`, or `3`."""
        names = self.sheet.names
        if typed.isdecimal() and len(typed) < 4 and 1 <= int(typed) <= len(names):
            return int(typed) - 1
        wanted = (fold(typed), fold(contract_text(typed)))
        return next((place for place, name in enumerate(names) if fold(name) in wanted), None)

    def _help_confirm(self) -> Lines:
        said = _("y enters the sheet; a hand as {hand} goes back to it, b to the last one; q leaves and keeps it")
        return (said.format(hand=self.sheet.names[0]),)
