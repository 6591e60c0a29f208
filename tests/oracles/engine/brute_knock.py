"""A second program for the knock game's melds and points: brute force that shares only the cards' text."""

from collections.abc import Iterator, Sequence
from functools import cache

ORDER = "A23456789TJQK"
POINTS = {"A": 15, "T": 10, "J": 10, "Q": 10, "K": 10, **{str(number): number for number in range(2, 10)}}


def value(card: str, ace: int = 15) -> int:
    """Return the points of a dead card (001/1.2): court cards 10, a joker 20, an ace `ace`, others their rank."""
    if card == "Jk":
        return 20
    return ace if card[0] == "A" else POINTS[card[0]]


def is_meld(cards: Sequence[str]) -> bool:
    """Return whether the cards are a meld: three or more of one rank, or consecutive of one suit.

    Jokers are wild, but one card must be a natural.
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


def least_deadwood(hand: str, ace: int = 15) -> int:
    """Return the fewest points of dead cards in any division of the hand, a text, into melds and dead cards."""
    cards = hand.split()
    melds = [mask for mask in _candidates(cards) if mask.bit_count() > 2 and is_meld(_picked(cards, mask))]

    @cache
    def fewest_points(mask: int) -> int:
        if not mask:
            return 0
        first = mask & -mask
        fewest = fewest_points(mask ^ first) + value(cards[first.bit_length() - 1], ace)
        for meld in melds:
            if meld & first and meld & mask == meld:
                fewest = min(fewest, fewest_points(mask ^ meld))
        return fewest

    return fewest_points((1 << len(cards)) - 1)


def _candidates(cards: Sequence[str]) -> set[int]:
    """Return every set of cards, as the bits of a number, whose naturals share a rank or a suit, as those of a meld."""
    signs = {sign for card in cards if card != "Jk" for sign in card}
    groups = [[sign in card or card == "Jk" for card in cards] for sign in signs]
    masks = (sum(1 << place for place, picked in enumerate(group) if picked) for group in groups)
    return {subset for mask in masks for subset in _subsets(mask)}


def _subsets(mask: int) -> Iterator[int]:
    """Yield every set of bits of the mask but the empty one."""
    subset = mask
    while subset:
        yield subset
        subset = (subset - 1) & mask


def _picked(cards: Sequence[str], mask: int) -> list[str]:
    return [card for place, card in enumerate(cards) if mask >> place & 1]
