"""Tests of entering and leaving a second time: the title says that nothing has changed, not that 0 players did it."""

import pytest

from tests.harness import desk
from tests.harness.commands import Runner

TWICE = {
    "event enter Ana": ["Friday: nobody new, 4 in all", "", "entered already: Ana"],
    "event withdraw Ana": ["Friday: nothing has changed", "", "left before: Ana"],
    "event checkin Ana": ["Friday: nothing has changed"],
}


@pytest.mark.parametrize("command", TWICE)
def test_what_is_done_already_changes_nothing(db: str, run: Runner, command: str) -> None:
    desk.event(db, 4, checkin="required" if "checkin" in command else "not asked")
    for _time in range(2):
        done = run(*command.split(), "--db", db)
    assert done.code == 0
    assert done.out.splitlines()[: len(TWICE[command])] == TWICE[command]
