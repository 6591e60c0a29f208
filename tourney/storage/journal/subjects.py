"""Subjects: what an entry writes and what it reads, so that undo can tell which later changes rest on an earlier one.

A subject is a tuple: its kind, then numbers, such as ("seats", event, round, table). A later entry rests on an earlier
one if it reads a subject that the earlier one wrote: its content was worked out from it, or it could not have been
made, or not be replayed, without it. An entry that only replaces what another wrote does not rest on that one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tourney.domain.events import SETTINGS
from tourney.storage.journal.entries import Payload
from tourney.text.names import fold

Subject = tuple[Any, ...]
Name = tuple[str, str]
"""A kind of name, of people or of events, and the name as look-ups compare it."""


class Past(Protocol):
    """The state just before an entry, as the entries that stand give it."""

    def tables(self, event: int, in_round: int) -> Mapping[int, Sequence[int]]:
        """Return the players at each table of a round, in seat order."""

    def settings(self, event: int) -> Mapping[str, Any]:
        """Return the settings of an event, with its name."""

    def apart_by_club(self, event: int) -> bool:
        """Return whether the members of each club are kept apart."""

    def ordered_by(self, event: int) -> frozenset[str]:
        """Return by what the event's formats order players for a draw: nothing, standings, last tables, ratings."""

    def is_draft(self, event: int, in_round: int) -> bool:
        """Return whether the round was drawn as a draft and not published, whatever results it has."""

    def event_name(self, name: str) -> Name:
        """Return the name of an event for comparison."""

    def person_names(self, player: int, versions: range) -> Iterator[Name]:
        """Yield versions of a person's name that were not erased, for comparison."""


Finder = Callable[[Payload, Past], Iterable[Subject]]
Names = Callable[[Payload, Past], Iterable[tuple[Name, int]]]
"""A function from a payload to names, each with the number of the person or event that has it."""


def _nothing(_payload: Payload, _past: Past) -> Iterable[Any]:
    return ()


@dataclass(frozen=True, slots=True)
class Subjects:
    """The subjects that an entry of a kind writes and reads, and the names that it takes and frees.

    `across` says that it may read subjects of other events, or of none.
    """

    writes: Finder = _nothing
    reads: Finder = _nothing
    takes: Names = _nothing
    frees: Names = _nothing
    across: bool = False


def in_event(
    writes: Finder = _nothing,
    reads: Finder = _nothing,
    *,
    takes: Names = _nothing,
    frees: Names = _nothing,
    across: bool = False,
) -> Subjects:
    """Return the subjects of a change in an event: the event must be there and open, its end rests on it."""

    def all_writes(payload: Payload, past: Past) -> Iterator[Subject]:
        yield ("anything", payload["event"])
        yield from writes(payload, past)

    def all_reads(payload: Payload, past: Past) -> Iterator[Subject]:
        yield from (("event", payload["event"]), ("state", payload["event"]))
        yield from reads(payload, past)

    return Subjects(all_writes, all_reads, takes, frees, across)


def of(*subjects: str) -> Finder:
    """Return a finder of subjects given as words: their kind, then the names of the payload's numbers.

    A name of a list gives a subject for each of its items: `entrant event players`. Numbers that are None or missing
    give no subject.
    """
    parsed = [subject.split() for subject in subjects]

    def find(payload: Payload, _past: Past) -> Iterator[Subject]:
        for kind, *keys in parsed:
            values = [payload.get(key) for key in keys]
            if None in values:
                continue
            if values and isinstance(values[-1], list):
                yield from ((kind, *values[:-1], each) for each in values[-1])
            else:
                yield (kind, *values)

    return find


def both(*finders: Finder) -> Finder:
    """Return a finder of the subjects of all these."""
    return lambda payload, past: (subject for find in finders for subject in find(payload, past))


# --- people ---------------------------------------------------------------------------------------------


def _added(payload: Payload, _past: Past) -> Iterator[Subject]:
    return (("player", player["id"]) for player in payload["players"])


