"""Try a bot by itself: probe it, or put the decisions of a recorded game to it."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import BotCheck, BotReplay, OutsideBot
from tourney.domain.progress import Progress, no_progress
from tourney.rulebook.records import open_record
from tourney.rulebook.rulesets import resolve
from tourney.service.proved_isolation import prove_wall
from tourney.service.rules import naming, record_text
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.bots.entrant import Entrant


def check_bot(text: str, isolation: str = "", progress: Progress = no_progress) -> BotCheck:
    """Return what the probes find in the bot that the text names, as a league would name it.

    It runs at the level `isolation` at least ('': the usual one), whose wall is proved before. Raises TourneyError as a
    league does that cannot begin with it; a program that does not answer is a finding.
    """
    from tourney.bots.roster import level_of
    from tourney.league.probing.probes import check

    with redirect_stdout(sys.stderr):
        bot, entrant = _read(text, isolation)
        results, untried = check(entrant, progress)
        return BotCheck(bot.name, level_of(bot, isolation).name, results, untried)


def _read(text: str, isolation: str) -> tuple[OutsideBot, Entrant]:
    """Return the one bot that a text names, loaded behind its proved wall."""
    from tourney.bots.roster import prove_each, read_one

    prove = partial(prove_wall, None)
    bot, entrant = read_one(text, Path.cwd(), isolation, prove)
    prove_each([bot], isolation, prove)
    return bot, entrant


def replay_bot(
    path: str, seat: int, text: str, rules: str | None = None, hand: int | None = None, isolation: str = ""
) -> BotReplay:
    """Return what the bot would have done at a seat (from 1) of the recorded game, in one hand or in all.

    It runs as `check_bot` lets it run.

    Raises TourneyError as `service.rules.replay` for the record, as a league for the bot, and NOT_FOUND for a seat or
    hand that the game does not have.
    """
    from tourney.league.probing.replaying import replayed

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
        decisions = naming(path, lambda written: replayed(entrant, written, seat - 1, ref), record)
    chosen = tuple(decision for decision in decisions if hand in (None, decision.hand))
    return BotReplay(bot.name, path, seat, players[seat - 1], chosen)
