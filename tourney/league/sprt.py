"""Sequential probability ratio test: does one bot beat another by the higher or by the lower of two gaps?

The leads of blocks count as normal, with a mean of `low` or of `high` points a hand. Their variance is not known: it is
the one measured so far, with which the log-likelihood ratio after n blocks is n (high − low) (mean − (low + high) / 2)
/ variance. That is the generalised test of Li, Liu and Ying (Generalized sequential probability ratio test for separate
families of hypotheses, Sequential Analysis 33, 2014) in the approximation (2.1) of Van den Bergh (A practical
introduction to the GSPRT), which the testing frameworks of chess engines use, too. Tried: each likelihood at its own
best variance, n/2 ln((variance + (mean − low)²) / (variance + (mean − high)²)). Near the gaps it is the same, but of a
bot that is better by 145 points it says little for either gap, and takes 430 blocks where this takes 64.

The bounds are those of Wald (Sequential tests of statistical hypotheses, Annals of Mathematical Statistics 16, 1945):
the test fails at ln(β / (1 − α)) and passes at ln((1 − β) / α). With a known variance the errors would be at most
α / (1 − β) and β / (1 − α). A variance estimated from a few blocks is often too small, and so the first look is at
FIRST_LOOK blocks; from there on every block is a look. The slow tests measure the errors, which need leads that are not
very skewed: those of a design in which two bots exchange their seats.
"""

from dataclasses import dataclass
from math import copysign, inf, isfinite, log

from tourney.domain.leagues import GapTest, GapTestState, Verdict
from tourney.league.statistics import Best, BlockMeans, lead
from tourney.league.stopping import FIRST_LOOK


@dataclass(frozen=True, slots=True)
class GapTestRule:
    """End when the test of the first two entrants has an answer, or after `blocks` blocks."""

    test: GapTest
    blocks: int

    def verdict(self, means: BlockMeans, best: Best = "lowest") -> Verdict:
        """Return the verdict on these blocks, all from the first one on."""
        ratio = self._ratio(means, best)
        if ratio >= upper_bound(self.test):
            return "passed"
        if ratio <= lower_bound(self.test):
            return "failed"
        return "undecided" if means.blocks >= self.blocks else "open"

    def state(self, means: BlockMeans, best: Best = "lowest") -> GapTestState:
        """Return the log-likelihood ratio between its bounds."""
        ratio = self._ratio(means, best)
        shown = ratio if means.blocks >= FIRST_LOOK and isfinite(ratio) else None
        return GapTestState(self.test, shown, lower_bound(self.test), upper_bound(self.test))

    def _ratio(self, means: BlockMeans, best: Best) -> float:
        """Return the log-likelihood ratio; 0 while there are too few blocks."""
        gap = lead(means, 0, 1, best)
        if means.blocks < FIRST_LOOK or gap.error is None:
            return 0.0
        variance = gap.error**2 * means.blocks
        return log_likelihood_ratio(means.blocks, gap.value, variance, self.test.low, self.test.high)


def log_likelihood_ratio(blocks: int, mean: float, variance: float, low: float, high: float) -> float:
    """Return the log-likelihood ratio of a mean of `high` to one of `low`.

    It is infinite where the blocks do not vary, unless their mean is as far from one as from the other.
    """
    nearer_high = mean - 0.5 * (low + high)
    if variance == 0.0:
        return copysign(inf, nearer_high) if nearer_high else 0.0
    return blocks * (high - low) * nearer_high / variance


def lower_bound(test: GapTest) -> float:
    """Return the log-likelihood ratio at which a test fails."""
    return log(test.beta / (1.0 - test.alpha))


def upper_bound(test: GapTest) -> float:
    """Return the log-likelihood ratio at which a test passes."""
    return log((1.0 - test.beta) / test.alpha)
