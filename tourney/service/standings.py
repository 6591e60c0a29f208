"""Standings of an event, and what its remaining games can still change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tourney import storage
from tourney.domain.clinching import Prospect, Prospects
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event, Placed
from tourney.domain.people import Player
from tourney.domain.results import Result, Ruling
from tourney.domain.rounds import Table
from tourney.rulebook import rulesets
from tourney.service.lookup import event_argument, find_entrant, find_event, find_round
from tourney.standings.arithmetic import arithmetic
from tourney.standings.clinching import prospects
from tourney.standings.placing import GONE, Ranked, ranked
from tourney.standings.ranking import explained
from tourney.standings.scales import MONEY, POINTS
from tourney.standings.scoring import Scoring, scoring_of
from tourney.standings.standing import Standing, StandingsTable
from tourney.text.i18n import _
from tourney.text.names import name_order
from tourney.text.sanitize import quote_argument

PODIUM = 3
"""The ranks of those who are named when an event is finished."""


def standings(db: str | None, event: str | None = None, round_number: int | None = None) -> StandingsTable:
    """Return the standings of an event now, or after a round. Raises TourneyError NOT_FOUND.

    Standings after a round leave out the penalties of later rounds; penalties without a round always count.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if round_number is not None:
            find_round(found, reader.rounds(found), round_number)
        return table_of(reader, found, round_number)


def table_of(
    reader: storage.Reader,
    event: Event,
    round_number: int | None = None,
    by_name: Callable[[str], Any] = name_order,
) -> StandingsTable:
    """Return the standings of an event in an open transaction; `by_name` sorts equal players."""
    results = reader.results(event, last=round_number)
    rulings = [
        ruling for ruling in reader.rulings(event) if round_number is None or (ruling.round or 0) <= round_number
    ]
    scoring = scoring_in(event)
    order = _ranked(event, results, rulings, scoring, by_name)
    rows, notes = explained(order, results, rulings)
    last = max((result.table.round for result in results if result.state == "counts"), default=0)
    earlier = [result for result in results if result.table.round < last]
    before = _ranked(event, earlier, [each for each in rulings if (each.round or 0) < last], scoring)
    return StandingsTable(
        event,
        round_number,
        _with_movement(rows, before),
        notes,
        reader.head()[1],
        _waiting(reader, event, round_number, with_drafts=False),
        order.contest.per_game,
        partial(arithmetic, order),
    )


def scoring_in(event: Event) -> Scoring:
    """Return the scoring of an event."""
    return scoring_of(event.settings, for_money=rulesets.family(event.rules) == "knock")


def podium(reader: storage.Reader, event: Event) -> tuple[Placed, ...]:
    """Return the players of the first three ranks of an event."""
    rows = ((row.rank, row) for row in table_of(reader, event).rows)
    return tuple(
        Placed(
            rank,
            row.player,
            _total(row),
            row.games,
            row.average,
            row.scale.heading,
        )
        for rank, row in rows
        if rank is not None and rank <= PODIUM
    )


def _total(row: Standing) -> float:
    """Return what a player is known by: points even where their mean ranks, or what else ranks."""
    return row.points if row.scale is POINTS else row.score


def _waiting(
    reader: storage.Reader, event: Event, last: int | None = None, *, with_drafts: bool = True
) -> tuple[Table, ...]:
    """Return the tables without a result, of all drawn rounds or up to round `last`.

    Standings, which everybody sees, say nothing of drafts.
    """
    done = reader.finished(event.id)
    drawn = (round_ for round_ in reader.rounds(event) if last is None or round_.number <= last)
    shown = (round_ for round_ in drawn if with_drafts or not round_.draft)
    return tuple(table for round_ in shown for table in round_.tables if (table.round, table.number) not in done)


def _ranked(
    event: Event,
    results: Sequence[Result],
    rulings: Sequence[Ruling],
    scoring: Scoring,
    by_name: Callable[[str], Any] = name_order,
) -> Ranked:
    minimum, states = event.settings.minimum, event.states
    return ranked(event.entrants, results, minimum, rulings=rulings, states=states, scoring=scoring, by_name=by_name)


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
        raise TourneyError(ExitCode.NOT_FOUND, message, _("see the standings for who stands in them"))
    return found


def whatif(db: str | None, event: str | None = None, place: int = 1) -> Prospects:
    """Return what each player must score in the tables without a result, or else in the next round, to reach a place.

    Raises TourneyError NOT_FOUND for an unknown event, USAGE for an impossible place, REFUSED where every round is
    played or nobody plays the next one.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        results, rulings = reader.results(found), reader.rulings(found)
        number, tables = _left(reader, found)
    scoring = scoring_in(found)
    if scoring.scale not in (POINTS, MONEY):
        message = _("{event} ranks by places at the tables or by shares, for which no score can be named")
        hint = _("see who leads with `tourney standings{event}`").format(event=event_argument(found))
        raise TourneyError(ExitCode.REFUSED, message.format(event=found.settings.name), hint)
    ranked_prospects = prospects(found, results, rulings, tables, scoring)
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
    number = len(reader.rounds(event)) + 1
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
