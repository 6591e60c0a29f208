"""The names of people, kept outside the journal: every version of a name, each with its checksum."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, update

from tourney.storage.journal.canonical import found_as, person_checksum
from tourney.storage.tables import table
from tourney.text.names import fold


class NewPerson(NamedTuple):
    """A person's name, label and club, cleaned."""

    name: str
    label: str
    club: str


def write(connection: Connection, texts: Iterable[tuple[int, int, NewPerson]]) -> None:
    """Keep versions of names, given as player, version number and name; a version counts once an entry says so."""
    rows = [
        {
            "player": player,
            "version": version,
            **person._asdict(),
            "folded": None,
            "checksum": person_checksum(player, version, *person),
        }
        for player, version, person in texts
    ]
    connection.execute(insert(table("person")), rows)


def next_version(connection: Connection, player: int) -> int:
    """Return the number of the player's next version; numbers of undone renamings are not used again."""
    persons = table("person").c
    most = connection.execute(select(func.max(persons.version)).where(persons.player == player)).scalar_one()
    return 1 if most is None else int(most) + 1


def with_merged(connection: Connection, player: int) -> tuple[int, ...]:
    """Return the numbers of the player and of everybody merged into that player, directly or not."""
    players = table("player").c
    numbers = [player]
    for number in numbers:
        numbers += connection.execute(select(players.id).where(players.merged == number).order_by(players.id)).scalars()
    return tuple(numbers)


def former(connection: Connection, player: int) -> frozenset[str]:
    """Return every name that the player, or anybody merged into that player, has had."""
    persons = table("person").c
    query = select(persons.name).where(persons.player.in_(with_merged(connection, player)))
    return frozenset(connection.execute(query).scalars()) - {""}


def having(names: Collection[str]) -> Callable[[object], bool]:
    """Return a function that says whether a value of JSON has one of these names as words, accents and case aside."""
    words = "|".join(re.escape(fold(name)) for name in names)
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
    return lambda value: any(pattern.search(fold(text)) for text in _texts(value))


def _texts(value: object) -> Iterator[str]:
    """Yield every text of a value of JSON, the names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts([*value, *value.values()])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def erase(connection: Connection, player: int) -> None:
    """Erase the text of every version of the player's name."""
    persons = table("person")
    versions = connection.execute(select(persons.c.version).where(persons.c.player == player)).scalars().all()
    for version in versions:
        checksum = person_checksum(player, version, "", "", "")
        where = (persons.c.player == player, persons.c.version == version)
        texts = {"name": "", "label": "", "club": "", "folded": None, "checksum": checksum}
        connection.execute(update(persons).where(*where).values(**texts))


def refresh(connection: Connection) -> None:
    """Give exactly the current names their form for look-ups: no earlier version, nobody erased or merged."""
    persons, players = table("person"), table("player")
    living = (players.c.id == persons.c.player) & (players.c.version == persons.c.version)
    living &= (players.c.erased == 0) & players.c.merged.is_(None)
    counts = select(players.c.id).where(living).correlate(persons).exists()
    connection.execute(update(persons).where(persons.c.folded.is_not(None), ~counts).values(folded=None))
    new = connection.execute(select(persons).where(persons.c.folded.is_(None), counts)).all()
    names = [{"of": row.player, "nth": row.version, "found": found_as(row.name, row.label)} for row in new]
    if names:
        where = (persons.c.player == bindparam("of"), persons.c.version == bindparam("nth"))
        connection.execute(update(persons).where(*where).values(folded=bindparam("found")), names)
