"""A sheet by question and answer: takes a typed line, says what to show and what to ask next.

No input, no output: whoever uses it shows `greeting` once, then `asks`, and gives `answer` each line that is typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tourney import games
from tourney.domain import Event, Outcome, SheetHand, Table
from tourney.names import fold
from tourney.service.open_sheet import OpenSheet
from tourney.service.sheets import Seats, declared, judge, seats_of
from tourney.sheet_file import contract_text, read_points
from tourney.text import _, either, ngettext

Now = Literal["asking", "entered", "left"]
Kind = Literal["closer", "closing", "points", "confirm"]

_DEAD = ("-", "−", "–")
_YES, _NO = ("y", "yes"), ("n", "no")
_NUMBER = re.compile(r"[\d\s.,]+")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; `seat` says whose points (-1: nobody's)."""

    kind: Kind
    seat: int = -1


class SheetEntry:
    """One table's sheet, asked for hand by hand; `sheet` is what has been answered.

    An empty line keeps what stands in brackets: an earlier answer, or what is to be corrected.
    """

    def __init__(self, event: Event, at: Table, hands: Sequence[SheetHand] = ()) -> None:
        self.event, self.at = event, at
        self.now: Now = "asking"
        self.seats: Seats = seats_of(event, at)
        contracts = [contract for contract, _cards in games.contracts(event.rulebook)]
        self.sheet = OpenSheet(contracts, len(at.players), hands)
        self._doubted: int | None = None

    @property
    def greeting(self) -> tuple[str, ...]:
        """What to show before the first question: who sits there, and where the sheet goes on."""
        place = _("{event}, round {round}, table {table}").format(
            event=self.event.settings.name, round=self.at.round, table=self.at.number
        )
        lines = [place, self._there(), _("? is help, b goes back, q leaves and keeps what was typed")]
        if self.sheet.kept and not self.sheet.over:
            lines += [_("continuing at {hand}").format(hand=self.sheet.contract), *self._totals()]
        return tuple(lines)

    @property
    def asks(self) -> str:
        """The question, to be shown without a line end; what an empty line keeps stands in brackets."""
        question = self._question
        said, kept = _ASKS[question.kind](self, question), self._offered(question)
        return f"{said} [{kept}] " if kept else f"{said} "

    @property
    def outcome(self) -> Outcome | None:
        """What the sheet gives, once it is asked to be confirmed."""
        if not self.sheet.over:
            return None
        return judge(self.event, self.at, declared(self.seats, self.sheet.hands), self.sheet.length)

    def answer(self, text: str) -> tuple[str, ...]:
        """Take a typed line; the lines to show before the next question."""
        typed = " ".join(text.split())
        match fold(typed):
            case "q":
                self.now = "left"
                return ()
            case "b":
                return self._back()
            case "?":
                return _HELP[self._question.kind]()
        return _TAKES[self._question.kind](self, typed, self._question)

    def _questions(self) -> list[Question]:
        """The questions of the hand in their order; those after the first depend on who closed."""
        hand = self.sheet.begun
        asked = [Question("closer")]
        if hand.closer is not None and len(games.closer_points(self.event.rulebook, hand.contract)) > 1:
            asked.append(Question("closing", hand.closer))
        return asked + [Question("points", seat) for seat in range(self.sheet.players) if seat != hand.closer]

    def _answered(self, question: Question) -> bool:
        hand = self.sheet.begun
        if question.kind == "closer":
            return hand.closer is not None or hand.dead
        return question.seat not in self.sheet.waiting(hand)

    @property
    def _question(self) -> Question:
        if self.sheet.over:
            return Question("confirm")
        return next(question for question in self._questions() if not self._answered(question))

    def _write(self, hand: SheetHand) -> tuple[str, ...]:
        before = len(self.sheet.hands)
        self._doubted = None
        self.sheet.write(hand)
        return self._totals() if len(self.sheet.hands) > before else ()

    def _back(self) -> tuple[str, ...]:
        self._doubted = None
        answered = [] if self.sheet.over else [one for one in self._questions() if self._answered(one)]
        if answered:
            last = answered[-1]
            self.sheet.take_back(None if last.kind == "closer" else last.seat)
        elif self.sheet.hands:
            self.sheet.change(len(self.sheet.hands) - 1)
        else:
            return (_("this is the first question; q leaves"),)
        return ()

    def _there(self) -> str:
        """Who sits there, everybody with the number to type."""
        return "   ".join(f"{number} {name}" for number, name in zip(self.seats.numbers, self.seats.names, strict=True))

    def _totals(self) -> tuple[str, ...]:
        """One line: everybody's points after the hands that are written."""
        if not self.sheet.hands:
            return ()
        rules, totals = self.event.rulebook, [0] * self.sheet.players
        for number, hand in enumerate(self.sheet.hands, 1):
            points = games.hand_points(rules, self.sheet.players, number, hand)
            totals = [total + more for total, more in zip(totals, points, strict=True)]
        said = ", ".join(f"{name} {total}" for name, total in zip(self.seats.names, totals, strict=True))
        return (_("after {hand}: {totals}").format(hand=self.sheet.hands[-1].contract, totals=said),)

    # --- who closed -----------------------------------------------------------------------------------------

    def _ask_closer(self, question: Question) -> str:
        return _("{hand}: who closed?").format(hand=self.sheet.contract)

    def _take_closer(self, typed: str, question: Question) -> tuple[str, ...]:
        if fold(typed) == "end":
            return self._end()
        offered = self.sheet.offered
        if not typed and offered is not None:
            return self._closed_by(offered.closer)
        if typed in _DEAD:
            return self._closed_by(None)
        found = self.seats.begun(typed) if typed else ()
        if len(found) == 1:
            return self._closed_by(found[0])
        if found:
            several = either(self.seats.names[seat] for seat in found)
            return (_("“{text}” may be {several}; type more of the name").format(text=typed[:40], several=several),)
        if not typed:
            return _help_closer()
        return (_("nobody called “{text}” sits here: {there}").format(text=typed[:40], there=self._there()),)

    def _closed_by(self, closer: int | None) -> tuple[str, ...]:
        hand = replace(self.sheet.blank(), closer=closer, dead=closer is None)
        choices, _how = self._choices()
        if closer is not None and len(choices) == 1:
            hand = replace(hand, points={closer: choices[0]})
        return self._write(hand)

    def _end(self) -> tuple[str, ...]:
        if not self.sheet.hands:
            return (_("no hand is entered yet; q leaves, and the table stays open"),)
        self.sheet.end()
        missing = len(self.sheet.contracts) - len(self.sheet.hands)
        return (
            ngettext("{number} hand was not played", "{number} hands were not played", missing).format(number=missing),
        )

    # --- whether at once ------------------------------------------------------------------------------------

    def _choices(self) -> tuple[tuple[int, ...], Literal["yes or no", "numbers"]]:
        """What the closer may have written down, and how it is asked: by whether it was in one turn if that says it."""
        ways = games.closer_points(self.event.rulebook, self.sheet.contract)
        return tuple(ways), "yes or no" if list(ways.values()) == [(False,), (True,)] else "numbers"

    def _ask_closing(self, question: Question) -> str:
        hand, player = self.sheet.contract, self.seats.names[question.seat]
        choices, how = self._choices()
        if how == "numbers":
            told = _("{hand}: {player} closed, for {choices}?")
            return told.format(hand=hand, player=player, choices=_numbers(choices))
        told = _("{hand}: did {player} lay down and close in one turn, for {points}? (y/n)")
        return told.format(hand=hand, player=player, points=choices[1])

    def _take_closing(self, typed: str, question: Question) -> tuple[str, ...]:
        word = fold(typed or self._offered(question))
        choices, how = self._choices()
        points = read_points(word)
        if how == "yes or no" and word in (*_YES, _("y"), *_NO, _("n")):
            points = choices[1] if word in (*_YES, _("y")) else choices[0]
        if points not in choices:
            return (_("type y or n") if how == "yes or no" else _("type {choices}").format(choices=_numbers(choices)),)
        return self._write(replace(self.sheet.begun, points={question.seat: points}))

    def _offered_closing(self, closer: int) -> str:
        """What the closer wrote down before, otherwise what is for an earlier lay-down."""
        (choices, how), offered = self._choices(), self.sheet.offered
        before = choices[0] if offered is None else offered.points.get(closer, choices[0])
        points = before if before in choices else choices[0]
        return str(points) if how == "numbers" else _("n") if points == choices[0] else _("y")

    # --- points or cards ------------------------------------------------------------------------------------

    def _ask_points(self, question: Question) -> str:
        return _("{hand}, {player}:").format(hand=self.sheet.contract, player=self.seats.names[question.seat])

    def _take_points(self, typed: str, question: Question) -> tuple[str, ...]:
        seat = question.seat
        if not typed:
            typed = self._offered(question)
        points = read_points(typed)
        if not typed or (points is None and _NUMBER.fullmatch(typed)):
            wrong = _("“{text}” is no whole number; ").format(text=typed[:40]) if typed else ""
            return (wrong + _("type the points, or the cards left as Kh 7d"),)
        hand = _with(self.sheet.begun, seat, points, typed)
        rules, number = self.event.rulebook, self.sheet.number
        fault = games.hand_fault(rules, self.seats.names, number, hand, self.sheet.waiting(hand))
        if fault:
            readings = self._readings(hand, seat)
            return (_("{fault}; did you mean {meant}?").format(fault=fault, meant=readings) if readings else fault,)
        most = games.most_expected(*self._at())
        if points is not None and points > most and points != self._doubted and not self._stood(seat, points):
            self._doubted = points
            return (self._doubtful(hand, seat),)
        return self._write(hand)

    def _at(self) -> tuple[str, int, int]:
        """What the engine is told of the hand in question: rules, players, number."""
        return self.event.rulebook, self.sheet.players, self.sheet.number

    def _stood(self, seat: int, points: int) -> bool:
        """Whether these points stood there before: they have been asked about already."""
        return self.sheet.offered is not None and self.sheet.offered.points.get(seat) == points

    def _doubtful(self, hand: SheetHand, seat: int) -> str:
        readings = self._readings(hand, seat)
        asked = _("did you mean {meant}?").format(meant=readings) if readings else _("are they right?")
        said = _("{points} points are seldom seen in {hand}: {asked} Enter keeps {points}")
        return said.format(points=hand.points[seat], hand=hand.contract, asked=asked)

    def _readings(self, hand: SheetHand, seat: int) -> str:
        if seat not in hand.points:
            return ""
        found = games.meant(*self._at(), hand, seat, self.sheet.waiting(hand))
        return _numbers(found) if found else ""

    def _offered(self, question: Question) -> str:
        """What an empty line keeps, as it would be typed; empty if it keeps nothing."""
        offered = self.sheet.offered
        if self._doubted is not None:
            return str(self._doubted)
        if question.kind == "closing":
            return self._offered_closing(question.seat)
        if offered is None or question.kind == "confirm":
            return ""
        if question.kind == "closer":
            return "-" if offered.closer is None else self.seats.names[offered.closer]
        points = offered.points.get(question.seat, 0)
        return offered.left.get(question.seat, "") or (str(points) if points > 0 else "")

    # --- the whole sheet ------------------------------------------------------------------------------------

    def _ask_confirm(self, question: Question) -> str:
        return _("Is the sheet right? (y, or the hand to mend, as {hand})").format(hand=self.sheet.contracts[-1])

    def _take_confirm(self, typed: str, question: Question) -> tuple[str, ...]:
        if fold(typed) in (*_YES, _("y")):
            self.now = "entered"
            return ()
        if fold(typed) in (*_NO, _("n")):
            return self._back()
        contract = contract_text(typed)
        if contract in self.sheet.contracts[: self.sheet.number]:
            self.sheet.change(self.sheet.contracts.index(contract))
            return ()
        hands = " ".join(self.sheet.contracts[: self.sheet.number])
        return (_("type y to enter it, or the hand to mend: {hands}").format(hands=hands),)


