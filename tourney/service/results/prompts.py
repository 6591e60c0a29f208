"""The questions of a score sheet: a table of prompts for each family of games, in the order in which they are asked.

The next question is the first that the hand in question does not answer; `PROMPTS` at the end has both tables.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.domain.errors import TourneyError
from tourney.domain.results import SheetHand
from tourney.domain.rules import Family
from tourney.files.sheet_toml import ENDINGS, VOID, read_points
from tourney.rulebook import knock_sheets, sheets
from tourney.service.results.hand_sequence import KnockSequence
from tourney.service.results.sheet_draft import SheetDraft, without
from tourney.service.results.sheets import Seats
from tourney.text.answers import read_yes_or_no
from tourney.text.cards import echoed_cards, read_cards, usual_letters, written_cards
from tourney.text.i18n import _, either, marked
from tourney.text.names import fold

Lines = tuple[str, ...]

HAND: Final = -1
"""In place of a seat: the question concerns the hand, not one player."""
DEAD: Final = ("-", "−", "–")
_CLOSER_HELP: Final = (
    marked(
        "type the seat, which is the number before a name, or the beginning of the name; - if nobody closed the hand"
    ),
    marked("or type all points in seat order: 0 35 17 20; if nobody closed, after a dash and a blank: - 40 35 17 20"),
    marked("end: the game was stopped before this hand; b: back; q: leave, all hands are kept"),
)
_POINTS_HELP: Final = (
    marked("type the points, or the cards left: Kh 7d 10s As Jk (c d h s are the suits, Jk is a joker)"),
    marked("b: back to the previous question; q: leave, what was typed is kept"),
)
_ENDING_HELP: Final = (
    marked("type knock, rummy, color or continental, or the beginning of it; - if nobody ended the hand"),
    marked("the player who ended it can follow: knock Ana"),
    marked("end: the game was stopped before this hand; b: back; q: leave, all hands are kept"),
)
_KNOCK_CLOSER_HELP: Final = (marked("type the seat, which is the number before a name, or the beginning of the name"),)
_NUMBER = re.compile(r"[\d\s.,]+")
_ROW = re.compile(r"(?P<dead>[-−–] +)?(?P<points>[-−–+]?\d+(?: [-−–+]?\d+)+)", re.ASCII)
"""All points of a hand in one line, after a dash and a blank if nobody closed it."""
_ALMOST_ROW = re.compile(r".*[\d.,][ ;/]+[-−–+]?[\d.,]+", re.ASCII)
"""Several numbers in one line, after a name or with decimals: not a name, and not yet all points."""


class AskAgain(Exception):
    """A typed answer is not accepted; `lines` say why."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.lines = lines


