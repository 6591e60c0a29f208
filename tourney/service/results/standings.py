"""Standings of an event, and what its remaining games can still change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import GONE, Event, Placed, stage_settings
from tourney.domain.forecasts import Prospect, Prospects
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Result, Ruling
from tourney.domain.rounds import Stage, Table
from tourney.rulebook import rulesets
from tourney.service.lookup import event_argument, find_entrant, find_event, find_round, in_stage
from tourney.standings.arithmetic import arithmetic
from tourney.standings.clinching import prospects
from tourney.standings.placing import Ranked, RankingBasis, ranked
from tourney.standings.prizes import paid, read_amount, read_prizes
from tourney.standings.ranking import explained, uncounted_text
from tourney.standings.scales import MONEY, POINTS
from tourney.standings.scoring import BY_POINTS, Scoring, scoring_of
from tourney.standings.standing import Standing, StandingsTable
from tourney.standings.substitutes import CountedResults, counted
from tourney.standings.substitutes import note as substitute_note
from tourney.standings.tiebreaks.tiebreak import HandsOf, hands_in
from tourney.text.i18n import _
from tourney.text.names import name_order
from tourney.text.numbers import Number
from tourney.text.sanitize import quote_argument

if TYPE_CHECKING:
    from tourney.standings.staged import StageContest, StageTable

PODIUM = 3
"""The ranks of those who are named when an event is finished."""


def standings(db: str | None, event: str | None = None, round_number: int | None = None) -> StandingsTable:
    """Return the standings of an event now, or after a round. Raises TourneyError NOT_FOUND.

    Standings after a round leave out the penalties of later rounds; penalties without a round always count.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if round_number is not None:
            find_round(found, reader.rounds.of(found), round_number)
        return table_of(reader, found, round_number)


def table_of(
    reader: storage.Reader,
    event: Event,
    round_number: int | None = None,
    by_name: Callable[[str], Any] = name_order,
) -> StandingsTable:
    """Return the standings of an event in an open transaction; `by_name` sorts equal players."""
    then = event if round_number is None else reader.results.attendance_after(event, round_number)
    results = as_counted(reader, event, reader.results.of(event, last=round_number))
    rulings = [
        ruling
        for ruling in with_states(reader, event, reader.results.rulings(event))
        if round_number is None or (ruling.round or 0) <= round_number
    ]
    if event.settings.stages:
        return _staged_table(reader, event, round_number, results, rulings, by_name)
    scoring = scoring_in(event)
    order = _ranked(then, results, rulings, scoring, by_name)
    rows, notes = explained(order, results.results, rulings)
    moved = _with_movement(rows, _ranked(then, *_before_the_last_round(results, rulings), scoring))
    head, per_game, steps = reader.journal.head()[1], order.contest.per_game, partial(arithmetic, order)
    table = StandingsTable(event, round_number, moved, notes, head, per_game=per_game, arithmetic=steps)
    return _completed(reader, table)


def _before_the_last_round(
    counts: CountedResults, rulings: Sequence[Ruling]
) -> tuple[CountedResults, Sequence[Ruling]]:
    """Return the results and rulings of the rounds before the last one that has a result."""
    last = max((result.table.round for result in counts.results if result.state == "counts"), default=0)
    earlier = tuple(result for result in counts.results if result.table.round < last)
    return replace(counts, results=earlier), [each for each in rulings if (each.round or 0) < last]


def _completed(reader: storage.Reader, table: StandingsTable) -> StandingsTable:
    """Return the standings with prizes, tables without a result, and notes on substitutes and on the pot."""
    event, last = table.event, table.round
    given, of_prizes = ({}, ()) if last is not None else _prizes(reader, event, table.rows)
    uncounted = _uncounted(reader, event, last)

    def completed(row: Standing) -> Standing:
        own = (note for note, player in uncounted.items() if player == row.player)
        return replace(row, prize=given.get(row.player.id), notes=(*row.notes, *own))

    return replace(
        table,
        rows=tuple(map(completed, table.rows)),
        notes=(*table.notes, *uncounted, *_substitutes(reader, event, last), *of_prizes),
        waiting=_waiting(reader, event, last, with_drafts=False),
    )


