"""One hand, from the first draw to its result: the only authority on legality."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import final

from mypy_extensions import mypyc_attr

from engine.actions import Action, Discard, LayOff, SwapJoker
from engine.contract import laying
from engine.contract import turn as contract_turn
from engine.deal import Deal
from engine.determinize import OpponentModel, determinize
from engine.errors import IllegalAction
from engine.knock import turn as knock_turn
from engine.melds import Refusal
from engine.position import Position, position_of, state_at
from engine.rules import Rules
from engine.scoring import HandResult, score_hand
from engine.seeds import Stream
from engine.state import OVER, PLAY, Phase, State, check_invariants
from engine.view import HandViews, View


@final
@mypyc_attr(acyclic=True)
class Legal:
    """The legal actions of a state; lay-downs are found only as far as a caller iterates.

    Only lay-downs of melds of minimum size are listed, since longer ones are reached by laying off in the same turn;
    `in` accepts longer ones too.
    """

    __slots__ = ("_last_legal", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._last_legal: Action | None = None

    def __iter__(self) -> Iterator[Action]:
        state = self._state
        if state.kind == "knock":
            return iter(knock_turn.legal(state))
        actions = contract_turn.legal(state)
        if state.phase is PLAY and not state.down[state.turn]:
            downs = laying.legal_lay_downs(state)
            if downs is not None:
                return chain(actions, downs)
        return iter(actions)

    def __contains__(self, action: Action) -> bool:
        legal = refusal(self._state, action) is None
        if legal:
            self._last_legal = action
        return legal

    def refusal_to_apply(self, action: Action) -> Refusal | None:
        """Return why the action is not legal; one that `in` has just found legal is not checked again."""
        last_legal, self._last_legal = self._last_legal, None
        return None if last_legal is not None and action is last_legal else refusal(self._state, action)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def count(self) -> int:
        """Return how many actions are listed."""
        return len(list(self))

    def lay_offs(self) -> list[LayOff]:
        """Return the legal lay-offs, in their order."""
        return laying.legal_lay_offs(self._state) if self._is_down() else []

    def swaps(self) -> list[SwapJoker]:
        """Return the legal exchanges of a card for a joker, in their order."""
        return laying.legal_closable_swaps(self._state) if self._is_down() else []

    def closings(self) -> list[Action]:
        """Return the actions that close a contract hand other than by discarding the last card."""
        return contract_turn.closings(self._state) if self._is_down() else []

    def discards(self) -> list[Discard]:
        """Return the legal discards of a contract hand."""
        state = self._state
        return contract_turn.discards(state) if state.phase is PLAY and state.kind == "contract" else []

    def but_lay_downs(self) -> list[Action]:
        """Return the legal actions that are not lay-downs, in their order."""
        state = self._state
        return knock_turn.legal(state) if state.kind == "knock" else contract_turn.legal(state)

    def position(self) -> Position:
        """Return what decides whether an action is legal, without a hidden card; `legal_at` is the inverse."""
        return position_of(self._state)

    def why_not(self, action: Action) -> Refusal | None:
        """Return the clause and the reason that forbid the action; None if it is legal."""
        return refusal(self._state, action)

    def __reduce__(self) -> tuple[type["Legal"], tuple[State]]:
        return Legal, (self._state,)

    def _is_down(self) -> bool:
        """Return whether the player in turn has laid the contract down, and may act after the draw and the claims."""
        state = self._state
        return state.phase is PLAY and state.kind == "contract" and state.down[state.turn] > 0


def legal_at(rules: Rules, position: Position) -> Legal:
    """Return the legal actions at this position, of which no hidden card is known."""
    return Legal(state_at(rules, position))


def refusal(state: State, action: Action) -> Refusal | None:
    """Return why the action is not legal in this state; None if it is."""
    if state.phase is OVER:
        return Refusal(state.rules.section("1.10"), "the hand is over")
    return knock_turn.refusal(state, action) if state.kind == "knock" else contract_turn.refusal(state, action)


@final
class Hand:
    """One deal played out by the rules. `totals` are the points of the earlier hands, which players may see.

    With a `state` the hand continues from it and owns it from then on.
    """

    __slots__ = ("_legal", "_state", "_views", "totals")

    def __init__(self, rules: Rules, deal: Deal, totals: tuple[int, ...] = (), state: State | None = None) -> None:
        self._state = State(rules, deal) if state is None else state
        self._legal = Legal(self._state)
        self._views = HandViews(self._state)
        self.totals = totals if totals else (0,) * len(deal.hands)

    @property
    def phase(self) -> Phase:
        """Return the phase: which kind of action is awaited."""
        return self._state.phase

    @property
    def actor(self) -> int:
        """Return the seat whose action is awaited: a player asked for a claim, or the one in turn."""
        return self._state.actor

    @property
    def dealer(self) -> int:
        """Return the seat that dealt."""
        return self._state.deal.dealer

    @property
    def over(self) -> bool:
        """Return whether the hand is finished."""
        return self._state.phase is OVER

    @property
    def legal(self) -> Legal:
        """Return the legal actions of the seat that acts now."""
        return self._legal

    def is_legal(self, action: Action) -> bool:
        """Return whether the action of the seat that acts now is legal."""
        return refusal(self._state, action) is None

    def why_not(self, action: Action) -> Refusal | None:
        """Return the clause and the reason that forbid the action; None if it is legal."""
        return refusal(self._state, action)

    def apply(self, action: Action) -> None:
        """Apply the action of the seat that acts now; IllegalAction with the clause if it is not legal."""
        state = self._state
        refused = self._legal.refusal_to_apply(action)
        if refused is not None:
            raise IllegalAction(refused.reason, refused.clause)
        if state.kind == "knock":
            knock_turn.apply(state, action)
        else:
            contract_turn.apply(state, action)

    def view(self, seat: int) -> View:
        """Return what the seat may know now."""
        return self._views.view(seat, self.totals)

    @property
    def result(self) -> HandResult | None:
        """Return the result once the hand is over, otherwise None."""
        state = self._state
        if state.phase is not OVER:
            return None
        if state.kind == "knock":
            return knock_turn.result(state)
        closer = state.closer if state.closer >= 0 else None
        at_once = closer is not None and state.down[closer] == state.turns
        return score_hand(state.rules, state.deal.contract, state.hands, closer, at_once, state.all_placed)

    def clone(self) -> "Hand":
        """Return an independent copy, for search."""
        state = self._state
        return Hand(state.rules, state.deal, self.totals, state.clone())

    @staticmethod
    def determinize(
        view: View, stream: Stream, covered: Sequence[int] = (), opponents: OpponentModel | None = None
    ) -> "Hand":
        """Return a hand that agrees with the view, its hidden cards filled in at random; see `engine.determinize`."""
        state = determinize(view, stream, covered, opponents)
        return Hand(state.rules, state.deal, view.totals, state)

    def __reduce__(self) -> tuple[type["Hand"], tuple[Rules, Deal, tuple[int, ...], State]]:
        state = self._state
        return Hand, (state.rules, state.deal, self.totals, state)

    def faults(self) -> list[str]:
        """Return what is inconsistent in the state, for tests: always empty."""
        return check_invariants(self._state)
