"""Names of several players in one line, and of those who sit at a table."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tourney.domain.people import Player
from tourney.domain.rounds import Round, Substitution
from tourney.text.i18n import _

SeatName = Callable[[int, Player], str]
"""The name that people read at a seat, by the round and the player whose seat it is."""


def names_of(players: Iterable[Player]) -> str:
    """Return the names of players as a list in one line."""
    return ", ".join(player.shown for player in players)


def holder(_round: int, player: Player) -> str:
    """Return the name of the player whose seat it is, which programs read."""
    return player.shown


def seat_names(substitutions: Sequence[Substitution]) -> SeatName:
    """Return the function that names who plays on a seat: `Ana`, or `Eva for Ana`."""
    playing = {(each.round, each.absent.id): each.substitute for each in substitutions}

    def name(number: int, player: Player) -> str:
        substitute = playing.get((number, player.id))
        if substitute is None:
            return player.shown
        return _("{substitute} for {absent}").format(substitute=substitute.shown, absent=player.shown)

    return name


def substitutes_data(rounds: Sequence[Round], substitutions: Sequence[Substitution]) -> dict[str, Any]:
    """Return the substitutes of these rounds as JSON data; nothing if there is none."""
    numbers = {each.number for each in rounds}
    found = [
        {"round": each.round, "absent": each.absent.shown, "substitute": each.substitute.shown}
        for each in substitutions
        if each.round in numbers
    ]
    return {"substitutes": found} if found else {}
