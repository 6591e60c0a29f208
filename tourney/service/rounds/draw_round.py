"""Draw an event's next round, publish it or draw it again, and prove all draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Result
from tourney.domain.rounds import Drawing, Round, Table
from tourney.domain.schedule import MissingResults, PlanState, Schedule, VerifiedDraw, VerifiedRound
from tourney.seating.formats import FORMATS, OrderedBy
from tourney.seating.model import seating_as
from tourney.service.change import Change
from tourney.service.lookup import (
    ComparedChange,
    as_in_round,
    event_argument,
    event_word,
    find_event,
    find_open_event,
    find_round,
    newest,
    nothing_drawn,
)
from tourney.service.ratings.forecasts import information_gain
from tourney.service.ratings.pools import event_pools, histories
from tourney.service.ratings.ratings import pool_rows
from tourney.service.results.standings import table_of
from tourney.service.rounds.edit_round import CancelRound, given_tables
from tourney.service.rounds.rounds import schedule_of
from tourney.service.rounds.seating_report import quality_note
from tourney.service.seating.broken_constraints import broken_constraints
from tourney.service.seating.draw import Given, Ordering, next_round
from tourney.service.seating.plan_diff import PlanInputs, announced, ids_of, keep_plan, plan_changes_by_drawing
from tourney.service.seating.rotation_plan import DrawnRound
from tourney.service.seating.seat_order import last_winners, seats_of_round
from tourney.service.stages.advance import begin_next, cut_notes
from tourney.service.stages.plan_check import refuse_impossible
from tourney.service.version import seating_version
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold
from tourney.text.ranges import listed, listed_tables
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class DrawRound(Change[Schedule]):
    """Draw the event's next round; earlier rounds do not change. A seating file may give some or all tables.

    A `draft` is shown to nobody but the desk until it is published. Refused: NOT_FOUND for an unknown event or file, or
    a name in it that has not entered; REFUSED if the event is finished, all rounds are drawn, or the entrants cannot be
    seated, or not as the file says; REFUSED, unless `anyway`, if the format seats by results and earlier tables have
    none; CONFLICT if the round before is a draft.
    """

    event: str | None = None
    file: str | PathLike[str] | None = None
    anyway: bool = False
    draft: bool = False

    def perform(self, store: storage.Store) -> Schedule:
        """Return only the new round, with notes on players not seated, missing results, and repeats."""
        event = find_open_event(store, self.event)
        rounds = store.rounds.of(event)
        _refuse_drawn(event, len(rounds))
        _refuse_draft(event, rounds)
        event, cut = begin_next(store, event, rounds)
        if not rounds:
            refuse_impossible(event)
        before = PlanInputs.of(store, event)
        event = before.event
        given = None if self.file is None else given_tables(event, len(before.drawn) + 1, self.file)
        missing = missing_results(store, event, [past.round for past in before.drawn])
        seats_by_results = missing.decisive and given is None
        if seats_by_results and not self.anyway:
            _refuse_missing(missing)
        ordering = ordering_of(store, event)
        following = replace(next_round(event, before.drawn, before.steps, ordering, given), draft=self.draft)
        store.rounds.draw(event, following, drawing_of(given))
        notes = [
            *(() if cut is None else cut_notes(store, event, cut)),
            *(_rests_on(missing) if seats_by_results else ()),
            *_draw_notes(event, before.drawn, following, None if given else ordering, missing),
            *_open_flags(store, event),
        ]
        if given is not None:
            ahead = announced(store, before, event)
        else:
            keep_plan(store, before)
            ahead = plan_changes_by_drawing(before) if store.dry_run else None
        seating = seats_of_round(store, event, following)
        all_rounds = [*(past.round for past in before.drawn), following]
        broken = broken_constraints(event, all_rounds, [following.number])
        event = store.events.get(event.id)
        return Schedule(event, (following,), frozenset(), tuple(notes), broken=broken, seating=seating, ahead=ahead)


def _refuse_drawn(event: Event, drawn: int) -> None:
    if drawn >= event.settings.rounds:
        message = _("all {rounds} rounds of {event} are drawn").format(
            rounds=event.settings.rounds, event=event.settings.name
        )
        hint = _("see them with `tourney round show{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)


def _refuse_draft(event: Event, rounds: Sequence[Round]) -> None:
    if rounds and rounds[-1].draft:
        message = _("round {round} of {event} is a draft").format(round=rounds[-1].number, event=event.settings.name)
        hint = _(
            "publish it with `tourney round publish{event}`, or cancel it: `tourney round cancel{event} --reason TEXT`"
        )
        raise TourneyError(ExitCode.CONFLICT, message, hint.format(event=event_argument(event)))


def waiting_for_results(db: str | None, event: str | None = None) -> MissingResults:
    """Return the tables of an event's drawn rounds that have no result. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        return missing_results(reader, found, reader.rounds.of(found))


