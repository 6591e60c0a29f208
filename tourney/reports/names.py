"""Names of several players in one line."""

from collections.abc import Iterable

from tourney.domain.people import Player


def names_of(players: Iterable[Player]) -> str:
    """Return the names of players as a list in one line."""
    return ", ".join(player.shown for player in players)
