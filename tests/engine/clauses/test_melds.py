"""Check document 003 on trios and runs."""

import pytest

from engine.cards import RANKS, SUITS, parse_cards
from engine.melds import Kind, Meld, fault, fits, is_meld, kinds
from tests.harness.engine.positions import OFICIAL, melds, play, position, refused

clause = pytest.mark.clause


def is_a(kind: Kind, text: str) -> bool:
    """Return whether the cards are a meld of the kind; check that `is_meld`, `fault` and `kinds` agree."""
    cards = parse_cards(text)
    found = is_meld(OFICIAL, kind, cards)
    assert found == (fault(OFICIAL, kind, cards) is None) == (kind in kinds(OFICIAL, cards))
    return found


def case(name: str, kind: str, cards: str, legal: bool) -> object:
    """Return a row of the table of melds."""
    return pytest.param(kind, cards, legal, marks=clause(f"003/1.7/{name}"), id=f"{name}: {cards}")


def ace(name: str, cards: str, legal: bool) -> object:
    """Return a row of the table of melds for a clause on the ace."""
    return pytest.param("E", cards, legal, marks=clause(f"003/1.1/{name}"), id=f"{name}: {cards}")


@pytest.mark.parametrize(
    ("kind", "cards", "legal"),
    [
        case("trio-three-or-more", "T", "7h 7d", False),
        case("trio-three-or-more", "T", "7h Jk", False),
        case("trio-three-or-more", "T", "7h 7d 7c", True),
        case("trio-three-or-more", "T", "7h 7d 8c", False),
        case("trio-three-or-more", "T", "7h 7d 7c 7s 7h 7d 7c 7s", True),
        case("trio-any-suits", "T", "7h 7h 7d", True),
        case("trio-any-suits", "T", "7h 7h Jk", True),
        case("trio-no-limit", "T", "7h 7d 7c 7s 7h 7d 7c 7s Jk Jk Jk Jk Jk Jk", True),
        case("trio-jokers", "T", "7h Jk Jk", True),
        case("trio-jokers", "T", "Jk 7h Jk", True),
        case("trio-jokers", "T", "7h 7d Jk Jk Jk Jk Jk Jk", True),
        case("trio-jokers", "T", "7h 8d Jk", False),
        case("trio-of-jokers", "T", "Jk Jk", False),
        case("trio-of-jokers", "T", "Jk Jk Jk", True),
        case("trio-of-jokers", "T", "Jk Jk Jk Jk Jk Jk", True),
        case("run-four-or-more", "E", "5h 6h 7h", False),
        case("run-four-or-more", "E", "5h 6h Jk", False),
        case("run-four-or-more", "E", "5h 6h 7h 8h", True),
        case("run-four-or-more", "E", "5h 6h 7h 8h 9h", True),
        case("run-one-suit", "E", "5h 6h 7h 8d", False),
        case("run-one-suit", "E", "5h Jk 7d 8h", False),
        case("run-consecutive", "E", "5h 6h 7h 9h", False),
        case("run-consecutive", "E", "5h 6h 8h 7h", False),
        case("run-consecutive", "E", "8h 7h 6h 5h", False),
        case("run-consecutive", "E", "5h 5h 6h 7h", False),
        case("run-consecutive", "E", "5h Jk 6h 7h", False),
        case("run-no-limit", "E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", True),
        case("run-no-limit", "E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", True),
        case("run-no-limit", "E", "Qh Kh Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2h", True),
        case("run-no-limit", "E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Kh", False),
        case("run-no-limit", "E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh 2h", False),
        case("joker-any", "E", "5h 6h Jk 8h", True),
        case("joker-any", "E", "Jk 6h 7h 8h", True),
        case("joker-any", "E", "5h 6h 7h Jk", True),
        case("joker-any", "E", "Jk 6h Jk 8h", True),
        case("joker-any", "E", "Kh Jk 2h 3h", True),
        case("joker-any", "T", "7h 7d Jk", True),
        case("no-adjacent-jokers", "E", "5h Jk Jk 8h", False),
        case("no-adjacent-jokers", "E", "Jk Jk 7h 8h", False),
        case("no-adjacent-jokers", "E", "5h 6h 7h Jk Jk", False),
        case("no-adjacent-jokers", "E", "Jk 6h Jk 8h Jk Th Jk", True),
        case("no-adjacent-jokers", "E", "Jk Jk Jk Jk", False),
        ace("ace-high", "Jh Qh Kh Ah", True),
        ace("ace-low", "Ah 2h 3h 4h", True),
        ace("ace-between", "Kh Ah 2h 3h", True),
        ace("ace-between", "Qh Kh Ah 2h", True),
        ace("ace-between", "Qh Kh Jk 2h", True),
        ace("ace-between", "Qh Kh 2h 3h", False),
        ace("ace-between", "Ah Kh Qh Jh", False),
    ],
)
def test_cards_are_a_trio_or_a_run_as_the_document_says(kind: Kind, cards: str, legal: bool) -> None:
    """Check each row of the table: cards in order, and whether they are a meld of the kind."""
    assert is_a(kind, cards) == legal


