"""A whole sheet as one form: what a browser sends is read into answers, and checked answers are arranged for a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Length
from tourney.domain.rounds import Table
from tourney.files.sheet_toml import ENDINGS
from tourney.reports.rules import melds_text
from tourney.rulebook import rulesets
from tourney.rulebook.knock_sheets import ending_text
from tourney.service.results.typed_sheet import NOBODY, Answers, CheckedForm, CheckedHand, Fault, reseated_answers
from tourney.text.i18n import _, ngettext
from tourney.web.page import Asked

MOST_HANDS: Final = 60
"""The most hands that a form has; a knock game rarely has twenty."""
MOST_CHARACTERS: Final = 200
"""The most characters of an answer that are read."""
_FIELD: Final = re.compile(r"([1-9][0-9]?)\.((?:closer|at_once|ending|jokers)|(?:points|buy)-([1-9][0-9]?))", re.ASCII)

_NUMBERS: Final = re.compile(r"\b[0-9]{1,9}\b", re.ASCII)


@dataclass(frozen=True, slots=True)
class Typed:
    """Answers of a form: of each hand, those that are right although unusual, and whether the game was stopped.

    `players` are the numbers of the people in the order of the seats that the form had.
    """

    answers: tuple[Answers, ...] = ()
    kept: frozenset[tuple[int, str, str]] = frozenset()
    length: Length = "whole"
    players: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that can be chosen: what the form sends, and what people read."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class Input:
    """A field of the form: its name, label and value; with `choices` one of them is chosen, a `tick` is on or off.

    `fault` says what is wrong with it, `readings` are the answers that were probably meant, and `keep` is the value
    that says that the answer is right although unusual.
    """

    name: str
    label: str
    value: str = ""
    choices: tuple[Choice, ...] = ()
    tick: bool = False
    fault: str = ""
    readings: tuple[Choice, ...] = ()
    keep: str = ""
    kept: bool = False

    @property
    def id(self) -> str:
        """Return the field's name as the identifier of its element."""
        return f"f{self.name.replace('.', '-')}"


@dataclass(frozen=True, slots=True)
class HandInputs:
    """The fields of one hand, its melds in words (none in the knock game), and notes on how it was read."""

    name: str
    melds: str
    inputs: tuple[Input, ...]
    notes: tuple[str, ...] = ()
    faulty: bool = False


@dataclass(frozen=True, slots=True)
class SheetForm:
    """The form of a sheet as a page shows it."""

    hands: tuple[HandInputs, ...]
    players: str
    scores: tuple[str, ...] = ()
    stopped: bool = False
    is_knock: bool = False


def typed(asked: Asked) -> Typed:
    """Return what a browser sends of a sheet; a button that takes a reading is as if that had been typed."""
    answers = list[dict[str, str]]()
    taken = [tuple(value.split(" ", 1)) for value in asked.form.get("take", ()) if " " in value]
    fields = [(name, values[0]) for name, values in asked.form.items()]
    for name, value in (*fields, *taken):
        found = _FIELD.fullmatch(name)
        place = int(found[1]) if found else MOST_HANDS + 1
        if found is not None and place <= MOST_HANDS:
            answers += [{} for _place in range(len(answers), place)]
            answers[place - 1][found[2]] = value[:MOST_CHARACTERS]
    return Typed(
        tuple(answers),
        frozenset(_kept(asked.form.get("keep", ()))),
        "short" if asked.field("stopped") else "whole",
        tuple(int(number) for number in _NUMBERS.findall(asked.field("players"))[:20]),
        asked.field("reason"),
    )


