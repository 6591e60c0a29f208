"""Golden seatings: plans and evenings that this version of the seating draws, made through the command line alone.

They prove only that nothing has changed; other tests judge whether a seating is good. After an intended change raise
`SEATING_VERSION` and write the file again with `python -m tests.harness.golden_seatings`.
"""

import json
import random
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.harness import desk
from tests.harness.commands import done, run_here
from tourney.domain.results import SheetHand

FILE: Final = Path(__file__).resolve().parents[2] / "fixtures" / "seatings.json"

PLANS: Final = (
    "--players 16 --size 4 --rounds 5 --seed 1",
    "--players 24 --size 4 --rounds 6 --seed 1",
    "--players 40 --size 4 --rounds 10 --seed 2",
    "--players 200 --size 4 --rounds 8 --seed 1",
    "--players 7 --size 4 --rounds 3 --seed 212",
    "--players 10 --size 4 --rounds 4 --seed 1",
    "--players 11 --size 4 --rounds 4 --seed 3",
    "--players 13 --size 4 --rounds 6 --seed 1",
    "--players 14 --size 4 --rounds 5 --seed 1 --short 'sit out'",
    "--players 22 --size 4 --rounds 5 --seed 9",
    "--players 18 --size 6 --rounds 4 --seed 1",
    "--players 26 --size 5 --rounds 4 --seed 1",
    "--players 9 --size 3 --rounds 4 --seed 1",
    "--players 12 --size 4 --rounds 5 --seed 1 --apart 1,2,3",
    "--players 16 --size 4 --rounds 4 --seed 1 --together 1,2 --table 5=2",
)
"""Options of plans: constructions, designs with players dropped, searches, byes, constraints."""

FORMATS: Final = ("rotation", "swiss", "rated swiss", "snake", "random", "informative")
NAMES: Final = tuple(f"P{number:02}" for number in range(1, 17))


def all_seatings() -> dict[str, Any]:
    """Return all plans, by their options, and all evenings, by format, as this version makes them."""
    return {"plans": {words: plan(words) for words in PLANS}, "evenings": {name: evening(name) for name in FORMATS}}


def plan(words: str) -> Any:
    """Return the rounds of the plan with these options, one of `PLANS`."""
    return _rounds("seating", "plan", *shlex.split(words))


def evening(format: str, rounds: int = 6) -> Any:
    """Return the first rounds of an evening of this format, with players withdrawn, entered late and returned."""
    with tempfile.TemporaryDirectory() as folder:
        return _evening(format, rounds, Path(folder))


def _evening(format: str, rounds: int, folder: Path) -> Any:
    rng = random.Random(format)
    db = ("--db", str(folder / "club.db"))
    _run("player", "add", *NAMES, *db)
    _run("event", "new", "E", "--format", format, "--rounds", "6", "--short", "sit out", "--seed", "golden", *db)
    _run("event", "enter", "E", *NAMES[:13], *db)
    changes: tuple[tuple[str, ...], ...] = (
        (),
        ("event", "withdraw", "E", "P03"),
        ("event", "enter", "E", "P14", "P15", "P16"),
        ("event", "set", "E", "--size", "3"),
        ("event", "return", "E", "P03"),
        ("event", "withdraw", "E", "P01", "P02"),
    )
    for change in changes[:rounds]:
        if change:
            _run(*change, *db)
        _run("round", "draw", "E", *db)
        _play(folder, db, rng)
    return _rounds("round", "show", "E", *db)


def _play(folder: Path, db: tuple[str, str], rng: random.Random) -> None:
    """Give every table of the newest round a sheet drawn at random."""
    drawn = _rounds("round", "show", "E", *db)
    for number, table in enumerate(drawn[-1], 1):
        sheet = folder / "sheet.toml"
        sheet.write_text(desk.sheet_text(_hands(table, rng)), encoding="utf-8")
        place = ("--round", str(len(drawn)), "--table", str(number))
        _run("result", "enter", "E", *place, "--file", str(sheet), *db)


def _hands(table: list[str], rng: random.Random) -> Iterator[SheetHand[str]]:
    for contract in desk.CONTRACTS:
        closer = rng.choice(table)
        yield SheetHand(contract, {name: 0 if name == closer else rng.randrange(2, 7) * 10 for name in table})


def _rounds(*words: str) -> Any:
    return json.loads(_run(*words, "--json"))["rounds"]


def _run(*words: str) -> str:
    return done(run_here(*words)).out


if __name__ == "__main__":
    from tourney.seating.model import SEATING_VERSION

    golden = {"seating_version": SEATING_VERSION, **all_seatings()}
    FILE.write_text(json.dumps(golden, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
