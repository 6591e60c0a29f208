"""The order of an event: players by score, then by tie-breaks, and those who have no rank."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import floor
from operator import itemgetter
from typing import Any, Final

from tourney.domain.events import GONE, EntrantState
from tourney.domain.people import Player
from tourney.domain.results import Result, Ruling
from tourney.standings.scales import POINTS, Scale, Score
from tourney.standings.scoring import BY_POINTS, Scoring
from tourney.standings.standing import NO_BAND, Band, PlayerTally
from tourney.standings.tiebreaks.tiebreak import Contest, HandsOf, TieBreak, hands_in
from tourney.text.names import name_order


@dataclass(frozen=True, slots=True)
class TieStep:
    """A tie-break that was asked about a player, and the player's value."""

    tie_break: TieBreak
    value: Any


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A ranked player: the rank, the player above (None for the first), and the tie-breaks that were asked."""

    rank: int
    tally: PlayerTally
    above: "RankedPlayer | None"
    steps: tuple[TieStep, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The players of an event in order: those with a rank, and those `below`, who have too few games.

    A draw and a cut need this order alone; each `Standing` of a table is made from it, with columns and sentences.
    `needed` games give a rank; the event asks for `minimum` (None: half the rounds).
    """

    contest: Contest
    placed: tuple[RankedPlayer, ...]
    below: tuple[PlayerTally, ...]
    needed: int
    minimum: int | None


@dataclass(frozen=True, slots=True)
class RankingBasis:
    """The settings by which players are ranked, besides their results.

    The `scoring` says what ranks, and which tie-breaks decide among equals. Penalties among `rulings` count in what
    ranks. `states` has the state of each entrant (empty: all have entered); players who have left keep their games, and
    are omitted if they have none. Equal players are sorted `by_name`, in Spanish order in every language, so that files
    are the same everywhere. `hands` gives the hands of a result; `uncounted` has round and player of seats whose
    results count for nobody. `bands` rank before scores, and `carried` has what players bring along, both by number of
    player.
    """

    rulings: Sequence[Ruling] = ()
    states: Sequence[EntrantState] = ()
    scoring: Scoring = BY_POINTS
    by_name: Callable[[str], Any] = name_order
    hands: HandsOf = hands_in
    uncounted: Collection[tuple[int, int]] = ()
    bands: Mapping[int, Band] = field(default_factory=dict)
    carried: Mapping[int, Score] = field(default_factory=dict)


ALL_ENTERED: Final = RankingBasis()
"""Points of all entrants, without rulings."""


def ranked(
    entrants: Sequence[Player],
    results: Sequence[Result],
    minimum: int | None = None,
    basis: RankingBasis = ALL_ENTERED,
) -> Ranked:
    """Return the players in the order of `standings`, without sentences.

    Others than the entrants, who have sat at these tables, have no rank, nor has anybody without a game.
    """
    scoring = basis.scoring
    counted = [result for result in results if result.state == "counts"]
    own = {player.id for player in entrants}
    others = {each.id: each for result in counted for each in result.table.players if each.id not in own}
    tallies = _tallies(
        (*entrants, *others.values()), basis.states, counted, basis.rulings, scoring.scale, basis.uncounted
    )
    full = max((tallies[number].games for number in own), default=0)
    for number, tally in tallies.items():
        brought = basis.carried.get(number, 0)
        # Points are whole, also after a stage that scored in fractions.
        tally.carried = floor(brought) if scoring.scale is POINTS else brought
        tally.band, tally.full = basis.bands.get(number, NO_BAND), full
    per_game = scoring.totals(scoring.scale, {tallies[number].games for number in own if tallies[number].games})
    contest = Contest(
        scoring.scale, per_game, tallies, counted, scoring.full, scoring.seed, basis.hands, basis.uncounted
    )
    needed = _needed(counted, minimum)
    ranking = [tally for number, tally in tallies.items() if number in own]
    shown = [tally for tally in ranking if tally.games or tally.penalties or tally.state not in GONE]

    def named(tally: PlayerTally) -> tuple[Any, int]:
        return basis.by_name(tally.player.shown), tally.player.id

    below = sorted(
        (tally for tally in shown if not _ranks(tally, needed)),
        key=lambda tally: (tally.band.order[:1], tally.games == 0, tally.average, named(tally)),
    )
    level = sorted((tally for tally in shown if _ranks(tally, needed)), key=named)
    return Ranked(contest, _placed(level, contest, scoring), tuple(below), needed, minimum)


def _placed(tallies: Sequence[PlayerTally], contest: Contest, scoring: Scoring) -> tuple[RankedPlayer, ...]:
    """Return the players in order: by score, then by the tie-breaks; whom none separates share a rank."""
    scores = [(tally.band.order, contest.scale.better(tally.score(contest.per_game))) for tally in tallies]
    placed: list[RankedPlayer] = []
    for group in _groups(tallies, scores):
        for level, steps in _separated(group, scoring.tie_breaks, contest):
            rank = len(placed) + 1
            for tally, own in zip(level, steps, strict=True):
                placed.append(RankedPlayer(rank, tally, placed[-1] if placed else None, own))
    return tuple(placed)


def _groups(
    tallies: Sequence[PlayerTally], values: Sequence[Any], *, reverse: bool = False
) -> Iterator[list[PlayerTally]]:
    """Yield the players with equal values together, in the order of the values and otherwise as they come."""
    pairs = sorted(zip(values, tallies, strict=True), key=itemgetter(0), reverse=reverse)
    for _value, group in groupby(pairs, key=itemgetter(0)):
        yield [tally for _own, tally in group]


Level = tuple[list[PlayerTally], list[tuple[TieStep, ...]]]
"""Players who share a rank, and the tie-breaks that were asked about each."""


def _separated(level: list[PlayerTally], breaks: Sequence[TieBreak], contest: Contest) -> Iterator[Level]:
    """Yield players who are level in groups, as the tie-breaks separate them.

    Each tie-break looks at those alone whom the earlier ones have left together.
    """
    if len(level) == 1 or not breaks:
        yield level, [()] * len(level)
        return
    values = breaks[0].values(level, contest)
    step = {tally.player.id: TieStep(breaks[0], value) for tally, value in zip(level, values, strict=True)}
    for group in _groups(level, values, reverse=breaks[0].greatest_first(contest)):
        for together, steps in _separated(group, breaks[1:], contest):
            yield (
                together,
                [(step[tally.player.id], *later) for tally, later in zip(together, steps, strict=True)],
            )


def _tallies(
    entrants: Sequence[Player],
    states: Sequence[EntrantState],
    results: Sequence[Result],
    rulings: Sequence[Ruling],
    scale: Scale,
    uncounted: Collection[tuple[int, int]],
) -> dict[int, PlayerTally]:
    tallies = {player.id: PlayerTally(player, scale, number) for number, player in enumerate(entrants, 1)}
    for player, state in zip(entrants, states, strict=False):
        tallies[player.id].state = state
    for result in results:
        scores = scale.score(result.outcome)
        for seat, player in enumerate(result.table.players):
            if (result.table.round, player.id) not in uncounted:
                tallies[player.id].add(result, seat, scores[seat])
    for ruling in rulings:
        if ruling.kind == "penalty" and ruling.state == "stands" and ruling.player and ruling.player.id in tallies:
            tallies[ruling.player.id].penalties.append(ruling)
    return tallies


def _needed(results: Sequence[Result], minimum: int | None) -> int:
    played = len({result.table.round for result in results})
    return -(-played // 2) if minimum is None else min(minimum, played)


def _ranks(tally: PlayerTally, needed: int) -> bool:
    return tally.games >= max(needed, 1)
