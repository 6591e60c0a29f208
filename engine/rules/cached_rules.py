"""The rules fields that contract actions need, cached in a compiled class.

An action reads rules some forty times, and a compiled class is faster to read than `Rules`, which is plain Python.
"""

from typing import Final, final

from mypy_extensions import mypyc_attr

from engine.rules.values import Rules


@final
@mypyc_attr(acyclic=True)
class CachedRules:
    """Fields of `Rules`, each named by its group and its own name: `claim_limit` is `claim.limit`."""

    __slots__ = (
        "claim_limit",
        "claim_own_discard",
        "claim_penalty",
        "claim_when_down",
        "claim_who",
        "closing_all_placed",
        "closing_held",
        "closing_last_discard",
        "closing_only_same_turn",
        "discarding_jokers",
        "discarding_taken",
        "jokers_freed",
        "jokers_freed_stays_with_owner",
        "jokers_move",
        "jokers_swap",
        "laying_distinct",
        "laying_first_turn",
        "laying_lay_off",
        "laying_taking_back",
        "run_least",
    )

    def __init__(self, rules: Rules) -> None:
        play = rules.contracts
        self.claim_who: Final[str] = play.claim.who
        self.claim_own_discard: Final[str] = play.claim.own_discard
        self.claim_when_down: Final[str] = play.claim.when_down
        self.claim_limit: Final[int | None] = play.claim.limit
        self.claim_penalty: Final[str] = play.claim.penalty
        self.discarding_taken: Final[str] = play.discarding.taken
        self.discarding_jokers: Final[str] = play.discarding.jokers
        self.laying_first_turn: Final[str] = play.laying.first_turn
        self.laying_distinct: Final[str] = play.laying.distinct
        self.laying_taking_back: Final[str] = play.laying.taking_back
        self.laying_lay_off: Final[str] = play.laying.lay_off
        self.jokers_swap: Final[str] = play.jokers.swap
        self.jokers_freed: Final[str] = play.jokers.freed
        self.jokers_freed_stays_with_owner: Final[bool] = play.jokers.freed_stays_with_owner
        self.jokers_move: Final[str] = play.jokers.move
        self.closing_held: Final[int | None] = play.closing.held
        self.closing_last_discard: Final[str] = play.closing.last_discard
        self.closing_all_placed: Final[str] = play.closing.all_placed
        self.closing_only_same_turn: Final[str] = play.closing.only_same_turn
        self.run_least: Final[int] = rules.run.least


_CACHE: Final[dict[str, CachedRules]] = {}


def cached_rules(rules: Rules) -> CachedRules:
    """Return the cached rules of a contract rule set, read on the first call."""
    if rules.digest not in _CACHE:
        _CACHE[rules.digest] = CachedRules(rules)
    return _CACHE[rules.digest]
