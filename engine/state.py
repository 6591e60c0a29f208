"""The mutable state of one hand; the package `tourney` sees it only through `Hand` and views."""

from collections.abc import Callable
from enum import IntEnum
from typing import Final, TypeVar, final

from mypy_extensions import mypyc_attr

from engine.cards import JOKER, Faces, card_text, held_face
from engine.deal import Deal, pack_cards
from engine.melds import Meld
from engine.rules import Rules
from engine.rules.cached_rules import CachedRules, cached_rules
from engine.scoring import KnockEnding
from engine.seeds import Stream


class Phase(IntEnum):
    """The kind of action that is awaited: a draw, an answer to an offered discard, a play, or none."""

    DRAW = 0
    CLAIM = 1
    PLAY = 2
    OVER = 3


DRAW: Final = Phase.DRAW
CLAIM: Final = Phase.CLAIM
PLAY: Final = Phase.PLAY
OVER: Final = Phase.OVER
"""The phases as constants: faster than members of their class."""

Item = TypeVar("Item")


def replaced(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    """Return the items with `item` at the index `place`."""
    changed = list(items)
    changed[place] = item
    return tuple(changed)


@final
@mypyc_attr(acyclic=True)
class UndoPoint:
    """The melds and the player's hand before a lay-down; taking the lay-down back restores them (003/1.8).

    `known` are the cards of that hand that everybody knows. A plain class is faster here than a dataclass.
    """

    __slots__ = ("hand", "known", "melds", "owners")

    def __init__(self, melds: tuple[Meld, ...], owners: tuple[int, ...], hand: Faces, known: Faces) -> None:
        self.melds: Final = melds
        self.owners: Final = owners
        self.hand: Final = hand
        self.known: Final = known

    def _fields(self) -> tuple[object, ...]:
        return self.melds, self.owners, self.hand, self.known

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UndoPoint) and self._fields() == other._fields()

    def __hash__(self) -> int:
        raise TypeError("it has hands, and Faces change")

    def __reduce__(self) -> tuple[type["UndoPoint"], tuple[object, ...]]:
        return UndoPoint, self._fields()


