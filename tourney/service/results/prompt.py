"""A question of a score sheet, how its answers are read, and the question for points or cards."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.domain.errors import TourneyError
from tourney.domain.results import SheetHand
from tourney.files.sheet_toml import read_points
from tourney.service.results.sheet_draft import SheetDraft, without
from tourney.service.results.sheets import Seats
from tourney.text.cards import echoed_cards, read_cards, usual_letters, written_cards
from tourney.text.i18n import _, either, marked
from tourney.text.typed_words import read_yes_or_no

Lines = tuple[str, ...]

HAND: Final = -1
"""In place of a seat: the question concerns the hand, not one player."""
DEAD: Final = ("-", "−", "–")


class AskAgain(Exception):
    """A typed answer is not accepted; `lines` say why.

    `brief` says it where no Enter key takes a suggestion; `readings` are the points that were probably meant.
    """

    def __init__(self, *lines: str, brief: str = "", readings: Sequence[int] = ()) -> None:
        super().__init__(*lines)
        self.lines = lines
        self.brief = brief or next(iter(lines), "")
        self.readings = tuple(readings)


@dataclass(frozen=True, slots=True)
class Answer:
    """The hand in question with the answer written; `lines` say how it was read, where that is not obvious."""

    hand: SheetHand[int]
    lines: Lines = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question about a draft's hand in question, asked once for each of its `seats`.

    `field` names it on a page, together with the seat where each player is asked. `default` is the text that an empty
    line stands for. `read` raises AskAgain for an answer that is not accepted. `clear` returns the hand without the
    answer, if that is the last one given; `help` is translated when it is shown.
    """

    field: str
    text: Callable[[SheetDraft, int], str]
    answered: Callable[[SheetDraft, int], bool]
    default: Callable[[SheetDraft, int], str]
    read: Callable[[SheetDraft, int, str], Answer]
    help: Lines
    seats: Callable[[SheetDraft], Sequence[int]] = lambda draft: (HAND,)
    takes_cards: bool = False
    clear: Callable[[SheetDraft, int], SheetHand[int]] = lambda draft, seat: draft.blank()


def numbered_players(seats: Seats) -> str:
    """Return the players of the table, each with the seat to type."""
    return "   ".join(f"{seat} {name}" for seat, name in enumerate(seats.names, 1))


def or_suggested(draft: SheetDraft, typed: str) -> str:
    """Return what was suggested if that is answered with yes, an empty text if with no; otherwise the typed text."""
    answer = read_yes_or_no(typed) if draft.suggested else None
    suggested = draft.suggested
    if answer is False:
        draft.suggested = ""
    return typed if answer is None else suggested if answer else ""


def read_player(draft: SheetDraft, typed: str, before: str = "") -> int:
    """Return the seat that is typed; a misspelt name is suggested, after `before`, and asked about."""
    seats = draft.seats
    found = seats.meant_by(typed)
    if len(found) == 1:
        return found[0]
    if found:
        several = either(seats.names[seat] for seat in found)
        text = _("“{text}” may be {several}; type more of the name, or the seat")
        raise AskAgain(text.format(text=typed[:40], several=several))
    similar = seats.similar_to(typed)
    draft.suggested = "" if similar is None else f"{before}{seats.names[similar]}"
    if similar is not None:
        text = _("nobody called “{text}” sits here; did you mean {player}? Enter takes {player}")
        brief = _("nobody called “{text}” sits here; did you mean {player}?")
        named = {"text": typed[:40], "player": seats.names[similar]}
        raise AskAgain(text.format(**named), brief=brief.format(**named))
    text = _("nobody called “{text}” sits here: {players}")
    if typed.isdecimal():
        text = _("this table has no seat {text}: {players}")
    raise AskAgain(text.format(text=typed[:40], players=numbered_players(seats)))


def seat_read(seats: Seats, typed: str, seat: int) -> Lines:
    """Return a line that says whose seat was typed; none for a name."""
    if not typed.isdecimal():
        return ()
    return (_("seat {number}: {player}").format(number=seat + 1, player=seats.names[seat]),)


def possible(draft: SheetDraft, hand: SheetHand[int], lines: Lines = ()) -> Answer:
    """Return the hand as an answer. Raises AskAgain if the hand is impossible."""
    if fault := draft.fault(hand):
        raise AskAgain(fault)
    return Answer(hand, lines)


def in_words(values: Sequence[int]) -> str:
    return either(str(value) for value in values)


