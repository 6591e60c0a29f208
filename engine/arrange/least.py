"""Every meld of the least size that rules know, made once: which of them a hand has is a matter of bits."""

from itertools import combinations_with_replacement, product
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import BIT, JOKER, RED_TWOS, Faces
from engine.melds import TRIO, Kind, Meld, is_meld, roles
from engine.rules import Rules


@final
@mypyc_attr(acyclic=True)
class LeastMeld:
    """A meld of the least size, the cards that it takes, and its number among those of its kind."""

    __slots__ = ("cards", "meld", "number")

    def __init__(self, meld: Meld) -> None:
        self.meld: Final[Meld] = meld
        self.cards: Final[Faces] = Faces(meld.cards)
        self.number = 0


@final
class LeastMelds:
    """The trios or the runs of the least size, ascending by their cards, and in groups for the search.

    A group is what can be made of the same naturals and wild cards: it needs `least` of them together, counted as
    cards (trios of a rank) or as faces (a run's places).
    """

    def __init__(self, rules: Rules, kind: Kind) -> None:
        self.kind = kind
        self.least = rules.trio.least if kind == TRIO else rules.run.least
        self.wild = [JOKER, *RED_TWOS] if rules.pack.wild_twos == "red" else [JOKER]
        self.masks: list[int] = []
        self.groups: list[list[LeastMeld]] = []
        known: dict[Meld, LeastMeld] = {}
        for first in range(13 if kind == TRIO else 52):
            faces = self._naturals(first)
            self.masks.append(sum([BIT[face] for face in faces]))
            self.groups.append(self._group(rules, faces, known))
        self.all = sorted(known.values(), key=_cards)
        for number, one in enumerate(self.all):
            one.number = number

    def _naturals(self, first: int) -> list[int]:
        """The four faces of a rank, or those of the run from that face on, perhaps round the corner."""
        if self.kind == TRIO:
            return [face for face in range(first, 52, 13) if face not in self.wild]
        return [first - first % 13 + (first + step) % 13 for step in range(self.least)]

    def _group(self, rules: Rules, faces: list[int], known: dict[Meld, LeastMeld]) -> list[LeastMeld]:
        """What can be made of these naturals and wild cards, but for what is known already."""
        group: list[LeastMeld] = []
        if self.kind == TRIO:
            choices = list(combinations_with_replacement([*faces, *self.wild], self.least))
        else:
            choices = list(product(*[[face, *self.wild] for face in faces]))
        for cards in choices:
            laid = roles(rules, self.kind, cards)
            meld = Meld(self.kind, tuple(sorted(laid)) if self.kind == TRIO else laid)
            if meld not in known and is_meld(rules, self.kind, meld.cards):
                known[meld] = LeastMeld(meld)
                group.append(known[meld])
        return group

    def of(self, hand: Faces) -> list[LeastMeld]:
        """Those that the hand has the cards for, ascending."""
        numbers: list[int] = []
        wild = sum([hand.count(face) for face in self.wild])
        for place in range(len(self.groups)):
            if self._may_do(hand, self.masks[place], wild):
                for one in self.groups[place]:
                    if hand.includes(one.cards):
                        numbers.append(one.number)
        numbers.sort()
        return [self.all[number] for number in numbers]

    def _may_do(self, hand: Faces, mask: i64, wild: int) -> bool:
        """Whether the hand has cards enough for the group, whatever they make."""
        short = self.least - wild
        if self.kind == TRIO:
            short -= _bits(hand.twice & mask) + _bits(hand.thrice & mask) + _bits(hand.four & mask)
        return _bits(hand.once & mask) >= short


def _cards(one: LeastMeld) -> tuple[int, ...]:
    return one.meld.cards


def _bits(plane: i64) -> int:
    """How many bits a plane of few has."""
    number, rest = 0, plane
    while rest:
        rest &= rest - 1
        number += 1
    return number


_MADE: Final[dict[tuple[str, Kind], LeastMelds]] = {}


def least_melds(rules: Rules, kind: Kind) -> LeastMelds:
    """Every trio or run of the least size under these rules, made when first asked for."""
    wanted = (rules.digest, kind)
    if wanted not in _MADE:
        _MADE[wanted] = LeastMelds(rules, kind)
    return _MADE[wanted]