@dataclass(frozen=True, slots=True)
class Answer:
    """The hand in question with the answer written; `lines` say how it was read, where that is not obvious."""

    hand: SheetHand
    lines: Lines = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question about a draft's hand in question, asked once for each of its `seats`.

    `default` is the text that an empty line stands for. `read` raises AskAgain for an answer that is not accepted.
    `clear` returns the hand without the answer, if that is the last one given; `help` is translated when it is shown.
    """

    text: Callable[[SheetDraft, int], str]
    answered: Callable[[SheetDraft, int], bool]
    default: Callable[[SheetDraft, int], str]
    read: Callable[[SheetDraft, int, str], Answer]
    help: Lines
    seats: Callable[[SheetDraft], Sequence[int]] = lambda draft: (HAND,)
    takes_cards: bool = False
    clear: Callable[[SheetDraft, int], SheetHand] = lambda draft, seat: draft.blank()


# --- who closed ------------------------------------------------------------------------------------------------


def _previous_closer(draft: SheetDraft, seat: int) -> str:
    """Return the answer that was probably meant, or else the previous closer."""
    if draft.suggested or draft.previous is None:
        return draft.suggested
    closer = draft.previous.closer
    if closer is None:
        return "-" if draft.previous.dead else ""
    return draft.seats.names[closer]


def _read_closer(draft: SheetDraft, seat: int, typed: str) -> Answer:
    """Read a player, a dash for nobody, or all points; if the closer can have only one score, write it too."""
    typed = _or_suggested(draft, typed)
    if typed in DEAD:
        return Answer(replace(draft.blank(), dead=True))
    if not typed:
        raise AskAgain(*map(_, _CLOSER_HELP))
    row = _ROW.fullmatch(typed)
    if row:
        return _read_row(draft, typed, row["dead"] is not None, row["points"].split())
    if _ALMOST_ROW.fullmatch(typed):
        text = _("type only the points, as whole numbers in seat order, or only who closed: {players}")
        raise AskAgain(text.format(players=numbered_players(draft.seats)))
    closer, scores = _read_player(draft, typed), _closer_scores(draft)
    points = {closer: scores[0]} if len(scores) == 1 else {}
    return Answer(replace(draft.blank(), closer=closer, points=points), _seat_read(draft.seats, typed, closer))


def _read_row(draft: SheetDraft, typed: str, dead: bool, words: Sequence[str]) -> Answer:
    """Read everybody's points in seat order; the closer is the only player with a closer's score."""
    points = {seat: number for seat, word in enumerate(words) if (number := read_points(word)) is not None}
    if len(points) != len(words) or len(points) != len(draft.seats.players):
        text = _("type {number} numbers, one for each of: {players}")
        raise AskAgain(text.format(number=len(draft.seats.players), players=numbered_players(draft.seats)))
    closers = [] if dead else [seat for seat, number in points.items() if number in _closer_scores(draft)]
    if len(closers) != 1 and not dead:
        raise AskAgain(_unclear(draft, len(closers)))
    hand = replace(draft.blank(), closer=closers[0] if closers else None, dead=dead, points=points)
    answer = _possible(draft, hand)
    _doubt_row(draft, typed, points.values())
    return answer


def _unclear(draft: SheetDraft, closers: int) -> str:
    """Return why a line of points with this number of closers does not say who closed."""
    scores = _numbers(_closer_scores(draft))
    if not closers:
        return _("nobody has {scores}; if nobody closed, type a dash and a blank before the points").format(
            scores=scores
        )
    text = _("{number} players have {scores}, so it is not clear who closed; a dash before the points means nobody")
    return text.format(number=closers, scores=scores)


def _doubt_row(draft: SheetDraft, typed: str, points: Iterable[int]) -> None:
    """Raise AskAgain for unusual points, unless the row was questioned before."""
    most = sheets.most_expected(draft.event.rules, len(draft.seats.players), draft.hand_number)
    unusual = [number for number in points if number > most]
    if unusual and typed != draft.suggested:
        draft.suggested = typed
        text = _("{points} points are unusual in {hand}: are they right? Enter keeps them")
        raise AskAgain(text.format(points=max(unusual), hand=draft.hand_name))


_CLOSER = Prompt(
    text=lambda draft, seat: _("{hand}: who closed?").format(hand=draft.hand_name),
    answered=lambda draft, seat: draft.current.closer is not None or draft.current.dead,
    default=_previous_closer,
    read=_read_closer,
    help=_CLOSER_HELP,
)

# --- whether in one turn ---------------------------------------------------------------------------------------


def _closer_scores(draft: SheetDraft) -> tuple[int, ...]:
    """Return the points that the closer of the hand may have, those after an earlier lay-down first."""
    return tuple(sheets.closer_points(draft.event.rules, draft.hand_name))


def _is_yes_or_no(draft: SheetDraft) -> bool:
    """Return whether there are two scores, one for closing in one turn and one for any other closing."""
    return list(sheets.closer_points(draft.event.rules, draft.hand_name).values()) == [(False,), (True,)]


def _closer_to_score(draft: SheetDraft) -> Sequence[int]:
    """Return the closer's seat if several scores are possible; otherwise no seat."""
    closer = draft.current.closer
    return () if closer is None or len(_closer_scores(draft)) == 1 else (closer,)


def _closing_text(draft: SheetDraft, seat: int) -> str:
    scores, player = _closer_scores(draft), draft.seats.names[seat]
    if _is_yes_or_no(draft):
        text = _("{hand}: did {player} lay down and close in one turn, for {points}? (y/n)")
        return text.format(hand=draft.hand_name, player=player, points=scores[1])
    text = _("{hand}: {player} closed, for {scores}?")
    return text.format(hand=draft.hand_name, player=player, scores=_numbers(scores))