def previous_closer(draft: SheetDraft, seat: int) -> str:
    """Return the answer that was probably meant, or else the previous closer."""
    if draft.suggested or draft.previous is None:
        return draft.suggested
    closer = draft.previous.closer
    if closer is None:
        return "-" if draft.previous.dead else ""
    return draft.seats.names[closer]


_POINTS_HELP: Final = (
    marked("type the points, or the cards left: Kh 7d 10s As Jk (c d h s are the suits, Jk is a joker)"),
    marked("b: back to the previous question; q: leave, what was typed is kept"),
)
_NUMBER = re.compile(r"[\d\s.,]+")
_NEARLY_NUMBER: Final = re.compile(r"(?=.*[0-9])[0-9oOlI]{2,5}", re.ASCII)
_LOOK_ALIKE: Final = str.maketrans("oOlI", "0011")
"""The letters that are typed in place of digits, with these."""


def points_text(draft: SheetDraft, seat: int) -> str:
    """Return the question for a player's points."""
    return _("{hand}, {player}:").format(hand=draft.hand_name, player=draft.seats.names[seat])


def previous_points(draft: SheetDraft, seat: int) -> str:
    """Return the previous answer, points or cards, as it is typed; empty without one."""
    if draft.previous is None:
        return ""
    points = draft.previous.points.get(seat)
    left = written_cards(draft.previous.left.get(seat, ""), draft.alphabet)
    return left or ("" if points is None else str(points))


def read_points_or_cards(draft: SheetDraft, seat: int, typed: str) -> Answer:
    """Read points or cards that are possible in this hand."""
    hand, points = draft.current, read_points(typed)
    if not typed or (points is None and _NUMBER.fullmatch(typed)):
        not_a_number = _("“{text}” is not a whole number; ").format(text=typed[:40]) if typed else ""
        raise AskAgain(not_a_number + _points_hint(draft))
    if points is None:
        _refuse_letters(typed.strip())
        hand = replace(hand, left={**hand.left, seat: _cards(draft, seat, typed)})
    else:
        hand = replace(hand, points={**hand.points, seat: points})
    fault = draft.fault(hand)
    if fault and (readings := similar_points(draft, hand, seat)):
        text = _("{fault}; did you mean {readings}?").format(fault=fault, readings=in_words(readings))
        raise AskAgain(text, readings=readings)
    if fault:
        raise AskAgain(fault)
    return Answer(hand, _cards_read(draft, hand, seat))


def _points_hint(draft: SheetDraft) -> str:
    if draft.alphabet == "es":
        return _("type the points, or the cards left, such as Kc 7d (p ♠, c ♥, d ♦, t ♣)")
    return _("type the points, or the cards left, such as Kh 7d")


def _cards(draft: SheetDraft, seat: int, typed: str) -> str:
    """Return the cards that were typed with the engine's letters. Raises AskAgain for a word that is not a card."""
    if any(read_points(word) is not None for word in typed.split()):
        text = _(
            "this asks one player, {player}; a line with everybody's points answers “who closed?”, which b asks again"
        )
        raise AskAgain(text.format(player=draft.seats.names[seat]))
    try:
        cards = read_cards(typed, draft.alphabet)
    except TourneyError as error:
        raise AskAgain(error.message, error.hint) from error
    return typed if draft.alphabet == "en" else " ".join(cards.split())


def _refuse_letters(typed: str) -> None:
    """Raise AskAgain for a number that is typed with letters in place of digits, such as 3o, which no card is."""
    if _NEARLY_NUMBER.fullmatch(typed):
        meant = int(typed.translate(_LOOK_ALIKE))
        text = _("“{text}” is not a number; did you mean {readings}?")
        raise AskAgain(text.format(text=typed, readings=meant), readings=(meant,))


def _cards_read(draft: SheetDraft, hand: SheetHand[int], seat: int) -> Lines:
    """Return a line with the cards of a seat by the symbols of their suits, where their letters are not English."""
    if seat not in hand.left or usual_letters():
        return ()
    return (_("{player}: {cards}").format(player=draft.seats.names[seat], cards=echoed_cards(hand.left[seat])),)


def similar_points(draft: SheetDraft, hand: SheetHand[int], seat: int) -> Sequence[int]:
    """Return the points that may have been meant instead of a seat's points."""
    return draft.sequence.similar_points(draft.hands, hand, seat) if seat in hand.points else ()


POINTS = Prompt(
    field="points",
    text=points_text,
    answered=lambda draft, seat: seat not in draft.missing,
    default=previous_points,
    read=read_points_or_cards,
    clear=lambda draft, seat: without(draft.current, seat),
    help=_POINTS_HELP,
    takes_cards=True,
)
