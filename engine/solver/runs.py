"""Runs of the least size in one suit: how many cards they lack, and which would help.

A *place* of a run is filled by a held natural or is a *gap*. A gap takes a joker, where the rules let one
stand, or a natural that is still to come.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.solver.counts import NUMBER, RANKS, SPREAD


@final
@mypyc_attr(acyclic=True)
class Runs:
    """So many runs of one suit, and all that their gaps allow.

    Of the `gaps`, at most `room` and at least `forced` hold jokers (forced: the packs hold no further copy).
    `used` is the spread of the naturals used, and of so many as `lends` a joker may take the place. One more
    natural of `loose` helps while jokers have room left, one of `tight` also when they have none.
    """

    __slots__ = ("forced", "gaps", "lends", "loose", "room", "tight", "used")

    def __init__(self, gaps: i64, room: i64, forced: i64, used: i64, lends: i64, loose: i64, tight: i64) -> None:
        self.gaps = gaps
        self.room = room
        self.forced = forced
        self.used = used
        self.lends = lends
        self.loose = loose
        self.tight = tight

    def is_like(self, other: "Runs") -> bool:
        """Whether as many jokers may stand in as many gaps, and as many naturals be lent."""
        alike = self.gaps == other.gaps and self.room == other.room
        return alike and self.forced == other.forced and self.lends == other.lends

    def also(self, other: "Runs") -> "Runs":
        """The same, with what helps another way that differs in nothing else."""
        loose, tight = self.loose | other.loose, self.tight | other.tight
        return Runs(self.gaps, self.room, self.forced, self.used, self.lends, loose, tight)


@dataclass(frozen=True, slots=True)
class Shape:
    """The least runs of a rule set: where they may start, and for each set of gaps what jokers may do.

    `room` is how many of the gaps may hold jokers at once; `open` are the gaps that are free of jokers in
    some way of placing so many; `fair` says whether jokers may stand in exactly these places; `lends` is how
    many naturals could make way for further jokers (nothing unless trios ask for it).
    """

    least: int
    starts: int
    windows: tuple[int, ...]
    room: tuple[int, ...]
    open: tuple[int, ...]
    fair: tuple[bool, ...]
    lends: tuple[int, ...]


def turned(places: int, start: int) -> int:
    """The ranks at a run's places, if it begins at that rank."""
    wide = places << start
    return (wide | wide >> 13) & RANKS


def placed(ranks: int, start: int, least: int) -> int:
    """The places at which these ranks stand in a run that begins at that rank."""
    return ((ranks | ranks << 13) >> start) & ((1 << least) - 1)


@cache
def shape_of(least: int, naturals: int, ace: str, jokers_adjacent: str, lending: bool) -> Shape:
    """The shape of the least runs, from the fields of the rules' `run`, and whether trios borrow from them."""
    starts = 13 if ace == "round" else 15 - least
    adjacent = jokers_adjacent == "allowed"
    fair = tuple([_fair(jokers, least, naturals, adjacent) for jokers in range(1 << least)])
    room: list[int] = []
    opened: list[int] = []
    for gaps in range(1 << least):
        inside = [jokers for jokers in range(gaps + 1) if jokers & ~gaps == 0 and fair[jokers]]
        most = max([jokers.bit_count() for jokers in inside])
        free = 0
        for jokers in inside:
            if jokers.bit_count() == most:
                free |= gaps & ~jokers
        room.append(most)
        opened.append(free)
    windows = tuple([turned((1 << least) - 1, start) for start in range(starts)])
    lends = [_lends(gaps, room) if lending else 0 for gaps in range(1 << least)]
    return Shape(least, starts, windows, tuple(room), tuple(opened), fair, tuple(lends))


def _lends(gaps: int, room: list[int]) -> int:
    """How many gaps more would all take jokers."""
    wider = [more for more in range(len(room)) if more & gaps == gaps]
    return max(
        [
            more.bit_count() - gaps.bit_count()
            for more in wider
            if room[more] - room[gaps] == more.bit_count() - gaps.bit_count()
        ]
    )


def _fair(jokers: int, least: int, naturals: int, adjacent: bool) -> bool:
    if least - jokers.bit_count() < max(naturals, 1):
        return False
    return adjacent or jokers & (jokers >> 1) == 0


