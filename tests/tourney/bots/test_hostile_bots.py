"""Hostile bots in leagues: each ends as the guide says at each level, and behind a wall none reaches anything."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.bots.hostile_bots import ANSWERS, HOSTILE, LEVELS, STARTER, Hostile
from tests.harness.bots.hostile_leagues import judged
from tests.harness.bots.hostile_modules import MODULES
from tests.harness.bots.own_bots import misbehaving, write_bot
from tests.harness.commands import Runner
from tests.harness.slow import slow

QUICK = ("reads the journal", "exits at once", "takes 4 GB", "leaves a child behind", "loops in C")
"""The bots that play in every run, in the sandbox."""


def _cases() -> Iterator[object]:
    for hostile in HOSTILE:
        for level in LEVELS:
            now = hostile.name in QUICK and level == "sandbox"
            marks = () if now else (pytest.mark.slow,)
            yield pytest.param(hostile, level, id=f"{hostile.name}, {level}", marks=marks)


@pytest.mark.parametrize(("hostile", "level"), list(_cases()))
def test_a_hostile_bot_ends_as_documented_and_reaches_nothing_behind_a_wall(
    hostile: Hostile, level: str, tmp_path: Path
) -> None:
    assert judged(hostile, level, tmp_path) == []


def test_every_hostile_bot_is_a_module_too() -> None:
    assert {hostile.name for hostile in HOSTILE} == MODULES.keys()


INSIDE = """
import gc, sys
names = {"State", "Hand", "Game", "KnockGame", "_Table"}
if any(type(thing).__name__ in names for thing in gc.get_objects()):
    raise RuntimeError("leak: objects")
frame = sys._getframe()
while frame is not None:
    if names & {type(value).__name__ for value in frame.f_locals.values()}:
        raise RuntimeError("leak: frames")
    frame = frame.f_back
import engine.hand, engine.scoring
engine.hand.Hand.apply = engine.scoring.GameResult = lambda *given: 1 / 0
"""


@pytest.mark.parametrize("level", ["process", *slow(["sandbox"])])
def test_a_class_finds_no_hand_in_its_process_and_patches_nobody_else_s_results(
    level: str, run: Runner, folder: Path
) -> None:
    """A class finds them where it plays inside the program, unless that is compiled."""
    write_bot(folder, "bad.py", misbehaving(INSIDE.strip()))
    words = ("--bots", "greedy,bad.py:Mine", "--seats", "2", "--blocks", "1", "--workers", "1", "--json")
    ran = run("league", "run", *words, "--isolation", level, "--seed", "long enough to be no guess", "--db", "club.db")
    assert (ran.code, ran.json["faults_total"]) == (0, 0), ran.json["faults"][:1]


MORTAL = """
import os
import random

CHANCE = random.Random(os.urandom(8))
"""


@pytest.mark.parametrize("blocks", [3, pytest.param(715, marks=pytest.mark.soak)])
def test_no_game_is_lost_with_a_bot_that_is_killed_at_random(blocks: int, run: Runner, folder: Path) -> None:
    """The bot is killed at one question in twenty; 715 blocks of 14 hands are 10,010 hands."""
    source = STARTER.read_text("utf-8").replace("import sys\n", f"import sys\n{MORTAL}", 1)
    dies = "CHANCE.random() < 0.05 and os.kill(os.getpid(), 9)\n            "
    write_bot(folder, "bad.py", source.replace(ANSWERS, dies + ANSWERS))
    words = ("--bots", "greedy,cmd:python3 -I -S bad.py", "--seats", "2", "--blocks", str(blocks), "--json")
    ran = run("league", "run", *words, "--workers", "1", "--db", "club.db")
    assert (ran.code, ran.json["blocks"], ran.json["hands"]) == (0, blocks, 14 * blocks), ran.err
    died = next(bot for bot in ran.json["bots"] if bot["bot"] != "greedy")["faults_by_kind"]
    assert died["died"] >= blocks
    assert sum(died.values()) == died["died"]
