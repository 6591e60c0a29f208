"""Names are found exactly, by number and by their beginning; wrong ones are refused with those that may be meant."""

import random
import shlex
import time
from functools import partial
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.people import Player
from tourney.service.change import apply
from tourney.service.directory import Directory, UnknownName, find_all
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound
from tourney.text.names import fold

REGISTERED = ("Ana", "Quique Ruiz", "Pilar Gómez", "María José Gil", "7", "Anabel Soto", "Pilar Sanz", "Gilda")
"""Numbers 1 to 8 of `player list`; the ninth is Ana (Getxo)."""

MEANINGS = {
    "the name": ("Ana", "Ana"),
    "the name with its label": ("ana (GETXO)", "Ana (Getxo)"),
    "accents and case aside": ("maria jose gil", "María José Gil"),
    "a name before a number": ("7", "7"),
    "a number": ("2", "Quique Ruiz"),
    "a number with blanks and a nought": (" 02 ", "Quique Ruiz"),
    "a beginning": ("qui", "Quique Ruiz"),
    "a beginning of two words": ("pilar g", "Pilar Gómez"),
    "a beginning of the name before one of a later word": ("gil", "Gilda"),
    "a later word": ("jose", "María José Gil"),
    "a later word to the end": ("josé gi", "María José Gil"),
    "a label": ("getxo", "Ana (Getxo)"),
}
UNCLEAR = {
    "two labels": ("ana", ("may be Ana, Ana (Getxo)",)),
    "two beginnings": ("Pilar", ("may be Pilar Gómez, Pilar Sanz", "its number")),
    "a misspelt name": ("Quiqe", ("nobody is called “Quiqe”", "did you mean Quique Ruiz?")),
    "two letters swapped": ("Anabel Stoo", ("did you mean Anabel Soto?",)),
    "too high a number": ("42", ("nobody is called “42”", "`tourney player list`")),
    "nothing near": ("Xxyyzz", ("nobody is called “Xxyyzz”",)),
    "an end of a word": ("uique", ("did you mean Quique Ruiz?",)),
}


def make_db(db: str) -> None:
    """Create Friday, with nobody entered, and the registered people."""
    apply(db, RegisterPlayers(REGISTERED))
    apply(db, RegisterPlayers(["Ana"], label="Getxo"))
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))


@pytest.mark.parametrize(("typed", "name"), MEANINGS.values(), ids=MEANINGS)
def test_a_person_is_found(run: Runner, db: str, typed: str, name: str) -> None:
    assert run("event", "enter", typed, "--json", "--db", db).json["added"] == [name]


@pytest.mark.parametrize(("typed", "words"), UNCLEAR.values(), ids=UNCLEAR)
@pytest.mark.parametrize("command", ["event enter", "player rename --club X"])
def test_an_unclear_name_is_never_guessed(
    run: Runner, db: str, command: str, typed: str, words: tuple[str, ...]
) -> None:
    head = desk.query(db, "SELECT hash FROM head")
    noun, verb, *options = command.split()
    refused = run(noun, verb, typed, *options, "--db", db)
    assert (refused.code, refused.out) == (ExitCode.NOT_FOUND, "")
    for word in words:
        assert word in refused.err
    assert desk.query(db, "SELECT hash FROM head") == head


@pytest.fixture
def drawn(tmp_path: Path) -> str:
    """Create Friday with a drawn round; Ana is its number 1, and Pilar Sanz its number 3."""
    return desk.copied(tmp_path / "drawn.db", _draw)


def _draw(db: str) -> None:
    make_db(db)
    apply(db, EnterPlayers("Friday", ("Ana", "Quique Ruiz", "Pilar Sanz", "María José Gil", "Gilda", "Anabel Soto")))
    apply(db, DrawRound())


EVERYWHERE = [
    "event constrain --apart ana,quiq --dry-run",
    "event constrain --together 1,gilda --dry-run",
    "event constrain --table soto=1 --dry-run",
    "event checkin quiq 3",
    "event withdraw quiq 3 --dry-run",
    "round move quiq --with 3 --dry-run",
    "ruling add --kind penalty --player quiq --points 5 --reason x --dry-run",
    "standings --why quiq",
    "player show quiq",
    "rating show quiq",
    "rating whatif --player quiq",
    "rating predict quiq soto gilda",
    "player rename quiq --club X --dry-run",
    "player merge quiq soto --dry-run",
]
"""A command for every place where people are named; all of them mean entrants of Friday."""


@pytest.mark.parametrize("line", EVERYWHERE)
def test_beginnings_and_numbers_work_wherever_people_are_named(run: Runner, drawn: str, line: str) -> None:
    ran = run(*shlex.split(line), "--db", drawn)
    assert ran.code in (0, ExitCode.REFUSED), ran.err
    assert "nobody is called" not in ran.err


MISSPELT = [line.replace("quiq", "Qiuque") for line in EVERYWHERE if "quiq" in line]


@pytest.mark.parametrize("line", MISSPELT)
def test_a_misspelt_name_is_suggested_wherever_people_are_named(run: Runner, drawn: str, line: str) -> None:
    ran = run(*shlex.split(line), "--db", drawn)
    assert (ran.code, "did you mean Quique Ruiz?" in ran.err) == (ExitCode.NOT_FOUND, True), ran.err


