"""Reports on drawn rounds and their clocks, on edited and cancelled rounds, and on played tables."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal, NamedTuple

from tourney.domain.events import Event
from tourney.domain.results import Play, Result
from tourney.domain.rounds import COUNTS_FOR, Clock, Round, Substitution, Table
from tourney.domain.schedule import EditedRound, Schedule, VerifiedDraw, VerifiedRound
from tourney.reports.deals import deals_data
from tourney.reports.names import SeatName, holder, names_of, seat_names, substitutes_data
from tourney.reports.plan_changes import broken_data, broken_details, broken_lines, with_ahead
from tourney.reports.render.report import Field, Fields, ListLine, Report, listing, named
from tourney.seating.model import seating_number
from tourney.service.lookup import event_argument, table_arguments
from tourney.service.rounds import edit_round
from tourney.service.rounds.rounds import dissolve_command
from tourney.service.rounds.substitute import Substituted
from tourney.text.dates import local, shown_time
from tourney.text.i18n import _, ngettext
from tourney.text.names import name_order
from tourney.text.ranges import listed_tables

PostedOrder = Literal["table", "name"]


class _Place(NamedTuple):
    """A player's seat in a round; `shown` names whoever plays on it."""

    round: int
    table: int
    seat: int
    player: str
    shown: str


def _table_fields(tables: Sequence[Table], substitutions: Sequence[Substitution] = ()) -> Fields[Table]:
    """Return round, table and a column for each seat."""
    seats = range(max((len(table.players) for table in tables), default=0))
    return (
        Field("round", _("Round"), lambda table: table.round, "right", priority=_round_priority(tables)),
        Field("table", _("Table"), lambda table: table.number, "right", priority=0),
        *(field for seat in seats for field in _seat_fields(seat, substitutions)),
    )


def _round_priority(tables: Sequence["Table | _Place"]) -> int:
    """Return the priority of the round's column: a single round is named in the title."""
    return 4 if len({table.round for table in tables}) == 1 else 0


def _seat_fields(seat: int, substitutions: Sequence[Substitution]) -> Fields[Table]:
    """Return the column of a seat: people read who plays on it, programs whose it is."""
    key, heading = f"seat_{seat + 1}", _("Seat {number}").format(number=seat + 1)
    names = seat_names(substitutions)
    return (
        Field(key, heading, _player(seat, holder), priority=0, readers="programs"),
        Field(key, heading, _player(seat, names), priority=0, readers="people"),
    )


def _player(seat: int, names: SeatName) -> Callable[[Table], str]:
    return lambda table: names(table.round, table.players[seat]) if seat < len(table.players) else ""


def rounds_data(rounds: Sequence[Round]) -> dict[str, Any]:
    """Return rounds as JSON data: tables with players in seat order, the first dealer first; and byes.

    The numbers of the tables are given where they are not 1, 2, 3 …, because a table was dissolved, and those of
    rounds where some are drafts.
    """
    data: dict[str, Any] = {
        "rounds": [[[player.shown for player in table.players] for table in round_.tables] for round_ in rounds],
        "sitting_out": [[player.shown for player in round_.sitting_out] for round_ in rounds],
    }
    numbers = [[table.number for table in round_.tables] for round_ in rounds]
    if any(found != list(range(1, len(found) + 1)) for found in numbers):
        data["numbers"] = numbers
    drafts = [round_.number for round_ in rounds if round_.draft]
    if drafts:
        data["drafts"] = drafts
    return data


def _schedule_data(drawn: Schedule) -> dict[str, Any]:
    substitutes = substitutes_data(drawn.rounds, drawn.substitutions)
    return {**rounds_data(drawn.rounds), **substitutes, **broken_data(drawn.broken)}


def schedule(drawn: Schedule, now: datetime | None = None) -> Report:
    """Report the seating of these rounds, seat 1 dealing first, and their clocks `now`, in its time zone."""
    tables = [table for round_ in drawn.rounds for table in round_.tables]
    fields = (
        *_table_fields(tables, drawn.substitutions),
        Field("state", _("State"), partial(table_state, drawn), priority=3),
    )
    clocks = _clocks_that_matter(drawn, now or datetime.now(UTC).astimezone())
    report = listing(
        title(drawn),
        fields,
        tables,
        notes=(*drawn.notes, *broken_lines(drawn.broken)),
        data=_schedule_data(drawn),
        lines=(*sitting_out(drawn.rounds), *drawn.seating, *clocks),
        details=tuple(broken_details(drawn.broken)),
        next_steps=(*empty(drawn), *_publish(drawn), *_dissolve(drawn)),
        message=partial(_message, drawn, _tables_message, now),
    )
    return with_ahead(report, drawn.ahead, _("The round"))


