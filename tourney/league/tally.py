"""Running totals of a league while its blocks are added in order: hash, means, ratings, test of two gaps, verdict.

The test of two gaps: the leads of blocks count as normal, with a mean of `low` or of `high` points a hand. Their
variance is not known: it is the one measured so far, with which the log-likelihood ratio after n blocks is n (high −
low) (mean − (low + high) / 2) / variance. That is the generalised test of Li, Liu and Ying (Generalized sequential
probability ratio test for separate families of hypotheses, Sequential Analysis 33, 2014) in the approximation (2.1) of
Van den Bergh (A practical introduction to the GSPRT), which the testing frameworks of chess engines use, too. Tried:
each likelihood at its own best variance, n/2 ln((variance + (mean − low)²) / (variance + (mean − high)²)). Near the
gaps it is the same, but of a bot that is better by 145 points it says little for either gap, and takes 430 blocks where
this takes 64.

The bounds are those of Wald (Sequential tests of statistical hypotheses, Annals of Mathematical Statistics 16, 1945):
the test fails at ln(β / (1 − α)) and passes at ln((1 − β) / α). With a known variance the errors would be at most α /
(1 − β) and β / (1 − α). A variance estimated from a few blocks is often too small, and so the first look is at
FIRST_LOOK blocks; from there on every block is a look. The slow tests measure the errors, which need leads that are not
very skewed: those of a design in which two bots exchange their seats.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import copysign, inf, isfinite, log

from tourney.bots import roster
from tourney.bots.isolation.levels import TRUSTED
from tourney.domain.league_tables import DEFAULT_LEVEL, GapTestState, LeagueBot, LeaguePair, LeagueTable, Verdict
from tourney.domain.leagues import FAULT_KINDS, GapTest, League
from tourney.league.blocks import EntrantTotals, GameOutcome, Histogram, LeagueHash, quantile, read_block
from tourney.league.designs import DESIGNS
from tourney.league.statistics import (
    FIRST_LOOK,
    Best,
    BlockMeans,
    Estimate,
    Gaps,
    HeadToHead,
    StoppingRule,
    Summary,
    lead,
    order_certainty,
    pair_values,
    rank_interval,
    ranking,
    stopping_rule,
    summarize,
)
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters
from tourney.rulebook.rulesets import rules_of


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


BOT_PARAMETERS = Parameters(tau=0.0)
"""Parameters without drift, since bots do not change."""


class Tally:
    """Totals of a league after the blocks added so far; memory does not grow with them."""

    def __init__(self, league: League) -> None:
        rules = rules_of(league.rules_ref)
        self.league = league
        self._contracts = () if rules.kind == "knock" else tuple([name for name, _deal in rules.contracts.hands.order])
        self._best: Best = "lowest" if self._contracts else "highest"
        self._hash = LeagueHash(league)
        self._means = BlockMeans(len(league.bots))
        # Where all play the first entrant only, its mean is over other games than theirs: leads over it are compared.
        self._against_first = DESIGNS[league.design].against_first and len(league.bots) > 1
        self._compared = BlockMeans(len(league.bots)) if self._against_first else self._means
        self._head_to_head = HeadToHead()
        self._totals = [EntrantTotals() for _bot in league.bots]
        self._ratings = Fold(BOT_PARAMETERS)
        self._levels = levels_of(league)
        self._games = 0
        self._hands = 0
        self._rule: StoppingRule | GapTestRule | None = None
        if league.certainty:
            self._rule = stopping_rule(float(league.certainty), league.blocks)
        elif league.test is not None:
            self._rule = GapTestRule(league.test, league.blocks)
        self.verdict: Verdict = "open"

    @property
    def blocks(self) -> int:
        """The number of blocks added."""
        return self._means.blocks

    @property
    def games(self) -> int:
        """The number of games in the blocks added."""
        return self._games

    @property
    def hash(self) -> str:
        """The hash of the league after the blocks added."""
        return self._hash.text()

    @property
    def order(self) -> tuple[str, ...]:
        """The entrants so far, best first."""
        names = self.league.entrants
        return tuple([names[entrant] for entrant in ranking(self._compared, self._best)])

    @property
    def certainty(self) -> float:
        """The confidence in `order`, at every look at which the league may end."""
        return order_certainty(self._compared, self._best, self._looks)

    def add(self, text: str) -> None:
        """Add the text of the next block. Raises ValueError for any other block."""
        block = read_block(text)
        if block.number != self.blocks:
            raise ValueError(f"block {block.number} is not the next one")
        self._hash.add(text)
        self._games += len(block.games)
        self._hands += block.hands
        games = [(game, self._scores(game)) for game in block.games]
        self._means.add([self._value(totals) / totals.hands for totals in block.totals])
        if self._against_first:
            self._compared.add(_values_against_first(games, len(block.totals)))
        self._head_to_head.add(games)
        self._totals = [before.plus(new) for before, new in zip(self._totals, block.totals, strict=True)]
        for game in block.games:
            self._rate(game)
        self.verdict = self._current_verdict()

    def table(self, number: int) -> LeagueTable:
        """Return the table of the league, as league number `number`, at the default confidence level."""
        summary = summarize(self._compared, self._best, self._looks)
        table = LeagueTable(
            number=number,
            league=self.league,
            hash=self.hash,
            blocks=self.blocks,
            games=self._games,
            hands=self._hands,
            verdict=self.verdict,
            level=DEFAULT_LEVEL,
            certainty=summary.certainty if self.blocks else 0.0,
            contracts=self._contracts,
            bots=tuple([self._bot(entrant, summary) for entrant in summary.order]) if self.blocks else (),
            pairs=self._pairs(self._compared, summary) if self.blocks else (),
            looks=summary.looks,
            duels=self._pairs(self._head_to_head, summary) if self.blocks else (),
            test=self.test,
        )
        return at_level(table, DEFAULT_LEVEL)

    @property
    def test(self) -> GapTestState | None:
        """The state of the league's test; None if it has none."""
        return self._rule.state(self._compared, self._best) if isinstance(self._rule, GapTestRule) else None

    @property
    def _looks(self) -> int:
        return len(self._rule.looks) if isinstance(self._rule, StoppingRule) else 1

    def _value(self, totals: EntrantTotals) -> int:
        """Return what an entrant scored, with the cost of its faults."""
        cost = self.league.fault_cost * totals.faults
        return totals.points + cost if self._contracts else totals.money - cost

    def _scores(self, game: GameOutcome) -> tuple[int, ...]:
        """Return what each seat scored, with the cost of its faults."""
        scores, sign = (game.points, 1) if self._contracts else (game.money, -1)
        if not game.faults:
            return scores
        costs = [sign * self.league.fault_cost * faults for faults in game.faults]
        return tuple([score + cost for score, cost in zip(scores, costs, strict=True)])

    def _places(self, game: GameOutcome) -> Sequence[float]:
        """Return the places by seat; where faults cost something, by the scores, and by the places where these tie."""
        if not game.faults or not self.league.fault_cost:
            return game.places
        sign = 1 if self._contracts else -1
        keys = [(sign * score, place) for score, place in zip(self._scores(game), game.places, strict=True)]
        return [1 + sum(other < key for other in keys) for key in keys]

    def _current_verdict(self) -> Verdict:
        if self._rule is not None:
            return self._rule.verdict(self._compared, self._best)
        return "played" if self.blocks == self.league.blocks else "open"

    def _rate(self, game: GameOutcome) -> None:
        """Rate a game in one step; an entrant with several seats has the mean of their places."""
        places: dict[int, list[float]] = {}
        for entrant, place in zip(game.seating, self._places(game), strict=True):
            places.setdefault(entrant, []).append(place)
        if len(places) > 1:
            means = [sum(entrant_places) / len(entrant_places) for entrant_places in places.values()]
            ranks = [1 + sum(other < mean for other in means) for mean in means]
            self._ratings.add([str(entrant) for entrant in places], ranks)

    def _bot(self, entrant: int, summary: Summary) -> LeagueBot:
        """Return an entrant's row; `at_level` fills in its intervals."""
        totals, mean, rating = self._totals[entrant], self._means.mean(entrant), self._ratings.rating(str(entrant))
        games = totals.hands // len(self._contracts) if self._contracts else 0
        return LeagueBot(
            rank=summary.ranks[entrant],
            entrant=self.league.entrants[entrant],
            bot=self.league.bots[entrant],
            mean=mean.value,
            error=mean.error,
            low=-inf,
            high=inf,
            mu=rating.mu,
            sigma=rating.sigma,
            hands=totals.hands,
            points=totals.points,
            money=totals.money,
            closes=totals.closes,
            claims=totals.claims,
            faults=totals.faults,
            contracts=tuple(points / games for points in totals.contracts),
            rank_low=1,
            rank_high=len(summary.order),
            faults_by_kind=totals.faults_by_kind or (0,) * len(FAULT_KINDS),
            fuel=_costs(totals.fuel),
            isolation=self._levels.get(self.league.bots[entrant], TRUSTED.name),
        )

    def _pairs(self, gaps: Gaps, summary: Summary) -> tuple[LeaguePair, ...]:
        """Return every two entrants that met, in the order of the table; `at_level` fills in their intervals."""
        names, pairs = self.league.entrants, []
        for first, second in combinations(summary.order, 2):
            gap = lead(gaps, first, second, self._best)
            if not gap.blocks:
                continue
            confidence = gap.confidence_above_zero(summary.looks)
            pairs.append(LeaguePair(names[first], names[second], gap.value, gap.error, confidence, -inf, inf))
        return tuple(pairs)


