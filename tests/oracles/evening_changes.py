"""Predict what a change does to an event, or that it is refused, from the words of guide and help alone.

Events are those of `second_fold`. What a search chooses, such as the players of each table, is checked, not predicted.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import combinations

from tests.oracles.second_fold import GONE, Constraint, Event, Spot

SMALLEST_TABLE = 2
"""The players of the smallest table that document 003 allows (003/1.1)."""

Pair = frozenset[int]


@dataclass(frozen=True)
class Prediction:
    """The names of the exit codes with which a change may be refused; if there is none, it is made.

    `holds` then says of the event after the change whether it is as predicted.
    """

    refused: frozenset[str] = frozenset()
    holds: Callable[[Event], bool] = lambda _event: True


def _refused_or(refused: Collection[str], after: Event) -> Prediction:
    """Return the prediction that the event becomes `after`, unless there is a reason to refuse the change."""
    return Prediction(frozenset(refused), lambda event: _unordered(event) == _unordered(after))


def _unordered(event: Event) -> tuple[Event, set[Constraint]]:
    return replace(event, constraints=[]), set(event.constraints)


# --- constraints ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """The demands of one `event constrain`: new constraints in the order of kinds, and those to remove.

    `remove` has the players of a constraint to remove, nobody for that on clubs. Something is not `typed_well` if it
    names somebody twice, or only one; clubs are no constraint unless somebody `has_club`.
    """

    new: Sequence[Constraint] = ()
    remove: frozenset[int] | None = None
    clears: bool = False
    typed_well: bool = True
    has_club: bool = True


def constrained(event: Event, bots: Collection[int], asked: Asked) -> Prediction:
    """Predict `event constrain`.

    What contradicts a constraint or itself, what counting forbids and what changes nothing is refused; what is
    impossible since other changes is no reason to refuse anything else.
    """
    new = [constraint for asked_for in asked.new for constraint in _pairs_together(asked_for)]
    refused = {"REFUSED"} if event.finished else set()
    kept = [] if asked.clears else _not_removed(event.constraints, asked.remove)
    if asked.remove is not None and kept == event.constraints:
        refused.add("NOT_FOUND")
    moved = {players for kind, players, _table in new if kind == "table"}
    kept = [each for each in kept if each[0] != "table" or each[1] not in moved]
    after = list(dict.fromkeys((*kept, *new)))
    if not asked.typed_well or _contradictions(after) - _contradictions(kept):
        refused.add("USAGE")
    if not asked.has_club or set(after) == set(event.constraints):
        refused.add("REFUSED")
    if _crowded(event, after) - _crowded(event, kept):
        refused.add("REFUSED")
    if any(
        _forbidden(group, event, new) or (_forbidden(group, event, after) and not _forbidden(group, event, kept))
        for group in _groups([player for player, state in event.entrants.items() if state not in GONE], bots)
    ):
        refused.add("REFUSED")
    return _refused_or(refused, replace(deepcopy(event), constraints=after))


def _pairs_together(constraint: Constraint) -> list[Constraint]:
    """Return the constraint, or one for each pair of players who are to be seated together."""
    kind, players, table = constraint
    if kind != "together":
        return [constraint]
    return [(kind, frozenset(pair), table) for pair in combinations(sorted(players), 2)]


def together_groups(event: Event) -> list[frozenset[int]]:
    """Return the groups of three players in which every pair is to be seated together."""
    pairs = {players for kind, players, _table in event.constraints if kind == "together"}
    players = sorted(frozenset().union(*pairs))
    return [
        frozenset(group)
        for group in combinations(players, 3)
        if all(frozenset(pair) in pairs for pair in combinations(group, 2))
    ]


def _not_removed(constraints: Sequence[Constraint], players: frozenset[int] | None) -> list[Constraint]:
    """Return the constraints without those that were given for these players; none for clubs, None for nothing."""
    if players is None:
        return list(constraints)
    gone = {players}
    pairs = {frozenset(pair) for pair in combinations(sorted(players), 2)}
    if pairs <= {each for kind, each, _table in constraints if kind == "together"}:
        gone |= pairs
    return [
        (kind, each, table)
        for kind, each, table in constraints
        if not (each == players or (kind == "together" and each in gone))
    ]


def _contradictions(constraints: Sequence[Constraint]) -> set[tuple[str, frozenset[int]]]:
    """Return what no round can keep, whoever plays: two constraints on one player or pair that exclude each other."""
    tables = {(player, table) for kind, players, table in constraints for player in players if kind == "table"}
    elsewhere = {frozenset((one, two)) for one, at in tables for two, other in tables if one != two and at != other}
    beside = {frozenset((one, two)) for one, at in tables for two, other in tables if one != two and at == other}
    apart = _pairs(constraints, "apart") | _pairs(constraints, "never")
    together = _pairs(constraints, "together")
    twice = [player for player, count in Counter(player for player, _table in tables).items() if count > 1]
    return {
        *(("two tables", frozenset([player])) for player in twice),
        *(("apart and together", pair) for pair in apart & together),
        *(("together at two tables", pair) for pair in together & elsewhere),
        *(("apart at one table", pair) for pair in apart & beside),
    }


def _pairs(constraints: Sequence[Constraint], kind: str) -> set[Pair]:
    return {
        frozenset(pair) for each, players, _table in constraints if each == kind for pair in combinations(players, 2)
    }


def _crowded(event: Event, constraints: Sequence[Constraint]) -> set[tuple[int | None, int]]:
    """Return the tables that more players need than they have seats, each with the number of these players."""
    needed = Counter(table for kind, _players, table in constraints if kind == "table")
    return {(table, number) for table, number in needed.items() if number > event.settings["size"]}


def _forbidden(players: Collection[int], event: Event, constraints: Sequence[Constraint]) -> bool:
    """Return whether counting forbids the constraints for a round of these players."""
    if len(players) < SMALLEST_TABLE:
        return False
    sizes = table_sizes(len(players), event)
    byes = len(players) - sum(sizes)
    groups = [group.intersection(players) for kind, group, _table in constraints if kind == "apart"]
    return any(len(group) > len(sizes) + byes for group in groups) or not _can_be_seated(players, event, constraints)


# --- rounds -----------------------------------------------------------------------------------------------------


def table_sizes(players: int, event: Event) -> list[int]:
    """Return the sizes of the tables for so many players, largest first."""
    size = event.settings["size"]
    if event.settings["short"] == "sit out":
        return [size] * (players // size) if players >= size else [players]
    tables = -(-players // size)
    return [players // tables + (number < players % tables) for number in range(tables)]


def _groups(players: Sequence[int], bots: Collection[int]) -> list[list[int]]:
    """Return people and bots, who are seated by themselves where both fill a table."""
    people, machines = ([player for player in players if (player in bots) == is_bot] for is_bot in (False, True))
    if min(len(people), len(machines)) >= SMALLEST_TABLE:
        return [people, machines]
    return [list(players)]


def _can_be_seated(players: Collection[int], event: Event, constraints: Sequence[Constraint]) -> bool:
    """Return whether any seating of these players keeps every `--never` pair apart; all seatings are tried."""
    never = [pair for pair in _pairs(constraints, "never") if pair.issubset(players)]
    sizes = table_sizes(len(players), event)
    out = len(sizes)
    room = [*sizes, len(players) - sum(sizes)]

    def place(waiting: Sequence[int], at: dict[int, int]) -> bool:
        if not waiting:
            return True
        player, *rest = waiting
        others = [next(iter(pair - {player})) for pair in never if player in pair]
        taken = {at[other] for other in others if other in at} - {out}
        free = [table for table in range(len(room)) if table not in taken and room[table] > Counter(at.values())[table]]
        return any(place(rest, {**at, player: table}) for table in free)

    return place(sorted(frozenset().union(*never)), {})


def drawn(event: Event, bots: Collection[int], anyway: bool) -> Prediction:
    """Predict `round draw`: everybody present is seated at tables of the right sizes, and nobody who must not be."""
    present = [player for player, state in event.entrants.items() if state in _seated_states(event)]
    groups = _groups(present, bots)
    number = 1 + max((spot[0] for spot in event.tables), default=0)
    missing = event.tables.keys() - event.results.keys()
    if (
        event.finished
        or (event.settings["format"] == "swiss" and missing and not anyway)
        or any(len(group) < SMALLEST_TABLE for group in groups)
        or not all(_can_be_seated(group, event, event.constraints) for group in groups)
    ):
        return Prediction(frozenset({"REFUSED"}))

    def holds(after: Event) -> bool:
        new = {spot: players for spot, players in after.tables.items() if spot[0] == number}
        sizes = [size for group in groups for size in table_sizes(len(group), event)]
        return (
            sorted(map(len, new.values())) == sorted(sizes)
            and {player for players in new.values() for player in players} <= set(present)
            and not never_met(after, number)
            and replace(after, tables=event.tables) == event
            and after.tables == event.tables | new
        )

    return Prediction(holds=holds)


def _seated_states(event: Event) -> set[str]:
    return {"checked in"} if event.settings["checkin"] == "required" else {"checked in", "entered"}


def never_met(event: Event, number: int) -> set[Pair]:
    """Return the pairs who share a table in this round and are never to share one."""
    return _met(event, number) & _pairs(event.constraints, "never")


def _met(event: Event, number: int) -> set[Pair]:
    return {
        frozenset(pair)
        for spot, players in event.tables.items()
        if spot[0] == number
        for pair in combinations(players, 2)
    }


def broken_by(event: Event, number: int) -> tuple[set[Pair], set[tuple[int, int | None, int]]]:
    """Return what a round breaks: pairs to be kept apart who meet, and (player, table needed, table) of the others.

    Clubs are left out, since the journal does not have them.
    """
    apart = _met(event, number) & (_pairs(event.constraints, "apart") - _pairs(event.constraints, "together"))
    at = {player: table for (each, table), players in event.tables.items() if each == number for player in players}
    wrong = {
        (player, needed, at[player])
        for kind, players, needed in event.constraints
        for player in players
        if kind == "table" and at.get(player, needed) != needed
    }
    return apart, wrong


def taken_out(event: Event, players: Sequence[int], how: str) -> Prediction:
    """Predict `event withdraw --out`: out of the coming rounds, and of the newest where a table has no result."""
    newest = max((spot[0] for spot in event.tables), default=0)
    after = deepcopy(event)
    after.entrants |= {player: how for player in players if event.entrants[player] not in GONE}
    refused = {"REFUSED"} if event.finished else set()
    for spot in _left(event, newest, players):
        seated = event.tables[spot]
        after.tables[spot] = [player for player in seated if player not in players]
        if seated in event.partial.get(spot, []):
            refused.add("CONFLICT")
        if len(after.tables[spot]) < SMALLEST_TABLE:
            refused.add("REFUSED")
    return _refused_or(refused, after)


def _left(event: Event, newest: int, players: Sequence[int]) -> Iterator[Spot]:
    """Yield the tables of the newest round without a result at which one of the players sits."""
    for spot, seated in event.tables.items():
        if spot[0] == newest and spot not in event.results and set(seated).intersection(players):
            yield spot


# --- rulings and new events -------------------------------------------------------------------------------------


def penalised(event: Event, player: int, points: int, in_round: int | None) -> Prediction:
    """Predict `ruling penalty`: the points count in the standings, in a round that the event has or in none."""
    refused = {"REFUSED"} if event.finished or points == 0 else set()
    if in_round is not None and in_round > event.settings["rounds"]:
        refused.add("NOT_FOUND")

    def holds(after: Event) -> bool:
        # The number of a ruling that was undone is not given again.
        (new,) = after.rulings.keys() - event.rulings.keys()
        added = {key: after.rulings[new][key] for key in ("kind", "player", "points", "round", "stands")}
        return (
            replace(after, rulings=event.rulings) == event
            and after.rulings == event.rulings | {new: after.rulings[new]}
            and added == {"kind": "penalty", "player": player, "points": points, "round": in_round, "stands": True}
            and after.penalty(player) == event.penalty(player) + points
        )

    return Prediction(frozenset(refused), holds)


def ruling_cancelled(event: Event, number: int) -> Prediction:
    """Predict `ruling cancel`: the ruling counts no longer; one that is cancelled is not cancelled again."""
    after = deepcopy(event)
    after.rulings[number]["stands"] = False
    return _refused_or({"REFUSED"} if event.finished or not event.rulings[number]["stands"] else (), after)


def copied(source: Event, what: str, name: str) -> Prediction:
    """Predict `event new --from`: day and seed are not copied, nor players who never came.

    Players who withdrew are entered again, unless they left before they had a seat.
    """
    seated = {player for players in source.tables.values() for player in players}
    came = [p for p, state in source.entrants.items() if state not in GONE or (state == "withdrawn" and p in seated)]
    players = {} if what == "settings" else dict.fromkeys(came, "entered")
    constraints = [] if what == "players" else [each for each in source.constraints if each[1] <= players.keys()]

    def holds(new: Event) -> bool:
        settings = set(new.settings) - {"event", "name", "seed", "date"}
        return (
            new.entrants == players
            and set(new.constraints) == set(constraints)
            and (new.settings["name"], new.settings["seed"], new.settings["date"]) == (name, name, "")
            and (what == "players" or all(new.settings[each] == source.settings[each] for each in settings))
            and not (new.tables or new.results or new.rulings or new.partial or new.finished)
        )

    return Prediction(holds=holds)
