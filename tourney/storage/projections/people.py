"""Acts about players. Names stand outside the journal; here is which version of them counts."""

from sqlalchemy import Connection, select

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.partitions import Part
from tourney.storage.projections.rows import change, fill, remove
from tourney.storage.schema import table

_BEST = ("checked in", "entered", "withdrawn", "no-show")


def add(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """Everybody begins with the first version of a name; bots have none beside the journal."""
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
    fill(connection, "player", rows)


def rename(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """Another version of the name counts."""
    change(connection, "player", {"id": payload["player"]}, {"version": payload["version"], "act": number})


def erase(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """The person has no name any more."""
    change(connection, "player", {"id": payload["player"]}, {"erased": 1, "act": number})


def merge(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """One of two entries of a person is gone."""
    change(connection, "player", {"id": payload["gone"]}, {"merged": payload["keep"], "act": number})


def merge_entrants(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """Where both were entered, the lower number stays with the better state; numbers stay without a gap."""
    entrants = table("entrant").c
    ours = (entrants.event == part.event) & entrants.player.in_([payload["keep"], payload["gone"]])
    found = connection.execute(select(entrants.number, entrants.state).where(ours).order_by(entrants.number)).all()
    state = min((row.state for row in found), key=_BEST.index)
    for row in found[1:]:
        remove(connection, "entrant", event=part.event, number=row.number)
        _close_gap(connection, part.event, row.number)
    place = {"event": part.event, "number": found[0].number}
    change(connection, "entrant", place, {"player": payload["keep"], "state": state, "act": number})


def _close_gap(connection: Connection, event: int, gap: int) -> None:
    entrants = table("entrant").c
    query = select(entrants.number).where(entrants.event == event, entrants.number > gap).order_by(entrants.number)
    for row in connection.execute(query).all():
        change(connection, "entrant", {"event": event, "number": row.number}, {"number": row.number - 1})


def merge_rounds(connection: Connection, part: Part, _number: int, payload: Payload) -> None:
    """The seats of the one are the other's; who has a seat in a round does not sit out in it."""
    keep, gone = payload["keep"], payload["gone"]
    change(connection, "seat", {"event": part.event, "player": gone}, {"player": keep})
    out, seats = table("sitting_out").c, table("seat").c
    both = (out.event == part.event) & out.player.in_([keep, gone])
    resting = {row.round for row in connection.execute(select(out.round).where(both))}
    seated = select(seats.round).where(seats.event == part.event, seats.player == keep)
    resting -= {row.round for row in connection.execute(seated)}
    for player in (keep, gone):
        remove(connection, "sitting_out", event=part.event, player=player)
    rows = [{"event": part.event, "round": one, "player": keep} for one in sorted(resting)]
    fill(connection, "sitting_out", rows)


def merge_rulings(connection: Connection, part: Part, _number: int, payload: Payload) -> None:
    """A penalty of the one is the other's."""
    change(connection, "ruling", {"event": part.event, "player": payload["gone"]}, {"player": payload["keep"]})
