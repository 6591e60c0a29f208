"""A drawn round mended: players moved between its tables, or the whole round cancelled."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from tourney import rulebook, storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.modes import Mode
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import EditedRound, Schedule
from tourney.seating.quality.metrics import judge
from tourney.service.events.attendance import refuse_absent
from tourney.service.lookup import find_entrant, find_event, find_round, find_table, listed, newest, refuse_finished
from tourney.service.seating.plan_diff import PlanInputs, Seats, plan_changes, seats_of
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean


@dataclass(frozen=True, slots=True)
class ToTable:
    """To a table, at its seat `seat` (from 1), or behind the others if None."""

    table: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """Into the place of another entrant, named or numbered, who takes the player's: also a place without a seat."""

    other: str


@dataclass(frozen=True, slots=True)
class Out:
    """Away from the tables: he sits this round out."""


Where = ToTable | Swap | Out


def move(
    db: str | None,
    event: str | None,
    player: str,
    where: Where,
    round_number: int | None = None,
    mode: Mode = "save",
) -> EditedRound:
    """Move an entrant within a drawn round (the newest unless named), or into it, or out of it.

    Raises TourneyError NOT_FOUND for an unknown event, round, table or entrant; CONFLICT if a table that changes
    has a result or half a sheet; REFUSED if the event is finished, somebody is not to be seated, the move
    changes nothing, or a table would be smaller or larger than the rules allow.
    """
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        refuse_finished(found)
        inputs, rounds = PlanInputs.of(store, found), store.rounds(found)
        before = newest(found, rounds) if round_number is None else find_round(found, rounds, round_number)
        after = _moved(found, before, find_entrant(found, player), where)
        changed = _changed(before, after)
        _check(found, store, after, changed)
        edited = EditedRound(found, after, changed, *_repeats(rounds, before, after))
        store.reseat(found, after, _cost(edited))
        return _with_ahead(edited, inputs, PlanInputs.of(store, found))


def cancel(
    db: str | None, event: str | None, reason: str, round_number: int | None = None, mode: Mode = "save"
) -> Schedule:
    """Take back the newest round as if it had never been drawn; the schedule has it as it was.

    Raises TourneyError NOT_FOUND for an unknown event or round; CONFLICT if a table of it has a result; REFUSED
    if the event is finished, no reason is given, or a newer round is drawn.
    """
    why = clean(reason, _("reason"))
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        refuse_finished(found)
        inputs, rounds = PlanInputs.of(store, found), store.rounds(found)
        last = newest(found, rounds)
        one = last if round_number is None else find_round(found, rounds, round_number)
        if one.number != last.number:
            message = _("round {round} is not the newest of {event}").format(
                round=one.number, event=found.settings.name
            )
            raise TourneyError(ExitCode.REFUSED, message, _("cancel round {last} first").format(last=last.number))
        _refuse_results(found, store, one.number, [table.number for table in one.tables])
        store.cancel_round(found, one.number, why)
        return Schedule(found, (one,), ahead=plan_changes(inputs, PlanInputs.of(store, found)))


def _moved(event: Event, one: Round, player: Player, where: Where) -> Round:
    """The round after the move, its tables in their order; nothing is checked but who may sit and what is there."""
    tables = {table.number: list(table.players) for table in one.tables}
    if isinstance(where, ToTable):
        find_table(event, [one], one.number, where.table)
        refuse_absent(event, player)
        _leave(tables, player)
        there = tables[where.table]
        seat = len(there) + 1 if where.seat is None else where.seat
        _refuse_seat(where.table, seat, len(there) + 1)
        there.insert(seat - 1, player)
    elif isinstance(where, Swap):
        _exchange(event, one, tables, player, find_entrant(event, where.other))
    else:
        _leave(tables, player)
    return _rebuilt(event, one, tables)


def _refuse_seat(table: int, seat: int, most: int) -> None:
    if not 1 <= seat <= most:
        message = _("table {table} has no seat {seat}").format(table=table, seat=seat)
        raise TourneyError(ExitCode.REFUSED, message, _("1 to {most} can be taken").format(most=most))


def _leave(tables: dict[int, list[Player]], player: Player) -> None:
    for there in tables.values():
        if player in there:
            there.remove(player)