@final
@mypyc_attr(acyclic=True)
class Single:
    """What one card of each rank of a holding makes: every way to make one run, least gaps first.

    `fewest` are the gaps of the first, `fewest_of_two` those of two runs that lack fewest.
    """

    __slots__ = ("fewest", "fewest_of_two", "ways")

    def __init__(self, ways: list[Runs], fewest_of_two: i64) -> None:
        self.ways = ways
        self.fewest = ways[0].gaps
        self.fewest_of_two = fewest_of_two


@final
class RunTable:
    """The ways to make runs of one suit, worked out once for each holding of it.

    `apart` keeps ways apart that use other cards, which matters only beside trios; `lending` those that lend
    trios another number of naturals. `each` has every single run, by its start and then by the places that are held,
    `windows` the ranks of a run by its start, and `pairs` those of any two.
    """

    __slots__ = (
        "apart",
        "each",
        "fillings",
        "known",
        "least",
        "lending",
        "pairs",
        "places",
        "shape",
        "singles",
        "starts",
        "windows",
    )

    def __init__(self, shape: Shape, apart: bool, lending: bool) -> None:
        self.shape = shape
        self.least: i64 = shape.least
        self.starts: i64 = shape.starts
        self.places: i64 = (1 << shape.least) - 1
        self.windows = list(shape.windows)
        self.pairs = [one | other for one, other in combinations(shape.windows, 2)]
        self.apart = apart
        self.lending = lending
        self.each = [_way(shape, start, held) for start in range(shape.starts) for held in range(1 << shape.least)]
        self.fillings: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.known: dict[tuple[int, int, int, int, int], Runs] = {}
        self.singles: list[Single | None] = [None] * (RANKS + 1)

    def single(self, once: i64) -> Single:
        """What one card of each of these ranks makes; not to be changed."""
        found = self.singles[once]
        if found is None:
            found = Single(self._ways(once), self._fewest_of_two(once))
            self.singles[once] = found
        return found

    def fewest_gaps(self, once: i64) -> i64:
        """The gaps of a run that uses these ranks, where it lacks fewest."""
        return self.single(once).fewest

    def way(self, start: i64, once: i64) -> Runs:
        """The run that begins at that rank, of what it can use of these; not to be changed."""
        held = (once | once << 13) >> start & self.places
        return self.each[start * (self.places + 1) + held]

    def filled(self, start: int, ranks: int) -> list[tuple[int, int]]:
        """Every way to fill these gaps of a run that begins there: jokers, and the ranks of naturals."""
        found = self.fillings.get((start, ranks))
        if found is None:
            gaps = placed(ranks, start, self.shape.least)
            found = [
                (jokers.bit_count(), turned(gaps & ~jokers, start))
                for jokers in range(gaps + 1)
                if jokers & ~gaps == 0 and self.shape.fair[jokers]
            ]
            self.fillings[start, ranks] = found
        return found

    def _ways(self, once: i64) -> list[Runs]:
        kept: list[Runs] = []
        for start in range(self.starts):
            keep(kept, self.way(start, once), self.apart)
        return [self._known(way) for way in kept]

    def _known(self, way: Runs) -> Runs:
        """The one that stands for all ways of these values: thousands of holdings are remembered."""
        return self.known.setdefault((way.used, way.room, way.lends, way.loose, way.tight), way)

    def _fewest_of_two(self, once: i64) -> i64:
        most: i64 = 0
        for windows in self.pairs:
            held: i64 = NUMBER[windows & once]
            if held > most:
                most = held
        return 2 * self.least - most


def _way(shape: Shape, start: int, held: int) -> Runs:
    """One run of which these places are held."""
    places = (1 << shape.least) - 1 & ~held
    used: i64 = turned(held, start)
    return Runs(
        places.bit_count(),
        shape.room[places],
        0,
        SPREAD[used],
        shape.lends[places],
        turned(places, start),
        turned(shape.open[places], start),
    )


def keep(kept: list[Runs], way: Runs, apart: bool) -> None:
    """Adds a way after those with no more gaps; those that differ in nothing but the cards that help become one."""
    for place, known in enumerate(kept):
        if known.gaps > way.gaps:
            kept.insert(place, way)
            return
        if (known.used == way.used or not apart) and known.is_like(way):
            kept[place] = known.also(way)
            return
    kept.append(way)


@cache
def run_table(least: int, naturals: int, ace: str, jokers_adjacent: str, apart: bool, lending: bool) -> RunTable:
    """The table for these fields of the rules' `run`."""
    return RunTable(shape_of(least, naturals, ace, jokers_adjacent, lending), apart, lending)
