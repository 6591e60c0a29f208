"""Rank players by their results: who has a rank, in which order, and notes on what was counted."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from tourney.domain.events import EntrantState
from tourney.domain.people import Player
from tourney.domain.results import Result, Ruling
from tourney.standings.bands import NO_BAND, Band
from tourney.standings.standing import Order, Standing, Tally
from tourney.standings.tiebreaks import CRITERIA, Criteria
from tourney.text.i18n import _, ngettext
from tourney.text.names import name_order

GONE: frozenset[EntrantState] = frozenset({"withdrawn", "no-show"})


@dataclass(frozen=True, slots=True)
class _Note:
    """A remark under the standings; `concerns` has the numbers of the players whose reasons repeat it."""

    text: str
    concerns: frozenset[int]


def standings(
    entrants: Sequence[Player],
    results: Sequence[Result],
    minimum: int | None = None,
    *,
    rulings: Sequence[Ruling] = (),
    states: Sequence[EntrantState] = (),
    order: Order = "points",
    by_name: Callable[[str], Any] = name_order,
    bands: Mapping[int, Band] = MappingProxyType({}),
    carried: Mapping[int, int] = MappingProxyType({}),
) -> tuple[tuple[Standing, ...], tuple[str, ...]]:
    """Return rows in order, and notes on how they were ranked.

    Events of the knock game rank by `money`; penalties are taken off it, a point being its smallest unit. All others
    rank by points, penalties among `rulings` included; where players have played different numbers of games, by points
    per game. `tiebreaks` decides among equals. Last, without a rank, are players with fewer games than `minimum`
    (never more than the rounds played so far), or if it is None, than half of those rounds. Void tables count for
    nobody, and a note names them. `states` has the state of each entrant (empty: all have entered); players who have
    left keep their games, and are omitted if they have none. Equal players are sorted `by_name`, in Spanish order in
    every language, so that files are the same everywhere. `bands` and the points `carried` are by number of players;
    results of others than the entrants count for nobody.
    """
    counted = [result for result in results if result.state == "counts"]
    tallies = _tallies(entrants, states, counted, rulings, order)
    for tally in tallies:
        tally.band, tally.carried = bands.get(tally.player.id, NO_BAND), carried.get(tally.player.id, 0)
    needed = _needed(counted, minimum)
    by_average = order == "points" and len({tally.games for tally in tallies if tally.games}) > 1
    criteria = CRITERIA["points per game" if by_average else order]

    def named(tally: Tally) -> tuple[Any, int]:
        return by_name(tally.player.shown), tally.player.id

    ranked = sorted(
        (tally for tally in tallies if _ranks(tally, needed)),
        key=lambda tally: (tally.band.order, criteria.key(tally), named(tally)),
    )
    below = sorted(
        (tally for tally in tallies if not _ranks(tally, needed)),
        key=lambda tally: (tally.band.order[:1], tally.games == 0, tally.average, named(tally)),
    )
    rows = _ranked_rows(criteria, ranked)
    rows += [_row(None, tally, _why_below(tally, needed, minimum)) for tally in below]
    notes = (*_order_notes(tallies, by_average), *_table_notes(results), *_ruling_notes(tallies, results, rulings))
    explained = tuple(replace(row, notes=_notes_for(row.player, notes)) for row in rows)
    return explained, tuple(note.text for note in notes)


def _tallies(
    entrants: Sequence[Player],
    states: Sequence[EntrantState],
    results: Sequence[Result],
    rulings: Sequence[Ruling],
    order: Order,
) -> list[Tally]:
    tallies = {player.id: Tally(player, order) for player in entrants}
    for player, state in zip(entrants, states, strict=False):
        tallies[player.id].state = state
    for result in results:
        for seat, player in enumerate(result.table.players):
            if player.id in tallies:
                tallies[player.id].add(result, seat)
    for ruling in rulings:
        if ruling.kind == "penalty" and ruling.state == "stands" and ruling.player and ruling.player.id in tallies:
            tallies[ruling.player.id].penalties.append(ruling)
    for tally in tallies.values():
        tally.won.sort(reverse=True)
    return [tally for tally in tallies.values() if tally.games or tally.penalties or tally.state not in GONE]


def _needed(results: Sequence[Result], minimum: int | None) -> int:
    played = len({result.table.round for result in results})
    return -(-played // 2) if minimum is None else min(minimum, played)


def _ranks(tally: Tally, needed: int) -> bool:
    return tally.games > 0 and tally.games >= needed


def _ranked_rows(criteria: Criteria, ranked: Sequence[Tally]) -> list[Standing]:
    rows: list[Standing] = []
    for place, tally in enumerate(ranked, 1):
        above = ranked[place - 2] if place > 1 and ranked[place - 2].band.order == tally.band.order else None
        is_level = above is not None and criteria.key(above) == criteria.key(tally)
        why = criteria.why(above, tally) if above or place == 1 else tally.band.why or criteria.why(None, tally)
        rows.append(_row(rows[-1].rank if is_level else place, tally, why))
    return rows


def _row(rank: int | None, tally: Tally, why: str) -> Standing:
    return tally.row(rank, "; ".join((why, *map(penalty_text, tally.penalties))))


def penalty_text(ruling: Ruling) -> str:
    """Return a penalty in words: `a penalty of 20 points in round 2: came late`."""
    points = abs(ruling.points)
    if ruling.points < 0:
        text = ngettext("{points} point taken off{place}: {why}", "{points} points taken off{place}: {why}", points)
    else:
        text = ngettext(
            "a penalty of {points} point{place}: {why}", "a penalty of {points} points{place}: {why}", points
        )
    return text.format(points=points, place=_place(ruling), why=ruling.text)


def _place(ruling: Ruling) -> str:
    if ruling.round is None:
        return ""
    if ruling.table is None:
        return _(" in round {round}").format(round=ruling.round)
    return _(" in round {round} at table {table}").format(round=ruling.round, table=ruling.table)


def _why_below(tally: Tally, needed: int, minimum: int | None) -> str:
    if tally.games == 0:
        return _("no game yet")
    lack = ngettext(
        "{games} of the {needed} game needed for a rank", "{games} of the {needed} games needed for a rank", needed
    ).format(games=tally.games, needed=needed)
    if minimum is None:
        return _("{lack}: half the rounds played so far").format(lack=lack)
    if minimum > needed:
        return _("{lack} so far; the event asks for {minimum} in the end").format(lack=lack, minimum=minimum)
    return lack


def _notes_for(player: Player, notes: Sequence[_Note]) -> tuple[str, ...]:
    return tuple(note.text for note in notes if player.id in note.concerns)


def _order_notes(tallies: Sequence[Tally], by_average: bool) -> Iterator[_Note]:
    """Yield notes on how everybody is ranked."""
    everybody = frozenset(tally.player.id for tally in tallies)
    if not any(tally.games for tally in tallies):
        yield _Note(_("No results yet."), everybody)
    if by_average:
        yield _Note(by_average_text(), everybody)
    if any(tally.penalties and tally.order == "money" for tally in tallies):
        yield _Note(_("Money ranks here: the points of a penalty are taken off the money."), everybody)


def by_average_text() -> str:
    """Return the sentence for an order by points per game."""
    return _("Not everybody has played the same number of games: points per game decide.")


def _table_notes(results: Sequence[Result]) -> Iterator[_Note]:
    """Yield notes on tables that are void, or whose game ended early."""
    for result in results:
        if result.state == "void":
            text = _("Table {table} of round {round} is void ({why}): it counts for nobody.").format(
                table=result.table.number, round=result.table.round, why=result.reason
            )
            yield _Note(text, _seated(result))
        elif result.outcome.short:
            yield _Note(_short_text(result), _seated(result))


def _seated(result: Result) -> frozenset[int]:
    return frozenset(player.id for player in result.table.players)


def _ruling_notes(tallies: Sequence[Tally], results: Sequence[Result], rulings: Sequence[Ruling]) -> Iterator[_Note]:
    """Yield notes on penalties, which the reason of the player concerned already has, and on corrections."""
    for tally in tallies:
        for ruling in tally.penalties:
            text = _("{player}: {penalty}.").format(player=tally.player.shown, penalty=penalty_text(ruling))
            yield _Note(text, frozenset())
    seated = {(result.table.round, result.table.number): _seated(result) for result in results}
    for ruling in rulings:
        if ruling.kind == "correction" and ruling.state == "stands":
            text = _("Table {table} of round {round} was corrected by a ruling: {why}.").format(
                table=ruling.table, round=ruling.round, why=ruling.text
            )
            yield _Note(text, seated.get((ruling.round or 0, ruling.table or 0), frozenset()))


def _short_text(result: Result) -> str:
    if result.outcome.money:
        return _("Table {table} of round {round} was stopped before its end: the lowest score had the pot.").format(
            table=result.table.number, round=result.table.round
        )
    hands = result.outcome.short
    return ngettext(
        "Table {table} of round {round} was stopped early: {hands} hand was not played.",
        "Table {table} of round {round} was stopped early: {hands} hands were not played.",
        hands,
    ).format(table=result.table.number, round=result.table.round, hands=hands)
