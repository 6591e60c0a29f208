"""Tests of `tourney bot check`: each way to fail is found by its probe, and what is allowed is not counted."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness.bots.transcripts import STARTERS
from tests.harness.commands import Runner
from tourney.bots.limits import Limits
from tourney.bots.process import Child
from tourney.bots.program import Program
from tourney.bots.protocol.words import action_text
from tourney.domain.errors import ExitCode
from tourney.domain.league_tables import ProbeResult
from tourney.league.probing import probes, program_probes
from tourney.league.probing.probe import ProbeFinding
from tourney.league.probing.probes import check
from tourney.league.probing.situations import SITUATIONS, Situation, position_of
from tourney.reports.bots import shown_remark
from tourney.text.i18n import speaking

PYTHON = (sys.executable, "-I", "-S")
"""A quick start of Python."""
BASE = (STARTERS / "bot.py").read_text("utf-8")
ANSWER = "say(str(choose(listed)))"
PATIENT = Limits(action=600, bank=0.1, start=600, stderr=1000)
"""Limits that no bot reaches that says something, on the busiest machine."""

Checked = Callable[..., ProbeResult]


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checked:
    """Return what one probe finds in the starter with other text in some places."""

    monkeypatch.setattr(probes, "MOST_SECONDS", 3600.0)

    def run(probe: str, *changes: tuple[str, str], limits: Limits = PATIENT) -> ProbeResult:
        text = BASE.replace("import sys\n", "import sys, time, random\n")
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        (tmp_path / "bot.py").write_text(text, "utf-8")
        results, _untried = check(Program((*PYTHON, "bot.py"), str(tmp_path), limits), only=(probe,))
        return next(result for result in results if result.name == probe)

    return run


@pytest.mark.parametrize(
    ("probe", "before", "after", "detail"),
    [
        ("greeting", 'say("hello 1', 'say("hello 2', "unreadable: the program speaks version 2, not 1"),
        ("one-line", ANSWER, 'say("\\ufeff1")', "unreadable: an answer that begins with a byte order mark"),
        ("one-line", ANSWER, 'say("1" * 10_000_000)', "unreadable: an answer of more than 4096 bytes"),
        ("one-line", ANSWER, 'sys.stdout.buffer.write(b"\\xff\\n"); sys.stdout.flush()', "that is not UTF-8"),
        ("one-line", ANSWER, 'say("999")', "illegal: there is no action 999"),
        ("one-line", ANSWER, 'say("off 7h 9")', "illegal: off 7h 9: "),
        ("one-line", ANSWER, 'say("")', "unreadable: "),
        ("one-line", ANSWER, 'say("1\\n1")', "it says “1” without being asked"),
        ("one-line", ANSWER, "sys.exit(3)", "died: ended with exit code 3"),
        ("one-line", ANSWER, 'say("claims 7x"); say("1")', "unreadable: "),
        ("quiet-when-ready", 'say("ready")', 'say("ready"); say("hi")', "it says “hi” without being asked"),
        (
            "quiet-before-question",
            "words[:1] == [",
            '(words[0] == "cards" and say("1")) or words[:1] == [',
            "it says “1”",
        ),
        ("after-fault", "words = hear().split()", "words = hear().split(); assert words[0] != 'fault'", "died: "),
        ("unknown-lines", "words = hear().split()", "words = hear().split(); assert words[0] != 'weather'", "died: "),
        ("bye-at-once", 'words[:1] == ["bye"]', "False", "it has not ended after 1 s"),
        ("bye-in-hand", 'words[:1] == ["bye"]', "False", "it has not ended after 1 s"),
        ("end-at-once", "        sys.exit()", "        time.sleep(600)", "it has not ended after 1 s"),
    ],
)
def test_each_way_to_fail_is_found_by_its_probe(
    checked: Checked, probe: str, before: str, after: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that nobody asked for are waited for until they come."""
    if detail.startswith("it says"):
        monkeypatch.setattr(program_probes, "QUIET_SECONDS", 600.0)
    result = checked(probe, (before, after))
    assert (result.verdict, detail in shown_remark(result.detail)) == ("failed", True), result


@pytest.mark.parametrize(
    ("probe", "before", "after", "limits"),
    [
        ("greeting", 'say("ready")', "pass", replace(PATIENT, start=0.8)),
        ("greeting", 'say("ready")', "time.sleep(600)", replace(PATIENT, start=0.8)),
        ("one-line", ANSWER, "time.sleep(600)", replace(PATIENT, action=0.2)),
    ],
)
def test_what_does_not_come_is_late(checked: Checked, probe: str, before: str, after: str, limits: Limits) -> None:
    result = checked(probe, (before, after), limits=limits)
    assert (result.verdict, "slow: no answer in time" in shown_remark(result.detail)) == ("failed", True), result


