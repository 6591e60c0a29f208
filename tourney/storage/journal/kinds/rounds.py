"""Kinds of entries about rounds: who sits where, and for how long."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Self

from sqlalchemy import Connection, select

from tourney.domain.events import SETTINGS, Event
from tourney.domain.rounds import MOST_MINUTES, Drawing, Round
from tourney.storage.journal.entries import Payload, is_of_calendar
from tourney.storage.journal.kinds.base import Facts, OfEvent, because, emptied, unwritten
from tourney.storage.journal.kinds.meanings import Entrant, MaybeEntrant, Numbers, Plan, Players, RoundNo, Tables
from tourney.storage.journal.kinds.text import JournalText
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.subjects import Finder, Past, Subject
from tourney.storage.table_rows import delete_rows, insert_rows, update_rows
from tourney.storage.tables import table
from tourney.text.dates import local
from tourney.text.i18n import _, marked, ngettext

_OF_STANDINGS: Final = ("minimum", "scoring", "table_points", "totals", "tie_breaks", "substitutes")
"""The settings on which standings rest, and so draws that follow them."""
_APART_FROM_DRAWS: Final = frozenset(
    {
        *("date", "lang", "minutes", "stake", "unfinished", "unfinished_points", "fee", "pot", "prizes", "organiser"),
        *_OF_STANDINGS,
    }
)
_OF_DRAWS: Final = (*(name for name in SETTINGS if name not in _APART_FROM_DRAWS), "stages")
"""The settings on which every draw rests; a setting that comes later is one of them."""


def _drawn(payload: Payload) -> dict[int, list[int]]:
    return {drawn["table"]: list(drawn["players"]) for drawn in payload["tables"]}


def _seats(connection: Connection, partition: Partition, number: int) -> dict[int, list[int]]:
    seats = table("seat").c
    query = select(seats.table_number, seats.player).where(seats.event == partition.event, seats.round == number)
    players_by_table: dict[int, list[int]] = {}
    for row in connection.execute(query.order_by(seats.table_number, seats.seat)):
        players_by_table.setdefault(row.table_number, []).append(row.player)
    return players_by_table


def _seat(connection: Connection, partition: Partition, payload: Payload, tables: dict[int, list[int]]) -> None:
    rows = [
        {"event": partition.event, "round": payload["round"], "table_number": at, "seat": seat, "player": player}
        for at, players in tables.items()
        for seat, player in enumerate(players)
    ]
    insert_rows(connection, "seat", rows)


def _sit_out(connection: Connection, partition: Partition, payload: Payload) -> None:
    place = {"event": partition.event, "round": payload["round"]}
    insert_rows(connection, "sitting_out", [{**place, "player": player} for player in payload["out"]])


def _seated(payload: Payload) -> list[int]:
    """Return the players of a seating, with those who have a bye."""
    return [*(player for drawn in payload["tables"] for player in drawn["players"]), *payload["out"]]


def seated_entrants(payload: Payload, _past: Past) -> Iterator[Subject]:
    return (("entrant", payload["event"], player) for player in _seated(payload))


def _changed_tables(payload: Payload, past: Past) -> dict[int, set[int]]:
    """Return the tables that a new seating of a round changes, each with its players before and after."""
    before = past.tables(payload["event"], payload["round"])
    after = {drawn["table"]: drawn["players"] for drawn in payload["tables"]}
    return {
        number: {*before.get(number, ()), *after.get(number, ())}
        for number in {**before, **after}
        if list(before.get(number, ())) != list(after.get(number, ()))
    }


def at_changed_tables(*kinds: str) -> Finder:
    def find(payload: Payload, past: Past) -> Iterator[Subject]:
        for number in _changed_tables(payload, past):
            yield from ((kind, payload["event"], payload["round"], number) for kind in kinds)

    return find


def _present(payload: Payload, past: Past) -> Iterator[Subject]:
    """Yield the attendance of the players whose table a new seating changes, and of those who sit out."""
    players = set().union(payload["out"], *_changed_tables(payload, past).values())
    return (("attendance", payload["event"], player) for player in sorted(players))


def _ordering(payload: Payload, past: Past) -> Iterator[Subject]:
    """Yield what determines a draw beside the players and the earlier rounds."""
    event = payload["event"]
    yield from (("setting", event, name) for name in _OF_DRAWS)
    ordered_by = past.ordered_by(event)
    if past.settings(event).get("seats") == "winner deals":
        yield ("results", event)
    if ordered_by & {"standings", "last tables"}:
        yield from (("results", event), ("rulings", event), *(("setting", event, name) for name in _OF_STANDINGS))
    if ordered_by & {"rating", "information gain"}:
        yield ("ratings",)
    if past.apart_by_club(event):
        yield from (("club", player) for player in _seated(payload))


def _published_before(payload: Payload, past: Past) -> Iterator[Subject]:
    """Yield what made the round before no draft, over which no round is drawn: its publishing, or its results."""
    event, before = payload["event"], payload["round"] - 1
    yield ("published", event, before)
    if past.is_draft(event, before):
        yield ("results", event, before)


def drawn_seats(payload: Payload) -> Facts:
    event, number = payload["event"], payload["round"]
    return {("seats", event, number, drawn["table"]): drawn["players"] for drawn in payload["tables"]}


class Seating(OfEvent):
    """A round has these tables, and players who have a bye."""

    round: int
    tables: Tables
    out: Players

    facts = drawn_seats

    @classmethod
    def of(cls, event: Event, drawn: Round, **more: Any) -> Self:
        """Return the seating of a round, with these further values."""
        return cls(event, drawn.number, drawn.tables, drawn.sitting_out, **more)


def _draw_round(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Write a round's tables and byes."""
    row = {"event": partition.event, "number": payload["round"], "started": None, "minutes": None}
    insert_rows(connection, "round", [{**row, "draft": int(payload.get("draft", False)), "act": number}])
    _seat(connection, partition, payload, _drawn(payload))
    _sit_out(connection, partition, payload)


