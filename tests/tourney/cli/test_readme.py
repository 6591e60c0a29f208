"""Tests that the README agrees with the program."""

import re

from tests.harness import readme
from tourney.cli.framework import app


def test_the_first_two_code_blocks_run_the_demo_and_the_tests() -> None:
    """Each of the two blocks has one line, which also installs what it needs."""
    (_, demo), (_, tests) = readme.fenced()[:2]
    assert len(demo) == len(tests) == 1
    assert demo[0].endswith("tourney demo")
    assert "pytest" in tests[0]


def test_every_console_block_prints_what_the_readme_shows(tmp_path) -> None:
    """The commands of the README are run in order, with one new database."""
    env = readme.environment(str(tmp_path))
    blocks = [lines for language, lines in readme.fenced() if language == "console"]
    assert len(blocks) >= 3
    for lines in blocks:
        for command, shown in readme.commands(lines):
            assert readme.same(readme.output_of(command, env)) == readme.same(shown), command


def test_every_command_is_in_the_readme() -> None:
    """Check that the table of commands has every noun and verb that the program shows."""
    text = readme.README.read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.split("\n") if line.startswith("| `tourney ")]
    root = app.root()
    for name in root.list_commands(None):
        row = next((row for row in rows if f"`tourney {name}" in row), "")
        assert row, name
        cells = " ".join(row for row in rows if f"`tourney {name}" in row)
        verbs = getattr(root.get_command(None, name), "commands", {})
        for verb in (verb for verb, command in verbs.items() if not command.hidden):
            assert re.search(rf"\b{verb}`", cells), f"{name} {verb}"
