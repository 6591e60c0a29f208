"""Attendance: entrants who check in, withdraw and return."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import GONE, EntrantState, Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round
from tourney.domain.schedule import Attendance
from tourney.service.change import Change
from tourney.service.lookup import InEvent, event_argument, find_entrants, find_open_event
from tourney.service.seating import plan_diff
from tourney.text.i18n import _
from tourney.text.names import optional
from tourney.text.sanitize import quote_argument

Absence = Literal["withdrawn", "no-show", "removed"]


@dataclass(frozen=True, slots=True)
class CheckInPlayers(Change[Attendance]):
    """Check entrants in: the named ones, or with `everybody` all who have not left.

    Refused: NOT_FOUND, USAGE if nobody is named, REFUSED for entrants who have left and for a finished event.
    """

    event: str | None
    names: Sequence[str] = ()
    everybody: bool = False

    def perform(self, store: storage.Store) -> Attendance:
        """Return the players checked in now, and those who were checked in before."""
        if bool(self.names) == self.everybody:
            message = _("nobody is named to check in")
            raise TourneyError(ExitCode.USAGE, message, _("give names, or --all for everybody"))
        event = find_open_event(store, self.event)
        states = states_of(event)
        chosen = _named(event, self.names) or [player for player in event.entrants if states[player.id] not in GONE]
        _refuse_gone(event, states, chosen)
        new = [player for player in chosen if states[player.id] != "checked in"]
        return _written(store, event, chosen, new, storage.kinds.people.PlayersCheckedIn(event, new))


@dataclass(frozen=True, slots=True)
class TakeBackCheckIn(Change[Attendance]):
    """Take back the check-in of entrants who were checked in by mistake: they are entered, and not here yet.

    Refused: NOT_FOUND, USAGE if nobody is named, REFUSED for entrants who have a seat or a bye in a round, and for a
    finished event.
    """

    event: str | None
    names: Sequence[str]

    def perform(self, store: storage.Store) -> Attendance:
        """Return the players who are not checked in any more, and those who were not checked in."""
        event = find_open_event(store, self.event)
        states = states_of(event)
        chosen = _require_names(_named(event, self.names))
        new = [player for player in chosen if states[player.id] == "checked in"]
        _refuse_drawn(event, store.rounds.of(event), new)
        unchecked = storage.kinds.people.PlayersReturned(event, new, "entered", unchecked=True)
        return _written(store, event, chosen, new, unchecked)


@dataclass(frozen=True, slots=True)
class WithdrawPlayers(InEvent[Attendance]):
    """Take entrants out of the coming rounds; their games stay. `absence` "no-show" means that they never came,
    "removed" that they were entered by mistake.

    Entrants who have left already keep their state and are returned as `already`. Refused: NOT_FOUND, USAGE if nobody
    is named, REFUSED for a finished event.
    """

    event: str | None
    names: Sequence[str]
    reason: str = ""
    absence: Absence = "withdrawn"

    def perform(self, store: storage.Store) -> Attendance:
        """Return the players who have left now, and the tables without a result at which they still sit."""
        event = find_open_event(store, self.event)
        states = states_of(event)
        chosen = _require_names(_named(event, self.names))
        new = [player for player in chosen if states[player.id] not in GONE]
        reason = optional(self.reason, _("reason"))
        withdrawn = storage.kinds.people.PlayersWithdrawn.of(event, new, self.absence, reason)
        there = {player.id for player in new}
        waiting = store.results.waiting(event, store.rounds.of(event))
        seated = (table for table in waiting if any(player.id in there for player in table.players))
        return replace(_with_broken(store, _written(store, event, chosen, new, withdrawn)), seated=tuple(seated))


@dataclass(frozen=True, slots=True)
class ReturnPlayers(InEvent[Attendance]):
    """Let entrants who had left play again, from the next round that is drawn.

    Refused: NOT_FOUND, USAGE if nobody is named, REFUSED for a finished event.
    """

    event: str | None
    names: Sequence[str]

    def perform(self, store: storage.Store) -> Attendance:
        """Return the players who are back now, and those who had not left."""
        event = find_open_event(store, self.event)
        states = states_of(event)
        chosen = _require_names(_named(event, self.names))
        new = [player for player in chosen if states[player.id] in GONE]
        back = storage.kinds.people.PlayersReturned.back(event, new)
        return _with_broken(store, _written(store, event, chosen, new, back))


def states_of(event: Event) -> dict[int, EntrantState]:
    """Return the state of each entrant, by the player's number."""
    return {player.id: state for player, state in zip(event.entrants, event.states, strict=True)}