class RoundDrawn(Seating, kind="round.draw"):
    """A round is drawn; if the program has drawn it, also by which version of it, from which choices and rests."""

    program: str = ""
    given: Numbers = ()
    rested: Players = ()
    draft: bool = False
    plan: Plan = ()

    across = True
    parts = {"rounds": _draw_round}
    writes = ("round event round", "layout event round", "seating event")
    reads = (
        *("entrants event", "attendance event", "constraints event", "seating event"),
        *(seated_entrants, _ordering, _published_before),
    )

    @classmethod
    def by(cls, event: Event, drawn: Round, drawing: Drawing | None) -> "RoundDrawn":
        """Return the draw of a round, with how the program has drawn it, if it has."""
        how = {} if drawing is None else {name: getattr(drawing, name) for name in Drawing.__slots__}
        return cls.of(event, drawn, draft=drawn.draft, **how)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the number of tables, and the byes."""
        number = len(payload["tables"])
        said = ngettext("round {round} drawn: {number} table", "round {round} drawn: {number} tables", number)
        if payload.get("draft"):
            said = ngettext(
                "round {round} drawn as a draft: {number} table",
                "round {round} drawn as a draft: {number} tables",
                number,
            )
        said = said.format(round=payload["round"], number=number)
        if not payload["out"]:
            return said
        return _("{text}; byes: {players}").format(text=said, players=text.players(payload["out"]))


def _publish_round(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Show the round to everybody."""
    place = {"event": partition.event, "number": payload["round"]}
    update_rows(connection, "round", place, {"draft": 0, "act": number})


class RoundPublished(OfEvent, kind="round.publish"):
    """A draft of a round is published."""

    round: RoundNo

    parts = {"rounds": _publish_round}
    writes = ("published event round",)
    said = marked("round {round} published")