def _values_against_first(games: Iterable[tuple[GameOutcome, tuple[int, ...]]], entrants: int) -> list[float]:
    """Return by how much each entrant's value a hand is above the first one's in their games; 0 for the first."""
    values = pair_values(games)
    return [0.0, *(values[0, other][1] - values[0, other][0] for other in range(1, entrants))]


def _costs(fuel: Histogram) -> tuple[int, ...]:
    """Return the median, the 99th percentile and the maximum, nothing for bots that spend no fuel."""
    return (quantile(fuel, 0.5), quantile(fuel, 0.99), fuel[0]) if fuel else ()


def levels_of(league: League) -> dict[str, str]:
    """Return the level of isolation of each bot from outside, by its name."""
    if not league.outside:
        return {}

    return {bot.name: roster.level_of(bot, league.isolation).name for bot in league.outside}


def at_level(table: LeagueTable, level: float) -> LeagueTable:
    """Return the table with intervals of means, gaps and ranks at this confidence level, from 0.5 to below 1.

    Each interval holds by itself, at all looks at which the league may end.
    """
    leads: dict[str, list[Estimate]] = {bot.entrant: [] for bot in table.bots}
    for pair in table.pairs:
        leads[pair.better].append(Estimate(pair.gap, pair.error, table.blocks))
        leads[pair.worse].append(Estimate(-pair.gap, pair.error, table.blocks))
    bots = []
    for bot in table.bots:
        low, high = Estimate(bot.mean, bot.error, table.blocks).interval(level, table.looks)
        first, last = rank_interval(leads[bot.entrant], level, table.looks)
        bots.append(replace(bot, low=low, high=high, rank_low=first, rank_high=last))
    pairs, duels = (
        tuple([_with_interval(pair, table, level) for pair in group]) for group in (table.pairs, table.duels)
    )
    return replace(table, level=level, bots=tuple(bots), pairs=pairs, duels=duels)


def _with_interval(pair: LeaguePair, table: LeagueTable, level: float) -> LeaguePair:
    low, high = Estimate(pair.gap, pair.error, table.blocks).interval(level, table.looks)
    return replace(pair, low=low, high=high)
