"""Tests of entering and leaving a second time: the title says that nothing has changed, not that 0 players did it."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner

TWICE = {
    "event enter Ana": ["Friday: nobody new, 4 in all", "", "entered already: Ana"],
    "event withdraw Ana": ["Friday: nothing has changed", "", "left before: Ana"],
    "event checkin Ana": ["Friday: nothing has changed"],
}


@pytest.mark.parametrize("command", TWICE)
def test_what_is_done_already_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 4, checkin="required" if "checkin" in command else "not asked")
    run = Runner(capsys)
    for _time in range(2):
        done = run(*command.split(), "--db", db)
    assert done.code == 0
    assert done.out.splitlines()[: len(TWICE[command])] == TWICE[command]
