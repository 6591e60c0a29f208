"""A second program for deals and points, written from the documentation and sharing no code with the engine."""

import hashlib
from collections.abc import Iterator
from itertools import count

CARDS_DEALT = (7, 8, 9, 10, 11, 12, 13)
"""The number of cards that each player is dealt, hand by hand."""


def words(seed: str) -> Iterator[int]:
    """Yield the 32-bit big-endian words of SHA-256 of `SEED#0`, `SEED#1`, …"""
    for block in count():
        digest = hashlib.sha256(f"{seed}#{block}".encode()).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(digest[place : place + 4], "big")


def below(stream: Iterator[int], bound: int) -> int:
    """Return, modulo `bound`, the first word of the stream that is below the largest multiple of `bound` in 32 bits."""
    return next(word for word in stream if word < 2**32 // bound * bound) % bound


def shuffled(seed: str, cards: list[int], stream: Iterator[int] | None = None) -> list[int]:
    """Return the cards after a Fisher-Yates shuffle from the last place down; numbers come from `stream`, or `seed`."""
    source, cards = stream or words(seed), list(cards)
    for last in range(len(cards) - 1, 0, -1):
        other = below(source, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def pack() -> list[int]:
    """Return two packs of faces 0 to 51 (clubs to spades, ace to king), then six jokers (52)."""
    return [13 * suit + rank for _ in range(2) for suit in range(4) for rank in range(13)] + [52] * 6


def dealt(seed: str, players: int, number: int) -> tuple[list[list[int]], int, list[int]]:
    """Return the hands by seat, the upcard, and the stock from its top."""
    stream = words(f"{seed}/hand/{number}")
    cards = shuffled("", pack(), stream)
    cut = 1 + below(stream, len(cards) - 1)
    cards = cards[cut:] + cards[:cut]
    hands: list[list[int]] = [[] for _ in range(players)]
    for place in range(CARDS_DEALT[number - 1] * players):
        hands[(number + place) % players].append(cards.pop(0))
    return hands, cards[0], cards[1:]


def value(face: int) -> int:
    """Return the points of a face: joker 50, ace 20, ten to king 10, others their rank."""
    return 50 if face == 52 else 20 if face % 13 == 0 else min(face % 13 + 1, 10)
