"""Check that the engine's memory is bounded: repeated games allocate nothing more, and caches keep to their limits."""

import gc
import tracemalloc

import pytest

from engine.play import play_results
from engine.rules import load_rules
from tests.benchmarks.engine import resident_after
from tests.benchmarks.harness.processes import in_processes

OFICIAL = load_rules("oficial")


def test_games_played_again_allocate_nothing_more() -> None:
    """Check that playing the same games again allocates less than a hundred bytes a hand."""
    play_all()
    tracemalloc.start()
    try:
        play_all()
        first = traced_bytes()
        hands = play_all() + play_all()
        assert traced_bytes() - first < 100 * hands
    finally:
        tracemalloc.stop()


def play_all() -> int:
    """Play the same four games and return the number of their hands."""
    return sum(len(play_results(OFICIAL, ("greedy",) * 4, f"memory {game}").hands) for game in range(4))


def traced_bytes() -> int:
    """Return the bytes allocated since tracing began, after garbage collection."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.soak
def test_two_hundred_thousand_hands_need_no_more_memory_than_twenty_thousand() -> None:
    """Check that the resident memory of four greedy players grows by a twentieth at most."""
    ((before, after),) = in_processes(resident_after, [(20_000, 200_000)])
    assert after <= 1.05 * before
