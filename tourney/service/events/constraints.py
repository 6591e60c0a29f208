"""Constraints on the seating of an event: who is kept apart, who sits together, who needs which table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import HERE, Constraint, ConstraintKind, Event
from tourney.domain.people import Player
from tourney.domain.schedule import Constrained
from tourney.rulebook import rulesets
from tourney.seating.constraints import Constraints
from tourney.seating.separate import separable
from tourney.service.change import Change
from tourney.service.lookup import event_argument, find_entrant, find_entrants, find_open_event
from tourney.service.seating.constraint_text import (
    CLUB,
    clubs_of,
    is_club,
    names_in,
    read_constraints,
    refuse_contradiction,
    refuse_crowd,
    refuse_lone_names,
    refuse_uncountable,
    uncountable,
)
from tourney.service.seating.draw import groups_of
from tourney.service.seating.plan_diff import PlanInputs, announced, broken_by_plan
from tourney.service.seating.rotation_plan import sizes_for
from tourney.text.i18n import _, ngettext


@dataclass(frozen=True, slots=True)
class ConstrainSeating(Change[Constrained]):
    """Add constraints on the seating of the coming rounds, or with `replace` use them instead of the old ones.

    Entrants are named as in `read_constraints`, or by number; drawn rounds do not change. Refused: NOT_FOUND for
    an unknown event or entrant, or for names of `remove` that no constraint has; USAGE for text of another form, for no
    constraint at all, and for constraints that contradict each other; REFUSED for a finished event, for clubs if nobody
    has one, for more people who need a table than it seats, for more who are to be kept apart than there are tables,
    and if nothing would change.

    `remove` has the names of constraints to remove, each as it was given: `Ana,Beñat`, `club`, or `Diego` for a table.
    """

    event: str | None
    apart: Sequence[str] = ()
    together: Sequence[str] = ()
    tables: Sequence[str] = ()
    replace: bool = False
    never: Sequence[str] = ()
    remove: Sequence[str] = ()

    def perform(self, store: storage.Store) -> Constrained:
        """Return the event with its constraints, the changes in the coming rounds, and notes on missing tables."""
        if not (self.replace or self.remove or self.apart or self.never or self.together or self.tables):
            message = _("no constraint is given")
            hint = _(
                "give --apart, --never, --together or --table, --remove NAMES to remove one, or --clear to remove all"
            )
            raise TourneyError(ExitCode.USAGE, message, hint)
        refuse_lone_names(self.apart, self.together, self.never)
        event = find_open_event(store, self.event)
        new = _read(event, self.apart, self.together, self.tables, self.never)
        kept = [] if self.replace else _still_valid(_without(event, self.remove), new)
        constraints = _once((*kept, *new))
        if set(map(_key, constraints)) == set(map(_key, event.constraints)):
            message = _("nothing about the constraints of {event} would change").format(event=event.settings.name)
            hint = _("see them with `tourney event show{event}`").format(event=event_argument(event))
            raise TourneyError(ExitCode.REFUSED, message, hint)
        if new:
            _refuse_contradiction(event, kept, constraints)
            _refuse_uncountable(event, kept, new)
        before = PlanInputs.of(store, event)
        after = store.changed(storage.kinds.events.EventConstrained(event, constraints))
        ahead = announced(store, before, after)
        broken = broken_by_plan(PlanInputs.of(store, after))
        removed = tuple(each for each in event.constraints if each not in constraints)
        return Constrained(after, ahead, tuple(_no_such_table(after)), broken, removed)


def _without(event: Event, remove: Sequence[str]) -> list[Constraint]:
    """Return the event's constraints without those of these names. Raises TourneyError NOT_FOUND if there is none."""
    kept = list(event.constraints)
    for words in remove:
        is_all_clubs = is_club(words)
        named = [] if is_all_clubs else find_entrants(event, names_in("--remove", words))
        found = _named(kept, frozenset(player.id for player in named), is_all_clubs)
        if not found:
            hint = _("see them with `tourney event show{event}`; `--clear` removes all").format(
                event=event_argument(event)
            )
            message = _("no constraint of {event} names {names}").format(event=event.settings.name, names=words[:80])
            raise TourneyError(ExitCode.NOT_FOUND, message, hint)
        kept = [each for each in kept if each not in found]
    return kept


def _named(kept: Sequence[Constraint], named: frozenset[int], is_all_clubs: bool) -> list[Constraint]:
    """Return the constraints on these players; all pairs of three or more who are to be seated together are one."""
    players_of = {each: frozenset(player.id for player in each.players) for each in kept}
    pairs = {frozenset(pair) for pair in combinations(sorted(named), 2)}
    together = [each for each in kept if each.kind == "together" and players_of[each] in pairs]
    if not pairs or {players_of[each] for each in together} < pairs:
        together = []
    same = [each for each in kept if (each.kind == "clubs apart") == is_all_clubs and players_of[each] == named]
    return [*same, *together]


def _still_valid(before: Sequence[Constraint], new: Sequence[Constraint]) -> list[Constraint]:
    """Return the constraints that remain: a player who needs a new table no longer needs the former one."""
    moved = {constraint.players for constraint in new if constraint.kind == "table"}
    return [each for each in before if each.kind != "table" or each.players not in moved or each in new]


_Key = tuple[ConstraintKind, frozenset[int], int | None]


def _key(constraint: Constraint) -> _Key:
    """Return what makes a constraint the same as another: the order in which its players are named does not matter."""
    return constraint.kind, frozenset(player.id for player in constraint.players), constraint.table


