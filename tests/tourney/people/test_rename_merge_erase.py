"""Renaming, merging and erasing people: what changes, what stays, and that every hash still holds."""

from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service import database, standings
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.impact import preview
from tourney.service.people import players
from tourney.service.people.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.ratings import ratings
from tourney.service.results.results import EnterResult
from tourney.service.rounds.rounds import DrawRound
from tourney.storage.session import writing


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Ana, Beñat, Carmen and Diego have played a round; Ana (Getxo) and Eva have not."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    _round(db, "Friday")
    apply(db, RegisterPlayers(["Ana"], label="Getxo"))
    apply(db, RegisterPlayers(["Eva"], club="Mus"))
    return db


def _round(db: str, event: str) -> None:
    for table in apply(db, DrawRound(event)).rounds[-1].tables:
        names = [player.shown for player in table.players]
        apply(db, EnterResult(event, table.round, table.number, desk.hands(names)))


def _names(db: str) -> list[str]:
    return [one.shown for one in players.listing(db, kind="person")]


RENAMED = [
    ({"name": "Anne"}, "Anne", ""),
    ({"label": "Bilbao"}, "Ana (Bilbao)", ""),
    ({"name": " Anne ", "label": "Bilbao", "club": "Mus"}, "Anne (Bilbao)", "Mus"),
    ({"name": "ÁNA"}, "ÁNA", ""),
]


@pytest.mark.parametrize(("changes", "shown", "club"), RENAMED, ids=[one[1] for one in RENAMED])
def test_a_person_takes_another_name_and_keeps_everything_else(db: str, changes: dict, shown: str, club: str) -> None:
    """Standings and ratings have the same numbers under the new name; one's own name in capitals is free."""
    before = {row.player.id: row.points for row in standings.standings(db).rows}
    renamed = apply(db, RenamePlayer("Ana", **changes))
    assert (renamed.before.shown, renamed.after.shown, renamed.after.club) == ("Ana", shown, club)
    assert {row.player.id: row.points for row in standings.standings(db).rows} == before
    assert shown in {row.player for row in ratings.ratings(db).rows}
    assert players.show(db, shown).player == renamed.after
    assert database.check(db).problems == ()


def test_a_label_and_a_club_can_go(db: str) -> None:
    apply(db, RenamePlayer("Eva", label="mayor"))
    assert apply(db, RenamePlayer("Eva", label="", club="")).after == players.show(db, "Eva").player
    assert (players.show(db, "Eva").player.label, players.show(db, "Eva").player.club) == ("", "")


NOT_RENAMED = {
    "a name that is taken": (ExitCode.CONFLICT, "Eva", {"name": "BEÑAT"}, ("Beñat", "--label")),
    "a label that makes two the same": (ExitCode.CONFLICT, "Ana (Getxo)", {"label": ""}, ("called Ana", "--label")),
    "nothing": (ExitCode.REFUSED, "Eva", {}, ("nothing about Eva",)),
    "the same": (ExitCode.REFUSED, "Eva", {"name": "Eva", "club": "Mus"}, ("nothing about Eva",)),
    "an empty name": (ExitCode.REFUSED, "Eva", {"name": " "}, ("empty",)),
    "a bot's name": (ExitCode.REFUSED, "Eva", {"name": "greedy-1"}, ("bot greedy",)),
    "an erased person's name": (ExitCode.REFUSED, "Eva", {"name": "Erased-7"}, ("erased",)),
    "a bot": (ExitCode.REFUSED, "greedy-1", {"name": "Eve"}, ("greedy-1", "bot")),
    "nobody": (ExitCode.NOT_FOUND, "Zuriñe", {"name": "Eve"}, ("Zuriñe",)),
    "one of two": (ExitCode.NOT_FOUND, "ana", {"name": "Eve"}, ("Ana, Ana (Getxo)",)),
}


@pytest.mark.parametrize("case", NOT_RENAMED)
def test_a_renaming_that_cannot_be_is_refused(db: str, case: str) -> None:
    code, name, changes, words = NOT_RENAMED[case]
    apply(db, EnterPlayers("Friday", bots="greedy:1"))
    before = _names(db)
    with desk.refused(code, *words):
        apply(db, RenamePlayer(name, **changes))
    assert _names(db) == before


def test_two_entries_of_one_person_become_one(db: str) -> None:
    """Games of both are hers then: 2 instead of 1 and 1; the other entry is gone, also from the event."""
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    apply(db, EnterPlayers("Saturday", ["Ana (Getxo)", "Eva"]))
    _round(db, "Saturday")
    points = [row.points for row in standings.standings(db, "Saturday").rows if row.player.label]
    merged = apply(db, MergePlayers("Ana", "Ana (Getxo)"))
    assert [(one.event, one.games) for one in merged.moved] == [("Saturday", 1)]
    page = players.show(db, "ana")
    assert (page.player.shown, page.events, page.games) == ("Ana", ("Friday", "Saturday"), 2)
    assert [entrant.shown for entrant in events.show(db, "Saturday").entrants] == ["Ana", "Eva"]
    assert [row.points for row in standings.standings(db, "Saturday").rows if row.player.name == "Ana"] == points
    assert "Ana (Getxo)" not in _names(db)
    assert {row.player: row.games for row in ratings.ratings(db).rows}["Ana"] == 2
    assert database.check(db).problems == ()


