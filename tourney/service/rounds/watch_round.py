"""Watch a round: its tables and its clock, read again only when the database has changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.domain.schedule import Schedule
from tourney.service.lookup import find_event, find_round
from tourney.service.rounds.rounds import Which, published, schedule_of

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
