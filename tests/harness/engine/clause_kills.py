"""Find for every clause a mutant that its tests kill, and write them to `clauses/kills.toml`.

Run it when rules, clauses or their tests have changed: `python -m tests.harness.engine.clause_kills`. A clause that
is in the file already is tried with its old mutant first, so that a second run is short.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from tests.harness.engine import clause_affinity, mutants

CLAUSES = Path(__file__).resolve().parents[2] / "engine" / "clauses"
KILLS = CLAUSES / "kills.toml"
PATIENCE = 120
TRIES = 30
"""The number of mutants near a clause that are tried for it."""
MOST = 6
"""The most clauses that may share a mutant: a mutant that many clauses notice says little about each."""
MODULES = (
    "melds",
    "contract.turn",
    "contract.laying",
    "contract.jokers",
    "contract.closing",
    "deal",
    "scoring",
    "state",
    "hand",
    "view",
    "games.contract_game",
    "sheets.contract_sheet",
    "sheets.declared",
    "actions",
    "records.record",
    "knock.turn",
    "knock.endings",
    "games.knock_game",
    "sheets.knock_sheet",
    "knock.pot",
    "solver.deadwood",
    "cards",
    "rules.reading",
)


def bearers(clauses: Iterable[str] = ()) -> list[Path]:
    """Return the files whose tests bear clauses: of the documents of these clauses, or of all."""
    files = sorted(CLAUSES.parent.rglob("test_*.py"))
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    marks = tuple({f'"{clause[:3]}/' for clause in clauses}) or ('"00',)
    return [file for file, text in texts.items() if "clause(" in text and any(mark in text for mark in marks)]


def listed() -> list[str]:
    """Return every clause of the five lists that tests bear."""
    found: list[str] = []
    for file in sorted(CLAUSES.glob("document-*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        found += [*table["clauses"], *table.get("silent", {})]
    return found


def known() -> dict[str, str]:
    """Return the mutant of each clause as the file has it."""
    return tomllib.loads(KILLS.read_text(encoding="utf-8"))["kills"] if KILLS.exists() else {}


def own(clause: str, mutant: str) -> bool:
    """Return whether the mutant breaks a rule that names the clause's section or decision."""
    if mutant.startswith("tourney.rulebook.irregularities "):
        return "/1.12/" in clause
    return any(clause_affinity.clauses()[clause].affinity(where) >= clause_affinity.NEAR for where in _places()[mutant])


def noticed(mutant: str, clauses: Collection[str]) -> set[str]:
    """Return the clauses whose tests fail with that mutant; none if the tests do not even start or finish."""
    with tempfile.TemporaryDirectory() as folder:
        wanted, found = Path(folder, "wanted"), Path(folder, "found")
        wanted.write_text("\n".join(clauses), encoding="utf-8")
        # The sources are changed, so the run is on them, whatever build the surrounding tests are for.
        kept = {name: value for name, value in os.environ.items() if name != "EXPECTED_BUILD"}
        env = {**kept, "MUTANT": mutant, "MUTANT_CLAUSES": str(wanted), "MUTANT_NOTICED": str(found)}
        words = [sys.executable, "-m", "pytest", "-q", "-p", "tests.harness.engine.mutation_plugin"]
        words += ["-p", "no:cacheprovider", *map(str, bearers(clauses))]
        try:
            done = subprocess.run(
                words, env=env, capture_output=True, timeout=PATIENCE, cwd=CLAUSES.parents[2], check=False
            )
        except subprocess.TimeoutExpired:
            return set()
        if done.returncode != 1 or not found.exists():
            return set()
        return set(found.read_text(encoding="utf-8").split()) & set(clauses)


def search(kills: dict[str, str], before: Mapping[str, str]) -> None:
    """Try, for every clause without a mutant, the nearest ones, best first; then the one it had before."""
    tries = {clause: _nearest(place) for clause, place in clause_affinity.clauses().items() if clause not in kills}
    for rank in range(TRIES):
        left = [clause for clause in tries if clause not in kills]
        for mutant in dict.fromkeys(tries[clause][rank] for clause in left if rank < len(tries[clause])):
            asked = [clause for clause in left if clause not in kills and mutant in tries[clause]]
            found = sorted(noticed(mutant, asked) if asked else (), key=lambda clause: tries[clause].index(mutant))
            room = MOST - list(kills.values()).count(mutant)
            _keep(kills, found[:room], mutant)
    for mutant in dict.fromkeys(before[clause] for clause in tries if clause not in kills and clause in before):
        mine = [clause for clause in tries if clause not in kills and before.get(clause) == mutant]
        _keep(kills, noticed(mutant, mine), mutant)


def _keep(kills: dict[str, str], clauses: Iterable[str], mutant: str) -> None:
    new = dict.fromkeys(clauses, mutant)
    if new:
        kills.update(new)
        write(kills)
        sys.stdout.write(f"{len(clause_affinity.clauses()) - len(kills):4} left, {len(new):3} by {mutant}\n")
        sys.stdout.flush()


def _nearest(place: clause_affinity.Place) -> list[str]:
    """Return the mutants nearest to a clause; of equally near ones first one of each field and function."""
    found: list[tuple[int, int, str]] = []
    seen: Counter[str] = Counter()
    for mutant, where in _all_mutants():
        near = place.affinity(where)
        if near >= clause_affinity.NEAR:
            what = " ".join(mutant.split(" ")[:2])
            found.append((-near, seen[what], mutant))
            seen[what] += 1
    return [mutant for _near, _place, mutant in sorted(found)[:TRIES]]


@cache
def _all_mutants() -> list[tuple[str, clause_affinity.Place]]:
    files = [pair for file in sorted(mutants.RULESETS.glob("*.toml")) for pair in clause_affinity.of_file(file.name)]
    return files + [pair for module in MODULES for pair in clause_affinity.of_module(f"engine.{module}")]


@cache
def _places() -> Mapping[str, list[clause_affinity.Place]]:
    found: dict[str, list[clause_affinity.Place]] = defaultdict(list)
    for mutant, place in _all_mutants():
        found[mutant].append(place)
    return found


def write(kills: dict[str, str]) -> None:
    """Write the file, a line for each clause."""
    head = "# For every clause a mutant that its tests kill; made by `python -m tests.harness.engine.clause_kills`.\n"
    lines = (f'"{clause}" = {_quoted(kills[clause])}\n' for clause in sorted(kills))
    KILLS.write_text(head + "[kills]\n" + "".join(lines), encoding="utf-8")


def _quoted(text: str) -> str:
    return f"'{text}'"


def main() -> None:
    """Keep the kills that still hold and are near, and search for the others."""
    clauses, before = listed(), known()
    kills: dict[str, str] = {}
    near = {clause: mutant for clause, mutant in before.items() if clause in clauses and own(clause, mutant)}
    for mutant in dict.fromkeys(near.values()):
        mine = [clause for clause in near if near[clause] == mutant]
        kills.update(dict.fromkeys(noticed(mutant, mine[:MOST]), mutant))
    write(kills)
    sys.stdout.write(f"{len(clauses)} clauses, {len(kills)} with the mutant they had\n")
    search(kills, before)
    sys.stdout.write("".join(f"no mutant for {clause}\n" for clause in clauses if clause not in kills))


if __name__ == "__main__":
    main()