def _added_names(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    for player in payload["players"]:
        yield from ((name, player["id"]) for name in past.person_names(player["id"], range(1, 2)))


def _new_name(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    number, version = payload["player"], payload["version"]
    return ((name, number) for name in past.person_names(number, range(version, version + 1)))


def _former_names(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    number = payload["player"]
    return ((name, number) for name in past.person_names(number, range(1, payload["version"])))


def _merged_names(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    return ((name, payload["gone"]) for name in past.person_names(payload["gone"], range(1, 1_000_000)))


def _in_merged_events(*kinds: str) -> Finder:
    return lambda payload, _past: ((kind, event) for event in payload["events"] for kind in kinds)


def _merged_entrants(payload: Payload, _past: Past) -> Iterator[Subject]:
    for event in payload["events"]:
        for player in (payload["keep"], payload["gone"]):
            yield from (("entrant", event, player), ("attendance", event, player))


PLAYER_ADDED = Subjects(_added, takes=_added_names, across=True)
PLAYER_RENAMED = Subjects(of("club player"), of("player player"), _new_name, _former_names, across=True)
PLAYER_PUBLISHED = Subjects(reads=of("player player"), across=True)
PLAYER_ERASED = Subjects(reads=of("player player"), across=True)
# Two players with a seat in one round cannot be one, so that a merger rests on every seat of its events.
PLAYERS_MERGED = Subjects(
    both(
        of("player gone", "merged keep", "merged gone", "ratings"),
        _merged_entrants,
        _in_merged_events("entrants", "attendance", "seating", "rulings", "people", "anything"),
    ),
    both(
        of("player keep", "player gone", "merged keep", "merged gone"), _merged_entrants, _in_merged_events("seating")
    ),
    frees=_merged_names,
    across=True,
)

# --- an event: its settings, and who plays in it --------------------------------------------------------

_WITH: Final[Mapping[str, tuple[str, ...]]] = {
    "minimum": ("rounds",),
    "rounds": ("minimum",),
    "unfinished": ("unfinished_points",),
    "unfinished_points": ("unfinished",),
    "scoring": ("table_points",),
    "table_points": ("scoring",),
    "pot": ("prizes",),
    "fee": ("prizes",),
    "prizes": ("pot", "fee"),
}
"""The settings that must suit each setting."""
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


def _changed_settings(payload: Payload, _past: Past) -> Iterator[Subject]:
    yield from (("setting", payload["event"], name) for name in payload["changes"])
    if "date" in payload["changes"]:
        yield from (("ratings",), ("dates",))
    if "substitutes" in payload["changes"]:
        yield ("ratings",)


def _settings_beside(payload: Payload, _past: Past) -> Iterator[Subject]:
    for name in payload["changes"]:
        yield from (("setting", payload["event"], other) for other in _WITH.get(name, ()))
    if "stages" in payload["changes"]:
        # Who plays in a stage follows from the results, and from who was there.
        kinds = ("results", "rulings", "attendance", "entrants", "seating")
        yield from ((kind, payload["event"]) for kind in kinds)


def _taken_name(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    given = payload.get("changes", payload)
    if "name" in given:
        yield past.event_name(given["name"]), payload["event"]


def _lost_name(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    yield past.event_name(past.settings(payload["event"])["name"]), payload["event"]


def _freed_name(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    if "name" in payload["changes"]:
        yield past.event_name(past.settings(payload["event"])["name"]), payload["event"]


def _constrained(payload: Payload, _past: Past) -> Iterator[Subject]:
    for constraint in payload["wishes"]:
        for player in constraint.get("players", ()):
            yield from (("entrant", payload["event"], player), ("player", player))


_attendance_writes = of("attendance event", "attendance event players", "ratings")
_attendance_reads = of("entrant event players", "attendance event players")

EVENT_MADE = Subjects(of("event event", "anything event", "ratings"), takes=_taken_name, across=True)
EVENT_IMPORTED = Subjects()
# Nothing in the event is taken back alone once it is deleted, and no season gets it back.
EVENT_DELETED = Subjects(
    of("current", "anything event", "ratings"),
    of("event event", "anything event", "seasons"),
    frees=_lost_name,
    across=True,
)
EVENT_CHANGED = in_event(
    _changed_settings,
    both(_settings_beside, of("cancelled event")),
    takes=_taken_name,
    frees=_freed_name,
    across=True,
)
EVENT_CONSTRAINED = in_event(of("constraints event"), both(of("constraints event"), _constrained), across=True)
EVENT_FINISHED = in_event(of("state event"), of("anything event"))
EVENT_REOPENED = in_event(of("state event"))
EVENT_USED = Subjects(of("current"), of("event event"), across=True)
PLAYERS_ENTERED = in_event(
    of("entrant event players", "entrants event", "attendance event"), of("player players"), across=True
)
PLAYERS_CHECKED_IN = in_event(_attendance_writes, _attendance_reads)
PLAYERS_WITHDRAWN = PLAYERS_CHECKED_IN


def _checkin(payload: Payload, _past: Past) -> Iterator[Subject]:
    yield ("setting", payload["event"], "checkin")


PLAYERS_RETURNED = in_event(_attendance_writes, both(_attendance_reads, _checkin))

COLUMNS_NAMED = Subjects(of("columns"), across=True)

# --- seasons --------------------------------------------------------------------------------------------


def _season_name(payload: Payload, _past: Past) -> Iterator[tuple[Name, int]]:
    if "name" in payload:
        yield ("season", fold(payload["name"])), payload["season"]


def _former_season_name(payload: Payload, _past: Past) -> Iterator[tuple[Name, int]]:
    if "name" in payload or "changes" not in payload:
        yield ("season", fold(payload["before"])), payload["season"]


SEASON_MADE = Subjects(of("season season", "season_rules season"), takes=_season_name, across=True)
SEASON_CHANGED = Subjects(
    of("season_rules season"),
    of("season season", "season_rules season"),
    takes=_season_name,
    frees=_former_season_name,
    across=True,
)
EVENTS_COUNTED = Subjects(of("counted season played"), both(of("season season"), of("event played")), across=True)
EVENTS_LEFT_OUT = Subjects(
    of("left_out season played", "seasons"), of("season season", "counted season played"), across=True
)
SEASON_DELETED = Subjects(of("seasons"), of("season season"), frees=_former_season_name, across=True)

# --- rounds ---------------------------------------------------------------------------------------------


def _seated(payload: Payload) -> list[int]:
    """Return the players of a seating, with those who have a bye."""
    return [*(player for drawn in payload["tables"] for player in drawn["players"]), *payload["out"]]


def _seated_entrants(payload: Payload, _past: Past) -> Iterator[Subject]:
    return (("entrant", payload["event"], player) for player in _seated(payload))


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


def _changed_tables(payload: Payload, past: Past) -> dict[int, set[int]]:
    """Return the tables that a new seating of a round changes, each with its players before and after."""
    before = past.tables(payload["event"], payload["round"])
    after = {drawn["table"]: drawn["players"] for drawn in payload["tables"]}
    return {
        number: {*before.get(number, ()), *after.get(number, ())}
        for number in {**before, **after}
        if list(before.get(number, ())) != list(after.get(number, ()))
    }


def _at_changed_tables(*kinds: str) -> Finder:
    def find(payload: Payload, past: Past) -> Iterator[Subject]:
        for number in _changed_tables(payload, past):
            yield from ((kind, payload["event"], payload["round"], number) for kind in kinds)

    return find


def _present(payload: Payload, past: Past) -> Iterator[Subject]:
    """Yield the attendance of the players whose table a new seating changes, and of those who sit out."""
    players = set().union(payload["out"], *_changed_tables(payload, past).values())
    return (("attendance", payload["event"], player) for player in sorted(players))


def _published_before(payload: Payload, past: Past) -> Iterator[Subject]:
    """Yield what made the round before no draft, over which no round is drawn: its publishing, or its results."""
    event, before = payload["event"], payload["round"] - 1
    yield ("published", event, before)
    if past.is_draft(event, before):
        yield ("results", event, before)


ROUND_DRAWN = in_event(
    of("round event round", "layout event round", "seating event"),
    both(
        of("entrants event", "attendance event", "constraints event", "seating event"),
        _seated_entrants,
        _ordering,
        _published_before,
    ),
    across=True,
)
ROUND_PUBLISHED = in_event(of("published event round"), of("round event round"))
ROUND_MOVED = in_event(
    both(of("layout event round", "seating event"), _at_changed_tables("seats")),
    both(
        of("round event round", "layout event round", "constraints event"),
        _seated_entrants,
        _present,
        _at_changed_tables("result", "sheet"),
    ),
)
TABLE_DISSOLVED = in_event(
    both(of("layout event round", "seating event", "result event round table"), _at_changed_tables("seats")),
    both(
        of("round event round", "layout event round", "seating event", "results event round", "sheets event round"),
        of("attendance event", "constraints event"),
        _seated_entrants,
    ),
)
ROUND_CANCELLED = in_event(
    of("round event round", "seating event", "cancelled event", "results event"),
    of("round event round", "seating event", "results event round", "sheets event round"),
)


def _minutes(payload: Payload, _past: Past) -> Iterator[Subject]:
    yield ("setting", payload["event"], "minutes")


SUBSTITUTE_NAMED = in_event(
    of("substitute event round absent", "results event", "ratings"),
    of("round event round", "entrant event absent", "player substitute"),
    across=True,
)
CLOCK_SET = in_event(of("clock event round"), both(of("round event round", "clock event round"), _minutes))

# --- results and rulings --------------------------------------------------------------------------------

_table_reads = of("round event round", "seats event round table", "result event round table", "sheet event round table")


def _counting(payload: Payload, _past: Past) -> Iterator[Subject]:
    """Yield the settings by which a result was worked out."""
    names = [
        *(("unfinished", "unfinished_points") if payload.get("short") else ()),
        *(("stake",) if payload.get("money") else ()),
    ]
    return (("setting", payload["event"], name) for name in names)


RESULT_CHANGED = in_event(
    of("result event round table", "results event round", "results event", "ratings"), both(_table_reads, _counting)
)
SHEET_KEPT = in_event(
    of("sheet event round table", "sheets event round"), both(_table_reads, of("entrant event people"))
)
SHEET_DISCARDED = in_event(of("sheet event round table", "sheets event round"), _table_reads)
RULING_ADDED = in_event(
    of("ruling event ruling", "rulings event"),
    of("entrant event player", "round event round", "seats event round table"),
)
RULING_CANCELLED = in_event(of("ruling event ruling", "rulings event"), of("ruling event ruling"))

FLAG_RAISED = in_event(of("flag event flag"), of("entrant event player", "round event round"))
FLAG_ANSWERED = in_event(of("flag event flag"), of("flag event flag"))

# --- pools and leagues ----------------------------------------------------------------------------------

POOL_MADE = Subjects(of("pool pool", "ratings"), across=True)
POOL_CHANGED = Subjects(of("ratings", "rated pool"), of("pool pool"), across=True)
GAMES_IMPORTED = Subjects(
    of("ratings", "rated pool", "imported import"), of("pool pool", "imported replaces"), across=True
)
GAMES_REMOVED = Subjects(of("ratings", "rated pool"), of("pool pool", "imported imports"), across=True)
# An alias names players by the place of their names in the files.
NAMES_MERGED = Subjects(of("ratings", "rated pool"), of("pool pool", "rated pool"), across=True)


def _counted_games(payload: Payload, _past: Past) -> Iterator[Subject]:
    """Yield the results and the people of the events whose games an edition counts; imports are those of its pool."""
    if payload["kind"] != "imported":
        for event, _day, _digest in payload["counted"]:
            yield from (("results", event), ("people", event))


EDITION_PUBLISHED = Subjects(
    of("editions name"),
    both(_counted_games, of("dates", "pool pool", "rated pool", "editions name")),
    across=True,
)
LEAGUE_MADE = Subjects(of("league league"), across=True)
LEAGUE_JOINED = Subjects(of("league league"), of("league league"), across=True)
