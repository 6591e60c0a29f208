"""The clock of a round: started, stopped, set to another length, and watched with the tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.rounds import MOST_MINUTES, Clock, Round
from tourney.domain.schedule import Schedule
from tourney.service.change import Change
from tourney.service.lookup import event_argument, find_event, find_open_event, find_round, newest_played
from tourney.service.rounds.rounds import Which, published, schedule_of
from tourney.text.i18n import _

SETTLING = timedelta(seconds=3)
"""The time after a write during which every look reads: file systems keep times to as little as two seconds."""


class WatchedRound:
    """A round of an event; without a number the newest that is played, whichever that is at each look.

    The event is the one that is current when the watch begins. Raises TourneyError NOT_FOUND for an unknown event or
    round. Later errors, such as a locked database, stand in `fault`; the state is then the last one that was read.
    """

    def __init__(self, db: str | None, event: str | None, number: int | None) -> None:
        self.fault = ""
        self._db = db
        self._which: Which = "played" if number is None else number
        self._written: storage.WriteMark | None = None
        self._settled_at = datetime.min.replace(tzinfo=UTC)
        with storage.reading(db) as reader:
            found = find_event(reader, event)
            if number is not None:
                find_round(found, reader.rounds.of(found), number)
            self._event = found.id
        self._seen = Schedule(found, ())

    def look(self, now: datetime) -> Schedule:
        """Return the round as it is now; without rounds if none is drawn."""
        written = storage.last_written(storage.locate(self._db))
        if written != self._written:
            self._written, self._settled_at = written, now + SETTLING
        if self.fault or now < self._settled_at:
            self._read()
        return self._seen

    def _read(self) -> None:
        try:
            with storage.reading(self._db) as reader:
                found = schedule_of(reader, reader.events.get(self._event), self._which)
                self._seen = published(found) if self._which == "played" else found
            self.fault = ""
        except TourneyError as error:
            self.fault = error.message


ClockCommand = Literal["start", "stop", "set", "pause"]


@dataclass(frozen=True, slots=True)
class ChangeClock(Change[Schedule]):
    """Start a round's clock, stop or pause it, or set the length of a running one: the newest's unless named.

    A draft has no clock. A clock starts at `now`. It runs for the `minutes` that are given, or else for those that were
    left when it was paused, or else for the event's. Minutes left are whole: a part of one counts as one.
    Refused: NOT_FOUND for an unknown event or round; CONFLICT if the clock runs already, or does not run; REFUSED if
    the event is finished or no length is known.
    """

    event: str | None
    command: ClockCommand
    round: int | None = None
    minutes: int | None = None
    now: datetime | None = None

    def perform(self, store: storage.Store) -> Schedule:
        """Return only this round."""
        event = find_open_event(store, self.event)
        rounds = store.rounds.of(event)
        timed = newest_played(event, rounds) if self.round is None else find_round(event, rounds, self.round)
        clock = self._changed(event, timed)
        store.write(storage.kinds.rounds.ClockSet(event, timed.number, clock.started, clock.minutes))
        return schedule_of(store, event, timed.number)

    def _changed(self, event: Event, timed: Round) -> Clock:
        """Return the clock as the journal has it: without minutes it is removed, without a beginning it is paused."""
        now = self.now or datetime.now(UTC)
        if self.command == "start":
            if timed.clock is not None:
                message = _("the clock of round {round} runs already").format(round=timed.number)
                hint = _("stop it with --stop, or set its length with --minutes")
                raise TourneyError(ExitCode.CONFLICT, message, hint)
            return Clock(_utc(now), _length(event, (timed.paused or None) if self.minutes is None else self.minutes))
        if timed.clock is None and not (timed.paused and self.command == "stop"):
            message = _("the clock of round {round} does not run").format(round=timed.number)
            raise TourneyError(ExitCode.CONFLICT, message, _("start it with --start"))
        if self.command == "stop" or timed.clock is None:
            return Clock("", 0)
        if self.command == "pause":
            return Clock("", _left(timed.clock, now))
        return Clock(timed.clock.started, _length(event, self.minutes))


def _left(clock: Clock, now: datetime) -> int:
    """Return the minutes that a clock has left, a part of one as one; at its end it is too late for a pause."""
    ends = datetime.fromisoformat(clock.started) + timedelta(minutes=clock.minutes)
    left = -((now - ends) // timedelta(minutes=1))
    if left < 1:
        raise TourneyError(ExitCode.CONFLICT, _("the time of this round is up"), _("set another length instead"))
    return left


def _length(event: Event, minutes: int | None) -> int:
    length = event.settings.minutes if minutes is None else minutes
    if length is None:
        message = _("{event} has no length for its rounds").format(event=event.settings.name)
        hint = _("give --minutes, here or with `tourney event set{event} --minutes N`")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(event=event_argument(event)))
    if not 1 <= length <= MOST_MINUTES:
        message = _("a round cannot last {minutes} minutes").format(minutes=length)
        raise TourneyError(ExitCode.REFUSED, message, _("a round lasts 1 to {most} minutes").format(most=MOST_MINUTES))
    return length


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
