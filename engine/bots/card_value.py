"""The value of discarding a card: its points, less a bonus for cards in the hand that may form a meld with it."""

from typing import Final, final

from mypy_extensions import i64

from engine.cards import BIT, JOKER, RANK_MASK, Faces, bits
from engine.melds import RUN, TRIO
from engine.rules import Rules
from engine.scoring import face_points

PAIR: Final = 4
"""The value of another card of the rank to a hand that needs trios, in points of the discard."""
NEIGHBOUR: Final = 2
"""The value of a card of the suit within three ranks to a hand that needs runs."""
_NEAR: Final[tuple[int, ...]] = tuple(
    sum(BIT[face - face % 13 + (face % 13 + step) % 13] for step in (-3, -2, -1, 1, 2, 3)) for face in range(52)
)
"""The cards of the suit within three ranks of each card, round the corner too."""


@final
class CardValue:
    """The points of the cards, and the value of their neighbours under a contract."""

    def __init__(self, rules: Rules, contract: str) -> None:
        self.points = face_points(rules)
        self._pair = PAIR if TRIO in contract else 0
        self._neighbour = NEIGHBOUR if RUN in contract else 0

    def worst(self, hand: Faces, spare: Faces) -> int:
        """Return the spare card of the hand that costs most and helps least; a joker only when nothing else is spare.

        Of several equal cards, return the one of the highest face.
        """
        worst, most = JOKER, -1000
        for face in spare.distinct():
            if face != JOKER:
                cost = self.points[face] - self.synergy(hand, face)
                if cost >= most:
                    worst, most = face, cost
        return worst

    def synergy(self, hand: Faces, face: int) -> int:
        """Return the bonus for the cards in the hand that may form a meld with this one."""
        value = 0
        if self._pair:
            rank: i64 = RANK_MASK[face % 13]
            same_rank = (
                bits(hand.once & rank) + bits(hand.twice & rank) + bits(hand.thrice & rank) + bits(hand.four & rank)
            )
            value += self._pair * (same_rank - 1)
        if self._neighbour:
            value += self._neighbour * bits(hand.once & _NEAR[face])
        return value
