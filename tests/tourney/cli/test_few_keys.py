"""Tests of the ten most frequent tasks: their commands run and are short, and the guide has them with their keys."""

from pathlib import Path

import pytest

from tests.harness.pages.keystrokes import LATE, NAMES, PAGE, TASKS, Task, run, table


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_commands_of_a_task_run(task: Task, tmp_path: Path) -> None:
    for command, code, output in run(task, tmp_path):
        assert code == 0, f"{command}: {output}"


def test_there_are_ten_tasks_and_none_takes_more_keys_than_before() -> None:
    assert len(TASKS) == 10
    assert [task.name for task in TASKS if task.keys > task.keys_before] == []


def test_no_task_takes_more_than_two_commands_or_a_name_typed_in_full() -> None:
    """Only the new event's name has to be typed."""
    assert max(len(task.now) for task in TASKS) <= 2
    typed = {word for task in TASKS for line in (*task.now, *task.typed) for word in line.split()}
    assert typed.isdisjoint({*NAMES, LATE})


def test_a_key_is_a_character_or_enter() -> None:
    """`tourney` has seven letters, and a line that is typed into a question is counted with its Enter."""
    assert Task("", ("tourney",), ()).keys == 8
    assert Task("", ("tourney",), ("ab",), typed=("", "0 5")).keys == 8 + 1 + 4


def test_the_page_has_the_table_as_it_is_counted() -> None:
    assert table() in PAGE.read_text(encoding="utf-8")
