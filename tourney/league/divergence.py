"""Divergence: the first decision in which two plays of the same cards differ."""

from dataclasses import dataclass
from itertools import zip_longest

from engine.actions import BUY, CLAIM, DECLINE, PASS
from engine.records.record import HandRecord, Record, read

_OPPOSITE = {str(CLAIM): str(PASS), str(BUY): str(DECLINE)}
"""For each action, the answer of a player who lets that opportunity pass; records leave these answers out."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first decision in a hand that two plays of the same cards took differently.

    `hand` and `step` (the line of its actions) count from 1, the `seat` that decided from 0. `actions` and `points` (by
    seat, of that hand) are those of the first play and of the second.
    """

    hand: int
    contract: str
    step: int
    seat: int
    actions: tuple[str, str]
    points: tuple[tuple[int, ...], tuple[int, ...]]


def divergences(first: Record, second: Record) -> tuple[Divergence, ...]:
    """Return the first differing decision of every hand that differs, for two games of the same deal.

    After that decision the plays differ, so only their points can be compared. In the knock game a hand affects the
    next ones, so only the first such hand is given. Raises ValueError for games of different deals.
    """
    if (first.digest, first.seed, len(first.players)) != (second.digest, second.seed, len(second.players)):
        raise ValueError("these games were not played with the same cards")
    differing = []
    for number, (hand, other) in enumerate(zip(first.hands, second.hands, strict=False), 1):
        if hand.actions != other.actions:
            differing.append(_divergence(number, hand, other))
            if not hand.contract:
                break
    return tuple(differing)


def divergences_in_texts(first: str, second: str) -> tuple[Divergence, ...]:
    """Return the divergences of two records given as text."""
    return divergences(read(first), read(second))


def _divergence(number: int, first: HandRecord, second: HandRecord) -> Divergence:
    lines = enumerate(zip_longest(first.actions, second.actions, fillvalue=""))
    step, (line, other) = next((step, pair) for step, pair in lines if pair[0] != pair[1])
    seat = _decider(first, step, (line, other))
    actions = _action_of(seat, line, other), _action_of(seat, other, line)
    return Divergence(number, first.contract, step + 1, seat, actions, (first.points, second.points))


def _decider(hand: HandRecord, step: int, lines: tuple[str, str]) -> int:
    """Return the seat that decided: of the seats that took an opportunity the first one asked, else the one that acted.

    Claims are offered from the left of whoever has just drawn, buys from the left of the dealer.
    """
    actions = [(int(seat) - 1, action) for seat, _, action in (line.partition(" ") for line in lines if line)]
    asked = [(seat, action) for seat, action in actions if action in _OPPOSITE] or actions
    origin = int(hand.actions[step - 1].partition(" ")[0]) - 1 if asked[0][1] == str(CLAIM) else hand.dealer
    return min((seat for seat, _action in asked), key=lambda seat: (seat - origin - 1) % len(hand.points))


def _action_of(seat: int, line: str, other_line: str) -> str:
    """Return the seat's action in a play whose record has `line`, where the other play's has `other_line`."""
    actor, _, action = line.partition(" ")
    return action if actor == str(seat + 1) else _OPPOSITE[other_line.partition(" ")[2]]
