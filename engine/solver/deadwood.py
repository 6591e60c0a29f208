"""The knock game's arrangement: lays that leave the least points, of any number and kind.

Each natural card is dead or in a lay, and the lowest is asked first; what was found for the same cards and
jokers is kept. Jokers that no lay needs join any lay, so they are dead only where there is none.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.build import pickle_by_fields
from engine.cards import JOKER, Faces
from engine.melds import RUN, TRIO, Kind, Meld
from engine.rules import Rules

_POINT = 64
"""A point in the search: its weights count points first and cards after them, so that of equal points fewer
cards are left."""
_HIGH_ACE = 13
"""The place of an ace after the king; the places of a run are its ranks, from the low ace at 0."""

_Lay = tuple[Kind, int, int]
"""A lay's kind, the jokers that it needs, and the place where a run begins."""


@dataclass(frozen=True, slots=True)
class Deadwood:
    """The least points that a hand can be left with, the lays that leave them, and the cards left, jokers last."""

    points: int
    lays: tuple[Meld, ...]
    left: tuple[int, ...]


pickle_by_fields(Deadwood)


def deadwood(rules: Rules, cards: Faces, ace: int) -> Deadwood:
    """The lays with the least points left, an ace counting `ace`; of equal ones those with the fewest cards left.

    For rules of the knock family and hands of up to thirteen cards. The same cards always give the same lays.
    """
    search = _Search(rules, cards, ace)
    search.weight(search.all, search.jokers)
    lays, left, spare = search.found()
    if lays:
        kind, needed, start, naturals = lays[-1]
        lays[-1] = (kind, needed + spare, start, naturals)
    else:
        left += [JOKER] * spare
    points = sum(dead_points(rules, face, ace) for face in left)
    return Deadwood(points, tuple(_meld(*lay) for lay in lays), tuple(left))


def least_deadwood(rules: Rules, cards: Faces, ace: int) -> int:
    """The points of `deadwood` alone, which a player asks for every turn."""
    search = _Search(rules, cards, ace)
    return search.points(search.all, search.jokers)


def deadwood_without(rules: Rules, cards: Faces, ace: int) -> dict[int, int]:
    """For each face held, the least deadwood of the other cards: what is left by throwing it."""
    search = _Search(rules, cards, ace)
    found = {face: search.points(search.all ^ 1 << place, search.jokers) for place, face in enumerate(search.faces)}
    if search.jokers:
        found[JOKER] = search.points(search.all, search.jokers - 1)
    return found


def all_laid(rules: Rules, cards: Faces) -> bool:
    """Whether every card lies in a lay."""
    search = _Search(rules, cards, 0)
    return search.faces != [] and search.weight(search.all, search.jokers) == 0


def dead_points(rules: Rules, face: int, ace: int) -> int:
    """What a card counts that is in no lay, an ace counting `ace` (001/1.2)."""
    return ace if face != JOKER and face % 13 == 0 else rules.points(face)


class _Search:
    """The search over one hand. Its natural cards are the bits of a mask, in ascending order of face."""

    __slots__ = ("all", "faces", "jokers", "known", "rules", "same_face", "same_rank", "weights")

    def __init__(self, rules: Rules, cards: Faces, ace: int) -> None:
        self.rules = rules
        self.jokers = cards.jokers
        self.faces = [face for face in cards if face != JOKER]
        self.all = (1 << len(self.faces)) - 1
        self.weights = [_POINT * dead_points(rules, face, ace) + 1 for face in self.faces]
        self.same_rank = [0] * 13
        self.same_face: dict[int, int] = {}
        self.known: dict[tuple[int, int], tuple[int, int, _Lay | None]] = {}
        for place, face in enumerate(self.faces):
            self.same_rank[face % 13] |= 1 << place
            self.same_face[face] = self.same_face.get(face, 0) | 1 << place

    def points(self, rest: int, jokers: int) -> int:
        """The least points of these cards and jokers; jokers are dead where nothing is laid."""
        weight = self.weight(rest, jokers)
        if not jokers or weight < sum(one for place, one in enumerate(self.weights) if rest >> place & 1):
            return weight // _POINT
        return weight // _POINT + jokers * self.rules.values.joker

    def weight(self, rest: int, jokers: int) -> int:
        """The least weight of the dead among these cards, with so many jokers for their lays."""
        if rest == 0:
            return 0
        known = self.known.get((rest, jokers))
        if known is not None:
            return known[0]
        low = rest & -rest
        best = self.weights[low.bit_length() - 1] + self.weight(rest ^ low, jokers)
        used, chosen = low, None
        for mask, lay in self._lays(rest, low, jokers):
            found = self.weight(rest ^ mask, jokers - lay[1])
            if found < best:
                best, used, chosen = found, mask, lay
        self.known[rest, jokers] = (best, used, chosen)
        return best

    def found(self) -> tuple[list[tuple[Kind, int, int, list[int]]], list[int], int]:
        """After `weight`: the best lays with their natural cards, those left, and the jokers that no lay needs."""
        rest, jokers = self.all, self.jokers
        lays: list[tuple[Kind, int, int, list[int]]] = []
        left: list[int] = []
        while rest:
            _, used, lay = self.known[rest, jokers]
            cards = [face for place, face in enumerate(self.faces) if used >> place & 1]
            if lay is None:
                left += cards
            else:
                lays.append((*lay, cards))
                jokers -= lay[1]
            rest ^= used
        return lays, left, jokers

    def _lays(self, rest: int, low: int, jokers: int) -> Iterator[tuple[int, _Lay]]:
        """Every lay of these cards that holds the lowest of them: its natural cards and what it is."""
        face = self.faces[low.bit_length() - 1]
        rank = face % 13
        yield from self._trios(self.same_rank[rank] & rest ^ low, low, jokers)
        yield from self._runs(rest, low, face - rank, rank, 1, jokers)
        if rank == 0:
            yield from self._runs(rest, low, face, _HIGH_ACE, -1, jokers)

    def _trios(self, others: int, low: int, jokers: int) -> Iterator[tuple[int, _Lay]]:
        """Trios of the lowest card and some of the others of its rank."""
        shape = self.rules.trio
        some = others
        while True:
            naturals = some.bit_count() + 1
            needed = max(shape.least - naturals, 0)
            if needed <= jokers and naturals >= shape.naturals:
                yield some | low, (TRIO, needed, 0)
            if not some:
                return
            some = (some - 1) & others

    def _runs(self, rest: int, low: int, suit: int, place: int, step: int, jokers: int) -> Iterator[tuple[int, _Lay]]:
        """Runs of a suit (its ace) that go up from the lowest card's place, or down from an ace after the king."""
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
            there = self.same_face.get(suit + at, 0) & rest
            fresh = [(mask | there & -there, naturals + 1, gaps) for mask, naturals, gaps in growing] if there else []
            growing = fresh + [(mask, naturals, gaps + 1) for mask, naturals, gaps in growing if gaps < jokers]


def _meld(kind: Kind, jokers: int, start: int, naturals: list[int]) -> Meld:
    """The lay with its cards in order; jokers beyond a run's gaps stand at its high end while there is room."""
    if kind == TRIO:
        return Meld(TRIO, (*naturals, *[JOKER] * jokers))
    length = len(naturals) + jokers
    first = min(start, _HIGH_ACE + 1 - length)
    at = {face % 13 if face % 13 or start == 0 else _HIGH_ACE: face for face in naturals}
    return Meld(RUN, tuple(at.get(place, JOKER) for place in range(first, first + length)))
