"""Print digests of results that must be equal bit for bit in both builds: `python -m tests.same_bits [PART ...]`.

The results are records of games of all rule sets and bots, hands arranged by the solver, blocks of leagues, the club
evening's standings and ratings, ratings of real and of random results, with absence and without, and seatings that
need a search. Run it on both builds and compare.
"""

import hashlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any, get_args

from engine.build import build
from engine.cards import Faces
from engine.deal import deal
from engine.play import play_game
from engine.records.record import write
from engine.rules import all_rules, load_rules, variants_of
from engine.solver import best, plan
from tourney.domain.leagues import League
from tourney.league.playing import play_block
from tourney.seating.model import Aim, Remainder
from tourney.seating.plan import PlanWish
from tourney.seating.plan import plan as seating_plan
from tourney.service.change import apply
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.players import ImportPlayers
from tourney.service.ratings import ratings
from tourney.service.ratings.pools import ImportResults
from tourney.service.results import standings

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
BOTS = ("greedy", "planner", "random")


def records() -> Iterator[str]:
    """Yield records of games of every rule set and variant, with its fewest and its most players."""
    for name in all_rules():
        for rules_id in (name, *(f"{name}+{variant}" for variant in variants_of(name))):
            rules = load_rules(rules_id)
            for number in (rules.players.least, rules.players.most):
                bots = [BOTS[seat % len(BOTS)] for seat in range(number)]
                yield write(play_game(rules, bots, f"bits {number}", stake=50 if rules.kind == "knock" else 0).record)


def arranged() -> Iterator[str]:
    """Yield the best arrangement and the plan of dealt hands for every contract of every rule set."""
    for name in all_rules():
        rules = load_rules(name)
        if rules.kind == "contract":
            for number, (contract, _dealt) in enumerate(rules.contracts.hands.order, 1):
                for seed in range(4):
                    held = Faces(deal(rules, rules.players.least, f"bits {seed}", number).hands[0])
                    yield f"{name} {contract} {best(rules, contract, held)!r} {plan(rules, contract, held)!r}"


def league() -> Iterator[str]:
    """Yield the blocks of a league of every rule set, as text."""
    for name in all_rules():
        rules = load_rules(name)
        stake = 50 if rules.kind == "knock" else 0
        settings = League(BOTS, name, rules.players.least, "bits", 2, stake=stake, rules_digest=rules.digest)
        yield from (play_block(settings, rules, number).text for number in range(settings.blocks))


def evening() -> Iterator[str]:
    """Yield standings and ratings of the club evening, then ratings of real and of random results."""
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder, "bits.db"))
        apply(db, ImportPlayers(FIXTURES / "club" / "players.csv"))
        apply(db, ImportSheets("Friday", FIXTURES / "club" / "score-sheets.csv", "oficial"))
        yield from (exactly(standings.standings(db, "Friday").rows), exactly(ratings.ratings(db).rows))
        apply(db, ImportResults(FIXTURES / "formula1.csv", "Formula 1"))
        random_results = Path(folder, "made.csv")
        random_results.write_text("\n".join(results_file()), encoding="utf-8")
        apply(db, ImportResults(random_results, "made up"))
        apply(db, ImportResults(FIXTURES / "formula1.csv", "away", parameters="absence=2.5"))
        yield from (exactly(ratings.ratings(db, pool).rows) for pool in ("Formula 1", "made up", "away"))


def results_file() -> Iterator[str]:
    """Yield the lines of a random results file: games of 2 to 64 of 100 players, one place in five a tie."""
    random = Random("bits")
    yield "seq,player,rank"
    for game in range(400):
        rank = 0
        for place, player in enumerate(random.sample(range(100), random.choice((2, 3, 4, 4, 4, 8, 64))), 1):
            rank = rank if rank and random.random() < 0.2 else place
            yield f"{game},player {player},{rank}"


def exactly(value: Any) -> str:
    """Return a value with all its fields and items as text, floats to the last bit, functions by their name."""
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, FunctionType):
        return value.__qualname__
    if is_dataclass(value):
        return f"{type(value).__name__}({', '.join(exactly(getattr(value, field.name)) for field in fields(value))})"
    return f"({', '.join(map(exactly, value))})" if isinstance(value, (tuple, list)) else repr(value)


def seatings() -> Iterator[str]:
    """Yield plans that no construction gives, with short tables or with byes, and one that needs a long search."""
    cases = product(((7, 3, 3), (10, 4, 3)), get_args(Remainder), get_args(Aim))
    for (number, size, rounds), short, aim in cases:
        yield f"{seating_plan(number, size, rounds, 1, PlanWish(remainder=short, aim=aim))!r}"
    yield f"{seating_plan(18, 4, 6, 1)!r}"


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "records": records,
    "arranged": arranged,
    "league": league,
    "evening": evening,
    "seatings": seatings,
}


def digests(*names: str) -> str:
    """Return a line for each of the named parts, or of all: its name and its digest."""
    lines = []
    for name in names or PARTS:
        digest = hashlib.sha256()
        for text in PARTS[name]():
            digest.update(text.encode())
        lines.append(f"{name} {digest.hexdigest()}\n")
    return "".join(lines)


if __name__ == "__main__":
    sys.stderr.write(f"{build()}\n")
    sys.stdout.write(digests(*sys.argv[1:]))
