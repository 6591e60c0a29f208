"""Tests of leagues on a scheduler, with workers in this process that play, vanish, answer late, twice or wrongly.

The expected hash is that of the same league played by one process of this computer, which shares no code with the
coordinator. Groups have three blocks.
"""

import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.cluster.fake_network import FakeWorker, Hands, Reply, Twist, other, scheduler_of
from tests.harness.leagues.lines import more_points
from tests.harness.leagues.small_league import LEAGUE
from tourney.domain.errors import ExitCode, TourneyWarning
from tourney.domain.league_tables import LeagueMachine, LeagueProgress, LeagueTable
from tourney.domain.leagues import League, PlaySettings
from tourney.service import database
from tourney.service.leagues import leagues, play
from tourney.service.leagues.cluster import coordinator, machines
from tourney.service.leagues.cluster.ticket import this_program
from tourney.text.signals import ENDINGS, listening

ON = PlaySettings(on="fake:x")
GROUP = 3
LONGER = replace(LEAGUE, blocks=20)


@pytest.fixture(autouse=True)
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines.Worker, "blocks_in", lambda _worker, _seconds: GROUP)
    monkeypatch.setattr(machines.Interval, "due", lambda _clock: True)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> LeagueTable:
    return leagues.run(str(tmp_path_factory.mktemp("alone") / "club.db"), LONGER)


def kept(db: str) -> list[int]:
    """Return the numbers of the blocks that are kept, twice if they are there twice."""
    return [number for (number,) in desk.query(db, "SELECT block FROM league_block ORDER BY block")]


def assert_whole(db: str, table: LeagueTable, alone: LeagueTable) -> None:
    """Assert that a league is the one that was played alone, with every block once."""
    assert (table.hash, table.verdict) == (alone.hash, "played")
    assert kept(db) == list(range(alone.blocks))
    assert database.check(db).problems == ()


Played = Callable[[Mapping[str, FakeWorker]], dict[str, LeagueMachine]]


@pytest.fixture
def play_on(db: str, alone: LeagueTable, monkeypatch: pytest.MonkeyPatch) -> Played:
    """Play the league on these workers to the end of one that was played alone, and return the machines by name."""

    def played(workers: Mapping[str, FakeWorker]) -> dict[str, LeagueMachine]:
        with scheduler_of(monkeypatch, workers):
            assert_whole(db, leagues.run(db, LONGER, ON), alone)
        return {machine.name: machine for machine in leagues.status(db).machines}

    return played


