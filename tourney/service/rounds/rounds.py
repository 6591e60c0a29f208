"""Rounds: draw them, show them, time them, and play their tables of bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from typing import Literal

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.progress import Progress, no_progress
from tourney.domain.results import Play, Result
from tourney.domain.rounds import Clock, Drawing, Round, Table
from tourney.domain.schedule import Schedule, Slips
from tourney.rulebook import records, rulesets
from tourney.seating.formats import FORMATS, OrderedBy
from tourney.service import database
from tourney.service.change import Change, apply
from tourney.service.impact import preview
from tourney.service.lookup import (
    find_event,
    find_open_event,
    find_round,
    find_table,
    listed,
    newest,
    nothing_drawn,
    refuse_finished,
    same_rules,
)
from tourney.service.ratings.forecasts import information_gain
from tourney.service.ratings.pools import event_pools
from tourney.service.ratings.ratings import pool_rows
from tourney.service.rounds.edit_round import given_tables
from tourney.service.rounds.seating_report import quality_note
from tourney.service.seating.draw import Given, Ordering, next_round
from tourney.service.seating.plan_diff import PlanInputs, plan_changes, plan_changes_by_drawing
from tourney.service.seating.rotation_plan import DrawnRound
from tourney.service.standings import table_of
from tourney.service.version import seating_version
from tourney.text.i18n import _, ngettext

Which = int | Literal["newest"] | None
"""The rounds to show: one by its number, the newest, or all (None)."""


@dataclass(frozen=True, slots=True)
class DrawRound(Change[Schedule]):
    """Draw the event's next round; earlier rounds do not change. A seating file may give some or all tables.

    Refused: NOT_FOUND for an unknown event or file, or a name in it that has not entered; REFUSED if the event is
    finished, all rounds are drawn, or the entrants cannot be seated, or not as the file says.
    """

    event: str | None = None
    file: str | PathLike[str] | None = None

    def perform(self, store: storage.Store) -> Schedule:
        """Return only the new round, with notes on players not seated, missing results, and repeats."""
        event = find_open_event(store, self.event)
        before = PlanInputs.of(store, event)
        _refuse_drawn(event, len(before.drawn))
        given = None if self.file is None else given_tables(event, len(before.drawn) + 1, self.file)
        ordering = ordering_of(store, event)
        following = next_round(event, before.drawn, ordering, given)
        store.draw(event, following, drawing_of(given))
        notes = _draw_notes(store, event, before.drawn, following, None if given else ordering)
        if given is not None:
            ahead = plan_changes(before, PlanInputs.of(store, event))
        else:
            ahead = plan_changes_by_drawing(event, before.drawn) if store.dry_run else None
        return Schedule(event, (following,), frozenset(), tuple(notes), ahead=ahead)


def _refuse_drawn(event: Event, drawn: int) -> None:
    if drawn >= event.settings.rounds:
        message = _("all {rounds} rounds of {event} are drawn").format(
            rounds=event.settings.rounds, event=event.settings.name
        )
        raise TourneyError(ExitCode.REFUSED, message, _("see them with `tourney round show`"))


def _draw_notes(
    reader: storage.Reader, event: Event, drawn: Sequence[DrawnRound], following: Round, ordering: Ordering | None
) -> Iterator[str]:
    """Yield the notes on the round just drawn; `ordering` is None if tables were given."""
    rounds = [past.round for past in drawn]
    yield from _not_checked_in(event)
    if ordering is not None:
        yield from _order_notes(event, ordering.players, rounds)
    yield from _unfinished(rounds, reader.finished(event.id))
    yield from quality_note(event, (*rounds, following))


def drawing_of(given: Given | None) -> Drawing:
    """Return the record of a draw by this program, with the tables and byes given by hand."""
    if given is None:
        return Drawing(seating_version())
    return Drawing(seating_version(), tuple(sorted(given.tables)), given.out)


def ordering_of(reader: storage.Reader, event: Event) -> Ordering:
    """Return the ordering of players by which the event's format seats the next round."""
    return ORDERINGS[FORMATS[event.settings.format].ordered_by](reader, event)


def _by_standings(reader: storage.Reader, event: Event) -> Ordering:
    return Ordering([row.player for row in table_of(reader, event).rows if row.games])


def _by_rating(reader: storage.Reader, event: Event) -> list[Player]:
    """Return the rated entrants, highest mu - 3 sigma first: people from the pool of people, bots from that of bots."""
    scores = {row.player: row.score for pool in event_pools(reader)[:2] for row in pool_rows(reader, None, pool)}
    rated = [player for player in event.entrants if player.shown in scores]
    return sorted(rated, key=lambda player: -scores[player.shown])


