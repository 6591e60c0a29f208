"""Programs as bots: `cmd:./bot --fast` is started at each seat of each game, and speaks the protocol."""

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from engine.rules import Rules
from tourney.bots.entrant import NewSeat, Sit
from tourney.bots.faults import BotFault
from tourney.bots.files.copies import copied
from tourney.bots.files.own_files import OwnFile, files_of
from tourney.bots.isolation.enclosure import Enclosed, Wall, Walled
from tourney.bots.isolation.forked import process_wall, wall_at
from tourney.bots.isolation.levels import PROCESS, SANDBOX, Level
from tourney.bots.isolation.shims import is_known
from tourney.bots.limits import Limits, limits_of
from tourney.bots.process import Child, refuse_on_windows
from tourney.bots.protocol import words
from tourney.bots.protocol.asking import Lines, read_hello
from tourney.bots.protocol.dialect import WORDS
from tourney.bots.protocol.session import Failures, Session, logged
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import COMMAND_PREFIX, MOST_ENTRANT, OutsideBot
from tourney.text.i18n import _

Start = Callable[[], Lines]
"""Failures a program."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that plays: its command as words, the folder in which it runs, its limits, its files and its wall."""

    command: tuple[str, ...]
    folder: str
    limits: Limits
    reads: tuple[str, ...] = ()
    wall: Wall = field(default_factory=process_wall)

    def check(self, rules: Rules, seats: int) -> None:
        """Greet the program once. Raises TourneyError USAGE if it cannot play a league of these rules."""
        check_program(self, rules, seats)

    def block(self) -> Sit:
        """Return what starts the program at each seat of each game; after some failures it is out of the block."""
        return partial(self.seat, failures=Failures())

    @property
    def walled(self) -> Walled:
        """The program behind its wall."""
        return Walled(self.wall, Enclosed(self.command, self.folder, self.reads), self.limits)

    def start(self) -> Child:
        """Start the program. Raises OSError if that is impossible."""
        return Child(self.walled)

    def seat(self, seating: NewSeat, failures: Failures) -> Session:
        """Return the program at its seat of a new game."""
        game = WORDS.game(seating.rules, seating.players, seating.seat, seating.seed, seating.stake)
        return Session(logged(self.start, seating.log), self.limits, failures, seating.rules, game)


class ProgramKind:
    """The kind of entrants that are programs: `cmd:` and a command line."""

    levels: tuple[Level, ...] = (PROCESS, SANDBOX)

    def recognises(self, text: str) -> bool:
        """Return whether the text begins as a program does."""
        return text.startswith(COMMAND_PREFIX)

    def canonical(self, text: str, folder: Path, files: Sequence[Path], level: Level) -> str:
        """Return the command with as few quotation marks as it needs. Raises TourneyError USAGE for none."""
        return COMMAND_PREFIX + shlex.join(_command(text))

    def placed(self, text: str, folder: Path) -> tuple[str, Path]:
        """Return the text and the folder of a bot, whose program is in its folder unless it is known here.

        Files that the command names stay what they are: by whole paths if the folder is another one.
        """
        program, *arguments = _command(text)
        if not program.startswith("/") or is_known(program, str(folder)):
            return text, folder
        path = Path(os.path.normpath(program))
        if path.is_relative_to(folder):
            return COMMAND_PREFIX + shlex.join((f"./{path.relative_to(folder)}", *arguments)), folder
        named = [str(folder / word) if (folder / word).is_file() else word for word in arguments]
        return COMMAND_PREFIX + shlex.join((f"./{path.name}", *named)), path.parent

    def files(self, text: str, folder: Path) -> tuple[OwnFile, ...]:
        """Return the files that the command names, without an interpreter: a program that is known here.

        A folder, a link, a pipe, a socket or a device is among them, and refused: what is in it may change any time.
        """
        program, *arguments = _command(text)
        is_own = "/" in program and not (program.startswith("/") and is_known(program, str(folder)))
        own = [program] if is_own else []
        named = [folder / spelling for word in (*own, *arguments) for spelling in _spellings(word)]
        return tuple([OwnFile(file, folder) for file in named if os.path.lexists(file)])

    def walled(self, bot: OutsideBot, level: Level) -> Walled:
        """Return the program behind its wall. Raises TourneyError as `read`, USAGE for a program that is not there."""
        program = self.read(bot, level)
        try:
            program.walled.enclosed.executable  # noqa: B018 - it is looked up
        except OSError as error:
            raise _not_started(program, error) from None
        return program.walled

    def read(self, bot: OutsideBot, level: Level) -> Program:
        """Return the program. Raises TourneyError USAGE for limits that are none, REFUSED if it cannot be walled in."""
        files = files_of(bot, self.files(bot.entrant, Path(bot.folder)))
        placed = copied(bot, files) if level.secret else bot
        first, *words = _command(bot.entrant)
        command = (first, *[_moved(word, bot.folder, placed.folder) for word in words])
        reads = tuple([os.path.join(placed.folder, name) for name, _digest in bot.files])
        return Program(command, placed.folder, limits_of(bot.limits), reads, wall_at(level))


