"""A player's statistics from score sheets: points by contract; places, hands closed and known claims by seat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from tourney import storage
from tourney.domain.player_history import ContractStatistics, SeatStatistics
from tourney.domain.results import HandScore, Result
from tourney.rulebook.records import claims

TableId = tuple[int, int, int]
"""Event, round and table."""


def sheet_statistics(
    reader: storage.Reader, player: int, tables: Collection[TableId]
) -> tuple[tuple[ContractStatistics, ...], tuple[SeatStatistics, ...]]:
    """Return a player's statistics over the results of these tables; contracts in the order in which they came.

    Raises TourneyError STORAGE for damaged results and records.
    """
    hands: dict[str, list[tuple[int, HandScore]]] = defaultdict(list)
    games: dict[int, list[Result]] = defaultdict(list)
    for seat, result in _results(reader, player, tables):
        games[seat].append(result)
        for hand in result.outcome.hands:
            hands[hand.contract].append((seat, hand))
    contracts = tuple(_contract(name, played) for name, played in hands.items())
    return contracts, tuple(_seat(reader, seat, games[seat]) for seat in sorted(games))


def _results(reader: storage.Reader, player: int, tables: Collection[TableId]) -> Iterator[tuple[int, Result]]:
    """Yield the player's seat, from 0, and the result, table by table."""
    for event in dict.fromkeys(event for event, _round, _table in sorted(tables)):
        for result in reader.results_of(reader.event(event), player):
            if (event, result.table.round, result.table.number) in tables:
                yield [seated.id for seated in result.table.players].index(player), result


def _contract(name: str, hands: list[tuple[int, HandScore]]) -> ContractStatistics:
    closed = [hand for seat, hand in hands if hand.closer == seat]
    points = sum(hand.points[seat] for seat, hand in hands)
    return ContractStatistics(name, len(hands), points / len(hands), len(closed), sum(hand.at_once for hand in closed))


def _seat(reader: storage.Reader, seat: int, results: list[Result]) -> SeatStatistics:
    outcomes = [result.outcome for result in results]
    recorded = [result.record_digest for result in results if result.record_digest]
    return SeatStatistics(
        seat + 1,
        len(results),
        sum(outcome.places[seat] for outcome in outcomes) / len(results),
        sum(outcome.points[seat] for outcome in outcomes) / len(results),
        sum(hand.closer == seat for outcome in outcomes for hand in outcome.hands),
        len(recorded),
        sum(claims(reader.record(digest))[seat] for digest in recorded),
    )
