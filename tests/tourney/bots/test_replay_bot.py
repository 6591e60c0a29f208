"""Tests of `tourney bot replay`: a bot is asked what a player of a record was asked, and the game stays as it was."""

import json
import sys
from pathlib import Path

import pytest

from engine.play import play_game
from engine.records.record import read, write
from engine.rules import load_rules
from tests.harness.bots.transcripts import STARTERS
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode

PYTHON = f"cmd:{sys.executable} -I -S"
WRONG = (STARTERS / "bot.py").read_text("utf-8").replace("say(str(choose(listed)))", 'say("999")')
WRONG = WRONG.replace('say("claims none")', "pass").replace('say("takes none")', "pass")


pytestmark = pytest.mark.usefixtures("folder")


def record(folder: Path, bots: tuple[str, ...], rules: str = "oficial", seed: str = "1") -> Path:
    """Write the record of a game of bots."""
    file = folder / f"{rules}.toml"
    file.write_text(write(play_game(load_rules(rules), bots, seed, stake=100 if rules == "knock" else 0).record))
    return file


@pytest.mark.parametrize(
    ("bots", "rules"),
    [
        (("greedy", "random", "greedy"), "oficial"),
        (("random", "planner"), "oficial+red-twos"),
        (("greedy", "greedy", "random"), "knock"),
    ],
)
def test_a_bot_in_its_own_place_does_what_it_did(run: Runner, folder: Path, bots: tuple[str, ...], rules: str) -> None:
    """A bot's seed in a game of bots is known; `random` draws the numbers that it drew then."""
    file = record(folder, bots, rules)
    for seat, bot in enumerate(bots, 1):
        ran = run("bot", "replay", str(file), bot, "--seat", str(seat), "--json")
        data = json.loads(ran.out)
        assert (ran.code, data["differing"], data["faults"], data["player"]) == (0, 0, 0, bot)
        written = [line.split(" ", 1) for hand in read(file.read_text()).hands for line in hand.actions]
        actions = [text for actor, text in written if actor == str(seat)]
        recorded = [decision["recorded"] for decision in data["decisions"]]
        assert [text for text in recorded if text not in ("pass", "decline")] == actions


def test_a_program_that_always_fails_differs_in_every_decision(run: Runner, folder: Path) -> None:
    (folder / "bot.py").write_text(WRONG)
    file = record(folder, ("greedy", "greedy"))
    data = json.loads(run("bot", "replay", str(file), f"{PYTHON} bot.py", "--seat", "2", "--json").out)
    decisions = data["decisions"]
    assert data["differing"] == data["faults"] == len(decisions) > 100
    assert {decision["fault"].split(":")[0] for decision in decisions} == {"illegal"}
    assert all(decision["asked"] for decision in decisions)


def test_one_hand_has_its_own_decisions(run: Runner, folder: Path) -> None:
    (folder / "bot.py").write_text((STARTERS / "bot.py").read_text("utf-8"))
    file = record(folder, ("planner", "greedy"))
    program = f"{PYTHON} bot.py"
    whole = json.loads(run("bot", "replay", str(file), program, "--seat", "1", "--json").out)
    hands = [
        json.loads(run("bot", "replay", str(file), program, "--seat", "1", "--hand", str(hand), "--json").out)
        for hand in (1, 7)
    ]
    for hand, data in zip((1, 7), hands, strict=True):
        assert data["decisions"] == [decision for decision in whole["decisions"] if decision["hand"] == hand]
    claims = [decision for decision in whole["decisions"] if decision["kind"] == "claim"]
    assert claims
    assert not any(decision["asked"] for decision in claims)
    page = run("bot", "replay", str(file), program, "--seat", "1", "--hand", "1").out
    counts = hands[0]["differing"], len(hands[0]["decisions"])
    assert "something else in {} of {} decisions".format(*counts) in " ".join(page.split())


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (["oficial.toml", "greedy", "--seat", "3"], ExitCode.NOT_FOUND, "no seat 3"),
        (["oficial.toml", "greedy", "--seat", "0"], ExitCode.NOT_FOUND, "no seat 0"),
        (["oficial.toml", "greedy", "--seat", "1", "--hand", "8"], ExitCode.NOT_FOUND, "no hand 8"),
        (["oficial.toml", "gredy", "--seat", "1"], ExitCode.NOT_FOUND, "there is no bot"),
        (["missing.toml", "greedy", "--seat", "1"], ExitCode.NOT_FOUND, "missing.toml"),
        (["damaged.toml", "greedy", "--seat", "1"], ExitCode.REFUSED, "damaged.toml: hand 1"),
    ],
)
def test_what_cannot_be_replayed_is_refused(
    run: Runner, folder: Path, words: list[str], code: int, problem: str
) -> None:
    text = record(folder, ("greedy", "random")).read_text()
    (folder / "damaged.toml").write_text(text.replace("2 discard", "1 discard", 1))
    ran = run("bot", "replay", *words)
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err
