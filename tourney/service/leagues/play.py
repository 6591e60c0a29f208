"""A league being played: workers play its blocks, and this process alone keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, replace
from itertools import filterfalse, islice
from time import monotonic
from typing import TYPE_CHECKING, Literal

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import PATIENCE, Crew, LeagueFault, LeagueProgress, LeagueTable
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument
from tourney.text.signals import finishing, heard, ignore

if TYPE_CHECKING:
    from tourney.league.playing import PlayedBlock
    from tourney.league.tally import Tally

Progress = Callable[[LeagueProgress], None]
"""Told now and then where the league is."""

COMMIT_SECONDS = 1.0
"""Blocks are kept together, so long after the ones before, while they are quick."""
SLOW_SECONDS = 0.1
"""Where blocks come more slowly than this, each is kept as soon as it is done."""
TOLD_SECONDS = 0.2
"""How often the progress is told."""
SHOWN_FAULTS = 20
"""Faults told of a league, the first ones; all are counted."""
AT_ONCE = 100
"""Blocks of before that are read together for a league that was joined."""


def play(db: str | None, number: int, crew: Crew, progress: Progress | None) -> LeagueTable:
    """Play the blocks that a league lacks, and keep them; how it stands then.

    The first interrupt lets the blocks in play end, the second breaks them off; what is done is kept either way. Raises
    TourneyError INTERRUPTED then, REFUSED if a worker dies, STORAGE or CONFLICT if the blocks cannot be kept, each with
    the command that goes on.
    """
    with going_on(db, number, crew), heard():
        course = _Course(db, number, progress)
    _play_on(course, crew, _resuming(db, number, crew))
    with going_on(db, number, crew), heard():
        return course.table()


@contextmanager
def going_on(db: str | None, number: int | None, crew: Crew) -> Iterator[None]:
    """Within the block, where nothing is played, an interrupt is told with the command that goes on."""
    try:
        yield
    except KeyboardInterrupt:
        ignore()
        message = _("interrupted: all that was played is kept")
        raise TourneyError(ExitCode.INTERRUPTED, message, _go_on(_resuming(db, number, crew))) from None


def _play_on(course: _Course, crew: Crew, command: str) -> None:
    from tourney.league.workers import WorkerDied

    try:
        with finishing(course.tell_ending) as asked, heard():
            course.play(crew, asked)
    except KeyboardInterrupt:
        ignore()
        raise course.stopped(_("interrupted"), ExitCode.INTERRUPTED, command) from None
    except WorkerDied as error:
        raise course.stopped(_("a worker has died"), ExitCode.REFUSED, command) from error
    except TourneyError as error:
        # Only what the database itself says may be mended, as a full disk; else going on would not help.
        if error.__cause__ is None:
            raise
        raise TourneyError(error.code, error.message, f"{error.hint}; {_go_on(command)}") from error
    if course.tally.verdict == "open":
        raise course.stopped(_("interrupted"), ExitCode.INTERRUPTED, command)


class _Course:
    """What is done of a league, what waits to be kept, and what waits for blocks before it."""

    def __init__(self, db: str | None, number: int, progress: Progress | None) -> None:
        self._db, self._number, self._progress = db, number, progress
        with storage.reading(db) as reader:
            self.tally, self._early = begun(reader, number)
            self._joined = reader.blocks(number).joined()
        self.league = self.tally.league
        self._unkept: list[storage.KeptBlock] = []
        self._before: dict[int, PlayedBlock] = {}
        self._began = self._kept = self._told = monotonic()
        self._last: LeagueProgress | None = None
        self._phase: Literal["playing", "ending"] = "playing"
        self._games = 0
        self._before_now = self.tally.blocks

    def play(self, crew: Crew, asked: Callable[[], bool]) -> None:
        """Play on until all is played, the order is certain, or somebody has asked for an end."""
        from tourney.league.workers import play_blocks

        def ending() -> bool:
            return asked() or self.tally.verdict != "open"

        if ending():
            return
        self._tell()
        missing = filterfalse(frozenset(self._early).__contains__, range(self.tally.blocks, self.league.blocks))
        some = self.league.blocks - self.tally.blocks - len(self._early)
        crew = replace(crew, workers=max(1, min(crew.workers, some)))
        try:
            with closing(play_blocks(self.league, self._looked_up(missing), crew, ending, self._since)) as blocks:
                for block in blocks:
                    self._take(block)
                    if monotonic() - self._told > TOLD_SECONDS:
                        self._tell()
        except TourneyError:
            # The database has failed: it is not waited for once more.
            raise
        except BaseException:
            self._keep("leaving")
            raise
        self._keep()

    def table(self) -> LeagueTable:
        """How the league stands."""
        with storage.reading(self._db) as reader:
            return table(reader, self._number, self.tally)

    def stopped(self, why: str, code: ExitCode, command: str) -> TourneyError:
        """The error for a league that is not at its end, with what is kept of it and how to go on."""
        done, blocks = self.tally.blocks, self.league.blocks
        kept = ngettext(
            "{why}: {done} of {blocks} block of league {number} is kept",
            "{why}: {done} of {blocks} blocks of league {number} are kept",
            blocks,
        )
        message = kept.format(why=why, done=done, blocks=blocks, number=self._number)
        return TourneyError(code, message, _go_on(command))

    def _since(self, number: int) -> int:
        """How many entrants' games of the block were played before others joined them."""
        return len(self._before[number].outcome.shares) if number in self._before else 0

    def _looked_up(self, missing: Iterator[int]) -> Iterator[int]:
        """These blocks, each once it is known what was played of it before others joined the league."""
        if not self._joined:
            yield from missing
        while some := list(islice(missing, AT_ONCE)):
            with storage.reading(self._db) as reader:
                before = list(reader.blocks(self._number).earlier(some))
            self._before |= {block.number: _played_block(block) for block in before}
            yield from some

    def _take(self, block: PlayedBlock) -> None:
        from tourney.league.merge_blocks import joined

        before = self._before.pop(block.outcome.number, None)
        kept = _kept_block(block if before is None else joined(self.league, before, block))
        self._unkept.append(kept)
        self._early[kept.number] = kept.text
        self._games += len(block.outcome.games)
        self._add_up()
        waited = monotonic() - self._kept
        if waited > COMMIT_SECONDS or waited > SLOW_SECONDS * len(self._unkept):
            self._keep()

    def _add_up(self) -> None:
        """Add up what is done without a gap, as far as the league goes."""
        while self.tally.verdict == "open" and (text := self._early.pop(self.tally.blocks, None)) is not None:
            self.tally.add(text)

    def _keep(self, patience: storage.Patience = "usual") -> None:
        if self._unkept:
            _refuse_gone(self._db, self._number)
            with storage.writing(self._db, patience=patience) as store:
                store.keep_blocks(self._number, self.league, self._unkept)
            self._unkept = []
        self._kept = monotonic()

    def _tell(self) -> None:
        if self._progress is not None:
            self._told = monotonic()
            self._last = self._now()
            self._progress(self._last)

    def tell_ending(self) -> None:
        """Tell that the blocks in play are the last: what was told last, for this may be called at any moment."""
        self._phase = "ending"
        if self._progress is not None and self._last is not None:
            self._progress(replace(self._last, phase=self._phase))

    def _now(self) -> LeagueProgress:
        tally = self.tally
        seconds, new = self._told - self._began, tally.blocks - self._before_now
        left = seconds / new * (self.league.blocks - tally.blocks) if new else None
        order, certainty = (tally.order, tally.certainty) if tally.blocks else ((), 0.0)
        speed = self._games / seconds if self._games else 0.0
        until: Literal["played", "sure"] = "sure" if self.league.certainty else "played"
        return LeagueProgress(tally.blocks, self.league.blocks, speed, order, certainty, left, until, self._phase)


