"""A hand that might be: what a seat knows of it as it is, and the cards that the seat has not seen dealt at random."""

from collections.abc import Sequence
from typing import Protocol, final

from engine.cards import Faces, held_face
from engine.contract import turn
from engine.deal import Deal, pack_cards
from engine.errors import EngineError
from engine.seeds import Stream
from engine.state import CLAIM, OVER, State
from engine.view import View


class Habits(Protocol):
    """How another seat is thought to have come by its cards: it was dealt more than it holds, and has thrown some."""

    def extra(self, seat: int) -> int:
        """How many cards more than it holds the seat chose from."""
        ...

    def thrown(self, known: Faces, cards: Faces, number: int) -> list[int]:
        """So many of the cards, none of those known to be held still, that the seat would have thrown."""
        ...


def guessed(view: View, stream: Stream, covered: Sequence[int] = (), habits: Habits | None = None) -> State:
    """A state that looks so to the seat of the view, every deal of the unseen cards equally likely without `habits`.

    `covered` are discards under the top one that the seat remembers; what cannot lie there is left out. Of what the
    others throw by their `habits` the pile gets as much as it holds, the stocks the rest. Arguments alone decide: what
    a view does not tell is taken as not having happened in this turn: no discard that may not be thrown again, no
    lay-down to take back, no earlier table. In the claim window the view's own seat is the one asked, if it may claim.
    EngineError for a hand that is over.
    """
    if view.phase is OVER:
        raise EngineError("the hand is over: there is nothing left to guess")
    unseen = _Unseen(view, covered, stream)
    hands = _hands(view, unseen, habits)
    stock, penalty = unseen.taken(view.stock), unseen.taken(view.penalty)
    seed = f"guess {stream.word()} {stream.word()}"
    state = State(view.rules, Deal(view.number, view.contract, view.dealer, hands, view.top, stock, seed, penalty))
    state.known = tuple([Faces(cards) for cards in view.known])
    state.pile = [*unseen.cards, *unseen.remembered, *state.pile]
    _tell(state, view)
    return state


@final
class _Unseen:
    """The cards in play that a seat does not see, shuffled, and those of them that it remembers in the pile."""

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

    def taken(self, number: int) -> tuple[int, ...]:
        """So many cards, which are dealt away."""
        left = len(self.cards) - number
        taken = tuple(self.cards[left:])
        del self.cards[left:]
        return taken

    def thrown(self, faces: list[int]) -> None:
        """These cards come back: to the pile while it lacks cards, then anywhere among the others."""
        for face in faces:
            if len(self.remembered) < self._in_pile:
                self.remembered.append(face)
            else:
                self.cards.insert(self._stream.below(len(self.cards) + 1), face)


def _seen(view: View) -> list[int]:
    """The seat's own cards, and those of others, of the table and of the pile that everybody sees."""
    seen = list(view.hand.cards())
    for seat, cards in enumerate(view.known):
        if seat != view.seat:
            seen.extend(cards)
    for meld in view.melds:
        seen.extend([held_face(face) for face in meld.cards])
    if view.top is not None:
        seen.append(view.top)
    return seen


def _hands(view: View, unseen: _Unseen, habits: Habits | None) -> tuple[tuple[int, ...], ...]:
    """The hands: the seat's own, and those of others as they were dealt and, by their habits, chosen."""
    hands: list[tuple[int, ...]] = []
    thrown: list[int] = []
    spare, shown = view.stock + view.penalty, view.known
    for seat, size in enumerate(view.sizes):
        if seat == view.seat:
            hands.append(view.hand.cards())
            continue
        known = Faces(shown[seat])
        extra = 0 if habits is None else min(habits.extra(seat), spare)
        cards = Faces((*known.cards(), *unseen.taken(size - len(known) + extra)))
        if habits is not None and extra > 0:
            spare -= extra
            for face in habits.thrown(known, cards, extra):
                cards.remove(face)
                thrown.append(face)
        hands.append(cards.cards())
    unseen.thrown(thrown)
    return tuple(hands)


def _tell(state: State, view: View) -> None:
    """Brings what everybody knows of the hand into the state."""
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
        state.thrower = (view.turn - 1) % state.players
    if view.phase is CLAIM:
        state.asked = view.turn
        turn.ask_next(state)
        if view.seat != view.turn and turn.refuse_claim(state, view.seat) is None:
            state.asked = view.seat
