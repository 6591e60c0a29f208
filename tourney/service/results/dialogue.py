"""Dialogues about score sheets: a table of questions for each family of games, and lines typed and shown.

A caller shows `greeting` once, then `question`, and passes each line that is typed to `answer`.

The questions of a hand are in the order of their table: the next one is the first without an answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Final, Literal

from tourney.domain.events import Event
from tourney.domain.results import Outcome, SheetHand
from tourney.domain.rounds import Table
from tourney.domain.rules import Family
from tourney.domain.schedule import WaitingTables
from tourney.files.sheet_toml import contract_text
from tourney.rulebook import rulesets
from tourney.service.lookup import with_rules_of_round
from tourney.service.results import contract_prompts, knock_prompts
from tourney.service.results.hand_sequence import hand_sequence
from tourney.service.results.prompt import AskAgain, Lines, Prompt, numbered_players
from tourney.service.results.sheet_draft import SheetDraft
from tourney.service.results.sheets import Seats, judge, seats_of
from tourney.text.cards import Alphabet, alphabet_text, prompt_alphabet, typing_cards
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold
from tourney.text.ranges import names_text
from tourney.text.typed_words import Keyword, read_keyword, read_yes_or_no

PROMPTS: Final[Mapping[Family, tuple[Prompt, ...]]] = {
    "contract": contract_prompts.PROMPTS,
    "knock": knock_prompts.PROMPTS,
}


def questions(draft: SheetDraft) -> Iterator[tuple[Prompt, int]]:
    """Yield each question of the hand in question with the seat concerned, which follows from earlier answers."""
    for prompt in PROMPTS[rulesets.family(draft.event.rules)]:
        for seat in prompt.seats(draft):
            yield prompt, seat


def is_answered(draft: SheetDraft, question: tuple[Prompt, int]) -> bool:
    """Return whether the hand in question answers the question."""
    prompt, seat = question
    return prompt.answered(draft, seat)


State = Literal["asking", "entered", "left", "back"]
"""`back` leaves a sheet's first question for the choice of a table."""
Use = Literal["enter", "correct"]
"""The use of a typed sheet: as a new result, or as a correction."""