@pytest.mark.parametrize("number", [1, 2, 5])
def test_any_number_of_workers_plays_the_league_that_one_process_plays(
    number: int, db: str, alone: LeagueTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = {f"w{n}": FakeWorker(slots=n + 1) for n in range(number)}
    with scheduler_of(monkeypatch, workers) as network:
        assert_whole(db, leagues.run(db, LONGER, ON), alone)
    assert network.closed
    table = leagues.status(db)
    assert {machine.name for machine in table.machines} == set(workers)
    assert all(machine.state == "done" and machine.build == this_program().build for machine in table.machines)


def test_a_worker_gets_no_more_blocks_before_those_it_has_played_are_kept(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at from outside: whenever blocks are handed out, everything that was answered is in the file."""
    worker = FakeWorker()

    def watch() -> None:
        if worker.played:
            assert set(worker.played) <= set(kept(db))

    with scheduler_of(monkeypatch, {"w": worker}, watch):
        leagues.run(db, LONGER, ON)
    assert len(worker.played) > 19


def test_the_last_fiftieth_of_the_blocks_is_played_by_two_workers(play_on: Played) -> None:
    """Of 19 blocks (the first one is the reference) that is one, the last."""
    workers = {"a": FakeWorker(), "b": FakeWorker()}
    play_on(workers)
    played = workers["a"].played + workers["b"].played
    assert sorted(played) == [*range(1, 20), 19]
    assert 19 in workers["a"].played
    assert 19 in workers["b"].played


def test_a_block_that_ends_otherwise_a_second_time_stops_the_league_and_shows_both_lines(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second worker adds a point to a player and to the totals, so that the line is one of the league."""

    def falsify(reply: Reply) -> Reply:
        return {**reply, "blocks": [(more_points(text), *rest) for text, *rest in reply["blocks"]]}

    workers = {"a": FakeWorker(), "b": FakeWorker(blocks=lambda reply: falsify(reply))}
    shown = pytest.warns(TourneyWarning, match=r"block 20 as (a|b) played it: \[1,19,")
    refused = desk.refused(ExitCode.CONFLICT, "block 20 of league 1 was played twice, by ", "record 1")
    with scheduler_of(monkeypatch, workers), shown as lines, refused:
        leagues.run(db, LONGER, ON)
    assert len([line for line in lines if "played it: [1,19," in str(line.message)]) == 2
    assert kept(db) == list(range(20))


def sources(reply: Reply) -> Reply:
    program = reply["ticket"][0]
    return other(reply, 0, (program[0], "0" * 64, *program[2:]))


def version(reply: Reply) -> Reply:
    return other(reply, 0, ("0.1.9", *reply["ticket"][0][1:]))


DIFFERENT = {
    "another version": (version, "its program is 0.1.9, this one is "),
    "another engine": (sources, "has different sources (000000000000, here "),
    "a changed rule file": (lambda reply: other(reply, 1, "1" * 64), "its rules are different (111111111111, here "),
    "another outcome": (
        lambda reply: other(reply, 2, more_points(reply["ticket"][2])),
        "it plays the reference block differently (hash ",
    ),
    "nonsense": (lambda _reply: {"ticket": 5}, "its answer is not a ticket"),
    "an endless time": (lambda reply: other(reply, 3, 10**400), "its answer is not a ticket"),
    "a time below 0": (lambda reply: other(reply, 3, -1), "its answer is not a ticket"),
    "files of its own choice": (lambda _reply: {"lacks": [1]}, "its answer is not a ticket"),
    "files again and again": (lambda _reply: {"lacks": []}, "its answer is not a ticket"),
    "a refusal of another form": (lambda _reply: {"refused": {"a": 1}}, "its answer is not a ticket"),
    "a refusal": (lambda _reply: {"refused": "the level sandbox does not hold here"}, "sandbox does not hold"),
}


@pytest.mark.parametrize(("twist", "why"), DIFFERENT.values(), ids=DIFFERENT)
def test_a_worker_that_differs_is_named_and_left_out_and_the_league_goes_on(
    twist: Twist, why: str, play_on: Played
) -> None:
    workers = {"good": FakeWorker(), "bad": FakeWorker(ticket=twist)}
    with pytest.warns(TourneyWarning, match="worker bad is left out") as warned:
        machine = play_on(workers)["bad"]
    assert why in str(warned[0].message)
    assert workers["bad"].played == []
    assert (machine.state, machine.blocks, why in machine.why) == ("left out", 0, True)


def test_the_other_build_of_the_same_sources_plays(play_on: Played) -> None:
    def compiled(reply: Reply) -> Reply:
        program = reply["ticket"][0]
        return other(reply, 0, (*program[:2], "compiled", "3.13.1"))

    assert play_on({"w": FakeWorker(ticket=compiled)})["w"].build == "compiled"


def test_a_league_whose_workers_all_differ_stops_and_says_in_what(
    db: str, alone: LeagueTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = desk.refused(ExitCode.REFUSED, "no worker is left (w: its program is 0.1.9", "resume 1 --on fake:x")
    with scheduler_of(monkeypatch, {"w": FakeWorker(ticket=version)}), pytest.warns(TourneyWarning), refused:
        leagues.run(db, LONGER, ON)
    assert kept(db) == [0]
    assert_whole(db, leagues.resume(db), alone)


def test_blocks_of_workers_that_vanish_are_played_by_others(play_on: Played) -> None:
    workers = {"short-1": FakeWorker(life=1), "short-2": FakeWorker(life=1), "short-3": FakeWorker(life=2)}
    machines = play_on({**workers, "long": FakeWorker()})
    states = {name: machine.state for name, machine in machines.items()}
    assert states == {**dict.fromkeys(workers, "gone"), "long": "done"}


def blocks(change: Callable[[list[tuple[str, list, list]]], object]) -> Twist:
    """Return what gives a reply other blocks, each with its text, its faults and its records."""
    return lambda reply: {**reply, "blocks": change(reply["blocks"])}


def fault(*fields: object) -> Twist:
    """Return what gives each block of a reply this fault."""
    return blocks(lambda played: [(text, [fields], records) for text, _faults, records in played])


def record(*fields: object) -> Twist:
    """Return what gives each block of a reply this record."""
    return blocks(lambda played: [(text, faults, [fields]) for text, faults, _records in played])


def said(**fields: object) -> Twist:
    """Return what gives a reply these fields."""
    return lambda reply: {**reply, **fields}


WRONG = {
    "no blocks": said(blocks=[]),
    "fewer blocks": blocks(lambda played: played[1:]),
    "more blocks": blocks(lambda played: [*played, *played]),
    "blocks in another order": blocks(lambda played: played[::-1]),
    "no text": blocks(lambda played: [("nonsense", *rest) for _text, *rest in played]),
    "a text with a blank": blocks(lambda played: [(text.replace(",", ", ", 1), *rest) for text, *rest in played]),
    "no seconds": said(seconds="soon"),
    "endless seconds": said(seconds=10**400),
    "seconds below 0": said(seconds=-1.5),
    "too many seconds": said(seconds=1e300),
    "no reason": said(failed=["why"]),
    "a number as a block": said(blocks=[7]),
    "a text as its blocks": said(blocks="abc"),
    "a million blocks": said(blocks=[None] * 1_000_000),
    "a fault with a huge number": fault(0, 10**30, 0, "what", "trace"),
    "a fault of another form": fault(0, 0, 0, "what"),
    "a fault in half a letter": fault(0, 0, 0, "\ud800", "trace"),
    "a fault of 100,000 letters": fault(0, 0, 0, "x" * 100_000, "trace"),
    "a fault of a bot by its name": fault(0, 0, True, "what", "trace"),
    "a record in half a letter": record(0, "\udfff"),
    "a number as a record": record(0, 5),
    "no blocks at all": lambda _reply: {},
    "games that the block does not have": fault(99, 0, 0, "what", "trace"),
}


@pytest.mark.parametrize("twist", WRONG.values(), ids=WRONG)
def test_a_worker_that_answers_wrongly_is_left_out_and_its_blocks_are_played_by_others(
    twist: Twist, play_on: Played
) -> None:
    """Both have a group before one ends; in the last group, of one block, order and number may be right by chance."""
    with pytest.warns(TourneyWarning, match="worker bad is left out: its answer does not have"):
        play_on({"bad": FakeWorker(blocks=twist), "good": FakeWorker()})


@pytest.mark.parametrize("slots", [0, -3, 10**9])
def test_a_worker_with_an_impossible_number_of_tasks_is_left_out(slots: int, play_on: Played) -> None:
    workers = {"bad": FakeWorker(slots=slots), "good": FakeWorker()}
    with pytest.warns(TourneyWarning, match="worker bad is left out: it does not say how many tasks"):
        play_on(workers)
    assert workers["bad"].played == []


@pytest.mark.parametrize("seconds", [0, 5e-324, 9_999_999])
def test_the_time_that_a_worker_claims_is_bounded_by_what_is_measured_here(
    seconds: float, play_on: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The greatest time a worker may claim would let it never be late, and the least one would have no end of speed."""
    lying = FakeWorker(ticket=lambda reply: other(reply, 3, seconds), blocks=said(seconds=seconds))
    seen: list[float] = []
    learn = machines.Worker.learn

    def watched(worker: machines.Worker, *given: float) -> None:
        learn(worker, *given)
        seen.append(worker.speed)

    monkeypatch.setattr(machines.Worker, "learn", watched)
    (machine,) = play_on({"lying": lying}).values()
    assert all(1 / 60 < speed <= 3e6 for speed in seen)
    assert (machine.state, machine.hands > 0) == ("done", True)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold every worker to be late at once."""
    monkeypatch.setattr(coordinator, "LATE_SECONDS", 0.0)
    monkeypatch.setattr(coordinator, "LATE_FACTOR", 0.0)


def test_blocks_of_a_worker_that_never_answers_are_played_by_another(play_on: Played, hasty: None) -> None:
    machine = play_on({"late": FakeWorker(blocks=lambda _reply: None), "good": FakeWorker()})["late"]
    assert (machine.state, machine.blocks) == ("late", 0)


def test_a_group_that_comes_twice_counts_once(play_on: Played, hasty: None) -> None:
    """Each group goes to several workers and is answered by all of them."""
    workers = {name: FakeWorker() for name in "abc"}
    play_on(workers)
    assert sum(len(worker.played) for worker in workers.values()) > 20


def fails_at(block: int, times: int = 1_000_000):
    """Return what raises an error inside the player at a block, so many times."""
    left = [times]

    def twist(reply: Reply) -> Reply:
        numbers = [int(text[3 : text.index(",", 3)]) for text, *_rest in reply["blocks"]]
        if block not in numbers or not left[0]:
            return reply
        left[0] -= 1
        return {**reply, "blocks": reply["blocks"][: numbers.index(block)], "failed": "Broken: a fault"}

    return twist


def test_a_block_that_fails_on_three_machines_is_named_as_the_cause(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = {name: FakeWorker(blocks=fails_at(7)) for name in "abcd"}
    message = "block 8 failed on 3 workers ("
    with scheduler_of(monkeypatch, workers), desk.refused(ExitCode.REFUSED, message, "league resume 1 --on fake:x"):
        leagues.run(db, LONGER, ON)
    assert 7 not in kept(db)


def test_a_block_that_fails_on_one_machine_only_is_played_by_another(play_on: Played) -> None:
    workers = {"bad": FakeWorker(blocks=fails_at(2)), "good": FakeWorker()}
    play_on(workers)
    assert 2 in workers["good"].played


def test_a_block_that_always_fails_on_the_only_machine_is_that_machines_fault(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = "no worker is left (w: it failed 3 times in a row; block 8: Broken: a fault)"
    with (
        scheduler_of(monkeypatch, {"w": FakeWorker(blocks=fails_at(7))}),
        pytest.warns(TourneyWarning, match="worker w is left out"),
        desk.refused(ExitCode.REFUSED, message, "league resume 1 --on fake:x"),
    ):
        leagues.run(db, LONGER, ON)


def test_three_workers_of_one_machine_do_not_make_a_block_the_cause(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = {name: FakeWorker(blocks=fails_at(7), machine="pc") for name in "abc"}
    with (
        scheduler_of(monkeypatch, workers),
        pytest.warns(TourneyWarning, match="is left out: it failed 3 times in a row"),
        desk.refused(ExitCode.REFUSED, "no worker is left"),
    ):
        leagues.run(db, LONGER, ON)


def test_a_task_that_raises_an_error_is_tried_again(play_on: Played) -> None:
    calls: list[Hands] = []

    def raise_twice(tasks: Hands) -> None:
        calls.append(tasks)
        if len(calls) in (2, 4):
            raise ValueError("not enough memory")

    play_on({"w": FakeWorker(before=raise_twice)})


@pytest.mark.parametrize("lost", [2, 3])
def test_a_ticket_that_is_lost_on_its_way_is_asked_for_again_twice(lost: int, play_on: Played) -> None:
    left = iter(range(lost))

    def losing(ticket: Reply) -> Reply:
        if next(left, None) is not None:
            raise ValueError("no answer for 30 seconds")
        return ticket

    left_out = pytest.warns(TourneyWarning, match="losing is left out: it failed 3 times in a row; no answer for 30")
    is_out = lost == coordinator.MOST_FAILURES
    with left_out if is_out else nullcontext():
        machines = play_on({"losing": FakeWorker(ticket=losing), "honest": FakeWorker()})
    states = {name: machine.state for name, machine in machines.items()}
    assert states == {"honest": "done", "losing": "left out" if is_out else "done"}


def test_a_worker_that_was_started_again_shows_its_ticket_again(
    db: str, alone: LeagueTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is another one, at the same address."""
    worker, calls = FakeWorker(), []

    def forget_once(reply: Reply) -> Reply:
        calls.append(reply)
        if len(calls) == 2:
            worker.player = None
            return {"unknown": True}
        return reply

    worker.blocks = forget_once
    with scheduler_of(monkeypatch, {"w": worker}) as network:
        assert_whole(db, leagues.run(db, LONGER, ON), alone)
    assert [function for _worker, function, _given in network.sent].count("enter") == 2


def test_a_worker_that_never_knows_the_league_is_left_out(play_on: Played) -> None:
    """The worker shows its ticket each time, and would otherwise be asked for ever."""

    def forgetting(_reply: Reply) -> Reply:
        return {"unknown": True}

    with pytest.warns(TourneyWarning, match="forgetful is left out: it failed 3 times in a row; it does not know"):
        machines = play_on({"forgetful": FakeWorker(blocks=forgetting), "honest": FakeWorker()})
    assert {name: machine.state for name, machine in machines.items()} == {"honest": "done", "forgetful": "left out"}


def test_a_league_that_ends_when_the_order_is_certain_ends_at_the_same_block(
    db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last blocks, two of the 64, are played a second time, too, when the league has ended."""
    league = League(("greedy", "random"), "oficial", 2, "1", 80, certainty="0.95")
    expected = leagues.run(str(tmp_path / "alone.db"), league)
    workers = {"a": FakeWorker(), "b": FakeWorker()}
    with scheduler_of(monkeypatch, workers):
        table = leagues.run(db, league, ON)
    assert (table.hash, table.blocks, table.verdict) == (expected.hash, expected.blocks, "certain")
    played: Sequence[int] = workers["a"].played + workers["b"].played
    assert len(played) > len(set(played))


def stop_after(blocks: int):
    """Return a display of the progress that presses Ctrl-C after so many blocks, once."""
    pressed: list[int] = []

    def progress(now: LeagueProgress) -> None:
        if now.done >= blocks and not pressed:
            pressed.append(now.done)
            signal.raise_signal(signal.SIGINT)

    return progress


@pytest.mark.parametrize(("first", "second"), [(ON, PlaySettings()), (PlaySettings(), ON), (ON, ON)])
def test_an_interrupted_league_is_resumed_there_or_here(
    first: PlaySettings, second: PlaySettings, db: str, alone: LeagueTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "PROGRESS_SECONDS", -1.0)
    resume = f"`tourney league resume 1 {'--on fake:x' if first.on else '--workers 1'} --db {db}`"
    with scheduler_of(monkeypatch, {"w": FakeWorker()}):
        with listening(*ENDINGS), desk.refused(ExitCode.INTERRUPTED, "of 20 blocks of league 1 are kept", resume):
            leagues.run(db, LONGER, first, stop_after(5))
        assert 5 <= leagues.status(db).blocks < 12
        assert_whole(db, leagues.resume(db, 1, second), alone)


def test_bots_join_a_league_on_a_scheduler(db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = leagues.run(str(tmp_path / "alone.db"), replace(LEAGUE, bots=("greedy", "random", "planner")))
    with scheduler_of(monkeypatch, {"a": FakeWorker(), "b": FakeWorker()}):
        leagues.run(db, LEAGUE, ON)
        assert leagues.join(db, leagues.Joining(["planner"]), ON).hash == expected.hash


@pytest.mark.parametrize("hands", [10**400, -1, "many"])
def test_hands_are_counted_here_whatever_a_worker_says(
    hands: object, db: str, alone: LeagueTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []
    for number, fields in enumerate(({}, {"hands": hands})):
        db = f"{db}-{number}"
        with scheduler_of(monkeypatch, {"w": FakeWorker(blocks=said(**fields))}):
            assert_whole(db, leagues.run(db, LONGER, ON), alone)
        counted.append([machine.hands for machine in leagues.status(db).machines])
    assert counted[0] == counted[1]
