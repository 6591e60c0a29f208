"""What a player's sheets add up to: points by contract; places, hands closed and known claims by seat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from tourney import storage
from tourney.domain.player_history import ContractTally, SeatTally
from tourney.domain.results import HandScore, Result
from tourney.rulebook.records import claims

Place = tuple[int, int, int]
"""Event, round and table."""


def tallies(
    reader: storage.Reader, player: int, places: Collection[Place]
) -> tuple[tuple[ContractTally, ...], tuple[SeatTally, ...]]:
    """Those of a player, by his number, over the results of these tables; contracts in the order in which they came.

    Raises TourneyError STORAGE for results and records that are not as they were written.
    """
    hands: dict[str, list[tuple[int, HandScore]]] = defaultdict(list)
    games: dict[int, list[Result]] = defaultdict(list)
    for seat, result in _results(reader, player, places):
        games[seat].append(result)
        for hand in result.outcome.hands:
            hands[hand.contract].append((seat, hand))
    contracts = tuple(_contract(name, there) for name, there in hands.items())
    return contracts, tuple(_seat(reader, seat, games[seat]) for seat in sorted(games))


def _results(reader: storage.Reader, player: int, places: Collection[Place]) -> Iterator[tuple[int, Result]]:
    """The player's seat, from 0, and the result, table by table."""
    for event in dict.fromkeys(event for event, _round, _table in sorted(places)):
        for result in reader.results_of(reader.event(event), player):
            if (event, result.table.round, result.table.number) in places:
                yield [one.id for one in result.table.players].index(player), result


def _contract(name: str, hands: list[tuple[int, HandScore]]) -> ContractTally:
    closed = [hand for seat, hand in hands if hand.closer == seat]
    points = sum(hand.points[seat] for seat, hand in hands)
    return ContractTally(name, len(hands), points / len(hands), len(closed), sum(hand.at_once for hand in closed))


def _seat(reader: storage.Reader, seat: int, results: list[Result]) -> SeatTally:
    outcomes = [result.outcome for result in results]
    recorded = [result.record_digest for result in results if result.record_digest]
    return SeatTally(
        seat + 1,
        len(results),
        sum(outcome.places[seat] for outcome in outcomes) / len(results),
        sum(outcome.points[seat] for outcome in outcomes) / len(results),
        sum(hand.closer == seat for outcome in outcomes for hand in outcome.hands),
        len(recorded),
        sum(claims(reader.record(digest))[seat] for digest in recorded),
    )
