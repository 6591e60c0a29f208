"""The deal, from a seed and the rules: the seat draw, the shuffle, the cut, and the cards of every seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Final

from engine.build import pickle_by_fields
from engine.cards import JOKER
from engine.errors import RulesError
from engine.rules import Rules
from engine.seeds import Stream
from engine.text import message


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand's cards as dealt. Seats count from 0 in the order of play; the first card of `stock` is its top.

    `seed` feeds the later shuffles of the discards. `upcard` is None where no card is turned; `penalty` is the penalty
    stock where there are two stocks; players who are out of the game have no cards.
    """

    number: int
    contract: str
    dealer: int
    hands: tuple[tuple[int, ...], ...]
    upcard: int | None
    stock: tuple[int, ...]
    seed: str
    penalty: tuple[int, ...] = ()

    @property
    def leader(self) -> int:
        """Return the seat that plays first, the one after the dealer; under `cut = "next"` it also cuts (003/1.4)."""
        return self.next_seat(self.dealer)

    def next_seat(self, seat: int) -> int:
        """Return the next seat in the order of play that was dealt cards (003/1.4)."""
        seats = len(self.hands)
        return next(other % seats for other in range(seat + 1, seat + seats + 1) if self.hands[other % seats])


pickle_by_fields(Deal)


_SUPPLY: Final[dict[tuple[str, int, int], tuple[int, int]]] = {}


def supply(rules: Rules, players: int, number: int) -> tuple[int, int]:
    """Return the packs and the jokers in play in hand `number` (from 1), cached."""
    key = (rules.digest, players, number)
    packs_and_jokers = _SUPPLY.get(key)
    if packs_and_jokers is None:
        packs_and_jokers = _SUPPLY[key] = (rules.packs(players, number), rules.jokers(players, number))
    return packs_and_jokers


def pack_cards(rules: Rules, players: int, hand: int) -> list[int]:
    """Return every card in play in hand `hand` (from 1), unshuffled.

    The packs follow each other. Each has clubs, diamonds, hearts and spades, each suit from the ace to the king; all
    jokers come last.
    """
    packs, jokers = supply(rules, players, hand)
    return list(range(52)) * packs + [JOKER] * jokers


def deal(rules: Rules, players: int, seed: str, hand: int = 1) -> Deal:
    """Return the deal of hand `hand` (from 1) of the game with this seed; RulesError for a wrong number of players.

    Shuffle and cut come from the stream of the text `SEED/hand/N`: the pack is shuffled, then cut: a random number n
    below its size less one moves the top n + 1 cards to the bottom. The first card is the top. Seat 0 deals the first
    hand, the next seat each later one.
    """
    check_players(rules, players)
    _contract_and_size(rules, hand)
    hand_seed = f"{seed}/hand/{hand}"
    return deal_cards(rules, players, shuffled_pack(rules, players, hand_seed, hand), hand_seed, hand)


def shuffled_pack(rules: Rules, players: int, hand_seed: str, hand: int) -> list[int]:
    """Return the pack of the hand, shuffled and cut by the stream of `hand_seed`; the first card is the top."""
    cards = pack_cards(rules, players, hand)
    stream = Stream(hand_seed)
    stream.shuffle(cards)
    if rules.table.cut != "none":
        cut = 1 + stream.below(len(cards) - 1)
        cards = cards[cut:] + cards[:cut]
    return cards