@pytest.mark.parametrize(
    ("probe", "before", "after", "detail"),
    [
        ("greeting", 'line + "\\n"', "line", "has no line feed at its end"),
        ("one-line", ANSWER, 'sys.stdout.write("1"); sys.stdout.flush()', "slow: “1” has no line feed at its end"),
    ],
)
def test_an_answer_that_does_not_end_is_late(
    checked: Checked, probe: str, before: str, after: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is over once a part of the answer is there."""
    read = Child._read
    monkeypatch.setattr(Child, "_read", lambda child, deadline: read(child, 0.0 if child.unended else deadline))
    result = checked(probe, (before, after))
    assert (result.verdict, detail in shown_remark(result.detail)) == ("failed", True), result


@pytest.mark.parametrize(
    ("probe", "before", "after", "detail"),
    [
        ("one-line", 'line + "\\n"', 'line + "\\r\\n"', ""),
        ("one-line", ANSWER, "say('claims 7h'); say('takes all'); say(str(choose(listed)))", ""),
        ("question-in-pieces", "import sys", "import sys", ""),
        ("claim", 'say("claims none")', "pass", "claim"),
        ("claim", "import sys", "import sys", "not asked: its filters answer"),
        ("offer", "import sys", "import sys", "decline"),
    ],
)
def test_what_the_page_allows_passes(checked: Checked, probe: str, before: str, after: str, detail: str) -> None:
    result = checked(probe, (before, after))
    assert (result.verdict, detail in shown_remark(result.detail)) == ("passed", True), result


@pytest.mark.parametrize(
    ("probe", "before", "after", "detail"),
    [
        ("same-again", ANSWER, "say(str(1 + time.time_ns() // 1000 % len(listed)))", "with the same seed"),
        ("standard-error", ANSWER, "sys.stderr.write('x' * 900); sys.stderr.flush(); say('1')", "1000 bytes"),
    ],
)
def test_what_an_author_should_know_is_noted(
    checked: Checked, probe: str, before: str, after: str, detail: str
) -> None:
    result = checked(probe, (before, after))
    assert (result.verdict, detail in shown_remark(result.detail)) == ("noted", True), result


def test_a_program_that_takes_its_time_to_end_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program ends after three looks, each of which takes a tenth of a second."""
    clock = [0.0]
    monkeypatch.setattr(program_probes, "monotonic", lambda: clock[0])
    monkeypatch.setattr(program_probes, "sleep", lambda _seconds: clock.append(clock.pop() + 0.1))

    class Leaving:
        @property
        def gone(self) -> bool:
            return clock[0] > 0.25

    with pytest.raises(ProbeFinding) as found:
        program_probes._check_ends(Leaving())
    said = shown_remark(found.value.detail)
    assert (found.value.verdict, said) == ("noted", "it needs 0.3 s to end; after 0.1 s a league kills it")


def test_a_program_that_is_not_ready_is_probed_no_further(tmp_path: Path) -> None:
    (greeting,), untried = check(Program(("sleep", "600"), str(tmp_path), replace(PATIENT, start=0.8)))
    assert (greeting.name, greeting.verdict, untried >= 40) == ("greeting", "failed", True)


def test_a_program_that_plays_one_family_is_not_asked_about_the_other(checked: Checked) -> None:
    result = checked("knock-draw", ('say("ready")', 'say("families contract"); say("ready")'))
    assert (result.verdict, shown_remark(result.detail)) == ("skipped", "it does not play this family of rules")
    result = checked("knock-draw", ('say("ready")', 'say("seats 2 3"); say("ready")'))
    assert (result.verdict, shown_remark(result.detail)) == ("skipped", "it does not play at tables of this size")


# --- situations ---------------------------------------------------------------------------------------------

SHOWN = {
    "swap": "swap ",
    "move": "move ",
    "lay-off": "off ",
    "close": "close",
    "close-holding": "close ",
    "back": "back",
    "lay-down": "down ",
    "knock": "knock",
    "rummy": "rummy ",
    "knock-take": "take",
    "claim": "claim",
}
"""The beginnings of the actions that situations are about."""


def test_there_are_at_least_30_situations_with_names_of_their_own() -> None:
    names = [situation.name for situation in SITUATIONS]
    assert len(set(names)) == len(names) >= 30


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_a_situation_is_reached_and_has_its_action(situation: Situation) -> None:
    position = position_of(situation)
    if position.offer is not None:
        return
    hand = position.dealt.clone()
    for seat, action in position.actions:
        assert hand.actor == seat
        hand.apply(action)
    assert hand.actor == position.seat
    texts = [action_text(action) for action in hand.legal]
    assert texts
    assert any(text.startswith(SHOWN.get(situation.name, "")) for text in texts)


# --- the command --------------------------------------------------------------------------------------------


def test_a_built_in_bot_and_a_class_pass_at_least_40_probes(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from tourney.bots import Bot\nclass Mine(Bot):\n    def choose(self, view, legal): return legal[0]\n"
    )
    ran = run("bot", "check", "mine.py:Mine", "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["ok"], data["failed"]) == (0, True, 0)
    assert data["passed"] + data["noted"] >= 40
    assert len(data["probes"]) == data["passed"] + data["noted"] + data["skipped"]


def test_a_class_that_fails_ends_with_exit_code_1(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot fails wherever it chooses: it answers the offer, and two games of faults are the same."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("from tourney.bots import Bot\nclass Mine(Bot):\n    def choose(self, *_): exit(0)\n")
    ran = run("bot", "check", "mine.py:Mine")
    assert ran.code == ExitCode.REFUSED
    assert "SystemExit: 0" in ran.out
    assert "40 of 42 probes fail: a league would count faults" in ran.out


@pytest.mark.skipif(not hasattr(os, "fork"), reason="classes play in processes of their own on POSIX systems only")
def test_a_class_is_probed_at_the_level_that_is_asked_for(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The class says in its process that it is not the one that probes it."""
    monkeypatch.chdir(tmp_path)
    text = f"import os\nfrom tourney.bots import Bot\nassert os.getpid() != {os.getpid()}\n"
    Path("mine.py").write_text(f"{text}class Mine(Bot):\n    def choose(self, view, legal): return legal[0]\n")
    data = json.loads(run("bot", "check", "mine.py:Mine", "--isolation", "process", "--json").out)
    assert (data["isolation"], data["ok"], data["passed"] + data["noted"] >= 35) == ("process", True, True)
    refused = run("bot", "check", "mine.py:Mine", "--isolation", "wasm")
    assert (refused.code, "cannot play at the level wasm" in refused.err) == (ExitCode.USAGE, True)
    assert run("bot", "check", "mine.py:Mine", "--isolation", "tight").code == ExitCode.USAGE


def test_after_a_failed_greeting_there_is_one_row(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("bot", "check", "cmd:sleep 0", "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["ok"], data["failed"], len(data["probes"])) == (ExitCode.REFUSED, False, 1, 1)
    assert data["skipped"] >= 40
    shown = run("bot", "check", "cmd:sleep 0").out
    assert shown.count(" bad ") == 1
    assert "It does not answer the greeting: a league would refuse it" in shown


@pytest.mark.parametrize(
    ("entrant", "code", "problem"),
    [
        ("cmd:./missing", ExitCode.USAGE, "cannot be started"),
        ("gredy", ExitCode.NOT_FOUND, "there is no bot “gredy”"),
        ("mine.py:Mine", ExitCode.NOT_FOUND, "there is no file"),
        ("@field.toml", ExitCode.USAGE, "field.toml names 2 bots"),
    ],
)
def test_what_is_no_bot_is_refused(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entrant: str, code: int, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("field.toml").write_text('[[bot]]\nentrant = "greedy"\n[[bot]]\nentrant = "random"\n')
    ran = run("bot", "check", entrant)
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err


@pytest.mark.parametrize(
    ("answer", "english", "spanish"),
    [
        ("sys.exit(3)", "died: ended with exit code 3", "caída: ha terminado con el código de salida 3"),
        ('say("off 7h 9")', "illegal: off 7h 9: ", "ilegal: coloca 7h en 9: solo un jugador que se ha bajado puede"),
    ],
    ids=["died", "illegal"],
)
def test_a_fault_that_a_probe_finds_is_shown_in_the_readers_language(
    answer: str, english: str, spanish: str, checked: Checked
) -> None:
    detail = checked("one-line", (ANSWER, answer)).detail
    assert shown_remark(detail).startswith(english)
    with speaking("es"):
        assert shown_remark(detail).startswith(spanish)
