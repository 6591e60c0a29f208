"""Bots that are Python classes: loaded here at `trusted`, or by a program of ours behind a wall."""

import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Final

from engine.bots.parameters import Value, read_parameters, split_bot, written_parameters
from engine.errors import EngineError
from engine.rules import Rules
from tourney.bots.api import Bot
from tourney.bots.author_modules import load_file, load_module, module_file
from tourney.bots.entrant import Entrant, NewSeat, Sit
from tourney.bots.faults import BotFault, cut
from tourney.bots.files.copies import copied
from tourney.bots.files.own_files import OwnFile, files_of
from tourney.bots.isolation.enclosure import Enclosed, Wall, Walled, interpreter_reads
from tourney.bots.isolation.forked import class_wall_at
from tourney.bots.isolation.levels import PROCESS, SANDBOX, TRUSTED, Level
from tourney.bots.limits import Limits, limits_of
from tourney.bots.process import Child, refuse_on_windows
from tourney.bots.protocol.dialect import PickledValues
from tourney.bots.protocol.session import Failures, Session
from tourney.bots.seated import PythonSeat, SeatedBot
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.rulebook.engine_sentences import translated
from tourney.text.i18n import _
from tourney.text.similar import similar

HOST: Final = str(Path(__file__).resolve().with_name("host.py"))
"""The program that loads the class."""


@dataclass(frozen=True, slots=True)
class HostedClass:
    """A Python class that plays in a process; `reads` are its files."""

    text: str
    folder: str
    reads: tuple[str, ...]
    limits: Limits
    wall: Wall

    def check(self, rules: Rules, seats: int) -> None:
        """Start it once. Raises TourneyError if the class cannot be loaded."""
        self.known()

    def known(self) -> str:
        """Return the text by which the class is known. Raises TourneyError if it cannot be loaded."""
        try:
            child = self._started("describe")
        except OSError as error:
            raise self._refused(error.strerror or "") from None
        try:
            line = child.receive(monotonic() + self.limits.start)
        except BotFault as fault:
            raise self._refused(str(fault)) from None
        finally:
            child.kill()
        word, _blank, rest = line.partition(" ")
        if word == "refused":
            code, _blank, said = rest.partition(" ")
            message, _tab, hint = said.partition("\t")
            raise TourneyError(_code(code), cut(message), cut(hint))
        name, parameters = split_bot(rest)
        if word != "known" or name != split_bot(self.text)[0] or not parameters.isprintable():
            raise self._refused(_("it says that it is another bot"))
        return rest

    def block(self) -> Sit:
        """Return what starts the class at each seat of each game; after some failures it is out of the block."""
        return partial(self.seat, failures=Failures())

    def seat(self, seating: NewSeat, failures: Failures) -> Session:
        """Return the class at its seat of a new game."""
        dialect = PickledValues(seating.rules)
        game = dialect.game(seating.rules, seating.players, seating.seat, seating.seed, seating.stake)
        return Session(partial(self._started, "play"), self.limits, failures, seating.rules, game, dialect)

    @property
    def walled(self) -> Walled:
        """The class in its host, behind its wall."""
        return self._walled("play")

    def _walled(self, task: str) -> Walled:
        command = (sys.executable, "-I", HOST, task, self.folder, self.text)
        reads = (*self.reads, *interpreter_reads())
        return Walled(self.wall, Enclosed(command, self.folder or None, reads), self.limits)

    def _started(self, task: str) -> Child:
        refuse_on_windows()
        return Child(self._walled(task))

    def _refused(self, problem: str) -> TourneyError:
        message = _("{bot} does not begin: {problem}").format(bot=cut(self.text), problem=problem)
        hint = _("try it by itself: tourney bot check {bot}").format(bot=cut(self.text))
        return TourneyError(ExitCode.USAGE, message, hint)


def _code(text: str) -> ExitCode:
    """Return the exit code of that number; a bot's process may say anything."""
    known = {str(int(code)): code for code in (ExitCode.USAGE, ExitCode.NOT_FOUND)}
    return known.get(text, ExitCode.USAGE)


GROUP = "tourney.bots"
"""The entry points by which installed packages declare bots."""
_CLASS = re.compile(r"(?P<module>.+):(?P<name>[^\W\d]\w*)")


@dataclass(frozen=True, slots=True)
class PythonEntrant:
    """A class with the values of its parameters."""

    bot: type[Bot]
    values: dict[str, Value]

    def check(self, rules: Rules, seats: int) -> None:
        """Accept everything: a class cannot say what it plays."""

    def canonical(self, text: str) -> str:
        """Return the text with those of its parameters that are not the defaults, in the class's order."""
        return split_bot(text)[0] + written_parameters(self.values, self.bot.parameters)

    def block(self) -> Sit:
        """Return what makes an object for each seat of each game."""
        return self.seat

    def seat(self, seating: NewSeat) -> SeatedBot:
        """Return a new object at its seat."""
        return PythonSeat(lambda: self.bot(**self.values), seating.rules, seating.seat, seating.seed)


