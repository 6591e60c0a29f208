"""Typing errors in scores: what was probably meant, and which points are questioned."""

import pytest

from engine.sheets.contract_sheet import DeclaredHand, check_hand
from engine.sheets.score_typos import rarely_exceeded, suggest_points, typo_corrections
from tests.harness.engine.positions import CONTRACTS, OFICIAL, changed
from tests.oracles.engine.deals_and_points import pack, value

DEALT = dict(zip(CONTRACTS, range(7, 14), strict=True))

TYPOS = {
    "a digit too many": (105, {15, 10, 5}),
    "a digit doubled": (155, {15, 55}),
    "two exchanged": (53, {35}),
    "a minus forgotten": (10, {-10}),
    "a minus too many": (-35, {35}),
    "the key beside": (1, {2}),
    "the keys beside, at both ends of the row": (90, {80, 99}),
}


@pytest.mark.parametrize("name", TYPOS)
def test_a_slip_of_each_kind_is_undone(name: str) -> None:
    typed, wanted = TYPOS[name]
    assert wanted <= set(typo_corrections(typed))


def test_no_slip_is_the_number_itself_or_stands_twice() -> None:
    for typed in (*range(-120, 1200), 99999):
        found = typo_corrections(typed)
        assert typed not in found
        assert len(found) == len(set(found))


MEANT = {
    "105 for 15 in the first hand": (1, {0: 0, 1: 105, 2: 30}, (), 1, (15, 10, 5)),
    "an impossible 1": (1, {0: 0, 1: 1, 2: 30}, (), 1, (2,)),
    "1000 is 100": (1, {0: 0, 1: 1000, 2: 30}, (), 1, (100,)),
    "10 for -10 of a closer": (1, {0: 10, 1: 25, 2: 30}, (), 0, (-10, 0)),
    "-35 for 35 of one who did not close": (1, {0: 0, 1: -35, 2: 30}, (), 1, (35,)),
    "while the third has nothing written yet": (1, {0: 0, 1: 105}, (2,), 1, (15, 10, 5)),
    "115 for 15, which is likelier than 11": (1, {0: 0, 1: 115, 2: 30}, (), 1, (15, 11)),
    "nothing like it is possible": (1, {0: 0, 1: 7777, 2: 30}, (), 1, ()),
}


@pytest.mark.parametrize("name", MEANT)
def test_what_was_meant_is_possible_in_that_hand(name: str) -> None:
    number, points, waiting, seat, wanted = MEANT[name]
    declared = DeclaredHand(CONTRACTS[number - 1], points)
    found = suggest_points(OFICIAL, 3, number, declared, seat, waiting)
    assert set(found) <= set(typo_corrections(points[seat]))
    for other in found:
        mended = DeclaredHand(declared.contract, {**points, seat: other})
        assert check_hand(OFICIAL, 3, number, mended, waiting).problems == ()
    assert found == wanted


@pytest.mark.parametrize("number", range(1, 8))
def test_points_are_questioned_beyond_average_cards_of_a_deal_a_draw_and_a_claim(number: int) -> None:
    """Counted card by card: the mean of the packs, times the cards dealt and three."""
    cards = [value(card) for card in pack()]
    mean = sum(cards) / len(cards)
    assert rarely_exceeded(OFICIAL, 4, number) == int((DEALT[CONTRACTS[number - 1]] + 3) * mean)


def test_without_claims_points_are_questioned_two_cards_earlier() -> None:
    """Seven dealt and one drawn."""
    cards = [value(card) for card in pack()]
    rules = changed("claim.who", '"nobody"')
    assert rarely_exceeded(rules, 4, 1) == int(8 * sum(cards) / len(cards))


def test_105_is_questioned_in_the_first_hand_and_not_in_the_last() -> None:
    """Seven cards seldom give it, thirteen often."""
    assert rarely_exceeded(OFICIAL, 4, 1) < 105 <= rarely_exceeded(OFICIAL, 4, 7)
