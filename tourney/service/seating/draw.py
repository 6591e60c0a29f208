"""Draw the next round of an event from the present players and the earlier rounds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.rulebook import rulesets
from tourney.seating.constraints import Constraints
from tourney.seating.formats import FORMATS, pair
from tourney.seating.rng import seeded_rng, shuffled
from tourney.seating.separate import shared
from tourney.seating.swiss import RoundTask
from tourney.service.lookup import event_argument, event_word
from tourney.service.seating.constraint_text import constraints_of, name_in_list
from tourney.service.seating.plan_steps import PlanSteps
from tourney.service.seating.rotation_plan import DrawnRound, group_rounds, rotation_plan, sizes_for
from tourney.service.seating.seat_order import in_seat_order
from tourney.text.i18n import _, fill, ngettext
from tourney.text.sanitize import quote_argument

Seats = tuple[tuple[int, ...], ...]

Seated = tuple[list[tuple[Player, ...]], tuple[Player, ...]]
"""The players of each table, and the players who have a bye."""


@dataclass(frozen=True, slots=True)
class Given:
    """The part of a round that is given by hand: players of tables by number, and players with a bye."""

    tables: Mapping[int, tuple[Player, ...]] = field(default_factory=dict)
    out: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Ordering:
    """An order for seating a round: the players who have a place in it, best first, and the gain of any table.

    `winners` are the ids of the players who won their last game, if the event lets them deal first. `last` has the
    tables of the last round, the players of each best first, where the format asks for them.
    """

    players: Sequence[Player] = ()
    gain: Callable[[Sequence[Player]], float] = len
    winners: frozenset[int] = frozenset()
    last: Sequence[Sequence[Player]] = ()


def next_round(
    event: Event, drawn: Sequence[DrawnRound], steps: PlanSteps, ordering: Ordering, given: Given | None = None
) -> Round:
    """Return the next round: all present players seated by the event's format, with the given tables and byes kept.

    Players without a place in the order come after the ordered ones, in an order drawn from the seed. If tables are
    given, the other players are seated with the fewest repeats instead of by the format. Raises TourneyError REFUSED if
    players cannot be seated.
    """
    tables: list[tuple[Player, ...]] = []
    out: list[Player] = []
    for players in groups_of(event, event.playing):
        if given is None:
            _refuse_few(event, len(players))
            seats, byes = _seated(event, players, drawn, steps, ordering)
        else:
            seats, byes = _completed(event, players, drawn, given)
        tables += seats
        out += byes
    number = len(drawn) + 1
    if given is None:
        at_numbers = dict(enumerate(tables, 1))
    else:
        at_numbers, out = _among(given.tables, tables), [*given.out, *out]
    numbered = tuple(Table(number, at, players) for at, players in at_numbers.items())
    _refuse_together(event, numbered, () if given is None else given.tables)
    following = Round(number, numbered, tuple(out))
    return in_seat_order(event, following, ordering.winners, () if given is None else given.tables)


def never_together(event: Event, table: Table) -> list[tuple[Player, Player]]:
    """Return the pairs at a table who never share one."""
    by_id = {player.id: player for player in table.players}
    pairs = shared([list(by_id)], constraints_of(event).never_pairs)
    return [(by_id[one], by_id[other]) for one, other in pairs]


def _named_with(event: Event, one: Player, other: Player) -> list[str]:
    """Return the names of the constraint by which these two never share a table."""
    never = (constraint.players for constraint in event.constraints if constraint.kind == "never")
    return [player.shown for player in next(group for group in never if one in group and other in group)]


def _refuse_together(event: Event, tables: Sequence[Table], given: Collection[int]) -> None:
    """Raise TourneyError REFUSED for a round in which two players share a table who never do; some tables are given."""
    for table in tables:
        for one, other in never_together(event, table):
            if table.number in given:
                message = _("{one} and {other} never share a table, and table {table} is given to both")
                hint = _("give one of them another table")
            else:
                message = _("{one} and {other} never share a table, and round {round} cannot be seated without that")
                hint = _("have more tables, or give it up: `tourney event constrain {event} --remove {names}`")
            names = {"one": one.shown, "other": other.shown, "table": table.number, "round": table.round}
            command = {
                "event": quote_argument(event_word(event.settings.name)),
                "names": quote_argument(",".join(map(name_in_list, _named_with(event, one, other)))),
            }
            raise TourneyError(ExitCode.REFUSED, fill(message, **names), hint.format(**command))


def _seated(
    event: Event, players: tuple[Player, ...], drawn: Sequence[DrawnRound], steps: PlanSteps, ordering: Ordering
) -> Seated:
    """Return the seating of these players by the event's format."""
    format_ = FORMATS[event.settings.format]
    if format_.planned_ahead:
        return _next_planned(event, players, drawn, steps)
    if format_.seat is None:
        message = _("{event} is seated by hand, and no table is given").format(event=event.settings.name)
        hint = _("give a seating with --file, or another format with `tourney event set{event} --format FORMAT`")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(event=event_argument(event)))
    group = _Group.of(event, players, drawn)
    return group.named(*format_.seat(group.task(ordering, event)))


