"""Substitutes in standings: who a result counts for, when somebody plays for an entrant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tourney.domain.people import Player
from tourney.domain.results import Result
from tourney.domain.rounds import COUNTS_FOR, Substitution
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class Counted:
    """Results as they count: with the players they count for, and the seats, by round and player, that do not count."""

    results: tuple[Result, ...]
    uncounted: frozenset[tuple[int, int]] = frozenset()


def counted(results: Sequence[Result], substitutions: Sequence[Substitution], setting: str) -> Counted:
    """Return the results as they count for the event's setting."""
    counts_for = COUNTS_FOR[setting]
    who = {(each.round, each.absent.id): counts_for(each) for each in substitutions}
    if not who:
        return Counted(tuple(results))
    uncounted = frozenset(spot for spot, player in who.items() if player is None)
    moved = {spot: player for spot, player in who.items() if player is not None}
    return Counted(tuple(_moved(result, moved) for result in results), uncounted)


def _moved(result: Result, who: dict[tuple[int, int], Player]) -> Result:
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
