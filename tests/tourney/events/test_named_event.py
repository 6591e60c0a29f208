"""The event that a command means: its first word, `--event`, or the current one."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner, all_commands
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, UseEvent
from tourney.service.people.players import RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound

COMMANDS = dict(all_commands())
OF_AN_EVENT = [
    *[("event", verb) for verb in ("use", "set", "show", "finish", "reopen")],
    *[("event", verb) for verb in ("constrain", "enter", "checkin", "withdraw", "return")],
    *[("round", verb) for verb in ("draw", "show", "move", "cancel", "play", "verify", "clock", "slips")],
    *[("result", verb) for verb in ("enter", "correct", "void", "show")],
    *[("ruling", verb) for verb in ("add", "list", "cancel")],
    ("standings",),
    ("log",),
    ("rating", "whatif"),
    ("rating", "explain"),
]
"""Every command that works on one event, by its words."""


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Create Friday, the current event, with a drawn round, and Saturday, without entrants."""
    return desk.copied(tmp_path / "club.db", _make)


def _make(path: str) -> None:
    desk.event(path, 4)
    apply(path, UseEvent("Friday"))
    apply(path, DrawRound("Friday"))
    apply(path, CreateEvent(EventSettings("Saturday", "oficial")))
    apply(path, RegisterPlayers(["Elena", "Félix"]))


def shown(run: Runner, db: str, event: str) -> list[str]:
    """Return the entrants of an event."""
    return list(run("event", "show", event, "--json", "--db", db).json["entrants"])


@pytest.mark.parametrize("words", OF_AN_EVENT, ids=" ".join)
def test_every_command_of_an_event_has_the_option_event(words: tuple[str, ...]) -> None:
    assert "--event" in {name for param in COMMANDS[words].params for name in param.opts}


def test_no_other_argument_is_called_event() -> None:
    """An argument EVENT without the option would be a command missing in the list above."""
    named = [words for words, each in COMMANDS.items() if any("EVENT" in (p.metavar or "") for p in each.params)]
    assert sorted(named) == sorted(OF_AN_EVENT)


ENTRIES = {
    "the current event": (["Elena"], "Friday"),
    "the first word": (["saturday", "Elena"], "Saturday"),
    "the option": (["Elena", "--event", "Saturday"], "Saturday"),
    "both": (["Saturday", "Elena", "--event", "SATURDAY"], "Saturday"),
    "the option before": (["--event", "Saturday", "Elena"], "Saturday"),
}


@pytest.mark.parametrize(("words", "event"), ENTRIES.values(), ids=ENTRIES)
def test_players_are_entered_into_the_event_that_is_meant(run: Runner, db: str, words: list[str], event: str) -> None:
    ran = run("event", "enter", *words, "--db", db)
    assert (ran.code, ran.err) == (0, "")
    other = {"Friday": "Saturday", "Saturday": "Friday"}[event]
    assert "Elena" in shown(run, db, event)
    assert "Elena" not in shown(run, db, other)


WHOLE_COMMANDS = {
    "constrain": ["event", "constrain", "--apart", "Ana,Beñat"],
    "checkin": ["event", "checkin", "Ana"],
    "withdraw": ["event", "withdraw", "Ana", "Carmen"],
    "return": ["event", "return", "Ana"],
    "move": ["round", "move", "Ana", "--with", "Beñat"],
    "ruling": ["ruling", "cancel", "1", "--reason", "appeal"],
}


@pytest.mark.parametrize("words", WHOLE_COMMANDS.values(), ids=WHOLE_COMMANDS)
def test_a_command_without_an_event_means_the_current_one(run: Runner, db: str, words: list[str]) -> None:
    """Saturday has neither entrants, rounds nor rulings, so that all of this is possible only in Friday."""
    penalty = ["--kind", "penalty", "--player", "Ana", "--points", "20", "--reason", "late"]
    assert run("ruling", "add", *penalty, "--db", db).code == 0
    plain = run(*words, "--dry-run", "--json", "--db", db)
    assert plain.code == 0, plain.err
    named = run(*words[:2], "Friday", *words[2:], "--dry-run", "--json", "--db", db)
    assert named == plain
    assert run(*words, "--event", "Friday", "--dry-run", "--json", "--db", db) == plain
    assert run(*words, "--event", "Saturday", "--dry-run", "--db", db).code in (ExitCode.NOT_FOUND, ExitCode.REFUSED)


REFUSED = {
    "another event": (["event", "withdraw", "Friday", "Ana", "--event", "Saturday"], ExitCode.USAGE),
    "another event of few words": (["round", "move", "Friday", "Ana", "--out", "--event", "Saturday"], ExitCode.USAGE),
    "another event for a report": (["standings", "Friday", "--event", "Saturday"], ExitCode.USAGE),
    "an event alone": (["event", "withdraw", "Friday"], ExitCode.USAGE),
    "a prefix of an event": (["event", "withdraw", "Fri", "Ana"], ExitCode.NOT_FOUND),
    "a name in two words": (["round", "move", "Ana", "Ruiz", "--out"], ExitCode.NOT_FOUND),
    "too many words": (["round", "move", "Friday", "Ana", "Ruiz", "--out"], ExitCode.USAGE),
    "a number in two words": (["ruling", "cancel", "Friday", "1", "2", "--reason", "x"], ExitCode.USAGE),
}


@pytest.mark.parametrize(("words", "code"), REFUSED.values(), ids=REFUSED)
def test_an_unclear_event_is_refused_in_one_line_with_a_hint(
    run: Runner, db: str, words: list[str], code: ExitCode
) -> None:
    before = run("log", "--json", "--db", db)
    ran = run(*words, "--db", db)
    assert ran.code == code
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["error", "hint"]
    assert run("log", "--json", "--db", db) == before


def test_one_word_alone_is_the_player_or_the_number_and_not_the_event(run: Runner, db: str) -> None:
    """An event may be called 1: `ruling cancel 1` still means ruling 1 of the current event."""
    apply(db, CreateEvent(EventSettings("1", "oficial")))
    ran: Ran = run("ruling", "cancel", "1", "--reason", "x", "--db", db)
    assert (ran.code, ran.err.splitlines()[0]) == (ExitCode.NOT_FOUND, "error: Friday has no ruling 1")
