"""Write to the database: every change is an entry of the journal, with its index rows in the same transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import OperationalError, StatementError

from tourney.domain.editions import Edition, PublishedEdition
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player, PublishedAs
from tourney.domain.rankings import PoolKind
from tourney.domain.results import PartialSheet
from tourney.domain.rounds import Drawing, KeptPlan, Round
from tourney.domain.rules import RulesRef
from tourney.domain.seasons import Season
from tourney.storage import league_blocks, person_names, sqlite
from tourney.storage.journal import payloads
from tourney.storage.journal.canonical import row_checksum, sha256
from tourney.storage.journal.entries import (
    FIRST,
    Entry,
    Origin,
    Payload,
    chain_hash,
    entry_text,
    new_id,
    parse_entry,
    utc_now,
)
from tourney.storage.journal.kinds import columns, events, kind_of, leagues, people, pools, results, rounds
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.undo import IMPOSSIBLE
from tourney.storage.person_names import NewPerson
from tourney.storage.rating_inputs import Attribute, Changes, Game, ImportedFile, ImportedRows
from tourney.storage.rows import Spot
from tourney.storage.table_rows import lacks_parent
from tourney.storage.tables import COLUMNS, table
from tourney.storage.write_entries import EntryStore
from tourney.text.i18n import _, fill
from tourney.text.names import fold as fold_name
from tourney.text.sanitize import quote_argument

if TYPE_CHECKING:
    from tourney.domain.leagues import League, OutsideBot, PlayedBlock


class KeptRatings(NamedTuple):
    """Ratings as text, after the first `games` games of a pool; `inputs` is the digest of these games."""

    games: int
    inputs: str
    text: str


class Store(EntryStore):
    """An open transaction that may write. Every entry of one store belongs to one command, made by one author."""

    def add_persons(self, new: Sequence[NewPerson]) -> tuple[Player, ...]:
        """Register people; their names are kept outside the journal."""
        first = self.next("player")
        added = [
            Player(first + index, person.name, "person", person.label, person.club) for index, person in enumerate(new)
        ]
        person_names.write(
            self._connection, [(player.id, 1, person) for player, person in zip(added, new, strict=True)]
        )
        self.write(people.PlayersAdded([{"id": player.id, "kind": "person"} for player in added]))
        return tuple(added)

    def add_bots(self, names: Sequence[str]) -> tuple[Player, ...]:
        """Register bots' seats, such as `greedy-1`."""
        first = self.next("player")
        added = [Player(first + index, name, "bot") for index, name in enumerate(names)]
        self.write(people.PlayersAdded([{"id": player.id, "kind": "bot", "bot": player.name} for player in added]))
        return tuple(added)

    def rename(self, player: Player, name: str, label: str, club: str) -> Player:
        """Give a person another name, label or club; the former one is kept for undo."""
        version = person_names.next_version(self._connection, player.id)
        person_names.write(self._connection, [(player.id, version, NewPerson(name, label, club))])
        self.write(people.PlayerRenamed(player, version))
        return replace(player, name=name, label=label, club=club)

    def publish_player(self, player: Player, published: PublishedAs, name: str) -> None:
        """Set how rankings show a person; another name is kept where their names are, so that erasing reaches it."""
        version = None
        if published == "other name":
            version = person_names.next_version(self._connection, player.id)
            person_names.write(self._connection, [(player.id, version, NewPerson(name, "", ""))])
        self.write(people.PlayerPublished(player, published, version))

    def erase(self, player: Player) -> tuple[int, ...]:
        """Erase every name of a person and of players merged into them; return the players' numbers.

        Undo does not bring the names back.
        """
        numbers = person_names.with_merged(self._connection, player.id)
        self.erase_names(numbers)
        return numbers

    def erase_names(self, numbers: Sequence[int]) -> None:
        """Erase the names of the players with these numbers."""
        for number in numbers:
            person_names.erase(self._connection, number)
            self.write(people.PlayerErased(number))

    def merge(self, keep: Player, gone: Player) -> None:
        """Merge two players who are one person, in every event.

        Raises TourneyError REFUSED, naming event and round, if both have a seat in one round.
        """
        merged = [number for number in self.event_names() if gone in self.event(number).entrants]
        for number in merged:
            self._refuse_both(self.event(number), keep, gone)
        self.write(people.PlayersMerged(keep, gone, merged))

    def new_event(self, settings: EventSettings, rules: RulesRef) -> Event:
        """Create an event without entrants."""
        return self.event(self.add(events.EventMade.of(settings, rules)))

    def note_import(self, name: str, entries: int, head: str, known: int | None = None) -> int:
        """Write that so many entries of an event are imported; return its number here, which is `known` if it was here.

        The entries follow by `bring_in`. No name is read before all of them are written, because a person's name may be
        somebody else's until the entry that merges the two.
        """
        number = self.next("event") if known is None else known
        self.write(events.EventImported(number, name, entries, head, more=known is not None))
        return number

    def bring_in(self, entry: Entry) -> None:
        """Write an entry made in another database, which has its origin, as a part of this command.

        An id that an entry here has already is replaced by a new one. Raises ValueError for an entry that cannot follow
        those before it.
        """
        taken = self._first(select(table("act").c.number).where(table("act").c.id == entry.id)) is not None
        try:
            self._write(replace(entry, id=new_id() if taken else entry.id, batch=self._batch))
        except OperationalError:
            raise
        except (*IMPOSSIBLE, StatementError) as error:
            raise ValueError("it cannot follow the entries before it") from error

    def add_unregistered(self, how_many: int) -> tuple[int, ...]:
        """Return new numbers for players who are not registered: only undone entries of an imported event name them."""
        first, entry = self.next("player"), new_id()
        numbers = tuple(range(first, first + how_many))
        nobody = NewPerson("", "", "")
        person_names.write(self._connection, [(number, 1, nobody) for number in numbers])
        added = people.PlayersAdded([{"id": number, "kind": "person"} for number in numbers])
        origin = Origin(entry, entry, "undone")
        self.bring_in(Entry(entry, added.kind_name, utc_now(), "", added.payload, self.by, origin=origin))
        return numbers

    def event_with_any(self, ids: Sequence[str]) -> int | None:
        """Return an event of which an entry has one of these ids, here or where it was made; None without one."""
        acts, names, wanted = table("act"), self.event_names(), set(ids)
        created = self._connection.execute(select(acts.c.text).where(acts.c.kind == events.EventMade.kind_name))
        found = [parse_entry(row.text) for row in created]
        found = [entry for entry in found if entry.origin is not None and entry.origin.id in wanted]
        for start in range(0, len(ids), 500):
            same = select(acts.c.text).where(acts.c.id.in_(ids[start : start + 500]))
            found += [parse_entry(row.text) for row in self._connection.execute(same)]
        named = (number for entry in found for number in (entry.payload.get("event"), *entry.payload.get("events", ())))
        return next((number for number in named if number in names), None)

    def refers_to_nothing(self, event: int) -> bool:
        """Return whether a row of the event, or of a player, refers to one that is not there.

        Otherwise the end of the transaction would refuse it, without saying why. Rows of other events are not read.
        """
        if sqlite.rows(self._connection, "PRAGMA foreign_key_check(player)"):
            return True
        return any(lacks_parent(self._connection, name, event) for name in COLUMNS)

    def set_event(self, event: Event, settings: EventSettings) -> Event:
        """Change the event's settings, except its rules."""
        changes = payloads.changes(event.settings, settings)
        if changes:
            self.write(events.EventSet(event, changes))
        return self.event(event.id)

    def enter(self, event: Event, players: Sequence[Player], outside: Sequence[OutsideBot] = ()) -> Event:
        """Add players after the event's entrants; `outside` are the bots of their seats that are not built in."""
        bots = payloads.outside_rows(outside)
        return self.changed(people.PlayersEntered(event, players, len(event.entrants) + 1, bots))

    def draw(self, event: Event, drawn: Round, drawing: Drawing | None = None) -> None:
        """Keep a round's tables and byes, and how the program has drawn them, if it has.

        Partial sheets of an earlier drawing that can no longer be put back are deleted.
        """
        self._forget_drafts(event, drawn.number)
        self.write(rounds.RoundDrawn.by(event, drawn, drawing))

    def announce(self, event: Event, steps: Mapping[str, KeptPlan]) -> None:
        """Add steps of the event's plan to the newest entry, if this transaction wrote it and it may alter the plan.

        The entry is not committed yet, so that nobody has seen it without them. Projections do not read them.
        """
        number, _head = self.head()
        entry = self._entry(number) if self._batch else None
        if entry is None or entry.payload.get("event") != event.id or not kind_of(entry).announces():
            return
        kept = {**payloads.read_plans(entry.payload, {}), **steps}
        text = entry_text(replace(entry, payload={**entry.payload, "plan": payloads.plans(kept)}))
        acts = table("act")
        before = self._first(select(acts.c.hash).where(acts.c.number == number - 1))
        head = chain_hash(FIRST if before is None else before.hash, text)
        self._connection.execute(update(acts).where(acts.c.number == number).values(text=text, hash=head))
        self._set_head(number, head)

    def keep_partial_sheet(self, event: Event, draft: PartialSheet) -> None:
        """Keep a partial sheet for the players of its table, in place of the former one, from which it must differ.

        The sheet of a table whose result counts is a correction.
        """
        if draft not in self.partial_sheets(event):
            spot = (draft.round, draft.table)
            corrects = spot in self.finished(event.id) - self.void(event.id)
            self.write(results.SheetKept.of(event, self._tables(event)[spot], draft.hands, corrects))

    def _forget_drafts(self, event: Event, round_number: int) -> None:
        """Delete the partial sheets of versions before 0009 that would reappear if the round were drawn again."""
        for row in self._rows("drafts", event.id)["draft"]:
            if row.round == round_number:
                spot = (round_number, row.table_number)
                self._write_draft(event, spot, payloads.other_drafts(row.text, self._sheet_entry(event, spot)))

    def _write_draft(self, event: Event, spot: Spot, text: str) -> None:
        """Write the partial sheets that a table has of versions before 0009; an empty text deletes them."""
        drafts, row = table("draft"), {"event": event.id, "round": spot[0], "table_number": spot[1]}
        self._connection.execute(delete(drafts).where(*(drafts.c[name] == value for name, value in row.items())))
        if text:
            self._connection.execute(insert(drafts), [{**row, "text": text}])
        self._written((Partition("drafts", event.id),))

    def import_games(
        self,
        pool: int,
        games: Iterable[Game],
        source: str,
        attributes: Callable[[], Mapping[Attribute, Changes]] = dict,
    ) -> tuple[int, int]:
        """Import the games of a results file into a pool, one by one; return the numbers of games and of rows.

        The files of this source in the pool are replaced. `attributes` is called after the last game for the attributes
        of the games. Raises TourneyError CONFLICT if the same games are in the pool already.
        """
        number = self.next("import")
        before = self.imported_files(pool).files
        replaced = [file for file in before if fold_name(file.source) == fold_name(source)]
        rows = ImportedRows(number, games)
        sqlite.insert_all(self._connection, "pool_result", 5, rows)
        kept: Payload = {name: [*map(list, changes)] for name, changes in attributes().items() if changes}
        same = next((file for file in before if file.digest == rows.digest()), None)
        if same is not None and not (same in replaced and self._attributes(same) != kept):
            raise self._imported_already(pool, same)
        place = min((file.place for file in replaced), default=number)
        counts = (rows.games, rows.rows, rows.digest())
        replaces = [file.number for file in replaced]
        self.add(pools.GamesImported(pool, *counts, source, place, replaces, **kept))
        return rows.games, rows.rows

    def _attributes(self, file: ImportedFile) -> Payload:
        payload = self._entry(file.entry).payload
        return {name: payload[name] for name in ("days", "names") if name in payload}

    def _imported_already(self, pool: int, file: ImportedFile) -> TourneyError:
        name = self.pools()[pool].name
        message = _("the results of this file are in the pool {pool} already, from the source {source}").format(
            pool=name, source=file.source
        )
        hint = _("see `tourney rating source list --pool {pool}`").format(pool=quote_argument(name))
        return TourneyError(ExitCode.CONFLICT, message, hint)

    def name_columns(self, names: Mapping[str, str]) -> None:
        """Remember the columns that headers stand for; nothing is written of those that are remembered already."""
        new = dict(names.items() - self.column_names().items())
        if new:
            self.write(columns.ColumnsNamed(new))

    def season(self, number: int) -> Season:
        """Return the season of that number."""
        return next(season for season in self.seasons() if season.id == number)

    def next_edition(self, pool: str) -> int:
        """Return the number of the next edition of a pool; one that was undone keeps its number."""
        return self.next(pools.editions_counter(pool))

    def publish(self, edition: Edition, kind: PoolKind, pool: int | None) -> PublishedEdition:
        """Publish an edition of the pool of that kind and number (None: it has none)."""
        self.write(pools.EditionPublished.of(edition, kind, pool))
        return self.editions(edition.pool)[-1]

    def join_league(self, number: int, bots: Sequence[str], outside: Sequence[OutsideBot] = ()) -> None:
        """Add bots after those of a league; `outside` are those of them that are not built in.

        Blocks of other bots, who had joined and were undone, are deleted: they cannot come back after this change.
        """
        league = self.leagues()[number]
        from_outside = tuple(dict.fromkeys((*league.outside, *outside)))
        together = (*league.bots, *bots)
        joined = leagues.LeagueJoined(number, together, payloads.outside_rows(from_outside))
        identified = payloads.identified_bots(joined.payload)
        for entrants, before in league_blocks.played_by(self._connection, number).items():
            shared = min(entrants, len(identified))
            if before[:shared] != identified[:shared]:
                league_blocks.Blocks(self._connection, number, entrants).forget()
        self.write(joined)

    def keep_blocks(self, number: int, league: League, blocks: Sequence[PlayedBlock]) -> None:
        """Keep blocks of a league that is still `league`. No entry is written: the blocks follow from the league's own.

        Raises TourneyError CONFLICT if the league was undone or joined meanwhile, or a block was kept with another
        outcome.
        """
        if self.leagues().get(number) != league:
            message = _("league {number} was taken back, another bot has joined it, or the database is another one now")
            hint = _("see `tourney log`, and `tourney league status`")
            raise TourneyError(ExitCode.CONFLICT, message.format(number=number), hint)
        self.blocks(number).keep(blocks)

    def keep_rounds(self) -> None:
        """Cache the tables that count of the rounds that have changed; no entry is written for a cache."""
        rounds = self.played_rounds()
        for spot in rounds.stale():
            rounds.keep(spot)

    def keep_checkpoints(self, pool: str, new: Sequence[KeptRatings], still: Collection[str]) -> None:
        """Cache ratings of a pool, and of those cached before keep those of the inputs `still`; no entry is written."""
        kept = table("rating_checkpoint")
        lines = [{**ratings._asdict(), "pool": pool, "checksum": row_checksum((pool, *ratings))} for ratings in new]
        gone = (kept.c.inputs.not_in(list(still)), kept.c.games.in_([ratings.games for ratings in new]))
        self._connection.execute(delete(kept).where(kept.c.pool == pool, or_(*gone)))
        if lines:
            self._connection.execute(insert(kept), lines)

    def _refuse_both(self, event: Event, keep: Player, gone: Player) -> None:
        for drawn in self.rounds(event):
            seated = {player.id for at in drawn.tables for player in at.players}
            if {keep.id, gone.id} <= seated:
                message = _("{keep} and {gone} both have a seat in round {round} of {event}")
                message = fill(message, keep=keep.shown, gone=gone.shown, round=drawn.number, event=event.settings.name)
                hint = _("they are two people, or one of the seats is wrong: see `tourney round show`")
                raise TourneyError(ExitCode.REFUSED, message, hint)

    def keep_record(self, text: str) -> str:
        """Keep the record of a game; return its digest."""
        records, digest = table("record"), sha256(text)
        if self._first(select(records.c.digest).where(records.c.digest == digest)) is None:
            self._connection.execute(insert(records), [{"digest": digest, "text": text}])
        return digest
