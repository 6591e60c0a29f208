"""Writing: every change is an act, and its index rows follow from it in the same transaction."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, delete, insert, or_, select, update

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Constraint, Event, EventSettings
from tourney.domain.leagues import League
from tourney.domain.modes import Mode
from tourney.domain.people import Player
from tourney.domain.rankings import Pool
from tourney.domain.results import Outcome, PartialSheet
from tourney.domain.rounds import Clock, Drawing, Round, Table
from tourney.domain.rules import RulesRef
from tourney.domain.rulings import Ruling
from tourney.storage import person_names, sqlite
from tourney.storage.journal import entries, fold, payloads
from tourney.storage.journal.checksums import Rows, seal
from tourney.storage.journal.partitions import Part
from tourney.storage.league_blocks import KeptBlock
from tourney.storage.person_names import NewPerson
from tourney.storage.rating_inputs import Changes, Game, ImportedRows, Said
from tourney.storage.read import Reader, Spot
from tourney.storage.schema import table
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument


class KeptRatings(NamedTuple):
    """Ratings as text, after the first `games` games of a pool; `inputs` is the digest of those."""

    games: int
    inputs: str
    text: str


class Store(Reader):
    """An open transaction that may write. Every act of one store belongs to one command."""

    def __init__(self, connection: Connection, mode: Mode = "save", db: str | None = None) -> None:
        super().__init__(connection)
        self.mode = mode
        self.db = db
        self._after_commit: list[Callable[[], None]] = []
        self._batch = ""
        self._unsealed: set[Part] = set()

    def after_commit(self, follow: Callable[[], None]) -> None:
        """Call `follow` once the transaction has been kept; never for a dry run."""
        self._after_commit.append(follow)

    def committed(self) -> None:
        """Call what was to follow the commit."""
        for follow in self._after_commit:
            follow()

    def append(self, kind: str, payload: entries.Payload, act_id: str = "") -> bool:
        """Enter an act and its index rows; False if an act of that id has been entered already.

        Raises TourneyError CONFLICT if that id belongs to another act.
        """
        act_id = act_id or entries.new_id()
        if (before := self.act(act_id)) is not None:
            _same_act(before, kind, payload)
            return False
        self._batch = self._batch or act_id
        act = entries.Act(act_id, kind, entries.now(), self._batch, payload)
        self._write(act)
        return True

    def undo(self) -> tuple[entries.Act, ...]:
        """Take back the newest command that stands; its acts. Raises TourneyError REFUSED if there is none."""
        acts = self.next_undo().acts
        if not acts:
            hint = _("see what was done with `tourney log`")
            raise TourneyError(ExitCode.REFUSED, _("there is nothing to undo"), hint)
        self.append("undo", {"batch": acts[0].batch})
        return acts

    def redo(self) -> tuple[entries.Act, ...]:
        """Put back what was taken back last; its acts. Raises TourneyError REFUSED once something new was done."""
        acts = self.next_redo().acts
        if not acts:
            hint = _("only what was undone last, with nothing new done since, can be put back")
            raise TourneyError(ExitCode.REFUSED, _("there is nothing to redo"), hint)
        self.append("redo", {"batch": acts[0].batch})
        return acts

    def seal(self) -> None:
        """Seal all that was written; needed once, before the transaction ends."""
        seal(self._connection, sorted(self._unsealed))
        self._unsealed.clear()

    def add_persons(self, new: Sequence[NewPerson]) -> tuple[Player, ...]:
        """Register people; their text goes beside the journal."""
        first = self._next("player")
        added = [Player(first + index, one.name, "person", one.label, one.club) for index, one in enumerate(new)]
        person_names.write(self._connection, [(player.id, 1, one) for player, one in zip(added, new, strict=True)])
        self.append("player.add", {"players": [{"id": player.id, "kind": "person"} for player in added]})
        return tuple(added)

    def add_bots(self, names: Sequence[str]) -> tuple[Player, ...]:
        """Register bots' seats, such as `greedy-1`."""
        first = self._next("player")
        added = [Player(first + index, name, "bot") for index, name in enumerate(names)]
        rows = [{"id": player.id, "kind": "bot", "bot": player.name} for player in added]
        self.append("player.add", {"players": rows})
        return tuple(added)

    def rename(self, player: Player, name: str, label: str, club: str) -> Player:
        """Give a person another name, label or club; the one before is kept for undoing."""
        version = person_names.next_version(self._connection, player.id)
        person_names.write(self._connection, [(player.id, version, NewPerson(name, label, club))])
        self.append("player.rename", {"player": player.id, "version": version})
        return replace(player, name=name, label=label, club=club)

    def erase(self, player: Player) -> tuple[int, ...]:
        """Empty all that was ever written of a person's name, under other entries too; their numbers.

        No undoing brings it back.
        """
        entries = person_names.entries(self._connection, player.id)
        self.erase_entries(entries)
        return entries

    def erase_entries(self, entries: Sequence[int]) -> None:
        """The same for these entries alone."""
        for entry in entries:
            person_names.empty(self._connection, entry)
            self.append("player.erase", {"player": entry})

    def merge(self, keep: Player, gone: Player) -> None:
        """Make two entries of one person one, in every event.

        Raises TourneyError REFUSED, naming event and round, if both have a seat in one round.
        """
        events = [number for number in self.event_names() if gone in self.event(number).entrants]
        for number in events:
            self._refuse_both(self.event(number), keep, gone)
        self.append("player.merge", {"keep": keep.id, "gone": gone.id, "events": events})

    def new_event(self, settings: EventSettings, rules: RulesRef) -> Event:
        """Make an event without entrants."""
        number = self._next("event")
        fields = {name: getattr(settings, name) for name in EventSettings.__slots__}
        texts = {"rules_digest": rules.digest, "rules_text": rules.text}
        self.append("event.new", {"event": number, **texts, **fields})
        return Event(number, settings, rules)

    def set_event(self, event: Event, settings: EventSettings) -> Event:
        """Give the event other settings; its rules stay what they are."""
        changes = payloads.changes(event.settings, settings)
        if changes:
            self.append("event.set", {"event": event.id, "changes": changes})
        return self.event(event.id)

    def constrain(self, event: Event, constraints: Sequence[Constraint]) -> Event:
        """Put these constraints on the seating in place of the former ones."""
        self.append("event.wish", {"event": event.id, "wishes": payloads.constraints(constraints)})
        return self.event(event.id)

    def use_event(self, event: Event) -> None:
        """Make it the event that commands mean when none is named."""
        self.append("event.use", {"event": event.id})

    def finish(self, event: Event) -> Event:
        """Close the event."""
        self.append("event.finish", {"event": event.id})
        return replace(event, state="finished")

    def reopen(self, event: Event, reason: str) -> Event:
        """Open a finished event again."""
        self.append("event.reopen", {"event": event.id, "reason": reason})
        return replace(event, state="open")

    def enter(self, event: Event, players: Sequence[Player]) -> Event:
        """Put players behind the event's entrants."""
        return self._of_players("event.enter", event, players, first=len(event.entrants) + 1)

    def check_in(self, event: Event, players: Sequence[Player]) -> Event:
        """These entrants are here."""
        return self._of_players("event.checkin", event, players)

    def withdraw(
        self, event: Event, players: Sequence[Player], how: Literal["withdrawn", "no-show"], reason: str
    ) -> Event:
        """These entrants play no more, or have not come."""
        return self._of_players("event.withdraw", event, players, how=how, reason=reason)

    def bring_back(self, event: Event, players: Sequence[Player]) -> Event:
        """These entrants play again, and are here where check-in is required."""
        state = "checked in" if event.settings.checkin == "required" else "entered"
        return self._of_players("event.return", event, players, state=state)

    def draw(self, event: Event, drawn: Round, drawing: Drawing | None = None) -> None:
        """Keep a round's tables and who sits out, and how the program has drawn them, if it has. Half a sheet of the
        round as it was drawn, and that drawing taken back for good, is forgotten."""
        self._forget_drafts(event, drawn.number)
        self.append("round.draw", payloads.seating(event, drawn) | payloads.drawing(drawing))

    def reseat(self, event: Event, drawn: Round, note: str) -> None:
        """Put other tables in the place of a drawn round's; those that have a result must be the same."""
        self.append("round.move", {**payloads.seating(event, drawn), "note": note})

    def cancel_round(self, event: Event, number: int, reason: str) -> None:
        """Take a drawn round away, with its clock; the sheets half entered for it are set aside."""
        self.append("round.cancel", {"event": event.id, "round": number, "reason": reason})

    def start_clock(self, event: Event, number: int, clock: Clock | None) -> None:
        """Start a round's clock, start it anew, or (None) take it away."""
        started, minutes = ("", 0) if clock is None else (clock.started, clock.minutes)
        payload = {"event": event.id, "round": number, "started": started, "minutes": minutes}
        self.append("round.clock", payload)

    def keep_result(self, event: Event, at: Table, outcome: Outcome, *, record: str = "", act_id: str = "") -> bool:
        """Keep a table's outcome, with its record's text if the engine played it; False if it was a retry."""
        payload = payloads.result(event, at, outcome)
        if record:
            payload["record"] = self._keep_record(record)
        return self._result("result.enter", event, at, payload, act_id)

    def correct_result(self, event: Event, at: Table, outcome: Outcome, reason: str, *, act_id: str = "") -> bool:
        """Put another outcome in a result's place; False if it was a retry."""
        payload = {**payloads.result(event, at, outcome), "reason": reason}
        return self._result("result.correct", event, at, payload, act_id)

    def void_result(self, event: Event, at: Table, reason: str, *, act_id: str = "") -> bool:
        """Make a table's result count for nothing; False if it was a retry."""
        return self.append("result.void", {**payloads.place(event, at), "reason": reason}, act_id)

    def add_ruling(self, event: Event, ruling: Ruling, *, act_id: str = "") -> Ruling:
        """Keep an arbiter's decision; it gets the next number of its event. A retry gives the one kept before."""
        if act_id and (before := self.act(act_id)) is not None:
            ruling = replace(ruling, number=before.payload.get("ruling", 0))
        else:
            ruling = replace(ruling, number=self._next("ruling", event.id))
        self.append("ruling.add", payloads.ruling(event, ruling), act_id)
        return ruling

    def cancel_ruling(self, event: Event, number: int, reason: str, *, act_id: str = "") -> bool:
        """Take a decision back; False if it was a retry."""
        return self.append("ruling.cancel", {"event": event.id, "ruling": number, "reason": reason}, act_id)

    def keep_partial_sheet(self, event: Event, draft: PartialSheet) -> None:
        """Keep half a sheet in the place of the one before, for who sits there and over what was last done with the
        table's sheet; no act. What is set aside stays so."""
        spot = (draft.round, draft.table)
        rows = self._rows("drafts", event.id)["draft"]
        before = next((row.text for row in rows if (row.round, row.table_number) == spot), "")
        players, act = self._tables(event)[spot].players, self._sheet_act(event, spot)
        self._write_draft(event, spot, payloads.sheet_text(before, draft.hands, players, act))

    def set_aside(self, event: Event, at: Table, hands: Sequence[str], reason: str) -> None:
        """Set half a sheet aside, the one with these hands: it is there again when this is undone."""
        self.append("result.drop", {**payloads.place(event, at), "hands": list(hands), "reason": reason})

    def _forget_drafts(self, event: Event, round_number: int) -> None:
        """Forget the sheets of the round that would be there if it were drawn again."""
        for row in self._rows("drafts", event.id)["draft"]:
            if row.round == round_number:
                spot = (round_number, row.table_number)
                self._write_draft(event, spot, payloads.sheets_aside(row.text, self._sheet_act(event, spot)))

    def _write_draft(self, event: Event, spot: Spot, text: str) -> None:
        """Write the sheets half entered of a table; none if there is no text."""
        drafts, row = table("draft"), {"event": event.id, "round": spot[0], "table_number": spot[1]}
        self._connection.execute(delete(drafts).where(*(drafts.c[name] == value for name, value in row.items())))
        if text:
            self._connection.execute(insert(drafts), [{**row, "text": text}])
        self._written((Part("drafts", event.id),))

    def new_pool(self, pool: Pool) -> int:
        """Open a pool, or set the parameters of people or bots for the first time; its number."""
        number = self._next("pool")
        payload = {"pool": number, "name": pool.name, "kind": pool.kind, "parameters": pool.parameters}
        self.append("pool.new", payload)
        return number

    def set_pool(self, number: int, before: Pool, after: Pool) -> None:
        """Rate the pool of that number with other parameters."""
        changes = dict(after.parameters.items() - before.parameters.items())
        self.append("pool.set", {"pool": number, "changes": changes})

    def import_games(
        self, pool: int, games: Iterable[Game], said: Callable[[], Mapping[Said, Changes]] = dict
    ) -> tuple[int, int]:
        """Bring the games of a results file into a pool, one by one as they come; how many games and rows there were.

        `said` is asked behind the last one what the file says of them. Raises TourneyError CONFLICT if the same games
        are in the pool already.
        """
        number = self._next("import")
        rows = ImportedRows(number, games)
        sqlite.insert_all(self._connection, "INSERT INTO pool_result VALUES (?, ?, ?, ?, ?)", rows)
        if rows.digest() in {stretch.digest for stretch in self.imported_files(pool).stretches("imported")}:
            message = _("the results of this file are in the pool {pool} already").format(pool=self.pools()[pool].name)
            hint = _("see `tourney ratings --pool {pool}`").format(pool=quote_argument(self.pools()[pool].name))
            raise TourneyError(ExitCode.CONFLICT, message, hint)
        counts = {"games": rows.games, "rows": rows.rows}
        kept: entries.Payload = {what: [*map(list, changes)] for what, changes in said().items() if changes}
        self.append("rating.import", {"pool": pool, "import": number, **counts, "digest": rows.digest(), **kept})
        return rows.games, rows.rows

    def new_league(self, league: League, program: str) -> int:
        """Begin a league, by that version of this program; its number."""
        number = self._next("league")
        fields = {**asdict(league), "bots": list(league.bots)}
        self.append("league.new", {"league": number, "program": program, **fields})
        return number

    def join_league(self, number: int, bots: Sequence[str]) -> None:
        """Put bots behind those of a league."""
        self.append("league.join", {"league": number, "bots": [*self.leagues()[number].bots, *bots]})

    def keep_blocks(self, number: int, league: League, blocks: Sequence[KeptBlock]) -> None:
        """Keep blocks of a league that plays this; no act, the league's own says what they follow from.

        Raises TourneyError CONFLICT if it was taken back or joined meanwhile, or one of them ended otherwise before.
        """
        if self.leagues().get(number) != league:
            message = _("league {number} was taken back, another bot has joined it, or the database is another one now")
            hint = _("see `tourney log`, and `tourney league status`")
            raise TourneyError(ExitCode.CONFLICT, message.format(number=number), hint)
        self.blocks(number).keep(blocks)

    def keep_rounds(self) -> None:
        """Keep what counts of the rounds that have changed; no act, it can be read again."""
        rounds = self.played_rounds()
        for spot in rounds.stale():
            rounds.keep(spot)

    def keep_checkpoints(self, pool: str, new: Sequence[KeptRatings], still: Collection[str]) -> None:
        """Remember ratings of a pool; of those before only those of the inputs `still`. No act either."""
        kept = table("rating_checkpoint")
        lines = [{**one._asdict(), "pool": pool, "checksum": entries.checksum((pool, *one))} for one in new]
        gone = (kept.c.inputs.not_in(list(still)), kept.c.games.in_([one.games for one in new]))
        self._connection.execute(delete(kept).where(kept.c.pool == pool, or_(*gone)))
        if lines:
            self._connection.execute(insert(kept), lines)

    def _write(self, act: entries.Act) -> None:
        text = entries.write(act)
        number, hash_before = self.head()
        number += 1
        row = {"number": number, "id": act.id, "kind": act.kind, "time": act.time, "text": text}
        head = entries.chain(hash_before, text)
        self._connection.execute(insert(table("act")), [{**row, "hash": head}])
        self._set_head(number, head)
        written = fold.happen(self._connection, number, act)
        if Part("players") in written:
            person_names.refresh(self._connection)
        self._written(written)

    def _written(self, parts: Iterable[Part]) -> None:
        """Have the parts sealed before they are read again, or the transaction ends."""
        self._unsealed.update(parts)
        self._seen.clear()

    def _sealed(self, which: Part, spots: Collection[Spot] | None = None) -> Mapping[str, Rows]:
        self.seal()
        return super()._sealed(which, spots)

    def _of_players(self, kind: str, event: Event, players: Sequence[Player], **fields: Any) -> Event:
        self.append(kind, {"event": event.id, "players": [player.id for player in players], **fields})
        return self.event(event.id)

    def _result(self, kind: str, event: Event, at: Table, payload: entries.Payload, act_id: str) -> bool:
        return self.append(kind, payload, act_id)

    def _refuse_both(self, event: Event, keep: Player, gone: Player) -> None:
        for drawn in self.rounds(event):
            seated = {player.id for at in drawn.tables for player in at.players}
            if {keep.id, gone.id} <= seated:
                message = _("{keep} and {gone} both have a seat in round {round} of {event}").format(
                    keep=keep.shown, gone=gone.shown, round=drawn.number, event=event.settings.name
                )
                hint = _("they are two people, or one of the seats is wrong: see `tourney round show`")
                raise TourneyError(ExitCode.REFUSED, message, hint)

    def _keep_record(self, text: str) -> str:
        records, digest = table("record"), entries.digest(text)
        if self._first(select(records.c.digest).where(records.c.digest == digest)) is None:
            self._connection.execute(insert(records), [{"digest": digest, "text": text}])
        return digest

    def _next(self, kind: str, event: int = 0) -> int:
        counters = table("counter").c
        row = self._first(select(counters.last).where(counters.kind == kind, counters.event == event))
        return 1 if row is None else int(row.last) + 1

    def _set_head(self, number: int, head: str) -> None:
        heads = table("head")
        if number == 1:
            self._connection.execute(insert(heads), [{"one": 1, "acts": 1, "hash": head}])
        else:
            self._connection.execute(update(heads).values(acts=number, hash=head))


def _same_act(before: entries.Act, kind: str, payload: entries.Payload) -> None:
    if before.kind != kind or entries.canonical(before.payload) != entries.canonical(payload):
        message = _("the act {id} has been entered already, as another one ({kind})").format(
            id=before.id, kind=before.kind
        )
        raise TourneyError(ExitCode.CONFLICT, message, _("send it under a new id"))
