"""Trios and runs: which cards make them, what can be laid off on them, where their jokers may go.

The cards of a run are in order, so a joker's place says what it stands for: `5h 6h Jk 8h`. Where red twos are wild,
each is laid in a *role*, which `roles` finds: `2h` natural, `2h*` wild. In this module *jokers* are all wild cards, and
*naturals* all other cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, final

from mypy_extensions import i64, mypyc_attr

from engine.build import pickle_by_fields
from engine.cards import ALL_NATURALS, BIT, FACE_BIT, JOKER, RANK_MASK, RED_TWOS, WILD_TWOS, cards_text
from engine.rules import Rules
from engine.text import marked, message, plural

Kind = Literal["T", "E"]
TRIO: Final[Kind] = "T"
RUN: Final[Kind] = "E"
NAMES: Final = {"T": "trio", "E": "run"}

LOW: Final = 0
HIGH: Final = 1
"""The two ends of a run."""


_WILDS: Final = {"none": FACE_BIT[JOKER], "red": sum(FACE_BIT[face] for face in (JOKER, *RED_TWOS, *WILD_TWOS))}
"""The faces that can be laid as wild cards, by the setting `pack.wild_twos`."""


@final
@mypyc_attr(acyclic=True)
class Meld:
    """A trio or a run with its cards in the order in which they lie.

    Immutable, and written by hand so that it can cache which faces fit on it.
    """

    __slots__ = (
        "_asked_rules",
        "_high",
        "_low",
        "_naturals",
        "_stood_for",
        "_without_high",
        "_without_low",
        "cards",
        "kind",
    )

    def __init__(self, kind: Kind, cards: tuple[int, ...]) -> None:
        self.kind: Final[Kind] = kind
        self.cards: Final[tuple[int, ...]] = cards
        self._asked_rules: Rules | None = None
        self._low: i64 = 0
        self._high: i64 = 0
        self._stood_for: i64 = -1
        self._without_low: Meld | None = None
        self._without_high: Meld | None = None
        self._naturals: list[Meld | None] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Meld) and self.cards == other.cards and self.kind == other.kind

    def __hash__(self) -> int:
        return hash((self.kind, self.cards))

    def __reduce__(self) -> tuple[type["Meld"], tuple[Kind, tuple[int, ...]]]:
        return Meld, (self.kind, self.cards)

    def __repr__(self) -> str:
        return f"Meld(kind={self.kind!r}, cards={self.cards!r})"

    def __str__(self) -> str:
        return cards_text(self.cards)

    def fitting(self, rules: Rules, end: int) -> i64:
        """Return the faces that may be laid off at that end, as a bit mask; a trio has only a HIGH end.

        A red two has its bit also where it would be laid as a wild card.
        """
        if self._asked_rules is not rules:
            self._low, self._high = _fitting(rules, self, LOW), _fitting(rules, self, HIGH)
            self._asked_rules = rules
        return self._low if end == LOW else self._high

    def shorter(self, end: int) -> "Meld":
        """Return the meld without its card at that end; cached, so that its own cache is kept."""
        meld = self._without_low if end == LOW else self._without_high
        if meld is None:
            meld = Meld(self.kind, self.cards[1:] if end == LOW else self.cards[:-1])
            if end == LOW:
                self._without_low = meld
            else:
                self._without_high = meld
        return meld

    def stood_for(self) -> i64:
        """Return the natural faces for which jokers of this run stand, as a bit mask; 0 for a trio."""
        if self._stood_for < 0:
            self._stood_for = 0
            if self.kind == RUN:
                for place, face in enumerate(self.cards):
                    if face >= JOKER:
                        self._stood_for |= BIT[run_face(self.cards, place)]
        return self._stood_for

    def jokers_for(self, face: int) -> list[int]:
        """Return the places of this run, from 0, at which a joker stands for that natural face (1.9)."""
        if self.kind != RUN:
            return []
        cards = self.cards
        return [place for place, held in enumerate(cards) if held >= JOKER and run_face(cards, place) == face]

    def with_natural(self, place: int) -> "Meld":
        """Return the run with the natural for which the joker at that place stands; cached as in `shorter`."""
        if self._naturals is None:
            self._naturals = [None] * len(self.cards)
        run = self._naturals[place]
        if run is None:
            cards = list(self.cards)
            cards[place] = run_face(self.cards, place)
            run = self._naturals[place] = Meld(RUN, tuple(cards))
        return run


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an action or a meld is not allowed, and the clause that forbids it."""

    clause: str
    reason: str