@final
class State:
    """One hand in play. Seats count from 0 in the order of play; the tops of stocks and pile are last.

    Hands, stocks and pile, which change with nearly every action, are changed in place. Public values, which seldom
    change, are tuples that are replaced as a whole, so that views and copies share them.

    `penalty` is the penalty stock, empty where there is one stock. `fresh` says whether the top discard may still be
    taken, `taken` which discard this turn began with (-1: none), `known` which cards everybody saw enter each hand
    and not leave it, `down` in which turn each seat laid down (0: not yet), `seen_tables` the earlier melds of this
    turn, `empty_draws` how many turns in a row began without a card to draw, `ending` how a knock hand ended.
    """

    __slots__ = (
        "_cached",
        "all_placed",
        "asked",
        "claims",
        "closer",
        "deal",
        "discarder",
        "down",
        "empty_draws",
        "ending",
        "fresh",
        "hands",
        "kind",
        "known",
        "melds",
        "owners",
        "penalty",
        "phase",
        "pile",
        "players",
        "rules",
        "seen_tables",
        "shuffles",
        "stock",
        "taken",
        "turn",
        "turns",
        "undo_point",
    )

    def __init__(self, rules: Rules, deal: Deal) -> None:
        self.rules = rules
        self.kind = rules.kind
        self._cached = cached_rules(rules) if rules.kind == "contract" else None
        self.deal = deal
        self.players = len(deal.hands)
        self.hands = [Faces(cards) for cards in deal.hands]
        self.known: tuple[Faces, ...] = tuple([Faces() for _ in deal.hands])
        self.stock = list(reversed(deal.stock))
        self.penalty = list(reversed(deal.penalty))
        self.pile = [] if deal.upcard is None else [deal.upcard]
        self.fresh = True
        self.taken = -1
        self.discarder = -1
        self.melds: tuple[Meld, ...] = ()
        self.owners: tuple[int, ...] = ()
        self.down: tuple[int, ...] = (0,) * self.players
        self.claims: tuple[int, ...] = (0,) * self.players
        self.shuffles = 0
        self.empty_draws = 0
        self.turn = deal.leader
        self.turns = 1
        self.asked = -1
        self.phase: Phase = DRAW
        self.undo_point: UndoPoint | None = None
        self.seen_tables: list[tuple[Meld, ...]] = []
        self.closer = -1
        self.all_placed = False
        self.ending: KnockEnding | None = None

    @property
    def cached(self) -> CachedRules:
        """Return the cached rules of a contract hand; knock hands have none."""
        assert self._cached is not None
        return self._cached

    @property
    def actor(self) -> int:
        """Return the seat that acts now: the one asked for its claim, or the one in turn."""
        return self.asked if self.phase is CLAIM else self.turn

    def can_draw(self) -> bool:
        """Return whether a stock can give a card, if need be after a shuffle of all discards but the top one [A-09]."""
        if self.stock or self.penalty:
            return True
        return self.shuffles < self.rules.shuffles and len(self.pile) > 1

    def visible_discard(self) -> int | None:
        """Return the top discard; None without one, or if it closed the hand: it lies face down (003/1.5)."""
        face_down = self.closer >= 0 and not self.all_placed
        return None if face_down or not self.pile else self.pile[-1]

    def draw(self) -> int:
        """Take and return the top card of the stock, or of the penalty stock if the stock is empty.

        If both are empty, the discards under the top one are shuffled first, into one common stock [A-09].
        """
        if not self.stock and not self.penalty:
            self.reshuffle(self.pile[:-1])
            self.pile = self.pile[-1:]
        return (self.stock or self.penalty).pop()

    def draw_penalty(self) -> int:
        """Take and return the penalty card of a claim, from the penalty stock where there is one.

        The claimed discard has been taken, so all discards left may be shuffled for it (engine/SILENT.md, 5.8).
        """
        if not self.stock and not self.penalty:
            self.reshuffle(self.pile)
            self.pile = []
        if self.cached.claim_penalty == "penalty stock":
            return (self.penalty or self.stock).pop()
        return (self.stock or self.penalty).pop()

    def reshuffle(self, cards: list[int]) -> None:
        """Make these discards the new stock, shuffled by the deal's seed."""
        self.shuffles += 1
        Stream(f"{self.deal.seed}/shuffle/{self.shuffles}").shuffle(cards)
        self.stock = cards

    def show(self, seat: int, face: int) -> None:
        """Put a card into a hand, seen by everybody."""
        self.hands[seat].add(face)
        known = self.known[seat].copy()
        known.add(face)
        self.known = replaced(self.known, seat, known)

    def lose(self, seat: int, face: int) -> None:
        """Remove a card from a hand."""
        self.hands[seat].remove(face)
        if face in self.known[seat]:
            known = self.known[seat].copy()
            known.remove(face)
            self.known = replaced(self.known, seat, known)

    def clone(self) -> "State":
        """Return an independent copy; frozen parts are shared."""
        copied = State(self.rules, self.deal)
        copied.hands = [hand.copy() for hand in self.hands]
        copied.known = self.known
        copied.stock = self.stock.copy()
        copied.penalty = self.penalty.copy()
        copied.pile = self.pile.copy()
        copied.fresh = self.fresh
        copied.taken = self.taken
        copied.discarder = self.discarder
        copied.melds = self.melds
        copied.owners = self.owners
        copied.down = self.down
        copied.claims = self.claims
        copied.shuffles = self.shuffles
        copied.empty_draws = self.empty_draws
        copied.turn = self.turn
        copied.turns = self.turns
        copied.asked = self.asked
        copied.phase = self.phase
        copied.undo_point = self.undo_point
        copied.seen_tables = self.seen_tables.copy()
        copied.closer = self.closer
        copied.all_placed = self.all_placed
        copied.ending = self.ending
        return copied

    def __reduce__(self) -> tuple[Callable[[Rules, Deal, tuple[object, ...]], "State"], tuple[object, ...]]:
        return restored_state, (self.rules, self.deal, tuple([getattr(self, name) for name in _CHANGING]))


_CHANGING: Final = (
    "all_placed",
    "asked",
    "claims",
    "closer",
    "discarder",
    "down",
    "empty_draws",
    "ending",
    "fresh",
    "hands",
    "known",
    "melds",
    "owners",
    "penalty",
    "phase",
    "pile",
    "seen_tables",
    "shuffles",
    "stock",
    "taken",
    "turn",
    "turns",
    "undo_point",
)
"""The fields of a state that play changes; the others follow from rules and deal."""


def restored_state(rules: Rules, deal: Deal, values: tuple[object, ...]) -> State:
    """Return the state of this deal with these values of the fields that play changes, as a pickle has them."""
    state = State(rules, deal)
    for name, value in zip(_CHANGING, values, strict=True):
        setattr(state, name, value)
    return state


def check_invariants(state: State) -> list[str]:
    """Return what is inconsistent in a state, as sentences; empty if nothing is."""
    faults: list[str] = []
    in_play = sorted(pack_cards(state.rules, state.players, state.deal.number))
    cards = state.stock + state.penalty + state.pile
    for hand in state.hands:
        cards.extend(hand.cards())
    for meld in state.melds:
        cards.extend(map(held_face, meld.cards))
    if sorted(cards) != in_play:
        lost = [card_text(face) for face in range(JOKER + 1) if cards.count(face) != in_play.count(face)]
        faults.append(f"cards are not conserved: {' '.join(lost)}")
    for seat, (hand, known) in enumerate(zip(state.hands, state.known, strict=True)):
        if not hand.holds(known.cards()):
            faults.append(f"seat {seat} is known to hold cards that it does not hold")
    if len(state.melds) != len(state.owners):
        faults.append(f"there are {len(state.melds)} melds and {len(state.owners)} owners")
    return faults
