"""Could these declared points have happened? Problems are values, hand by hand and seat by seat."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import or_
from typing import Literal

from engine.cards import JOKER, Faces, card_text, parse_cards
from engine.deal import check_players, pack_cards
from engine.errors import NotationError
from engine.rules import Rules
from engine.scoring import HandResult, closer_points, points_of, values_in_play
from engine.solver import possible
from engine.words import counted

Length = Literal["whole", "short"]
"""Whether a sheet must have every hand of the game, or the first of them alone: the bell rang."""


@dataclass(frozen=True, slots=True)
class DeclaredHand:
    """One line of a score sheet, by seat (from 0).

    `closer` and `at_once` may be open (None): then the points say who closed. `left` gives cards, as text,
    instead of points. `dead` says that nobody closed.
    """

    contract: str
    points: Mapping[int, int]
    closer: int | None = None
    at_once: bool | None = None
    dead: bool = False
    left: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table's sheet: how many play, and the hands as declared."""

    players: int
    hands: tuple[DeclaredHand, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """What cannot have happened: in which hand (its contract), at which seat (None: the whole hand), why."""

    contract: str
    seat: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A sheet's problems; without any, its hands as they count."""

    problems: tuple[Problem, ...]
    hands: tuple[HandResult, ...]


def check_sheet(rules: Rules, sheet: Sheet, length: Length = "whole") -> Checked:
    """Everything impossible about the sheet; RulesError for a wrong number of players."""
    check_players(rules, sheet.players)
    problems = _order_problems(rules, [hand.contract for hand in sheet.hands], length)
    hands: list[HandResult] = []
    if not problems:
        for number, declared in enumerate(sheet.hands, 1):
            found = _Line(rules, sheet.players, number, declared)
            problems.extend(found.problems)
            hands.append(found.result())
    return Checked(tuple(problems), () if problems else tuple(hands))


def check_hand(
    rules: Rules, players: int, number: int, declared: DeclaredHand, waiting: Collection[int] = ()
) -> Checked:
    """Everything impossible about the hand of that number (from 1), alone.

    Nothing is asked of the seats that are `waiting`: their points are not written yet. The hand that counts
    has 0 for them.
    """
    found = _Line(rules, players, number, declared, waiting)
    return Checked(tuple(found.problems), () if found.problems else (found.result(),))


def _order_problems(rules: Rules, found: Sequence[str], length: Length) -> list[Problem]:
    """Every contract once and in order (003/1.3); a short game stops before one of them."""
    order = [contract for contract, _ in rules.contracts.hands.order]
    last = max((order.index(contract) for contract in found if contract in order), default=-1)
    wanted = order if length == "whole" else order[: last + 1]
    problems = [
        Problem(contract, None, f"{rules.id} has no hand '{contract[:20]}'; its hands are {' '.join(order)}")
        for contract in dict.fromkeys(found)
        if contract not in order
    ]
    problems += [Problem(contract, None, "the hand is missing") for contract in wanted if contract not in found]
    problems += [
        Problem(contract, None, "the hand stands twice") for contract in wanted if list(found).count(contract) > 1
    ]
    if not problems and list(found) != wanted:
        first = next(one for one, other in zip(found, wanted, strict=True) if one != other)
        problems.append(Problem(first, None, f"the hands stand out of order; they go {' '.join(wanted)}"))
    return problems


class _Line:
    """One hand of the sheet under examination."""

    def __init__(
        self, rules: Rules, players: int, number: int, declared: DeclaredHand, waiting: Collection[int] = ()
    ) -> None:
        self.rules = rules
        self.players = players
        self.number = number
        self.declared = declared
        self.waiting = waiting
        self.problems: list[Problem] = []
        self.named = Faces()
        self.most_held = most_held(rules, number)
        self.points = self._points()
        self.closer = None if self.problems else self._closer()
        if not self.problems:
            self._check_points()

    def result(self) -> HandResult:
        """The hand as it counts; meaningful without problems only."""
        points = tuple(self.points.get(seat, 0) for seat in range(self.players))
        at_once = self.closer is not None and self._at_once(points[self.closer])
        return HandResult(self.declared.contract, points, self.closer, at_once)

    def _at_once(self, points: int) -> bool:
        """Whether the closer laid down in the turn of closing: as declared, or if his points say so [A-32]."""
        if self.declared.at_once is not None:
            return self.declared.at_once
        return closer_points(self.rules, self.declared.contract).get(points) == (True,)

    def _wrong(self, seat: int | None, reason: str) -> None:
        self.problems.append(Problem(self.declared.contract, seat, reason))

    def _points(self) -> dict[int, int]:
        """Declared points, those of declared cards included."""
        declared = self.declared
        points = dict(declared.points)
        for seat in sorted({*declared.points, *declared.left, *self._declared_closer()}):
            if not 0 <= seat < self.players:
                self._wrong(seat, f"is no seat of this table of {self.players}")
        for seat, text in declared.left.items():
            if seat in points:
                self._wrong(seat, "has both points and cards left; one of the two is wanted")
                continue
            cards = self._cards(seat, text)
            if cards is not None and not self._too_many(seat, len(cards)):
                points[seat] = points_of(self.rules, cards)
                self._name(seat, cards)
        for seat in range(self.players):
            expected = seat not in points and seat not in self.waiting
            if expected and not any(problem.seat == seat for problem in self.problems):
                self._wrong(seat, "has no points in this hand")
        return points

    def _declared_closer(self) -> tuple[int, ...]:
        return () if self.declared.closer is None else (self.declared.closer,)

    def _cards(self, seat: int, text: str) -> Faces | None:
        try:
            return Faces(parse_cards(text))
        except (NotationError, ValueError) as error:
            self._wrong(seat, f"cards left '{text[:40]}': {error}")
            return None

    def _too_many(self, seat: int, cards: int) -> bool:
        """Whether nobody can hold so many cards at the end of this hand; a problem if so."""
        if self.most_held is None or cards <= self.most_held:
            return False
        self._wrong(seat, f"has {counted(cards, 'card')} left; in this hand nobody can hold more than {self.most_held}")
        return True

    def _name(self, seat: int, cards: Faces) -> None:
        """Adds a player's cards to those of the others; the packs must hold them all."""
        packs = self.rules.packs(self.players, self.number)
        jokers = self.rules.jokers(self.players, self.number)
        for face in cards.cards():
            limit = jokers if face == JOKER else packs
            if self.named.count(face) == limit:
                self._wrong(seat, f"{card_text(face)} is left once too often; the packs hold {limit}")
                return
            self.named.add(face)

    def _closer(self) -> int | None:
        """Who closed: as declared, or the one seat whose points are a closer's."""
        declared = self.declared
        closing = self._closing()
        if declared.dead:
            if declared.closer is not None:
                self._wrong(declared.closer, "cannot have closed a hand that is marked dead")
            if declared.at_once is True:
                self._wrong(None, "nobody can have closed at once a hand that is marked dead")
            for seat in closing:
                self._wrong(
                    seat, f"has {counted(self.points[seat], 'point')}, but in a dead hand everybody holds cards"
                )
            return None
        if declared.closer is not None and declared.closer not in (*closing, *self.waiting):
            self._wrong(declared.closer, f"closed, but has {counted(self.points[declared.closer], 'point')}")
        elif not closing and not self.waiting:
            self._wrong(None, "nobody closed it (no 0 and no bonus), and it is not marked dead")
        elif len(closing) > 1:
            self._wrong(None, f"{len(closing)} players closed it, with 0 or fewer points; only one can")
        return closing[0] if closing and not self.problems else None

    def _closing(self) -> list[int]:
        """The seats whose points are a closer's; the declared one's may count cards that he held [A-33]."""
        known = closer_points(self.rules, self.declared.contract)
        return [
            seat
            for seat in sorted(self.points)
            if self.points[seat] <= 0 or (seat == self.declared.closer and self.points[seat] in known)
        ]

    def _check_points(self) -> None:
        """Points must be sums of cards that no other player is known to hold, one by one and together."""
        values = self._values()
        sums = possible_sums(values, self.most_held)
        for seat, points in self.points.items():
            if seat == self.closer:
                self._check_closer(seat)
            elif seat not in self.declared.left and not _has(sums, points):
                self._wrong(seat, self._no_such_cards(points))
        others = [seat for seat in self.points if seat != self.closer and seat not in self.declared.left]
        together = sum(self.points[seat] for seat in others)
        if not self.problems and others and not self._possible_together(values, together, len(others)):
            self._wrong(None, f"the packs do not hold cards for {counted(together, 'point')} together")
        if not self.problems and self.closer is not None and self.named.key() != Faces().key():
            self._check_contract()

    def _no_such_cards(self, points: int) -> str:
        """Why nobody holds so many points: one has a number of cards at most where claims are counted."""
        if self.most_held is None:
            return f"no cards of these packs add up to {points}"
        return f"no {counted(self.most_held, 'card')} of these packs or fewer add up to {points}"

    def _possible_together(self, values: dict[int, int], total: int, seats: int) -> bool:
        """Whether so many players can hold so many points between them."""
        most = None if self.most_held is None else seats * self.most_held
        return total <= self._most(values) and _has(possible_sums(values, most), total)

    def _values(self) -> dict[int, int]:
        """How many cards of each value may be anywhere: those of the packs but the ones named."""
        values = values_in_play(self.rules, self.players, self.number)
        for face in self.named.cards():
            values[self.rules.points(face)] -= 1
        return values

    def _most(self, values: dict[int, int]) -> int:
        """The most points that players can hold together.

        Who closed has put the cards dealt to him, and at least one drawn, on table and pile; in a dead hand
        at least one card lies on the pile. Who waits for his points holds a card at least.
        """
        away = 1 if self.closer is None else self.rules.contracts.hands.order[self.number - 1][1] + 1
        away += len(self.waiting)
        cheapest = [value for value, count in sorted(values.items()) for _ in range(count)]
        return sum(cheapest[away:])

    def _check_contract(self) -> None:
        """The cards that are not named must hold the contract, which the closer has laid down."""
        unnamed = Faces(pack_cards(self.rules, self.players, self.number))
        for face in self.named.cards():
            unnamed.remove(face)
        if not possible(self.rules, self.declared.contract, unnamed):
            self._wrong(self.closer, f"cannot have laid down {self.declared.contract}: the others hold its cards")

    def _check_closer(self, seat: int) -> None:
        points, at_once = self.points[seat], self.declared.at_once
        ways = closer_points(self.rules, self.declared.contract)
        fitting = [value for value, turns in ways.items() if at_once is None or at_once in turns]
        told = " or ".join(map(str, fitting))
        if points not in ways:
            self._wrong(seat, f"has {counted(points, 'point')}; who closes writes down {' or '.join(map(str, ways))}")
        elif not fitting:
            self._wrong(seat, "closed after laying down earlier, which is not allowed in this hand")
        elif points not in fitting:
            when = "laid down and closed in one turn" if at_once else "closed after laying down earlier"
            self._wrong(seat, f"{when}: that is {told} points, not {points}")


def _has(sums: int, total: int) -> bool:
    return total > 0 and bool(sums >> total & 1)


def most_held(rules: Rules, number: int) -> int | None:
    """The most cards that one who has not closed can hold at the end of the hand of that number (from 1).

    Draw and discard leave as many as were dealt, and laying takes some away: only claims bring more, each the
    discard and its penalty card. None where nobody counts the claims.
    """
    claim, dealt = rules.contracts.claim, rules.contracts.hands.order[number - 1][1]
    if claim.who == "nobody":
        return dealt
    if claim.limit is None:
        return None
    return dealt + claim.limit * (1 if claim.penalty == "none" else 2)


def possible_sums(values: Mapping[int, int], most: int | None = None) -> int:
    """The sums that some of the cards add up to, given how many there are of each value: bit n is set if n can be.

    `most` is how many cards there may be, if that is limited.
    """
    there = sum(values.values())
    return _sums(tuple(sorted(values.items())), there if most is None else min(most, there))


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
