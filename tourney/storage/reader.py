"""What the database says, as domain values. Reads only; nothing of SQL leaves it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from tourney.domain import (
    Event,
    EventSettings,
    ExitCode,
    HandScore,
    Outcome,
    Player,
    Pool,
    Result,
    Round,
    Table,
    TourneyError,
)
from tourney.storage import journal
from tourney.storage.schema import table
from tourney.text import _

Where = tuple[ColumnElement[bool], ...]
Spot = tuple[int, int]
Key = TypeVar("Key")
Value = TypeVar("Value")
NOTHING = Outcome((), (), (), ())
"""The outcome of a void result."""


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table that counts, as ratings need it: when and where, and who ended on which place, in seat order."""

    date: str
    event: str
    round: int
    number: int
    players: tuple[Player, ...]
    places: tuple[int, ...]


class _Known(dict[Key, Value]):
    """What rows refer to; a row that refers to nothing can only come from a damaged file."""

    def __missing__(self, key: Key) -> Value:
        raise damaged(_("a row refers to {key}, which is not there").format(key=key))


def damaged(what: str) -> TourneyError:
    """The error for a file that no act of ours can have left like this."""
    message = _("the database is damaged: {what}").format(what=what)
    return TourneyError(ExitCode.STORAGE, message, _("run `tourney db check`, and go back to a copy that is whole"))


