"""Tests of renaming, merging and erasing people: what changes, what stays, and that all hashes stay valid."""

import re
from pathlib import Path
from typing import Literal

import pytest

import tourney
from tests.harness import desk
from tests.harness.commands import Runner
from tourney.cli.framework import questions
from tourney.domain.errors import ExitCode
from tourney.domain.events import EntrantState, EventSettings
from tourney.service import database, players
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.attendance import Absence, WithdrawPlayers
from tourney.service.events.events import CreateEvent, DeleteEvent, EnterPlayers, bot_seats
from tourney.service.impact import preview
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.ratings import ratings
from tourney.service.results import standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.session import writing


def make_db(db: str) -> None:
    """The path of a database: Ana, Beñat, Carmen and Diego have played a round, Ana (Getxo) and Eva have not."""
    desk.event(db, 4)
    _play_round(db, "Friday")
    apply(db, RegisterPlayers(["Ana"], label="Getxo"))
    apply(db, RegisterPlayers(["Eva"], club="Mus"))


def _play_round(db: str, event: str) -> None:
    """Draw the next round and enter its results."""
    for table in apply(db, DrawRound(event)).rounds[-1].tables:
        names = [player.shown for player in table.players]
        apply(db, EnterResult(event, table.round, table.number, desk.hands(names)))


def _names(db: str) -> list[str]:
    return [player.shown for player in players.listing(db, kind="person")]


RENAMED = [
    ({"name": "Anne"}, "Anne", ""),
    ({"label": "Bilbao"}, "Ana (Bilbao)", ""),
    ({"name": " Anne ", "label": "Bilbao", "club": "Mus"}, "Anne (Bilbao)", "Mus"),
    ({"name": "ÁNA"}, "ÁNA", ""),
]


@pytest.mark.parametrize(("changes", "shown", "club"), RENAMED, ids=[shown for _changes, shown, _club in RENAMED])
def test_a_renamed_person_keeps_points_and_ratings(db: str, changes: dict, shown: str, club: str) -> None:
    """Standings and ratings have the new name; a person may also take their own name in other letters."""
    before = {row.player.id: row.points for row in standings.standings(db).rows}
    renamed = apply(db, RenamePlayer("Ana", **changes))
    assert (renamed.before.shown, renamed.after.shown, renamed.after.club) == ("Ana", shown, club)
    assert {row.player.id: row.points for row in standings.standings(db).rows} == before
    assert shown in {row.player for row in ratings.ratings(db).rows}
    assert players.show(db, shown).player == renamed.after
    assert database.check(db).problems == ()


def test_a_label_and_a_club_can_be_removed(db: str) -> None:
    apply(db, RenamePlayer("Eva", label="mayor"))
    assert apply(db, RenamePlayer("Eva", label="", club="")).after == players.show(db, "Eva").player
    assert (players.show(db, "Eva").player.label, players.show(db, "Eva").player.club) == ("", "")


NOT_RENAMED = {
    "a name that is taken": (ExitCode.CONFLICT, "Eva", {"name": "BEÑAT"}, ("Beñat", "--label")),
    "a label that makes two players equal": (
        ExitCode.CONFLICT,
        "Ana (Getxo)",
        {"label": ""},
        ("called Ana", "--label"),
    ),
    "nothing": (ExitCode.REFUSED, "Eva", {}, ("nothing about Eva",)),
    "the same": (ExitCode.REFUSED, "Eva", {"name": "Eva", "club": "Mus"}, ("nothing about Eva",)),
    "an empty name": (ExitCode.REFUSED, "Eva", {"name": " "}, ("empty",)),
    "a bot's name": (ExitCode.REFUSED, "Eva", {"name": "greedy-1"}, ("bot greedy",)),
    "an erased person's name": (ExitCode.REFUSED, "Eva", {"name": "Erased-7"}, ("erased",)),
    "a bot": (ExitCode.REFUSED, "greedy-1", {"name": "Eve"}, ("greedy-1", "bot")),
    "nobody": (ExitCode.NOT_FOUND, "Zuriñe", {"name": "Eve"}, ("Zuriñe",)),
    "an ambiguous name": (ExitCode.NOT_FOUND, "ana", {"name": "Eve"}, ("Ana, Ana (Getxo)",)),
}


@pytest.mark.parametrize("case", NOT_RENAMED)
def test_an_impossible_renaming_is_refused(db: str, case: str) -> None:
    code, name, changes, words = NOT_RENAMED[case]
    apply(db, EnterPlayers("Friday", bots=bot_seats("greedy:1")))
    before = _names(db)
    with desk.refused(code, *words):
        apply(db, RenamePlayer(name, **changes))
    assert _names(db) == before


