"""The parameters of a pool of ratings, as numbers and as text."""

from dataclasses import dataclass, fields
from math import isfinite
from typing import Final

from tourney.domain.errors import ExitCode, TemplateError

MIN_DRAW: Final = 0.001
"""The minimum draw probability: at 0 a recorded tie would raise sigma instead of lowering it, without an error."""


_WRITTEN: Final = "write parameters as in `tau=0 beta=2.5`, or leave them out for the default ones"


class RatingError(TemplateError, ValueError):
    """Parameters, skills or places that cannot be rated."""

    def __init__(self, template: str, hint: str = "", **values: object) -> None:
        super().__init__(ExitCode.REFUSED, template, hint, **values)

    def at(self, where: str) -> "RatingError":
        """Return this error with its message preceded by where it happened."""
        return RatingError("{where}: {reason}", self.hint, where=where, reason=self)


DAYS_PER_YEAR: Final = 365.25
"""The mean length of a year, leap years included."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a pool, in points of mu; the defaults are those of TrueSkill except `draw`.

    A newcomer starts at `mu` and `sigma`; `beta` is the standard deviation of a player's performance between games;
    the square of `tau` is added to the square of sigma before each game; `draw` is the probability that two neighbours
    tie; `absence` squared is what a year without a game adds to sigma squared, day by day, up to a newcomer's sigma.

    Parameters round-trip through text: `parse_parameters(str(p)) == p`, to the last bit. Raises RatingError for a
    number out of range.
    """

    mu: float = 25.0
    sigma: float = 25.0 / 3.0
    beta: float = 25.0 / 6.0
    tau: float = 25.0 / 300.0
    draw: float = 0.01
    absence: float = 0.0

    def __post_init__(self) -> None:
        for name in NAMES:
            if not isfinite(getattr(self, name)):
                raise RatingError(
                    "{name} is {value}; it must be a finite number", _WRITTEN, name=name, value=getattr(self, name)
                )
        for name in ("sigma", "beta"):
            if getattr(self, name) <= 0:
                raise RatingError(
                    "{name} is {value}; it must be more than 0", _WRITTEN, name=name, value=getattr(self, name)
                )
        for name in ("tau", "absence"):
            if getattr(self, name) < 0:
                raise RatingError(
                    "{name} is {value}; it must be 0 or more", _WRITTEN, name=name, value=getattr(self, name)
                )
        if not MIN_DRAW <= self.draw < 1:
            raise RatingError(
                "draw is {value}; it must be at least {least} and less than 1",
                _WRITTEN,
                value=self.draw,
                least=MIN_DRAW,
            )

    def __str__(self) -> str:
        return " ".join(f"{name}={float(getattr(self, name))!r}" for name in NAMES)


NAMES: Final = tuple(field.name for field in fields(Parameters))
_RANGES: Final = {"mu": (-10_000.0, 10_000.0), "sigma": (0.1, 1000.0), "draw": (MIN_DRAW, 0.5)}
_RATIOS: Final = (("beta", "sigma", 0.05, 100.0), ("tau", "beta", 0.0, 1.0), ("absence", "sigma", 0.0, 100.0))
"""The ranges of parameters as multiples of others."""


def check_ranges(parameters: Parameters) -> None:
    """Raise RatingError for parameters with which a pool may not be rated, since too many digits would be lost.

    Pools of older databases may have others, so that reading them does not check.
    """
    for name, (least, most) in _RANGES.items():
        value = getattr(parameters, name)
        if not least <= value <= most:
            raise RatingError(
                "{name} is {value:g}; it must be from {least:g} to {most:g}",
                "`tourney rating pool set -h` has the ranges",
                name=name,
                value=value,
                least=least,
                most=most,
            )
    for name, other, least, most in _RATIOS:
        value, unit = getattr(parameters, name), getattr(parameters, other)
        if not least * unit <= value <= most * unit:
            raise RatingError(
                "{name} is {value:g}; with {other} {unit:g} it must be from {least:g} to {most:g}",
                "`tourney rating pool set -h` has the ranges",
                name=name,
                value=value,
                other=other,
                unit=unit,
                least=least * unit,
                most=most * unit,
            )


def parse_parameters(text: str) -> Parameters:
    """Return the parameters written as in `tau=0 beta=2.5` or `beta=2,5`, in any order; defaults for the others.

    Raises RatingError for an unknown or repeated name and for what is not a number.
    """
    values: dict[str, float] = {}
    for word in text.split():
        name, _, number = word.partition("=")
        if name not in NAMES:
            raise RatingError(
                "no parameter '{name}'; there are: {known}", _WRITTEN, name=name[:20], known=", ".join(NAMES)
            )
        if name in values:
            raise RatingError("parameter '{name}' is given twice", _WRITTEN, name=name)
        try:
            values[name] = float(number.replace(",", ".", 1))
        except ValueError:
            raise RatingError(
                "{name} is '{value}'; it must be a number", _WRITTEN, name=name, value=number[:20]
            ) from None
    return Parameters(**values)