class SheetDialogue:
    """The dialogue about one table's sheet, hand by hand; `draft` has the answers so far.

    An empty line takes the answer shown in brackets: an earlier one, or the one to be corrected. `notes` are lines of
    the greeting about sheets begun before, `letters` those of cards, if not the event's language chooses them.
    """

    def __init__(
        self,
        event: Event,
        table: Table,
        hands: Sequence[SheetHand[int]] = (),
        use: Use = "enter",
        notes: Lines = (),
        letters: Alphabet | None = None,
    ) -> None:
        event = with_rules_of_round(event, table.round)
        self.event, self.table, self.use = event, table, use
        self.state: State = "asking"
        self.seats: Seats = seats_of(event, table)
        self.draft = SheetDraft(hand_sequence(event, self.seats), hands, letters)
        self.notes = notes
        self._choosing = False
        self._alphabet_said = False

    @property
    def greeting(self) -> Lines:
        """Return the lines to show first: the players of the table, and where the sheet continues."""
        place = _("{event}, round {round}, table {table}").format(
            event=self.event.settings.name, round=self.table.round, table=self.table.number
        )
        keys = _("? is help, b goes back, q leaves and keeps what was typed")
        # A whole sheet is shown under the name of its table.
        title = () if self.draft.over else (place,)
        lines = [*title, numbered_players(self.seats), *self._first_dealer(), keys, *self.notes]
        if self.draft.kept and not self.draft.over:
            lines += [self._continued_hand(), *self._scores(), *self._alphabet()]
        return tuple(lines)

    def _continued_hand(self) -> str:
        """Return the hand at which the sheet continues, and who closed it, which is not asked again."""
        hand, name = self.draft.current, self.draft.hand_name
        if hand.contract and hand.dead:
            return _("continuing at {hand}, which nobody closed").format(hand=name)
        if hand.contract and hand.closer is not None:
            line = _("continuing at {hand}, which {player} closed")
            return line.format(hand=name, player=self.seats.names[hand.closer])
        return _("continuing at {hand}").format(hand=name)

    def _first_dealer(self) -> Lines:
        """Return a line on who deals first, if the event lets cards or results decide it."""
        if self.event.settings.seats in (None, "balanced"):
            return ()
        return (_("{player} deals the first hand.").format(player=self.seats.names[0]),)

    @property
    def _usual_letters(self) -> bool:
        """Return whether cards are typed in English at an English prompt, whose help says how."""
        return self.draft.alphabet == prompt_alphabet() == "en"

    def _alphabet(self) -> Lines:
        """Return a line on how cards are typed, before the first question that takes them; none in English."""
        if self._alphabet_said or self.draft.over or self._usual_letters or not self._next()[0].takes_cards:
            return ()
        self._alphabet_said = True
        return (alphabet_text(self.draft.alphabet),)

    @property
    def question(self) -> str:
        """Return the question, to be shown without a line end; the answer that an empty line gives is in brackets."""
        if self._choosing:
            return _("Which hand is wrong? {hands} [{last}]").format(hands=self._choice(), last=self._last_hand) + " "
        if self.draft.over:
            return _("Is the sheet correct? (y/n, or a hand)") + (f" [{_('y')}] " if self._enter_confirms else " ")
        prompt, seat = self._next()
        text, default = prompt.text(self.draft, seat), prompt.default(self.draft, seat)
        return f"{text} [{default}] " if default else f"{text} "

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome of the sheet once it is to be confirmed; None before."""
        if not self.draft.over:
            return None
        with typing_cards(self.draft.alphabet):
            return judge(self.event, self.table, self.draft.hands, self.draft.length)

    def answer(self, line: str) -> Lines:
        """Take a typed line; return the lines to show before the next question."""
        with typing_cards(self.draft.alphabet):
            return self._answer(" ".join(line.split()))

    def _answer(self, typed: str) -> Lines:
        match self._keyword(typed):
            case "leave":
                self.state = "left"
                return ()
            case "back":
                return self._back()
            case "help":
                return self._help()
            case "stop" if not self.draft.over and not self._answered():
                return self._stop()
        if self._choosing:
            return self._choose(typed)
        return self._confirm(typed) if self.draft.over else self._read(typed)

    def _keyword(self, typed: str) -> Keyword | None:
        """Return what the word asks for; a word with which the name of a player here begins is that player."""
        return None if len(typed) > 1 and self.seats.meant_by(typed) else read_keyword(typed)

    def _with_dash(self, typed: str) -> str:
        """Return a line that begins with the word for a dead hand as it is with a dash: `muerta 40 35` is `- 40 35`."""
        word, _blank, rest = typed.partition(" ")
        return f"- {rest}".rstrip() if len(word) > 1 and self._keyword(word) == "dead" else typed

    # --- the hand in question -------------------------------------------------------------------------------

    def _answered(self) -> list[tuple[Prompt, int]]:
        return list(takewhile(partial(is_answered, self.draft), questions(self.draft)))

    def _next(self) -> tuple[Prompt, int]:
        return next(question for question in questions(self.draft) if not is_answered(self.draft, question))

    def _read(self, typed: str) -> Lines:
        prompt, seat = self._next()
        try:
            answer = prompt.read(self.draft, seat, self._with_dash(typed) or prompt.default(self.draft, seat))
        except AskAgain as reason:
            return reason.lines
        before = len(self.draft.hands)
        self.draft.write(answer.hand)
        if len(self.draft.hands) == before:
            return (*answer.lines, *self._alphabet())
        seats = () if self.draft.over else (numbered_players(self.seats),)
        return (*answer.lines, *self._scores(), *self._consequences(), *seats)

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
        if self._choosing:
            self._choosing = False
            return ()
        answered = [] if self.draft.over else self._answered()
        if answered:
            prompt, seat = answered[-1]
            self.draft.take_back(prompt.clear(self.draft, seat))
        elif self.draft.hands:
            self.draft.go_to(len(self.draft.hands) - 1)
        elif self.use == "correct":
            return (_("this is the first question; q leaves"),)
        else:
            self.state = "back"
        return ()

    def _stop(self) -> Lines:
        if not self.draft.hands:
            return (_("no hand is entered yet; q leaves, and the table keeps waiting for its result"),)
        self.draft.stop()
        return (self.draft.sequence.stopped_line(self.draft.hands), *self._how_it_counts())

    def _how_it_counts(self) -> Lines:
        """Return a line on how the event counts a stopped game, of which few hands are few points."""
        settings, following = self.event.settings, self.draft.sequence.name(len(self.draft.hands))
        if settings.unfinished == "void":
            line = _("in this event a stopped game counts for nobody; type {hand} if it continues")
        elif settings.unfinished == "penalty":
            line = _(
                "in this event everybody gets {points} points for each hand not played; type {hand} if it continues"
            )
        elif rulesets.family(self.event.rules) == "knock":
            return ()
        else:
            line = _("in this event the hands that were played count, however few; type {hand} if the game continues")
        return (line.format(hand=following, points=settings.unfinished_points),)

    def _help(self) -> Lines:
        if self._choosing:
            return self._choose("?")
        if self.draft.over:
            text = _("y enters the sheet; n or a hand ({hands}) opens it for correction; q leaves and keeps it")
            return (text.format(hands=self._choice()),)
        prompt, _seat = self._next()
        if prompt.takes_cards and not self._usual_letters:
            return (alphabet_text(self.draft.alphabet), *map(_, prompt.help[1:]))
        return tuple(map(_, prompt.help))

    # --- the whole sheet ------------------------------------------------------------------------------------

    @property
    def _enter_confirms(self) -> bool:
        """Return whether an empty line confirms the sheet; a correction that changes nothing would be refused."""
        return self.use == "enter"

    @property
    def _last_hand(self) -> str:
        """Return the name of the last hand that was played."""
        return self.draft.hand_names[-1 if self.draft.length == "whole" else -2]

    def _choice(self) -> str:
        """Return in words the hands that can be changed: their contracts, or in the knock game their numbers."""
        names = self.draft.hand_names
        if rulesets.family(self.event.rules) == "contract":
            return " ".join(names)
        return "1" if len(names) == 1 else _("1 to {last}").format(last=len(names))

    def _confirm(self, typed: str) -> Lines:
        """Read yes, no, or the name of a hand."""
        yes = self._enter_confirms if not typed else read_yes_or_no(typed)
        if yes:
            self.state = "entered"
            return ()
        if typed and yes is not None:
            self._choosing = True
            return (_("The sheet is open for correction, hand by hand: Enter keeps an answer, and nothing is lost."),)
        return self._choose(typed)

    def _choose(self, typed: str) -> Lines:
        """Read the hand to correct; an empty line means the last one, once the sheet is open for correction."""
        place = self._place(typed or (self._last_hand if self._choosing else ""))
        if place is None:
            text = _("type the hand to fix: {hands}; b goes back to the sheet")
            if not self._choosing:
                text = _("type y to enter it, or the hand to fix: {hands}")
            return (text.format(hands=self._choice()),)
        self._choosing = False
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

    def take_the_only_one(self) -> Lines:
        """Choose the table if it is the only one without a result; return a line that says so, none otherwise."""
        if len(self._numbers) > 1:
            return ()
        self.chosen, self.state = self._numbers[0], "entered"
        text = _("table {table} is the only one of round {round} without a result")
        return (text.format(table=self.chosen, round=self._waiting.round),)

    def answer(self, line: str) -> Lines:
        """Take a typed line; return the lines to show before the question is asked again."""
        word = " ".join(line.split()) or str(self._default)
        keyword = None if len(word) > 1 and self._meant_by(word) else read_keyword(word)
        if keyword == "leave":
            self.state = "left"
        elif keyword == "back":
            return (_("this is the first question; q leaves"),)
        elif keyword == "help":
            return (_("type a table's number, or the name of a player there; q leaves"), *self.greeting)
        elif len(numbers := self._meant_by(word)) == 1:
            self.chosen, self.state = numbers[0], "entered"
        else:
            text = _("{table} is not a table without a result; choose one of: {tables}")
            if numbers:
                text = _("“{table}” may be a player at several tables; choose one of: {tables}")
            tables = " ".join(map(str, numbers or self._numbers))
            return (text.format(table=word[:20], tables=tables),)
        return ()

    def _meant_by(self, word: str) -> list[int]:
        """Return the tables of this number, or else of a player whose name begins with the word."""
        if word in map(str, self._numbers):
            return [int(word)]
        beginning = fold(word)
        return [
            table.number
            for table in self._waiting.tables
            if beginning.isalpha() and any(fold(player.shown).startswith(beginning) for player in table.players)
        ]

    def _line(self, table: Table) -> str:
        names = ", ".join(player.shown for player in table.players)
        line = f"{table.number:>3}  {names}"
        if table.number not in self._partial:
            return line
        return _("{line} (partial sheet: {hands})").format(line=line, hands=names_text(self._partial[table.number]))
