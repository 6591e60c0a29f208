"""Measure the gain of one bot over another in points a hand, by pairs of seatings of the same deals.

Each bot has two seats of four. A block is one deal, played twice: the second time the bots exchange their seats. The
interval is taken over blocks, not hands.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import NormalDist, mean, stdev

from engine.bots import Bot, make_bot
from engine.bots.planner import ABILITIES, Ability, PlannerBot
from engine.deal import deal
from engine.hand import Hand
from engine.play import play_hand
from engine.rules import Rules

CERTAINTY = 0.99
SEATINGS = ((0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0))
"""Seatings of two bots; with the bots exchanged they are all ways to share four seats evenly."""

Maker = Callable[[str], Bot]
"""Makes a bot from its seed."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Mean points a hand of both bots, and half the width of the 99 % interval of their difference."""

    ours: float
    theirs: float
    error: float

    @property
    def points(self) -> float:
        """Points a hand that the first bot gains on the second; points count against a player."""
        return self.theirs - self.ours


def builtin(name: str) -> Maker:
    """Return a maker of the built-in bot of that name."""
    return lambda seed: make_bot(name, seed)


def without(ability: Ability) -> Maker:
    """Return a maker of `planner` without one ability."""
    return lambda _seed: PlannerBot(ABILITIES - {ability})


def measure_gain(rules: Rules, first: Maker, second: Maker, blocks: int, seed: str) -> Gain:
    """Play `blocks` blocks (two at least), whose contracts take turns, and return the gain of the first bot."""
    played = list(_blocks(rules, (first, second), blocks, seed))
    ours, theirs = zip(*played, strict=True)
    differences = [first - second for first, second in played]
    width = NormalDist().inv_cdf((1 + CERTAINTY) / 2) * stdev(differences) / blocks**0.5
    return Gain(mean(ours), mean(theirs), width)


def _blocks(rules: Rules, makers: tuple[Maker, Maker], blocks: int, seed: str) -> Iterator[tuple[float, float]]:
    """Yield the mean points of both bots, block by block."""
    contracts = len(rules.contracts.hands.order)
    for block in range(blocks):
        dealt = deal(rules, 4, f"{seed}/{block}", block % contracts + 1)
        seating = SEATINGS[block // contracts % len(SEATINGS)]
        sums = [0, 0]
        for exchanged in (0, 1):
            seats = [seat ^ exchanged for seat in seating]
            bots = [makers[bot](f"{seed}/{block}/{seat}") for seat, bot in enumerate(seats)]
            for bot, points in zip(seats, play_hand(Hand(rules, dealt), bots).points, strict=True):
                sums[bot] += points
        yield sums[0] / 4, sums[1] / 4
