"""A tie-break, and the contest in which it compares players."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from tourney.domain.people import Player
from tourney.domain.results import HandScore, Result
from tourney.standings.scales import Scale, Score, shown
from tourney.standings.standing import PlayerTally
from tourney.text.i18n import _

HandsOf = Callable[[Result], Sequence[HandScore]]
"""A function from a result to its hands."""


def hands_in(result: Result) -> Sequence[HandScore]:
    """Return the hands that a result has."""
    return result.outcome.hands


@dataclass(frozen=True, slots=True)
class Contest:
    """Everything that a tie-break may look at: all tallies by player, and the results that count.

    `per_game` says that scores are means. `full` is the size of a full table, `seed` that of the event. Hands are
    taken by `hands`, which may read them only when they are asked for. `uncounted` has round and player of seats whose
    results count for nobody.
    """

    scale: Scale
    per_game: bool
    tallies: Mapping[int, PlayerTally]
    results: Sequence[Result]
    full: int = 4
    seed: str = "1"
    hands: HandsOf = hands_in
    uncounted: Collection[tuple[int, int]] = ()

    def score(self, player: Player) -> Score:
        """Return a player's score: what ranks them before any tie-break."""
        return self.tallies[player.id].score(self.per_game)

    def averages(self, level: Sequence[PlayerTally]) -> bool:
        """Return whether players who are level are compared per game: where scores are, and they differ in games."""
        return self.per_game and len({(tally.games, tally.carried) for tally in level}) > 1


class PerGame(NamedTuple):
    """A value per game, compared with others of its kind."""

    value: Any


Measure = Callable[[Sequence[PlayerTally], Contest], Sequence[Any]]
"""A function from players who are level to a value for each; equal values leave them level."""
Average = Callable[[PlayerTally, Any], Any]
"""A function from a player and the value over all games to the value per game."""
Reason = Callable[[PlayerTally, PlayerTally, Contest], str]
"""A sentence on why the first of two players ranks above the second."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A criterion that ranks players who are level so far.

    `key` is typed, `name` stands in tables, `explanation` says in a sentence what it does. `measure` is given only the
    players who are still level, so that it may compare them with each other; the greatest value ranks first if
    `most_wins`, otherwise the smallest; None: as on the event's scale. A value that grows with the number of games has
    its `average`. `value_text` shows a value; `reason` gives a sentence of its own.
    """

    key: str
    name: str
    explanation: str
    measure: Measure
    most_wins: bool | None = True
    average: Average | None = None
    value_text: Callable[[Any], str] = shown
    reason: Reason | None = None

    def greatest_first(self, contest: Contest) -> bool:
        """Return whether the greatest value ranks first."""
        return contest.scale.most_wins if self.most_wins is None else self.most_wins

    def values(self, level: Sequence[PlayerTally], contest: Contest) -> Sequence[Any]:
        """Return the values by which players who are level are compared."""
        values = self.measure(level, contest)
        if self.average is None or not contest.averages(level):
            return values
        return [PerGame(self.average(tally, value)) for tally, value in zip(level, values, strict=True)]

    def text(self, value: Any) -> str:
        """Return a value for people."""
        if isinstance(value, PerGame):
            return _("{value} a game").format(value=self.value_text(value.value))
        return self.value_text(value)

    def why(self, above: PlayerTally, below: PlayerTally, values: tuple[Any, Any], contest: Contest) -> str:
        """Return why one player ranks above another, from the value of each."""
        if self.reason is not None:
            return self.reason(above, below, contest)
        text = _("level with {above}; {criterion}: {theirs} against {ours}")
        theirs, ours = map(self.text, values)
        return text.format(above=above.player.shown, criterion=_(self.name), theirs=theirs, ours=ours)


def each(measure: Callable[[PlayerTally], Any]) -> Measure:
    """Return the measure of a criterion that looks at every player alone."""
    return lambda level, contest: [measure(tally) for tally in level]


def shared_out(tally: PlayerTally, value: Score) -> Fraction:
    """Return a sum over a player's games, divided by their number."""
    return Fraction(value) / tally.games
