"""Constraints on a seating: players to keep apart, players to seat together, and tables that players need.

Players who never share a table are a hard constraint: their price is beyond all others, and `separate` repairs a round
in which a search has left such a pair. Breaking any other constraint costs `VIOLATION_PRICE`: more than a repeat, less
than a third meeting where those are to be avoided. So a plan breaks one only where keeping it would cost three repeats.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.rng import Rng

VIOLATION_PRICE: Final = 600
"""The price of each meeting of a pair to keep apart, and of a pair to seat together that never meets."""

NEVER_PRICE: Final = 240_000
"""The price of a meeting of two players who never share a table: a thousand repeats."""

KIND: Final = 4096
"""The mark of a kind of pair is a multiple of this, which is more than any number of rounds."""

APART: Final = KIND
TOGETHER: Final = 2 * KIND
NEVER: Final = 3 * KIND
"""The marks of pairs to keep apart, to seat together, and never to seat together, added to their number in a matrix of
meetings."""

MAX_EVALUATIONS: Final = 30_000
CANDIDATES: Final = 24
"""The swaps that `assign_to_places` evaluates in all, and for one player with a violation."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """Constraints on players 0, 1, 2, …; numbers that do not play are ignored.

    No two of a group in `apart`, such as a club or a family, should meet. Each pair of `together` should meet at least
    once. Each (player, number) of `tables` needs that physical table, numbered from 1, in every round. No two of a
    group in `never` share a table.
    """

    apart: tuple[frozenset[int], ...] = ()
    together: tuple[tuple[int, int], ...] = ()
    tables: tuple[tuple[int, int], ...] = ()
    never: tuple[frozenset[int], ...] = ()

    @property
    def concern_meetings(self) -> bool:
        """Return whether any constraint is about who meets whom."""
        return bool(self.apart or self.together or self.never)

    def pairs(self, players: int) -> dict[tuple[int, int], int]:
        """Return the kind of each constrained pair, lower number first: the last of apart, together and never."""
        kinds = {pair: APART for group in self.apart for pair in combinations(sorted(group), 2)}
        kinds |= {(min(pair), max(pair)): TOGETHER for pair in self.together}
        kinds |= dict.fromkeys(self.never_pairs, NEVER)
        return {pair: kind for pair, kind in kinds.items() if pair[0] < pair[1] < players}

    @property
    def never_pairs(self) -> frozenset[tuple[int, int]]:
        """The pairs of players who never share a table, lower number first."""
        return frozenset(pair for group in self.never for pair in combinations(sorted(group), 2))

    def renumbered(self, number_of: Mapping[int, int]) -> "Constraints":
        """Return these constraints in other numbers; players without one are left out."""

        def groups(named: Sequence[frozenset[int]]) -> tuple[frozenset[int], ...]:
            return tuple(frozenset(number_of[player] for player in group if player in number_of) for group in named)

        together = [pair for pair in self.together if number_of.keys() >= set(pair)]
        return Constraints(
            groups(self.apart),
            tuple((number_of[first], number_of[second]) for first, second in together),
            tuple((number_of[player], table) for player, table in self.tables if player in number_of),
            groups(self.never),
        )


NO_CONSTRAINTS: Final = Constraints()


def mark_constraints(met: list[list[int]], constraints: Constraints) -> None:
    """Add the marks of the constrained pairs to a matrix of meetings, as the searches need it."""
    for (player, other), kind in constraints.pairs(len(met)).items():
        met[player][other] += kind
        met[other][player] += kind


def meeting_prices(plain: Sequence[int]) -> list[int]:
    """Return the price of one more meeting by the count so far, for all kinds of pairs.

    `plain` has the prices of unconstrained pairs, for counts below `KIND`.
    """
    apart, never = ([extra + price for price in plain] for extra in (VIOLATION_PRICE, NEVER_PRICE))
    return [*plain, *apart, plain[0] - VIOLATION_PRICE, *plain[1:], *never]


def cumulative_prices(meeting_prices: Sequence[int]) -> list[int]:
    """Return the price of all meetings of a pair by their count; a pair to seat together pays until it meets."""
    totals: list[int] = []
    for first in range(0, len(meeting_prices), KIND):
        owed = VIOLATION_PRICE if first == TOGETHER else 0
        totals += accumulate(meeting_prices[first : first + KIND], initial=owed)
        if len(meeting_prices) > KIND:
            totals.pop()
    return totals


@dataclass(frozen=True, slots=True)
class Violations:
    """The numbers of broken constraints: meetings of players kept apart, missing meetings, and wrong tables.

    Players who never share a table count as kept apart.
    """

    apart: int
    together: int
    tables: int


def violations(
    constraints: Constraints,
    rounds: Sequence[Sequence[Sequence[int]]],
    players: int,
    numbers: Sequence[Sequence[int]] | None = None,
) -> Violations:
    """Count the constraints that these rounds break.

    `numbers[r][t]` is the number of the physical table `rounds[r][t]`; None: tables are numbered in order.
    """
    met, missed, wrong = _violations(constraints, rounds, players, numbers)
    return Violations(len(met), len(missed), len(wrong))


def violations_by_player(
    constraints: Constraints,
    rounds: Sequence[Sequence[Sequence[int]]],
    players: int,
    numbers: Sequence[Sequence[int]] | None = None,
) -> list[int]:
    """Count the broken constraints of each player; one about meetings counts for both."""
    met, missed, wrong = _violations(constraints, rounds, players, numbers)
    count = Counter([player for pair in (*met, *missed) for player in pair] + wrong)
    return [count[player] for player in range(players)]


def _violations(
    constraints: Constraints,
    rounds: Sequence[Sequence[Sequence[int]]],
    players: int,
    numbers: Sequence[Sequence[int]] | None,
) -> tuple[list[tuple[int, int]], list[tuple[int, int]], list[int]]:
    """Return each meeting of a pair kept apart, each missing meeting, and each player at a wrong table.

    A player appears once for each round at a wrong table.
    """
    pairs, seen = constraints.pairs(players), list(_meetings(rounds))
    met = [pair for pair in seen if pairs.get(pair) in (APART, NEVER)]
    missed = {pair for pair, kind in pairs.items() if kind == TOGETHER}.difference(seen)
    wrong = [
        player
        for player, needed in constraints.tables
        for place, tables in enumerate(rounds)
        for number, table in zip(numbers[place] if numbers else range(1, len(tables) + 1), tables, strict=True)
        if player in table and number != needed
    ]
    return met, sorted(missed), wrong


def _meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> Iterator[tuple[int, int]]:
    return (pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def assign_to_places(player_at: list[int], groups: Groups, constraints: Constraints, rng: Rng) -> list[int]:
    """Assign players to the places of a plan, swapping until few constraints are broken.

    `player_at` is the assignment to begin with. Swapping costs no repeat, since the plan keeps its shape. Each
    step moves a player with a violation to the best of some places; the search ends when no violation is left, or after
    `MAX_EVALUATIONS`.
    """
    if not constraints.concern_meetings:
        return player_at
    search = _PlaceSearch(player_at, groups, constraints)
    best, least = list(search.player_at), search.price()
    for _step in range(MAX_EVALUATIONS // CANDIDATES):
        conflicts = search.conflicts()
        if not conflicts:
            break
        search.move(conflicts[int(rng() * len(conflicts))], rng)
        if (price := search.price()) < least:
            best, least = list(search.player_at), price
    return best


class _PlaceSearch:
    """Players who are swapped at the places of a plan; `meets[a][b]` is how often places a and b share a table."""

    def __init__(self, player_at: list[int], groups: Groups, constraints: Constraints) -> None:
        self.player_at = list(player_at)
        self.place = {player: place for place, player in enumerate(player_at)}
        self.meets = [[0] * len(player_at) for _ in player_at]
        for first, second in _meetings(groups):
            self.meets[first][second] += 1
            self.meets[second][first] += 1
        self.wants: dict[int, list[tuple[int, int]]] = {}
        for (first, second), kind in constraints.pairs(len(player_at)).items():
            self.wants.setdefault(first, []).append((second, kind))
            self.wants.setdefault(second, []).append((first, kind))

    def violation_count(self, player: int) -> int:
        """Return the number of broken constraints of the player; each meeting with one to keep apart counts."""
        meets = self.meets[self.place[player]]
        return sum(
            not meets[self.place[other]] if kind == TOGETHER else meets[self.place[other]]
            for other, kind in self.wants.get(player, ())
        )

    def price(self) -> int:
        return sum(map(self.violation_count, self.wants))

    def conflicts(self) -> list[int]:
        return [player for player in self.wants if self.violation_count(player)]

    def move(self, player: int, rng: Rng) -> None:
        """Move the player to the best of some other places, even at a loss, to escape from local minima."""
        origin, options = self.place[player], []
        for _try in range(CANDIDATES):
            target = int(rng() * len(self.player_at))
            if target != origin:
                before = self.violation_count(player) + self.violation_count(self.player_at[target])
                self.swap(origin, target)
                options.append(
                    (
                        self.violation_count(player) + self.violation_count(self.player_at[origin]) - before,
                        rng(),
                        target,
                    )
                )
                self.swap(origin, target)
        if options:
            self.swap(origin, min(options)[2])

    def swap(self, first: int, second: int) -> None:
        player, other = self.player_at[first], self.player_at[second]
        self.player_at[first], self.player_at[second] = other, player
        self.place[player], self.place[other] = second, first
