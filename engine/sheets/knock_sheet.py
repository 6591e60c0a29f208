"""Check the score sheets of knock games, hand after hand, since each depends on those before it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from engine.actions import BUY, DECLINE
from engine.cards import Faces
from engine.games.knock_game import KnockGame
from engine.knock.turn import closing_points, refuse_ending
from engine.rules import Rules
from engine.scoring import ENDINGS, GameResult, HandResult, KnockEnding
from engine.sheets.declared import HandCheck, Length, Problem, has_sum, possible_sums
from engine.solver.deadwood import least_deadwood
from engine.text import message, plural


@dataclass(frozen=True, slots=True)
class DeclaredKnockHand:
    """One hand of a knock game's sheet, by seat (from 0).

    `ending` is how the `closer` ended it; nobody ended a `dead` hand. `left` gives a player's cards, as text, instead
    of points, for the closer too. `jokers` is the number of jokers among the ten cards of a rummy, unless `left` lists
    these cards. `buys` are the seats that bought points off afterwards. Players who are out have no points.
    """

    ending: str
    points: Mapping[int, int]
    closer: int | None = None
    dead: bool = False
    left: Mapping[int, str] = field(default_factory=dict)
    jokers: int = 0
    buys: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """The problems of a sheet, with hands labelled `hand 3`, or the game's result and its dealers (seats, by hand).

    The `length` is "short" if the game was stopped before its end.
    """

    problems: tuple[Problem, ...]
    result: GameResult | None = None
    dealers: tuple[int, ...] = ()
    length: Length = "whole"


def check_knock_sheet(
    rules: Rules, players: int, hands: Sequence[DeclaredKnockHand], stake: int = 0, length: Length = "whole"
) -> CheckedGame:
    """Return the problems of the first hand that has any, or the game's result with that stake.

    A short game is stopped after its last hand. Raises RulesError for a wrong number of players and for a stake
    whose bonuses are not whole.
    """
    game = KnockGame(rules, players, "", stake)
    for number, declared in enumerate(hands, 1):
        problems = _play(game, number, declared)
        if problems:
            return CheckedGame(tuple(problems))
    if not game.over and (not hands or length == "whole"):
        reason = (
            message("{active} players are still in", active=len(game.active))
            if hands
            else message("the sheet has no hands")
        )
        return CheckedGame(
            (
                Problem(
                    message("hand {hands}", hands=len(hands) + 1), None, message("is missing: {reason}", reason=reason)
                ),
            )
        )
    stopped: Length = "whole" if game.over else "short"
    if not game.over:
        game.stop()
    return CheckedGame((), game.result(), tuple(game.dealers), stopped)


def check_knock_hand(
    rules: Rules,
    players: int,
    before: Sequence[DeclaredKnockHand],
    declared: DeclaredKnockHand,
    pending: Collection[int] = (),
) -> tuple[Problem, ...]:
    """Return the problems of one hand after hands without any; seats that are `pending` need no points yet."""
    game = game_after(rules, players, before)
    number = len(before) + 1
    if game.over:
        return (_too_late(number),)
    if pending:
        return tuple(_KnockHandCheck(game, number, declared, pending).problems)
    return tuple(_play(game, number, declared))


def game_after(
    rules: Rules,
    players: int,
    hands: Sequence[DeclaredKnockHand],
    stake: int = 0,
    declined: Collection[int] | None = None,
) -> KnockGame:
    """Return the game after these hands, which have no problems.

    With `declined`, the offers after the last hand are still open: the first player who may buy, and is neither in
    its `buys` nor in `declined`, has the game's `offer`.
    """
    game = KnockGame(rules, players, "", stake)
    for number, declared in enumerate(hands, 1):
        game.add_result(_KnockHandCheck(game, number, declared).result())
        _buy(game, list(declared.buys), declined if number == len(hands) else None)
    return game


def _play(game: KnockGame, number: int, declared: DeclaredKnockHand) -> list[Problem]:
    """Add the hand to the game; return the problems if it cannot have happened."""
    if game.over:
        return [_too_late(number)]
    check = _KnockHandCheck(game, number, declared)
    if check.problems:
        return check.problems
    game.add_result(check.result())
    return [Problem(check.label, seat, _refused_buy(game, seat)) for seat in _buy(game, list(declared.buys))]


def _too_late(number: int) -> Problem:
    return Problem(
        message("hand {number}", number=number),
        None,
        message("the game was over after hand {number}", number=number - 1),
    )


def _buy(game: KnockGame, buys: list[int], declined: Collection[int] | None = None) -> list[int]:
    """Answer the offers, all if `declined` is None; return the seats among `buys` that had no offer."""
    while game.offer is not None:
        is_bought = game.offer.seat in buys
        if is_bought:
            buys.remove(game.offer.seat)
        elif declined is not None and game.offer.seat not in declined:
            break
        game.answer(BUY if is_bought else DECLINE)
    return buys


def _refused_buy(game: KnockGame, seat: int) -> str:
    """Return why a buy on the sheet cannot have happened."""
    refusal = game.no_offer.get(seat)
    if refusal is not None:
        return refusal.reason
    return (
        message("buys twice after one hand")
        if 0 <= seat < game.players
        else message("is not a seat at this table of {players}", players=game.players)
    )


class _KnockHandCheck(HandCheck):
    """The check of one hand of a knock game's sheet, in the game as it was before that hand."""

    def __init__(
        self, game: KnockGame, number: int, declared: DeclaredKnockHand, pending: Collection[int] = ()
    ) -> None:
        super().__init__(game.rules, game.players, 1, message("hand {number}", number=number), pending, declared.left)
        self.active = game.active
        self.declared = declared
        self.dealt = game.rules.knocking.hand.deal
        self.jokers = declared.jokers
        self.ending = self._ending()
        if not self.problems:
            self._read_points()
        if not self.problems:
            self._check_points()

    def result(self) -> HandResult:
        """Return the result of the hand; call it only if `problems` is empty."""
        points = tuple(self.points.get(seat, 0) for seat in range(self.players))
        return HandResult("", points, self._closer(), ending=self.ending, jokers=self.jokers)

    def _closer(self) -> int | None:
        return None if self.ending is None else self.declared.closer

    def _ending(self) -> KnockEnding | None:
        """Return how the hand ended; None if it is dead or, with a problem, if the sheet does not say how."""
        declared = self.declared
        ending = next((option for option in ENDINGS if option == declared.ending), None)
        if declared.dead:
            if declared.closer is not None:
                self.fail(declared.closer, "cannot have ended a hand that is marked dead")
            elif declared.ending:
                self.fail(None, "is marked dead, but ended with '{ending}'", ending=declared.ending[:20])
            return None
        if ending is None:
            written = (
                message("ended with '{ending}'", ending=declared.ending[:20])
                if declared.ending
                else message("does not say how it ended")
            )
            self.fail(
                None,
                "{written}; a hand ends with {endings}, or is marked dead",
                written=written,
                endings=", ".join(ENDINGS),
            )
        elif declared.closer is None:
            self.fail(None, "does not say who ended it with a {ending}", ending=ending)
        elif self._is_active(declared.closer) and declared.jokers and ending != "rummy":
            self.fail(declared.closer, "the jokers of a {ending} do not count", ending=ending)
        return ending

    def _is_active(self, seat: int) -> bool:
        """Return whether the seat is still in the game; if not, add a problem."""
        if seat in self.active:
            return True
        self.fail(seat, "is out of the game" if 0 <= seat < self.players else self.no_such_seat())
        return False

    def _read_points(self) -> None:
        """Set `points` from the points and cards on the sheet, and the closer's from the ending."""
        declared, points = self.declared, self.points
        for seat in sorted({*declared.points, *declared.left}):
            if not self._is_active(seat):
                continue
            if seat in declared.points and seat in declared.left:
                self.fail(seat, "has both points and cards left; enter one of the two")
            elif seat in declared.points:
                points[seat] = declared.points[seat]
            else:
                self._read_cards(seat, declared.left[seat])
        if declared.closer is not None and self.ending in ("rummy", "color", "continental"):
            points.setdefault(declared.closer, closing_points(self.rules, self.ending, Faces()))
        self.require_points(self.active)

    def _read_cards(self, seat: int, text: str) -> None:
        """Set a player's points from the cards on the sheet: their least deadwood, or the closer's points (001/1.2)."""
        cards = self.parse_left(seat, text)
        if cards is None:
            return
        if len(cards) > self.dealt:
            self.fail(
                seat, "has {cards} left; a hand is {dealt} cards", cards=plural(len(cards), "card"), dealt=self.dealt
            )
            return
        self.show(seat, cards)
        if seat != self.declared.closer or self.ending is None:
            self.points[seat] = least_deadwood(self.rules, cards, self.rules.values.ranks[0])
            return
        self.points[seat] = closing_points(self.rules, self.ending, cards)
        if self.ending != "knock":
            self._check_declared(seat, self.ending, cards)

    def _check_declared(self, seat: int, ending: KnockEnding, cards: Faces) -> None:
        """Add a problem unless the closer's cards are a rummy, color or continental, as the sheet says."""
        assert ending != "knock"
        refusal = refuse_ending(self.rules, ending, cards)
        if len(cards) != self.dealt:
            self.fail(
                seat, "a {ending} is {dealt} cards, not {cards}", ending=ending, dealt=self.dealt, cards=len(cards)
            )
        elif refusal is not None:
            self.fail(seat, "this is not a {ending}: {reason}", ending=ending, reason=refusal.reason)
        elif ending == "rummy":
            if self.jokers not in (0, cards.jokers):
                self.fail(
                    seat,
                    "has {jokers} among these cards, not {jokers_2}",
                    jokers=plural(cards.jokers, "joker"),
                    jokers_2=self.jokers,
                )
            self.jokers = cards.jokers

    def _check_points(self) -> None:
        """Add a problem unless the closer has the points of the ending, and the other seats possible deadwood."""
        closer = self._closer()
        if closer is not None and closer in self.points:
            self._check_closer(closer)
        others = self.from_points_alone(closer)
        possible = possible_deadwood(self.rules, self.players, self.shown)
        for seat in others:
            if not has_sum(possible, self.points[seat]):
                self.fail(seat, "no hand leaves {points} of deadwood", points=plural(self.points[seat], "point"))
        together = sum(self.points[seat] for seat in others)
        if not self.problems and others and not self._possible_together(together, len(others)):
            self.fail(
                None, "the packs do not hold enough cards for {points} together", points=plural(together, "point")
            )

    def _check_closer(self, seat: int) -> None:
        ending, points, limit = self.ending, self.points[seat], self.rules.knocking.hand.knock_at
        assert ending is not None
        if ending == "knock":
            if not 0 <= points <= limit:
                self.fail(
                    seat, "has {points}; a player knocks with 0 to {limit}", points=plural(points, "point"), limit=limit
                )
        elif points != closing_points(self.rules, ending, Faces()):
            expected = closing_points(self.rules, ending, Faces())
            self.fail(
                seat,
                "has {points}; a hand that ends with a {ending} gives {expected}",
                points=plural(points, "point"),
                ending=ending,
                expected=expected,
            )
        unseen = self.rules.jokers(self.players) - (0 if seat in self.left else self.shown.jokers)
        if not 0 <= self.jokers <= unseen:
            self.fail(
                seat,
                "cannot have {jokers}; only {unseen} can be in that hand",
                jokers=plural(self.jokers, "joker"),
                unseen=unseen,
            )

    def _possible_together(self, total: int, seats: int) -> bool:
        """Return whether `seats` players can hold `total` points in cards that no player listed."""
        values, joker = self.unseen_values(), self.rules.values.joker
        values[joker] = min(values[joker], _lone_jokers(self.rules) * seats)
        highest = [value for value, count in sorted(values.items(), reverse=True) for _ in range(count)]
        return total <= sum(highest[: seats * self.dealt]) and has_sum(possible_sums(values), total)


