"""Check that a block which another computer played is one of a league."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.domain.leagues import League, PlayedBlock
from tourney.service.chained_lines import MALFORMED

if TYPE_CHECKING:
    from tourney.league.blocks import BlockOutcome


def is_of(league: League, block: PlayedBlock, first_entrant: int = 0) -> bool:
    """Return whether a block has the games that the league plays under its number, and totals that follow from them.

    Of a block for bots that joined, only the games with an entrant from `first_entrant` on are there.
    """
    from tourney.league.blocks import follows_from, read_block, write_block
    from tourney.league.playing import block_games

    try:
        outcome = read_block(block.text)
        games = block_games(league, block.number) if block.number < league.blocks else ()
        planned = [game for game in games if max(game.seating) >= first_entrant]
        sound = write_block(outcome) == block.text and outcome.number == block.number
        return sound and follows_from(outcome, planned) and _has_sound_extras(league, block, outcome)
    except MALFORMED:
        return False


def _has_sound_extras(league: League, block: PlayedBlock, outcome: BlockOutcome) -> bool:
    """Return whether faults and records belong to games and entrants of the block, each record to one game."""
    if not block.faults and not block.records:
        return True
    games, entrants = range(len(outcome.games)), range(len(league.bots))
    recorded = [game for game, _text in block.records]
    return (
        all(fault.game in games and fault.entrant in entrants and fault.hand >= 0 for fault in block.faults)
        and all(game in games for game in recorded)
        and len(set(recorded)) == len(recorded)
    )
