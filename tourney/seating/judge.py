"""How good a seating is, whoever made it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from tourney.seating.values import absent

Rounds = Sequence[Sequence[Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a seating asks of its players; every number is a count of rounds or meetings, 0 at best.

    `repeats` is the sum over pairs of (meetings - 1); `most_meetings` the meetings of `worst_pair`, the
    first of those who meet most often (None if nobody meets). Spreads are most minus least:
    `seat_spread` within one player, over the seats of the largest table, at its worst;
    `dealer_spread` (first seats), `short_spread` (tables smaller than the largest of their round) and
    `outs_spread` (rounds without a table) between players. `seat_most` is how often the same player
    has the same seat, at most.
    """

    repeats: int
    most_meetings: int
    worst_pair: tuple[int, int] | None
    seat_spread: int
    seat_most: int
    dealer_spread: int
    short_spread: int
    outs_spread: int


def judge(rounds: Rounds, players: int) -> Judgement:
    """Judges the rounds as seated: rounds of tables of player numbers, the first dealer first.

    Numbers from `players` on are people who have left: their meetings count, their turns do not.
    Raises ValueError if a round seats somebody twice.
    """
    check_rounds(rounds)
    met = meetings(rounds)
    worst = min(met, key=lambda pair: (-met[pair], pair), default=None)
    seats = seat_counts(rounds, players)
    return Judgement(
        repeats=sum(count - 1 for count in met.values()),
        most_meetings=0 if worst is None else met[worst],
        worst_pair=worst,
        seat_spread=max((spread(counts) for counts in seats), default=0),
        seat_most=max((max(counts) for counts in seats), default=0),
        dealer_spread=spread([counts[0] for counts in seats]),
        short_spread=spread(short_turns(rounds, players)),
        outs_spread=spread(outs(rounds, players)),
    )


def check_rounds(rounds: Rounds) -> None:
    """Raises ValueError if a round seats somebody twice, or a number is negative."""
    for number, tables in enumerate(rounds, start=1):
        seen: set[int] = set()
        for player in (player for table in tables for player in table):
            if player < 0:
                raise ValueError(f"round {number} seats a player {player}; numbers count from 0")
            if player in seen:
                raise ValueError(f"round {number} seats player {player} twice; seat each player once")
            seen.add(player)


def meetings(rounds: Rounds) -> dict[tuple[int, int], int]:
    """How often each pair (lower number first) that meets at all shares a table."""
    met: dict[tuple[int, int], int] = {}
    for table in (table for tables in rounds for table in tables):
        for pair in combinations(sorted(table), 2):
            met[pair] = met.get(pair, 0) + 1
    return met


def seat_counts(rounds: Rounds, players: int) -> list[list[int]]:
    """For each player, how often in each seat of the largest table (at least one seat is listed)."""
    widest = max((len(table) for tables in rounds for table in tables), default=1)
    counts = [[0] * widest for _ in range(players)]
    for table in (table for tables in rounds for table in tables):
        for seat, player in enumerate(table):
            if player < players:
                counts[player][seat] += 1
    return counts


def short_turns(rounds: Rounds, players: int) -> list[int]:
    """For each player, the rounds at a table smaller than the largest of that round."""
    turns = [0] * players
    for tables in rounds:
        largest = max((len(table) for table in tables), default=0)
        for player in (player for table in tables if len(table) < largest for player in table):
            if player < players:
                turns[player] += 1
    return turns


def outs(rounds: Rounds, players: int) -> list[int]:
    """For each player, the rounds that seat him nowhere."""
    turns = [0] * players
    for tables in rounds:
        for player in absent(tables, players):
            turns[player] += 1
    return turns


def spread(counts: Sequence[int]) -> int:
    """Most minus least; 0 for nothing."""
    return max(counts) - min(counts) if counts else 0
