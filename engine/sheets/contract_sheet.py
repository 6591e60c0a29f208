"""Check the score sheets of contract games. Each impossibility is a `Problem`, which names its hand and seat."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from engine.cards import Faces
from engine.deal import check_players, pack_cards
from engine.rules import Rules
from engine.scoring import HandResult, closer_points, points_of
from engine.sheets.declared import HandCheck, Length, Problem, has_sum, possible_sums
from engine.solver import possible
from engine.text import message, plural


@dataclass(frozen=True, slots=True)
class DeclaredHand:
    """One hand as a score sheet has it, by seat (from 0).

    Where `closer` or `at_once` is None, it is inferred from the points. `left` gives cards, as text, instead of points.
    A `dead` hand was closed by nobody.
    """

    contract: str
    points: Mapping[int, int]
    closer: int | None = None
    at_once: bool | None = None
    dead: bool = False
    left: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ContractSheet:
    """A table's sheet: the number of players, and the hands in the order of play."""

    players: int
    hands: tuple[DeclaredHand, ...]


@dataclass(frozen=True, slots=True)
class CheckedSheet:
    """The problems of a sheet and, if there are none, the results of its hands."""

    problems: tuple[Problem, ...]
    hands: tuple[HandResult, ...]


def check_sheet(rules: Rules, sheet: ContractSheet, length: Length = "whole") -> CheckedSheet:
    """Return the problems of the sheet, or its hand results; RulesError for a wrong number of players."""
    check_players(rules, sheet.players)
    reason = _order_problem(rules, [hand.contract for hand in sheet.hands], length)
    if reason:
        return CheckedSheet((Problem("", None, reason),), ())
    problems: list[Problem] = []
    hands: list[HandResult] = []
    for number, declared in enumerate(sheet.hands, 1):
        check = _ContractHandCheck(rules, sheet.players, number, declared)
        problems.extend(check.problems)
        hands.append(check.result())
    return CheckedSheet(tuple(problems), () if problems else tuple(hands))


def check_hand(
    rules: Rules, players: int, number: int, declared: DeclaredHand, pending: Collection[int] = ()
) -> CheckedSheet:
    """Return the problems of one hand of a sheet, or its result; `number` counts from 1.

    Seats that are `pending` have not been entered yet: they need no points, and the result gives them 0.
    """
    check = _ContractHandCheck(rules, players, number, declared, pending)
    return CheckedSheet(tuple(check.problems), () if check.problems else (check.result(),))


def _order_problem(rules: Rules, entered: Sequence[str], length: Length) -> str:
    """Return why the contracts are not those of a game in order (003/1.3), or of a short game its first; "" if so."""
    order = [contract for contract, _ in rules.contracts.hands.order]
    if list(entered) == order or (length == "short" and entered and list(entered) == order[: len(entered)]):
        return ""
    if "" in entered:
        return message("hand {number} has no contract", number=list(entered).index("") + 1)
    unknown = next((contract for contract in entered if contract not in order), None)
    if unknown is not None:
        return message("there is no hand {hand}", hand=unknown[:40])
    repeated = next((contract for contract in entered if list(entered).count(contract) > 1), None)
    if repeated is not None:
        return message("hand {hand} appears twice", hand=repeated)
    last = order.index(entered[-1]) if entered and length == "short" else len(order)
    missing = next((contract for contract in order[:last] if contract not in entered), None)
    if missing is not None:
        return message("hand {hand} is missing", hand=missing)
    misplaced = next(contract for contract, due in zip(entered, order, strict=False) if contract != due)
    return message("hand {hand} is out of order", hand=misplaced)


