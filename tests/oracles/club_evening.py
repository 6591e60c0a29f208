"""Read the sheets of the club evening from their file, without the program."""

import csv
from dataclasses import dataclass

from tests.harness import desk


@dataclass(frozen=True)
class Sheet:
    """A table's sheet: round, number of the table, and by seat players, points by contract, and places."""

    round: int
    table: int
    players: list[str]
    points: list[dict[str, int]]
    places: list[int]


def sheets() -> list[Sheet]:
    """Return the sheets by round and table. Equal points go to the winner of the more recent hand."""
    with open(desk.CLUB / "score-sheets.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    tables: dict[tuple[int, int], list[dict[str, str]]] = {}
    for row in sorted(rows, key=lambda row: int(row["seat"])):
        tables.setdefault((int(row["round"]), int(row["table"])), []).append(row)
    return [_sheet(*spot, rows) for spot, rows in sorted(tables.items())]


def _sheet(number: int, table: int, rows: list[dict[str, str]]) -> Sheet:
    points = [{contract: int(row[contract]) for contract in desk.CONTRACTS} for row in rows]
    lost_latest_first = [[hands[contract] > 0 for contract in reversed(desk.CONTRACTS)] for hands in points]
    keys = [(sum(hands.values()), lost) for hands, lost in zip(points, lost_latest_first, strict=True)]
    places = [1 + sum(other < key for other in keys) for key in keys]
    return Sheet(number, table, [row["player"] for row in rows], points, places)
