"""The certificate of a seating: its quality, and a bound that no seating can beat."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from tourney.seating.constraints import NO_CONSTRAINTS, Constraints, Violations, violations, violations_by_player
from tourney.seating.model import Aim
from tourney.seating.quality.bounds import Bound, lower_bound
from tourney.seating.quality.metrics import Judgement, Rounds, Worst, judge, worst_of


@dataclass(frozen=True, slots=True)
class Certificate:
    """The quality of a seating of `rounds` rounds for players 0..players-1.

    `bound` holds for every seating at such tables with the aim `holds_for`: for all with the rounds already played, or
    for those of them without third meetings. `worst` has an entry for each criterion of the judgement, and for
    constraints if there are any. `level` is the lowest number of repeats found among seatings in which rounds at a
    smaller table differ by one at most; None if unknown, as for the drawn rounds of an event, where finding it would
    take a new search. `method`, `seed` and `version` of the program are empty where unknown.
    """

    players: int
    rounds: int
    judgement: Judgement
    bound: Bound
    holds_for: Aim
    violations: Violations
    worst: tuple[Worst, ...]
    level: int | None = None
    method: str = ""
    seed: str = ""
    version: str = ""

    @property
    def proven(self) -> bool:
        """Return whether it is proven that no such seating has fewer repeats."""
        return self.judgement.repeats == self.bound.repeats


def certify(
    rounds: Rounds,
    players: int,
    *,
    numbers: Sequence[Sequence[int]] | None = None,
    played: int = 0,
    aim: Aim = "no third meeting",
    constraints: Constraints = NO_CONSTRAINTS,
) -> Certificate:
    """Judge the rounds as `judge` does, and bound their repeats; the first `played` rounds are given.

    With the aim "no third meeting" the bound is that of seatings without third meetings, if this is one. Raises
    ValueError if a round seats somebody twice.
    """
    judgement = judge(rounds, players, numbers)
    holds_for: Aim = "fewest repeats" if judgement.most_meetings > 2 else aim
    kept = Bound(judge(rounds[:played], players).repeats, "the rounds already played have as many")
    bound = max(_bound(rounds, players, holds_for), kept, key=_repeats)
    broken = violations(constraints, rounds, players, numbers)
    worst = judgement.worst
    if constraints != NO_CONSTRAINTS:
        worst = (*worst, worst_of("wishes", violations_by_player(constraints, rounds, players, numbers)))
    return Certificate(players, len(rounds), judgement, bound, holds_for, broken, worst)


def _bound(rounds: Rounds, players: int, aim: Aim) -> Bound:
    """Return the highest bound: for the rounds with one set of table sizes, or for all rounds by counting pairs."""
    everybody = max(players, 1 + max(chain.from_iterable(chain.from_iterable(rounds)), default=-1))
    shapes = Counter(tuple(sorted(map(len, tables), reverse=True)) for tables in rounds)
    bounds = [lower_bound(everybody, sizes, number, aim) for sizes, number in shapes.items()]
    meetings = sum(number * size * (size - 1) // 2 for sizes, number in shapes.items() for size in sizes)
    pairs = everybody * (everybody - 1) // 2
    counted = Bound(
        max(0, meetings - pairs),
        "{meetings} meetings among 1 pair" if pairs == 1 else "{meetings} meetings among {pairs} pairs",
        {"meetings": meetings, "pairs": pairs},
    )
    return max([*bounds, counted], key=_repeats)


def _repeats(bound: Bound) -> int:
    return bound.repeats
