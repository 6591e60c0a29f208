"""The bot `planner`: `greedy` that also buys, counts and guards.

It buys cards for a long contract, counts the copies of cards that would help it, and guards against what the next
player could lay off.
"""

from typing import Final, Literal, final, get_args

from mypy_extensions import i64

from engine.bots.bot import BotKind
from engine.bots.table_play import PlanningBot, fitting
from engine.cards import FACE_BIT, JOKER, Faces, bits
from engine.melds import RUN, TRIO
from engine.solver import Plan
from engine.view import View

Ability = Literal["buying", "counting", "guarding"]
"""An ability that `greedy` does not have; each can be left out, to measure what it gains.

`buying`: claims cards that do not shorten its distance, for a long contract. `counting`: discards the card after which
most copies of cards would help. `guarding`: holds back what the next player could lay off.
"""
ABILITIES: Final[frozenset[Ability]] = frozenset(get_args(Ability))

CONTRACT_CARD: Final = 15
"""The value that each card of the contract adds to two more cards, where three others discard.

A larger contract is farther away, and a player who has not met it is caught with more points.
"""
NEW_OUT: Final = 3
"""The value added by each copy that would help once the claimed card is in hand, and does not now."""
CLAIM_COST: Final = 140
"""The value that the two cards of a claim must reach."""
DISCARDERS: Final = 3
"""With fewer opponents there are fewer discards to buy, and opponents lay down before a claim pays."""

OUT: Final = 6
"""The value of each unseen copy of a card that helps the hand kept, in points of the discard."""
GUARD: Final = 15
"""The cost of letting the next player lay a card off."""


@final
class PlannerBot(PlanningBot):
    """Buys, counts and guards; without these abilities it plays as `greedy` does."""

    def __init__(self, abilities: frozenset[Ability] = ABILITIES) -> None:
        super().__init__()
        self._buying = "buying" in abilities
        self._counting = "counting" in abilities
        self._guarding = "guarding" in abilities

    def claims(self, view: View) -> bool:
        """Return whether to claim the top discard: it helps, or it is worth buying."""
        return self.tracker.helps(view) or self._buys(view)

    def worst(self, view: View, spare: Faces) -> int:
        """Return the spare card that is best discarded; a joker only when nothing else is spare.

        Of several equal cards, return the one of the highest face.
        """
        guarded = self._guarded(view)
        worst, most = JOKER, -10_000
        for face in spare.distinct():
            if face != JOKER:
                value = self._without(view, face)
                if guarded & FACE_BIT[face]:
                    value -= GUARD
                if value >= most:
                    worst, most = face, value
        return worst

    def _buys(self, view: View) -> bool:
        """Return whether a discard that does not shorten the distance is worth having, with the penalty card.

        Where claims are limited they are kept for cards that help.
        """
        tracker, top = self.tracker, view.top
        if not self._buying or top is None or view.rules.contracts.claim.limit is not None:
            return False
        now = tracker.exact(view).plan
        if now.distance == 0:
            return False
        value = _value_of_two_cards(view)
        if value >= CLAIM_COST:
            return True
        more = view.hand.copy()
        more.add(top)
        then = tracker.plan_for(view, more)
        return value + NEW_OUT * (self._copies(then, more) - self._copies(now, view.hand)) >= CLAIM_COST

    def _without(self, view: View, face: int) -> int:
        """Return the value of the hand without the card: the points saved, and the copies that would still help."""
        tracker = self.tracker
        value = tracker.value.points[face] - tracker.value.synergy(view.hand, face)
        if self._counting:
            rest = view.hand.copy()
            rest.remove(face)
            value += OUT * self._copies(tracker.plan_for(view, rest), rest)
        return value

    def _guarded(self, view: View) -> i64:
        """Return what the next player could lay off, a bit for each face."""
        follower = view.seat + 1 if view.seat + 1 < len(view.laid) else 0
        return fitting(view) if self._guarding and view.laid[follower] else 0

    def _copies(self, found: Plan, hand: Faces) -> int:
        """Return how many cards outside the hand would shorten the distance."""
        tracker, outs = self.tracker, found.outs_mask
        naturals: i64 = outs & ~FACE_BIT[JOKER]
        held = bits(naturals & hand.once) + bits(naturals & hand.twice) + bits(naturals & hand.thrice)
        wild = tracker.jokers - hand.jokers if outs != naturals else 0
        return tracker.packs * bits(naturals) - held + wild


def _value_of_two_cards(view: View) -> int:
    """Return the value of any two more cards to a hand that is short of its contract."""
    rules, contract = view.rules, view.contract
    cards = contract.count(TRIO) * rules.trio.least + contract.count(RUN) * rules.run.least
    return CONTRACT_CARD * cards * min(len(view.laid) - 1, DISCARDERS) // DISCARDERS


BOT: Final[BotKind] = BotKind(
    "planner",
    "as greedy, but claims more for long contracts, counts the cards that help, holds back what others could lay off",
    lambda stream: PlannerBot(),
)