pickle_by_fields(Refusal)


def is_meld(rules: Rules, kind: Kind, cards: Sequence[int]) -> bool:
    """Return whether these cards, in this order, are a trio (`T`) or a run (`E`)."""
    return _fault(rules, kind, roles(rules, kind, cards)) is None


def kinds(rules: Rules, cards: Sequence[int]) -> tuple[Kind, ...]:
    """Return the kinds of meld that these cards make: a trio, a run, neither, or (one natural among jokers) both."""
    return tuple([kind for kind in (TRIO, RUN) if is_meld(rules, kind, cards)])


def fault(rules: Rules, kind: Kind, cards: Sequence[int]) -> Refusal | None:
    """Return why these cards are not a trio, or not a run; None if they are.

    A red two without a role takes the role in which it would be laid.
    """
    laid = roles(rules, kind, cards)
    broken = _fault(rules, kind, laid)
    if broken is None:
        return None
    field, template, number = broken
    reason = message(template, cards=plural(number, "card"))
    return Refusal(rules.clause(field), message("{reason}: {cards}", reason=reason, cards=cards_text(laid)))


def _fault(rules: Rules, kind: Kind, cards: tuple[int, ...]) -> tuple[str, str, int] | None:
    """Return the rules field that these cards, in their roles, violate, why, and a number in it; None if fine."""
    if any(face > JOKER for face in cards) and rules.pack.wild_twos == "none":
        return "pack.wild_twos", marked("red twos are not wild"), 0
    return _trio_fault(rules, cards) if kind == TRIO else _run_fault(rules, cards)


def roles(rules: Rules, kind: Kind, cards: Sequence[int]) -> tuple[int, ...]:
    """Return the cards as they would be laid: each plain red two natural or, where the rules allow it, wild.

    A red two is natural in its own place of a run of its suit, and in a trio with a black two (engine/SILENT.md, 5.7).
    A card given as wild stays wild: a wild two that was moved.
    """
    if rules.pack.wild_twos == "none" or not any(face in RED_TWOS for face in cards):
        return tuple(cards)
    if kind == TRIO:
        has_black_two = any(face % 13 == 1 and face < JOKER and face not in RED_TWOS for face in cards)
        return tuple(cards) if has_black_two else tuple(_wild(face) for face in cards)
    others = [place for place, face in enumerate(cards) if face < JOKER and face not in RED_TWOS]
    twos = [place for place, face in enumerate(cards) if face in RED_TWOS]
    readings = [_run_roles(cards, place) for place in others[:1] or twos]
    return next((reading for reading in readings if _run_fault(rules, reading) is None), readings[0])


def _run_roles(cards: Sequence[int], natural_place: int) -> tuple[int, ...]:
    """Return the cards of a run in the roles that follow if the card at `natural_place` is natural."""
    first = cards[natural_place]
    suit, start = first // 13, first % 13 - natural_place
    return tuple(face if face == 13 * suit + (start + place) % 13 else _wild(face) for place, face in enumerate(cards))


def _wild(face: int) -> int:
    """Return the wild face of a red two; any other face unchanged."""
    return WILD_TWOS[RED_TWOS.index(face)] if face in RED_TWOS else face


