"""Typing errors in scores: suggestions for points that are impossible or rare."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from engine.rules import Rules
from engine.scoring import values_in_play
from engine.sheets.contract_sheet import DeclaredHand, check_hand

MAX_SUGGESTIONS = 3
"""The most suggestions returned; more would not help."""

_KEYS = "1234567890"


def rarely_exceeded(rules: Rules, players: int, number: int) -> int:
    """Return the points above which a score of hand `number` (from 1) is rare enough to ask about.

    The limit is the value of an average hand of a player who never laid down: the cards dealt, one drawn, and those of
    one claim. Two to five in a hundred scores are higher.
    """
    claim = rules.contracts.claim
    claimed = 0 if claim.who == "nobody" else 1 if claim.penalty == "none" else 2
    held = rules.contracts.hands.order[number - 1][1] + 1 + claimed
    values = values_in_play(rules, players, number)
    return held * sum(value * count for value, count in values.items()) // sum(values.values())


def suggest_points(
    rules: Rules, players: int, number: int, declared: DeclaredHand, seat: int, pending: Collection[int] = ()
) -> tuple[int, ...]:
    """Return at most three scores that may have been meant for the seat, likeliest first.

    Each is one typing error away from the score entered, leaves the hand without a problem and is not above
    `rarely_exceeded`.
    """
    limit = rarely_exceeded(rules, players, number)
    suggestions: list[int] = []
    for points in typo_corrections(declared.points[seat]):
        corrected = replace(declared, points={**declared.points, seat: points})
        if points <= limit and not check_hand(rules, players, number, corrected, pending).problems:
            suggestions.append(points)
        if len(suggestions) == MAX_SUGGESTIONS:
            break
    return tuple(suggestions)


def typo_corrections(points: int) -> tuple[int, ...]:
    """Return the numbers that may have been meant where these points were typed, the likeliest kind of error first.

    The kinds are, in this order: sign forgotten, digit doubled, digit too many, two digits swapped, neighbouring key
    hit. Within a kind the larger number comes first.
    """
    sign = -1 if points < 0 else 1
    digits = str(abs(points))
    kinds = (_without_a_doubled_digit, _without_a_digit, _with_digits_swapped, _with_a_neighbouring_key)
    candidates = [-points]
    for corrections in kinds:
        candidates += [sign * value for value in sorted(corrections(digits), reverse=True)]
    return tuple(value for value in dict.fromkeys(candidates) if value != points)


def _without_a_doubled_digit(digits: str) -> Iterator[int]:
    for at in range(1, len(digits)):
        if digits[at] == digits[at - 1]:
            yield int(digits[:at] + digits[at + 1 :])


def _without_a_digit(digits: str) -> Iterator[int]:
    for at in range(len(digits)):
        if rest := digits[:at] + digits[at + 1 :]:
            yield int(rest)


def _with_digits_swapped(digits: str) -> Iterator[int]:
    for at in range(1, len(digits)):
        yield int(digits[: at - 1] + digits[at] + digits[at - 1] + digits[at + 1 :])


def _with_a_neighbouring_key(digits: str) -> Iterator[int]:
    for at, digit in enumerate(digits):
        place = _KEYS.index(digit)
        for key in _KEYS[max(place - 1, 0) : place] + _KEYS[place + 1 : place + 2]:
            yield int(digits[:at] + key + digits[at + 1 :])
