"""Check that the engine's memory is bounded: games leave nothing behind, and caches keep to their limits."""

import gc
import tracemalloc

import pytest

from engine.play import play_results
from engine.rules import load_rules
from tests.benchmarks.engine import resident_after
from tests.benchmarks.harness.processes import in_processes

OFICIAL = load_rules("oficial")


def test_games_played_again_leave_nothing_behind() -> None:
    """Check that a second game remembers nothing new: memory may differ by less than a hundred bytes a hand."""
    play_all()
    tracemalloc.start()
    try:
        play_all()
        first = traced()
        hands = play_all() + play_all()
        assert traced() - first < 100 * hands
    finally:
        tracemalloc.stop()


def play_all() -> int:
    """Plays the same few games of the seven contracts; how many hands they have."""
    return sum(len(play_results(OFICIAL, ("greedy",) * 4, f"memory {game}").hands) for game in range(4))


def traced() -> int:
    """Bytes that Python holds since it was asked to count, without what is about to go."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.soak
def test_two_hundred_thousand_hands_need_no_more_than_twenty_thousand() -> None:
    """Resident memory of four greedy players, a twentieth more at most."""
    ((before, after),) = in_processes(resident_after, [(20_000, 200_000)])
    assert after <= 1.05 * before
