"""The bot `greedy`: lays down when it can, keeps what shortens its way, throws what costs most and helps
least, claims what helps."""

from engine import actions as a
from engine.arrange import Plan, best, plan
from engine.bots import greedy_knock
from engine.cards import BIT, JOKER, Faces
from engine.hand import Legal
from engine.knock_game import Offer
from engine.melds import fits
from engine.scoring import only_at_once
from engine.state import Phase
from engine.view import View

PAIR = 4
"""What another card of the rank is worth to a hand that needs trios, in points of the discard."""
NEIGHBOUR = 2
"""What a card of the suit within three ranks is worth to a hand that needs runs."""


class GreedyBot:
    """Plans for its own contract only and sees no danger in others."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._plan: Plan | None = None

    def choose(self, view: View, legal: Legal) -> a.Action:
        """The act that its own hand asks for."""
        if view.rules.kind == "knock":
            return greedy_knock.choose(view, legal)
        down = view.down[view.seat]
        if view.phase == Phase.CLAIM:
            return a.CLAIM if not down and self._helps(view) else a.PASS
        if view.phase == Phase.DRAW:
            return self._draw(view, legal)
        return self._place(view, legal) if down else self._play(view, legal)

    def answer(self, offer: Offer) -> a.Answer:
        """Whether to buy points off."""
        return greedy_knock.answer(offer)

    def _draw(self, view: View, legal: Legal) -> a.Action:
        top = view.top
        if top is not None and view.fresh:
            wanted = self._fits_table(view, top) if view.down[view.seat] else self._helps(view)
            if wanted or a.DRAW_STOCK not in legal:
                return a.DRAW_DISCARD
        return a.DRAW_STOCK

    def _fits_table(self, view: View, face: int) -> bool:
        """Whether the card could be laid off; who may no longer close keeps the last two cards before his discard."""
        if len(view.hand) < 2 and only_at_once(view.rules, view.contract):
            return False
        return any(fits(view.rules, meld, face) for meld in view.melds)

    def _helps(self, view: View) -> bool:
        """Whether the top discard shortens the way to the contract."""
        if view.top is None:
            return False
        way = self._way(view)
        return way.joker_helps if view.top == JOKER else way.outs_mask & BIT[view.top] != 0

    def _way(self, view: View) -> Plan:
        """The plan for the hand; made once for each hand of cards."""
        key = (view.contract, view.hand.key())
        if self._plan is None or key != self._key:
            players, rules = len(view.sizes), view.rules
            packs, jokers = rules.packs(players, view.number), rules.jokers(players, view.number)
            self._plan = plan(rules, view.contract, view.hand, packs, jokers)
            self._key = key
        return self._plan

    def _play(self, view: View, legal: Legal) -> a.Action:
        """Lays down if it can; otherwise discards."""
        way = self._way(view)
        if way.distance == 0:
            laid = self._lay_down(view, legal)
            if laid is not None:
                return laid
        spare = view.hand.copy()
        for face in way.keep:
            spare.remove(face)
        if len(spare) == 0 or spare.distinct() == [JOKER]:
            spare = view.hand
        thrown = a.DISCARDS[_worst(view, spare)]
        return thrown if thrown in legal else _dearest(view, legal)

    def _lay_down(self, view: View, legal: Legal) -> a.Action | None:
        """The lay-down with the cheapest leftovers; where its melds are too long, the first of the least size."""
        found = best(view.rules, view.contract, view.hand)
        if found is not None and a.LayDown(found.melds) in legal:
            return a.LayDown(found.melds)
        return next((act for act in legal if isinstance(act, a.LayDown)), None)

    def _place(self, view: View, legal: Legal) -> a.Action:
        """Lays off or swaps whatever it can, then closes or discards the dearest card."""
        for act in legal:
            if isinstance(act, a.LayOff | a.SwapJoker | a.Close | a.CloseHolding):
                return act
        return _dearest(view, legal)


def _dearest(view: View, legal: Legal) -> a.Action:
    """The discard of the card that costs most, of those that may be thrown."""
    discards = [act for act in legal if isinstance(act, a.Discard)]
    return max(discards, key=lambda act: view.rules.points(act.face))


def _worst(view: View, spare: Faces) -> int:
    """The spare card that costs most and helps least; a joker only when nothing else is held."""
    naturals = [face for face in spare.distinct() if face != JOKER]
    if not naturals:
        return JOKER
    return max(naturals, key=lambda face: (view.rules.points(face) - _help(view, face), face))


def _help(view: View, face: int) -> int:
    """How much the card's company in the hand may still make of it."""
    hand, worth = view.hand, 0
    if "T" in view.contract:
        rank = face % 13
        worth += PAIR * (sum(hand.count(rank + 13 * suit) for suit in range(4)) - 1)
    if "E" in view.contract:
        first = face - face % 13
        worth += NEIGHBOUR * sum(first + (face % 13 + step) % 13 in hand for step in (-3, -2, -1, 1, 2, 3))
    return worth
