"""Check cards as text, and `Faces` as counts of cards."""

from collections import Counter
from random import Random

import pytest

from engine.cards import FACES, JOKER, Faces, card_text, cards_text, held_face, parse_card, parse_cards
from engine.errors import NotationError


def test_every_face_has_its_text() -> None:
    """Faces are in the order of suits c d h s and of ranks from ace to king, with the joker last."""
    wanted = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"] + ["Jk"]
    assert [card_text(face) for face in range(FACES)] == wanted
    assert [parse_card(text) for text in wanted] == list(range(FACES))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("10h", "Th"), ("th", "Th"), ("7H", "7h"), ("aS", "As"), ("7♥", "7h"), ("7♥️", "7h"), ("10♦", "Td"),
        ("K♠", "Ks"), ("q♣", "Qc"), ("2♡", "2h"), ("joker", "Jk"), ("JOKER", "Jk"), ("jk", "Jk"), ("JK", "Jk"),
    ],
)  # fmt: skip
def test_other_spellings_of_a_card_are_read(text: str, same: str) -> None:
    """Check `10` for `T`, upper and lower case, suit symbols, and the joker's name."""
    assert parse_card(text) == parse_card(same)


@pytest.mark.parametrize(
    "text", ["", "7", "h", "1h", "11h", "0h", "7x", "7hh", "h7", "??", "J", "Jkk", "7 h", "🂡", "x" * 99]
)
def test_a_text_that_is_not_a_card_is_refused(text: str) -> None:
    """Check that the error is a short line with the line and column of the text."""
    with pytest.raises(NotationError, match="is not a card") as caught:
        parse_card(text, 3, 9)
    assert (caught.value.line, caught.value.column) == (3, 9)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(("text", "face"), [("2d*", 53), ("2h*", 54), ("2H*", 54), ("2♥*", 54)])
def test_a_red_two_laid_as_a_wild_card_has_a_face_and_is_the_same_card_in_a_hand(text: str, face: int) -> None:
    """Check that `2h*` is read and written, and that a hand counts it as the red two (engine/SILENT.md, 5.7)."""
    assert parse_card(text) == face
    assert parse_card(card_text(face)) == face
    assert card_text(held_face(face)) == card_text(face)[:2]
    held = Faces([held_face(face)])
    assert held.holds([face])
    held.remove(face)
    held.add(face)
    assert held.cards() == (held_face(face),)


@pytest.mark.parametrize("text", ["2c*", "2s*", "7h*", "Jk*", "2h**"])
def test_no_other_card_is_marked_wild(text: str) -> None:
    """Only red twos are ever wild (003/2.13)."""
    with pytest.raises(NotationError, match="is not a card"):
        parse_card(text)


def test_the_error_names_the_place_of_the_wrong_word() -> None:
    """The column counts characters from 1, separators included."""
    with pytest.raises(NotationError) as caught:
        parse_cards("7h,  8d\t9x Ks", 4)
    assert (caught.value.line, caught.value.column) == (4, 9)


def test_cards_are_read_in_their_order() -> None:
    """Check blanks and commas between cards and at the ends of the text."""
    assert cards_text(parse_cards(" 7h, 10d  joker,Ac ")) == "7h Td Jk Ac"
    assert parse_cards("  ") == ()


def test_faces_agree_with_a_counter() -> None:
    """Add and remove 6,000 random cards; every query must answer as a `Counter` does."""
    rng, faces, counter = Random("faces"), Faces(), Counter()
    for _ in range(6000):
        face = rng.choice((JOKER, rng.randrange(52), rng.randrange(5)))
        if rng.random() < 0.5:
            if face != JOKER and counter[face] == 4:
                with pytest.raises(ValueError, match="a fifth"):
                    faces.add(face)
            else:
                faces.add(face)
                counter[face] += 1
        elif counter[face]:
            faces.remove(face)
            counter[face] -= 1
        else:
            with pytest.raises(ValueError, match="held"):
                faces.remove(face)
        assert (faces.count(face), face in faces, len(faces)) == (counter[face], counter[face] > 0, counter.total())
    assert faces.cards() == tuple(sorted(counter.elements())) == tuple(faces)
    assert faces.distinct() == sorted(face for face in counter if counter[face])
    assert [faces.count(face) for face in range(FACES)] == [counter[face] for face in range(FACES)]


def test_faces_are_equal_if_they_have_the_same_cards() -> None:
    """Order does not matter, numbers of copies do; a copy is independent, and `Faces` has no hash."""
    first, second = Faces(parse_cards("7h 7h Jk As")), Faces(parse_cards("As Jk 7h 7h"))
    assert first == second
    assert first.key() == second.key()
    assert first != Faces(parse_cards("7h Jk As"))
    copy = first.copy()
    copy.remove(JOKER)
    assert first == second != copy
    with pytest.raises(TypeError):
        hash(first)


@pytest.mark.parametrize(
    ("cards", "held"), [("7h", True), ("7h 7h", True), ("7h 7h 7h", False), ("Jk Jk", False), ("", True)]
)
def test_faces_hold_cards_only_in_enough_copies(cards: str, held: bool) -> None:
    """Check cards with more and with fewer copies than are held."""
    assert Faces(parse_cards("7h 7h Jk As")).holds(parse_cards(cards)) == held


def test_differences_of_faces_are_those_of_counters() -> None:
    """Compare `minus` and `includes` with `Counter`, with many copies of few faces; None if cards are missing."""
    rng, outcomes = Random("less"), Counter[bool]()
    for _ in range(2000):
        pool = [*range(5), JOKER] * 4
        held = Counter(rng.sample(pool, rng.randrange(16)))
        given = Counter(rng.sample(sorted(held.elements()) or pool, min(held.total(), rng.randrange(4))))
        given[rng.choice(pool)] += rng.random() < 0.5
        faces, given_faces = Faces(held.elements()), Faces(given.elements())
        enough = given <= held
        outcomes[enough] += 1
        left = faces.minus(given_faces)
        assert faces.includes(given_faces) == enough
        assert faces.cards() == tuple(sorted(held.elements()))
        assert (left is not None) == enough
        if left is not None:
            assert left.cards() == tuple(sorted((held - given).elements()))
            assert len(left) == (held - given).total()
    assert min(outcomes.values()) > 200
