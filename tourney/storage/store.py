"""Writing: every change is an act, and its index rows follow from it in the same transaction."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from tourney.domain import (
    Event,
    EventSettings,
    ExitCode,
    Outcome,
    Player,
    Pool,
    Round,
    Table,
    TourneyError,
)
from tourney.names import fold
from tourney.storage import journal
from tourney.storage.projections import project
from tourney.storage.reader import Reader
from tourney.storage.schema import table
from tourney.text import _

_BLOCK = 5000


class NewPerson(NamedTuple):
    """A person's text, cleaned."""

    name: str
    label: str
    club: str


class ImportedRow(NamedTuple):
    """One player's place in one game of a results file."""

    game: int
    name: str
    place: int


class Store(Reader):
    """An open transaction that may write. Every act of one store belongs to one command."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._batch = ""

    def append(self, kind: str, payload: journal.Payload, act_id: str = "") -> bool:
        """Enter an act and its index rows; False if an act of that id has been entered already.

        Raises TourneyError CONFLICT if that id belongs to another act.
        """
        act_id = act_id or journal.new_id()
        if (before := self.act(act_id)) is not None:
            _same_act(before, kind, payload)
            return False
        self._batch = self._batch or act_id
        act = journal.Act(act_id, kind, journal.now(), self._batch, payload)
        text = journal.write(act)
        number, hash_before = self.head()
        number += 1
        row = {"number": number, "id": act.id, "kind": kind, "time": act.time, "text": text}
        head = journal.chain(hash_before, text)
        self._connection.execute(insert(table("act")), [{**row, "hash": head}])
        self._set_head(number, head)
        project(self._connection, kind, number, payload)
        return True

    def add_persons(self, persons: Sequence[NewPerson]) -> tuple[Player, ...]:
        """Register people; their text goes beside the journal."""
        first = self._next("player", "id")
        added = [Player(first + index, one.name, "person", one.label, one.club) for index, one in enumerate(persons)]
        self.append("player.add", {"players": [{"id": player.id, "kind": "person"} for player in added]})
        self._connection.execute(insert(table("person")), [_person_row(player) for player in added])
        return tuple(added)

    def add_bots(self, names: Sequence[str]) -> tuple[Player, ...]:
        """Register bots' seats, such as `greedy-1`."""
        first = self._next("player", "id")
        added = [Player(first + index, name, "bot") for index, name in enumerate(names)]
        rows = [{"id": player.id, "kind": "bot", "bot": player.name} for player in added]
        self.append("player.add", {"players": rows})
        return tuple(added)

    def new_event(self, settings: EventSettings, rules_digest: str) -> Event:
        """Make an event without entrants."""
        number = self._next("event", "id")
        fields = {name: getattr(settings, name) for name in EventSettings.__slots__ if name in table("event").c}
        self.append("event.new", {"event": number, "rules_digest": rules_digest, **fields})
        return Event(number, settings, rules_digest)

    def use_event(self, event: Event) -> None:
        """Make it the event that commands mean when none is named."""
        self.append("event.use", {"event": event.id})

    def enter(self, event: Event, players: Sequence[Player]) -> Event:
        """Put players behind the event's entrants."""
        payload = {
            "event": event.id,
            "first": len(event.entrants) + 1,
            "players": [player.id for player in players],
        }
        self.append("event.enter", payload)
        return Event(event.id, event.settings, event.rules_digest, (*event.entrants, *players))

    def draw(self, event: Event, drawn: Round) -> None:
        """Keep a round's tables and who sits out."""
        tables = [{"table": one.number, "players": [player.id for player in one.players]} for one in drawn.tables]
        out = [player.id for player in drawn.sitting_out]
        self.append("round.draw", {"event": event.id, "round": drawn.number, "tables": tables, "out": out})

    def keep_result(self, event: Event, at: Table, outcome: Outcome, *, record: str = "", act_id: str = "") -> bool:
        """Keep a table's outcome, with its record's text if the engine played it; False if it was a retry."""
        payload = _result_payload(event, at, outcome)
        if record:
            payload["record"] = self._keep_record(record)
        return self.append("result.enter", payload, act_id)

    def correct_result(self, event: Event, at: Table, outcome: Outcome, reason: str, *, act_id: str = "") -> bool:
        """Put another outcome in a result's place; False if it was a retry."""
        return self.append("result.correct", {**_result_payload(event, at, outcome), "reason": reason}, act_id)

    def void_result(self, event: Event, at: Table, reason: str, *, act_id: str = "") -> bool:
        """Make a table's result count for nothing; False if it was a retry."""
        payload = {"event": event.id, "round": at.round, "table": at.number, "reason": reason}
        return self.append("result.void", payload, act_id)

    def new_pool(self, pool: Pool) -> int:
        """Open a pool; its number."""
        number = self._next("pool", "id")
        parameters = {name: getattr(pool, name) for name in ("mu", "sigma", "beta", "tau", "draw")}
        payload = {"pool": number, "name": pool.name, "kind": pool.kind, "parameters": parameters}
        self.append("pool.new", payload)
        return number

    def import_ratings(self, pool: int, rows: Iterable[ImportedRow]) -> tuple[int, int]:
        """Bring the rows of a results file into a pool; how many games and rows there were.

        Raises TourneyError CONFLICT if the same rows are in the pool already.
        """
        kept = list(rows)
        taken = rows_digest(kept)
        if taken in self.imports(pool):
            message = _("these results are in the pool already")
            raise TourneyError(ExitCode.CONFLICT, message, _("see them with `tourney ratings --pool`"))
        number = self._next("pool_import", "id")
        counts = {"games": len({row.game for row in kept}), "rows": len(kept)}
        self.append("rating.import", {"pool": pool, "import": number, **counts, "digest": taken})
        for start in range(0, len(kept), _BLOCK):
            block = enumerate(kept[start : start + _BLOCK], start + 1)
            lines = [{"pool_import": number, "row": index, **row._asdict()} for index, row in block]
            self._connection.execute(insert(table("pool_result")), lines)
        return counts["games"], counts["rows"]

    def keep_ratings(self, pool: str, inputs: str, text: str) -> None:
        """Remember ratings worked out from these inputs; no act, they can be worked out again."""
        cache = table("rating_cache")
        self._connection.execute(delete(cache).where(cache.c.pool == pool))
        row = {"pool": pool, "inputs": inputs, "text": text}
        row["checksum"] = journal.cache_checksum(pool, inputs, text)
        self._connection.execute(insert(cache), [row])

    def _keep_record(self, text: str) -> str:
        digest = journal.digest(text)
        if self.record(digest) is None:
            self._connection.execute(insert(table("record")), [{"digest": digest, "text": text}])
        return digest

    def _next(self, name: str, column: str) -> int:
        most = self._connection.execute(select(func.max(table(name).c[column]))).scalar_one()
        return 1 if most is None else int(most) + 1

    def _set_head(self, number: int, head: str) -> None:
        heads = table("head")
        if number == 1:
            self._connection.execute(insert(heads), [{"one": 1, "acts": 1, "hash": head}])
        else:
            self._connection.execute(update(heads).values(acts=number, hash=head))


