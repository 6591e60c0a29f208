"""Score sheets of contract games: could these points have happened? Problems are values, by hand and seat."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from engine.cards import Faces
from engine.deal import check_players, pack_cards
from engine.rules import Rules
from engine.scoring import HandResult, closer_points, points_of
from engine.sheets.declared import HandCheck, Length, Problem, has_sum, possible_sums
from engine.solver import possible
from engine.text import plural


@dataclass(frozen=True, slots=True)
class DeclaredHand:
    """One line of a score sheet, by seat (from 0).

    `closer` and `at_once` may be None: then the points tell who closed. `left` gives cards, as text, instead of
    points. A `dead` hand was closed by nobody.
    """

    contract: str
    points: Mapping[int, int]
    closer: int | None = None
    at_once: bool | None = None
    dead: bool = False
    left: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table's sheet: the number of players, and the hands as declared."""

    players: int
    hands: tuple[DeclaredHand, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A sheet's problems; without any, its hands as they count."""

    problems: tuple[Problem, ...]
    hands: tuple[HandResult, ...]


def check_sheet(rules: Rules, sheet: Sheet, length: Length = "whole") -> Checked:
    """Return everything impossible about the sheet; RulesError for a wrong number of players."""
    check_players(rules, sheet.players)
    problems = _order_problems(rules, [hand.contract for hand in sheet.hands], length)
    hands: list[HandResult] = []
    if not problems:
        for number, declared in enumerate(sheet.hands, 1):
            check = _ContractHandCheck(rules, sheet.players, number, declared)
            problems.extend(check.problems)
            hands.append(check.result())
    return Checked(tuple(problems), () if problems else tuple(hands))


def check_hand(
    rules: Rules, players: int, number: int, declared: DeclaredHand, pending: Collection[int] = ()
) -> Checked:
    """Return everything impossible about the hand of that number (from 1), alone.

    Seats that are `pending` have not been entered yet: they need no points, and the hand that counts has 0 for them.
    """
    check = _ContractHandCheck(rules, players, number, declared, pending)
    return Checked(tuple(check.problems), () if check.problems else (check.result(),))


def _order_problems(rules: Rules, found: Sequence[str], length: Length) -> list[Problem]:
    """Require every contract once and in order (003/1.3); a short game stops before one of them."""
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
        Problem(contract, None, "the hand is entered twice") for contract in wanted if list(found).count(contract) > 1
    ]
    if not problems and list(found) != wanted:
        first = next(contract for contract, right in zip(found, wanted, strict=True) if contract != right)
        problems.append(Problem(first, None, f"the hands are out of order; the order is {' '.join(wanted)}"))
    return problems


