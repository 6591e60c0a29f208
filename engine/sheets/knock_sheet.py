"""Could this sheet of a knock game have happened? Hand after hand, since each depends on those before it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from engine.actions import BUY, DECLINE
from engine.cards import JOKER, Faces, card_text, parse_cards
from engine.errors import NotationError
from engine.games.contract_game import GameResult
from engine.games.knock_game import KnockGame
from engine.knock.turn import closing_points, not_declared
from engine.rules import Rules
from engine.scoring import ENDINGS, HandResult, KnockEnding, values_in_play
from engine.sheets.contract_sheet import Length, Problem, possible_sums
from engine.solver.deadwood import least_deadwood
from engine.words import counted


@dataclass(frozen=True, slots=True)
class DeclaredKnockHand:
    """One hand of a knock game's sheet, by seat (from 0).

    `ending` is how `closer` ended it; `dead` says that nobody did. `left` gives a player's cards, as text, instead
    of his points: the closer's own too. `jokers` says how many were among the ten cards of a rummy, unless those
    stand under `left`. `buys` are the seats that bought points off afterwards. Who is out has no points.
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
    """A sheet's problems, naming hands as `hand 3`; without any, the game's outcome and its dealers, by hand.

    A game is `short` that was stopped before its end.
    """

    problems: tuple[Problem, ...]
    result: GameResult | None = None
    dealers: tuple[int, ...] = ()
    length: Length = "whole"


def check_knock_sheet(
    rules: Rules, players: int, hands: Sequence[DeclaredKnockHand], stake: int = 0, length: Length = "whole"
) -> CheckedGame:
    """Everything impossible about the first hand that is wrong, or what the game gave with that stake.

    A short game is stopped after its last hand. Raises RulesError for a wrong number of players and for a stake
    whose bonuses are not whole.
    """
    game = KnockGame(rules, players, "", stake)
    for number, declared in enumerate(hands, 1):
        problems = _play(game, number, declared)
        if problems:
            return CheckedGame(tuple(problems))
    if not game.over and (not hands or length == "whole"):
        still = f"{len(game.active)} players are still in" if hands else "the sheet has no hands"
        return CheckedGame((Problem(f"hand {len(hands) + 1}", None, f"is missing: {still}"),))
    stopped: Length = "whole" if game.over else "short"
    if not game.over:
        game.stop()
    return CheckedGame((), game.result(), tuple(game.dealers), stopped)


def check_knock_hand(
    rules: Rules,
    players: int,
    before: Sequence[DeclaredKnockHand],
    declared: DeclaredKnockHand,
    waiting: Collection[int] = (),
) -> tuple[Problem, ...]:
    """Everything impossible about one hand behind sound ones; seats that are `waiting` are not written yet."""
    game = game_after(rules, players, before)
    number = len(before) + 1
    if game.over:
        return (_too_late(number),)
    if waiting:
        return tuple(_Line(game, f"hand {number}", declared, waiting).problems)
    return tuple(_play(game, number, declared))


def game_after(
    rules: Rules,
    players: int,
    hands: Sequence[DeclaredKnockHand],
    stake: int = 0,
    declined: Collection[int] | None = None,
) -> KnockGame:
    """The game as it stands after these sound hands.

    With `declined` the last hand's buys are still being asked for: who may buy, and is neither among its buys nor
    among those who declined, has the open `offer`.
    """
    game = KnockGame(rules, players, "", stake)
    for number, declared in enumerate(hands, 1):
        game.keep(_Line(game, f"hand {number}", declared).result())
        _buy(game, list(declared.buys), declined if number == len(hands) else None)
    return game


def _play(game: KnockGame, number: int, declared: DeclaredKnockHand) -> list[Problem]:
    """Takes the hand into the game; the problems if it cannot have happened."""
    name = f"hand {number}"
    if game.over:
        return [_too_late(number)]
    line = _Line(game, name, declared)
    if line.problems:
        return line.problems
    game.keep(line.result())
    return [Problem(name, seat, _no_buy(game, seat)) for seat in _buy(game, list(declared.buys))]


def _too_late(number: int) -> Problem:
    return Problem(f"hand {number}", None, f"the game was over after hand {number - 1}")


def _buy(game: KnockGame, buys: list[int], declined: Collection[int] | None = None) -> list[int]:
    """Answers the offers, all of them if `declined` is None; the seats that bought without an offer."""
    while game.offer is not None:
        wanted = game.offer.seat in buys
        if wanted:
            buys.remove(game.offer.seat)
        elif declined is not None and game.offer.seat not in declined:
            break
        game.answer(BUY if wanted else DECLINE)
    return buys