def taking_part(event: Event, rounds: Iterable[Round]) -> tuple[Player, ...]:
    """Return the entrants in their order, without those who left before they had a seat in one of these rounds."""
    seated = {player.id for drawn in rounds for table in drawn.tables for player in table.players}
    states = states_of(event)
    return tuple(each for each in event.entrants if each.id in seated or states.get(each.id) not in GONE)


def refuse_absent(event: Event, player: Player) -> None:
    """Raise TourneyError REFUSED for an entrant who cannot be seated: they have left, or have not checked in."""
    if player in event.playing:
        return
    named = {"event": event_argument(event), "player": quote_argument(player.shown)}
    if event.stage is not None and is_here(event, player):
        message = _("{name} does not play in {stage}").format(name=player.shown, stage=event.stage.name)
        hint = _("add a seat first: `tourney event cut{event} --also {player}`").format(**named)
        raise TourneyError(ExitCode.REFUSED, message, hint)
    if states_of(event)[player.id] == "entered":
        message, verb = _("{name} has not checked in"), "checkin"
    else:
        message, verb = _("{name} has left the event"), "return"
    hint = _("first: `tourney event {verb}{event} {player}`").format(verb=verb, **named)
    raise TourneyError(ExitCode.REFUSED, message.format(name=player.shown), hint)


def is_here(event: Event, player: Player) -> bool:
    """Return whether the player is present, whether or not they play in the stage."""
    return player in replace(event, members=None).playing


def _named(event: Event, names: Sequence[str]) -> list[Player]:
    return list({player.id: player for player in find_entrants(event, names)}.values())


def _require_names(players: list[Player]) -> list[Player]:
    if not players:
        raise TourneyError(ExitCode.USAGE, _("nobody is named"), _("name at least one entrant"))
    return players


def _refuse_gone(event: Event, states: Mapping[int, EntrantState], chosen: Sequence[Player]) -> None:
    gone = [player.shown for player in chosen if states[player.id] in GONE]
    if gone:
        message = _("{player} has left the event").format(player=gone[0])
        hint = _("bring them back with `tourney event return{event} {players}`").format(
            event=event_argument(event), players=" ".join(map(quote_argument, gone))
        )
        raise TourneyError(ExitCode.REFUSED, message, hint)


def _refuse_drawn(event: Event, rounds: Iterable[Round], chosen: Sequence[Player]) -> None:
    """Raise TourneyError REFUSED for the first of the players who is in a round."""
    for drawn in rounds:
        there = {player.id for table in drawn.tables for player in table.players} | {
            each.id for each in drawn.sitting_out
        }
        for player in chosen:
            if player.id in there:
                message = _("{player} is in round {round}, which is drawn").format(
                    player=player.shown, round=drawn.number
                )
                hint = _("if they are not here: `tourney event withdraw{event} {player} --no-show`").format(
                    event=event_argument(event), player=quote_argument(player.shown)
                )
                raise TourneyError(ExitCode.REFUSED, message, hint)


def _written(
    store: storage.Store,
    event: Event,
    chosen: Sequence[Player],
    new: Sequence[Player],
    entry: storage.kinds.base.OfEvent,
) -> Attendance:
    """Write the entry about the `new` of the chosen players, if there are any, and return what it changes."""
    before = plan_diff.PlanInputs.of(store, event)
    after = store.changed(entry) if new else event
    already = tuple(player for player in chosen if player not in new)
    return Attendance(after, tuple(new), already, ahead=plan_diff.announced(store, before, after))


def _with_broken(store: storage.Store, attendance: Attendance) -> Attendance:
    broken = plan_diff.broken_by_plan(plan_diff.PlanInputs.of(store, attendance.event)) if attendance.ahead else ()
    return replace(attendance, broken=broken)
