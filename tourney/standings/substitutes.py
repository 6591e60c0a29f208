"""Substitutes in standings: who a result counts for, when somebody plays for an entrant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tourney.domain.people import Player
from tourney.domain.results import Result
from tourney.domain.rounds import COUNTS_FOR, Substitution, Table
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class CountedResults:
    """Results as they count: with the players they count for.

    `seats` has by round and number of the seat's holder for whom a substitute's result counts; None for nobody.
    """

    results: tuple[Result, ...]
    seats: Mapping[tuple[int, int], Player | None] = field(default_factory=dict)

    @property
    def uncounted(self) -> frozenset[tuple[int, int]]:
        """Return the round and the number of the holder of each seat that counts for nobody."""
        return frozenset(spot for spot, player in self.seats.items() if player is None)

    def players(self, table: Table) -> tuple[Player | None, ...]:
        """Return for each seat of a table the player for whom its result counts."""
        return tuple(self.seats.get((table.round, player.id), player) for player in table.players)


def counted(results: Sequence[Result], substitutions: Sequence[Substitution], setting: str) -> CountedResults:
    """Return the results as they count for the event's setting."""
    counts_for = COUNTS_FOR[setting]
    who = {(each.round, each.absent.id): counts_for(each) for each in substitutions}
    moved = {spot: player for spot, player in who.items() if player is not None}
    return CountedResults(tuple(_moved(result, moved) for result in results) if moved else tuple(results), who)


def _moved(result: Result, who: Mapping[tuple[int, int], Player]) -> Result:
    """Return the result with the players for whom it counts."""
    table = result.table
    players = tuple(who.get((table.round, player.id), player) for player in table.players)
    return result if players == table.players else replace(result, table=replace(table, players=players))


def note(each: Substitution, setting: str) -> str:
    """Return a sentence on who played for whom, and for whom that counts."""
    player = COUNTS_FOR[setting](each)
    if player is None:
        text = _("{substitute} played for {absent} in round {round}: that seat counts for nobody.")
    else:
        text = _("{substitute} played for {absent} in round {round}: that seat counts for {player}.")
    values = {"substitute": each.substitute.shown, "absent": each.absent.shown}
    return text.format(round=each.round, player="" if player is None else player.shown, **values)