ORDERINGS: Mapping[OrderedBy, Callable[[storage.Reader, Event], Ordering]] = {
    "nothing": lambda _reader, _event: Ordering(),
    "standings": _by_standings,
    "rating": lambda reader, event: Ordering(_by_rating(reader, event)),
    "information gain": lambda reader, event: Ordering(_by_rating(reader, event), information_gain(reader, event)),
}
"""The functions that order the players of an event, by what its format asks for."""


def _order_notes(event: Event, leaders: Sequence[Player], drawn: Sequence[Round]) -> Iterator[str]:
    """Yield a note on the ratings by which the round is seated, or on the lack of any standings or ratings."""
    ordered_by = FORMATS[event.settings.format].ordered_by
    if ordered_by == "standings" and drawn and not leaders:
        yield _("No game has a result yet: seated at random.")
    if ordered_by not in ("rating", "information gain"):
        return
    rated = len(set(event.playing).intersection(leaders))
    if not rated:
        yield _("Nobody is rated yet: seated at random.")
        return
    text = ngettext(
        "Seated by rating, {rated} of {number} player being rated: by all results so far, {pools}.",
        "Seated by rating, {rated} of {number} players being rated: by all results so far, {pools}.",
        len(event.playing),
    )
    pools = _("people in the pool people, bots in the pool bots")
    yield text.format(rated=rated, number=len(event.playing), pools=pools)


def _not_checked_in(event: Event) -> Iterator[str]:
    """Yield a note on the entrants who are not seated because they have not checked in."""
    if event.settings.checkin != "required":
        return
    pairs = zip(event.entrants, event.states, strict=True)
    names = [player.shown for player, state in pairs if state == "entered"]
    if names:
        yield _("Not seated, because not checked in: {names}.").format(names=listed(names, 12))


def show(db: str | None, event: str | None = None, which: Which = None) -> Schedule:
    """Return the drawn rounds of an event, or one of them. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return schedule_of(reader, find_event(reader, event), which)


def schedule_of(reader: storage.Reader, event: Event, which: Which = None) -> Schedule:
    """Return the drawn rounds of an event, or one of them, in an open transaction. Raises TourneyError NOT_FOUND."""
    rounds = reader.rounds(event)
    if which == "newest":
        rounds = rounds[-1:]
    elif which is not None:
        rounds = (find_round(event, rounds, which),)
    results = reader.results(event)
    spots = {(result.table.round, result.table.number): result for result in results}
    counts = {spot for spot, result in spots.items() if result.state == "counts"}
    return Schedule(
        event,
        rounds,
        done=frozenset(spots),
        void=frozenset(spot for spot, result in spots.items() if result.state == "void"),
        partial=frozenset((draft.round, draft.table) for draft in reader.partial_sheets(event)) - counts,
        short=frozenset(spot for spot, result in spots.items() if result.outcome.short),
    )


def slips(db: str | None, event: str | None = None, round_number: int | None = None, table: int | None = None) -> Slips:
    """Return the tables of a round (the newest unless named), or one of them, with the hands of their game.

    Raises TourneyError NOT_FOUND for an unknown event, round or table, REFUSED if nothing is drawn.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        rounds = reader.rounds(found)
        round_ = newest(found, rounds) if round_number is None else find_round(found, rounds, round_number)
        tables = round_.tables if table is None else (find_table(found, rounds, round_.number, table),)
        return Slips(found, tables, rulesets.contracts(found.rules))


def play(
    db: str | None,
    event: str | None = None,
    round_number: int | None = None,
    progress: Progress = no_progress,
    dry_run: bool = False,
) -> Play:
    """Play the tables of bots only that have no result, or a void one, in all drawn rounds or in one.

    Each result is kept as soon as it is played, so that an interrupt loses nothing. A table's deals depend only on the
    event's seed, the round and the table. The game of a table that is changed or cancelled meanwhile is not kept.
    Raises TourneyError NOT_FOUND, and REFUSED if nothing is drawn, the event is finished or its rules are not those of
    this program.
    """
    schedule = show(db, event, round_number)
    refuse_finished(schedule.event)
    if not schedule.rounds:
        raise nothing_drawn(schedule.event)
    same_rules(schedule.event)
    finished = schedule.done - schedule.void
    open_tables = [
        table for round_ in schedule.rounds for table in round_.tables if (table.round, table.number) not in finished
    ]
    of_bots = [table for table in open_tables if _is_bots_only(table)]
    waiting = tuple(table for table in open_tables if not _is_bots_only(table))
    results = tuple(_played(db, schedule.event, of_bots, progress, dry_run))
    return Play(schedule.event, results, waiting)


