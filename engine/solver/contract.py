"""A contract under one rule set, prepared once for the searches of all hands."""

from functools import cache
from typing import Final, final

from mypy_extensions import i64

from engine.cards import BIT, JOKER
from engine.errors import RulesError
from engine.melds import RUN, TRIO
from engine.rules import Contracts, Rules
from engine.solver.runs import RunTable, run_table
from engine.solver.trios import Trios, melds_are_distinct


@final
class Goal:
    """The melds of a contract, their shapes, the points of cards, and the packs and jokers in play.

    Packs or jokers given as None are the most ever in play with that contract (`supply`). Further attributes:

    - `runs`, `trios`: the melds of the contract; `only_runs`: the number of runs if there are no trios, else 0;
      `runs_in_suit`: how many runs may be of one suit.
    - `wilds`: jokers in play, red twos among them; `joker_room`: the most jokers that minimal melds can hold;
      `most_distance`: a distance that no hand exceeds.
    - `run_least`, `run_most`: how many cards a run has (39 at most, three times round its suit); `run_naturals`: how
      many of them must be naturals; `round_corner`: whether a run may pass the ace; `jokers_apart`: whether two
      jokers of a run may not stand side by side.
    - `points_of`: for each suit the sum of points of any set of its ranks; `joker`: the points of a joker.
    """

    __slots__ = (
        "contract",
        "distinct",
        "joker",
        "joker_room",
        "jokers",
        "jokers_apart",
        "most_distance",
        "only_runs",
        "packs",
        "points_of",
        "requested",
        "round_corner",
        "rules",
        "run_least",
        "run_most",
        "run_naturals",
        "runs",
        "runs_in_suit",
        "table",
        "trios",
        "wild_twos",
        "wilds",
    )

    def __init__(self, rules: Rules, contract: str, packs: int | None, jokers: int | None) -> None:
        self.contract = contract
        self.requested = (packs, jokers)
        if not 1 <= len(contract) <= 5 or contract.count(TRIO) + contract.count(RUN) != len(contract):
            raise RulesError(
                "'{contract}' is not a contract; write one to five letters T and E, as in TTE", contract=contract
            )
        if packs is None or jokers is None:
            most_packs, most_jokers = supply(rules, contract)
            packs = most_packs if packs is None else packs
            jokers = most_jokers if jokers is None else jokers
        run, trios = rules.run, contract.count(TRIO)
        lending = trios > 0 and rules.trio.naturals > 0
        self.rules = rules
        self.packs = packs
        self.jokers = jokers
        self.wild_twos = rules.pack.wild_twos != "none"
        self.wilds = jokers + 2 * packs if self.wild_twos else jokers
        self.table: RunTable = run_table(run.least, run.naturals, run.ace, run.jokers_adjacent, trios > 0, lending)
        self.runs: i64 = len(contract) - trios
        self.trios: Trios | None = Trios(rules, trios, packs, self.wilds) if trios else None
        self.distinct = melds_are_distinct(rules)
        self.runs_in_suit: i64 = min(self.runs, 1) if self.distinct else self.runs
        self.only_runs: i64 = 0 if trios else self.runs
        self.joker_room: i64 = (len(contract) - trios) * max(self.table.minimal.joker_room) + trios * rules.trio.least
        self.most_distance = 5 * max(rules.trio.least, run.least)
        self.run_least: i64 = run.least
        self.run_most: i64 = 39 if run.most is None else run.most
        self.run_naturals: i64 = max(1, run.naturals)
        self.round_corner = run.ace == "round"
        self.jokers_apart = run.jokers_adjacent == "forbidden"
        self.joker: i64 = rules.values.joker
        self.points_of = [_points_of_sets(suit_points(rules, suit)) for suit in range(4)]

    def value(self, face: int) -> int:
        """Return the points of a card that is left in a hand."""
        return self.joker if face == JOKER else self.points_of[face // 13][BIT[face % 13]]


_GOALS: Final[dict[tuple[str, str, int | None, int | None], Goal]] = {}
_LATEST: Final[list[Goal]] = []
"""The goal used last, which is that of all players of a hand."""


def goal_for(rules: Rules, contract: str, packs: int | None, jokers: int | None) -> Goal:
    """Return the contract's goal under these rules; RulesError for a text that is not a contract."""
    if _LATEST:
        latest = _LATEST[0]
        if latest.rules is rules and latest.contract == contract and latest.requested == (packs, jokers):
            return latest
    key = (rules.digest, contract, packs, jokers)
    goal = _GOALS.get(key)
    if goal is None or goal.rules is not rules:
        goal = _GOALS[key] = Goal(rules, contract, packs, jokers)
    _LATEST[:] = [goal]
    return goal


def forget() -> None:
    """Clear the caches of contracts and hands."""
    _GOALS.clear()
    _LATEST.clear()
    run_table.cache_clear()


def supply(rules: Rules, contract: str) -> tuple[int, int]:
    """Return the most packs and the most jokers ever in play with a contract, at a table of any size.

    For a contract that no hand has, return the most in play in any hand.
    """
    hands = [1]
    if isinstance(rules.play, Contracts):
        melds = (contract.count(TRIO), contract.count(RUN))
        names = [name for name, _ in rules.play.hands.order]
        hands = [number for number, name in enumerate(names, 1) if (name.count(TRIO), name.count(RUN)) == melds]
        hands = hands or list(range(1, len(names) + 1))
    tables = [(players, hand) for players in range(rules.players.least, rules.players.most + 1) for hand in hands]
    return max(rules.packs(*table) for table in tables), max(rules.jokers(*table) for table in tables)


def suit_points(rules: Rules, suit: int) -> tuple[int, ...]:
    """Return the points of the thirteen ranks of a suit: a wild red two has points of its own."""
    if rules.pack.wild_twos == "none":
        return rules.values.ranks
    return tuple([rules.points(13 * suit + rank) for rank in range(13)])


@cache
def _points_of_sets(points: tuple[int, ...]) -> list[int]:
    """Return the sum of points of each set of ranks, by the set."""
    sums = [0]
    for value in points:
        sums += [value + other for other in sums]
    return sums
