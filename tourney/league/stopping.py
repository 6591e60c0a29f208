"""When a league may end because the order of its bots is certain, and how often that is wrong.

The league is looked at only after fixed numbers of blocks, known before the first: doubled each time, the last being
all that it may play. At J looks, among m entrants, the order is declared with certainty P once each entrant's lead over
the next is unlikelier than (1 − P) / (J (m − 1)), by the two-sided t test of the blocks' differences.

The promise: whatever the true means, an order is declared that they do not have, or an order of bots that are really
equal, with a probability of at most 1 − P. For let the entrants be 1, …, m by their true means (equals in any order
fixed beforehand). If a wrong order is declared, some i + 1 stands before i in it. Their lead is a sum of leads of
neighbours, and no standard error of a sum is larger than the sum of the standard errors; so their t is beyond the bound
too, to the wrong side (for equals: to either). For each of the m − 1 couples (i, i + 1) and each of the J looks that
has the probability above, and the sum of all is at most 1 − P. Nothing is assumed of how entrants, couples or looks
hang together; of the blocks, that there are enough for the t test (FIRST), and that they do not depend on each other.

To end without an order is never wrong. That happens at a look after which neighbours have not differed in any of
ALIKE blocks or more, as a bot and itself with the same cards: they would not at the last look.
"""

from dataclasses import dataclass
from typing import Final, Literal

from tourney.league.statistics import Best, BlockMeans, leads, order_certainty

FIRST: Final = 64
"""The fewest blocks at which a league is looked at, unless it ends sooner."""

ALIKE: Final = 256
"""After how many blocks bots that have never differed count as bots that never will."""

Verdict = Literal["open", "certain", "not separated"]
"""What a look says: play on, the order is certain, or it is not and will not be."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """When to end: with the order certain with probability `certainty`, or after the last of the `looks` (blocks), or
    once neighbours prove to be alike."""

    certainty: float
    looks: tuple[int, ...]

    def verdict(self, means: BlockMeans, best: Best = "lowest") -> Verdict:
        """What these blocks say, all from the first one on. Between looks nothing is decided."""
        if means.blocks not in self.looks:
            return "open"
        if order_certainty(means, best, len(self.looks)) >= self.certainty:
            return "certain"
        alike = means.blocks >= ALIKE and any(lead.value == lead.error == 0.0 for lead in leads(means, best))
        return "not separated" if alike or means.blocks == self.looks[-1] else "open"


def stop_rule(certainty: float, blocks: int) -> StopRule:
    """The rule for a league of at most so many blocks; certainty is within 0 and 1."""
    looks = [FIRST * 2**doubled for doubled in range(blocks.bit_length())]
    return StopRule(certainty, (*(look for look in looks if look < blocks), blocks))
