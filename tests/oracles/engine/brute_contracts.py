"""A second program for melds, lay-offs, jokers and contracts: brute force that shares only the cards' text.

Cards are texts of two characters, the joker `Jk`; a red two that lies as a wild card is `2h*` or `2d*`. All functions
follow the clauses of the documents literally and use nothing of the engine.
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
    red_twos_wild: bool = False
    distinct: bool = False
    points: tuple[int, ...] = (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
    joker_points: int = 50
    packs: int = 2
    jokers: int = 6

    def worth(self, card: str) -> int:
        """Return the points of the card in a hand."""
        if card == JOKER or (self.red_twos_wild and card in RED_TWOS):
            return self.joker_points
        return self.points[ORDER.index(card[0])]


OFICIAL = Law()


def is_wild(card: str) -> bool:
    """Return whether the card is a joker or a red two laid as a wild card."""
    return card == JOKER or card.endswith("*")


def in_hand(cards: Sequence[str]) -> tuple[str, ...]:
    """Return the cards as they are in a hand: wild red twos without their mark."""
    return tuple(card.rstrip("*") for card in cards)


def rank_of(cards: Sequence[str]) -> str | None:
    """Return the rank of a trio; None for a trio of wild cards."""
    return next((card[0] for card in cards if not is_wild(card)), None)


def is_trio(law: Law, cards: Sequence[str]) -> bool:
    """Return whether the cards are a trio: three or more of one rank, jokers for any of them (003/1.7)."""
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
    """Return whether the cards, in the order given, are a run: consecutive and of one suit (003/1.7)."""
    return run_row(law, cards) is not None


def is_meld(law: Law, kind: str, cards: Sequence[str]) -> bool:
    """Return whether the cards, with their red twos marked, are a trio (T) or a run (E)."""
    return is_trio(law, cards) if kind == "T" else is_run(law, cards)


def as_laid(law: Law, kind: str, cards: Sequence[str]) -> set[tuple[str, ...]]:
    """Return every marking of wild red twos with which the cards are the meld (engine/SILENT.md, 5.7)."""
    choices = [(card, card + "*") if law.red_twos_wild and card in RED_TWOS else (card,) for card in cards]
    return {
        melded
        for melded in product(*choices)
        if is_meld(law, kind, melded) and _red_twos_right(law, kind, cards, melded)
    }


def _red_twos_right(law: Law, kind: str, plain: Sequence[str], melded: tuple[str, ...]) -> bool:
    """Return whether each red two of `plain` is natural or wild in `melded` as section 5.7 requires."""
    row = run_row(law, melded) if kind == "E" else None
    black = any(card in ("2c", "2s") for card in melded)
    for place, (before, after) in enumerate(zip(plain, melded, strict=True)):
        if law.red_twos_wild and before in RED_TWOS:
            natural = black if row is None else row[place] == before
            if (before == after) != natural:
                return False
    return True


def lay_offs(law: Law, kind: str, cards: tuple[str, ...], card: str) -> set[tuple[str, ...]]:
    """Return the melds that adding the card makes: of a trio, or at either end of a run (003/1.8)."""
    melds: set[tuple[str, ...]] = set()
    for low in (False, True) if kind == "E" else (False,):
        natural = (card, *cards) if low else (*cards, card)
        wild = (card + "*", *cards) if low else (*cards, card + "*")
        if not (law.red_twos_wild and card in RED_TWOS):
            melds |= {natural} if is_meld(law, kind, natural) else set()
        elif kind == "T":
            laid = natural if rank_of(cards) == "2" else wild
            melds |= {laid} if is_trio(law, laid) else set()
        else:
            melds |= {natural} if is_run(law, natural) else {wild} if is_run(law, wild) else set()
    return melds


def swaps(law: Law, cards: tuple[str, ...], card: str) -> set[tuple[str, ...]]:
    """Return the runs with the card in a joker's place and the joker at an end of the run (003/1.9)."""
    swapped: set[tuple[str, ...]] = set()
    if not law.swap_stays_in_the_run:
        return swapped
    for place, held in enumerate(cards):
        exchanged = (*cards[:place], card, *cards[place + 1 :])
        if is_wild(held) and not is_wild(card) and is_run(law, exchanged):
            swapped |= {run for run in ((held, *exchanged), (*exchanged, held)) if is_run(law, run)}
    return swapped