def _trio_fault(rules: Rules, cards: tuple[int, ...]) -> tuple[str, str, int] | None:
    shape = rules.trio
    if len(cards) < shape.least:
        return "trio.least", marked("a trio has at least {cards}"), shape.least
    if shape.most is not None and len(cards) > shape.most:
        return "trio.most", marked("a trio has at most {cards}"), shape.most
    naturals = [face for face in cards if face < JOKER]
    if len(naturals) < shape.naturals:
        return "trio.naturals", marked("a trio needs {cards} other than jokers"), shape.naturals
    if any(face % 13 != naturals[0] % 13 for face in naturals):
        return "trio.least", marked("the cards of a trio are of one rank"), 0
    return None


def _run_fault(rules: Rules, cards: tuple[int, ...]) -> tuple[str, str, int] | None:
    shape = rules.run
    if len(cards) < shape.least:
        return "run.least", marked("a run has at least {cards}"), shape.least
    if shape.most is not None and len(cards) > shape.most:
        return "run.most", marked("a run has at most {cards}"), shape.most
    naturals = [face for face in cards if face < JOKER]
    needed = max(shape.naturals, 1)
    if len(naturals) < needed:
        return "run.naturals", marked("a run needs {cards} other than jokers"), needed
    if any(face // 13 != naturals[0] // 13 for face in naturals):
        return "run.least", marked("the cards of a run are of one suit"), 0
    if (
        len(naturals) < len(cards) - 1
        and shape.jokers_adjacent == "forbidden"
        and any(face >= JOKER and after >= JOKER for face, after in pairwise(cards))
    ):
        return "run.jokers_adjacent", marked("two jokers of a run may not stand side by side"), 0
    start = run_start(cards)
    if any(face < JOKER and face % 13 != (start + place) % 13 for place, face in enumerate(cards)):
        return "run.least", marked("the cards of a run follow one another in order"), 0
    if _rounds_the_corner(start, len(cards)) and shape.ace == "ends":
        return "run.ace", marked("a run does not go round the corner"), 0
    return None


def run_start(cards: Sequence[int]) -> int:
    """Return the rank (0..12) of the first place of a run, whether a natural or a joker is there."""
    for place, face in enumerate(cards):
        if face < JOKER:
            return (face % 13 - place) % 13
    return 0


def _rounds_the_corner(start: int, length: int) -> bool:
    """Return whether a run would have an ace elsewhere than at its low end or after the king at its high end."""
    return start + length > 14


def run_suit(cards: Sequence[int]) -> int:
    """Return the suit (0..3) of a run."""
    for face in cards:
        if face < JOKER:
            return face // 13
    return 0


def run_face(cards: Sequence[int], place: int) -> int:
    """Return the natural face of a place of a run; the places -1 and len(cards) are those that would lengthen it."""
    return run_suit(cards) * 13 + (run_start(cards) + place) % 13


def trio_rank(cards: Sequence[int]) -> int:
    """Return the rank (0..12) of a trio; -1 if it is all jokers."""
    for face in cards:
        if face < JOKER:
            return face % 13
    return -1


def fits(rules: Rules, meld: Meld, face: int) -> tuple[Meld, ...]:
    """Return every meld that laying off the card on this one may give; empty if it does not fit."""
    ends = (HIGH,) if meld.kind == TRIO else (LOW, HIGH)
    longer = [laid_off(rules, meld, face, end) for end in ends]
    return tuple(meld for meld in longer if meld is not None)


def laid_off(rules: Rules, meld: Meld, face: int, end: int) -> Meld | None:
    """Return the meld with the card laid off at that end, a red two in its role; None if it does not fit there.

    A trio has only a HIGH end. A face that is wild, such as a moved joker or `2h*`, stays wild.
    """
    if not fits_at(rules, meld, face, end):
        return None
    if rules.pack.wild_twos == "none":
        return with_card(meld, face, end)
    # A red two is natural where a black one has fixed the trio, or in its own place of a run (engine/SILENT.md, 5.7).
    natural = trio_rank(meld.cards) == 1 if meld.kind == TRIO else face == _next_face(meld.cards, end)
    return with_card(meld, face if natural else _wild(face), end)


def fits_at(rules: Rules, meld: Meld, face: int, end: int) -> bool:
    """Return whether the card may be laid off at that end; a trio has only a HIGH end."""
    return meld.fitting(rules, end) & FACE_BIT[face] != 0


def _fitting(rules: Rules, meld: Meld, end: int) -> int:
    """Return the faces that fit at that end, as a bit mask."""
    cards, shape = meld.cards, rules.trio if meld.kind == TRIO else rules.run
    if shape.most is not None and len(cards) >= shape.most:
        return 0
    wilds = _WILDS[rules.pack.wild_twos]
    if meld.kind == TRIO:
        rank = trio_rank(cards)
        return 0 if end == LOW else wilds | (ALL_NATURALS if rank < 0 else RANK_MASK[rank])
    if rules.run.ace == "ends":
        start = run_start(cards) - (1 if end == LOW else 0)
        if start < 0 or _rounds_the_corner(start, len(cards) + 1):
            return 0
    beside_joker = cards[0 if end == LOW else -1] >= JOKER
    natural = FACE_BIT[_next_face(cards, end)]
    return natural if beside_joker and rules.run.jokers_adjacent == "forbidden" else natural | wilds


def _next_face(cards: tuple[int, ...], end: int) -> int:
    """Return the natural face that would lengthen the run at that end."""
    return run_face(cards, -1 if end == LOW else len(cards))


def with_card(meld: Meld, face: int, end: int) -> Meld:
    """Return the meld with this face added at that end of a run, or to a trio, without any check."""
    if meld.kind == TRIO or end == HIGH:
        return Meld(meld.kind, (*meld.cards, face))
    return Meld(RUN, (face, *meld.cards))


def exchanged(meld: Meld, face: int) -> tuple[Meld, ...]:
    """Return the runs in which this natural takes the place of a joker that stands for it, one for each such joker."""
    return tuple([meld.with_natural(place) for place in meld.jokers_for(face)])


def swaps(rules: Rules, meld: Meld, face: int) -> tuple[Meld, ...]:
    """Return the runs that result if the card takes a joker's place and that joker stays in the run.

    If the freed joker goes to another meld, `left_by_joker` gives the run without it.
    """
    results: dict[Meld, None] = {}
    for run, place in _freed_jokers(rules, meld, face):
        if rules.contracts.jokers.freed_stays_with_owner:
            results.update(dict.fromkeys(fits(rules, run, meld.cards[place])))
    return tuple(results)


def left_by_joker(rules: Rules, meld: Meld, face: int) -> tuple[Meld, ...]:
    """Return the runs that result if the card takes a joker's place and that joker goes to another meld."""
    results: dict[Meld, None] = {}
    for run, place in _freed_jokers(rules, meld, face):
        stays_from_middle = rules.contracts.jokers.freed == "that run, from an end runs of that owner"
        if not stays_from_middle or place in (0, len(meld.cards) - 1):
            results[run] = None
    return tuple(results)


def _freed_jokers(rules: Rules, meld: Meld, face: int) -> list[tuple[Meld, int]]:
    """Return each run with the card in a joker's place, and that place; empty where jokers are not exchanged."""
    if rules.kind != "contract" or rules.contracts.jokers.swap == "none":
        return []
    return [
        (run, next(place for place, held in enumerate(run.cards) if held != meld.cards[place]))
        for run in exchanged(meld, face)
    ]


def without_end(meld: Meld, end: int) -> Meld | None:
    """Return the run without the joker at that end; None if there is no joker there."""
    if meld.kind != RUN or meld.cards[0 if end == LOW else -1] < JOKER:
        return None
    return meld.shorter(end)
