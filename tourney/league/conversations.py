"""The conversations of a block with its programs, from playing it again."""

from dataclasses import dataclass, field, replace

from engine.rules import Rules
from tourney.bots.entrant import Entrant, NewSeat, Sit
from tourney.bots.roster import entrants_of
from tourney.bots.seated import SeatedBot
from tourney.domain.leagues import League, PlayedBlock, SeatLog
from tourney.league.playing import block_games, play_block


@dataclass(slots=True)
class _Logged:
    """An entrant of which every seat keeps a log; `seats` has all of them in the order in which they were taken."""

    entrant: Entrant
    seats: list[list[str]] = field(default_factory=list)

    def check(self, rules: Rules, seats: int) -> None:
        """Raise what the entrant raises."""
        self.entrant.check(rules, seats)

    def block(self) -> Sit:
        """Return what seats the entrant in a block."""
        sit = self.entrant.block()

        def seated(seating: NewSeat) -> SeatedBot:
            self.seats.append([])
            return sit(replace(seating, log=self.seats[-1]))

        return seated


def play_logged(league: League, rules: Rules, number: int, game: int) -> tuple[PlayedBlock, tuple[SeatLog, ...]]:
    """Return the block played again, and the logs of the programs in one of its games (from 0), by seat."""
    logged = {name: _Logged(entrant) for name, entrant in entrants_of(league.outside, league.isolation).items()}
    played = play_block(replace(league, records="none"), rules, number, entrants=logged)
    logs: list[SeatLog] = []
    taken = dict.fromkeys(logged, 0)
    for place, planned in enumerate(block_games(league, number)):
        for seat, entrant in enumerate(planned.seating):
            bot = league.bots[entrant]
            if bot in logged:
                lines = logged[bot].seats[taken[bot]]
                taken[bot] += 1
                if place == game and lines:
                    logs.append(SeatLog(seat + 1, league.entrants[entrant], tuple(lines)))
    return played, tuple(logs)
