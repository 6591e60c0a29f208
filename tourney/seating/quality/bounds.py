"""Lower bounds on the repeats of any plan, with their reasons, and the certificate of a seating."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import Final

from tourney.seating.constraints import NO_CONSTRAINTS, Constraints, Violations, violations, violations_by_player
from tourney.seating.model import Aim
from tourney.seating.quality.metrics import Judgement, Rounds, Worst, judge, worst_of


@dataclass(frozen=True, slots=True)
class Bound:
    """A number of repeats that no plan can beat, and why: an English template without a full stop, and its values.

    The template is translated where it is shown; files have the reason in English.
    """

    repeats: int
    template: str
    values: Mapping[str, int] = field(default_factory=dict)

    @property
    def why(self) -> str:
        """The reason in English."""
        return self.template.format(**self.values)


NO_BOUND: Final = Bound(0, "nothing speaks against a plan without repeats")
TRIED: Final = "a search that leaves nothing out has found no better plan"
NO_TRIPLES: Final = "there is no nearly Kirkman triple system of 12 points (Kotzig and Rosa 1974)"
NO_GROUPS: Final = "there is no resolvable 4-GDD of type 2^10 (survey of Ge and Ling 2004)"
NO_SQUARES: Final = "no two Latin squares of order 6 are orthogonal (Tarry 1900)"

KNOWN: Final[Mapping[tuple[tuple[int, ...], int, Aim], Bound]] = {
    ((3, 3), 3, "fewest repeats"): Bound(5, TRIED),
    ((4, 4, 3), 4, "fewest repeats"): Bound(8, TRIED),
    ((4, 4, 4), 4, "fewest repeats"): Bound(13, TRIED),
    ((4, 3, 3), 4, "no third meeting"): Bound(7, TRIED),
    ((3, 3, 3, 3), 5, "fewest repeats"): Bound(1, NO_TRIPLES),
    ((4, 4, 4, 4, 4), 6, "fewest repeats"): Bound(1, NO_GROUPS),
    ((6, 6, 6, 6, 6, 6), 4, "fewest repeats"): Bound(1, NO_SQUARES),
}
"""Bounds beyond counting: by sizes of the tables, rounds and aim, for events in which everybody plays."""


def lower_bound(players: int, sizes: Sequence[int], rounds: int, aim: Aim = "fewest repeats") -> Bound:
    """Return the most repeats that are proved unavoidable in `rounds` rounds of tables of these sizes.

    With the aim "no third meeting" the bound holds for plans without third meetings; for a plan with one, use the other
    aim. Where the sizes do not hold all players, the others have a bye.
    """
    return _lower_bound(players, tuple(sorted(sizes, reverse=True)), rounds, aim)


@cache
def _lower_bound(players: int, sizes: tuple[int, ...], rounds: int, aim: Aim) -> Bound:
    best = NO_BOUND
    for number in range(2, rounds + 1):
        options = [
            _counted(players, sizes, number),
            _crossed(players, sizes, number, aim),
            *(_known(players, sizes, number, any_aim) for any_aim in dict.fromkeys((aim, "fewest repeats"))),
            # Last: the first of equal bounds wins, and the reason of this one is about fewer rounds.
            best if number == 2 else _from_one_round_fewer(best, number, aim),
        ]
        best = max(options, key=_repeats)
    return best


def _repeats(bound: Bound) -> int:
    return bound.repeats


def _known(players: int, sizes: tuple[int, ...], rounds: int, aim: Aim) -> Bound:
    return KNOWN.get((sizes, rounds, aim), NO_BOUND) if players == sum(sizes) else NO_BOUND


def _counted(players: int, sizes: Sequence[int], rounds: int) -> Bound:
    """Return the bound from the number of meetings beyond that of pairs."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in sizes)
    pairs = players * (players - 1) // 2
    return Bound(
        max(0, meetings - pairs),
        "there are {meetings} meetings and 1 pair to meet"
        if pairs == 1
        else "there are {meetings} meetings and {pairs} pairs to meet",
        {"meetings": meetings, "pairs": pairs},
    )


def _crossed(players: int, sizes: Sequence[int], rounds: int, aim: Aim) -> Bound:
    """Return the bound from pairs who meet in both of any two rounds, where there are too few tables to part them."""
    common = _in_common(players, sizes)
    needed = common * rounds * (rounds - 1) // 2
    most = 2 if aim == "no third meeting" else rounds
    repeats = 0
    while _shared(repeats, most) < needed:
        repeats += 1
    return Bound(
        repeats, "the least number of pairs that any two rounds have in common is {common}", {"common": common}
    )


def _in_common(players: int, sizes: Sequence[int]) -> int:
    """Return the least number of pairs who meet in both of two rounds.

    Fewest pairs do if the players of both rounds are spread evenly over all combinations of a table of one round and a
    table of the other; if nobody has a bye, also if the players of each table are spread evenly over the other tables.
    """
    both = max(0, 2 * sum(sizes) - players)
    by_table = sum(_pairs_within(size, len(sizes)) for size in sizes) if players == sum(sizes) else 0
    return max(by_table, _pairs_within(both, len(sizes) ** 2))


def _pairs_within(players: int, places: int) -> int:
    """Return the pairs at one place if the players are spread most evenly over the places."""
    each, more = divmod(players, places)
    return places * each * (each - 1) // 2 + more * each


def _shared(repeats: int, most: int) -> int:
    """Return the most pairs of rounds in which somebody meets one opponent twice, with at most `most` meetings a pair.

    A pair with m meetings makes m - 1 repeats and m (m - 1) / 2 such pairs of rounds: most where few pairs meet often.
    """
    full, rest = divmod(repeats, most - 1)
    return full * most * (most - 1) // 2 + rest * (rest + 1) // 2


def _from_one_round_fewer(bound: Bound, rounds: int, aim: Aim) -> Bound:
    """Return the bound from leaving out each round in turn: each plan that remains has the repeats of `bound`.

    A pair with m > 1 meetings keeps (rounds - 1) (m - 1) - 1 of its repeats in all these plans together; the last term
    weighs most where nobody meets three times, and least where repeats are those of few pairs who always meet.
    """
    keeps = (rounds, rounds - 2) if aim == "no third meeting" else (rounds - 1, rounds - 2)
    return replace(bound, repeats=-(-bound.repeats * keeps[0] // keeps[1]))


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
