"""A probe of a bot, and its findings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from engine.rules import Rules
from tourney.bots.entrant import Entrant
from tourney.bots.faults import IllegalChoice
from tourney.bots.protocol.words import Hello
from tourney.domain.leagues import ProbeVerdict, Remark
from tourney.league.playing import said
from tourney.league.time_limits import ThinkingClock
from tourney.text.i18n import marked


def remark(text: str, **values: object) -> Remark:
    """Return a remark; `text` is marked for translation where it is written."""
    return Remark(text, tuple(values.items()))


def fault_remark(error: BaseException) -> Remark:
    """Return the fault that a bot's error is, as a remark."""
    if not isinstance(error, IllegalChoice):
        return remark("{fault}", fault=said(error))
    values = {"fault": error.kind.name, "action": error.action, "reason": error.refused.reason}
    return remark("{fault}: {action}: {reason} [{clause}]", **values, clause=error.refused.clause)


class ProbeFinding(Exception):
    """A finding of a probe, other than that everything is as it should be."""

    def __init__(self, verdict: ProbeVerdict, detail: Remark) -> None:
        super().__init__(detail.text)
        self.verdict: ProbeVerdict = verdict
        self.detail = detail


def failed(text: str, **values: object) -> ProbeFinding:
    """Return the finding that a bot does what no bot may."""
    return ProbeFinding("failed", remark(text, **values))


def noted(text: str, **values: object) -> ProbeFinding:
    """Return the finding that a bot does what it may, and what its author should know."""
    return ProbeFinding("noted", remark(text, **values))


def skipped(text: str, **values: object) -> ProbeFinding:
    """Return the finding that there was nothing to find."""
    return ProbeFinding("skipped", remark(text, **values))


@dataclass(slots=True)
class Subject:
    """The bot that is probed: how it answered the greeting (None: it is not greeted), and until when there is time."""

    entrant: Entrant
    clock: ThinkingClock
    until: float
    hello: Hello | None = None
    unanswered: int = field(default=0)

    def skip_unless_plays(self, rules: Rules, players: int) -> None:
        """Raise a Finding if the bot says that it does not play these rules, or not at such a table."""
        if self.hello is None:
            return
        if rules.kind not in self.hello.families:
            raise skipped(marked("it does not play this family of rules"))
        if not self.hello.least <= players <= self.hello.most:
            raise skipped(marked("it does not play at tables of this size"))

    def check_time(self) -> None:
        """Raise a Finding if no time is left for more questions."""
        if monotonic() > self.until:
            raise skipped(marked("no time is left"))


@dataclass(frozen=True, slots=True)
class Probe:
    """A probe: its name for programs, what it tries, and what does it.

    `run` returns a remark on what is as it should be, and raises a Finding for anything else; a BotFault, and whatever
    else a bot raises, is a failure.
    """

    name: str
    about: str
    run: Callable[[Subject], Remark]
