"""Prove the walls of bots from outside before they play: hostile probes try what these could."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.bots.isolation.levels import Level

UNGUESSABLE: Final = 16
"""The fewest characters of a seed that nobody guesses."""
_proved: set[tuple[str, str]] = set()
"""The proofs since the program started: a level, and the file of the journal that was tried."""


def prove_walls(db: str | None, outside: Sequence[OutsideBot], isolation: str = "") -> None:
    """Prove the levels at which bots from outside play, each once while the program runs.

    `isolation` is the level at which they play at least ('': the usual one of each kind).

    Raises TourneyError REFUSED if a probe gets through, or the probes cannot be tried.
    """
    levels = _levels(outside, isolation)
    if not any(level.proved for level in levels):
        return
    from tourney.bots.roster import files_on_disk

    journal = str(storage.locate(db).absolute())
    files = [str(file) for bot in outside for file in files_on_disk(bot)]
    for level in levels:
        if level.proved and (level.name, journal) not in _proved:
            leaks = _leaks(level, journal, [file for file in files if Path(file).is_file()])
            if leaks:
                raise _refused(level.name, leaks)
            _proved.add((level.name, journal))


def has_proved_isolation(outside: Sequence[OutsideBot], isolation: str = "") -> bool:
    """Return whether one of these bots plays behind a wall that is proved."""
    return any(level.proved for level in _levels(outside, isolation))


def is_guessable(seed: str) -> bool:
    """Return whether a bot may guess the seed, from which all cards follow."""
    return len(seed) < UNGUESSABLE


def _levels(outside: Sequence[OutsideBot], isolation: str) -> list[Level]:
    """Return the levels at which bots from outside play, each once."""
    if not outside:
        return []
    from tourney.bots.roster import level_of

    return list(dict.fromkeys(level_of(bot, isolation) for bot in outside))


def _leaks(level: Level, journal: str, others: list[str]) -> tuple[str, ...]:
    """Return the probes that get through a level."""
    from tourney.bots.isolation.levels import WASM
    from tourney.bots.isolation.proof import prove
    from tourney.bots.isolation.sandbox import sandbox
    from tourney.bots.wasm.proof_run import prove_modules

    return prove_modules(journal, others) if level is WASM else prove(sandbox(), journal, others).leaks


def _refused(level: str, leaks: tuple[str, ...]) -> TourneyError:
    message = _("the level {level} does not hold here; probes that got through: {leaks}")
    hint = _("no bot was started; use another level with --isolation only for bots that you trust")
    return TourneyError(ExitCode.REFUSED, message.format(level=level, leaks=", ".join(leaks)), hint)
