"""Leagues as they are read: standings with error bars, progress, pilots and files; and bots as they are checked."""

from dataclasses import dataclass
from typing import Literal

from tourney.domain.leagues import Design, GapTest, League, LeagueFault

ProbeVerdict = Literal["passed", "noted", "skipped", "failed"]
"""The outcome of a probe; `noted` is worth knowing and allowed."""


@dataclass(frozen=True, slots=True)
class NewBot:
    """A bot that was written: its folder and files, and the commands that build it and let it play there."""

    folder: str
    files: tuple[str, ...]
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence in English with the values of its placeholders; whoever shows it translates it."""

    text: str = ""
    values: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The outcome of one probe of a bot: its name for programs, what it tries (in English), and what was found."""

    name: str
    about: str
    verdict: ProbeVerdict
    detail: Remark = Remark()


@dataclass(frozen=True, slots=True)
class BotCheck:
    """A bot that was probed: its text, the level at which it ran, and the results in their order.

    `untried` counts the probes that made no sense, since the bot does not answer the greeting.
    """

    entrant: str
    isolation: str
    results: tuple[ProbeResult, ...]
    untried: int = 0

    def count(self, verdict: ProbeVerdict) -> int:
        """Return how many probes had this outcome."""
        untried = self.untried if verdict == "skipped" else 0
        return untried + sum(result.verdict == verdict for result in self.results)


@dataclass(frozen=True, slots=True)
class ReplayedDecision:
    """A decision of a recorded game, and what a bot would have done: its action as text, or its fault.

    Hand, turn of the hand and decision in the hand count from 1. `asked` is False where its filters answered.
    """

    hand: int
    contract: str
    turn: int
    number: int
    kind: str
    cards: str
    recorded: str
    chosen: str
    fault: str = ""
    asked: bool = True

    @property
    def differs(self) -> bool:
        """Return whether the bot would have done something else."""
        return self.chosen != self.recorded


@dataclass(frozen=True, slots=True)
class BotReplay:
    """A recorded game whose decisions of one seat (from 1) were put to a bot."""

    entrant: str
    record: str
    seat: int
    player: str
    decisions: tuple[ReplayedDecision, ...]


MachineState = Literal["playing", "late", "done", "left out", "gone"]
"""The state of a worker of a scheduler: `late` has not answered when it should have, `gone` is no longer connected.

`done` is one that played until the league ended or was stopped.
"""


@dataclass(frozen=True, slots=True)
class GapTestState:
    """The state of a test: its log-likelihood ratio `llr`, and the bounds at which it ends.

    `llr` is None while there are too few blocks, or where it is infinite because all blocks agree.
    """

    test: GapTest
    llr: float | None
    lower: float
    upper: float


Verdict = Literal["open", "certain", "not separated", "played", "passed", "failed", "undecided"]
"""The state of a league: not finished; ended with a certain order; ended without one; or played to its end.

A test has passed, has failed, or was still undecided after all blocks.
"""


DEFAULT_LEVEL = 0.95
"""The confidence level of intervals, unless another is asked for."""


@dataclass(frozen=True, slots=True)
class LeagueBot:
    """An entrant's row in the table of a league.

    `mean` is its points a hand (in the knock game, its money), `error` the standard error over blocks (None while there
    are fewer than two), and `low` to `high` the interval of the true mean at the table's level. Equal means share a
    rank; `rank_low` to `rank_high` is the interval of the rank by the true means. `mu` and `sigma` are its rating among
    these bots. The other fields are sums over all its seats (hands, points, money, closed hands, claims, faults), and
    `contracts` has the points a hand by contract. What faults cost is in `mean`, and in no other field. `isolation` is
    the level at which it played, and `fuel` what an answer of a module cost: the median, what 99 % of them did
    not exceed, and the most.
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
    faults_by_kind: tuple[int, ...] = ()
    isolation: str = "trusted"
    fuel: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LeaguePair:
    """Two entrants in the order of a table: the gap by which the first is better, and the confidence that it is.

    `error` is the standard error of the gap, from its values by block (None while there are fewer than two blocks), and
    `low` to `high` the interval of the true gap at the table's level. `certainty` is 0.5 where nothing is known.
    """

    better: str
    worse: str
    gap: float
    error: float | None
    certainty: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LeagueMachine:
    """A worker of a scheduler that plays a league: its name, its build, how many blocks and hands, and hands a second.

    `slots` is how many blocks it plays at the same time, and `why` says why it was left out.
    """

    name: str
    state: MachineState
    build: str
    slots: int
    blocks: int
    hands: int
    speed: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The table of a league after its first `blocks` blocks: entrants from best to worst, every pair, the first faults.

    Each fault has the number of its block, from 0, before it.

    `hash` identifies what was played: the same league after as many blocks has the same hash. `contracts` are the hands
    of a game in order, none in the knock game. Intervals, the `certainty` of each pair and the certainty of the whole
    order hold simultaneously at all `looks`, the tests after which the league may end; `level` is the confidence level
    of the intervals. `pairs` compare the means over all games of each entrant, which give the order; `duels` compare
    only the games in which both sat, where the lower-ranked entrant may be better. `machines` are the workers of a
    scheduler, if the league was last played by them.
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
    faults: tuple[tuple[int, LeagueFault], ...] = ()
    looks: int = 1
    duels: tuple[LeaguePair, ...] = ()
    test: GapTestState | None = None
    machines: tuple[LeagueMachine, ...] = ()

    @property
    def seed(self) -> str | None:
        """The league's seed, None until the league has ended: deals follow from it."""
        return None if self.verdict == "open" else self.league.seed


