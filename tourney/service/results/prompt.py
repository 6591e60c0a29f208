"""A question of a score sheet, and how answers are read that several questions take."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.domain.results import SheetHand
from tourney.service.results.sheet_draft import SheetDraft
from tourney.service.results.sheets import Seats
from tourney.text.answers import read_yes_or_no
from tourney.text.i18n import _, either

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
