"""What was probably meant: points that cannot be, or hardly can, as slips of typing that the hand allows."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from engine.rules import Rules
from engine.scoring import values_in_play
from engine.sheets.contract_sheet import DeclaredHand, check_hand

MOST_MEANT = 3
"""More readings than this say nothing."""

_KEYS = "1234567890"


def most_expected(rules: Rules, players: int, number: int) -> int:
    """The points that few exceed in the hand of that number (from 1): beyond them one asks back, once.

    They are those of average cards of the packs, as many as somebody holds who never laid down: the cards
    dealt, one drawn, and those of one claim. Two to five of a hundred scores lie above.
    """
    claim = rules.contracts.claim
    claimed = 0 if claim.who == "nobody" else 1 if claim.penalty == "none" else 2
    held = rules.contracts.hands.order[number - 1][1] + 1 + claimed
    values = values_in_play(rules, players, number)
    return held * sum(value * count for value, count in values.items()) // sum(values.values())


def meant(
    rules: Rules, players: int, number: int, declared: DeclaredHand, seat: int, waiting: Collection[int] = ()
) -> tuple[int, ...]:
    """Points that may stand at that seat instead of those declared, likeliest first; at most three.

    Each is one slip of typing away, leaves the hand without a problem and is not beyond `most_expected`.
    """
    most = most_expected(rules, players, number)
    found: list[int] = []
    for points in slips(declared.points[seat]):
        other = replace(declared, points={**declared.points, seat: points})
        if points <= most and not check_hand(rules, players, number, other, waiting).problems:
            found.append(points)
        if len(found) == MOST_MEANT:
            break
    return tuple(found)


def slips(points: int) -> tuple[int, ...]:
    """Numbers of which these points may be a slip: the sign forgotten, a digit doubled, one too many, two
    exchanged, the key beside; in this order, the larger first."""
    sign = -1 if points < 0 else 1
    digits = str(abs(points))
    groups = (
        [-points],
        [sign * value for value in sorted(_doubled(digits), reverse=True)],
        [sign * value for value in sorted(_one_too_many(digits), reverse=True)],
        [sign * value for value in sorted(_exchanged(digits), reverse=True)],
        [sign * value for value in sorted(_beside(digits), reverse=True)],
    )
    return tuple(value for value in dict.fromkeys(value for group in groups for value in group) if value != points)


def _doubled(digits: str) -> Iterator[int]:
    for at in range(1, len(digits)):
        if digits[at] == digits[at - 1]:
            yield int(digits[:at] + digits[at + 1 :])


def _one_too_many(digits: str) -> Iterator[int]:
    for at in range(len(digits)):
        if rest := digits[:at] + digits[at + 1 :]:
            yield int(rest)


def _exchanged(digits: str) -> Iterator[int]:
    for at in range(1, len(digits)):
        yield int(digits[: at - 1] + digits[at] + digits[at - 1] + digits[at + 1 :])


def _beside(digits: str) -> Iterator[int]:
    for at, digit in enumerate(digits):
        place = _KEYS.index(digit)
        for key in _KEYS[max(place - 1, 0) : place] + _KEYS[place + 1 : place + 2]:
            yield int(digits[:at] + key + digits[at + 1 :])