def _prizes(
    reader: storage.Reader, event: Event, rows: Sequence[Standing]
) -> tuple[Mapping[int, int], tuple[str, ...]]:
    """Return the prizes of a finished event in cents by player, and a note on the pot; nothing for other events."""
    settings = event.settings
    if settings.prizes is None or event.state != "finished":
        return {}, ()
    pot = read_amount(settings.pot or "0") + len(event.counted) * read_amount(settings.fee or "0")
    prizes = read_prizes(settings.prizes)
    given = paid(prizes, pot, rows, _newcomers(reader, event) if prizes.categories else ())
    note = _("Pot {pot}, prizes {prizes}, left {left}.")
    values = {"pot": pot, "prizes": sum(given.values()), "left": pot - sum(given.values())}
    return given, (note.format(**{name: f"{Number(cents / 100):.2f}" for name, cents in values.items()}),)


def _newcomers(reader: storage.Reader, event: Event) -> frozenset[int]:
    """Return the numbers of the entrants who had no seat in an event before this one, by date."""
    earlier: set[int] = set()
    for rated in reader.events.rated():
        if rated.number == event.id:
            break
        tables = (table for drawn in reader.rounds.of(reader.events.alone(rated.number)) for table in drawn.tables)
        earlier.update(player.id for table in tables for player in table.players)
    return frozenset(player.id for player in event.entrants) - earlier


def order_of(reader: storage.Reader, event: Event) -> Ranked:
    """Return the players of an event in the order of its standings now, without sentences; equal ones in any order.

    In an event with stages each tally has the points of all games, also of earlier stages. Hands are most of what a
    database holds of an event: those of a round are read when a tie asks for them.
    """

    @cache
    def hands_of_round(number: int) -> Mapping[tuple[int, int], Sequence[HandScore]]:
        return reader.results.hands(event, number)

    def hands(result: Result) -> Sequence[HandScore]:
        table = result.table
        return hands_of_round(table.round).get((table.round, table.number), ())

    results = as_counted(reader, event, reader.results.totals(event))
    rulings = with_states(reader, event, reader.results.rulings(event))
    if not event.settings.stages:
        return _ranked(event, results, rulings, scoring_in(event), lambda name: "", hands)
    from tourney.standings.staged import combined_order, counted_as_points

    tables = tables_of_stages(reader, event)
    staged, fined = combined_order(tables), counted_as_points(event, tables, rulings)
    tallies = _ranked(event, results, fined, BY_POINTS).contest.tallies
    return replace(staged, placed=tuple(replace(each, tally=tallies[each.tally.player.id]) for each in staged.placed))


def with_states(reader: storage.Reader, event: Event, rulings: Sequence[Ruling]) -> Sequence[Ruling]:
    """Return the rulings; in an event with stages, penalties that do not count now have a state that says so."""
    if not event.settings.stages or not rulings:
        return rulings
    from tourney.standings.staged import rulings_now

    drawn, done = reader.rounds.of(event), reader.results.finished(event.id)
    played = [table for each in drawn for table in each.tables if (table.round, table.number) in done]
    return rulings_now(event, len(drawn), played, rulings)


def _uncounted(reader: storage.Reader, event: Event, last: int | None) -> dict[str, Player | None]:
    """Return a note on every penalty that does not count now, with its player; none in standings after a round."""
    rulings = with_states(reader, event, reader.results.rulings(event)) if last is None else ()
    return {text: ruling.player for ruling in rulings if (text := uncounted_text(ruling))}


def as_counted(reader: storage.Reader, event: Event, results: Sequence[Result]) -> CountedResults:
    """Return the results as they count where substitutes played."""
    return counted(results, reader.rounds.substitutions(event), event.settings.substitutes)


def _substitutes(reader: storage.Reader, event: Event, last: int | None) -> Iterator[str]:
    """Yield a note on every substitute up to a round (None: all)."""
    for each in reader.rounds.substitutions(event):
        if last is None or each.round <= last:
            yield substitute_note(each, event.settings.substitutes)


def scoring_in(event: Event) -> Scoring:
    """Return the scoring of an event."""
    return scoring_of(event.settings, for_money=rulesets.family(event.rules) == "knock")


def podium(reader: storage.Reader, event: Event) -> tuple[Placed, ...]:
    """Return the players of the first three ranks of an event."""
    return tuple(
        # A player is known by points even where their mean ranks, or by what else ranks.
        Placed(
            row.rank,
            row.player,
            row.points if row.scale is POINTS else row.score,
            row.games,
            row.average,
            row.scale.heading,
        )
        for row in table_of(reader, event).rows
        if row.rank is not None and row.rank <= PODIUM
    )