@dataclass(frozen=True, slots=True)
class ListedLeague:
    """A league in a list: its number, how many of its blocks are kept, and its state.

    Of a league that came from the files of some parts, the blocks may be any; its table has only those up to the first
    missing one.
    """

    number: int
    league: League
    blocks: int
    verdict: Verdict

    @property
    def seed(self) -> str | None:
        """The league's seed, None until the league has ended: deals follow from it."""
        return None if self.verdict == "open" else self.league.seed


@dataclass(frozen=True, slots=True)
class LeagueProgress:
    """The progress of a running league: blocks done, blocks in all, games a second, and the order so far, best first.

    `left` is the estimated number of seconds until all blocks are played (None while unknown). With `until` "certain"
    or "decided" the league may end sooner. In the phase "ending" the blocks in play are the last ones. `machines` are
    the workers of the scheduler on which it is played, if it is.
    """

    done: int
    blocks: int
    speed: float
    order: tuple[str, ...]
    certainty: float
    left: float | None
    until: Literal["played", "certain", "decided"]
    phase: Literal["playing", "ending"] = "playing"
    test: GapTestState | None = None
    machines: tuple[LeagueMachine, ...] = ()


@dataclass(frozen=True, slots=True)
class DesignNeed:
    """The hands that a design needs to separate the bots of a pilot.

    They are counted for the pair that needs most, the better bot first. Measured in `played` hands: the `gap` in favour
    of the better one, its standard error, and the `spread` (standard deviation) of the gaps by block. `hands` is the
    number needed for a gap of the size asked for; `fewer` is the factor by which the first design needs more, with its
    95 % interval (None if these two bots never differed).
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
    """The hands that each design needs to separate a gap of `gap` points a hand.

    They are enough to separate it with `certainty` in the fraction `power` of all leagues.
    """

    league: League
    gap: float
    certainty: float
    power: float
    needs: tuple[DesignNeed, ...]


@dataclass(frozen=True, slots=True)
class LeagueDivergence:
    """A hand in which two entrants decided differently at one seat with the same cards, and the points each scored.

    `hand`, `step` (the line of the hand's actions) and `seat` count from 1.
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
        """Return how many points fewer the better entrant got."""
        return self.worse_points - self.better_points


@dataclass(frozen=True, slots=True)
class SeatLog:
    """The conversation with a program at a seat (from 1) of one game: lines that it heard (>), said (<), and others.

    Its standard error has !, its starts and faults #.
    """

    seat: int
    entrant: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExportedLeague:
    """A league that was written to a file: its number, how many blocks and records, and the hash of its table."""

    number: int
    league: League
    blocks: int
    records: int
    hash: str


@dataclass(frozen=True, slots=True)
class ImportedLeague:
    """A league that was read from files: its number here, whether it is new, and its table if that was asked for.

    `blocks` are the blocks that it has now, `added` those of them that the files added; `repeated` were here before, or
    are in several files.
    """

    number: int
    league: League
    new: bool
    added: int
    repeated: int
    blocks: int
    table: LeagueTable | None = None

    @property
    def missing(self) -> int:
        """The number of blocks that are still to be played, as far as the table says."""
        return self.league.blocks - self.blocks if self.table is None or self.table.verdict == "open" else 0


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """A part of a league, `part` of `of`, in its file: its blocks, and how many of them were played now."""

    league: League
    part: int
    of: int
    blocks: int
    new: int


@dataclass(frozen=True, slots=True)
class LeagueComparison:
    """Two entrants compared in a block (from 1): the hands in which they first decided differently."""

    number: int
    block: int
    better: str
    worse: str
    hands: tuple[LeagueDivergence, ...]
