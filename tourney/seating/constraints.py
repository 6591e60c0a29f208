"""What people wish beside few repeats: whom not to meet, whom to meet, and which table somebody needs.

A wish weighs as much as `BROKEN`: more than a repeat, less than two people's third meeting where that is to be
avoided. So a plan breaks a wish only where keeping it would cost three repeats.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.rng import Chance

BROKEN: Final = 600
"""The price of a meeting of two who should not meet, and of two who wish to meet and do not."""

KIND: Final = 4096
"""Between the counts of meetings of one kind of pair and the next: higher than any number of rounds."""

APART: Final = KIND
TOGETHER: Final = 2 * KIND
"""What stands in a matrix of meetings above the number of them, for pairs who are not to meet, or are to."""

LOOKS: Final = 30_000
TRIES: Final = 24
"""Exchanges that `placed` looks at in all, and for one player who lacks something."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """Wishes of players 0, 1, 2, …; numbers that do not play are passed over.

    Of each group in `apart` no two should meet, such as a club or a family. Each pair of `together` wishes to
    meet at least once. Each (player, number) of `tables` needs that physical table, numbered from 1, in every round.
    """

    apart: tuple[frozenset[int], ...] = ()
    together: tuple[tuple[int, int], ...] = ()
    tables: tuple[tuple[int, int], ...] = ()

    @property
    def about_meetings(self) -> bool:
        """Whether any wish is about who meets whom."""
        return bool(self.apart or self.together)

    def pairs(self, players: int) -> dict[tuple[int, int], int]:
        """The kind of each pair that has a wish, lower number first: `APART`, or `TOGETHER` which comes before it."""
        kinds = {pair: APART for group in self.apart for pair in combinations(sorted(group), 2)}
        kinds |= {(min(pair), max(pair)): TOGETHER for pair in self.together}
        return {pair: kind for pair, kind in kinds.items() if pair[0] < pair[1] < players}

    def renumbered(self, number_of: Mapping[int, int]) -> "Wishes":
        """The same wishes in other numbers; of who has none nothing is wished."""
        apart = [frozenset(number_of[one] for one in group if one in number_of) for group in self.apart]
        together = [pair for pair in self.together if number_of.keys() >= set(pair)]
        return Wishes(
            tuple(apart),
            tuple((number_of[one], number_of[other]) for one, other in together),
            tuple((number_of[player], table) for player, table in self.tables if player in number_of),
        )


NOTHING: Final = Wishes()


def mark(met: list[list[int]], wishes: Wishes) -> None:
    """Marks the pairs with a wish in a matrix of meetings, as the searches read it."""
    for (one, other), kind in wishes.pairs(len(met)).items():
        met[one][other] += kind
        met[other][one] += kind


def steps(plain: Sequence[int]) -> list[int]:
    """The price of one more meeting by the count so far, for all kinds of pairs; `plain` has it for counts below `KIND`
    of pairs without a wish."""
    return [*plain, *(BROKEN + price for price in plain), plain[0] - BROKEN, *plain[1:]]


def totals(steps: Sequence[int]) -> list[int]:
    """The price of all meetings by their count; a pair to be brought together pays as long as it has none."""
    found: list[int] = []
    for first in range(0, len(steps), KIND):
        owed = BROKEN if first == TOGETHER else 0
        found += accumulate(steps[first : first + KIND], initial=owed)
        if len(steps) > KIND:
            found.pop()
    return found


@dataclass(frozen=True, slots=True)
class Broken:
    """Wishes that rounds do not keep: meetings of two who should not, pairs who miss each other, wrong tables."""

    apart: int
    together: int
    tables: int


def broken(
    wishes: Wishes,
    rounds: Sequence[Sequence[Sequence[int]]],
    players: int,
    numbers: Sequence[Sequence[int]] | None = None,
) -> Broken:
    """What of the wishes these rounds break; every number is a count, 0 at best. `numbers[r][t]` is that of the
    physical table `rounds[r][t]`; None: they stand in order."""
    met, missed, wrong = _breaches(wishes, rounds, players, numbers)
    return Broken(len(met), len(missed), len(wrong))


def broken_of_each(
    wishes: Wishes,
    rounds: Sequence[Sequence[Sequence[int]]],
    players: int,
    numbers: Sequence[Sequence[int]] | None = None,
) -> list[int]:
    """The same by player, who is one of two in the wishes about meetings."""
    met, missed, wrong = _breaches(wishes, rounds, players, numbers)
    count = Counter([player for pair in (*met, *missed) for player in pair] + wrong)
    return [count[player] for player in range(players)]


def _breaches(
    wishes: Wishes,
    rounds: Sequence[Sequence[Sequence[int]]],
    players: int,
    numbers: Sequence[Sequence[int]] | None,
) -> tuple[list[tuple[int, int]], list[tuple[int, int]], list[int]]:
    """Each meeting of two who should not meet, each pair that should and does not, and each player at a wrong table as
    often as he is."""
    pairs, seen = wishes.pairs(players), list(_meetings(rounds))
    met = [pair for pair in seen if pairs.get(pair) == APART]
    missed = {pair for pair, kind in pairs.items() if kind == TOGETHER}.difference(seen)
    wrong = [
        player
        for player, needed in wishes.tables
        for place, tables in enumerate(rounds)
        for number, table in zip(numbers[place] if numbers else range(1, len(tables) + 1), tables, strict=True)
        if player in table and number != needed
    ]
    return met, sorted(missed), wrong


def _meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> Iterator[tuple[int, int]]:
    return (pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def placed(who: list[int], groups: Groups, wishes: Wishes, draw: Chance) -> list[int]:
    """Who takes which place of a plan, `who[place]` being its player: as given, exchanged until few wishes break.

    That costs no repeat: the plan stays what it is. Each step moves a player with a broken wish to the best of
    some places; it ends when none is broken, or after `LOOKS`.
    """
    if not wishes.about_meetings:
        return who
    search = _Placing(who, groups, wishes)
    best, least = list(search.who), search.price()
    for _step in range(LOOKS // TRIES):
        sore = search.sore()
        if not sore:
            break
        search.move(sore[int(draw() * len(sore))], draw)
        if (price := search.price()) < least:
            best, least = list(search.who), price
    return best


class _Placing:
    """Players at the places of a plan, under change; `meets[a][b]` says whether places a and b share a table."""

    def __init__(self, who: list[int], groups: Groups, wishes: Wishes) -> None:
        self.who = list(who)
        self.place = {player: place for place, player in enumerate(who)}
        self.meets = [[0] * len(who) for _ in who]
        for one, other in _meetings(groups):
            self.meets[one][other] += 1
            self.meets[other][one] += 1
        self.wants: dict[int, list[tuple[int, int]]] = {}
        for (one, other), kind in wishes.pairs(len(who)).items():
            self.wants.setdefault(one, []).append((other, kind))
            self.wants.setdefault(other, []).append((one, kind))

    def lacks(self, player: int) -> int:
        """How many wishes of the player are broken, each meeting of two who should not meet being one."""
        meets = self.meets[self.place[player]]
        return sum(
            meets[self.place[other]] if kind == APART else not meets[self.place[other]]
            for other, kind in self.wants.get(player, ())
        )

    def price(self) -> int:
        return sum(map(self.lacks, self.wants))

    def sore(self) -> list[int]:
        return [player for player in self.wants if self.lacks(player)]

    def move(self, player: int, draw: Chance) -> None:
        """To the best of some other places, if need be at a loss: nothing else leads out of a dead end."""
        here, options = self.place[player], []
        for _try in range(TRIES):
            there = int(draw() * len(self.who))
            if there != here:
                before = self.lacks(player) + self.lacks(self.who[there])
                self.exchange(here, there)
                options.append((self.lacks(player) + self.lacks(self.who[here]) - before, draw(), there))
                self.exchange(here, there)
        if options:
            self.exchange(here, min(options)[2])

    def exchange(self, here: int, there: int) -> None:
        one, other = self.who[here], self.who[there]
        self.who[here], self.who[there] = other, one
        self.place[one], self.place[other] = there, here
