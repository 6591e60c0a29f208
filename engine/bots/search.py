"""The bot `search`: deals the cards that it has not seen again and again, plays what it might do to the end of the
hand each time, and does what costs least."""

from collections.abc import Sequence
from typing import Final, final

from engine import actions as a
from engine.bots import knock_play
from engine.bots.discard_tracker import PileMemory
from engine.bots.opponent_model import DrawnAndThrown
from engine.bots.planner import PlannerBot
from engine.bots.rollouts import Trial, cheapest
from engine.cards import JOKER, Faces
from engine.deal import supply
from engine.games.knock_game import Offer
from engine.hand import Hand, Legal
from engine.scoring import face_points
from engine.seeds import Stream
from engine.solver import plan
from engine.state import DRAW
from engine.view import View

SAMPLES: Final = 256
"""At most so many deals are tried for one decision."""
BATCH: Final = 16
"""After so many deals acts are left out."""
CANDIDATES: Final = 4
"""So many acts are compared at most."""
LEFT_OUT: Final = 10
"""By how many tenths of standard errors an act must be dearer than the cheapest to be left out."""
GIVEN_UP: Final = 25
"""The same for the usual act, which must not be given up by chance: it is looked at after every batch."""
CHANGED: Final = 10
"""The same for the usual act when all deals are tried."""


@final
class SearchBot:
    """Does what `planner` does, unless another act is surely cheaper when all play on as `planner` does.

    Its budget is `samples`, never time: the same seed thinks the same on every machine.
    """

    def __init__(self, stream: Stream, samples: int = SAMPLES) -> None:
        self._stream = stream
        self._samples = samples
        self._usual = PlannerBot()
        self._memory = PileMemory()

    def choose(self, view: View, legal: Legal) -> a.Action:
        """The usual act, or one of a few others."""
        usual = self._usual.choose(view, legal)
        if view.rules.kind == "knock":
            return usual
        self._memory.see(view)
        acts = [usual, *_others(view, legal, usual)]
        return self._searched(view, acts) if len(acts) > 1 else usual

    def answer(self, offer: Offer) -> a.Answer:
        """Whether to buy points off."""
        return knock_play.answer(offer)

    def _searched(self, view: View, acts: Sequence[a.Action]) -> a.Action:
        """The cheapest of the acts, the first of which is the usual one."""
        trials = [Trial(act) for act in acts]
        usual = found = trials[0]
        covered, habits = self._memory.covered(), DrawnAndThrown(view)
        for deals in range(0, self._samples, BATCH):
            for _ in range(min(BATCH, self._samples - deals)):
                guess = Hand.guess(view, self._stream, covered, habits)
                for trial in trials:
                    trial.add(_cost(guess.clone(), trial.act, view.seat))
            found = cheapest(trials)
            trials = [
                trial for trial in trials if not trial.surely_dearer(found, GIVEN_UP if trial is usual else LEFT_OUT)
            ]
            if len(trials) == 1:
                return found.act
        return usual.act if usual in trials and not usual.surely_dearer(found, CHANGED) else found.act


def _others(view: View, legal: Legal, usual: a.Action) -> list[a.Action]:
    """What one may do instead: let a discard go that one would claim, draw the other card, throw other cards."""
    if isinstance(usual, a.Claim):
        return [a.PASS]
    if view.phase is DRAW:
        other = a.DRAW_DISCARD if isinstance(usual, a.DrawStock) else a.DRAW_STOCK
        return [other] if other in legal else []
    return _discards(view, legal, usual) if isinstance(usual, a.Discard) else []


def _discards(view: View, legal: Legal, usual: a.Discard) -> list[a.Action]:
    """The dearest other discards, those that the shortest way to the contract keeps coming last."""
    packs, jokers = supply(view.rules, len(view.laid), view.number)
    kept = Faces() if view.laid[view.seat] else plan(view.rules, view.contract, view.hand, packs, jokers).kept
    points = face_points(view.rules)
    ranked: list[tuple[bool, int, int]] = []
    for act in legal.discards():
        face = act.face
        if face not in (usual.face, JOKER):
            ranked.append((kept.count(face) == view.hand.count(face), -points[face], face))
    ranked.sort()
    return [a.DISCARDS[face] for _, _, face in ranked[: CANDIDATES - 1]]


def _cost(hand: Hand, act: a.Action, seat: int) -> int:
    """What the seat writes down in the end, for each of the others, less theirs: all play on as `planner` does."""
    hand.apply(act)
    bots = [PlannerBot() for _ in hand.totals]
    while not hand.over:
        actor = hand.actor
        hand.apply(bots[actor].choose(hand.view(actor), hand.legal))
    result = hand.result
    assert result is not None
    points = result.points
    return len(points) * points[seat] - sum(points)
