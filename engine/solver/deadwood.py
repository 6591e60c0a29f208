"""Deadwood in the knock game: the melds, of any number and kind, that leave the least points.

A memoized search: each natural is deadwood or in a meld, the lowest is decided first, and the best for the same cards
and jokers is cached. Jokers that no meld needs join any meld, so they are deadwood only in a hand without a meld.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.build import pickle_by_fields
from engine.cards import JOKER, Faces
from engine.melds import RUN, TRIO, Kind, Meld
from engine.rules import Rules

_POINT = 64
"""The weight of a point in the search; a card weighs 1, so that with equal points fewer cards are left."""

_HIGH_ACE = 13
"""The place of an ace after the king; the places of a run are its ranks, from the low ace at 0."""

_Shape = tuple[Kind, int, int]
"""The kind of a meld, the jokers that it needs, and the place where a run begins."""


@dataclass(frozen=True, slots=True)
class Deadwood:
    """The least points of a hand's deadwood, the melds that leave them, and the cards left, jokers last."""

    points: int
    melds: tuple[Meld, ...]
    left: tuple[int, ...]


pickle_by_fields(Deadwood)


def deadwood(rules: Rules, cards: Faces, ace: int) -> Deadwood:
    """Return the melds with the least points, then the fewest cards left; an ace in no meld counts `ace` points.

    For rules of the knock family and hands of up to thirteen cards. The same cards always give the same melds.
    """
    search = _Search(rules, cards, ace)
    search.weight(search.all, search.jokers)
    melds, left, spare = search.found()
    if melds:
        kind, needed, start, naturals = melds[-1]
        melds[-1] = (kind, needed + spare, start, naturals)
    else:
        left += [JOKER] * spare
    points = sum(dead_points(rules, face, ace) for face in left)
    return Deadwood(points, tuple(_meld(*shaped) for shaped in melds), tuple(left))


def least_deadwood(rules: Rules, cards: Faces, ace: int) -> int:
    """Return only the points of `deadwood`, which is faster."""
    search = _Search(rules, cards, ace)
    return search.points(search.all, search.jokers)


def deadwood_without(rules: Rules, cards: Faces, ace: int) -> dict[int, int]:
    """Return, by face held, the least deadwood in points after discarding it."""
    search = _Search(rules, cards, ace)
    points = {face: search.points(search.all ^ 1 << place, search.jokers) for place, face in enumerate(search.faces)}
    if search.jokers:
        points[JOKER] = search.points(search.all, search.jokers - 1)
    return points


def all_laid(rules: Rules, cards: Faces) -> bool:
    """Return whether every card can be in a meld."""
    search = _Search(rules, cards, 0)
    return search.faces != [] and search.weight(search.all, search.jokers) == 0


def dead_points(rules: Rules, face: int, ace: int) -> int:
    """Return the points of a card that is in no meld; an ace counts `ace` points (001/1.2)."""
    return ace if face != JOKER and face % 13 == 0 else rules.points(face)


