"""The bot `greedy`: lays down when it can, keeps what shortens its way, throws what costs most and helps
least, claims what helps."""

from collections.abc import Sequence
from typing import Final, final

from mypy_extensions import i64

from engine import actions as a
from engine.arrange import best, plan
from engine.bots import greedy_knock
from engine.bots.way import Way
from engine.cards import BIT, FACE_BIT, JOKER, RANK_MASK, Faces, bits
from engine.deal import supply
from engine.hand import Legal
from engine.knock_game import Offer
from engine.melds import HIGH, LOW, RUN, TRIO
from engine.rules import Rules
from engine.scoring import face_points, only_at_once
from engine.state import CLAIM, DRAW
from engine.view import View

PAIR: Final = 4
"""What another card of the rank is worth to a hand that needs trios, in points of the discard."""
NEIGHBOUR: Final = 2
"""What a card of the suit within three ranks is worth to a hand that needs runs."""
_NEAR: Final[tuple[int, ...]] = tuple(
    sum(BIT[face - face % 13 + (face % 13 + step) % 13] for step in (-3, -2, -1, 1, 2, 3)) for face in range(52)
)
"""The cards of the suit within three ranks of each card, round the corner too."""


@final
class Worth:
    """What a card in the hand costs, and what its company may still make of it."""

    def __init__(self, rules: Rules, contract: str) -> None:
        self.points = face_points(rules)
        self._pair = PAIR if TRIO in contract else 0
        self._neighbour = NEIGHBOUR if RUN in contract else 0

    def worst(self, hand: Faces, spare: Faces) -> int:
        """The spare card of the hand that costs most and helps least; a joker only when nothing else is spare.

        Of several the one of the highest face.
        """
        worst, most = JOKER, -1000
        for face in spare.distinct():
            if face != JOKER:
                worth = self.points[face] - self._help(hand, face)
                if worth >= most:
                    worst, most = face, worth
        return worst

    def _help(self, hand: Faces, face: int) -> int:
        """How much the card's company in the hand may still make of it."""
        worth = 0
        if self._pair:
            rank: i64 = RANK_MASK[face % 13]
            company = (
                bits(hand.once & rank) + bits(hand.twice & rank) + bits(hand.thrice & rank) + bits(hand.four & rank)
            )
            worth += self._pair * (company - 1)
        if self._neighbour:
            worth += self._neighbour * bits(hand.once & _NEAR[face])
        return worth


@final
class GreedyBot:
    """Plans for its own contract only and sees no danger in others.

    It remembers what it needs of the rules in a hand of the game, and its plan as long as that says enough.
    """

    _worth: Worth  # learned with the rules

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._kind = ""
        self._number = 0
        self._players = 0
        self._supply = (0, 0)
        self._known: Way | None = None

    def choose(self, view: View, legal: Legal) -> a.Action:
        """The act that its own hand asks for."""
        if view.rules is not self._rules or view.number != self._number or len(view.laid) != self._players:
            self._learn(view)
        if self._kind == "knock":
            return greedy_knock.choose(view, legal)
        down = view.laid[view.seat] > 0
        if view.phase is CLAIM:
            return a.CLAIM if not down and self._helps(view) else a.PASS
        if view.phase is DRAW:
            return self._draw(view, legal)
        return self._place(legal) if down else self._play(view, legal)

    def answer(self, offer: Offer) -> a.Answer:
        """Whether to buy points off."""
        return greedy_knock.answer(offer)

    def _learn(self, view: View) -> None:
        """Asks the rules, in a new hand, for packs and jokers in play and for what cards and their company count."""
        rules, number, players = view.rules, view.number, len(view.laid)
        self._rules, self._kind, self._number, self._players = rules, rules.kind, number, players
        self._supply = supply(rules, players, number)
        self._worth = Worth(rules, view.contract)
        self._known = None

    def _draw(self, view: View, legal: Legal) -> a.Action:
        top = view.top
        if top is not None and view.fresh:
            wanted = _fits_table(view, top) if view.laid[view.seat] else self._helps(view)
            if wanted or (view.stock == 0 and a.DRAW_STOCK not in legal):
                return a.DRAW_DISCARD
        return a.DRAW_STOCK

    def _helps(self, view: View) -> bool:
        """Whether the top discard shortens the way to the contract."""
        if view.top is None:
            return False
        known, bit = self._known, FACE_BIT[view.top]
        if known is not None and not known.plan.outs_mask & bit and known.bounds(view.hand):
            return False
        return self._planned(view).plan.outs_mask & bit != 0

    def _planned(self, view: View) -> Way:
        """The plan for this very hand; made once for each hand of cards."""
        known = self._known
        if known is None or not known.hand.same(view.hand):
            packs, jokers = self._supply
            known = self._known = Way(plan(view.rules, view.contract, view.hand, packs, jokers), view.hand)
        return known

    def _play(self, view: View, legal: Legal) -> a.Action:
        """Lays down if it can; otherwise discards a card that its plan does not keep."""
        known = self._known
        way = known if known is not None and known.stands(view.hand) else self._planned(view)
        if way.plan.distance == 0:
            laid = _lay_down(view, legal)
            if laid is not None:
                return laid
        spare = view.hand.less(way.plan.kept)
        if spare is None or len(spare) == spare.jokers:
            spare = view.hand
        thrown = a.DISCARDS[self._worth.worst(view.hand, spare)]
        return thrown if thrown in legal else self._dearest(legal)

    def _place(self, legal: Legal) -> a.Action:
        """Lays off or swaps whatever it can, then closes or discards the dearest card."""
        acts: Sequence[a.Action] = legal.lay_offs() or legal.swaps() or legal.closings()
        return acts[0] if acts else self._dearest(legal)

    def _dearest(self, legal: Legal) -> a.Action:
        """The discard of the card that costs most, of those that may be thrown."""
        found, most = JOKER, -1
        for act in legal.discards():
            if self._worth.points[act.face] > most:
                found, most = act.face, self._worth.points[act.face]
        return a.DISCARDS[found]


def _fits_table(view: View, face: int) -> bool:
    """Whether the card could be laid off; who may no longer close keeps the last two cards before his discard."""
    if len(view.hand) < 2 and only_at_once(view.rules, view.contract):
        return False
    fitting: i64 = 0
    for meld in view.melds:
        fitting |= meld.fitting(view.rules, LOW) | meld.fitting(view.rules, HIGH)
    return fitting & FACE_BIT[face] != 0


def _lay_down(view: View, legal: Legal) -> a.Action | None:
    """The lay-down with the cheapest leftovers; where its melds are too long, the first of the least size."""
    found = best(view.rules, view.contract, view.hand)
    if found is not None:
        laid = a.LayDown(found.melds)
        if laid in legal:
            return laid
    for act in legal:
        if isinstance(act, a.LayDown):
            return act
    return None
