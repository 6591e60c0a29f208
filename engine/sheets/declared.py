"""The parts shared by the checks of contract and knock sheets: problems, missing points, cards, and possible sums."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Literal

from engine.cards import JOKER, Faces, card_text, cards_text, parse_cards
from engine.errors import NotationError
from engine.rules import Rules
from engine.scoring import values_in_play
from engine.text import message

MOST_SHOWN = 13
"""The most cards of a player that a problem shows."""
Length = Literal["whole", "short"]
"""The hands that a sheet needs: every hand of the game, or only the first ones if time expired."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An impossibility in a sheet: the hand's label, the seat (None: the whole hand), and the reason.

    Without a label it is one of the order of the hands.
    """

    hand: str
    seat: int | None
    reason: str


class HandCheck:
    """The check of one hand of a sheet.

    `left` are the seats of which the sheet lists cards, `shown` these cards. Seats that are `pending` have not been
    entered yet.
    """

    def __init__(
        self, rules: Rules, players: int, number: int, label: str, pending: Collection[int], left: Collection[int]
    ) -> None:
        self.rules = rules
        self.players = players
        self.number = number
        self.label = label
        self.pending = pending
        self.left = left
        self.problems: list[Problem] = []
        self.shown = Faces()
        self.points: dict[int, int] = {}

    def fail(self, seat: int | None, reason: str, /, **values: object) -> None:
        """Add a problem; the reason is a sentence, or the template of one with its values."""
        self.problems.append(Problem(self.label, seat, message(reason, **values) if values else reason))

    def no_such_seat(self) -> str:
        """Return the message that a number is not a seat of this table."""
        return message("is not a seat at this table of {players}", players=self.players)

    def parse_left(self, seat: int, text: str) -> Faces | None:
        """Return the cards left at a seat; None, with a problem, for text that is not cards."""
        given = text[:40]
        try:
            cards = parse_cards(text)
            given = cards_text(cards[:MOST_SHOWN])
            return Faces(cards)
        except (NotationError, ValueError) as error:
            # The problem names the player: no line or column of a file is meant.
            why = error.reason if isinstance(error, NotationError) else error
            self.fail(seat, "cards left '{text}': {error}", text=given, error=why)
            return None

    def show(self, seat: int, cards: Faces) -> None:
        """Add a player's cards to `shown`, with a problem for a card that the packs do not hold so often."""
        packs = self.rules.packs(self.players, self.number)
        jokers = self.rules.jokers(self.players, self.number)
        for face in cards.cards():
            limit = jokers if face == JOKER else packs
            if self.shown.count(face) == limit:
                self.fail(
                    seat, "{card} is left once too often; the packs hold {limit}", card=card_text(face), limit=limit
                )
                return
            self.shown.add(face)

    def require_points(self, seats: Iterable[int]) -> None:
        """Add a problem for every seat without points, unless it is pending or has a problem already."""
        for seat in seats:
            absent = seat not in self.points and seat not in self.pending
            if absent and not any(problem.seat == seat for problem in self.problems):
                self.fail(seat, "has no points in this hand")

    def from_points_alone(self, closer: int | None) -> list[int]:
        """Return the seats, the closer's excepted, of which only points are known."""
        return [seat for seat in self.points if seat != closer and seat not in self.left]

    def unseen_values(self) -> dict[int, int]:
        """Return how many cards of each value are not among those shown."""
        values = values_in_play(self.rules, self.players, self.number)
        for face in self.shown.cards():
            values[self.rules.points(face)] -= 1
        return values


def possible_sums(values: Mapping[int, int], most: int | None = None) -> int:
    """Return the sums that `most` cards or fewer can have, as a bit mask: bit n stands for n.

    `values` gives the number of cards of each value. Without `most`, any number of them may be added.
    """
    supply = sum(values.values())
    return _sums(tuple(sorted(values.items())), supply if most is None else min(most, supply))


@lru_cache(maxsize=256)
def _sums(values: tuple[tuple[int, int], ...], most: int) -> int:
    if most == sum(count for _, count in values):
        return _sums_of_any_number(values)
    by_size = [1] + [0] * most
    for value, count in values:
        for _ in range(min(count, most)):
            for size in range(most, 0, -1):
                by_size[size] |= by_size[size - 1] << value
    return reduce(or_, by_size)


def _sums_of_any_number(values: tuple[tuple[int, int], ...]) -> int:
    bits = 1
    for value, count in values:
        for _ in range(count):
            bits |= bits << value
    return bits


def has_sum(sums: int, total: int) -> bool:
    """Return whether the total is among the sums of `possible_sums`."""
    return total >= 0 and bool(sums >> total & 1)
