"""Make legal and illegal actions for the tests of legality."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from engine.actions import (
    CLAIM,
    CLOSE,
    DISCARDS,
    DRAW_DISCARD,
    DRAW_STOCK,
    PASS,
    TAKE_BACK,
    Action,
    CloseHolding,
    Discard,
    LayDown,
    LayOff,
    MoveJoker,
    SwapJoker,
)
from engine.cards import JOKER, WILD_TWOS
from engine.hand import Hand
from engine.melds import Meld
from engine.solver.minimal_melds import LayDowns
from engine.view import View
from tests.harness.engine.positions import OFICIAL

NO_CARD = 60
"""A number that is no face: a program could put it into an action."""
ONE_WORD_ACTIONS = (DRAW_STOCK, DRAW_DISCARD, CLAIM, PASS, TAKE_BACK, CLOSE)


def attempts(rng: Random, hand: Hand) -> list[Action]:
    """Return a few actions of every kind, legal or not, most with cards of the hand and melds of the table."""
    view = hand.view(hand.actor)
    cards = view.hand.cards() or (JOKER,)
    melds = len(view.melds)
    tried: list[Action] = [
        rng.choice(ONE_WORD_ACTIONS),
        rng.choice(ONE_WORD_ACTIONS),
        DISCARDS[rng.choice((JOKER, rng.randrange(52)))],
        TAKE_BACK,
        CLOSE,
    ]
    tried += [CloseHolding(rng.choice(cards)), DRAW_STOCK, rng.choice((Discard(NO_CARD), LayOff(NO_CARD, 0)))]
    tried += [LayOff(rng.choice(cards), rng.randrange(melds + 1), rng.randrange(2)) for _ in range(3)]
    tried.append(LayOff(rng.randrange(53), rng.randrange(melds + 1), rng.randrange(2)))
    tried += [_swap(rng, view, cards) for _ in range(4)]
    tried += [_move(rng, view) for _ in range(5)]
    tried += [_lay_down(rng, view, cards) for _ in range(1 if view.down[view.seat] else 10)]
    if view.rules.contracts.laying.distinct == "yes" and not view.down[view.seat]:
        tried += map(LayDown, islice(LayDowns(OFICIAL, view.contract, view.hand), 5))
    return tried


def near_misses(rng: Random, hand: Hand, listed: Sequence[Action]) -> list[Action]:
    """Return listed joker actions with another target: a random end of a random meld."""
    melds = len(hand.view(0).melds)
    with_jokers = [action for action in listed if isinstance(action, SwapJoker | MoveJoker)]
    chosen = rng.sample(with_jokers, min(4, len(with_jokers)))
    return [_aimed(action, rng.randrange(melds), rng.randrange(2)) for action in chosen for _ in range(2)]


def _aimed(action: SwapJoker | MoveJoker, target: int, end: int) -> Action:
    """Return the action with the meld `target` and its `end` as the joker's new place."""
    if isinstance(action, SwapJoker):
        return SwapJoker(action.face, action.meld, action.place, target, end)
    return MoveJoker(action.meld, action.origin, target, end)


def _swap(rng: Random, view: View, cards: tuple[int, ...]) -> SwapJoker:
    """Return an exchange, mostly of a joker on the table, often for the card that it stands for in a run."""
    meld, place, face = rng.randrange(len(view.melds) + 1), rng.randrange(5), rng.choice(cards)
    jokers = [
        (number, spot)
        for number, laid in enumerate(view.melds)
        for spot, card in enumerate(laid.cards)
        if card >= JOKER
    ]
    if jokers and rng.random() < 0.8:
        meld, place = rng.choice(jokers)
        run = view.melds[meld].cards
        naturals = [spot for spot, card in enumerate(run) if card < JOKER]
        if naturals and rng.random() < 0.8:
            first = run[naturals[0]]
            face = first - first % 13 + (first % 13 + place - naturals[0]) % 13
    return SwapJoker(face, meld, place, rng.randrange(len(view.melds) + 1), rng.randrange(2))


def _move(rng: Random, view: View) -> MoveJoker:
    """Return a joker move, mostly from an end of a run that has a joker."""
    melds = view.melds
    end_jokers = [
        (number, end)
        for number, laid in enumerate(melds)
        for end in (0, 1)
        if laid.kind == "E" and laid.cards[-end] >= JOKER
    ]
    meld, origin = rng.randrange(len(melds) + 1), rng.randrange(2)
    if end_jokers and rng.random() < 0.8:
        meld, origin = rng.choice(end_jokers)
    target = meld if rng.random() < 0.5 else rng.randrange(len(melds) + 1)
    return MoveJoker(meld, origin, target, rng.randrange(2))


def _lay_down(rng: Random, view: View, cards: tuple[int, ...]) -> LayDown:
    """Return a lay-down of one group for each meld of the contract, most of them with a fault."""
    melds = [_group(rng, kind) for kind in view.contract]
    fault = rng.randrange(4)
    if fault == 0:
        melds.pop()
    elif fault == 1:
        melds[rng.randrange(len(melds))] = Meld(
            rng.choice(("T", "E")), tuple(rng.choices(cards, k=rng.randrange(1, 5)))
        )
    return LayDown(tuple(melds))


def _group(rng: Random, kind: str) -> Meld:
    """Return a trio or a run, more often than not with a fault."""
    first, start = 13 * rng.randrange(4), rng.randrange(13)
    if kind == "T":
        faces = [13 * suit + start for suit in rng.sample(range(4), 3)]
        faulty = (faces[:2], [*faces, (faces[0] + 1) % 52], [JOKER] * 3, [*faces, JOKER], [*faces, WILD_TWOS[0]])
        return Meld("T", tuple(rng.choice(faulty) if rng.random() < 0.6 else faces))
    ring = [first + (start + place) % 13 for place in range(14)]
    faces = ring[:4]
    faulty = (
        faces[:3],
        [JOKER] * 4,
        [*faces[:3], (faces[3] + 13) % 52],
        [faces[0], JOKER, JOKER, faces[3]],
        [faces[1], faces[0], *faces[2:]],
        [first + 11, first + 12, first, first + 1],
        ring[:5],
        ring,
    )
    return Meld("E", tuple(rng.choice(faulty) if rng.random() < 0.8 else faces))


def everything(rng: Random, hand: Hand) -> Iterator[Action]:
    """Yield every action, except lay-downs, that could be written at this table; exchanges offer few cards not held."""
    view = hand.view(hand.actor)
    faces = {*view.hand.distinct(), JOKER, rng.randrange(52), rng.randrange(52)}
    yield from ONE_WORD_ACTIONS
    yield from DISCARDS
    yield from map(CloseHolding, range(53))
    melds = range(len(view.melds) + 1)
    for face in range(53):
        for meld in melds:
            yield LayOff(face, meld, 0)
            yield LayOff(face, meld, 1)
    for meld in melds:
        for target in melds:
            for ends in range(4):
                yield MoveJoker(meld, ends // 2, target, ends % 2)
    for meld, laid in enumerate(view.melds):
        for place in range(len(laid.cards) + 1):
            if place < len(laid.cards) and laid.cards[place] < JOKER and place > 1:
                continue  # one natural beyond the second card is like any other
            for face in faces:
                for target in melds:
                    yield SwapJoker(face, meld, place, target, 0)
                    yield SwapJoker(face, meld, place, target, 1)