def _waiting(
    reader: storage.Reader, event: Event, last: int | None = None, *, with_drafts: bool = True
) -> tuple[Table, ...]:
    """Return the tables without a result, of all drawn rounds or up to round `last`.

    Standings, which everybody sees, say nothing of drafts.
    """
    done = reader.results.finished(event.id)
    drawn = (round_ for round_ in reader.rounds.of(event) if last is None or round_.number <= last)
    shown = (round_ for round_ in drawn if with_drafts or not round_.draft)
    return tuple(table for round_ in shown for table in round_.tables if (table.round, table.number) not in done)


def _ranked(
    event: Event,
    results: CountedResults,
    rulings: Sequence[Ruling],
    scoring: Scoring,
    by_name: Callable[[str], Any] = name_order,
    hands: HandsOf = hands_in,
) -> Ranked:
    basis = RankingBasis(
        rulings=rulings, states=event.states, scoring=scoring, by_name=by_name, hands=hands, uncounted=results.uncounted
    )
    return ranked(event.entrants, results.results, event.settings.minimum, basis=basis)


def _staged_table(
    reader: storage.Reader,
    event: Event,
    round_number: int | None,
    counts: CountedResults,
    rulings: Sequence[Ruling],
    by_name: Callable[[str], Any],
) -> StandingsTable:
    """Return the standings of an event with stages, finalists above those who are out."""
    # Not at the top of the module, for the time that formats take, which events without stages do not need.
    from tourney.standings.staged import arithmetic_of, combined, combined_order, groups_of, stage_tables, stages_after

    then = event
    if round_number is not None:
        event = stages_after(event, round_number)
        then = reader.results.attendance_after(event, round_number)
    rank = partial(_rank_contest, event, by_name, counts.uncounted)
    tables = stage_tables(then, counts, rulings, rank)
    before = stage_tables(then, *_before_the_last_round(counts, rulings), rank)
    rows, notes = combined(tables)
    moved = _with_movement(rows, combined_order(before))
    per_game = tables[-1].order.contest.per_game

    @cache  # The pages of all players ask for it.
    def undivided() -> tuple[StageTable, ...]:
        return stage_tables(then, counts, rulings, rank, undivided=True)

    def steps(player: Player) -> Sequence[str]:
        return arithmetic_of(undivided(), player)

    rounds = [drawn for drawn in reader.rounds.of(event) if round_number is None or drawn.number <= round_number]
    head, groups = reader.journal.head()[1], groups_of(event, rounds)
    return _completed(
        reader,
        StandingsTable(event, round_number, moved, notes, head, per_game=per_game, arithmetic=steps, group_of=groups),
    )


def _rank_contest(
    event: Event, by_name: Callable[[str], Any], uncounted: Collection[tuple[int, int]], contest: StageContest
) -> Ranked:
    basis = RankingBasis(
        rulings=contest.rulings,
        states=contest.states,
        scoring=scoring_of(contest.settings, for_money=rulesets.family(event.rules) == "knock"),
        by_name=by_name,
        uncounted=uncounted,
        bands=contest.bands,
        carried=contest.carried,
    )
    return ranked(contest.players, contest.results, contest.minimum, basis=basis)


def tables_of_stages(reader: storage.Reader, event: Event, *, undivided: bool = False) -> tuple[StageTable, ...]:
    """Return the standings of each stage of the event that was begun, in order; `undivided` as in `stage_tables`."""
    from tourney.standings.staged import stage_tables

    counts = as_counted(reader, event, reader.results.of(event))
    rank = partial(_rank_contest, event, name_order, counts.uncounted)
    rulings = with_states(reader, event, reader.results.rulings(event))
    return stage_tables(event, counts, rulings, rank, undivided=undivided)


def rank_after(event: Event, table: StageTable, counts: CountedResults, more: Iterable[Result]) -> Ranked:
    """Return the order of a stage with more results."""
    contest = replace(table.contest, results=(*table.contest.results, *more))
    return _rank_contest(event, name_order, counts.uncounted, contest)


def scoring_of_stage(event: Event, stage: Stage) -> Scoring:
    """Return the scoring of an event in one of its stages."""
    settings = stage_settings(event.settings, stage)
    return scoring_of(settings, for_money=rulesets.family(event.rules) == "knock")


def _with_movement(rows: Sequence[Standing], before: Ranked) -> tuple[Standing, ...]:
    """Return the rows with the ranks that each player has risen since; None without a rank then or now."""
    earlier = {placed.tally.player.id: placed.rank for placed in before.placed}
    return tuple(replace(row, moved=_risen(earlier.get(row.player.id), row.rank)) for row in rows)


def _risen(before: int | None, now: int | None) -> int | None:
    return None if before is None or now is None else before - now


