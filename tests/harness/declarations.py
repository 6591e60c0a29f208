"""The digests of what all versions of tourney have declared: `python -m tests.harness.declarations` writes them.

The schemas of older versions are what their migrations made. A new version puts its own there too.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.harness.recorded import FIXTURES
from tourney.storage import declarations

SCHEMAS: Final = FIXTURES / "databases" / "schemas"
OF_SQLITE: Final = {
    "sqlite_stat1": "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "sqlite_stat4": "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
"""The tables that `ANALYZE` makes, by the page “Database File Format” of sqlite.org."""


def declared() -> Iterator[tuple[str, str]]:
    """Yield the name and the statement of every declaration."""
    for schema in sorted(SCHEMAS.glob("*.sql")):
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(schema.read_text(encoding="utf-8"))
            yield from connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    yield from OF_SQLITE.items()


def written() -> str:
    """Return the digests of all declarations, three in a line."""
    digests = sorted({declarations.digest(name, statement) for name, statement in declared()})
    lines = [" ".join(digests[start : start + 3]) for start in range(0, len(digests), 3)]
    return "\n".join(["", *lines, ""])


if __name__ == "__main__":
    file = Path(declarations.__file__)
    text = file.read_text(encoding="utf-8").replace(declarations.DECLARED, written())
    file.write_text(text, encoding="utf-8")
