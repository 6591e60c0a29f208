"""Deletion of an event: it is gone with its rounds, results and rulings, and undo brings it back."""

from __future__ import annotations

from dataclasses import dataclass

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import DeletedEvent
from tourney.service.change import Change, Scope
from tourney.service.lookup import find_event
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class DeleteEvent(Change[DeletedEvent]):
    """Delete an event, its people stay. Refused: NOT_FOUND, and CONFLICT for one that counts in a season."""

    event: str

    def perform(self, store: storage.Store) -> DeletedEvent:
        """Return the event that is gone, with what it had."""
        event = find_event(store, self.event)
        for season in store.seasons.all():
            if event.id in {counted.event for counted in season.counted}:
                names = {"event": event.settings.name, "season": season.settings.name}
                hint = _("leave it out with `tourney season remove {season} {event}` first").format(
                    season=quote_argument(names["season"]), event=quote_argument(names["event"])
                )
                message = _("{event} counts in the season {season}").format(**names)
                raise TourneyError(ExitCode.CONFLICT, message, hint)
        rounds, results, rulings = (
            store.rounds.of(event),
            store.results.finished(event.id),
            store.results.rulings(event),
        )
        store.write(storage.kinds.events.EventDeleted(event, [drawn.number for drawn in rounds]))
        return DeletedEvent(event, len(rounds), len(results), len(rulings))

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: the ratings, in which the event counted."""
        return Scope(())
