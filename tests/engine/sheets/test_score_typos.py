"""Check the corrections suggested for mistyped scores, and which points are questioned."""

import pytest

from engine.sheets.contract_sheet import DeclaredHand, check_hand
from engine.sheets.score_typos import rarely_exceeded, suggest_points, typo_corrections
from tests.harness.engine.positions import CONTRACTS, OFICIAL, changed
from tests.oracles.engine.deals_and_points import pack, value

DEALT = dict(zip(CONTRACTS, range(7, 14), strict=True))

TYPOS = {
    "a digit too many": (105, {15, 10, 5}),
    "a digit doubled": (155, {15, 55}),
    "two digits exchanged": (53, {35}),
    "a minus forgotten": (10, {-10}),
    "a minus too many": (-35, {35}),
    "the key beside": (1, {2}),
    "the keys beside, at both ends of the row": (90, {80, 99}),
}


@pytest.mark.parametrize("name", TYPOS)
def test_a_typo_of_each_kind_is_corrected(name: str) -> None:
    typed, expected = TYPOS[name]
    assert expected <= set(typo_corrections(typed))


def test_corrections_are_distinct_and_never_the_typed_number() -> None:
    for typed in (*range(-120, 1200), 99999):
        found = typo_corrections(typed)
        assert typed not in found
        assert len(found) == len(set(found))


SUGGESTED = {
    "105 for 15 in the first hand": (1, {0: 0, 1: 105, 2: 30}, (), 1, (15, 10, 5)),
    "an impossible 1": (1, {0: 0, 1: 1, 2: 30}, (), 1, (2,)),
    "1000 for 100": (1, {0: 0, 1: 1000, 2: 30}, (), 1, (100,)),
    "10 for -10 of a closer": (1, {0: 10, 1: 25, 2: 30}, (), 0, (-10, 0)),
    "-35 for 35 of a player who did not close": (1, {0: 0, 1: -35, 2: 30}, (), 1, (35,)),
    "105 for 15 while the third player has no points yet": (1, {0: 0, 1: 105}, (2,), 1, (15, 10, 5)),
    "115 for 15, which is likelier than 11": (1, {0: 0, 1: 115, 2: 30}, (), 1, (15, 11)),
    "7777, which no correction makes possible": (1, {0: 0, 1: 7777, 2: 30}, (), 1, ()),
}


@pytest.mark.parametrize("name", SUGGESTED)
def test_suggested_points_are_typo_corrections_that_the_hand_allows(name: str) -> None:
    number, points, waiting, seat, expected = SUGGESTED[name]
    declared = DeclaredHand(CONTRACTS[number - 1], points)
    suggested = suggest_points(OFICIAL, 3, number, declared, seat, waiting)
    assert set(suggested) <= set(typo_corrections(points[seat]))
    for correction in suggested:
        corrected = DeclaredHand(declared.contract, {**points, seat: correction})
        assert check_hand(OFICIAL, 3, number, corrected, waiting).problems == ()
    assert suggested == expected


@pytest.mark.parametrize("number", range(1, 8))
def test_points_are_questioned_beyond_the_average_of_the_cards_dealt_and_three_more(number: int) -> None:
    """The limit is the mean of all cards times the number dealt and three: one drawn, two claimed."""
    cards = [value(card) for card in pack()]
    mean = sum(cards) / len(cards)
    assert rarely_exceeded(OFICIAL, 4, number) == int((DEALT[CONTRACTS[number - 1]] + 3) * mean)


def test_without_claims_the_limit_is_two_cards_lower() -> None:
    """The limit of the first hand is then the mean of eight cards: seven dealt and one drawn."""
    cards = [value(card) for card in pack()]
    rules = changed("claim.who", '"nobody"')
    assert rarely_exceeded(rules, 4, 1) == int(8 * sum(cards) / len(cards))


def test_105_is_questioned_in_the_first_hand_and_not_in_the_last() -> None:
    """Seven cards seldom have 105 points, thirteen often."""
    assert rarely_exceeded(OFICIAL, 4, 1) < 105 <= rarely_exceeded(OFICIAL, 4, 7)
