"""Read and write the rounds of an event: as they are, and as they were drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import delete, insert, select, update

from tourney.domain.events import GONE, EntrantState, Event
from tourney.domain.people import Player
from tourney.domain.rounds import MOST_MINUTES, Clock, Drawing, KeptPlan, Round, Substitution, Table
from tourney.storage import rows as values
from tourney.storage import sqlite
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.checksums import damaged
from tourney.storage.journal.entries import FIRST, Entry, chain_hash, entry_text
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import Partition
from tourney.storage.nouns.people import PeopleReader
from tourney.storage.nouns.transaction import Transaction, parsed
from tourney.storage.nouns.writing import Writing
from tourney.storage.rows import Spot
from tourney.storage.tables import table
from tourney.text.i18n import _

Named = tuple[tuple[tuple[int, ...], bool], ...]
"""For each of some entries the ids of the players that it named, and whether it keeps the plan that it announced."""

AsDrawn = tuple[Round, Event, Drawing | None, Named]


def _read_plans(entry: Entry, number: int, merged: Mapping[int, int]) -> dict[str, KeptPlan]:
    try:
        return payloads.read_plans(entry.payload, merged)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged(_("the plan in entry {number} cannot be read").format(number=number)) from error


def _clock(started: str, minutes: int) -> Clock:
    """Return a clock; earlier versions took a beginning without a zone, and any minutes, from the file of an event."""
    began = datetime.fromisoformat(started)
    began = began if began.tzinfo else began.replace(tzinfo=UTC)
    return Clock(began.isoformat().replace("+00:00", "Z"), max(1, min(minutes, MOST_MINUTES)))


class RoundReader:
    """Queries of the rounds of an event."""

    def __init__(self, transaction: Transaction, people: PeopleReader) -> None:
        self._transaction = transaction
        self._people = people

    def of(self, event: Event) -> tuple[Round, ...]:
        """Return the drawn rounds of the event in order, players in seat order, byes in the order of entry."""
        rows = self._transaction.rows("rounds", event.id)
        tables = values.tables(rows["seat"], values.Known({player.id: player for player in event.entrants}))
        out: dict[int, set[int]] = defaultdict(set)
        for row in rows["sitting_out"]:
            out[row.round].add(row.player)
        drafts = self.drafts(event.id)
        return tuple(
            Round(
                row.number,
                tuple(table_ for (drawn, _at), table_ in tables.items() if drawn == row.number),
                tuple(player for player in event.entrants if player.id in out[row.number]),
                _clock(row.started, row.minutes) if row.started else None,
                row.number in drafts,
                min(row.minutes, MOST_MINUTES) if row.started == "" else 0,
            )
            for row in rows["round"]
            if self._transaction.drafts or row.number not in drafts
        )

    def as_drawn(self, event: Event) -> tuple[tuple[AsDrawn, ...], dict[str, KeptPlan]]:
        """Return each drawn round in order, as it was drawn, and the steps of the plan that entries keep, by key.

        Each round comes with the event's settings and constraints at that time, how it was drawn, and the players that
        each entry about attendance named until the next draw.
        """
        names = ("settings", "entrants", "rounds")
        numbers = {row.act for name in names for row in self._transaction.writers(name, event.id)}
        players, merged = self._people.by_number(), self._people.merged()
        everybody = values.Known(players | {gone: players[payloads.survivor(gone, merged)] for gone in merged})
        now = replace(event, constraints=())
        drawn: dict[int, tuple[Round, Event, Drawing | None]] = {}
        plans: dict[str, KeptPlan] = {}
        named: list[Named] = [()]
        for number in sorted(numbers):
            entry = self._transaction.entry(number)
            kind, payload = kind_of(entry), entry.payload
            plans |= _read_plans(entry, number, merged)
            if kind in (kinds.events.EventMade, kinds.events.EventSet):
                now = replace(now, settings=payloads.settings(now.settings, payload, merged))
            elif kind is kinds.events.EventConstrained:
                constraints = payloads.read_constraints(canonical_json(payload["wishes"]), players, merged)
                now = replace(now, constraints=constraints)
            elif kind in kinds.people.ATTENDANCE:
                players_named = tuple(payloads.survivor(player, merged) for player in payload["players"])
                named[-1] += ((players_named, "plan" in payload),)
            elif kind is kinds.rounds.RoundDrawn:
                drawn[payload["round"]] = (
                    payloads.drawn(payload, everybody),
                    now,
                    payloads.drawn_by(payload, everybody),
                )
                named.append(())
            elif kind is kinds.rounds.RoundCancelled:
                del drawn[payload["round"]]
                named[-2:] = [named[-2] + named[-1]]
        rounds = tuple((*drawn[number], after) for number, after in zip(sorted(drawn), named[1:], strict=True))
        return rounds, plans

    def draws(self, event: Event) -> dict[int, tuple[int, Entry]]:
        """Return the newest entry that drew each round of the event, with its number; cancelled rounds have one too."""
        entries = ((row.act, self._transaction.entry(row.act)) for row in self._transaction.writers("rounds", event.id))
        return {made[1].payload["round"]: made for made in entries if kinds.rounds.RoundDrawn.made(made[1])}

    def times_edited(self, event: Event) -> dict[int, int]:
        """Return how often each round has been edited since it was last drawn."""
        times: dict[int, int] = {}
        for entry in self._transaction.standing("rounds", event.id):
            if kinds.rounds.RoundDrawn.made(entry):
                times[entry.payload["round"]] = 0
            elif kinds.rounds.TablesMoved.made(entry) or kinds.results.TableDissolved.made(entry):
                times[entry.payload["round"]] += 1
        return times

    def drafts(self, event: int) -> frozenset[int]:
        """Return the numbers of the drafts: rounds that were not published and have no result."""
        numbers = frozenset(row.number for row in self._transaction.rows("rounds", event)["round"] if row.draft)
        if not numbers:
            return numbers
        return numbers - {row.round for row in self._transaction.rows("results", event)["result"]}

    def substitutions(self, event: Event) -> tuple[Substitution, ...]:
        """Return who plays for whom in the rounds of the event, as the rounds are drawn now."""
        asked = "SELECT 1 FROM trace WHERE part = 'substitutes' AND event = ? LIMIT 1"
        if not sqlite.rows(self._transaction.connection, asked, (event.id,)):
            return ()
        named = list(self._transaction.writers("substitutes", event.id))
        drawn = self.draws(event)
        found: dict[tuple[int, int], int | None] = {}
        for row in named:
            payload = self._transaction.entry(row.act).payload
            if payload["round"] in drawn and row.act > drawn[payload["round"]][0]:
                found[payload["round"], payload["absent"]] = payload["substitute"]
        players, merged = self._people.by_number(), self._people.merged()
        of_now = [
            (number, payloads.survivor(absent, merged), payloads.survivor(other, merged))
            for (number, absent), other in sorted(found.items(), key=lambda item: item[0])
            if other is not None
        ]
        # Who was merged with their own substitute has played themselves.
        return tuple(
            Substitution(number, players[absent], players[other]) for number, absent, other in of_now if absent != other
        )

    def with_substitutes(self, event: Event, last: int | None = None) -> Event:
        """Return the event in which entrants who have left, and only played for others, are substitutes.

        Rounds after `last` do not count (None: all count).
        """
        named = {each.substitute.id for each in self.substitutions(event) if last is None or each.round <= last}
        if not named:
            return event
        rounds = (each for each in self.of(event) if last is None or each.number <= last)
        only = named.difference(player.id for each in rounds for table in each.tables for player in table.players)

        def now(player: Player, state: EntrantState) -> EntrantState:
            return "substitute" if player.id in only and state in GONE else state

        return replace(event, states=tuple(map(now, event.entrants, event.states)))

    def draw_entries(self, event: Event) -> dict[int, str]:
        """Return the id of the entry that drew each round of the event."""
        return {number: entry.id for number, (_act, entry) in self.draws(event).items()}

    def drawn_at(self, event: Event) -> dict[int, str]:
        """Return when each drawn round of the event was drawn (UTC)."""
        return {number: entry.time for number, (_act, entry) in self.draws(event).items()}

    def tables(self, event: Event) -> Mapping[Spot, Table]:
        """Return the tables of all drawn rounds, by round and number."""
        return values.Known(
            {(table_.round, table_.number): table_ for each in self.of(event) for table_ in each.tables}
        )


class RoundStore(RoundReader):
    """Reads and writes rounds."""

    _transaction: Writing

    def draw(self, event: Event, drawn: Round, drawing: Drawing | None = None) -> None:
        """Keep a round's tables and byes, and how the program has drawn them, if it has.

        Partial sheets of an earlier drawing that can no longer be put back are deleted.
        """
        self._forget_drafts(event, drawn.number)
        self._transaction.write(kinds.rounds.RoundDrawn.by(event, drawn, drawing))

    def announce(self, event: Event, steps: Mapping[str, KeptPlan]) -> None:
        """Add steps of the event's plan to the newest entry, if this transaction wrote it and it may alter the plan.

        The entry is not committed yet, so that nobody has seen it without them. Projections do not read them.
        """
        number, _head = self._transaction.journal.head()
        entry = self._transaction.entry(number) if self._transaction.batch else None
        if entry is None or entry.payload.get("event") != event.id or not kind_of(entry).announces():
            return
        kept = {**payloads.read_plans(entry.payload, {}), **steps}
        text = entry_text(replace(entry, payload={**entry.payload, "plan": payloads.plans(kept)}))
        acts = table("act")
        before = self._transaction.first(select(acts.c.hash).where(acts.c.number == number - 1))
        head = chain_hash(FIRST if before is None else before.hash, text)
        self._transaction.connection.execute(update(acts).where(acts.c.number == number).values(text=text, hash=head))
        self._transaction.set_head(number, head)

    def _forget_drafts(self, event: Event, round_number: int) -> None:
        """Delete the partial sheets of versions before 0009 that would reappear if the round were drawn again."""
        for row in self._transaction.rows("drafts", event.id)["draft"]:
            if row.round == round_number:
                spot = (round_number, row.table_number)
                self._write_draft(
                    event, spot, payloads.other_drafts(row.text, last_sheet_entry(self._transaction, event, spot))
                )

    def _write_draft(self, event: Event, spot: Spot, text: str) -> None:
        """Write the partial sheets that a table has of versions before 0009; an empty text deletes them."""
        drafts, row = table("draft"), {"event": event.id, "round": spot[0], "table_number": spot[1]}
        self._transaction.connection.execute(
            delete(drafts).where(*(drafts.c[name] == value for name, value in row.items()))
        )
        if text:
            self._transaction.connection.execute(insert(drafts), [{**row, "text": text}])
        self._transaction.written((Partition("drafts", event.id),))


def last_sheet_entry(transaction: Transaction, event: Event, spot: Spot) -> int:
    """Return the number of the last entry that stands about the table's sheet, 0 if there is none.

    It enters, corrects or voids a result, discards a partial sheet, or cancels the round.
    """
    entries = reversed(transaction.writers("results", event.id, spot[0]))
    tables = ((row.act, parsed(row.text, row.act).payload.get("table")) for row in entries)
    return next((number for number, table_number in tables if table_number in (None, spot[1])), 0)
