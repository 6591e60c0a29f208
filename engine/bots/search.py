"""The bot `search`: a Monte Carlo search over deals of the unseen cards, with a model of how opponents choose theirs.

For each of many random deals of the cards that it has not seen, it plays each of a few actions to the end of the hand.
It takes the action that costs least.
"""

from collections.abc import Sequence
from typing import Final, final

from engine import actions as a
from engine.actions import Action
from engine.bots import knock_play
from engine.bots.bot import BotKind
from engine.bots.planner import PlannerBot
from engine.bots.table_play import CardValue
from engine.cards import JOKER, Faces
from engine.deal import supply
from engine.games.knock_game import Offer
from engine.hand import Hand, Legal
from engine.scoring import face_points
from engine.seeds import Stream
from engine.solver import plan
from engine.state import DRAW
from engine.text import marked
from engine.view import View

MAX_EXTRA = 4
"""The most extra cards, beyond the hand, from which the model lets a player choose."""


@final
class SearchOpponentModel:
    """A model in which a seat that has not laid down holds the best cards out of a hand plus some extra cards.

    The seat has had one extra card for every two of its turns, at most MAX_EXTRA.
    """

    def __init__(self, view: View) -> None:
        self._rules = view.rules
        self._contract = view.contract
        self._supply = supply(view.rules, len(view.laid), view.number)
        self._value = CardValue(view.rules, view.contract)
        self._laid = view.laid
        self._extra = min(MAX_EXTRA, (view.turns - 1) // (2 * len(view.laid)))

    def extra(self, seat: int) -> int:
        """Return the number of extra cards from which the seat has chosen its hand."""
        return 0 if self._laid[seat] else self._extra

    def discards(self, known: Faces, cards: Faces, number: int) -> list[int]:
        """Return the `number` cards that the seat discards: the worst that its plan does not need, then others.

        Cards of `known`, which everybody knows to be held, are never among them.
        """
        packs, jokers = self._supply
        kept = plan(self._rules, self._contract, cards, packs, jokers).kept
        remaining, discarded = cards.copy(), list[int]()
        for _ in range(number):
            spare = _without(_without(remaining, kept), known)
            if len(spare) == spare.jokers:
                spare = _without(remaining, known)
            discarded.append(self._value.worst(remaining, spare))
            remaining.remove(discarded[-1])
        return discarded


def _without(cards: Faces, others: Faces) -> Faces:
    """Return a copy of the cards with those of `others` removed; cards not held are ignored."""
    rest = cards.copy()
    for face in others.cards():
        if face in rest:
            rest.remove(face)
    return rest


_UNKNOWN: Final = -1


@final
class DiscardTracker:
    """The discards that a seat has seen, by their height in the pile.

    A seat sees each discard when it is asked to claim it or before its own draw, so it knows every card in the pile.
    """

    def __init__(self) -> None:
        self._hand_key = (0, 0, 0)
        self._turns = 0
        self._shuffles = 0
        self._cards: list[int] = []

    def see(self, view: View) -> None:
        """Add the top card, and forget the cards that left the pile: all after a shuffle or in a new hand."""
        hand_key = (view.number, view.dealer, view.seat)
        if hand_key != self._hand_key or view.turns < self._turns or view.shuffles != self._shuffles:
            self._cards = []
        self._hand_key, self._turns, self._shuffles = hand_key, view.turns, view.shuffles
        del self._cards[view.pile :]
        while len(self._cards) < view.pile:
            self._cards.append(_UNKNOWN)
        if view.top is not None:
            self._cards[-1] = view.top

    def covered(self) -> list[int]:
        """Return the remembered cards under the top one, the lowest first."""
        return [face for face in self._cards[:-1] if face != _UNKNOWN]


MAX_DEALS: Final = 256
"""The most deals tried for one decision."""
BATCH: Final = 16
"""The number of deals after which candidates are dropped."""
MAX_CANDIDATES: Final = 4
"""The most actions compared."""
DROP_MARGIN: Final = 10
"""The excess over the cheapest, in tenths of a standard error, at which a candidate is dropped."""
USUAL_MARGIN: Final = 25
"""The excess at which the usual action (the planner's) is dropped: larger, since it is tested after every batch."""
FINAL_MARGIN: Final = 10
"""The excess at which the usual action is dropped once all deals have been tried."""


@final
class SearchBot:
    """The bot that plays as `planner` unless another action is significantly cheaper when all then play as `planner`.

    Its budget is a number of deals, not a time, so a seed gives the same actions on every machine.
    """

    def __init__(self, stream: Stream, deals: int = MAX_DEALS) -> None:
        self._stream = stream
        self._deals = deals
        self._planner = PlannerBot()
        self._discards = DiscardTracker()

    def choose(self, view: View, legal: Legal) -> a.Action:
        """Return the planner's action, or a cheaper one among a few others."""
        usual = self._planner.choose(view, legal)
        if view.rules.kind == "knock":
            return usual
        self._discards.see(view)
        actions = [usual, *_alternatives(view, legal, usual)]
        return self._search(view, actions) if len(actions) > 1 else usual

    def answer(self, offer: Offer) -> a.Answer:
        """Return whether to buy points off."""
        return knock_play.answer(offer)

    def _search(self, view: View, actions: Sequence[a.Action]) -> a.Action:
        """Return the cheapest of the actions; the first is the usual one."""
        candidates = [Candidate(action) for action in actions]
        usual = best = candidates[0]
        covered, opponents = self._discards.covered(), SearchOpponentModel(view)
        for tried in range(0, self._deals, BATCH):
            for _ in range(min(BATCH, self._deals - tried)):
                hand = Hand.determinize(view, self._stream, covered, opponents)
                for candidate in candidates:
                    candidate.add(_rollout(hand.clone(), candidate.action, view.seat))
            best = cheapest(candidates)
            candidates = [
                candidate
                for candidate in candidates
                if not candidate.costs_more(best, USUAL_MARGIN if candidate is usual else DROP_MARGIN)
            ]
            if len(candidates) == 1:
                return best.action
        return usual.action if usual in candidates and not usual.costs_more(best, FINAL_MARGIN) else best.action


def _alternatives(view: View, legal: Legal, usual: a.Action) -> list[a.Action]:
    """Return other actions to try: a pass instead of a claim, the other way to draw, or other discards."""
    if isinstance(usual, a.Claim):
        return [a.PASS]
    if view.phase is DRAW:
        other_draw = a.DRAW_DISCARD if isinstance(usual, a.DrawStock) else a.DRAW_STOCK
        return [other_draw] if other_draw in legal else []
    return _discards(view, legal, usual) if isinstance(usual, a.Discard) else []


def _discards(view: View, legal: Legal, usual: a.Discard) -> list[a.Action]:
    """Return up to `MAX_CANDIDATES - 1` other discards: first those that the plan does not keep, then by points."""
    packs, jokers = supply(view.rules, len(view.laid), view.number)
    kept = Faces() if view.laid[view.seat] else plan(view.rules, view.contract, view.hand, packs, jokers).kept
    points = face_points(view.rules)
    ranked: list[tuple[bool, int, int]] = []
    for action in legal.discards():
        face = action.face
        if face not in (usual.face, JOKER):
            ranked.append((kept.count(face) == view.hand.count(face), -points[face], face))
    ranked.sort()
    return [a.DISCARDS[face] for _, _, face in ranked[: MAX_CANDIDATES - 1]]


def _rollout(hand: Hand, action: a.Action, seat: int) -> int:
    """Play the hand out, all as `planner`; return the seat's points times the players, less everybody's points."""
    hand.apply(action)
    bots = [PlannerBot() for _ in hand.totals]
    while not hand.over:
        actor = hand.actor
        hand.apply(bots[actor].choose(hand.view(actor), hand.legal))
    result = hand.result
    assert result is not None
    points = result.points
    return len(points) * points[seat] - sum(points)


BOT: Final[BotKind] = BotKind(
    "search",
    30,
    marked(
        "as planner, unless another action turns out cheaper in up to 256 deals played to the end of the hand; slow"
    ),
    lambda stream, _values: SearchBot(stream),
)


@final
class Candidate:
    """An action and its cost (`_rollout`) in each deal on which it was tried."""

    __slots__ = ("action", "costs", "total")

    def __init__(self, action: Action) -> None:
        self.action: Final = action
        self.costs: list[int] = []
        self.total = 0

    def add(self, cost: int) -> None:
        """Add the cost in one more deal."""
        self.costs.append(cost)
        self.total += cost

    def costs_more(self, other: "Candidate", errors: int) -> bool:
        """Return whether the action cost more than the other by over `errors` tenths of a standard error.

        The arithmetic is in integers, so that every build and every machine agrees.
        """
        deals, excess, squares = len(self.costs), self.total - other.total, 0
        if excess <= 0:
            return False
        for mine, theirs in zip(self.costs, other.costs, strict=True):
            squares += (mine - theirs) * (mine - theirs)
        return 100 * excess * excess * (deals - 1) > errors * errors * (deals * squares - excess * excess)


def cheapest(candidates: list[Candidate]) -> Candidate:
    """Return the candidate with the lowest total cost, the first of equals."""
    best = candidates[0]
    for candidate in candidates:
        if candidate.total < best.total:
            best = candidate
    return best
