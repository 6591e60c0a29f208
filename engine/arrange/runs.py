"""Runs of the least size in one suit: how many cards they lack, and which would help.

A *place* of a run is filled by a held natural or is a *gap*. A gap takes a joker, where the rules let one
stand, or a natural that is still to come.
"""

from dataclasses import dataclass
from functools import cache
from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.arrange.spreads import RANKS, SPREAD


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
class RunTable:
    """The ways to make runs of one suit, worked out once for each holding of it.

    `apart` keeps ways apart that use other cards, which matters only beside trios; `lending` those that lend
    trios another number of naturals. `memory` is kept by `several`.
    """

    __slots__ = ("apart", "fillings", "lending", "memory", "shape", "single", "ways")

    def __init__(self, shape: Shape, apart: bool, lending: bool) -> None:
        self.shape = shape
        self.apart = apart
        self.lending = lending
        self.ways: dict[int, Runs] = {}
        self.fillings: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.single: list[list[Runs] | None] = [None] * (RANKS + 1)
        self.memory: dict[tuple[int, int, int, int, int, int], list[Runs]] = {}

    def one(self, once: i64) -> list[Runs]:
        """Every way to make one run, least gaps first; `once` are the ranks held."""
        found = self.single[once]
        if found is None:
            found = self._one(once)
            self.single[once] = found
        return found

    def fewest_gaps(self, once: i64) -> i64:
        """The gaps of a run that uses these ranks, where it lacks fewest."""
        return self.one(once)[0].gaps

    def way(self, start: int, used: int) -> Runs:
        """One run that begins at that rank and uses these; not to be changed."""
        key = 16 * used + start
        found = self.ways.get(key)
        if found is None:
            found = _way(self.shape, start, used)
            self.ways[key] = found
        return found

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

    def _one(self, once: int) -> list[Runs]:
        shape = self.shape
        kept: dict[int, Runs] = {}
        for start in range(shape.starts):
            keep(kept, _way(shape, start, shape.windows[start] & once), self.apart)
        return in_order(kept)


def _way(shape: Shape, start: int, used: int) -> Runs:
    """One run that uses these ranks."""
    gaps = shape.windows[start] & ~used
    places = placed(gaps, start, shape.least)
    tight = turned(shape.open[places], start)
    return Runs(places.bit_count(), shape.room[places], 0, SPREAD[used], shape.lends[places], gaps, tight)


def keep(kept: dict[int, Runs], way: Runs, apart: bool) -> None:
    """Notes a way, together with those that differ in nothing but the cards that help."""
    key: int = ((way.gaps * 32 + way.room) * 32 + way.forced) * 32 + way.lends
    if apart:
        used: int = way.used
        key += used << 20
    known = kept.get(key)
    if known is None:
        kept[key] = way
    else:
        known.loose |= way.loose
        known.tight |= way.tight


def in_order(kept: dict[int, Runs]) -> list[Runs]:
    """The ways, least gaps first; of those with the same gaps the first noted."""
    return sorted(kept.values(), key=_gaps)


def _gaps(way: Runs) -> int:
    return way.gaps


@cache
def run_table(least: int, naturals: int, ace: str, jokers_adjacent: str, apart: bool, lending: bool) -> RunTable:
    """The table for these fields of the rules' `run`."""
    return RunTable(shape_of(least, naturals, ace, jokers_adjacent, lending), apart, lending)
