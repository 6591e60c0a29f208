"""Acts tried on the same deals, and whether one of them has lost more than another beyond chance."""

from typing import Final, final

from engine.actions import Action


@final
class Trial:
    """An act, and what it cost in each of the deals that it was tried on."""

    __slots__ = ("act", "costs", "total")

    def __init__(self, act: Action) -> None:
        self.act: Final = act
        self.costs: list[int] = []
        self.total = 0

    def add(self, cost: int) -> None:
        """One deal more."""
        self.costs.append(cost)
        self.total += cost

    def surely_dearer(self, other: "Trial", errors: int) -> bool:
        """Whether the act cost more than the other on the same deals, by more than so many tenths of standard errors.

        Whole numbers only: every build and every machine must say the same.
        """
        deals, excess, squares = len(self.costs), self.total - other.total, 0
        if excess <= 0:
            return False
        for mine, his in zip(self.costs, other.costs, strict=True):
            squares += (mine - his) * (mine - his)
        return 100 * excess * excess * (deals - 1) > errors * errors * (deals * squares - excess * excess)


def cheapest(trials: list[Trial]) -> Trial:
    """The act that cost least; of several the first."""
    found = trials[0]
    for trial in trials:
        if trial.total < found.total:
            found = trial
    return found
