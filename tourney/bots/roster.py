"""The roster of a league or game: the bots that texts and entrants files name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engine.bots import BOTS
from engine.bots.parameters import split_bot
from engine.rules import Rules
from tourney.bots.builtin import BUILT_IN
from tourney.bots.entrant import Entrant, Kind
from tourney.bots.entrants_file import FileBot, read_entrants_file
from tourney.bots.files.copies import changed, copied
from tourney.bots.files.own_files import OwnFile, files_of, with_digests
from tourney.bots.isolation.enclosure import Walled
from tourney.bots.isolation.levels import TRUSTED, Level, level_for, read_level
from tourney.bots.program import PROGRAM
from tourney.bots.python_class import PYTHON_CLASS
from tourney.bots.wasm.module import MODULE, runtime
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import MOST_BOTS, OutsideBot
from tourney.text.i18n import _

KINDS: Final[tuple[Kind, ...]] = (PROGRAM, MODULE, PYTHON_CLASS, BUILT_IN)
"""The kinds of entrants; a text is of the first that recognises it."""


@dataclass(frozen=True, slots=True)
class Roster:
    """Bots by name, in order; `outside` has those that are not built in."""

    bots: tuple[str, ...]
    outside: tuple[OutsideBot, ...] = ()


Prover = Callable[[Level, Walled | None, Sequence[Path]], None]
"""Proves a level, and what a bot starts behind its wall, before any code of it runs: these files it may not read."""


def unproved(level: Level, walled: Walled | None, files: Sequence[Path]) -> None:
    """Prove nothing: nothing is to be played yet."""


def read_roster(
    texts: Sequence[str],
    folder: Path,
    known: Sequence[OutsideBot] = (),
    isolation: str = "",
    prove: Prover = unproved,
) -> Roster:
    """Return the bots that the texts name; `@FILE` names those of an entrants file. Paths count from the folder.

    `isolation` is the level at which they play at least, '' the usual one. A text that is the name of a `known` bot
    means that bot. The form of a class's text may follow from its code, which runs behind a wall that was proved
    before. Raises TourneyError for a bot that is not there, is named wrongly, or has the name of another one.
    """
    bots: list[str] = []
    outside: dict[str, OutsideBot] = {bot.name: bot for bot in known}
    level = read_level(isolation)
    for text in texts:
        if text in outside:
            bots.append(text)
            continue
        for bot in _read(text, folder, level, prove):
            bots.append(bot.name)
            if bot != _built_in(bot.name):
                _check_name(bot, outside)
                outside[bot.name] = bot
    if len(bots) > MOST_BOTS:
        raise TourneyError(ExitCode.USAGE, _("a league has at most {most} bots").format(most=MOST_BOTS), "")
    return Roster(tuple(bots), tuple([outside[name] for name in dict.fromkeys(bots) if name in outside]))


def _built_in(name: str) -> OutsideBot:
    """Return a built-in bot under its own name."""
    return OutsideBot(name, name)


def _read(text: str, folder: Path, level: Level | None = None, prove: Prover = unproved) -> list[OutsideBot]:
    if not text.startswith("@"):
        return [_outside_bot(FileBot(text), folder, level, prove)]
    file = folder / text[1:]
    home = file.resolve().parent
    bots = read_entrants_file(file)
    for bot in bots:
        _refuse_outside(bot, home, file)
    return [_outside_bot(bot, home, level, prove) for bot in bots]


def _refuse_outside(bot: FileBot, home: Path, file: Path) -> None:
    """Raise TourneyError REFUSED for a bot outside the folder of its entrants file, which its author wrote."""
    kind = kind_of(bot.entrant)
    _text, folder = _placed(kind, bot.entrant, home)
    anywhere = kind is MODULE and any(own.folder is None for own in kind.files(bot.entrant, home))
    if folder != home or anywhere:
        message = _("{file}: the bot “{entrant}” lies outside the folder of this file")
        hint = _(
            "a bot may lie anywhere only if you name it yourself, after --bots; in the file, name it from its folder"
        )
        raise TourneyError(ExitCode.REFUSED, message.format(file=file, entrant=bot.entrant[:80]), hint)


def _placed(kind: Kind, text: str, folder: Path) -> tuple[str, Path]:
    """Return the text and the resolved folder of a bot, of which a whole path names another folder."""
    if text.startswith("/"):
        folder, text = Path(text).parent, text.rpartition("/")[2]
    if kind is PROGRAM:
        text, folder = PROGRAM.placed(text, folder.resolve())
    return text, folder.resolve()


def _outside_bot(bot: FileBot, folder: Path, asked: Level | None, prove: Prover) -> OutsideBot:
    kind = kind_of(bot.entrant)
    text, folder = _placed(kind, bot.entrant, folder)
    if kind is BUILT_IN:
        entrant = BUILT_IN.canonical(text, folder)
        return OutsideBot(bot.name or entrant, entrant)
    own = tuple(dict.fromkeys((*[OwnFile(folder / name, folder) for name in bot.files], *kind.files(text, folder))))
    level = level_for(text, kind.levels, asked)
    found = OutsideBot(bot.name or text, text, str(folder), with_digests(own), bot.limits)
    place = copied(found, own) if level.secret else found
    reads = [str(Path(place.folder, name)) for name, _digest in found.files]
    if kind is PYTHON_CLASS:
        prove(level, kind.walled(found, level), [file.path for file in own])
    entrant = kind.canonical(text, Path(place.folder), list(map(Path, reads)), level)
    runs_on = runtime() if kind is MODULE else ""
    return replace(found, name=bot.name or entrant, entrant=entrant, runtime=runs_on)


def kind_of(text: str) -> Kind:
    """Return the kind of the entrant that the text names."""
    return next(kind for kind in KINDS if kind.recognises(text))


def _check_name(bot: OutsideBot, others: dict[str, OutsideBot]) -> None:
    """Raise TourneyError USAGE if another bot has this name."""
    if split_bot(bot.name)[0] in BOTS:
        message = _("“{name}” is the name of a built-in bot").format(name=bot.name[:80])
        raise TourneyError(ExitCode.USAGE, message, _("give yours another name"))
    if bot.name in others and others[bot.name] != bot:
        message = _("two bots are called “{name}”").format(name=bot.name[:80])
        hint = _("give each a name of its own in an entrants file, such as --bots @field.toml")
        raise TourneyError(ExitCode.USAGE, message, hint)


def read_one(text: str, folder: Path, isolation: str = "", prove: Prover = unproved) -> tuple[OutsideBot, Entrant]:
    """Return the one bot that a text names, loaded. Raises TourneyError as `read_roster`, USAGE for several bots."""
    bots = _read(text, folder, read_level(isolation), prove)
    if len(bots) > 1:
        message = _("{file} names {n} bots").format(file=text[1:81], n=len(bots))
        raise TourneyError(ExitCode.USAGE, message, _("name one of them, as the file has it after `entrant`"))
    (bot,) = bots
    return bot, _ready(bot, isolation)


def entrants_of(outside: Sequence[OutsideBot], isolation: str = "") -> dict[str, Entrant]:
    """Return the bots, ready to play, by name. Raises TourneyError if one is not there."""
    return {bot.name: _ready(bot, isolation) for bot in outside}


def _ready(bot: OutsideBot, isolation: str) -> Entrant:
    return kind_of(bot.entrant).read(bot, level_of(bot, isolation))


def level_of(bot: OutsideBot, isolation: str) -> Level:
    """Return the level at which a bot plays. Raises TourneyError USAGE if it cannot play at one as strong as asked."""
    kind = kind_of(bot.entrant)
    return TRUSTED if kind is BUILT_IN else level_for(bot.name, kind.levels, read_level(isolation))


def prove_each(outside: Sequence[OutsideBot], isolation: str, prove: Prover) -> None:
    """Prove the level and wall of each bot. Raises TourneyError REFUSED for one that does not hold."""
    files = [file.path for bot in outside for file in files_on_disk(bot)]
    for bot in outside:
        if kind_of(bot.entrant) is BUILT_IN:
            continue
        level = level_of(bot, isolation)
        prove(level, kind_of(bot.entrant).walled(bot, level), files)


def check_entrants(outside: Sequence[OutsideBot], rules: Rules, seats: int, isolation: str = "") -> None:
    """Raise TourneyError if a bot cannot play these rules at tables of this size."""
    for entrant in entrants_of(outside, isolation).values():
        entrant.check(rules, seats)


def files_on_disk(bot: OutsideBot) -> tuple[OwnFile, ...]:
    """Return the files of a bot where they lie, in their order."""
    return files_of(bot, kind_of(bot.entrant).files(bot.entrant, Path(bot.folder)))


def named_files(bot: OutsideBot) -> list[str]:
    """Return the files that the text of a bot names, by name, as far as they are there."""
    return [file.name for file in kind_of(bot.entrant).files(bot.entrant, Path(bot.folder))]


def unlisted_files(bot: OutsideBot) -> list[str]:
    """Return the files that the text of a bot names, without those of which it has a digest."""
    listed = {name for name, _digest in bot.files}
    return [name for name in named_files(bot) if name not in listed]


def check_files(outside: Sequence[OutsideBot]) -> None:
    """Raise TourneyError REFUSED if a file of a bot has changed since it was read, NOT_FOUND if it is gone."""
    for bot in outside:
        # A file of others may leave the digests out, but what runs is the first file that the entrant names.
        if (unlisted := unlisted_files(bot)) and unlisted[0] == named_files(bot)[0]:
            raise changed(bot, unlisted[0])
        for file, (name, digest) in zip(files_on_disk(bot), bot.files, strict=True):
            if file.digest() != digest:
                raise changed(bot, name)
