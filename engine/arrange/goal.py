"""What is asked of a hand: a contract under one rule set, worked out once for all hands."""

from functools import cache
from typing import Final, final

from mypy_extensions import i64

from engine.arrange.runs import RunTable, run_table
from engine.arrange.trios import Trios, one_of_a_kind
from engine.errors import RulesError
from engine.melds import RUN, TRIO
from engine.rules import Rules


@final
class Goal:
    """The melds wanted, the shapes of these rules and what cards count, with so many packs and jokers in play.

    `room` is how many jokers could ever lie in melds of the least size, `wilds` how many there are, red twos among
    them; a run has at least `run_naturals` and at most `run_most` cards (39: it laps as often as cards can).
    `worth` has for each suit the sum of what any set of its ranks counts.
    """

    __slots__ = (
        "alone",
        "distinct",
        "in_one_suit",
        "joker",
        "jokers_apart",
        "least",
        "most",
        "points",
        "room",
        "rules",
        "run_most",
        "run_naturals",
        "runs",
        "table",
        "trios",
        "turns",
        "wilds",
        "worth",
    )

    def __init__(self, rules: Rules, contract: str, packs: int, jokers: int) -> None:
        if not 1 <= len(contract) <= 5 or contract.count(TRIO) + contract.count(RUN) != len(contract):
            raise RulesError(f"'{contract}' is no contract; write one to five letters T and E, as in TTE")
        run, trios = rules.run, contract.count(TRIO)
        lending = trios > 0 and rules.trio.naturals > 0
        self.rules = rules
        self.wilds = jokers if rules.pack.wild_twos == "none" else jokers + 2 * packs
        self.table: RunTable = run_table(
            run.least, run.naturals, run.ace, run.jokers_adjacent, packs, trios > 0, lending
        )
        self.runs: i64 = len(contract) - trios
        self.trios: Trios | None = Trios(rules, trios, packs, self.wilds) if trios else None
        self.distinct = one_of_a_kind(rules)
        self.in_one_suit: i64 = min(self.runs, 1) if self.distinct else self.runs
        self.alone: i64 = 0 if trios else self.runs
        self.room: i64 = (len(contract) - trios) * max(self.table.shape.room) + trios * rules.trio.least
        self.most = 5 * max(rules.trio.least, run.least)
        self.least: i64 = run.least
        self.run_most: i64 = 39 if run.most is None else run.most
        self.run_naturals: i64 = max(1, run.naturals)
        self.turns = run.ace == "round"
        self.jokers_apart = run.jokers_adjacent == "forbidden"
        self.joker: i64 = rules.values.joker
        self.points = list(rules.values.ranks)
        self.worth = [_worth_of(suit_points(rules, suit)) for suit in range(4)]


_GOALS: Final[dict[tuple[str, str, int, int], Goal]] = {}


def goal_for(rules: Rules, contract: str, packs: int, jokers: int) -> Goal:
    """The contract under these rules; RulesError for a text that is no contract."""
    key = (rules.digest, contract, packs, jokers)
    found = _GOALS.get(key)
    if found is None or found.rules is not rules:
        found = _GOALS[key] = Goal(rules, contract, packs, jokers)
    return found


def suit_points(rules: Rules, suit: int) -> tuple[int, ...]:
    """What the ranks of a suit count: a red two may count more as a wild card."""
    if rules.pack.wild_twos == "none":
        return rules.values.ranks
    return tuple([rules.points(13 * suit + rank) for rank in range(13)])


@cache
def _worth_of(points: tuple[int, ...]) -> list[int]:
    """For each set of ranks, the sum of what its ranks count."""
    sums = [0]
    for value in points:
        sums += [value + other for other in sums]
    return sums
