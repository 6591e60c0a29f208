"""Leagues: bots that play many games, block by block, and their standings."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain, count
from typing import Final, Literal, NamedTuple, Self

from tourney.domain.rules import RulesRef

Design = Literal["pairs", "replace", "gauntlet", "rotations", "fresh"]
"""The seatings in which a block plays its deals; `tourney.league.designs` has them."""

KeptRecords = Literal["none", "sampled", "all"]
"""The games whose records are kept: none, those of every hundredth block, or all."""


FAULT_KINDS = ("illegal", "unreadable", "slow", "stalled", "died")
"""The kinds of faults, in the order of their counts; `tourney.bots.faults` says what each is."""

FAULT_COST = 20
"""The usual cost of a fault, in points or money: high enough that failing is worse than playing at random."""

MOST_BOTS: Final = 1000
MOST_ENTRANT: Final = 10_000
"""The most characters of the text that names a bot, as of an argument of the command line."""
"""The most bots of a league: by pairs they play a million games in each block."""

MOST_FAULT_COST = 1_000_000
"""The highest cost of a fault."""


@dataclass(frozen=True, slots=True)
class OutsideBot:
    """A bot from outside the program: a Python class, or a built-in bot under a name of its own.

    Tables show `name`; `entrant` is the text that says what plays, with parameters. Paths in it count from
    `folder`, which is no part of the bot's identity: its `files` are named from there, each with its SHA-256. `limits`
    are those that differ from the defaults. `runtime` is the program with its version on which its play depends
    besides ('': none).
    """

    name: str
    entrant: str
    folder: str = ""
    files: tuple[tuple[str, str], ...] = ()
    limits: tuple[tuple[str, float], ...] = ()
    runtime: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """The values that two machines must share for the bot to be the same."""
        return self.name, self.entrant, self.files, self.limits, *([self.runtime] if self.runtime else [])


COMMAND_PREFIX: Final = "cmd:"
"""The beginning of the texts of bots that are programs, before their command line."""
MODULE_PREFIX: Final = "wasm:"
"""The beginning of the texts of bots that are WebAssembly modules."""
_FOLDERS: Final = re.compile(rf"\A({MODULE_PREFIX})?.*[/\\]", re.DOTALL)


def public_names(bots: Iterable[str]) -> Mapping[str, str]:
    """Return the names under which everybody sees these bots: a path says where files of the organiser lie.

    A name that would then read as another one has a number: `cmd:bot`, and `cmd:bot (2)` for `cmd:./bot`.
    """
    shown = {bot: _without_folders(bot) for bot in bots}
    taken = {bot for bot, name in shown.items() if bot == name}
    for bot in [bot for bot in shown if bot not in taken]:
        numbered = (f"{shown[bot]} ({number})" for number in count(2))
        shown[bot] = next(name for name in chain([shown[bot]], numbered) if name not in taken)
        taken.add(shown[bot])
    return shown


def _without_folders(bot: str) -> str:
    """Return a bot's name with only the last parts of its paths: of the words of a command, as a shell divides them."""
    if _FOLDERS.match(bot) is None or not bot.startswith(COMMAND_PREFIX):
        return _FOLDERS.sub(r"\1", bot)
    text = bot.removeprefix(COMMAND_PREFIX)
    try:
        words = shlex.split(text)
    except ValueError:
        words = [text]
    return COMMAND_PREFIX + shlex.join(filter(None, (_FOLDERS.sub("", word) for word in words)))


DRAWN_SEED: Final = re.compile("[0-9a-f]{32}")
"""The form of seeds that this program draws: 128 bits."""


@dataclass(frozen=True, slots=True)
class GapTest:
    """A sequential test of two bots: is the first better than the second by `high` rather than by `low` a hand?

    Both are points a hand, in the knock game money, and `low` is the smaller one. `alpha` is the probability of passing
    a bot that is better by `low` only, `beta` that of failing one that is better by `high`.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True)
class League:
    """The settings of a league, which together with a block's number determine that block.

    `rules_text` is the text of a club's own rules ('' if built in), `stake` the stake of a knock game. A league ends
    after `blocks` blocks, or as soon as the order of its bots is certain: `certainty` is that probability as text
    ('': the order is not tested), or as soon as its `test` has an answer. `outside` has those of the bots that are not
    built in, by their names. With a `book`, a list of seeds, its deals follow from these and not from `seed`.
    `isolation` is the level at which bots from outside play at least ('': the default of each kind), `fault_cost`
    what a fault costs. `seed_given` is true where a seed of the form of drawn ones was not drawn for this league here.
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
    outside: tuple[OutsideBot, ...] = ()
    test: GapTest | None = None
    book: tuple[str, ...] = ()
    isolation: str = ""
    fault_cost: int = FAULT_COST
    seed_given: bool = field(default=False, compare=False)

    @property
    def rules_ref(self) -> RulesRef:
        """The rules that the league plays."""
        return RulesRef(self.rules, self.rules_digest, self.rules_text)

    @property
    def has_drawn_seed(self) -> bool:
        """Return whether this program has drawn the seed: it has the form of drawn ones, and nobody gave it."""
        return DRAWN_SEED.fullmatch(self.seed) is not None and not self.seed_given

    @property
    def hides_deals(self) -> bool:
        """Return whether nobody knows the deals: this program has drawn the seed from which all of them follow."""
        return self.has_drawn_seed and not self.book

    def with_given_seed(self) -> Self:
        """Return the league with a seed that somebody gave, whatever its form."""
        return replace(self, seed_given=self.has_drawn_seed or self.seed_given)

    @property
    def seed_digest(self) -> str:
        """The SHA-256 of the seed, by which it can be checked once the league has ended."""
        return sha256(self.seed.encode()).hexdigest()

    @property
    def book_digest(self) -> str:
        """The SHA-256 of the league's book, a seed and a line feed for each deal; '' without one."""
        lines = "".join([f"{seed}\n" for seed in self.book])
        return sha256(lines.encode()).hexdigest() if self.book else ""

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names of the bots: a second `greedy` is `greedy-2`. Bots that join later change no name."""
        earlier = [self.bots[:place].count(bot) for place, bot in enumerate(self.bots)]
        return tuple([bot if not same else f"{bot}-{same + 1}" for bot, same in zip(self.bots, earlier, strict=True)])


TIME_LIMIT = 600
"""Default seconds that a bot may take for an action: the slowest built-in bot takes 20 on a slow machine."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """Settings of the machine that plays a league: the number of worker processes, and a bot's seconds for an action.

    `on` names the scheduler whose workers play instead of processes of this computer ('': none), and `trust_users`
    accepts one that other users of this computer can reach. As long as every bot
    answers in time, the league's outcome depends on none of them.
    """

    workers: int = 1
    time_limit: int = TIME_LIMIT
    on: str = ""
    trust_users: bool = False

    @property
    def processes(self) -> int:
        """The number of processes of this computer that play: with a scheduler this one alone."""
        return 1 if self.on else self.workers


class LeagueFault(NamedTuple):
    """A failure of a bot: in which game and hand of a block, which entrant, the error in one line, and its traceback.

    All numbers count from 0.
    """

    game: int
    hand: int
    entrant: int
    what: str
    trace: str


class PlayedBlock(NamedTuple):
    """A block as it is played, sent, kept and exported: its outcome as text, its first faults, and records by game.

    The number of the block and those of the games count from 0. `tourney.league.blocks` reads the text.
    """

    number: int
    text: str
    faults: Sequence[LeagueFault] = ()
    records: Sequence[tuple[int, str]] = ()
