"""The quality of a seating, made by this program or by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from tourney.seating.model import absent

Rounds = Sequence[Sequence[Sequence[int]]]

Criterion = Literal[
    "repeat meetings", "seats", "first deals", "short tables", "sitting out", "tables revisited", "strangers", "wishes"
]
"""A count by which a seating may treat some players worse than others."""


@dataclass(frozen=True, slots=True)
class Worst:
    """The player treated worst by one criterion, with their `count`; `least` is the lowest count of any player.

    `player` is the first of `sharing` players with that count; None if all have equal counts.
    """

    criterion: Criterion
    player: int | None
    count: int
    sharing: int
    least: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """The quality of a seating: every number is a count of rounds, meetings or pairs, 0 at best.

    `repeats` is the sum over pairs of (meetings - 1); `most_meetings` the meetings of `worst_pair`, the first of those
    who meet most often (None if nobody meets). Spreads are most minus least: `seat_spread` within one player, over the
    seats of the largest table, at its worst; `dealer_spread` (first seats), `smaller_table_spread` (tables smaller than
    the largest of their round) and `byes_spread` between players. `seat_most` is how often one player has one seat, at
    most. `revisits` is the sum over players of rounds at a physical table where they have sat before. `unmet` are the
    pairs who never meet, `strangers` those of them without a common opponent. `worst` has an entry for each `Criterion`
    but "wishes", in that order; their counts are repeats, spreads of seats, rounds, and strangers.
    """

    repeats: int
    most_meetings: int
    worst_pair: tuple[int, int] | None
    seat_spread: int
    seat_most: int
    dealer_spread: int
    smaller_table_spread: int
    byes_spread: int
    revisits: int
    unmet: int
    strangers: int
    worst: tuple[Worst, ...]


def judge(rounds: Rounds, players: int, numbers: Sequence[Sequence[int]] | None = None) -> Judgement:
    """Judge the rounds as seated: rounds of tables of player numbers, the first dealer first.

    Numbers from `players` on are people who have left: only their meetings count. `numbers[r][t]` is the number of the
    physical table; None: tables are in the same order in every round. Raises ValueError if a round seats somebody
    twice.
    """
    check_rounds(rounds)
    met = meetings(rounds)
    worst = min(met, key=lambda pair: (-met[pair], pair), default=None)
    seats = seat_counts(rounds, players)
    counts_by_criterion: dict[Criterion, list[int]] = {
        "repeat meetings": repeats_of_each(met, players),
        "seats": [spread(counts) for counts in seats],
        "first deals": [counts[0] for counts in seats],
        "short tables": smaller_table_rounds(rounds, players),
        "sitting out": byes(rounds, players),
        "tables revisited": revisits(rounds, players, numbers),
        "strangers": strangers(rounds, players),
    }
    return Judgement(
        repeats=sum(count - 1 for count in met.values()),
        most_meetings=0 if worst is None else met[worst],
        worst_pair=worst,
        seat_spread=max(counts_by_criterion["seats"], default=0),
        seat_most=max((max(counts) for counts in seats), default=0),
        dealer_spread=spread(counts_by_criterion["first deals"]),
        smaller_table_spread=spread(counts_by_criterion["short tables"]),
        byes_spread=spread(counts_by_criterion["sitting out"]),
        revisits=sum(counts_by_criterion["tables revisited"]),
        unmet=players * (players - 1) // 2 - sum(other < players for _lower, other in met),
        strangers=sum(counts_by_criterion["strangers"]) // 2,
        worst=tuple(worst_of(criterion, counts) for criterion, counts in counts_by_criterion.items()),
    )


def worst_of(criterion: Criterion, counts: Sequence[int]) -> Worst:
    """Return who is treated worst, by the count of each player."""
    most, least = max(counts, default=0), min(counts, default=0)
    return Worst(criterion, counts.index(most) if most > least else None, most, counts.count(most), least)


def check_rounds(rounds: Rounds) -> None:
    """Raise ValueError if a round seats somebody twice, or a number is negative."""
    for number, tables in enumerate(rounds, start=1):
        seen: set[int] = set()
        for player in (player for table in tables for player in table):
            if player < 0:
                raise ValueError(f"round {number} seats a player {player}; numbers count from 0")
            if player in seen:
                raise ValueError(f"round {number} seats player {player} twice; seat each player once")
            seen.add(player)


def meetings(rounds: Rounds) -> dict[tuple[int, int], int]:
    """Return how often each pair (lower number first) that meets at all shares a table."""
    met: dict[tuple[int, int], int] = {}
    for table in (table for tables in rounds for table in tables):
        for pair in combinations(sorted(table), 2):
            met[pair] = met.get(pair, 0) + 1
    return met


def repeats_of_each(met: Mapping[tuple[int, int], int], players: int) -> list[int]:
    """Return for each player the meetings beyond the first with one opponent."""
    repeats = [0] * players
    for pair, count in met.items():
        for player in pair:
            if player < players:
                repeats[player] += count - 1
    return repeats


def seat_counts(rounds: Rounds, players: int) -> list[list[int]]:
    """Return for each player how often they had each seat of the largest table (at least one seat is listed)."""
    widest = max((len(table) for tables in rounds for table in tables), default=1)
    counts = [[0] * widest for _ in range(players)]
    for table in (table for tables in rounds for table in tables):
        for seat, player in enumerate(table):
            if player < players:
                counts[player][seat] += 1
    return counts


def smaller_table_rounds(rounds: Rounds, players: int) -> list[int]:
    """Return for each player the rounds at a table smaller than the largest of that round."""
    counts = [0] * players
    for tables in rounds:
        largest = max((len(table) for table in tables), default=0)
        for player in (player for table in tables if len(table) < largest for player in table):
            if player < players:
                counts[player] += 1
    return counts


def byes(rounds: Rounds, players: int) -> list[int]:
    """Return for each player the rounds that do not seat them."""
    counts = [0] * players
    for tables in rounds:
        for player in absent(tables, players):
            counts[player] += 1
    return counts


def revisits(rounds: Rounds, players: int, numbers: Sequence[Sequence[int]] | None = None) -> list[int]:
    """Return for each player the rounds at a physical table where they have sat before; `numbers` as in `judge`."""
    been: list[set[int]] = [set() for _ in range(players)]
    counts = [0] * players
    for place, tables in enumerate(rounds):
        for number, table in zip(range(len(tables)) if numbers is None else numbers[place], tables, strict=True):
            for player in table:
                if player < players:
                    counts[player] += number in been[player]
                    been[player].add(number)
    return counts


def strangers(rounds: Rounds, players: int) -> list[int]:
    """Count for each player the others whom they neither meet nor share an opponent with.

    Each set of players is the bits of a number, so that a thousand players take a hundredth of a second.
    """
    met: dict[int, int] = {player: 1 << player for player in range(players)}
    for table in (table for tables in rounds for table in tables):
        seated = sum(1 << player for player in table)
        for player in table:
            met[player] = met.get(player, 0) | seated
    near = dict(met)
    for table in (table for tables in rounds for table in tables):
        opponents = 0
        for player in table:
            opponents |= met[player]
        for player in table:
            near[player] |= opponents
    everybody = (1 << players) - 1
    return [(everybody & ~near[player]).bit_count() for player in range(players)]


def spread(counts: Sequence[int]) -> int:
    """Return most minus least; 0 for nothing."""
    return max(counts) - min(counts) if counts else 0
