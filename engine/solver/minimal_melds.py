"""Every lay-down of least-size melds, one after the other."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import BIT, JOKER, RED_TWOS, Faces, bits
from engine.melds import RUN, TRIO, Kind, Meld, is_meld, roles, run_suit, trio_rank
from engine.rules import Rules
from engine.solver.trios import one_of_a_kind


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
            short -= bits(hand.twice & mask) + bits(hand.thrice & mask) + bits(hand.four & mask)
        return bits(hand.once & mask) >= short


def _cards(one: LeastMeld) -> tuple[int, ...]:
    return one.meld.cards


_MADE: Final[dict[tuple[str, Kind], LeastMelds]] = {}


def least_melds(rules: Rules, kind: Kind) -> LeastMelds:
    """Every trio or run of the least size under these rules, made when first asked for."""
    wanted = (rules.digest, kind)
    if wanted not in _MADE:
        _MADE[wanted] = LeastMelds(rules, kind)
    return _MADE[wanted]


@final
@mypyc_attr(acyclic=True)
class LayDowns:
    """Goes from each lay-down to the next: trios ascend, then runs, each by its cards; nothing is listed twice.

    There may be millions, so only one choice of melds is held: at each place of the contract a number among the melds
    that could stand there, and the cards left for it.
    """

    __slots__ = ("_at", "_chosen", "_distinct", "_left", "_numbers", "_options")

    def __init__(self, rules: Rules, contract: str, hand: Faces) -> None:
        trios = least_melds(rules, TRIO).of(hand) if TRIO in contract else []
        runs = least_melds(rules, RUN).of(hand) if RUN in contract else []
        self._options: list[list[LeastMeld]] = [trios] * contract.count(TRIO) + [runs] * contract.count(RUN)
        self._numbers: list[int] = [-1] * len(self._options)
        self._chosen: list[Meld] = [options[0].meld for options in self._options if options]
        self._left: list[Faces] = [hand] * len(self._options)
        self._distinct = one_of_a_kind(rules)
        self._at = 0 if len(self._chosen) == len(self._options) else -1

    def __iter__(self) -> Iterator[tuple[Meld, ...]]:
        return self

    def __next__(self) -> tuple[Meld, ...]:
        found = self.following()
        if found is None:
            raise StopIteration
        return found

    def following(self) -> tuple[Meld, ...] | None:
        """The next lay-down; None after the last one."""
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
                # A meld of the same kind may be the same one again, but none before it.
                self._numbers[at + 1] = self._numbers[at] - 1 if options[at + 1] is options[at] else -1
                self._at += 1
        return None

    def _choose(self, at: int) -> bool:
        """Goes on to the next meld for that place that the cards left for it make; whether there is one."""
        options, left = self._options[at], self._left[at]
        number: i64 = self._numbers[at] + 1
        while number < len(options):
            one = options[number]
            if left.includes(one.cards) and not (self._distinct and self._is_alike(one.meld, at)):
                self._numbers[at] = number
                self._chosen[at] = one.meld
                return True
            number += 1
        return False

    def _is_alike(self, meld: Meld, at: int) -> bool:
        """Whether a meld chosen for a place before is too much like this one."""
        return any(_alike(meld, self._options[place][self._numbers[place]].meld) for place in range(at))


def _alike(one: Meld, other: Meld) -> bool:
    """Whether two melds are runs of one suit, or trios of one rank; a trio of jokers has none (section 5.6)."""
    if one.kind != other.kind:
        return False
    if one.kind == RUN:
        return run_suit(one.cards) == run_suit(other.cards)
    return trio_rank(one.cards) == trio_rank(other.cards) >= 0
