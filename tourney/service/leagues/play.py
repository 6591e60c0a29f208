"""Play a league: workers play its blocks, here or on a scheduler, and this process alone keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import filterfalse, islice, takewhile
from time import monotonic
from typing import Literal

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.league_tables import LeagueMachine, LeagueProgress, LeagueTable
from tourney.domain.leagues import TIME_LIMIT, League, PlayedBlock, PlaySettings
from tourney.league import blocks, playing, tally, workers
from tourney.service.bots import NO_CONSENT, Consent, permitted, strike_seed
from tourney.service.leagues.cluster import checked_replies, coordinator, wire
from tourney.service.leagues.cluster.address import Network
from tourney.service.leagues.cluster.machines import with_machines, write_machines
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument
from tourney.text.signals import ignore, interruptible, stop_on_request

Progress = Callable[[LeagueProgress], None]
"""A function called every PROGRESS_SECONDS or so with the progress of a league."""

COMMIT_SECONDS = 1.0
"""Quick blocks are kept together, in one transaction after this time."""
SLOW_SECONDS = 0.1
"""Blocks that take longer than this are kept one by one."""
PROGRESS_SECONDS = 0.2
"""The shortest time between two reports of progress."""
MAX_FAULTS_SHOWN = 20
"""The number of faults that a league's table shows; all are counted."""
READ_AHEAD = 100
"""The number of earlier blocks read at once for a league that bots have joined."""


def play(
    db: str | None,
    number: int,
    settings: PlaySettings,
    progress: Progress | None,
    network: Network | None = None,
    consent: Consent = NO_CONSENT,
) -> LeagueTable:
    """Play the missing blocks of a league, on a network if there is one, keep them, and return its table.

    The first interrupt lets the blocks in play finish, the second stops them; finished blocks are kept either way. Then
    TourneyError INTERRUPTED is raised; REFUSED if a worker dies, STORAGE or CONFLICT if the blocks cannot be kept, each
    with the command that resumes the league.
    """
    with report_interrupt(db, number, settings), interruptible():
        run = LeagueRun(db, number, progress, consent)
    finish(run, settings, network, _resume_hint(_resume_command(db, number, settings)))
    with report_interrupt(db, number, settings), interruptible(), storage.reading(db) as reader:
        strike_seed(run.league.seed, reader, f"league {number}")
        return with_machines(db, league_table(reader, number, run.tally))


@contextmanager
def report_interrupt(db: str | None, number: int | None, settings: PlaySettings) -> Iterator[None]:
    """Turn an interrupt of the block, which plays nothing, into an error with the command that resumes the league."""
    try:
        yield
    except KeyboardInterrupt:
        ignore()
        message = _("interrupted: everything played so far is kept")
        hint = _resume_hint(_resume_command(db, number, settings))
        raise TourneyError(ExitCode.INTERRUPTED, message, hint) from None


def finish(run: LeagueRun, settings: PlaySettings, network: Network | None, hint: str) -> None:
    """Play what is missing. Raises TourneyError as `play`, with the hint for how to continue."""
    try:
        with stop_on_request(run.report_ending) as stop_requested, interruptible():
            run.play(settings, stop_requested, network)
    except KeyboardInterrupt:
        ignore()
        raise run.stopped(_("interrupted"), ExitCode.INTERRUPTED, hint) from None
    except workers.WorkerDied as error:
        reason = _("worker processes died again and again at block {block}").format(block=error.block + 1)
        raise run.stopped(reason, ExitCode.REFUSED, hint) from error
    except wire.Stopped as error:
        raise run.stopped(error.message, error.code, hint) from error
    except TourneyError as error:
        # Resuming helps only after an error of the database itself, such as a full disk.
        if error.__cause__ is None:
            raise
        raise TourneyError(error.code, error.message, f"{error.hint}; {hint}") from error
    if not run.ended:
        raise run.stopped(_("interrupted"), ExitCode.INTERRUPTED, hint)


