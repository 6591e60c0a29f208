"""Leagues: bots that play many games, block by block, and how they stand."""

from dataclasses import dataclass
from typing import Literal

from tourney.domain.rules import RulesRef

Design = Literal["pairs", "replace", "rotations", "fresh"]
"""In which seatings a block plays its deals."""

KeptRecords = Literal["none", "sampled", "all"]
"""Of which games the records are kept."""


@dataclass(frozen=True, slots=True)
class League:
    """What a league plays: each block follows from this and from its own number.

    `rules_text` is a club's own rules ('' if built in); `stake` that of a knock game. It ends after `blocks` blocks,
    or sooner, once the order of its bots is certain: `certainty` is a probability as text ('': not asked for).
    """

    bots: tuple[str, ...]
    rules: str
    seats: int
    seed: str
    blocks: int
    design: Design = "pairs"
    certainty: str = ""
    records: KeptRecords = "none"
    stake: int = 0
    rules_digest: str = ""
    rules_text: str = ""

    @property
    def rules_ref(self) -> RulesRef:
        """The rules that it plays."""
        return RulesRef(self.rules, self.rules_digest, self.rules_text)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The bots' names; the second of a name is called `greedy-2`. Who joins later changes none of them."""
        before = [self.bots[:place].count(bot) for place, bot in enumerate(self.bots)]
        return tuple([bot if not same else f"{bot}-{same + 1}" for bot, same in zip(self.bots, before, strict=True)])


PATIENCE = 600
"""Seconds that a bot may think about an act, unless it is said: the slowest that is built in takes 20 on a slow day."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Who plays a league: so many processes, in which a bot may think so many seconds about an act.

    What the league gives follows from neither, as long as every bot answers in time.
    """

    workers: int = 1
    patience: int = PATIENCE


Verdict = Literal["open", "certain", "not separated", "played"]
"""Whether a league goes on; the order of its bots is certain, or will not be; or nobody asked for that."""


@dataclass(frozen=True, slots=True)
class LeagueBot:
    """How an entrant of a league stands.

    `mean` is its points a hand (in the knock game, its money), `error` the standard error of that, taken over blocks
    (None while there are fewer than two), and `low` to `high` hold the true mean with the table's probability. Equal
    means share a rank; `rank_low` to `rank_high` hold the rank by the true means with that probability. `mu` and
    `sigma` are its rating among these bots. The rest is counted over all its seats: hands, points, money, closed hands,
    claims, faults, and the points a hand by contract.
    """

    rank: int
    entrant: str
    bot: str
    mean: float
    error: float | None
    low: float
    high: float
    mu: float
    sigma: float
    hands: int
    points: int
    money: int
    closes: int
    claims: int
    faults: int
    contracts: tuple[float, ...]
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True)
class LeaguePair:
    """Two entrants in the order of a table: by how much the first one is better, and how sure it is so.

    `error` is the standard error of the gap, over the blocks' differences (None while there are fewer than two), and
    `low` to `high` hold the true gap with the table's probability. `certainty` is one half where it is a coin's throw.
    """

    better: str
    worse: str
    gap: float
    error: float | None
    certainty: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LeagueFault:
    """A bot that failed: in which block, game and hand (from 1), what it did, and the traceback."""

    block: int
    game: int
    hand: int
    entrant: str
    what: str
    trace: str


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """How a league stands after its first `blocks` blocks: entrants from best to worst, every pair, the first faults.

    `hash` names what was played: the same league after as many blocks has the same. `contracts` are the hands of a game
    in order, none in the knock game. Intervals, the `certainty` of each pair and that of the whole order hold at all
    the `looks` at which the league may end; `level` is the probability of the intervals. `pairs` are by the means over
    all games of each, which give the order; `duels` by the games in which both sat, where the other may be better.
    """

    number: int
    league: League
    hash: str
    blocks: int
    games: int
    hands: int
    verdict: Verdict
    level: float
    certainty: float
    contracts: tuple[str, ...]
    bots: tuple[LeagueBot, ...]
    pairs: tuple[LeaguePair, ...]
    faults: tuple[LeagueFault, ...] = ()
    looks: int = 1
    duels: tuple[LeaguePair, ...] = ()


@dataclass(frozen=True, slots=True)
class LeagueProgress:
    """Where a running league is: blocks done, of how many, games a second, its order so far, best first.

    `left` are the seconds until all blocks are played (None while nothing tells); it goes on until they are, or until
    the order is sure. While it is `ending` the blocks in play are the last ones.
    """

    done: int
    blocks: int
    speed: float
    order: tuple[str, ...]
    certainty: float
    left: float | None
    until: Literal["played", "sure"]
    phase: Literal["playing", "ending"] = "playing"


@dataclass(frozen=True, slots=True)
class DesignNeed:
    """What a design takes to tell the bots of a pilot apart: the couple that is hardest to, the better one first.

    Found in `played` hands: `gap` in favour of the better one, what it may miss by, and the `spread` of a block's
    differences. `hands` are what a gap of the size asked for needs; `fewer` is how many times fewer than with the first
    design, with what holds the true factor with 95 % (None if these two never differed).
    """

    design: Design
    played: int
    better: str
    worse: str
    gap: float
    error: float
    spread: float
    hands: int
    fewer: float | None
    fewer_low: float | None
    fewer_high: float | None


@dataclass(frozen=True, slots=True)
class LeaguePilot:
    """How many hands each design needs until a gap of `gap` points a hand counts as separated with `certainty`, in
    `power` of all leagues."""

    league: League
    gap: float
    certainty: float
    power: float
    needs: tuple[DesignNeed, ...]


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two plays of the same cards part: the first decision in a hand that was taken otherwise.

    `hand` and `step` (the line of its acts) count from 1, `seat` is who decided, from 0. `acts` are what was done there
    in the one play and in the other, `points` what each seat got in the hand.
    """

    hand: int
    contract: str
    step: int
    seat: int
    acts: tuple[str, str]
    points: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def moved(self) -> tuple[int, ...]:
        """By how many points each seat had more in the other play."""
        one, other = self.points
        return tuple([after - before for before, after in zip(one, other, strict=True)])


@dataclass(frozen=True, slots=True)
class LeagueParting:
    """A hand in which two entrants decided otherwise at one seat with the same cards, and what each got there.

    `hand`, `step` (the line of the hand's acts) and `seat` count from 1.
    """

    hand: int
    contract: str
    step: int
    seat: int
    better_act: str
    worse_act: str
    better_points: int
    worse_points: int

    @property
    def moved(self) -> int:
        """How many points fewer the better one got."""
        return self.worse_points - self.better_points


@dataclass(frozen=True, slots=True)
class LeagueReason:
    """Why an entrant did better than another in a block (from 1): the hands in which they parted."""

    number: int
    block: int
    better: str
    worse: str
    hands: tuple[LeagueParting, ...]
