"""The constraints of an event that its rounds break, and why: by counting, or for their price in repeats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import BrokenConstraint
from tourney.seating.constraints import Constraints
from tourney.seating.keeping_price import KeepingPrice, apart_pairs, price_apart, price_together
from tourney.seating.model import Round as Seats
from tourney.seating.separate import separable
from tourney.service.seating.constraint_text import constraints_of
from tourney.service.seating.rotation_plan import is_planned_ahead

MOST_PRICES: Final = 6
"""The most prices that are computed: for many players each takes a second search."""


def broken_constraints(event: Event, rounds: Sequence[Round], numbers: Sequence[int]) -> tuple[BrokenConstraint, ...]:
    """Return the constraints that the rounds of these numbers break, by round.

    `rounds` are all rounds that are known, drawn or planned. A pair to be seated together has to meet in one of them,
    and is named with the last once all rounds of the event are known.
    """
    if not event.constraints:
        return ()
    return tuple(_broken(event, rounds, numbers))


def _broken(event: Event, rounds: Sequence[Round], numbers: Sequence[int]) -> Iterator[BrokenConstraint]:
    view = _View(event, rounds)
    for round_ in rounds:
        if round_.number in numbers:
            yield from view.apart(round_)
            yield from view.tables(round_)
    if len(rounds) == event.settings.rounds and rounds[-1].number in numbers:
        yield from view.together(rounds[-1])


class _View:
    """The rounds of an event with its constraints, players numbered from 0 in the order of entry."""

    def __init__(self, event: Event, rounds: Sequence[Round]) -> None:
        self.event, self.rounds = event, rounds
        self.people = event.entrants
        self.number_of = {player.id: number for number, player in enumerate(event.entrants)}
        self.prices_left = MOST_PRICES
        self.constraints: Constraints = constraints_of(event).renumbered(self.number_of)

    def apart(self, round_: Round) -> Iterator[BrokenConstraint]:
        """Yield the pairs to be kept apart who share a table."""
        tables = self._seats(round_)
        for place, pair in apart_pairs(tables, self.constraints):
            group = self._too_many(tables, pair)
            if group:
                yield self._counted(round_, place, pair, number=group, tables=len(tables))
            elif self._cannot_separate(tables, pair):
                yield self._counted(round_, place, pair, tables=len(tables))
            else:
                yield self._priced("apart", round_, place, pair, self._price_apart(round_, pair))

    def together(self, last: Round) -> Iterator[BrokenConstraint]:
        """Yield the pairs to be seated together who meet in no round, with the lowest price of a round."""
        for first, second in self.constraints.together:
            seats = [(round_, self._seats(round_)) for round_ in self.rounds]
            if not any({first, second} <= set(table) for _round, tables in seats for table in tables):
                prices = [price_together(tables, self._others(round_), (first, second)) for round_, tables in seats]
                known = [price.repeats for price in prices if price.repeats is not None]
                price = KeepingPrice(min(known) if known else None, False)
                yield self._priced("together", last, None, (first, second), price)

    def tables(self, round_: Round) -> Iterator[BrokenConstraint]:
        """Yield the players who need another table than theirs."""
        needs = dict(self.constraints.tables)
        at = {self.number_of[player.id]: table for table in round_.tables for player in table.players}
        here = {table.number for table in round_.tables}
        for player, needed in self.constraints.tables:
            if player in at and at[player].number != needed:
                rivals = [
                    other
                    for other, table in at.items()
                    if other != player
                    and (
                        (table.number == needed and needs.get(other) == needed)
                        or (table is at[player] and needs.get(other) == table.number)
                    )
                ]
                yield BrokenConstraint(
                    "table",
                    round_.number,
                    at[player].number,
                    (self.people[player],),
                    "taken" if needed in here else "no such table",
                    needed=needed,
                    tables=len(round_.tables),
                    others=self._named(rivals),
                )

    def _price_apart(self, round_: Round, pair: tuple[int, int]) -> KeepingPrice | None:
        """Return the price of keeping a pair apart; None after `MOST_PRICES`."""
        self.prices_left -= 1
        if self.prices_left < 0:
            return None
        return price_apart(self._seats(round_), self._others(round_), self.constraints, pair)

    def _too_many(self, tables: Seats, pair: tuple[int, int]) -> int:
        """Return the size of the largest group of the pair of which more are seated than there are tables; or 0."""
        seated = {player for table in tables for player in table}
        groups = (group & seated for group in self.constraints.apart if group.issuperset(pair))
        return max((len(group) for group in groups if len(group) > len(tables)), default=0)

    def _cannot_separate(self, tables: Seats, pair: tuple[int, int]) -> bool:
        """Return whether no seating keeps this pair and all groups apart that are apart now."""
        seated = {player for table in tables for player in table}
        meeting = {found for _place, found in apart_pairs(tables, self.constraints)}
        wanted = {found for group in self.constraints.apart for found in combinations(sorted(group & seated), 2)}
        never = {found for found in self.constraints.never_pairs if seated.issuperset(found)}
        kept = wanted - meeting | {pair} | never
        return separable(kept, [len(table) for table in tables]) == "impossible"

    def _others(self, round_: Round) -> list[Seats]:
        """Return the rounds with which this one has repeats: earlier ones, or all that are planned together."""
        planned = is_planned_ahead(self.event.settings)
        return [
            self._seats(other)
            for other in self.rounds
            if other.number < round_.number or (planned and other.number > round_.number)
        ]

    def _seats(self, round_: Round) -> Seats:
        return tuple(tuple(self.number_of[player.id] for player in table.players) for table in round_.tables)

    def _named(self, players: Sequence[int]) -> tuple[Player, ...]:
        return tuple(self.people[player] for player in players)

    def _counted(
        self, round_: Round, place: int, pair: tuple[int, int], *, number: int = 0, tables: int
    ) -> BrokenConstraint:
        table: Table = round_.tables[place]
        return BrokenConstraint(
            "apart", round_.number, table.number, self._named(pair), "counting", number=number, tables=tables
        )

    def _priced(
        self, kind: str, round_: Round, place: int | None, pair: tuple[int, int], price: KeepingPrice | None
    ) -> BrokenConstraint:
        return BrokenConstraint(
            "apart" if kind == "apart" else "together",
            round_.number,
            None if place is None else round_.tables[place].number,
            self._named(pair),
            "counting" if price is not None and price.repeats is None else "price",
            price=None if price is None else price.repeats,
            exact=price is None or price.exact,
        )