class Reader:
    """Questions to one open transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def head(self) -> tuple[int, str]:
        """How many acts the journal has, and the hash of the last one (`""` before the first)."""
        row = self._first(select(*table("head").c["acts", "hash"]))
        return (0, journal.FIRST) if row is None else (row.acts, row.hash)

    def act(self, act_id: str) -> journal.Act | None:
        """The act of that id, if it is in the journal."""
        acts = table("act")
        row = self._first(select(acts.c.text).where(acts.c.id == act_id))
        try:
            return None if row is None else journal.read(row.text)
        except ValueError as error:
            raise damaged(_("the act {act_id} cannot be read: {error}").format(act_id=act_id, error=error)) from error

    def players(self) -> tuple[Player, ...]:
        """Everybody registered, bots' seats too, in the order of registration."""
        return tuple(self._players(()).values())

    def current_event(self) -> int | None:
        """The number of the event set by `event use`."""
        row = self._first(select(table("current_event").c.event))
        return None if row is None else int(row.event)

    def event_names(self) -> dict[int, str]:
        """Events by their number, in the order they were made."""
        events = table("event")
        rows = self._connection.execute(select(events.c.id, events.c.name).order_by(events.c.id))
        return {row.id: row.name for row in rows}

    def event(self, number: int) -> Event:
        """The event of that number with its entrants."""
        events = table("event")
        row = self._connection.execute(select(events).where(events.c.id == number)).one()
        return Event(row.id, _settings(row), row.rules_digest, tuple(self._entrants(number)))

    def events_of(self, player: int) -> tuple[str, ...]:
        """Names of the events that the player has entered, in the order they were made."""
        events, entrants = table("event"), table("entrant")
        joined = events.join(entrants, entrants.c.event == events.c.id)
        query = select(events.c.name).select_from(joined).where(entrants.c.player == player).order_by(events.c.id)
        return tuple(row.name for row in self._connection.execute(query))

    def rounds(self, event: Event) -> tuple[Round, ...]:
        """The drawn rounds of the event in order, everybody in seat order."""
        players = _Known({player.id: player for player in event.entrants})
        seats, out = self._seats(event.id), self._sitting_out(event.id)
        rounds = table("round")
        query = select(rounds.c.number).where(rounds.c.event == event.id).order_by(rounds.c.number)
        return tuple(
            Round(
                row.number,
                tuple(
                    Table(row.number, number, tuple(players[seat] for seat in there))
                    for (drawn, number), there in seats.items()
                    if drawn == row.number
                ),
                tuple(players[player] for player in out[row.number]),
            )
            for row in self._connection.execute(query)
        )

    def results(self, event: Event, *, last: int | None = None, spot: Spot | None = None) -> tuple[Result, ...]:
        """Results of the event, void ones too, by round and table: all, up to round `last`, or at one `spot`."""
        tables = _Known({(one.round, one.number): one for each in self.rounds(event) for one in each.tables})
        outcomes = self._outcomes(event.id, last, spot)
        rows = self._connection.execute(self._of("result", event.id, last, spot))
        return tuple(
            Result(
                event.settings.name,
                tables[row.round, row.table_number],
                outcomes.get((row.round, row.table_number), NOTHING),
                "" if row.record is None else row.record,
                row.state,
                row.reason,
            )
            for row in rows
        )

    def finished(self, event: int) -> frozenset[Spot]:
        """(round, table) of the tables that have a result, void ones too."""
        rows = self._connection.execute(self._of("result", event))
        return frozenset((row.round, row.table_number) for row in rows)

    def void(self, event: int) -> frozenset[Spot]:
        """(round, table) of the tables whose result was made void."""
        rows = self._connection.execute(self._of("result", event))
        return frozenset((row.round, row.table_number) for row in rows if row.state == "void")

    def played(self) -> Iterator[PlayedTable]:
        """All tables that count, of all events, in the order of rating: event date, event, round, table.

        An event without a date stands on the day (UTC) on which it was made.
        """
        players = self._players(())
        for (date, _id, event, number, at), group in groupby(self._connection.execute(_PLAYED), _played_key):
            rows = list(group)
            who = tuple(players[row.player] for row in rows)
            yield PlayedTable(date, event, number, at, who, tuple(row.place for row in rows))

    def pools(self) -> dict[int, Pool]:
        """Pools that were opened or imported, by number."""
        pools = table("pool")
        rows = self._connection.execute(select(pools).order_by(pools.c.id))
        return {row.id: Pool(row.name, row.kind, row.mu, row.sigma, row.beta, row.tau, row.draw) for row in rows}

    def imports(self, pool: int) -> tuple[str, ...]:
        """Digests of the rows of each file brought into the pool, in order."""
        imports = table("pool_import")
        query = select(imports.c.digest).where(imports.c.pool == pool).order_by(imports.c.id)
        return tuple(row.digest for row in self._connection.execute(query))

    def imported_games(self, pool: int) -> Iterator[tuple[int, tuple[str, ...], tuple[int, ...]]]:
        """Number (from 1, over all files), names and places of each imported game, in source order."""
        imports, rows = table("pool_import"), table("pool_result")
        joined = rows.join(imports, imports.c.id == rows.c.pool_import)
        query = select(rows.c.pool_import, rows.c.game, rows.c.name, rows.c.place).select_from(joined)
        query = query.where(imports.c.pool == pool).order_by(rows.c.pool_import, rows.c.row)
        games = groupby(self._connection.execute(query), lambda row: (row.pool_import, row.game))
        for number, (_game, group) in enumerate(games, 1):
            names, places = zip(*((row.name, row.place) for row in group), strict=True)
            yield number, names, places

    def record(self, digest: str) -> str | None:
        """The text of a game's record."""
        records = table("record")
        row = self._first(select(records.c.text).where(records.c.digest == digest))
        return None if row is None else str(row.text)

    def cached_ratings(self, pool: str, inputs: str) -> str | None:
        """What was worked out before from the same inputs; None if it was not, or the row is damaged."""
        cache = table("rating_cache")
        row = self._first(select(cache).where(cache.c.pool == pool, cache.c.inputs == inputs))
        if row is None or row.checksum != journal.cache_checksum(pool, inputs, row.text):
            return None
        return str(row.text)

    def _first(self, query: Select[Any]) -> Row[Any] | None:
        return self._connection.execute(query).first()

    def _players(self, where: Where) -> dict[int, Player]:
        players, persons = table("player"), table("person")
        joined = players.outerjoin(persons, persons.c.player == players.c.id)
        columns = (players.c.id, players.c.kind, players.c.bot, *persons.c["name", "label", "club", "checksum"])
        query = select(*columns).select_from(joined).where(*where).order_by(players.c.id)
        return _Known({row.id: _player(row) for row in self._connection.execute(query)})

    def _entrants(self, event: int) -> list[Player]:
        entrants = table("entrant")
        chosen = select(entrants.c.player).where(entrants.c.event == event)
        players = self._players((table("player").c.id.in_(chosen),))
        return [players[row.player] for row in self._connection.execute(chosen.order_by(entrants.c.number))]

    def _seats(self, event: int) -> dict[Spot, list[int]]:
        seats = table("seat")
        order = (seats.c.round, seats.c.table_number, seats.c.seat)
        found: dict[Spot, list[int]] = defaultdict(list)
        query = select(*order, seats.c.player).where(seats.c.event == event).order_by(*order)
        for row in self._connection.execute(query):
            found[row.round, row.table_number].append(row.player)
        return found

    def _sitting_out(self, event: int) -> dict[int, list[int]]:
        # In the order of entry, as they were drawn; the table itself is a set.
        out, entrants = table("sitting_out"), table("entrant")
        same = (entrants.c.event == out.c.event) & (entrants.c.player == out.c.player)
        query = select(out.c.round, out.c.player).select_from(out.join(entrants, same))
        found: dict[int, list[int]] = defaultdict(list)
        for row in self._connection.execute(query.where(out.c.event == event).order_by(entrants.c.number)):
            found[row.round].append(row.player)
        return found

    def _of(self, name: str, event: int, last: int | None = None, spot: Spot | None = None) -> Select[Any]:
        """Rows of a table about an event, in the order of its key."""
        rows = table(name)
        query = select(rows).where(rows.c.event == event).order_by(*rows.primary_key.columns)
        if last is not None:
            query = query.where(rows.c.round <= last)
        if spot is not None:
            query = query.where(rows.c.round == spot[0], rows.c.table_number == spot[1])
        return query

    def _outcomes(self, event: int, last: int | None, spot: Spot | None) -> Mapping[Spot, Outcome]:
        def rows(name: str) -> Iterator[Row[Any]]:
            yield from self._connection.execute(self._of(name, event, last, spot))

        points: dict[tuple[int, int, int], list[int]] = defaultdict(list)
        for row in rows("hand_score"):
            points[row.round, row.table_number, row.hand].append(row.points)
        hands: dict[Spot, list[HandScore]] = defaultdict(list)
        for row in rows("hand"):
            there = tuple(points[row.round, row.table_number, row.hand])
            score = HandScore(row.contract, there, row.closer, bool(row.at_once))
            hands[row.round, row.table_number].append(score)
        scores: dict[Spot, list[tuple[int, int, int]]] = defaultdict(list)
        for row in rows("score"):
            scores[row.round, row.table_number].append((row.points, row.hands_won, row.place))
        return {at: _outcome(hands[at], each) for at, each in scores.items()}


