"""Tests of bad input of every kind for every argument, option, file and question: it is refused shortly and at once."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.harness.bad_input.cases import Case, cases, dialogues, targets

if sys.platform == "win32":
    pytest.skip("limits of processor time need POSIX signals", allow_module_level=True)

from tests.harness.bad_input.at_a_desk import Desk, at_a_desk
from tests.harness.bad_input.running import command_of

EVERY_RUN = 1_250
DIALOGUES = 60
NIGHTLY = 20


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Desk]:
    with at_a_desk(tmp_path) as desk:
        yield desk


def refuse_faults(club: Desk, seed: int, inputs: Iterable[Case]) -> None:
    """Fail with the commands that were not answered as they should be; seed and turn run one of them again.

    The message is ASCII, since half of a character in it would end the whole run of pytest-xdist.
    """
    found = [
        ascii(f"{', '.join(wrong)}: python -m tests.harness.bad_input {seed} {turn}: {command_of(case)}")
        for turn, case in enumerate(inputs)
        if (wrong := club.tried(case)[1])
    ]
    assert not found, "\n".join(found)


def test_a_thousand_bad_inputs_are_refused_in_two_short_lines_and_change_nothing(club: Desk) -> None:
    """There is no traceback, no fault, no undocumented exit code; a refusal takes at most 2 s of processor time."""
    refuse_faults(club, 1, cases(1, EVERY_RUN))


def test_bad_answers_at_a_terminal_end_in_no_fault(club: Desk) -> None:
    refuse_faults(club, 1, dialogues(1, DIALOGUES))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 2 + NIGHTLY))
def test_twenty_thousand_bad_inputs_are_refused(club: Desk, seed: int) -> None:
    refuse_faults(club, seed, cases(seed, EVERY_RUN))
    refuse_faults(club, seed, dialogues(seed, DIALOGUES))


def test_every_parameter_of_every_command_has_its_turn_in_each_run() -> None:
    """A case begins with the words of its command, and each target is one parameter of one command."""
    assert len(targets()) <= EVERY_RUN
    seen = [" ".join(case.words) for case in cases(1, len(targets()))]
    for target in targets():
        option = target.parameter.opts[0] if target.parameter.param_type_name == "option" else ""
        assert any(words.startswith(target.command) and option in words for words in seen), target


def test_the_language_has_its_turn_on_the_command_line_and_in_the_environment() -> None:
    run = list(cases(1, EVERY_RUN))
    assert sum("--lang" in case.words for case in run) >= 20
    assert sum(bool(case.language) for case in run) >= 20


def test_the_same_seed_makes_the_same_input() -> None:
    assert list(cases(7, 50)) == list(cases(7, 50))
    assert list(cases(7, 50)) != list(cases(8, 50))
    assert list(dialogues(7, 9)) == list(dialogues(7, 9))


def test_a_fault_is_found(club: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that fails is named, in a message that every encoding has."""

    def fail(*_words: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("tourney.cli.framework.app._refuse_long", fail)
    assert club.tried(Case(["player", "list"]))[1] == ["is a bug in tourney"]
    with pytest.raises(AssertionError) as failed:
        refuse_faults(club, 7, [Case(["player", "list", "--search", "Be\xf1at\ud800"])])
    assert str(failed.value).isascii()
    assert "bad_input 7 0: tourney player list --search 'Be\\xf1at\\ud800'" in str(failed.value)
