"""Files of bots from outside: sent to a worker once, by their digests, and written into a folder for each bot there."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path, PurePosixPath

from tourney.bots import roster
from tourney.bots.files.own_files import kept_mode
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.text.i18n import _


def packed(outside: Sequence[OutsideBot]) -> dict[str, tuple[int, bytes]]:
    """Return permissions and content of all files of these bots, by digest.

    Raises TourneyError REFUSED for a file that has changed, and for one that the bot may not read.
    """
    roster.check_files(outside)
    found: dict[str, tuple[int, bytes]] = {}
    for bot in outside:
        for file, (_name, digest) in zip(roster.files_on_disk(bot), bot.files, strict=True):
            with file.opened() as opened:
                found[digest] = kept_mode(os.fstat(opened.fileno()).st_mode), opened.read()
    return found


def store(folder: Path, files: Mapping[str, tuple[int, bytes]]) -> None:
    """Keep files by their digests. Raises ValueError for one that does not have its digest."""
    folder.mkdir(parents=True, exist_ok=True)
    for digest, (mode, content) in files.items():
        if sha256(content).hexdigest() != digest:
            raise ValueError(f"a file does not have the digest {digest}")
        _write(folder / digest, content, mode)


def _write(path: Path, content: bytes, mode: int) -> None:
    """Write a file that nobody may write then; one that is there is replaced."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    path.chmod(kept_mode(mode))


def lacking(folder: Path, digests: Collection[str]) -> list[str]:
    """Return the digests of files that are not kept here."""
    return sorted({digest for digest in digests if not (folder / digest).is_file()})


def unpacked(folder: Path, places: Path, outside: Sequence[OutsideBot]) -> tuple[OutsideBot, ...]:
    """Return the bots, each with a folder of its own in `places` that has its files."""
    return tuple([_placed(folder, places / str(number), bot) for number, bot in enumerate(outside)])


def _placed(folder: Path, place: Path, bot: OutsideBot) -> OutsideBot:
    place.mkdir(parents=True, exist_ok=True)
    for name, digest in bot.files:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            message = _("the bot's file {path} lies outside its folder {folder}").format(path=name, folder=place)
            raise TourneyError(ExitCode.REFUSED, message, _("play the league without --on"))
        kept, file = folder / digest, place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(file, kept.read_bytes(), kept.stat().st_mode)
    return replace(bot, folder=str(place))
