"""Check deadwood of the knock game against brute force that tries every division into melds and dead cards."""

from statistics import median

import pytest

from engine.cards import JOKER, Faces, cards_text, parse_cards
from engine.melds import is_meld
from engine.rules import load_rules
from engine.seeds import Stream
from engine.solver.deadwood import all_laid, deadwood, deadwood_without, least_deadwood
from tests.harness.effort import effort
from tests.oracles.engine import brute_knock

KNOCK = load_rules("knock")
WHOLE = [*range(52), *range(52), *[JOKER] * 4]
COMPETING = [13 * suit + rank for suit in range(3) for rank in (0, 1, 2, 3, 11, 12) for _ in range(2)] + [JOKER] * 3
"""A pack in which melds compete for cards: aces, low cards and court cards of three suits."""


def hand(text: str) -> Faces:
    return Faces(parse_cards(text))


def random_hand(stream: Stream, pack: list[int], size: int) -> Faces:
    """Return a hand of `size` random cards of the pack."""
    cards = list(pack)
    stream.shuffle(cards)
    return Faces(cards[:size])


@pytest.mark.parametrize(
    ("cards", "ace", "points"),
    [
        ("7h 7d 7c 8s 9s Ts 2d 2h 2s 3c", 15, 3),
        ("Ah Ad Kc", 15, 40),
        ("Ah Ad Kc", 1, 12),
        ("As 2s 3s Qs Ks As", 15, 0),
        ("Qs Ks As 2s", 15, 2),
        ("5h 5d 5c 6h 7h 8h", 15, 0),
        ("5h 5d 5c 6h 7h", 15, 10),
        ("Jk Jk 9c", 15, 0),
        ("Jk 9c", 15, 29),
        ("Jk Jk", 15, 40),
        ("9c Jk Jk Jc", 15, 0),
        ("2c 6c Jk Jk", 15, 2),
        ("7h 7d Jk Jk 4s 5s Kc", 15, 10),
        ("8h 8h 8h 9h 9h Th Th", 15, 8),
        ("", 15, 0),
    ],
    ids=lambda value: str(value) or "nothing",
)
def test_deadwood_has_the_points_worked_out_by_hand(cards: str, ace: int, points: int) -> None:
    found = deadwood(KNOCK, hand(cards), ace)
    assert (found.points, least_deadwood(KNOCK, hand(cards), ace)) == (points, points)


def check_against_brute_force(pack: list[int], size: int, cases: int, seed: str) -> None:
    """Check the points of random hands against brute force, and that the melds are melds of the hand's cards."""
    stream = Stream(seed)
    for _ in range(cases):
        cards = random_hand(stream, pack, size)
        text = cards_text(cards.cards())
        for ace in (1, 15):
            found = deadwood(KNOCK, cards, ace)
            assert found.points == least_deadwood(KNOCK, cards, ace) == brute_knock.least_deadwood(text, ace), text
            assert sorted([*found.left, *(face for meld in found.melds for face in meld.cards)]) == sorted(cards), text
            assert sum(brute_knock.value(card, ace) for card in cards_text(found.left).split()) == found.points
            assert all(brute_knock.is_meld(str(meld).split()) for meld in found.melds), text
            assert all(is_meld(KNOCK, meld.kind, meld.cards) for meld in found.melds), text
        for face, left in deadwood_without(KNOCK, cards, 15).items():
            rest = cards.copy()
            rest.remove(face)
            assert left == least_deadwood(KNOCK, rest, 15), text
        assert all_laid(KNOCK, cards) == (not found.left and len(cards) > 0)


@pytest.mark.parametrize(("pack", "size"), [(WHOLE, 10), (WHOLE, 11), (COMPETING, 9), (COMPETING, 10)])
def test_least_deadwood_is_that_of_brute_force(pack: list[int], size: int) -> None:
    check_against_brute_force(pack, size, 150, f"deadwood {len(pack)} {size}")


@pytest.mark.soak
@pytest.mark.parametrize(("pack", "size"), [(WHOLE, 10), (WHOLE, 11), (COMPETING, 9), (COMPETING, 10)])
def test_least_deadwood_of_twenty_thousand_hands_is_that_of_brute_force(pack: list[int], size: int) -> None:
    check_against_brute_force(pack, size, 5_000, f"soak {len(pack)} {size}")


def test_the_order_of_the_cards_does_not_change_the_melds() -> None:
    cards = list(parse_cards("7h 7d 7c 7s 8h 9h 6h Jk Kd Kc"))
    assert deadwood(KNOCK, Faces(cards), 15) == deadwood(KNOCK, Faces(reversed(cards)), 15)


def test_deadwood_of_ten_hands_takes_the_time_of_800_thousand_passes_at_most() -> None:
    """Measure the median of thirty times ten hands of eleven cards."""
    stream = Stream("quick")
    hands = [[random_hand(stream, WHOLE, 11) for _hand in range(10)] for _ten in range(30)]
    assert median(effort(lambda ten=ten: [least_deadwood(KNOCK, cards, 15) for cards in ten]) for ten in hands) < 0.8
