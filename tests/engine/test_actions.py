"""Check that actions are written as text and read from it."""

from random import Random

import pytest

from engine.actions import (
    CLAIM,
    CLOSE,
    DISCARDS,
    DRAW_DISCARD,
    DRAW_STOCK,
    PASS,
    TAKE_BACK,
    Action,
    Discard,
    LayDown,
    LayOff,
    MoveJoker,
    SwapJoker,
    parse_action,
)  # fmt: skip
from engine.cards import parse_card, parse_cards
from engine.errors import NotationError
from engine.melds import HIGH, LOW, Meld

WRITTEN: list[tuple[str, Action]] = [
    ("stock", DRAW_STOCK),
    ("take", DRAW_DISCARD),
    ("claim", CLAIM),
    ("pass", PASS),
    ("back", TAKE_BACK),
    ("close", CLOSE),
    ("discard 7h", Discard(parse_card("7h"))),
    ("discard Jk", Discard(parse_card("Jk"))),
    ("off 7h 1", LayOff(parse_card("7h"), 0, HIGH)),
    ("off Jk 12 low", LayOff(parse_card("Jk"), 11, LOW)),
    ("swap 7h 2.3 to 4", SwapJoker(parse_card("7h"), 1, 2, 3, HIGH)),
    ("swap 7h 2.3 to 2 low", SwapJoker(parse_card("7h"), 1, 2, 1, LOW)),
    ("move 1 low to 1", MoveJoker(0, LOW, 0, HIGH)),
    ("move 3 to 2 low", MoveJoker(2, HIGH, 1, LOW)),
    ("down T: 7h 7d 7c", LayDown((Meld("T", parse_cards("7h 7d 7c")),))),
    (
        "down T: 7h Jk 7c / E: 5h 6h Jk 8h",
        LayDown((Meld("T", parse_cards("7h Jk 7c")), Meld("E", parse_cards("5h 6h Jk 8h")))),
    ),
]


@pytest.mark.parametrize(("text", "action"), WRITTEN, ids=[text for text, _ in WRITTEN])
def test_text_and_action_agree(text: str, action: Action) -> None:
    """Check that each text is read as its action, also with blanks around it, and the action written as the text."""
    assert parse_action(text) == action
    assert str(action) == text
    assert parse_action(f"  {text} ") == action


def test_any_action_read_from_its_text_is_equal() -> None:
    """Write and read thousands of random actions of every kind with parameters."""
    rng = Random("acts")
    for _ in range(2000):
        face, first, second, end = rng.randrange(53), rng.randrange(9999), rng.randrange(9999), rng.randrange(2)
        faces = tuple(rng.randrange(53) for _ in range(rng.randrange(1, 15)))
        melds = tuple(Meld(rng.choice(("T", "E")), faces) for _ in range(rng.randrange(1, 5)))
        actions: list[Action] = [DISCARDS[face], LayOff(face, first, end), SwapJoker(face, first, second, first, end)]
        actions += [MoveJoker(first, end, second, 1 - end), LayDown(melds)]
        for action in actions:
            assert parse_action(str(action)) == action
            assert hash(parse_action(str(action))) == hash(action)


def test_other_spellings_of_cards_are_read() -> None:
    """Check that actions read from other spellings of cards are written in the standard one."""
    assert str(parse_action("discard 10♥")) == "discard Th"
    assert str(parse_action("down T: 7h,7d,joker / E: 5H 6H jk 8H")) == "down T: 7h 7d Jk / E: 5h 6h Jk 8h"


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 1, "missing"),
        ("   ", 4, "missing"),
        ("sing", 1, "not an action"),
        ("STOCK", 1, "not an action"),
        ("stock 7h", 1, "not an action"),
        ("discard", 8, "missing"),
        ("discard 7x", 9, "not a card"),
        ("discard 7h 8h", 12, "more text"),
        ("off 7h", 7, "missing"),
        ("off 7h 0", 8, "not the number"),
        ("off 7h -1", 8, "not the number"),
        ("off 7h x", 8, "not the number"),
        ("off 7h 99999", 8, "not the number"),
        ("off 7h ²", 8, "not the number"),
        ("off 7h 1 high", 10, "more text"),
        ("off 7h 1 low low", 14, "more text"),
        ("swap 7h 1 to 2", 9, "not the number"),
        ("swap 7h 1.0 to 2", 9, "not the number"),
        ("swap 7h 1.2 2", 13, "'to' is missing"),
        ("swap 7h 1.2 to", 15, "missing"),
        ("move 1 2", 8, "'to' is missing"),
        ("move low to 1", 6, "not the number"),
        ("down", 5, "a meld is written"),
        ("down 7h 7d 7c", 5, "a meld is written"),
        ("down X: 7h 7d 7c", 5, "a meld is written"),
        ("down T: 7h 7d 7c /", 19, "a meld is written"),
        ("down T: 7h 7z 7c", 12, "not a card"),
    ],
)
def test_the_error_for_a_text_that_is_not_an_action_names_its_place(text: str, column: int, says: str) -> None:
    """Check the line and column of the wrong word, both from 1."""
    with pytest.raises(NotationError, match=says) as caught:
        parse_action(text, 8)
    assert (caught.value.line, caught.value.column) == (8, column)
