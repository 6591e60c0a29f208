"""Points of the cards left in hand and of the closer, and the results of hands and games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from mypy_extensions import i64

from engine.build import pickle_by_fields
from engine.cards import FACE_OF, JOKER, Faces
from engine.rules import Rules

KnockEnding = Literal["knock", "rummy", "color", "continental"]
"""The ways in which a knock hand ends."""
ENDINGS: tuple[KnockEnding, ...] = get_args(KnockEnding)


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand: points by seat, the closer (None: a dead hand), and whether they laid down in the closing turn.

    A knock hand has no contract: `ending` says how it ended, `jokers` how many were among the ten cards of a rummy, and
    `off` the points that each seat bought off after it.
    """

    contract: str
    points: tuple[int, ...]
    closer: int | None
    at_once: bool = False
    ending: KnockEnding | None = None
    jokers: int = 0
    off: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game: by seat the total points, the hands won, and the place (1 best; equal places are shared).

    `why` says for each seat what decided its place. `money` is what each seat of a knock game has
    won or lost, in the smallest unit.
    """

    hands: tuple[HandResult, ...]
    points: tuple[int, ...]
    hands_won: tuple[int, ...]
    places: tuple[int, ...]
    why: tuple[str, ...]
    money: tuple[int, ...] = ()


pickle_by_fields(HandResult, GameResult)


_POINTS: Final[dict[str, list[int]]] = {}


def face_points(rules: Rules) -> list[int]:
    """Return the points of each of the 53 faces when left in a hand, as in `Rules.points`; cached."""
    points = _POINTS.get(rules.digest)
    if points is None:
        points = _POINTS[rules.digest] = [rules.points(face) for face in range(JOKER + 1)]
    return points


def points_of(rules: Rules, hand: Faces) -> int:
    """Return the points of all cards in a hand, in melds or not (003/1.2); wild twos have their own value [A-34]."""
    points = face_points(rules)
    total = points[JOKER] * hand.jokers
    for plane in (hand.once, hand.twice, hand.thrice, hand.four):
        rest: i64 = plane
        while rest:
            low: i64 = rest & -rest
            total += points[FACE_OF[low % 67]]
            rest ^= low
    return total


def closing_points(rules: Rules, contract: str, at_once: bool, all_placed: bool) -> int:
    """Return the points of the closer (003/1.10): of several bonuses the best for the closer [A-32]."""
    bonus = rules.contracts.bonus
    options = [bonus.earlier]
    if at_once:
        by_contract = dict(bonus.same_turn_by_contract)
        options.append(by_contract.get(contract, bonus.same_turn))
    if all_placed and bonus.all_placed is not None:
        options.append(bonus.all_placed)
    return min(options)


def only_at_once(rules: Rules, contract: str) -> bool:
    """Return whether the hand with this contract may be closed only in the turn of laying down (003/2.4)."""
    only, order = rules.contracts.closing.only_same_turn, rules.contracts.hands.order
    return only == "every hand" or (only == "last hand" and contract == order[-1][0])


def closer_points(rules: Rules, contract: str) -> dict[int, tuple[bool, ...]]:
    """Return the scores possible for the closer, and for each whether they laid down in the closing turn.

    The values are (True,), (False,) or both. Scores for an earlier lay-down come first.
    """
    closing = rules.contracts.closing
    options: dict[int, tuple[bool, ...]] = {}
    for all_placed in (False, True):
        if (closing.all_placed if all_placed else closing.last_discard) == "forbidden":
            continue
        for at_once in (False, True):
            if not at_once and only_at_once(rules, contract):
                continue
            points = closing_points(rules, contract, at_once, all_placed)
            for held_points in (0,) if all_placed else _held_points(rules):
                turns = options.get(points + held_points, ())
                options[points + held_points] = turns if at_once in turns else (*turns, at_once)
    return options


def _held_points(rules: Rules) -> list[int]:
    """Return the possible points of the cards that a closer still holds: only 0 where these do not count [A-33]."""
    closing = rules.contracts.closing
    if closing.held is None or closing.held_counts == "no":
        return [0]
    sums = {0}
    values = {rules.points(face) for face in range(53)} - {0}
    for total in range(1, closing.held + 1):
        if any(total - value in sums for value in values):
            sums.add(total)
    return sorted(sums)


def score_hand(
    rules: Rules, contract: str, hands: Sequence[Faces], closer: int | None, at_once: bool, all_placed: bool
) -> HandResult:
    """Return the result of a hand that ends with these cards held (000/1.10); in a dead hand all count [A-39]."""
    points = [points_of(rules, hand) for hand in hands]
    if closer is not None:
        held = points[closer] if rules.contracts.closing.held_counts == "yes" else 0
        points[closer] = closing_points(rules, contract, at_once, all_placed) + held
    return HandResult(contract, tuple(points), closer, at_once)


def values_in_play(rules: Rules, players: int, number: int) -> dict[int, int]:
    """Return how many cards of each value the packs of hand `number` (from 1) hold."""
    counts: dict[int, int] = {}
    copies = dict.fromkeys(range(JOKER), rules.packs(players, number)) | {JOKER: rules.jokers(players, number)}
    for face, supplied in copies.items():
        if supplied:
            value = rules.points(face)
            counts[value] = counts.get(value, 0) + supplied
    return counts