def possible_deadwood(rules: Rules, players: int, shown: Faces) -> int:
    """Return the points that the deadwood of a full hand without the `shown` cards can have: bit n stands for n.

    The cards outside deadwood are none or at least a whole meld. Jokers are deadwood only in a hand without a meld, and
    then so few that they make no meld with any other card.
    """
    dealt = rules.knocking.hand.deal
    shortest = min(rules.trio.least, rules.run.least)
    by_size = _dead_sums(rules, players, shown, 0)
    sums = 0
    for size in (*range(dealt - shortest + 1), dealt):
        sums |= by_size[size]
    for jokers in range(1, min(_lone_jokers(rules), rules.jokers(players) - shown.jokers) + 1):
        sums |= _dead_sums(rules, players, shown, jokers)[dealt - jokers] << rules.values.joker * jokers
    return sums


def _lone_jokers(rules: Rules) -> int:
    """Return the most jokers that can be deadwood in one hand: one more would make a meld with any card."""
    shortest = min(rules.trio.least, rules.run.least)
    return shortest - 2 if min(rules.trio.naturals, rules.run.naturals) == 1 else rules.knocking.hand.deal


def _dead_sums(rules: Rules, players: int, shown: Faces, jokers: int) -> list[int]:
    """Return, by number of cards, the sums of naturals of which no rank and `jokers` jokers make a trio."""
    most = max(rules.trio.least - 1 - jokers, rules.trio.naturals - 1)
    by_size = [1] + [0] * rules.knocking.hand.deal
    for rank, value in enumerate(rules.values.ranks):
        supply = 4 * rules.packs(players) - sum(shown.count(rank + 13 * suit) for suit in range(4))
        for _ in range(min(supply, most)):
            for size in range(len(by_size) - 1, 0, -1):
                by_size[size] |= by_size[size - 1] << value
    return by_size