def test_merged_players_become_one_with_the_games_of_both(db: str) -> None:
    """The remaining player has 2 games instead of 1 and 1; the other is in no list and no event any more."""
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    apply(db, EnterPlayers("Saturday", ["Ana (Getxo)", "Eva"]))
    _play_round(db, "Saturday")
    points = [row.points for row in standings.standings(db, "Saturday").rows if row.player.label]
    merged = apply(db, MergePlayers("Ana", "Ana (Getxo)"))
    assert [(move.event, move.games) for move in merged.moved] == [("Saturday", 1)]
    page = players.show(db, "ana")
    assert (page.player.shown, page.events, page.games) == ("Ana", ("Friday", "Saturday"), 2)
    assert [entrant.shown for entrant in events.show(db, "Saturday").entrants] == ["Ana", "Eva"]
    assert [row.points for row in standings.standings(db, "Saturday").rows if row.player.name == "Ana"] == points
    assert "Ana (Getxo)" not in _names(db)
    assert {row.player: row.games for row in ratings.ratings(db).rows}["Ana"] == 2
    assert database.check(db).problems == ()


def test_two_players_of_one_round_cannot_be_merged(db: str) -> None:
    """Check that the refusal names the round; an entrant who has not played can be merged."""
    with desk.refused(ExitCode.REFUSED, "Ana", "Beñat", "round 1 of Friday"):
        apply(db, MergePlayers("Ana", "Beñat"))
    apply(db, EnterPlayers("Friday", ["Eva"]))
    assert [(move.event, move.games) for move in apply(db, MergePlayers("Ana", "Eva")).moved] == [("Friday", 0)]
    assert [entrant.shown for entrant in events.show(db).entrants] == ["Ana", "Beñat", "Carmen", "Diego"]


@pytest.mark.parametrize(
    ("remaining", "merged", "code", "words"),
    [
        ("Ana", "Ana", ExitCode.REFUSED, ("named twice",)),
        ("Ana", "greedy-1", ExitCode.REFUSED, ("bot",)),
        ("Ana", "Zuriñe", ExitCode.NOT_FOUND, ("Zuriñe",)),
        ("Ana", "ana", ExitCode.NOT_FOUND, ("may be",)),
    ],
    ids=["the same player", "a bot", "an unknown name", "an ambiguous name"],
)
def test_an_impossible_merge_is_refused(db: str, remaining: str, merged: str, code: ExitCode, words: tuple) -> None:
    apply(db, EnterPlayers("Friday", bots=bot_seats("greedy:1")))
    with desk.refused(code, *words):
        apply(db, MergePlayers(remaining, merged))


def test_an_erased_name_is_nowhere_in_the_file_and_every_hash_stays_valid(tmp_path: Path) -> None:
    """The file holds neither the names, current and earlier, nor the label or the club; points and ranks stay."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    apply(db, RenamePlayer("Ana", "Zacarías", "Ondarroa", "Txindoki"))
    apply(db, RenamePlayer("Zacarías", "Ignacia"))
    _play_round(db, "Friday")
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


@pytest.mark.parametrize(
    ("kept_in", "said"),
    [
        pytest.param("author", "Change 4 of the journal contains the name", id="the author of a change"),
        pytest.param("reason", "of the journal contains the name", id="a reason"),
        pytest.param("backup", "1 backup in", id="a backup"),
    ],
)
def test_an_erasure_says_where_the_name_still_is(
    tmp_path: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, kept_in: str, said: str
) -> None:
    """The name is looked for in the bytes of all files; where it is left, the answer says so in words."""
    name, db = "Zoltan Eraseme", str(tmp_path / "club.db")
    if kept_in == "author":
        monkeypatch.setenv("TOURNEY_BY", name)
    desk.event(db, 4)
    run("player", "add", name, "--db", db)
    monkeypatch.setenv("TOURNEY_BY", "desk")
    if kept_in == "reason":
        assert run("event", "withdraw", "Ana", "--reason", f"told by {name}", "--db", db).code == 0
    if kept_in == "backup":
        database.backup(db)
    erased = run("player", "erase", name, "--yes", "--db", db)
    desk.tamper(db, "PRAGMA wal_checkpoint(TRUNCATE)")
    left = [file for file in tmp_path.rglob("*") if file.is_file() and name.encode() in file.read_bytes()]
    assert len(left) == 1
    assert (left[0] == Path(db)) is (kept_in != "backup")
    assert said in erased.out


def test_an_erasure_cannot_be_undone_or_repeated(db: str) -> None:
    """Undo skips the erasure and undoes the change before it; the name stays erased."""
    number = apply(db, ErasePlayer("Eva")).before.id
    with writing(db) as store:
        assert [entry.kind for entry in store.undo()] == ["player.add"]
    assert "Eva" not in _names(db)
    with writing(db) as store:
        store.redo()
    assert f"erased-{number}" in _names(db)
    with desk.refused(ExitCode.REFUSED, "erased already"):
        apply(db, ErasePlayer(f"erased-{number}"))
    with desk.refused(ExitCode.REFUSED, "erased already", "register them as somebody new"):
        apply(db, RenamePlayer(f"erased-{number}", "Eva"))
    apply(db, RegisterPlayers(["Eva"]))
    assert database.check(db).problems == ()


@pytest.mark.parametrize(
    ("option", "answer", "remains"), [("", False, True), ("", True, False), ("--yes", None, False)]
)
def test_a_terminal_asks_before_a_name_is_erased_for_good(
    db: str,
    option: str,
    answer: bool | None,
    remains: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing takes an erasure back. No is no failure; with `--yes` nothing is asked."""
    answers = [] if answer is None else [answer]
    monkeypatch.setattr(questions, "possible", lambda: True)
    monkeypatch.setattr(questions, "confirm", lambda question: answers.pop())
    done = Runner(capsys)("player", "erase", "Eva", "--db", db, *filter(None, [option]))
    asked = "Eva would be erased and called erased-6" in done.err and "0 events, 0 games" in done.err
    assert (done.code, asked, answers) == (0, not option, [])
    assert ("Eva" in _names(db), "nobody was erased" in done.err) == (remains, remains)