class LeagueRun:
    """A league being played: its tally, blocks waiting to be kept, and blocks waiting for earlier ones."""

    def __init__(self, db: str | None, number: int, progress: Progress | None, consent: Consent) -> None:
        self._db, self._number, self._progress, self._consent = db, number, progress, consent
        with storage.reading(db) as reader:
            self.league = reader.leagues.all()[number]
            self._joined = reader.leagues.blocks(number).joined()
            self._load(reader)
        self._unkept: list[PlayedBlock] = []
        self._earlier: dict[int, PlayedBlock] = {}
        self._started = self._committed = self._reported = monotonic()
        self._last: LeagueProgress | None = None
        self._phase: Literal["playing", "ending"] = "playing"
        self._games = self._games_in_block = 0
        self._machines: tuple[LeagueMachine, ...] = ()
        self._blocks_at_start = self.done

    def _load(self, reader: storage.Reader) -> None:
        """Read what is played already."""
        self.tally, self._waiting = load_tally(reader, self._number)

    @property
    def ended(self) -> bool:
        """Return whether nothing more is to be played."""
        return self.tally.verdict != "open"

    @property
    def done(self) -> int:
        """The number of blocks that count already."""
        return self.tally.blocks

    @property
    def blocks(self) -> int:
        """The number of blocks in all."""
        return self.league.blocks

    @property
    def left(self) -> int:
        """The number of blocks that are missing."""
        return self.league.blocks - self.tally.blocks - len(self._waiting)

    def _missing(self) -> Iterator[int]:
        """Yield the numbers of the blocks that are missing."""
        return filterfalse(frozenset(self._waiting).__contains__, range(self.tally.blocks, self.league.blocks))

    def _permitted(self) -> League:
        """Return the league as its bots may play it. Raises TourneyError if they may not."""
        return permitted(self.league, self._consent)

    def play(self, settings: PlaySettings, stop_requested: Callable[[], bool], network: Network | None = None) -> None:
        """Play until all blocks are played, the order is certain, or a stop is requested."""
        if stop_requested() or self.ended:
            return
        playing = self._permitted()
        self._report()
        number = self.left
        numbers = self._with_earlier(self._missing())
        try:
            if network is None:
                settings = replace(settings, workers=max(1, min(settings.workers, number)))
                self._play_here(playing, numbers, settings, stop_requested)
            else:
                self._play_on(playing, network, numbers, number, settings, stop_requested)
        except TourneyError:
            # The database has failed: do not wait for it again.
            raise
        except BaseException:
            self._commit("leaving")
            raise
        self._commit()

    def _play_here(
        self, playing: League, numbers: Iterator[int], settings: PlaySettings, stop_requested: Callable[[], bool]
    ) -> None:

        def should_stop() -> bool:
            return stop_requested() or self.ended

        with closing(workers.play_blocks(playing, numbers, settings, should_stop, self._first_entrant)) as blocks:
            for block in blocks:
                self._add(block)
                self._commit_if_due()
                self._report_if_due()

    def _play_on(
        self,
        playing: League,
        network: Network,
        numbers: Iterator[int],
        number: int,
        settings: PlaySettings,
        stop_requested: Callable[[], bool],
    ) -> None:
        """Play on the workers of a scheduler; block 0, with which they are compared, is played here if need be."""
        checked_replies.warn_if_by_time(self.league)
        if self.tally.blocks == 0 and 0 not in self._waiting:
            self._play_here(playing, islice(numbers, 1), replace(settings, workers=1), stop_requested)
            self._commit()
            number -= 1
        job = coordinator.Job(
            league=playing,
            time_limit=settings.time_limit,
            tasks=((each, self._first_entrant(each)) for each in numbers),
            count=number,
            reference=self._kept_text(0),
            should_stop=stop_requested,
            ended=lambda: self.ended,
            report=self._report_machines,
        )
        with closing(coordinator.Coordinator(job, network).answers()) as answers:
            for answer in answers:
                self._take(answer)
                self._report_if_due()

    def _kept_text(self, number: int) -> str:
        with storage.reading(self._db) as reader:
            return next(text for _number, text in reader.leagues.blocks(self._number).some([number]))

    def _take(self, answer: coordinator.BlocksAnswer) -> None:
        """Keep the blocks of a worker before it gets others, or compare those that were played before."""
        for block in answer.blocks:
            if answer.again:
                self._compare(block, answer)
            else:
                self._add(block)
        self._commit()

    def _compare(self, block: PlayedBlock, answer: coordinator.BlocksAnswer) -> None:
        """Raise TourneyError CONFLICT, after both lines, if a block ended otherwise than the first time."""
        if self._joined:
            with storage.reading(self._db) as reader:
                for earlier in reader.leagues.blocks(self._number).earlier([block.number]):
                    block = playing.merge_blocks(self.league, earlier, block)
        kept = self._kept_text(block.number)
        if kept != block.text:
            checked_replies.differs(self.league, self._number, kept, block, answer.first, answer.worker)

    def _report_machines(self, machines: tuple[LeagueMachine, ...]) -> None:
        self._machines = machines
        write_machines(self._db, self._number, self.league, machines)
        self._report_if_due()

    def _report_if_due(self) -> None:
        if monotonic() - self._reported > PROGRESS_SECONDS:
            self._report()

    def stopped(self, reason: str, code: ExitCode, hint: str) -> TourneyError:
        """Return the error for an unfinished league, with the number of blocks kept and how to resume."""
        message = ngettext(
            "{reason}: {done} of {blocks} block of league {number} is kept",
            "{reason}: {done} of {blocks} blocks of league {number} are kept",
            self.blocks,
        )
        message = message.format(reason=reason, done=self.done, blocks=self.blocks, number=self._number)
        return TourneyError(code, message, hint)

    def _first_entrant(self, number: int) -> int:
        """Return the first entrant whose games of the block are missing."""
        return len(blocks.read_block(self._earlier[number].text).totals) if number in self._earlier else 0

    def _with_earlier(self, numbers: Iterator[int]) -> Iterator[int]:
        """Yield the numbers of blocks, each once its games from before bots joined the league are loaded."""
        if not self._joined:
            yield from numbers
        while chunk := list(islice(numbers, READ_AHEAD)):
            with storage.reading(self._db) as reader:
                earlier = list(reader.leagues.blocks(self._number).earlier(chunk))
            self._earlier |= {block.number: block for block in earlier}
            yield from chunk

    def _add(self, block: PlayedBlock) -> None:
        """Keep a block with the next commit, with its games from before bots joined, and count what is in order."""
        if not self._games_in_block:
            self._games_in_block = len(playing.block_games(self.league, 0))
        self._games += self._games_in_block
        earlier = self._earlier.pop(block.number, None)
        if earlier is not None:
            block = playing.merge_blocks(self.league, earlier, block)
            self._games -= len(blocks.read_block(earlier.text).games)
        self._unkept.append(block)
        self._count(block)

    def _count(self, block: PlayedBlock) -> None:
        self._waiting[block.number] = block.text
        while self.tally.verdict == "open" and (text := self._waiting.pop(self.tally.blocks, None)) is not None:
            self.tally.add(text)

    def _commit_if_due(self) -> None:
        since_commit = monotonic() - self._committed
        if since_commit > COMMIT_SECONDS or since_commit > SLOW_SECONDS * len(self._unkept):
            self._commit()

    def _commit(self, patience: storage.Patience = "usual") -> None:
        if self._unkept:
            _check_database_exists(self._db, self._number)
            with storage.writing(self._db, patience=patience) as store:
                store.leagues.keep_blocks(self._number, self.league, self._unkept)
            self._unkept = []
        self._committed = monotonic()

    def _report(self) -> None:
        if self._progress is not None:
            self._reported = monotonic()
            self._last = self._current_progress()
            self._progress(self._last)

    def report_ending(self) -> None:
        """Report the last progress again, in the phase "ending"; a signal may call this at any moment."""
        self._phase = "ending"
        if self._progress is not None and self._last is not None:
            self._progress(replace(self._last, phase=self._phase))

    def _current_progress(self) -> LeagueProgress:
        seconds, new = self._reported - self._started, self.done - self._blocks_at_start
        left = seconds / new * (self.blocks - self.done) if new else None
        speed = self._games / seconds if self._games else 0.0
        state = LeagueProgress(
            self.done, self.blocks, speed, (), 0.0, left, "played", self._phase, machines=self._machines
        )
        return self._with_order(state)

    def _with_order(self, state: LeagueProgress) -> LeagueProgress:
        """Return the progress with the order so far, and with what ends the league."""
        tally = self.tally
        order, certainty = (tally.order, tally.certainty) if tally.blocks else ((), 0.0)
        until: Literal["played", "certain", "decided"] = "certain" if self.league.certainty else "played"
        if self.league.test is not None:
            until = "decided"
        return replace(state, order=order, certainty=certainty, until=until, test=tally.test)


