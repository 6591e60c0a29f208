"""The next round of an event, from who is there now and what has been played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tourney import rulebook
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event, Format
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.seating.balance.byes import next_byes
from tourney.seating.balance.table_numbers import place_constrained
from tourney.seating.constraints import Constraints, violations
from tourney.seating.information_gain import informative_tables
from tourney.seating.random_draw import random_draw
from tourney.seating.rng import seeded_rng, shuffled
from tourney.seating.swiss import Pairing, seated, swiss_with_byes
from tourney.service.seating.constraint_text import wishes_of
from tourney.service.seating.rotation_plan import Drawn, coming, sittings, sizes_for
from tourney.text.i18n import _, ngettext

Seats = tuple[tuple[int, ...], ...]

Seated = tuple[list[tuple[Player, ...]], tuple[Player, ...]]
"""Tables, and who sits out."""

LOTS = 200
"""Draws by lot of which the first that breaks the fewest wishes is taken."""


@dataclass(frozen=True, slots=True)
class Given:
    """What of a round is seated by hand: tables by their number, and who sits out."""

    tables: Mapping[int, tuple[Player, ...]] = field(default_factory=dict)
    out: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Leading:
    """What seats a round beside who is there: everybody who has a place in the order of it, best first; and what a
    table is worth."""

    players: Sequence[Player] = ()
    worth: Callable[[Sequence[Player]], float] = len


Way = Callable[[Event, tuple[Player, ...], Sequence[Drawn], Leading], Seated]
"""Seats these players of an event after the rounds drawn."""


def next_round(event: Event, drawn: Sequence[Drawn], leading: Leading, given: Given | None = None) -> Round:
    """Seats everybody who plays; the rounds drawn stay as they are, and so does what is given.

    A rotation is planned for all rounds, and changes as little as can be when people come or go. A Swiss round seats
    neighbours of those `leading`, everybody with a game, best first; a snake gives each table as strong players as the
    others by that order; who is not in it stands behind them in an order drawn from the seed, and where nobody is, few
    repeats and level turns count instead from the second round on. An informative round is the most worth. A random
    one is drawn by lot, with level turns. Beside tables that are given the others meet as few as can be again. Raises
    TourneyError REFUSED if they cannot be seated.
    """
    tables: list[tuple[Player, ...]] = []
    out: list[Player] = []
    for players in groups_of(event, event.playing):
        if given is None:
            _refuse_few(event, len(players))
            seats, resting = WAYS[event.settings.format](event, players, drawn, leading)
        else:
            seats, resting = _completed(event, players, drawn, given)
        tables += seats
        out += resting
    if given is not None:
        tables, out = _among(given.tables, tables), [*given.out, *out]
    number = len(drawn) + 1
    numbered = tuple(Table(number, index, players) for index, players in enumerate(tables, 1))
    return Round(number, numbered, tuple(out))


def _completed(event: Event, players: Sequence[Player], drawn: Sequence[Drawn], given: Given) -> Seated:
    """Seats who is left of these players beside what is given; fewer than the smallest table sit out, and whom the
    tables left do not hold."""
    settled = {player.id for table in (*given.tables.values(), given.out) for player in table}
    waiting = tuple(player for player in players if player.id not in settled)
    if len(waiting) < rulebook.table_limits(event.rules)[0]:
        return [], waiting
    return _in_order("anybody", event, _Group.of(event, waiting, drawn, len(given.tables)), ())


def _among(given: Mapping[int, tuple[Player, ...]], others: list[tuple[Player, ...]]) -> list[tuple[Player, ...]]:
    """All tables, those that are given at their numbers, or behind all where there are not so many."""
    total = len(given) + len(others)
    waiting = [*others, *(table for number, table in sorted(given.items()) if number > total)]
    return [given[number] if number in given else waiting.pop(0) for number in range(1, total + 1)]


def groups_of(event: Event, playing: Sequence[Player]) -> list[tuple[Player, ...]]:
    """People and bots apart, so that the engine can play the bots' tables; together where one group is too small."""
    least, _most = rulebook.table_limits(event.rules)
    people = tuple(player for player in playing if player.kind == "person")
    bots = tuple(player for player in playing if player.kind == "bot")
    if len(people) >= least and len(bots) >= least:
        return [people, bots]
    return [tuple(playing)]


def _refuse_few(event: Event, players: int) -> None:
    least, _most = rulebook.table_limits(event.rules)
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


