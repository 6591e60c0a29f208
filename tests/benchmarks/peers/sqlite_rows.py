"""Write rows to SQLite without the program, with its settings: write-ahead log, full synchronisation."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path

from sqlalchemy import create_engine, insert
from sqlmodel import Field, Session, SQLModel

from tests.benchmarks.harness.histories import RatedGame

SETTINGS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")
BLOCK = 5_000
"""Rows given to SQLAlchemy at once."""

Place = tuple[int, str, int]
"""Game, player, place."""


class Line(SQLModel, table=True):
    """A player's place in a game, as an import stores it."""

    __tablename__ = "line"
    game: int = Field(primary_key=True)
    name: str = Field(primary_key=True)
    place: int


LINES = SQLModel.metadata.tables["line"]


def lines(games: Iterable[RatedGame]) -> list[Place]:
    """Return a row for each player of the games, numbered from 1."""
    return [
        (number, name, place)
        for number, (names, places) in enumerate(games, 1)
        for name, place in zip(names, places, strict=True)
    ]


def new_database(path: Path) -> sqlite3.Connection:
    """Return a connection to a new database with an empty table `line`."""
    connection = sqlite3.connect(path)
    for setting in SETTINGS:
        connection.execute(setting)
    connection.execute("CREATE TABLE line (game INTEGER, name TEXT, place INTEGER, PRIMARY KEY (game, name))")
    return connection


def by_sqlite(path: Path, rows: list[Place]) -> None:
    """Insert with Python's sqlite3, `executemany`."""
    with closing(new_database(path)) as connection, connection:
        connection.executemany("INSERT INTO line VALUES (?, ?, ?)", rows)


def by_core(path: Path, rows: list[Place]) -> None:
    """Insert with SQLAlchemy Core."""
    new_database(path).close()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        for start in range(0, len(rows), BLOCK):
            block = rows[start : start + BLOCK]
            connection.execute(insert(LINES), [{"game": game, "name": name, "place": at} for game, name, at in block])
    engine.dispose()


def by_sqlmodel(path: Path, rows: list[Place]) -> None:
    """Insert with an SQLModel session, `add_all`."""
    new_database(path).close()
    engine = create_engine(f"sqlite:///{path}")
    with Session(engine) as session:
        for start in range(0, len(rows), BLOCK):
            session.add_all(Line(game=game, name=name, place=at) for game, name, at in rows[start : start + BLOCK])
            session.flush()
        session.commit()
    engine.dispose()


METHODS: Mapping[str, Callable[[Path, list[Place]], None]] = {
    "sqlite3 alone": by_sqlite,
    "SQLAlchemy Core": by_core,
    "SQLModel": by_sqlmodel,
}
