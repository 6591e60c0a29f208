"""Spans of runs, and the held cards that they cover. A *span* says where a run begins and how long it is."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.solver.counts import RANK_COUNTS, RANKS, SIZE, SuitCards


@mypyc_attr(acyclic=True)
class Coverage:
    """The cards that spans of one suit cover, and the sets of ranks that the spans have once, twice, ….

    `jokers` is how many jokers they need; `points` are those of the naturals used, and `used` their rank counts.
    """

    __slots__ = ("four", "jokers", "length", "once", "points", "thrice", "twice", "used")

    def __init__(self, once: i64, twice: i64, thrice: i64, four: i64, length: i64, holding: "SuitHolding") -> None:
        held, points_of = holding.cards, holding.points_of
        first, second = once & held.once, twice & held.twice
        points: i64 = points_of[first]
        used: i64 = RANK_COUNTS[first]
        jokers: i64 = length - SIZE[first]
        if second:
            third, fourth = thrice & held.thrice, four & held.four
            points += points_of[second] + points_of[third] + points_of[fourth]
            used += RANK_COUNTS[second] + RANK_COUNTS[third] + RANK_COUNTS[fourth]
            jokers -= SIZE[second] + SIZE[third] + SIZE[fourth]
        self.once = once
        self.twice = twice
        self.thrice = thrice
        self.four = four
        self.length = length
        self.points = points
        self.used = used
        self.jokers = jokers


@final
@mypyc_attr(acyclic=True)
class Span(Coverage):
    """Where a run begins and how long it is, and the cards that it covers as the only run of its suit.

    Spans are tried in `order`: most points first, then by suit, start and length. `first` is the suit's ace.
    """

    __slots__ = ("first", "order", "start", "suit")

    def __init__(self, holding: "SuitHolding", start: i64, once: i64, twice: i64, thrice: i64, length: i64) -> None:
        super().__init__(once, twice, thrice, 0, length, holding)
        self.suit: i64 = holding.suit
        self.first: i64 = 13 * holding.suit
        self.start = start
        self.order: i64 = ((self.suit - 4 * self.points) * 16 + start) * 64 + length

    def next(self, face: i64) -> i64:
        """Return the face after `face` in the suit; after the king, the ace."""
        if face == self.first + 12:
            return self.first
        return face + 1


@final
@mypyc_attr(acyclic=True)
class SuitHolding:
    """The cards held of a suit, their points, and what the chosen spans cover of them.

    `used` are the rank counts of the cards covered, `uncovered` the points of the others, `free` the ranks of the
    others. `bounds.set_bounds` sets `run_bound`, the most points that one more run may cover, and `suit_bound`, the
    most that any number of runs may.
    """

    __slots__ = (
        "cards",
        "coverage",
        "free",
        "points",
        "points_of",
        "run_bound",
        "suit",
        "suit_bound",
        "uncovered",
        "used",
    )

    def __init__(self, suit: i64, cards: SuitCards, points_of: list[int]) -> None:
        self.suit = suit
        self.cards = cards
        self.points_of = points_of
        self.points = self.points_within(RANKS)
        self.uncovered = self.points
        self.used: i64 = 0
        self.coverage: Coverage | None = None
        self.free: i64 = cards.once
        self.suit_bound: i64 = 0
        self.run_bound: i64 = 0

    def cover(self, coverage: Coverage | None) -> None:
        """Set the cards that the chosen spans cover; None if none is chosen."""
        held = self.cards
        self.coverage = coverage
        self.free = held.once
        self.uncovered = self.points
        self.used = 0
        if coverage is not None:
            self.uncovered -= coverage.points
            self.used = coverage.used
            self.free &= ~coverage.once
            if held.twice:
                self.free |= held.twice & ~coverage.twice | held.thrice & ~coverage.thrice | held.four & ~coverage.four

    def contested(self, coverage: Coverage) -> i64:
        """Return the ranks that are held, but less often than the spans have them."""
        return self.cards.contested(coverage.once, coverage.twice, coverage.thrice, coverage.four)

    def points_within(self, ranks: i64) -> i64:
        """Return the points of all held cards of these ranks."""
        held, points_of = self.cards, self.points_of
        points: i64 = points_of[held.once & ranks]
        if held.twice & ranks:
            points += points_of[held.twice & ranks] + points_of[held.thrice & ranks] + points_of[held.four & ranks]
        return points


def combined(before: Coverage, span: Span, holding: SuitHolding) -> Coverage:
    """Return what the spans of `before` and one more cover; a fifth copy of a card is never held, so not counted."""
    return Coverage(
        before.once | span.once,
        before.twice | span.twice | before.once & span.once,
        before.thrice | span.thrice | before.once & span.twice | before.twice & span.once,
        before.four | before.once & span.thrice | before.twice & span.twice | before.thrice & span.once,
        before.length + span.length,
        holding,
    )
