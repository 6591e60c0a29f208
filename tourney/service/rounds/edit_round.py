"""Edits of rounds by hand: players moved, the newest round cancelled, tables taken from a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from os import PathLike

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table, as_played
from tourney.domain.schedule import EditedRound, Schedule
from tourney.files.seating import SeatingFile, read_seating
from tourney.rulebook import rulesets
from tourney.seating.quality.metrics import judge
from tourney.service.change import Change
from tourney.service.events.attendance import is_here, refuse_absent
from tourney.service.lookup import event_argument, find_entrant, find_open_event, find_round, find_table, newest
from tourney.service.rounds.rounds import dissolve_command, too_few_left
from tourney.service.seating.draw import Given, never_together
from tourney.service.seating.plan_diff import PlanInputs, Seats, announced, keep_plan, plan_changes, seats_of
from tourney.service.stages.advance import end_stage
from tourney.service.stages.cut_changes import refuse_full
from tourney.text.i18n import _, fill, ngettext
from tourney.text.names import clean
from tourney.text.ranges import ranges
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class ToTable:
    """Move to a table: insert the player at `seat` (from 1), or after the last player if None."""

    table: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """Change places with another entrant, named or numbered; either may have a bye."""

    other: str


@dataclass(frozen=True, slots=True)
class Out:
    """Leave the tables and have a bye in this round."""


Destination = ToTable | Swap | Out


@dataclass(frozen=True, slots=True)
class MovePlayer(Change[EditedRound]):
    """Move an entrant within a drawn round (the newest unless named), or into it, or out of it.

    Refused: NOT_FOUND for an unknown event, round, table or entrant; CONFLICT if a table that changes has a result or a
    partial sheet; REFUSED if the event is finished, the entrant has left or not checked in, the move changes nothing,
    or a table would be smaller or larger than the rules allow.
    """

    event: str | None
    player: str
    destination: Destination
    round: int | None = None

    def perform(self, store: storage.Store) -> EditedRound:
        """Return the round as it is now, with the repeats before and after."""
        inputs = PlanInputs.of(store, find_open_event(store, self.event))
        event, rounds = inputs.event, store.rounds.of(inputs.event)
        before = newest(event, rounds) if self.round is None else find_round(event, rounds, self.round)
        player = find_entrant(event, self.player)
        if not isinstance(self.destination, Out):
            _refuse_full_stage(store, event, player)
        after = _moved(event, before, player, self.destination)
        changed = changed_tables(before, after)
        _check(event, store, after, changed)
        _refuse_never(event, before, changed)
        edited = EditedRound(event, after, changed, *repeats_of(rounds, before, after))
        store.write(storage.kinds.rounds.TablesMoved.of(event, after, note=cost_text(edited)))
        return with_plan_changes(store, edited, inputs)


@dataclass(frozen=True, slots=True)
class CancelRound(Change[Schedule]):
    """Cancel the newest round as if it had never been drawn.

    Refused: NOT_FOUND for an unknown event or round; CONFLICT if a table of it has a result; REFUSED if the event is
    finished, no reason is given, or a newer round is drawn.
    """

    event: str | None
    reason: str
    round: int | None = None

    def perform(self, store: storage.Store) -> Schedule:
        """Return the round that was cancelled."""
        reason = clean(self.reason, _("reason"))
        event = find_open_event(store, self.event)
        inputs, rounds = PlanInputs.of(store, event), store.rounds.of(event)
        last = newest(event, rounds)
        cancelled = last if self.round is None else find_round(event, rounds, self.round)
        if cancelled.number != last.number:
            message = _("round {round} is not the newest of {event}").format(
                round=cancelled.number, event=event.settings.name
            )
            raise TourneyError(ExitCode.REFUSED, message, _("cancel round {last} first").format(last=last.number))
        _refuse_begun(event, store, cancelled)
        store.write(storage.kinds.rounds.RoundCancelled(event, cancelled.number, reason))
        event = end_stage(store, event, cancelled.number)
        return Schedule(event, (cancelled,), ahead=announced(store, inputs, event))


def _refuse_full_stage(reader: storage.Reader, event: Event, player: Player) -> None:
    """Raise TourneyError REFUSED for somebody who does not play in a stage that has no seat left for them."""
    stage = event.stage
    if stage is not None and stage.first > 1 and player not in event.playing and is_here(event, player):
        refuse_full(reader, event, stage, 1, player)


def _moved(event: Event, round_: Round, player: Player, destination: Destination) -> Round:
    """Return the round after the move, having checked only that the players may sit and the table and seat exist."""
    tables = {table.number: list(table.players) for table in round_.tables}
    if isinstance(destination, ToTable):
        find_table(event, [round_], round_.number, destination.table)
        refuse_absent(event, player)
        _leave(tables, player)
        seats = tables[destination.table]
        seat = len(seats) + 1 if destination.seat is None else destination.seat
        _refuse_seat(destination.table, seat, len(seats) + 1)
        seats.insert(seat - 1, player)
    elif isinstance(destination, Swap):
        _swap(event, round_, tables, player, find_entrant(event, destination.other))
    else:
        _leave(tables, player)
    return rebuilt(event, round_, tables)


def _refuse_seat(table: int, seat: int, most: int) -> None:
    if not 1 <= seat <= most:
        message = _("table {table} has no seat {seat}").format(table=table, seat=seat)
        raise TourneyError(ExitCode.REFUSED, message, _("take a seat from 1 to {most}").format(most=most))


def _leave(tables: dict[int, list[Player]], player: Player) -> None:
    for seats in tables.values():
        if player in seats:
            seats.remove(player)


def _swap(event: Event, round_: Round, tables: dict[int, list[Player]], player: Player, other: Player) -> None:
    spots = {mover.id: (number, seat) for number, seats in tables.items() for seat, mover in enumerate(seats)}
    for mover, replaced in ((player, other), (other, player)):
        if replaced.id in spots:
            refuse_absent(event, mover)
            number, seat = spots[replaced.id]
            tables[number][seat] = mover
    if player.id not in spots and other.id not in spots:
        message = _("neither {player} nor {other} sits in round {round}").format(
            player=player.shown, other=other.shown, round=round_.number
        )
        raise TourneyError(ExitCode.REFUSED, message, _("seat one of them with --table"))


def rebuilt(event: Event, round_: Round, tables: dict[int, list[Player]]) -> Round:
    """Return the round with these tables; players who lost their seat have a bye, unless they have left the event."""
    seated = {player.id for seats in tables.values() for player in seats}
    groups = [*(table.players for table in round_.tables), round_.sitting_out]
    in_round = {player.id for players in groups for player in players}
    may_sit = {player.id for player in (*event.playing, *round_.sitting_out)}
    out = tuple(
        player
        for player in event.entrants
        if player.id in in_round and player.id not in seated and player.id in may_sit
    )
    numbered = tuple(Table(round_.number, number, tuple(seats)) for number, seats in tables.items())
    return replace(round_, tables=numbered, sitting_out=out)


def changed_tables(before: Round, after: Round) -> tuple[Table, ...]:
    """Return the tables of the round after an edit that differ from those before."""
    old = {table.number: table for table in before.tables}
    return tuple(table for table in after.tables if table != old.get(table.number))


def _check(event: Event, reader: storage.Reader, after: Round, changed: Sequence[Table]) -> None:
    if not changed:
        message = _("that changes no table of round {round}").format(round=after.number)
        hint = _("see it with `tourney round show{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    for table in changed:
        _refuse_size(event, table.number, len(table.players), dissolve_command(event, table))
    refuse_results(event, reader, after.number, [table.number for table in changed])
    _refuse_playing_twice(event, reader, after)


def _refuse_playing_twice(event: Event, reader: storage.Reader, after: Round) -> None:
    """Raise TourneyError REFUSED if a substitute would have a seat of their own, too."""
    substitutions = reader.rounds.substitutions(event)
    seated = Counter(player for table in after.tables for player in as_played(table, substitutions).players)
    for each in substitutions:
        if each.round == after.number and seated[each.substitute] > 1:
            message = _("{player} plays for {absent} in round {round} already")
            message = fill(message, player=each.substitute.shown, absent=each.absent.shown, round=after.number)
            hint = _("first end that with `tourney round substitute{event} {absent}`")
            absent = quote_argument(each.absent.shown)
            raise TourneyError(ExitCode.REFUSED, message, hint.format(event=event_argument(event), absent=absent))


def _refuse_begun(event: Event, reader: storage.Reader, round_: Round) -> None:
    """Raise TourneyError CONFLICT if a table of the round has a result that counts, or a partial sheet.

    The hint names the command that dissolves a single table: one at which too few players are left, if there is one.
    """
    counts = reader.results.counting(event.id)
    waiting = [table for table in round_.tables if (table.round, table.number) not in counts]
    dissolve = [dissolve_command(event, table) for table in (*too_few_left(event, [round_], counts), *waiting)]
    refuse_results(event, reader, round_.number, [table.number for table in round_.tables], *dissolve[:1])


def _refuse_never(event: Event, before: Round, changed: Sequence[Table]) -> None:
    """Raise TourneyError REFUSED for a move that brings two players to one table who never share one."""
    old = {frozenset(pair) for table in before.tables for pair in never_together(event, table)}
    for table in changed:
        for one, other in never_together(event, table):
            if frozenset((one, other)) not in old:
                message = _("{one} and {other} never share a table, and would share table {table}")
                message = fill(message, one=one.shown, other=other.shown, table=table.number)
                raise TourneyError(ExitCode.REFUSED, message, _("choose another table or another player"))


def refuse_results(
    event: Event, reader: storage.Reader, number: int, tables: Collection[int], dissolve: str = ""
) -> None:
    """Raise TourneyError CONFLICT if one of these tables has a result that counts, or a partial sheet.

    `dissolve` is a command that helps where it is only one table that cannot play.
    """
    spots = {(number, table) for table in tables}
    done = sorted(spots & (reader.results.counting(event.id)))
    partial = sorted(spots & reader.results.begun(event))
    if done:
        message = ngettext(
            "table {tables} of round {round} has a result", "tables {tables} of round {round} have results", len(done)
        )
        hint = _(
            "make it void with `tourney result void{place} --reason TEXT`, or take its entry back with `tourney undo`"
        )
    elif partial:
        message = ngettext(
            "table {tables} of round {round} has a partial sheet",
            "tables {tables} of round {round} have a partial sheet",
            len(partial),
        )
        hint = _("discard it with `tourney result void{place} --reason TEXT`")
    else:
        return
    taken = [table for _round, table in done or partial]
    hint = hint.format(place=f"{event_argument(event)} --round {number} --table {taken[0]}")
    if dissolve:
        hint = _("{hint}; a single table is taken out of the round with `{dissolve}`").format(
            hint=hint, dissolve=dissolve
        )
    shown = ranges(taken)
    raise TourneyError(ExitCode.CONFLICT, message.format(tables=shown, round=number), hint)


class Meetings:
    """The pairs of players who have sat at one table in the `earlier` rounds."""

    def __init__(self, earlier: Iterable[Round]) -> None:
        self._met = {
            frozenset((one.id, other.id))
            for drawn in earlier
            for table in drawn.tables
            for one, other in combinations(table.players, 2)
        }

    def again(self, player: Player, players: Iterable[Player]) -> tuple[Player, ...]:
        """Return the players that this one has met before."""
        return tuple(other for other in players if frozenset((player.id, other.id)) in self._met)

    def after_swap(self, drawn: Round, one: Player, other: Player) -> int:
        """Return how many pairs more meet again if two players of a round change places; below 0 if fewer do."""
        tables = [table.players for table in drawn.tables if one in table.players or other in table.players]
        swapped = [
            tuple(other if each == one else one if each == other else each for each in table) for table in tables
        ]
        return sum(map(self._pairs, swapped)) - sum(map(self._pairs, tables))

    def _pairs(self, players: Sequence[Player]) -> int:
        return sum(frozenset((one.id, other.id)) in self._met for one, other in combinations(players, 2))


def repeats_of(rounds: Sequence[Round], before: Round, after: Round) -> tuple[int, int]:
    """Return the repeats of the whole event with the round before and after the edit."""
    edited = [after if round_ is before else round_ for round_ in rounds]
    return _count(seats_of(rounds)), _count(seats_of(edited))


def with_plan_changes(store: storage.Store, edited: EditedRound, before: PlanInputs) -> EditedRound:
    """Return the edited round with its changes to the coming rounds, where they are planned; keep their plan."""
    after = PlanInputs.of(store, edited.event)
    changes = plan_changes(before, after)
    keep_plan(store, before, after)
    more = 0 if changes is None else _planned_repeats(after) - _planned_repeats(before)
    return replace(edited, ahead=changes, repeats_ahead=more)


def _planned_repeats(inputs: PlanInputs) -> int:
    """Return the number of repeats that the planned rounds add to those of the drawn rounds."""
    return _count([*inputs.seats, *inputs.planned_seats]) - _count(inputs.seats)


def _count(seats: Seats) -> int:
    return judge(seats, 1 + max(chain.from_iterable(chain.from_iterable(seats)), default=0)).repeats


def cost_text(edited: EditedRound) -> str:
    """Return in words how often players meet again before and after an edit."""
    if edited.repeats_before == edited.repeats_after:
        return _("players meet again as often as before")
    text = _("meetings of players who have met before: {before} until now, {after} from now on")
    return text.format(before=edited.repeats_before, after=edited.repeats_after)


def given_tables(event: Event, number: int, path: str | PathLike[str]) -> Given:
    """Return the tables that the file gives for round `number`; a file of a single round may be for any round.

    Raises TourneyError as `read_seating` does, NOT_FOUND for players who have not entered, REFUSED for players who have
    left or not checked in, and for tables that the rules do not allow.
    """
    file = read_seating(path, number, rulesets.table_limits(event.rules))
    place = _place(file, number, path)
    tables = {
        table: tuple(find_entrant(event, name) for name in names)
        for table, names in zip(file.numbers[place], file.rounds[place], strict=True)
    }
    _refuse_many(event, len(tables))
    out = tuple(find_entrant(event, name) for name in file.sitting_out[place])
    for table, players in tables.items():
        _refuse_size(event, table, len(players))
        for player in players:
            refuse_absent(event, player)
    _refuse_twice([player for players in (*tables.values(), out) for player in players])
    return Given(tables, tuple(player for player in out if player in event.playing))


def _place(file: SeatingFile, number: int, path: str | PathLike[str]) -> int:
    if len(file.rounds) == 1:
        return 0
    if number > len(file.rounds):
        message = _("{path} has no round {round}").format(path=path, round=number)
        raise TourneyError(ExitCode.REFUSED, message, _("give a file of this round alone, or of all rounds"))
    return number - 1


def _refuse_many(event: Event, tables: int) -> None:
    """Raise TourneyError REFUSED for more tables than the event has."""
    limit = event.settings.tables
    if limit is not None and tables > limit:
        message = ngettext(
            "the file seats {number} table, and {event} has {limit}",
            "the file seats {number} tables, and {event} has {limit}",
            tables,
        ).format(number=tables, event=event.settings.name, limit=limit)
        hint = _("give fewer, or set more with `tourney event set{event} --tables {number}`")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(event=event_argument(event), number=tables))


def _refuse_size(event: Event, table: int, players: int, dissolve: str = "") -> None:
    """Raise TourneyError REFUSED for a table with more or fewer players than the rules allow.

    `dissolve` is the command that dissolves the table, if it is one of a drawn round.
    """
    least, most = rulesets.table_limits(event.rules)
    if not least <= players <= most:
        message = ngettext(
            "table {table} would have {number} player", "table {table} would have {number} players", players
        ).format(table=table, number=players)
        hint = _("the rules {rules} allow tables of {least} to {most}").format(
            rules=event.settings.rules, least=least, most=most
        )
        if dissolve and players < least:
            hint = _("{hint}; `{dissolve}` seats its players elsewhere").format(hint=hint, dissolve=dissolve)
        elif dissolve:
            hint = _("{hint}; swap two players with --with").format(hint=hint)
        raise TourneyError(ExitCode.REFUSED, message, hint)


def _refuse_twice(players: list[Player]) -> None:
    """Raise TourneyError REFUSED for an entrant who appears twice in the file, under two names or numbers."""
    seen: set[int] = set()
    for player in players:
        if player.id in seen:
            message = _("{name} appears twice in the file").format(name=player.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("name everybody once"))
        seen.add(player.id)
