"""Who is there: checking in, withdrawing and coming back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import EntrantState, Event, Presence
from tourney.domain.modes import Mode
from tourney.domain.people import Player
from tourney.domain.rounds import Table
from tourney.service.lookup import find_entrant, find_event, refuse_finished
from tourney.service.seating.plan_diff import Outlook, changes_ahead
from tourney.text.i18n import _
from tourney.text.names import optional
from tourney.text.sanitize import quote_argument

Who = Literal["the named", "everybody"]
Gone = Literal["withdrawn", "no-show"]
_GONE: frozenset[EntrantState] = frozenset({"withdrawn", "no-show"})


def check_in(
    db: str | None, event: str | None, names: Sequence[str] = (), who: Who = "the named", mode: Mode = "save"
) -> Presence:
    """Check entrants in: the named, or everybody who has not gone away.

    Raises TourneyError NOT_FOUND, USAGE if nobody is named, REFUSED for who has withdrawn and for a finished
    event.
    """
    if bool(names) == (who == "everybody"):
        message = _("it is not said who checks in")
        raise TourneyError(ExitCode.USAGE, message, _("give names, or --all for everybody"))
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        refuse_finished(found)
        before, states = Outlook.of(store, found), states_of(found)
        chosen = _named(found, names) or [one for one in found.entrants if states[one.id] not in _GONE]
        _refuse_gone(found, states, chosen)
        new = [one for one in chosen if states[one.id] != "checked in"]
        after = store.check_in(found, new) if new else found
        told = _presence(after, chosen, new)
        return replace(told, ahead=changes_ahead(before, Outlook.of(store, after)))


def withdraw(
    db: str | None,
    event: str | None,
    names: Sequence[str],
    reason: str = "",
    how: Gone = "withdrawn",
    mode: Mode = "save",
) -> Presence:
    """Take entrants out of the rounds to come; their games stay. `how` says whether they ever came.

    Who has gone already is passed over and told, and stays what he is.

    Raises TourneyError NOT_FOUND, USAGE if nobody is named, REFUSED for a finished event.
    """
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        refuse_finished(found)
        before, states = Outlook.of(store, found), states_of(found)
        chosen = _named(found, names) or _nobody()
        new = [one for one in chosen if states[one.id] not in _GONE]
        after = store.withdraw(found, new, how, optional(reason, _("reason"))) if new else found
        done = store.finished(found.id)
        tables = (table for one in store.rounds(found) for table in one.tables)
        still = (table for table in tables if (table.round, table.number) not in done)
        told = _presence(after, chosen, new, still)
        return replace(told, ahead=changes_ahead(before, Outlook.of(store, after)))


def bring_back(db: str | None, event: str | None, names: Sequence[str], mode: Mode = "save") -> Presence:
    """Let those who had gone away play again, from the next round that is drawn.

    Raises TourneyError NOT_FOUND, USAGE if nobody is named, REFUSED for a finished event.
    """
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        refuse_finished(found)
        before, states = Outlook.of(store, found), states_of(found)
        chosen = _named(found, names) or _nobody()
        new = [one for one in chosen if states[one.id] in _GONE]
        after = store.bring_back(found, new) if new else found
        told = _presence(after, chosen, new)
        return replace(told, ahead=changes_ahead(before, Outlook.of(store, after)))


def states_of(event: Event) -> dict[int, EntrantState]:
    """The state of each entrant, by the player's number."""
    return {player.id: state for player, state in zip(event.entrants, event.states, strict=True)}


def refuse_absent(event: Event, player: Player) -> None:
    """Raises TourneyError REFUSED for somebody who is not to be seated: gone, or not yet checked in."""
    if player in event.playing:
        return
    state = event.states[event.entrants.index(player)]
    if state == "entered":
        message, verb = _("{name} has not checked in"), "checkin"
    else:
        message, verb = _("{name} has left the event"), "return"
    hint = _("first: `tourney event {verb}`").format(verb=verb)
    raise TourneyError(ExitCode.REFUSED, message.format(name=player.shown), hint)


def _named(event: Event, names: Sequence[str]) -> list[Player]:
    found = (find_entrant(event, name) for name in names)
    return list({player.id: player for player in found}.values())


def _nobody() -> list[Player]:
    raise TourneyError(ExitCode.USAGE, _("nobody is named"), _("name one entrant or more"))


def _refuse_gone(event: Event, states: Mapping[int, EntrantState], chosen: Sequence[Player]) -> None:
    gone = [player.shown for player in chosen if states[player.id] in _GONE]
    if gone:
        message = _("{player} has gone away").format(player=gone[0])
        hint = _("bring back who plays again with `tourney event return {event} NAME`")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(event=quote_argument(event.settings.name)))


def _presence(
    event: Event, chosen: Sequence[Player], new: Sequence[Player], open_tables: Iterable[Table] = ()
) -> Presence:
    changed = {player.id for player in new}
    already = tuple(player for player in chosen if player.id not in changed)
    seated = (table for table in open_tables if any(player.id in changed for player in table.players))
    return Presence(event, tuple(new), already, tuple(seated))