@clause("003/1.1/ace-between", "003/1.7/run-consecutive")
@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("length", range(4, 18))
def test_a_run_has_neither_beginning_nor_end(suit: str, length: int) -> None:
    """Check runs of 4 to 17 cards from every rank; with two neighbours exchanged they are not runs."""
    for start in range(13):
        cards = [RANKS[(start + place) % 13] + suit for place in range(length)]
        assert is_a("E", " ".join(cards))
        cards[1], cards[2] = cards[2], cards[1]
        assert not is_a("E", " ".join(cards))


@clause("003/1.7/two-kinds")
def test_there_are_two_kinds_of_meld() -> None:
    """Pairs, runs of two suits, flushes and two pairs are not melds; a natural between two jokers is a trio only."""
    for text in ("7h 7d", "5h 6h 7d 8h", "2h 5h 9h Kh", "Kh Kd Qh Qd"):
        assert kinds(OFICIAL, parse_cards(text)) == ()
    assert kinds(OFICIAL, parse_cards("Jk 6h Jk")) == ("T",)


@clause("003/1.7/same-suit-runs", "003/1.7/same-rank-trios")
def test_melds_may_be_of_one_suit_or_one_rank() -> None:
    """Two runs of hearts, equal or overlapping, and three trios of sevens are legal contracts."""
    runs = position("EE", ["5h 6h 7h 8h 5h 6h 7h 8h Ks", "Ah"])
    play(runs, "A take; A down E: 5h 6h 7h 8h / E: 5h 6h 7h 8h; A discard 2c")
    runs = position("EE", ["3h 4h 5h 6h 7h 8h 9h Th Ks", "Ah"])
    play(runs, "A take; A down E: 3h 4h 5h 6h / E: 7h 8h 9h Th; A discard 2c")
    trios = position("TTT", ["7h 7d 7c 7s 7h 7d 7c 7s Jk Ks", "Ah"])
    play(trios, "A take; A down T: 7h 7d 7c / T: 7s 7h 7d / T: 7c 7s Jk; A discard 2c")
    assert len(melds(trios)) == 3


@clause("003/1.7/first-natural-fixes")
@pytest.mark.parametrize("first", ["Ah", "7d", "Ks"])
def test_the_first_natural_fixes_a_trio_of_jokers(first: str) -> None:
    """Check that a trio of jokers takes any natural or a joker, and afterwards only that rank and jokers."""
    trio = Meld("T", parse_cards("Jk Jk Jk"))
    (face,) = parse_cards(first)
    for other in range(53):
        assert len(fits(OFICIAL, trio, other)) == 1
    (fixed,) = fits(OFICIAL, trio, face)
    taken = [other for other in range(53) if fits(OFICIAL, fixed, other)]
    assert taken == [other for other in range(52) if other % 13 == face % 13] + [52]


@clause("003/1.7/first-natural-fixes")
def test_anybody_who_is_down_may_fix_a_trio_of_jokers() -> None:
    """B adds the first natural to A's trio of jokers, which then refuses another rank [A-36]."""
    hand = position("TT", ["7h 7d 7c Jk Jk Jk Ks Qs", "9h 9d 9c 8h 8d 8c 5s 6s"])
    play(hand, "A take; A down T: Jk Jk Jk / T: 7h 7d 7c; A discard Ks; B take")
    play(hand, "B down T: 9h 9d 9c / T: 8h 8d 8c; B off 5s 1")
    assert refused(hand, "off 6s 1") == "003/1.8"
    assert melds(hand)[0] == "Jk Jk Jk 5s"
