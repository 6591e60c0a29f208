"""Find for every clause a mutant that its tests kill, and write them to `clauses/kills.toml`.

Run it when rules, clauses or their tests have changed: `python -m tests.harness.engine.clause_kills`. A clause that
the file has already is first tried with its recorded mutant, so that a second run is short.
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
TIMEOUT = 120
"""Seconds for one run of the tests against a mutant."""
MAX_TRIES = 30
"""The most mutants that are tried for a clause."""
MAX_CLAUSES = 6
"""The most clauses that may share a mutant: a mutant that the tests of many clauses notice says little about each."""
MODULES = (
    "melds",
    "contract.turn",
    "contract.laying",
    "contract.jokers",
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
    "games.knock_game",
    "sheets.knock_sheet",
    "knock.pot",
    "solver.deadwood",
    "cards",
    "rules.reading",
)


def clause_test_files(clauses: Iterable[str] = ()) -> list[Path]:
    """Return the files with tests marked with clauses: of the documents of `clauses`, or of any document."""
    files = sorted(CLAUSES.parent.rglob("test_*.py"))
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    marks = tuple({f'"{clause[:3]}/' for clause in clauses}) or ('"00',)
    return [file for file, text in texts.items() if "clause(" in text and any(mark in text for mark in marks)]


def listed_clauses() -> list[str]:
    """Return the id of every clause in the five lists that needs a test."""
    clauses: list[str] = []
    for file in sorted(CLAUSES.glob("document-*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        clauses += [*table["clauses"], *table.get("silent", {})]
    return clauses


def recorded_kills() -> dict[str, str]:
    """Return the recorded mutant of each clause; empty without a file."""
    return tomllib.loads(KILLS.read_text(encoding="utf-8"))["kills"] if KILLS.exists() else {}


def breaks_related_rule(clause: str, mutant: str) -> bool:
    """Return whether the mutant breaks a rule that names the clause's section or decision."""
    if mutant.startswith("tourney.rulebook.irregularities "):
        return "/1.12/" in clause
    return any(clause_affinity.clauses()[clause].affinity(rule) >= clause_affinity.NEAR for rule in _subjects()[mutant])


def failing_clauses(mutant: str, clauses: Collection[str]) -> set[str]:
    """Return the `clauses` whose tests fail with the mutant; none if the tests do not start or take too long."""
    with tempfile.TemporaryDirectory() as folder:
        clauses_file, failed_file = Path(folder, "wanted"), Path(folder, "found")
        clauses_file.write_text("\n".join(clauses), encoding="utf-8")
        # A mutant changes the sources, so the tests run on them even if the surrounding tests are for another build.
        environment = {name: value for name, value in os.environ.items() if name != "EXPECTED_BUILD"}
        env = {**environment, "MUTANT": mutant, "MUTANT_CLAUSES": str(clauses_file), "MUTANT_NOTICED": str(failed_file)}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.harness.engine.mutation_plugin"]
        command += ["-p", "no:cacheprovider", *map(str, clause_test_files(clauses))]
        try:
            run = subprocess.run(
                command, env=env, capture_output=True, timeout=TIMEOUT, cwd=CLAUSES.parents[2], check=False
            )
        except subprocess.TimeoutExpired:
            return set()
        if run.returncode != 1 or not failed_file.exists():
            return set()
        return set(failed_file.read_text(encoding="utf-8").split()) & set(clauses)


def search(kills: dict[str, str], before: Mapping[str, str]) -> None:
    """Add a mutant to `kills` for each clause without one: one of the nearest, or else the one in `before`."""
    tries = {clause: _nearest(place) for clause, place in clause_affinity.clauses().items() if clause not in kills}
    for attempt in range(MAX_TRIES):
        open_clauses = [clause for clause in tries if clause not in kills]
        for mutant in dict.fromkeys(tries[clause][attempt] for clause in open_clauses if attempt < len(tries[clause])):
            candidates = [clause for clause in open_clauses if clause not in kills and mutant in tries[clause]]
            killed = sorted(
                failing_clauses(mutant, candidates) if candidates else (),
                key=lambda clause: tries[clause].index(mutant),
            )
            room = MAX_CLAUSES - list(kills.values()).count(mutant)
            _keep(kills, killed[:room], mutant)
    for mutant in dict.fromkeys(before[clause] for clause in tries if clause not in kills and clause in before):
        clauses = [clause for clause in tries if clause not in kills and before.get(clause) == mutant]
        _keep(kills, failing_clauses(mutant, clauses), mutant)


def _keep(kills: dict[str, str], clauses: Iterable[str], mutant: str) -> None:
    new_kills = dict.fromkeys(clauses, mutant)
    if new_kills:
        kills.update(new_kills)
        write(kills)
        sys.stdout.write(f"{len(clause_affinity.clauses()) - len(kills):4} left, {len(new_kills):3} by {mutant}\n")
        sys.stdout.flush()


def _nearest(subject: clause_affinity.Subject) -> list[str]:
    """Return the mutants nearest to a clause, nearest first; equally near ones alternate between rules."""
    nearest: list[tuple[int, int, str]] = []
    of_rule: Counter[str] = Counter()
    for mutant, rule_subject in _all_mutants():
        affinity = subject.affinity(rule_subject)
        if affinity >= clause_affinity.NEAR:
            rule = " ".join(mutant.split(" ")[:2])
            nearest.append((-affinity, of_rule[rule], mutant))
            of_rule[rule] += 1
    return [mutant for _affinity, _turn, mutant in sorted(nearest)[:MAX_TRIES]]


@cache
def _all_mutants() -> list[tuple[str, clause_affinity.Subject]]:
    of_files = [pair for file in sorted(mutants.RULESETS.glob("*.toml")) for pair in clause_affinity.of_file(file.name)]
    return of_files + [pair for module in MODULES for pair in clause_affinity.of_module(f"engine.{module}")]


@cache
def _subjects() -> Mapping[str, list[clause_affinity.Subject]]:
    subjects: dict[str, list[clause_affinity.Subject]] = defaultdict(list)
    for mutant, subject in _all_mutants():
        subjects[mutant].append(subject)
    return subjects


def write(kills: dict[str, str]) -> None:
    """Write `kills.toml`: the mutant of each clause, a line each, by clause."""
    header = "# For every clause a mutant that its tests kill; made by `python -m tests.harness.engine.clause_kills`.\n"
    lines = (f'"{clause}" = {_quoted(kills[clause])}\n' for clause in sorted(kills))
    KILLS.write_text(header + "[kills]\n" + "".join(lines), encoding="utf-8")


def _quoted(text: str) -> str:
    return f"'{text}'"


def main() -> None:
    """Keep the recorded mutants that their clauses' tests still notice, and search for mutants of the other clauses."""
    clauses, before = listed_clauses(), recorded_kills()
    kills: dict[str, str] = {}
    near = {
        clause: mutant for clause, mutant in before.items() if clause in clauses and breaks_related_rule(clause, mutant)
    }
    for mutant in dict.fromkeys(near.values()):
        sharing = [clause for clause in near if near[clause] == mutant]
        kills.update(dict.fromkeys(failing_clauses(mutant, sharing[:MAX_CLAUSES]), mutant))
    write(kills)
    sys.stdout.write(f"{len(clauses)} clauses, {len(kills)} with the mutant they had\n")
    search(kills, before)
    sys.stdout.write("".join(f"no mutant for {clause}\n" for clause in clauses if clause not in kills))


if __name__ == "__main__":
    main()
