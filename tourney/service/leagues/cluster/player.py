"""A process in which a worker of a scheduler plays blocks: `python -m tourney.service.leagues.cluster.player`.

A task of a scheduler runs in a thread, and a bot's time limit needs the main thread of a process. A process of its own
also survives what a bot does, so that the worker can say at which block it died. It ignores signals to end, since the
worker decides, and ends at once when the worker has closed the pipe or is gone.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import astuple, replace
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, Final

from tourney.bots.isolation.own_process import exit_now
from tourney.bots.roster import entrants_of
from tourney.domain.errors import TourneyError
from tourney.domain.leagues import League, PlayedBlock
from tourney.league.playing import play_block, said
from tourney.rulebook.rulesets import rules_of
from tourney.service.bots import prove_walls
from tourney.service.leagues.cluster import bot_files
from tourney.service.leagues.cluster.ticket import ProgramDigest, Ticket, this_program
from tourney.service.leagues.cluster.wire import Assignment, Reply, Task, unpacked, written
from tourney.text.signals import ENDINGS

FILES: Final = "bot-files"
"""The folder, within a worker's own, of the files of bots by their digests."""
SECRET: Final = "journal"
"""A file that no bot behind a wall may read, in place of the journal of the computer that keeps the league."""


class BlockPlayer:
    """Answers requests in their order: `load` an assignment, show a `ticket` for it, `play` tasks of it."""

    def __init__(self, folder: Path, answer: Callable[[Reply], None]) -> None:
        self._folder, self._answer = folder, answer
        self._play: Callable[[Task], PlayedBlock] | None = None

    def handle(self, name: str, *arguments: Any) -> None:
        """Answer one request; a refusal is an answer, too."""
        try:
            getattr(self, name)(*arguments)
        except TourneyError as error:
            self._answer({"refused": error.message})

    def ticket(self, program: tuple[str, ...], assignment: bytes, reference: Task) -> None:
        """Answer with this worker's ticket, after playing the reference block if program and rules are the same."""
        here = this_program()
        if (here.version, here.sources) != (ProgramDigest(*program).version, ProgramDigest(*program).sources):
            self._answer({"ticket": astuple(Ticket(here))})
            return
        wanted = unpacked(assignment)
        rules = rules_of(wanted.league.rules_ref)
        if rules.digest != wanted.league.rules_digest:
            self._answer({"ticket": astuple(Ticket(here, rules.digest))})
            return
        (self._folder / SECRET).touch()
        self._load(wanted, lambda league: prove_walls(str(self._folder / SECRET), league.outside, league.isolation))
        assert self._play is not None
        started = monotonic()
        block = self._play(reference)
        played = Ticket(here, rules.digest, block.text, monotonic() - started)
        self._answer({"ticket": astuple(played), "admitted": True})

    def load(self, assignment: bytes) -> None:
        """Load an assignment for which this worker has shown its ticket."""
        self._load(unpacked(assignment), lambda _league: None)
        self._answer({"loaded": True})

    def _load(self, wanted: Assignment, prove: Callable[[League], None]) -> None:
        places = self._folder / f"bots-{os.getpid()}"
        outside = bot_files.unpacked(self._folder / FILES, places, wanted.league.outside)
        league = replace(wanted.league, outside=outside)
        prove(league)
        rules, entrants = rules_of(league.rules_ref), entrants_of(league.outside, league.isolation)
        self._play = lambda task: play_block(league, rules, *task, time_limit=wanted.time_limit, entrants=entrants)

    def play(self, tasks: list[Task]) -> None:
        """Answer with each block as it is played, and with the seconds at the end; an error ends the tasks."""
        assert self._play is not None
        started = monotonic()
        for task in tasks:
            try:
                block = self._play(task)
            except Exception as error:  # noqa: BLE001 - whatever fails is reported with its block
                self._answer({"failed": said(error), "seconds": monotonic() - started})
                return
            self._answer({"block": block[1:]})
        self._answer({"seconds": monotonic() - started})


def _requests(pipe: BinaryIO) -> queue.SimpleQueue[tuple[Any, ...]]:
    """Return the requests that come through a pipe; this process ends when it is closed."""
    requests: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()

    def read() -> None:
        try:
            while True:
                requests.put(pickle.load(pipe))
        finally:
            exit_now(1)

    threading.Thread(target=read, daemon=True).start()
    return requests


def main(folder: str) -> None:
    """Answer the requests that come through standard input. What bots print goes to standard error."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    answers, requests = os.fdopen(os.dup(1), "wb"), _requests(os.fdopen(os.dup(0), "rb"))
    os.dup2(2, 1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)

    def answer(reply: Reply) -> None:
        answers.write(written(reply) + b"\n")
        answers.flush()

    player = BlockPlayer(Path(folder), answer)
    while True:
        player.handle(*requests.get())


if __name__ == "__main__":
    main(sys.argv[1])
