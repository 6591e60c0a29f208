"""Tests of `rating calibration`: favourites counted by hand, and seasons in which the ratings are right by design."""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.harness.commands import Runner
from tests.harness.ratings.imported import import_text
from tests.harness.ratings.seasons import POOL, Setting, season
from tourney.domain.errors import ExitCode


def imported(folder: Path, games: Iterable[tuple[Sequence[str], Sequence[int]]]) -> str:
    """Import the games into the pool `p` and return the path of the database."""
    rows = [
        f"{seq},{name},{place}\n"
        for seq, (names, places) in enumerate(games)
        for name, place in zip(names, places, strict=True)
    ]
    return import_text(folder, "seq,player,rank\n" + "".join(rows), "p")


def test_only_pairs_who_had_both_played_count_and_a_tie_counts_half(run: Runner, tmp_path: Path) -> None:
    """The first game has only newcomers; Ana, the winner, is the favourite of the next three: won, lost, tied."""
    games = [(["Ana", "Leo"], [1, 2]), (["Ana", "Leo"], [1, 2]), (["Leo", "Ana"], [1, 2]), (["Ana", "Leo"], [1, 1])]
    db = imported(tmp_path, games)
    bins = run("rating", "calibration", "--pool", "p", "--db", db, "--json").json
    assert sum(each["pairs"] for each in bins) == 3
    assert sum(each["pairs"] * each["happened"] for each in bins) == 1.5


def test_forecasts_are_calibrated_where_the_skills_are_those_that_the_pool_assumes(run: Runner, tmp_path: Path) -> None:
    """Skills from the prior, tables at random: what is predicted happens, within three standard errors."""
    chance = random.Random(6)
    skills, played = season(Setting(POOL.sigma, 40, False), chance, rounds=40)
    assert len(skills) == 40
    db = imported(tmp_path, played)
    for each in run("rating", "calibration", "--pool", "p", "--db", db, "--json").json:
        assert each["low"] <= each["predicted"] <= each["high"]
        # Pairs of one table are not independent, which widens the error.
        assert abs(each["happened"] - each["predicted"]) <= 4 * each["error"] + 0.02


def test_a_pool_without_such_pairs_is_refused(run: Runner, tmp_path: Path) -> None:
    db = imported(tmp_path, [(["Ana", "Leo"], [1, 2])])
    refused = run("rating", "calibration", "--pool", "p", "--db", db)
    assert (refused.code, "come back after more games" in refused.err) == (ExitCode.REFUSED, True)
