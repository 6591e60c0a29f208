"""A second opinion on melds, lay-offs, jokers and contracts: brute force that shares only card text.

Cards are the two-character texts, the joker `Jk`. Everything is written from the clauses of the documents,
as naively as they read; nothing here knows how the engine does it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement

ORDER = "A23456789TJQK"
SUITS = "cdhs"
JOKER = "Jk"
NATURALS = tuple(rank + suit for suit in SUITS for rank in ORDER)


@dataclass(frozen=True)
class Law:
    """What the brute force must know of a rule set; the defaults are document 003's."""

    trio_naturals: int = 0
    run_least: int = 4
    run_most: int = 1000
    run_naturals: int = 0
    turns_the_corner: bool = True
    jokers_side_by_side: bool = False
    points: tuple[int, ...] = (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
    joker_points: int = 50
    packs: int = 2
    jokers: int = 6

    def worth(self, card: str) -> int:
        """What the card costs in a hand."""
        return self.joker_points if card == JOKER else self.points[ORDER.index(card[0])]


OFICIAL = Law()


def is_trio(law: Law, cards: Sequence[str]) -> bool:
    """Three or more of one rank, jokers for any of them (003/1.7)."""
    ranks = [card[0] for card in cards if card != JOKER]
    return len(cards) >= 3 and len(set(ranks)) <= 1 and len(ranks) >= law.trio_naturals


def is_run(law: Law, cards: Sequence[str]) -> bool:
    """Cards that follow one another in one suit, in the order given (003/1.7)."""
    naturals = [card for card in cards if card != JOKER]
    if not law.run_least <= len(cards) <= law.run_most or len(naturals) < max(1, law.run_naturals):
        return False
    if len({card[1] for card in naturals}) != 1:
        return False
    if not law.jokers_side_by_side and any(cards[i] == cards[i + 1] == JOKER for i in range(len(cards) - 1)):
        return False
    line = ORDER * 6 if law.turns_the_corner else ORDER + "A"
    starts = range(13) if law.turns_the_corner else range(len(line) - len(cards) + 1)
    return any(
        all(card in (JOKER, line[start + i] + naturals[0][1]) for i, card in enumerate(cards)) for start in starts
    )


def is_meld(law: Law, kind: str, cards: Sequence[str]) -> bool:
    """Whether the cards are a trio (T) or a run (E)."""
    return is_trio(law, cards) if kind == "T" else is_run(law, cards)


def lay_offs(law: Law, kind: str, cards: tuple[str, ...], card: str) -> set[tuple[str, ...]]:
    """What the meld becomes by adding a card: to a trio, or at either end of a run (003/1.8)."""
    if kind == "T":
        longer = (*cards, card)
        return {longer} if is_trio(law, longer) else set()
    return {longer for longer in ((card, *cards), (*cards, card)) if is_run(law, longer)}


def swaps(law: Law, cards: tuple[str, ...], card: str) -> set[tuple[str, ...]]:
    """The card takes the place of a joker of the run, which goes to an end of it (003/1.9)."""
    found: set[tuple[str, ...]] = set()
    for place, held in enumerate(cards):
        exchanged = (*cards[:place], card, *cards[place + 1 :])
        if held == JOKER and card != JOKER and is_run(law, exchanged):
            found |= lay_offs(law, "E", exchanged, JOKER)
    return found


def moves(law: Law, cards: tuple[str, ...]) -> set[tuple[str, ...]]:
    """A joker goes from one end of the run to the other (003/1.9)."""
    found: set[tuple[str, ...]] = set()
    if cards[0] == JOKER:
        found.add((*cards[1:], JOKER))
    if cards[-1] == JOKER:
        found.add((JOKER, *cards[:-1]))
    return {run for run in found if is_run(law, run)}


def run_orders(law: Law, cards: Sequence[str]) -> bool:
    """Whether these cards (no rank twice) make a run in some order."""
    naturals = [card for card in cards if card != JOKER]
    if not naturals or len({card[1] for card in naturals}) > 1 or len(set(naturals)) < len(naturals):
        return False
    line = ORDER * 3 if law.turns_the_corner else ORDER + "A"
    for start in range(13 if law.turns_the_corner else max(0, 15 - len(cards))):
        row = [line[start + i] + naturals[0][1] for i in range(len(cards))]
        filled = []
        left = list(naturals)
        for face in row:
            if face in left:
                left.remove(face)
                filled.append(face)
            else:
                filled.append(JOKER)
        if not left and is_run(law, filled):
            return True
    return False


def meld_masks(law: Law, cards: Sequence[str]) -> dict[str, list[int]]:
    """Every set of these cards (bits by place) that is a trio, or a run of at most thirteen cards."""
    jokers = [i for i, card in enumerate(cards) if card == JOKER]
    found: dict[str, set[int]] = {"T": set(), "E": set()}
    groups = [("T", [i for i, card in enumerate(cards) if card != JOKER and card[0] == rank]) for rank in ORDER]
    groups += [("E", [i for i, card in enumerate(cards) if card != JOKER and card[1] == suit]) for suit in SUITS]
    for kind, places in groups:
        for size in range(len(places) + 1):
            for some in combinations(places, size):
                for wild in range(len(jokers) + 1):
                    chosen = [cards[i] for i in some] + [JOKER] * wild
                    fits = is_trio(law, chosen) if kind == "T" else run_orders(law, chosen)
                    if fits:
                        naturals = sum(1 << i for i in some)
                        for those in combinations(jokers, wild):
                            found[kind].add(naturals | sum(1 << i for i in those))
    return {kind: sorted(masks) for kind, masks in found.items()}


def least_left(law: Law, contract: str, cards: Sequence[str]) -> int | None:
    """The least points left over by laying the contract; None if it cannot be laid. For small hands."""
    melds = meld_masks(law, cards)
    worth = [law.worth(card) for card in cards]

    @cache
    def rest(place: int, free: int) -> int | None:
        if place == len(contract):
            return sum(points for i, points in enumerate(worth) if free >> i & 1)
        found = [rest(place + 1, free & ~mask) for mask in melds[contract[place]] if mask & ~free == 0]
        some = [points for points in found if points is not None]
        return min(some) if some else None

    return rest(0, (1 << len(cards)) - 1)


def all_lay_downs(law: Law, contract: str, cards: Sequence[str]) -> Counter[tuple[tuple[str, ...], ...]]:
    """Every lay-down of melds of the least size, as text; melds of one kind in ascending order of text."""
    held = Counter(cards)
    found: Counter[tuple[tuple[str, ...], ...]] = Counter()
    wanted = sorted(contract, reverse=True)
    options = {"T": list(_least_trios(law, held)), "E": list(_least_runs(law, held))}

    def extend(chosen: tuple[tuple[str, ...], ...]) -> None:
        if len(chosen) == len(wanted):
            key = [sorted(m for m, kind in zip(chosen, wanted, strict=True) if kind == one) for one in "TE"]
            found[tuple(key[0] + key[1])] = 1
            return
        for meld in options[wanted[len(chosen)]]:
            together = Counter(card for one in (*chosen, meld) for card in one)
            if all(held[card] >= number for card, number in together.items()):
                extend((*chosen, meld))

    extend(())
    return found


def _least_trios(law: Law, held: Counter[str]) -> Iterator[tuple[str, ...]]:
    for rank in ORDER:
        for cards in combinations_with_replacement([rank + suit for suit in SUITS] + [JOKER], 3):
            enough = all(held[card] >= number for card, number in Counter(cards).items())
            if enough and is_trio(law, cards) and (rank == "A" or set(cards) != {JOKER}):
                yield cards


def _least_runs(law: Law, held: Counter[str]) -> Iterator[tuple[str, ...]]:
    for suit in SUITS:
        for start in range(13):
            row = [(ORDER * 2)[start + i] + suit for i in range(law.run_least)]
            for wild in range(1 << law.run_least):
                cards = tuple(JOKER if wild >> i & 1 else face for i, face in enumerate(row))
                enough = cards.count(JOKER) <= held[JOKER] and all(held[card] for card in cards)
                if enough and is_run(law, cards):
                    yield cards


def meets(law: Law, contract: str, cards: Sequence[str]) -> bool:
    """Whether the cards alone meet the contract, by trying melds of the least size."""
    return _meets(law, "".join(sorted(contract)), tuple(sorted(cards)))


@lru_cache(maxsize=200_000)
def _meets(law: Law, contract: str, cards: tuple[str, ...]) -> bool:
    if not contract:
        return True
    if len(cards) < sum(law.run_least if kind == "E" else 3 for kind in contract):
        return False
    held = Counter(cards)
    options = _least_runs(law, held) if contract[0] == "E" else _least_trios(law, held)
    return any(_meets(law, contract[1:], tuple(sorted((held - Counter(meld)).elements()))) for meld in options)


def unseen(law: Law, cards: Sequence[str]) -> dict[str, int]:
    """How many copies of each card the packs hold beyond these."""
    held = Counter(cards)
    supply = {**dict.fromkeys(NATURALS, law.packs), JOKER: law.jokers}
    return {card: number - held[card] for card, number in supply.items() if number > held[card]}


def helpers(law: Law, contract: str, cards: Sequence[str]) -> dict[str, int]:
    """The unseen cards any one of which completes the contract."""
    return {card: n for card, n in unseen(law, cards).items() if meets(law, contract, (*cards, card))}


def short(law: Law, contract: str, cards: Sequence[str], most: int) -> int:
    """How many cards the hand is short; most + 1 if that is more than `most`. Tries every addition."""
    if meets(law, contract, cards):
        return 0
    if most == 0:
        return 1
    return 1 + min(short(law, contract, (*cards, card), most - 1) for card in unseen(law, cards))