def move_players(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Replace the round's tables; unchanged tables keep their rows, to which results refer."""
    before, after = _seats(connection, partition, payload["round"]), _drawn(payload)
    for at in before:
        if before[at] != after.get(at):
            delete_rows(connection, "seat", event=partition.event, round=payload["round"], table_number=at)
    _seat(connection, partition, payload, {at: players for at, players in after.items() if players != before.get(at)})
    delete_rows(connection, "sitting_out", event=partition.event, round=payload["round"])
    _sit_out(connection, partition, payload)
    update_rows(connection, "round", {"event": partition.event, "number": payload["round"]}, {"act": number})


class TablesMoved(Seating, kind="round.move"):
    """A drawn round has other tables; those with a result do not change."""

    note: str
    plan: Plan = ()

    parts = {"rounds": move_players}
    writes = ("layout event round", "seating event", at_changed_tables("seats"))
    reads = (
        *("round event round", "layout event round", "playing event round", "constraints event"),
        *(seated_entrants, _present, at_changed_tables("result", "sheet")),
    )

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the players who moved, and those who have no seat any more."""
        before = text.seats(payload["event"], payload["round"])
        after = {drawn["table"]: drawn["players"] for drawn in payload["tables"]}
        left = sorted({*_tables(before)} - {*_tables(after)})
        moved = [player for player in _moved(before, after) if player not in left]
        said = ngettext(
            "round {round}: {players} sits elsewhere now", "round {round}: {players} sit elsewhere now", len(moved)
        )
        if left and moved:
            said = _("{text}; without a seat now: {left}").format(text=said, left=text.players(left))
        elif left:
            said = ngettext(
                "round {round}: {players} left the table", "round {round}: {players} left the table", len(left)
            )
        shown = text.players(moved or left)
        return because(said.format(round=payload["round"], players=shown), payload["note"])


Seats = Mapping[int, Sequence[int]]


def _moved(before: Seats, after: Seats) -> list[int]:
    """Return the players whose table changed; if there are none, those whose seat at their table changed."""
    return _differing(_tables(before), _tables(after)) or _differing(_places(before), _places(after))


def _tables(seats: Seats) -> dict[int, Any]:
    return {player: table for table, players in seats.items() for player in players}


def _places(seats: Seats) -> dict[int, Any]:
    return {player: (table, place) for table, players in seats.items() for place, player in enumerate(players)}


def _differing(before: Mapping[int, Any], after: Mapping[int, Any]) -> list[int]:
    return [player for player in sorted({*before, *after}) if before.get(player) != after.get(player)]


def _cancel_round(connection: Connection, partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the round."""
    for name in ("sitting_out", "seat"):
        delete_rows(connection, name, event=partition.event, round=payload["round"])
    delete_rows(connection, "round", event=partition.event, number=payload["round"])


class RoundCancelled(OfEvent, kind="round.cancel"):
    """A drawn round is cancelled, with its clock; its partial sheets are discarded."""

    round: RoundNo
    reason: str
    plan: Plan = ()

    parts = {"rounds": _cancel_round, **dict.fromkeys(("results", "hands", "sheets"), emptied)}
    writes = ("round event round", "seating event", "cancelled event", "results event")
    reads = ("seating event", "results event round", "sheets event round")
    said = marked("round {round} cancelled")


class SubstituteNamed(OfEvent, kind="round.substitute"):
    """Somebody plays for an entrant in a round, in place of any other substitute; None: nobody does."""

    round: RoundNo
    absent: Entrant
    substitute: MaybeEntrant

    across = True
    parts = {"substitutes": unwritten}
    writes = ("substitute event round absent", "substitutes event", "playing event round", "results event", "ratings")
    reads = ("layout event round",)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with both names."""
        absent, number = text.player(payload["absent"]), payload["round"]
        if payload["substitute"] is None:
            return _("round {round}: nobody plays for {absent} any longer").format(round=number, absent=absent)
        said = _("round {round}: {substitute} plays for {absent}")
        return said.format(round=number, substitute=text.player(payload["substitute"]), absent=absent)


def _set_clock(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Start the round's clock, pause it, or remove it. Raises ValueError for a beginning that is not a time."""
    minutes = payload["minutes"] or None
    if minutes and payload["started"] and not is_of_calendar(datetime.fromisoformat(payload["started"]).isoformat()):
        raise ValueError("not a time")
    values = {"started": payload["started"] if minutes else None, "minutes": minutes, "act": number}
    update_rows(connection, "round", {"event": partition.event, "number": payload["round"]}, values)


def _minutes(payload: Payload, _past: Past) -> Iterator[Subject]:
    yield ("setting", payload["event"], "minutes")


class ClockSet(OfEvent, kind="round.clock"):
    """A round's clock is started or set again; no minutes: it is removed; no beginning: so many are left in a pause."""

    round: RoundNo
    started: str
    minutes: int

    parts = {"rounds": _set_clock}
    writes = ("clock event round",)
    reads = ("clock event round", _minutes)

    @classmethod
    def refuse_other_form(cls, payload: Payload) -> None:
        """Raise ValueError also for a beginning that is not a time of a zone, and for more minutes than a round has."""
        super().refuse_other_form(payload)
        if not 0 <= payload["minutes"] <= MOST_MINUTES:
            raise ValueError("minutes")
        if payload["minutes"] and payload["started"] and datetime.fromisoformat(payload["started"]).tzinfo is None:
            raise ValueError("no zone")

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the length and the beginning."""
        if not payload["minutes"]:
            return _("round {round}: clock removed").format(round=payload["round"])
        if not payload["started"]:
            said = _("round {round}: clock paused, {minutes} min left")
            return said.format(round=payload["round"], minutes=payload["minutes"])
        began = local(payload["started"])
        return ngettext(
            "round {round} lasts {minutes} minute from {time}",
            "round {round} lasts {minutes} minutes from {time}",
            payload["minutes"],
        ).format(round=payload["round"], minutes=payload["minutes"], time=f"{began:%H:%M}")
