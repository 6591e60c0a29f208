"""Leagues as files: exported, imported, and played in parts for another computer to merge."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import filterfalse, islice
from os import PathLike, fspath
from typing import Final
from warnings import warn

from tourney import storage
from tourney.bots import builtin, entrants_file
from tourney.bots.isolation import levels
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.league_tables import ExportedLeague, ImportedLeague, LeagueProgress, PlayedPart
from tourney.domain.leagues import League, PlayedBlock, PlaySettings
from tourney.files.book import MAX_DEALS
from tourney.files.named import shown
from tourney.files.whole_file import WholeFile
from tourney.league import playing, workers
from tourney.rulebook import rulesets
from tourney.service.bots import NO_CONSENT, Consent, forget_seeds, least_level, permitted, refuse_fixed_list, trust
from tourney.service.chained_lines import MALFORMED
from tourney.service.change import Change
from tourney.service.leagues.league_file import MOST_RECORDS, LeagueFile, file_lines, is_of, without_folders
from tourney.service.leagues.leagues import START_HINT, by_rules, find_league, proved, warm_up
from tourney.service.leagues.play import LeagueRun, Progress, finish, league_table, load_tally
from tourney.service.version import program_version
from tourney.text.i18n import _, ngettext
from tourney.text.names import refuse_unnamed, written_at
from tourney.text.signals import deferred, interruptible


def export_league(db: str | None, number: int | None, write: Callable[[str], object]) -> ExportedLeague:
    """Write the lines of a league's file, the newest one's unless another is named; return what was written.

    Blocks that bots who joined have not played yet are left out. Raises TourneyError NOT_FOUND, and STORAGE for damaged
    blocks.
    """
    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        league, records = reader.leagues.all()[number], 0

        def counted() -> Iterator[PlayedBlock]:
            nonlocal records
            for block in reader.leagues.blocks(number).whole():
                records += len(block.records)
                yield block

        for line in file_lines(league, reader.leagues.program(number), counted()):
            write(line)
        tally, _later = load_tally(reader, number)
        if tally.verdict == "open" and league.has_drawn_seed:
            message = _("the file has the seed of a league that has not ended, which gives away all cards")
            warn(TourneyWarning(message), stacklevel=2)
        return ExportedLeague(number, league, reader.leagues.blocks(number).count(), records, tally.hash)


def book_of_league(db: str | None, number: int | None, blocks: Sequence[int] = ()) -> tuple[str, ...]:
    """Return the seeds of the deals of a league's played blocks, or of these (from 1), in their order.

    Raises TourneyError NOT_FOUND for an unknown league or block, REFUSED for more deals than a book may have.
    """
    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        league, played = reader.leagues.all()[number], reader.leagues.blocks(number).numbers()
    wanted = [block - 1 for block in dict.fromkeys(blocks)] or sorted(played)
    for block in wanted:
        if block not in played:
            message = _("block {block} of league {number} has not been played").format(block=block + 1, number=number)
            raise TourneyError(ExitCode.NOT_FOUND, message, _("see `tourney league status`"))
    return _bounded(
        [
            playing.seed_of_deal(league, block, deal)
            for block in wanted
            for deal in range(playing.deals_of_block(league))
        ]
    )


def new_book(deals: int, seed: str) -> tuple[str, ...]:
    """Return the seeds of so many deals, those of a league of this seed with a deal for each block.

    Raises TourneyError REFUSED for more deals than a book may have.
    """
    return _bounded([playing.deal_seed(seed, block, 0) for block in range(min(deals, MAX_DEALS + 1))])


def _bounded(seeds: list[str]) -> tuple[str, ...]:
    if not seeds:
        message = _("no block of the league has been played")
        raise TourneyError(ExitCode.REFUSED, message, _("continue with `tourney league resume`"))
    if len(seeds) > MAX_DEALS:
        message = _("a book has at most {most} deals").format(most=MAX_DEALS)
        raise TourneyError(ExitCode.REFUSED, message, _("take fewer deals, or some blocks with --block"))
    return tuple(seeds)


BATCH: Final = 500
"""The blocks that are kept at once."""


@dataclass(frozen=True, slots=True)
class ImportLeague(Change[ImportedLeague]):
    """Import a league from its files, such as its parts in any order; the same league here gets the blocks it lacks.

    With `merged` the outcome has its table, and files that add nothing are allowed; otherwise these are a CONFLICT.
    Refused: CONFLICT where two files, or a file and the database, have another outcome for a block, and for a file of
    another league than the first one's; REFUSED, with the line, for a file that is not whole, and for blocks that do
    not follow from the league's settings. Nothing is kept then.
    """

    paths: Sequence[str | PathLike[str]]
    merged: bool = False

    def perform(self, store: storage.Store) -> ImportedLeague:
        """Keep the league and its blocks."""
        first = LeagueFile(self.paths[0])
        _check_settings(first)
        number, is_new = _place(store, first)
        league = store.leagues.all()[number]
        before = store.leagues.blocks(number).count()
        files = (self._of_league(path, first.league) for path in self.paths)
        read = sum(keep_all(store, number, checked_blocks(file, league)) for file in files)
        blocks = store.leagues.blocks(number).count()
        if not (self.merged or is_new or blocks > before):
            message = _("{file}: all of its blocks are here already, in league {number}")
            hint = _("see it with `tourney league status {number}`").format(number=number)
            raise TourneyError(ExitCode.CONFLICT, message.format(file=fspath(self.paths[0]), number=number), hint)
        table = league_table(store, number, load_tally(store, number)[0]) if self.merged else None
        return ImportedLeague(number, league, is_new, blocks - before, read - (blocks - before), blocks, table)

    def _of_league(self, path: str | PathLike[str], league: League) -> LeagueFile:
        """Return the file. Raises TourneyError CONFLICT if it is another league's."""
        file = LeagueFile(path)
        ours, theirs = _without_places(league), _without_places(file.league)
        if ours != theirs:
            wrong = [field.name for field in fields(League) if getattr(ours, field.name) != getattr(theirs, field.name)]
            message = _("{file} is not of the same league as {first}: they differ in {what}")
            message = message.format(file=fspath(path), first=fspath(self.paths[0]), what=", ".join(wrong))
            raise TourneyError(
                ExitCode.CONFLICT, message, _("merge the files of one league, each with the same options")
            )
        return file


