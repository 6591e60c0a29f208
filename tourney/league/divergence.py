"""Why bots fared otherwise with the same cards: the first decisions on which two plays of a deal part."""

from itertools import zip_longest

from engine.actions import BUY, CLAIM, DECLINE, PASS
from engine.records.record import HandRecord, Record, read
from tourney.domain.leagues import Parting

_WAIVED = {str(CLAIM): str(PASS), str(BUY): str(DECLINE)}
"""What is not written of who lets a chance go by, which others then have."""


def partings(one: Record, other: Record) -> tuple[Parting, ...]:
    """The first differing decision of every hand of two games of the same deal, for hands that differ at all.

    After it the hand is another one, so the points that it moved are all that can be said. In the knock game, where
    what a hand leaves behind goes into the next, only the first such hand is told. Raises ValueError for games of
    different deals.
    """
    if (one.digest, one.seed, len(one.players)) != (other.digest, other.seed, len(other.players)):
        raise ValueError("these games were not played with the same cards")
    found = []
    for number, (hand, otherwise) in enumerate(zip(one.hands, other.hands, strict=False), 1):
        if hand.acts != otherwise.acts:
            found.append(_parting(number, hand, otherwise))
            if not hand.contract:
                break
    return tuple(found)


def partings_of_texts(one: str, other: str) -> tuple[Parting, ...]:
    """The same for records as text."""
    return partings(read(one), read(other))


def _parting(number: int, one: HandRecord, other: HandRecord) -> Parting:
    both = enumerate(zip_longest(one.acts, other.acts, fillvalue=""))
    at, (line, otherwise) = next((at, lines) for at, lines in both if lines[0] != lines[1])
    seat = _decider(one, at, (line, otherwise))
    acts = _done(seat, line, otherwise), _done(seat, otherwise, line)
    return Parting(number, one.contract, at + 1, seat, acts, (one.points, other.points))


def _decider(hand: HandRecord, at: int, lines: tuple[str, str]) -> int:
    """Whose decision it was: of those who took a chance, or the only one to act, the one who was asked first.

    Claims are asked for behind who has just drawn, buys behind the dealer.
    """
    acts = [(int(seat) - 1, act) for seat, _, act in (line.partition(" ") for line in lines if line)]
    asked = [(seat, act) for seat, act in acts if act in _WAIVED] or acts
    before = int(hand.acts[at - 1].partition(" ")[0]) - 1 if asked[0][1] == str(CLAIM) else hand.dealer
    return min((seat for seat, _act in asked), key=lambda seat: (seat - before - 1) % len(hand.points))


def _done(seat: int, line: str, otherwise: str) -> str:
    """What that seat did where this line stands in its play, and that one in the other."""
    who, _, act = line.partition(" ")
    return act if who == str(seat + 1) else _WAIVED[otherwise.partition(" ")[2]]
