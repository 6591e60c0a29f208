"""Tournament formats: the order of the players and the seating of a round in each. A new format is one entry here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from tourney.seating.balance.byes import next_byes
from tourney.seating.balance.table_numbers import number_tables, place_constrained
from tourney.seating.constraints import Constraints, violations
from tourney.seating.information_gain import informative_tables
from tourney.seating.model import DRAWN_AS, Round
from tourney.seating.random_draw import random_draw
from tourney.seating.rng import seeded_rng, shuffled
from tourney.seating.separate import separated_round, shared
from tourney.seating.standing_tables import kept_groups, ladder_tables
from tourney.seating.swiss import Pairing, seated, swiss_with_byes

OrderedBy = Literal["nothing", "standings", "last tables", "rating", "information gain"]
"""The order of the players of a round, best first; information gain also values tables."""

RankedBy = Literal["nothing", "lives", "last table"]
"""The criterion that ranks the players of a stage before their points: lives left, or the table of the last round."""

RANDOM_DRAWS: Final = 200
"""The number of random draws, of which the first with the fewest violations is taken."""


@dataclass(frozen=True, slots=True)
class RoundTask:
    """One round to seat, for players 0, 1, 2, …

    `order` has all of them: the ordered ones best first, then the others at random; `is_ordered` is whether anybody in
    the event has a place in the order. `played` and `sat_out` are the tables and byes of the earlier rounds, in which
    numbers beyond the players' are people who have left. `gain` is the gain of a table. The first `begins` of these
    rounds were played in earlier stages. `last` has the tables of the last round, the players of each best first, where
    the format asks for them. A table has from `least` to `most` players.
    """

    order: Sequence[int]
    is_ordered: bool
    sizes: tuple[int, ...]
    played: tuple[Round, ...]
    sat_out: tuple[tuple[int, ...], ...]
    seed: str
    constraints: Constraints
    gain: Callable[[Sequence[int]], float] = len
    begins: int = 0
    last: tuple[tuple[int, ...], ...] = ()
    least: int = 2
    most: int = 1000


Seated = tuple[Sequence[Sequence[int]], Sequence[int]]
"""The tables of a round, and the players with a bye."""


@dataclass(frozen=True, slots=True)
class Format:
    """A tournament format.

    `seat` seats one round; None where all rounds are planned ahead, or an organiser gives every table. `summary` is
    what people read about it. `ordered_once` says that only the first round of a stage is ordered; `ranked_by` is what
    ranks the players of a stage before their points do. Only a stage of an event can have a format that has `lives`.
    `equal_tables` says that neighbours in the order sit at different tables.
    """

    name: str
    summary: str
    ordered_by: OrderedBy = "nothing"
    seat: Callable[[RoundTask], Seated] | None = None
    planned_ahead: bool = False
    ordered_once: bool = False
    ranked_by: RankedBy = "nothing"
    lives: bool = False
    equal_tables: bool = False


def pair(pairing: Pairing) -> Callable[[RoundTask], Seated]:
    """Return a function that seats a Swiss round by this pairing, with the byes that leave the fewest repeats."""

    def seat(task: RoundTask) -> Seated:
        # Distances in a random order mean nothing, but would outweigh level seats and smaller-table rounds.
        by = pairing if task.is_ordered or not task.played else "anybody"
        tables, out = swiss_with_byes(
            task.order, task.sizes, task.played, task.sat_out, task.seed, by, task.constraints
        )
        return _separated(task, tables, out)

    return seat


def _separated(task: RoundTask, tables: Sequence[Sequence[int]], out: Sequence[int]) -> Seated:
    """Return the round without a pair that never shares a table, where that is possible; mostly it is unchanged."""
    if not shared(tables, task.constraints.never_pairs):
        return tables, out
    apart, byes = separated_round(tables, out, task.played, task.constraints)
    return seated(place_constrained([apart], task.constraints.tables)[0], task.played), byes


def draw_at_random(task: RoundTask) -> Seated:
    """Seat players at random, with level counts; the first of many draws with the fewest violations is taken."""
    rng = seeded_rng("lots", task.seed, len(task.played))
    order = shuffled(list(range(len(task.order))), rng)
    (out,) = next_byes(order, len(order) - sum(task.sizes), 1, task.played, task.sat_out)
    playing = [player for player in order if player not in out]
    best: tuple[tuple[int, int], Round] | None = None
    for _number in range(RANDOM_DRAWS):
        tables = random_draw(playing, task.sizes, task.played, rng)
        broken = (
            len(shared(tables, task.constraints.never_pairs)),
            violations(task.constraints, [tables], len(order)).apart,
        )
        if best is None or broken < best[0]:
            best = broken, tables
        if best[0] == (0, 0):
            break
    assert best is not None, "there is at least one draw"
    apart, byes = _separated(task, best[1], out)
    groups = [[list(table) for table in apart]]
    if DRAWN_AS.get() == 1:
        return place_constrained(groups, task.constraints.tables)[0], byes
    return number_tables(groups, task.played, task.constraints.tables, len(task.order))[0], byes


def gain_most(task: RoundTask) -> Seated:
    """Seat the tables with the highest gain among those with the fewest repeats and then the most level counts."""
    _tables, out = pair("anybody")(task)
    playing = [player for player in task.order if player not in out]
    tables = informative_tables(playing, task.sizes, task.played, task.gain, task.seed, task.constraints)
    return _separated(task, seated(tables, task.played), out)


def keep_groups(task: RoundTask) -> Seated:
    """Seat groups of equal strength by the order, or drawn if there is none; they stay together in a stage."""
    if len(task.played) <= task.begins:
        return pair("snake")(task) if task.is_ordered else draw_at_random(task)
    tables, out = kept_groups(task.order, task.played[-1], task.least, task.most)
    return _separated(task, seated(tables, task.played), out)


def seat_across(task: RoundTask) -> Seated:
    """Seat the order across equally strong tables, to and fro: 1-4-5-8 and 2-3-6-7. Earlier stages do not count."""
    stage = replace(task, played=task.played[task.begins :], sat_out=task.sat_out[task.begins :])
    return pair("snake")(stage)


def climb(task: RoundTask) -> Seated:
    """Seat a ladder: the winner of each table moves one table up, the last one down."""
    tables, out = ladder_tables(task.order, task.sizes, task.last, task.played, task.sat_out)
    return _separated(task, seated(tables, task.played), out)


FORMATS: Final[Mapping[str, Format]] = {
    entry.name: entry
    for entry in (
        Format("rotation", "all rounds are planned ahead so that players seldom meet again", planned_ahead=True),
        Format("swiss", "players near each other in the standings meet", "standings", pair("neighbours")),
        Format("rated swiss", "players near each other by rating meet", "rating", pair("neighbours")),
        Format("snake", "all tables are equally strong by rating", "rating", pair("snake"), equal_tables=True),
        Format("seeded", "all tables are equally strong by the standings", "standings", seat_across, equal_tables=True),
        Format("random", "tables are drawn at random", seat=draw_at_random),
        Format("informative", "tables whose results say most about ratings", "information gain", gain_most),
        Format(
            "groups", "the same players meet in every round of a stage", "standings", keep_groups, ordered_once=True
        ),
        Format(
            "knock-out",
            "the last at each table loses a life; only in a stage of an event",
            seat=pair("anybody"),
            ranked_by="lives",
            lives=True,
        ),
        Format(
            "ladder",
            "the winner of a table moves one table up, the last one down",
            "last tables",
            climb,
            ranked_by="last table",
        ),
        Format("manual", "you give every round in a file"),
    )
}
"""All formats by name; the names are stored with events."""
