"""Kinds of entries about people, whose names are outside the journal, and about who of them plays in an event."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, Literal

from sqlalchemy import Connection, func, select

from tourney.domain.events import Event
from tourney.domain.people import Player, PublishedAs
from tourney.storage.journal.entries import Entry, Payload
from tourney.storage.journal.kinds.base import Change, OfEvent, Projection, because, unwritten, updating
from tourney.storage.journal.kinds.meanings import Attending, Newcomers, Outside, Plan, PlayerNo, Rows
from tourney.storage.journal.kinds.text import MOST_NAMES, JournalText
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.subjects import Finder, Name, Past, Subject
from tourney.storage.table_rows import delete_rows, insert_rows, update_rows
from tourney.storage.tables import table
from tourney.text.i18n import _, marked
from tourney.text.ranges import listed

_STATES_BEST_FIRST = ("checked in", "entered", "withdrawn", "no-show")
_STRICTEST_FIRST: Final[tuple[PublishedAs, ...]] = ("nothing", "other name", "name")


def _add_players(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Add players; people begin with the first version of a name, bots have none outside the journal."""
    rows = [
        {
            "id": player["id"],
            "kind": player["kind"],
            "bot": player.get("bot"),
            "version": int(player["kind"] == "person"),
            "erased": 0,
            "merged": None,
            "act": number,
        }
        for player in payload["players"]
    ]
    insert_rows(connection, "player", rows)


def _added(payload: Payload, _past: Past) -> Iterator[Subject]:
    return (("player", player["id"]) for player in payload["players"])