def _no_buy(game: KnockGame, seat: int) -> str:
    """Why a declared buy cannot have been."""
    wrong = game.no_offer.get(seat)
    if wrong is not None:
        return wrong.reason
    return "buys twice after one hand" if 0 <= seat < game.players else f"is no seat of this table of {game.players}"


class _Line:
    """One hand of the sheet under examination, in the game as it stands before it; seats may be `waiting`."""

    def __init__(self, game: KnockGame, name: str, declared: DeclaredKnockHand, waiting: Collection[int] = ()) -> None:
        self.game = game
        self.rules = game.rules
        self.name = name
        self.declared = declared
        self.waiting = waiting
        self.problems: list[Problem] = []
        self.named = Faces()
        self.jokers = declared.jokers
        self.ending = self._ending()
        if not self.problems:
            self.points = self._points()
        if not self.problems:
            self._check_points()

    def result(self) -> HandResult:
        """The hand as it counts; meaningful without problems only."""
        points = tuple(self.points.get(seat, 0) for seat in range(self.game.players))
        closer = None if self.ending is None else self.declared.closer
        return HandResult("", points, closer, ending=self.ending, jokers=self.jokers)

    def _wrong(self, seat: int | None, reason: str) -> None:
        self.problems.append(Problem(self.name, seat, reason))

    def _ending(self) -> KnockEnding | None:
        """How the hand ended, None if it is dead; its closer must be in the game."""
        declared = self.declared
        ending = next((one for one in ENDINGS if one == declared.ending), None)
        if declared.dead:
            if declared.closer is not None:
                self._wrong(declared.closer, "cannot have ended a hand that is marked dead")
            elif declared.ending:
                self._wrong(None, f"is marked dead, but ended with '{declared.ending[:20]}'")
            return None
        if ending is None:
            said = f"ended with '{declared.ending[:20]}'" if declared.ending else "does not say how it ended"
            self._wrong(None, f"{said}; a hand ends with {', '.join(ENDINGS)}, or is marked dead")
        elif declared.closer is None:
            self._wrong(None, f"does not say who ended it with a {ending}")
        elif self._playing(declared.closer) and declared.jokers and ending != "rummy":
            self._wrong(declared.closer, f"the jokers of a {ending} do not count")
        return ending

    def _playing(self, seat: int) -> bool:
        """Whether the seat is in the game; a problem if not."""
        if seat in self.game.active:
            return True
        out = 0 <= seat < self.game.players
        self._wrong(seat, "is out of the game" if out else f"is no seat of this table of {self.game.players}")
        return False

    def _points(self) -> dict[int, int]:
        """Declared points, those of declared cards and of the closer's ending included."""
        declared = self.declared
        points: dict[int, int] = {}
        for seat in sorted({*declared.points, *declared.left}):
            if not self._playing(seat):
                continue
            if seat in declared.points and seat in declared.left:
                self._wrong(seat, "has both points and cards left; one of the two is wanted")
            elif seat in declared.points:
                points[seat] = declared.points[seat]
            else:
                self._count(seat, declared.left[seat], points)
        if declared.closer is not None and self.ending in ("rummy", "color", "continental"):
            points.setdefault(declared.closer, closing_points(self.rules, self.ending, Faces()))
        for seat in self.game.active:
            if (
                seat not in points
                and seat not in self.waiting
                and not any(problem.seat == seat for problem in self.problems)
            ):
                self._wrong(seat, "has no points in this hand")
        return points

    def _count(self, seat: int, text: str, points: dict[int, int]) -> None:
        """The points of a player's cards: least deadwood, at the closer's own count for the closer (001/1.2)."""
        dealt = self.rules.knocking.hand.deal
        try:
            cards = Faces(parse_cards(text))
        except (NotationError, ValueError) as error:
            self._wrong(seat, f"cards left '{text[:40]}': {error}")
            return
        if len(cards) > dealt:
            self._wrong(seat, f"has {counted(len(cards), 'card')} left; a hand is {dealt} cards")
            return
        self._name(seat, cards)
        if seat != self.declared.closer or self.ending is None:
            points[seat] = least_deadwood(self.rules, cards, self.rules.values.ranks[0])
            return
        points[seat] = closing_points(self.rules, self.ending, cards)
        if self.ending != "knock":
            self._check_declared(seat, self.ending, cards)

    def _check_declared(self, seat: int, ending: KnockEnding, cards: Faces) -> None:
        """The closer's cards must be what was declared."""
        dealt = self.rules.knocking.hand.deal
        assert ending != "knock"
        wrong = not_declared(self.rules, ending, cards)
        if len(cards) != dealt:
            self._wrong(seat, f"a {ending} is {dealt} cards, not {len(cards)}")
        elif wrong is not None:
            self._wrong(seat, f"this is no {ending}: {wrong.reason}")
        elif ending == "rummy":
            if self.jokers not in (0, cards.jokers):
                self._wrong(seat, f"has {counted(cards.jokers, 'joker')} among these cards, not {self.jokers}")
            self.jokers = cards.jokers

    def _name(self, seat: int, cards: Faces) -> None:
        """Adds a player's cards to those of the others; the packs must hold them all."""
        packs, jokers = self.rules.packs(self.game.players), self.rules.jokers(self.game.players)
        for face in cards.cards():
            limit = jokers if face == JOKER else packs
            if self.named.count(face) == limit:
                self._wrong(seat, f"{card_text(face)} is left once too often; the packs hold {limit}")
                return
            self.named.add(face)

    def _check_points(self) -> None:
        """The closer's points are those of the ending; the others' are deadwood, one by one and together."""
        closer = None if self.ending is None else self.declared.closer
        if closer is not None and closer in self.points:
            self._check_closer(closer)
        others = [seat for seat in self.points if seat != closer and seat not in self.declared.left]
        possible = possible_deadwood(self.rules, self.game.players, self.named)
        for seat in others:
            if not _has(possible, self.points[seat]):
                self._wrong(seat, f"no hand leaves {counted(self.points[seat], 'point')} of deadwood")
        together = sum(self.points[seat] for seat in others)
        if not self.problems and others and not self._possible_together(together, len(others)):
            self._wrong(None, f"the packs do not hold cards for {counted(together, 'point')} together")

    def _check_closer(self, seat: int) -> None:
        ending, points, hand = self.ending, self.points[seat], self.rules.knocking.hand
        assert ending is not None
        if ending == "knock":
            if not 0 <= points <= hand.knock_at:
                self._wrong(seat, f"has {counted(points, 'point')}; one knocks with 0 to {hand.knock_at}")
        elif points != closing_points(self.rules, ending, Faces()):
            expected = closing_points(self.rules, ending, Faces())
            self._wrong(seat, f"has {counted(points, 'point')}; who ends a hand with a {ending} writes down {expected}")
        held = self.rules.jokers(self.game.players) - (0 if seat in self.declared.left else self.named.jokers)
        if not 0 <= self.jokers <= held:
            self._wrong(seat, f"cannot have {counted(self.jokers, 'joker')}; there are {held} for him")

    def _possible_together(self, total: int, seats: int) -> bool:
        """Whether the cards that are not named hold so many points in the hands of so many players."""
        values = values_in_play(self.rules, self.game.players, 1)
        for face in self.named.cards():
            values[self.rules.points(face)] -= 1
        joker = self.rules.values.joker
        values[joker] = min(values[joker], _lonely(self.rules) * seats)
        dearest = [value for value, count in sorted(values.items(), reverse=True) for _ in range(count)]
        most = sum(dearest[: seats * self.rules.knocking.hand.deal])
        return total <= most and _has(possible_sums(values), total)


