"""The kinds of journal entries: how an entry of each kind is written to the partitions that it touches.

Importing this module declares all kinds; `journal.kinds` defines what a kind is.
"""

import json
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection, func, select

from tourney.storage.journal import subjects
from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import Projection, declare, numbered
from tourney.storage.journal.partitions import Partition, clear
from tourney.storage.journal.payloads import LEAGUE_MORE, partial_sheets_text
from tourney.storage.table_rows import delete_rows, insert_rows, update_rows
from tourney.storage.tables import table
from tourney.text.names import fold


def _updating(name: str, values: Callable[[Payload], Mapping[str, Any]], key: str = "") -> Projection:
    """Return a projection that updates one row of a table.

    The entry has the row's `id` under `key`, by default the name of the table.
    """

    def project(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
        update_rows(connection, name, {"id": payload[key or name]}, {**values(payload), "act": number})

    return project


def _marking(state: Callable[[Payload], str]) -> Projection:
    """Return a projection that sets the state of the players of an entry."""

    def project(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
        for player in payload["players"]:
            place = {"event": partition.event, "player": player}
            update_rows(connection, "entrant", place, {"state": state(payload), "act": number})

    return project


def _unwritten(_connection: Connection, _partition: Partition, _number: int, _payload: Payload) -> None:
    """Write nothing: editions, seasons, substitutes and names of columns are read from their entries."""


# --- people ---------------------------------------------------------------------------------------------

_STATES_BEST_FIRST = ("checked in", "entered", "withdrawn", "no-show")


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


PLAYER_ADD = declare(
    "player.add",
    {"players": _add_players},
    subjects.PLAYER_ADDED,
    lambda payload: {("player", 0): max(player["id"] for player in payload["players"])},
)
PLAYER_RENAME = declare(
    "player.rename",
    {"players": _updating("player", lambda entry: {"version": entry["version"]})},
    subjects.PLAYER_RENAMED,
)
PLAYER_ERASE = declare(
    "player.erase",
    {"players": _updating("player", lambda _entry: {"erased": 1})},
    subjects.PLAYER_ERASED,
    permanent=True,
)


def _publish_player(_connection: Connection, _partition: Partition, _number: int, _payload: Payload) -> None:
    """Write nothing: how rankings show people is read from the entries."""


PLAYER_PUBLISH = declare("player.publish", {"players": _publish_player}, subjects.PLAYER_PUBLISHED)
PLAYER_MERGE = declare(
    "player.merge",
    {
        "players": _updating("player", lambda entry: {"merged": entry["keep"]}, "gone"),
        "entrants": _merge_entrants,
        "rounds": _merge_rounds,
        "rulings": _merge_rulings,
    },
    subjects.PLAYERS_MERGED,
)

# --- an event: its settings, and who plays in it --------------------------------------------------------

_COLUMNS = ("name", "rules", "rules_digest", "rules_text")
"""The values of a new event that have columns of their own; the rest are its settings."""


def _new_event(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Create an event without entrants; entries of older versions lack newer settings and the rules' text."""
    given = {"rules_text": "", **payload}
    settings = {name: value for name, value in given.items() if name not in ("event", *_COLUMNS)}
    row = {name: given[name] for name in _COLUMNS} | {
        "folded": fold(given["name"]),
        "settings": canonical_json(settings),
    }
    insert_rows(connection, "event", [{**row, "id": partition.event, "state": "open", "wishes": "[]", "act": number}])


def _set_event(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Change some settings."""
    changes, events = dict(payload["changes"]), table("event").c
    names = {"name": changes["name"], "folded": fold(changes.pop("name"))} if "name" in changes else {}
    before = connection.execute(select(events.settings).where(events.id == partition.event)).scalar_one()
    values = {**names, "settings": canonical_json(json.loads(before) | changes), "act": number}
    update_rows(connection, "event", {"id": partition.event}, values)


def _use_event(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Set the current event."""
    clear(connection, partition)
    insert_rows(connection, "current_event", [{"one": 1, "event": payload["event"], "act": number}])


def _enter_players(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Add players after those entered before; numbers have no gap, whichever of these entries were undone."""
    numbers = table("entrant").c
    most = connection.execute(select(func.max(numbers.number)).where(numbers.event == partition.event)).scalar() or 0
    rows = [
        {"event": partition.event, "number": most + index, "player": player, "state": "entered", "act": number}
        for index, player in enumerate(payload["players"], 1)
    ]
    insert_rows(connection, "entrant", rows)


def _note_import(_connection: Connection, _partition: Partition, _number: int, _payload: Payload) -> None:
    """Write nothing: the entries that follow are those of the event."""


def _delete_rows(connection: Connection, partition: Partition, _number: int, _payload: Payload) -> None:
    """Delete what an event has in the partition."""
    clear(connection, partition)


def _end_current(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Let no event be the current one if it was the deleted one."""
    delete_rows(connection, "current_event", event=payload["event"])


EVENT_IMPORT = declare("event.import", {"settings": _note_import}, subjects.EVENT_IMPORTED)
EVENT_NEW = declare("event.new", {"settings": _new_event}, subjects.EVENT_MADE, numbered("event"))
EVENT_SET = declare("event.set", {"settings": _set_event}, subjects.EVENT_CHANGED)
EVENT_CONSTRAIN = declare(
    "event.wish",
    {"settings": _updating("event", lambda entry: {"wishes": canonical_json(entry["wishes"])})},
    subjects.EVENT_CONSTRAINED,
)
EVENT_FINISH = declare(
    "event.finish", {"settings": _updating("event", lambda _entry: {"state": "finished"})}, subjects.EVENT_FINISHED
)
EVENT_REOPEN = declare(
    "event.reopen", {"settings": _updating("event", lambda _entry: {"state": "open"})}, subjects.EVENT_REOPENED
)
EVENT_DELETE = declare(
    "event.delete",
    {
        "current": _end_current,
        **dict.fromkeys(("flags", "rulings", "sheets", "hands", "results", "rounds", "entrants"), _delete_rows),
        "settings": _delete_rows,
    },
    subjects.EVENT_DELETED,
)
EVENT_USE = declare("event.use", {"current": _use_event}, subjects.EVENT_USED)
EVENT_ENTER = declare("event.enter", {"entrants": _enter_players}, subjects.PLAYERS_ENTERED)
EVENT_CHECKIN = declare(
    "event.checkin", {"entrants": _marking(lambda _entry: "checked in")}, subjects.PLAYERS_CHECKED_IN
)
EVENT_WITHDRAW = declare("event.withdraw", {"entrants": _marking(itemgetter("how"))}, subjects.PLAYERS_WITHDRAWN)
EVENT_RETURN = declare("event.return", {"entrants": _marking(itemgetter("state"))}, subjects.PLAYERS_RETURNED)

ATTENDANCE = (EVENT_ENTER, EVENT_CHECKIN, EVENT_WITHDRAW, EVENT_RETURN)
"""The kinds of entries about attendance."""

# --- rounds: who sits where, and for how long -----------------------------------------------------------


def _draw_round(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Write a round's tables and byes."""
    row = {"event": partition.event, "number": payload["round"], "started": None, "minutes": None}
    insert_rows(connection, "round", [{**row, "draft": int(payload.get("draft", False)), "act": number}])
    _seat(connection, partition, payload, _drawn(payload))
    _sit_out(connection, partition, payload)


def _move_players(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Replace the round's tables; unchanged tables keep their rows, to which results refer."""
    before, after = _seats(connection, partition, payload["round"]), _drawn(payload)
    for at in before:
        if before[at] != after.get(at):
            delete_rows(connection, "seat", event=partition.event, round=payload["round"], table_number=at)
    _seat(connection, partition, payload, {at: players for at, players in after.items() if players != before.get(at)})
    delete_rows(connection, "sitting_out", event=partition.event, round=payload["round"])
    _sit_out(connection, partition, payload)
    update_rows(connection, "round", {"event": partition.event, "number": payload["round"]}, {"act": number})


def _publish_round(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Show the round to everybody."""
    place = {"event": partition.event, "number": payload["round"]}
    update_rows(connection, "round", place, {"draft": 0, "act": number})


def _cancel_round(connection: Connection, partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the round."""
    for name in ("sitting_out", "seat"):
        delete_rows(connection, name, event=partition.event, round=payload["round"])
    delete_rows(connection, "round", event=partition.event, number=payload["round"])


def _empty_round(connection: Connection, partition: Partition, _number: int, _payload: Payload) -> None:
    """Delete the void results, or the partial sheets, of a cancelled round."""
    clear(connection, partition)


def _set_clock(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Start the round's clock, or remove it."""
    minutes = payload["minutes"] or None
    values = {"started": payload["started"] if minutes else None, "minutes": minutes, "act": number}
    update_rows(connection, "round", {"event": partition.event, "number": payload["round"]}, values)


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


ROUND_DRAW = declare("round.draw", {"rounds": _draw_round}, subjects.ROUND_DRAWN)
ROUND_PUBLISH = declare("round.publish", {"rounds": _publish_round}, subjects.ROUND_PUBLISHED)
ROUND_MOVE = declare("round.move", {"rounds": _move_players}, subjects.ROUND_MOVED)
ROUND_CANCEL = declare(
    "round.cancel",
    {"rounds": _cancel_round, "results": _empty_round, "hands": _empty_round, "sheets": _empty_round},
    subjects.ROUND_CANCELLED,
)
ROUND_SUBSTITUTE = declare("round.substitute", {"substitutes": _unwritten}, subjects.SUBSTITUTE_NAMED)
ROUND_CLOCK = declare("round.clock", {"rounds": _set_clock}, subjects.CLOCK_SET)

# --- a table's result, and an arbiter's rulings ---------------------------------------------------------


def _place(payload: Payload) -> dict[str, int]:
    return {"event": payload["event"], "round": payload["round"], "table_number": payload["table"]}


def _enter_result(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Write the result with each seat's score, in place of a void one or of the one that it corrects."""
    place = _place(payload)
    for name in ("score", "result"):
        delete_rows(connection, name, **place)
    fields = {"reason": payload.get("reason", ""), "short": payload.get("short", 0), "record": payload.get("record")}
    insert_rows(connection, "result", [{**place, "state": "counts", **fields, "act": number}])
    insert_rows(connection, "score", _score_rows(place, payload))


def _enter_hands(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Write the result hand by hand."""
    _void_hands(connection, partition, number, payload)
    place = _place(payload)
    hands, points = [], []
    for index, hand in enumerate(payload["hands"]):
        spot = {**place, "hand": index}
        fields = {"contract": hand["contract"], "closer": hand["closer"], "at_once": int(hand["at_once"])}
        hands.append({**spot, **fields, "ending": hand.get("ending", "")})
        off = hand.get("off", [None] * len(hand["points"]))
        columns = enumerate(zip(hand["points"], off, strict=True))
        points += [{**spot, "seat": seat, "points": score, "off": bought} for seat, (score, bought) in columns]
    insert_rows(connection, "hand", hands)
    insert_rows(connection, "hand_score", points)


def _score_rows(place: Mapping[str, int], payload: Payload) -> list[dict[str, Any]]:
    nothing = [None] * len(payload["points"])
    extra, money = payload.get("extra", nothing), payload.get("money", nothing)
    columns = zip(payload["points"], payload["hands_won"], payload["places"], extra, money, strict=True)
    names = ("points", "hands_won", "place", "extra", "money")
    return [{**place, "seat": seat, **dict(zip(names, values, strict=True))} for seat, values in enumerate(columns)]


def _void_result(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Void the result."""
    place = _place(payload)
    delete_rows(connection, "score", **place)
    values = {"state": "void", "reason": payload["reason"], "short": 0, "record": None, "act": number}
    update_rows(connection, "result", place, values)


def _void_hands(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the hands of a result."""
    for name in ("hand_score", "hand"):
        delete_rows(connection, name, **_place(payload))


def _dissolve_result(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the void result of a dissolved table."""
    for name in ("score", "result"):
        delete_rows(connection, name, **_place(payload))


def _keep_sheet(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Write the partial sheet of a table, beside those for other players."""
    place, sheets = _place(payload), table("partial_sheet").c
    here = [sheets[name] == value for name, value in place.items()]
    before = connection.execute(select(sheets.text).where(*here)).scalar() or ""
    delete_rows(connection, "partial_sheet", **place)
    text = partial_sheets_text(before, payload)
    insert_rows(connection, "partial_sheet", [{**place, "text": text, "act": number}])


def _end_sheet(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the partial sheets of a table."""
    delete_rows(connection, "partial_sheet", **_place(payload))


def _discard_draft(_connection: Connection, _partition: Partition, _number: int, _payload: Payload) -> None:
    """Write nothing: partial sheets of versions before 0009 are outside the journal."""


def _add_ruling(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Add an arbiter's decision."""
    fields = {name: payload[name] for name in ("kind", "text", "round", "player", "hand", "points")}
    row = {"event": partition.event, "number": payload["ruling"], "table_number": payload["table"], "act": number}
    insert_rows(connection, "ruling", [{**row, **fields, "state": "stands", "why_cancelled": ""}])


def _cancel_ruling(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Mark a decision as cancelled; it stays readable."""
    values = {"state": "cancelled", "why_cancelled": payload["reason"], "act": number}
    update_rows(connection, "ruling", {"event": partition.event, "number": payload["ruling"]}, values)


RESULT_ENTER = declare(
    "result.enter", {"results": _enter_result, "hands": _enter_hands, "sheets": _end_sheet}, subjects.RESULT_CHANGED
)
RESULT_CORRECT = declare(
    "result.correct", {"results": _enter_result, "hands": _enter_hands, "sheets": _end_sheet}, subjects.RESULT_CHANGED
)
RESULT_VOID = declare(
    "result.void", {"results": _void_result, "hands": _void_hands, "sheets": _end_sheet}, subjects.RESULT_CHANGED
)
ROUND_DISSOLVE = declare(
    "round.dissolve",
    {"rounds": _move_players, "results": _dissolve_result, "hands": _void_hands, "sheets": _end_sheet},
    subjects.TABLE_DISSOLVED,
)
SHEET_KEEP = declare("result.partial", {"sheets": _keep_sheet}, subjects.SHEET_KEPT)
SHEET_DISCARD = declare("result.drop", {"results": _discard_draft, "sheets": _end_sheet}, subjects.SHEET_DISCARDED)
ANNOUNCING = (
    *ATTENDANCE,
    EVENT_SET,
    EVENT_CONSTRAIN,
    ROUND_DRAW,
    ROUND_MOVE,
    ROUND_DISSOLVE,
    ROUND_CANCEL,
)
"""The kinds of entries that keep the plan of the coming rounds which they announced."""
RULING_ADD = declare(
    "ruling.add",
    {"rulings": _add_ruling},
    subjects.RULING_ADDED,
    lambda payload: {("ruling", payload["event"]): payload["ruling"]},
)
RULING_CANCEL = declare("ruling.cancel", {"rulings": _cancel_ruling}, subjects.RULING_CANCELLED)


def _raise_flag(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Add a flag of a table."""
    fields = {name: payload[name] for name in ("round", "player", "text")}
    row = {"event": partition.event, "number": payload["flag"], "table_number": payload["table"], "act": number}
    insert_rows(connection, "flag", [{**row, **fields, "state": "open", "answer": ""}])


def _answer_flag(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Write the desk's answer to a flag, in place of an earlier one."""
    values = {"state": "answered", "answer": payload["answer"], "act": number}
    update_rows(connection, "flag", {"event": partition.event, "number": payload["flag"]}, values)


FLAG_RAISE = declare(
    "flag.raise",
    {"flags": _raise_flag},
    subjects.FLAG_RAISED,
    lambda payload: {("flag", payload["event"]): payload["flag"]},
)
FLAG_ANSWER = declare("flag.answer", {"flags": _answer_flag}, subjects.FLAG_ANSWERED)

# --- pools of ratings -----------------------------------------------------------------------------------

_OLD_PARAMETERS: Final[Mapping[str, str]] = {"absence": "0.0", "unit": "game"}
"""The values of parameters that older entries lack, and of the unit, which an entry has where it is another."""


def _new_pool(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Create a pool with its parameters."""
    row = {"id": payload["pool"], "name": payload["name"], "folded": fold(payload["name"]), "act": number}
    insert_rows(connection, "pool", [{**_OLD_PARAMETERS, **row, "kind": payload["kind"], **payload["parameters"]}])


def _import_results(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Note an imported file, in place of those it replaces; the journal has the digest of its rows, not the rows."""
    _remove_imports(connection, partition, number, {"imports": payload.get("replaces", ())})
    row = {"id": payload["import"], "pool": payload["pool"], "games": payload["games"], "act": number}
    insert_rows(connection, "pool_import", [{**row, "rows": payload["rows"], "digest": payload["digest"]}])


def _remove_imports(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Take imported files out of their pool; their rows stay, so that this can be undone."""
    for imported in payload["imports"]:
        delete_rows(connection, "pool_import", id=imported)


def _alias(_connection: Connection, _partition: Partition, _number: int, _payload: Payload) -> None:
    """Write nothing: other spellings of players are read from their entries."""


POOL_NEW = declare("pool.new", {"pools": _new_pool}, subjects.POOL_MADE, numbered("pool"))
POOL_SET = declare("pool.set", {"pools": _updating("pool", itemgetter("changes"))}, subjects.POOL_CHANGED)
RATING_IMPORT = declare("rating.import", {"pools": _import_results}, subjects.GAMES_IMPORTED, numbered("import"))
RATING_REMOVE = declare("rating.remove", {"pools": _remove_imports}, subjects.GAMES_REMOVED)
RATING_ALIAS = declare("rating.alias", {"pools": _alias}, subjects.NAMES_MERGED)


RATING_PUBLISH = declare(
    "rating.publish",
    {"editions": _unwritten},
    subjects.EDITION_PUBLISHED,
    lambda payload: {(editions_counter(payload["name"]), 0): payload["edition"]},
)


def editions_counter(pool: str) -> str:
    """Return the name under which the editions of a pool are counted; people and bots may have no number."""
    return f"edition {fold(pool)}"


# --- files ----------------------------------------------------------------------------------------------


COLUMNS_NAME = declare("columns.name", {"columns": _unwritten}, subjects.COLUMNS_NAMED)

# --- seasons --------------------------------------------------------------------------------------------

SEASON_NEW = declare("season.new", {"seasons": _unwritten}, subjects.SEASON_MADE, numbered("season"))
SEASON_SET = declare("season.set", {"seasons": _unwritten}, subjects.SEASON_CHANGED)
SEASON_ADD = declare("season.add", {"seasons": _unwritten}, subjects.EVENTS_COUNTED)
SEASON_REMOVE = declare("season.remove", {"seasons": _unwritten}, subjects.EVENTS_LEFT_OUT)
SEASON_DELETE = declare("season.delete", {"seasons": _unwritten}, subjects.SEASON_DELETED)

# --- leagues; their blocks are outside the journal, each with its hash ----------------------------------


def _new_league(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Create a league."""
    more = {name: payload[name] for name in LEAGUE_MORE if name in payload}
    fields = {name: value for name, value in payload.items() if name not in ("league", "outside", *LEAGUE_MORE)}
    text = canonical_json(more) if more else ""
    row = {**fields, "id": payload["league"], "more": text, **_league_bots(payload), "act": number}
    insert_rows(connection, "league", [row])


def _league_bots(payload: Payload) -> dict[str, Any]:
    """Return the column of a league's bots; with those from outside, if there are any."""
    kept = {name: payload[name] for name in ("bots", "outside") if name in payload}
    return {"bots": canonical_json(kept if len(kept) > 1 else kept["bots"])}


LEAGUE_NEW = declare("league.new", {"leagues": _new_league}, subjects.LEAGUE_MADE, numbered("league"))
LEAGUE_JOIN = declare(
    "league.join",
    {"leagues": _updating("league", _league_bots)},
    subjects.LEAGUE_JOINED,
)
