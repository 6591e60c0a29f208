"""Tests of the rules that an event keeps: shown and printed when their file is gone."""

import re
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent

RULES = """
id = "getxo"
base = "oficial"
title = "Fridays of Getxo"

[set]
values.joker = { is = 30, clause = "Getxo 2024" }
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    """The command line with the event Friday, whose rules had a file, and Saturday under the usual ones."""
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "club.db"))
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "getxo.toml"
    file.write_text(RULES, encoding="utf-8")
    for name, rules in (("Friday", "getxo.toml"), ("Saturday", "oficial")):
        apply(str(tmp_path / "club.db"), CreateEvent(EventSettings(name, rules)))
    file.unlink()
    return Runner(capsys)


@pytest.mark.parametrize("command", ["rules show --event Friday", "print rules --event Friday"])
def test_the_rules_of_an_event_are_shown_and_printed_without_their_file(run: Runner, command: str) -> None:
    """A joker costs 30 in Getxo, and 50 by document 003."""
    done = run(*command.split())
    assert done.code == 0
    assert "Fridays of Getxo" in done.out
    shown = " ".join(re.sub("<[^>]*>", " ", done.out).split())
    assert "Joker 30" in shown


def test_an_event_under_usual_rules_shows_these(run: Runner) -> None:
    assert run("rules", "show", "--event", "Saturday").out == run("rules", "show", "oficial").out


def test_rules_and_an_event_are_not_named_together(run: Runner) -> None:
    done = run("rules", "show", "knock", "--event", "Friday")
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert "knock and --event do not go together" in done.err
    assert run("rules", "show", "--event", "Fridai").code == ExitCode.NOT_FOUND
