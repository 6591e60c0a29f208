"""The README says what the program does."""

import re

from tests.harness import readme
from tourney.cli.framework import app


def test_the_first_two_fenced_lines_install_and_run_the_demo_and_the_tests() -> None:
    """Each set-up command is one line, alone in its block, before any other."""
    (_, demo), (_, tests) = readme.fenced()[:2]
    assert len(demo) == len(tests) == 1
    assert demo[0].endswith("tourney demo")
    assert "pytest" in tests[0]


def test_every_console_block_prints_what_stands_below_it(tmp_path) -> None:
    """The README's own commands run, in order, in one new database, and print what the README shows."""
    env = readme.environment(str(tmp_path))
    blocks = [lines for language, lines in readme.fenced() if language == "console"]
    assert len(blocks) >= 3
    for lines in blocks:
        for command, shown in readme.commands(lines):
            assert readme.same(readme.output_of(command, env)) == readme.same(shown), command


def test_every_command_stands_in_the_readme() -> None:
    """The table of commands names each noun and verb that the program shows."""
    text = readme.README.read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.split("\n") if line.startswith("| `tourney ")]
    root = app.root()
    for name in root.list_commands(None):
        row = next((row for row in rows if f"`tourney {name}" in row), "")
        assert row, name
        every = " ".join(row for row in rows if f"`tourney {name}" in row)
        verbs = getattr(root.get_command(None, name), "commands", {})
        for verb in (verb for verb, command in verbs.items() if not command.hidden):
            assert re.search(rf"\b{verb}`", every), f"{name} {verb}"
