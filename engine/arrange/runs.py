"""Runs of the least size in one suit: how many cards they lack, and which would help.

A *place* of a run is filled by a held natural or is a *gap*. A gap takes a joker, where the rules let one
stand, or a natural that is still to come. A *spread* holds one number for each rank, in four bits each.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Final

_RANKS: Final = (1 << 13) - 1
_REMEMBERED: Final = 50_000
SPREAD_ONE: Final = sum(1 << (4 * rank) for rank in range(13))
TOPS: Final = 8 * SPREAD_ONE
_LOWS: Final = 7 * SPREAD_ONE


def _spread(mask: int) -> int:
    return sum(1 << (4 * rank) for rank in range(13) if mask >> rank & 1)


SPREAD: Final[tuple[int, ...]] = tuple(_spread(mask) for mask in range(1 << 13))
"""The spread of each set of ranks: one for each rank in it."""


def at_least(spread: int, number: int) -> int:
    """The ranks whose number is so large or larger (1 to 15), as the top bits of their four."""
    if number <= 8:
        return ((spread & _LOWS) + (8 - number) * SPREAD_ONE | spread) & TOPS
    return (spread & _LOWS) + (16 - number) * SPREAD_ONE & spread & TOPS


class Runs:
    """So many runs of one suit, and all that their gaps allow.

    Of the `gaps`, at most `room` and at least `forced` hold jokers (forced: the packs hold no further copy).
    `used` is the spread of the naturals used, and of so many as `lends` a joker may take the place. One more
    natural of `loose` helps while jokers have room left, one of `tight` also when they have none.
    """

    __slots__ = ("forced", "gaps", "lends", "loose", "room", "tight", "used")

    def __init__(self, gaps: int, room: int, forced: int, used: int, lends: int, loose: int, tight: int) -> None:
        self.gaps = gaps
        self.room = room
        self.forced = forced
        self.used = used
        self.lends = lends
        self.loose = loose
        self.tight = tight


Key = tuple[int, int, int, int, int]
"""What tells ways apart: gaps, room, forced, used and lends."""


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
    return (wide | wide >> 13) & _RANKS


def placed(ranks: int, start: int, least: int) -> int:
    """The places at which these ranks stand in a run that begins at that rank."""
    return ((ranks | ranks << 13) >> start) & ((1 << least) - 1)


@cache
def shape_of(least: int, naturals: int, ace: str, jokers_adjacent: str, lending: bool) -> Shape:
    """The shape of the least runs, from the fields of the rules' `run`, and whether trios borrow from them."""
    starts = 13 if ace == "round" else 15 - least
    adjacent = jokers_adjacent == "allowed"
    fair = tuple(_fair(jokers, least, naturals, adjacent) for jokers in range(1 << least))
    room: list[int] = []
    opened: list[int] = []
    for gaps in range(1 << least):
        inside = [jokers for jokers in range(gaps + 1) if jokers & ~gaps == 0 and fair[jokers]]
        most = max(jokers.bit_count() for jokers in inside)
        free = 0
        for jokers in inside:
            if jokers.bit_count() == most:
                free |= gaps & ~jokers
        room.append(most)
        opened.append(free)
    windows = tuple(turned((1 << least) - 1, start) for start in range(starts))
    lends = [_lends(gaps, room) if lending else 0 for gaps in range(1 << least)]
    return Shape(least, starts, windows, tuple(room), tuple(opened), fair, tuple(lends))


def _lends(gaps: int, room: list[int]) -> int:
    """How many gaps more would all take jokers."""
    wider = [more for more in range(len(room)) if more & gaps == gaps]
    return max(
        more.bit_count() - gaps.bit_count()
        for more in wider
        if room[more] - room[gaps] == more.bit_count() - gaps.bit_count()
    )


def _fair(jokers: int, least: int, naturals: int, adjacent: bool) -> bool:
    if least - jokers.bit_count() < max(naturals, 1):
        return False
    return adjacent or jokers & (jokers >> 1) == 0