def row_of(table: StandingsTable, name: str) -> Standing:
    """Return the row of an entrant, by name or number. Raises TourneyError NOT_FOUND."""
    player = find_entrant(table.event, name)
    found = next((row for row in table.rows if row.player.id == player.id), None)
    if found is None:
        message = _("{player} has gone away without a game").format(player=player.shown)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("see the standings for their players"))
    return found


def whatif(db: str | None, event: str | None = None, place: int = 1) -> Prospects:
    """Return what each player must score in the tables without a result, or else in the next round, to reach a place.

    Raises TourneyError NOT_FOUND for an unknown event, USAGE for an impossible place, REFUSED where every round is
    played or nobody plays the next one.
    """
    with storage.reading(db) as reader:
        found = in_stage(reader, find_event(reader, event))
        number, tables = _left(reader, found)
        counts = as_counted(reader, found, reader.results.of(found))
        found, results, rulings = _of_stage(found, counts, with_states(reader, found, reader.results.rulings(found)))
    scoring = scoring_in(found)
    if scoring.scale not in (POINTS, MONEY):
        message = _("{event} ranks by places at the tables or by shares, for which no score can be named")
        hint = _("see who leads with `tourney standings{event}`").format(event=event_argument(found))
        raise TourneyError(ExitCode.REFUSED, message.format(event=found.settings.name), hint)
    open_seats = [replace(table, players=_counting(counts, table)) for table in tables]
    ranked_prospects = prospects(found, results, rulings, open_seats, scoring, counts.uncounted)
    if not 1 <= place <= len(ranked_prospects):
        message = _("there is no place {place} among {number} players").format(
            place=place, number=len(ranked_prospects)
        )
        raise TourneyError(
            ExitCode.USAGE, message, _("give a place from 1 to {most}").format(most=len(ranked_prospects))
        )
    ranked = {prospect.player.id for prospect in ranked_prospects}
    in_money = scoring.scale is MONEY
    return Prospects(found, place, number, tables, ranked_prospects, _unranked(found, ranked), in_money)


def _counting(counts: CountedResults, table: Table) -> tuple[Player, ...]:
    """Return the players for whom the result of an open table will count."""
    return tuple(player for player in counts.players(table) if player is not None)


def _of_stage(
    event: Event, counts: CountedResults, rulings: Sequence[Ruling]
) -> tuple[Event, Sequence[Result], Sequence[Ruling]]:
    """Return the event as the stage that was begun last alone, whose places are asked for; others as they are.

    Raises TourneyError REFUSED for a stage that ranks by more than the points played in it.
    """
    if event.stage is None:
        return event, counts.results, rulings
    from tourney.standings.staged import contest_of

    contest = contest_of(event, counts, rulings)
    if contest is None:
        message = _("places in {stage} do not depend on the points of its games alone").format(stage=event.stage.name)
        hint = _("see who goes through with `tourney standings{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    alone = replace(event, entrants=contest.players, states=contest.states)
    return alone, contest.results, contest.rulings


def prospect_of(answer: Prospects, name: str) -> Prospect:
    """Return the prospect of an entrant, by name or number.

    Raises TourneyError NOT_FOUND; REFUSED if no rank is in reach.
    """
    player = find_entrant(answer.event, name)
    found = next((prospect for prospect in answer.prospects if prospect.player.id == player.id), None)
    if found is None:
        message = _("{player} has too few games for a rank, even with these").format(player=player.shown)
        hint = _("see why with `tourney standings{event} --why {player}`").format(
            event=event_argument(answer.event), player=quote_argument(player.shown)
        )
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return found


def _left(reader: storage.Reader, event: Event) -> tuple[int, tuple[Table, ...]]:
    """Return the last round with open tables, and all open tables; or the next round, with a table for each player."""
    waiting = _waiting(reader, event)
    if waiting:
        return waiting[-1].round, waiting
    number = len(reader.rounds.of(event)) + 1
    if number > event.settings.rounds or event.state == "finished":
        message = _("{event} has no games left").format(event=event.settings.name)
        hint = _("see how it ended with `tourney standings{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    if not event.playing:
        message = _("nobody plays the next round of {event}").format(event=event.settings.name)
        hint = _("see who is there with `tourney event show{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return number, tuple(Table(number, at, (player,)) for at, player in enumerate(event.playing, 1))


def _unranked(event: Event, ranked: Collection[int]) -> tuple[Player, ...]:
    """Return the present players who cannot have a rank after the remaining games."""
    states = event.states or ("entered",) * len(event.entrants)
    pairs = zip(event.entrants, states, strict=True)
    return tuple(player for player, state in pairs if state not in GONE and player.id not in ranked)
