"""Trust in bots from outside: those named or trusted here, seeds drawn here, and walls proved before anybody plays.

The list of trusted bots and drawn seeds is in the user's data folder, outside every database. So what comes with a file
cannot say that it is trusted.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Final
from warnings import warn

from tourney import storage
from tourney.bots import builtin, roster
from tourney.bots.isolation import enclosure, levels, proof
from tourney.bots.limits import larger_limits
from tourney.bots.wasm import proof_run
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.events import Event
from tourney.domain.leagues import League, OutsideBot
from tourney.files.named import unwritable
from tourney.text.i18n import _

_named_now: Final[set[str]] = set()
"""The digests that were added since the program started: its file may not be writable."""


@dataclass(frozen=True, slots=True)
class Consent:
    """An organiser's consent to stored bots: the least level at which they play, and whether to trust them.

    Trust that is not to be remembered, as in a dry run, holds for this once.
    """

    isolation: str = ""
    trust: bool = False
    remember: bool = True


NO_CONSENT: Final = Consent()


def trust(outside: Sequence[OutsideBot], isolation: str = "") -> None:
    """Remember bots as trusted at this level by this user, in a file outside every database; warn of larger limits."""
    for bot in outside:
        if larger := larger_limits(bot.limits):
            message = _("{bot} may have more than the default: {limits}")
            warn(TourneyWarning(message.format(bot=bot.name, limits=larger)), stacklevel=2)
    _remember([_digest(bot, isolation) for bot in outside])


def remember_seed(seed: str, reader: storage.Reader, drawn_for: str) -> None:
    """Remember a seed as drawn by this user for one league or event of a database, such as `event 2`."""
    _remember([_seed_digest(seed, reader, drawn_for)])


def is_drawn_here(seed: str, reader: storage.Reader, drawn_for: str) -> bool:
    """Return whether this user has drawn the seed for that league or event.

    The maker of a file knows the seed that came with it, also where it is one that another event has shown at its end.
    """
    return _seed_digest(seed, reader, drawn_for) in _known()


def strike_seed(seed: str, reader: storage.Reader, drawn_for: str) -> None:
    """Let a seed that was shown count as known from now on, also where a copy from before is put back later."""
    if is_drawn_here(seed, reader, drawn_for):
        forget_seeds(reader.db, drawn_for)


def forget_seeds(db: str | None, drawn_for: str = "") -> None:
    """Let the seed of one league or event, or all seeds of a database, count as drawn elsewhere from now on.

    Others know the seed, or the cards that follow from it: it was shown, or a record that the database has lost. Raises
    TourneyError STORAGE if the list of seeds cannot be written: the seed would count as secret.
    """
    if _known():
        forgotten = _forgotten(db, drawn_for, _times_forgotten(db, drawn_for))
        _named_now.add(forgotten)
        _add_to_list([forgotten])


def refuse_fixed_list() -> None:
    """Raise TourneyError STORAGE if the list of drawn seeds cannot be written, so that none could be forgotten."""
    if os.path.lexists(storage.trusted_bots_file()):
        _add_to_list([])


def _add_to_list(digests: Sequence[str]) -> None:
    file = storage.trusted_bots_file()
    try:
        storage.add_lines(file, digests)
    except OSError as error:
        # Without a list no seed is known, and none has to be forgotten.
        if os.path.lexists(file):
            raise unwritable(file, error) from None


def _times_forgotten(db: str | None, drawn_for: str) -> int:
    known = _known()
    return next(times for times in count() if _forgotten(db, drawn_for, times) not in known)


def _forgotten(db: str | None, drawn_for: str, times: int) -> str:
    return _hashed("forgotten", _place(db), drawn_for, str(times))


def _remember(digests: Sequence[str]) -> None:
    known = _known()
    new = [digest for digest in digests if digest not in known]
    _named_now.update(new)
    if not new:
        return
    # Where nothing can be kept, the organiser is asked again next time.
    with suppress(OSError):
        storage.add_lines(storage.trusted_bots_file(), new)


def _seed_digest(seed: str, reader: storage.Reader, drawn_for: str) -> str:
    """Return the digest of a drawn seed: another database at this path, with its own first entry, did not draw it."""
    times = [str(_times_forgotten(reader.db, scope)) for scope in ("", drawn_for)]
    return _hashed("seed", _place(reader.db), next(reader.journal.hashes(), ""), drawn_for, seed, *times)


def _place(db: str | None) -> str:
    return os.path.realpath(storage.locate(db))


def _hashed(*what: str) -> str:
    return sha256(storage.canonical_json(what).encode()).hexdigest()


def permitted(league: League, consent: Consent = NO_CONSENT) -> League:
    """Return the league as its bots may play it, at the level of the league or of the consent, the stronger one.

    Raises TourneyError as `permitted_bots`.
    """
    isolation = least_level(league, consent.isolation)
    return replace(league, outside=permitted_bots(league.outside, isolation, consent), isolation=isolation)


def least_level(league: League, asked: str = "") -> str:
    """Return the least level at which bots play a league here: its own one or the one asked for, the stronger one.

    A league may have come from elsewhere: the level below the default counts only where a command asks for it.
    """
    own = "" if league.isolation == levels.TRUSTED.name else league.isolation
    return _stronger(own, asked)


def permitted_bots(
    outside: Iterable[OutsideBot], isolation: str, consent: Consent = NO_CONSENT
) -> tuple[OutsideBot, ...]:
    """Return stored bots with their whole folders, if they may play at this level.

    They may if they are trusted, or if the organiser asks here for a level that keeps secrets and their limits are not
    larger than the default ones. Raises TourneyError REFUSED otherwise, with their names, before anything of them is
    read. Trust needs their files: raises as `check_files`.
    """
    found = placed(outside)
    known = _known()
    unknown = [bot for bot in found if not _is_built_in(bot) and not _is_trusted(bot, isolation, known)]
    asked = levels.read_level(consent.isolation)
    if walled := asked is not None and asked.secret:
        unknown = [bot for bot in unknown if larger_limits(bot.limits)]
    if unknown and not consent.trust:
        message = _("bots that came with a file or a database are not trusted here: {bots}")
        hint = _("play them behind a wall with `--isolation sandbox`, or let them run as you with `--trust-bots`")
        if walled:
            hint = _("ask for a file without larger limits, or let them run as you with `--trust-bots`")
        raise TourneyError(ExitCode.REFUSED, message.format(bots=_listed(unknown)), hint)
    for bot in unknown:
        for name in roster.unlisted_files(bot):
            message = _(
                "{bot} cannot be trusted: its file {file} could change, since the league or event has no digest of it"
            )
            hint = _("play it behind a wall with `--isolation sandbox`, or ask its author for a file of this program")
            raise TourneyError(ExitCode.REFUSED, message.format(bot=bot.name, file=name), hint)
    # Trust in a file that is not there, or is another one by now, would be trust in nothing.
    roster.check_files(unknown)
    if unknown:
        told = _("trusted from now on: {bots}") if consent.remember else _("trusted in this dry run only: {bots}")
        warn(TourneyWarning(told.format(bots=_listed(unknown))), stacklevel=2)
        if consent.remember:
            trust(unknown, isolation)
    return found


def placed(outside: Iterable[OutsideBot]) -> tuple[OutsideBot, ...]:
    """Return the bots with absolute folders; a relative one counts from the folder where the command runs."""
    here = Path.cwd()
    return tuple([bot if _is_built_in(bot) else replace(bot, folder=str(here / bot.folder)) for bot in outside])


def _listed(bots: Sequence[OutsideBot]) -> str:
    return "; ".join([f"{bot.name}: {bot.entrant} ({_with_limits(bot)})" for bot in bots])


def _with_limits(bot: OutsideBot) -> str:
    larger = larger_limits(bot.limits)
    return f"{bot.folder}; {larger}" if larger else bot.folder


def _is_built_in(bot: OutsideBot) -> bool:
    return roster.kind_of(bot.entrant) is builtin.BUILT_IN


def _digest(bot: OutsideBot, isolation: str) -> str:
    """Return the digest of what runs: the entrant in its folder with its files and limits, and its level."""
    return _hashed(roster.level_of(bot, isolation).name, os.path.realpath(bot.folder), *map(repr, bot.identity[1:]))


def _is_trusted(bot: OutsideBot, isolation: str, known: Container[str]) -> bool:
    """Return whether a bot may play at a level: one that may without a process of its own may behind one, too."""
    return _digest(bot, isolation) in known or _digest(bot, levels.TRUSTED.name) in known


def _known() -> set[str]:
    """Return the digests of trusted bots and drawn seeds."""
    kept: set[str] = set()
    with suppress(OSError, UnicodeDecodeError):
        kept = set(storage.trusted_bots_file().read_text("ascii").split())
    return kept | _named_now


def _stronger(one: str, other: str) -> str:
    """Return the stronger of two levels; '' is the default of each kind of bot."""
    first, second = levels.read_level(one), levels.read_level(other)
    if first is None or second is None:
        return one or other
    return max(first, second, key=lambda level: level.strength).name


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

    roster.prove_each(outside, isolation, partial(prove_wall, db))


def prove_wall(db: str | None, level: levels.Level, walled: enclosure.Walled | None, files: Sequence[Path]) -> None:
    """Prove a level once for each bot while the program runs, with its own wall, files, environment and limits.

    None of the `files` may be read through the wall. Raises TourneyError as `prove_walls`.
    """
    journal = str(storage.locate(db).absolute())
    _refuse_journal(journal, files)
    proved = (walled or level, journal)
    if proved in _proved:
        return
    if level is levels.TRUSTED:
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

    return any(roster.level_of(bot, isolation).secret for bot in outside)


def drawn_seed() -> str:
    """Return a seed that nobody can guess.

    Deals follow from a seed by rules that everybody can read: who knows it knows all cards.
    """
    return token_hex(16)


def with_deals(store: storage.Store, event: Event, outside: Sequence[OutsideBot]) -> Event:
    """Return the event with a seed for the deals of bots from outside, drawn now if there are some and it lacks one."""
    if not outside or not lacks_deals(event, store):
        return event
    deals = drawn_seed()
    if not store.dry_run:
        remember_seed(deals, store, _of_event(event))
    return store.events.change(event, replace(event.settings, deals=deals))


def lacks_deals(event: Event, reader: storage.Reader) -> bool:
    """Return whether deals need a seed: there is none, or others know all cards, since it was drawn elsewhere or shown.

    The end of an event shows its seed, and so does its file.
    """
    deals, drawn = event.settings.deals, event.settings.drawn_deals
    if not deals or not drawn:
        return not deals
    return not is_drawn_here(drawn, reader, _of_event(event)) or reader.events.has_shown(event.id, drawn)


def draw_deals_again(store: storage.Store, event: Event) -> None:
    """Let bots from outside get a new seed for their next deals: after this transaction others know the present one.

    Raises TourneyError as `refuse_fixed_list` does.
    """
    if event.settings.drawn_deals:
        refuse_fixed_list()
        store.after_commit(lambda: forget_seeds(store.db, _of_event(event)))


def _of_event(event: Event) -> str:
    return f"event {event.id}"


def is_guessable(seed: str) -> bool:
    """Return whether a bot may guess the seed, from which all cards follow."""
    return len(seed) < UNGUESSABLE


def _leaks(level: levels.Level, walled: enclosure.Walled | None, journal: str, others: list[str]) -> tuple[str, ...]:
    """Return the probes that get through a bot's wall, of those that its level promises to stop."""
    if walled is None:
        return ()
    return (
        proof_run.prove_modules(walled, journal, others)
        if level is levels.WASM
        else proof.prove(walled, journal, others, proof.promised(level, walled.wall)).leaks
    )


def _refused(level: str, leaks: tuple[str, ...]) -> TourneyError:
    message = _("the level {level} does not hold here; probes that got through: {leaks}")
    hint = _("no bot was started; use another level with --isolation only for bots that you trust")
    return TourneyError(ExitCode.REFUSED, message.format(level=level, leaks=", ".join(leaks)), hint)