PROGRAM = ProgramKind()
ENDINGS: Final = (".py", ".class", ".js")
"""The endings that interpreters add to a word: `python3 -m bot`, `java Bot` and `node bot` name a file."""


def _spellings(word: str) -> list[str]:
    """Return the paths that a word of a command may mean: itself, or the module of an interpreter."""
    parts = word.split(".")
    module = "/".join(parts)
    modules = [module, *[module + ending for ending in ENDINGS]] if all(map(str.isidentifier, parts)) else []
    return list(dict.fromkeys(filter(None, (word, *modules))))


def _moved(word: str, folder: str, place: str) -> str:
    """Return a word of a command, in which a path within the bot's folder is the path of its copy."""
    return os.path.join(place, os.path.relpath(word, folder)) if Path(word).is_relative_to(folder) else word


def _command(entrant: str) -> tuple[str, ...]:
    """Return the words of an entrant's command line, as a shell divides them. Raises TourneyError USAGE for none."""
    text = entrant.removeprefix(COMMAND_PREFIX)
    try:
        command = tuple(shlex.split(text)) if len(text) <= MOST_ENTRANT else ()
    except ValueError:
        command = ()
    if not command:
        message = _("“{text}” is not a command").format(text=text[:80])
        raise TourneyError(ExitCode.USAGE, message, _('name a program, as in --bots "greedy,cmd:./bot --fast"'))
    return command


def check_program(program: Program, rules: Rules, seats: int) -> words.Hello:
    """Return how the program answers a greeting. Raises TourneyError USAGE if it cannot play a league of these rules.

    A program that is not there, says nothing, speaks another version, or does not play these rules at tables of this
    size is refused before anything begins.
    """
    shown = " ".join(program.command)[:80]
    return check_speaker(partial(started, program), shown, program.limits.start, rules, seats)


def check_speaker(start: Start, shown: str, seconds: float, rules: Rules, seats: int) -> words.Hello:
    """Return how what is started answers a greeting within some seconds. Raises TourneyError as `check_program`."""
    hello = _greeted(start, shown, seconds)
    if rules.kind not in hello.families:
        message = _("“{command}” does not play {rules}").format(command=shown, rules=rules.id)
        raise TourneyError(ExitCode.USAGE, message, _("choose other rules with --rules, or another bot"))
    if not hello.least <= seats <= hello.most:
        message = _("“{command}” plays at tables of {least} to {most}, not of {seats}").format(
            command=shown, least=hello.least, most=hello.most, seats=seats
        )
        raise TourneyError(ExitCode.USAGE, message, _("give another number with --seats"))
    return hello


def started(program: Program) -> Child:
    """Return the program, started. Raises TourneyError USAGE if that is impossible."""
    refuse_on_windows()
    try:
        child = program.start()
        child.begun()
        return child
    except OSError as error:
        raise _not_started(program, error) from None


def _not_started(program: Program, error: OSError) -> TourneyError:
    shown = " ".join(program.command)[:80]
    message = _("“{command}” cannot be started: {error}").format(command=shown, error=error.strerror)
    return TourneyError(ExitCode.USAGE, message, _("name a program that exists and can be executed"))


def _greeted(start: Start, shown: str, seconds: float) -> words.Hello:
    hint = _(
        "run it by itself and type “tourney 1”; if it answers there, it may need more memory than its limit here, or "
        "files that its command does not name; see `tourney guide protocol`"
    )
    child = start()
    try:
        deadline = monotonic() + seconds
        child.send(words.GREETING, deadline)
        return read_hello(child, deadline)
    except BotFault as fault:
        message = _("“{command}” does not answer the greeting: {fault}").format(command=shown, fault=fault)
        raise TourneyError(ExitCode.USAGE, message, hint) from None
    finally:
        child.kill()
