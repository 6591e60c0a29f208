"""A part of a league, played into a file of its own without a database, for another computer to merge."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from time import monotonic
from typing import Final, Literal

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import League, LeagueProgress, PlayedBlock, PlayedPart, PlaySettings
from tourney.files.growing_file import GrowingFile, NotWritten
from tourney.files.named import shown
from tourney.files.whole_file import WholeFile
from tourney.service.leagues.import_league import CheckedBlocks, is_same_league
from tourney.service.leagues.league_file import LeagueFile, file_lines
from tourney.service.leagues.leagues import proved, warm_up
from tourney.service.leagues.play import PROGRESS_SECONDS, Progress
from tourney.service.trusted_bots import trust
from tourney.service.version import program_version
from tourney.text.i18n import _, ngettext
from tourney.text.signals import ignore, interruptible, stop_on_request

MOST_PARTS: Final = 100_000
Phase = Literal["playing", "ending"]
_SHARE: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Share:
    """One of `of` parts of a league: every `of`-th block, from block `part` on."""

    part: int
    of: int

    def numbers(self, blocks: int) -> range:
        """Return the numbers, from 0, of the part's blocks in a league of so many."""
        return range(self.part - 1, blocks, self.of)


def read_share(text: str) -> Share:
    """Return the part that a text such as `3/8` names. Raises TourneyError USAGE for another text."""
    found = _SHARE.fullmatch(text.strip())
    part, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= part <= of <= MOST_PARTS:
        message = _("“{text}” is not a part of a league").format(text=shown(text))
        raise TourneyError(ExitCode.USAGE, message, _("3/8 is the third of eight parts"))
    return Share(part, of)


def play_part(
    path: str, league: League, share: Share, settings: PlaySettings, progress: Progress | None = None
) -> PlayedPart:
    """Play a part of a league into a file; a file that an earlier run of the same part left is continued.

    Raises TourneyError as `leagues.checked`; USAGE where each part would get a seed of its own; REFUSED for a part
    without blocks, and if a worker dies; CONFLICT for a file of something else; STORAGE where the file cannot be
    written; INTERRUPTED when it is interrupted. Blocks in the file stay in it.
    """
    warm_up(settings)
    league = _with_shared_seed(league)
    numbers = share.numbers(league.blocks)
    if not numbers:
        message = _("part {part} of {of} has no blocks: the league has {blocks}")
        message = message.format(part=share.part, of=share.of, blocks=league.blocks)
        raise TourneyError(ExitCode.REFUSED, message, _("make fewer parts, or give more blocks with --blocks"))
    earlier, whole = _blocks_there(path, league, numbers)
    if not whole:
        _play(_PartRun(path, league, numbers, earlier, progress), settings)
    return PlayedPart(league, share.part, share.of, len(numbers), len(numbers) - earlier)


def _with_shared_seed(league: League) -> League:
    """Return the league as it is begun. Raises TourneyError USAGE where each part would draw a seed of its own."""
    if not league.seed:
        message = _("all parts need the same seed, one that no bot can guess")
        raise TourneyError(ExitCode.USAGE, message, _("give a long one with --seed, the same for each part"))
    league = proved(None, league)
    trust(league.outside, league.isolation)
    return league


def _blocks_there(path: str, league: League, numbers: range) -> tuple[int, bool]:
    """Return how many blocks of the part, from its first one on, a file has, and whether it has its end.

    What follows the place where a kill has cut the file off is played again. Raises TourneyError for another file.
    """
    if not os.path.exists(path):
        WholeFile(path).refuse()
        return 0, False
    file = LeagueFile(path)
    there, whole = 0, False
    try:
        if not is_same_league(file.league, league):
            raise _other_file(path)
        for block in CheckedBlocks(file, league).blocks():
            if there == len(numbers) or block.number != numbers[there]:
                raise _other_file(path)
            there += 1
        whole = there == len(numbers)
    except TourneyError as error:
        if error.code is ExitCode.CONFLICT:
            raise
    return there, whole


def _other_file(path: str) -> TourneyError:
    message = _("{file}: this is the file of another league, or of another part").format(file=shown(path, 200))
    return TourneyError(ExitCode.CONFLICT, message, _("name another file with --output"))


