"""A plan that a bot remembers, and what it still says of the hand when cards have come and gone."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import FACE_BIT, FACE_OF, JOKER, Faces
from engine.solver import Plan


@final
@mypyc_attr(acyclic=True)
class Way:
    """A plan and the hand that it was made for, which must not change.

    More cards never lengthen the way. So a hand with the cards that the plan keeps is not farther off than it says, and
    one without a card that helps is not nearer: most hands need no plan of their own.
    """

    __slots__ = ("hand", "plan")

    def __init__(self, plan: Plan, hand: Faces) -> None:
        self.plan: Final = plan
        self.hand: Final = hand

    def stands(self, hand: Faces) -> bool:
        """Whether the hand is surely as far off as the plan says, and may keep the same cards.

        It has them, and beyond the planned hand it has one card at the most, which is none that helps.
        """
        return self._no_nearer(hand) and hand.includes(self.plan.kept)

    def bounds(self, hand: Faces) -> bool:
        """Whether nothing surely helps the hand that does not help the planned one: it is that hand, or a part of it
        that is no farther off."""
        if self.hand.same(hand):
            return True
        return self.hand.includes(hand) and hand.includes(self.plan.kept)

    def _no_nearer(self, hand: Faces) -> bool:
        """Whether what the hand has beyond the planned one is nothing, or one card that does not help."""
        old = self.hand
        once: i64 = hand.once & ~old.once
        twice: i64 = hand.twice & ~old.twice
        more: i64 = hand.thrice & ~old.thrice | hand.four & ~old.four
        found: i64 = once | twice | more
        if hand.jokers > old.jokers:
            return found == 0 and hand.jokers == old.jokers + 1 and self.plan.outs_mask & FACE_BIT[JOKER] == 0
        if found == 0:
            return True
        alone = found & (found - 1) == 0 and once & twice == 0 and more == 0
        return alone and self.plan.outs_mask & FACE_BIT[FACE_OF[found % 67]] == 0
