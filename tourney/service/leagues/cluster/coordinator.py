"""Hand blocks out to the workers of a scheduler, judge what comes back, and leave out workers that differ.

A worker gets its next blocks when those before are kept: the caller keeps what is yielded before it asks for more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from time import monotonic
from typing import Final, NamedTuple
from warnings import warn

from tourney.domain.errors import TourneyWarning
from tourney.domain.league_tables import LeagueMachine
from tourney.domain.leagues import League, PlayedBlock
from tourney.service.chained_lines import MALFORMED
from tourney.service.leagues.cluster import bot_files
from tourney.service.leagues.cluster.address import Arrival, Network, Seen
from tourney.service.leagues.cluster.checked_replies import EntryReply, entry_of, is_forgotten, played_of
from tourney.service.leagues.cluster.groups import Book, Group, Handout, Recent, halves
from tourney.service.leagues.cluster.machines import MOST_SLOTS, Interval, MachineWork, Worker
from tourney.service.leagues.cluster.ticket import Ticket, difference, this_program
from tourney.service.leagues.cluster.wire import Stopped, Task, assigned
from tourney.text.i18n import _, language

GROUP_SECONDS: Final = 5.0
"""About how long a worker plays before it answers: long beside a message, short for a person who stops the league."""
LEAST_SECONDS: Final = 1.0
"""The least such time, near the end, so that all workers end at about the same time."""
LOOK_SECONDS: Final = 5.0
"""The seconds between two looks at which workers are there."""
WAIT_SECONDS: Final = 0.25
"""The most seconds until a request to stop is seen."""
QUIET_SECONDS: Final = 15.0
"""The seconds without a worker after which a person is informed."""
MOST_FAILURES: Final = 3
"""On so many machines a block must fail to be the cause; so often in a row a worker must fail to be it."""
LATE_SECONDS: Final = 60.0
LATE_FACTOR: Final = 10.0
"""A worker is late that needs so many times its usual time, and at least LATE_SECONDS; others play its blocks, too."""


@dataclass(frozen=True, slots=True)
class Job:
    """Blocks to play: of what, which, what a worker must play as it was played here, and what asks to stop.

    `time_limit` is a bot's seconds for an action. `should_stop` returns whether a person has asked to stop, `ended`
    whether the league has ended before its last block. `report` is called with the machines from time to time.
    """

    league: League
    time_limit: int
    tasks: Iterator[Task]
    count: int
    reference: str
    should_stop: Callable[[], bool]
    ended: Callable[[], bool]
    report: Callable[[tuple[LeagueMachine, ...]], None]


class BlocksAnswer(NamedTuple):
    """Blocks that a worker has played, with the number of their games.

    If `again`, they were played before, by `first`, and must be the same.
    """

    blocks: Sequence[PlayedBlock]
    worker: str
    again: bool = False
    first: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class _Entering:
    """A worker that was asked for its ticket, since when, and the digests of files that it may lack."""

    worker: Worker
    since: float
    digests: Collection[str]


@dataclass(frozen=True, eq=False, slots=True)
class _Sent:
    handout: Handout
    worker: Worker
    since: float
    expected: float


class Coordinator:
    """One league being played by the workers of a scheduler."""

    def __init__(self, job: Job, network: Network) -> None:
        self._job, self._network = job, network
        assignment = assigned(job.league, job.time_limit)
        self._key, self._assignment = assignment.key, assignment.packed()
        self._book, self._recent = Book(job.tasks, job.count), Recent()
        self._ends_sooner = bool(job.league.certainty or job.league.test)
        self._workers: dict[str, Worker] = {}
        self._records: dict[str, MachineWork] = {}
        self._entering: dict[str, _Entering] = {}
        self._digests = [digest for bot in job.league.outside for _name, digest in bot.files]
        self._sent: dict[str, _Sent] = {}
        self._late: set[str] = set()
        self._entries, self._look_clock = 0, Interval(LOOK_SECONDS)
        self._alone_since, self._alone_said, self._checking = monotonic(), False, False

    def answers(self) -> Generator[BlocksAnswer, None, None]:
        """Yield blocks as they come back, until all are played, or those under way after a request to stop.

        Raises Stopped if a block fails on several machines, if all workers are left out, and if the scheduler is gone.
        """
        while not self._finished():
            if self._look_clock.due():
                self._look()
            if not self._job.should_stop():
                self._hand_out()
            for arrival in self._network.arrivals(WAIT_SECONDS):
                yield from self._received(arrival)
        for record in self._records.values():
            record.state = "done" if record.state == "playing" else record.state
        self._job.report(self._shown())

    def _finished(self) -> bool:
        if self._job.should_stop():
            return not any(key not in self._late for key in self._sent)
        if self._ends_sooner and not self._checking and self._book.left and self._job.ended():
            self._check_last()
        return self._book.done

    def _check_last(self) -> None:
        """Drop what is under way, since the league has ended, and let the last blocks be played a second time."""
        self._checking = True
        for key in list(self._sent):
            self._drop(key)
        self._book.check(self._recent.groups())

    def _drop(self, key: str) -> _Sent:
        sent = self._sent.pop(key)
        sent.worker.keys.discard(key)
        self._late.discard(key)
        self._network.forget(key)
        return sent

    # --- workers that come and go ---------------------------------------------------------------

    def _look(self) -> None:
        """Greet workers that have come, and give the blocks of those that are gone to others."""
        seen = self._network.workers()
        for address in [address for address in self._workers if address not in seen]:
            self._vanished(self._workers.pop(address))
        for address, worker in seen.items():
            if address not in self._workers:
                self._greet(address, worker)
        self._find_late()
        self._check_that_some_play()
        self._job.report(self._shown())

    def _greet(self, address: str, seen: Seen) -> None:
        record = self._records.setdefault(seen.machine, MachineWork(seen.name, seen.slots))
        record.name, record.slots = seen.name, seen.slots
        worker = self._workers[address] = Worker(address, seen.machine, record)
        if record.state == "left out":
            return
        if not 0 < seen.slots <= MOST_SLOTS:
            self._leave_out(worker, _("it does not say how many tasks it runs at the same time"))
            return
        record.state = "playing"
        self._ask_ticket(worker, {})

    def _ask_ticket(self, worker: Worker, files: Mapping[str, tuple[int, bytes]]) -> None:
        self._entries += 1
        key = f"tourney-{self._key}-ticket-{worker.address}-{self._entries}-{id(self)}"
        self._entering[key] = _Entering(worker, monotonic(), frozenset(self._digests) - frozenset(files))
        worker.admitted = False
        request = {
            "key": self._key,
            "assignment": self._assignment,
            "program": astuple(this_program()),
            "reference": (0, 0),
            "digests": self._digests,
            "files": dict(files),
            "language": language(),
        }
        self._network.send(worker.address, key, "enter", request)

    def _admit(self, entering: _Entering, arrival: Arrival) -> None:
        """Let a worker play whose ticket shows that it plays as this program does."""
        worker = entering.worker
        if worker.address not in self._workers:
            return
        if arrival.reply is None:
            self._blame_worker(worker, arrival.error)
            if worker.record.state != "left out":
                self._ask_ticket(worker, {})
            return
        try:
            entry = entry_of(arrival.reply, entering.digests)
        except MALFORMED:
            entry = EntryReply(refused=_("its answer is not a ticket"))
        if entry.lacks:
            files = bot_files.packed(self._job.league.outside)
            self._ask_ticket(worker, {digest: file for digest, file in files.items() if digest in entry.lacks})
        elif entry.ticket is None:
            self._leave_out(worker, entry.refused)
        else:
            self._compare(worker, entry.ticket, monotonic() - entering.since)

    def _compare(self, worker: Worker, ticket: Ticket, elapsed: float) -> None:
        """Let a worker play whose ticket shows no difference; it came so many seconds after it was asked for."""
        worker.record.build = ticket.program.build
        differs = difference(ticket, self._job.league.rules_digest, self._job.reference)
        if differs:
            self._leave_out(worker, differs)
        else:
            worker.begin(min(ticket.seconds, elapsed))

    def _leave_out(self, worker: Worker, why: str) -> None:
        """Give a worker nothing more, and what it has to others."""
        worker.record.state, worker.record.why, worker.admitted = "left out", why, False
        for key in list(worker.keys):
            sent = self._drop(key)
            self._book.give_back(sent.handout, [sent.handout.tasks])
        message = _("worker {worker} is left out: {why}").format(worker=worker.record.name, why=why)
        warn(TourneyWarning(message), stacklevel=2)

    def _vanished(self, worker: Worker) -> None:
        """Give what a worker was playing to others, in halves: one of its blocks may have been the cause."""
        for key in [key for key, entering in self._entering.items() if entering.worker is worker]:
            del self._entering[key]
            self._network.forget(key)
        if worker.record.state != "left out":
            worker.record.state = "gone"
        for key in list(worker.keys):
            handout = self._drop(key).handout
            if len(handout.tasks) == 1:
                self._blame_block(worker, handout.group, handout.tasks[0][0], _("the worker ended"))
            self._book.give_back(handout, halves(handout.tasks))

    def _find_late(self) -> None:
        """Let others play what a worker should have answered long ago; whichever answers first is taken."""
        now = monotonic()
        for key, sent in self._sent.items():
            if key not in self._late and now - sent.since > max(LATE_SECONDS, LATE_FACTOR * sent.expected):
                self._late.add(key)
                sent.worker.record.state = "late"
                self._book.give_back(sent.handout, [sent.handout.tasks])

    def _check_that_some_play(self) -> None:
        """Say once that nobody plays. Raises Stopped if all that are there were left out."""
        records = [worker.record for worker in self._workers.values()]
        if records and all(record.state == "left out" for record in records):
            why = "; ".join(f"{record.name}: {record.why}" for record in records)
            raise Stopped(_("no worker is left ({why})").format(why=why))
        if any(worker.admitted for worker in self._workers.values()) or self._entering:
            self._alone_since, self._alone_said = monotonic(), False
        elif monotonic() - self._alone_since > QUIET_SECONDS and not self._alone_said:
            self._alone_said = True
            message = _("no worker is connected to the scheduler: waiting for one")
            warn(TourneyWarning(message), stacklevel=2)

    def _shown(self) -> tuple[LeagueMachine, ...]:
        return tuple([record.shown() for record in self._records.values()])

    # --- blocks that go out and come back -------------------------------------------------------

    def _hand_out(self) -> None:
        """Give every worker that is free its next blocks."""
        playing = [worker for worker in self._workers.values() if worker.admitted and worker.record.state == "playing"]
        for worker in playing:
            while worker.free:
                size = worker.blocks_in(self._seconds_of_a_group(playing))
                handout = self._book.next(size, worker, playing)
                if handout is None:
                    break
                self._send(worker, handout)

    def _seconds_of_a_group(self, playing: Sequence[Worker]) -> float:
        """Return how long a group should take: near the end less, so that nobody waits long for the last one."""
        speed = sum(worker.speed * worker.record.slots for worker in playing)
        left = self._book.left / speed if speed else 0.0
        return min(GROUP_SECONDS, max(LEAST_SECONDS, left / 4))

    def _send(self, worker: Worker, handout: Handout) -> None:
        key = handout.key(self._key)
        self._sent[key] = _Sent(handout, worker, monotonic(), len(handout.tasks) / worker.speed)
        worker.keys.add(key)
        handout.group.players.append(worker.address)
        self._network.send(worker.address, key, "play", self._key, handout.tasks)

    def _received(self, arrival: Arrival) -> Iterator[BlocksAnswer]:
        """Yield the blocks of an arrival; their worker is free again when the caller comes back."""
        entering = self._entering.pop(arrival.key, None)
        if entering is not None:
            self._admit(entering, arrival)
        sent = self._sent.get(arrival.key)
        if sent is None:
            return
        self._free(arrival.key, sent)
        yield from self._answered(sent, arrival)

    def _free(self, key: str, sent: _Sent) -> None:
        if self._sent.pop(key, None) is not None:
            sent.worker.keys.discard(key)
        if key in self._late:
            self._late.discard(key)
            if sent.worker.record.state == "late":
                sent.worker.record.state = "playing"

    def _answered(self, sent: _Sent, arrival: Arrival) -> Iterator[BlocksAnswer]:
        worker, handout, reply = sent.worker, sent.handout, arrival.reply
        if reply is None or is_forgotten(reply):
            self._book.give_back(handout, [handout.tasks])
            if reply is None:
                self._blame_worker(worker, arrival.error)
            elif worker.admitted:
                self._forgotten(worker)
            return
        try:
            played = played_of(reply, self._job.league, handout.tasks)
        except MALFORMED:
            self._book.give_back(handout, [handout.tasks])
            self._leave_out(worker, _("its answer does not have the blocks that were asked for"))
            return
        worker.learn(len(played.blocks), played.hands, min(played.seconds, monotonic() - sent.since))
        yield from self._counted(worker, handout, played.blocks)
        if len(played.blocks) < len(handout.tasks):
            self._failed(worker, handout, len(played.blocks), played.failed)
        else:
            worker.failures = 0

    def _forgotten(self, worker: Worker) -> None:
        """Ask a worker for a ticket that no longer knows the league, as after a restart; again and again it fails."""
        self._blame_worker(worker, _("it does not know the league"))
        if worker.record.state != "left out":
            self._ask_ticket(worker, {})

    def _counted(self, worker: Worker, handout: Handout, blocks: Sequence[PlayedBlock]) -> Iterator[BlocksAnswer]:
        """Yield the blocks that are new, and apart from them those that were played before."""
        group = handout.group
        new: list[PlayedBlock] = []
        again: list[PlayedBlock] = []
        for block in blocks:
            (new if self._book.answered(group, block.number) else again).append(block)
        if new:
            if self._ends_sooner:
                self._recent.add(handout.tasks[: len(blocks)])
            yield BlocksAnswer(new, worker.record.name)
        if again:
            first = next((self._name(player) for player in group.players if player != worker.address), "")
            yield BlocksAnswer(again, worker.record.name, True, first)

    def _name(self, address: str) -> str:
        worker = self._workers.get(address)
        return worker.record.name if worker is not None else address

    def _failed(self, worker: Worker, handout: Handout, played: int, why: str) -> None:
        """Give back the block that failed, alone, and those after it."""
        (number, _first), rest = handout.tasks[played], handout.tasks[played + 1 :]
        self._book.give_back(handout, [[handout.tasks[played]], rest])
        self._blame_block(worker, handout.group, number, why)
        self._blame_worker(worker, _("block {block}: {why}").format(block=number + 1, why=why))

    def _blame_block(self, worker: Worker, group: Group, number: int, why: str) -> None:
        reasons = group.failed.setdefault(number, {})
        reasons[worker.machine] = _("{worker}: {why}").format(worker=worker.record.name, why=why)
        if len(reasons) >= MOST_FAILURES:
            message = _("block {block} failed on {n} workers ({why})")
            raise Stopped(message.format(block=number + 1, n=len(reasons), why="; ".join(reasons.values())))

    def _blame_worker(self, worker: Worker, why: str) -> None:
        worker.failures += 1
        if worker.failures >= MOST_FAILURES and worker.record.state != "left out":
            message = _("it failed {n} times in a row; {why}").format(n=worker.failures, why=why)
            self._leave_out(worker, message)
