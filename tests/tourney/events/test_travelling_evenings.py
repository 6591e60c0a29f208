"""Random evenings exported, imported elsewhere and exported again: the same file, and the same to be seen.

The evenings are those of `test_evening_machine`, whose own checks are left out here.
"""

import shutil

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import initialize, invariant, precondition, run_state_machine_as_test

from tests.harness import desk
from tests.harness.evening.checked_evening import EVENTS, make_evening
from tests.harness.round_trip import there_and_back
from tests.tourney.events.test_evening_machine import Evening

TRAVELS: list[str] = []
"""The files of all events that have travelled."""


class TravellingEvening(Evening):
    """An evening of which an event is exported and imported at the end, the second where two people are known."""

    @initialize()
    def begin(self) -> None:
        """Begin the evening, without a mirror."""
        desk.copied(self.db, make_evening)

    @precondition(lambda self: self.changed)
    @invariant()
    def what_is_shown_is_what_the_journal_gives(self) -> None:
        """Read the tables from which the next change is chosen."""
        self._fold()
        self.changed = False

    def teardown(self) -> None:
        try:
            at = len(TRAVELS) % 2
            TRAVELS.append(there_and_back(self.db, self.folder, EVENTS[at], ("Somebody", "P3", "P5") if at else ()))
        finally:
            shutil.rmtree(self.folder)


def _travel(evenings: int, steps: int, number: int) -> None:
    """Let so many evenings of `steps` changes travel, chosen by the seed `number` and the sources."""
    TRAVELS.clear()
    profile = settings(
        max_examples=evenings,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),  # a shorter evening with the same fault would take minutes to find
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(number)(TravellingEvening), settings=profile)
    assert len(TRAVELS) >= evenings


def test_ten_evenings_travel_unchanged() -> None:
    _travel(10, 6, 0)


@pytest.mark.slow
def test_forty_long_evenings_travel_unchanged() -> None:
    _travel(40, 50, 1)


@pytest.mark.soak
@pytest.mark.parametrize("quarter", range(4))
def test_a_thousand_evenings_travel_unchanged(quarter: int) -> None:
    """Four tests of 250 evenings, which may run at once."""
    _travel(250, 50, 2 + quarter)
