"""Tests of the protocol for bots in any language: kept conversations, and programs in two languages that speak it."""

import re
import shlex
import subprocess
from pathlib import Path
from time import monotonic

import pytest

from engine.rules import load_rules
from tests.harness.bots.transcripts import FOLDER, ROOT, SITUATIONS, Situation, transcript
from tests.harness.slow import slow
from tourney.bots.faults import UNREADABLE, BotFault
from tourney.bots.isolation.enclosure import Enclosed, Walled
from tourney.bots.isolation.forked import process_wall
from tourney.bots.limits import Limits
from tourney.bots.process import Child
from tourney.bots.protocol import words
from tourney.service.leagues.bots import STARTERS

SECONDS = 300.0
NAME = "NAME"
"""The bot's name in the transcripts."""
LANGUAGES = [*("python", "c"), *slow(sorted(set(STARTERS) - {"python", "c"}))]
each_situation = pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)


def test_there_are_at_least_20_transcripts_and_no_others() -> None:
    kept = {path.stem for path in FOLDER.glob("*.txt")}
    assert kept == {situation.name for situation in SITUATIONS}
    assert len(kept) >= 20


@each_situation
def test_a_conversation_is_as_it_was_written_down(situation: Situation) -> None:
    """The transcripts were read; what they show besides stands in them as it is on the page of the protocol."""
    text = situation.path.read_text("utf-8")
    assert re.search(situation.shows, text)
    assert transcript(situation) == text


@each_situation
def test_a_transcript_has_only_lines_that_the_page_describes(situation: Situation) -> None:
    page = (ROOT / "tourney" / "guide" / "protocol.md").read_text("utf-8")
    described = set(re.findall(r"`([a-z]+)", page))
    told = {line[2:].split()[0] for line in situation.path.read_text("utf-8").splitlines() if line.startswith("> ")}
    assert {word for word in told if not word.isdigit()} <= described


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_says_what_the_transcripts_have(language: str, tmp_path: Path) -> None:
    """Each of those in which the starter gives every answer is spoken with a real process."""
    starter = STARTERS[language]
    (tmp_path / starter.file).write_text(starter.source(NAME), "utf-8")
    if starter.build:
        subprocess.run(shlex.split(starter.build), cwd=tmp_path, check=True)
    situations = [situation for situation in SITUATIONS if situation.by_starter]
    assert len(situations) >= 5
    for situation in situations:
        expected = situation.path.read_text("utf-8")
        assert _spoken(shlex.split(starter.command), tmp_path, expected) == expected, situation.name


def _spoken(command: list[str], folder: Path, text: str) -> str:
    """Return a transcript whose referee's lines were sent to the program, with the lines that it said."""
    child, said, unsent = Child(Walled(process_wall(), Enclosed(command, str(folder)), Limits())), list[str](), ""
    try:
        for line in text.splitlines():
            if line.startswith("> "):
                unsent += line[2:] + "\n"
                said.append(line)
            elif line.startswith("< "):
                if unsent:
                    child.send(unsent, monotonic() + SECONDS)
                unsent = ""
                said.append(f"< {child.receive(monotonic() + SECONDS)}")
            else:
                said.append(line)
    finally:
        child.kill()
    return "\n".join(said) + "\n"


@pytest.mark.parametrize("name", ["oficial", "knock"])
def test_the_rules_are_told_with_a_line_for_each_field(name: str) -> None:
    rules = load_rules(name)
    first, *fields = words.rules_lines(rules).splitlines()
    assert first == f"rules {name} {rules.kind} {rules.digest}"
    assert [line.split()[1] for line in fields] == list(rules.sources)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["hi"], "answers `hello 1 NAME`"),
        (["hello 2 bot", "ready"], "speaks version 2, not 1"),
        (["hello 1 bot", "hello 1 bot"], "does not belong between hello and ready"),
        (["hello 1 bot", "families chess", "ready"], "families are of: contract, knock"),
        (["hello 1 bot", "seats 4", "ready"], "seats are two numbers"),
        (["hello 1 bot", "seats 6 2", "ready"], "seats are two numbers"),
        (["hello 1 bot", "claims 7x", "ready"], "7x"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_wrong_answer_to_the_greeting_is_refused(lines: list[str], problem: str) -> None:
    reader = words.HelloReader()
    with pytest.raises(BotFault, match=re.escape(problem)) as raised:
        list(map(reader.add, lines))
    assert raised.value.kind is UNREADABLE
