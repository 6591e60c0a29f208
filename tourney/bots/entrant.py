"""Entrants: the bots that a league or a game names, as text, and where each kind of them comes from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from engine.rules import Rules
from tourney.bots.isolation.enclosure import Wall
from tourney.bots.isolation.levels import Level
from tourney.bots.seated import SeatedBot
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class Seating:
    """A seat of a new game: the rules, how many play, the seat from 0, the seed of the bot's own chance, the stake.

    What is said to a program, and what it says, is added to the `log`, if there is one.
    """

    rules: Rules
    players: int
    seat: int
    seed: str
    stake: int = 0
    log: list[str] | None = None


Sit = Callable[[Seating], SeatedBot]
"""Seats a bot in the games of one block."""


class Entrant(Protocol):
    """A bot from outside, ready to play."""

    def check(self, rules: Rules, seats: int) -> None:
        """Raise TourneyError if it cannot play a league of these rules at tables of this size."""
        ...

    def block(self) -> Sit:
        """Return what seats it in the games of a new block."""
        ...


class Kind(Protocol):
    """A kind of entrants, by how its text is written, and the levels at which it can play, the usual one first."""

    levels: tuple[Level, ...]

    def recognises(self, text: str) -> bool:
        """Return whether a text names an entrant of this kind."""
        ...

    def canonical(self, text: str, folder: Path, files: Sequence[Path], level: Level) -> str:
        """Return the text in the one form of all that mean the same. Raises TourneyError for a wrong one.

        Code of the entrant runs at no lower level than this; `files` are those that it may read there.
        """
        ...

    def files(self, text: str, folder: Path) -> tuple[Path, ...]:
        """Return the files of which the entrant consists, as far as they are known."""
        ...

    def wall(self, level: Level) -> Wall | None:
        """Return the wall of its entrants at a level; None if there is none, or not one for programs."""
        ...

    def read(self, bot: OutsideBot, level: Level) -> Entrant:
        """Return the entrant, ready to play at that level. Raises TourneyError if it is not there."""
        ...


def file_digest(file: Path) -> str:
    """Return the SHA-256 of a file. Raises TourneyError NOT_FOUND if it cannot be read."""
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        message = _("the bot's file {path} cannot be read: {reason}").format(path=file, reason=error.strerror)
        raise TourneyError(
            ExitCode.NOT_FOUND, message, _("check the path; it counts from the folder you are in")
        ) from None


def with_digests(files: Sequence[Path], folder: Path) -> tuple[tuple[str, str], ...]:
    """Return the files by their paths from the folder, or their names elsewhere, each with its digest."""
    return tuple([(_shown(file, folder), file_digest(file)) for file in dict.fromkeys(files)])


def files_of(bot: OutsideBot, known: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files of a bot where they lie: in its folder, or where `known` ones of that name are."""
    folder = Path(bot.folder)
    elsewhere = {file.name: file for file in known}
    return tuple([_place(folder / name, elsewhere.get(name)) for name, _digest in bot.files])


def _place(file: Path, elsewhere: Path | None) -> Path:
    return file if elsewhere is None or file.is_file() else elsewhere


def _shown(file: Path, folder: Path) -> str:
    """Return a path without what differs from machine to machine."""
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name