def _place(store: storage.Store, file: LeagueFile) -> tuple[int, bool]:
    """Return the number of the file's league here, and whether it is new; whoever had the file had its seed."""
    for number, league in store.leagues.all().items():
        if is_same_league(league, file.league):
            refuse_fixed_list()
            store.after_commit(partial(forget_seeds, store.db, f"league {number}"))
            return number, False
    league = replace(without_folders(file.league).with_given_seed(), isolation=least_level(file.league))
    return store.add(storage.kinds.leagues.LeagueStarted.of(league, file.program)), True


def keep_all(store: storage.Store, number: int, blocks: Iterable[PlayedBlock]) -> int:
    """Keep the blocks in the league of that number, some at a time, and return how many they are."""
    league, count, held, length = store.leagues.all()[number], 0, list[PlayedBlock](), 0
    for block in blocks:
        held.append(block)
        length += sum(len(text) for _game, text in block.records)
        if len(held) == BATCH or length > MOST_RECORDS:
            store.leagues.keep_blocks(number, league, held)
            count, held, length = count + len(held), [], 0
    store.leagues.keep_blocks(number, league, held)
    return count + len(held)


def is_same_league(here: League, other: League) -> bool:
    """Return whether two leagues are the same besides the folders of their bots and the records that they keep.

    Nor does it matter whether classes were parts of the program that played them, which a file cannot ask for.
    """
    return _without_places(here) == _without_places(other)


def _without_places(league: League) -> League:
    isolation = "" if league.isolation == levels.TRUSTED.name else league.isolation
    return replace(without_folders(league), records="none", isolation=isolation)


def _check_settings(file: LeagueFile) -> None:
    """Raise TourneyError REFUSED if this program could not have begun the league, or has other rules."""
    league = file.league
    try:
        same = rulesets.is_same(league.rules_ref)
        sound = same and _has_sound_bots(league) and by_rules(league, league.rules_ref) == league
    except TourneyError as error:
        raise TourneyError(ExitCode.REFUSED, file.refusal(2, error.message).message, error.hint) from None
    except MALFORMED:
        raise file.unwritten(2) from None
    if not same:
        message = _("the rules {rules} of this program are others").format(rules=league.rules)
        hint = _("import it with the version of tourney that played the league")
        raise TourneyError(ExitCode.REFUSED, file.refusal(2, message).message, hint)
    if not sound:
        raise file.unwritten(2)


