"""The question for a player's points, or for the cards that they hold: families of games ask it in their own ways."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tourney.domain.errors import TourneyError
from tourney.domain.results import SheetHand
from tourney.files.sheet_toml import read_points
from tourney.service.results.prompt import Answer, AskAgain, Lines, Prompt, in_words
from tourney.service.results.sheet_draft import SheetDraft, without
from tourney.text.cards import echoed_cards, read_cards, usual_letters, written_cards
from tourney.text.i18n import _, marked

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
