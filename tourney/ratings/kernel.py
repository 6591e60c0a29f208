"""The arithmetic of one table: TrueSkill for a game that everybody plays for himself.

Nothing else in the project knows the package `trueskill`, and it is loaded only when a table is rated.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Final

from tourney.domain import ExitCode, TourneyError

if TYPE_CHECKING:
    from trueskill import TrueSkill

LEAST_DRAW: Final = 0.001
"""The least draw probability: at 0 a recorded tie raises sigma instead of lowering it, without an error."""


class RatingError(TourneyError, ValueError):
    """Parameters, skills or places that cannot be rated."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(ExitCode.REFUSED, message, hint)


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a pool of ratings is computed with, in points of mu; the defaults are TrueSkill's own but `draw`.

    A newcomer has `mu` and `sigma`; `beta` is the spread of one player's play between games; `tau` is added
    to sigma (in squares) before each game; `draw` is the probability of a tie of two neighbours.

    Text both ways: `parse_parameters(str(p)) == p`, to the last bit. Raises RatingError for a number that
    cannot be meant.
    """

    mu: float = 25.0
    sigma: float = 25.0 / 3.0
    beta: float = 25.0 / 6.0
    tau: float = 25.0 / 300.0
    draw: float = 0.01

    def __post_init__(self) -> None:
        for name in NAMES:
            if not isfinite(getattr(self, name)):
                raise RatingError(f"{name} is {getattr(self, name)}; it must be a finite number")
        for name in ("sigma", "beta"):
            if getattr(self, name) <= 0:
                raise RatingError(f"{name} is {getattr(self, name)}; it must be more than 0")
        if self.tau < 0:
            raise RatingError(f"tau is {self.tau}; it must be 0 or more")
        if not LEAST_DRAW <= self.draw < 1:
            raise RatingError(f"draw is {self.draw}; it must be at least {LEAST_DRAW} and less than 1")

    def __str__(self) -> str:
        return " ".join(f"{name}={float(getattr(self, name))!r}" for name in NAMES)


NAMES: Final = tuple(field.name for field in fields(Parameters))


def parse_parameters(text: str) -> Parameters:
    """The parameters that a text such as `tau=0 beta=2.5` says, in any order; defaults for the others.

    Raises RatingError for an unknown or repeated name and for what is no number.
    """
    values: dict[str, float] = {}
    for word in text.split():
        name, _, number = word.partition("=")
        if name not in NAMES:
            raise RatingError(f"no parameter '{name[:20]}'; there are: {', '.join(NAMES)}")
        if name in values:
            raise RatingError(f"parameter '{name}' is given twice")
        try:
            values[name] = float(number)
        except ValueError:
            raise RatingError(f"{name} is '{number[:20]}'; it must be a number") from None
    return Parameters(**values)


def rate_table(
    parameters: Parameters, skills: Sequence[tuple[float, float]], places: Sequence[int]
) -> list[tuple[float, float]]:
    """The skills (mu, sigma) after one game of players who ended on these places (1 best, equal = tie).

    Both in the same order, and so is what comes back. Tied players are compared in the order in which they
    stand, which moves mu by up to 0.024: keep it the source's. A game of one changes nothing.

    Raises RatingError where the numbers leave what floats can hold: skills more than about fifty betas apart.
    """
    if len(skills) != len(places):
        raise RatingError(f"{len(skills)} skills but {len(places)} places")
    if len(skills) < 2:
        return [(mu, sigma) for mu, sigma in skills]
    for mu, sigma in skills:
        if not (isfinite(mu) and isfinite(sigma) and sigma > 0):
            raise RatingError(f"a skill of mu {mu} and sigma {sigma}; both must be finite and sigma more than 0")
    rated = _rated(parameters, skills, places)
    if rated is None or not all(isfinite(mu) and 0 < sigma < float("inf") for mu, sigma in rated):
        span = max(mu for mu, _ in skills) - min(mu for mu, _ in skills)
        raise RatingError(
            f"the skills of one table lie {span:.0f} apart, too far to compute with beta {parameters.beta:g}",
            "give the pool a larger beta, or look for a wrong result",
        )
    return rated


def _rated(
    parameters: Parameters, skills: Sequence[tuple[float, float]], places: Sequence[int]
) -> list[tuple[float, float]] | None:
    """What `trueskill` computes; None where its floats give out."""
    from trueskill import Rating

    groups = [(Rating(mu, sigma),) for mu, sigma in skills]
    try:
        rated = _environment(parameters).rate(groups, ranks=list(places))
    except (ArithmeticError, ValueError):
        return None
    return [(float(rating.mu), float(rating.sigma)) for (rating,) in rated]


@lru_cache(maxsize=16)
def _environment(parameters: Parameters) -> "TrueSkill":
    from trueskill import TrueSkill

    # No backend: its own erfc, the same on every machine, whether or not scipy is installed.
    return TrueSkill(parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw, None)
