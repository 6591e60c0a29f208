"""List the melds of the least size under a rule set (minimal melds), and iterate over lay-downs made of them.

The minimal melds of a rule set are listed once; which of them a hand has is decided by bit operations.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import BIT, JOKER, RED_TWOS, Faces, bits
from engine.melds import RUN, TRIO, Kind, Meld, is_meld, roles, run_suit, trio_rank
from engine.rules import Rules
from engine.solver.trios import melds_are_distinct


@final
@mypyc_attr(acyclic=True)
class MinimalMeld:
    """A minimal meld, its cards, and its number among those of its kind."""

    __slots__ = ("cards", "meld", "number")

    def __init__(self, meld: Meld) -> None:
        self.meld: Final[Meld] = meld
        self.cards: Final[Faces] = Faces(meld.cards)
        self.number = 0


@final
class MinimalMelds:
    """The minimal trios or runs of a rule set: `all`, ascending by their cards, and `groups` for the search.

    A group has the melds made of the same naturals (in `masks`) and wild cards. Each needs `size` cards in all;
    naturals are counted as cards (trios of a rank) or as faces (places of a run).
    """

    def __init__(self, rules: Rules, kind: Kind) -> None:
        self.kind = kind
        self.size = rules.trio.least if kind == TRIO else rules.run.least
        self.wild = [JOKER, *RED_TWOS] if rules.pack.wild_twos == "red" else [JOKER]
        self.masks: list[int] = []
        self.groups: list[list[MinimalMeld]] = []
        known: dict[Meld, MinimalMeld] = {}
        for first in range(13 if kind == TRIO else 52):
            faces = self._naturals(first)
            self.masks.append(sum([BIT[face] for face in faces]))
            self.groups.append(self._group(rules, faces, known))
        self.all = sorted(known.values(), key=_cards)
        for number, meld in enumerate(self.all):
            meld.number = number

    def _naturals(self, first: int) -> list[int]:
        """Return the faces of a rank that are not wild, or those of the run that begins at a face.

        A run may go round the corner.
        """
        if self.kind == TRIO:
            return [face for face in range(first, 52, 13) if face not in self.wild]
        return [first - first % 13 + (first + step) % 13 for step in range(self.size)]

    def _group(self, rules: Rules, faces: list[int], known: dict[Meld, MinimalMeld]) -> list[MinimalMeld]:
        """Return the melds of these naturals and wild cards that are not yet in `known`, and add them to it."""
        group: list[MinimalMeld] = []
        if self.kind == TRIO:
            choices = list(combinations_with_replacement([*faces, *self.wild], self.size))
        else:
            choices = list(product(*[[face, *self.wild] for face in faces]))
        for cards in choices:
            laid = roles(rules, self.kind, cards)
            meld = Meld(self.kind, tuple(sorted(laid)) if self.kind == TRIO else laid)
            if meld not in known and is_meld(rules, self.kind, meld.cards):
                known[meld] = MinimalMeld(meld)
                group.append(known[meld])
        return group

    def of(self, hand: Faces) -> list[MinimalMeld]:
        """Return the melds that the hand can make, ascending."""
        numbers: list[int] = []
        wild = sum([hand.count(face) for face in self.wild])
        for place in range(len(self.groups)):
            if self._has_enough(hand, self.masks[place], wild):
                for meld in self.groups[place]:
                    if hand.includes(meld.cards):
                        numbers.append(meld.number)
        numbers.sort()
        return [self.all[number] for number in numbers]

    def _has_enough(self, hand: Faces, mask: i64, wild: int) -> bool:
        """Return whether the hand has enough cards for a meld of a group: a necessary condition only."""
        short = self.size - wild
        if self.kind == TRIO:
            short -= bits(hand.twice & mask) + bits(hand.thrice & mask) + bits(hand.four & mask)
        return bits(hand.once & mask) >= short


def _cards(minimal: MinimalMeld) -> tuple[int, ...]:
    return minimal.meld.cards


_CACHE: Final[dict[tuple[str, Kind], MinimalMelds]] = {}


def minimal_melds(rules: Rules, kind: Kind) -> MinimalMelds:
    """Return the minimal trios or runs under these rules, cached."""
    key = (rules.digest, kind)
    if key not in _CACHE:
        _CACHE[key] = MinimalMelds(rules, kind)
    return _CACHE[key]


@final
@mypyc_attr(acyclic=True)
class LayDowns:
    """An iterator over lay-downs of minimal melds, each once: trios ascend by their cards, then runs.

    There may be millions, so only the latest one is stored: for each place of the contract, the number of its meld
    among the possible ones, and the cards left for it.
    """

    __slots__ = ("_at", "_chosen", "_distinct", "_left", "_numbers", "_options")

    def __init__(self, rules: Rules, contract: str, hand: Faces) -> None:
        trios = minimal_melds(rules, TRIO).of(hand) if TRIO in contract else []
        runs = minimal_melds(rules, RUN).of(hand) if RUN in contract else []
        self._options: list[list[MinimalMeld]] = [trios] * contract.count(TRIO) + [runs] * contract.count(RUN)
        self._numbers: list[int] = [-1] * len(self._options)
        self._chosen: list[Meld] = [options[0].meld for options in self._options if options]
        self._left: list[Faces] = [hand] * len(self._options)
        self._distinct = melds_are_distinct(rules)
        self._at = 0 if len(self._chosen) == len(self._options) else -1

    def __iter__(self) -> Iterator[tuple[Meld, ...]]:
        return self

    def __next__(self) -> tuple[Meld, ...]:
        melds = self.following()
        if melds is None:
            raise StopIteration
        return melds

    def following(self) -> tuple[Meld, ...] | None:
        """Return the next lay-down; None after the last one."""
        options, last = self._options, len(self._options) - 1
        while self._at >= 0:
            at = self._at
            if not self._choose(at):
                self._at -= 1
            elif at == last:
                return tuple(self._chosen)
            else:
                rest = self._left[at].minus(options[at][self._numbers[at]].cards)
                assert rest is not None
                self._left[at + 1] = rest
                # The next meld of the same kind may be the same one again, but none before it.
                self._numbers[at + 1] = self._numbers[at] - 1 if options[at + 1] is options[at] else -1
                self._at += 1
        return None

    def _choose(self, at: int) -> bool:
        """Advance place `at` to its next meld of the cards left for it; return whether there is one."""
        options, left = self._options[at], self._left[at]
        number: i64 = self._numbers[at] + 1
        while number < len(options):
            option = options[number]
            if left.includes(option.cards) and not (self._distinct and self._is_alike(option.meld, at)):
                self._numbers[at] = number
                self._chosen[at] = option.meld
                return True
            number += 1
        return False

    def _is_alike(self, meld: Meld, at: int) -> bool:
        """Return whether a meld chosen for an earlier place is too similar to this one."""
        return any(_alike(meld, self._options[place][self._numbers[place]].meld) for place in range(at))


def _alike(meld: Meld, other: Meld) -> bool:
    """Return whether two melds are runs of one suit, or trios of one rank.

    A trio of jokers has no rank (engine/SILENT.md, 5.6).
    """
    if meld.kind != other.kind:
        return False
    if meld.kind == RUN:
        return run_suit(meld.cards) == run_suit(other.cards)
    return trio_rank(meld.cards) == trio_rank(other.cards) >= 0
