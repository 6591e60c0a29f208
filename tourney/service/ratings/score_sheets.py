"""Statistics of players from score sheets, by contract and by seat, kept for each event."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from operator import add
from typing import Final

from tourney import storage
from tourney.domain.player_history import ContractStatistics, SeatStatistics
from tourney.domain.results import Result
from tourney.rulebook.records import claims
from tourney.service.ratings.open_pool import OpenPool, from_pool
from tourney.service.ratings.rated_games import Line, Lines, as_line

VERSION: Final = 1
"""Version of the sums that are kept; those of another version are not used."""

TableId = tuple[int, int, int]
"""Event, round and table."""
SheetStatistics = tuple[tuple[ContractStatistics, ...], tuple[SeatStatistics, ...]]
"""Statistics of a player from score sheets, by contract and by seat."""
Claims = Callable[[str], Sequence[int]]
"""A function that reads the claims by seat from the record with a digest."""


class AllSheets:
    """The statistics of all players of a pool."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._lines = Lines(texts, lambda line: line[:1])

    def of(self, key: str) -> SheetStatistics:
        """Return a player's statistics by key; they are empty without a sheet."""
        return _statistics(self._lines.of(key))


def all_sheet_statistics(db: str | None, pool: str) -> AllSheets:
    """Return the statistics of all players of a pool; none in a pool of files. Only events that changed are read again.

    Raises TourneyError NOT_FOUND for an unknown pool, STORAGE for damaged results and records.
    """
    return from_pool(db, pool, _all_sheets)


def sheet_statistics(reader: storage.Reader, player: int, tables: Collection[TableId]) -> SheetStatistics:
    """Return a player's statistics over the results of these tables; contracts in the order of their first hand.

    Raises TourneyError STORAGE for damaged results and records.
    """
    return _statistics([["", *_sums(_results(reader, player, tables), _claims_in(reader))]])


def _all_sheets(opened: OpenPool) -> AllSheets:
    pool, history, name = opened.pool, opened.history, opened.kept_as("sheets")
    if not isinstance(history, storage.PlayedRounds):
        return AllSheets(())
    inputs = {
        event: hashlib.sha256(repr((VERSION, pool.kind, pool.unit, event, digest)).encode()).hexdigest()
        for event, digest in history.sheets().items()
    }
    batches = defaultdict[int, list[storage.GameBatch]](list)
    for batch in history.batches(pool.kind):
        batches[batch.of].append(batch)
    texts = {row.games: row.text for row in opened.reader.pools.kept(name) if inputs.get(row.games) == row.inputs}
    still, claims_in = {inputs[event] for event in texts}, _claims_in(opened.reader)
    new = {event: _event_text(opened, batches[event], claims_in) for event in batches.keys() - texts.keys()}
    opened.keep(name, [storage.KeptRatings(event, inputs[event], text) for event, text in new.items()], still)
    return AllSheets([text for _event, text in sorted({**texts, **new}.items())])


def _event_text(opened: OpenPool, batches: Sequence[storage.GameBatch], claims_in: Claims) -> str:
    """Return a line for each player with the sums of an event, from the tables of these batches."""
    reader, history, event = opened.reader, opened.history, batches[0].of
    rated = {
        (batch.round, number): frozenset(players)
        for batch in batches
        for number, (players, _places) in history.numbered(batch)
    }
    played = defaultdict[str, list[tuple[int, Result]]](list)
    for result in reader.results.of(reader.events.get(event)):
        keys = rated.get((result.table.round, result.table.number), frozenset())
        for seat, player in enumerate(result.table.players):
            if str(player.id) in keys:
                played[str(player.id)].append((seat, result))
    return "".join(as_line([key, *_sums(each, claims_in)]) for key, each in played.items())


def _results(reader: storage.Reader, player: int, tables: Collection[TableId]) -> Iterator[tuple[int, Result]]:
    """Yield the player's seat, from 0, and the result, table by table."""
    for event in dict.fromkeys(event for event, _round, _table in sorted(tables)):
        for result in reader.results.of_player(reader.events.get(event), player):
            if (event, result.table.round, result.table.number) in tables:
                yield [seated.id for seated in result.table.players].index(player), result


def _claims_in(reader: storage.Reader) -> Claims:
    """Return the function that reads the claims by seat from the record with a digest, each record once."""
    return cache(lambda digest: claims(reader.results.record(digest)))


class _Sums(defaultdict[str, list[int]]):
    """Sums of a few numbers each, by what they are about."""

    def __init__(self, numbers: int) -> None:
        super().__init__(lambda: [0] * numbers)

    def count(self, key: str, *numbers: int) -> None:
        """Add to the sums of a key."""
        self[key] = [*map(add, self[key], numbers)]


def _sums(played: Iterable[tuple[int, Result]], claims_in: Claims) -> Line:
    """Return the sums by contract and by seat, which add up over events."""
    contracts, seats = _Sums(4), _Sums(6)
    for seat, result in played:
        outcome, digest = result.outcome, result.record_digest
        closed = sum(hand.closer == seat for hand in outcome.hands)
        recorded = (1, claims_in(digest)[seat]) if digest else (0, 0)
        seats.count(f"seat {seat}", 1, outcome.places[seat], outcome.points[seat], closed, *recorded)
        for hand in outcome.hands:
            own = hand.closer == seat
            contracts.count(hand.contract, 1, hand.points[seat], int(own), int(own and hand.at_once))
    return [contracts, seats]


def _statistics(lines: Iterable[Line]) -> SheetStatistics:
    contracts, seats = _Sums(4), _Sums(6)
    for _key, by_contract, by_seat in lines:
        for sums, more in ((contracts, by_contract), (seats, by_seat)):
            for key, numbers in more.items():
                sums.count(key, *numbers)
    in_seats = sorted((int(key.removeprefix("seat ")), numbers) for key, numbers in seats.items())
    return (
        tuple(
            ContractStatistics(name, hands, points / hands, *counts)
            for name, (hands, points, *counts) in contracts.items()
        ),
        tuple(
            SeatStatistics(seat + 1, games, places / games, points / games, *counts)
            for seat, (games, places, points, *counts) in in_seats
        ),
    )
