"""Kinds of entries about who plays in an event."""

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Literal

from sqlalchemy import Connection, func, select

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import OfEvent, Projection, because
from tourney.storage.journal.kinds.meanings import Attending, Newcomers, Outside, Plan
from tourney.storage.journal.kinds.text import JournalText
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.subjects import Past, Subject
from tourney.storage.table_rows import insert_rows, update_rows
from tourney.storage.tables import table
from tourney.text.i18n import _, marked


def _enter_players(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Add players after those entered before; numbers have no gap, whichever of these entries were undone."""
    numbers = table("entrant").c
    most = connection.execute(select(func.max(numbers.number)).where(numbers.event == partition.event)).scalar() or 0
    rows = [
        {"event": partition.event, "number": most + index, "player": player, "state": "entered", "act": number}
        for index, player in enumerate(payload["players"], 1)
    ]
    insert_rows(connection, "entrant", rows)


class PlayersEntered(OfEvent, kind="event.enter"):
    """Players are added after the event's entrants; `first` is the number of the first one.

    `outside` are the bots of their seats that are not built in, as `outside_rows` gives them.
    """

    players: Newcomers
    first: int | None = None
    outside: Outside = ()
    plan: Plan = ()

    across = True
    parts = {"entrants": _enter_players}
    writes = ("entrant event players", "entrants event", "attendance event")
    said = marked("entered: {players}")


def _marking(state: Callable[[Payload], str]) -> Projection:
    """Return a projection that sets the state of the players of an entry."""

    def project(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
        for player in payload["players"]:
            place = {"event": partition.event, "player": player}
            update_rows(connection, "entrant", place, {"state": state(payload), "act": number})

    return project


class _StateSet(OfEvent):
    """Entrants have another state."""

    players: Attending

    writes = ("attendance event", "attendance event players", "ratings")


class PlayersCheckedIn(_StateSet, kind="event.checkin"):
    """Entrants are checked in."""

    plan: Plan = ()

    parts = {"entrants": _marking(lambda _entry: "checked in")}
    said = marked("checked in: {players}")


class PlayersWithdrawn(_StateSet, kind="event.withdraw"):
    """Entrants have left, have never come, or were entered by `mistake`."""

    how: Literal["withdrawn", "no-show"]
    reason: str
    mistake: bool = False
    plan: Plan = ()

    parts = {"entrants": _marking(itemgetter("how"))}

    @classmethod
    def of(
        cls, event: Event, players: Sequence[Player], absence: Literal["withdrawn", "no-show", "removed"], reason: str
    ) -> "PlayersWithdrawn":
        """Return the entry of entrants who are absent so; those who were removed were entered by mistake."""
        if absence == "removed":
            return cls(event, players, "no-show", reason, mistake=True)
        return cls(event, players, absence, reason)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the players' names and the reason."""
        said = {"withdrawn": _("{players} withdrew"), "no-show": _("{players} did not come")}[payload["how"]]
        if payload.get("mistake"):
            said = _("{players} taken out: entered by mistake")
        return because(said.format(players=text.players(payload["players"])), payload["reason"])


def _checkin(payload: Payload, _past: Past) -> Iterator[Subject]:
    yield ("setting", payload["event"], "checkin")


class PlayersReturned(_StateSet, kind="event.return"):
    """Entrants who had left play again, or, `unchecked`, are entered alone after a check-in by mistake."""

    state: Literal["entered", "checked in"]
    unchecked: bool = False
    plan: Plan = ()

    parts = {"entrants": _marking(itemgetter("state"))}
    reads = (_checkin,)

    @classmethod
    def back(cls, event: Event, players: Sequence[Player]) -> "PlayersReturned":
        """Return the entry of entrants who play again; where check-in is required, they are checked in."""
        return cls(event, players, "checked in" if event.settings.checkin == "required" else "entered")

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the players' names."""
        said = _("check-in taken back: {players}") if payload.get("unchecked") else _("{players} came back")
        return said.format(players=text.players(payload["players"]))


ATTENDANCE = (PlayersEntered, PlayersCheckedIn, PlayersWithdrawn, PlayersReturned)
"""The kinds of entries about attendance."""