def table_seed(event: Event, table: Table) -> str:
    """Return the seed of the deals of a bots' table."""
    return f"{event.settings.seed}/round/{table.round}/table/{table.number}"


def _played(
    db: str | None, event: Event, tables: Sequence[Table], progress: Progress, dry_run: bool
) -> Iterator[Result]:
    for count, table in enumerate(tables, 1):
        names = [player.name for player in table.players]
        kinds = [name.rpartition("-")[0] for name in names]
        game = records.play_table(event.rules, kinds, names, table_seed(event, table), event.settings.stake)
        keep = _KeepBotTable(event, table, game)
        if preview(db, keep).outcome if dry_run else apply(db, keep):
            yield Result(event.settings.name, table, game.outcome, records.record_digest(game.record))
        progress(count, len(tables))


@dataclass(frozen=True, slots=True)
class _KeepBotTable(Change[bool]):
    """Keep the result of a table that bots have played."""

    event: Event
    table: Table
    game: records.BotGame

    def perform(self, store: storage.Store) -> bool:
        """Return whether the table has the same seats as before; a result entered meanwhile is not replaced."""
        if not _is_unchanged(store, self.event, self.table):
            return False
        if _lacks_result(store, self.event, self.table):
            store.keep_result(self.event, self.table, self.game.outcome, record=self.game.record)
        database.backup_when_finished(store, self.event, self.table.round)
        return True


def _is_unchanged(reader: storage.Reader, event: Event, table: Table) -> bool:
    """Return whether the table has the same seats as before: a round may change while its tables are played."""
    return any(table in round_.tables for round_ in reader.rounds(event))


def _lacks_result(reader: storage.Reader, event: Event, table: Table) -> bool:
    """Return whether the table still lacks a result; another process may have played the same game from its seed."""
    spot = (table.round, table.number)
    return spot not in reader.finished(event.id) or spot in reader.void(event.id)


def _is_bots_only(table: Table) -> bool:
    return all(player.kind == "bot" for player in table.players)


def _unfinished(drawn: Sequence[Round], done: frozenset[tuple[int, int]]) -> Iterator[str]:
    for round_ in drawn:
        missing = sum((round_.number, table.number) not in done for table in round_.tables)
        if missing:
            yield ngettext(
                "Round {round}: {count} table without a result.",
                "Round {round}: {count} tables without a result.",
                missing,
            ).format(round=round_.number, count=missing)


ClockCommand = Literal["start", "stop", "set"]
MOST_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class ChangeClock(Change[Schedule]):
    """Start a round's clock (the newest round's unless named), stop it, or set the length of a running one.

    A clock starts at `now`, and runs for the event's minutes unless `minutes` are given. Refused: NOT_FOUND for an
    unknown event or round; CONFLICT if the clock runs already, or does not run; REFUSED if the event is finished or no
    length is known.
    """

    event: str | None
    command: ClockCommand
    round: int | None = None
    minutes: int | None = None
    now: datetime | None = None

    def perform(self, store: storage.Store) -> Schedule:
        """Return only this round."""
        event = find_open_event(store, self.event)
        rounds = store.rounds(event)
        timed = newest(event, rounds) if self.round is None else find_round(event, rounds, self.round)
        store.start_clock(event, timed.number, self._changed(event, timed))
        return schedule_of(store, event, timed.number)

    def _changed(self, event: Event, timed: Round) -> Clock | None:
        if self.command == "start":
            if timed.clock is not None:
                message = _("the clock of round {round} runs already").format(round=timed.number)
                hint = _("stop it with --stop, or set its length with --minutes")
                raise TourneyError(ExitCode.CONFLICT, message, hint)
            return Clock(_utc(self.now or datetime.now(UTC)), _length(event, self.minutes))
        if timed.clock is None:
            message = _("the clock of round {round} does not run").format(round=timed.number)
            raise TourneyError(ExitCode.CONFLICT, message, _("start it with --start"))
        return None if self.command == "stop" else Clock(timed.clock.started, _length(event, self.minutes))


def _length(event: Event, minutes: int | None) -> int:
    length = event.settings.minutes if minutes is None else minutes
    if length is None:
        message = _("{event} has no length for its rounds").format(event=event.settings.name)
        raise TourneyError(ExitCode.REFUSED, message, _("give --minutes, here or with `tourney event set`"))
    if not 1 <= length <= MOST_MINUTES:
        message = _("a round cannot last {minutes} minutes").format(minutes=length)
        raise TourneyError(ExitCode.REFUSED, message, _("1 to {most} can be").format(most=MOST_MINUTES))
    return length


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
