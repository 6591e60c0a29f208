"""Make random results to rate from a seed, the same on every machine."""

import csv
import random
from collections.abc import Iterator
from pathlib import Path

RatedGame = tuple[tuple[str, ...], tuple[int, ...]]
"""A game: the players in order of name, and the place of each (1 best, equal = tie)."""

BETA = 25 / 6
"""Standard deviation of a player's performance from game to game."""


def history(seed: int, games: int, size: int, people: int = 1_000) -> Iterator[RatedGame]:
    """Yield `games` games at tables of `size`, of `people` players with random skills.

    Performances are rounded to whole numbers, so that there are ties: in one game in four at a table of four.
    """
    rng = random.Random(seed)
    skills = {f"player {number:04}": rng.gauss(25, 25 / 3) for number in range(people)}
    names = list(skills)
    for _ in range(games):
        table = sorted(rng.sample(names, size))
        performances = [round(rng.gauss(skills[name], BETA)) for name in table]
        places = tuple(1 + sum(other > performance for other in performances) for performance in performances)
        yield tuple(table), places


def write_results(path: Path, seed: int, games: int, size: int = 4) -> None:
    """Write a results file (CSV) of `games` games at tables of `size`, in order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("seq", "player", "rank"))
        for seq, (names, places) in enumerate(history(seed, games, size), 1):
            rows.writerows((seq, name, place) for name, place in zip(names, places, strict=True))