class PythonClass:
    """The kind of entrants that are Python classes; from the level `process` on their code runs in a process.

    On Windows, where no bot has a process of its own, `trusted` is the default.
    """

    levels: tuple[Level, ...] = (TRUSTED, PROCESS, SANDBOX) if sys.platform == "win32" else (PROCESS, TRUSTED, SANDBOX)

    def recognises(self, text: str) -> bool:
        """Return whether the text is a class of a file or module, or a declared name."""
        name = split_bot(text)[0]
        return _CLASS.fullmatch(name) is not None or name in declared()

    def canonical(self, text: str, folder: Path, files: Sequence[Path], level: Level) -> str:
        """Return the text with those of its parameters that are not the defaults, in the class's order."""
        if level is TRUSTED:
            return self.loaded(text, folder).canonical(text)
        return self._hosted(text, str(folder.resolve()), files, Limits(), level).known()

    def files(self, text: str, folder: Path) -> tuple[OwnFile, ...]:
        """Return the file of the class's module, which may be an installed one."""
        module, _name = _target(split_bot(text)[0])
        if module.endswith(".py"):
            return (OwnFile(folder / module, folder),)
        file = module_file(module, folder)
        return () if file is None else (OwnFile(file, folder if file.is_relative_to(folder) else None),)

    def walled(self, bot: OutsideBot, level: Level) -> Walled | None:
        """Return the class behind its wall, None at the level `trusted`. Raises TourneyError as `read`."""
        return None if level is TRUSTED else self._behind_wall(bot, level).walled

    def read(self, bot: OutsideBot, level: Level) -> Entrant:
        """Return the class, at the level `trusted` loaded. Raises TourneyError if it is not there, or is no bot."""
        return self.loaded(bot.entrant, Path(bot.folder)) if level is TRUSTED else self._behind_wall(bot, level)

    def _behind_wall(self, bot: OutsideBot, level: Level) -> HostedClass:
        if level.secret:
            bot = copied(bot, files_of(bot, self.files(bot.entrant, Path(bot.folder))))
        files = [Path(bot.folder, name) for name, _digest in bot.files]
        return self._hosted(bot.entrant, bot.folder, files, limits_of(bot.limits), level)

    def _hosted(self, text: str, folder: str, files: Sequence[Path], limits: Limits, level: Level) -> HostedClass:
        return HostedClass(text, folder, tuple(map(str, files)), limits, class_wall_at(level))

    def loaded(self, text: str, folder: Path) -> PythonEntrant:
        """Return the class, loaded into this process. Raises TourneyError if it is not there, or is no bot."""
        target, parameters = split_bot(text)
        bot = load_class(target, folder)
        try:
            return PythonEntrant(bot, read_parameters(parameters, bot.parameters))
        except EngineError as error:
            message = _("{bot}: {problem}").format(bot=cut(target), problem=translated(error))
            raise TourneyError(ExitCode.USAGE, message, parameters_hint(target)) from None


PYTHON_CLASS = PythonClass()


def parameters_hint(target: str) -> str:
    """Return how parameters are written."""
    return _("write parameters as in `{bot}?name=value&other=on`").format(bot=target)


def declared() -> dict[str, str]:
    """Return the bots that installed packages declare, by name."""
    return {point.name: point.value for point in entry_points(group=GROUP)}


def load_class(target: str, folder: Path) -> type[Bot]:
    """Return the class that the text names. Raises TourneyError if it is not there, or is not a bot."""
    module_name, name = _target(target)
    module = _module(module_name, folder)
    found = getattr(module, name, None)
    if found is None:
        message = _("{module} has no class “{name}”").format(module=module_name, name=name[:40])
        raise TourneyError(ExitCode.NOT_FOUND, message, _classes_hint(module, module_name, name))
    if not (isinstance(found, type) and issubclass(found, Bot)):
        message = _("“{name}” of {module} is not a bot").format(name=name[:40], module=module_name)
        hint = _("derive it from the class of bots: from tourney.bots import Bot; class {name}(Bot): …")
        raise TourneyError(ExitCode.USAGE, message, hint.format(name=name[:40]))
    return found


def _target(text: str) -> tuple[str, str]:
    """Return module or file, and class."""
    found = _CLASS.fullmatch(declared().get(text, text))
    assert found is not None
    return found["module"], found["name"]


def _classes_hint(module: ModuleType, module_name: str, name: str) -> str:
    """Return which bots the module has."""
    bots = list(_bots_of(module))
    if not bots:
        return _("no class in it is derived from tourney.bots.Bot")
    near = similar(name, bots)
    return _("its bots are: {bots}").format(bots=", ".join(f"{module_name}:{bot}" for bot in near or bots))


def _bots_of(module: ModuleType) -> Iterator[str]:
    for name, value in vars(module).items():
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__:
            yield name


def _module(name: str, folder: Path) -> ModuleType:
    """Return the module, executed; what it prints goes to standard error."""
    file = folder / name if name.endswith(".py") else None
    if file is not None and not file.is_file():
        message = _("there is no file {path}").format(path=file)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("check the path; it counts from the folder you are in"))
    if file is None and module_file(name, folder) is None:
        message = _("there is no module “{name}”").format(name=name[:80])
        hint = _("name a file with .py, as in mine.py:Mine, or a module that is installed or in this folder")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    try:
        with redirect_stdout(sys.stderr):
            return load_module(name, folder) if file is None else load_file(file)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - an author's file may raise anything, SystemExit too
        hint = _("try it by itself: python {path}").format(path=file or f"-m {name}")
        raise TourneyError(ExitCode.USAGE, _import_problem(name, error), hint) from None


def _import_problem(name: str, error: BaseException) -> str:
    """Return in one line where an author's file could not be imported, and why."""
    what = cut(f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_authors(frame.filename)]
    if isinstance(error, SyntaxError) and error.filename:
        file, line = Path(error.filename).name, error.lineno or 1
    elif frames:
        file, line = Path(frames[-1].filename).name, frames[-1].lineno or 1
    else:
        return _("{module} cannot be imported: {problem}").format(module=name, problem=what)
    return _("{file}, line {line}: {problem}").format(file=file, line=line, problem=what)


def _is_authors(file: str) -> bool:
    """Return whether a file of a traceback is not one of Python's import machinery or of this package."""
    return not file.startswith("<") and Path(file).parent != Path(__file__).parent
