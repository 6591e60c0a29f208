"""Determinization: the state of a hand that agrees with what a seat knows, its unseen cards dealt at random."""

from collections.abc import Sequence
from typing import Protocol, final

from engine.cards import Faces, held_face
from engine.contract import turn
from engine.deal import Deal, pack_cards
from engine.errors import EngineError
from engine.seeds import Stream
from engine.state import CLAIM, OVER, State
from engine.view import View


class OpponentModel(Protocol):
    """A model of how other seats chose their cards: each is dealt extra cards, then discards as many."""

    def extra(self, seat: int) -> int:
        """Return the number of extra cards from which the seat has chosen its hand."""
        ...

    def discards(self, known: Faces, cards: Faces, number: int) -> list[int]:
        """Return the `number` cards of `cards` that the seat discards, never one of those known to be held."""
        ...


def determinize(
    view: View, stream: Stream, covered: Sequence[int] = (), opponents: OpponentModel | None = None
) -> State:
    """Return a state of which the seat has exactly this view, its unseen cards dealt at random.

    Without a model of the `opponents`, every deal of the unseen cards is equally likely. `covered` are discards under
    the top one that the seat remembers; impossible ones are ignored. Cards that the model discards fill the pile first,
    then the stocks. What a view does not show (a card that may not be discarded again, a lay-down to take back, earlier
    tables of this turn) is taken as not having happened. In the claim window the view's own seat is asked, if it may
    claim. Raises EngineError for a hand that is over.
    """
    if view.phase is OVER:
        raise EngineError("the hand is over: nothing is left to play")
    unseen = _Unseen(view, covered, stream)
    hands = _hands(view, unseen, opponents)
    stock, penalty = unseen.take(view.stock), unseen.take(view.penalty)
    seed = f"guess {stream.word()} {stream.word()}"
    state = State(view.rules, Deal(view.number, view.contract, view.dealer, hands, view.top, stock, seed, penalty))
    state.known = tuple([Faces(cards) for cards in view.known])
    state.pile = [*unseen.cards, *unseen.remembered, *state.pile]
    _copy_public(state, view)
    return state


@final
class _Unseen:
    """The cards in play that a seat cannot see, shuffled, and the discards among them that it remembers."""

    def __init__(self, view: View, covered: Sequence[int], stream: Stream) -> None:
        self._stream = stream
        self._in_pile = view.pile - 1
        self.remembered: list[int] = []
        rest = Faces(pack_cards(view.rules, len(view.laid), view.number))
        for face in _seen(view):
            rest.remove(face)
        for face in covered:
            if face in rest and len(self.remembered) < self._in_pile:
                rest.remove(face)
                self.remembered.append(face)
        self.cards = list(rest.cards())
        stream.shuffle(self.cards)

    def take(self, number: int) -> tuple[int, ...]:
        """Remove and return `number` cards."""
        first = len(self.cards) - number
        dealt = tuple(self.cards[first:])
        del self.cards[first:]
        return dealt

    def put_back(self, faces: list[int]) -> None:
        """Put discards back: on the pile until it is complete, then at random among the other cards."""
        for face in faces:
            if len(self.remembered) < self._in_pile:
                self.remembered.append(face)
            else:
                self.cards.insert(self._stream.below(len(self.cards) + 1), face)


def _seen(view: View) -> list[int]:
    """Return all cards that the seat sees: its own, those known to be in other hands, the melds and the top discard."""
    seen = list(view.hand.cards())
    for seat, cards in enumerate(view.known):
        if seat != view.seat:
            seen.extend(cards)
    for meld in view.melds:
        seen.extend([held_face(face) for face in meld.cards])
    if view.top is not None:
        seen.append(view.top)
    return seen


def _hands(view: View, unseen: _Unseen, opponents: OpponentModel | None) -> tuple[tuple[int, ...], ...]:
    """Return the hands by seat: the view's own, and random ones from which the model has discarded extra cards."""
    hands: list[tuple[int, ...]] = []
    discarded: list[int] = []
    spare, shown = view.stock + view.penalty, view.known
    for seat, size in enumerate(view.sizes):
        if seat == view.seat:
            hands.append(view.hand.cards())
            continue
        known = Faces(shown[seat])
        extra = 0 if opponents is None else min(opponents.extra(seat), spare)
        cards = Faces((*known.cards(), *unseen.take(size - len(known) + extra)))
        if opponents is not None and extra > 0:
            spare -= extra
            for face in opponents.discards(known, cards, extra):
                cards.remove(face)
                discarded.append(face)
        hands.append(cards.cards())
    unseen.put_back(discarded)
    return tuple(hands)


def _copy_public(state: State, view: View) -> None:
    """Copy the public values of the view into the state."""
    state.fresh = view.fresh
    state.melds = view.melds
    state.owners = view.owners
    state.down = view.laid
    state.claims = view.claims
    state.shuffles = view.shuffles
    state.turn = view.turn
    state.turns = view.turns
    state.phase = view.phase
    if state.kind == "contract" and view.turns > 1:
        state.discarder = (view.turn - 1) % state.players
    if view.phase is CLAIM:
        state.asked = view.turn
        turn.ask_next(state)
        if view.seat != view.turn and turn.refuse_claim(state, view.seat) is None:
            state.asked = view.seat
