"""Dialogues about score sheets: they take typed lines and return lines to show, but do no input or output.

A caller shows `greeting` once, then `question`, and passes each line that is typed to `answer`.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal

from tourney.domain.events import Event
from tourney.domain.results import Outcome, SheetHand
from tourney.domain.rounds import Table
from tourney.domain.schedule import WaitingTables
from tourney.files.sheet_toml import contract_text
from tourney.rulebook import rulesets
from tourney.service.partial_sheets import names_text
from tourney.service.results.hand_sequence import hand_sequence
from tourney.service.results.prompts import PROMPTS, AskAgain, Lines, Prompt, numbered_players
from tourney.service.results.sheet_draft import SheetDraft
from tourney.service.results.sheets import Seats, declared, judge, seats_of
from tourney.text.answers import read_yes_or_no
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold

State = Literal["asking", "entered", "left"]


class SheetDialogue:
    """The dialogue about one table's sheet, hand by hand; `draft` has the answers so far.

    An empty line takes the answer shown in brackets: an earlier one, or the one to be corrected.
    """

    def __init__(self, event: Event, table: Table, hands: Sequence[SheetHand] = ()) -> None:
        self.event, self.table = event, table
        self.state: State = "asking"
        self.seats: Seats = seats_of(event, table)
        self.draft = SheetDraft(hand_sequence(event, self.seats), hands)
        self._prompts = PROMPTS[rulesets.family(event.rules)]

    @property
    def greeting(self) -> Lines:
        """Return the lines to show first: the players of the table, and where the sheet continues."""
        place = _("{event}, round {round}, table {table}").format(
            event=self.event.settings.name, round=self.table.round, table=self.table.number
        )
        lines = [place, numbered_players(self.seats), _("? is help, b goes back, q leaves and keeps what was typed")]
        if self.draft.kept and not self.draft.over:
            lines += [_("continuing at {hand}").format(hand=self.draft.hand_name), *self._scores()]
        return tuple(lines)

    @property
    def question(self) -> str:
        """Return the question, to be shown without a line end; the answer that an empty line gives is in brackets."""
        if self.draft.over:
            return self._confirm_text() + " "
        prompt, seat = self._next()
        text, default = prompt.text(self.draft, seat), prompt.default(self.draft, seat)
        return f"{text} [{default}] " if default else f"{text} "

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome of the sheet once it is to be confirmed; None before."""
        if not self.draft.over:
            return None
        return judge(self.event, self.table, declared(self.seats, self.draft.hands), self.draft.length)

    def answer(self, line: str) -> Lines:
        """Take a typed line; return the lines to show before the next question."""
        typed = " ".join(line.split())
        match fold(typed):
            case "q":
                self.state = "left"
                return ()
            case "b":
                return self._back()
            case "?":
                return self._help()
            case "end" if not self.draft.over and not self._answered():
                return self._stop()
        return self._confirm(typed) if self.draft.over else self._read(typed)

    # --- the hand in question -------------------------------------------------------------------------------

    def _questions(self) -> Iterator[tuple[Prompt, int]]:
        """Yield each question of the hand in question with the seat concerned, which follows from earlier answers."""
        for prompt in self._prompts:
            for seat in prompt.seats(self.draft):
                yield prompt, seat

    def _answered(self) -> list[tuple[Prompt, int]]:
        return list(takewhile(self._is_answered, self._questions()))

    def _next(self) -> tuple[Prompt, int]:
        return next(question for question in self._questions() if not self._is_answered(question))

    def _is_answered(self, question: tuple[Prompt, int]) -> bool:
        prompt, seat = question
        return prompt.answered(self.draft, seat)

    def _read(self, typed: str) -> Lines:
        prompt, seat = self._next()
        try:
            answer = prompt.read(self.draft, seat, typed or prompt.default(self.draft, seat))
        except AskAgain as reason:
            return reason.lines
        before = len(self.draft.hands)
        self.draft.write(answer.hand)
        if len(self.draft.hands) == before:
            return answer.lines
        return (*answer.lines, *self._scores(), *self._consequences())

    def _scores(self) -> Lines:
        return self.draft.sequence.score_lines(self.draft.hands)

    def _consequences(self) -> Lines:
        """Return lines on the later hands that a changed hand drops, or that must be asked again."""
        dropped, earlier_hand = self.draft.dropped, self.draft.previous
        if dropped:
            text = ngettext("{number} later hand is left out", "{number} later hands are left out", dropped)
            return (text.format(number=dropped),)
        if earlier_hand is None:
            return ()
        fault = self.draft.fault(earlier_hand) or _("an answer is missing now")
        return (_("{hand} must be asked again: {fault}").format(hand=self.draft.hand_name, fault=fault),)

    def _back(self) -> Lines:
        answered = [] if self.draft.over else self._answered()
        if answered:
            prompt, seat = answered[-1]
            self.draft.take_back(prompt.clear(self.draft, seat))
        elif self.draft.hands:
            self.draft.go_to(len(self.draft.hands) - 1)
        else:
            return (_("this is the first question; q leaves"),)
        return ()

    def _stop(self) -> Lines:
        if not self.draft.hands:
            return (_("no hand is entered yet; q leaves, and the table keeps waiting for its result"),)
        self.draft.stop()
        return (self.draft.sequence.stopped_line(self.draft.hands),)

    def _help(self) -> Lines:
        if self.draft.over:
            text = _("y enters the sheet; a hand such as {hand} goes back to it, b to the last; q leaves and keeps it")
            return (text.format(hand=self.draft.hand_names[0]),)
        prompt, _seat = self._next()
        return tuple(map(_, prompt.help))

    # --- the whole sheet ------------------------------------------------------------------------------------

    def _confirm_text(self) -> str:
        names = self.draft.hand_names
        example = names[-1] if self.draft.length == "whole" else names[-2]
        return _("Is the sheet correct? (y, or the hand to fix, such as {hand})").format(hand=example)

    def _confirm(self, typed: str) -> Lines:
        """Read yes, no, or the name of a hand."""
        yes = read_yes_or_no(typed)
        if yes:
            self.state = "entered"
            return ()
        if yes is not None:
            return self._back()
        place = self._place(typed)
        if place is None:
            hands = " ".join(self.draft.hand_names)
            return (_("type y to enter it, or the hand to fix: {hands}").format(hands=hands),)
        self.draft.go_to(place)
        return ()

    def _place(self, typed: str) -> int | None:
        """Return the place (from 0) of the hand named by its contract, `hand 3`, or `3`; None if there is none."""
        names = self.draft.hand_names
        if typed.isdecimal() and len(typed) < 4 and 1 <= int(typed) <= len(names):
            return int(typed) - 1
        wanted = (fold(typed), fold(contract_text(typed)))
        return next((place for place, name in enumerate(names) if fold(name) in wanted), None)