def _kept(values: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    for value in values[:200]:
        name, _blank, answer = value.partition(" ")
        if found := _FIELD.fullmatch(name):
            yield int(found[1]) - 1, found[2], answer


def refuse_others(typed: Typed, table: Table) -> None:
    """Raise TourneyError CONFLICT if other people sit at the table than when the form was shown."""
    if typed.players and typed.players != numbers_of(table):
        message = _("the seats of table {table} were changed while this sheet was typed").format(table=table.number)
        raise TourneyError(ExitCode.CONFLICT, message, _("look whether every number is still under its player"))


def numbers_of(table: Table) -> tuple[int, ...]:
    """Return the numbers of the people at a table, in the order of the seats."""
    return tuple(player.id for player in table.players)


def reseated(typed: Typed, table: Table) -> Typed:
    """Return the answers under the present seats of their players; the answers of who no longer sits there are lost."""
    present = numbers_of(table)
    if not typed.players or typed.players == present:
        return typed
    answers = tuple(reseated_answers(hand, typed.players, present) for hand in typed.answers)
    return replace(typed, answers=answers, kept=frozenset(), players=present)


def mistakes(checked: CheckedForm) -> TourneyError:
    """Return the refusal of a sheet that cannot be entered yet."""
    number = sum(len(hand.faults) for hand in checked.hands)
    message = ngettext(
        "the sheet is not entered yet: {number} answer is missing or wrong",
        "the sheet is not entered yet: {number} answers are missing or wrong",
        number,
    )
    return TourneyError(ExitCode.REFUSED, message.format(number=number), _("each is marked below; nothing is lost"))


def arranged(checked: CheckedForm, typed: Typed, *, with_missing: bool) -> SheetForm:
    """Return the form of a checked sheet; `with_missing` marks the fields that lack an answer, too."""
    knock = rulesets.family(checked.event.rules) == "knock"
    hands = tuple(
        _Hand(checked, place, hand, typed, with_missing=with_missing).inputs(knock=knock)
        for place, hand in enumerate(checked.hands)
    )
    players = ",".join(map(str, numbers_of(checked.table)))
    return SheetForm(hands, players, checked.scores, typed.length == "short", knock)


class _Hand:
    """One hand while its fields are arranged."""

    def __init__(self, sheet: CheckedForm, place: int, hand: CheckedHand, typed: Typed, *, with_missing: bool) -> None:
        self._table, self._place, self._hand, self._typed = sheet.table, place, hand, typed
        self._answers = typed.answers[place] if place < len(typed.answers) else {}
        faults = (fault for fault in hand.faults if with_missing or not fault.missing)
        self._faults: dict[str, Fault] = {fault.field: fault for fault in faults}

    def inputs(self, *, knock: bool) -> HandInputs:
        fields = [*self._knock_inputs()] if knock else [*self._contract_inputs()]
        fields += [self._points(seat) for seat in self._hand.seats]
        fields += [self._buy(name, text) for name, text in self._hand.asked]
        melds = "" if knock else melds_text(self._hand.name)
        return HandInputs(self._hand.name, melds, tuple(fields), self._hand.notes, bool(self._faults))

    def _contract_inputs(self) -> Iterator[Input]:
        names = [Choice(str(seat), player.shown) for seat, player in enumerate(self._table.players, 1)]
        by_points = Choice("", _("points decide"))
        yield self._input("closer", _("Who closed?"), (by_points, *names, Choice(NOBODY, _("nobody"))))
        if self._hand.turn_score is not None:
            text = _("in one turn ({points})").format(points=self._hand.turn_score)
            yield replace(self._input("at_once", text), tick=True)

    def _knock_inputs(self) -> Iterator[Input]:
        endings = [Choice(ending, ending_text(ending)) for ending in ENDINGS]
        yield self._input(
            "ending", _("How did it end?"), (Choice("", "–"), *endings, Choice(NOBODY, _("nobody ended it")))
        )
        active = [Choice(str(seat + 1), self._table.players[seat].shown) for seat in self._hand.seats]
        yield self._input("closer", _("Who ended it?"), (Choice("", "–"), *active))
        yield self._input("jokers", _("Jokers of a rummy"))

    def _points(self, seat: int) -> Input:
        return self._input(f"points-{seat + 1}", self._table.players[seat].shown)

    def _buy(self, name: str, text: str) -> Input:
        return self._input(name, text, (Choice("", "–"), Choice("y", _("yes")), Choice("n", _("no"))))

    def _input(self, name: str, label: str, choices: Sequence[Choice] = ()) -> Input:
        full, value, fault = f"{self._place + 1}.{name}", self._answers.get(name, ""), self._faults.get(name)
        shown = Input(full, label, value, tuple(choices))
        is_kept = (self._place, name, value) in self._typed.kept
        if fault is None:
            return replace(shown, keep=f"{full} {value}" if is_kept else "", kept=is_kept)
        meant = [*map(str, fault.readings), *filter(None, [fault.suggested])]
        return replace(
            shown,
            fault=fault.text,
            readings=tuple(Choice(f"{full} {text}", text) for text in meant),
            keep=f"{full} {value}" if fault.may_keep else "",
        )
