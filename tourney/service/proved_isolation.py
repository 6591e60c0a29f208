"""Prove the walls of bots from outside before they play: hostile probes try what these could."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final
from warnings import warn

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.events import Event
from tourney.domain.leagues import OutsideBot
from tourney.service.trusted_bots import forget_seeds, is_drawn_here, remember_seed
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.bots.isolation.enclosure import Walled
    from tourney.bots.isolation.levels import Level

UNGUESSABLE: Final = 16
"""The fewest characters of a seed that nobody guesses."""
SQLITE: Final = b"SQLite format 3\0"
"""The first bytes of a database, by the page “Database File Format” of sqlite.org."""
_proved: set[tuple[object, str]] = set()
"""The proofs since the program started: a bot behind its wall, or a level, and the file of the journal."""


def prove_walls(db: str | None, outside: Sequence[OutsideBot], isolation: str = "") -> None:
    """Prove the walls behind which bots from outside play, each once while the program runs.

    `isolation` is the level at which they play at least ('': the default of each kind).

    Raises TourneyError REFUSED if a probe gets through, or the probes cannot be tried.
    """
    if not outside:
        return
    from tourney.bots.roster import prove_each

    prove_each(outside, isolation, partial(prove_wall, db))


def prove_wall(db: str | None, level: Level, walled: Walled | None, files: Sequence[Path]) -> None:
    """Prove a level once for each bot while the program runs, with its own wall, files, environment and limits.

    None of the `files` may be read through the wall. Raises TourneyError as `prove_walls`.
    """
    from tourney.bots.isolation.levels import TRUSTED

    journal = str(storage.locate(db).absolute())
    _refuse_journal(journal, files)
    proved = (walled or level, journal)
    if proved in _proved:
        return
    if level is TRUSTED:
        _warn_of_trusted()
    leaks = _leaks(level, walled, journal, [str(file) for file in files if file.is_file()])
    if leaks:
        raise _refused(level.name, leaks)
    _proved.add(proved)


def _warn_of_trusted() -> None:
    message = _(
        "classes at the level trusted run inside this program: they can read all cards and files, and change results"
    )
    warn(TourneyWarning(message), stacklevel=2)


def _refuse_journal(journal: str, files: Sequence[Path]) -> None:
    """Raise TourneyError REFUSED if a file of a bot is a database, or lies where copies of this one do."""
    for file in files:
        if _is_database(file) or _is_copy(file, Path(journal)):
            message = _("the bot's file {path} is a database, or a copy of one").format(path=file)
            raise TourneyError(ExitCode.REFUSED, message, _("give the bot a folder of its own, without it"))


def _is_database(file: Path) -> bool:
    """Return whether a file begins as databases of SQLite do."""
    with suppress(OSError), open(file, "rb") as opened:
        return opened.read(len(SQLITE)) == SQLITE
    return False


def _is_copy(file: Path, journal: Path) -> bool:
    """Return whether a file is named after the database, as its log, its mirrors and its backups are."""
    return file.name.startswith(journal.name) and file.resolve().is_relative_to(journal.parent.resolve())


def keeps_secrets(outside: Sequence[OutsideBot], isolation: str = "") -> bool:
    """Return whether one of these bots plays behind a wall that hides what it is not to know."""
    if not outside:
        return False
    from tourney.bots.roster import level_of

    return any(level_of(bot, isolation).secret for bot in outside)


def drawn_seed() -> str:
    """Return a seed that nobody can guess.

    Deals follow from a seed by rules that everybody can read: who knows it knows all cards.
    """
    return token_hex(16)


def with_deals(store: storage.Store, event: Event, outside: Sequence[OutsideBot]) -> Event:
    """Return the event with a seed for the deals of bots from outside, drawn now if there are some and it lacks one."""
    if not outside or not lacks_deals(event, store.db):
        return event
    deals = drawn_seed()
    if not store.dry_run:
        remember_seed(deals, store.db, _of_event(event))
    return store.set_event(event, replace(event.settings, deals=deals))


def lacks_deals(event: Event, db: str | None) -> bool:
    """Return whether deals need a seed: there is none, or it was drawn elsewhere, so that others know all cards."""
    drawn = event.settings.drawn_deals
    return not event.settings.deals or (drawn != "" and not is_drawn_here(drawn, db, _of_event(event)))


def draw_deals_again(store: storage.Store, event: Event) -> None:
    """Let bots from outside get a new seed for their next deals: after this transaction others know the present one."""
    if event.settings.drawn_deals:
        store.after_commit(lambda: forget_seeds(store.db, _of_event(event)))


def _of_event(event: Event) -> str:
    return f"event {event.id}"


def is_guessable(seed: str) -> bool:
    """Return whether a bot may guess the seed, from which all cards follow."""
    return len(seed) < UNGUESSABLE


def _leaks(level: Level, walled: Walled | None, journal: str, others: list[str]) -> tuple[str, ...]:
    """Return the probes that get through a bot's wall, of those that its level promises to stop."""
    from tourney.bots.isolation.levels import WASM
    from tourney.bots.isolation.proof import promised, prove
    from tourney.bots.wasm.proof_run import prove_modules

    if walled is None:
        return ()
    return (
        prove_modules(walled, journal, others)
        if level is WASM
        else prove(walled, journal, others, promised(level)).leaks
    )


def _refused(level: str, leaks: tuple[str, ...]) -> TourneyError:
    message = _("the level {level} does not hold here; probes that got through: {leaks}")
    hint = _("no bot was started; use another level with --isolation only for bots that you trust")
    return TourneyError(ExitCode.REFUSED, message.format(level=level, leaks=", ".join(leaks)), hint)
