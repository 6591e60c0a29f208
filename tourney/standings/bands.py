"""Bands: what ranks players before their points, such as lives left in a knock-out."""

from typing import Final, NamedTuple


class Band(NamedTuple):
    """A band of the standings: a smaller order ranks first; `why` says why a player is in it."""

    order: tuple[int, ...] = ()
    why: str = ""


NO_BAND: Final = Band()