def _completed(event: Event, players: Sequence[Player], drawn: Sequence[DrawnRound], given: Given) -> Seated:
    """Return the seating of the players without a given table or bye.

    They have a bye if they are too few for a table, and so do players beyond the tables that are left.
    """
    given_ids = {player.id for table in (*given.tables.values(), given.out) for player in table}
    waiting = tuple(player for player in players if player.id not in given_ids)
    if len(waiting) < rulesets.table_limits(event.rules)[0]:
        return [], waiting
    group = _Group.of(event, waiting, drawn, len(given.tables))
    return group.named(*pair("anybody")(group.task(Ordering(), event)))


def _among(
    given: Mapping[int, tuple[Player, ...]], others: Sequence[tuple[Player, ...]]
) -> dict[int, tuple[Player, ...]]:
    """Return all tables by number, in order: given ones at their numbers, the others at the lowest free numbers."""
    free = (number for number in count(1) if number not in given)
    return dict(sorted({**given, **dict(zip(free, others, strict=False))}.items()))


def groups_of(event: Event, playing: Sequence[Player]) -> list[tuple[Player, ...]]:
    """Return people and bots as two groups, so that the engine can play the bots' tables.

    They are one group if either is too small for a table, and in a stage that says how many tables it has.
    """
    least, _most = rulesets.table_limits(event.rules)
    people = tuple(player for player in playing if player.kind == "person")
    bots = tuple(player for player in playing if player.kind == "bot")
    if len(people) >= least and len(bots) >= least and not event.has_tables_of_stage:
        return [people, bots]
    return [tuple(playing)]


def _refuse_few(event: Event, players: int) -> None:
    least, _most = rulesets.table_limits(event.rules)
    if players < least:
        text = ngettext(
            "{event} cannot be seated: {number} player is present, and the smallest table has {least}",
            "{event} cannot be seated: {number} players are present, and the smallest table has {least}",
            players,
        )
        message = text.format(event=event.settings.name, number=players, least=least)
        raise TourneyError(ExitCode.REFUSED, message, _who_else(event))


def _who_else(event: Event) -> str:
    if event.settings.checkin == "required" and len(event.playing) < len(event.entrants):
        hint = _("only checked-in entrants are seated: `tourney event checkin{event} --all` checks in everybody")
    else:
        hint = _("enter players with `tourney event enter{event} PLAYER ...`")
    return hint.format(event=event_argument(event))


def _next_planned(event: Event, players: tuple[Player, ...], drawn: Sequence[DrawnRound], steps: PlanSteps) -> Seated:
    following = rotation_plan(event, players, drawn, steps)[0]
    by_id = {player.id: player for player in players}
    return (
        [tuple(by_id[player] for player in table) for table in following.tables],
        tuple(by_id[player] for player in following.out),
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of players who are seated together, numbered from 0, and the earlier rounds in these numbers.

    Higher numbers are people who sat with them and are not in the group now.
    """

    players: tuple[Player, ...]
    played: tuple[Seats, ...]
    sat_out: Seats
    sizes: tuple[int, ...]
    constraints: Constraints

    @classmethod
    def of(cls, event: Event, players: tuple[Player, ...], drawn: Sequence[DrawnRound], taken: int = 0) -> _Group:
        number_of = {player.id: number for number, player in enumerate(players)}
        constraints = constraints_of(event).renumbered(number_of)

        def numbers(ids: Sequence[int]) -> tuple[int, ...]:
            return tuple(number_of.setdefault(player, len(number_of)) for player in ids)

        done = group_rounds(players, [past.round for past in drawn])
        return cls(
            players,
            tuple(tuple(map(numbers, past.tables)) for past in done),
            tuple(numbers([player for player in past.out if player in number_of]) for past in done),
            sizes_for(event, players, taken),
            constraints,
        )

    def task(self, ordering: Ordering, event: Event) -> RoundTask:
        """Return the round to seat; players without a place in the order are shuffled anew each round."""
        seed, number_of = event.settings.seed, {player.id: number for number, player in enumerate(self.players)}
        ranked = [number_of[player.id] for player in ordering.players if player.id in number_of]
        others = sorted(set(number_of.values()).difference(ranked))
        later = [len(self.played)] if self.played else []
        order = ranked + shuffled(others, seeded_rng("swiss order", seed, *later))
        is_ordered = bool(ordering.players)

        def gain(table: Sequence[int]) -> float:
            return ordering.gain([self.players[number] for number in table])

        last = tuple(
            tuple(number_of[player.id] for player in table if player.id in number_of) for table in ordering.last
        )
        least, most = rulesets.table_limits(event.rules)
        return RoundTask(
            order,
            is_ordered,
            self.sizes,
            self.played,
            self.sat_out,
            seed,
            self.constraints,
            gain,
            event.first_round - 1,
            tuple(filter(None, last)),
            least,
            most,
        )

    def named(self, tables: Sequence[Sequence[int]], out: Sequence[int]) -> Seated:
        return (
            [tuple(self.players[number] for number in table) for table in tables],
            tuple(self.players[number] for number in out),
        )
