"""The season of `season` played once: what was on the disk before each command, and all that the command did there."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.harness.disk import season
from tests.harness.disk.operations import Operation, operations
from tests.harness.disk.promises import Entry, journal
from tests.harness.disk.watched import Programs, Watch
from tourney.storage.journal.kinds import KINDS
from tourney.storage.journal.undo import REVERSALS


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the season: its words, a copy of the folder before it, its operations, the journal around it."""

    words: Sequence[str]
    folder: Path
    operations: Sequence[Operation]
    before: Sequence[Entry]
    after: Sequence[Entry]


class Season:
    """The steps of a season in one folder, which is put back to what it was before any of them."""

    def __init__(self, place: Path, folder: Path | None = None) -> None:
        self.place, self.folder = place, folder or place / "club"
        self.steps: list[Step] = []

    def play(self, programs: Programs) -> None:
        """Run all commands, none of which is refused."""
        season.prepare(self.folder)
        for number, line in enumerate(season.lines()):
            copy, log = self.place / "before" / str(number), self.place / "log"
            words = season.words(line, self.folder)
            shutil.copytree(self.folder, copy)
            log.unlink(missing_ok=True)
            before = journal(self.folder / "club.db")
            done = programs.run(words, Watch(self.folder, log), self.folder)
            assert done.code == 0, (line, done)
            after = journal(self.folder / "club.db")
            self.steps.append(Step(words, copy, tuple(operations(log)), before, after))

    def turns(self, number: int) -> Iterator[tuple[int, Step]]:
        """Yield so many steps, each in its turn, with a number from 0; the folder is then what it was before it."""
        for turn in range(number):
            step = self.steps[turn % len(self.steps)]
            self.put_back(step)
            yield turn, step

    def put_back(self, step: Step) -> None:
        """Make the folder what it was before a step."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(step.folder, self.folder)

    @property
    def lacking(self) -> set[str]:
        """The kinds of entries that no command of the season made."""
        return {*KINDS, *REVERSALS} - {entry.kind for step in self.steps for entry in step.after}
