"""Every lay-down of least-size melds, one after the other."""

from collections.abc import Iterator
from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.arrange.least import LeastMeld, least_melds
from engine.arrange.trios import one_of_a_kind
from engine.cards import Faces
from engine.melds import RUN, TRIO, Meld, run_suit, trio_rank
from engine.rules import Rules


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
                rest = self._left[at].less(options[at][self._numbers[at]].cards)
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
