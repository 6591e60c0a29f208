"""An author's bot: its first program written, the bot probed, and decisions of a recorded game put to it."""

from __future__ import annotations

import os
import re
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Final

from tourney.bots import entrant, roster
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.league_tables import BotCheck, BotReplay, NewBot
from tourney.domain.leagues import OutsideBot
from tourney.files.named import shown, unwritable
from tourney.league.probing import probes, replaying
from tourney.rulebook.records import open_record
from tourney.rulebook.rulesets import resolve
from tourney.service.bots import prove_wall
from tourney.service.rules import naming, record_text
from tourney.text.i18n import _
from tourney.text.names import refuse_halves, refuse_unnamed, written_at
from tourney.text.progress import Progress, no_progress
from tourney.text.sanitize import quote_argument

_STARTERS: Final = Path(roster.__file__).parent / "starters"
"""The folder of the starters: the first program of an author in each language, one source file that plays."""
_PLACE: Final = "NAME"
"""The word in a starter in whose place the bot's own name goes."""
_UNUSUAL: Final = re.compile(r"[^0-9A-Za-z_-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Starter:
    """A starter in one language: its file, how it is built ("" if it is not), and the command that runs it."""

    language: str
    file: str
    build: str
    command: str

    def source(self, name: str) -> str:
        """Return its text with the bot's own name, in which the protocol knows no blanks."""
        text = (_STARTERS / self.file).read_text("utf-8")
        return text.replace(_PLACE, _UNUSUAL.sub("-", name).strip("-") or "bot", 1)


STARTERS: Final = {
    starter.language: starter
    for starter in (
        Starter("python", "bot.py", "", "python3 bot.py"),
        Starter("c", "bot.c", "cc -O2 -o bot bot.c", "./bot"),
        Starter("rust", "bot.rs", "rustc -O -o bot bot.rs", "./bot"),
        Starter("javascript", "bot.js", "", "node bot.js"),
    )
}
"""The starters by language."""


def new_bot(folder: str, language: str) -> NewBot:
    """Write a bot and a README into a folder, which is made if it is missing, and return what was written.

    Raises TourneyError USAGE for an unknown language, NOT_FOUND where the folder above is missing, CONFLICT for a
    folder that has files, REFUSED for a file or a name that is not text, and STORAGE if nothing can be written; nothing
    is then left.
    """
    starter = _starter(language)
    target = Path(written_at(folder))
    # The bot has the folder's name, in the text of its files.
    refuse_halves(target.name, where=shown(folder, 200))
    is_new = _refuse_taken(folder, target)
    commands = _commands(starter)
    files = {starter.file: starter.source(target.name), "README.md": _readme(target.name, starter, commands)}
    try:
        target.mkdir(exist_ok=True)
        for name, text in files.items():
            with open(target / name, "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        if is_new:
            rmtree(target, ignore_errors=True)
        raise unwritable(target, error) from None
    return NewBot(folder, tuple(files), (f"cd {quote_argument(folder)}", *commands))


def _starter(language: str) -> Starter:
    if language in STARTERS:
        return STARTERS[language]
    message = _("there is no starter in “{language}”").format(language=shown(language))
    hint = _("the languages are: {languages}").format(languages=", ".join(STARTERS))
    raise TourneyError(ExitCode.USAGE, message, hint)


def _refuse_taken(folder: str, target: Path) -> bool:
    """Return whether the folder is new. Raises TourneyError if nothing may be written there."""
    refuse_unnamed(folder)
    name = shown(folder, 200)
    if not os.path.lexists(target):
        if not os.path.isdir(target.parent):
            message = _("{folder}: there is no folder {above}").format(
                folder=name, above=shown(str(target.parent), 200)
            )
            raise TourneyError(ExitCode.NOT_FOUND, message, _("make the folder, or name another"))
        return True
    if not os.path.isdir(target):
        message = _("{file}: this is not a folder").format(file=name)
        raise TourneyError(ExitCode.REFUSED, message, _("give the name of a new folder"))
    if os.listdir(target):
        message = _("{folder} has files already").format(folder=name)
        raise TourneyError(ExitCode.CONFLICT, message, _("give the name of a new folder"))
    return False


def _commands(starter: Starter) -> tuple[str, ...]:
    """Return the commands that build the bot, if that is needed, check it and let it play."""
    check = f'tourney bot check "cmd:{starter.command}"'
    play = f'tourney league run --bots "greedy,cmd:{starter.command}" --seats 2 --blocks 10'
    return tuple(filter(None, (starter.build, check, play)))


def _readme(name: str, starter: Starter, commands: tuple[str, ...]) -> str:
    """Return the README of a bot, in the reader's language."""
    paragraphs = (
        f"# {name}",
        _("A bot for Continental, in the one file `{file}`. It lays down as soon as it can, adds what fits, and "
          "discards what counts most and goes with nothing else. Make it better.").format(file=starter.file),
        _("Build it, check it, and let it play against a built-in bot:") if starter.build
        else _("Check it, and let it play against a built-in bot:"),
        "\n".join(f"    {command}" for command in commands),
        _("What it reads and writes is described by `tourney guide protocol`. Notes on the game may go to standard "
          "error."),
    )  # fmt: skip
    return "\n\n".join(paragraphs) + "\n"


def check_bot(text: str, isolation: str = "", progress: Progress = no_progress) -> BotCheck:
    """Return what the probes find in the bot that the text names, as a league would name it.

    It runs at the level `isolation` at least ('': the usual one), whose wall is proved before. Raises TourneyError as a
    league does that cannot begin with it; a program that does not answer is a finding.
    """
    with redirect_stdout(sys.stderr):
        bot, entrant = _read(text, isolation)
        results, untried = probes.check(entrant, progress)
        return BotCheck(bot.name, roster.level_of(bot, isolation).name, results, untried)


def _read(text: str, isolation: str) -> tuple[OutsideBot, entrant.Entrant]:
    """Return the one bot that a text names, loaded behind its proved wall."""
    prove = partial(prove_wall, None)
    bot, entrant = roster.read_one(text, Path.cwd(), isolation, prove)
    roster.prove_each([bot], isolation, prove)
    return bot, entrant


def replay_bot(
    path: str, seat: int, text: str, rules: str | None = None, hand: int | None = None, isolation: str = ""
) -> BotReplay:
    """Return what the bot would have done at a seat (from 1) of the recorded game, in one hand or in all.

    It runs as `check_bot` lets it run.

    Raises TourneyError as `service.rules.replay` for the record, as a league for the bot, and NOT_FOUND for a seat or
    hand that the game does not have.
    """
    record = record_text(path)
    page = naming(path, open_record, record)
    players, hands = page.players, len(page.acts)
    if not 1 <= seat <= len(players):
        message = _("the game has no seat {seat}").format(seat=seat)
        seats = ", ".join(f"{number} {name}" for number, name in enumerate(players, 1))
        raise TourneyError(ExitCode.NOT_FOUND, message, _("its seats are: {seats}").format(seats=seats))
    if hand is not None and not 1 <= hand <= hands:
        message = _("the game has no hand {hand}").format(hand=hand)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("its hands are 1 to {hands}").format(hands=hands))
    ref = None if rules is None else resolve(rules)
    with redirect_stdout(sys.stderr):
        bot, entrant = _read(text, isolation)
        decisions = naming(path, lambda written: replaying.replayed(entrant, written, seat - 1, ref), record)
    chosen = tuple(decision for decision in decisions if hand in (None, decision.hand))
    return BotReplay(bot.name, path, seat, players[seat - 1], chosen)
