"""Substitutes: somebody who plays for an entrant in a round, whose seat stays the entrant's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Substitution, Table
from tourney.service.directory import Directory
from tourney.service.lookup import (
    ComparedChange,
    event_argument,
    find_entrant,
    find_open_event,
    find_round,
    newest,
)
from tourney.service.players import unknown_hint
from tourney.text.i18n import _

MOST_NAMES: Final = 2


@dataclass(frozen=True, slots=True)
class Substituted:
    """A table at which a substitute plays now, or (None) no longer does."""

    event: Event
    table: Table
    absent: Player
    substitution: Substitution | None


@dataclass(frozen=True, slots=True)
class NameSubstitute(ComparedChange[Substituted]):
    """Let somebody play for an entrant in a round (the newest unless named); with one name, nobody does any longer.

    Whoever is no entrant becomes one who has left again, and so is not seated in coming rounds. Refused: NOT_FOUND;
    REFUSED for a finished event, an entrant without a seat in the round, and a substitute who plays in it already.
    """

    event: str | None
    names: Sequence[str]
    round: int | None = None

    def perform(self, store: storage.Store) -> Substituted:
        """Return the table, and who plays for whom."""
        if not 1 <= len(self.names) <= MOST_NAMES:
            message = _("a substitution has an absent player and a substitute")
            raise TourneyError(ExitCode.USAGE, message, _("as in `tourney round substitute Ana Eva`"))
        event = find_open_event(store, self.event)
        rounds = store.rounds.of(event)
        drawn = newest(event, rounds) if self.round is None else find_round(event, rounds, self.round)
        absent = find_entrant(event, self.names[0])
        table = _table(event, drawn, absent)
        if len(self.names) == 1:
            self._refuse_without(store, event, drawn, absent)
            store.write(storage.kinds.rounds.SubstituteNamed(event, drawn.number, absent, None))
            return Substituted(event, table, absent, None)
        substitute = Directory.registered(store.people.players()).find(self.names[1], hint=unknown_hint())
        _refuse_playing(store, event, drawn, substitute)
        event = _entered(store, event, substitute)
        store.write(storage.kinds.rounds.SubstituteNamed(event, drawn.number, absent, substitute))
        return Substituted(event, table, absent, Substitution(drawn.number, absent, substitute))

    def _refuse_without(self, store: storage.Store, event: Event, drawn: Round, absent: Player) -> None:
        if (drawn.number, absent.id) not in {
            (each.round, each.absent.id) for each in store.rounds.substitutions(event)
        }:
            message = _("nobody plays for {player} in round {round}").format(player=absent.shown, round=drawn.number)
            raise TourneyError(ExitCode.NOT_FOUND, message, _("name the absent player, and then the substitute"))


def _table(event: Event, drawn: Round, player: Player) -> Table:
    """Return the table of an entrant. Raises TourneyError REFUSED if they have none in the round."""
    found = next((table for table in drawn.tables if player in table.players), None)
    if found is None:
        message = _("{player} has no seat in round {round}").format(player=player.shown, round=drawn.number)
        hint = _("see who sits where with `tourney round show{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return found


def _refuse_playing(store: storage.Store, event: Event, drawn: Round, substitute: Player) -> None:
    """Raise TourneyError REFUSED for a substitute who has a seat in the round, or plays for somebody in it."""
    seated = any(substitute in table.players for table in drawn.tables)
    others = {each.substitute.id for each in store.rounds.substitutions(event) if each.round == drawn.number}
    if seated or substitute.id in others:
        message = _("{player} plays in round {round} already").format(player=substitute.shown, round=drawn.number)
        raise TourneyError(ExitCode.REFUSED, message, _("name somebody who has no seat in it"))


def _entered(store: storage.Store, event: Event, player: Player) -> Event:
    """Return the event with the player among its entrants: a new one is not seated in coming rounds."""
    if player in event.entrants:
        return event
    entered = store.events.enter(event, [player])
    return store.changed(storage.kinds.people.PlayersWithdrawn(entered, [player], "withdrawn", ""))
