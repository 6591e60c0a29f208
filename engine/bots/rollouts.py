"""Rollouts: candidate actions tried on the same deals, and whether one costs more than another beyond chance."""

from typing import Final, final

from engine.actions import Action


@final
class Candidate:
    """An action, and what it cost in each of the deals on which it was tried."""

    __slots__ = ("action", "costs", "total")

    def __init__(self, action: Action) -> None:
        self.action: Final = action
        self.costs: list[int] = []
        self.total = 0

    def add(self, cost: int) -> None:
        """Add the cost in one more deal."""
        self.costs.append(cost)
        self.total += cost

    def costs_more(self, other: "Candidate", errors: int) -> bool:
        """Return whether the action cost more than the other by over `errors` tenths of a standard error.

        The arithmetic is in whole numbers: every build and every machine must agree.
        """
        deals, excess, squares = len(self.costs), self.total - other.total, 0
        if excess <= 0:
            return False
        for mine, theirs in zip(self.costs, other.costs, strict=True):
            squares += (mine - theirs) * (mine - theirs)
        return 100 * excess * excess * (deals - 1) > errors * errors * (deals * squares - excess * excess)


def cheapest(candidates: list[Candidate]) -> Candidate:
    """Return the candidate that cost least, the first of equals."""
    found = candidates[0]
    for candidate in candidates:
        if candidate.total < found.total:
            found = candidate
    return found
