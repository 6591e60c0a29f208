"""What each kind of act does to the index: one function for each part it writes, for writing and checking alike.

A projection sees its part, its act's number and payload, and the part as it was: no clock, no file, no other part.
So a part can be folded alone, from the acts that have written it.
"""

from collections.abc import Mapping

from sqlalchemy import Connection

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.partitions import Part, parts_of
from tourney.storage.projections import events, leagues, people, pools, results, rounds
from tourney.storage.projections.rows import Projection

PROJECTIONS: Mapping[str, Mapping[str, Projection]] = {
    "player.add": {"players": people.add},
    "player.rename": {"players": people.rename},
    "player.erase": {"players": people.erase},
    "player.merge": {
        "players": people.merge,
        "entrants": people.merge_entrants,
        "rounds": people.merge_rounds,
        "rulings": people.merge_rulings,
    },
    "event.new": {"settings": events.new},
    "event.set": {"settings": events.settings},
    "event.wish": {"settings": events.wish},
    "event.finish": {"settings": events.finish},
    "event.reopen": {"settings": events.reopen},
    "event.use": {"current": events.use},
    "event.enter": {"entrants": events.enter},
    "event.checkin": {"entrants": events.check_in},
    "event.withdraw": {"entrants": events.withdraw},
    "event.return": {"entrants": events.bring_back},
    "round.draw": {"rounds": rounds.draw},
    "round.move": {"rounds": rounds.move},
    "round.cancel": {"rounds": rounds.cancel, "results": rounds.cancel_results, "hands": rounds.cancel_results},
    "round.clock": {"rounds": rounds.clock},
    "result.enter": {"results": results.enter, "hands": results.enter_hands},
    "result.correct": {"results": results.enter, "hands": results.enter_hands},
    "result.void": {"results": results.void, "hands": results.void_hands},
    "result.drop": {"results": results.set_aside},
    "ruling.add": {"rulings": results.rule},
    "ruling.cancel": {"rulings": results.cancel_ruling},
    "pool.new": {"pools": pools.new},
    "pool.set": {"pools": pools.settings},
    "rating.import": {"pools": pools.bring_in},
    "league.new": {"leagues": leagues.new},
    "league.join": {"leagues": leagues.join},
}


def parts(kind: str, payload: Payload) -> tuple[Part, ...]:
    """The parts that the act writes. Raises KeyError for a kind of act not known here."""
    return parts_of(tuple(PROJECTIONS[kind]), payload)


def project(connection: Connection, kind: str, number: int, payload: Payload) -> tuple[Part, ...]:
    """Write what the act says into the index; the parts it has written. Raises KeyError for an unknown kind."""
    written = parts(kind, payload)
    for part in written:
        project_part(connection, part, kind, number, payload)
    return written


def project_part(connection: Connection, part: Part, kind: str, number: int, payload: Payload) -> None:
    """Write what the act says into one part alone."""
    PROJECTIONS[kind][part.name](connection, part, number, payload)