def test_points_are_given_to_a_beginning_of_a_name(run: Runner, tmp_path: Path) -> None:
    """A misspelt name on a sheet is refused with the one that is near."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    run("round", "draw", "--db", db)
    at = ["--round", "1", "--table", "1", "--half", "--db", db]
    assert run("result", "enter", *at, "--hand", "TT an=0 ben=20 carm=30 die=40").code == 0
    refused = run("result", "enter", *at, "--hand", "TE Ana=0 Benta=20 Carmen=30 Diego=40")
    assert (refused.code, "did you mean Beñat?" in refused.err) == (ExitCode.REFUSED, True)


def test_a_person_is_erased_only_by_the_whole_name(run: Runner, db: str) -> None:
    """An erasure cannot be undone: a number or a beginning is only suggested."""
    for typed in ("quiq", "2"):
        refused = run("player", "erase", typed, "--db", db)
        assert (refused.code, "did you mean Quique Ruiz?" in refused.err) == (ExitCode.NOT_FOUND, True)
    assert run("player", "erase", "quique ruiz", "--db", db).code == 0


def test_with_add_a_number_of_the_list_is_not_a_new_name_and_a_misspelt_event_is_not_a_person(
    run: Runner, db: str
) -> None:
    assert run("event", "enter", "2", "Pil", "--add", "--json", "--db", db).json["added"] == ["Quique Ruiz", "Pil"]
    refused: Ran = run("event", "enter", "Frday", "Zoe", "--add", "--db", db)
    assert (refused.code, "--event Friday" in refused.err) == (ExitCode.NOT_FOUND, True)
    assert "Zoe" not in run("player", "list", "--db", db).out


EVENTS = {
    "a number": ("2", "Saturday 21"),
    "a beginning": ("satur", "Saturday 21"),
    "a later word": ("21", "Saturday 21"),
    "a name before a beginning": ("friday", "Friday"),
    "a name before a number": ("3", "3"),
}


@pytest.mark.parametrize(("typed", "name"), EVENTS.values(), ids=EVENTS)
def test_an_event_is_found(run: Runner, db: str, typed: str, name: str) -> None:
    """Events 1 to 4 are Friday, Saturday 21, Friday 27 and 3."""
    for event in ("Saturday 21", "Friday 27", "3"):
        apply(db, CreateEvent(EventSettings(event, "oficial")))
    assert run("event", "show", "--event", typed, "--json", "--db", db).json["name"] == name


def test_an_unclear_event_is_refused_with_those_that_may_be_meant(run: Runner, db: str) -> None:
    assert run("event", "new", "Friday 27", "--db", db).code == 0
    assert "may be Friday, Friday 27" in run("standings", "fri", "--db", db).err
    assert "did you mean Friday?" in run("standings", "Firday", "--db", db).err
    assert run("standings", "Firday", "--db", db).code == ExitCode.NOT_FOUND


WRONG = {
    "enter": ["event", "enter", *(f"Quiqe{'x' * number}" for number in range(40))],
    "withdraw": ["event", "withdraw", "Aan", "Quiqe", "nobody", "99", "Pilrar"],
    "constrain": ["event", "constrain", "--apart", "Aan,Quiqe", "--together", "nobody,99", "--table", "Pilrar=1"],
    "merge": ["player", "merge", "Aan", "Quiqe"],
    "predict": ["rating", "predict", "Aan", "Quiqe"],
}


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG)
def test_all_wrong_names_of_a_command_are_reported_together_in_500_characters(
    run: Runner, drawn: str, words: list[str]
) -> None:
    refused = run(*words, "--db", drawn)
    assert refused.code == ExitCode.NOT_FOUND
    assert "“Quiqe” (Quique Ruiz?)" in refused.err
    assert len(refused.err) <= 500


def test_names_without_accents_fold_as_those_with_accents_do() -> None:
    for char in map(chr, range(128)):
        assert fold(f" A{char}B  Ñ") == f"{fold(f' A{char}B ')} n"


def test_a_hundred_wrong_names_among_ten_thousand_cost_little_more_than_reading_these() -> None:
    """Reading is folding each name once; a search for each wrong name in Python took a hundred times as long."""
    letters = random.Random(1)
    people = [
        Player(number, " ".join("".join(letters.choices("aeioñlmnrst", k=7)) for _word in range(2)))
        for number in range(1, 10_001)
    ]
    wrong = [f"{player.name[:4]}xq{player.name[4:]}" for player in people[::100]]
    foldings, searches = [], []
    for _turn in range(3):
        start = time.process_time()
        assert len({fold(player.shown) for player in people}) > 9_000
        foldings.append(time.process_time() - start)
        directory = Directory.registered(people)
        start = time.process_time()
        with pytest.raises(UnknownName) as refused:
            find_all(partial(directory.find, hint="look again"), wrong)
        searches.append(time.process_time() - start)
    assert min(searches) < 15 * min(foldings)
    assert len(refused.value.message) + len(refused.value.hint) < 500