def missing_results(reader: storage.Reader, event: Event, rounds: Sequence[Round]) -> MissingResults:
    """Return the tables of these rounds that have no result; a void result is not missing, because it was decided."""
    tables = sum(len(round_.tables) for round_ in rounds)
    missing = tuple(reader.results.waiting(event, rounds))
    partial = reader.results.begun(event) if missing else frozenset()
    decisive = bool(missing) and _is_ordered(event, len(rounds) + 1)
    return MissingResults(event, len(rounds), tables, missing, partial, decisive)


def _is_ordered(event: Event, number: int) -> bool:
    """Return whether the players of that round are ordered by results or ratings."""
    format_ = FORMATS[as_in_round(event, number).settings.format]
    only_once = format_.ordered_once and number > event.first_round
    return format_.ordered_by != "nothing" and not only_once


def missing_text(missing: MissingResults) -> str:
    """Return the tables without a result as a list in one line, and which of them have a partial sheet."""
    return listed_tables(((table.round, table.number) for table in missing.tables), missing.partial)


def _refuse_missing(missing: MissingResults) -> None:
    number = len(missing.tables)
    message = ngettext(
        "round {next} is seated by results, and {number} table has none: {tables}",
        "round {next} is seated by results, and {number} tables have none: {tables}",
        number,
    ).format(next=missing.rounds + 1, number=number, tables=missing_text(missing))
    hint = _("enter them with `tourney result enter`; `tourney round draw {event} --anyway` draws without them").format(
        event=quote_argument(event_word(missing.event.settings.name))
    )
    raise TourneyError(ExitCode.REFUSED, message, hint)


def _rests_on(missing: MissingResults) -> Iterator[str]:
    """Yield a note on the results by which a round is seated although others are missing."""
    if missing.tables:
        yield ngettext(
            "Seated by the results of {counted} of {all} table; missing: {tables}.",
            "Seated by the results of {counted} of {all} tables; missing: {tables}.",
            missing.drawn,
        ).format(counted=missing.drawn - len(missing.tables), all=missing.drawn, tables=missing_text(missing))


def _draw_notes(
    event: Event, drawn: Sequence[DrawnRound], following: Round, ordering: Ordering | None, missing: MissingResults
) -> Iterator[str]:
    """Yield the notes on the round just drawn; `ordering` is None if tables were given."""
    rounds = [past.round for past in drawn]
    yield from _not_checked_in(event)
    if ordering is not None:
        yield from _order_notes(event, ordering.players, rounds)
    yield from _unfinished(missing)
    yield from quality_note(event, (*rounds, following))


def _open_flags(reader: storage.Reader, event: Event) -> Iterator[str]:
    """Yield a note that names the tables whose flags have no answer."""
    flags = reader.results.open_flags(event)
    if flags:
        tables = listed_tables(dict.fromkeys((flag.round, flag.table) for flag in flags))
        text = ngettext(
            "{number} call has no answer yet: {tables}. See it with `tourney result flags{event}`.",
            "{number} calls have no answer yet: {tables}. See them with `tourney result flags{event}`.",
            len(flags),
        )
        yield text.format(number=len(flags), tables=tables, event=event_argument(event))