def test_two_who_sat_in_one_round_are_two_people(db: str) -> None:
    """Refused naming the round; one who entered without playing is merged."""
    with desk.refused(ExitCode.REFUSED, "Ana", "Beñat", "round 1 of Friday"):
        apply(db, MergePlayers("Ana", "Beñat"))
    apply(db, EnterPlayers("Friday", ["Eva"]))
    assert [(one.event, one.games) for one in apply(db, MergePlayers("Ana", "Eva")).moved] == [("Friday", 0)]
    assert [entrant.shown for entrant in events.show(db).entrants] == ["Ana", "Beñat", "Carmen", "Diego"]


@pytest.mark.parametrize(
    ("keep", "gone", "code", "words"),
    [
        ("Ana", "Ana", ExitCode.REFUSED, ("named twice",)),
        ("Ana", "greedy-1", ExitCode.REFUSED, ("bot",)),
        ("Ana", "Zuriñe", ExitCode.NOT_FOUND, ("Zuriñe",)),
        ("Ana", "ana", ExitCode.NOT_FOUND, ("may be",)),
    ],
    ids=["oneself", "a bot", "nobody", "one of two"],
)
def test_a_merge_that_cannot_be_is_refused(db: str, keep: str, gone: str, code: ExitCode, words: tuple) -> None:
    apply(db, EnterPlayers("Friday", bots="greedy:1"))
    with desk.refused(code, *words):
        apply(db, MergePlayers(keep, gone))


def test_an_erased_name_is_nowhere_in_the_file_and_every_hash_holds(tmp_path: Path) -> None:
    """Neither the name nor an earlier one, the label or the club stand in any byte of it; the points do."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    apply(db, RenamePlayer("Ana", "Zacarías", "Ondarroa", "Txindoki"))
    apply(db, RenamePlayer("Zacarías", "Ignacia"))
    _round(db, "Friday")
    before = [(row.rank, row.points) for row in standings.standings(db).rows]
    erased = apply(db, ErasePlayer("Ignacia"))
    number = erased.before.id
    assert (erased.after.shown, erased.events, erased.games) == (f"erased-{number}", 1, 1)
    assert [(row.rank, row.points) for row in standings.standings(db).rows] == before
    assert f"erased-{number}" in {row.player for row in ratings.ratings(db).rows}
    assert database.check(db).problems == ()
    desk.tamper(db, "PRAGMA wal_checkpoint(TRUNCATE)")
    whole = Path(db).read_bytes()
    for text in ("Ignacia", "ignacia", "Zacarías", "zacarias", "Ondarroa", "Txindoki"):
        assert text.encode() not in whole, text


def test_an_erasing_cannot_be_undone_and_is_not_done_twice(db: str) -> None:
    """Check that undo passes over it: the change before it is undone, and the name stays erased."""
    number = apply(db, ErasePlayer("Eva")).before.id
    with writing(db) as store:
        assert [act.kind for act in store.undo()] == ["player.add"]
    assert "Eva" not in _names(db)
    with writing(db) as store:
        store.redo()
    assert f"erased-{number}" in _names(db)
    with desk.refused(ExitCode.REFUSED, "erased already"):
        apply(db, ErasePlayer(f"erased-{number}"))
    with desk.refused(ExitCode.REFUSED, "erased already", "anew"):
        apply(db, RenamePlayer(f"erased-{number}", "Eva"))
    apply(db, RegisterPlayers(["Eva"]))
    assert database.check(db).problems == ()


def test_a_person_merged_into_another_is_erased_with_her(db: str) -> None:
    """The entry that went keeps its name for undoing the merge; erasing leaves none of the names."""
    apply(db, RenamePlayer("Eva", "Zacarías"))
    apply(db, MergePlayers("Ana", "Zacarías"))
    apply(db, ErasePlayer("Ana"))
    texts = {name for (name,) in desk.query(db, "SELECT name FROM person")}
    assert not texts & {"Zacarías", "Eva"}
    assert database.check(db).problems == ()


CHANGES = {
    "rename": RenamePlayer("Eva", "Eve"),
    "merge": MergePlayers("Ana", "Eva"),
    "erase": ErasePlayer("Eva"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_dry_run_says_the_same_and_saves_nothing(db: str, case: str) -> None:
    before = desk.query(db, "SELECT hash FROM head")
    outcome = preview(db, CHANGES[case]).outcome
    assert desk.query(db, "SELECT hash FROM head") == before
    assert "Eva" in _names(db)
    assert apply(db, CHANGES[case]) == outcome


def test_a_page_names_others_of_the_same_name(db: str) -> None:
    assert [namesake.shown for namesake in players.show(db, "Ana").namesakes] == ["Ana (Getxo)"]
    assert players.show(db, "Eva").namesakes == ()
