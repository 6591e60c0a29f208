"""The rounds of a rotation as they are planned now: from the first draw on, through everybody's coming and going.

Nothing of a plan is kept: it follows from the seed, who was there in each drawn round, and who is there now. Each time
somebody came or went, or a round was mended by hand, the rounds still to come changed as little as could be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tourney import games
from tourney.domain import Event, Player, Round
from tourney.seating import plan
from tourney.service.wishing import wishes_of

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sitting:
    """A round of players who are seated together, by their ids: tables in seat order, and who sits out.

    Others may sit at their tables, who have left or were there for once.
    """

    tables: tuple[Ids, ...]
    out: Ids

    @property
    def groups(self) -> frozenset[frozenset[int]]:
        """Who shares a table, wherever it stands and whoever sits where."""
        return frozenset(map(frozenset, self.tables))


def coming(event: Event, players: Sequence[Player], drawn: Sequence[Round]) -> list[Sitting]:
    """The rounds after those drawn, for these players of the event, who are seated together."""
    done = sittings(players, drawn)
    now = [player.id for player in players]
    if not done:
        return _planned(event, now, (), ())
    here = _present(event, players, done[0])
    ahead = _planned(event, here, (), ())
    for number, one in enumerate(done):
        there = _present(event, players, one)
        if there != here:
            here, ahead = there, _planned(event, there, done[:number], ahead)
        planned, ahead = ahead[:1], ahead[1:]
        if not planned or planned[0].groups != one.groups:
            ahead = _planned(event, here, done[: number + 1], ahead)
    return ahead if now == here else _planned(event, now, done, ahead)


def sittings(players: Sequence[Player], drawn: Sequence[Round]) -> list[Sitting]:
    """The drawn rounds as far as people of the kinds of these players were in them."""
    kinds = {player.kind for player in players}
    return [
        Sitting(
            tuple(
                tuple(player.id for player in table.players)
                for table in one.tables
                if any(player.kind in kinds for player in table.players)
            ),
            tuple(player.id for player in one.sitting_out if player.kind in kinds),
        )
        for one in drawn
    ]


def _present(event: Event, players: Sequence[Player], one: Sitting) -> list[int]:
    """Who of the kinds of these players was there, in the order of entry."""
    kinds = {player.kind for player in players}
    there = {*one.out, *(player for table in one.tables for player in table)}
    return [player.id for player in event.entrants if player.id in there and player.kind in kinds]


def _planned(event: Event, here: Sequence[int], done: Sequence[Sitting], ahead: Sequence[Sitting]) -> list[Sitting]:
    """The rounds after those done, of who is here, as near as can be to those ahead; none where they are too few."""
    settings = event.settings
    least, _most = games.table_limits(event.rulebook)
    if len(here) < least or len(done) >= settings.rounds:
        return []
    number_of = {player: number for number, player in enumerate(here)}
    wishes = wishes_of(event, dict(number_of))

    def numbers(players: Ids) -> Ids:
        return tuple(number_of.setdefault(player, len(number_of)) for player in players)

    seating = plan(
        len(here),
        settings.size,
        settings.rounds,
        settings.seed,
        least=least,
        short=settings.short,
        played=[list(map(numbers, one.tables)) for one in done],
        sat_out=[numbers(one.out) for one in done],
        ahead=[list(map(numbers, one.tables)) for one in ahead],
        # The bare minimum of repeats may keep one couple together all evening.
        aim="no third meeting",
        wishes=wishes,
    )
    rounds = zip(seating.rounds, seating.sitting_out, strict=True)
    return [
        Sitting(tuple(tuple(here[one] for one in table) for table in tables), tuple(here[one] for one in out))
        for tables, out in list(rounds)[len(done) :]
    ]
