"""Positions: all that decides which actions are legal, as plain values, without a card hidden from the acting seat."""

from dataclasses import dataclass

from engine.cards import JOKER, Faces
from engine.deal import Deal
from engine.melds import Kind, Meld
from engine.rules import Rules
from engine.state import Phase, State, UndoPoint

Laid = tuple[Kind, tuple[int, ...]]
"""A meld on the table: its kind and its cards in order."""


@dataclass(frozen=True, slots=True)
class Position:
    """A hand as the seat that acts now sees it, with what only a referee remembers of the turn.

    The fields are those of `engine.state.State`; `hand` has the seat's own cards, `stock`, `penalty` and `pile` are
    sizes, `top` is the top discard, and `undo` has the melds, their owners and the seat's cards before its lay-down.
    """

    number: int
    contract: str
    dealer: int
    seat: int
    players: int
    hand: tuple[int, ...]
    stock: int
    penalty: int
    pile: int
    top: int
    fresh: bool
    taken: int
    discarder: int
    melds: tuple[Laid, ...]
    owners: tuple[int, ...]
    down: tuple[int, ...]
    claims: tuple[int, ...]
    shuffles: int
    empty_draws: int
    turn: int
    turns: int
    phase: int
    undo: tuple[tuple[Laid, ...], tuple[int, ...], tuple[int, ...]] | None
    seen_tables: tuple[tuple[Laid, ...], ...]


def position_of(state: State) -> Position:
    """Return the position of the seat that acts now."""
    seat, undo = state.actor, state.undo_point
    return Position(
        number=state.deal.number,
        contract=state.deal.contract,
        dealer=state.deal.dealer,
        seat=seat,
        players=state.players,
        hand=state.hands[seat].cards(),
        stock=len(state.stock),
        penalty=len(state.penalty),
        pile=len(state.pile),
        top=state.pile[-1] if state.pile else -1,
        fresh=state.fresh,
        taken=state.taken,
        discarder=state.discarder,
        melds=_laid(state.melds),
        owners=state.owners,
        down=state.down,
        claims=state.claims,
        shuffles=state.shuffles,
        empty_draws=state.empty_draws,
        turn=state.turn,
        turns=state.turns,
        phase=int(state.phase),
        undo=None if undo is None else (_laid(undo.melds), undo.owners, undo.hand.cards()),
        seen_tables=tuple([_laid(table) for table in state.seen_tables]),
    )


def state_at(rules: Rules, position: Position) -> State:
    """Return a state in which the same actions are legal; every hidden card is blank.

    The hands of others are empty, and stocks and covered discards are jokers: such a state judges, and is never played.
    """
    blank = ((JOKER,),) * position.players
    state = State(rules, Deal(position.number, position.contract, position.dealer, blank, None, (), ""))
    state.hands = [Faces(position.hand if seat == position.seat else ()) for seat in range(position.players)]
    state.stock = [JOKER] * position.stock
    state.penalty = [JOKER] * position.penalty
    state.pile = [*[JOKER] * (position.pile - 1), position.top] if position.pile else []
    state.fresh = position.fresh
    state.taken = position.taken
    state.discarder = position.discarder
    state.melds = _melds(position.melds)
    state.owners = position.owners
    state.down = position.down
    state.claims = position.claims
    state.shuffles = position.shuffles
    state.empty_draws = position.empty_draws
    state.turn = position.turn
    state.turns = position.turns
    state.phase = Phase(position.phase)
    state.asked = position.seat if state.phase == Phase.CLAIM else -1
    if position.undo is not None:
        melds, owners, hand = position.undo
        state.undo_point = UndoPoint(_melds(melds), owners, Faces(hand), Faces())
    state.seen_tables = [_melds(table) for table in position.seen_tables]
    return state


def _laid(melds: tuple[Meld, ...]) -> tuple[Laid, ...]:
    return tuple([(meld.kind, meld.cards) for meld in melds])


def _melds(laid: tuple[Laid, ...]) -> tuple[Meld, ...]:
    return tuple([Meld(kind, cards) for kind, cards in laid])
