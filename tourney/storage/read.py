"""What the database says, as domain values. Reads only; nothing of SQL leaves it, and nothing that is not sealed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from tourney.domain.events import Event
from tourney.domain.leagues import League
from tourney.domain.people import Player
from tourney.domain.rankings import Pool
from tourney.domain.results import Outcome, PartialSheet, Result
from tourney.domain.rounds import Clock, Drawing, Round, Table
from tourney.domain.rulings import Ruling
from tourney.storage import rows as values
from tourney.storage.journal import entries, payloads, replay
from tourney.storage.journal.checksums import Rows, damaged, sealed
from tourney.storage.journal.entries import LoggedAct
from tourney.storage.journal.fold import Turn, next_redo, next_undo, writers
from tourney.storage.journal.partitions import Part
from tourney.storage.journal.undo import states
from tourney.storage.league_blocks import Blocks
from tourney.storage.rating_inputs import ImportedFiles, PlayedRounds
from tourney.storage.schema import table
from tourney.text.i18n import _

Spot = tuple[int, int]

Named = tuple[tuple[int, ...], ...]
"""Players, by their ids, whom acts named, one after the other."""

AsDrawn = tuple[Round, Event, Drawing | None, Named]

PRESENCE = ("event.enter", "event.checkin", "event.withdraw", "event.return")
"""Acts that say who is there."""


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table that counts: in which event, and who ended on which place, in seat order."""

    event: str
    players: tuple[Player, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """An event as ratings see it: by which rules it was played, and on which day (ISO)."""

    number: int
    name: str
    rules: str
    day: str


def _act(text: str, number: int) -> entries.Act:
    try:
        return entries.read(text)
    except ValueError as error:
        raise damaged(_("act {number} cannot be read: {error}").format(number=number, error=error)) from error


class Reader:
    """Questions to one open transaction.

    Every one raises TourneyError STORAGE where the rows that answer it are not as they were written.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._seen: dict[Part, Mapping[str, Rows]] = {}
        self._living: tuple[Rows, dict[int, Player]] = ([], {})

    def head(self) -> tuple[int, str]:
        """How many acts the journal has, and the hash of the last one (`""` before the first)."""
        row = self._first(select(*table("head").c["acts", "hash"]))
        if row is None:
            return 0, entries.FIRST
        if self._chained(row.acts)[1] != row.hash:
            raise damaged(_("the journal's last act is not the one that was noted"))
        return row.acts, row.hash

    def act(self, act_id: str) -> entries.Act | None:
        """The act of that id, if it is in the journal."""
        acts = table("act")
        row = self._first(select(acts.c.number).where(acts.c.id == act_id))
        return None if row is None else _act(self._chained(row.number)[0], row.number)

    def acts(self) -> Iterator[LoggedAct]:
        """The journal from its first act on, each with what became of it; the chain of hashes is followed."""
        acts, before = [], entries.FIRST
        columns = table("act").c["number", "text", "hash"]
        for wanted, row in enumerate(self._connection.execute(select(*columns).order_by(columns[0])), 1):
            before = entries.chain(before, row.text)
            if (row.number, row.hash) != (wanted, before):
                raise damaged(_("act {number} is not as it was written").format(number=wanted))
            acts.append(_act(row.text, wanted))
        if self.head() != (len(acts), before):
            raise damaged(_("the journal's last act is not the one that was noted"))
        for number, (act, state) in enumerate(zip(acts, states(acts), strict=True), 1):
            yield LoggedAct(number, act.time, act.kind, act.payload, act.batch, state)

    def next_undo(self) -> Turn:
        """What undo would take back now."""
        return next_undo(self._connection)

    def next_redo(self) -> Turn:
        """What redo would put back now."""
        return next_redo(self._connection)

    def players(self) -> tuple[Player, ...]:
        """Everybody registered, bots' seats too, in the order of registration; not who has gone into another."""
        return tuple(self._players().values())

    def gone(self) -> tuple[Player, ...]:
        """Who has gone into another, each as he was called last."""
        return tuple(self._called([row for row in self._rows("players")["player"] if row.merged is not None]))

    def current_event(self) -> int | None:
        """The number of the event set by `event use`."""
        rows = self._rows("current")["current_event"]
        return rows[0].event if rows else None

    def event_names(self) -> dict[int, str]:
        """Events by their number, in the order they were made."""
        return {row.id: row.name for row in self._rows("settings")["event"]}

    def event(self, number: int) -> Event:
        """The event of that number with its entrants."""
        rows = self._rows("settings", number)["event"]
        if not rows:
            raise damaged(_("event {number} is not there").format(number=number))
        players = self._players()
        entrants = self._rows("entrants", number)["entrant"]
        there = tuple(players[row.player] for row in entrants)
        constraints = payloads.read_constraints(rows[0].wishes, players, self._merged())
        return values.event(rows[0], there, tuple(row.state for row in entrants), constraints)

    def events_of(self, player: int) -> tuple[str, ...]:
        """Names of the events that the player has entered, in the order they were made."""
        entered = {row.event for row in self._rows("entrants")["entrant"] if row.player == player}
        return tuple(name for number, name in self.event_names().items() if number in entered)

    def held(self) -> tuple[Held, ...]:
        """All events in the order of rating: by day; one without a date stands on the day (UTC) it was made."""
        rows = self._rows("settings")["event"]
        held = [Held(row.id, row.name, row.rules, row.date or self._day(row.act)) for row in rows]
        return tuple(sorted(held, key=lambda one: (one.day, one.number)))

    def rounds(self, event: Event) -> tuple[Round, ...]:
        """The drawn rounds of the event in order, everybody in seat order, who sits out in the order of entry."""
        rows = self._rows("rounds", event.id)
        tables = values.tables(rows["seat"], values.Known({player.id: player for player in event.entrants}))
        out: dict[int, set[int]] = defaultdict(set)
        for row in rows["sitting_out"]:
            out[row.round].add(row.player)
        return tuple(
            Round(
                row.number,
                tuple(there for (drawn, _at), there in tables.items() if drawn == row.number),
                tuple(player for player in event.entrants if player.id in out[row.number]),
                None if row.started is None else Clock(row.started, row.minutes),
            )
            for row in rows["round"]
        )

    def as_drawn(self, event: Event) -> tuple[AsDrawn, ...]:
        """Each drawn round, in order, before anybody was moved in it, the event with the settings and wishes that it
        had then, how the round was drawn, and whom each act named, until the next draw, that said who is there."""
        parts = ("settings", "entrants", "rounds")
        found = {row.act for name in parts for row in writers(self._connection, Part(name, event.id))}
        players, merged = self._players(), self._merged()
        now, then, named = (
            replace(event, constraints=()),
            dict[int, tuple[Round, Event, Drawing | None]](),
            list[Named]([()]),
        )
        everybody = values.Known(players | {gone: players[payloads.living(gone, merged)] for gone in merged})
        for number in sorted(found):
            act = _act(self._chained(number)[0], number)
            if act.kind in ("event.new", "event.set"):
                now = replace(now, settings=payloads.settings(now.settings, act.payload))
            elif act.kind == "event.wish":
                constraints = payloads.read_constraints(entries.canonical(act.payload["wishes"]), players, merged)
                now = replace(now, constraints=constraints)
            elif act.kind in PRESENCE:
                named[-1] += (tuple(payloads.living(player, merged) for player in act.payload["players"]),)
            elif act.kind == "round.draw":
                drawn = payloads.drawn(act.payload, everybody)
                then[drawn.number] = drawn, now, payloads.drawn_by(act.payload, everybody)
                named.append(())
            elif act.kind == "round.cancel":
                del then[act.payload["round"]]
                named[-2:] = [named[-2] + named[-1]]
        return tuple((*then[number], after) for number, after in zip(sorted(then), named[1:], strict=True))

    def draws(self, event: Event) -> Iterator[tuple[Round, Drawing | None, Reader]]:
        """Each drawing of a round of the event that stands, in order: the round as it was drawn, how, and the database
        before it, which is good until the next is asked for."""

        def wanted(act: LoggedAct) -> bool:
            return act.kind == "round.draw" and act.payload["event"] == event.id

        for act, past in replay.before(self._connection, list(self.acts()), wanted):
            then = Reader(past)
            players = {player.id: player for player in then.players()}
            yield payloads.drawn(act.payload, players), payloads.drawn_by(act.payload, players), then

    def results_of(self, event: Event, player: int) -> tuple[Result, ...]:
        """Results that count of the tables at which a player, by his number, sat, by round and table."""
        seats = self._rows("rounds", event.id)["seat"]
        sat = {(row.round, row.table_number) for row in seats if row.player == player}
        parts = (self._sealed(Part(name, event.id), sat) for name in ("results", "hands"))
        found = {name: rows for part in parts for name, rows in part.items()}
        around = [row for row in seats if (row.round, row.table_number) in sat]
        tables = values.tables(around, values.Known({one.id: one for one in event.entrants}))
        outcomes = values.outcomes(found)
        return tuple(
            values.result(event, row, tables[row.round, row.table_number], outcomes, {})
            for row in found["result"]
            if row.state == "counts"
        )

    def results(self, event: Event, *, last: int | None = None, spot: Spot | None = None) -> tuple[Result, ...]:
        """Results of the event, void ones too, by round and table: all, up to round `last`, or at one `spot`."""
        in_round = 0 if spot is None else spot[0]
        found = {**self._rows("results", event.id, in_round), **self._rows("hands", event.id, in_round)}
        tables = self._tables(event)
        outcomes = values.outcomes(found)
        uncounted = self._uncounted(event, {row.round for row in found["result"] if row.state == "void"})
        return tuple(
            values.result(event, row, tables[row.round, row.table_number], outcomes, uncounted)
            for row in found["result"]
            if (last is None or row.round <= last) and spot in (None, (row.round, row.table_number))
        )

    def finished(self, event: int) -> frozenset[Spot]:
        """(round, table) of the tables that have a result, void ones too."""
        return frozenset((row.round, row.table_number) for row in self._rows("results", event)["result"])

    def entered_at(self, event: Event, in_round: int) -> dict[int, str]:
        """When the sheet of each table of a round was entered first, in UTC; as far as that act stands."""
        times: dict[int, str] = {}
        for row in writers(self._connection, Part("results", event.id, in_round)):
            act = _act(row.text, row.act)
            if act.kind == "result.enter":
                times.setdefault(act.payload["table"], act.time)
        return times

    def void(self, event: int) -> frozenset[Spot]:
        """(round, table) of the tables whose result was made void."""
        rows = self._rows("results", event)["result"]
        return frozenset((row.round, row.table_number) for row in rows if row.state == "void")

    def rulings(self, event: Event) -> tuple[Ruling, ...]:
        """The arbiter's decisions, cancelled ones too, by their number."""
        rows = self._rows("rulings", event.id)["ruling"]
        players = self._players() if rows else values.Known({})
        return tuple(values.ruling(event, row, players) for row in rows)

    def partial_sheets(self, event: Event) -> tuple[PartialSheet, ...]:
        """Sheets half entered, by round and table: those typed for the people who sit there now, over what was last
        done with the table's sheet. What was set aside since is not among them."""
        tables = self._tables(event) if self._rows("drafts", event.id)["draft"] else {}
        found = (self._draft(event, row, tables) for row in self._rows("drafts", event.id)["draft"])
        return tuple(draft for draft in found if draft is not None)

    def played(self) -> Iterator[PlayedTable]:
        """All tables that count, of all events, in the order of rating: event date, event, round, table."""
        players = self._players()
        names = self.event_names()
        seats = self._everywhere("rounds", "seat")
        scores = self._everywhere("results", "score")
        for number in filter(scores.__contains__, (one.number for one in self.held())):
            tables = values.tables(seats[number], players)
            for at, group in groupby(scores[number], lambda row: (row.round, row.table_number)):
                yield PlayedTable(names[number], tables[at].players, tuple(row.place for row in group))

    def played_rounds(self) -> PlayedRounds:
        """The same for ratings: round by round, as this transaction sees them until its next act."""
        # Whatever acts have written is sealed before the first part is read.
        days = {one.number: one.day for one in self.held()}
        return PlayedRounds(self._connection, self._sealed, days)

    def pools(self) -> dict[int, Pool]:
        """Pools that were opened or imported, or whose parameters were set, by number."""
        return {
            row.id: Pool(row.name, row.kind, row.mu, row.sigma, row.beta, row.tau, row.draw, row.absence)
            for row in self._rows("pools")["pool"]
        }

    def imported_files(self, pool: int) -> ImportedFiles:
        """The files brought into the pool, for ratings."""
        files = [row for row in self._rows("pools")["pool_import"] if row.pool == pool]
        return ImportedFiles(self._connection, files, lambda act: _act(self._chained(act)[0], act).payload)

    def leagues(self) -> dict[int, League]:
        """Leagues by number, in the order they were begun."""
        return {row.id: values.league(row) for row in self._rows("leagues")["league"]}

    def league_program(self, number: int) -> str:
        """The version of this program that began the league."""
        return str(next(row.program for row in self._rows("leagues")["league"] if row.id == number))

    def blocks(self, number: int) -> Blocks:
        """What the blocks of a league have given, with the bots that it has now."""
        return Blocks(self._connection, number, len(self.leagues()[number].bots))

    def record(self, digest: str) -> str:
        """The text of the record that a result names."""
        records = table("record")
        row = self._first(select(records.c.text).where(records.c.digest == digest))
        if row is None or entries.digest(str(row.text)) != digest:
            raise damaged(_("a game's record is not as it was written"))
        return str(row.text)

    def checkpoints(self, pool: str) -> frozenset[str]:
        """Of which inputs the ratings of a pool are kept."""
        kept = table("rating_checkpoint").c
        return frozenset(self._connection.execute(select(kept.inputs).where(kept.pool == pool)).scalars())

    def checkpoint(self, pool: str, inputs: str) -> str | None:
        """The ratings worked out before from these inputs; None if the row is gone, or damaged."""
        kept = table("rating_checkpoint")
        row = self._first(select(kept).where(kept.c.pool == pool, kept.c.inputs == inputs))
        return str(row.text) if row is not None and entries.checksum(row[:-1]) == row.checksum else None

    def _first(self, query: Select[Any]) -> Row[Any] | None:
        return self._connection.execute(query).first()

    def _rows(self, part: str, event: int = 0, in_round: int = 0) -> Mapping[str, Rows]:
        which = Part(part, event, in_round)
        if which not in self._seen:
            self._seen[which] = self._sealed(which)
        return self._seen[which]

    def _sealed(self, which: Part, spots: Collection[Spot] | None = None) -> Mapping[str, Rows]:
        """The same without remembering them; or only the rows of some tables of the event."""
        return sealed(self._connection, which, spots)

    def _everywhere(self, part: str, name: str) -> Mapping[int, Rows]:
        """Rows of all events, by event."""
        return {event: list(rows) for event, rows in groupby(self._rows(part)[name], lambda row: row.event)}

    def _tables(self, event: Event) -> Mapping[Spot, Table]:
        return values.Known({(one.round, one.number): one for each in self.rounds(event) for one in each.tables})

    def _draft(self, event: Event, row: Row[Any], tables: Mapping[Spot, Table]) -> PartialSheet | None:
        """Half a sheet, if it is of its table as it is now."""
        spot = (row.round, row.table_number)
        if spot not in tables:
            return None
        hands = payloads.sheet_hands(row.text, tables[spot].players, self._sheet_act(event, spot), self._merged())
        return None if hands is None else PartialSheet(*spot, hands)

    def _uncounted(self, event: Event, rounds: Iterable[int]) -> dict[Spot, Outcome]:
        """What the sheets of these rounds say, as they were entered or corrected last, whatever counts of them."""
        sheets: dict[Spot, int] = {}
        for number in rounds:
            for row in writers(self._connection, Part("results", event.id, number)):
                act = _act(row.text, row.act)
                if act.kind in ("result.enter", "result.correct"):
                    sheets[number, act.payload["table"]] = row.act
        texts = {spot: self._chained(number)[0] for spot, number in sheets.items()}
        return {spot: payloads.outcome(_act(text, sheets[spot]).payload) for spot, text in texts.items()}

    def _sheet_act(self, event: Event, spot: Spot) -> int:
        """The act that was last done with the table's sheet, of those that stand: its result, or half of it set
        aside, or its round cancelled. 0 if there is none."""
        acts = reversed(writers(self._connection, Part("results", event.id, spot[0])))
        concerned = (row.act for row in acts if _act(row.text, row.act).payload.get("table") in (None, spot[1]))
        return next(concerned, 0)

    def _merged(self) -> dict[int, int]:
        """Who has gone into whom, by their numbers."""
        return {each.id: each.merged for each in self._rows("players")["player"] if each.merged is not None}

    def _players(self) -> dict[int, Player]:
        """Who has not gone into another, with names; remembered as long as the rows are."""
        rows = self._rows("players")["player"]
        if rows is not self._living[0]:
            called = self._called([row for row in rows if row.merged is None])
            self._living = rows, values.Known({player.id: player for player in called})
        return self._living[1]

    def _called(self, rows: Sequence[Row[Any]]) -> Iterator[Player]:
        """These players with their names."""
        persons = table("person")
        texts = {(row.player, row.version): row for row in self._connection.execute(select(persons))}
        return (values.player(row, texts.get((row.id, row.version))) for row in rows)

    def _day(self, number: int) -> str:
        """The day on which that act was made."""
        return _act(self._chained(number)[0], number).time[:10]

    def _chained(self, number: int) -> tuple[str, str]:
        """Text and hash of an act, if they follow from the act before it."""
        acts = table("act")
        query = select(acts.c.number, acts.c.text, acts.c.hash).where(acts.c.number.in_((number - 1, number)))
        rows = {row.number: row for row in self._connection.execute(query)}
        before = rows[number - 1].hash if number - 1 in rows else entries.FIRST
        row = rows.get(number)
        if row is None or row.hash != entries.chain(before, row.text) or (number > 1 and before == entries.FIRST):
            raise damaged(_("act {number} is not as it was written").format(number=number))
        return row.text, row.hash
