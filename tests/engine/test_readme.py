"""Check the pages of the engine: the example runs, and the table has every decision that is cited."""

import re
from pathlib import Path

import pytest

from engine.rules import all_rules, load_rules

HERE = Path(__file__).resolve().parent
ENGINE = HERE.parents[1] / "engine"
README, SILENT = ((ENGINE / name).read_text(encoding="utf-8") for name in ("README.md", "SILENT.md"))
ROWS = [line for line in SILENT.split("\n") if line.startswith("| A-")]
CITING = (*ENGINE.rglob("*.py"), *ENGINE.glob("rulesets/*.toml"), *(HERE / "clauses").glob("*.toml"))


def labels(text: str) -> set[str]:
    """Return the labels of decisions in a text, with those inside a range such as `A-26 … A-29`."""
    ranges = re.findall(r"A-(\d\d) … A-(\d\d)", text)
    in_ranges = {f"A-{number:02}" for first, last in ranges for number in range(int(first), int(last) + 1)}
    return in_ranges | set(re.findall(r"\bA-\d\d[a-z]?\b", text))


def test_the_example_plays_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """Check that the Python block of the README runs unchanged and prints the result of the hand."""
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(example, "engine/README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("HandResult(")


def test_every_decision_that_is_cited_has_its_row() -> None:
    """Check that the table of SILENT.md has every label such as `A-09`."""
    cited = labels("\n".join(path.read_text(encoding="utf-8") for path in CITING))
    assert len(cited) > 40
    assert cited <= labels("\n".join(row.split("|")[1] for row in ROWS))


def test_the_settings_of_the_table_are_fields_of_rule_sets() -> None:
    """Check that each setting, such as `claim.limit`, is a field that some rule set has."""
    named = set(re.findall(r"`([a-z]+\.[a-z_]+)`", "\n".join(row.split("|")[4] for row in ROWS)))
    fields = {field for name in all_rules() for field in load_rules(name).sources}
    assert named - {"scoring.closing_points"} <= fields