def _message(
    drawn: Schedule, seats: Callable[[Round, SeatName], Iterator[ListLine | str]], now: datetime | None = None
) -> Iterator[ListLine | str]:
    """Yield the rounds for a messenger: who sits where, who has a bye, and when the time ends."""
    yield f"🃏 {drawn.event.settings.name}"
    if not drawn.rounds:
        yield _("No round is drawn.")
    for round_ in drawn.rounds:
        if round_ is not drawn.rounds[0]:
            yield ""
        yield _("Round {number}").format(number=round_.number)
        if round_.clock is not None:
            now = now or datetime.now(UTC).astimezone()
            yield _("⏰ ends {end}").format(end=time_of_day(clock_end(round_.clock, now), now))
        yield from seats(round_, seat_names(drawn.substitutions))
        if round_.sitting_out:
            yield ""
            yield ngettext("Bye: {names}", "Byes: {names}", len(round_.sitting_out)).format(
                names=names_of(round_.sitting_out)
            )
    if drawn.rounds:
        yield from ("", _("Seat 1 deals first."))


def _tables_message(round_: Round, names: SeatName) -> Iterator[ListLine | str]:
    """Yield the players of each table in the order of their seats."""
    for table in round_.tables:
        yield ""
        yield _("Table {number}").format(number=table.number)
        yield from (ListLine(f"{seat}.", names(round_.number, player)) for seat, player in enumerate(table.players, 1))


def _names_message(round_: Round, names: SeatName) -> Iterator[ListLine | str]:
    """Yield the table and the seat of each player, by name."""
    yield ""
    behind = _(" · table {table}, seat {seat}")
    for place in sorted(_places([round_], names), key=_by_name):
        yield ListLine("•", place.shown, behind.format(table=place.table, seat=place.seat))


def _publish(drawn: Schedule) -> Iterator[str]:
    """Yield the command that publishes each draft."""
    for round_ in drawn.rounds:
        if round_.draft:
            text = _("Round {round} is a draft, which nobody else sees: `tourney round publish{event}` publishes it.")
            yield text.format(round=round_.number, event=event_argument(drawn.event))


def _dissolve(drawn: Schedule) -> Iterator[str]:
    """Yield the command that dissolves each table at which too few players are left."""
    for table in drawn.too_few:
        names = names_of(table.players) or _("nobody")
        yield _(
            "Too few players are left at table {table} of round {round} ({names}): `{command}` seats them elsewhere."
        ).format(table=table.number, round=table.round, names=names, command=dissolve_command(drawn.event, table))


def title(drawn: Schedule) -> str:
    """Return the event as a title, with the round if there is exactly one."""
    name = drawn.event.settings.name
    if len(drawn.rounds) != 1:
        return name
    text = _("{event}, round {round} (draft)") if drawn.rounds[0].draft else _("{event}, round {round}")
    return text.format(event=name, round=drawn.rounds[0].number)


def sitting_out(rounds: Sequence[Round]) -> Iterator[str]:
    """Yield a line for each round with byes."""
    for round_ in rounds:
        if round_.sitting_out:
            names = names_of(round_.sitting_out)
            yield ngettext(
                "round {number}: {names} has a bye", "round {number}: {names} have byes", len(round_.sitting_out)
            ).format(number=round_.number, names=names)


def empty(drawn: Schedule) -> tuple[str, ...]:
    """Return a line on what to do if no round is drawn; none otherwise."""
    step = _("No round is drawn: `tourney round draw{event}` draws one.")
    return () if drawn.rounds else (step.format(event=event_argument(drawn.event)),)


def table_state(drawn: Schedule, table: Table) -> str:
    """Return the state of a table's result in a word or two, in the reader's language."""
    spot = (table.round, table.number)
    if any((table.round, table.number) == spot for table in drawn.too_few):
        return _("too few players")
    if spot in drawn.partial:
        return _("partly entered")
    if spot in drawn.void:
        return _("void")
    if spot in drawn.short:
        return _("stopped")
    if spot in drawn.done:
        return _("complete")
    drafts = [round_.number for round_ in drawn.rounds if round_.draft]
    return _("draft") if table.round in drafts else _("awaiting result")