def _previous_closing(draft: SheetDraft, seat: int) -> str:
    """Return a line of points that was questioned, or else the previous answer."""
    if draft.suggested:
        return draft.suggested
    scores = _closer_scores(draft)
    before = scores[0] if draft.previous is None else draft.previous.points.get(seat, scores[0])
    points = before if before in scores else scores[0]
    if not _is_yes_or_no(draft):
        return str(points)
    return _("n") if points == scores[0] else _("y")


def _read_closing(draft: SheetDraft, seat: int, typed: str) -> Answer:
    scores, yes_or_no = _closer_scores(draft), _is_yes_or_no(draft)
    if _ROW.fullmatch(typed):
        return _read_row_of(draft, seat, typed)
    points, yes = read_points(typed), read_yes_or_no(typed)
    if yes_or_no and yes is not None:
        points = scores[yes]
    if points not in scores:
        raise AskAgain(_("type y or n") if yes_or_no else _("type {scores}").format(scores=_numbers(scores)))
    return Answer(replace(draft.current, points={seat: points}))


def _read_row_of(draft: SheetDraft, closer: int, typed: str) -> Answer:
    """Read everybody's points where only the closer's are asked for; the line has to say the same closer."""
    answer = _read_closer(draft, HAND, typed)
    if answer.hand.closer != closer:
        text = _("in this line {player} did not close; b goes back to who closed")
        raise AskAgain(text.format(player=draft.seats.names[closer]))
    return answer


_CLOSED_AT_ONCE = Prompt(
    seats=_closer_to_score,
    text=_closing_text,
    answered=lambda draft, seat: seat not in draft.missing,
    default=_previous_closing,
    read=_read_closing,
    clear=lambda draft, seat: without(draft.current, seat),
    help=(marked("y if the closer had not laid down before that turn; an empty line is n"),),
)

# --- points or cards -------------------------------------------------------------------------------------------


def _points_text(draft: SheetDraft, seat: int) -> str:
    return _("{hand}, {player}:").format(hand=draft.hand_name, player=draft.seats.names[seat])


def _previous_points(draft: SheetDraft, seat: int) -> str:
    if draft.previous is None:
        return ""
    points = draft.previous.points.get(seat)
    left = written_cards(draft.previous.left.get(seat, ""), draft.alphabet)
    return left or ("" if points is None else str(points))


def _read_points(draft: SheetDraft, seat: int, typed: str) -> Answer:
    """Read points or cards that are possible in this hand."""
    hand, points = draft.current, read_points(typed)
    if not typed or (points is None and _NUMBER.fullmatch(typed)):
        not_a_number = _("“{text}” is not a whole number; ").format(text=typed[:40]) if typed else ""
        raise AskAgain(not_a_number + _points_hint(draft))
    if points is None:
        hand = replace(hand, left={**hand.left, seat: _cards(draft, typed)})
    else:
        hand = replace(hand, points={**hand.points, seat: points})
    fault = draft.fault(hand)
    if fault and (readings := _similar_points(draft, hand, seat)):
        raise AskAgain(_("{fault}; did you mean {readings}?").format(fault=fault, readings=readings))
    if fault:
        raise AskAgain(fault)
    return Answer(hand, _cards_read(draft, hand, seat))


def _points_hint(draft: SheetDraft) -> str:
    if draft.alphabet == "es":
        return _("type the points, or the cards left, such as Kc 7d (p ♠, c ♥, d ♦, t ♣)")
    return _("type the points, or the cards left, such as Kh 7d")


def _cards(draft: SheetDraft, typed: str) -> str:
    """Return the cards that were typed with the engine's letters. Raises AskAgain for a word that is not a card."""
    try:
        return read_cards(typed, draft.alphabet)
    except TourneyError as error:
        raise AskAgain(error.message, error.hint) from error


def _cards_read(draft: SheetDraft, hand: SheetHand, seat: int) -> Lines:
    """Return a line with the cards of a seat by the symbols of their suits, where their letters are not English."""
    if seat not in hand.left or usual_letters():
        return ()
    return (_("{player}: {cards}").format(player=draft.seats.names[seat], cards=echoed_cards(hand.left[seat])),)