def drawing_of(given: Given | None) -> Drawing:
    """Return the record of a draw by this program, with the tables and byes given by hand."""
    if given is None:
        return Drawing(seating_version())
    return Drawing(seating_version(), tuple(sorted(given.tables)), given.out)


def ordering_of(reader: storage.Reader, event: Event) -> Ordering:
    """Return the ordering of players by which the event's format seats the next round."""
    ordering = ORDERINGS[FORMATS[event.settings.format].ordered_by](reader, event)
    if event.settings.seats != "winner deals":
        return ordering
    return replace(ordering, winners=last_winners(reader.rounds.of(event), reader.results.of(event)))


def _by_standings(reader: storage.Reader, event: Event) -> Ordering:
    # Equal players are drawn in the order of their folded names, as in every round drawn so far, which `round verify`
    # draws again: the standings show them in Spanish order.
    rows = table_of(reader, event, by_name=fold).rows
    return Ordering([row.player for row in rows if row.games or row.rank is not None])


def _by_last_tables(reader: storage.Reader, event: Event) -> Ordering:
    """Return the ordering by standings, with the tables of the last round of the stage, the players best first."""
    drawn = reader.rounds.of(event)[event.first_round - 1 :]
    found = {
        result.table.number: result
        for result in reader.results.of(event)
        if drawn and result.table.round == drawn[-1].number
    }
    last = [_best_first(table, found.get(table.number)) for table in (drawn[-1].tables if drawn else ())]
    return replace(_by_standings(reader, event), last=last)


def _best_first(table: Table, result: Result | None) -> Sequence[Player]:
    """Return the players of a table by their places; in the order of seats where there is no result that counts."""
    if result is None or result.state != "counts":
        return table.players
    pairs = sorted(zip(result.outcome.places, range(len(table.players)), strict=True))
    return [table.players[seat] for _place, seat in pairs]


def _by_rating(reader: storage.Reader, event: Event) -> list[Player]:
    """Return the rated entrants, highest mu - 3 sigma first: people from the pool of people, bots from that of bots."""
    pools = [(None, pool) for pool in event_pools(reader)[:2]]
    scores = dict[str, float]()
    for pool, history in histories(reader, pools):
        scores |= {key: row.score for key, row in pool_rows(reader, pool, history).items()}
    rated = [player for player in event.entrants if str(player.id) in scores]
    return sorted(rated, key=lambda player: -scores[str(player.id)])


ORDERINGS: Mapping[OrderedBy, Callable[[storage.Reader, Event], Ordering]] = {
    "nothing": lambda _reader, _event: Ordering(),
    "standings": _by_standings,
    "last tables": _by_last_tables,
    "rating": lambda reader, event: Ordering(_by_rating(reader, event)),
    "information gain": lambda reader, event: Ordering(_by_rating(reader, event), information_gain(reader, event)),
}
"""The functions that order the players of an event, by what its format asks for."""


def _order_notes(event: Event, leaders: Sequence[Player], drawn: Sequence[Round]) -> Iterator[str]:
    """Yield a note on the ratings by which the round is seated, or on the lack of any standings or ratings."""
    ordered_by = FORMATS[event.settings.format].ordered_by
    if ordered_by in ("standings", "last tables") and drawn and not leaders:
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
    names = [player.shown for player in event.in_state("entered")]
    if names:
        yield _("Not seated, because not checked in: {names}.").format(names=listed(names, 12))


def _unfinished(missing: MissingResults) -> Iterator[str]:
    """Yield a note on each earlier round that lacks results."""
    for number, count in sorted(Counter(table.round for table in missing.tables).items()):
        yield ngettext(
            "Round {round}: {count} table without a result.",
            "Round {round}: {count} tables without a result.",
            count,
        ).format(round=number, count=count)