def _exchange(event: Event, one: Round, tables: dict[int, list[Player]], player: Player, other: Player) -> None:
    spots = {who.id: (number, seat) for number, there in tables.items() for seat, who in enumerate(there)}
    for who, replaced in ((player, other), (other, player)):
        if replaced.id in spots:
            refuse_absent(event, who)
            number, seat = spots[replaced.id]
            tables[number][seat] = who
    if player.id not in spots and other.id not in spots:
        message = _("neither {one} nor {other} sits in round {round}").format(
            one=player.shown, other=other.shown, round=one.number
        )
        raise TourneyError(ExitCode.REFUSED, message, _("seat one of them with --table"))


def _rebuilt(event: Event, one: Round, tables: dict[int, list[Player]]) -> Round:
    """The round with these tables. Who was in it and is not now sits out, unless he has left the event."""
    seated = {player.id for there in tables.values() for player in there}
    in_it = {player.id for table in one.tables for player in table.players} | {player.id for player in one.sitting_out}
    out = tuple(
        player
        for player in event.entrants
        if player.id in in_it and player.id not in seated and (player in event.playing or player in one.sitting_out)
    )
    numbered = tuple(Table(one.number, number, tuple(there)) for number, there in tables.items())
    return replace(one, tables=numbered, sitting_out=out)


def _changed(before: Round, after: Round) -> tuple[Table, ...]:
    return tuple(new for old, new in zip(before.tables, after.tables, strict=True) if old != new)


def _check(event: Event, reader: storage.Reader, after: Round, changed: Sequence[Table]) -> None:
    if not changed:
        message = _("that changes no table of round {round}").format(round=after.number)
        raise TourneyError(ExitCode.REFUSED, message, _("see it with `tourney round show`"))
    least, most = rulebook.table_limits(event.rules)
    for table in changed:
        if not least <= len(table.players) <= most:
            message = ngettext(
                "table {table} would have {number} player",
                "table {table} would have {number} players",
                len(table.players),
            ).format(table=table.number, number=len(table.players))
            hint = _("{rules} allow tables of {least} to {most}; exchange two players with --with").format(
                rules=event.settings.rules, least=least, most=most
            )
            raise TourneyError(ExitCode.REFUSED, message, hint)
    _refuse_results(event, reader, after.number, [table.number for table in changed])


def _refuse_results(event: Event, reader: storage.Reader, number: int, tables: Collection[int]) -> None:
    """Raises TourneyError CONFLICT if one of these tables has a result that counts, or half a sheet."""
    spots = {(number, table) for table in tables}
    done = sorted(spots & (reader.finished(event.id) - reader.void(event.id)))
    half = sorted(spots & {(draft.round, draft.table) for draft in reader.partial_sheets(event)})
    if done:
        message = ngettext(
            "table {tables} of round {round} has a result", "tables {tables} of round {round} have results", len(done)
        )
        hint = _("make it void with `tourney result void`, or take its entry back with `tourney undo`")
    elif half:
        message = ngettext(
            "table {tables} of round {round} has a partial sheet",
            "tables {tables} of round {round} have a partial sheet",
            len(half),
        )
        hint = _("finish it with `tourney result enter`, or set it aside with `tourney result void`")
    else:
        return
    shown = listed((str(table) for _round, table in done or half), 12)
    raise TourneyError(ExitCode.CONFLICT, message.format(tables=shown, round=number), hint)


def _repeats(rounds: Sequence[Round], before: Round, after: Round) -> tuple[int, int]:
    """Repeat meetings of the whole event with the round as it was, and as it is."""
    edited = [after if one is before else one for one in rounds]
    return _count(seats_of(rounds)), _count(seats_of(edited))


def _with_ahead(edited: EditedRound, before: PlanInputs, after: PlanInputs) -> EditedRound:
    """With what it changes in the rounds to come, where they are planned."""
    changes = plan_changes(before, after)
    more = 0 if changes is None else _planned_repeats(after) - _planned_repeats(before)
    return replace(edited, ahead=changes, repeats_ahead=more)


def _planned_repeats(inputs: PlanInputs) -> int:
    """How many the planned rounds add to those of the drawn ones."""
    return _count([*inputs.seats, *inputs.planned_seats]) - _count(inputs.seats)


def _count(seats: Seats) -> int:
    return judge(seats, 1 + max(chain.from_iterable(chain.from_iterable(seats)), default=0)).repeats


def _cost(edited: EditedRound) -> str:
    return _("repeat meetings: {before} before, {after} after").format(
        before=edited.repeats_before, after=edited.repeats_after
    )
