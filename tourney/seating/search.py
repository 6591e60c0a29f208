"""Tables improved by exchanging two players of a round, in a bounded number of steps.

What counts is a price: meetings beyond the first of two players and, far cheaper, uneven turns at short
tables. Steps, not seconds, end a search, and worse exchanges are accepted by odds that only multiplication and
division enter, so that the same seed gives the same tables on every machine.
"""

from typing import Final

from tourney.seating.chance import Chance
from tourney.seating.values import Aim, Groups
from tourney.seating.wishes import KIND, steps, totals

REPEAT: Final = 240
"""The price of a second meeting of two players."""

SHORT: Final = 40
"""The price of a unit in the sum of squared turns at short tables."""

FURTHER: Final[dict[Aim, tuple[int, int]]] = {"fewest repeats": (241, 1), "no third meeting": (961, 961)}
"""The price of a third meeting, and by how much each later one is dearer.

Either next to that of a second, so that only among equally few repeats the more even ones win; or more than
that of four second ones.
"""

STAGES: Final = 60
WARM: Final = 130.0
COOL: Final = 27.0
"""Temperatures at both ends of an annealing: a repeat is first accepted once in six times, at last never."""

SWEEPS: Final = 30
"""How often repairing and levelling go through all rounds, at most."""

TRIES: Final = 24
"""Partners looked at for a player who meets somebody again, when repairing."""


class Draft:
    """Rounds of tables under change, with the meetings and short turns they make; owned by one search.

    `open_rounds` may be changed; `met[p][q]` counts meetings of p and q over them and over `met` as given,
    above the mark of a pair that has a wish. `dearer[p][q]` is what one more of them costs, and `cheaper[p][q]` what
    the last of them does; both are 0 for p and p.
    """

    def __init__(self, groups: Groups, met: list[list[int]], turns: list[int], aim: Aim) -> None:
        self.open_rounds = [[list(table) for table in tables] for tables in groups]
        self.met = [list(row) for row in met]
        self.turns = list(turns)
        largest = [max((len(table) for table in tables), default=0) for tables in groups]
        self.short = [[len(table) < most for table in tables] for tables, most in zip(groups, largest, strict=True)]
        self.up = step_prices(met, len(groups), aim)
        self.down = [0, *self.up[:-1]]
        self._count()
        self.dearer = [[self.up[count] for count in row] for row in self.met]
        self.cheaper = [[self.down[count] for count in row] for row in self.met]

    def _count(self) -> None:
        for tables, short in zip(self.open_rounds, self.short, strict=True):
            for table, is_short in zip(tables, short, strict=True):
                for player in table:
                    self.turns[player] += is_short
                    for other in table:
                        self.met[player][other] += other != player

    def price(self) -> int:
        """What the rounds cost altogether, meetings before them included."""
        total = totals(self.up)
        pairs = sum(total[count] for row in self.met for count in row)
        return pairs // 2 + SHORT * sum(count * count for count in self.turns)

    def gain(self, number: int, first: int, left: int, second: int, right: int) -> int:
        """By how much the price rises if two players of round `number` change places.

        The players sit at place `left` of table `first` and at place `right` of table `second`.
        """
        here, there = self.open_rounds[number][first], self.open_rounds[number][second]
        one, other = here[left], there[right]
        dearer_one, dearer_other = self.dearer[one], self.dearer[other]
        cheaper_one, cheaper_other = self.cheaper[one], self.cheaper[other]
        # The two themselves are counted below as if they met.
        rise = -2 * dearer_one[other]
        for player in here:
            rise += dearer_other[player] - cheaper_one[player]
        for player in there:
            rise += dearer_one[player] - cheaper_other[player]
        short = self.short[number]
        if short[first] != short[second]:
            ahead = self.turns[one] - self.turns[other]
            rise += 2 * SHORT * (1 - ahead if short[first] else 1 + ahead)
        return rise

    def exchange(self, number: int, first: int, left: int, second: int, right: int) -> None:
        """Lets the two players change places."""
        here, there = self.open_rounds[number][first], self.open_rounds[number][second]
        one, other = here[left], there[right]
        here[left], there[right] = other, one
        self._replace(one, other, here)
        self._replace(other, one, there)
        change = self.short[number][second] - self.short[number][first]
        self.turns[one] += change
        self.turns[other] -= change

    def _replace(self, gone: int, come: int, table: list[int]) -> None:
        """Counts the table with one player in place of another."""
        for other in table:
            if other != come:
                self._count_pair(gone, other, -1)
                self._count_pair(come, other, 1)

    def _count_pair(self, one: int, other: int, by: int) -> None:
        count = self.met[one][other] + by
        self.met[one][other] = self.met[other][one] = count
        self.dearer[one][other] = self.dearer[other][one] = self.up[count]
        self.cheaper[one][other] = self.cheaper[other][one] = self.down[count]

    def groups(self) -> Groups:
        """A copy of the rounds as they are."""
        return [[list(table) for table in tables] for tables in self.open_rounds]