class RunTable:
    """The ways to make runs of one suit, worked out once for each holding of it.

    `apart` keeps ways apart that use other cards, which matters only beside trios; `lending` those that lend
    trios another number of naturals.
    """

    __slots__ = ("apart", "fillings", "lending", "memory", "packs", "shape", "single", "ways")

    def __init__(self, shape: Shape, packs: int, apart: bool, lending: bool) -> None:
        self.shape = shape
        self.packs = packs
        self.apart = apart
        self.lending = lending
        self.ways: dict[tuple[int, int], Runs] = {}
        self.fillings: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.single: dict[int, tuple[Runs, ...]] = {}
        self.memory: dict[tuple[int, int, int, int, int], tuple[Runs, ...]] = {}

    def one(self, once: int) -> tuple[Runs, ...]:
        """Every way to make one run, least gaps first; `once` are the ranks held."""
        found = self.single.get(once)
        if found is None:
            found = self._one(once)
            self.single[once] = found
        return found

    def several(self, held: int, runs: int, jokers: int, most_gaps: int, alone: int) -> tuple[Runs, ...]:
        """Every way to make so many runs with at most so many gaps, least gaps first; `held` is a spread.

        Where `alone` runs are all that the contract asks for, one way without a missing card is enough.
        """
        key = (held, runs, jokers, most_gaps, alone)
        found = self.memory.get(key)
        if found is None:
            if len(self.memory) > _REMEMBERED:
                self.memory.clear()
            found = _Search(self, held, runs, jokers, most_gaps, alone == runs).found()
            self.memory[key] = found
        return found

    def way(self, start: int, used: int) -> Runs:
        """One run that begins at that rank and uses these; not to be changed."""
        found = self.ways.get((start, used))
        if found is None:
            found = _way(self.shape, start, used)
            self.ways[start, used] = found
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

    def _one(self, once: int) -> tuple[Runs, ...]:
        shape = self.shape
        kept: dict[Key, Runs] = {}
        for start in range(shape.starts):
            keep(kept, _way(shape, start, shape.windows[start] & once), self.apart)
        return tuple(sorted(kept.values(), key=_gaps))


def _gaps(way: Runs) -> int:
    return way.gaps


def _way(shape: Shape, start: int, used: int) -> Runs:
    """One run that uses these ranks."""
    gaps = shape.windows[start] & ~used
    places = placed(gaps, start, shape.least)
    tight = turned(shape.open[places], start)
    return Runs(places.bit_count(), shape.room[places], 0, SPREAD[used], shape.lends[places], gaps, tight)


def keep(kept: dict[Key, Runs], way: Runs, apart: bool) -> None:
    """Notes a way, together with those that differ in nothing but the cards that help."""
    key = (way.gaps, way.room, way.forced, way.used if apart else 0, way.lends)
    known = kept.get(key)
    if known is None:
        kept[key] = way
    else:
        known.loose |= way.loose
        known.tight |= way.tight