def _similar_points(draft: SheetDraft, hand: SheetHand, seat: int) -> str:
    """Return in words the points that may have been meant instead of a seat's points; empty if there are none."""
    similar = draft.sequence.similar_points(draft.hands, hand, seat) if seat in hand.points else ()
    return _numbers(similar) if similar else ""


_POINTS = Prompt(
    text=_points_text,
    answered=lambda draft, seat: seat not in draft.missing,
    default=_previous_points,
    read=_read_points,
    clear=lambda draft, seat: without(draft.current, seat),
    help=_POINTS_HELP,
    takes_cards=True,
)


def _doubted_or_previous(draft: SheetDraft, seat: int) -> str:
    """Return the doubted points, or else the previous ones, without those of a previous closer (0 or a bonus)."""
    if draft.doubted is not None:
        return str(draft.doubted)
    default = _previous_points(draft, seat)
    points = read_points(default)
    return default if points is None or points > 0 else ""


def _read_usual_points(draft: SheetDraft, seat: int, typed: str) -> Answer:
    """Read points or cards, and question unusual points once."""
    answer = _read_points(draft, seat, typed)
    points = answer.hand.points.get(seat, 0)
    before = None if draft.previous is None else draft.previous.points.get(seat)
    most = sheets.most_expected(draft.event.rules, len(draft.seats.players), draft.hand_number)
    if points <= most or points in (draft.doubted, before):
        return answer
    draft.doubted = points
    readings = _similar_points(draft, answer.hand, seat)
    question = _("did you mean {readings}?").format(readings=readings) if readings else _("are they right?")
    text = _("{points} points are unusual in {hand}: {question} Enter keeps {points}")
    raise AskAgain(text.format(points=points, hand=draft.hand_name, question=question))


_CONTRACT_POINTS = replace(
    _POINTS,
    seats=lambda draft: [seat for seat in range(len(draft.seats.players)) if seat != draft.current.closer],
    default=_doubted_or_previous,
    read=_read_usual_points,
)


def _knock_points_text(draft: SheetDraft, seat: int) -> str:
    """Return the question; the player who knocked counts aces as 1 (001/1.2)."""
    if draft.current.ending != "knock" or seat != draft.current.closer:
        return _points_text(draft, seat)
    text = _("{hand}: {player} knocked with how many points?")
    return text.format(hand=draft.hand_name, player=draft.seats.names[seat])


def _previous_knock_points(draft: SheetDraft, seat: int) -> str:
    """Return the previous points, unless the seat was the closer's with that ending and is not now, or the reverse."""
    if draft.previous is None:
        return ""
    before, after = (seat == hand.closer and hand.ending for hand in (draft.previous, draft.current))
    return _previous_points(draft, seat) if before == after else ""


_KNOCK_POINTS = replace(
    _POINTS,
    seats=lambda draft: _knock(draft).asked(draft.hands, draft.current),
    text=_knock_points_text,
    default=_previous_knock_points,
)

# --- how a hand of the knock game ended ------------------------------------------------------------------------


def _previous_ending(draft: SheetDraft, seat: int) -> str:
    """Return the answer that was probably meant, or else the previous ending."""
    if draft.suggested or draft.previous is None:
        return draft.suggested
    return "-" if draft.previous.dead else draft.previous.ending.partition(" ")[0]


def _read_ending(draft: SheetDraft, seat: int, typed: str) -> Answer:
    """Read an ending, optionally followed by the player who ended the hand."""
    typed = _or_suggested(draft, typed)
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
    typed = _or_suggested(draft, typed)
    if not typed:
        raise AskAgain(*map(_, _KNOCK_CLOSER_HELP))
    return _ended_by(draft, draft.current, typed)


def _ended_by(draft: SheetDraft, hand: SheetHand, typed: str, ending: str = "") -> Answer:
    """Return the hand with the typed player as its closer; `ending` was typed before the player."""
    closer = _read_player(draft, typed, ending)
    return _possible(draft, replace(hand, closer=closer), _seat_read(draft.seats, typed, closer))


