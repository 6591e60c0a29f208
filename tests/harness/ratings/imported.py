"""Pools of games that were imported from a file."""

from collections.abc import Iterable
from pathlib import Path

from tourney.service.change import apply
from tourney.service.ratings.pools import ImportResults


def import_text(folder: Path, text: str, pool: str = "races", file: str = "games.csv", **given: str) -> str:
    """Write the text to a file of the folder and import it into the pool; return the path of the folder's database."""
    (folder / file).write_text(text, encoding="utf-8")
    db = str(folder / "club.db")
    apply(db, ImportResults(folder / file, pool, **given))
    return db


def finishes(*games: str) -> str:
    """Return the text of a file of games; each is its players in the order of finishing, with spaces between them."""
    rows = [
        f"{seq},{name},{place}\n" for seq, names in enumerate(games, 1) for place, name in enumerate(names.split(), 1)
    ]
    return "seq,player,rank\n" + "".join(rows)


def import_days(folder: Path, games: Iterable[tuple[str, str]]) -> str:
    """Import games into the pool `p` of the folder's database, and return its path; a game is its day and players."""
    rows = [
        f"{seq},{day},{name},{place}\n"
        for seq, (day, names) in enumerate(games)
        for place, name in enumerate(names.split(), 1)
    ]
    return import_text(folder, "seq,date,player,rank\n" + "".join(rows), "p")