class _Search:
    """Several runs of one suit: every choice of starts, and of who gets a card that two of them want."""

    def __init__(self, table: RunTable, held: int, runs: int, jokers: int, most_gaps: int, one_is_enough: bool) -> None:
        self.table = table
        self.shape = table.shape
        self.held = held
        self.runs = runs
        self.jokers = jokers
        self.most_gaps = most_gaps
        self.one_is_enough = one_is_enough
        self.enough = False
        self.kept: dict[Key, Runs] = {}
        self.starts: list[int] = []
        self.used: list[int] = []

    def found(self) -> tuple[Runs, ...]:
        self._extend(0, self.held, 0)
        return tuple(sorted(self.kept.values(), key=_gaps))

    def _extend(self, first: int, left: int, gaps: int) -> None:
        """Adds runs from that start on; `left` is the spread of the naturals not yet used."""
        if len(self.starts) == self.runs:
            self._settle()
            return
        once = ranks_of(left)
        for start in range(first, self.shape.starts):
            used = self.shape.windows[start] & once
            lacking = gaps + self.shape.least - used.bit_count()
            if lacking > self.most_gaps:
                continue
            self.starts.append(start)
            self.used.append(used)
            self._extend(start, left - SPREAD[used], lacking)
            self.starts.pop()
            self.used.pop()
            if self.enough:
                return

    def _settle(self) -> None:
        """Notes the chosen runs; tries every owner of a contested card if that may give jokers more room."""
        way = self._joined(self.used)
        if way is not None:
            self._keep(way)
            plenty = way.room > self.jokers and way.forced == 0 and not self.table.lending
            if self.enough or plenty:
                return
        self._share()

    def _share(self) -> None:
        windows = [self.shape.windows[start] for start in self.starts]
        owners: list[list[tuple[int, ...]]] = []
        ranks: list[int] = []
        for rank in range(13):
            wanting = [place for place, window in enumerate(windows) if window >> rank & 1]
            copies = self.held >> (4 * rank) & 15
            if 0 < copies < len(wanting):
                ranks.append(rank)
                owners.append(list(combinations(wanting, copies)))
        if not ranks:
            return
        contested = sum(1 << rank for rank in ranks)
        plain = [used & ~contested for used in self.used]
        for choice in product(*owners):
            used = plain[:]
            for rank, chosen in zip(ranks, choice, strict=True):
                for place in chosen:
                    used[place] |= 1 << rank
            way = self._joined(used)
            if way is not None:
                self._keep(way)

    def _keep(self, way: Runs) -> None:
        keep(self.kept, way, self.table.apart)
        if self.one_is_enough and way.gaps <= min(way.room, self.jokers):
            self.enough = True

    def _joined(self, used: list[int]) -> Runs | None:
        """The runs as one way; None if the packs cannot fill their gaps."""
        joined = Runs(0, 0, 0, 0, 0, 0, 0)
        demand = 0
        for start, mine in zip(self.starts, used, strict=True):
            way = self.table.way(start, mine)
            joined.gaps += way.gaps
            joined.room += way.room
            joined.used += way.used
            joined.lends += way.lends
            demand += SPREAD[self.shape.windows[start]]
            joined.loose |= way.loose
            joined.tight |= way.tight
        packs = self.table.packs
        if self.runs > packs and at_least(demand, packs + 1):
            return self._crowded(joined, used)
        return joined

    def _crowded(self, joined: Runs, used: list[int]) -> Runs | None:
        """The same where some gaps must hold jokers, because no pack has a further copy for them."""
        fillings = self._fillings(used)
        if not fillings:
            return None
        joined.forced, joined.room = min(fillings), max(fillings)
        joined.tight = fillings[joined.room]
        if joined.forced == joined.room:
            joined.loose = joined.tight
        return joined

    def _fillings(self, used: list[int]) -> dict[int, int]:
        """By number of jokers in the gaps: the ranks where naturals may stand then, if the packs hold them.

        Naturals are counted at the scarce ranks only, those that could come to more than the packs hold.
        """
        full = self.table.packs + 1
        gaps = [self.shape.windows[start] & ~mine for start, mine in zip(self.starts, used, strict=True)]
        scarce = 15 * (at_least(self.held + sum([SPREAD[ranks] for ranks in gaps]), full) >> 3)
        partial = {(0, self.held & scarce): 0}
        for start, ranks in zip(self.starts, gaps, strict=True):
            after: dict[tuple[int, int], int] = {}
            for more, naturals in self.table.filled(start, ranks):
                for (jokers, total), before in partial.items():
                    sums = total + (SPREAD[naturals] & scarce)
                    if not at_least(sums, full):
                        key = (jokers + more, sums)
                        after[key] = after.get(key, 0) | before | naturals
            partial = after
        found: dict[int, int] = {}
        for (jokers, _), ranks in partial.items():
            found[jokers] = found.get(jokers, 0) | ranks
        return found


def ranks_of(spread: int) -> int:
    """The ranks of which a spread has any."""
    rest = at_least(spread, 1)
    ranks = 0
    while rest:
        low = rest & -rest
        ranks |= 1 << (low.bit_length() >> 2) - 1
        rest ^= low
    return ranks


@cache
def run_table(
    least: int, naturals: int, ace: str, jokers_adjacent: str, packs: int, apart: bool, lending: bool
) -> RunTable:
    """The table for these fields of the rules' `run`."""
    return RunTable(shape_of(least, naturals, ace, jokers_adjacent, lending), packs, apart, lending)