def clock(drawn: Schedule, now: datetime | None = None) -> Report:
    """Report the clocks of these rounds `now`, in its time zone."""
    running = tuple(clock_lines(drawn, now or datetime.now(UTC).astimezone()))
    stopped = tuple(_stopped(round_) for round_ in drawn.rounds if not round_.clock)
    data = [
        {
            "round": round_.number,
            "started": round_.clock.started if round_.clock else None,
            "minutes": round_.clock.minutes if round_.clock else None,
        }
        for round_ in drawn.rounds
    ]
    return Report(title(drawn), data=data, lines=(*running, *stopped), next_steps=empty(drawn))


def _stopped(round_: Round) -> str:
    """Return what a round without a running clock says of it."""
    if round_.paused:
        return _("round {round}: clock paused, {minutes} min left").format(round=round_.number, minutes=round_.paused)
    return _("round {round}: no clock runs").format(round=round_.number)


def clock_lines(drawn: Schedule, now: datetime) -> Iterator[str]:
    """Yield for each round with a clock the time left, or when it expired and what is unfinished."""
    for round_ in drawn.rounds:
        if round_.clock is not None:
            yield _clock_line(drawn, round_, clock_end(round_.clock, now), now)


def _clocks_that_matter(drawn: Schedule, now: datetime) -> Iterator[str]:
    """Yield the lines of `clock_lines` but for complete rounds with time left, which nobody plays any more."""
    for round_ in drawn.rounds:
        if round_.clock is not None:
            ends = clock_end(round_.clock, now)
            if ends <= now or unfinished(drawn, round_):
                yield _clock_line(drawn, round_, ends, now)


def clock_end(clock: Clock, now: datetime) -> datetime:
    """Return when the clock's time expires, in the time zone of `now`."""
    return local(clock.started, now.tzinfo, clock.minutes)


def time_of_day(moment: datetime, now: datetime) -> str:
    """Return hours and minutes, with the date unless it is today's."""
    return f"{moment:%H:%M}" if moment.date() == now.date() else shown_time(moment)


def unfinished(drawn: Schedule, round_: Round) -> tuple[Table, ...]:
    """Return the tables of the round without a result."""
    return tuple(table for table in round_.tables if (table.round, table.number) not in drawn.done)


