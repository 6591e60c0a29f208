"""Results of tables in one line: who sat there, with which points, and who closed the hands."""

from collections.abc import Sequence
from itertools import count

from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, Result
from tourney.domain.rounds import Table


class Evening:
    """People by name, and results of tables written as `Ana 20, Beñat 35`."""

    def __init__(self, *names: str) -> None:
        """Take the names of the entrants in their order."""
        self.people = {name: Player(number, name) for number, name in enumerate(names, 1)}
        self.results: list[Result] = []
        self._tables = count(1)

    @property
    def entrants(self) -> tuple[Player, ...]:
        """Return everybody in the order of entry."""
        return tuple(self.people.values())

    def table(self, round_number: int, line: str, closers: Sequence[str] = (), number: int | None = None) -> Result:
        """Add the result of a table: `Ana 20, Beñat 35`; `closers` won its hands, in their order."""
        seats = [part.strip().rsplit(" ", 1) for part in line.split(",")]
        for name, _points in seats:
            self.people.setdefault(name, Player(len(self.people) + 1, name))
        players, points = tuple(self.people[name] for name, _points in seats), tuple(int(each) for _, each in seats)
        places = tuple(1 + sum(other < mine for other in points) for mine in points)
        closing = [[name for name, _points in seats].index(closer) for closer in closers]
        hands = tuple(HandScore(f"H{hand}", (0,) * len(seats), seat, False) for hand, seat in enumerate(closing, 1))
        won = tuple(closing.count(seat) for seat in range(len(seats)))
        at = next(self._tables) if number is None else number
        result = Result("Friday", Table(round_number, at, players), Outcome(hands, points, won, places))
        self.results.append(result)
        return result
