"""One hand, from the first draw to its outcome: the only authority on legality."""

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
from engine.rules import Rules
from engine.scoring import HandResult, score_hand
from engine.seeds import Stream
from engine.state import OVER, PLAY, Phase, State, check_invariants
from engine.view import HandViews, View


@final
@mypyc_attr(acyclic=True)
class Legal:
    """The legal actions of a state; lay-downs are listed only as far as a caller iterates.

    Lay-downs are listed with melds of minimum size, since longer ones are reached by laying off in the same turn; `in`
    accepts longer ones too.
    """

    __slots__ = ("_found", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._found: Action | None = None

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
            self._found = action
        return legal

    def refusal_to_apply(self, action: Action) -> Refusal | None:
        """Return why an action about to be applied is not legal; what `in` has just found is not judged again."""
        found, self._found = self._found, None
        return None if found is not None and action is found else refusal(self._state, action)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def count(self) -> int:
        """Return how many actions are listed."""
        return len(list(self))

    def lay_offs(self) -> list[LayOff]:
        """Return the legal lay-offs, in their order."""
        return laying.lay_offs(self._state) if self._is_down() else []

    def swaps(self) -> list[SwapJoker]:
        """Return the legal exchanges of a card for a joker."""
        return laying.swaps(self._state) if self._is_down() else []

    def closings(self) -> list[Action]:
        """Return the actions that close a contract hand other than by discarding the last card."""
        return contract_turn.closings(self._state) if self._is_down() else []

    def discards(self) -> list[Discard]:
        """Return the legal discards of a contract hand."""
        state = self._state
        return contract_turn.discards(state) if state.phase is PLAY and state.kind == "contract" else []

    def _is_down(self) -> bool:
        """Return whether the acting player has laid the contract down, and draw and claims are over."""
        state = self._state
        return state.phase is PLAY and state.kind == "contract" and state.down[state.turn] > 0


def refusal(state: State, action: Action) -> Refusal | None:
    """Return why the action is not legal in this state; None if it is."""
    if state.phase is OVER:
        return Refusal(state.rules.section("1.10"), "the hand is over")
    return knock_turn.refusal(state, action) if state.kind == "knock" else contract_turn.refusal(state, action)


@final
class Hand:
    """One deal played out by the rules. `totals` are the points of the hands before, for the players to see.

    A hand in progress is made from its `state`, which becomes its own.
    """

    __slots__ = ("_legal", "_state", "_views", "totals")

    def __init__(self, rules: Rules, deal: Deal, totals: tuple[int, ...] = (), state: State | None = None) -> None:
        self._state = State(rules, deal) if state is None else state
        self._legal = Legal(self._state)
        self._views = HandViews(self._state)
        self.totals = totals if totals else (0,) * len(deal.hands)

    @property
    def phase(self) -> Phase:
        """Return what the hand waits for."""
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
        """Return whether the seat that acts now may do this."""
        return refusal(self._state, action) is None

    def why_not(self, action: Action) -> Refusal | None:
        """Return the clause and the reason that forbid the action; None if it is legal."""
        return refusal(self._state, action)

    def apply(self, action: Action) -> None:
        """Apply the action of the seat that acts now; IllegalAction with the clause if it is not legal."""
        state = self._state
        wrong = self._legal.refusal_to_apply(action)
        if wrong is not None:
            raise IllegalAction(wrong.reason, wrong.clause)
        if state.kind == "knock":
            knock_turn.apply(state, action)
        else:
            contract_turn.apply(state, action)

    def view(self, seat: int) -> View:
        """Return what that seat may know now."""
        return self._views.view(seat, self.totals)

    @property
    def result(self) -> HandResult | None:
        """Return points and closer once the hand is over, otherwise None."""
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
        """Return a hand that looks to the seat of the view as the view does; `engine.determinize` says how."""
        state = determinize(view, stream, covered, opponents)
        return Hand(state.rules, state.deal, view.totals, state)

    def faults(self) -> list[str]:
        """Return what is impossible about the state, for tests: always empty."""
        return check_invariants(self._state)