_KNOCK_CLOSER = Prompt(
    seats=lambda draft: () if draft.current.dead else (HAND,),
    text=_knock_closer_text,
    answered=lambda draft, seat: draft.current.closer is not None,
    default=_previous_closer,
    read=_read_knock_closer,
    clear=lambda draft, seat: replace(draft.current, closer=None),
    help=_KNOCK_CLOSER_HELP,
)


def _read_jokers(draft: SheetDraft, seat: int, typed: str) -> Answer:
    if not typed.isdecimal() or len(typed) > 2:
        raise AskAgain(_("“{text}” is not a number of jokers").format(text=typed[:40]))
    return _possible(draft, replace(draft.current, ending=knock_sheets.rummy(int(typed))))


_JOKERS = Prompt(
    seats=lambda draft: (HAND,) if draft.current.ending.startswith("rummy") else (),
    text=lambda draft, seat: _("{hand}: how many jokers among the ten cards?").format(hand=draft.hand_name),
    answered=lambda draft, seat: knock_sheets.rummy_jokers(draft.current.ending) is not None,
    default=lambda draft, seat: str((draft.previous and knock_sheets.rummy_jokers(draft.previous.ending)) or 0),
    read=_read_jokers,
    clear=lambda draft, seat: replace(draft.current, ending="rummy"),
    help=(marked("with three jokers or more everybody also pays a knock's bonus for each joker"),),
)

# --- buys ------------------------------------------------------------------------------------------------------


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


def _clear_buy(draft: SheetDraft, seat: int) -> SheetHand:
    hand = draft.current
    buys, declined = (tuple(other for other in seats if other != seat) for seats in (hand.buys, hand.declined))
    return replace(hand, buys=buys, declined=declined)


_BUY = Prompt(
    seats=_buyers,
    text=_buy_text,
    answered=lambda draft, seat: seat in draft.current.buys or seat in draft.current.declined,
    default=lambda draft, seat: _("y") if draft.previous is not None and seat in draft.previous.buys else _("n"),
    read=_read_buy,
    clear=_clear_buy,
    help=(marked("y if the player bought points off after this hand; an empty line is n"),),
)

PROMPTS: Final[Mapping[Family, tuple[Prompt, ...]]] = {
    "contract": (_CLOSER, _CLOSED_AT_ONCE, _CONTRACT_POINTS),
    "knock": (_ENDING, _KNOCK_CLOSER, _JOKERS, _KNOCK_POINTS, _BUY),
}
"""The prompts of each family, in the order in which they are asked."""

# --- what several prompts read ---------------------------------------------------------------------------------


def numbered_players(seats: Seats) -> str:
    """Return the players of the table, each with the seat to type."""
    return "   ".join(f"{seat} {name}" for seat, name in enumerate(seats.names, 1))


def _or_suggested(draft: SheetDraft, typed: str) -> str:
    """Return what was suggested if that is answered with yes, an empty text if with no; otherwise the typed text."""
    answer = read_yes_or_no(typed) if draft.suggested else None
    suggested = draft.suggested
    if answer is False:
        draft.suggested = ""
    return typed if answer is None else suggested if answer else ""


def _read_player(draft: SheetDraft, typed: str, before: str = "") -> int:
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
        raise AskAgain(text.format(text=typed[:40], player=seats.names[similar]))
    text = _("nobody called “{text}” sits here: {players}")
    if typed.isdecimal():
        text = _("this table has no seat {text}: {players}")
    raise AskAgain(text.format(text=typed[:40], players=numbered_players(seats)))


def _seat_read(seats: Seats, typed: str, seat: int) -> Lines:
    """Return a line that says whose seat was typed; none for a name."""
    if not typed.isdecimal():
        return ()
    return (_("seat {number}: {player}").format(number=seat + 1, player=seats.names[seat]),)


def _possible(draft: SheetDraft, hand: SheetHand, lines: Lines = ()) -> Answer:
    """Return the hand as an answer. Raises AskAgain if the hand is impossible."""
    if fault := draft.fault(hand):
        raise AskAgain(fault)
    return Answer(hand, lines)


def _numbers(values: Sequence[int]) -> str:
    return either(str(value) for value in values)


def _knock(draft: SheetDraft) -> KnockSequence:
    assert isinstance(draft.sequence, KnockSequence)
    return draft.sequence
