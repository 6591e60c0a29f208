"""What a seating attained, beside what no seating can."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from tourney.seating.constraints import NOTHING, Broken, Wishes, broken, broken_of_each
from tourney.seating.model import Aim
from tourney.seating.quality.bounds import Bound, lower_bound
from tourney.seating.quality.metrics import Judgement, Rounds, Worst, judge, worst_of


@dataclass(frozen=True, slots=True)
class Certificate:
    """How good these `rounds`, so many, are that seat players 0..players-1.

    `bound` holds for every seating at such tables with the aim `holds_for`: for all that have the same rounds played
    already, or for those of them in which nobody meets three times. `worst` has one for each respect that the judgement
    knows, and for wishes where there are any. `level` are the fewest repeats found of such seatings whose turns at
    short tables differ by one at most, None if nobody knows: it is known of a plan just made, not of the drawn rounds
    of an event, for which all would be searched for again. `method`, `seed` and `version` of the program are empty
    where nobody knows them.
    """

    players: int
    rounds: int
    judgement: Judgement
    bound: Bound
    holds_for: Aim
    broken: Broken
    worst: tuple[Worst, ...]
    level: int | None = None
    method: str = ""
    seed: str = ""
    version: str = ""

    @property
    def proven(self) -> bool:
        """Whether no such seating has fewer repeats."""
        return self.judgement.repeats == self.bound.repeats


def certify(
    rounds: Rounds,
    players: int,
    *,
    numbers: Sequence[Sequence[int]] | None = None,
    played: int = 0,
    aim: Aim = "no third meeting",
    wishes: Wishes = NOTHING,
    level: int | None = None,
    method: str = "",
    seed: str = "",
    version: str = "",
) -> Certificate:
    """Judges the rounds as `judge` does, and bounds their repeats; the first `played` of them were there before.

    With the aim "no third meeting" seatings are compared in which nobody meets three times, if this is one of them.
    Raises ValueError if a round seats somebody twice.
    """
    judged = judge(rounds, players, numbers)
    holds_for: Aim = "fewest repeats" if judged.most_meetings > 2 else aim
    kept = Bound(judge(rounds[:played], players).repeats, "the rounds already played have as many")
    bound = max(_bound(rounds, players, holds_for), kept, key=_repeats)
    lost = broken(wishes, rounds, players, numbers)
    worst = judged.worst
    if wishes != NOTHING:
        worst = (*worst, worst_of("wishes", broken_of_each(wishes, rounds, players, numbers)))
    return Certificate(
        players, len(rounds), judged, bound, holds_for, lost, worst, level, method, seed=seed, version=version
    )


def _bound(rounds: Rounds, players: int, aim: Aim) -> Bound:
    """The best bound for the rounds of any one shape, and for all of them by counting pairs."""
    everybody = max(players, 1 + max(chain.from_iterable(chain.from_iterable(rounds)), default=-1))
    shapes = Counter(tuple(sorted(map(len, tables), reverse=True)) for tables in rounds)
    bounds = [lower_bound(everybody, sizes, number, aim) for sizes, number in shapes.items()]
    meetings = sum(number * size * (size - 1) // 2 for sizes, number in shapes.items() for size in sizes)
    pairs = everybody * (everybody - 1) // 2
    counted = Bound(max(0, meetings - pairs), f"{meetings} meetings among {pairs} pair{'s' * (pairs != 1)}")
    return max([*bounds, counted], key=_repeats)


def _repeats(bound: Bound) -> int:
    return bound.repeats
