"""Simulate plans of events side by side, with players whose skills spread as those of a pool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pvariance
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.pools import Pool
from tourney.domain.rankings import RatingRow
from tourney.domain.rules import USUAL_RULES, RulesRef
from tourney.rulebook import rulesets
from tourney.service.ratings.ratings import ratings
from tourney.service.seating.advice import game_length_of
from tourney.service.stages.presets import PRESETS, Preset, find_preset, stages_of
from tourney.standings.simulated import Setup, SimulatedTournament, simulated
from tourney.text.i18n import _
from tourney.text.progress import Progress, no_progress


@dataclass(frozen=True, slots=True)
class SimulatedMean:
    """A mean over simulated tournaments with the limits of its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SimulatedPlan:
    """One plan, simulated: how often the best player wins, and the mean rank of the true top four.

    `repeats` counts every meeting of two players beyond their first; `hours` is the mean length of all rounds.
    """

    id: str
    best_wins: SimulatedMean
    top_four: SimulatedMean
    repeats: SimulatedMean
    hours: float


@dataclass(frozen=True, slots=True)
class Simulation:
    """Plans simulated with the same players; `spread` is that of skills, in units of a game's random part.

    `source` is the pool that the spread fits, "" if none has enough games; `rated` counts its players.
    """

    players: int
    runs: int
    spread: float
    source: str
    rated: int
    plans: tuple[SimulatedPlan, ...]
    left_out: tuple[str, ...] = ()


USUAL_SPREAD: Final = 1.0
"""The spread of skills where no pool has enough games: one unit of a game's random part."""
FEWEST_RATED: Final = 8
"""The fewest rated players from whom a spread is taken."""
LIMITS: Final = (4, 400)
MOST_RUNS: Final = 100_000
Z: Final = 1.959964
"""The quantile of the normal distribution for an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class SimulationRequest:
    """A request for a simulation: players, tournaments of each plan, rules, and the presets (all that fit if empty)."""

    players: int = 32
    runs: int = 1000
    seed: str = "1"
    presets: tuple[str, ...] = ()
    rules: str = USUAL_RULES
    spread: float | None = None
    pool: str | None = None


def simulate(db: str | None, request: SimulationRequest, progress: Progress = no_progress) -> Simulation:
    """Return the simulation. Raises TourneyError NOT_FOUND, or REFUSED for numbers out of range."""
    _check(request)
    rules = rulesets.resolve(request.rules)
    if rulesets.family(rules) == "knock":
        message = _("a knock game has no number of hands to simulate")
        raise TourneyError(ExitCode.REFUSED, message, _("choose rules with contracts"))
    wanted = [find_preset(name) for name in request.presets] or list(PRESETS.values())
    fitting = [preset for preset in wanted if preset.least <= request.players <= preset.most]
    left_out = tuple(preset.id for preset in wanted if preset not in fitting)
    spread, source, rated = _spread(db, request)
    total, plans = len(fitting) * request.runs, []
    for at, preset in enumerate(fitting):
        played = []
        for number, each in enumerate(_tournaments(preset, rules, request, spread), 1):
            played.append(each)
            progress(at * request.runs + number, total)
        plans.append(_summary(db, preset, rules, played))
    return Simulation(request.players, request.runs, spread, source, rated, tuple(plans), left_out)


def _check(request: SimulationRequest) -> None:
    for quantity, number, (least, most) in (
        (_("players"), request.players, LIMITS),
        (_("tournaments"), request.runs, (10, MOST_RUNS)),
    ):
        if not least <= number <= most:
            message = _("{number} {quantity} cannot be simulated").format(number=number, quantity=quantity)
            raise TourneyError(
                ExitCode.REFUSED, message, _("it can be {least} to {most}").format(least=least, most=most)
            )
    if request.spread is not None and not 0 <= request.spread <= 10:
        message = _("a spread of {spread:g} is not possible").format(spread=request.spread)
        raise TourneyError(ExitCode.REFUSED, message, _("it can be {least} to {most}").format(least=0, most=10))


def _tournaments(
    preset: Preset, rules: RulesRef, request: SimulationRequest, spread: float
) -> Iterator[SimulatedTournament]:
    least, most = rulesets.table_limits(rules)
    size = min(4, most)
    hands = len(rulesets.contracts(rules))
    setup = Setup(
        stages_of(preset, rules), request.players, size, least, most, hands, preset.settings.get("table_points")
    )
    for number in range(request.runs):
        # Tournament by tournament all plans have the same players, so that their difference is more exact.
        yield simulated(setup, spread, f"{request.seed}/{number}")


def _spread(db: str | None, request: SimulationRequest) -> tuple[float, str, int]:
    """Return the spread of skills, the pool that it fits ("" if given or usual), and its number of players."""
    if request.spread is not None:
        return request.spread, "", 0
    if request.pool is None and not (db is not None or storage.locate(db).exists()):
        return USUAL_SPREAD, "", 0
    table = ratings(db, request.pool or "people")
    rows = [row for row in table.rows if row.games > 1]
    if len(rows) < FEWEST_RATED:
        return USUAL_SPREAD, "", 0
    return _fitted(table.pool, rows), table.pool.name, len(rows)


def _fitted(pool: Pool, rows: Sequence[RatingRow]) -> float:
    """Return the spread of skills that the ratings fit: the variance of mu, less what the ratings do not know."""
    variance = pvariance([row.mu for row in rows]) - fmean(row.sigma**2 for row in rows)
    return sqrt(max(variance, 0.0)) / float(pool.beta)


def _summary(db: str | None, preset: Preset, rules: RulesRef, played: Sequence[SimulatedTournament]) -> SimulatedPlan:
    wins = sum(each.order[0] == 0 for each in played)
    ranks = [fmean(each.order.index(player) + 1 for player in range(4)) for each in played]
    length = game_length_of(db, rules).minutes or 0.0
    hands = len(rulesets.contracts(rules))
    minutes = fmean(sum(length * size * number / hands for number, size in each.hands) for each in played)
    repeats = [float(each.repeats) for each in played]
    return SimulatedPlan(preset.id, _share(wins, len(played)), _mean(ranks), _mean(repeats), minutes / 60)


def _share(count: int, number: int) -> SimulatedMean:
    """Return a share with Wilson's interval."""
    share = count / number
    middle = (share + Z**2 / (2 * number)) / (1 + Z**2 / number)
    half = Z * sqrt(share * (1 - share) / number + Z**2 / (4 * number**2)) / (1 + Z**2 / number)
    return SimulatedMean(share, middle - half, middle + half)


def _mean(values: Sequence[float]) -> SimulatedMean:
    mean = fmean(values)
    half = Z * sqrt(pvariance(values) / max(len(values) - 1, 1))
    return SimulatedMean(mean, mean - half, mean + half)