def _with(hand: SheetHand, seat: int, points: int | None, cards: str) -> SheetHand:
    """The hand with a seat's points, or with its cards."""
    if points is None:
        return replace(hand, left={**hand.left, seat: cards})
    return replace(hand, points={**hand.points, seat: points})


def _numbers(values: Sequence[int]) -> str:
    return either(str(value) for value in values)


_ASKS: dict[Kind, Callable[[SheetEntry, Question], str]] = {
    "closer": SheetEntry._ask_closer,
    "closing": SheetEntry._ask_closing,
    "points": SheetEntry._ask_points,
    "confirm": SheetEntry._ask_confirm,
}
_TAKES: dict[Kind, Callable[[SheetEntry, str, Question], tuple[str, ...]]] = {
    "closer": SheetEntry._take_closer,
    "closing": SheetEntry._take_closing,
    "points": SheetEntry._take_points,
    "confirm": SheetEntry._take_confirm,
}


def _help_closer() -> tuple[str, ...]:
    return (
        _("type the number in front of a name, a seat, or how the name begins; - if nobody closed the hand"),
        _("end: the game ended before this hand; b: back; q: leave, all hands are kept"),
    )


def _help_closing() -> tuple[str, ...]:
    return (_("y if the closer had not laid down before that turn; an empty line is n"),)


def _help_points() -> tuple[str, ...]:
    return (
        _("type the points, or the cards left: Kh 7d 10s As Jk (c d h s are the suits, Jk is a joker)"),
        _("b: back to the question before; q: leave, what was typed is kept"),
    )


def _help_confirm() -> tuple[str, ...]:
    return (_("y enters the sheet; a hand as TTE goes back to it, b to the last one; q leaves and keeps it"),)


_HELP: dict[Kind, Callable[[], tuple[str, ...]]] = {
    "closer": _help_closer,
    "closing": _help_closing,
    "points": _help_points,
    "confirm": _help_confirm,
}