def _has(sums: int, total: int) -> bool:
    return total >= 0 and bool(sums >> total & 1)


def possible_deadwood(rules: Rules, players: int, named: Faces) -> int:
    """The points that a whole hand may be left with, when the named cards are elsewhere: bit n is set if n can be.

    Dead cards leave room for no lay or for a whole one. Jokers are among them only where nothing is laid, and so
    few that they do not lie with any other card.
    """
    dealt = rules.knocking.hand.deal
    shortest = min(rules.trio.least, rules.run.least)
    by_size = _dead_sums(rules, players, named, 0)
    sums = 0
    for size in (*range(dealt - shortest + 1), dealt):
        sums |= by_size[size]
    for jokers in range(1, min(_lonely(rules), rules.jokers(players) - named.jokers) + 1):
        sums |= _dead_sums(rules, players, named, jokers)[dealt - jokers] << rules.values.joker * jokers
    return sums


def _lonely(rules: Rules) -> int:
    """How many jokers may lie dead in one hand: with one more they would be a lay with any card."""
    shortest = min(rules.trio.least, rules.run.least)
    return shortest - 2 if min(rules.trio.naturals, rules.run.naturals) == 1 else rules.knocking.hand.deal


def _dead_sums(rules: Rules, players: int, named: Faces, jokers: int) -> list[int]:
    """By their number, the sums of natural cards of which no rank makes a trio with so many jokers."""
    most = max(rules.trio.least - 1 - jokers, rules.trio.naturals - 1)
    by_size = [1] + [0] * rules.knocking.hand.deal
    for rank, value in enumerate(rules.values.ranks):
        there = 4 * rules.packs(players) - sum(named.count(rank + 13 * suit) for suit in range(4))
        for _ in range(min(there, most)):
            for size in range(len(by_size) - 1, 0, -1):
                by_size[size] |= by_size[size - 1] << value
    return by_size
