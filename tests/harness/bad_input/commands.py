"""Command lines and dialogues with bad input, run one after another at a desk, and judged."""

from collections.abc import Iterator

from tests.harness.bad_input.at_a_desk import Desk
from tests.harness.bad_input.cases import Case, cases, dialogues
from tests.harness.bad_input.judged import Judged
from tests.harness.bad_input.running import command_of, without_warning


def lines(desk: Desk, number: int, seed: int) -> Iterator[Judged]:
    """Run so many command lines; yield what became of each."""
    for turn, case in enumerate(cases(seed, number)):
        yield _judged(desk, f"python -m tests.harness.bad_input {seed} {turn}", case)


def answers(desk: Desk, number: int, seed: int) -> Iterator[Judged]:
    """Run so many dialogues; yield what became of each."""
    for turn, case in enumerate(dialogues(seed, number)):
        yield _judged(desk, f"python -m tests.harness.bad_input {seed} {turn} dialogue", case)


def _judged(desk: Desk, again: str, case: Case) -> Judged:
    found, wrong = desk.tried(case)
    refusal = None if not found.code else "" if case.terminal else without_warning(case, found.err)
    return Judged(f"{again}: {command_of(case)}", refusal, found.seconds, tuple(wrong))