def _once(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Return the constraints, the first of each that are the same."""
    found: dict[_Key, Constraint] = {}
    for constraint in constraints:
        found.setdefault(_key(constraint), constraint)
    return tuple(found.values())


def _numbered(event: Event, constraints: Sequence[Constraint]) -> Constraints:
    """Return these constraints on entrants who are numbered from 0 in the order of entry."""
    place = {player.id: number for number, player in enumerate(event.entrants)}
    groups = {
        kind: [each for each in constraints if each.kind == kind] for kind in ("apart", "together", "table", "never")
    }
    pairs = [tuple(place[player.id] for player in each.players) for each in groups["together"]]
    return Constraints(
        tuple(frozenset(place[player.id] for player in each.players) for each in groups["apart"]),
        tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2),
        tuple((place[player.id], each.table or 1) for each in groups["table"] for player in each.players),
        tuple(frozenset(place[player.id] for player in each.players) for each in groups["never"]),
    )


def _refuse_contradiction(event: Event, kept: Sequence[Constraint], constraints: Sequence[Constraint]) -> None:
    """Raise TourneyError for constraints that contradict each other, or crowd a table, by more than those kept do."""
    before, numbered = _numbered(event, kept), _numbered(event, constraints)
    hint = _("leave this constraint out, or remove another with --remove NAMES, or all with --clear")
    refuse_contradiction(event.entrants, numbered, hint, before)
    size, (_least, most) = event.settings.size, rulesets.table_limits(event.rules)
    refuse_crowd(numbered, size if event.settings.tables is None else most, hint, before)


def _refuse_uncountable(event: Event, kept: Sequence[Constraint], new: Sequence[Constraint]) -> None:
    """Raise TourneyError REFUSED for new constraints that counting forbids, for those who have not left the event.

    Those kept may be impossible by themselves since players have left: that is no reason to refuse a new one.
    """
    expected = event.in_state(*HERE)
    hint = _("leave somebody out; if more players come, enter them first with `tourney event enter`")
    for players, sizes in _tables_for(event, expected):
        byes = len(players) - sum(sizes)
        before, alone, after = (_here(event, players, each) for each in (kept, new, (*kept, *new)))
        for constraints in (alone, after) if not uncountable(players, before, sizes, byes) else (alone,):
            refuse_uncountable(players, constraints, sizes, byes, hint)


def impossible_never(event: Event) -> Constraint | None:
    """Return a constraint on players who never share a table, if no draw can keep all of these; otherwise None.

    It is one without which a round can be drawn for the players who are present, if there is such a one.
    """
    never = [constraint for constraint in event.constraints if constraint.kind == "never"]
    if not never or _can_be_drawn(event, never):
        return None
    needless = (each for each in never if _can_be_drawn(event, [other for other in never if other is not each]))
    return next(needless, never[0])


def _can_be_drawn(event: Event, never: Sequence[Constraint]) -> bool:
    return all(
        separable(_here(event, players, never).never_pairs, sizes, len(players) - sum(sizes)) != "impossible"
        for players, sizes in _tables_for(event, event.playing)
    )


def _tables_for(event: Event, players: Sequence[Player]) -> Iterator[tuple[tuple[Player, ...], Sequence[int]]]:
    """Yield the players of each group that is seated by itself, with the sizes of its tables."""
    least, _most = rulesets.table_limits(event.rules)
    for group in groups_of(event, players):
        if len(group) >= least:
            yield group, sizes_for(event, group)


def _here(event: Event, players: Sequence[Player], constraints: Sequence[Constraint]) -> Constraints:
    """Return the constraints on these entrants, who are numbered from 0; the others are left out."""
    place = {player.id: number for number, player in enumerate(event.entrants)}
    return _numbered(event, constraints).renumbered({place[each.id]: number for number, each in enumerate(players)})


def _no_such_table(event: Event) -> Iterator[str]:
    """Yield a note for each player who needs a table with a number too high for the present players."""
    groups = list(_tables_for(event, event.playing))
    number = sum(len(sizes) for _players, sizes in groups)
    needs = [
        (player.shown, constraint.table or 1)
        for constraint in event.constraints
        if constraint.kind == "table"
        for player in constraint.players
    ]
    for name, table in needs:
        # Until enough players have entered, the number of tables is unknown.
        if groups and table > number:
            yield ngettext(
                "{name} needs table {table}, and there is {number} table for those who play now.",
                "{name} needs table {table}, and there are {number} tables for those who play now.",
                number,
            ).format(name=name, table=table, number=number)


def _read(
    event: Event, apart: Sequence[str], together: Sequence[str], tables: Sequence[str], never: Sequence[str]
) -> list[Constraint]:
    people, find = event.entrants, partial(find_entrant, event)
    named = [words for words in apart if words.strip().lower() != CLUB]
    constraints: list[Constraint] = []
    if len(named) < len(apart):
        # Only for its refusal if nobody has a club: the members are looked up again for every round.
        clubs_of(people)
        constraints.append(Constraint("clubs apart"))
    found = read_constraints(people, find, named, together, tables, never)
    constraints += [Constraint("apart", tuple(people[number] for number in sorted(group))) for group in found.apart]
    constraints += [Constraint("together", (people[first], people[second])) for first, second in found.together]
    constraints += [Constraint("never", tuple(people[number] for number in sorted(group))) for group in found.never]
    return constraints + [Constraint("table", (people[player],), table) for player, table in found.tables]
