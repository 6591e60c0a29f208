"""The questions of a hand of the knock game: how it ended, by whom, the points, and who buys points off."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tourney.domain.results import SheetHand
from tourney.files.sheet_toml import ENDINGS, VOID
from tourney.rulebook import knock_sheets
from tourney.service.results.hand_sequence import KnockSequence
from tourney.service.results.prompt import (
    DEAD,
    HAND,
    POINTS,
    Answer,
    AskAgain,
    Prompt,
    or_suggested,
    points_text,
    possible,
    previous_closer,
    previous_points,
    read_player,
    seat_read,
)
from tourney.service.results.sheet_draft import SheetDraft
from tourney.text.i18n import _, either, marked
from tourney.text.names import fold
from tourney.text.typed_words import read_yes_or_no

_ENDING_HELP: Final = (
    marked("type knock, rummy, color or continental, or the beginning of it; - if nobody ended the hand"),
    marked("the player who ended it can follow: knock Ana"),
    marked("end: the game was stopped before this hand; b: back; q: leave, all hands are kept"),
)
_KNOCK_CLOSER_HELP: Final = (marked("type the seat, which is the number before a name, or the beginning of the name"),)


def _knock(draft: SheetDraft) -> KnockSequence:
    assert isinstance(draft.sequence, KnockSequence)
    return draft.sequence


# --- how the hand ended ------------------------------------------------------------------------------------------


def _previous_ending(draft: SheetDraft, seat: int) -> str:
    """Return the answer that was probably meant, or else the previous ending."""
    if draft.suggested or draft.previous is None:
        return draft.suggested
    return "-" if draft.previous.dead else draft.previous.ending.partition(" ")[0]


def _read_ending(draft: SheetDraft, seat: int, typed: str) -> Answer:
    """Read an ending, optionally followed by the player who ended the hand."""
    typed = or_suggested(draft, typed)
    if typed in DEAD or fold(typed) == VOID:
        return Answer(replace(draft.blank(), dead=True))
    word, _blank, name = typed.partition(" ")
    endings = [ending for ending in ENDINGS if ending.startswith(fold(word))] if word else []
    if not endings:
        raise AskAgain(*map(_, _ENDING_HELP))
    if len(endings) > 1:
        text = _("“{text}” may be {several}; type more of the word")
        raise AskAgain(text.format(text=typed[:40], several=either(endings)))
    hand = replace(draft.blank(), ending=endings[0])
    return _ended_by(draft, hand, name, f"{endings[0]} ") if name else Answer(hand)


_ENDING = Prompt(
    field="ending",
    text=lambda draft, seat: _("{hand}: how did it end?").format(hand=draft.hand_name),
    answered=lambda draft, seat: draft.current.ending != "" or draft.current.dead,
    default=_previous_ending,
    read=_read_ending,
    help=_ENDING_HELP,
)


def _knock_closer_text(draft: SheetDraft, seat: int) -> str:
    ending = draft.current.ending
    text = _("{hand}: who knocked?") if ending == "knock" else _("{hand}: whose {ending}?")
    return text.format(hand=draft.hand_name, ending=ending)


def _read_knock_closer(draft: SheetDraft, seat: int, typed: str) -> Answer:
    typed = or_suggested(draft, typed)
    if not typed:
        raise AskAgain(*map(_, _KNOCK_CLOSER_HELP))
    return _ended_by(draft, draft.current, typed)


def _ended_by(draft: SheetDraft, hand: SheetHand[int], typed: str, ending: str = "") -> Answer:
    """Return the hand with the typed player as its closer; `ending` was typed before the player."""
    closer = read_player(draft, typed, ending)
    return possible(draft, replace(hand, closer=closer), seat_read(draft.seats, typed, closer))


_KNOCK_CLOSER = Prompt(
    field="closer",
    seats=lambda draft: () if draft.current.dead else (HAND,),
    text=_knock_closer_text,
    answered=lambda draft, seat: draft.current.closer is not None,
    default=previous_closer,
    read=_read_knock_closer,
    clear=lambda draft, seat: replace(draft.current, closer=None),
    help=_KNOCK_CLOSER_HELP,
)


def _read_jokers(draft: SheetDraft, seat: int, typed: str) -> Answer:
    if not typed.isdecimal() or len(typed) > 2:
        raise AskAgain(_("“{text}” is not a number of jokers").format(text=typed[:40]))
    return possible(draft, replace(draft.current, ending=knock_sheets.rummy(int(typed))))


_JOKERS = Prompt(
    field="jokers",
    seats=lambda draft: (HAND,) if draft.current.ending.startswith("rummy") else (),
    text=lambda draft, seat: _("{hand}: how many jokers among the ten cards?").format(hand=draft.hand_name),
    answered=lambda draft, seat: knock_sheets.rummy_jokers(draft.current.ending) is not None,
    default=lambda draft, seat: str((draft.previous and knock_sheets.rummy_jokers(draft.previous.ending)) or 0),
    read=_read_jokers,
    clear=lambda draft, seat: replace(draft.current, ending="rummy"),
    help=(marked("with three jokers or more everybody also pays a knock's bonus for each joker"),),
)

# --- points ------------------------------------------------------------------------------------------------------


def _knock_points_text(draft: SheetDraft, seat: int) -> str:
    """Return the question; the player who knocked counts aces as 1 (001/1.2)."""
    if draft.current.ending != "knock" or seat != draft.current.closer:
        return points_text(draft, seat)
    text = _("{hand}: {player} knocked with how many points?")
    return text.format(hand=draft.hand_name, player=draft.seats.names[seat])


def _previous_knock_points(draft: SheetDraft, seat: int) -> str:
    """Return the previous points, unless the seat was the closer's with that ending and is not now, or the reverse."""
    if draft.previous is None:
        return ""
    before, after = (seat == hand.closer and hand.ending for hand in (draft.previous, draft.current))
    return previous_points(draft, seat) if before == after else ""