class _ContractHandCheck(HandCheck):
    """One hand of a contract game's sheet under examination."""

    def __init__(
        self, rules: Rules, players: int, number: int, declared: DeclaredHand, pending: Collection[int] = ()
    ) -> None:
        super().__init__(rules, players, number, declared.contract, pending, declared.left)
        self.declared = declared
        self.most_held = most_held(rules, number)
        self._read_points()
        self.closer = None if self.problems else self._closer()
        if not self.problems:
            self._check_points()

    def result(self) -> HandResult:
        """Return the hand as it counts; meaningful only without problems."""
        points = tuple(self.points.get(seat, 0) for seat in range(self.players))
        at_once = self.closer is not None and self._at_once(points[self.closer])
        return HandResult(self.declared.contract, points, self.closer, at_once)

    def _at_once(self, points: int) -> bool:
        """Return whether the closer laid down in the closing turn: as declared, or as their points tell [A-32]."""
        if self.declared.at_once is not None:
            return self.declared.at_once
        return closer_points(self.rules, self.declared.contract).get(points) == (True,)

    def _read_points(self) -> None:
        """Read the declared points and cards."""
        declared, points = self.declared, self.points
        points |= declared.points
        closer = () if declared.closer is None else (declared.closer,)
        for seat in sorted({*declared.points, *declared.left, *closer}):
            if not 0 <= seat < self.players:
                self.fail(seat, self.no_such_seat())
        for seat, text in declared.left.items():
            if seat in points:
                self.fail(seat, "has both points and cards left; enter one of the two")
                continue
            cards = self.parse_left(seat, text)
            if cards is not None and not self._too_many(seat, len(cards)):
                points[seat] = points_of(self.rules, cards)
                self.show(seat, cards)
        self.require_points(range(self.players))

    def _too_many(self, seat: int, cards: int) -> bool:
        """Return whether nobody can hold that many cards at the end of this hand, with a problem if so."""
        if self.most_held is None or cards <= self.most_held:
            return False
        self.fail(seat, f"has {plural(cards, 'card')} left; in this hand nobody can hold more than {self.most_held}")
        return True

    def _closer(self) -> int | None:
        """Return who closed: the declared closer, or the one seat whose points are a closer's."""
        declared = self.declared
        closing = self._closing()
        if declared.dead:
            self._check_dead(closing)
            return None
        if declared.closer is not None and declared.closer not in (*closing, *self.pending):
            self.fail(declared.closer, f"closed, but has {plural(self.points[declared.closer], 'point')}")
        elif not closing and not self.pending:
            self.fail(None, "nobody closed it (no 0 and no bonus), and it is not marked dead")
        elif len(closing) > 1:
            self.fail(None, f"{len(closing)} players closed it, with 0 or fewer points; only one can")
        return closing[0] if closing and not self.problems else None

    def _check_dead(self, closing: Sequence[int]) -> None:
        """Nobody may have closed a dead hand."""
        if self.declared.closer is not None:
            self.fail(self.declared.closer, "cannot have closed a hand that is marked dead")
        if self.declared.at_once is True:
            self.fail(None, "is marked dead, so that nobody can have closed it at once")
        for seat in closing:
            self.fail(seat, f"has {plural(self.points[seat], 'point')}, but in a dead hand everybody holds cards")

    def _closing(self) -> list[int]:
        """Return the seats with a closer's points; those of the declared closer may include held cards [A-33]."""
        known = closer_points(self.rules, self.declared.contract)
        return [
            seat
            for seat in sorted(self.points)
            if self.points[seat] <= 0 or (seat == self.declared.closer and self.points[seat] in known)
        ]

    def _check_points(self) -> None:
        """Require sums of cards that no other player showed, for each seat and for all together."""
        values = self.unseen_values()
        sums = possible_sums(values, self.most_held)
        for seat, points in self.points.items():
            if seat == self.closer:
                self._check_closer(seat)
            elif seat not in self.left and not (points and has_sum(sums, points)):
                self.fail(seat, self._no_such_cards(points))
        others = self.from_points_alone(self.closer)
        together = sum(self.points[seat] for seat in others)
        if not self.problems and others and not self._possible_together(values, together, len(others)):
            self.fail(None, f"the packs do not hold cards for {plural(together, 'point')} together")
        if not self.problems and self.closer is not None and len(self.shown):
            self._check_contract()

    def _no_such_cards(self, points: int) -> str:
        """Return that no cards have these points; where claims are limited, so are the cards in a hand."""
        if self.most_held is None:
            return f"no cards of these packs add up to {points}"
        return f"no {plural(self.most_held, 'card')} of these packs or fewer add up to {points}"

    def _possible_together(self, values: dict[int, int], total: int, seats: int) -> bool:
        """Return whether `seats` players can hold `total` points between them."""
        most = None if self.most_held is None else seats * self.most_held
        return total > 0 and total <= self._most(values) and has_sum(possible_sums(values, most), total)

    def _most(self, values: dict[int, int]) -> int:
        """Return the most points that the players can hold together.

        The closer has put the cards that they were dealt, and at least one that they drew, on table and pile; in a
        dead hand at least one card is on the pile. A pending seat holds at least one card.
        """
        away = 1 if self.closer is None else self.rules.contracts.hands.order[self.number - 1][1] + 1
        away += len(self.pending)
        cheapest = [value for value, count in sorted(values.items()) for _ in range(count)]
        return sum(cheapest[away:])

    def _check_contract(self) -> None:
        """Require the contract, which the closer has laid down, among the cards that nobody showed."""
        unseen = Faces(pack_cards(self.rules, self.players, self.number))
        for face in self.shown.cards():
            unseen.remove(face)
        if not possible(self.rules, self.declared.contract, unseen):
            self.fail(self.closer, f"cannot have laid down {self.declared.contract}: the others hold its cards")

    def _check_closer(self, seat: int) -> None:
        """Require points that a closer may have, and that agree with the declared turn of laying down."""
        points, at_once = self.points[seat], self.declared.at_once
        offers = closer_points(self.rules, self.declared.contract)
        fitting = [value for value, turns in offers.items() if at_once is None or at_once in turns]
        if points not in offers:
            self.fail(seat, f"has {plural(points, 'point')}; the closer scores {_either(offers)}")
        elif not fitting:
            self.fail(seat, "closed after laying down earlier, which is not allowed in this hand")
        elif points not in fitting:
            when = "laid down and closed in one turn" if at_once else "closed after laying down earlier"
            self.fail(seat, f"{when}: that is {_either(fitting)} points, not {points}")


def _either(numbers: Collection[int]) -> str:
    return " or ".join(map(str, numbers))


def most_held(rules: Rules, number: int) -> int | None:
    """Return how many cards a player who did not close can hold at most at the end of that hand (from 1).

    Draw and discard leave as many as were dealt, and laying down takes some away: only claims bring more, each the
    discard and its penalty card. None where claims are not limited.
    """
    claim, dealt = rules.contracts.claim, rules.contracts.hands.order[number - 1][1]
    if claim.who == "nobody":
        return dealt
    if claim.limit is None:
        return None
    return dealt + claim.limit * (1 if claim.penalty == "none" else 2)
