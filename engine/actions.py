"""The actions of a turn, as values and as text; `parse_action(str(action)) == action`.

Melds on the table are numbered from 1 in the order in which they were laid. A run has a low and a high end; `low` is
written, the high end (and a trio) needs no word.
"""

from dataclasses import dataclass
from typing import Final, Literal, final

from mypy_extensions import mypyc_attr

from engine.build import pickle_by_fields
from engine.cards import card_text, held_face, parse_card, parse_cards
from engine.errors import NotationError
from engine.melds import HIGH, LOW, RUN, TRIO, Meld

Declared = Literal["rummy", "color", "continental"]
"""The ways to declare ten cards of the knock game."""


@dataclass(frozen=True, slots=True)
class DrawStock:
    """Take the top card of the stock."""

    def __str__(self) -> str:
        return "stock"


@dataclass(frozen=True, slots=True)
class DrawDiscard:
    """Take the top discard in turn."""

    def __str__(self) -> str:
        return "take"


@dataclass(frozen=True, slots=True)
class Claim:
    """Take the top discard out of turn, and the penalty card with it."""

    def __str__(self) -> str:
        return "claim"


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the top discard."""

    def __str__(self) -> str:
        return "pass"


@final
@mypyc_attr(acyclic=True)
class LayDown:
    """Lay down the melds of the contract, all in one action.

    A value like any dataclass, written by hand because a listing may have hundreds of them.
    """

    __slots__ = ("melds",)

    def __init__(self, melds: tuple[Meld, ...]) -> None:
        self.melds: Final[tuple[Meld, ...]] = melds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LayDown) and self.melds == other.melds

    def __hash__(self) -> int:
        return hash(self.melds)

    def __reduce__(self) -> tuple[type["LayDown"], tuple[tuple[Meld, ...]]]:
        return LayDown, (self.melds,)

    def __repr__(self) -> str:
        return f"LayDown(melds={self.melds!r})"

    def __str__(self) -> str:
        return "down " + " / ".join([f"{meld.kind}: {meld}" for meld in self.melds])


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back this turn's lay-down and everything after it."""

    def __str__(self) -> str:
        return "back"


@dataclass(frozen=True, slots=True)
class LayOff:
    """Add a card to a meld on the table (`meld` counts from 0)."""

    face: int
    meld: int
    end: int = HIGH

    def __str__(self) -> str:
        return f"off {card_text(self.face)} {_place(self.meld, self.end)}"


@mypyc_attr(acyclic=True)
class _JokerAction:
    """An action with a joker: a value like any dataclass, written by hand because a listing makes many of them."""

    __slots__ = ()

    def _fields(self) -> tuple[int, ...]:
        """Return the constructor's arguments, in their order."""
        return ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _JokerAction) and type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __reduce__(self) -> tuple[type["_JokerAction"], tuple[int, ...]]:
        return type(self), self._fields()

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._fields()}"


@final
@mypyc_attr(acyclic=True)
class SwapJoker(_JokerAction):
    """Put a card in the place of the joker that stands for it, and that joker at the end of a run."""

    __slots__ = ("end", "face", "meld", "place", "target")

    def __init__(self, face: int, meld: int, place: int, target: int, end: int = HIGH) -> None:
        self.face: Final[int] = face
        self.meld: Final[int] = meld
        self.place: Final[int] = place
        self.target: Final[int] = target
        self.end: Final[int] = end

    def _fields(self) -> tuple[int, ...]:
        return self.face, self.meld, self.place, self.target, self.end

    def __str__(self) -> str:
        spot = f"{self.meld + 1}.{self.place + 1}"
        return f"swap {card_text(self.face)} {spot} to {_place(self.target, self.end)}"


@final
@mypyc_attr(acyclic=True)
class MoveJoker(_JokerAction):
    """Move the joker at one end of a run to an end of another run, or to the other end of the same run."""

    __slots__ = ("end", "meld", "origin", "target")

    def __init__(self, meld: int, origin: int, target: int, end: int = HIGH) -> None:
        self.meld: Final[int] = meld
        self.origin: Final[int] = origin
        self.target: Final[int] = target
        self.end: Final[int] = end

    def _fields(self) -> tuple[int, ...]:
        return self.meld, self.origin, self.target, self.end

    def __str__(self) -> str:
        return f"move {_place(self.meld, self.origin)} to {_place(self.target, self.end)}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Put a card on the discard pile. That ends the turn, and with the last card the hand."""

    face: int

    def __str__(self) -> str:
        return f"discard {card_text(self.face)}"


@dataclass(frozen=True, slots=True)
class Close:
    """Close the hand with every card placed and none to discard."""

    def __str__(self) -> str:
        return "close"


@dataclass(frozen=True, slots=True)
class CloseHolding:
    """Discard this card and close the hand with a few points still held."""

    face: int

    def __str__(self) -> str:
        return f"close {card_text(self.face)}"


@dataclass(frozen=True, slots=True)
class Knock:
    """End a knock hand instead of drawing, with few points of deadwood."""

    def __str__(self) -> str:
        return "knock"


