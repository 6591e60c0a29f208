"""Finds for every clause a mutant that its tests notice, and writes them to `clauses/kills.toml`.

Run it when rules, clauses or their tests have changed: `python -m tests.engine.kills`. Clauses that stand in the
file already are tried with their old mutant first, so that a second run is short.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from tests.engine import mutants

CLAUSES = Path(__file__).parent / "clauses"
KILLS = CLAUSES / "kills.toml"
PATIENCE = 120
SPECIFIC = 15
"""A mutant that many clauses notice says little of each: one that few notice is preferred."""
MODULES = (
    "melds",
    "contract",
    "laying",
    "jokers",
    "closing",
    "deal",
    "scoring",
    "state",
    "hand",
    "view",
    "game",
    "sheet",
)
MODULES += ("actions", "record", "knock", "knock_game", "knock_sheet", "money", "arrange.deadwood", "cards")
MODULES += ("rules.reading",)


def bearers(clauses: Iterable[str] = ()) -> list[Path]:
    """The files whose tests bear clauses: of the documents of these clauses, or of all."""
    folder = CLAUSES.parent
    files = [*sorted(CLAUSES.glob("test_*.py")), *sorted(folder.glob("test_*.py"))]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    marks = tuple({f'"{clause[:3]}/' for clause in clauses}) or ('"00',)
    return [file for file, text in texts.items() if "clause(" in text and any(mark in text for mark in marks)]


def listed() -> list[str]:
    """Every clause of the five lists that tests bear."""
    found: list[str] = []
    for file in sorted(CLAUSES.glob("document-*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        found += [*table["clauses"], *table.get("silent", {})]
    return found


def known() -> dict[str, str]:
    """The mutant of each clause as the file has it."""
    return tomllib.loads(KILLS.read_text(encoding="utf-8"))["kills"] if KILLS.exists() else {}


def noticed(mutant: str, clauses: Collection[str]) -> set[str]:
    """Those of the clauses whose tests fail with that mutant; none where the tests do not even begin or end."""
    with tempfile.TemporaryDirectory() as folder:
        wanted, found = Path(folder, "wanted"), Path(folder, "found")
        wanted.write_text("\n".join(clauses), encoding="utf-8")
        env = {**os.environ, "MUTANT": mutant, "MUTANT_CLAUSES": str(wanted), "MUTANT_NOTICED": str(found)}
        words = [sys.executable, "-m", "pytest", "-q", "-p", "tests.engine.mutating"]
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


def _candidates(documents: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Mutants of the rule sets of these documents, then of the modules, each with the documents it concerns."""
    for file in sorted(mutants.RULESETS.glob("*.toml")):
        document = tomllib.loads(file.read_text(encoding="utf-8"))["document"]
        if document in documents:
            yield from ((mutant, {document}) for mutant in mutants.file_mutants(file.name))
    for module in MODULES:
        if (mutants.ENGINE / f"{module.replace('.', '/')}.py").exists():
            yield from ((mutant, documents) for mutant in mutants.module_mutants(f"engine.{module}"))


def search(clauses: list[str], kills: dict[str, str], most: int) -> None:
    """Tries mutant after mutant until every clause has one that at most so many clauses notice.

    Of the mutants of modules only the clauses still without one are asked: all of them would take hours.
    """
    for mutant, documents in _candidates({clause[:3] for clause in clauses if clause not in kills}):
        mine = [clause for clause in clauses if clause[:3] in documents]
        if all(clause in kills for clause in mine):
            continue
        asked = mine if ".toml " in mutant else [clause for clause in mine if clause not in kills]
        found = noticed(mutant, asked)
        new = found - set(kills)
        if new and len(found) <= most:
            kills.update(dict.fromkeys(new, mutant))
            write(kills)
            sys.stdout.write(f"{len(clauses) - len(kills):4} left, {len(new):3} by {mutant}\n")
            sys.stdout.flush()


def write(kills: dict[str, str]) -> None:
    """The file, a line for each clause."""
    head = "# For every clause a wrong rule that its tests notice; made by `python -m tests.engine.kills`.\n[kills]\n"
    lines = (f'"{clause}" = {_quoted(kills[clause])}\n' for clause in sorted(kills))
    KILLS.write_text(head + "".join(lines), encoding="utf-8")


def _quoted(text: str) -> str:
    return f"'{text}'"


def main() -> None:
    """Keeps the kills that still hold, and searches for the others."""
    clauses, before = listed(), known()
    kills: dict[str, str] = {}
    for mutant in dict.fromkeys(before[clause] for clause in clauses if clause in before):
        mine = [clause for clause in clauses if before.get(clause) == mutant]
        kills.update(dict.fromkeys(noticed(mutant, mine), mutant))
    write(kills)
    sys.stdout.write(f"{len(clauses)} clauses, {len(kills)} with the mutant they had\n")
    for most in (SPECIFIC, len(clauses)):
        search(clauses, kills, most)
    sys.stdout.write("".join(f"no mutant for {clause}\n" for clause in clauses if clause not in kills))


if __name__ == "__main__":
    main()