def test_erasing_a_player_erases_the_names_merged_into_them(db: str) -> None:
    """A merged player's names are kept until then, so that the merge can be undone."""
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
def test_a_dry_run_returns_the_outcome_of_the_change_and_saves_nothing(db: str, case: str) -> None:
    before = desk.query(db, "SELECT hash FROM head")
    outcome = preview(db, CHANGES[case]).outcome
    assert desk.query(db, "SELECT hash FROM head") == before
    assert "Eva" in _names(db)
    assert apply(db, CHANGES[case]) == outcome


def test_the_page_of_a_player_lists_namesakes(db: str) -> None:
    assert [namesake.shown for namesake in players.show(db, "Ana").namesakes] == ["Ana (Getxo)"]
    assert players.show(db, "Eva").namesakes == ()


@pytest.mark.parametrize(
    ("first", "second", "state"),
    [
        ("removed", None, "removed"),
        ("removed", "removed", "removed"),
        ("removed", "no-show", "no-show"),
        ("no-show", "removed", "no-show"),
        ("removed", "withdrawn", "withdrawn"),
        ("entered", "removed", "entered"),
    ],
)
def test_somebody_merged_who_was_entered_by_mistake_is_no_no_show(
    db: str, first: Absence | Literal["entered"], second: Absence | None, state: EntrantState
) -> None:
    """The better state stays: that of somebody who was there, then of a no-show, last of an entry by mistake."""
    apply(db, CreateEvent(EventSettings("Sunday", "oficial")))
    for name, how in (("Ana (Getxo)", first), ("Eva", second)):
        if how is not None:
            apply(db, EnterPlayers("Sunday", [name]))
        if how not in (None, "entered"):
            apply(db, WithdrawPlayers("Sunday", [name], "typed twice", how))
    apply(db, MergePlayers("Eva", "Ana (Getxo)"))
    assert events.show(db, "Sunday").states == (state,)


@pytest.mark.parametrize(("keep", "gone", "rests"), [("Eva", "Ana", True), ("Ana", "Eva", False)])
def test_a_deletion_is_not_taken_back_alone_once_an_entrant_was_merged(
    db: str, keep: str, gone: str, rests: bool
) -> None:
    """The merger does not reach the deleted event, whose seats would be somebody's who is gone."""
    apply(db, DeleteEvent("Friday"))
    number = desk.query(db, "SELECT max(number) FROM act")[0][0]
    apply(db, MergePlayers(keep, gone))
    if rests:
        with desk.refused(ExitCode.REFUSED, str(number), f"merged: {gone} is {keep}"):
            apply(db, Undo(number))
        apply(db, Undo())
    apply(db, Undo(number))
    assert "Ana" in [entrant.shown for entrant in events.show(db).entrants]
    assert database.check(db).problems == ()


def test_every_look_up_of_a_merged_person_goes_to_the_end() -> None:
    """A merger of a merger was followed one step only in one place; an event's file alone has each step."""
    steps = re.compile(r"\bmerged(\(\))?(\.get\(|\[)")
    sources = Path(tourney.__path__[0]).rglob("*.py")
    found = {path.name for path in sources if steps.search(path.read_text(encoding="utf-8"))}
    assert found == {"payloads.py", "event_chain.py"}
