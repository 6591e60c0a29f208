"""A view: what one seat may know of a hand."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import Faces
from engine.melds import Meld
from engine.rules import Rules
from engine.state import Phase, State

_BYTE: Final = 255
FIELDS: Final = (
    "rules",
    "number",
    "contract",
    "seat",
    "dealer",
    "turn",
    "phase",
    "hand",
    "_sizes",
    "_shown",
    "melds",
    "owners",
    "top",
    "fresh",
    "pile",
    "stock",
    "penalty",
    "shuffles",
    "laid",
    "claims",
    "totals",
    "turns",
)
"""The fields of a view, in the order of its constructor."""


def packed_sizes(hands: list[Faces]) -> i64:
    """Return the sizes of the hands in one integer, a byte each, the first hand lowest; few callers unpack them."""
    sizes: i64 = 0
    seat: i64 = len(hands) - 1
    while seat >= 0:
        sizes = sizes << 8 | len(hands[seat])
        seat -= 1
    return sizes


@final
@mypyc_attr(acyclic=True, free_list_len=1)
class View:
    """The hand as one seat sees it; seats count from 0 in the order of play.

    `hand` is a copy of the seat's own cards, to be read only: views of the same cards share it. `top` is the only
    visible discard (003/1.5; None if there is none, or if it closed the hand and lies face down), `fresh` says whether
    it may still be taken. `stock`, `penalty` and `pile` are the sizes of stocks and discard pile, `laid` says in
    which turn of the hand each seat laid down (0: not yet), `claims` how often each has claimed, `turns` how many turns
    there have been, this one included. Nothing in a view depends on a card that the seat has not seen, and nothing in
    it changes when play continues.
    """

    __slots__ = FIELDS

    # A dataclass would generate this: a view is made for every decision, and a compiled dataclass is slower.
    def __init__(
        self,
        rules: Rules,
        number: int,
        contract: str,
        seat: int,
        dealer: int,
        turn: int,
        phase: Phase,
        hand: Faces,
        sizes: i64,
        shown: tuple[Faces, ...],
        melds: tuple[Meld, ...],
        owners: tuple[int, ...],
        top: int | None,
        fresh: bool,
        pile: int,
        stock: int,
        penalty: int,
        shuffles: int,
        laid: tuple[int, ...],
        claims: tuple[int, ...],
        totals: tuple[int, ...],
        turns: int,
    ) -> None:
        self.rules: Final = rules
        self.number: Final = number
        self.contract: Final = contract
        self.seat: Final = seat
        self.dealer: Final = dealer
        self.turn: Final = turn
        self.phase: Final = phase
        self.hand: Final = hand
        self._sizes: Final = sizes
        self._shown: Final = shown
        self.melds: Final = melds
        self.owners: Final = owners
        self.top: Final = top
        self.fresh: Final = fresh
        self.pile: Final = pile
        self.stock: Final = stock
        self.penalty: Final = penalty
        self.shuffles: Final = shuffles
        self.laid: Final = laid
        self.claims: Final = claims
        self.totals: Final = totals
        self.turns: Final = turns

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return how many cards each seat holds (a player may ask: 003/1.5)."""
        rest, sizes = self._sizes, []
        for _seat in self.laid:
            sizes.append(int(rest & _BYTE))
            rest >>= 8
        return tuple(sizes)

    @property
    def down(self) -> tuple[bool, ...]:
        """Return, by seat, whether the player has laid down."""
        return tuple([turn > 0 for turn in self.laid])

    @property
    def known(self) -> tuple[tuple[int, ...], ...]:
        """Return, by seat, the cards that everybody saw enter the hand and not leave it."""
        return tuple([cards.cards() for cards in self._shown])

    def _fields(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in FIELDS])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._fields() == other._fields()

    def __hash__(self) -> int:
        raise TypeError("a view has a hand, and Faces change")

    def __repr__(self) -> str:
        return f"View{self._fields()}"

    def __reduce__(self) -> tuple[type["View"], tuple[object, ...]]:
        return View, self._fields()


@final
@mypyc_attr(acyclic=True)
class HandViews:
    """The views of one hand. Successive views share the copy of a seat's cards while these do not change."""

    __slots__ = ("_hands", "_state")

    def __init__(self, state: State) -> None:
        self._state: Final = state
        self._hands: list[Faces] = [Faces()] * state.players

    def view(self, seat: int, totals: tuple[int, ...]) -> View:
        """Return what the seat may know now."""
        state = self._state
        deal = state.deal
        return View(
            state.rules,
            deal.number,
            deal.contract,
            seat,
            deal.dealer,
            state.turn,
            state.phase,
            self._hand(seat),
            packed_sizes(state.hands),
            state.known,
            state.melds,
            state.owners,
            state.visible_discard(),
            state.fresh,
            len(state.pile),
            len(state.stock),
            len(state.penalty),
            state.shuffles,
            state.down,
            state.claims,
            totals,
            state.turns,
        )

    def _hand(self, seat: int) -> Faces:
        """Return a copy of the seat's cards: the last one, if they have not changed."""
        copied, held = self._hands[seat], self._state.hands[seat]
        if not copied.same(held):
            copied = self._hands[seat] = held.copy()
        return copied
