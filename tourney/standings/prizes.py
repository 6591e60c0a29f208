"""Prizes: shares of the pot or amounts, for the first ranks and for categories; ties share, to the cent.

They are typed `50%-30%-20%; newcomer 10; club Getxo 15%`: first those of the ranks, then one for each category. All
amounts are whole cents.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from tourney.domain.people import Player
from tourney.standings.scales import shown
from tourney.standings.standing import Standing
from tourney.text.i18n import _
from tourney.text.names import fold

_AMOUNT: Final = re.compile(r"[0-9]{1,8}(?:[.,][0-9]{1,2})?", re.ASCII)
_SHARE: Final = re.compile(r"([0-9]{1,3}(?:[.,][0-9]{1,2})?)\s?%", re.ASCII)


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize: a share of the pot, or if that is None, an amount in cents."""

    cents: int = 0
    share: Fraction | None = None

    def of(self, pot: int) -> Fraction:
        """Return what the prize is worth, in cents and parts of cents."""
        return Fraction(self.cents) if self.share is None else self.share * pot

    def text(self) -> str:
        """Return the prize as it is typed."""
        if self.share is None:
            return amount_text(self.cents)
        percent = 100 * self.share
        return f"{percent.numerator if percent.denominator == 1 else float(percent)}%"


@dataclass(frozen=True, slots=True)
class Category:
    """A category with a prize of its own: newcomers, or the members of the club `name`."""

    kind: str
    name: str
    prize: Prize

    def text(self) -> str:
        """Return the category as it is typed."""
        return " ".join(filter(None, (self.kind, self.name, self.prize.text())))


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes of the ranks from the first on, and those of categories."""

    ranks: tuple[Prize, ...]
    categories: tuple[Category, ...]

    def all(self) -> tuple[Prize, ...]:
        """Return every prize."""
        return (*self.ranks, *(category.prize for category in self.categories))

    def text(self) -> str:
        """Return the prizes as they are typed."""
        return "; ".join(("-".join(prize.text() for prize in self.ranks), *(each.text() for each in self.categories)))


CATEGORIES: Final[Mapping[str, Callable[[Category, Player, Collection[int]], bool]]] = {
    "newcomer": lambda category, player, newcomers: player.id in newcomers,
    "club": lambda category, player, newcomers: bool(player.club) and fold(player.club) == fold(category.name),
}
"""Functions that tell whether a player belongs to a category, by its kind; newcomers are given by their numbers."""


def read_amount(typed: str) -> int:
    """Return an amount in cents. Raises ValueError with a sentence for text that is none."""
    if _AMOUNT.fullmatch(typed.strip()) is None:
        raise ValueError(_("“{amount}” is not an amount").format(amount=typed.strip()[:20]))
    cents = Fraction(typed.strip().replace(",", ".")) * 100
    return int(cents)


def amount_text(cents: int) -> str:
    """Return an amount as it is typed: `12.50`, `12`."""
    return f"{cents // 100}.{cents % 100:02d}" if cents % 100 else str(cents // 100)


def read_prizes(typed: str) -> Prizes:
    """Return the prizes of a text. Raises ValueError with a sentence that says what is wrong."""
    first, *more = typed.split(";")
    ranks = tuple(_prize(part) for part in first.split("-")) if first.strip() else ()
    categories = tuple(_category(part) for part in more if part.strip())
    if not (ranks or categories):
        raise ValueError(_("no prize is named"))
    values = [(prize.share is None, prize.of(100)) for prize in ranks]
    if any(one[0] == other[0] and one[1] < other[1] for one, other in pairwise(values)):
        raise ValueError(_("a worse rank has a higher prize"))
    return Prizes(ranks, categories)


def _prize(typed: str) -> Prize:
    share = _SHARE.fullmatch(typed.strip())
    if share is not None:
        return Prize(share=Fraction(share[1].replace(",", ".")) / 100)
    return Prize(read_amount(typed))


def _category(typed: str) -> Category:
    kind, *words = typed.split()
    if kind.lower() not in CATEGORIES or not words:
        raise ValueError(_("“{category}” is not a category with its prize").format(category=typed.strip()[:40]))
    *name, prize = words
    if (kind.lower() == "club") != bool(name):
        raise ValueError(_("write club NAME PRIZE, or newcomer PRIZE"))
    return Category(kind.lower(), " ".join(name), _prize(prize))


def refuse_above(prizes: Prizes, pot: int) -> None:
    """Raise ValueError with a sentence if the prizes are more than the pot of so many cents."""
    shares = sum((prize.share or Fraction(0) for prize in prizes.all()), Fraction(0))
    if shares > 1:
        raise ValueError(_("the shares are {percent} % of the pot").format(percent=shown(100 * shares)))
    amounts = sum(prize.cents for prize in prizes.all() if prize.share is None)
    whole = amounts + shares * pot
    if amounts and whole > pot:
        text = _("the prizes are {prizes}, and the pot is {pot}")
        raise ValueError(text.format(prizes=amount_text(int(whole)), pot=amount_text(pot)))


def paid(prizes: Prizes, pot: int, rows: Sequence[Standing], newcomers: Collection[int]) -> dict[int, int]:
    """Return what each player gets, in cents, by their number; rows are in order.

    Players who share a rank share what their ranks give. A category's prize goes to its best players who have no prize
    of a rank. Cents that cannot be shared go to those who stand first.
    """
    ranked = [row for row in rows if row.rank is not None]
    cents = _whole_cents([prize.of(pot) for prize in prizes.all()])
    of_ranks, of_categories = cents[: len(prizes.ranks)], cents[len(prizes.ranks) :]
    given: dict[int, int] = {}
    for level in _levels(ranked):
        first = (level[0].rank or 1) - 1
        _share(sum(of_ranks[first : first + len(level)]), level, given)
    for category, amount in zip(prizes.categories, of_categories, strict=True):
        members = [row for row in ranked if _belongs(category, row, newcomers) and not given.get(row.player.id)]
        if members:
            _share(amount, next(_levels(members)), given)
    return given


def _whole_cents(exact: Sequence[Fraction]) -> list[int]:
    """Return amounts rounded down to cents, and the cents that are lost by that given to the first of them."""
    cents = [int(amount) for amount in exact]
    left = int(sum(exact, Fraction(0))) - sum(cents)
    return [amount + (place < left) for place, amount in enumerate(cents)]


def _levels(rows: Sequence[Standing]) -> Iterator[list[Standing]]:
    """Yield the rows that share a rank together."""
    level: list[Standing] = []
    for row in rows:
        if level and row.rank != level[0].rank:
            yield level
            level = []
        level.append(row)
    if level:
        yield level


def _share(cents: int, level: Sequence[Standing], given: dict[int, int]) -> None:
    """Share an amount among players, those first who stand first in the list if a cent is left."""
    each, left = divmod(cents, len(level))
    for place, row in enumerate(level):
        amount = each + (place < left)
        if amount:
            given[row.player.id] = given.get(row.player.id, 0) + amount


def _belongs(category: Category, row: Standing, newcomers: Collection[int]) -> bool:
    return CATEGORIES[category.kind](category, row.player, newcomers)