def deal_cards(rules: Rules, players: int, cards: Sequence[int], seed: str, hand: int = 1) -> Deal:
    """Return the deal of these cards, shuffled and cut: one by one from the top, the dealer last (003/1.4).

    Of two stocks, the penalty stock is the lower part of the cards not dealt [A-09].
    """
    contract, size = _contract_and_size(rules, hand)
    dealer = (hand - 1) % players
    dealt = size * players
    held = [tuple(cards[(seat - dealer - 1) % players : dealt : players]) for seat in range(players)]
    rest = list(cards[dealt:])
    share = rules.contracts.stock.penalty_share
    split = len(rest) - (0 if share is None else len(rest) // share)
    stock, penalty = rest[:split], rest[split:]
    upcard = _turn_upcard(rules, stock, seed)
    return Deal(hand, contract, dealer, tuple(held), upcard, tuple(stock), seed, tuple(penalty))


def _turn_upcard(rules: Rules, stock: list[int], seed: str) -> int | None:
    """Turn the first upcard from the stock and return it; None where the rules turn none.

    Where a joker is not allowed, it goes back, the stock is shuffled by the stream of the text `SEED/upcard/N` (N
    counts from 1), and the next card is turned (engine/SILENT.md, 5.9); if only jokers are left, one stays.
    """
    upcard_rule = rules.contracts.stock.upcard
    if upcard_rule == "none":
        return None
    tries = 0
    while upcard_rule == "no joker" and stock[0] == JOKER and any(face != JOKER for face in stock):
        tries += 1
        Stream(f"{seed}/upcard/{tries}").shuffle(stock)
    return stock.pop(0)


def _contract_and_size(rules: Rules, number: int) -> tuple[str, int]:
    """Return the contract of hand `number` and its cards per player; RulesError if the game has no such hand."""
    order = rules.contracts.hands.order
    if not 1 <= number <= len(order):
        raise RulesError(
            "{rules} has no hand {number}",
            message("its hands are 1 to {order}", order=len(order)),
            rules=rules.id,
            number=number,
        )
    return order[number - 1]


def check_players(rules: Rules, players: int) -> None:
    """Raise RulesError unless the rules allow this number of players at one table."""
    if not rules.players.least <= players <= rules.players.most:
        raise RulesError(
            "{rules} is for {least} to {most} players at a table, not {players}",
            rules=rules.id,
            least=rules.players.least,
            most=rules.players.most,
            players=players,
        )


def draw_seats(rules: Rules, players: int, seed: str) -> tuple[int, ...]:
    """Return the players (0 …) in the order of their seats, the first dealer first (1.4).

    Where seats are drawn, each player draws one card: the highest deals, the second highest sits next in the order of
    play, and so on. Otherwise the players keep their order; one drawn card each (the highest deals, or the lowest where
    `first_dealer` is "low card"), or a random number, decides who deals first. Players with cards of one rank draw
    again among themselves, and so does a player who draws a joker. The ace is low unless `draw_ace` is "high" [A-08].
    """
    return _seat_draw(rules, players, seed)[0]


def seat_cards(rules: Rules, players: int, seed: str) -> tuple[tuple[int, ...], ...]:
    """Return the cards that each player (0 …) draws in `draw_seats`, in order; none where no cards are drawn.

    A player has several: a joker is drawn again, and so are cards of one rank.
    """
    return tuple([tuple(cards) for cards in _seat_draw(rules, players, seed)[1]])


def _seat_draw(rules: Rules, players: int, seed: str) -> tuple[tuple[int, ...], list[list[int]]]:
    """Return the players in the order of their seats, and the cards that each has drawn (1.4)."""
    stream, seats, table = Stream(f"{seed}/seats"), tuple(range(players)), rules.table
    drawn: list[list[int]] = [[] for _ in range(players)]
    if table.first_dealer == "random":
        first = stream.below(players)
    elif table.seat_draw == "high card":
        first, seats = 0, _draw_for_seats(rules, stream, seats, drawn)
    else:
        first = _draw_for_seats(rules, stream, seats, drawn)[0]
    return seats[first:] + seats[:first], drawn


def _draw_for_seats(rules: Rules, stream: Stream, group: tuple[int, ...], drawn: list[list[int]]) -> tuple[int, ...]:
    """Return the players of the group by the ranks that they draw (1.4); each card is added to those `drawn`.

    Jokers and cards of one rank are drawn again; the ace is high only where the rules say so [A-08].
    """
    cards = pack_cards(rules, len(drawn), 1)
    ranks: dict[int, int] = {}
    for player in group:
        face = cards.pop(stream.below(len(cards)))
        drawn[player].append(face)
        while face == JOKER:
            face = cards.pop(stream.below(len(cards)))
            drawn[player].append(face)
        ranks[player] = 13 if face % 13 == 0 and rules.table.draw_ace == "high" else face % 13
    sign = 1 if rules.table.first_dealer == "low card" else -1
    order = sorted(group, key=lambda player: (sign * ranks[player], player))
    ties = [tuple(tied) for _, tied in groupby(order, key=lambda player: ranks[player])]
    return tuple(chain(*(tied if len(tied) == 1 else _draw_for_seats(rules, stream, tied, drawn) for tied in ties)))
