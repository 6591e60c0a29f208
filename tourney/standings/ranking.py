"""Results to ranked rows: points, or points per game where games differ, and 003's tie rule over an event."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from tourney.domain.events import EntrantState
from tourney.domain.people import Player
from tourney.domain.rankings import Standing
from tourney.domain.results import Result
from tourney.domain.rulings import Ruling
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold

GONE: frozenset[EntrantState] = frozenset({"withdrawn", "no-show"})
Won = tuple[int, int, str]
"""A hand won: round, place of the hand in its game, contract."""
Merit = tuple[Fraction, Any]
"""What ranks a player, the least first: points per game, then the hands won, from the most recent one; where money
ranks, the net money turned round, then the mean place."""
Order = Literal["points", "money"]


@dataclass(slots=True)
class _Tally:
    player: Player
    order: Order
    state: EntrantState = "entered"
    played: int = 0
    money: int = 0
    places: int = 0
    games: int = 0
    short: int = 0
    won: list[Won] = field(default_factory=list)
    penalties: list[Ruling] = field(default_factory=list)

    def add(self, result: Result, seat: int) -> None:
        self.played += result.outcome.points[seat]
        self.games += 1
        self.places += result.outcome.places[seat]
        self.money += result.outcome.money[seat] if result.outcome.money else 0
        self.short += result.outcome.short > 0
        for index, hand in enumerate(result.outcome.hands):
            if hand.closer == seat:
                self.won.append((result.table.round, index, hand.contract))

    @property
    def penalty(self) -> int:
        return sum(ruling.points for ruling in self.penalties)

    @property
    def points(self) -> int:
        return self.played + (self.penalty if self.order == "points" else 0)

    @property
    def net(self) -> int:
        """Money, less what penalties cost: where money ranks, their points are money."""
        return self.money - self.penalty

    @property
    def average(self) -> Fraction:
        return Fraction(self.points, self.games) if self.games else Fraction(0)

    @property
    def mean_place(self) -> Fraction:
        return Fraction(self.places, self.games) if self.games else Fraction(0)

    @property
    def merit(self) -> Merit:
        if self.order == "money":
            return Fraction(-self.net), self.mean_place
        # Points per game order equal numbers of games as points do. The mark at the end puts one who has no
        # further hand behind one who has.
        recent = tuple((-round_number, -hand) for round_number, hand, _contract in self.won)
        return self.average, (*recent, (1, 1))


@dataclass(frozen=True, slots=True)
class _Note:
    """A remark under the standings; `concerns` has the numbers of the players whose reasons repeat it."""

    text: str
    concerns: frozenset[int]


def standings(
    entrants: Sequence[Player],
    results: Sequence[Result],
    minimum: int | None = None,
    *,
    rulings: Sequence[Ruling] = (),
    states: Sequence[EntrantState] = (),
    order: Order = "points",
) -> tuple[tuple[Standing, ...], tuple[str, ...]]:
    """Rows in order, and notes on how they were ranked.

    Events of the knock game rank by `money`: the most net money first, then the least mean place; penalties are
    taken off the money, a point being the smallest unit of it. All others:

    Lowest points first, penalties among `rulings` included; where players have played different numbers of
    games, lowest points per game. Level players rank by who won the more recent hand, by round and hand, then
    the next most recent (003/1.10, over a whole event); those still level share a rank. Below stand, without a
    rank, players with fewer games than `minimum` (never more than the rounds played so far), or if None than
    half of those rounds. Tables that are void count for nobody, and a note names them. `states` has one for each
    entrant (none: everybody has entered); who has gone away keeps his games, and is left out if there are none.
    """
    counted = [result for result in results if result.state == "counts"]
    tallies = _tallies(entrants, states, counted, rulings, order)
    needed = _needed(counted, minimum)
    by_average = order == "points" and len({tally.games for tally in tallies if tally.games}) > 1
    ranked = sorted((tally for tally in tallies if _ranks(tally, needed)), key=_order)
    below = sorted((tally for tally in tallies if not _ranks(tally, needed)), key=_below_order)
    rows = _ranked_rows(ranked, by_average)
    rows += [_row(None, tally, _why_below(tally, needed, minimum)) for tally in below]
    notes = (*_order_notes(tallies, by_average), *_table_notes(results), *_ruling_notes(tallies, results, rulings))
    told = tuple(replace(row, notes=_notes_for(row.player, notes)) for row in rows)
    return told, tuple(note.text for note in notes)


def _tallies(
    entrants: Sequence[Player],
    states: Sequence[EntrantState],
    results: Sequence[Result],
    rulings: Sequence[Ruling],
    order: Order,
) -> list[_Tally]:
    tallies = {player.id: _Tally(player, order) for player in entrants}
    for player, state in zip(entrants, states, strict=False):
        tallies[player.id].state = state
    for result in results:
        for seat, player in enumerate(result.table.players):
            tallies[player.id].add(result, seat)
    for ruling in rulings:
        if ruling.kind == "penalty" and ruling.state == "stands" and ruling.player is not None:
            tallies[ruling.player.id].penalties.append(ruling)
    for tally in tallies.values():
        tally.won.sort(reverse=True)
    return [tally for tally in tallies.values() if tally.games or tally.penalties or tally.state not in GONE]


def _needed(results: Sequence[Result], minimum: int | None) -> int:
    played = len({result.table.round for result in results})
    return -(-played // 2) if minimum is None else min(minimum, played)


def _ranks(tally: _Tally, needed: int) -> bool:
    return tally.games > 0 and tally.games >= needed


def _order(tally: _Tally) -> tuple[Merit, str, int]:
    return tally.merit, fold(tally.player.shown), tally.player.id


def _below_order(tally: _Tally) -> tuple[bool, Fraction, str, int]:
    return tally.games == 0, tally.average, fold(tally.player.shown), tally.player.id


def _ranked_rows(ranked: Sequence[_Tally], by_average: bool) -> list[Standing]:
    rows: list[Standing] = []
    for place, tally in enumerate(ranked, 1):
        above = ranked[place - 2] if place > 1 else None
        rank = rows[-1].rank if above is not None and above.merit == tally.merit else place
        rows.append(_row(rank, tally, _why(above, tally, by_average)))
    return rows


def _row(rank: int | None, tally: _Tally, why: str) -> Standing:
    return Standing(
        rank=rank,
        player=tally.player,
        points=tally.points,
        hands_won=len(tally.won),
        games=tally.games,
        average=float(tally.average),
        why="; ".join((why, *map(penalty_text, tally.penalties))),
        penalty=tally.penalty,
        short=tally.short,
        money=tally.net if tally.order == "money" else None,
        state=tally.state,
    )


def penalty_text(ruling: Ruling) -> str:
    """A penalty in words, as `a penalty of 20 points in round 2: came late`."""
    points = abs(ruling.points)
    if ruling.points < 0:
        said = ngettext("{points} point taken off{place}: {why}", "{points} points taken off{place}: {why}", points)
    else:
        said = ngettext(
            "a penalty of {points} point{place}: {why}", "a penalty of {points} points{place}: {why}", points
        )
    return said.format(points=points, place=_place(ruling), why=ruling.text)


def _place(ruling: Ruling) -> str:
    if ruling.round is None:
        return ""
    if ruling.table is None:
        return _(" in round {round}").format(round=ruling.round)
    return _(" in round {round} at table {table}").format(round=ruling.round, table=ruling.table)


def _why(above: _Tally | None, tally: _Tally, by_average: bool) -> str:
    if tally.order == "money":
        return _why_money(above, tally)
    if above is None:
        return _("fewest points per game") if by_average else _("fewest points")
    if above.average != tally.average:
        return _behind(above, tally, by_average)
    if above.merit == tally.merit:
        return _("level with {above} on points and in every hand won: the rank is shared").format(
            above=above.player.shown
        )
    round_number, _index, contract = _decider(above, tally)
    return _("level with {above}, who won the more recent hand (round {round}, {contract})").format(
        above=above.player.shown, round=round_number, contract=contract
    )


def _why_money(above: _Tally | None, tally: _Tally) -> str:
    if above is None:
        return _("most money")
    name = above.player.shown
    if above.net != tally.net:
        return _("{money} less money than {above}").format(money=above.net - tally.net, above=name)
    if above.mean_place == tally.mean_place:
        return _("level with {above} on money and mean place: the rank is shared").format(above=name)
    return _("level with {above} on money; mean place {theirs} against {ours}").format(
        above=name, theirs=f"{float(above.mean_place):.2f}", ours=f"{float(tally.mean_place):.2f}"
    )


def _behind(above: _Tally, tally: _Tally, by_average: bool) -> str:
    name = above.player.shown
    if by_average:
        gap = f"{float(tally.average - above.average):.2f}"
        return _("{gap} points per game more than {above}").format(gap=gap, above=name)
    points = tally.points - above.points
    return ngettext("{points} point more than {above}", "{points} points more than {above}", points).format(
        points=points, above=name
    )


def _decider(above: _Tally, tally: _Tally) -> Won:
    """The hand that the one above won, where the two lists of hands won first differ."""
    theirs = [won[:2] for won in tally.won]
    for index, won in enumerate(above.won):
        if index >= len(theirs) or theirs[index] != won[:2]:
            return won
    raise AssertionError("the one above has won the more recent hand")


def _why_below(tally: _Tally, needed: int, minimum: int | None) -> str:
    if tally.games == 0:
        return _("no game yet")
    said = ngettext(
        "{games} of the {needed} game needed for a rank", "{games} of the {needed} games needed for a rank", needed
    ).format(games=tally.games, needed=needed)
    if minimum is None:
        return _("{said}: half the rounds played so far").format(said=said)
    if minimum > needed:
        return _("{said} so far; the event asks for {minimum} in the end").format(said=said, minimum=minimum)
    return said


def _notes_for(player: Player, notes: Sequence[_Note]) -> tuple[str, ...]:
    return tuple(note.text for note in notes if player.id in note.concerns)


def _order_notes(tallies: Sequence[_Tally], by_average: bool) -> Iterator[_Note]:
    """How everybody is ranked."""
    everybody = frozenset(tally.player.id for tally in tallies)
    if not any(tally.games for tally in tallies):
        yield _Note(_("No results yet."), everybody)
    if by_average:
        text = _("Not everybody has played the same number of games: points per game decide.")
        yield _Note(text, everybody)
    if any(tally.penalties and tally.order == "money" for tally in tallies):
        yield _Note(_("Money ranks here: the points of a penalty are taken off the money."), everybody)


def _table_notes(results: Sequence[Result]) -> Iterator[_Note]:
    """Tables that are void, or were stopped before their end."""
    for result in results:
        if result.state == "void":
            text = _("Table {table} of round {round} is void ({why}): it counts for nobody.").format(
                table=result.table.number, round=result.table.round, why=result.reason
            )
            yield _Note(text, _seated(result))
        elif result.outcome.short:
            yield _Note(_short_text(result), _seated(result))


def _seated(result: Result) -> frozenset[int]:
    return frozenset(player.id for player in result.table.players)


def _ruling_notes(tallies: Sequence[_Tally], results: Sequence[Result], rulings: Sequence[Ruling]) -> Iterator[_Note]:
    """Penalties, which are in the reason of whom they concern already, and corrections."""
    for tally in tallies:
        for ruling in tally.penalties:
            text = _("{player}: {penalty}.").format(player=tally.player.shown, penalty=penalty_text(ruling))
            yield _Note(text, frozenset())
    seated = {(result.table.round, result.table.number): _seated(result) for result in results}
    for ruling in rulings:
        if ruling.kind == "correction" and ruling.state == "stands":
            text = _("Table {table} of round {round} was corrected by a ruling: {why}.").format(
                table=ruling.table, round=ruling.round, why=ruling.text
            )
            yield _Note(text, seated.get((ruling.round or 0, ruling.table or 0), frozenset()))


def _short_text(result: Result) -> str:
    if result.outcome.money:
        return _("Table {table} of round {round} was stopped before its end: the lowest score had the pot.").format(
            table=result.table.number, round=result.table.round
        )
    hands = result.outcome.short
    return ngettext(
        "Table {table} of round {round} was short: {hands} hand was not played.",
        "Table {table} of round {round} was short: {hands} hands were not played.",
        hands,
    ).format(table=result.table.number, round=result.table.round, hands=hands)
