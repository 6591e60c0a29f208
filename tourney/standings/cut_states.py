"""Sure, open or out: whether the remaining games of a stage can still change who goes through.

A player is sure if they go through however the remaining games end, and out if they do not however these end. Where
the open tables are all that is left, that is exact; with rounds still to be drawn, nobody is called sure or out who
is not, since more endings are considered than there can be. Void tables, stopped games, penalties and corrections to
come are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final, Literal

CutState = Literal["sure", "open", "out"]
Ties = Literal["recent", "together", "doubt"]
Won = tuple[tuple[int, int], ...]
"""The hands that a player has won, as (round, place in the game), the most recent one first."""

MOST_CLOSINGS: Final = 1000
"""The most ways to close the hands of a table that are looked at one by one."""


@dataclass(frozen=True, slots=True)
class PointSpan:
    """The points that a hand can bring: the least for who closes it, the least and the most for the others."""

    closing: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Runner:
    """A player who may go through: points, games and hands won so far; a player who has left plays no more.

    `carried` is what the points have from the stage before; `rank` is the rank now, where tie-breaks decide.
    """

    id: int
    points: int
    games: int
    won: Won = ()
    plays: bool = True
    carried: int = 0
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Remaining:
    """The games that remain: the players of the open tables of one round, and the number of rounds not drawn yet.

    `hands` are the spans of the hands of a game. Players with equal points are told apart by who won the more recent
    hand, or all go `together`; otherwise their tie is in doubt. What was carried counts as spread over `full` games.
    `by_tie_breaks` says that tie-breaks tell them apart, whichever these are.
    """

    round: int
    tables: tuple[tuple[int, ...], ...]
    undrawn: int
    hands: tuple[PointSpan, ...]
    ties: Ties = "recent"
    full: int = 1
    by_tie_breaks: bool = False

    def average(self, runner: Runner, points: int, games: int) -> Fraction:
        """Return points per game at an end; without a game nobody is ahead."""
        if not games:
            return Fraction(10**9)
        return Fraction(points - runner.carried, games) + Fraction(runner.carried, max(self.full, games))


@dataclass(frozen=True, slots=True)
class _End:
    """A player at an end: points per game, and the hands won."""

    average: Fraction
    won: Won


def cut_states(runners: Sequence[Runner], remaining: Remaining, places: int) -> dict[int, CutState]:
    """Return the state of each player of one list of which so many go through."""
    return {runner.id: _state(runner, runners, remaining, places) for runner in runners}


def _state(runner: Runner, runners: Sequence[Runner], remaining: Remaining, places: int) -> CutState:
    if not runner.plays:
        return "out"
    rivals = [other for other in runners if other is not runner and other.plays]
    if len(rivals) < places or _most_ahead(runner, rivals, remaining) < places:
        return "sure"
    return "out" if _fewest_ahead(runner, rivals, remaining) >= places else "open"


def _fewest_ahead(runner: Runner, rivals: Sequence[Runner], remaining: Remaining) -> int:
    """Return how many rivals finish ahead if the player closes every hand, and nobody closes one elsewhere."""
    best = [_end(runner, remaining, games, remaining.hands, "closing") for games in _undrawn(runner, remaining)]
    return min(
        sum(
            all(
                _is_ahead(_end(rival, remaining, games, (), "most"), end, remaining, in_doubt=False)
                for games in _undrawn(rival, remaining)
            )
            for rival in rivals
        )
        for end in best
    )


def _most_ahead(runner: Runner, rivals: Sequence[Runner], remaining: Remaining) -> int:
    """Return how many rivals can finish ahead if the player has the most points that there are."""
    ends = [_end(runner, remaining, games, (), "most") for games in _undrawn(runner, remaining)]
    return max(_ahead_of(runner.id, end, rivals, remaining) for end in ends)


def _ahead_of(player: int, end: _End, rivals: Sequence[Runner], remaining: Remaining) -> int:
    """Return how many rivals can be ahead of a player who ends like that: table by table, since they share none."""
    by_id = {rival.id: rival for rival in rivals}
    seated = {number for table in remaining.tables for number in table}
    total = 0
    for table in remaining.tables:
        total += _most_at_table([by_id[number] for number in table if number in by_id], end, remaining)
    return total + sum(_best_is_ahead(rival, end, remaining) for rival in rivals if rival.id not in seated)


def _most_at_table(rivals: Sequence[Runner], end: _End, remaining: Remaining) -> int:
    """Return how many of the rivals at one table can finish ahead: each hand has one closer, or none."""
    if not rivals:
        return 0
    hands = len(remaining.hands)
    if (len(rivals) + 1) ** hands <= MOST_CLOSINGS and not remaining.undrawn:
        return max(
            sum(
                _is_ahead(_closing(rival, seat, closers, remaining), end, remaining, in_doubt=True)
                for seat, rival in enumerate(rivals)
            )
            for closers in product(range(-1, len(rivals)), repeat=hands)
        )
    found = (_hands_needed(rival, end, remaining) for rival in rivals)
    count = left = 0
    for number in sorted(number for number in found if number is not None):
        left += number
        count += left <= hands
    return count


def _closing(rival: Runner, seat: int, closers: Sequence[int], remaining: Remaining) -> _End:
    """Return the end of a rival who closes the hands of their seat, and has the fewest points in the others."""
    own = [place for place, closer in enumerate(closers) if closer == seat]
    points = sum(span.closing if place in own else span.least for place, span in enumerate(remaining.hands))
    won = tuple((remaining.round, place) for place in reversed(own))
    return _End(remaining.average(rival, rival.points + points, rival.games + 1), (*won, *rival.won))


def _hands_needed(rival: Runner, end: _End, remaining: Remaining) -> int | None:
    """Return the fewest hands that a rival must close to be ahead, if the best ones are theirs; None if never."""
    gains = sorted((span.least - span.closing for span in remaining.hands), reverse=True)
    most = sum(span.least for span in remaining.hands)
    for closed in range(len(gains) + 1):
        for games in _undrawn(rival, remaining):
            points = rival.points + most - sum(gains[:closed]) + games * _game(remaining.hands, "closing")
            average = remaining.average(rival, points, rival.games + 1 + games)
            won = closed > 0 or games > 0 or rival.won >= end.won or remaining.ties == "doubt"
            if average < end.average or (average == end.average and won and remaining.ties != "together"):
                return closed
    return None


def _best_is_ahead(rival: Runner, end: _End, remaining: Remaining) -> bool:
    """Return whether a rival without an open table can be ahead, who closes every hand of the rounds to come."""
    return any(
        _is_ahead(_end(rival, remaining, games, (), "closing"), end, remaining, in_doubt=True)
        for games in _undrawn(rival, remaining)
    )


def _undrawn(runner: Runner, remaining: Remaining) -> Iterator[int]:
    """Yield the numbers of games in rounds to come that can matter: all of them, or none, as byes may have it."""
    yield from sorted({0, remaining.undrawn if runner.plays else 0})


def _end(
    runner: Runner,
    remaining: Remaining,
    games: int,
    closed: Sequence[PointSpan],
    later: Literal["closing", "most"],
) -> _End:
    """Return the end of a player who closes the hands `closed` at an open table, and plays `games` later games."""
    at_table = any(runner.id in table for table in remaining.tables)
    points, number = runner.points + games * _game(remaining.hands, later), runner.games + games
    won: Won = runner.won
    if at_table:
        points += _game(remaining.hands, "closing" if closed else "most")
        number += 1
        if closed:
            won = (*((remaining.round, place) for place in reversed(range(len(closed)))), *won)
    if games and later == "closing":
        # A hand of a later round is the most recent one.
        won = ((remaining.round + games, len(remaining.hands)), *won)
    return _End(remaining.average(runner, points, number), won)


def _game(hands: Sequence[PointSpan], which: Literal["closing", "most"]) -> int:
    return sum(span.closing if which == "closing" else span.most for span in hands)


def _is_ahead(rival: _End, player: _End, remaining: Remaining, *, in_doubt: bool) -> bool:
    """Return whether the rival ends ahead of the player; `in_doubt` is the answer where nothing tells them apart."""
    if rival.average != player.average:
        return rival.average < player.average
    if remaining.ties == "together":
        return False
    if remaining.ties == "doubt" or rival.won == player.won:
        return in_doubt
    return rival.won > player.won
