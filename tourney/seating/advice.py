"""Table sizes and numbers of rounds compared before anyone sits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import floor
from typing import Final, Literal, get_args

from tourney.seating.build import build
from tourney.seating.model import Short, Task
from tourney.seating.quality.metrics import meetings, short_turns
from tourney.seating.sizes import table_sizes

AROUND: Final = 2
"""How many rounds fewer and more than those chosen are compared with them."""

Drawback = Literal[
    "more sitting out", "more tables of two", "fewer rounds", "more repeats", "another size", "more short tables"
]
"""In what one way to seat is worse than another, the gravest first."""

Shape = tuple[int, Short, tuple[int, ...]]
"""A size, what becomes of those whom it does not fit, and the tables that this makes."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is compared: ways to seat so many players at tables of `least` to `most`, as a set of rules allows.

    So many `rounds` are wished, of tables of `size`. `minutes[k]` is how long a round lasts whose largest table has k
    players, none if nobody knows; all rounds must end within `limit` minutes, if there is one.
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
    """One way to seat: the tables that an event of this `size` and `short` has, over so many rounds.

    `repeats` are those of a plan of it, for which an event searches longer. `outs` counts the rounds that players sit
    out, all together, `shorts` their turns at tables smaller than the largest, of which nobody has more than
    `shorts_most` in that plan, `twos` those at tables of two. `minutes` are those of all rounds, None if nobody knows.
    """

    size: int
    short: Short
    sizes: tuple[int, ...]
    rounds: int
    repeats: int
    outs: int
    shorts: int
    shorts_most: int
    twos: int
    minutes: float | None


@dataclass(frozen=True, slots=True)
class Advice:
    """What to choose: `options` are all tables over as many rounds as are wished, or fit in; the best comes first.

    Each of the others has the gravest of its `drawbacks` beside the first, None where it has none. `around` has the
    same tables as the first over fewer and more rounds.
    """

    options: tuple[Option, ...]
    drawbacks: tuple[Drawback | None, ...]
    around: tuple[Option, ...]

    @property
    def chosen(self) -> Option:
        """The best."""
        return self.options[0]


def advise(question: Question, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Advice | None:
    """The ways to seat by worth; None if not even one round fits into the limit.

    Worth is, in this order: nobody sits out; no tables of two; as many rounds as are wished; few repeats, where less
    than one for each player on average counts as none; the wished size; few short tables; fewest repeats. `progress`
    is told how many plans are made, of how many. Raises ValueError for players whom no table seats.
    """
    fitting = {shape: _fitting(question, shape) for shape in _shapes(question)}
    wanted = [(shape, rounds) for shape, rounds in fitting.items() if rounds > 0]
    if not wanted:
        return None
    options = []
    for done, (shape, rounds) in enumerate(wanted, 1):
        options.append(_option(question, shape, rounds))
        progress(done, len(wanted))
    options.sort(key=lambda option: (_worth(option, question), option.repeats))
    best = options[0]
    around = tuple(_option(question, (best.size, best.short, best.sizes), rounds) for rounds in _around(question, best))
    return Advice(tuple(options), tuple(_drawback(option, best, question) for option in options), around)


def _shapes(question: Question) -> list[Shape]:
    """All different tables that an event may have, each by the size nearest to the wished one that makes them."""
    ways: tuple[Short, ...] = ("short tables", "sit out")
    shapes: dict[tuple[int, ...], Shape] = {}
    sizes_by_wish = sorted(range(question.least, question.most + 1), key=lambda size: abs(size - question.size))
    for short, size in product(ways, sizes_by_wish):
        sizes = table_sizes(question.players, size, question.least, short)
        shapes.setdefault(sizes, (size, short, sizes))
    return list(shapes.values())


def _fitting(question: Question, shape: Shape) -> int:
    """As many of the rounds wished as fit into the limit."""
    if question.limit is None or not question.minutes:
        return question.rounds
    return min(question.rounds, floor(question.limit / question.minutes[shape[2][0]]))


def _around(question: Question, best: Option) -> list[int]:
    """Numbers of rounds near those of the best, which has the most that the limit allows where it has fewer."""
    most = best.rounds + (AROUND if question.limit is None else 0)
    return [rounds for rounds in range(max(1, best.rounds - AROUND), most + 1) if rounds != best.rounds]


def _option(question: Question, shape: Shape, rounds: int) -> Option:
    size, short, sizes = shape
    # Who sits where and at which number changes none of this.
    seated = build(Task(question.players, sizes, rounds, "no third meeting"), "brief").rounds
    return Option(
        size,
        short,
        sizes,
        rounds,
        repeats=sum(count - 1 for count in meetings(seated).values()),
        outs=rounds * (question.players - sum(sizes)),
        shorts=rounds * sum(one for one in sizes if one < sizes[0]),
        shorts_most=max(short_turns(seated, question.players)),
        twos=rounds * 2 * sizes.count(2),
        minutes=rounds * question.minutes[sizes[0]] if question.minutes else None,
    )


def _worth(option: Option, question: Question) -> tuple[int, ...]:
    """What decides, in the order of `Drawback`; less is better."""
    each = 2 * option.repeats // question.players
    away = abs(option.sizes[0] - question.size)
    return option.outs, option.twos, -option.rounds, each, away, option.shorts


def _drawback(option: Option, best: Option, question: Question) -> Drawback | None:
    both = zip(get_args(Drawback), _worth(option, question), _worth(best, question), strict=True)
    return next((drawback for drawback, worse, better in both if worse > better), None)
