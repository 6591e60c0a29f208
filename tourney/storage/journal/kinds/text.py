"""The journal as text: entry by entry, with names for the numbers that entries hold.

What later sentences refer to is kept as facts of the command that gave them, and is not known while that is undone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from tourney.domain.database import LogLine
from tourney.storage.journal.entries import LoggedEntry, Payload
from tourney.storage.journal.kinds.base import KINDS
from tourney.text.i18n import _, ngettext
from tourney.text.ranges import listed

MOST_NAMES = 30


class JournalText:
    """Writes the sentences of entries in the order of the journal; keeps the facts that later sentences refer to.

    `names` are today's names of the players by number; a merged player has
    the name of the registration that was kept. `own` has the name that each merged player had just before the merger.
    """

    def __init__(self, names: Mapping[int, str], own: Mapping[int, str]) -> None:
        self._names = names
        self._own = own
        self._facts: dict[tuple[Any, ...], list[tuple[str, Any]]] = defaultdict(list)
        self._undone: set[str] = set()
        self._batches: dict[str, list[LogLine]] = defaultdict(list)

    def line(self, entry: LoggedEntry) -> LogLine:
        """Return the line of the next entry. Raises KeyError for a kind of entry without a sentence."""
        if "batch" in entry.payload:
            return self._reversal(entry)
        event, batch = entry.payload.get("event", 0), entry.batch if entry.origin is None else entry.origin.batch
        sentence = self.sentence(entry.kind, entry.payload)
        for key, value in KINDS[entry.kind].facts(entry.payload).items():
            self._facts[key].append((batch, value))
        name = self.event(event) if event else ""
        line = LogLine(entry.number, entry.time, entry.kind, name, sentence, entry.state, entry.by)
        if not KINDS[entry.kind].permanent:
            # A permanent entry stays when the other entries of its command are undone.
            self._batches[batch].append(line)
        return line

    def sentence(self, kind: str, payload: Payload) -> str:
        """Return the sentence of an entry, with the names known so far. Raises KeyError for an unknown kind."""
        return KINDS[kind].sentence(self, payload)

    def player(self, number: int) -> str:
        """Return a player's name today, or their number if the registration was undone."""
        return self._names.get(number) or _("player {number}").format(number=number)

    def own_name(self, number: int) -> str:
        """Return the name that a merged player had just before the merger."""
        return self._own.get(number) or self.player(number)

    def players(self, numbers: Iterable[int]) -> str:
        """Return the players' names as a list in one line."""
        return listed((self.player(number) for number in numbers), MOST_NAMES)

    def event(self, number: int) -> str:
        """Return the name that the event had at the current entry."""
        return self.fact("event", number) or _("event {number}").format(number=number)

    def fact(self, *key: Any) -> Any:
        """Return the newest value of a fact whose command is not undone; None if there is none."""
        newest_first = reversed(self._facts.get(key, []))
        return next((value for batch, value in newest_first if batch not in self._undone), None)

    def seats(self, event: int, number: int) -> dict[int, Sequence[int]]:
        """Return the numbers of the players at each table of a round, by table."""
        tables = [key for key in self._facts if key[:3] == ("seats", event, number)]
        return {key[3]: self.fact(*key) or [] for key in tables}

    def scores(self, payload: Payload, before: Sequence[int] = ()) -> str:
        """Return the players of a result's table, each with the total, and the total `before` if that differed."""
        seats = self.fact("seats", *spot(payload)) or []
        totals = _totals(before, payload["points"])
        scores = ", ".join(f"{self.player(player)} {total}" for player, total in zip(seats, totals, strict=False))
        short = payload.get("short", 0)
        if not short:
            return scores
        text = ngettext("{scores} ({number} hand not played)", "{scores} ({number} hands not played)", short)
        return text.format(scores=scores, number=short)

    def _reversal(self, entry: LoggedEntry) -> LogLine:
        batch = entry.payload["batch"]
        if entry.state == "takes back":
            self._undone.add(batch)
            text = _("undone: {change}")
        else:
            self._undone.discard(batch)
            text = _("put back: {change}")
        line = self.command(batch)
        said = text.format(change=line.said)
        return LogLine(entry.number, entry.time, entry.kind, line.event, said, entry.state, entry.by)

    def command(self, batch: str) -> LogLine:
        """Return the line of a command: the one of its first entry, with the number of further entries."""
        first, *more = self._batches[batch]
        said = first.said
        if more:
            text = ngettext("{first}, and {number} more change", "{first}, and {number} more changes", len(more))
            said = text.format(first=said, number=len(more))
        return replace(first, said=said)


def _totals(before: Sequence[int], after: Sequence[int]) -> list[str]:
    """Return a result's totals in seat order, each with the total before it if that differed."""
    return [
        str(new) if old in (None, new) else _("{before} → {after}").format(before=old, after=new)
        for old, new in zip_longest(before[: len(after)], after)
    ]


def spot(payload: Payload) -> tuple[int, int, int]:
    """Return event, round and table of an entry."""
    return payload["event"], payload["round"], payload["table"]


def at_table(payload: Payload) -> str:
    """Return the table of an entry in words."""
    return _("table {table} of round {round}").format(table=payload["table"], round=payload["round"])
