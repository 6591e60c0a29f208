"""A table of a drawn round dissolved: its players are seated at the other tables, as many as have room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import EditedRound
from tourney.rulebook import rulesets
from tourney.seating.reseat import Met, TableWithRoom, reseat
from tourney.service.change import Change
from tourney.service.lookup import event_word, find_open_event, find_round, find_table, newest
from tourney.service.rounds.edit_round import (
    changed_tables,
    rebuilt,
    refuse_results,
    repeats_of,
    with_plan_changes,
)
from tourney.service.seating.constraint_text import constraints_of
from tourney.service.seating.draw import groups_of
from tourney.service.seating.plan_diff import PlanInputs
from tourney.text.i18n import _
from tourney.text.names import clean
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class DissolveTable(Change[EditedRound]):
    """Dissolve a table of a drawn round (the newest unless named) and seat its players at the other tables.

    Tables with a result or a partial sheet take nobody. At the others, up to the largest table that the rules allow, as
    many players as possible are seated, with the fewest repeats; the rest have a bye. Players who have left the event
    are seated nowhere, and make room where they sit. The numbers of the other tables stay.

    Refused: NOT_FOUND for an unknown event, round or table; CONFLICT if the table has a result or a partial sheet;
    REFUSED if the event is finished, no reason is given, or it is the only table of the round.
    """

    event: str | None
    table: int
    reason: str
    round: int | None = None

    def perform(self, store: storage.Store) -> EditedRound:
        """Return the round as it is now, with the repeats before and after."""
        reason = clean(self.reason, _("reason"))
        event = find_open_event(store, self.event)
        inputs, rounds = PlanInputs.of(store, event), store.rounds.of(event)
        before = newest(event, rounds) if self.round is None else find_round(event, rounds, self.round)
        dissolved = find_table(event, rounds, before.number, self.table)
        refuse_results(event, store, before.number, [dissolved.number])
        _refuse_only_table(event, before)
        begun = store.results.counting(event.id) | store.results.begun(event)
        others = [round_ for round_ in rounds if round_ is not before]
        after = _without(event, before, dissolved, begun, _meetings(others))
        edited = EditedRound(
            event,
            after,
            changed_tables(before, after),
            *repeats_of(rounds, before, after),
            dissolved=dissolved,
            unseated=tuple(_unseated(before, after, dissolved)),
        )
        store.write(storage.kinds.results.TableDissolved.of(event, after, table=dissolved.number, reason=reason))
        return with_plan_changes(store, edited, inputs)


def _unseated(before: Round, after: Round, dissolved: Table) -> Iterator[Player]:
    """Yield who had a seat at another table than the dissolved one, and has none now."""
    placed = {player.id for players in (*(t.players for t in after.tables), after.sitting_out) for player in players}
    for table in before.tables:
        if table is not dissolved:
            yield from (player for player in table.players if player.id not in placed)


def _refuse_only_table(event: Event, round_: Round) -> None:
    if len(round_.tables) == 1:
        message = _("round {round} of {event} has no other table").format(
            round=round_.number, event=event.settings.name
        )
        hint = _("cancel the round: `tourney round cancel {event} --reason {reason}`").format(
            event=quote_argument(event_word(event.settings.name)), reason=quote_argument(_("too few players"))
        )
        raise TourneyError(ExitCode.REFUSED, message, hint)


def _meetings(rounds: Sequence[Round]) -> Met:
    """Return how often each pair of players meets in these rounds, by their ids."""
    tables = (table for round_ in rounds for table in round_.tables)
    return Counter(pair for table in tables for pair in combinations(sorted(player.id for player in table.players), 2))


def _without(event: Event, round_: Round, dissolved: Table, begun: frozenset[tuple[int, int]], met: Met) -> Round:
    """Return the round without the dissolved table; tables of `begun` stay as they are."""
    tables = {table.number: list(table.players) for table in round_.tables if table is not dissolved}
    free = [number for number in tables if (round_.number, number) not in begun]
    # People and bots who were seated apart stay apart, so that the engine can play the bots' tables.
    seated = [player for table in round_.tables for player in table.players]
    for group in groups_of(event, seated):
        moving = [player for player in dissolved.players if player in group and player in event.playing]
        kinds = {player.kind for player in group}
        own = [number for number in free if kinds.intersection(player.kind for player in tables[number])]
        _join(event, tables, own, moving, met)
    return rebuilt(event, round_, tables)


def _join(
    event: Event, tables: dict[int, list[Player]], free: Sequence[int], moving: Sequence[Player], met: Met
) -> None:
    """Seat the players who move at these tables, after those who sit there; who has left makes room for them."""
    present = {player.id for player in event.playing}
    staying = {number: [player for player in tables[number] if player.id in present] for number in free}
    open_tables = [TableWithRoom(number, tuple(player.id for player in staying[number])) for number in free]
    by_id = {player.id: player for player in moving}
    limits = rulesets.table_limits(event.rules)
    joining = reseat(list(by_id), open_tables, limits, met, constraints_of(event))
    for number, players in zip(free, joining, strict=True):
        if players:
            tables[number] = [*staying[number], *(by_id[player] for player in players)]
