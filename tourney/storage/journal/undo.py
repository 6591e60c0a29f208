"""What of the journal stands: undo takes back the newest batch, redo puts it back, until something new is done.

A batch is all acts of one command. Erasing a person stands for ever: undo passes over it. Here the whole journal is
folded from the beginning, as a check and an upgrade need it; `undoing` does the same step by step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from tourney.storage.journal.checksums import damaged, seal
from tourney.storage.journal.entries import Act, Payload, State
from tourney.storage.journal.partitions import Part
from tourney.storage.projections import parts, project
from tourney.storage.projections.rows import fill
from tourney.storage.schema import table
from tourney.text.i18n import _

TURNS: Mapping[str, State] = {"undo": "takes back", "redo": "puts back"}
"""Acts that only turn others."""
FOR_EVER = frozenset({"player.erase"})
IMPOSSIBLE = (DBAPIError, AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
"""What comes of folding an act that no command can have written."""


@dataclass(slots=True)
class History:
    """What became of each act so far, acts numbered from 0 here; `undone` has batches, the last undone on top."""

    states: list[State] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)
    _batch: str = ""
    _batches: dict[str, list[int]] = field(default_factory=dict)
    _standing: list[str] = field(default_factory=list)

    def add(self, act: Act) -> None:
        """Take the next act in.

        Raises ValueError for an act of a batch that has not begun, and for one that turns another batch than
        is to be turned next.
        """
        if act.batch not in {act.id, self._batch}:
            raise ValueError("its batch is over")
        self._batch = act.batch
        if act.kind not in TURNS:
            self._happen(act)
            return
        stack = self._standing if act.kind == "undo" else self.undone
        if not stack or stack[-1] != act.payload["batch"]:
            raise ValueError("it is not that batch's turn")
        batch = stack.pop()
        (self.undone if act.kind == "undo" else self._standing).append(batch)
        for number in self._batches[batch]:
            self.states[number] = "undone" if act.kind == "undo" else "stands"
        self.states.append(TURNS[act.kind])

    def _happen(self, act: Act) -> None:
        self.undone.clear()
        if act.kind not in FOR_EVER:
            there = self._batches.setdefault(act.batch, [])
            if not there:
                self._standing.append(act.batch)
            there.append(len(self.states))
        self.states.append("stands")


def states(acts: Sequence[Act]) -> list[State]:
    """What became of each act of the whole journal. Raises TourneyError STORAGE if it cannot have happened so."""
    history = History()
    try:
        for act in acts:
            history.add(act)
    except IMPOSSIBLE as error:
        raise damaged(_("the journal cannot have happened so: {error}").format(error=error)) from error
    return history.states


def fold(connection: Connection, acts: Sequence[Act]) -> Iterator[str]:
    """Fill the empty index from all acts, and seal it; what in them cannot have happened, a line each."""
    history, told = History(), _Told()
    for number, act in enumerate(acts, 1):
        try:
            told.add(number, act)
            history.add(act)
        except IMPOSSIBLE:
            yield _impossible(number, act)
            break
    happened = list(zip(acts, history.states, strict=False))
    _note(connection, happened, history)
    told.write(connection)
    for number, (act, state) in enumerate(happened, 1):
        if state == "stands":
            try:
                project(connection, act.kind, number, act.payload)
            except IMPOSSIBLE:
                yield _impossible(number, act)
    drafts = connection.execute(select(table("draft").c.event)).scalars()
    seal(connection, sorted({*told.parts, *(Part("drafts", event) for event in drafts)}))


@dataclass(slots=True)
class _Told:
    """What acts tell of themselves, whether they stand or not: the parts they write, the numbers they give out."""

    parts: set[Part] = field(default_factory=set)
    _traces: list[dict[str, Any]] = field(default_factory=list)
    _last: dict[tuple[str, int], int] = field(default_factory=dict)

    def add(self, number: int, act: Act) -> None:
        if act.kind not in TURNS:
            self.parts.update(parts(act.kind, act.payload))
            self._traces += traces(number, act)
            self._last |= numbers(act.kind, act.payload)

    def write(self, connection: Connection) -> None:
        fill(connection, "trace", self._traces)
        rows = [{"kind": kind, "event": event, "last": last} for (kind, event), last in self._last.items()]
        fill(connection, "counter", rows)


def _impossible(number: int, act: Act) -> str:
    return f"journal: act {number} ({act.kind}) cannot have happened after those before it"


def _note(connection: Connection, happened: Sequence[tuple[Act, State]], history: History) -> None:
    first = {act.id: number for number, (act, _state) in enumerate(happened, 1)}
    steps = enumerate(happened, 1)
    fill(connection, "step", [{"act": at, "batch": first[act.batch], "state": state} for at, (act, state) in steps])
    fill(connection, "undone", [{"place": at, "batch": first[batch]} for at, batch in enumerate(history.undone, 1)])


def traces(number: int, act: Act) -> list[dict[str, Any]]:
    """The rows that say which parts the act writes."""
    return [{**part.row(), "act": number} for part in parts(act.kind, act.payload)]


def numbers(kind: str, payload: Payload) -> Mapping[tuple[str, int], int]:
    """The highest numbers that the act gives out, by what they count and in which event."""
    if kind == "player.add":
        return {("player", 0): max(player["id"] for player in payload["players"])}
    if kind == "ruling.add":
        return {("ruling", payload["event"]): payload["ruling"]}
    counted = {"event.new": "event", "pool.new": "pool", "rating.import": "import", "league.new": "league"}.get(kind)
    return {} if counted is None else {(counted, 0): payload[counted]}
