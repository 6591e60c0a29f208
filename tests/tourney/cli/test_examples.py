"""Tests that the README and the guide agree with the program."""

import re
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.pages.examples import PAGES, README, examples, fences, without_times
from tourney.cli.framework import app


def test_the_first_two_code_blocks_run_the_demo_and_the_tests() -> None:
    """Each of the two blocks has one line, which also installs what it needs."""
    demo, tests = (fence["body"].splitlines() for fence in fences(README)[:2])
    assert len(demo) == len(tests) == 1
    assert demo[0].endswith("tourney demo")
    assert "pytest" in tests[0]


@pytest.mark.parametrize("page", [README, README.parent / ".github" / "README.es.md"], ids=["en", "es"])
def test_the_python_of_the_readme_runs_and_its_bot_beats_random_play(page: Path, tmp_path: Path, run: Runner) -> None:
    """The second block plays a game; the first is a bot, which plays the league that the page names."""
    bot, game = [fence["body"] for fence in fences(page) if fence["language"] == "python"]
    exec(compile(game, page.name, "exec"), {})
    (tmp_path / "mine.py").write_text(bot, encoding="utf-8")
    words = ("--bots", f"{tmp_path / 'mine.py'}:Mine,random", "--blocks", "4", "--seats", "2", "--isolation", "trusted")
    league = run("league", "run", *words, "--seed", "1", "--json", "--db", str(tmp_path / "own.db"))
    assert league.code == 0, league.err
    assert [row["bot"].rpartition(":")[2] for row in league.json["bots"]] == ["Mine", "random"]


def has_examples(name: str) -> bool:
    """Return whether a page has a console block."""
    return any(fence["language"] == "console" for fence in fences(PAGES[name]))


@pytest.mark.parametrize("name", list(filter(has_examples, PAGES)))
def test_every_example_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    for command, shown, printed in examples(PAGES[name], tmp_path):
        assert without_times(printed) == without_times(shown), command


def test_every_command_is_in_the_readme_or_the_guide() -> None:
    """Check that the tables of commands have every noun and verb that the program shows."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES.values())
    rows = [line.split("|")[1] for line in text.split("\n") if line.startswith("| `tourney ")]
    root = app.root()
    for name in root.list_commands(None):
        cells = " ".join(row for row in rows if re.search(rf"`tourney {name}\b", row))
        assert cells, name
        verbs = getattr(root.get_command(None, name), "commands", {})
        for verb in (verb for verb, command in verbs.items() if not command.hidden):
            assert re.search(rf"\b{verb}`", cells), f"{name} {verb}"


def test_the_first_example_of_a_command_fits_a_hint_at_80_characters() -> None:
    """A hint has it between backquotes with a sign after it, and nothing breaks a command: the sign would be alone."""
    root = app.root()
    for name in root.list_commands(None):
        noun = root.get_command(None, name)
        for command in getattr(noun, "commands", {"": noun}).values():
            example = next(iter((command.epilog or "").splitlines()), "")
            assert len(f"`{example}`;") <= 80, example
