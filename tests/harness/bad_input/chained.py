"""Files of events and leagues with one value changed and a chain of hashes that holds, as a forger would write them."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.harness import desk
from tests.harness.bad_input.judged import Judged, judged
from tests.harness.bad_input.mutations import mutated
from tests.harness.round_trip import names_of, shown
from tourney.service import database
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.event_file import exported
from tourney.service.events.import_event import ImportEvent
from tourney.service.leagues import leagues
from tourney.service.leagues.exchange import ImportLeague, export_league

JUNK: Final = (None, True, -1, 0, 2, 10**30, "", "x", "#1", [], [1], [[1]], [None], {}, {"a": 1}, {"1": [1]}, "\u202e")
"""Values in place of others."""


def chained(values: Sequence[Any]) -> str:
    """Return the text of a file with these values, hashed as the guide says; its end counts and heads them anew."""
    texts: list[str] = []
    before, head = "", ""
    for value in values:
        if "entries" in value:
            value = value | {"head": head}
        elif set(value) == {"blocks", "head"}:
            value = value | {"head": before}
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
        head = before if "kind" in value else head
        texts.append(f"{before} {text}\n")
    return "".join(texts)


def values_of(lines: Sequence[str]) -> list[Any]:
    """Return the values of a file's lines."""
    return [json.loads(line.partition(" ")[2]) for line in lines]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the keys that lead to each value inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places_in(each, (*path, key))


def with_junk(rng: Random, values: list[Any]) -> str:
    """Return a file in which one value is another one or missing, chained anew."""
    values = deepcopy(values)
    line = rng.choice(values[1:-1])
    *path, last = rng.choice(list(places_in(line)))
    inside = line
    for key in path:
        inside = inside[key]
    if rng.random() < 0.15:
        del inside[last]
    elif isinstance(inside[last], str) and rng.random() < 0.5:
        inside[last] = mutated(rng, inside[last]).encode("utf-8", "replace").decode()
    else:
        inside[last] = rng.choice(JUNK)
    return chained(values)


def tried(folder: Path, number: int, seed: int) -> Iterator[Judged]:
    """Import so many such files in turn, of events and of leagues; use and check what an accepted one has brought."""
    full = desk.everything(folder / "full.db")
    events = [values_of(exported(full, name).text.splitlines()) for name in names_of(full)]
    league: list[str] = []
    export_league(full, 1, league.append)
    file = folder / "given"
    for turn in range(number):
        rng = Random(f"{seed} chained {turn}")
        is_event = turn % 3 > 0
        values = rng.choice(events) if is_event else values_of(league)
        file.write_text(with_junk(rng, values), encoding="utf-8")
        db, take = folder / f"{turn}.db", import_event if is_event else import_league
        yield judged(f"chained files {seed} {turn}", lambda take=take, db=db: take(str(db), file))
        for left in folder.glob(f"{turn}.db*"):
            left.unlink()


def import_event(db: str, file: Path) -> None:
    """Import an event's file, show the event, check the database, and take the import back."""
    apply(db, ImportEvent(file))
    shown(db, *names_of(db))
    apply(db, Undo())
    _refuse_unsound(db)


def import_league(db: str, file: Path) -> None:
    """Import a league's file, show its table, and check the database."""
    apply(db, ImportLeague((file,)))
    leagues.status(db)
    _refuse_unsound(db)


def _refuse_unsound(db: str) -> None:
    problems = database.check(db).problems
    assert problems == (), problems