def _has_sound_bots(league: League) -> bool:
    """Return whether every bot is built in, or is told in full. Texts are compared, and name no module or file here.

    Raises TourneyError for an unknown built-in bot, and for one with characters that cannot be seen.
    """
    levels.read_level(league.isolation)
    entrants_file.refuse_unsound(league.outside)
    outside = [bot.name for bot in league.outside]
    sound = [name in outside or builtin.is_built_in(name) for name in league.bots]
    own = [name for name in dict.fromkeys(league.bots) if name in outside]
    return bool(sound) and all(sound) and outside == own and not any(map(builtin.has_built_in_name, outside))


def checked_blocks(file: LeagueFile, league: League) -> Iterator[PlayedBlock]:
    """Yield the blocks of a file, each compared with the games that its league plays.

    Raises TourneyError REFUSED, with the line, for one that is not of this league.
    """
    last = -1
    for line, block in file.blocks():
        if block.number <= last:
            message = _("block {block} is there twice, or out of order").format(block=block.number + 1)
            raise file.refusal(line, message)
        last = block.number
        if not is_of(league, block):
            message = _("it is not block {block} of this league").format(block=block.number + 1)
            raise file.refusal(line, message)
        yield block


BESIDE: Final = ".db"
"""The end of the name of the database in which a part is kept until it is whole, after the name of its file."""
MOST_PARTS: Final = 100_000
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
    """Play a part of a league, and write its file; one that was interrupted is continued.

    Until the part is whole, its blocks are in a database beside the file. Raises TourneyError as `leagues.checked`;
    USAGE where each part would get a seed of its own; REFUSED for a part without blocks, and if a worker dies; CONFLICT
    for a file or database of something else; STORAGE where they cannot be written; INTERRUPTED when it is interrupted.
    """
    warm_up(settings)
    refuse_unnamed(path)
    db = written_at(f"{written_at(path)}{BESIDE}")
    _refuse_others(path, db)
    league = _with_shared_seed(db, league)
    numbers = share.numbers(league.blocks)
    if not numbers:
        message = _("part {part} of {of} has no blocks: the league has {blocks}")
        message = message.format(part=share.part, of=share.of, blocks=league.blocks)
        raise TourneyError(ExitCode.REFUSED, message, _("make fewer parts, or give more blocks with --blocks"))
    there, whole = _blocks_there(path, league, numbers)
    new = 0
    if not whole:
        begun = there or os.path.exists(db)
        with deferred(), nullcontext() if begun else workers.head_start(league, settings, numbers):
            number = _begun(db, league, numbers, islice(LeagueFile(path).blocks(), there) if there else ())
            with interruptible():
                run = _ShareRun(db, number, progress, league, numbers)
            new = run.left
            finish(run, settings, None, _("give the same command again to continue"))
        _write(path, db, number)
    if _number_here(db, league, numbers) is not None:
        storage.remove(storage.locate(db))
    return PlayedPart(league, share.part, share.of, len(numbers), new)


def _refuse_others(*paths: str) -> None:
    """Raise TourneyError STORAGE for a file that another user has laid there: its blocks would count as played here."""
    for path in paths:
        if not os.path.isfile(path):
            continue
        try:
            storage.refuse_file(path)
        except OSError as error:
            message = _("cannot continue {file}: {why}").format(file=shown(path, 200), why=error.strerror)
            raise TourneyError(ExitCode.STORAGE, message, _("name another file with --output")) from None


def _with_shared_seed(db: str, league: League) -> League:
    """Return the league as it is begun. Raises TourneyError USAGE where each part would draw a seed of its own."""
    if not league.seed:
        message = _("all parts need the same seed, one that no bot can guess")
        raise TourneyError(ExitCode.USAGE, message, _("give a long one with --seed, the same for each part"))
    league = proved(db, league).with_given_seed()
    trust(league.outside, league.isolation)
    return league


