"""The event that the hall shows: the current one, once it has begun."""

from __future__ import annotations

from tourney import storage
from tourney.domain.events import Event
from tourney.service.lookup import find_event


def hall_event(db: str | None, name: str | None = None) -> Event:
    """Return the event that pages for everybody show: the one named, or else the current one.

    The next evening is often prepared while the last one still hangs on the wall: until somebody has checked in or a
    round is published, the newest finished event before it is shown. Raises TourneyError NOT_FOUND.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, name)
        if name is not None or event.state == "finished" or _has_begun(reader, event):
            return event
        earlier = (
            reader.events.get(number) for number in sorted(reader.events.names(), reverse=True) if number < event.id
        )
        return next((found for found in earlier if found.state == "finished"), event)


def _has_begun(reader: storage.Reader, event: Event) -> bool:
    return "checked in" in event.states or any(not drawn.draft for drawn in reader.rounds.of(event))