def _check_database_exists(db: str | None, number: int) -> None:
    """Raise TourneyError STORAGE if the file is gone: writing would create a new one."""
    path = storage.locate(db)
    if not path.exists():
        message = _("the database {path} is gone, and league {number} with it").format(path=path, number=number)
        hint = _("put the file back, or play the league again: the same seed gives the same hash")
        raise TourneyError(ExitCode.STORAGE, message, hint)


def load_tally(reader: storage.Reader, number: int) -> tuple[tally.Tally, dict[int, str]]:
    """Return the tally of a league's blocks up to its end or the first missing block, and the texts of later blocks."""
    counted, later = tally.Tally(reader.leagues.all()[number]), {}
    for block, text in reader.leagues.blocks(number).texts():
        if block == counted.blocks and counted.verdict == "open":
            counted.add(text)
        else:
            later[block] = text
    return counted, later


def league_table(reader: storage.Reader, number: int, counted: tally.Tally) -> LeagueTable:
    """Return the tally as a table, with the first faults."""
    faults = takewhile(lambda found: found[0] < counted.blocks, reader.leagues.blocks(number).faults())
    return replace(counted.table(number), faults=tuple(islice(faults, MAX_FAULTS_SHOWN)))


def _resume_command(db: str | None, number: int | None, settings: PlaySettings) -> str:
    """Return the command that resumes the league; without a number, the newest one."""
    played_by = f"--on {quote_argument(settings.on)}" if settings.on else f"--workers {settings.workers}"
    words = ["tourney league resume", *([] if number is None else [str(number)]), played_by]
    if settings.trust_users:
        words.append("--trust-users")
    if settings.time_limit != TIME_LIMIT:
        words.append(f"--patience {settings.time_limit}")
    if db is not None:
        words.append(f"--db {quote_argument(db)}")
    return " ".join(words)


def _resume_hint(command: str) -> str:
    return _("continue with `{command}`").format(command=command)
