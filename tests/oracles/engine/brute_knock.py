"""A second program for the knock game's lays and points, by trying everything; it shares only the card text."""

from collections.abc import Sequence
from functools import cache

ORDER = "A23456789TJQK"
CAUGHT = {"A": 15, "T": 10, "J": 10, "Q": 10, "K": 10, **{str(number): number for number in range(2, 10)}}


def value(card: str, ace: int = 15) -> int:
    """Return the points of a dead card (001/1.2): figures 10, a joker 20, an ace as given, others their index."""
    if card == "Jk":
        return 20
    return ace if card[0] == "A" else CAUGHT[card[0]]


def is_lay(cards: Sequence[str]) -> bool:
    """Return whether the cards are a lay.

    A lay is three or more of one rank, or three or more consecutive of one suit; jokers are wild, one natural at least.
    """
    naturals = [card for card in cards if card != "Jk"]
    if len(cards) < 3 or not naturals:
        return False
    if len({card[0] for card in naturals}) == 1:
        return True
    if len({card[1] for card in naturals}) > 1 or len(cards) > 14:
        return False
    line = ORDER + "A"
    for first in range(len(line) - len(cards) + 1):
        places = list(line[first : first + len(cards)])
        for card in naturals:
            if card[0] not in places:
                break
            places.remove(card[0])
        else:
            return True
    return False


def least(hand: str, ace: int = 15) -> int:
    """Return the least points that any division of the hand into lays and dead cards leaves."""
    cards = hand.split()
    lays = [mask for mask in range(1, 1 << len(cards)) if mask.bit_count() > 2 and is_lay(_picked(cards, mask))]

    @cache
    def left(mask: int) -> int:
        if not mask:
            return 0
        low = mask & -mask
        found = left(mask ^ low) + value(cards[low.bit_length() - 1], ace)
        for lay in lays:
            if lay & low and lay & mask == lay:
                found = min(found, left(mask ^ lay))
        return found

    return left((1 << len(cards)) - 1)


def _picked(cards: Sequence[str], mask: int) -> list[str]:
    return [card for place, card in enumerate(cards) if mask >> place & 1]