def step_prices(met: list[list[int]], rounds: int, aim: Aim) -> list[int]:
    """What one more meeting costs by its entry in this matrix of meetings, which so many rounds may add to."""
    most = max((max(row, default=0) for row in met), default=0)
    return steps(prices(KIND - 1, aim)) if most >= KIND else prices(rounds + most + 2, aim)


def prices(most: int, aim: Aim) -> list[int]:
    """What one more meeting costs two players who have met 0, 1, 2, ... `most` times."""
    third, dearer = FURTHER[aim]
    return [0, REPEAT, *[third + dearer * (met - 2) for met in range(2, most + 1)]]


def repair(draft: Draft, draw: Chance, looks: int) -> None:
    """Moves players away from those they meet again, never to a worse place; ends when nobody does.

    Quick where there is room, for it looks only at players who meet somebody twice; at most at `looks`
    exchanges.
    """
    for _ in range(SWEEPS):
        sore = _sore_places(draft)
        for number, first, left in sore:
            looks -= TRIES
            if looks < 0:
                return
            _move_away(draft, draw, number, first, left)


def _sore_places(draft: Draft) -> list[tuple[int, int, int]]:
    """(round, table, place) of everybody who shares that table with somebody met elsewhere too."""
    return [
        (number, table_number, place)
        for number, tables in enumerate(draft.open_rounds)
        if len(tables) > 1
        for table_number, table in enumerate(tables)
        for place, player in enumerate(table)
        if any(draft.down[draft.met[player][other]] > 0 for other in table)
    ]


def _move_away(draft: Draft, draw: Chance, number: int, first: int, left: int) -> None:
    tables = draft.open_rounds[number]
    best, target = 1, (first, left)
    for _ in range(TRIES):
        second = (first + 1 + int(draw() * (len(tables) - 1))) % len(tables)
        right = int(draw() * len(tables[second]))
        rise = draft.gain(number, first, left, second, right)
        if rise < best:
            best, target = rise, (second, right)
    if best <= 0:
        draft.exchange(number, first, left, *target)


def level_short_tables(draft: Draft, draw: Chance, looks: int) -> None:
    """Moves players off short tables who sit there most, where that costs nothing; ends when turns are level.

    Each looks at everybody at the larger tables of that round, which annealing seldom hits among many;
    together at no more than `looks` exchanges.
    """
    for _ in range(SWEEPS):
        most = max(draft.turns)
        if most - min(draft.turns) <= 1:
            return
        for number, tables in enumerate(draft.open_rounds):
            for first, left in _short_places(draft, number):
                if draft.turns[tables[first][left]] != most:
                    continue
                looks -= len(draft.turns)
                if looks < 0:
                    return
                _move_up(draft, draw, number, first, left)


def _short_places(draft: Draft, number: int) -> list[tuple[int, int]]:
    tables, short = draft.open_rounds[number], draft.short[number]
    return [(first, left) for first, table in enumerate(tables) if short[first] for left in range(len(table))]


def _move_up(draft: Draft, draw: Chance, number: int, first: int, left: int) -> None:
    tables, short = draft.open_rounds[number], draft.short[number]
    rises = [
        (draft.gain(number, first, left, second, right), draw(), second, right)
        for second, table in enumerate(tables)
        if not short[second]
        for right in range(len(table))
    ]
    rise, _, second, right = min(rises, default=(1, 0.0, first, left))
    if rise <= 0:
        draft.exchange(number, first, left, second, right)


def anneal(draft: Draft, draw: Chance, steps: int, floor: int, warm: float = WARM) -> Groups:
    """The best rounds met while exchanging at falling temperature; stops at the price `floor`.

    Leaves the draft itself wherever the search ended.
    """
    price = best = draft.price()
    kept, saved = draft.groups(), True
    rounds = [(number, _places(tables)) for number, tables in enumerate(draft.open_rounds) if len(tables) > 1]
    if not rounds:
        return kept
    for stage in range(STAGES):
        odds = acceptance(warm * (1 - stage / STAGES) + COOL * stage / STAGES)
        for _ in range(steps // STAGES):
            number, places = rounds[int(draw() * len(rounds))]
            first, left = places[int(draw() * len(places))]
            second, right = places[int(draw() * len(places))]
            if first == second:
                continue
            rise = draft.gain(number, first, left, second, right)
            if rise > 0 and (rise >= len(odds) or draw() >= odds[rise]):
                continue
            if rise > 0 and not saved:
                kept, saved = draft.groups(), True
            draft.exchange(number, first, left, second, right)
            price += rise
            if price < best:
                best, saved = price, False
                if best <= floor:
                    return draft.groups()
    return kept if saved else draft.groups()


def _places(tables: list[list[int]]) -> list[tuple[int, int]]:
    """Table and place of everybody."""
    return [(number, place) for number, table in enumerate(tables) for place in range(len(table))]


def acceptance(temperature: float) -> list[float]:
    """The odds of accepting a rise of 0, 1, 2, ...: (T / (T + 1)) ** rise, by multiplication alone.

    Not `exp`, which the C libraries of different machines round differently.
    """
    ratio = temperature / (temperature + 1)
    odds = [1.0]
    while odds[-1] > 0.001:
        odds.append(odds[-1] * ratio)
    return odds
