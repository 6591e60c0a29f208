"""Hands for random play: contracts already in the cards, jokers and cards that fit beside them.

Uniform deals seldom lay down and almost never move a joker; these do both all the time.
"""

from random import Random

from engine.cards import JOKER, Faces
from engine.deal import Deal, pack_cards
from engine.hand import Hand
from engine.rules import Rules
from tests.engine.table import OFICIAL


def _take(pool: Faces, faces: list[int]) -> list[int] | None:
    """These cards out of the pool, or nothing if it lacks one."""
    if not pool.holds(faces):
        return None
    for face in faces:
        pool.remove(face)
    return faces


def _trio(rng: Random, pool: Faces) -> list[int] | None:
    rank, size = rng.randrange(13), rng.choice((3, 3, 3, 4))
    return _take(pool, [JOKER if rng.random() < 0.2 else rank + 13 * rng.randrange(4) for _ in range(size)])


def _run(rng: Random, pool: Faces) -> list[int] | None:
    """A run, half of the time with a joker at an end or inside, and the card that it stands for."""
    first, start, size = 13 * rng.randrange(4), rng.randrange(13), rng.choice((4, 4, 4, 5, 6))
    faces = [first + (start + place) % 13 for place in range(size)]
    if rng.random() < 0.6:
        place = rng.choice((0, 0, size - 1, size - 1, rng.randrange(size)))
        replaced, faces[place] = faces[place], JOKER
        if rng.random() < 0.5:
            faces.append(replaced)
    if rng.random() < 0.3:
        faces.append(first + (start + size) % 13)
    return _take(pool, faces)


def _hand(rng: Random, pool: Faces, contract: str) -> list[int]:
    """Cards that hold the contract, if a few tries find them, and up to two more."""
    cards: list[int] = []
    for kind in contract:
        for _ in range(30):
            found = _trio(rng, pool) if kind == "T" else _run(rng, pool)
            if found is not None:
                cards += found
                break
    for _ in range(rng.choice((0, 0, 0, 1, 2)) if cards else 5):
        cards += _take(pool, [rng.choice(pool.cards())]) or []
    return cards


def built(seed: str, players: int, rules: Rules = OFICIAL) -> Hand:
    """A hand of any contract, any seat dealing, in which most seats can lay down.

    In most hands play is well on: most of the stock lies under the top discard, and some shuffles are used.
    """
    rng = Random(seed)
    order = rules.contracts.hands.order
    number = rng.randrange(1, len(order) + 1)
    pool = Faces(pack_cards(rules, players, number))
    contract = order[number - 1][0]
    hands = tuple(tuple(_hand(rng, pool, contract if rng.random() < 0.85 else "")) for _ in range(players))
    rest = list(pool.cards())
    rng.shuffle(rest)
    if rng.random() < 0.8:  # jokers on top fit nearly everywhere: hands are closed with every card placed
        rest.sort(key=lambda face: face != JOKER)
    share = rules.contracts.stock.penalty_share
    split = len(rest) - (0 if share is None else len(rest) // share)
    stocks = (tuple(rest[1:split]), seed, tuple(rest[split:]))
    dealt = Deal(number, contract, rng.randrange(players), hands, rest[0], *stocks)
    hand = Hand(rules, dealt, tuple(rng.randrange(-20, 200) for _ in range(players)))
    if rng.random() < 0.85:
        _play_on(hand, rng)
    return hand


def _play_on(hand: Hand, rng: Random) -> None:
    """Puts most of the stock under the first upcard, as if it had been drawn and thrown."""
    state = hand._state
    left = rng.choice((1, 1, 1, 1, 3))
    state.pile = [*state.stock[left:], *state.pile]
    state.stock = state.stock[:left]
    if state.penalty:
        fewer = rng.choice((0, 1, 3))
        state.pile = [*state.penalty[fewer:], *state.pile]
        state.penalty = state.penalty[:fewer]
    state.shuffles = rng.choice((0, 1, 1, 2))
