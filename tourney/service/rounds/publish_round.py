"""Publish a draft of a round, so that others than the desk see it, or draw the newest round again instead."""

from __future__ import annotations

from dataclasses import dataclass

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rounds import Round
from tourney.domain.schedule import Schedule
from tourney.service.change import Change
from tourney.service.lookup import ComparedChange, event_argument, find_open_event, find_round, newest
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.rounds.rounds import schedule_of
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class RedrawRound(ComparedChange[Schedule]):
    """Cancel the newest round and draw it again, as a draft.

    Refused as `CancelRound` and `DrawRound`, and REFUSED if everybody would sit where they do now.
    """

    event: str | None
    anyway: bool = False

    def perform(self, store: storage.Store) -> Schedule:
        """Return the round as it is drawn now."""
        event = find_open_event(store, self.event)
        before = newest(event, store.rounds.of(event))
        CancelRound(self.event, _("drawn again"), before.number).perform(store)
        drawn = DrawRound(self.event, anyway=self.anyway, draft=True).perform(store)
        if _seats(drawn.rounds[0]) == _seats(before):
            message = _("round {round} would be drawn as it is").format(round=before.number)
            hint = _("change who plays, the settings or the constraints first, or move players by hand")
            raise TourneyError(ExitCode.REFUSED, message, hint)
        return drawn


def _seats(drawn: Round) -> object:
    return drawn.tables, drawn.sitting_out


@dataclass(frozen=True, slots=True)
class PublishRound(Change[Schedule]):
    """Publish a draft of a round, the newest unless named.

    Refused: NOT_FOUND for an unknown event or round; CONFLICT if it is no draft, as one that has a result is none;
    REFUSED if the event is finished or nothing is drawn.
    """

    event: str | None = None
    round: int | None = None

    def perform(self, store: storage.Store) -> Schedule:
        """Return only this round."""
        event = find_open_event(store, self.event)
        rounds = store.rounds.of(event)
        draft = newest(event, rounds) if self.round is None else find_round(event, rounds, self.round)
        if not draft.draft:
            message = _("round {round} of {event} is published already").format(
                round=draft.number, event=event.settings.name
            )
            hint = _("see it with `tourney round show{event}`").format(event=event_argument(event))
            raise TourneyError(ExitCode.CONFLICT, message, hint)
        store.write(storage.kinds.rounds.RoundPublished(event, draft.number))
        return schedule_of(store, event, draft.number)
