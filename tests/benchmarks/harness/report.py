"""Render tables of measurements: rates, ratios to a peer, and whether a target is met."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from tests.benchmarks.harness.machine import Facts
from tests.benchmarks.harness.timing import Effort, Rate, Ratio, ratio

Format = Literal["text", "markdown"]
Peer = TypeVar("Peer")

HEADS = ("Measure", "tourney", "Beside it", "Its number", "Ratio (least–most)", "Target", "Verdict")


@dataclass(frozen=True, slots=True)
class Target:
    """A bound that a number must reach, and a goal beyond it."""

    sense: Literal["at least", "at most"]
    bound: float
    unit: str = ""
    goal: float | None = None

    def __str__(self) -> str:
        sign = "≥" if self.sense == "at least" else "≤"
        goal = "" if self.goal is None else f", goal {self.goal:,g}{self.unit}"
        return f"{sign} {self.bound:,g}{self.unit}{goal}"

    def verdict(self, value: float) -> str:
        """Return `met`, `goal met` or `not met`."""
        if self.goal is not None and self._reached(value, self.goal):
            return "goal met"
        return "met" if self._reached(value, self.bound) else "not met"

    def _reached(self, value: float, bound: float) -> bool:
        return value >= bound if self.sense == "at least" else value <= bound


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: measure, our number, a peer and its number, their ratio, the target and the verdict."""

    measure: str
    ours: str = ""
    peer: str = ""
    theirs: str = ""
    ratio: str = ""
    target: str = ""
    verdict: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells under `HEADS`."""
        return (self.measure, self.ours, self.peer, self.theirs, self.ratio, self.target, self.verdict)


@dataclass(frozen=True, slots=True)
class Report:
    """The rows of one part and the facts of the measurement."""

    part: str
    facts: Facts
    effort: Effort
    rows: Sequence[Row]


def rate_row(measure: str, ours: Rate, theirs: Rate, unit: str, target: Target | None = None) -> Row:
    """Return a row with our rate as a multiple of a peer's."""
    multiple = ratio(ours, theirs)
    cells = (number_text(ours.middle, unit), theirs.name, number_text(theirs.middle, unit), ratio_text(multiple))
    return Row(measure, *cells, *target_cells(target, multiple.middle))


def time_row(measure: str, ours: Rate, theirs: Rate, target: Target | None = None) -> Row:
    """Return a row with our time for one unit as a multiple of a peer's."""
    multiple = ratio(theirs, ours)
    our_time, their_time = (number_text(1000 / rate.middle, " ms") for rate in (ours, theirs))
    cells = (our_time, theirs.name, their_time, ratio_text(multiple))
    return Row(measure, *cells, *target_cells(target, multiple.middle))


def ratio_row(measure: str, ours: float, peer: str, theirs: float, unit: str, target: Target | None = None) -> Row:
    """Return a row with our number as a multiple of a peer's, each measured once."""
    multiple = ours / theirs
    return Row(
        measure,
        number_text(ours, unit),
        peer,
        number_text(theirs, unit),
        f"{multiple:,.3g} ×",
        *target_cells(target, multiple),
    )


def count_row(measure: str, ours: int, peer: str, theirs: int, target: Target | None = None) -> Row:
    """Return a row with our count and a peer's; the target is for ours."""
    return Row(measure, f"{ours:,}", peer, f"{theirs:,}", "", *target_cells(target, ours))


def value_row(measure: str, value: float, unit: str, target: Target | None = None) -> Row:
    """Return a row with a number that has no peer."""
    return Row(measure, number_text(value, unit), "", "", "", *target_cells(target, value))


def missing_row(measure: str, peer: str, reason: str) -> Row:
    """Return a row for a peer that is not installed."""
    return Row(measure, "", peer, f"missing: {reason}")


def installed(measure: str, peers: Mapping[str, Callable[[], Peer]]) -> tuple[dict[str, Peer], list[Row]]:
    """Make the peers that are installed; return them, and a row for each of the others."""
    found: dict[str, Peer] = {}
    missing = []
    for name, make in peers.items():
        try:
            found[name] = make()
        except ImportError as error:
            missing.append(missing_row(measure, name, str(error)))
    return found, missing


def ratio_text(multiple: Ratio) -> str:
    """Return the ratio with its range as text."""
    return f"{multiple.middle:,.3g} × ({multiple.least:,.3g}–{multiple.most:,.3g})"


def number_text(value: float, unit: str) -> str:
    """Return the number with three significant digits (from 100 on, as a whole number) and its unit."""
    return f"{value:,.0f}{unit}" if abs(value) >= 100 else f"{value:.3g}{unit}"


def render(report: Report, form: Format) -> str:
    """Return the report in the form `text` or `markdown`: title, facts, table."""
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


def target_cells(target: Target | None, value: float) -> tuple[str, str]:
    """Return the cells of the target and the verdict, empty where there is no target."""
    return ("", "") if target is None else (str(target), target.verdict(value))


def _markdown(cells: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return [lines[0], "|" + "---|" * len(HEADS), *lines[1:]]


def _text(cells: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in cells) for at in range(len(HEADS))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
