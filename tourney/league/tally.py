"""A league added up while its blocks come in, in their order; what it takes does not grow with them."""

from __future__ import annotations

from itertools import combinations
from math import inf

from tourney.domain.leagues import League, LeagueBot, LeaguePair, LeagueTable, Verdict
from tourney.league.confidence import LEVEL, at_level
from tourney.league.head_to_head import Duels
from tourney.league.statistics import Best, BlockMeans, Gaps, Summary, lead, order_certainty, ranking, summary
from tourney.league.stopping import StopRule, stop_rule
from tourney.league.values import GameOutcome, LeagueHash, Share, read_block
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters
from tourney.rulebook.rulesets import rules_of

RATED = Parameters(tau=0.0)
"""Bots that do not change have no drift."""


class Tally:
    """How a league stands after the blocks added so far; `verdict` says whether it goes on."""

    def __init__(self, league: League) -> None:
        rules = rules_of(league.rules_ref)
        self.league = league
        self._contracts = () if rules.kind == "knock" else tuple([one for one, _dealt in rules.contracts.hands.order])
        self._best: Best = "lowest" if self._contracts else "highest"
        self._hash = LeagueHash(league)
        self._means = BlockMeans(len(league.bots))
        self._duels = Duels(len(league.bots))
        self._shares = [Share() for _bot in league.bots]
        self._ratings = Fold(RATED)
        self._games = 0
        self._hands = 0
        self._rule = _rule(league)
        self.verdict: Verdict = "open"

    @property
    def blocks(self) -> int:
        """How many have been added."""
        return self._means.blocks

    @property
    def games(self) -> int:
        """How many games those had."""
        return self._games

    @property
    def order(self) -> tuple[str, ...]:
        """The entrants so far, best first."""
        names = self.league.entrants
        return tuple([names[entrant] for entrant in ranking(self._means, self._best)])

    @property
    def certainty(self) -> float:
        """How sure that order is, at every look at which the league may end."""
        return order_certainty(self._means, self._best, self._looks)

    def add(self, text: str) -> None:
        """Take in the text of the next block. Raises ValueError for another one's."""
        block = read_block(text)
        if block.number != self.blocks:
            raise ValueError(f"block {block.number} is not the next one")
        self._hash.add(text)
        self._games += len(block.games)
        self._hands += block.hands
        self._means.add([self._worth(share) / share.hands for share in block.shares])
        self._duels.add((game, game.points if self._contracts else game.money) for game in block.games)
        self._shares = [one.plus(other) for one, other in zip(self._shares, block.shares, strict=True)]
        for game in block.games:
            self._rate(game)
        self.verdict = self._judged()

    def table(self, number: int) -> LeagueTable:
        """How the league of that number stands, at the usual level."""
        found = summary(self._means, self._best, self._looks)
        table = LeagueTable(
            number=number,
            league=self.league,
            hash=self._hash.text(),
            blocks=self.blocks,
            games=self._games,
            hands=self._hands,
            verdict=self.verdict,
            level=LEVEL,
            certainty=found.certainty if self.blocks else 0.0,
            contracts=self._contracts,
            bots=tuple([self._bot(entrant, found) for entrant in found.order]) if self.blocks else (),
            pairs=self._pairs_of(self._means, found) if self.blocks else (),
            looks=found.looks,
            duels=self._pairs_of(self._duels, found) if self.blocks else (),
        )
        return at_level(table, LEVEL)

    @property
    def _looks(self) -> int:
        return 1 if self._rule is None else len(self._rule.looks)

    def _worth(self, share: Share) -> int:
        return share.points if self._contracts else share.money

    def _judged(self) -> Verdict:
        if self._rule is not None:
            return self._rule.verdict(self._means, self._best)
        return "played" if self.blocks == self.league.blocks else "open"

    def _rate(self, game: GameOutcome) -> None:
        """One step of ratings; an entrant with several seats has the mean of their places."""
        places: dict[int, list[int]] = {}
        for entrant, place in zip(game.seating, game.places, strict=True):
            places.setdefault(entrant, []).append(place)
        if len(places) > 1:
            means = [sum(theirs) / len(theirs) for theirs in places.values()]
            ranks = [1 + sum(other < mean for other in means) for mean in means]
            self._ratings.add([str(entrant) for entrant in places], ranks)

    def _bot(self, entrant: int, found: Summary) -> LeagueBot:
        """How an entrant stands; its intervals are still open."""
        share, mean, rating = self._shares[entrant], found.means[entrant], self._ratings.rating(str(entrant))
        each = share.hands // len(self._contracts) if self._contracts else 0
        return LeagueBot(
            rank=found.ranks[entrant],
            entrant=self.league.entrants[entrant],
            bot=self.league.bots[entrant],
            mean=mean.value,
            error=mean.error,
            low=-inf,
            high=inf,
            mu=rating.mu,
            sigma=rating.sigma,
            hands=share.hands,
            points=share.points,
            money=share.money,
            closes=share.closes,
            claims=share.claims,
            faults=share.faults,
            contracts=tuple(points / each for points in share.contracts),
            rank_low=1,
            rank_high=len(found.order),
        )

    def _pairs_of(self, gaps: Gaps, found: Summary) -> tuple[LeaguePair, ...]:
        """Every two entrants in the order of the table, by these gaps; their intervals are still open."""
        names, pairs = self.league.entrants, []
        for one, other in combinations(found.order, 2):
            gap = lead(gaps, one, other, self._best)
            sure = gap.chance_above_zero(found.looks)
            pairs.append(LeaguePair(names[one], names[other], gap.value, gap.error, sure, -inf, inf))
        return tuple(pairs)


def _rule(league: League) -> StopRule | None:
    if not league.certainty:
        return None
    return stop_rule(float(league.certainty), league.blocks)
