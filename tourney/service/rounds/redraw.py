"""Draw the newest round anew, after players have come or gone."""

from __future__ import annotations

from dataclasses import dataclass

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rounds import Round
from tourney.domain.schedule import Schedule
from tourney.service.lookup import ComparedChange, find_open_event, newest
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class RedrawRound(ComparedChange[Schedule]):
    """Cancel the newest round and draw it anew, as a draft.

    Refused as `CancelRound` and `DrawRound`, and REFUSED if everybody would sit where they do now.
    """

    event: str | None
    anyway: bool = False

    def perform(self, store: storage.Store) -> Schedule:
        """Return the round as it is drawn now."""
        event = find_open_event(store, self.event)
        before = newest(event, store.rounds.of(event))
        CancelRound(self.event, _("drawn anew"), before.number).perform(store)
        drawn = DrawRound(self.event, anyway=self.anyway, draft=True).perform(store)
        if _seats(drawn.rounds[0]) == _seats(before):
            message = _("round {round} would be drawn as it is").format(round=before.number)
            hint = _("change who plays, the settings or the constraints first, or move players by hand")
            raise TourneyError(ExitCode.REFUSED, message, hint)
        return drawn


def _seats(drawn: Round) -> object:
    return drawn.tables, drawn.sitting_out
