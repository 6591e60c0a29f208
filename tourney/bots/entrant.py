"""Entrants: the bots that a league or a game names, as text, and where each kind of them comes from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.rules import Rules
from tourney.bots.files.own_files import OwnFile
from tourney.bots.isolation.enclosure import Walled
from tourney.bots.isolation.levels import Level
from tourney.bots.seated import SeatedBot
from tourney.domain.leagues import OutsideBot


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat of a new game: the rules, how many play, the seat from 0, the seed of the bot's own chance, the stake.

    What is said to a program, and what it says, is added to the `log`, if there is one.
    """

    rules: Rules
    players: int
    seat: int
    seed: str
    stake: int = 0
    log: list[str] | None = None


Sit = Callable[[NewSeat], SeatedBot]
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
    """A kind of entrants, by how its text is written, and the levels at which it can play, the default first."""

    levels: tuple[Level, ...]

    def recognises(self, text: str) -> bool:
        """Return whether a text names an entrant of this kind."""
        ...

    def canonical(self, text: str, folder: Path, files: Sequence[Path], level: Level) -> str:
        """Return the text in the one form of all that mean the same. Raises TourneyError for a wrong one.

        Code of the entrant runs at no lower level than this; `files` are those that it may read there.
        """
        ...

    def files(self, text: str, folder: Path) -> tuple[OwnFile, ...]:
        """Return the files of which the entrant consists, as far as they are known."""
        ...

    def walled(self, bot: OutsideBot, level: Level) -> Walled | None:
        """Return what a bot starts behind its wall; None if it is a part of this program.

        Raises TourneyError if it is not there, or there is no such wall here. No code of the bot runs.
        """
        ...

    def read(self, bot: OutsideBot, level: Level) -> Entrant:
        """Return the entrant, ready to play at that level. Raises TourneyError if it is not there."""
        ...
