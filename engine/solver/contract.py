"""What is asked of a hand: a contract under one rule set, worked out once for all hands."""

from functools import cache
from typing import Final, final

from mypy_extensions import i64

from engine.cards import BIT, JOKER
from engine.errors import RulesError
from engine.melds import RUN, TRIO
from engine.rules import Contracts, Rules
from engine.solver.runs import RunTable, run_table
from engine.solver.trios import Trios, one_of_a_kind


@final
class Goal:
    """The melds wanted, the shapes of these rules and what cards count, with so many packs and jokers in play.

    Packs and jokers left out are the most that there ever are with that contract (`supply`). `room` is how many
    jokers could ever lie in melds of the least size, `wilds` how many there are, red twos among them; a run has at
    least `run_naturals` and at most `run_most` cards (39: it laps as often as cards can). `worth` has for each suit
    the sum of what any set of its ranks counts.
    """

    __slots__ = (
        "alone",
        "asked",
        "contract",
        "distinct",
        "in_one_suit",
        "joker",
        "jokers",
        "jokers_apart",
        "least",
        "most",
        "packs",
        "room",
        "rules",
        "run_most",
        "run_naturals",
        "runs",
        "table",
        "trios",
        "turns",
        "wild_twos",
        "wilds",
        "worth",
    )

    def __init__(self, rules: Rules, contract: str, packs: int | None, jokers: int | None) -> None:
        self.contract = contract
        self.asked = (packs, jokers)
        if not 1 <= len(contract) <= 5 or contract.count(TRIO) + contract.count(RUN) != len(contract):
            raise RulesError(f"'{contract}' is no contract; write one to five letters T and E, as in TTE")
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
        self.worth = [_worth_of(suit_points(rules, suit)) for suit in range(4)]

    def value(self, face: int) -> int:
        """What a card counts that is left in a hand."""
        return self.joker if face == JOKER else self.worth[face // 13][BIT[face % 13]]


_GOALS: Final[dict[tuple[str, str, int | None, int | None], Goal]] = {}
_LATEST: Final[list[Goal]] = []
"""The goal asked for last: the players of a hand all have the same."""


def goal_for(rules: Rules, contract: str, packs: int | None, jokers: int | None) -> Goal:
    """The contract under these rules; RulesError for a text that is no contract."""
    if _LATEST:
        latest = _LATEST[0]
        if latest.rules is rules and latest.contract == contract and latest.asked == (packs, jokers):
            return latest
    key = (rules.digest, contract, packs, jokers)
    found = _GOALS.get(key)
    if found is None or found.rules is not rules:
        found = _GOALS[key] = Goal(rules, contract, packs, jokers)
    _LATEST[:] = [found]
    return found


def forget() -> None:
    """Drops all that is known of contracts and of hands: the next questions are answered as if they were the first."""
    _GOALS.clear()
    _LATEST.clear()
    run_table.cache_clear()


def supply(rules: Rules, contract: str) -> tuple[int, int]:
    """The most packs and the most jokers that are ever in play with that contract, at a table of any size.

    For a contract that no hand has, those of any hand.
    """
    hands = [1]
    if isinstance(rules.play, Contracts):
        wanted = (contract.count(TRIO), contract.count(RUN))
        names = [name for name, _ in rules.play.hands.order]
        hands = [number for number, name in enumerate(names, 1) if (name.count(TRIO), name.count(RUN)) == wanted]
        hands = hands or list(range(1, len(names) + 1))
    tables = [(players, hand) for players in range(rules.players.least, rules.players.most + 1) for hand in hands]
    return max(rules.packs(*table) for table in tables), max(rules.jokers(*table) for table in tables)


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
