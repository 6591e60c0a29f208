"""A whole sheet as one form: what a browser sends is read into answers, and checked answers are arranged for a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Length
from tourney.domain.rounds import Table
from tourney.reports.rules import melds_text
from tourney.rulebook import rulesets
from tourney.service.results.sheets import judge
from tourney.service.results.typed_sheet import NOBODY, Answers, CheckedForm, CheckedHand, Fault, reseated_answers
from tourney.text.i18n import _, ngettext
from tourney.web.page import Asked
from tourney.web.pages.field_view import FieldView, endings

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


def arranged(checked: CheckedForm, typed: Typed, *, with_missing: bool) -> dict[str, object]:
    """Return what a template needs of a checked sheet; `with_missing` marks the fields that lack an answer, too."""
    is_knock = rulesets.family(checked.event.rules) == "knock"
    hands = []
    for place, hand in enumerate(checked.hands):
        faults = [fault for fault in hand.faults if with_missing or not fault.missing]
        melds = "" if is_knock else melds_text(hand.name)
        hands.append((place + 1, hand, melds, bool(faults), _judged(checked, typed, place, faults)))
    players = ",".join(map(str, numbers_of(checked.table)))
    stopped = typed.length == "short"
    return {
        "hands": hands,
        "players": players,
        "names": [player.shown for player in checked.table.players],
        "totals": () if is_knock else _totals(checked),
        "scores": checked.scores if is_knock else (),
        "stopped": stopped,
        "is_knock": is_knock,
    }


def _totals(checked: CheckedForm) -> tuple[int, ...]:
    """Return the running total of each player after the complete hands at the beginning; nothing before them."""
    if not checked.first:
        return ()
    hands = judge(checked.event, checked.table, checked.first, "whole" if checked.over else "short").hands
    return tuple(sum(hand.points[seat] for hand in hands) for seat in range(len(checked.table.players)))


def _judged(checked: CheckedForm, typed: Typed, place: int, faults: Sequence[Fault]) -> list[FieldView]:
    """Return the fields of one hand with their answers, and with what is wrong with these."""
    hand, answers = checked.hands[place], typed.answers[place] if place < len(typed.answers) else {}
    fields = (replace(field, value=answers.get(field.name, "")).judged(faults) for field in _blank(checked, hand))
    return [replace(each, kept=not each.fault and (place, each.name, each.value) in typed.kept) for each in fields]


def _blank(checked: CheckedForm, hand: CheckedHand) -> Iterator[FieldView]:
    """Yield the fields of one hand before anything is typed."""
    players, nothing = checked.table.players, ("", "–")
    names = {seat: (str(seat + 1), player.shown) for seat, player in enumerate(players)}
    if rulesets.family(checked.event.rules) == "knock":
        ended = (nothing, *endings(), (NOBODY, _("nobody ended it")))
        yield FieldView("ending", _("How did it end?"), choices=ended)
        active = (nothing, *(names[seat] for seat in hand.seats))
        yield FieldView("closer", _("Who ended it?"), choices=active)
        yield FieldView("jokers", _("Jokers of a rummy"))
    else:
        closers = (("", _("points decide")), *names.values(), (NOBODY, _("nobody")))
        yield FieldView("closer", _("Who closed?"), choices=closers)
        if hand.turn_score is not None:
            yield FieldView("at_once", _("in one turn ({points})").format(points=hand.turn_score), tick=True)
    for seat in hand.seats:
        yield FieldView(f"points-{seat + 1}", players[seat].shown, seat=seat + 1)
    for name, text in hand.asked:
        yield FieldView(name, text, choices=(nothing, ("y", _("yes")), ("n", _("no"))))
