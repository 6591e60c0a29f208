"""The event that a command means: its first word, `--event`, or the current one."""

import re
import shlex
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner, all_commands
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, UseEvent
from tourney.service.players import RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound
from tourney.text.sanitize import quote_argument

COMMANDS = dict(all_commands())
OF_AN_EVENT = [
    *[("event", verb) for verb in ("use", "set", "show", "finish", "reopen")],
    *[("event", verb) for verb in ("constrain", "enter", "checkin", "withdraw", "return")],
    *[("round", verb) for verb in ("draw", "show", "move", "dissolve", "cancel", "play", "verify", "clock", "slips")],
    *[("result", verb) for verb in ("enter", "correct", "void", "show")],
    *[("ruling", verb) for verb in ("add", "list", "cancel")],
    *[("print", what) for what in ("slips", "wall", "signs", "standings", "certificates")],
    ("standings",),
    ("status",),
    ("log",),
    ("rating", "whatif"),
    ("rating", "explain"),
]
"""Commands that work on one event, by their words."""


def make_db(path: str) -> None:
    """Create Friday, the current event, with a drawn round, and Saturday, without entrants."""
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


def test_every_command_with_an_argument_event_has_the_option() -> None:
    named = [
        words
        for words, each in COMMANDS.items()
        if any(param.param_type_name == "argument" and "EVENT" in param.metavar for param in each.params)
    ]
    assert {*OF_AN_EVENT} <= {*named}
    for words in named:
        assert "--event" in {name for param in COMMANDS[words].params for name in param.opts}, words


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
    "constrain": ["event", "constrain", "--together", "Ana,Beñat"],
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


def test_a_number_that_is_not_an_event_s_has_a_hint_at_the_option_of_rounds(run: Runner, db: str) -> None:
    refused = run("round", "show", "75", "--db", db)
    assert refused.code == ExitCode.NOT_FOUND
    assert refused.err == (
        "error: no event is called “75”\n"
        "hint: for a round add `--round 75`; `tourney event list` shows the numbers of events\n"
    )


FIRST_WORDS = {
    "the beginning of an event": (["round", "move", "Fri", "Ana", "--out"], "add `--event Friday`"),
    "a misspelt event": (["ruling", "cancel", "Frday", "1", "--reason", "x"], "add `--event Friday`"),
    "half of a name": (["round", "move", "Ana", "Ruiz", "--out"], "a name of several words needs quotes"),
}


@pytest.mark.parametrize(("words", "hint"), FIRST_WORDS.values(), ids=FIRST_WORDS)
def test_a_first_word_that_must_be_an_event_and_is_none_is_answered_with_what_helps(
    run: Runner, db: str, words: list[str], hint: str
) -> None:
    refused = run(*words, "--db", db)
    assert refused.err.startswith(f"error: no event is called “{words[2]}”\nhint: ")
    assert hint in refused.err


def test_one_word_alone_is_the_player_or_the_number_and_not_the_event(run: Runner, db: str) -> None:
    """An event may be called 1: `ruling cancel 1` still means ruling 1 of the current event."""
    apply(db, CreateEvent(EventSettings("1", "oficial")))
    ran: Ran = run("ruling", "cancel", "1", "--reason", "x", "--db", db)
    assert (ran.code, ran.err.splitlines()[0]) == (ExitCode.NOT_FOUND, "error: Friday has no decision 1")


def test_the_event_in_play_stays_the_current_one_when_the_next_is_created(run: Runner, new_db: str) -> None:
    """No event is chosen with `event use`: Friday is meant as the only one, then as the only one in play."""
    desk.event(new_db, 4)
    assert run("round", "draw", "--db", new_db).code == 0
    created = run("event", "new", "Next Friday", "--db", new_db)
    assert 'Friday stays the current event; `tourney event use "Next Friday"`' in " ".join(created.out.split())
    assert "Friday, round 1" in run("round", "show", "--db", new_db).out
    assert run("event", "use", "Next Friday", "--db", new_db).code == 0
    assert run("event", "show", "--json", "--db", new_db).json["name"] == "Next Friday"


def test_without_an_event_in_play_none_is_guessed(run: Runner, new_db: str) -> None:
    """Of two events of which none is drawn, or both are, neither is meant: the hint can be pasted."""
    desk.event(new_db, 4)
    assert "There is no current event" in run("event", "new", "Next Friday", "--db", new_db).out
    for _event in ("nothing drawn", "both in play"):
        refused = run("event", "show", "--db", new_db)
        assert refused.code == ExitCode.NOT_FOUND
        assert "tourney event use" in refused.err
        assert run("event", "enter", "Next Friday", "Ana", "Beñat", "Carmen", "--db", new_db).code == 0
        for event in ("Friday", "Next Friday"):
            assert run("round", "draw", event, "--db", new_db).code == 0


def pasted(run: Runner, db: str, err: str) -> Ran:
    """Run the first command that a hint shows."""
    found = re.search(r"`tourney ([^`]+)`", err)
    assert found, err
    return run(*shlex.split(found[1]), "--db", db)


HINTS = {
    "draw": (["round", "cancel", "--reason", "x"], "round draw", 0),
    "enter a sheet": (["result", "show", "--round", "1", "--table", "1"], "result enter --round 1 --table 1", 2),
    "list rulings": (["ruling", "cancel", "7", "--reason", "x"], "ruling list", 0),
    "show settings": (["event", "set", "--rounds", "3"], "event show", 0),
}


@pytest.mark.parametrize(("words", "command", "code"), HINTS.values(), ids=HINTS)
def test_a_command_in_a_hint_names_the_event_unless_it_is_the_current_one(
    run: Runner, tmp_path: Path, words: list[str], command: str, code: int
) -> None:
    """Paste the hint for the current event, and for one that is not; a name with a quote and a dollar survives."""
    db, event = str(tmp_path / "club.db"), "Fri's $5 night"
    desk.event(db, 4, name=event)
    apply(db, CreateEvent(EventSettings("Other", "oficial")))
    apply(db, UseEvent(event))
    if words[:2] != ["round", "cancel"]:
        apply(db, DrawRound(event))
    current = run(*words, "--db", db).err
    assert f"`tourney {command}`" in current
    apply(db, UseEvent("Other"))
    noun, verb, *rest = command.split(" ")
    named = run(*words, "--event", event, "--db", db).err
    assert " ".join((f"`tourney {noun} {verb} {quote_argument(event)}", *rest)) + "`" in named
    assert pasted(run, db, named).code == code
