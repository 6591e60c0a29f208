"""Clinching: for each player and rival, how many points in the remaining games keep the player ahead."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tourney.domain.events import Event
from tourney.domain.forecasts import Level, Prospect, Rival
from tourney.domain.people import Player
from tourney.domain.results import Outcome, Result, Ruling
from tourney.domain.rounds import Table
from tourney.standings.placing import RankingBasis
from tourney.standings.ranking import standings
from tourney.standings.scoring import BY_MONEY, BY_POINTS, Scoring
from tourney.standings.standing import Standing

Ranked = Callable[[Sequence[Result], Sequence[Ruling]], Sequence[Standing]]
"""The standings of the event from these results and rulings."""


@dataclass(frozen=True, slots=True)
class _Ending:
    """A player's standing after the remaining games, if those cost nobody anything.

    `cost` is that of all `games`, of which `remaining` are still to play; `order` is the rank if everybody is level.
    """

    player: Player
    cost: int
    games: int
    remaining: int
    order: int


def prospects(
    event: Event,
    results: Sequence[Result],
    rulings: Sequence[Ruling],
    tables: Sequence[Table],
    scoring: Scoring,
    uncounted: Collection[tuple[int, int]] = (),
) -> tuple[Prospect, ...]:
    """Return the prospect of each player who will have a rank once these remaining tables are played.

    A player may sit at several of them. The rules of `standings` decide who has a rank, and who leads if two are level.
    The `scoring` is by points or by money; `uncounted` has round and player of seats whose results count for nobody.
    """

    def ranked(counted: Sequence[Result], rulings: Sequence[Ruling]) -> Sequence[Standing]:
        minimum, states = event.settings.minimum, event.states
        return standings(
            event.entrants,
            counted,
            minimum,
            basis=RankingBasis(rulings=rulings, states=states, scoring=scoring, uncounted=uncounted),
        )[0]

    now = {row.player.id: row for row in ranked(results, rulings)}
    endings = _endings((*results, *(_blank(event, table) for table in tables)), rulings, tables, ranked)
    return tuple(_prospect(now.get(ending.player.id), ending, endings, scoring) for ending in endings)


def _blank(event: Event, table: Table) -> Result:
    """Return a result of the table that changes nothing but the number of games."""
    nothing = (0,) * len(table.players)
    return Result(event.settings.name, table, Outcome((), nothing, nothing, (1,) * len(nothing), money=nothing))


def _endings(
    results: Sequence[Result], rulings: Sequence[Ruling], tables: Sequence[Table], ranked: Ranked
) -> list[_Ending]:
    """Return everybody who has a rank once the remaining games are played."""
    remaining = Counter(player.id for table in tables for player in table.players)
    rows = [row for row in ranked(results, rulings) if row.rank is not None]
    levelled = [_levelling(row) for row in rows]
    orders = {row.player.id: row.rank or 0 for row in ranked(results, (*rulings, *levelled))}
    return [_Ending(row.player, _cost(row), row.games, remaining[row.player.id], orders[row.player.id]) for row in rows]


def _levelling(row: Standing) -> Ruling:
    """Return a penalty that cancels a player's cost, so that only the hands won decide."""
    return Ruling(0, "", "penalty", "", player=row.player, points=-_cost(row))


def _cost(row: Standing) -> int:
    """Return points, or money lost: penalties count as points, or are taken off the money."""
    return row.points if row.money is None else -row.money


def _prospect(now: Standing | None, ending: _Ending, endings: Sequence[_Ending], scoring: Scoring) -> Prospect:
    rivals = (_rival(ending, other, scoring) for other in endings if other is not ending)
    hardest = tuple(sorted(rivals, key=lambda rival: rival.room))
    if now is None:  # left before their first game, but still seated
        return Prospect(ending.player, None, 0, ending.remaining, hardest)
    return Prospect(ending.player, now.rank, now.points if now.money is None else now.money, ending.remaining, hardest)


def _rival(ending: _Ending, other: _Ending, scoring: Scoring) -> Rival:
    """Return what it takes to beat the other player: a lower cost per game, or where money ranks, a lower cost."""
    per_game = scoring.totals(scoring.scale, {ending.games, other.games})
    share = Fraction(ending.games, other.games) if per_game else Fraction(1)
    room = share * other.cost - ending.cost
    return Rival(other.player, share if other.remaining else Fraction(0), room, _level(ending, other, scoring))


def _level(ending: _Ending, other: _Ending, scoring: Scoring) -> Level:
    if scoring.tie_breaks == BY_MONEY.tie_breaks:
        return "mean place"
    if scoring.tie_breaks != BY_POINTS.tie_breaks:
        return "tie-breaks"
    return "shared" if ending.order == other.order else "ahead" if ending.order < other.order else "behind"
