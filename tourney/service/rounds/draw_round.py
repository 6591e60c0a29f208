"""Draw an event's next round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Drawing, Round
from tourney.domain.schedule import Schedule
from tourney.seating.formats import FORMATS, OrderedBy
from tourney.service.change import Change
from tourney.service.lookup import event_argument, find_open_event, listed
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
        hint = _("see them with `tourney round show{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)


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


def _unfinished(drawn: Sequence[Round], done: frozenset[tuple[int, int]]) -> Iterator[str]:
    for round_ in drawn:
        missing = sum((round_.number, table.number) not in done for table in round_.tables)
        if missing:
            yield ngettext(
                "Round {round}: {count} table without a result.",
                "Round {round}: {count} tables without a result.",
                missing,
            ).format(round=round_.number, count=missing)
