"""Files of authors: a bot in Python, written into a folder."""

from pathlib import Path

MINE = '''
import random

from tourney.bots import Bot


class Mine(Bot):
    """A random player that passes, and lays down or closes when it can."""

    parameters = {"care": 2, "bold": False, "name": "x", "share": 0.5}

    def __init__(self, care=2, bold=False, name="x", share=0.5):
        self.bold = bold

    def start(self, rules, seat, seed):
        self.random = random.Random(seed)

    def choose(self, view, legal):
        for action in legal:
            if str(action).split()[0] in ("pass", "down", "off", "close"):
                return action
        return self.random.choice(legal)


class Other(Mine):
    """Another bot of the file."""


class NoBot:
    """A class that is no bot."""
'''

PASSES = """
from tourney.bots import PASS, Bot

class Mine(Bot):
    def choose(self, view, legal):
        return PASS if PASS in legal else legal[-1]
"""
"""A bot that passes, and else takes the last action."""


def write_bot(folder: Path, name: str = "mine.py", source: str = MINE) -> Path:
    """Write a bot's file into the folder, which is made, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(source, encoding="utf-8")
    return file


def misbehaving(body: str) -> str:
    """Return the source of a bot `Mine` that begins each decision with these lines, and otherwise plays plainly."""
    lines = body.replace("\n", "\n        ")
    return f"""
import os, signal, sys, time
from tourney.bots import Bot

class Mine(Bot):
    asked = 0

    def choose(self, view, legal):
        self.asked += 1
        {lines}
        return next(iter(legal))
"""
