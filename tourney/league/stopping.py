"""Sequential stopping rule: end a league once the order of its bots is certain, with a bounded error rate.

The league is looked at only after fixed numbers of blocks, known before the first: doubled each time, the last being
all that it may play. At J looks, among m entrants, the order is declared with certainty P once each entrant's lead over
the next has a p value below (1 − P) / (J (m − 1)), by the two-sided t test of the differences in blocks.

The promise: whatever the true means, an order is declared that they do not have, or an order of bots that are really
equal, with a probability of at most 1 − P. Proof: let the entrants be 1, …, m by their true means (equals in any order
fixed beforehand). If a wrong order is declared, some i + 1 is before i in it. Their lead is a sum of leads of
neighbours, and no standard error of a sum is larger than the sum of the standard errors; so their t exceeds the bound
too, on the wrong side (for equals: on either). For each of the m − 1 neighbours (i, i + 1) and each of the J looks that
has the probability above, and the sum of all is at most 1 − P. Nothing is assumed about the dependence of entrants,
neighbours or looks; only that blocks are independent and enough of them for the t test (FIRST_LOOK).

Ending without an order is never wrong. A league ends so at the last look, or at a look where neighbours have not
differed in any of IDENTICAL_BLOCKS blocks or more, like a bot and its copy, which would never differ.
"""

from dataclasses import dataclass
from typing import Final

from tourney.domain.leagues import Verdict
from tourney.league.statistics import Best, BlockMeans, leads, order_certainty

FIRST_LOOK: Final = 64
"""The fewest blocks at which a league is looked at, unless it ends sooner."""

IDENTICAL_BLOCKS: Final = 256
"""Blocks after which bots that have never differed count as identical."""


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """End when the order is certain with probability `certainty`, after the last of the `looks` (in blocks), or once
    neighbours prove to be identical."""

    certainty: float
    looks: tuple[int, ...]

    def verdict(self, means: BlockMeans, best: Best = "lowest") -> Verdict:
        """Return the verdict on these blocks, all from the first one on; between looks it is "open".

        It is "certain" once the order is, and "not separated" if it will not be.
        """
        if means.blocks not in self.looks:
            return "open"
        if order_certainty(means, best, len(self.looks)) >= self.certainty:
            return "certain"
        identical = means.blocks >= IDENTICAL_BLOCKS and any(
            lead.value == lead.error == 0.0 for lead in leads(means, best)
        )
        return "not separated" if identical or means.blocks == self.looks[-1] else "open"


def stopping_rule(certainty: float, blocks: int) -> StoppingRule:
    """Return the rule for a league of at most `blocks` blocks; certainty is between 0 and 1."""
    looks = [FIRST_LOOK * 2**doublings for doublings in range(blocks.bit_length())]
    return StoppingRule(certainty, (*(look for look in looks if look < blocks), blocks))
