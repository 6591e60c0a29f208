"""Results of an event for a season: what a player's rank, points or places there are worth.

A new kind of result is one entry of `RESULTS`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import floor
from typing import Final

from tourney.domain.seasons import SeasonSettings
from tourney.standings.placing import Ranked
from tourney.standings.scales import shared_by_place, shown
from tourney.standings.standing import PlayerTally
from tourney.standings.table_points import TablePoints, list_text, read_list, read_table_points
from tourney.text.i18n import _, marked, ngettext


@dataclass(frozen=True, slots=True)
class Placing:
    """A player's place in one event: `rank` of `players` who have one, shared by `sharing`, and the tally."""

    tally: PlayerTally
    rank: int
    sharing: int
    players: int


Value = Callable[[Placing, SeasonSettings], Fraction]
Working = Callable[[Placing, SeasonSettings], str]


@dataclass(frozen=True, slots=True)
class ResultKind:
    """A kind of result: its value, how that comes about in words, and whether many are good.

    `heading` stands over the score of a season; `lists` names the setting that it needs.
    """

    name: str
    heading: str
    most_wins: bool
    value: Value
    working: Working
    usual_totals: str = "sum"
    lists: str = ""


def placings(order: Ranked) -> list[Placing]:
    """Return the place of everybody who has a rank in an event, among them alone.

    A finalist without a rank stands among the ranks of the event, and takes nothing from others here.
    """
    sharing = Counter(placed.rank for placed in order.placed)
    ranks = dict(zip(sorted(sharing), accumulate([1, *(sharing[rank] for rank in sorted(sharing))]), strict=False))
    return [
        Placing(placed.tally, ranks[placed.rank], sharing[placed.rank], len(order.placed)) for placed in order.placed
    ]


def rounded(value: Fraction, rounding: str) -> Fraction:
    """Return the value rounded as the season says, halves up."""
    return ROUNDINGS[rounding](value)


ROUNDINGS: Final[Mapping[str, Callable[[Fraction], Fraction]]] = {
    "exact": lambda value: value,
    "round": lambda value: Fraction(floor(value + Fraction(1, 2))),
    "truncate": lambda value: Fraction(int(value)),
}


# --- points ---------------------------------------------------------------------------------------------


def _points(placing: Placing, _settings: SeasonSettings) -> Fraction:
    return placing.tally.average


def _points_working(placing: Placing, _settings: SeasonSettings) -> str:
    tally = placing.tally
    text = ngettext("{points} points in {games} game", "{points} points in {games} games", tally.games)
    return text.format(points=tally.points, games=tally.games)


# --- table points ---------------------------------------------------------------------------------------


def _of_tables(placing: Placing, settings: SeasonSettings) -> list[Fraction]:
    lists = read_table_points(settings.table_points or "")
    return [_at_table(game.result.outcome.places, game.seat, lists) for game in placing.tally.played]


def _at_table(places: Sequence[int], seat: int, lists: TablePoints) -> Fraction:
    return shared_by_place(places, lists.at(len(places)))[seat]


def _table_points(placing: Placing, settings: SeasonSettings) -> Fraction:
    return sum(_of_tables(placing, settings), Fraction(0))


def _table_points_working(placing: Placing, settings: SeasonSettings) -> str:
    return _("table points {sum}").format(sum=" + ".join(map(shown, _of_tables(placing, settings))))


# --- place points ---------------------------------------------------------------------------------------


def read_places(typed: str) -> str:
    """Return a list of place points in its one form. Raises ValueError with a sentence that says what is wrong."""
    return list_text(read_list(typed))


def _place_points(placing: Placing, settings: SeasonSettings) -> Fraction:
    """Return what the rank gives; tied players share what their ranks give together."""
    if settings.places is None:
        return Fraction(2 * (placing.players - placing.rank) - (placing.sharing - 1), 2)
    gives = read_list(settings.places)
    ranks = gives[placing.rank - 1 : placing.rank - 1 + placing.sharing]
    return Fraction(sum(ranks)) / placing.sharing


def _place_points_working(placing: Placing, settings: SeasonSettings) -> str:
    if placing.sharing == 1:
        return _("rank {rank} of {players}").format(rank=placing.rank, players=placing.players)
    text = _("rank {rank} of {players}, shared by {sharing}")
    return text.format(rank=placing.rank, players=placing.players, sharing=placing.sharing)


# --- the base rank of the European mahjong ranking ------------------------------------------------------


def base_rank(rank: int, players: int) -> Fraction:
    """Return 1000 · (N − r) / (N − 1): 1000 for the first and 0 for the last of N players.

    Source: European Mahjong Association, "Basics of the ranking".
    """
    return Fraction(1000 * (players - rank), players - 1) if players > 1 else Fraction(1000)


def _base_rank(placing: Placing, _settings: SeasonSettings) -> Fraction:
    return base_rank(placing.rank, placing.players)


def _base_rank_working(placing: Placing, _settings: SeasonSettings) -> str:
    if placing.players < 2:
        return _place_points_working(placing, _settings)
    text = _("rank {rank} of {players}, 1000 × ({players} − {rank}) / ({players} − 1)")
    return text.format(rank=placing.rank, players=placing.players)


RESULTS: Final[Mapping[str, ResultKind]] = {
    kind.name: kind
    for kind in (
        ResultKind("points", marked("Points per game"), False, _points, _points_working, "mean"),
        ResultKind(
            "table points", marked("Table points"), True, _table_points, _table_points_working, lists="table_points"
        ),
        ResultKind("place points", marked("Place points"), True, _place_points, _place_points_working),
        ResultKind("base rank", marked("Score"), True, _base_rank, _base_rank_working),
    )
}
