"""A second program for deals and points, written from the documentation and sharing no code with the engine."""

import hashlib
from collections.abc import Iterator
from itertools import count

SIZES = (7, 8, 9, 10, 11, 12, 13)


def words(seed: str) -> Iterator[int]:
    """Yield the 32-bit big-endian words of SHA-256 of `SEED#0`, `SEED#1`, …"""
    for block in count():
        digest = hashlib.sha256(f"{seed}#{block}".encode()).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(digest[place : place + 4], "big")


def below(stream: Iterator[int], bound: int) -> int:
    """Return the first word under the largest multiple of the bound, modulo the bound."""
    return next(word for word in stream if word < 2**32 // bound * bound) % bound


def shuffled(seed: str, cards: list[int], stream: Iterator[int] | None = None) -> list[int]:
    """Return the cards shuffled by Fisher and Yates, from the last place down."""
    source, cards = stream or words(seed), list(cards)
    for last in range(len(cards) - 1, 0, -1):
        other = below(source, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def pack() -> list[int]:
    """Return two packs, clubs to spades, ace to king, then six jokers."""
    return [13 * suit + rank for _ in range(2) for suit in range(4) for rank in range(13)] + [52] * 6


def dealt(seed: str, players: int, number: int) -> tuple[list[list[int]], int, list[int]]:
    """Return the hands by seat, the upcard, and the stock from its top."""
    stream = words(f"{seed}/hand/{number}")
    cards = shuffled("", pack(), stream)
    away = 1 + below(stream, len(cards) - 1)
    cards = cards[away:] + cards[:away]
    hands: list[list[int]] = [[] for _ in range(players)]
    for place in range(SIZES[number - 1] * players):
        hands[(number + place) % players].append(cards.pop(0))
    return hands, cards[0], cards[1:]


def value(face: int) -> int:
    """Return a card's points: joker 50, ace 20, ten to king 10, others their number."""
    return 50 if face == 52 else 20 if face % 13 == 0 else min(face % 13 + 1, 10)