@dataclass(frozen=True, slots=True)
class Declare:
    """End a knock hand by declaring ten cards; after the draw, `face` is discarded with it."""

    ending: Declared
    face: int | None = None

    def __str__(self) -> str:
        return self.ending if self.face is None else f"{self.ending} {card_text(self.face)}"


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy points off, after a knock hand."""

    def __str__(self) -> str:
        return "buy"


@dataclass(frozen=True, slots=True)
class Decline:
    """Buy nothing."""

    def __str__(self) -> str:
        return "decline"


pickle_by_fields(
    DrawStock,
    DrawDiscard,
    Claim,
    Pass,
    TakeBack,
    LayOff,
    Discard,
    Close,
    CloseHolding,
    Knock,
    Declare,
    Buy,
    Decline,
)


Action = (
    DrawStock
    | DrawDiscard
    | Claim
    | Pass
    | LayDown
    | TakeBack
    | LayOff
    | SwapJoker
    | MoveJoker
    | Discard
    | Close
    | CloseHolding
    | Knock
    | Declare
)
Answer = Buy | Decline
"""The answer to an offer after a knock hand."""

DRAW_STOCK: Final = DrawStock()
DRAW_DISCARD: Final = DrawDiscard()
CLAIM: Final = Claim()
PASS: Final = Pass()
TAKE_BACK: Final = TakeBack()
CLOSE: Final = Close()
KNOCK: Final = Knock()
BUY: Final = Buy()
DECLINE: Final = Decline()
DISCARDS: Final = tuple(Discard(face) for face in range(53))
"""The actions that consist of their kind and at most a face, made once."""

_LAY_OFFS: Final[list[tuple[LayOff, ...]]] = []


def lay_offs(meld: int) -> tuple[LayOff, ...]:
    """Return the lay-offs on the meld of that number, made once: a face at an end has the index `2 * face + end`."""
    while len(_LAY_OFFS) <= meld:
        _LAY_OFFS.append(tuple([LayOff(face, len(_LAY_OFFS), end) for face in range(53) for end in (LOW, HIGH)]))
    return _LAY_OFFS[meld]


_PLAIN: Final[dict[str, Action]] = {
    str(action): action for action in (DRAW_STOCK, DRAW_DISCARD, CLAIM, PASS, TAKE_BACK, CLOSE, KNOCK)
}

_DECLARED: Final[dict[str, Declared]] = {"rummy": "rummy", "color": "color", "continental": "continental"}


def _place(meld: int, end: int) -> str:
    return f"{meld + 1} low" if end == LOW else f"{meld + 1}"


def parse_action(text: str, line: int = 1) -> Action:
    """Return the action that the text names; NotationError with the column for any other text."""
    plain = _PLAIN.get(text.strip())
    if plain is not None:
        return plain
    words = _LineReader(text, line)
    verb = words.next("an action")
    if verb == "discard":
        action: Action = DISCARDS[words.card()]
    elif verb in _DECLARED:
        action = Declare(_DECLARED[verb], words.card() if words.more() else None)
    elif verb == "close":
        action = CloseHolding(words.card())
    elif verb == "off":
        action = LayOff(words.card(), *words.spot())
    elif verb == "swap":
        action = SwapJoker(words.card(), *words.joker(), *words.to_spot())
    elif verb == "move":
        action = MoveJoker(*words.spot(), *words.to_spot())
    elif verb == "down":
        return LayDown(_melds(text, line))
    else:
        raise NotationError(f"'{verb[:20]}' is not an action", line, 1)
    words.finish()
    return action


def _melds(text: str, line: int) -> tuple[Meld, ...]:
    start = text.index("down") + len("down")
    melds: list[Meld] = []
    for part in text[start:].split("/"):
        kind, colon, cards = part.partition(":")
        column = start + 1
        if not colon or kind.strip() not in (TRIO, RUN):
            raise NotationError("a meld is written as T: 7h 7d 7c, or E: 5h 6h Jk 8h", line, column)
        found = parse_cards(cards, line, column + len(kind) + 1)
        melds.append(Meld(TRIO if kind.strip() == TRIO else RUN, found))
        start += len(part) + 1
    return tuple(melds)


def parse_answer(text: str, line: int = 1) -> Answer:
    """Return the answer to an offer that the text names; NotationError for any other text."""
    for answer in (BUY, DECLINE):
        if text.strip() == str(answer):
            return answer
    raise NotationError(f"'{text[:20]}' is not an answer to an offer; write buy or decline", line)


class _LineReader:
    """Reads a line word by word and keeps the column."""

    def __init__(self, text: str, line: int) -> None:
        self.text = text
        self.line = line
        self.at = 0
        self.column = 1

    def next(self, wanted: str) -> str:
        rest = self.text[self.at :]
        start = self.at + len(rest) - len(rest.lstrip())
        self.column = start + 1
        word = self.text[start:].split(None, 1)[0] if self.text[start:] else ""
        if not word:
            raise NotationError(f"{wanted} is missing", self.line, self.column)
        self.at = start + len(word)
        return word

    def more(self) -> bool:
        return bool(self.text[self.at :].strip())

    def card(self) -> int:
        """Read a card of a hand, where a red two has no role yet."""
        word = self.next("a card")
        return held_face(parse_card(word, self.line, self.column))

    def number(self, word: str) -> int:
        if not word.isascii() or not word.isdigit() or len(word) > 4 or int(word) < 1:
            raise NotationError(f"'{word[:20]}' is not the number of a meld", self.line, self.column)
        return int(word) - 1

    def spot(self) -> tuple[int, int]:
        meld = self.number(self.next("a meld's number"))
        if self.text[self.at :].split(None, 1)[:1] == ["low"]:
            self.next("low")
            return meld, LOW
        return meld, HIGH

    def joker(self) -> tuple[int, int]:
        meld, _, place = self.next("the joker's place").partition(".")
        return self.number(meld), self.number(place)

    def to_spot(self) -> tuple[int, int]:
        if self.next("'to'") != "to":
            raise NotationError("'to' is missing before the joker's new place", self.line, self.column)
        return self.spot()

    def finish(self) -> None:
        if self.more():
            self.next("nothing")
            raise NotationError("there is more text than the action needs", self.line, self.column)