def _added_names(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    for player in payload["players"]:
        yield from ((name, player["id"]) for name in past.person_names(player["id"], range(1, 2)))


class PlayersAdded(Change, kind="player.add"):
    """People, or seats of bots, are registered: each has its number and kind, a seat its name as `bot`."""

    players: Rows

    parts = {"players": _add_players}
    writes = (_added,)
    takes = _added_names

    @classmethod
    def numbers(cls, payload: Payload) -> Mapping[tuple[str, int], int]:
        """Return the highest number of the players."""
        return {("player", 0): max(player["id"] for player in payload["players"])}

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the players' names."""
        names = (player.get("bot") or text.player(player["id"]) for player in payload["players"])
        return _("registered: {players}").format(players=listed(names, MOST_NAMES))


def _new_name(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    number, version = payload["player"], payload["version"]
    return ((name, number) for name in past.person_names(number, range(version, version + 1)))


def _former_names(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    number = payload["player"]
    return ((name, number) for name in past.person_names(number, range(1, payload["version"])))


class PlayerRenamed(Change, kind="player.rename"):
    """A person has another version of their name."""

    player: PlayerNo
    version: int

    parts = {"players": updating("player", lambda entry: {"version": entry["version"]})}
    writes = ("club player",)
    takes = _new_name
    frees = _former_names

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the name of today."""
        name = text.player(payload["player"])
        return _("renamed: player {number}, now {name}").format(number=payload["player"], name=name)


class PlayerErased(Change, kind="player.erase"):
    """A person's names are erased; undo does not bring them back."""

    player: PlayerNo

    parts = {"players": updating("player", lambda _entry: {"erased": 1})}
    permanent = True
    said = marked("erased: the name of player {player}")


class PlayerPublished(Change, kind="player.publish"):
    """Rankings show a person so; `version` is that of another name under which they do."""

    player: PlayerNo
    published: PublishedAs
    version: int | None = None

    parts = {"players": unwritten}

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return how rankings show the person."""
        texts = {
            "name": _("rankings show {player} by name"),
            "other name": _("rankings show {player} under another name"),
            "nothing": _("rankings do not show {player}"),
        }
        return texts[payload["published"]].format(player=text.player(payload["player"]))


def _merge_entrants(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Merge entrants: the lower number stays, with the better state, and numbers stay without a gap."""
    entrants = table("entrant").c
    both = (entrants.event == partition.event) & entrants.player.in_([payload["keep"], payload["gone"]])
    found = connection.execute(select(entrants.number, entrants.state).where(both).order_by(entrants.number)).all()
    state = min((row.state for row in found), key=_STATES_BEST_FIRST.index)
    for row in found[1:]:
        delete_rows(connection, "entrant", event=partition.event, number=row.number)
        _close_gap(connection, partition.event, row.number)
    place = {"event": partition.event, "number": found[0].number}
    update_rows(connection, "entrant", place, {"player": payload["keep"], "state": state, "act": number})


def _close_gap(connection: Connection, event: int, gap: int) -> None:
    entrants = table("entrant").c
    query = select(entrants.number).where(entrants.event == event, entrants.number > gap).order_by(entrants.number)
    for row in connection.execute(query).all():
        update_rows(connection, "entrant", {"event": event, "number": row.number}, {"number": row.number - 1})


def _merge_rounds(connection: Connection, partition: Partition, _number: int, payload: Payload) -> None:
    """Merge seats and byes; a player who has a seat in a round has no bye in it."""
    keep, gone = payload["keep"], payload["gone"]
    update_rows(connection, "seat", {"event": partition.event, "player": gone}, {"player": keep})
    out, seats = table("sitting_out").c, table("seat").c
    both = (out.event == partition.event) & out.player.in_([keep, gone])
    bye_rounds = {row.round for row in connection.execute(select(out.round).where(both))}
    seated = select(seats.round).where(seats.event == partition.event, seats.player == keep)
    bye_rounds -= {row.round for row in connection.execute(seated)}
    for player in (keep, gone):
        delete_rows(connection, "sitting_out", event=partition.event, player=player)
    rows = [{"event": partition.event, "round": number, "player": keep} for number in sorted(bye_rounds)]
    insert_rows(connection, "sitting_out", rows)


def _merge_rulings(connection: Connection, partition: Partition, _number: int, payload: Payload) -> None:
    """Move penalties to the player who stays."""
    update_rows(
        connection, "ruling", {"event": partition.event, "player": payload["gone"]}, {"player": payload["keep"]}
    )


def _merged_names(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    return ((name, payload["gone"]) for name in past.person_names(payload["gone"], range(1, 1_000_000)))


def _in_merged_events(*kinds: str) -> Finder:
    return lambda payload, _past: ((kind, event) for event in payload["events"] for kind in kinds)


def _merged_entrants(payload: Payload, _past: Past) -> Iterator[Subject]:
    for event in payload["events"]:
        for player in (payload["keep"], payload["gone"]):
            yield from (("entrant", event, player), ("attendance", event, player))


class PlayersMerged(Change, kind="player.merge"):
    """Two players are one person, in every event that either has entered.

    Two players with a seat in one round cannot be one, so that a merger rests on every seat and substitute of its
    events. It does not reach an event that was deleted before, and so rests on the deletion.
    """

    keep: PlayerNo
    gone: PlayerNo
    events: Rows

    in_file = True
    parts = {
        "players": updating("player", lambda entry: {"merged": entry["keep"]}, "gone"),
        "entrants": _merge_entrants,
        "rounds": _merge_rounds,
        "rulings": _merge_rulings,
    }
    writes = (
        *("player gone", "merged keep", "merged gone", "ratings", _merged_entrants),
        _in_merged_events("entrants", "attendance", "seating", "rulings", "people", "anything"),
    )
    reads = (
        *("merged keep", "merged gone", "unreached gone", _merged_entrants),
        _in_merged_events("seating", "substitutes"),
    )
    frees = _merged_names

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the names of both just before the merger."""
        gone, keep = text.own_name(payload["gone"]), text.own_name(payload["keep"])
        return _("merged: {gone} is {keep}").format(gone=gone, keep=keep)


def wishes(changes: Iterable[Entry]) -> dict[int, Payload]:
    """Return the last entry on how rankings show a person, by number, after these changes in order.

    Two registrations that were merged have the stricter one: not to be shown comes before another name.
    """
    found: dict[int, Payload] = {}
    for entry in changes:
        payload = entry.payload
        if PlayerPublished.made(entry):
            found[payload["player"]] = payload
        elif PlayersMerged.made(entry):
            both = [found[player] for player in (payload["keep"], payload["gone"]) if player in found]
            found |= {payload["keep"]: min(both, key=_strictest_first)} if both else {}
    return found


def _strictest_first(wish: Payload) -> int:
    return _STRICTEST_FIRST.index(wish["published"])


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
