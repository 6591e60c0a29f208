"""The actions of a turn, as values and as text; `parse_action(str(action)) == action`.

Melds on the table are numbered from 1 in the order in which they were laid. A low end of a run is written `low`; a high
end, or a trio, is written without a word.
"""

from dataclasses import dataclass
from typing import Final, Literal, final

from mypy_extensions import mypyc_attr

from engine.build import pickle_by_fields
from engine.cards import card_text, held_face, parse_card, parse_cards
from engine.errors import NotationError
from engine.melds import HIGH, LOW, RUN, TRIO, Meld
from engine.text import message

DeclaredEnding = Literal["rummy", "color", "continental"]
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

    Immutable, and written by hand for speed: a list of legal actions may hold hundreds of lay-downs.
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
    """Add a card to a meld on the table (`meld` counts from 0), at the `end` LOW or HIGH."""

    face: int
    meld: int
    end: int = HIGH

    def __str__(self) -> str:
        return f"off {card_text(self.face)} {_spot_text(self.meld, self.end)}"


@mypyc_attr(acyclic=True)
class _JokerAction:
    """An action with a joker. Immutable, and written by hand for speed: listing the legal actions makes many."""

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
    """Put a card in the place of the joker that stands for it, and that joker on the meld `target` (from 0)."""

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
        joker = f"{self.meld + 1}.{self.place + 1}"
        return f"swap {card_text(self.face)} {joker} to {_spot_text(self.target, self.end)}"


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
        return f"move {_spot_text(self.meld, self.origin)} to {_spot_text(self.target, self.end)}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Put a card on the discard pile. A discard ends the turn; the discard of the last card ends the hand."""

    face: int

    def __str__(self) -> str:
        return f"discard {card_text(self.face)}"


@dataclass(frozen=True, slots=True)
class Close:
    """Close the hand with every card laid down or off, and none to discard."""

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
    """End a knock hand by declaring ten cards; after the draw, `face` is discarded too."""

    ending: DeclaredEnding
    face: int | None = None

    def __str__(self) -> str:
        return self.ending if self.face is None else f"{self.ending} {card_text(self.face)}"


@dataclass(frozen=True, slots=True)
class Buy:
    """Pay the price into the pot and lower one's score, after a knock hand."""

    def __str__(self) -> str:
        return "buy"


@dataclass(frozen=True, slots=True)
class Decline:
    """Refuse the offer to buy."""

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
"""The discards by face. They and the constants above are shared, since actions are immutable."""

_LAY_OFFS: Final[list[tuple[LayOff, ...]]] = []


def lay_offs(meld: int) -> tuple[LayOff, ...]:
    """Return all lay-offs on meld number `meld`, cached; that of `face` at `end` has the index `2 * face + end`."""
    while len(_LAY_OFFS) <= meld:
        _LAY_OFFS.append(tuple([LayOff(face, len(_LAY_OFFS), end) for face in range(53) for end in (LOW, HIGH)]))
    return _LAY_OFFS[meld]


_ACTION_OF_WORD: Final[dict[str, Action]] = {
    str(action): action for action in (DRAW_STOCK, DRAW_DISCARD, CLAIM, PASS, TAKE_BACK, CLOSE, KNOCK)
}

_ENDING_OF_WORD: Final[dict[str, DeclaredEnding]] = {"rummy": "rummy", "color": "color", "continental": "continental"}


def _spot_text(meld: int, end: int) -> str:
    """Return a meld and its end as text: `2 low`, or `2` for the high end and for a trio."""
    return f"{meld + 1} low" if end == LOW else f"{meld + 1}"


def parse_action(text: str, line: int = 1) -> Action:
    """Return the action that the text names; NotationError with the column for any other text."""
    action = _ACTION_OF_WORD.get(text.strip())
    if action is not None:
        return action
    words = _LineReader(text, line)
    verb = words.next(message("an action"))
    if verb == "discard":
        action = DISCARDS[words.card()]
    elif verb in _ENDING_OF_WORD:
        action = Declare(_ENDING_OF_WORD[verb], words.card() if words.has_more() else None)
    elif verb == "close":
        action = CloseHolding(words.card())
    elif verb == "off":
        action = LayOff(words.card(), *words.spot())
    elif verb == "swap":
        action = SwapJoker(words.card(), *words.joker_place(), *words.to_spot())
    elif verb == "move":
        action = MoveJoker(*words.spot(), *words.to_spot())
    elif verb == "down":
        return LayDown(_melds(text, line))
    else:
        raise NotationError("'{verb}' is not an action", line, 1, verb=verb[:20])
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
        faces = parse_cards(cards, line, column + len(kind) + 1)
        melds.append(Meld(TRIO if kind.strip() == TRIO else RUN, faces))
        start += len(part) + 1
    return tuple(melds)


def parse_answer(text: str, line: int = 1) -> Answer:
    """Return the answer to an offer that the text names; NotationError for any other text."""
    for answer in (BUY, DECLINE):
        if text.strip() == str(answer):
            return answer
    raise NotationError("'{text}' is not an answer to an offer; write buy or decline", line, text=text[:20])


class _LineReader:
    """A reader of a line, word by word, that keeps the column for messages."""

    def __init__(self, text: str, line: int) -> None:
        self.text = text
        self.line = line
        self.at = 0
        self.column = 1

    def next(self, expected: str) -> str:
        rest = self.text[self.at :]
        start = self.at + len(rest) - len(rest.lstrip())
        self.column = start + 1
        word = self.text[start:].split(None, 1)[0] if self.text[start:] else ""
        if not word:
            raise NotationError("{expected} is missing", self.line, self.column, expected=expected)
        self.at = start + len(word)
        return word

    def has_more(self) -> bool:
        return bool(self.text[self.at :].strip())

    def card(self) -> int:
        """Read a card of a hand, where a red two is neither natural nor wild yet."""
        word = self.next(message("a card"))
        return held_face(parse_card(word, self.line, self.column))

    def number(self, word: str) -> int:
        if not word.isascii() or not word.isdigit() or len(word) > 4 or int(word) < 1:
            raise NotationError("'{word}' is not the number of a meld", self.line, self.column, word=word[:20])
        return int(word) - 1

    def spot(self) -> tuple[int, int]:
        """Read a meld, returned counting from 0, and its end."""
        meld = self.number(self.next(message("a meld's number")))
        if self.text[self.at :].split(None, 1)[:1] == ["low"]:
            self.next("low")
            return meld, LOW
        return meld, HIGH

    def joker_place(self) -> tuple[int, int]:
        """Read the meld and the place of a joker, as in `2.3`; both are returned counting from 0."""
        meld, _, place = self.next(message("the joker's place")).partition(".")
        return self.number(meld), self.number(place)

    def to_spot(self) -> tuple[int, int]:
        if self.next("'to'") != "to":
            raise NotationError("'to' is missing before the joker's new place", self.line, self.column)
        return self.spot()

    def finish(self) -> None:
        if self.has_more():
            self.next("a word")  # sets the column
            raise NotationError("there is more text than the action needs", self.line, self.column)
