"""Random results to rate, made from a seed, the same on every machine."""

import csv
import random
from collections.abc import Iterator
from pathlib import Path

RatedGame = tuple[tuple[str, ...], tuple[int, ...]]
"""A game: the players in order of name, and the place of each (1 best, equal = tie)."""

BETA = 25 / 6
"""Standard deviation of a player's performance from game to game."""


def history(seed: int, games: int, size: int, people: int = 1_000) -> Iterator[RatedGame]:
    """Yield so many games at tables of that size, among that many people of various skill.

    Performances are whole numbers, so that some are equal: at a table of four, one game in four has a tie.
    """
    rng = random.Random(seed)
    skills = {f"player {number:04}": rng.gauss(25, 25 / 3) for number in range(people)}
    names = list(skills)
    for _ in range(games):
        table = sorted(rng.sample(names, size))
        plays = [round(rng.gauss(skills[name], BETA)) for name in table]
        yield tuple(table), tuple(1 + sum(other > play for other in plays) for play in plays)


def write_results(path: Path, seed: int, games: int) -> None:
    """Write a results file of games at tables of four, in order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(("seq", "player", "rank"))
        for seq, (names, places) in enumerate(history(seed, games, 4), 1):
            lines.writerows((seq, name, place) for name, place in zip(names, places, strict=True))
