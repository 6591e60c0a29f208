"""Flags: what a table asks the desk or complains of, and the desk's answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.results import Flag, Flags
from tourney.service.change import Change
from tourney.service.lookup import event_argument, find_event, find_open_event, find_table
from tourney.service.results.sheets import place
from tourney.text.authors import author_of_table
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean

MOST_OPEN: Final = 9
"""The most flags without an answer that the players of a table may raise."""


@dataclass(frozen=True, slots=True)
class RaiseFlag(Change[Flag]):
    """Raise a flag of a table; with a `seat` (from 0) by the player there, at a phone, otherwise by the desk.

    A retry under the same `entry_id` changes nothing. Refused: NOT_FOUND for an unknown event, round or table; REFUSED
    for a finished event, a seat that is not there, without a text, and at a phone if many flags have no answer yet.
    """

    event: str | None
    round: int
    table: int
    text: str
    seat: int | None = None
    entry_id: str = ""

    def perform(self, store: storage.Store) -> Flag:
        """Return the flag with its number."""
        text = clean(self.text, _("text"))
        event = find_open_event(store, self.event)
        table = find_table(event, store.rounds.of(event), self.round, self.table)
        if self.seat is not None and not 0 <= self.seat < len(table.players):
            message = _("{place} has no seat {seat}").format(place=place(event, table), seat=self.seat + 1)
            raise TourneyError(ExitCode.REFUSED, message, _("load the page again"))
        player = None if self.seat is None else table.players[self.seat]
        if self.seat is not None:
            self._refuse_too_many(store, event)
            store.transaction.by = author_of_table(table.number, [self.seat])
        raised = storage.kinds.results.FlagRaised(event, table.round, table.number, player, text)
        number = store.add(raised, self.entry_id)
        return _find(store, event, number)

    def _refuse_too_many(self, store: storage.Store, event: Event) -> None:
        here = (self.round, self.table)
        opened = sum((flag.round, flag.table) == here for flag in store.results.open_flags(event))
        if opened >= MOST_OPEN and store.journal.entry(self.entry_id) is None:
            message = ngettext(
                "this table has {number} call without an answer",
                "this table has {number} calls without an answer",
                opened,
            )
            raise TourneyError(ExitCode.REFUSED, message.format(number=opened), _("ask at the desk"))


@dataclass(frozen=True, slots=True)
class AnswerFlag(Change[Flag]):
    """Answer a flag, which is then no longer open; a later answer takes the place of an earlier one.

    Refused: NOT_FOUND for an unknown event or flag, REFUSED for a finished event, without an answer, and for the answer
    that it has.
    """

    event: str | None
    number: int
    answer: str

    def perform(self, store: storage.Store) -> Flag:
        """Return the flag with its answer."""
        answer = clean(self.answer, _("answer"))
        event = find_open_event(store, self.event)
        if _find(store, event, self.number).answer == answer:
            message = _("call {number} of {event} has this answer already")
            hint = _("see it with `tourney result flags{event}`").format(event=event_argument(event))
            raise TourneyError(ExitCode.REFUSED, message.format(number=self.number, event=event.settings.name), hint)
        store.write(storage.kinds.results.FlagAnswered(event, self.number, answer))
        return _find(store, event, self.number)


def listing(db: str | None, event: str | None = None) -> Flags:
    """Return all flags of an event. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        return Flags(found, reader.results.flags(found))


def open_calls(db: str | None, event: str) -> tuple[Flag, ...]:
    """Return the flags of an event that have no answer yet. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return tuple(reader.results.open_flags(find_event(reader, event)))


def _find(reader: storage.Reader, event: Event, number: int) -> Flag:
    found = next((flag for flag in reader.results.flags(event) if flag.number == number), None)
    if found is None:
        message = _("{event} has no call {number}").format(event=event.settings.name, number=number)
        hint = _("see them with `tourney result flags{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return found