def runs_freeing_joker(law: Law, cards: tuple[str, ...], card: str) -> set[tuple[str, ...]]:
    """Return the runs with the card in a joker's place and the joker gone; in 002 only from an end (002/1.9)."""
    remaining: set[tuple[str, ...]] = set()
    for place, held in enumerate(cards):
        exchanged = (*cards[:place], card, *cards[place + 1 :])
        if not law.swaps or not is_wild(held) or is_wild(card) or not is_run(law, exchanged):
            continue
        if place in (0, len(cards) - 1) or not law.only_an_end_leaves:
            remaining.add(exchanged)
    return remaining


def run_orders(law: Law, cards: Sequence[str]) -> bool:
    """Return whether the cards, with each rank once at most, make a run in some order."""
    naturals = [card for card in cards if not is_wild(card)]
    if not naturals or len({card[1] for card in naturals}) > 1 or len(set(naturals)) < len(naturals):
        return False
    line = ORDER * 3 if law.turns_the_corner else ORDER + "A"
    for start in range(13 if law.turns_the_corner else max(0, 15 - len(cards))):
        row = [line[start + i] + naturals[0][1] for i in range(len(cards))]
        filled = []
        unplaced = list(naturals)
        for face in row:
            if face in unplaced:
                unplaced.remove(face)
                filled.append(face)
            else:
                filled.append(JOKER)
        if not unplaced and is_run(law, filled):
            return True
    return False


def meld_masks(law: Law, cards: Sequence[str]) -> dict[str, list[tuple[int, str | None]]]:
    """Return by kind every set of the cards that is a trio, or a run of at most thirteen cards.

    A set is a bit mask of places in `cards`, with the rank of the trio (None: jokers alone) or the suit of the run.
    """
    found: dict[str, set[tuple[int, str | None]]] = {"T": set(), "E": set()}
    groups = [("T", rank, [i for i, card in enumerate(cards) if card[0] == rank and card != JOKER]) for rank in ORDER]
    groups += [("E", suit, [i for i, card in enumerate(cards) if card[1] == suit and card != JOKER]) for suit in SUITS]
    jokers = [i for i, card in enumerate(cards) if card == JOKER or (law.red_twos_wild and card in RED_TWOS)]
    for kind, label, places in groups:
        if kind == "T" and law.red_twos_wild:
            # A red two in a trio may be natural or wild: the set of cards is the same.
            places = [i for i in places if i not in jokers]
        for size in range(len(places) + 1):
            for natural_places in combinations(places, size):
                free = [i for i in jokers if i not in natural_places]
                for wild in range(len(free) + 1):
                    chosen = [cards[i] for i in natural_places] + [JOKER] * wild
                    if is_trio(law, chosen) if kind == "T" else run_orders(law, chosen):
                        for wild_places in combinations(free, wild):
                            mask = sum(1 << i for i in (*natural_places, *wild_places))
                            found[kind].add((mask, label if natural_places else None))
    return {kind: sorted(masks, key=str) for kind, masks in found.items()}


def least_left(law: Law, contract: str, cards: Sequence[str]) -> int | None:
    """Return the fewest points left in the hand by laying the contract; None if it cannot be laid. For small hands."""
    melds = meld_masks(law, cards)
    worth = [law.worth(card) for card in cards]

    @cache
    def rest(place: int, free: int, labels: frozenset[tuple[str, str | None]]) -> int | None:
        if place == len(contract):
            return sum(points for i, points in enumerate(worth) if free >> i & 1)
        kind = contract[place]
        options = [
            rest(place + 1, free & ~mask, (labels | {(kind, label)}) if law.distinct else labels)
            for mask, label in melds[kind]
            if mask & ~free == 0 and (label is None or (kind, label) not in labels)
        ]
        possible = [points for points in options if points is not None]
        return min(possible) if possible else None

    return rest(0, (1 << len(cards)) - 1, frozenset())


def least_left_by_runs(law: Law, runs: int, cards: Sequence[str]) -> int | None:
    """Return the fewest points left in the hand by laying `runs` runs; None if they cannot be laid. For larger hands.

    Runs are laid card by card, suit by suit; the result for each state of cards and jokers is cached.
    """
    found = [_least_left_by_runs(law, runs, reading) for reading in _readings(law, cards)]
    return min([points for points in found if points is not None], default=None)


