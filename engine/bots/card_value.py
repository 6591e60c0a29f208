"""The value of discarding a card: its points, less a bonus for cards in the hand that may form a meld with it."""

from typing import Final, final

from mypy_extensions import i64

from engine.cards import BIT, JOKER, RANK_MASK, Faces, bits
from engine.melds import RUN, TRIO
from engine.rules import Rules
from engine.scoring import face_points

PAIR: Final = 4
"""The value of another card of the rank to a hand that needs trios, in points that a card scores."""
NEIGHBOUR: Final = 2
"""The value of a card of the suit within three ranks to a hand that needs runs, in points."""
_NEAR: Final[tuple[int, ...]] = tuple(
    sum(BIT[face - face % 13 + (face % 13 + step) % 13] for step in (-3, -2, -1, 1, 2, 3)) for face in range(52)
)
"""By face, the other cards of the suit within three ranks, also round the corner, as a bit mask."""


@final
class CardValue:
    """The points of each face, and the value of cards that may form a meld with it under a contract."""

    def __init__(self, rules: Rules, contract: str) -> None:
        self.points = face_points(rules)
        self._pair = PAIR if TRIO in contract else 0
        self._neighbour = NEIGHBOUR if RUN in contract else 0

    def worst(self, hand: Faces, spare: Faces) -> int:
        """Return the spare card with the most points less synergy; a joker only when nothing else is spare.

        Of several equal cards, return the one of the highest face.
        """
        chosen, highest_cost = JOKER, -1000
        for face in spare.distinct():
            if face != JOKER:
                cost = self.points[face] - self.synergy(hand, face)
                if cost >= highest_cost:
                    chosen, highest_cost = face, cost
        return chosen

    def synergy(self, hand: Faces, face: int) -> int:
        """Return the bonus, in points, for other cards in the hand that may form a meld with this one."""
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