class _Search:
    """The search over one hand. Sets of its naturals are bit masks, by their places in ascending order of face."""

    __slots__ = ("all", "faces", "jokers", "known", "rules", "same_face", "same_rank", "weights")

    def __init__(self, rules: Rules, cards: Faces, ace: int) -> None:
        self.rules = rules
        self.jokers = cards.jokers
        self.faces = [face for face in cards if face != JOKER]
        self.all = (1 << len(self.faces)) - 1
        self.weights = [_POINT * dead_points(rules, face, ace) + 1 for face in self.faces]
        self.same_rank = [0] * 13
        self.same_face: dict[int, int] = {}
        self.known: dict[tuple[int, int], tuple[int, int, _Shape | None]] = {}
        for place, face in enumerate(self.faces):
            self.same_rank[face % 13] |= 1 << place
            self.same_face[face] = self.same_face.get(face, 0) | 1 << place

    def points(self, rest: int, jokers: int) -> int:
        """Return the least points of these naturals and jokers; jokers are deadwood where there is no meld."""
        weight = self.weight(rest, jokers)
        if not jokers or weight < sum(own for place, own in enumerate(self.weights) if rest >> place & 1):
            return weight // _POINT
        return weight // _POINT + jokers * self.rules.values.joker

    def weight(self, rest: int, jokers: int) -> int:
        """Return the least weight of deadwood among these naturals, with `jokers` jokers for melds."""
        if rest == 0:
            return 0
        known = self.known.get((rest, jokers))
        if known is not None:
            return known[0]
        low = rest & -rest
        best = self.weights[low.bit_length() - 1] + self.weight(rest ^ low, jokers)
        used, chosen = low, None
        for mask, shape in self._melds(rest, low, jokers):
            weight = self.weight(rest ^ mask, jokers - shape[1])
            if weight < best:
                best, used, chosen = weight, mask, shape
        self.known[rest, jokers] = (best, used, chosen)
        return best

    def found(self) -> tuple[list[tuple[Kind, int, int, list[int]]], list[int], int]:
        """Return, after `weight`, the best melds with their naturals, the naturals left and the jokers left over."""
        rest, jokers = self.all, self.jokers
        melds: list[tuple[Kind, int, int, list[int]]] = []
        left: list[int] = []
        while rest:
            _, used, shape = self.known[rest, jokers]
            cards = [face for place, face in enumerate(self.faces) if used >> place & 1]
            if shape is None:
                left += cards
            else:
                melds.append((*shape, cards))
                jokers -= shape[1]
            rest ^= used
        return melds, left, jokers

    def _melds(self, rest: int, low: int, jokers: int) -> Iterator[tuple[int, _Shape]]:
        """Yield every meld of these cards that has the lowest of them: the mask of its naturals, and its shape."""
        face = self.faces[low.bit_length() - 1]
        rank = face % 13
        yield from self._trios(self.same_rank[rank] & rest ^ low, low, jokers)
        yield from self._runs(rest, low, face - rank, rank, 1, jokers)
        if rank == 0:
            yield from self._runs(rest, low, face, _HIGH_ACE, -1, jokers)

    def _trios(self, others: int, low: int, jokers: int) -> Iterator[tuple[int, _Shape]]:
        """Yield trios of the lowest card and any of `others`, the further cards of its rank."""
        shape = self.rules.trio
        chosen = others
        while True:
            naturals = chosen.bit_count() + 1
            needed = max(shape.least - naturals, 0)
            if needed <= jokers and naturals >= shape.naturals:
                yield chosen | low, (TRIO, needed, 0)
            if not chosen:
                return
            chosen = (chosen - 1) & others

    def _runs(self, rest: int, low: int, suit: int, place: int, step: int, jokers: int) -> Iterator[tuple[int, _Shape]]:
        """Yield runs of a suit (given by its ace), up from the place of the lowest card or down from a high ace."""
        least, naturals_wanted = self.rules.run.least, self.rules.run.naturals
        growing = [(low, 1, 0)]
        fresh = growing
        at = place
        while True:
            length = abs(at - place) + 1
            for mask, naturals, gaps in fresh:
                needed = gaps + max(least - length, 0)
                if needed <= jokers and naturals >= naturals_wanted:
                    yield mask, (RUN, needed, min(place, at, _HIGH_ACE + 1 - max(length, least)))
            at += step
            if not growing or not 0 < at < _HIGH_ACE:
                return
            copies = self.same_face.get(suit + at, 0) & rest
            fresh = (
                [(mask | copies & -copies, naturals + 1, gaps) for mask, naturals, gaps in growing] if copies else []
            )
            growing = fresh + [(mask, naturals, gaps + 1) for mask, naturals, gaps in growing if gaps < jokers]


def _meld(kind: Kind, jokers: int, start: int, naturals: list[int]) -> Meld:
    """Return a meld with its cards in order; jokers beyond a run's gaps are at its high end if there is room."""
    if kind == TRIO:
        return Meld(TRIO, (*naturals, *[JOKER] * jokers))
    length = len(naturals) + jokers
    first = min(start, _HIGH_ACE + 1 - length)
    face_at = {face % 13 if face % 13 or start == 0 else _HIGH_ACE: face for face in naturals}
    return Meld(RUN, tuple(face_at.get(place, JOKER) for place in range(first, first + length)))
