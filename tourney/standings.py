"""Results to ranked rows: points, or points per game where games differ, and 003's tie rule over an event."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tourney.domain import Player, Result, Standing
from tourney.text import _, ngettext

Won = tuple[int, int, str]
"""A hand won: round, place of the hand in its game, contract."""


@dataclass(slots=True)
class _Tally:
    player: Player
    points: int = 0
    games: int = 0
    won: list[Won] = field(default_factory=list)

    def add(self, result: Result, seat: int) -> None:
        self.points += result.outcome.points[seat]
        self.games += 1
        for index, hand in enumerate(result.outcome.hands):
            if hand.closer == seat:
                self.won.append((result.table.round, index, hand.contract))

    @property
    def average(self) -> Fraction:
        return Fraction(self.points, self.games) if self.games else Fraction(0)


def standings(
    entrants: Sequence[Player], results: Sequence[Result], minimum: int | None = None
) -> tuple[tuple[Standing, ...], tuple[str, ...]]:
    """Rows in order, and notes on how they were ranked.

    Lowest points first; where players have played different numbers of games, lowest points per game. Level
    players rank by who won the more recent hand, by round and hand, then the next most recent (003/1.10, over
    a whole event); those still level share a rank. Below stand, without a rank, players with fewer games than
    `minimum` (never more than the rounds played so far), or if None than half of those rounds.
    """
    counted = [result for result in results if result.state == "counts"]
    tallies = _tallies(entrants, counted)
    needed = _needed(counted, minimum)
    games = {tally.games for tally in tallies if tally.games}
    by_average = len(games) > 1
    ranked = sorted((tally for tally in tallies if _ranks(tally, needed)), key=_order)
    below = sorted((tally for tally in tallies if not _ranks(tally, needed)), key=_below_order)
    rows = _ranked_rows(ranked, by_average)
    rows += [_row(None, tally, _why_below(tally, needed)) for tally in below]
    return tuple(rows), tuple(_notes(counted, by_average))


def _tallies(entrants: Sequence[Player], results: Sequence[Result]) -> list[_Tally]:
    tallies = {player.id: _Tally(player) for player in entrants}
    for result in results:
        for seat, player in enumerate(result.table.players):
            tallies[player.id].add(result, seat)
    for tally in tallies.values():
        tally.won.sort(reverse=True)
    return list(tallies.values())


def _needed(results: Sequence[Result], minimum: int | None) -> int:
    played = len({result.table.round for result in results})
    return -(-played // 2) if minimum is None else min(minimum, played)


def _ranks(tally: _Tally, needed: int) -> bool:
    return tally.games > 0 and tally.games >= needed


def _order(tally: _Tally) -> tuple[Fraction, list[tuple[int, int]], str, int]:
    # Points per game order equal numbers of games as points do. The mark at the end puts one who has no
    # further hand behind one who has.
    recent = [(-round_number, -hand) for round_number, hand, _contract in tally.won]
    return tally.average, [*recent, (1, 1)], tally.player.shown, tally.player.id


def _below_order(tally: _Tally) -> tuple[bool, Fraction, str, int]:
    return tally.games == 0, tally.average, tally.player.shown, tally.player.id


def _ranked_rows(ranked: Sequence[_Tally], by_average: bool) -> list[Standing]:
    rows: list[Standing] = []
    for place, tally in enumerate(ranked, 1):
        above = ranked[place - 2] if place > 1 else None
        rank = rows[-1].rank if above is not None and _level(above, tally) else place
        rows.append(_row(rank, tally, _why(above, tally, by_average)))
    return rows


def _level(one: _Tally, other: _Tally) -> bool:
    return one.average == other.average and _hands(one) == _hands(other)


def _hands(tally: _Tally) -> list[tuple[int, int]]:
    return [(round_number, hand) for round_number, hand, _contract in tally.won]


def _row(rank: int | None, tally: _Tally, why: str) -> Standing:
    return Standing(
        rank=rank,
        player=tally.player,
        points=tally.points,
        hands_won=len(tally.won),
        games=tally.games,
        average=float(tally.average),
        why=why,
    )


def _why(above: _Tally | None, tally: _Tally, by_average: bool) -> str:
    if above is None:
        return _("fewest points per game") if by_average else _("fewest points")
    if above.average != tally.average:
        return _behind(above, tally, by_average)
    if _level(above, tally):
        return _("level with {above} on points and in every hand won: the rank is shared").format(
            above=above.player.shown
        )
    round_number, _index, contract = _decider(above, tally)
    return _("level with {above}, who won the more recent hand (round {round}, {contract})").format(
        above=above.player.shown, round=round_number, contract=contract
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
    theirs = _hands(tally)
    for index, won in enumerate(above.won):
        if index >= len(theirs) or theirs[index] != won[:2]:
            return won
    raise AssertionError("the one above has won the more recent hand")


def _why_below(tally: _Tally, needed: int) -> str:
    if tally.games == 0:
        return _("no game yet")
    return ngettext(
        "{games} of the {needed} game needed for a rank", "{games} of the {needed} games needed for a rank", needed
    ).format(games=tally.games, needed=needed)


def _notes(results: Sequence[Result], by_average: bool) -> list[str]:
    if not results:
        return [_("No results yet.")]
    if by_average:
        return [_("Not everybody has played the same number of games: points per game decide.")]
    return []
