"""A tie-break, and the contest in which it compares players."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tourney.domain.people import Player
from tourney.domain.results import Result
from tourney.standings.scales import Scale, Score, shown
from tourney.standings.standing import Tally
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class Contest:
    """Everything that a tie-break may look at: all tallies by player, and the results that count.

    `per_game` says that scores are means. `full` is the size of a full table, `seed` that of the event.
    """

    scale: Scale
    per_game: bool
    tallies: Mapping[int, Tally]
    results: Sequence[Result]
    full: int = 4
    seed: str = "1"

    def score(self, player: Player) -> Score:
        """Return a player's score: what ranks them before any tie-break."""
        return self.tallies[player.id].score(self.per_game)


Measure = Callable[[Sequence[Tally], Contest], Sequence[Any]]
"""A function from players who are level to a value for each; equal values leave them level."""
Reason = Callable[[Tally, Tally, Contest], str]
"""A sentence on why the first of two players ranks above the second."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A criterion that ranks players who are level so far.

    `key` is typed, `name` stands in tables, `explanation` says in a sentence what it does. `measure` is given only the
    players who are still level, so that it may compare them with each other; the greatest value ranks first if
    `most_wins`, otherwise the smallest; None: as on the event's scale. `value_text` shows a value; `reason` gives a
    sentence of its own.
    """

    key: str
    name: str
    explanation: str
    measure: Measure
    most_wins: bool | None = True
    value_text: Callable[[Any], str] = shown
    reason: Reason | None = None

    def greatest_first(self, contest: Contest) -> bool:
        """Return whether the greatest value ranks first."""
        return contest.scale.most_wins if self.most_wins is None else self.most_wins

    def why(self, above: Tally, below: Tally, values: tuple[Any, Any], contest: Contest) -> str:
        """Return why one player ranks above another, from the value of each."""
        if self.reason is not None:
            return self.reason(above, below, contest)
        text = _("level with {above}; {criterion}: {theirs} against {ours}")
        theirs, ours = map(self.value_text, values)
        return text.format(above=above.player.shown, criterion=_(self.name), theirs=theirs, ours=ours)


def each(measure: Callable[[Tally], Any]) -> Measure:
    """Return the measure of a criterion that looks at every player alone."""
    return lambda level, contest: [measure(tally) for tally in level]
