"""A round's clock: started, stopped, set to another length, and what it says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.modes import Mode
from tourney.domain.rounds import Clock, Round
from tourney.domain.schedule import Schedule
from tourney.service.lookup import find_event, find_round, newest, refuse_finished
from tourney.service.rounds.rounds import schedule_of
from tourney.text.i18n import _

ClockAct = Literal["start", "stop", "set"]
MOST_MINUTES = 24 * 60


def turn(
    db: str | None,
    event: str | None,
    act: ClockAct,
    round_number: int | None = None,
    minutes: int | None = None,
    now: datetime | None = None,
    mode: Mode = "save",
) -> Schedule:
    """Start a round's clock (the newest round's unless named), stop it, or set the length of one that runs.

    It starts `now`, and lasts the event's minutes unless given. The schedule has that round alone. Raises
    TourneyError NOT_FOUND for an unknown event or round; CONFLICT if the clock runs already, or does not run;
    REFUSED if the event is finished or no length is known.
    """
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        refuse_finished(found)
        rounds = store.rounds(found)
        one = newest(found, rounds) if round_number is None else find_round(found, rounds, round_number)
        store.start_clock(found, one.number, _turned(found, one, act, minutes, now or datetime.now(UTC)))
        return schedule_of(store, found, one.number)


def _turned(event: Event, one: Round, act: ClockAct, minutes: int | None, now: datetime) -> Clock | None:
    if act == "start":
        if one.clock is not None:
            message = _("the clock of round {round} runs already").format(round=one.number)
            raise TourneyError(ExitCode.CONFLICT, message, _("stop it with --stop, or set its length with --minutes"))
        return Clock(_utc(now), _length(event, minutes))
    if one.clock is None:
        message = _("the clock of round {round} does not run").format(round=one.number)
        raise TourneyError(ExitCode.CONFLICT, message, _("start it with --start"))
    return None if act == "stop" else Clock(one.clock.started, _length(event, minutes))


def _length(event: Event, minutes: int | None) -> int:
    length = event.settings.minutes if minutes is None else minutes
    if length is None:
        message = _("{event} says nothing about how long a round lasts").format(event=event.settings.name)
        raise TourneyError(ExitCode.REFUSED, message, _("give --minutes, here or with `tourney event set`"))
    if not 1 <= length <= MOST_MINUTES:
        message = _("a round cannot last {minutes} minutes").format(minutes=length)
        raise TourneyError(ExitCode.REFUSED, message, _("1 to {most} can be").format(most=MOST_MINUTES))
    return length


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
