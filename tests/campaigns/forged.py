"""Forgeries and losses that must be found, and an erased name that must be nowhere: each in ten forms.

A trigger, view or table of another program; an entry changed with its chain, beside a printed code; last entries lost,
beside a mirror. An erased name is looked for in every byte of every file, except in the places announced.
"""

import datetime
import random
import shutil
import sqlite3
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result, share_of
from tests.harness import desk
from tests.harness.commands import run_here
from tests.harness.disk.forgery import FORGED, evening_with_codes, forge_points
from tests.harness.disk.promises import journal
from tests.harness.disk.watched import fast_folder
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.change import apply
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.ratings import ratings
from tourney.service.ratings.editions import PublishEdition
from tourney.service.ratings.pools import ImportResults

TIMES = 10
FOREIGN = (
    "CREATE TRIGGER x AFTER INSERT ON hand_score BEGIN UPDATE hand_score SET points = 1; END",
    "CREATE TRIGGER x AFTER INSERT ON act BEGIN DELETE FROM score; END",
    "CREATE TRIGGER x BEFORE UPDATE ON score BEGIN SELECT raise(IGNORE); END",
    "CREATE TRIGGER x INSTEAD OF DELETE ON y BEGIN SELECT 1; END",
    "CREATE TRIGGER x AFTER DELETE ON person BEGIN INSERT INTO person SELECT * FROM person; END",
    "CREATE VIEW x AS SELECT * FROM score",
    "CREATE VIEW x AS SELECT 1 AS one",
    "CREATE TABLE x (text VARCHAR)",
    "CREATE VIRTUAL TABLE x USING fts5(text)",
    "CREATE TABLE x AS SELECT * FROM person",
)
COMMANDS = ("standings", "status", "player list", "log", "ratings", "player add Zoe", "undo", "db backup")
NAMES = (
    *("Xochiquetzal", "Ñanduçú Öst", "Quetzalcóatl", "Wilhelmine Q.", "Ixtab"),
    *("Zyprian Yps", "Æthelwulf", "Þorgerður", "O'Xolotl", "Vaszilisza"),
)


def run(part: float, seed: int) -> Sequence[Result]:
    """Try each kind of forgery, and erase each name."""
    times, results = share_of(TIMES, part), list[Result]()
    for name, look in KINDS.items():
        with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
            faults = []
            for turn in range(times):
                place = Path(folder) / str(turn)
                place.mkdir()
                faults += [f"{name}, {turn}: {fault}" for fault in look(place, turn, random.Random(f"{seed} {turn}"))]
        results.append(Result(times, f"{name}: {len(faults)} faults", tuple(faults)))
    return results


def _code(words: str, db: str) -> tuple[int, str]:
    ran = run_here(*words.split(), "--db", db)
    return ran.code, ran.out + ran.err


def _foreign(place: Path, turn: int, _rng: random.Random) -> Iterator[str]:
    """Add something foreign: every command but the check refuses the file, the check names what it is."""
    db = desk.everything(place / "club.db")
    before = [] if "ON y" not in FOREIGN[turn] else ["CREATE VIEW y AS SELECT 1 AS one"]
    desk.tamper(db, *before, FOREIGN[turn])
    for words in COMMANDS:
        code, shown = _code(words, db)
        if code != ExitCode.STORAGE or "does not belong to tourney" not in shown:
            yield f"{words}: exit code {code}"
    if not any(" x does not belong" in problem for problem in database.check(db).problems):
        yield "the check does not name it"


def _forged(place: Path, _turn: int, rng: random.Random) -> Iterator[str]:
    """Forge points and all that follows: the printed codes are found until the entry, and from it on none."""
    db = str(place / "club.db")
    codes = evening_with_codes(db)
    forged = forge_points(db, rng)
    for (event, code), change in codes.items():
        found = _code(f"db check --head {code}", db)[0]
        gone = change >= forged and event in ("", FORGED)
        if found != (ExitCode.NOT_FOUND if gone else ExitCode.DONE):
            yield f"the code after change {change}: exit code {found}"


def _lost(place: Path, _turn: int, rng: random.Random) -> Iterator[str]:
    """Lose the last entries: every command refuses the database, and the mirror brings them back."""
    db = desk.everything(place / "club.db")
    (place / "stick").mkdir()
    database.add_mirror(db, str(place / "stick"))
    states = [shutil.copy(db, place / "copy 0")]
    for number in range(1, 6):
        apply(db, RegisterPlayers([f"New {number}"]))
        states.append(shutil.copy(db, place / f"copy {number}"))
    newest = journal(Path(db))
    shutil.copy(rng.choice(states[:-1]), db)
    for words in COMMANDS:
        code, shown = _code(words, db)
        if code != ExitCode.STORAGE or "mirror" not in shown:
            yield f"{words}: exit code {code}"
    if _code("db restore --mirror", db)[0] or journal(Path(db)) != newest:
        yield "the mirror does not bring them back"


def _erased(place: Path, turn: int, _rng: random.Random) -> Iterator[str]:
    """Erase a name that is in every kind of file, while another program reads; look for it everywhere."""
    db, name = str(place / "club.db"), NAMES[turn]
    desk.everything(Path(db))
    for stick in ("stick", "away"):
        (place / stick).mkdir()
        database.add_mirror(db, str(place / stick))
    apply(db, RenamePlayer("Ana", name))
    if turn % 2:
        apply(db, RegisterPlayers([f"{name} twin"]))
        apply(db, MergePlayers(name, f"{name} twin"))
    database.backup(db)
    database.round_finished(db)
    if turn % 3 == 0:
        (place / "lists.csv").write_text(f"seq,player,rank\n1,{name},1\n1,Iker,2\n", encoding="utf-8")
        apply(db, ImportResults(place / "lists.csv", "lists"))
        (place / "lists.csv").unlink()
    apply(db, PublishEdition("people", f"{datetime.datetime.now(datetime.UTC).date()}"))
    ratings.ratings(db)
    if not _naming(place, name) >= {"club.db", "stick/club.db-mirror-names.txt"}:
        yield "the name was not there before"
    with closing(sqlite3.connect(db)) as reader:
        reader.execute("SELECT count(*) FROM act").fetchall()
        erased = apply(db, ErasePlayer(name))
    announced = {str(Path(path).relative_to(place)) for path in erased.backups}
    if erased.pools:
        announced |= {file for file in _naming(place, name) if "names" not in file}
    if (turn % 3 == 0) != bool(erased.pools):
        yield f"pools named: {erased.pools}"
    yield from (f"the name is in {file}" for file in sorted(_naming(place, name) - announced))


def _naming(folder: Path, name: str) -> set[str]:
    """Return the files below the folder that have the name: as it is, without accents, escaped or in capitals."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    spelled = {name.encode(), plain.encode(), name.encode("utf-16-le"), name.encode("unicode_escape")}
    spelled |= {name.casefold().encode(), name.lower().encode(), name.upper().encode()}
    wanted = {*spelled, *(each.lower() for each in spelled)}
    found = set()
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            if any(each in text for text in (content, content.lower()) for each in wanted):
                found.add(str(path.relative_to(folder)))
    return found


KINDS: dict[str, Callable[[Path, int, random.Random], Iterator[str]]] = {
    "a foreign trigger, view or table": _foreign,
    "a forged chain beside printed codes": _forged,
    "lost last entries beside a mirror": _lost,
    "an erased name, by a search of every byte": _erased,
}

CAMPAIGN = Campaign("forged", run)
