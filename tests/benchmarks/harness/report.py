"""A table of what was measured: the rates, the ratio to a peer, and whether a target is met."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tests.benchmarks.harness.machine import Facts
from tests.benchmarks.harness.timing import Effort, Rate, Ratio, ratio

Format = Literal["text", "markdown"]

HEADS = ("Measure", "tourney", "Beside it", "Its number", "Ratio (least–most)", "Target", "Verdict")


@dataclass(frozen=True, slots=True)
class Target:
    """What a number must reach; the goal lies beyond."""

    sense: Literal["at least", "at most"]
    bound: float
    unit: str = ""
    goal: float | None = None

    def __str__(self) -> str:
        sign = "≥" if self.sense == "at least" else "≤"
        goal = "" if self.goal is None else f", goal {self.goal:,g}{self.unit}"
        return f"{sign} {self.bound:,g}{self.unit}{goal}"

    def verdict(self, value: float) -> str:
        """Met, goal met, or not met."""
        if self.goal is not None and self._reached(value, self.goal):
            return "goal met"
        return "met" if self._reached(value, self.bound) else "not met"

    def _reached(self, value: float, bound: float) -> bool:
        return value >= bound if self.sense == "at least" else value <= bound


@dataclass(frozen=True, slots=True)
class Row:
    """One line: the measure, our number, a peer and its number, the ratio, the target and whether it is met."""

    measure: str
    ours: str = ""
    peer: str = ""
    theirs: str = ""
    ratio: str = ""
    target: str = ""
    verdict: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The line under `HEADS`."""
        return (self.measure, self.ours, self.peer, self.theirs, self.ratio, self.target, self.verdict)


@dataclass(frozen=True, slots=True)
class Report:
    """The rows of one part and what they were measured on."""

    part: str
    facts: Facts
    effort: Effort
    rows: Sequence[Row]


def against(measure: str, ours: Rate, theirs: Rate, unit: str, target: Target | None = None) -> Row:
    """A rate in multiples of a peer's."""
    found = ratio(ours, theirs)
    cells = (number(ours.middle, unit), theirs.name, number(theirs.middle, unit), times(found))
    return Row(measure, *cells, *told(target, found.middle))


def slower(measure: str, ours: Rate, theirs: Rate, target: Target | None = None) -> Row:
    """The time that one of ours takes in multiples of what one of theirs does."""
    found = ratio(theirs, ours)
    times_taken = (number(1000 / rate.middle, " ms") for rate in (ours, theirs))
    return Row(measure, next(times_taken), theirs.name, next(times_taken), times(found), *told(target, found.middle))


def compared(measure: str, ours: float, peer: str, theirs: float, unit: str, target: Target | None = None) -> Row:
    """A number in multiples of another, each taken once."""
    found = ours / theirs
    return Row(measure, number(ours, unit), peer, number(theirs, unit), f"{found:,.3g} ×", *told(target, found))


def counted(measure: str, ours: int, peer: str, theirs: int, target: Target | None = None) -> Row:
    """Numbers of things, ours and theirs."""
    return Row(measure, f"{ours:,}", peer, f"{theirs:,}", "", *told(target, ours))


def alone(measure: str, value: float, unit: str, target: Target | None = None) -> Row:
    """A number without a peer."""
    return Row(measure, number(value, unit), "", "", "", *told(target, value))


def missing(measure: str, peer: str, why: str) -> Row:
    """A peer that could not be asked."""
    return Row(measure, "", peer, f"missing: {why}")


def times(found: Ratio) -> str:
    """The ratio and its spread."""
    return f"{found.middle:,.3g} × ({found.least:,.3g}–{found.most:,.3g})"


def number(value: float, unit: str) -> str:
    """Three digits and the unit."""
    return f"{value:,.0f}{unit}" if abs(value) >= 100 else f"{value:.3g}{unit}"


def shown(report: Report, form: Format) -> str:
    """The report as text: title, facts, table."""
    facts = report.facts
    title = f"{report.part}: {facts.build} build, {facts.python}, {facts.processor}, {facts.cores} cores, {facts.date}"
    if report.effort == "quick":
        title += " (a quick run: it shows that all runs, not how fast)"
    rows = [row.cells for row in report.rows]
    if report.effort == "quick":
        rows = [(*row[:-1], "") for row in rows]
    cells = [HEADS, *rows]
    lines = _markdown(cells) if form == "markdown" else _text(cells)
    command = f"`{facts.command}`" if form == "markdown" else facts.command
    return "\n".join([title, *([""] if form == "markdown" else []), command, "", *lines, ""])


def told(target: Target | None, value: float) -> tuple[str, str]:
    """The target and whether the value meets it; nothing where there is none."""
    return ("", "") if target is None else (str(target), target.verdict(value))


def _markdown(cells: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return [lines[0], "|" + "---|" * len(HEADS), *lines[1:]]


def _text(cells: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in cells) for at in range(len(HEADS))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