class _ContractHandCheck(HandCheck):
    """The check of one hand of a contract game's sheet."""

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
        """Return the result of the hand; call it only if `problems` is empty."""
        points = tuple(self.points.get(seat, 0) for seat in range(self.players))
        at_once = self.closer is not None and self._at_once(points[self.closer])
        return HandResult(self.declared.contract, points, self.closer, at_once)

    def _at_once(self, points: int) -> bool:
        """Return whether the closer laid down in the closing turn: by the sheet, or else by their points [A-32]."""
        if self.declared.at_once is not None:
            return self.declared.at_once
        return closer_points(self.rules, self.declared.contract).get(points) == (True,)

    def _read_points(self) -> None:
        """Set `points` and `shown` from the points and cards on the sheet."""
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
        """Return whether `cards` is more than a player can hold at the end of this hand; if so, add a problem."""
        if self.most_held is None or cards <= self.most_held:
            return False
        self.fail(
            seat,
            "has {cards} left; in this hand nobody can hold more than {most_held}",
            cards=plural(cards, "card"),
            most_held=self.most_held,
        )
        return True

    def _closer(self) -> int | None:
        """Return the declared closer, or the only seat with a closer's points; None if there is none."""
        declared = self.declared
        closing_seats = self._closing_seats()
        if declared.dead:
            self._check_dead(closing_seats)
            return None
        if declared.closer is not None and declared.closer not in (*closing_seats, *self.pending):
            self.fail(declared.closer, "closed, but has {points}", points=plural(self.points[declared.closer], "point"))
        elif not closing_seats and not self.pending:
            self.fail(None, "nobody closed it (no 0 and no bonus), and it is not marked dead")
        elif len(closing_seats) > 1:
            self.fail(
                None,
                "{closing_seats} players closed it, with 0 or fewer points; only one can",
                closing_seats=len(closing_seats),
            )
        return closing_seats[0] if closing_seats and not self.problems else None

    def _check_dead(self, closing_seats: Sequence[int]) -> None:
        """Add a problem if a hand that is marked dead has a closer."""
        if self.declared.closer is not None:
            self.fail(self.declared.closer, "cannot have closed a hand that is marked dead")
        if self.declared.at_once is True:
            self.fail(None, "is marked dead, so nobody can have closed it in one turn")
        for seat in closing_seats:
            self.fail(
                seat,
                "has {points}, but in a dead hand everybody holds cards",
                points=plural(self.points[seat], "point"),
            )

    def _closing_seats(self) -> list[int]:
        """Return the seats with a closer's points; the declared closer's may include cards still held [A-33]."""
        allowed = closer_points(self.rules, self.declared.contract)
        return [
            seat
            for seat in sorted(self.points)
            if self.points[seat] <= 0 or (seat == self.declared.closer and self.points[seat] in allowed)
        ]

    def _check_points(self) -> None:
        """Add a problem where cards that no player listed cannot make the points of a seat, or of all seats."""
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
            self.fail(
                None, "the packs do not hold enough cards for {points} together", points=plural(together, "point")
            )
        if not self.problems and self.closer is not None and len(self.shown):
            self._check_contract()

    def _no_such_cards(self, points: int) -> str:
        """Return the message that no cards, or no hand where claims are limited, add up to these points."""
        if self.most_held is None:
            return message("no cards of these packs add up to {points}", points=points)
        return message(
            "no {most_held} or fewer cards of these packs add up to {points}", most_held=self.most_held, points=points
        )

    def _possible_together(self, values: dict[int, int], total: int, seats: int) -> bool:
        """Return whether `seats` players can hold `total` points between them."""
        most = None if self.most_held is None else seats * self.most_held
        return total > 0 and total <= self._most_points_together(values) and has_sum(possible_sums(values, most), total)

    def _most_points_together(self, values: dict[int, int]) -> int:
        """Return the most points that the players can hold together.

        The closer has put all cards dealt to them, and at least one that they drew, on table and pile; in a dead hand
        at least one card is on the pile. A pending seat holds at least one card.
        """
        not_in_hands = 1 if self.closer is None else self.rules.contracts.hands.order[self.number - 1][1] + 1
        not_in_hands += len(self.pending)
        values_ascending = [value for value, count in sorted(values.items()) for _ in range(count)]
        return sum(values_ascending[not_in_hands:])

    def _check_contract(self) -> None:
        """Add a problem unless the closer's contract can be made from the cards that no player listed."""
        unseen = Faces(pack_cards(self.rules, self.players, self.number))
        for face in self.shown.cards():
            unseen.remove(face)
        if not possible(self.rules, self.declared.contract, unseen):
            self.fail(
                self.closer,
                "cannot have laid down {contract}: other players hold its cards",
                contract=self.declared.contract,
            )

    def _check_closer(self, seat: int) -> None:
        """Add a problem unless a closer may have these points, and they agree with the declared turn of laying down."""
        points, at_once = self.points[seat], self.declared.at_once
        allowed = closer_points(self.rules, self.declared.contract)
        fitting = [value for value, options in allowed.items() if at_once is None or at_once in options]
        if points not in allowed:
            self.fail(
                seat,
                "has {points}; the closer scores {allowed}",
                points=plural(points, "point"),
                allowed=_either(allowed),
            )
        elif not fitting:
            self.fail(seat, "closed after laying down earlier, which is not allowed in this hand")
        elif points not in fitting:
            when = (
                message("laid down and closed in one turn") if at_once else message("closed after laying down earlier")
            )
            self.fail(
                seat,
                "{when}: that is {fitting} points, not {points}",
                when=when,
                fitting=_either(fitting),
                points=points,
            )


def _either(numbers: Collection[int]) -> str:
    first, *others = numbers
    return reduce(lambda text, number: message("{words} or {last}", words=text, last=number), others, str(first))


def most_held(rules: Rules, number: int) -> int | None:
    """Return the most cards that a player who did not close can hold at the end of hand `number` (from 1).

    A draw and a discard leave the number dealt, and laying down lowers it. Only a claim adds cards: the discard and, if
    there is one, the penalty card. Returns None where claims are not limited.
    """
    claim, dealt = rules.contracts.claim, rules.contracts.hands.order[number - 1][1]
    if claim.who == "nobody":
        return dealt
    if claim.limit is None:
        return None
    return dealt + claim.limit * (1 if claim.penalty == "none" else 2)
