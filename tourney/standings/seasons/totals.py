"""Totals: how the results of a player become the one number that ranks them. A new way is one entry of `TOTALS`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Final

from tourney.standings.scales import Score, shown
from tourney.text.i18n import _, ngettext

Weighted = tuple[Score, Score]
"""A result and its weight."""


@dataclass(frozen=True, slots=True)
class Totals:
    """A way to total results, best ones first: which of them compete for a place in it, the number, and its arithmetic.

    `merit` is what makes one result better than another, and `most` how many of so many results count at all.
    """

    name: str
    merit: Callable[[Weighted], Score]
    total: Callable[[Sequence[Weighted]], Score]
    working: Callable[[Sequence[Weighted]], Sequence[str]]
    most: Callable[[int], int] = int


def weighted_sum(results: Sequence[Weighted]) -> Score:
    """Return the sum of results times weights."""
    return sum(value * weight for value, weight in results)


def weighted_mean(results: Sequence[Weighted]) -> Fraction:
    """Return the mean of results by their weights; 0 without results."""
    whole = sum(weight for _value, weight in results)
    return Fraction(weighted_sum(results)) / whole if whole else Fraction(0)


def _term(result: Weighted) -> str:
    value, weight = result
    return shown(value) if weight == 1 else f"{shown(weight)} × {shown(value)}"


def _sum_text(results: Sequence[Weighted]) -> str:
    return " + ".join(map(_term, results))


def _sum_working(results: Sequence[Weighted]) -> Sequence[str]:
    return (_("{sum} = {total}").format(sum=_sum_text(results), total=shown(weighted_sum(results))),)


def _mean_text(results: Sequence[Weighted]) -> str:
    """Return the arithmetic of a mean: `(2 × 475 + 867) / 3 = 605.67`."""
    text = _("({sum}) / {weights} = {mean}")
    weights = shown(sum(weight for _value, weight in results))
    return text.format(sum=_sum_text(results), weights=weights, mean=shown(weighted_mean(results)))


# --- the European mahjong ranking -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HalvesRule:
    """A ranking as the mean of two parts: A over most of the results, and B over the very best ones.

    Part A counts `least` results, and `share` of those beyond, rounded up; missing ones count as 0 of weight 1. Part B
    counts the best `top` results.
    """

    least: int
    share: Fraction
    top: int

    def most(self, results: int) -> int:
        """Return how many of so many results part A counts, missing ones too."""
        return ceil(self.least + self.share * max(0, results - self.least))

    def part_a(self, results: Sequence[Weighted]) -> list[Weighted]:
        """Return the results of part A."""
        filled = [*results, *[(Fraction(0), Fraction(1))] * max(0, self.least - len(results))]
        return filled[: self.most(len(results))]

    def part_b(self, results: Sequence[Weighted]) -> list[Weighted]:
        """Return the results of part B."""
        return list(results[: self.top])

    def total(self, results: Sequence[Weighted]) -> Fraction:
        """Return the mean of the two parts."""
        return (weighted_mean(self.part_a(results)) + weighted_mean(self.part_b(results))) / 2

    def working(self, results: Sequence[Weighted]) -> Sequence[str]:
        """Return the arithmetic of both parts and of their mean."""
        part_a, part_b = self.part_a(results), self.part_b(results)
        first = ngettext("A, the best result: {mean}", "A, the best {number} results: {mean}", len(part_a)).format(
            number=len(part_a), mean=_mean_text(part_a)
        )
        second = ngettext("B, the best result: {mean}", "B, the best {number} results: {mean}", len(part_b)).format(
            number=len(part_b), mean=_mean_text(part_b)
        )
        means = {"a": shown(weighted_mean(part_a)), "b": shown(weighted_mean(part_b))}
        return (first, second, _("({a} + {b}) / 2 = {total}").format(**means, total=shown(self.total(results))))


EMA: Final = HalvesRule(least=5, share=Fraction(4, 5), top=4)
"""European Mahjong Association: ceil(5 + 0.8 · (n − 5)) results for A, the best 4 for B."""

TOTALS: Final[Mapping[str, Totals]] = {
    totals.name: totals
    for totals in (
        Totals("sum", lambda result: result[0] * result[1], weighted_sum, _sum_working),
        Totals("mean", lambda result: result[0], weighted_mean, lambda results: (_mean_text(results),)),
        Totals("ema", lambda result: result[0], EMA.total, EMA.working, EMA.most),
    )
}
