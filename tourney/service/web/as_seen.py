"""Changes of rounds that were decided on a page: made only if the rounds are still those that it showed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.rounds import Round
from tourney.service.change import Change, Outcome, Scope
from tourney.service.lookup import find_event
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class AsSeen(Change[Outcome]):
    """A change of an event's rounds that was decided when they had this `mark`.

    Refused: CONFLICT if a round was drawn, published, changed or cancelled since; and as the change is.
    """

    event: str | None
    mark: str
    change: Change[Outcome]

    def perform(self, store: storage.Store) -> Outcome:
        """Return the outcome of the change."""
        event = find_event(store, self.event)
        if self.mark != _mark(event, store.rounds.of(event)):
            message = _("the rounds of {event} were changed while this page was open").format(event=event.settings.name)
            raise TourneyError(ExitCode.CONFLICT, message, _("look at what stands now, then decide again"))
        return self.change.perform(store)

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return the scope of the change."""
        return self.change.scope(reader)

    def cut_scope(self, reader: storage.Reader) -> Collection[int]:
        """Return the events of the change."""
        return self.change.cut_scope(reader)


def rounds_mark(db: str | None, event_name: str | None) -> str:
    """Return the mark of an event's rounds as they are now. Raises TourneyError NOT_FOUND for an unknown event."""
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        return _mark(event, reader.rounds.of(event))


def _mark(event: Event, rounds: Sequence[Round]) -> str:
    """Return a text that differs wherever another player sits, a round is drawn or a draft is published."""
    seats = [
        (
            drawn.number,
            drawn.draft,
            [(table.number, [player.id for player in table.players]) for table in drawn.tables],
            [player.id for player in drawn.sitting_out],
        )
        for drawn in rounds
    ]
    return sha256(repr((event.id, seats)).encode()).hexdigest()[:16]
