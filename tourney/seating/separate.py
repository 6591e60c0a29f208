"""Rounds in which certain pairs never share a table: an exact test whether that is possible, and repairs of a round."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Final, Literal

from tourney.seating.constraints import Constraints
from tourney.seating.model import Groups, absent
from tourney.seating.quality.metrics import Rounds
from tourney.seating.swiss import conflict_matrix, history_by_place

Pair = tuple[int, int]
Neighbours = Mapping[int, Collection[int]]
"""For each player, the others who must never sit at the same table."""

STEPS: Final = 200_000
"""The most places that the exact test tries; an event of a club takes a few hundred."""

BYE_PRICE: Final = 100
"""The price, in repeats, of giving a bye to another player than the one whose turn it is."""

Answer = Literal["possible", "impossible", "unknown"]


def neighbours(pairs: Collection[Pair]) -> dict[int, set[int]]:
    """Return for each player of these pairs the others who must never sit at the same table."""
    found: dict[int, set[int]] = {}
    for first, second in pairs:
        found.setdefault(first, set()).add(second)
        found.setdefault(second, set()).add(first)
    return found


def shared(tables: Sequence[Sequence[int]], pairs: Collection[Pair]) -> list[Pair]:
    """Return those of the pairs, lower number first, who share one of these tables."""
    if not pairs:
        return []
    return [pair for table in tables for pair in combinations(sorted(table), 2) if pair in pairs]


def separable(pairs: Collection[Pair], sizes: Sequence[int], byes: int = 0) -> Answer:
    """Report whether tables of these sizes can seat everybody so that no pair shares one; `byes` players have none.

    This is the colouring of a graph with bounded colour classes, tried exhaustively up to `STEPS` places.
    """
    colouring = _Colouring(neighbours(pairs), [*sizes, *([byes] if byes else [])], bool(byes))
    if colouring.found() is not None:
        return "possible"
    return "unknown" if colouring.steps_left <= 0 else "impossible"


def largest_clique(pairs: Collection[Pair]) -> tuple[int, ...]:
    """Return a largest group in which no two may share a table (Bron and Kerbosch, with a pivot)."""
    near = neighbours(pairs)
    return max(_cliques((), set(near), set(), near), key=len, default=())


def _cliques(chosen: tuple[int, ...], open_: set[int], done: set[int], near: Neighbours) -> Iterator[tuple[int, ...]]:
    if not open_ and not done:
        yield tuple(sorted(chosen))
        return
    pivot = max(open_ | done, key=lambda player: len(open_.intersection(near[player])))
    for player in sorted(open_.difference(near[pivot])):
        yield from _cliques((*chosen, player), open_.intersection(near[player]), done.intersection(near[player]), near)
        open_ = open_ - {player}
        done = done | {player}


@dataclass(slots=True)
class _Colouring:
    """A search for a table of every player who has somebody to avoid; the last table has the byes if `has_byes`."""

    near: Neighbours
    room: list[int]
    has_byes: bool = False
    table_of: dict[int, int] = field(default_factory=dict)
    steps_left: int = STEPS

    def found(self, wanted: Mapping[int, int] | None = None) -> dict[int, int] | None:
        """Return a table for each of these players, the `wanted` one where possible; None if none is found."""
        return dict(self.table_of) if self._place_rest(wanted or {}) else None

    def _place_rest(self, wanted: Mapping[int, int]) -> bool:
        waiting = [player for player in self.near if player not in self.table_of]
        if not waiting:
            return True
        player = max(waiting, key=lambda each: (len(self._taken(each)), len(self.near[each]), -each))
        taken = self._taken(player)
        options = [table for table, room in enumerate(self.room) if room and table not in taken]
        for table in self._distinct(sorted(options, key=lambda at: (at != wanted.get(player), at))):
            self.steps_left -= 1
            if self.steps_left <= 0:
                return False
            self.table_of[player] = table
            self.room[table] -= 1
            if self._place_rest(wanted):
                return True
            self.room[table] += 1
            del self.table_of[player]
        return False

    def _taken(self, player: int) -> set[int]:
        """Return the tables where somebody sits who must never meet the player."""
        last = len(self.room) - 1 if self.has_byes else -1
        return {self.table_of[other] for other in self.near[player] if other in self.table_of}.difference({last})

    def _distinct(self, tables: Sequence[int]) -> Iterator[int]:
        """Yield these tables; of several empty ones of one size only the first, since they are alike."""
        seen, used, byes = set[int](), set(self.table_of.values()), len(self.room) - 1 if self.has_byes else -1
        for table in tables:
            if table in used or table == byes:
                yield table
            elif self.room[table] not in seen:
                seen.add(self.room[table])
                yield table


def separated(groups: Groups, players: int, constraints: Constraints, others: Rounds = ()) -> Groups:
    """Return these rounds without a pair that never shares a table, wherever that is possible.

    Rounds without such a pair stay as they are. Repairs prefer few repeats with the `others`, and the round as it is.
    """
    pairs = constraints.never_pairs
    if not any(shared(tables, pairs) for tables in groups):
        return groups
    rounds = [[list(table) for table in tables] for tables in groups]
    for number, tables in enumerate(rounds):
        if shared(tables, pairs):
            played = [*others, *rounds[:number], *rounds[number + 1 :]]
            out = list(absent(tables, players))
            rounds[number] = separated_round(tables, out, played, constraints)[0]
    return rounds


def separated_round(
    tables: Sequence[Sequence[int]], out: Sequence[int], played: Rounds, constraints: Constraints
) -> tuple[list[list[int]], list[int]]:
    """Return the tables and byes of a round after the fewest swaps found that part the pairs who never share a table.

    If that is impossible, they are returned as they are.
    """
    if not shared(tables, constraints.never_pairs):
        return [list(table) for table in tables], list(out)
    repair = _Repair([*map(list, tables), list(out)], played, constraints)
    if not repair.swap_apart() and not repair.place_apart():
        return [list(table) for table in tables], list(out)
    repair.polish()
    return repair.groups[:-1], repair.groups[-1]


class _Repair:
    """One round with its byes as the last group, and the price of each pair at one table in repeats."""

    def __init__(self, groups: list[list[int]], played: Rounds, constraints: Constraints) -> None:
        self.groups = groups
        self.pairs = constraints.never_pairs
        self.near = neighbours(self.pairs)
        order = sorted(chain.from_iterable(groups))
        self.at = {player: place for place, player in enumerate(order)}
        self.price = conflict_matrix(order, history_by_place(order, played)[0], constraints)
        self.turns = set(groups[-1])

    def swap_apart(self) -> bool:
        """Swap players of forbidden pairs as long as that parts more than it joins; report whether none is left."""
        while conflicts := {player for pair in shared(self.groups[:-1], self.pairs) for player in pair}:
            if not self._best_swap(conflicts):
                return False
        return True

    def place_apart(self) -> bool:
        """Give everybody who has somebody to avoid a table by exhaustive search; report whether that is possible."""
        before = {player: number for number, group in enumerate(self.groups) for player in group}
        sizes = [len(group) for group in self.groups]
        colouring = _Colouring(
            {player: self.near[player] for player in sorted(self.near) if player in before}, sizes, True
        )
        colouring.near = {player: [o for o in near if o in before] for player, near in colouring.near.items()}
        found = colouring.found({player: before[player] for player in colouring.near})
        if found is None:
            return False
        groups: list[list[int]] = [[player for player in found if found[player] == at] for at in range(len(sizes))]
        waiting: list[int] = []
        for player, at in before.items():
            if player not in found:
                (groups[at] if len(groups[at]) < sizes[at] else waiting).append(player)
        for group, size in zip(groups, sizes, strict=True):
            while len(group) < size:
                group.append(waiting.pop())
        self.groups[:] = groups
        return True

    def polish(self) -> None:
        """Swap players while that lowers the price."""
        while self._best_swap(set(chain.from_iterable(self.groups[:-1]))):
            pass

    def _best_swap(self, movers: Collection[int]) -> bool:
        """Swap one of these players with anybody of another group where that saves most; report whether it saves."""
        best: tuple[int, int, int, int, int] | None = None
        for first, group in enumerate(self.groups):
            for place, player in enumerate(group):
                if player in movers:
                    for second, other_group in enumerate(self.groups):
                        for other_place in range(len(other_group)) if second != first else ():
                            delta = self._delta(first, place, second, other_place)
                            best = min(best or (0, 0, 0, 0, 0), (delta, first, place, second, other_place))
        if best is None or best[0] >= 0:
            return False
        _delta, first, place, second, other_place = best
        one, other = self.groups[first], self.groups[second]
        one[place], other[other_place] = other[other_place], one[place]
        return True

    def _delta(self, first: int, place: int, second: int, other_place: int) -> int:
        one, other = self.groups[first], self.groups[second]
        player, exchanged = one[place], other[other_place]
        return (
            self._joining(exchanged, first, player)
            + self._joining(player, second, exchanged)
            - self._joining(player, first, player)
            - self._joining(exchanged, second, exchanged)
        )

    def _joining(self, player: int, at: int, without: int) -> int:
        """Return the price of a player in a group from which another is missing."""
        if at == len(self.groups) - 1:
            return 0 if player in self.turns else BYE_PRICE
        row = self.price[self.at[player]]
        return sum(row[self.at[other]] for other in self.groups[at] if other not in (without, player))