def _readings(law: Law, cards: Sequence[str]) -> Iterator[list[str]]:
    """Yield the cards with every choice of red twos, where they are wild, replaced by jokers."""
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
    """Return the most points that `runs` runs of a suit cover with `jokers` jokers; None if they cannot be laid."""
    if runs == 0:
        return 0
    places = range(13) if law.turns_the_corner else range(15 - law.run_least)
    options = [_most_from(law, worth, held, runs, jokers, place, 0, 0, False) for place in places]
    return max([points for points in options if points is not None], default=None)


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
    """Return the most points that `runs` runs cover, the first laid as far as `place`; None if it cannot be."""
    options: list[int | None] = []
    if length >= law.run_least and naturals >= law.run_naturals:
        options.append(_most_by_runs(law, worth, held, runs - 1, jokers))
    if length < law.run_most and (law.turns_the_corner or place < 14):
        rank, longer = place % 13, length + 1 if law.run_most < 1000 else min(length + 1, law.run_least)
        next_place = rank + 1 if law.turns_the_corner else place + 1
        if held[rank]:
            rest = (*held[:rank], held[rank] - 1, *held[rank + 1 :])
            fixed_naturals = min(naturals + 1, law.run_naturals)
            points = _most_from(law, worth, rest, runs, jokers, next_place, longer, fixed_naturals, False)
            options.append(None if points is None else points + worth[rank])
        if jokers and (law.jokers_side_by_side or not after_joker):
            points = _most_from(law, worth, held, runs, jokers - 1, next_place, longer, naturals, True)
            options.append(None if points is None else points + law.joker_points)
    return max([points for points in options if points is not None], default=None)


def all_lay_downs(law: Law, contract: str, cards: Sequence[str]) -> Counter[tuple[tuple[str, ...], ...]]:
    """Return every lay-down of melds of minimum size: trios, then runs, both in alphabetical order."""
    held = Counter(cards)
    found: Counter[tuple[tuple[str, ...], ...]] = Counter()
    kinds = sorted(contract, reverse=True)
    options = {"T": list(_least_trios(law, held)), "E": list(_least_runs(law, held))}

    def extend(chosen: tuple[tuple[str, ...], ...]) -> None:
        if len(chosen) == len(kinds):
            key = [sorted(m for m, kind in zip(chosen, kinds, strict=True) if kind == letter) for letter in "TE"]
            found[tuple(key[0] + key[1])] = 1
            return
        kind = kinds[len(chosen)]
        for meld in options[kind]:
            together = Counter(card for laid in (*chosen, meld) for card in in_hand(laid))
            labels = [label(kinds[i], laid) for i, laid in enumerate(chosen)]
            own = label(kind, meld)
            if law.distinct and own is not None and own in labels:
                continue
            if all(held[card] >= number for card, number in together.items()):
                extend((*chosen, meld))

    extend(())
    return found


def label(kind: str, meld: Sequence[str]) -> str | None:
    """Return the kind with the rank of a trio or the suit of a run (`T7`, `Eh`); None for wild cards alone."""
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
            all_wild = all(is_wild(card) for card in cards)
            marked_right = not law.red_twos_wild or cards in as_laid(law, "T", in_hand(cards))
            if _enough(held, cards) and is_trio(law, cards) and marked_right and (rank == "A" or not all_wild):
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
    """Yield every way to take one card from each choice; wild cards are neighbours only where the law allows it."""
    if len(cards) == len(choices):
        yield cards
        return
    for card in choices[len(cards)]:
        if law.jokers_side_by_side or not cards or not (is_wild(card) and is_wild(cards[-1])):
            yield from _filled(law, choices, (*cards, card))


def meets(law: Law, contract: str, cards: Sequence[str]) -> bool:
    """Return whether the cards meet the contract, by trying melds of minimum size."""
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


def unseen_copies(law: Law, cards: Sequence[str]) -> dict[str, int]:
    """Return the number of copies of each card that the packs hold beyond `cards`; cards without one are left out."""
    held = Counter(cards)
    supply = {**dict.fromkeys(NATURALS, law.packs), JOKER: law.jokers}
    return {card: number - held[card] for card, number in supply.items() if number > held[card]}


def completing_cards(law: Law, contract: str, cards: Sequence[str]) -> dict[str, int]:
    """Return the unseen cards any one of which completes the contract, with their numbers of copies."""
    return {card: n for card, n in unseen_copies(law, cards).items() if meets(law, contract, (*cards, card))}