class TableDialogue:
    """The dialogue that chooses a table without a result; `chosen` is its number, None until the choice.

    An empty line takes the table in brackets: the first with a partial sheet, or the first of all.
    """

    def __init__(self, waiting: WaitingTables) -> None:
        self.state: State = "asking"
        self.chosen: int | None = None
        self._waiting = waiting
        self._partial = {sheet.table.number: sheet.hands for sheet in waiting.partial}
        self._numbers = [table.number for table in waiting.tables]
        self._default = next((number for number in self._numbers if number in self._partial), self._numbers[0])

    @property
    def greeting(self) -> Lines:
        """Return the tables without a result."""
        title = _("{event}, round {round}: tables without a result").format(
            event=self._waiting.event.settings.name, round=self._waiting.round
        )
        return (title, *map(self._line, self._waiting.tables))

    @property
    def question(self) -> str:
        """Return the question, to be shown without a line end."""
        return _("Which table? [{table}]").format(table=self._default) + " "

    def answer(self, line: str) -> Lines:
        """Take a typed line; return the lines to show before the question is asked again."""
        word = line.strip().casefold() or str(self._default)
        if word == "q":
            self.state = "left"
        elif word == "?":
            return (_("type a table's number; q leaves"), *self.greeting)
        elif word in map(str, self._numbers):
            self.chosen, self.state = int(word), "entered"
        else:
            text = _("{table} is not a table without a result; choose one of: {tables}")
            return (text.format(table=word[:20], tables=" ".join(map(str, self._numbers))),)
        return ()

    def _line(self, table: Table) -> str:
        names = ", ".join(player.shown for player in table.players)
        line = f"{table.number:>3}  {names}"
        if table.number not in self._partial:
            return line
        return _("{line} (partial sheet: {hands})").format(line=line, hands=names_text(self._partial[table.number]))
