"""Tie-breaks: the criteria by which players are ranked, one after the other.

`CRITERIA` is the registry: the first criterion of an order in which two players differ ranks them, and explains it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from tourney.standings.standing import HandWon, Tally
from tourney.text.i18n import _, marked, ngettext
from tourney.text.numbers import Number

Ranking = Literal["points", "points per game", "money"]
"""An order as it is explained: points per game where players have played different numbers of games."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion of comparison: the smaller `key` ranks first; `why` explains why a player ranks below the one
    above.
    """

    key: Callable[[Tally], Any]
    why: Callable[[Tally, Tally], str]


@dataclass(frozen=True, slots=True)
class Criteria:
    """The criteria of one order, the words for the leader, and those for players that no criterion separates."""

    steps: Sequence[Criterion]
    leader: str
    shared: str

    def key(self, tally: Tally) -> tuple[Any, ...]:
        """Return the sort key of a player; players with equal keys share a rank."""
        return tuple(step.key(tally) for step in self.steps)

    def why(self, above: Tally | None, tally: Tally) -> str:
        """Return in one sentence why the player ranks below the one above; None above: the leader."""
        if above is None:
            return _(self.leader)
        for step in self.steps:
            if step.key(above) != step.key(tally):
                return step.why(above, tally)
        return _(self.shared).format(above=above.player.shown)


def _why_points(above: Tally, tally: Tally) -> str:
    points = tally.points - above.points
    text = ngettext("{points} point more than {above}", "{points} points more than {above}", points)
    return text.format(points=points, above=above.player.shown)


def _why_average(above: Tally, tally: Tally) -> str:
    gap = f"{Number(tally.average - above.average):.2f}"
    return _("{gap} points per game more than {above}").format(gap=gap, above=above.player.shown)


def _recent_hands(tally: Tally) -> tuple[tuple[int, int], ...]:
    """Return the hands won from the most recent one; the mark at the end puts players who have no further hand last."""
    return (*((-round_number, -place) for round_number, place, _contract in tally.won), (1, 1))


def _why_recent_hands(above: Tally, tally: Tally) -> str:
    round_number, _place, contract = _deciding_hand(above, tally)
    text = _("level with {above}, who won the more recent hand (round {round}, {contract})")
    return text.format(above=above.player.shown, round=round_number, contract=contract)


def _deciding_hand(above: Tally, tally: Tally) -> HandWon:
    """Return the hand won by the player above where the two lists of hands won first differ."""
    hands = [won[:2] for won in tally.won]
    for place, won in enumerate(above.won):
        if place >= len(hands) or hands[place] != won[:2]:
            return won
    raise AssertionError("the player above has won the more recent hand")


def _why_money(above: Tally, tally: Tally) -> str:
    return _("{money} less money than {above}").format(money=above.net - tally.net, above=above.player.shown)


def _why_mean_place(above: Tally, tally: Tally) -> str:
    text = _("level with {above} on money; mean place {theirs} against {ours}")
    theirs, ours = f"{Number(above.mean_place):.2f}", f"{Number(tally.mean_place):.2f}"
    return text.format(above=above.player.shown, theirs=theirs, ours=ours)


POINTS: Final = Criterion(lambda tally: tally.average, _why_points)
AVERAGE: Final = Criterion(lambda tally: tally.average, _why_average)
RECENT_HANDS: Final = Criterion(_recent_hands, _why_recent_hands)
"""003/1.10: among equal totals the winner of the last hand comes first, taken here over a whole event."""
MONEY: Final = Criterion(lambda tally: -tally.net, _why_money)
MEAN_PLACE: Final = Criterion(lambda tally: tally.mean_place, _why_mean_place)

_SHARED: Final = marked("level with {above} on points and in every hand won: the rank is shared")
CRITERIA: Final[Mapping[Ranking, Criteria]] = {
    "points": Criteria((POINTS, RECENT_HANDS), marked("fewest points"), _SHARED),
    "points per game": Criteria((AVERAGE, RECENT_HANDS), marked("fewest points per game"), _SHARED),
    "money": Criteria(
        (MONEY, MEAN_PLACE),
        marked("most money"),
        marked("level with {above} on money and mean place: the rank is shared"),
    ),
}