def _blocks_there(path: str, league: League, numbers: range) -> tuple[int, bool]:
    """Return how many blocks of the part, from its first one on, a file has, and whether it has its end.

    Earlier versions wrote the file while they played: what follows the place where a kill has cut it off is played
    again. Raises TourneyError for another file.
    """
    if not os.path.exists(path):
        WholeFile(path).refuse()
        return 0, False
    file = LeagueFile(path)
    there = 0
    try:
        if not is_same_league(file.league, league):
            raise _other_file(path)
        for block in checked_blocks(file, league):
            if there == len(numbers) or block.number != numbers[there]:
                raise _other_file(path)
            there += 1
    except TourneyError as error:
        if error.code is ExitCode.CONFLICT:
            raise
        return there, False
    return there, there == len(numbers)


def _begun(db: str, league: League, numbers: range, there: Iterable[tuple[int, PlayedBlock]]) -> int:
    """Return the number of the league in the database of the part, which is made, with these blocks, if need be."""
    number = _number_here(db, league, numbers)
    if number is not None:
        return number
    with storage.writing(db) as store:
        number = store.add(storage.kinds.leagues.LeagueStarted.of(league, program_version()))
        keep_all(store, number, (block for _line, block in there))
        return number


def _number_here(db: str, league: League, numbers: range) -> int | None:
    """Return the number of the league in the database of the part, None if there is none.

    Raises TourneyError CONFLICT for a database with anything else: it is deleted when the part is whole.
    """
    if not os.path.exists(db):
        return None
    with storage.reading(db) as reader:
        entries, leagues = reader.journal.head()[0], reader.leagues.all()
        if not entries:
            return None
        for number, here in leagues.items():
            if entries == 1 and is_same_league(here, league) and reader.leagues.blocks(number).numbers() <= {*numbers}:
                return number
    raise _other_file(db)


def _other_file(path: str) -> TourneyError:
    message = _("{file}: this is the file of another league, or of another part").format(file=shown(path, 200))
    return TourneyError(ExitCode.CONFLICT, message, _("name another file with --output"))


def _write(path: str, db: str, number: int) -> None:
    """Write the file of a part that is whole. Raises TourneyError, and keeps the database, where that is impossible."""
    try:
        with storage.reading(db) as reader, WholeFile(path, force=True).open() as file:
            blocks = reader.leagues.blocks(number).whole()
            for line in file_lines(reader.leagues.all()[number], program_version(), blocks):
                file.write(line.encode())
    except TourneyError as error:
        hint = _("make room or allow writing, and give the same command again to continue")
        raise TourneyError(error.code, error.message, hint if error.code is ExitCode.STORAGE else error.hint) from None


class _ShareRun(LeagueRun):
    """Some blocks of a league being played, all of them, whatever they say: nobody here knows the others."""

    def __init__(self, db: str, number: int, progress: Progress | None, league: League, numbers: range) -> None:
        self._playing, self._numbers = league, numbers
        super().__init__(db, number, progress, NO_CONSENT)

    def _load(self, reader: storage.Reader) -> None:
        self._kept = reader.leagues.blocks(self._number).numbers()
        self._done = len(self._kept)

    @property
    def ended(self) -> bool:
        """Return whether all of the blocks are played."""
        return self._done == self.blocks

    @property
    def done(self) -> int:
        """The number of blocks that are played."""
        return self._done

    @property
    def blocks(self) -> int:
        """The number of blocks in all."""
        return len(self._numbers)

    @property
    def left(self) -> int:
        """The number of blocks that are missing."""
        return self.blocks - self._done

    def _missing(self) -> Iterator[int]:
        return filterfalse(self._kept.__contains__, self._numbers)

    def _permitted(self) -> League:
        return permitted(self._playing, Consent(self._playing.isolation))

    def stopped(self, reason: str, code: ExitCode, hint: str) -> TourneyError:
        """Return the error for an unfinished share, with the number of its blocks that are kept."""
        message = ngettext(
            "{reason}: {done} of {blocks} block is in {file}",
            "{reason}: {done} of {blocks} blocks are in {file}",
            self.blocks,
        )
        message = message.format(reason=reason, done=self.done, blocks=self.blocks, file=shown(str(self._db), 200))
        return TourneyError(code, message, hint)

    def _count(self, block: PlayedBlock) -> None:
        self._done += 1

    def _with_order(self, state: LeagueProgress) -> LeagueProgress:
        return state
