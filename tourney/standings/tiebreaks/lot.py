"""Tie-breaks that are not about play: penalties, and a lot from the event's seed that everybody can draw again."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from tourney.standings.standing import PlayerTally
from tourney.standings.tiebreaks.tiebreak import Contest, TieBreak, each
from tourney.text.i18n import _, marked

FEWEST_PENALTIES: Final = TieBreak(
    "fewest-penalties",
    marked("penalties"),
    marked("Who has fewer penalty points from the arbiter."),
    each(lambda tally: sum(max(0, ruling.points) for ruling in tally.penalties)),
    most_wins=False,
)

LOTS: Final = 10**9


def lot(seed: str, number: int) -> int:
    """Return the lot of the entrant with this number: the start of a SHA-256 of the seed and the number."""
    return int.from_bytes(sha256(f"lot {seed} {number}".encode()).digest()[:8], "big") % LOTS


def _lots(level: Sequence[PlayerTally], contest: Contest) -> list[int]:
    return [lot(contest.seed, tally.number) for tally in level]


def _why(above: PlayerTally, below: PlayerTally, contest: Contest) -> str:
    lots = {"theirs": lot(contest.seed, above.number), "ours": lot(contest.seed, below.number)}
    text = _("level with {above}; by lot from the seed “{seed}”: {theirs} before {ours}")
    return text.format(above=above.player.shown, seed=contest.seed, **lots)


LOT: Final = TieBreak(
    "lot",
    marked("lot"),
    marked("A lot decides, which follows from the event's seed and the player's number; the lower one ranks first."),
    _lots,
    most_wins=False,
    value_text=str,
    reason=_why,
)

TIE_BREAKS: Final = (FEWEST_PENALTIES, LOT)