def _clock_line(drawn: Schedule, round_: Round, ends: datetime, now: datetime) -> str:
    end = time_of_day(ends, now)
    if now < ends:
        # A minute that has begun is still to play.
        minutes = -((now - ends) // timedelta(minutes=1))
        return _("round {round}: {minutes} min left, ends {end}").format(round=round_.number, minutes=minutes, end=end)
    missing = len(unfinished(drawn, round_))
    if not missing:
        return _("round {round}: time expired at {end}, every table complete").format(round=round_.number, end=end)
    return ngettext(
        "round {round}: time expired at {end}, {missing} table unfinished",
        "round {round}: time expired at {end}, {missing} tables unfinished",
        missing,
    ).format(round=round_.number, end=end, missing=missing)


def verified(verification: VerifiedDraw) -> Report:
    """Report which rounds are identical when drawn again."""
    fields: Fields[VerifiedRound] = (
        Field("round", _("Round"), lambda round_: round_.number, "right", priority=2),
        Field("state", _("Drawn again"), _drawn_again),
        Field("how", _("Drawn by"), _how_drawn),
    )
    data = [
        {
            "round": round_.number,
            "state": round_.state,
            "program": round_.program,
            "given": list(round_.given),
            "mended": round_.edited,
        }
        for round_ in verification.rounds
    ]
    heading = _("{event}: rounds drawn again by tourney {version}").format(
        event=verification.event.settings.name, version=verification.program
    )
    return listing(heading, fields, verification.rounds, data=data, lines=tuple(_why_other(verification)))


def _drawn_again(round_: VerifiedRound) -> str:
    words = {"the same": _("identical, seat by seat"), "other": _("DIFFERENT"), "brought in": _("not drawn here")}
    return words[round_.state]


def _how_drawn(round_: VerifiedRound) -> str:
    parts = []
    if round_.given:
        tables = ", ".join(map(str, round_.given))
        given = ngettext("table {tables} given by hand", "tables {tables} given by hand", len(round_.given))
        parts.append(given.format(tables=tables))
    if round_.edited:
        edited = ngettext("changed by hand once", "changed by hand {number} times", round_.edited)
        parts.append(edited.format(number=round_.edited))
    if round_.state == "brought in":
        parts.append(_("imported, or drawn by an older version"))
    return "; ".join(parts) or _("by the seed")


def _why_other(verification: VerifiedDraw) -> Iterator[str]:
    """Yield what was compared, and for rounds that differ what that means."""
    yield _("Compared: seats and byes as the round was drawn, before anybody was moved by hand.")
    if verification.announced == "other":
        yield _(
            "The plan of the coming rounds that the journal keeps is not the one that follows from the seed: see "
            "`tourney db check`."
        )
    others = [round_ for round_ in verification.rounds if round_.state == "other"]
    this_version = seating_number(verification.program)
    unexplained = [round_.number for round_ in others if seating_number(round_.program) == this_version]
    if unexplained:
        yield _(
            "Drawn by this version of the seating, and different now: {rounds}. The settings, constraints, results or "
            "ratings behind the draw have changed: `tourney db check` checks that the data are consistent."
        ).format(rounds=_rounds(unexplained))
    for program in sorted({round_.program for round_ in others if seating_number(round_.program) != this_version}):
        yield _(
            "Drawn by tourney {then}, which may seat differently from this version, {now}: {rounds}. That proves "
            "nothing against the draw, and the rounds stand as they were drawn; only that version can draw them again."
        ).format(
            then=program,
            now=verification.program,
            rounds=_rounds([round_.number for round_ in others if round_.program == program]),
        )


def _rounds(numbers: Sequence[int]) -> str:
    return ngettext("round {numbers}", "rounds {numbers}", len(numbers)).format(numbers=", ".join(map(str, numbers)))


def edited(edit: EditedRound) -> Report:
    """Report the tables that changed, the byes now, and the cost in repeats."""
    return _edited(edit, _("changed: {event}, round {round}"), ())


def swapped(edit: EditedRound, one: str, other: str) -> Report:
    """Report that two players of a draft have changed places, in one line unless coming rounds change, too."""
    title = _("{one} and {other} have changed places: {cost}").format(
        one=one, other=other, cost=edit_round.cost_text(edit)
    )
    report = Report(title, data=rounds_data([edit.round]), lines=tuple(_repeats_ahead(edit.repeats_ahead)))
    return with_ahead(report, edit.ahead, _("The round"))


def dissolved(edit: EditedRound) -> Report:
    """Report a dissolved table: where its players sit now, the other tables that changed, and the cost in repeats."""
    assert edit.dissolved is not None
    return _edited(
        edit, _("dissolved: {event}, round {round}, table {table}"), tuple(_new_places(edit, edit.dissolved))
    )


def _new_places(edit: EditedRound, dissolved: Table) -> Iterator[str]:
    """Yield a line for each table that players of the dissolved table join, and lines for those who have left."""
    moved = {player.id for player in dissolved.players}
    for table in edit.changed:
        names = [player.shown for player in table.players if player.id in moved]
        yield ngettext("{names} joins table {table}", "{names} join table {table}", len(names)).format(
            names=", ".join(names), table=table.number
        )
    resting = [player.shown for player in edit.round.sitting_out if player.id in moved]
    if resting:
        yield ngettext(
            "{names} finds no free seat and has a bye this round",
            "{names} find no free seat and have byes this round",
            len(resting),
        ).format(names=", ".join(resting))
    placed = {
        player.id
        for players in (*(table.players for table in edit.changed), edit.round.sitting_out)
        for player in players
    }
    gone = [player.shown for player in dissolved.players if player.id not in placed]
    if gone:
        yield ngettext("{names} has left the event", "{names} have left the event", len(gone)).format(
            names=", ".join(gone)
        )
    if edit.unseated:
        text = ngettext(
            "{names} had left the event, and no longer has a seat",
            "{names} had left the event, and no longer have a seat",
            len(edit.unseated),
        )
        yield text.format(names=names_of(edit.unseated))


def _edited(edit: EditedRound, heading: str, places: tuple[str, ...]) -> Report:
    """Report an edit; `places` are lines on where players sit now."""
    table: dict[str, Any] = {} if edit.dissolved is None else {"dissolved": edit.dissolved.number}
    if edit.unseated:
        table["unseated"] = [player.shown for player in edit.unseated]
    heading = heading.format(event=edit.event.settings.name, round=edit.round.number, table=table.get("dissolved"))
    data = {
        **rounds_data([edit.round]),
        "changed": [table.number for table in edit.changed],
        **table,
        **named(edit, "repeats_before", "repeats_after", "repeats_ahead"),
    }
    lines = (*places, *sitting_out([edit.round]), edit_round.cost_text(edit), *_repeats_ahead(edit.repeats_ahead))
    report = listing(heading, _table_fields(edit.changed), edit.changed, data=data, lines=lines)
    return with_ahead(report, edit.ahead, _("The round"))


def _repeats_ahead(more: int) -> Iterator[str]:
    """Yield a line with the repeats that an edit adds to the coming rounds, or saves in them."""
    if more > 0:
        yield ngettext(
            "This adds {number} repeat to the coming rounds.",
            "This adds {number} repeats to the coming rounds.",
            more,
        ).format(number=more)
    elif more < 0:
        yield ngettext(
            "This saves {number} repeat in the coming rounds.",
            "This saves {number} repeats in the coming rounds.",
            -more,
        ).format(number=-more)


def cancelled(drawn: Schedule) -> Report:
    """Report the cancelled round."""
    heading = _("cancelled: {round}").format(round=title(drawn))
    step = _("`tourney round draw{event}` draws it again.").format(event=event_argument(drawn.event))
    return with_ahead(Report(heading, data=rounds_data(drawn.rounds), next_steps=(step,)), drawn.ahead)


def substituted(outcome: Substituted) -> Report:
    """Report the substitute of a player, and the player for whom the result counts."""
    each, table = outcome.substitution, outcome.table
    values = {"absent": outcome.absent.shown, "round": table.round, "table": table.number}
    if each is None:
        title = _("nobody plays for {absent} any longer in round {round} at table {table}").format(**values)
        return Report(title, data={**values, "substitute": None, "counts_for": None})
    text = _("{substitute} plays for {absent} in round {round} at table {table}")
    title = text.format(substitute=each.substitute.shown, **values)
    who = COUNTS_FOR[outcome.event.settings.substitutes](each)
    line = _("The result counts for nobody.") if who is None else _("The result counts for {player}.")
    data = {**values, "substitute": each.substitute.shown, "counts_for": None if who is None else who.shown}
    return Report(title, data=data, lines=(line.format(player="" if who is None else who.shown),))


def played(play: Play) -> Report:
    """Report the tables just played, each with the points of its players."""
    fields: Fields[Result] = (
        Field("round", _("Round"), lambda result: result.table.round, "right", priority=2),
        Field("table", _("Table"), lambda result: result.table.number, "right", priority=0),
        Field("points", _("Points"), _points_text, priority=0),
    )
    number = len(play.results)
    title = ngettext("{event}: {number} table played", "{event}: {number} tables played", number).format(
        event=play.event.settings.name, number=number
    )
    data = {
        "event": play.event.settings.name,
        "played": [{"round": at.round, "table": at.number} for at in (result.table for result in play.results)],
        "waiting": [{"round": table.round, "table": table.number} for table in play.waiting],
        **deals_data(play.event),
    }
    return listing(title, fields, play.results, data=data, next_steps=_waiting(play.event, play.waiting))


def _points_text(result: Result) -> str:
    pairs = zip(result.table.players, result.outcome.points, strict=True)
    return ", ".join(f"{player.shown} {points}" for player, points in pairs)


def _waiting(event: Event, tables: Sequence[Table]) -> tuple[str, ...]:
    if not tables:
        return ()
    listed = listed_tables((table.round, table.number) for table in tables)
    text = _("tables without a result: {tables}; enter one with `tourney result enter{place}`")
    return (text.format(tables=listed, place=table_arguments(event, tables[0])),)


def posted_list(drawn: Schedule, by: PostedOrder) -> Report:
    """Report a line with the seat of each player of these rounds: by name, ignoring accents and case, or by table."""
    places = _places(drawn.rounds, seat_names(drawn.substitutions))
    round_field, *names, table_field, seat_field = _place_fields(places)
    fields = (round_field, table_field, seat_field, *names) if by == "table" else _place_fields(places)
    if by == "name":
        places.sort(key=_by_name)
    lines = (*sitting_out(drawn.rounds), *drawn.seating)
    data = _schedule_data(drawn)
    message = partial(_message, drawn, _names_message if by == "name" else _tables_message)
    return listing(title(drawn), fields, places, data=data, lines=lines, next_steps=empty(drawn), message=message)


def _places(rounds: Sequence[Round], names: SeatName) -> list[_Place]:
    return [
        _Place(round_.number, table.number, seat, player.shown, names(round_.number, player))
        for round_ in rounds
        for table in round_.tables
        for seat, player in enumerate(table.players, 1)
    ]


def _by_name(place: _Place) -> tuple[int, tuple[str, str]]:
    return place.round, name_order(place.shown)


def _place_fields(places: Sequence[_Place]) -> Fields[_Place]:
    return (
        Field("round", _("Round"), lambda place: place.round, "right", priority=_round_priority(places)),
        Field("player", _("Name"), lambda place: place.player, priority=0, readers="programs"),
        Field("player", _("Name"), lambda place: place.shown, priority=0, readers="people"),
        Field("table", _("Table"), lambda place: place.table, "right", priority=0),
        Field("seat", _("Seat"), lambda place: place.seat, "right", priority=0),
    )