def _refuse_gone(db: str | None, number: int) -> None:
    """Raises TourneyError STORAGE if the file is gone: writing would begin a new one."""
    path = storage.locate(db)
    if not path.exists():
        message = _("the database {path} is gone, and league {number} with it").format(path=path, number=number)
        hint = _("put the file back, or play the league again: the same seed gives the same hash")
        raise TourneyError(ExitCode.STORAGE, message, hint)


def begun(reader: storage.Reader, number: int) -> tuple[Tally, dict[int, str]]:
    """What is kept of a league: added up to its end or the first block that is missing, and the texts behind that."""
    from tourney.league.tally import Tally

    tally, early = Tally(reader.leagues()[number]), {}
    for block, text in reader.blocks(number).texts():
        if block == tally.blocks and tally.verdict == "open":
            tally.add(text)
        else:
            early[block] = text
    return tally, early


def _played_block(kept: storage.KeptBlock) -> PlayedBlock:
    from tourney.league.playing import PlayedBlock
    from tourney.league.values import Fault, read_block

    faults = tuple(Fault(kept.number, *fault) for fault in kept.faults)
    return PlayedBlock(read_block(kept.text), faults, tuple(kept.records))


def _kept_block(block: PlayedBlock) -> storage.KeptBlock:
    from tourney.league.values import write_block

    faults = [storage.KeptFault(*astuple(fault)[1:]) for fault in block.faults]
    return storage.KeptBlock(block.outcome.number, write_block(block.outcome), faults, block.records)


def table(reader: storage.Reader, number: int, tally: Tally) -> LeagueTable:
    """The tally as a table, with the first faults."""
    league = reader.leagues()[number]
    faults: list[LeagueFault] = []
    for block, fault in reader.blocks(number).faults():
        if block >= tally.blocks or len(faults) == SHOWN_FAULTS:
            break
        name = league.entrants[fault.entrant]
        faults.append(LeagueFault(block + 1, fault.game + 1, fault.hand + 1, name, fault.what, fault.trace))
    return replace(tally.table(number), faults=tuple(faults))


def _resuming(db: str | None, number: int | None, crew: Crew) -> str:
    """The command that goes on with the league, the newest one unless it is known which."""
    which, where = "" if number is None else f" {number}", "" if db is None else f" --db {quote_argument(db)}"
    waiting = "" if crew.patience == PATIENCE else f" --patience {crew.patience}"
    return f"tourney league resume{which} --workers {crew.workers}{waiting}{where}"


def _go_on(command: str) -> str:
    return _("go on with `{command}`").format(command=command)
