"""A second opinion on melds, lay-offs, jokers and contracts: brute force that shares only card text.

Cards are the two-character texts, the joker `Jk`; a red two that lies as a wild card is `2h*` or `2d*`.
Everything is written from the clauses of the documents, as naively as they read; nothing here knows how the
engine does it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, pairwise, product

ORDER = "A23456789TJQK"
SUITS = "cdhs"
JOKER = "Jk"
NATURALS = tuple(rank + suit for suit in SUITS for rank in ORDER)
RED_TWOS = ("2d", "2h")


@dataclass(frozen=True)
class Law:
    """The facts that the brute force needs about a rule set; the defaults are document 003's."""

    trio_most: int = 1000
    trio_naturals: int = 0
    run_least: int = 4
    run_most: int = 1000
    run_naturals: int = 1
    turns_the_corner: bool = True
    jokers_side_by_side: bool = False
    swaps: bool = True
    swap_stays_in_the_run: bool = True
    only_an_end_leaves: bool = False
    jokers_move: bool = True
    red_twos_wild: bool = False
    distinct: bool = False
    points: tuple[int, ...] = (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
    joker_points: int = 50
    packs: int = 2
    jokers: int = 6

    def worth(self, card: str) -> int:
        """Return what the card costs in a hand."""
        if card == JOKER or (self.red_twos_wild and card in RED_TWOS):
            return self.joker_points
        return self.points[ORDER.index(card[0])]


OFICIAL = Law()


def is_wild(card: str) -> bool:
    """Return whether the card is in the role of one that stands for any other."""
    return card == JOKER or card.endswith("*")


def in_hand(cards: Sequence[str]) -> tuple[str, ...]:
    """Return the same cards as they are in a hand."""
    return tuple(card.rstrip("*") for card in cards)


def rank_of(cards: Sequence[str]) -> str | None:
    """Return the rank of a trio; None while it is all jokers."""
    return next((card[0] for card in cards if not is_wild(card)), None)


def is_trio(law: Law, cards: Sequence[str]) -> bool:
    """Return whether the cards are three or more of one rank, jokers for any of them (003/1.7)."""
    ranks = [card[0] for card in cards if not is_wild(card)]
    return 3 <= len(cards) <= law.trio_most and len(set(ranks)) <= 1 and len(ranks) >= law.trio_naturals


def run_row(law: Law, cards: Sequence[str]) -> list[str] | None:
    """Return the naturals that the cards of a run, in order, are or stand for; None if it is not a run (003/1.7)."""
    naturals = [card for card in cards if not is_wild(card)]
    if not law.run_least <= len(cards) <= law.run_most or len(naturals) < law.run_naturals:
        return None
    if len({card[1] for card in naturals}) != 1:
        return None
    if not law.jokers_side_by_side and any(is_wild(a) and is_wild(b) for a, b in pairwise(cards)):
        return None
    line = ORDER * 6 if law.turns_the_corner else ORDER + "A"
    for start in range(13) if law.turns_the_corner else range(len(line) - len(cards) + 1):
        row = [line[start + i] + naturals[0][1] for i in range(len(cards))]
        if all(is_wild(card) or card == face for card, face in zip(cards, row, strict=True)):
            return row
    return None


def is_run(law: Law, cards: Sequence[str]) -> bool:
    """Return whether the cards follow one another in one suit, in the order given (003/1.7)."""
    return run_row(law, cards) is not None


def is_meld(law: Law, kind: str, cards: Sequence[str]) -> bool:
    """Return whether the cards, in these roles, are a trio (T) or a run (E)."""
    return is_trio(law, cards) if kind == "T" else is_run(law, cards)


def as_laid(law: Law, kind: str, cards: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the cards in every choice of roles in which they are the meld, red twos as in section 5.7."""
    choices = [(card, card + "*") if law.red_twos_wild and card in RED_TWOS else (card,) for card in cards]
    return {melded for melded in product(*choices) if is_meld(law, kind, melded) and _told(law, kind, cards, melded)}


def _told(law: Law, kind: str, plain: Sequence[str], melded: tuple[str, ...]) -> bool:
    """Return whether each red two that was given a role has the right one."""
    row = run_row(law, melded) if kind == "E" else None
    black = any(card in ("2c", "2s") for card in melded)
    for place, (before, after) in enumerate(zip(plain, melded, strict=True)):
        if law.red_twos_wild and before in RED_TWOS:
            natural = black if row is None else row[place] == before
            if (before == after) != natural:
                return False
    return True


def lay_offs(law: Law, kind: str, cards: tuple[str, ...], card: str) -> set[tuple[str, ...]]:
    """Return what the meld becomes by adding a card: to a trio, or at either end of a run (003/1.8)."""
    found: set[tuple[str, ...]] = set()
    for low in (False, True) if kind == "E" else (False,):
        natural = (card, *cards) if low else (*cards, card)
        wild = (card + "*", *cards) if low else (*cards, card + "*")
        if not (law.red_twos_wild and card in RED_TWOS):
            found |= {natural} if is_meld(law, kind, natural) else set()
        elif kind == "T":
            found |= {natural} if rank_of(cards) == "2" else {wild} if is_trio(law, wild) else set()
        else:
            found |= {natural} if is_run(law, natural) else {wild} if is_run(law, wild) else set()
    return found


def swaps(law: Law, cards: tuple[str, ...], card: str) -> set[tuple[str, ...]]:
    """Return the run with the card in a joker's place and that joker at an end of it (003/1.9)."""
    found: set[tuple[str, ...]] = set()
    if not law.swap_stays_in_the_run:
        return found
    for place, held in enumerate(cards):
        exchanged = (*cards[:place], card, *cards[place + 1 :])
        if is_wild(held) and not is_wild(card) and is_run(law, exchanged):
            found |= {run for run in ((held, *exchanged), (*exchanged, held)) if is_run(law, run)}
    return found


def left_by_joker(law: Law, cards: tuple[str, ...], card: str) -> set[tuple[str, ...]]:
    """Return the run with the card in a joker's place and that joker elsewhere; 002: only from an end (002/1.9)."""
    found: set[tuple[str, ...]] = set()
    for place, held in enumerate(cards):
        exchanged = (*cards[:place], card, *cards[place + 1 :])
        if not law.swaps or not is_wild(held) or is_wild(card) or not is_run(law, exchanged):
            continue
        if place in (0, len(cards) - 1) or not law.only_an_end_leaves:
            found.add(exchanged)
    return found


def moves(law: Law, cards: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return the run with a joker moved from one end to the other (003/1.9)."""
    found: set[tuple[str, ...]] = set()
    if law.jokers_move and is_wild(cards[0]):
        found.add((*cards[1:], cards[0]))
    if law.jokers_move and is_wild(cards[-1]):
        found.add((cards[-1], *cards[:-1]))
    return {run for run in found if is_run(law, run)}


def run_orders(law: Law, cards: Sequence[str]) -> bool:
    """Return whether these cards (no rank twice) make a run in some order."""
    naturals = [card for card in cards if not is_wild(card)]
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


def meld_masks(law: Law, cards: Sequence[str]) -> dict[str, list[tuple[int, str | None]]]:
    """Return every set of these cards (bits by place) that is a trio, or a run of at most thirteen cards.

    Beside each stands its rank (None: jokers alone) or its suit.
    """
    found: dict[str, set[tuple[int, str | None]]] = {"T": set(), "E": set()}
    groups = [("T", rank, [i for i, card in enumerate(cards) if card[0] == rank and card != JOKER]) for rank in ORDER]
    groups += [("E", suit, [i for i, card in enumerate(cards) if card[1] == suit and card != JOKER]) for suit in SUITS]
    jokers = [i for i, card in enumerate(cards) if card == JOKER or (law.red_twos_wild and card in RED_TWOS)]
    for kind, label, places in groups:
        if kind == "T" and law.red_twos_wild:
            places = [i for i in places if i not in jokers]  # in the set of a trio their role does not matter
        for size in range(len(places) + 1):
            for some in combinations(places, size):
                free = [i for i in jokers if i not in some]
                for wild in range(len(free) + 1):
                    chosen = [cards[i] for i in some] + [JOKER] * wild
                    if is_trio(law, chosen) if kind == "T" else run_orders(law, chosen):
                        for those in combinations(free, wild):
                            found[kind].add((sum(1 << i for i in (*some, *those)), label if some else None))
    return {kind: sorted(masks, key=str) for kind, masks in found.items()}


def least_left(law: Law, contract: str, cards: Sequence[str]) -> int | None:
    """Return the least points left over by laying the contract; None if it cannot be laid. For small hands."""
    melds = meld_masks(law, cards)
    worth = [law.worth(card) for card in cards]

    @cache
    def rest(place: int, free: int, labels: frozenset[tuple[str, str | None]]) -> int | None:
        if place == len(contract):
            return sum(points for i, points in enumerate(worth) if free >> i & 1)
        kind = contract[place]
        found = [
            rest(place + 1, free & ~mask, (labels | {(kind, label)}) if law.distinct else labels)
            for mask, label in melds[kind]
            if mask & ~free == 0 and (label is None or (kind, label) not in labels)
        ]
        some = [points for points in found if points is not None]
        return min(some) if some else None

    return rest(0, (1 << len(cards)) - 1, frozenset())


def least_left_by_runs(law: Law, runs: int, cards: Sequence[str]) -> int | None:
    """Return the least points left over by laying so many runs; None if they cannot be laid. For larger hands.

    Runs are laid card by card, suit after suit, and the best for each state of cards and jokers is remembered.
    """
    found = [_least_left_by_runs(law, runs, reading) for reading in _readings(law, cards)]
    return min([points for points in found if points is not None], default=None)


def _readings(law: Law, cards: Sequence[str]) -> Iterator[list[str]]:
    """Yield the cards with each red two as it is or, where they are wild, as a joker."""
    choices = [(card, JOKER) if law.red_twos_wild and card in RED_TWOS else (card,) for card in cards]
    yield from map(list, {tuple(sorted(chosen)) for chosen in product(*choices)})


def _least_left_by_runs(law: Law, runs: int, cards: Sequence[str]) -> int | None:
    total, jokers = sum(law.worth(card) for card in cards), cards.count(JOKER)
    best = {(0, 0): 0}
    for suit in SUITS:
        held = tuple(cards.count(rank + suit) for rank in ORDER)
        worth = tuple(law.worth(rank + suit) for rank in ORDER)
        after: dict[tuple[int, int], int] = {}
        for (laid, used), points in best.items():
            for more in range(min(runs - laid, 1 if law.distinct else runs) + 1):
                for wild in range(jokers - used + 1):
                    covered = _most_by_runs(law, worth, held, more, wild)
                    key = (laid + more, used + wild)
                    if covered is not None and after.get(key, -1) < points + covered:
                        after[key] = points + covered
        best = after
    covered_by_all = [points for (laid, _), points in best.items() if laid == runs]
    return total - max(covered_by_all) if covered_by_all else None


@lru_cache(maxsize=500_000)
def _most_by_runs(law: Law, worth: tuple[int, ...], held: tuple[int, ...], runs: int, jokers: int) -> int | None:
    """Return the most points that so many runs of a suit cover, with no more jokers; None if there are too few."""
    if runs == 0:
        return 0
    places = range(13) if law.turns_the_corner else range(15 - law.run_least)
    found = [_most_from(law, worth, held, runs, jokers, place, 0, 0, False) for place in places]
    return max([points for points in found if points is not None], default=None)


@lru_cache(maxsize=500_000)
def _most_from(
    law: Law,
    worth: tuple[int, ...],
    held: tuple[int, ...],
    runs: int,
    jokers: int,
    place: int,
    length: int,
    naturals: int,
    after_joker: bool,
) -> int | None:
    """Return the most points of so many runs, the first laid up to this place; None if there are too few."""
    found: list[int | None] = []
    if length >= law.run_least and naturals >= law.run_naturals:
        found.append(_most_by_runs(law, worth, held, runs - 1, jokers))
    if length < law.run_most and (law.turns_the_corner or place < 14):
        rank, longer = place % 13, length + 1 if law.run_most < 1000 else min(length + 1, law.run_least)
        ahead = rank + 1 if law.turns_the_corner else place + 1
        if held[rank]:
            rest = (*held[:rank], held[rank] - 1, *held[rank + 1 :])
            enough = min(naturals + 1, law.run_naturals)
            points = _most_from(law, worth, rest, runs, jokers, ahead, longer, enough, False)
            found.append(None if points is None else points + worth[rank])
        if jokers and (law.jokers_side_by_side or not after_joker):
            points = _most_from(law, worth, held, runs, jokers - 1, ahead, longer, naturals, True)
            found.append(None if points is None else points + law.joker_points)
    return max([points for points in found if points is not None], default=None)


def all_lay_downs(law: Law, contract: str, cards: Sequence[str]) -> Counter[tuple[tuple[str, ...], ...]]:
    """Return every lay-down of melds of minimum size, as text; melds of one kind in ascending order of text."""
    held = Counter(cards)
    found: Counter[tuple[tuple[str, ...], ...]] = Counter()
    wanted = sorted(contract, reverse=True)
    options = {"T": list(_least_trios(law, held)), "E": list(_least_runs(law, held))}

    def extend(chosen: tuple[tuple[str, ...], ...]) -> None:
        if len(chosen) == len(wanted):
            key = [sorted(m for m, kind in zip(chosen, wanted, strict=True) if kind == one) for one in "TE"]
            found[tuple(key[0] + key[1])] = 1
            return
        kind = wanted[len(chosen)]
        for meld in options[kind]:
            together = Counter(card for one in (*chosen, meld) for card in in_hand(one))
            alike = [label(wanted[i], one) for i, one in enumerate(chosen)]
            own = label(kind, meld)
            if law.distinct and own is not None and own in alike:
                continue
            if all(held[card] >= number for card, number in together.items()):
                extend((*chosen, meld))

    extend(())
    return found


def label(kind: str, meld: Sequence[str]) -> str | None:
    """Return a trio's rank, or a run's suit; None for jokers alone."""
    naturals = [card for card in meld if not is_wild(card)]
    return None if not naturals else kind + (naturals[0][0] if kind == "T" else naturals[0][1])


def _wilds(law: Law, held: Counter[str]) -> list[str]:
    twos = [card + "*" for card in RED_TWOS if law.red_twos_wild and held[card]]
    return [*([JOKER] if held[JOKER] else []), *twos]


def _enough(held: Counter[str], cards: Sequence[str]) -> bool:
    return all(held[card] >= number for card, number in Counter(in_hand(cards)).items())


def _least_trios(law: Law, held: Counter[str]) -> Iterator[tuple[str, ...]]:
    for rank in ORDER:
        naturals = [rank + suit for suit in SUITS if held[rank + suit]]
        for cards in combinations_with_replacement([*naturals, *_wilds(law, held)], 3):
            lone = all(is_wild(card) for card in cards)
            right = not law.red_twos_wild or cards in as_laid(law, "T", in_hand(cards))
            if _enough(held, cards) and is_trio(law, cards) and right and (rank == "A" or not lone):
                yield cards


def _least_runs(law: Law, held: Counter[str]) -> Iterator[tuple[str, ...]]:
    wilds = _wilds(law, held)
    for suit in SUITS:
        for start in range(13):
            row = [(ORDER * 2)[start + i] + suit for i in range(law.run_least)]
            choices = [[wild for wild in wilds if wild != face + "*"] + [face] * (held[face] > 0) for face in row]
            for cards in _filled(law, choices, ()):
                if _enough(held, cards) and run_row(law, cards) == row:
                    yield cards


def _filled(law: Law, choices: list[list[str]], cards: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield one card from each choice; where jokers may not stand side by side, none are tried so."""
    if len(cards) == len(choices):
        yield cards
        return
    for card in choices[len(cards)]:
        if law.jokers_side_by_side or not cards or not (is_wild(card) and is_wild(cards[-1])):
            yield from _filled(law, choices, (*cards, card))


def meets(law: Law, contract: str, cards: Sequence[str]) -> bool:
    """Return whether the cards alone meet the contract, by trying melds of the smallest size."""
    return _meets(law, "".join(sorted(contract)), tuple(sorted(cards)), frozenset())


@lru_cache(maxsize=200_000)
def _meets(law: Law, contract: str, cards: tuple[str, ...], labels: frozenset[str | None]) -> bool:
    if not contract:
        return True
    if len(cards) < sum(law.run_least if kind == "E" else 3 for kind in contract):
        return False
    held = Counter(cards)
    for meld in _least_runs(law, held) if contract[0] == "E" else _least_trios(law, held):
        own = label(contract[0], meld)
        if own is not None and own in labels:
            continue
        rest = tuple(sorted((held - Counter(in_hand(meld))).elements()))
        if _meets(law, contract[1:], rest, labels | {own} if law.distinct else labels):
            return True
    return False


def unseen(law: Law, cards: Sequence[str]) -> dict[str, int]:
    """Return how many copies of each card the packs hold beyond these."""
    held = Counter(cards)
    supply = {**dict.fromkeys(NATURALS, law.packs), JOKER: law.jokers}
    return {card: number - held[card] for card, number in supply.items() if number > held[card]}


def helpers(law: Law, contract: str, cards: Sequence[str]) -> dict[str, int]:
    """Return the unseen cards any one of which completes the contract."""
    return {card: n for card, n in unseen(law, cards).items() if meets(law, contract, (*cards, card))}


def short(law: Law, contract: str, cards: Sequence[str], most: int) -> int:
    """Return how many cards the hand is short, or most + 1 if that is more than `most`, by trying every addition."""
    if meets(law, contract, cards):
        return 0
    if most == 0:
        return 1
    return 1 + min(short(law, contract, (*cards, card), most - 1) for card in unseen(law, cards))
