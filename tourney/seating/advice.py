"""Compare table sizes and numbers of rounds before anyone sits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import floor
from typing import Final, Literal, get_args

from tourney.seating.build import build
from tourney.seating.model import Remainder, Task, table_sizes
from tourney.seating.quality.metrics import meetings, smaller_table_rounds

NEARBY_ROUNDS: Final = 2
"""The best option is compared with options of up to this many rounds fewer or more."""

Drawback = Literal[
    "more sitting out", "more tables of two", "fewer rounds", "more repeats", "another size", "more short tables"
]
"""The drawbacks of one option compared with another, the most serious first."""

Shape = tuple[int, Remainder, tuple[int, ...]]
"""A table size, the treatment of players beyond full tables, and the sizes of the tables of a round that result."""


@dataclass(frozen=True, slots=True)
class SizeQuestion:
    """A question to compare options for: seat `players` at tables of `least` to `most`, as the rules allow.

    `rounds` rounds of tables of `size` are wanted. `minutes[k]` is the length of a round whose largest table has k
    players, empty if unknown; all rounds must end within `limit` minutes, if there is one.
    """

    players: int
    rounds: int
    size: int
    least: int
    most: int
    minutes: Sequence[float] = ()
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One option: the tables that an event of this `size` and `remainder` has, over `rounds` rounds.

    `repeats` are those of a plan made quickly; an event searches longer. `byes` counts all byes. `shorts` is the sum
    over players of rounds at tables smaller than the largest, `twos` of rounds at tables of two; in the plan no player
    has more than `shorts_most` of the former. `minutes` is the length of all rounds, None if unknown.
    """

    size: int
    remainder: Remainder
    sizes: tuple[int, ...]
    rounds: int
    repeats: int
    byes: int
    shorts: int
    shorts_most: int
    twos: int
    minutes: float | None


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer to a question: `options`, best first, each over as many rounds as are wanted, or as fit.

    `drawbacks[i]` is the most serious drawback of option i compared with the first, None where it has none. `around`
    has the tables of the first option over fewer and more rounds.
    """

    options: tuple[Option, ...]
    drawbacks: tuple[Drawback | None, ...]
    around: tuple[Option, ...]

    @property
    def chosen(self) -> Option:
        """The best option."""
        return self.options[0]


def advise(question: SizeQuestion, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Advice | None:
    """Return the options, best first; None if not even one round fits into the limit.

    Options are compared in this order: no byes; no tables of two; as many rounds as are wanted; few repeats, where less
    than one for each player on average counts as none; the wanted size; few smaller tables; fewest repeats. `progress`
    receives the numbers of plans made and to make. Raises ValueError for players that no table seats.
    """
    fitting = {shape: _fitting(question, shape) for shape in _shapes(question)}
    wanted = [(shape, rounds) for shape, rounds in fitting.items() if rounds > 0]
    if not wanted:
        return None
    options = []
    for done, (shape, rounds) in enumerate(wanted, 1):
        options.append(_option(question, shape, rounds))
        progress(done, len(wanted))
    options.sort(key=lambda option: (_rank(option, question), option.repeats))
    best = options[0]
    around = tuple(
        _option(question, (best.size, best.remainder, best.sizes), rounds) for rounds in _around(question, best)
    )
    return Advice(tuple(options), tuple(_drawback(option, best, question) for option in options), around)


def _shapes(question: SizeQuestion) -> list[Shape]:
    """Return one shape for each set of tables that an event may have, with the size nearest to the wanted one."""
    remainders: tuple[Remainder, ...] = ("short tables", "sit out")
    shapes: dict[tuple[int, ...], Shape] = {}
    nearest_sizes = sorted(range(question.least, question.most + 1), key=lambda size: abs(size - question.size))
    for remainder, size in product(remainders, nearest_sizes):
        sizes = table_sizes(question.players, size, question.least, remainder)
        shapes.setdefault(sizes, (size, remainder, sizes))
    return list(shapes.values())


def _fitting(question: SizeQuestion, shape: Shape) -> int:
    """Return how many of the rounds wanted fit into the limit."""
    if question.limit is None or not question.minutes:
        return question.rounds
    return min(question.rounds, floor(question.limit / question.minutes[shape[2][0]]))


def _around(question: SizeQuestion, best: Option) -> list[int]:
    """Return the numbers of rounds to compare with the best option; none above it where a limit holds."""
    most = best.rounds + (NEARBY_ROUNDS if question.limit is None else 0)
    return [rounds for rounds in range(max(1, best.rounds - NEARBY_ROUNDS), most + 1) if rounds != best.rounds]


def _option(question: SizeQuestion, shape: Shape, rounds: int) -> Option:
    size, remainder, sizes = shape
    # Seats and table numbers change none of these figures.
    seated = build(Task(question.players, sizes, rounds, "no third meeting"), "brief").rounds
    return Option(
        size,
        remainder,
        sizes,
        rounds,
        repeats=sum(count - 1 for count in meetings(seated).values()),
        byes=rounds * (question.players - sum(sizes)),
        shorts=rounds * sum(seats for seats in sizes if seats < sizes[0]),
        shorts_most=max(smaller_table_rounds(seated, question.players)),
        twos=rounds * 2 * sizes.count(2),
        minutes=rounds * question.minutes[sizes[0]] if question.minutes else None,
    )


def _rank(option: Option, question: SizeQuestion) -> tuple[int, ...]:
    """Return the values by which options are compared, in the order of `Drawback`; less is better."""
    repeats_each = 2 * option.repeats // question.players
    size_difference = abs(option.sizes[0] - question.size)
    return option.byes, option.twos, -option.rounds, repeats_each, size_difference, option.shorts


def _drawback(option: Option, best: Option, question: SizeQuestion) -> Drawback | None:
    compared = zip(get_args(Drawback), _rank(option, question), _rank(best, question), strict=True)
    return next((drawback for drawback, value, best_value in compared if value > best_value), None)
