"""From a seed and the rules to who holds what: the seat draw, the shuffle, the cut and the deal."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from engine.cards import JOKER
from engine.errors import RulesError
from engine.rules import Rules
from engine.seeds import Stream


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand's cards as dealt. Seats count from 0 in the order of play; the first card of `stock` is its top.

    `seed` feeds the later shuffles of the discards.
    """

    number: int
    contract: str
    dealer: int
    hands: tuple[tuple[int, ...], ...]
    upcard: int
    stock: tuple[int, ...]
    seed: str

    @property
    def leader(self) -> int:
        """The seat that plays first, next after the dealer; under `cut = next` also the one who cut (003/1.4)."""
        return (self.dealer + 1) % len(self.hands)


def pack_cards(rules: Rules, players: int, hand: int) -> list[int]:
    """Every card in play in that hand, unshuffled: pack after pack, in each the suits clubs, diamonds, hearts and
    spades, each from the ace to the king; all jokers last."""
    cards = list(range(52)) * rules.packs(players, hand)
    return cards + [JOKER] * rules.jokers(players, hand)


def deal(rules: Rules, players: int, seed: str, hand: int = 1) -> Deal:
    """The deal of that hand (from 1) of the game with that seed; RulesError for a wrong number of players.

    Shuffle and cut come from the stream of the text `SEED/hand/N`: the unshuffled pack is shuffled, and a number
    below its size less one says how many cards after the first are cut away to the bottom. The first card is the
    top. The first hand is dealt by seat 0, each later one by the next seat.
    """
    check_players(rules, players)
    _hand(rules, hand)
    hand_seed = f"{seed}/hand/{hand}"
    cards = pack_cards(rules, players, hand)
    stream = Stream(hand_seed)
    stream.shuffle(cards)
    if rules.table.cut != "none":
        place = 1 + stream.below(len(cards) - 1)
        cards = cards[place:] + cards[:place]
    return deal_cards(rules, players, cards, hand_seed, hand)


def deal_cards(rules: Rules, players: int, cards: Sequence[int], seed: str, hand: int = 1) -> Deal:
    """The deal of these cards, shuffled and cut, from the top: one by one, the dealer last (003/1.4)."""
    contract, size = _hand(rules, hand)
    dealer = (hand - 1) % players
    held: list[list[int]] = [[] for _ in range(players)]
    for place in range(size * players):
        held[(dealer + 1 + place) % players].append(cards[place])
    rest = cards[size * players :]
    return Deal(hand, contract, dealer, tuple(map(tuple, held)), rest[0], tuple(rest[1:]), seed)


def _hand(rules: Rules, number: int) -> tuple[str, int]:
    """The contract and the cards of that hand; RulesError if the game has no such hand."""
    order = rules.contracts.hands.order
    if not 1 <= number <= len(order):
        raise RulesError(f"{rules.id} has no hand {number}", f"its hands are 1 to {len(order)}")
    return order[number - 1]


def check_players(rules: Rules, players: int) -> None:
    """RulesError unless so many may sit at one table."""
    if not rules.players.least <= players <= rules.players.most:
        raise RulesError(
            f"{rules.id} is for {rules.players.least} to {rules.players.most} players at a table, not {players}"
        )


def draw_seats(rules: Rules, players: int, seed: str) -> tuple[int, ...]:
    """The players (0 …) in the order of their seats, the first dealer first (003/1.4).

    One card each: the highest deals, the second highest sits next to him in the order of play, and so on.
    Players with cards of one rank draw again among themselves, and so does who draws a joker; the ace is low
    [A-08].
    """
    stream = Stream(f"{seed}/seats")
    return _drawn(rules, stream, tuple(range(players)), players)


def _drawn(rules: Rules, stream: Stream, group: tuple[int, ...], players: int) -> tuple[int, ...]:
    cards = pack_cards(rules, players, 1)
    ranks: dict[int, int] = {}
    for player in group:
        face = cards.pop(stream.below(len(cards)))
        while face == JOKER:
            face = cards.pop(stream.below(len(cards)))
        ranks[player] = 13 if face % 13 == 0 and rules.table.draw_ace == "high" else face % 13
    sign = 1 if rules.table.first_dealer == "low card" else -1
    order = sorted(group, key=lambda player: (sign * ranks[player], player))
    ties = [tuple(tied) for _, tied in groupby(order, key=lambda player: ranks[player])]
    return tuple(chain(*(tied if len(tied) == 1 else _drawn(rules, stream, tied, players) for tied in ties)))
