"""Flipped bits, cuts and deletions in every file of a club: no command with exit code 0 shows what is wrong or older.

The files are the database, its log, the journal and the names of its mirror, the list of mirrors, and backups. Commands
run in this process, each on a copy of its own.
"""

import random
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result, exit_codes, share_of
from tests.harness import victims
from tests.harness.commands import run_here
from tests.harness.crowd import crowd
from tests.harness.disk.promises import journal
from tests.harness.disk.watched import fast_folder
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.change import apply
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.mirror.remembered import Mirror, note_of, remember

CASES = 1000
READERS = ("standings", "ratings", "result show", "round show", "player list", "log --last 5", "standings --round 3")
Damage = Callable[[random.Random, bytes], bytes | None]
"""A function from a file's content to the damaged content; None where the file is deleted."""


def flipped(rng: random.Random, content: bytes) -> bytes:
    """Flip a bit, or three in one sector."""
    damaged, at = bytearray(content), rng.randrange(len(content))
    for _turn in range(rng.choice((1, 1, 3))):
        place = min(len(content) - 1, at + rng.randrange(512)) if _turn else at
        damaged[place] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def cut(rng: random.Random, content: bytes) -> bytes:
    """Cut the end off, at any byte or at the end of a sector."""
    size = rng.randrange(len(content))
    return content[: size // 512 * 512 if rng.random() < 0.3 else size]


def emptied(rng: random.Random, content: bytes) -> bytes:
    """Fill a sector with zeros."""
    at = rng.randrange(len(content)) // 512 * 512
    return content[:at] + bytes(len(content[at : at + 512])) + content[at + 512 :]


def deleted(_rng: random.Random, _content: bytes) -> None:
    """Delete the file."""


FILES: dict[str, tuple[str, Sequence[Damage], int]] = {
    "database": ("club.db", (flipped, flipped, flipped, cut, emptied), 40),
    "log": ("club.db-wal", (flipped, flipped, cut, emptied, deleted), 25),
    "mirror": ("stick/club.db-mirror.txt", (flipped, flipped, cut, emptied, deleted), 12),
    "names of the mirror": ("stick/club.db-mirror-names.txt", (flipped, cut, emptied, deleted), 6),
    "list of mirrors": ("", (flipped, cut, emptied), 5),
    "copy": ("copy.db", (flipped, flipped, cut, emptied), 6),
    "backup after rounds": ("tourney-backups/club.db-backup.txt", (flipped, flipped, cut, emptied, deleted), 6),
}
"""For each kind of file its path, the damages that it may have, and its share of a hundred cases.

The list of mirrors has no path here: it is in the user's data folder.
"""


def prepare(folder: Path) -> None:
    """Make a club of 24 with a mirror and a backup; the last six results of round 4 are in the database's log alone."""
    live, stick = folder.with_name("live"), folder / "stick"
    stick.mkdir(parents=True)
    live.mkdir()
    db = str(live / "club.db")
    crowd(db, people=24, rounds=5, name="Friday", played=3)
    apply(db, DrawRound())
    database.add_mirror(db, str(stick))
    with closing(sqlite3.connect(db)) as still_open:
        still_open.execute("SELECT * FROM act").fetchone()
        assert len(list(victims.enter_rest(db))) == 6
        for end in ("", "-wal"):
            shutil.copy(f"{db}{end}", folder / f"club.db{end}")
    shutil.copytree(live / "tourney-backups", folder / "tourney-backups")
    shutil.copy(database.backup(db).path, folder / "copy.db")


def run(part: float, seed: int) -> Sequence[Result]:
    """Damage each kind of file in many ways, and read."""
    rng, found = random.Random(seed), list[Result]()
    with tempfile.TemporaryDirectory(dir=fast_folder()) as place:
        club = _Club(Path(place))
        for name, (_file, _damages, share) in FILES.items():
            number, codes, faults = share_of(CASES * share / 100, part), Counter[int](), list[str]()
            for turn in range(number):
                case = random.Random(rng.random())
                faults += [f"{name}, case {turn}: {fault}" for fault in club.damaged(name, case, codes)]
            answers = exit_codes(codes)
            found.append(Result(number, f"damaged {name}: {answers}; {len(faults)} wrong or older", tuple(faults)))
    return found


class _Club:
    """The files of a club, what commands show of them when they are sound, and one folder for damaged copies."""

    def __init__(self, place: Path) -> None:
        self._sound, self._folder = place / "sound", place / "club"
        prepare(self._folder)
        shutil.move(self._folder, self._sound)
        self._restore()
        self._answers = {words: _answer(words, self._db) for words in READERS}
        assert all(code == 0 for code, _shown in self._answers.values())
        self._entries = journal(self._folder / "club.db")

    @property
    def _db(self) -> str:
        return str(self._folder / "club.db")

    def _restore(self) -> None:
        """Put back the sound files, and the list of mirrors."""
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(self._sound, self._folder)
        remember(Path(self._db), [Mirror(str(self._folder / FILES["mirror"][0]))])

    def damaged(self, name: str, rng: random.Random, codes: Counter[int]) -> Iterator[str]:
        """Damage a file; yield a line for each command that shows what is wrong."""
        self._restore()
        if name == "database":
            with closing(sqlite3.connect(self._db)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file, damages, _share = FILES[name]
        path, damage = self._folder / file if file else note_of(Path(self._db)), rng.choice(damages)
        before = path.read_bytes()
        after = damage(rng, before)
        path.unlink() if after is None else path.write_bytes(after)
        what = damage.__name__
        if name == "copy":
            yield from self._after(what, ("db", "restore", str(path)), codes)
            return
        for words in ("standings", rng.choice(READERS)):
            code, shown = _answer(words, self._db)
            codes[code] += 1
            if code not in (0, ExitCode.REFUSED, ExitCode.STORAGE, ExitCode.NOT_FOUND):
                yield f"{what}: {words} ends with exit code {code}"
            elif code == 0 and shown != self._answers[words][1]:
                yield f"{what}: {words} is wrong"
        if name in ("database", "log"):
            yield from self._after(what, ("db", "restore", "--mirror"), codes)
        elif name != "list of mirrors":
            restoring = f"--mirror {self._folder / 'stick'}" if "mirror" in name else str(path)
            yield from self._made_of(what, restoring, before, path.read_bytes() if path.exists() else b"")

    def _after(self, what: str, words: Sequence[str], codes: Counter[int]) -> Iterator[str]:
        """Restore; yield what is wrong if that is not refused."""
        code, _shown = _answer(" ".join(words), self._db, "--json")
        codes[code] += 1
        if code == 0:
            found = _answer("standings", self._db)
            if found != self._answers["standings"]:
                yield f"{what}: standings after {' '.join(words[:2])} are {'refused' if found[0] else 'wrong'}"
            yield from (f"{what}: after {' '.join(words[:2])}: {each}" for each in database.check(self._db).problems)
        elif words[-1] == "--mirror" and code != ExitCode.DONE:
            yield f"{what}: the mirror does not bring back what was lost: exit code {code}"

    def _made_of(self, what: str, restoring: str, before: bytes, now: bytes) -> Iterator[str]:
        """Make another database of a damaged text: that is refused, or it has the beginning of the journal.

        Entries may lack only behind the damage.
        """
        new = self._folder / "new.db"
        code, _shown = _answer(f"db restore {restoring}", str(new), "--json")
        if code == 0:
            entries = journal(new)
            whole = len(before[: _common(before, now)].splitlines())
            if entries != self._entries[: len(entries)]:
                yield f"{what}: a database made of it has other entries"
            elif len(entries) < min(len(self._entries), whole - 1):
                yield f"{what}: a database made of it lacks entries before the damage"
            elif len(entries) == len(self._entries) and _answer("standings", str(new)) != self._answers["standings"]:
                yield f"{what}: a database made of it has other standings"


def _common(one: bytes, other: bytes) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _answer(words: str, db: str, *more: str) -> tuple[int, object]:
    """Return the exit code of a command and what it shows."""
    ran = run_here(*words.split(), *(more or ("--json",)), "--db", db)
    assert "Traceback" not in ran.err, ran.err
    return ran.code, ran.json if ran.code == 0 else None


CAMPAIGN = Campaign("damaged", run)
