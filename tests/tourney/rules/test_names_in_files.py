"""Rules that a file of others names: a name, never a file of this computer."""

import json
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.bad_input.chained import chained, values_of
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.rules import RulesRef
from tourney.rulebook import rulesets

SECRET = "hunter2 of the organiser"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a file of the organiser, whose content must not be shown."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.toml").write_text(f"{SECRET}\n")
    return str(tmp_path / "secret.toml")


def test_stored_rules_are_no_path(path: str) -> None:
    with desk.refused(ExitCode.NOT_FOUND, "no rule set"):
        rulesets.rules_of(RulesRef(path, "0" * 64))


@pytest.mark.parametrize("noun", ["league", "event"])
def test_an_imported_file_does_not_show_what_a_file_here_says(noun: str, path: str, run: Runner) -> None:
    made = {
        "league": ("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1"),
        "event": ("event", "new", "Friday"),
    }
    assert run(*made[noun], "--db", "maker.db").code == 0
    assert run(noun, "export", "--output", "a.file", "--db", "maker.db").code == 0
    values = values_of(Path("a.file").read_text("utf-8").splitlines())
    text = json.dumps(values)
    assert text.count('"oficial"')
    Path("evil").write_text(chained(json.loads(text.replace('"oficial"', json.dumps(path)))), "utf-8")
    for words in ((noun, "import", "evil"), (noun, "list")):
        ran = run(*words, "--db", "club.db")
        assert SECRET not in ran.out + ran.err
        assert "Traceback" not in ran.err


def test_a_record_does_not_show_what_a_file_here_says(path: str, run: Runner) -> None:
    """A record from a league, in which the rules have another name."""
    assert run("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--db", "a.db").code == 0
    record = run("league", "record", "--block", "1", "--game", "1", "--db", "a.db").out
    assert 'rules = "oficial"' in record
    Path("game.toml").write_text(record.replace('rules = "oficial"', f"rules = {json.dumps(path)}"), "utf-8")
    ran = run("record", "verify", "game.toml")
    assert ran.code == ExitCode.REFUSED
    assert "no rule set" in ran.err
    assert SECRET not in ran.err
