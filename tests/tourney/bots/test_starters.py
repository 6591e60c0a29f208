"""Tests of the starters: in each language they are written, built and play, and are small enough to be read."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.domain.errors import ExitCode
from tourney.league.probing import probes, program_probes
from tourney.service.leagues.bots import STARTERS, new_bot

EVERY_RUN = ("python", "c")
"""The languages that need nothing which the tests do not need anyhow; at night all of them are built."""


def test_a_starter_is_one_file_of_at_most_80_lines_with_the_bot_s_name() -> None:
    for starter in STARTERS.values():
        text = starter.source("my bot!")
        assert len(text.splitlines()) <= 80, starter.language
        assert "hello 1 my-bot 0.1" in text


@pytest.mark.parametrize("language", [*EVERY_RUN, *slow(sorted(set(STARTERS) - set(EVERY_RUN)))])
def test_a_new_bot_plays_as_its_readme_says(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """The README's commands work, and its league says the hash of its seed and has no faults."""
    written = json.loads(run("bot", "new", str(tmp_path / "my bot"), "--source", language, "--json").out)
    folder = tmp_path / "my bot"
    assert {path.name for path in folder.iterdir()} == set(written["files"])
    readme = (folder / "README.md").read_text("utf-8")
    cd, *build, check, play = written["commands"]
    assert shlex.split(check) == ["tourney", "bot", "check", shlex.split(play)[4].partition(",")[2]]
    assert cd == f'cd "{folder}"'
    assert [line.strip() for line in readme.splitlines() if line.startswith("    ")] == [*build, check, play]
    monkeypatch.chdir(folder)
    for command in build:
        subprocess.run(shlex.split(command), check=True)
    ran = run(*shlex.split(play)[1:], "--blocks", "1", "--db", "league.db", "--json")
    league = json.loads(ran.out)
    said = f"SHA-256 of the seed from which all deals follow: {league['seed_sha256']}\n"
    assert (ran.code, ran.err, [row["faults"] for row in league["bots"]]) == (0, said, [0, 0])


@pytest.mark.slow
@pytest.mark.parametrize("language", STARTERS)
def test_a_new_bot_passes_every_probe(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """Whatever the machine, only a hang reaches these limits of the probes."""
    monkeypatch.setattr(probes, "MOST_SECONDS", 3600.0)
    monkeypatch.setattr(program_probes, "LEAVE_SECONDS", 60.0)
    monkeypatch.setattr(program_probes, "PATIENT_SECONDS", 600)
    monkeypatch.chdir(tmp_path)
    *build, check, _play = new_bot(".", language).commands[1:]
    for command in build:
        subprocess.run(shlex.split(command), check=True)
    ran = run(*shlex.split(check)[1:], "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["passed"]) == (0, len(data["probes"]))
    assert data["passed"] >= 60


@pytest.mark.parametrize(
    ("folder", "source", "code", "problem"),
    [
        ("new", "rusty", ExitCode.USAGE, "no starter in “rusty”\nhint: the languages are: python, c, rust, javascript"),
        ("full", "c", ExitCode.CONFLICT, "has files already"),
        ("full/file", "c", ExitCode.REFUSED, "not a folder"),
        ("none/new", "c", ExitCode.NOT_FOUND, "there is no folder"),
        (" ", "c", ExitCode.USAGE, ""),
        ("x" * 300, "c", ExitCode.STORAGE, "cannot be written"),
    ],
)
def test_a_bot_that_cannot_be_written_leaves_nothing(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, source: str, code: int, problem: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    monkeypatch.chdir(tmp_path)
    ran = run("bot", "new", folder, "--source", source)
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err
    assert sorted(os.listdir(tmp_path)) == ["full"]
    assert (tmp_path / "full" / "file").read_text() == "mine"


def test_an_empty_folder_is_taken_as_a_new_one(tmp_path: Path) -> None:
    assert new_bot(str(tmp_path), "c").files == ("bot.c", "README.md")