_KNOCK_POINTS = replace(
    POINTS,
    seats=lambda draft: _knock(draft).asked(draft.hands, draft.current),
    text=_knock_points_text,
    default=_previous_knock_points,
)

# --- buys --------------------------------------------------------------------------------------------------------


def _buyers(draft: SheetDraft) -> Sequence[int]:
    """Return the seats that have answered, in turn order from the dealer's left, then the next seat with an offer."""
    sequence, hand = _knock(draft), draft.current
    answered = sequence.in_turn_order([*draft.hands, hand], {*hand.buys, *hand.declined})
    offer = sequence.offer(draft.hands, hand)
    return answered if offer is None else [*answered, offer.seat]


def _buy_text(draft: SheetDraft, seat: int) -> str:
    offer = _knock(draft).offer(draft.hands, draft.current)
    assert offer is not None, "a hand that lacks nothing is not in question"
    text = _("{hand}: does {player} pay {price} to go from {score} down to {to}? (y/n)")
    player = draft.seats.names[seat]
    return text.format(hand=draft.hand_name, player=player, price=offer.price, score=offer.score, to=offer.to)


def _read_buy(draft: SheetDraft, seat: int, typed: str) -> Answer:
    hand, yes = draft.current, read_yes_or_no(typed)
    if yes is None:
        raise AskAgain(_("type y or n"))
    return Answer(replace(hand, buys=(*hand.buys, seat)) if yes else replace(hand, declined=(*hand.declined, seat)))


def _clear_buy(draft: SheetDraft, seat: int) -> SheetHand[int]:
    hand = draft.current
    buys, declined = (tuple(other for other in seats if other != seat) for seats in (hand.buys, hand.declined))
    return replace(hand, buys=buys, declined=declined)


_BUY = Prompt(
    field="buy",
    seats=_buyers,
    text=_buy_text,
    answered=lambda draft, seat: seat in draft.current.buys or seat in draft.current.declined,
    default=lambda draft, seat: _("y") if draft.previous is not None and seat in draft.previous.buys else _("n"),
    read=_read_buy,
    clear=_clear_buy,
    help=(marked("y if the player bought points off after this hand; an empty line is n"),),
)

PROMPTS: Final = (_ENDING, _KNOCK_CLOSER, _JOKERS, _KNOCK_POINTS, _BUY)
"""The prompts in the order in which they are asked."""
