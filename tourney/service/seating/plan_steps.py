"""The steps of a rotation's plan: each plans the coming rounds anew, as near as possible to the plan before it.

A step takes seconds. So the journal keeps each with the entry that made it necessary, under a digest of all that it
follows from, and a step is planned only once. `round verify` plans them again and compares.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tourney.domain.events import Event, Short
from tourney.domain.people import Player
from tourney.domain.rounds import KeptPlan
from tourney.rulebook import rulesets
from tourney.seating.constraints import Constraints
from tourney.seating.model import PlannedAround, limit_tables, table_sizes
from tourney.seating.plan import PlanWish, plan
from tourney.service.seating.constraint_text import constraints_of

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupRound:
    """A round of a group of players who are seated together, by their ids: tables in seat order, and byes.

    Players outside the group may sit at these tables: they have left, or were present for one round.
    """

    tables: tuple[Ids, ...]
    out: Ids

    @property
    def groups(self) -> frozenset[frozenset[int]]:
        """The players of each table, whatever its number and their seats."""
        return frozenset(map(frozenset, self.tables))

    @property
    def meetings(self) -> frozenset[Ids]:
        """The pairs of players who meet: two ids each, the lower first."""
        return frozenset(pair for table in self.tables for pair in combinations(sorted(table), 2))


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """The data that a plan follows from besides the players: settings, limits of the rules, and constraints by ids.

    `tables` is the number of tables available; None: as many as necessary.
    """

    rounds: int
    size: int
    short: Short
    tables: int | None
    seed: str
    least: int
    most: int
    constraints: Constraints

    @classmethod
    def of(cls, event: Event, players: Sequence[Player]) -> PlanTerms:
        settings = event.settings
        least, most = rulesets.table_limits(event.rules)
        is_limited = event.has_tables_of_stage or any(player.kind == "person" for player in players)
        tables = settings.tables if is_limited else None
        return cls(
            settings.rounds, settings.size, settings.short, tables, settings.seed, least, most, constraints_of(event)
        )

    def sizes(self, players: int, taken: int = 0) -> Ids:
        """Return the sizes of the tables for that many players, if `taken` other tables are in use."""
        sizes = table_sizes(players, self.size, self.least, self.short)
        return sizes if self.tables is None else limit_tables(sizes, max(0, self.tables - taken), self.most, self.short)


class _Step(NamedTuple):
    """The data of a step in the planner's numbers: present players first, in the order of entry.

    Equal steps of other players, as after a merger of two registrations, have equal numbers.
    """

    terms: PlanTerms
    players: int
    sizes: Ids
    played: Sequence[Sequence[Ids]]
    sat_out: Sequence[Ids]
    ahead: Sequence[Sequence[Ids]]
    around: PlannedAround
    constraints: Constraints

    @classmethod
    def of(
        cls,
        terms: PlanTerms,
        present: Ids,
        done: tuple[GroupRound, ...],
        ahead: tuple[GroupRound, ...],
        around: PlannedAround,
    ) -> _Step:
        number_of = {player: number for number, player in enumerate(present)}
        constraints = terms.constraints.renumbered(number_of)

        def numbers(players: Ids) -> Ids:
            return tuple(number_of.setdefault(player, len(number_of)) for player in players)

        return cls(
            terms,
            len(present),
            terms.sizes(len(present)),
            [list(map(numbers, round_.tables)) for round_ in done],
            [numbers(round_.out) for round_ in done],
            [list(map(numbers, round_.tables)) for round_ in ahead],
            around,
            constraints,
        )

    def key(self) -> str:
        """Return the digest under which the journal keeps the step."""
        terms = self.terms
        settings = (terms.rounds, terms.size, terms.short, terms.seed, terms.least)
        # Kinds of constraints that a later version adds change no key of a plan without them.
        named = {field.name: getattr(self.constraints, field.name) for field in fields(self.constraints)}
        constraints = {name: value for name, value in named.items() if value}
        rounds = (self.played, self.sat_out, self.ahead, self.around)
        line = json.dumps((settings, self.players, self.sizes, rounds, constraints), sort_keys=True, default=sorted)
        return hashlib.sha256(line.encode()).hexdigest()[:KEY_LENGTH]


KEY_LENGTH = 32


class PlanSteps:
    """The steps of an event's plan that the journal keeps, by their keys, and the `new` ones planned since.

    With `prove`, the kept ones are planned again: `differs` says whether any of them is another plan.
    """

    def __init__(self, kept: Mapping[str, KeptPlan], *, prove: bool = False) -> None:
        self.new: dict[str, KeptPlan] = {}
        self.differs = False
        self._kept = dict(kept)
        self._prove = prove

    @property
    def any_kept(self) -> bool:
        """Return whether the journal keeps any step."""
        return bool(self._kept)

    def has(self, terms: PlanTerms, present: Ids, done: tuple[GroupRound, ...], ahead: tuple[GroupRound, ...]) -> bool:
        """Return whether the step has been planned before; a step for too few players never is."""
        if len(present) < terms.least:
            return False
        key = _Step.of(terms, present, done, ahead, "the rounds played").key()
        return key in self._kept or key in self.new

    def planned(
        self,
        terms: PlanTerms,
        present: Ids,
        done: tuple[GroupRound, ...],
        ahead: tuple[GroupRound, ...],
        around: PlannedAround = "the rounds played",
    ) -> tuple[GroupRound, ...]:
        """Return the rounds after `done` for the present players, as near as possible to the rounds planned `ahead`.

        `around` says whether those were planned around the rounds done. Returns no rounds if players are too few.
        """
        if len(present) < terms.least or len(done) >= terms.rounds:
            return ()
        key = _Step.of(terms, present, done, ahead, around).key()
        kept = self._kept.get(key, self.new.get(key))
        rounds = None if kept is None else _rounds_of(kept, present, len(done))
        if rounds is not None and not self._prove:
            return rounds
        fresh = _planned(terms, present, done, ahead, around)
        if kept is None:
            self.new[key] = _kept_plan(fresh, len(done))
        else:
            self.differs |= rounds != fresh
        return fresh


def _kept_plan(rounds: Sequence[GroupRound], done: int) -> KeptPlan:
    """Return planned rounds by their numbers, as the journal keeps them."""
    return {number: (round_.tables, round_.out) for number, round_ in enumerate(rounds, done + 1)}


def _rounds_of(kept: KeptPlan, present: Ids, done: int) -> tuple[GroupRound, ...] | None:
    """Return the rounds of a kept plan; None unless it seats exactly the present players in each next round."""
    rounds = tuple(GroupRound(*kept[number]) for number in sorted(kept))
    seated = [sorted([*round_.out, *(player for table in round_.tables for player in table)]) for round_ in rounds]
    numbers = list(range(done + 1, done + 1 + len(kept)))
    return rounds if sorted(kept) == numbers and all(players == sorted(present) for players in seated) else None


@lru_cache(maxsize=64)
def _planned(
    terms: PlanTerms,
    present: Ids,
    done: tuple[GroupRound, ...],
    ahead: tuple[GroupRound, ...],
    around: PlannedAround,
) -> tuple[GroupRound, ...]:
    step = _Step.of(terms, present, done, ahead, around)
    seating = plan(
        step.players,
        terms.size,
        terms.rounds,
        terms.seed,
        PlanWish(
            least=terms.least,
            remainder=terms.short,
            sizes=step.sizes,
            played=step.played,
            sat_out=step.sat_out,
            ahead=step.ahead,
            around=around,
            # The fewest repeats may keep two players together all evening.
            aim="no third meeting",
            constraints=step.constraints,
        ),
    )
    rounds = zip(seating.rounds, seating.sitting_out, strict=True)
    return tuple(
        GroupRound(tuple(tuple(present[at] for at in table) for table in tables), tuple(present[at] for at in out))
        for tables, out in list(rounds)[len(done) :]
    )
