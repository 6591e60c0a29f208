"""What one seat may know of a hand."""

from dataclasses import dataclass

from engine.cards import Faces
from engine.copies import copied_by_fields
from engine.melds import Meld
from engine.rules import Rules
from engine.state import Phase, State


@dataclass(frozen=True, slots=True)
class View:
    """The hand as one seat sees it; seats count from 0 in the order of play.

    `hand` is a copy of the seat's own cards, `sizes` how many each holds (one may ask: 003/1.5), `known` the
    cards that everybody saw enter each hand and not leave it. `top` is the only visible discard (003/1.5; None
    when there is none, or when it closed the hand and lies face down), `fresh` whether it may still be taken.
    `stock` and `penalty` are the sizes of the stocks, `down` says who has laid down, `claims` how often each has
    claimed.
    Nothing in a view depends on a card that the seat has not seen.
    """

    rules: Rules
    number: int
    contract: str
    seat: int
    dealer: int
    turn: int
    phase: Phase
    hand: Faces
    sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    melds: tuple[Meld, ...]
    owners: tuple[int, ...]
    top: int | None
    fresh: bool
    pile: int
    stock: int
    penalty: int
    shuffles: int
    down: tuple[bool, ...]
    claims: tuple[int, ...]
    totals: tuple[int, ...]


copied_by_fields(View)


def view(state: State, seat: int, totals: tuple[int, ...]) -> View:
    """What that seat may know of the state."""
    return View(
        state.rules,
        state.deal.number,
        state.deal.contract,
        seat,
        state.deal.dealer,
        state.turn,
        state.phase,
        state.hands[seat].copy(),
        tuple([len(hand) for hand in state.hands]),
        tuple([hand.cards() for hand in state.known]),
        tuple(state.melds),
        tuple(state.owners),
        state.visible_discard(),
        state.fresh,
        len(state.pile),
        len(state.stock),
        len(state.penalty),
        state.shuffles,
        tuple([turn > 0 for turn in state.down]),
        tuple(state.claims),
        totals,
    )