def _play(run: _PartRun, settings: PlaySettings) -> None:
    """Play the blocks that are missing, and answer signals as `play` does for a league in a database."""
    from tourney.league.workers import WorkerDied

    try:
        with stop_on_request(run.report_ending) as stop_requested, interruptible():
            run.play(settings, stop_requested)
    except KeyboardInterrupt:
        ignore()
        raise run.stopped(_("interrupted"), ExitCode.INTERRUPTED) from None
    except WorkerDied as error:
        reason = _("worker processes died again and again at block {block}").format(block=error.block + 1)
        raise run.stopped(reason, ExitCode.REFUSED) from error
    except NotWritten as error:
        raise run.not_written(error) from error


class _PartRun:
    """A part being played: blocks go into its file in their order."""

    def __init__(self, path: str, league: League, numbers: range, earlier: int, progress: Progress | None) -> None:
        self._path, self._league, self._numbers, self._progress = path, league, numbers, progress
        self._earlier = self._done = earlier
        self._started = self._reported = monotonic()
        self._phase: Phase = "playing"

    def play(self, settings: PlaySettings, stop_requested: Callable[[], bool]) -> None:
        """Write the file anew: its blocks so far, then those played now. Raises TourneyError INTERRUPTED if stopped."""
        with closing(GrowingFile(self._path)) as file:
            try:
                for line in file_lines(self._league, program_version(), self._blocks(file, settings, stop_requested)):
                    file.write(line)
            finally:
                file.sync()

    def _blocks(
        self, file: GrowingFile, settings: PlaySettings, stop_requested: Callable[[], bool]
    ) -> Iterator[PlayedBlock]:
        if self._earlier:
            yield from (block for _line, block in islice(LeagueFile(self._path).blocks(), self._earlier))
        file.publish()
        yield from self._played(settings, stop_requested)
        if self._done < len(self._numbers):
            raise self.stopped(_("interrupted"), ExitCode.INTERRUPTED)

    def _played(self, settings: PlaySettings, stop_requested: Callable[[], bool]) -> Iterator[PlayedBlock]:
        """Yield the missing blocks in their order; workers may finish them in another."""
        from tourney.league.workers import play_blocks

        missing = self._numbers[self._earlier :]
        settings = replace(settings, workers=max(1, min(settings.workers, len(missing))))
        waiting: dict[int, PlayedBlock] = {}
        with closing(play_blocks(self._league, iter(missing), settings, stop_requested)) as played:
            for block in played:
                waiting[block.number] = block
                while self._done < len(self._numbers) and self._numbers[self._done] in waiting:
                    yield waiting.pop(self._numbers[self._done])
                    self._done += 1
                self._report()

    def _report(self) -> None:
        if self._progress is not None and monotonic() - self._reported > PROGRESS_SECONDS:
            self._reported = monotonic()
            self._progress(self._state())

    def report_ending(self) -> None:
        """Report the progress in the phase "ending"; a signal may call this at any moment."""
        self._phase = "ending"
        if self._progress is not None:
            self._progress(self._state())

    def _state(self) -> LeagueProgress:
        seconds, new = self._reported - self._started, self._done - self._earlier
        left = seconds / new * (len(self._numbers) - self._done) if new else None
        speed = new * self._games() / seconds if new else 0.0
        return LeagueProgress(self._done, len(self._numbers), speed, (), 0.0, left, "played", self._phase)

    def _games(self) -> int:
        """Return the number of games of a block."""
        from tourney.league.playing import block_games

        return len(block_games(self._league, self._numbers[0]))

    def not_written(self, error: NotWritten) -> TourneyError:
        """Return the error for a file that cannot be written; the blocks that are on the disk are counted anew."""
        self._done = _blocks_there(self._path, self._league, self._numbers)[0]
        hint = _("make room or allow writing, and give the same command again to continue")
        return self.stopped(error.reason, error.code, hint if error.code is ExitCode.STORAGE else "")

    def stopped(self, reason: str, code: ExitCode, hint: str = "") -> TourneyError:
        """Return the error for an unfinished part, with the number of blocks in its file and how to continue."""
        message = ngettext(
            "{reason}: {done} of {blocks} block is in {file}",
            "{reason}: {done} of {blocks} blocks are in {file}",
            len(self._numbers),
        )
        message = message.format(reason=reason, done=self._done, blocks=len(self._numbers), file=shown(self._path, 200))
        return TourneyError(code, message, hint or _("give the same command again to continue"))