def _rotation(event: Event, players: tuple[Player, ...], drawn: Sequence[Drawn], _leading: Leading) -> Seated:
    following = coming(event, players, drawn)[0]
    by_id = {player.id: player for player in players}
    return (
        [tuple(by_id[player] for player in table) for table in following.tables],
        tuple(by_id[player] for player in following.out),
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """Players who are seated together, numbered from 0, and the rounds before in these numbers.

    Numbers behind theirs are people who sat with them and are not of the group now.
    """

    players: tuple[Player, ...]
    played: tuple[Seats, ...]
    sat_out: Seats
    sizes: tuple[int, ...]
    wishes: Constraints

    @classmethod
    def of(cls, event: Event, players: tuple[Player, ...], drawn: Sequence[Drawn], taken: int = 0) -> _Group:
        number_of = {player.id: number for number, player in enumerate(players)}
        wishes = wishes_of(event).renumbered(number_of)

        def numbers(ids: Sequence[int]) -> tuple[int, ...]:
            return tuple(number_of.setdefault(one, len(number_of)) for one in ids)

        done = sittings(players, [one.round for one in drawn])
        return cls(
            players,
            tuple(tuple(map(numbers, one.tables)) for one in done),
            tuple(numbers([player for player in one.out if player in number_of]) for one in done),
            sizes_for(event, players, taken),
            wishes,
        )

    def named(self, tables: Sequence[Sequence[int]], out: Sequence[int]) -> Seated:
        return (
            [tuple(self.players[number] for number in table) for table in tables],
            tuple(self.players[number] for number in out),
        )

    def order(self, leaders: Sequence[Player], seed: str) -> list[int]:
        """The leaders, and behind them everybody else by lot: another one in each round."""
        number_of = {player.id: number for number, player in enumerate(self.players)}
        ranked = [number_of[player.id] for player in leaders if player.id in number_of]
        others = sorted(set(number_of.values()).difference(ranked))
        later = [len(self.played)] if self.played else []
        return ranked + shuffled(others, seeded_rng("swiss order", seed, *later))


def _by_order(rule: Pairing) -> Way:
    """Seats by who leads; after the first round as few as can be meet again where nobody does yet."""

    def way(event: Event, players: tuple[Player, ...], drawn: Sequence[Drawn], leading: Leading) -> Seated:
        # Nearness in an order by lot is worth nothing: level turns are, which it would come before.
        known: Pairing = rule if leading.players or not drawn else "anybody"
        return _in_order(known, event, _Group.of(event, players, drawn), leading.players)

    return way


def _in_order(rule: Pairing, event: Event, group: _Group, leaders: Sequence[Player]) -> Seated:
    """Seats by who leads. Who sits out is, of those whose turn it is, who leaves the fewest repeats, and of these who
    stands last."""
    seed = event.settings.seed
    order = group.order(leaders, seed)
    tables, out = swiss_with_byes(order, group.sizes, group.played, group.sat_out, seed, rule, group.wishes)
    return group.named(tables, out)


def _by_worth(event: Event, players: tuple[Player, ...], drawn: Sequence[Drawn], leading: Leading) -> Seated:
    """Of the seatings with the fewest repeats and then the most level turns the most worth. Who sits out is, of those
    whose turn it is, who leaves the fewest repeats."""
    group, seed = _Group.of(event, players, drawn), event.settings.seed
    order = group.order(leading.players, seed)
    _tables, out = swiss_with_byes(order, group.sizes, group.played, group.sat_out, seed, "anybody", group.wishes)
    there = [player for player in order if player not in out]

    def worth(table: Sequence[int]) -> float:
        return leading.worth([players[number] for number in table])

    tables = informative_tables(there, group.sizes, group.played, worth, seed, group.wishes)
    return group.named(seated(tables, group.played), out)


def _by_lot(event: Event, players: tuple[Player, ...], drawn: Sequence[Drawn], _leading: Leading) -> Seated:
    """Whoever meets: only turns are kept, to sit out, at small tables and in each seat; of many draws the first is
    taken that breaks the fewest wishes."""
    group = _Group.of(event, players, drawn)
    draw = seeded_rng("lots", event.settings.seed, len(drawn))
    order = shuffled(list(range(len(players))), draw)
    (out,) = next_byes(order, len(players) - sum(group.sizes), 1, group.played, group.sat_out)
    there = [player for player in order if player not in out]
    best: tuple[int, Seats] | None = None
    for _lot in range(LOTS):
        tables = random_draw(there, group.sizes, group.played, draw)
        lost = violations(group.wishes, [tables], len(players))
        if best is None or lost.apart < best[0]:
            best = lost.apart, tables
        if best[0] == 0:
            break
    assert best is not None, "there is at least one lot"
    return group.named(place_constrained([[list(table) for table in best[1]]], group.wishes.tables)[0], out)


def _by_hand(event: Event, _players: tuple[Player, ...], _drawn: Sequence[Drawn], _leading: Leading) -> Seated:
    message = _("{event} is seated by hand, and no table is given").format(event=event.settings.name)
    hint = _("give a seating with --file, or another format with `tourney event set --format`")
    raise TourneyError(ExitCode.REFUSED, message, hint)


WAYS: Mapping[Format, Way] = {
    "rotation": _rotation,
    "swiss": _by_order("neighbours"),
    "rated swiss": _by_order("neighbours"),
    "snake": _by_order("snake"),
    "random": _by_lot,
    "informative": _by_worth,
    "manual": _by_hand,
}
"""How each format seats a round."""