def rows_digest(rows: Iterable[ImportedRow]) -> str:
    """SHA-256 over imported rows in order, one canonical line each; names the file, however it was written."""
    taken = journal.RowsDigest()
    for row in rows:
        taken.add(*row)
    return taken.text()


def _same_act(before: journal.Act, kind: str, payload: journal.Payload) -> None:
    if before.kind != kind or journal.canonical(before.payload) != journal.canonical(payload):
        message = _("the act {id} has been entered already, as another one ({kind})").format(
            id=before.id, kind=before.kind
        )
        raise TourneyError(ExitCode.CONFLICT, message, _("send it under a new id"))


def _person_row(player: Player) -> dict[str, Any]:
    fields = {"name": player.name, "label": player.label, "club": player.club}
    checksum = journal.person_checksum(player.id, **fields)
    return {"player": player.id, **fields, "folded": fold(player.shown), "checksum": checksum}


def _result_payload(event: Event, at: Table, outcome: Outcome) -> dict[str, Any]:
    hands = [
        {
            "contract": hand.contract,
            "points": list(hand.points),
            "closer": hand.closer,
            "at_once": hand.at_once,
        }
        for hand in outcome.hands
    ]
    return {
        "event": event.id,
        "round": at.round,
        "table": at.number,
        "hands": hands,
        "points": list(outcome.points),
        "hands_won": list(outcome.hands_won),
        "places": list(outcome.places),
    }
