"""Levels of isolation, from none to the strongest: what stands between a bot and the program that lets it play."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class Level:
    """A level by its name; a greater strength stops more. A `secret` one hides whatever a bot is not to know."""

    name: str
    strength: int
    secret: bool = False


TRUSTED: Final = Level("trusted", 0)
"""A part of this program: built-in bots, and Python classes whose organiser asks for it."""
PROCESS: Final = Level("process", 1)
"""A process of its own, which is limited and ended, and can read whatever the user can read."""
SANDBOX: Final = Level("sandbox", 2, secret=True)
"""A process that sees its own files and the system's programs, and has no network."""
WASM: Final = Level("wasm", 3, secret=True)
"""A WebAssembly module, which has its input and output, and nothing else."""

LEVELS: Final = {level.name: level for level in (TRUSTED, PROCESS, SANDBOX, WASM)}
"""The levels by name, the weakest first."""


def read_level(name: str) -> Level | None:
    """Return the level of that name, None for ''. Raises TourneyError USAGE for another text."""
    if not name:
        return None
    if name not in LEVELS:
        message = _("“{name}” is not a level of isolation").format(name=name[:40])
        raise TourneyError(ExitCode.USAGE, message, _("the levels are: {levels}").format(levels=", ".join(LEVELS)))
    return LEVELS[name]


def level_for(bot: str, possible: Sequence[Level], asked: Level | None) -> Level:
    """Return the weakest level that is possible for a bot and as strong as the one asked for; None: its default.

    The first of the possible levels is the default.

    Raises TourneyError USAGE if there is none.
    """
    enough = [level for level in possible if asked is None or level.strength >= asked.strength]
    if not enough:
        assert asked is not None
        message = _("“{bot}” cannot play at the level {level}").format(bot=bot[:80], level=asked.name)
        hint = _("the strongest level for it is {level}").format(level=possible[-1].name)
        raise TourneyError(ExitCode.USAGE, message, hint)
    return possible[0] if asked is None else min(enough, key=lambda level: level.strength)
