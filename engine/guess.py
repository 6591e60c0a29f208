"""A hand that might be: what a seat knows of it as it is, and the cards that the seat has not seen dealt at random."""

from engine import contract
from engine.cards import Faces, held_face
from engine.deal import Deal, pack_cards
from engine.errors import EngineError
from engine.seeds import Stream
from engine.state import CLAIM, OVER, State
from engine.view import View


def guessed(view: View, stream: Stream) -> State:
    """A state that looks so to the seat of the view, every deal of the unseen cards equally likely.

    Only the view and the stream decide. What a view does not tell is taken as not having happened in this turn: no
    discard that may not be thrown again, no lay-down to take back, no earlier table. In the claim window the view's
    own seat is the one asked, if it may claim. EngineError for a hand that is over.
    """
    if view.phase is OVER:
        raise EngineError("the hand is over: there is nothing left to guess")
    hidden = unseen(view)
    stream.shuffle(hidden)
    known = [Faces(cards) for cards in view.known]
    hands: list[tuple[int, ...]] = []
    for seat, size in enumerate(view.sizes):
        if seat == view.seat:
            hands.append(view.hand.cards())
        else:
            seen = known[seat].cards()
            hands.append((*seen, *_taken(hidden, size - len(seen))))
    stock, penalty = _taken(hidden, view.stock), _taken(hidden, view.penalty)
    seed = f"guess {stream.word()} {stream.word()}"
    state = State(
        view.rules, Deal(view.number, view.contract, view.dealer, tuple(hands), view.top, stock, seed, penalty)
    )
    state.known = tuple(known)
    state.pile = [*hidden, *state.pile]
    _tell(state, view)
    return state


def unseen(view: View) -> list[int]:
    """The cards in play that the seat has not seen or sees no more, ascending: in other hands, stocks and the pile."""
    rest = Faces(pack_cards(view.rules, len(view.laid), view.number))
    seen = list(view.hand.cards())
    for seat, cards in enumerate(view.known):
        if seat != view.seat:
            seen.extend(cards)
    for meld in view.melds:
        seen.extend([held_face(face) for face in meld.cards])
    if view.top is not None:
        seen.append(view.top)
    for face in seen:
        rest.remove(face)
    return list(rest.cards())


def _taken(cards: list[int], number: int) -> tuple[int, ...]:
    """So many cards, taken away from the end of the list."""
    left = len(cards) - number
    taken = tuple(cards[left:])
    del cards[left:]
    return taken


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
        contract.ask_next(state)
        if view.seat != view.turn and contract.refuse_claim(state, view.seat) is None:
            state.asked = view.seat
