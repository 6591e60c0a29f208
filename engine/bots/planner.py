"""The bot `planner`: `greedy` with three abilities.

It claims cards beyond its need for a long contract, counts the copies of cards that would help it, and holds back cards
that the next player could lay off.
"""

from types import MappingProxyType
from typing import Final, Literal, final, get_args

from mypy_extensions import i64

from engine.bots.bot import BotKind
from engine.bots.table_play import PlanningBot, fitting
from engine.cards import FACE_BIT, JOKER, Faces, bits
from engine.melds import RUN, TRIO
from engine.solver import Plan
from engine.text import marked
from engine.view import View

Ability = Literal["buying", "counting", "guarding"]
"""An ability that `greedy` does not have; each can be left out, to measure what it gains.

`buying`: claims cards for a long contract even if they do not shorten the hand's distance to it. `counting`: discards
the card after which the most copies of cards would help. `guarding`: holds back what the next player could lay off.
"""
ABILITIES: Final[frozenset[Ability]] = frozenset(get_args(Ability))

CONTRACT_CARD: Final = 15
"""The value that each card of the contract adds to a claim, which brings two cards (`_value_of_two_cards`).

A larger contract is farther away, and a player who has not met it is caught with more points.
"""
NEW_OUT: Final = 3
"""The value added by each unseen copy that would help with the claimed card in hand, and does not without it."""
MIN_CLAIM_VALUE: Final = 140
"""The least value of the two cards for which the bot claims."""
FULL_VALUE_OPPONENTS: Final = 3
"""The number of opponents from which a claim has its full value: fewer discard less and lay down before it pays."""

OUT: Final = 6
"""The value that each unseen copy that would help the remaining hand adds to a discard, in points."""
GUARD: Final = 15
"""The cost of a discard that the next player could lay off, in points."""


@final
class PlannerBot(PlanningBot):
    """The bot with the three abilities; without any, it plays as `greedy`."""

    def __init__(self, abilities: frozenset[Ability] = ABILITIES) -> None:
        super().__init__()
        self._buying = "buying" in abilities
        self._counting = "counting" in abilities
        self._guarding = "guarding" in abilities

    def claims(self, view: View) -> bool:
        """Return whether to claim the top discard: it helps, or it is worth a claim all the same."""
        return self.tracker.helps(view) or self._is_worth_claiming(view)

    def worst(self, view: View, spare: Faces) -> int:
        """Return the spare card that is best discarded; a joker only when nothing else is spare.

        Of several equal cards, return the one of the highest face.
        """
        guarded = self._guarded(view)
        chosen, best_value = JOKER, -10_000
        for face in spare.distinct():
            if face != JOKER:
                value = self._value_without(view, face)
                if guarded & FACE_BIT[face]:
                    value -= GUARD
                if value >= best_value:
                    chosen, best_value = face, value
        return chosen

    def _is_worth_claiming(self, view: View) -> bool:
        """Return whether a discard that does not shorten the distance is worth a claim, with the penalty card.

        Where claims are limited, they are saved for cards that help.
        """
        tracker, top = self.tracker, view.top
        if not self._buying or top is None or view.rules.contracts.claim.limit is not None:
            return False
        plan_now = tracker.exact(view).plan
        if plan_now.distance == 0:
            return False
        value = _value_of_two_cards(view)
        if value >= MIN_CLAIM_VALUE:
            return True
        hand_with_card = view.hand.copy()
        hand_with_card.add(top)
        plan_with_card = tracker.plan_for(view, hand_with_card)
        copies = self._helpful_copies(plan_with_card, hand_with_card) - self._helpful_copies(plan_now, view.hand)
        return value + NEW_OUT * copies >= MIN_CLAIM_VALUE

    def _value_without(self, view: View, face: int) -> int:
        """Return the value of discarding the card: its points less synergy, and the copies that would still help."""
        tracker = self.tracker
        value = tracker.value.points[face] - tracker.value.synergy(view.hand, face)
        if self._counting:
            rest = view.hand.copy()
            rest.remove(face)
            value += OUT * self._helpful_copies(tracker.plan_for(view, rest), rest)
        return value

    def _guarded(self, view: View) -> i64:
        """Return the cards that the next player could lay off, as a bit mask of faces."""
        follower = view.seat + 1 if view.seat + 1 < len(view.laid) else 0
        return fitting(view) if self._guarding and view.laid[follower] else 0

    def _helpful_copies(self, plan: Plan, hand: Faces) -> int:
        """Return how many cards in play outside the hand would shorten its distance to the contract."""
        tracker, outs = self.tracker, plan.outs_mask
        naturals: i64 = outs & ~FACE_BIT[JOKER]
        held = bits(naturals & hand.once) + bits(naturals & hand.twice) + bits(naturals & hand.thrice)
        wild = tracker.jokers - hand.jokers if outs != naturals else 0
        return tracker.packs * bits(naturals) - held + wild


def _value_of_two_cards(view: View) -> int:
    """Return the value of any two more cards to a hand that does not meet its contract."""
    rules, contract = view.rules, view.contract
    cards = contract.count(TRIO) * rules.trio.least + contract.count(RUN) * rules.run.least
    return CONTRACT_CARD * cards * min(len(view.laid) - 1, FULL_VALUE_OPPONENTS) // FULL_VALUE_OPPONENTS


BOT: Final[BotKind] = BotKind(
    "planner",
    20,
    marked(
        "as greedy, but claims more for long contracts, counts the cards that help, "
        "holds back what others could lay off"
    ),
    lambda _stream, values: PlannerBot(frozenset([ability for ability in ABILITIES if values[ability]])),
    MappingProxyType(dict.fromkeys(get_args(Ability), True)),
)
