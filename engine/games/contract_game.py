"""A contract game: its hands in order, its totals so far, its places and the reason for each."""

from collections.abc import Sequence

from engine.deal import Deal, check_players, deal
from engine.hand import Hand
from engine.rules import Rules
from engine.scoring import GameResult, HandResult
from engine.text import message, plural


class ContractGame:
    """The hands that one group of players plays together; seat 0 deals the first.

    Deals come from the seed, unless they are given.
    """

    def __init__(self, rules: Rules, players: int, seed: str, deals: Sequence[Deal] = ()) -> None:
        check_players(rules, players)
        self.rules = rules
        self.players = players
        self.seed = seed
        self.results: list[HandResult] = []
        self._deals = tuple(deals)
        self._count = len(rules.contracts.hands.order)

    @property
    def over(self) -> bool:
        """Return whether every hand has been played."""
        return len(self.results) == self._count

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the points so far, by seat."""
        return tuple(sum(hand.points[seat] for hand in self.results) for seat in range(self.players))

    def next_hand(self) -> Hand:
        """Return the next hand, dealt; the deal passes on after every hand, dead ones too (003/1.4)."""
        number = len(self.results) + 1
        dealt = self._deals[number - 1] if self._deals else deal(self.rules, self.players, self.seed, number)
        return Hand(self.rules, dealt, self.totals)

    def add_result(self, result: HandResult) -> None:
        """Add a finished hand to the score sheet."""
        self.results.append(result)

    def result(self) -> GameResult:
        """Return the result of the hands played so far."""
        return game_result(self.rules, self.players, self.results)


def game_result(rules: Rules, players: int, hands: Sequence[HandResult]) -> GameResult:
    """Return totals, hands won, places and the reason for each place (003/1.10).

    The lowest total wins; some rules break a tie by the most recent hand won.
    """
    points = tuple(sum(hand.points[seat] for hand in hands) for seat in range(players))
    won = [tuple(at for at in range(len(hands) - 1, -1, -1) if hands[at].closer == seat) for seat in range(players)]
    recent = rules.contracts.ending.tie == "recent hand"
    keys = [(points[seat], tuple(-at for at in won[seat]) if recent else ()) for seat in range(players)]
    # The final 1 ranks a tied player who won no hand behind one who did.
    keys = [(total, (*tie, 1)) for total, tie in keys]
    places = tuple(1 + sum(other < key for other in keys) for key in keys)
    why = tuple(_why(rules, seat, points, won, places, hands) for seat in range(players))
    return GameResult(tuple(hands), points, tuple(len(hands_won) for hands_won in won), places, why)


def _why(
    rules: Rules,
    seat: int,
    points: tuple[int, ...],
    won: Sequence[tuple[int, ...]],
    places: tuple[int, ...],
    hands: Sequence[HandResult],
) -> str:
    """Return what decided the place of a seat, as text."""
    tied = [other for other in range(len(points)) if other != seat and points[other] == points[seat]]
    total = plural(points[seat], "point")
    if not tied:
        return total
    if rules.contracts.ending.tie == "shared":
        return message("{points}: shared", points=total)
    if any(places[other] == places[seat] for other in tied):
        return message("{points}, and none of the tied won a hand: shared", points=total)
    if not won[seat]:
        return message("{points}, won no hand", points=total)
    latest, contract = won[seat][0] + 1, hands[won[seat][0]].contract
    return message("{points}, last won hand {hand} ({contract})", points=total, hand=latest, contract=contract)
