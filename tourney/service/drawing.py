"""The next round of an event, from who is there now and what has been played."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tourney import games
from tourney.domain import Event, ExitCode, Player, PlayerKind, Round, Table, TourneyError
from tourney.seating import Seating, plan, swiss_resting, table_sizes
from tourney.seating.chance import chance, shuffled
from tourney.text import _, ngettext

Seats = tuple[tuple[int, ...], ...]


def next_round(event: Event, drawn: Sequence[Round], leaders: Sequence[Player]) -> Round:
    """Seats everybody who plays; the rounds drawn stay as they are.

    A rotation is planned for all rounds and planned anew around those drawn once people have come or gone. A Swiss
    round seats neighbours in the standings: `leaders`, everybody with a game, best first; who has none
    stands behind them in an order drawn from the seed. Raises TourneyError REFUSED if they cannot be seated.
    """
    tables: list[tuple[Player, ...]] = []
    out: list[Player] = []
    for players in _groups(event):
        seated, resting = _seated(event, _group(event, players, drawn), leaders)
        tables += seated
        out += resting
    number = len(drawn) + 1
    numbered = tuple(Table(number, index, players) for index, players in enumerate(tables, 1))
    return Round(number, numbered, tuple(out))


def _groups(event: Event) -> list[tuple[Player, ...]]:
    """People and bots apart, so that the engine can play the bots' tables; together where one group is too small."""
    least, _most = games.table_limits(event.rulebook)
    people = tuple(player for player in event.playing if player.kind == "person")
    bots = tuple(player for player in event.playing if player.kind == "bot")
    if len(people) >= least and len(bots) >= least:
        return [people, bots]
    return [event.playing]


@dataclass(frozen=True, slots=True)
class _Group:
    """Players who are seated together, numbered from 0, and the rounds before in these numbers.

    Numbers behind theirs are people who sat with them and are not of the group now. `starters` are who was
    there in the first round, in the order of entry.
    """

    players: tuple[Player, ...]
    played: tuple[Seats, ...]
    sat_out: Seats
    starters: tuple[int, ...]

    def of(self, numbers: Sequence[int]) -> tuple[Player, ...]:
        return tuple(self.players[number] for number in numbers)

    @property
    def changed(self) -> bool:
        """Whether others play now than in the first round."""
        return bool(self.played) and sorted(self.starters) != list(range(len(self.players)))


def _group(event: Event, players: tuple[Player, ...], drawn: Sequence[Round]) -> _Group:
    numbers = {player.id: number for number, player in enumerate(players)}
    members = frozenset(numbers)

    def numbered(these: Sequence[Player]) -> tuple[int, ...]:
        return tuple(numbers.setdefault(player.id, len(numbers)) for player in these)

    def with_members(tables: Sequence[Table]) -> Iterator[Table]:
        return (table for table in tables if not members.isdisjoint(player.id for player in table.players))

    return _Group(
        players,
        played=tuple(tuple(numbered(table.players) for table in with_members(one.tables)) for one in drawn),
        sat_out=tuple(numbered([player for player in one.sitting_out if player.id in members]) for one in drawn),
        starters=numbered(_starters(event, {player.kind for player in players}, drawn)),
    )


def _starters(event: Event, kinds: Collection[PlayerKind], drawn: Sequence[Round]) -> list[Player]:
    if not drawn:
        return []
    there = {player.id for table in drawn[0].tables for player in table.players}
    there.update(player.id for player in drawn[0].sitting_out)
    return [player for player in event.entrants if player.id in there and player.kind in kinds]


def _seated(
    event: Event, group: _Group, leaders: Sequence[Player]
) -> tuple[list[tuple[Player, ...]], tuple[Player, ...]]:
    """The tables of the group's next round, and who sits out. Raises TourneyError REFUSED for too few players."""
    _refuse_few(event, len(group.players))
    if event.settings.format == "swiss":
        tables, out = _swiss(event, group, leaders)
    else:
        tables, out = _rotation(event, group)
    return [group.of(table) for table in tables], group.of(out)


def _refuse_few(event: Event, players: int) -> None:
    least, _most = games.table_limits(event.rulebook)
    if players < least:
        told = ngettext(
            "{event} cannot be seated: {number} player is there, and the smallest table has {least}",
            "{event} cannot be seated: {number} players are there, and the smallest table has {least}",
            players,
        )
        message = told.format(event=event.settings.name, number=players, least=least)
        raise TourneyError(ExitCode.REFUSED, message, _who_else(event))


def _who_else(event: Event) -> str:
    if event.settings.checkin == "required" and len(event.playing) < len(event.entrants):
        return _("only who has checked in is seated: see `tourney event checkin`")
    return _("enter players with `tourney event enter`")


def _rotation(event: Event, group: _Group) -> tuple[Seats, Sequence[int]]:
    """Once people have come or gone, the coming rounds keep as much as they can of those planned at the start."""
    ahead: tuple[Seats, ...] = ()
    if group.changed and len(group.starters) >= games.table_limits(event.rulebook)[0]:
        first = _planned(event, len(group.starters)).rounds[len(group.played) :]
        ahead = tuple(tuple(tuple(group.starters[number] for number in table) for table in one) for one in first)
    seating = _planned(event, len(group.players), group, ahead)
    number = len(group.played)
    return seating.rounds[number], seating.sitting_out[number]


def _planned(event: Event, players: int, group: _Group | None = None, ahead: Sequence[Seats] = ()) -> Seating:
    """All rounds for so many players; around those that the group has played, if one is given."""
    settings = event.settings
    return plan(
        players,
        settings.size,
        settings.rounds,
        settings.seed,
        least=games.table_limits(event.rulebook)[0],
        short=settings.short,
        played=group.played if group is not None else (),
        sat_out=group.sat_out if group is not None else None,
        ahead=ahead,
        # The bare minimum of repeats may keep one couple together all evening.
        aim="no third meeting",
    )


def _swiss(event: Event, group: _Group, leaders: Sequence[Player]) -> tuple[Seats, Sequence[int]]:
    """Who sits out is, of those whose turn it is, who leaves the fewest repeats, and of these who stands last."""
    settings = event.settings
    order = _standing_order(group, leaders, settings.seed)
    sizes = table_sizes(len(order), settings.size, games.table_limits(event.rulebook)[0], settings.short)
    return swiss_resting(order, sizes, group.played, group.sat_out, settings.seed)


def _standing_order(group: _Group, leaders: Sequence[Player], seed: str) -> list[int]:
    number_of = {player.id: number for number, player in enumerate(group.players)}
    ranked = [number_of[player.id] for player in leaders if player.id in number_of]
    others = sorted(set(number_of.values()).difference(ranked))
    return ranked + shuffled(others, chance("swiss order", seed))
