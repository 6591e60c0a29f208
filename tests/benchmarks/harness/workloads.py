"""Make random hands for the solver from a seed, the same on every machine."""

import random
from dataclasses import dataclass
from typing import Literal

from engine import solver
from engine.cards import JOKER, Faces
from engine.rules import Rules, load_rules

Kind = Literal["random", "near", "feasible"]
KINDS: tuple[Kind, ...] = ("random", "near", "feasible")
PACKS, JOKERS = 2, 6
"""The packs and jokers of `oficial`."""


@dataclass(frozen=True, slots=True)
class Question:
    """A hand, its kind, and the contract that the solver is to lay down."""

    kind: Kind
    contract: str
    hand: Faces


def solver_workload(seed: int, each: int = 100) -> list[Question]:
    """Return `each` hands of each kind for each of the seven contracts of `oficial`, shuffled.

    A hand has the cards that are dealt for its contract and a drawn one. A random hand is dealt from the two packs; a
    feasible hand has the melds of the contract and random cards; a near hand lacks one or two cards of the melds.
    """
    rng = random.Random(seed)
    rules = load_rules("oficial")
    questions = [
        Question(kind, contract, _hand(rng, rules, kind, contract, dealt + 1))
        for contract, dealt in rules.contracts.hands.order
        for kind in KINDS
        for _ in range(each)
    ]
    rng.shuffle(questions)
    return questions


def _hand(rng: random.Random, rules: Rules, kind: Kind, contract: str, size: int) -> Faces:
    if kind == "random":
        return Faces(rng.sample(_pack(), size))
    while True:
        short = rng.choice((1, 2)) if kind == "near" else 0
        hand = Faces(_with_melds(rng, contract, size, short))
        if solver.distance(rules, contract, hand, PACKS, JOKERS) == short:
            return hand


def _with_melds(rng: random.Random, contract: str, size: int, short: int) -> list[int]:
    """Return a hand of `size` cards: melds of the contract without `short` of their cards, and random cards."""
    pack = _pack()
    rng.shuffle(pack)
    melds: list[int] = []
    for kind in contract:
        suit, rank = rng.randrange(4), rng.randrange(13)
        trio = [13 * any_suit + rank for any_suit in rng.choices(range(4), k=3)]
        run = [13 * suit + (rank + offset) % 13 for offset in range(4)]
        melds += trio if kind == "T" else run
    rng.shuffle(melds)
    cards: list[int] = []
    for needed in melds[short:]:
        card = needed if needed in pack and rng.random() > 0.1 else JOKER
        if card in pack:
            pack.remove(card)
            cards.append(card)
    return cards + pack[: size - len(cards)]


def _pack() -> list[int]:
    return [*range(52)] * PACKS + [JOKER] * JOKERS
