"""Trios and runs: what is one, what fits on it, what a joker in it may do.

The cards of a run stand in order, so a joker's place says what it stands for: `5h 6h Jk 8h`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from engine.cards import JOKER, cards_text
from engine.rules import Rules

Kind = Literal["T", "E"]
TRIO: Final[Kind] = "T"
RUN: Final[Kind] = "E"
NAMES: Final = {"T": "trio", "E": "run"}

LOW: Final = 0
HIGH: Final = 1
"""The two ends of a run."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A trio or a run with its cards in the order in which they lie."""

    kind: Kind
    cards: tuple[int, ...]

    def __str__(self) -> str:
        return cards_text(self.cards)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not allowed, and the clause that says so."""

    clause: str
    reason: str


def is_meld(rules: Rules, kind: Kind, cards: Sequence[int]) -> bool:
    """Whether these cards, in this order, are a trio (`T`) or a run (`E`)."""
    return fault(rules, kind, cards) is None


def kinds(rules: Rules, cards: Sequence[int]) -> tuple[Kind, ...]:
    """What these cards are: a trio, a run, nothing, or (one natural among jokers) possibly both."""
    return tuple(kind for kind in (TRIO, RUN) if fault(rules, kind, cards) is None)


def fault(rules: Rules, kind: Kind, cards: Sequence[int]) -> Refusal | None:
    """Why these cards are no trio, or no run; None if they are one."""
    return _trio_fault(rules, cards) if kind == TRIO else _run_fault(rules, cards)


def _trio_fault(rules: Rules, cards: Sequence[int]) -> Refusal | None:
    shape = rules.trio
    if len(cards) < shape.least:
        return Refusal(rules.clause("trio.least"), f"a trio has at least {shape.least} cards: {cards_text(cards)}")
    if shape.most is not None and len(cards) > shape.most:
        return Refusal(rules.clause("trio.most"), f"a trio has at most {shape.most} cards: {cards_text(cards)}")
    naturals = [face for face in cards if face != JOKER]
    if len(naturals) < shape.naturals:
        return Refusal(
            rules.clause("trio.naturals"),
            f"a trio needs {shape.naturals} cards besides jokers: {cards_text(cards)}",
        )
    if len({face % 13 for face in naturals}) > 1:
        return Refusal(rules.clause("trio.least"), f"the cards of a trio are of one rank: {cards_text(cards)}")
    return None


def _run_fault(rules: Rules, cards: Sequence[int]) -> Refusal | None:
    shape = rules.run
    text = cards_text(cards)
    if len(cards) < shape.least:
        return Refusal(rules.clause("run.least"), f"a run has at least {shape.least} cards: {text}")
    if shape.most is not None and len(cards) > shape.most:
        return Refusal(rules.clause("run.most"), f"a run has at most {shape.most} cards: {text}")
    naturals = [face for face in cards if face != JOKER]
    if len(naturals) < max(shape.naturals, 1):
        return Refusal(
            rules.clause("run.naturals"), f"a run needs {max(shape.naturals, 1)} cards besides jokers: {text}"
        )
    if len({face // 13 for face in naturals}) > 1:
        return Refusal(rules.clause("run.least"), f"the cards of a run are of one suit: {text}")
    if shape.jokers_adjacent == "forbidden" and any(one == JOKER and other == JOKER for one, other in pairwise(cards)):
        return Refusal(rules.clause("run.jokers_adjacent"), f"two jokers of a run may not stand side by side: {text}")
    start = run_start(cards)
    if any(face != JOKER and face % 13 != (start + place) % 13 for place, face in enumerate(cards)):
        return Refusal(rules.clause("run.least"), f"the cards of a run follow one another in order: {text}")
    if shape.ace == "ends" and _passes_the_corner(start, len(cards)):
        return Refusal(rules.clause("run.ace"), f"a run does not go round the corner: {text}")
    return None


def run_start(cards: Sequence[int]) -> int:
    """The rank (0..12) that the first card of a run is or stands for."""
    for place, face in enumerate(cards):
        if face != JOKER:
            return (face % 13 - place) % 13
    return 0


def _passes_the_corner(start: int, length: int) -> bool:
    """Whether a run would have an ace anywhere but at one of its ends (a king's ace may end it)."""
    return start + length > 14


def run_suit(cards: Sequence[int]) -> int:
    """The suit (0..3) of a run."""
    for face in cards:
        if face != JOKER:
            return face // 13
    return 0


def run_face(cards: Sequence[int], place: int) -> int:
    """The natural face that stands, or is stood for, at a place; -1 and len(cards) are the next cards."""
    return run_suit(cards) * 13 + (run_start(cards) + place) % 13


def trio_rank(cards: Sequence[int]) -> int:
    """The rank (0..12) of a trio; -1 while it is all jokers."""
    for face in cards:
        if face != JOKER:
            return face % 13
    return -1


def fits(rules: Rules, meld: Meld, face: int) -> tuple[Meld, ...]:
    """Every meld that this one may become by laying the card off on it; none if it does not fit."""
    cards = meld.cards
    if meld.kind == TRIO:
        rank = trio_rank(cards)
        most = rules.trio.most
        if (face == JOKER or rank < 0 or face % 13 == rank) and (most is None or len(cards) < most):
            return (Meld(TRIO, (*cards, face)),)
        return ()
    longer: list[Meld] = []
    for end in (LOW, HIGH):
        if _fits_at(rules, cards, face, end):
            longer.append(Meld(RUN, (face, *cards) if end == LOW else (*cards, face)))
    return tuple(longer)


def _fits_at(rules: Rules, cards: tuple[int, ...], face: int, end: int) -> bool:
    """Whether the card goes to that end of the run."""
    shape = rules.run
    if shape.most is not None and len(cards) >= shape.most:
        return False
    if face == JOKER:
        neighbour = cards[0] if end == LOW else cards[-1]
        if neighbour == JOKER and shape.jokers_adjacent == "forbidden":
            return False
    elif face != run_face(cards, -1 if end == LOW else len(cards)):
        return False
    if shape.ace == "round":
        return True
    start = run_start(cards) - (1 if end == LOW else 0)
    return start >= 0 and not _passes_the_corner(start, len(cards) + 1)


def with_card(meld: Meld, face: int, end: int) -> Meld:
    """The meld with a card added: at that end of a run, or to a trio."""
    if meld.kind == TRIO or end == HIGH:
        return Meld(meld.kind, (*meld.cards, face))
    return Meld(RUN, (face, *meld.cards))


def fits_at(rules: Rules, meld: Meld, face: int, end: int) -> bool:
    """Whether the card may be laid off there; the end of a trio counts as HIGH only."""
    if meld.kind == TRIO:
        return end == HIGH and bool(fits(rules, meld, face))
    return _fits_at(rules, meld.cards, face, end)


def exchanged(meld: Meld, face: int) -> tuple[Meld, ...]:
    """The run with this natural card in the place of a joker that stands for it, once for each such joker."""
    if meld.kind != RUN or face == JOKER:
        return ()
    cards = meld.cards
    return tuple(
        Meld(RUN, (*cards[:place], face, *cards[place + 1 :]))
        for place, held in enumerate(cards)
        if held == JOKER and run_face(cards, place) == face
    )


def swaps(rules: Rules, meld: Meld, face: int) -> tuple[Meld, ...]:
    """What the run may become when the card takes a joker's place and that joker stays in the same run."""
    if rules.kind != "contract" or rules.contracts.jokers.swap == "none":
        return ()
    found: dict[Meld, None] = {}
    for run in exchanged(meld, face):
        found.update(dict.fromkeys(fits(rules, run, JOKER)))
    return tuple(found)


def without_end(meld: Meld, end: int) -> Meld | None:
    """The run without the joker at that end; None if no joker stands there."""
    if meld.kind != RUN or meld.cards[0 if end == LOW else -1] != JOKER:
        return None
    return Meld(RUN, meld.cards[1:] if end == LOW else meld.cards[:-1])


def moves(rules: Rules, meld: Meld) -> tuple[Meld, ...]:
    """What the run may become when a joker goes from one of its ends to the other."""
    if rules.kind != "contract" or rules.contracts.jokers.move == "none":
        return ()
    found: list[Meld] = []
    for end in (LOW, HIGH):
        rest = without_end(meld, end)
        other = HIGH if end == LOW else LOW
        if rest is not None and _fits_at(rules, rest.cards, JOKER, other):
            found.append(with_card(rest, JOKER, other))
    return tuple(found)
