"""Bots as they are made, checked and replayed."""

from dataclasses import dataclass
from typing import Literal

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
