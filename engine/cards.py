"""Cards as small integers, and as text.

A *face* is one of 53 kinds of card: 0..51 are `suit * 13 + rank` (suits in the order ``cdhs``, ranks from the ace, 0,
to the king, 12) and 52 is the joker. Two copies of a card are the same face.

Where red twos are wild, one that lies on the table as a wild card has a face of its own, 53 (`2d*`) or 54 (`2h*`); in a
hand it is the card `2d` or `2h`. So every face from the joker's on is wild.
"""

from collections.abc import Iterable, Iterator
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.errors import NotationError
from engine.text import CardText, message

Face = int

JOKER: Final = 52
FACES: Final = 53
RED_TWOS: Final = (14, 27)
"""The faces 2d and 2h, which a variant makes wild."""

WILD_TWOS: Final = (53, 54)
"""The faces 2d* and 2h*: the same cards laid as wild cards."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"

BIT: Final[tuple[int, ...]] = (*(1 << face for face in range(52)), 0, *(1 << face for face in RED_TWOS))
"""One bit per natural face, none for the joker; a wild two has its card's bit.

A table, because a compiled shift may wrap at 32 bits.
"""

FACE_OF: Final[tuple[int, ...]] = tuple(
    next((face for face in range(55) if (1 << face) % 67 == rest), -1) for rest in range(67)
)
"""The face of a single bit, by the bit modulo 67: no two powers of two below 2**66 have the same remainder."""

FACE_BIT: Final[tuple[int, ...]] = tuple(1 << face for face in range(55))
"""One bit per face, the joker and the wild twos included: for sets of faces, where `BIT` counts cards."""

ALL_NATURALS: Final = (1 << 52) - 1
"""The bits of all natural faces."""

RANK_MASK: Final[tuple[int, ...]] = tuple(sum(1 << rank + 13 * suit for suit in range(4)) for rank in range(13))
"""The four bits of each rank."""

_TEXT: Final[tuple[CardText, ...]] = (
    *(CardText(RANKS[face % 13] + SUITS[face // 13]) for face in range(52)),
    *map(CardText, ("Jk", "2d*", "2h*")),
)
_SYMBOLS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"}


def _spellings() -> dict[str, int]:
    """Return the face of every accepted spelling of a card, in lower case."""
    faces: dict[str, int] = {"joker": JOKER, "jk": JOKER}
    for face, wild in zip(RED_TWOS, WILD_TWOS, strict=True):
        suit = _TEXT[face][1]
        faces |= {f"2{sign}*": wild for sign in (suit, *[sign for sign in _SYMBOLS if _SYMBOLS[sign] == suit])}
    for face in range(52):
        rank, suit = _TEXT[face][0].lower(), _TEXT[face][1]
        names = [rank, "10"] if rank == "t" else [rank]
        for name in names:
            faces[name + suit] = face
            for symbol, letter in _SYMBOLS.items():
                if letter == suit:
                    faces[name + symbol] = face
    return faces


_FACE: Final = _spellings()


def bits(plane: i64) -> i64:
    """Return the number of bits set in a bit plane; fast where there are few."""
    number: i64 = 0
    while plane:
        plane &= plane - 1
        number += 1
    return number


def held_face(face: int) -> int:
    """Return the face that a card on the table has in a hand: a wild two is a red two."""
    return face if face <= JOKER else RED_TWOS[face - WILD_TWOS[0]]


def card_text(face: int) -> CardText:
    """Return the two characters of a face, as in `7h`, `Td`, `As`, `Jk`; three for a wild two on the table: `2h*`."""
    return _TEXT[face]


def cards_text(cards: Iterable[int]) -> CardText:
    """Return the text of the cards in the order given, separated by blanks."""
    return CardText(" ".join([_TEXT[face] for face in cards]))


def parse_card(text: str, line: int = 1, column: int = 1) -> int:
    """Return the face that the text names: `7h`, `10h`, `td`, `A♠`, `Jk`, `joker`, `2h*`.

    Raises NotationError with line and column for any other text.
    """
    face = _FACE.get(text.replace("\ufe0f", "").lower())
    if face is None:
        shown = text if len(text) <= 20 else text[:20] + "…"
        raise NotationError("'{shown}' is not a card; write cards as 7h, Td, As or Jk", line, column, shown=shown)
    return face


def parse_cards(text: str, line: int = 1, column: int = 1) -> tuple[int, ...]:
    """Return the faces that the text names, in its order; cards are separated by blanks or commas.

    Raises NotationError with line and column of the first word that is not a card.
    """
    cards: list[int] = []
    start = -1
    for at, char in enumerate(text + " "):
        if char.isspace() or char == ",":
            if start >= 0:
                cards.append(parse_card(text[start:at], line, column + start))
                start = -1
        elif start < 0:
            start = at
    return tuple(cards)


@final
@mypyc_attr(acyclic=True, free_list_len=1)
class Faces:
    """Cards without their order: how many of each of the 53 faces are held.

    Natural cards are kept in one bit plane of 52 bits for each copy (a face held twice has its bit in `once` and in
    `twice`), which answers most questions about a hand with a few bit operations. Mutable.
    """

    __slots__ = ("_size", "four", "jokers", "once", "thrice", "twice")

    def __init__(self, cards: Iterable[int] = ()) -> None:
        self.once: i64 = 0
        self.twice: i64 = 0
        self.thrice: i64 = 0
        self.four: i64 = 0
        self.jokers: int = 0
        self._size: int = 0
        if isinstance(cards, tuple):  # by index, which is faster than iterating
            for face in cards:
                self.add(face)
        else:
            for face in cards:
                self.add(face)

    def add(self, face: int) -> None:
        """Add one card of this face; ValueError beyond the four copies that four packs hold."""
        bit: i64 = BIT[face]
        if face == JOKER:
            self.jokers += 1
        elif not self.once & bit:
            self.once |= bit
        elif not self.twice & bit:
            self.twice |= bit
        elif not self.thrice & bit:
            self.thrice |= bit
        elif not self.four & bit:
            self.four |= bit
        else:
            raise ValueError(message("a fifth {card}", card=_TEXT[face]))
        self._size += 1

    def remove(self, face: int) -> None:
        """Remove one card of this face; ValueError when none is held."""
        bit: i64 = BIT[face]
        if face == JOKER and self.jokers:
            self.jokers -= 1
        elif self.four & bit:
            self.four ^= bit
        elif self.thrice & bit:
            self.thrice ^= bit
        elif self.twice & bit:
            self.twice ^= bit
        elif self.once & bit:
            self.once ^= bit
        else:
            raise ValueError(message("no {card} held", card=_TEXT[face]))
        self._size -= 1

    def count(self, face: int) -> int:
        """Return how many cards of this face are held."""
        if face == JOKER:
            return self.jokers
        bit: i64 = BIT[face]
        if not self.once & bit:
            return 0
        if not self.twice & bit:
            return 1
        if not self.thrice & bit:
            return 2
        return 4 if self.four & bit else 3

    def __contains__(self, face: int) -> bool:
        return self.jokers > 0 if face == JOKER else self.once & BIT[face] != 0

    def __len__(self) -> int:
        return self._size

    def distinct(self) -> list[int]:
        """Return the faces held, each once, in ascending order; the joker last."""
        faces: list[int] = []
        rest: i64 = self.once
        while rest:
            low: i64 = rest & -rest
            faces.append(FACE_OF[low % 67])
            rest ^= low
        if self.jokers:
            faces.append(JOKER)
        return faces

    def cards(self) -> tuple[int, ...]:
        """Return every card held, in ascending order of face; jokers last."""
        cards: list[int] = []
        rest: i64 = self.once
        while rest:
            low: i64 = rest & -rest
            face = FACE_OF[low % 67]
            cards.append(face)
            if self.twice & low:
                cards.extend([face] * (self.count(face) - 1))
            rest ^= low
        if self.jokers:
            cards.extend([JOKER] * self.jokers)
        return tuple(cards)

    def __iter__(self) -> Iterator[int]:
        return iter(self.cards())

    def copy(self) -> "Faces":
        """Return an independent copy."""
        copied = Faces()
        copied.once = self.once
        copied.twice = self.twice
        copied.thrice = self.thrice
        copied.four = self.four
        copied.jokers = self.jokers
        copied._size = self._size
        return copied

    def holds(self, cards: Iterable[int]) -> bool:
        """Return whether all these cards, copies counted, are held together."""
        once, twice, thrice, four, jokers = self.once, self.twice, self.thrice, self.four, self.jokers
        for face in cards:
            bit: i64 = BIT[face]
            if face == JOKER and jokers:
                jokers -= 1
            elif four & bit:
                four ^= bit
            elif thrice & bit:
                thrice ^= bit
            elif twice & bit:
                twice ^= bit
            elif once & bit:
                once ^= bit
            else:
                return False
        return True

    def includes(self, other: "Faces") -> bool:
        """Return whether all cards of `other` are held."""
        missing: i64 = other.once & ~self.once | other.twice & ~self.twice
        missing |= other.thrice & ~self.thrice | other.four & ~self.four
        return not missing and other.jokers <= self.jokers

    def minus(self, other: "Faces") -> "Faces | None":
        """Return the cards left without those of `other`; None if not all of them are held."""
        if not self.includes(other):
            return None
        rest = self.copy()
        rest._drop(other.once)
        rest._drop(other.twice)
        rest._drop(other.thrice)
        rest._drop(other.four)
        rest.jokers -= other.jokers
        rest._size -= other._size
        return rest

    def _drop(self, plane: i64) -> None:
        """Remove one copy of each natural in `plane`: each plane passes its bits to the one before it."""
        if plane:
            self.once = self.once & ~plane | self.twice & plane
            self.twice = self.twice & ~plane | self.thrice & plane
            self.thrice = self.thrice & ~plane | self.four & plane
            self.four &= ~plane

    def same(self, other: "Faces") -> bool:
        """Return whether both have the same cards: `==` without its type check."""
        naturals = self.once == other.once and self.twice == other.twice and self.thrice == other.thrice
        return naturals and self.four == other.four and self.jokers == other.jokers

    def key(self) -> tuple[int, int, int, int, int]:
        """Return a hashable value, equal for equal holdings."""
        return (self.once, self.twice, self.thrice, self.four, self.jokers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Faces) and self.same(other)

    def __hash__(self) -> int:
        raise TypeError("Faces change; use key()")

    def __reduce__(self) -> tuple[type["Faces"], tuple[tuple[int, ...]]]:
        return Faces, (self.cards(),)

    def __repr__(self) -> str:
        return f"Faces({cards_text(self.cards())!r})"