def _outcome(hands: list[HandScore], scores: list[tuple[int, int, int]]) -> Outcome:
    points, hands_won, places = zip(*scores, strict=True)
    return Outcome(tuple(hands), points, hands_won, places)


def _player(row: Row[Any]) -> Player:
    if row.kind == "bot":
        return Player(row.id, row.bot, "bot")
    sound = row.name is not None and row.checksum == journal.person_checksum(row.id, row.name, row.label, row.club)
    if not sound:
        raise damaged(_("the name of player {number} is not as it was written").format(number=row.id))
    return Player(row.id, row.name, "person", row.label, row.club)


def _settings(row: Row[Any]) -> EventSettings:
    return EventSettings(
        name=row.name,
        rules=row.rules,
        format=row.format,
        rounds=row.rounds,
        size=row.size,
        seed=row.seed,
        short=row.short,
        minimum=row.minimum,
        date=row.date,
    )


def _played_key(row: Row[Any]) -> tuple[str, int, str, int, int]:
    return row.day, row.event, row.name, row.round, row.table_number


def _played_query() -> Select[Any]:
    scores, seats, events, acts = table("score"), table("seat"), table("event"), table("act")
    key = ("event", "round", "table_number", "seat")
    joined = (
        scores.join(seats, *(_same(scores, seats, key)))
        .join(events, events.c.id == scores.c.event)
        .join(acts, acts.c.number == events.c.act)
    )
    day = func.coalesce(func.nullif(events.c.date, ""), func.substr(acts.c.time, 1, 10)).label("day")
    columns = (*scores.c["event", "round", "table_number", "seat", "place"], seats.c.player, events.c.name, day)
    order = (day, *scores.c["event", "round", "table_number", "seat"])
    return select(*columns).select_from(joined).order_by(*order)


def _same(one: Any, other: Any, columns: tuple[str, ...]) -> tuple[ColumnElement[bool]]:
    first, *rest = (one.c[column] == other.c[column] for column in columns)
    both = first
    for equal in rest:
        both = both & equal
    return (both,)


_PLAYED = _played_query()
