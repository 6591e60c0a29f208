"""Every lay-down of least-size melds, one after the other."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from typing import final

from mypy_extensions import i64

from engine.arrange.trios import one_of_a_kind
from engine.cards import BIT, JOKER, RED_TWOS, Faces
from engine.melds import RUN, TRIO, Meld, is_meld, roles, run_suit, trio_rank
from engine.rules import Rules


@final
class LayDowns:
    """Goes from each lay-down to the next: trios ascend, then runs, each by its cards; nothing is listed twice.

    There may be millions, so only one choice of melds is held: at each place of the contract a number among the melds
    that could stand there, and the cards left for it.
    """

    __slots__ = ("_at", "_cards", "_distinct", "_left", "_numbers", "_options")

    def __init__(self, rules: Rules, contract: str, hand: Faces) -> None:
        trios = least_trios(rules, hand) if TRIO in contract else []
        runs = least_runs(rules, hand) if RUN in contract else []
        kinds = [trios] * contract.count(TRIO) + [runs] * contract.count(RUN)
        of_trios, of_runs = [Faces(meld.cards) for meld in trios], [Faces(meld.cards) for meld in runs]
        self._options: list[list[Meld]] = kinds
        self._cards: list[list[Faces]] = [of_trios if known is trios else of_runs for known in kinds]
        self._numbers: list[int] = [-1] * len(kinds)
        self._left: list[Faces] = [hand.copy()] * (len(kinds) + 1)
        self._distinct = one_of_a_kind(rules)
        self._at = 0

    def __iter__(self) -> Iterator[tuple[Meld, ...]]:
        return self

    def __next__(self) -> tuple[Meld, ...]:
        options, last = self._options, len(self._options) - 1
        while self._at >= 0:
            at = self._at
            if not self._choose(at):
                self._at -= 1
            elif at == last:
                return tuple([options[place][self._numbers[place]] for place in range(last + 1)])
            else:
                # A meld of the same kind may be the same one again, but none before it.
                self._numbers[at + 1] = self._numbers[at] - 1 if options[at + 1] is options[at] else -1
                self._at += 1
        raise StopIteration

    def _choose(self, at: int) -> bool:
        """Goes on to the next meld for that place that the cards left for it make; whether there is one."""
        options, cards, left = self._options[at], self._cards[at], self._left[at]
        for number in range(self._numbers[at] + 1, len(options)):
            rest = left.less(cards[number])
            if rest is not None and not (self._distinct and self._is_alike(options[number], at)):
                self._numbers[at] = number
                self._left[at + 1] = rest
                return True
        return False

    def _is_alike(self, meld: Meld, at: int) -> bool:
        """Whether a meld chosen for a place before is too much like this one."""
        return any(_alike(meld, self._options[place][self._numbers[place]]) for place in range(at))


def _alike(one: Meld, other: Meld) -> bool:
    """Whether two melds are runs of one suit, or trios of one rank; a trio of jokers has none (section 5.6)."""
    if one.kind != other.kind:
        return False
    if one.kind == RUN:
        return run_suit(one.cards) == run_suit(other.cards)
    return trio_rank(one.cards) == trio_rank(other.cards) >= 0


def wilds(rules: Rules, hand: Faces) -> list[int]:
    """The wild cards that the hand holds, each face once, the joker first."""
    twos = RED_TWOS if rules.pack.wild_twos == "red" else ()
    return [face for face in (JOKER, *twos) if face in hand]


def least_trios(rules: Rules, hand: Faces) -> list[Meld]:
    """Every trio of the least size that these cards make, wild cards last."""
    wild, least = wilds(rules, hand), rules.trio.least
    most_wild = sum([hand.count(face) for face in wild])
    found: dict[Meld, None] = {}
    for rank in range(13):
        faces = [face for face in range(rank, 52, 13) if face in hand and face not in wild]
        if sum([hand.count(face) for face in faces]) + most_wild < least:
            continue
        for cards in combinations_with_replacement([*faces, *wild], least):
            if hand.holds(cards):
                meld = Meld(TRIO, tuple(sorted(roles(rules, TRIO, cards))))
                if is_meld(rules, TRIO, meld.cards):
                    found[meld] = None
    return sorted(found, key=_cards)


def least_runs(rules: Rules, hand: Faces) -> list[Meld]:
    """Every run of the least size that these cards make."""
    wild = wilds(rules, hand)
    most_wild = sum([hand.count(face) for face in wild])
    found: dict[Meld, None] = {}
    for faces, mask in _places(rules.run.least):
        if _more_than(most_wild, mask & ~hand.once):
            continue
        for cards in product(*[[face, *wild] if face in hand else wild for face in faces]) if wild else [faces]:
            if hand.holds(cards):
                meld = Meld(RUN, roles(rules, RUN, cards))
                if is_meld(rules, RUN, meld.cards):
                    found[meld] = None
    return sorted(found, key=_cards)


@cache
def _places(size: int) -> list[tuple[tuple[int, ...], int]]:
    """The naturals of every run of that size, also those round the corner, and their bits."""
    places: list[tuple[tuple[int, ...], int]] = []
    for first in range(52):
        suit, rank = divmod(first, 13)
        faces = tuple([13 * suit + (rank + step) % 13 for step in range(size)])
        places.append((faces, sum([BIT[face] for face in faces])))
    return places


def _more_than(number: int, plane: i64) -> bool:
    """Whether the plane has more than so many bits."""
    rest = plane
    while rest and number >= 0:
        rest &= rest - 1
        number -= 1
    return number < 0


def _cards(meld: Meld) -> tuple[int, ...]:
    return meld.cards
