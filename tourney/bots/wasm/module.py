"""WebAssembly modules as entrants: `wasm:bot.wasm` speaks the protocol, and is limited by fuel."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from engine.rules import Rules
from engine.seeds import hash_seed
from tourney.bots.entrant import NewSeat, Sit
from tourney.bots.files.copies import copied
from tourney.bots.files.own_files import OwnFile, files_of
from tourney.bots.isolation.enclosure import Walled
from tourney.bots.isolation.levels import WASM, Level
from tourney.bots.limits import Limits, limits_of
from tourney.bots.process import refuse_on_windows
from tourney.bots.program import check_speaker
from tourney.bots.protocol.dialect import WORDS
from tourney.bots.protocol.session import Failures, Session, logged
from tourney.bots.wasm import engine, wire
from tourney.bots.wasm.lines import ENGINE, ModuleLines, launcher, patience
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import MODULE_PREFIX, OutsideBot
from tourney.text.i18n import _
from tourney.text.sanitize import pip_command


@dataclass(frozen=True, slots=True)
class Module:
    """A module that plays: its file and its limits, of which those in seconds do not count."""

    file: str
    limits: Limits

    @property
    def shown(self) -> str:
        """The name of the file."""
        return Path(self.file).name

    def check(self, rules: Rules, seats: int) -> None:
        """Greet the module once. Raises TourneyError USAGE if it cannot play a league of these rules."""
        check_speaker(
            partial(ModuleLines, self.file, self.limits, "", []), self.shown, patience(self.limits), rules, seats
        )

    def block(self) -> Sit:
        """Return what runs the module at each seat of each game; after some failures it is out of the block."""
        return partial(self.seat, failures=Failures())

    def seat(self, seating: NewSeat, failures: Failures) -> Session:
        """Return the module at its seat of a new game."""
        game = WORDS.game(seating.rules, seating.players, seating.seat, seating.seed, seating.stake)
        costs: list[int] = []
        start = partial(ModuleLines, self.file, self.limits, hash_seed(f"{seating.seed}/wasm"), costs)
        seconds = patience(self.limits)
        patient = replace(self.limits, action=seconds, bank=0.0, start=seconds)
        session = Session(logged(start, seating.log), patient, failures, seating.rules, game)
        session.fuel = costs
        return session


class ModuleKind:
    """The kind of entrants that are WebAssembly modules: `wasm:` and a file."""

    levels: tuple[Level, ...] = (WASM,)

    def recognises(self, text: str) -> bool:
        """Return whether the text begins as a module does."""
        return text.startswith(MODULE_PREFIX)

    def canonical(self, text: str, folder: Path, files: Sequence[Path], level: Level) -> str:
        """Return the text. Raises TourneyError for a file that is no module, or without the engine that runs it."""
        refuse_on_windows()
        _check_module(folder / _file(text))
        runtime()
        return MODULE_PREFIX + _file(text)

    def files(self, text: str, folder: Path) -> tuple[OwnFile, ...]:
        """Return the module's file, which may lie anywhere if its path is absolute."""
        return (OwnFile(folder / _file(text), None if _file(text).startswith("/") else folder),)

    def walled(self, bot: OutsideBot, level: Level) -> Walled:
        """Return the launcher of the module, behind its wall; the engine is another one. Raises as `OwnFile.opened`."""
        module = self._copied(bot)
        return launcher(module.file, module.limits)

    def read(self, bot: OutsideBot, level: Level) -> Module:
        """Return the module. Raises TourneyError REFUSED if the engine that played it counted otherwise."""
        if bot.runtime != runtime():
            message = _("{bot} was played by {before}, and here is {now}: it may spend other amounts of fuel")
            message = message.format(bot=bot.name, before=bot.runtime, now=runtime())
            raise TourneyError(ExitCode.REFUSED, message, _("install that version, or start a new league"))
        return self._copied(bot)

    def _copied(self, bot: OutsideBot) -> Module:
        own = self.files(bot.entrant, Path(bot.folder))
        copies = copied(bot, files_of(bot, own))
        return Module(str(Path(copies.folder, own[0].name)), limits_of(bot.limits))


MODULE = ModuleKind()


def runtime() -> str:
    """Return the engine that runs modules: the reference version if it counts fuel alike, or else its own version.

    Raises TourneyError REFUSED if there is none.
    """
    if find_spec(ENGINE) is None:
        message = _("WebAssembly modules need the package {package}, which is not installed").format(package=ENGINE)
        raise TourneyError(ExitCode.REFUSED, message, pip_command("wasm"))
    return f"{ENGINE} {_counts_as(version(ENGINE))}"


@cache
def _counts_as(installed: str) -> str:
    """Return the reference version if the one that is installed counts alike."""
    return engine.REFERENCE if engine.counted() == engine.COUNTED else installed


def _file(text: str) -> str:
    return text.removeprefix(MODULE_PREFIX).strip()


def _check_module(file: Path) -> None:
    """Raise TourneyError NOT_FOUND for a file that is not there, USAGE for one that is no module."""
    try:
        with open(file, "rb") as opened:
            begin = opened.read(len(wire.MAGIC))
    except OSError as error:
        message = _("the bot's file {path} cannot be read: {reason}").format(path=file, reason=error.strerror)
        hint = _("check the path; it counts from the folder you are in")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint) from None
    if begin != wire.MAGIC:
        message = _("{path} is not a WebAssembly module").format(path=file)
        hint = _("build one for wasm32-wasi; a program is named as in cmd:./bot")
        raise TourneyError(ExitCode.USAGE, message, hint)
