"""A pool of games that were imported from a file."""

from collections.abc import Iterable
from pathlib import Path

from tests.harness.commands import Runner


def imported(run: Runner, folder: Path, games: Iterable[tuple[str, str]]) -> str:
    """Import games into the pool `p` of a new database in the folder; return the database's path.

    A game is its day, and its players in the order of finishing, with spaces between them.
    """
    file, path = folder / "games.csv", str(folder / "p.db")
    rows = [
        f"{seq},{day},{name},{place}\n"
        for seq, (day, names) in enumerate(games)
        for place, name in enumerate(names.split(), 1)
    ]
    file.write_text("seq,date,player,rank\n" + "".join(rows), encoding="utf-8")
    run("rating", "import", str(file), "--pool", "p", "--db", path)
    return path
