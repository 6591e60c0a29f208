"""How few repeat meetings any plan must have, whoever makes it, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.seating.values import Aim


@dataclass(frozen=True, slots=True)
class Bound:
    """No plan has fewer repeats than this, and why; `why` is one English sentence without a full stop."""

    repeats: int
    why: str


def lower_bound(players: int, sizes: Sequence[int], rounds: int, aim: Aim = "fewest repeats") -> Bound:
    """The most repeats that are proved to be unavoidable with so many rounds of tables of these sizes.

    With the aim "no third meeting" it holds for plans in which nobody meets three times; for a plan in which
    somebody does, ask with the other aim.
    """
    seats = rounds * sum(size * (size - 1) // 2 for size in sizes)
    pairs = players * (players - 1) // 2
    if seats <= pairs:
        return Bound(0, "there are pairs enough for every meeting")
    return Bound(seats - pairs, f"{seats} meetings among {pairs} pairs")
