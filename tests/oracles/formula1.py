"""The races of Formula 1, read from their file without the program."""

import csv
from datetime import date
from itertools import groupby
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "fixtures" / "formula1.csv"


def races() -> list[tuple[list[str], list[int]]]:
    """Return the drivers and the places of each race, in order."""
    return [([row["driver"] for row in race], [int(row["rank"]) for row in race]) for race in _rows()]


def days() -> list[int]:
    """Return the number of each race's day."""
    return [date.fromisoformat(race[0]["date"]).toordinal() for race in _rows()]


def _rows() -> list[list[dict[str, str]]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return [list(race) for _seq, race in groupby(csv.DictReader(file), key=lambda row: row["seq"])]