def verify(db: str | None, event: str | None = None) -> VerifiedDraw:
    """Draw every drawn round of the event again, each from the database as it was before, and compare seat by seat.

    A round is seated as by the version of the program that drew it. Later edits by hand are ignored. Raises
    TourneyError NOT_FOUND for an unknown event, REFUSED if nothing is drawn.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        drawn = [round_.number for round_ in reader.rounds.of(found)]
        if not drawn:
            raise nothing_drawn(found)
        edited = reader.rounds.times_edited(found)
        # A round that was cancelled has been drawn more than once: its last drawing is the one that counts.
        verified = {
            round_.number: _verified(reader_then.events.get(found.id), round_, how, reader_then, edited[round_.number])
            for round_, how, reader_then in reader.draws(found)
        }
        rounds = tuple(verified[number] for number in drawn)
        with seating_as(next((each.program for each in reversed(rounds) if each.program), "")):
            announced = _announced(reader, found)
        return VerifiedDraw(found, seating_version(), rounds, announced)


def _announced(reader: storage.Reader, event: Event) -> PlanState:
    """Plan the coming rounds again, step by step, and compare each step with the plan that the journal keeps."""
    inputs = PlanInputs.of(reader, event, prove=True)
    if not inputs.steps.any_kept:
        return "not kept"
    list(inputs.planned_tables())
    return "other" if inputs.steps.differs else "the same"


def _verified(
    event: Event, round_: Round, how: Drawing | None, reader_then: storage.Reader, edited: int
) -> VerifiedRound:
    if how is None:
        return VerifiedRound(round_.number, "brought in", edited=edited)
    with seating_as(how.program):
        inputs = PlanInputs.of(reader_then, event, prove=True)
        ordering = ordering_of(reader_then, inputs.event)
        again = next_round(inputs.event, inputs.drawn, inputs.steps, ordering, _given(round_, how))
    is_same = _seats(again) == _seats(round_)
    return VerifiedRound(round_.number, "the same" if is_same else "other", how.program, how.given, edited)


def _given(round_: Round, how: Drawing) -> Given | None:
    if not (how.given or how.rested):
        return None
    return Given({table.number: table.players for table in round_.tables if table.number in how.given}, how.rested)


def _seats(round_: Round) -> tuple[list[list[int]], list[int]]:
    return [ids_of(table.players) for table in round_.tables], ids_of(round_.sitting_out)


@dataclass(frozen=True, slots=True)
class RedrawRound(ComparedChange[Schedule]):
    """Cancel the newest round and draw it again, as a draft.

    Refused as `CancelRound` and `DrawRound`, and REFUSED if everybody would sit where they do now.
    """

    event: str | None
    anyway: bool = False

    def perform(self, store: storage.Store) -> Schedule:
        """Return the round as it is drawn now."""
        event = find_open_event(store, self.event)
        before = newest(event, store.rounds.of(event))
        CancelRound(self.event, _("drawn again"), before.number).perform(store)
        drawn = DrawRound(self.event, anyway=self.anyway, draft=True).perform(store)
        if _seated(drawn.rounds[0]) == _seated(before):
            message = _("round {round} would be drawn as it is").format(round=before.number)
            hint = _("change who plays, the settings or the constraints first, or move players by hand")
            raise TourneyError(ExitCode.REFUSED, message, hint)
        return drawn


def _seated(drawn: Round) -> object:
    return drawn.tables, drawn.sitting_out


@dataclass(frozen=True, slots=True)
class PublishRound(Change[Schedule]):
    """Publish a draft of a round, the newest unless named.

    Refused: NOT_FOUND for an unknown event or round; CONFLICT if it is no draft, as one that has a result is none;
    REFUSED if the event is finished or nothing is drawn.
    """

    event: str | None = None
    round: int | None = None

    def perform(self, store: storage.Store) -> Schedule:
        """Return only this round."""
        event = find_open_event(store, self.event)
        rounds = store.rounds.of(event)
        draft = newest(event, rounds) if self.round is None else find_round(event, rounds, self.round)
        if not draft.draft:
            message = _("round {round} of {event} is published already").format(
                round=draft.number, event=event.settings.name
            )
            hint = _("see it with `tourney round show{event}`").format(event=event_argument(event))
            raise TourneyError(ExitCode.CONFLICT, message, hint)
        store.write(storage.kinds.rounds.RoundPublished(event, draft.number))
        return schedule_of(store, event, draft.number)
