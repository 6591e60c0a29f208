"""Tests of people, events, rulings and dry runs on the command line: commands and their output."""

import csv
import io
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode
from tourney.domain.people import Player
from tourney.domain.rules import RulesRef
from tourney.reports.render.export import csv_text, markdown_text
from tourney.reports.render.page import page_text
from tourney.reports.results import standings as reports
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.results import results
from tourney.standings.standing import Standing, StandingsTable

LONG = ("María de los Ángeles Etxeberria Goikoetxea", "王" * 40, "=SUM(A1:A9)", "Ana | Beñat", "x" * 40)


pytestmark = pytest.mark.usefixtures("db")

make_db = desk.make_drawn
"""The event Friday has Ana, Beñat, Carmen and Diego, and one round drawn."""


def _sheet(*changes: str) -> list[str]:
    """Return the options of a sheet: Ana closes all seven hands, 20, 30 and 40 for the others.

    `changes` replace the last hands.
    """
    hands = [f"{contract} Ana=0 Beñat=20 Carmen=30 Diego=40" for contract in desk.CONTRACTS]
    hands[len(hands) - len(changes) :] = changes
    return [word for hand in hands for word in ("--hand", hand)]


def _enter_sheet(run: Runner) -> None:
    _succeeded(run("result", "enter", "--round", "1", "--table", "1", *_sheet()))


def _succeeded(result: Ran) -> Ran:
    """Return the result, after checking that the command succeeded without a message."""
    assert (result.code, result.err) == (0, ""), result.err
    return result


def test_the_dry_run_of_a_correction_shows_which_standings_it_would_move(run: Runner) -> None:
    """In the last hand Ana has 99 points instead of 0, and Diego 0 instead of 40."""
    _enter_sheet(run)
    words = ("result", "correct", "--round", "1", "--table", "1", "--reason", "slip")
    output = _succeeded(run(*words, *_sheet("EEE Ana=99 Beñat=20 Carmen=30 Diego=0"), "--dry-run")).out
    assert output.startswith("dry run: nothing was saved. Friday, round 1, table 1\n\nThe sheet\n")
    moved = output.partition("What moves in the standings of Friday\n")[2]
    assert moved.splitlines()[:3] == [
        "  Rank  Player     Points         Per game  Hands won  Games",
        "     1  Ana        0 → 99     0.00 → 99.00      7 → 6      1",
        "     4  Diego   280 → 240  280.00 → 240.00      0 → 1      1",
    ]
    assert "ratings" not in moved, "the places at the table are the same"
    assert run("standings", "--json").json[0]["points"] == 0


@pytest.mark.parametrize(
    "words",
    [
        ("ruling", "add", "--kind", "note", "--reason", "a pack was marked"),
        ("event", "finish", "--anyway"),
        ("event", "set", "--rounds", "3"),
    ],
    ids=" ".join,
)
def test_the_dry_run_of_a_change_that_moves_nothing_says_so(run: Runner, words: tuple[str, ...]) -> None:
    _enter_sheet(run)
    assert "Standings and ratings stay as they are." in _succeeded(run(*words, "--dry-run")).out
    assert "stay as they are" not in _succeeded(run(*words)).out


def test_rulings_are_added_listed_counted_shown_and_cancelled(run: Runner) -> None:
    """A penalty, a hand dealt again and a corrected sheet of one table."""
    _enter_sheet(run)
    place = ("--round", "1", "--table", "1")
    penalty = ("--kind", "penalty", "--player", "ana", "--points", "200", "--reason", "rude", *place)
    assert _succeeded(run("ruling", "add", *penalty)).out == (
        "Friday, decision 1: Ana: a penalty of 200 points in round 1 at table 1: rude\n"
    )
    _succeeded(run("ruling", "add", "--kind", "redeal", *place, "--hand", "tte", "--reason", "a card lay open"))
    corrected = _sheet("EEE Ana=99 Beñat=20 Carmen=30 Diego=0")
    _succeeded(run("ruling", "add", "--kind", "correction", *place, "--reason", "agreed", *corrected))
    assert run("standings").out.splitlines()[2:7] == [
        "Rank  Player  Points  Hands won  Games  Per game  Penalty",
        "   1  Beñat      140          0      1    140.00        0",
        "   2  Carmen     210          0      1    210.00        0",
        "   3  Diego      240          1      1    240.00        0",
        "   4  Ana        299          6      1    299.00      200",
    ]
    assert run("standings").out.endswith(
        "Ana: a penalty of 200 points in round 1 at table 1: rude.\n"
        "Table 1 of round 1 was corrected by a ruling: agreed.\n"
    )
    why_ana = run("standings", "--why", "1").out
    # A penalty of 200 comes on top of the 99 points of the only round.
    assert "\nPoints: 99 + 200 (penalty) = 299\n" in why_ana
    assert "59 points more than Diego; a penalty of 200 points in round 1 at table 1: rude" in why_ana
    why_benat = run("standings", "--why", "Beñat").out
    assert ("rude" in why_benat, "Table 1 of round 1 was corrected by a ruling: agreed." in why_benat) == (False, True)
    shown = run("result", "show", *place).out
    assert "decision 2: round 1, table 1: the hand TTE was dealt again: a card lay open\n" in shown
    assert [ruling["number"] for ruling in run("result", "show", *place, "--json").json["rulings"]] == [1, 2, 3]
    assert "The corrected sheet stays" in _succeeded(run("ruling", "cancel", "Friday", "3", "--reason", "no")).out
    _succeeded(run("ruling", "cancel", "Friday", "1", "--reason", "excused"))
    listed = run("ruling", "list", "--json").json
    assert [(ruling["number"], ruling["kind"], ruling["state"]) for ruling in listed] == [
        (1, "penalty", "cancelled"),
        (2, "redeal", "stands"),
        (3, "correction", "cancelled"),
    ]
    assert list(listed[0]) == [
        *("number", "event", "kind", "round", "table", "player", "hand", "points", "reason", "state", "why_cancelled"),
        *("by", "cancelled_by"),
    ]
    assert "Penalty" not in run("standings").out


REFUSED = [
    (("ruling", "add", "--kind", "penalty", "--reason", "x"), ExitCode.USAGE, "--player"),
    (("ruling", "add", "--kind", "note", "--reason", "x", "--file", "sheet.toml"), ExitCode.USAGE, "correction"),
    (("ruling", "add", "--kind", "note", "--reason", "x", "--hand", "TT", "--hand", "TE"), ExitCode.USAGE, "sheet"),
    (("ruling", "add", "--kind", "note", "--reason", "x", "--short"), ExitCode.USAGE, "correction"),
    (("ruling", "add", "--kind", "correction", "--reason", "x"), ExitCode.USAGE, "--file"),
    (("ruling", "cancel", "Friday", "1", "--reason", "x"), ExitCode.NOT_FOUND, "ruling list"),
    (("event", "set"), ExitCode.REFUSED, "event show"),
    (("event", "set", "--minutes", "5", "--clear", "minutes"), ExitCode.USAGE, "one of the two"),
    (("event", "finish"), ExitCode.REFUSED, "--anyway"),
    (("event", "reopen", "--reason", "x"), ExitCode.REFUSED, "not finished"),
    (("event", "checkin", "Friday"), ExitCode.USAGE, "--all"),
    (("event", "withdraw", "Friday", "Anna"), ExitCode.NOT_FOUND, "did you mean Ana?"),
    (("player", "rename", "Ana"), ExitCode.REFUSED, "--label"),
    (("player", "merge", "Ana", "Beñat"), ExitCode.REFUSED, "round 1 of Friday"),
    (("player", "erase", "Zuriñe"), ExitCode.NOT_FOUND, "Zuriñe"),
    (("player", "add", "Ana"), ExitCode.CONFLICT, "--label Getxo"),
    (("standings", "--why", "9"), ExitCode.NOT_FOUND, "entrant 9"),
]


@pytest.mark.parametrize(
    ("words", "code", "message"), REFUSED, ids=[" ".join(words) for words, _code, _message in REFUSED]
)
def test_an_impossible_command_is_refused_in_one_line_with_a_hint(
    run: Runner, words: tuple[str, ...], code: int, message: str
) -> None:
    result = run(*words)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("error: ")
    assert message in result.err
    assert result.err.count("\n") <= 2


def test_entrants_are_listed_with_number_and_state_in_words(run: Runner) -> None:
    """Check that the output names the table at which a withdrawn player still sits, and a late player's first round."""
    _succeeded(run("event", "checkin", "Friday", "1", "benat"))
    withdrawn = run("event", "withdraw", "Friday", "Carmen", "--reason", "ill")
    assert "Carmen still sits at table 1 of round 1" in " ".join((withdrawn.out + withdrawn.err).split())
    assert "`tourney round move Carmen --round 1 --out`" in withdrawn.out
    _succeeded(run("round", "move", "Carmen", "--round", "1", "--out", "--dry-run"))
    unknown = run("event", "enter", "Xabier").err
    assert "hint: `--add` registers new people; see who is registered with `tourney player list`" in unknown
    unfinished = run("event", "finish").err
    assert "hint: `tourney event finish --anyway` finishes it as it is" in unfinished
    _succeeded(run("event", "withdraw", "Friday", "4", "--no-show"))
    entered = _succeeded(run("event", "enter", "Friday", "Eva", "--add")).out
    assert "They play from round 2." in entered
    assert "left: Carmen; `tourney event return Carmen`" in run("event", "enter", "Friday", "Carmen").out
    shown = run("event", "show").out
    assert shown.endswith(
        "5 entrants\n"
        "  No.  Player  State\n"
        "    1  Ana     checked in\n"
        "    2  Beñat   checked in\n"
        "    3  Carmen  withdrawn\n"
        "    4  Diego   no-show\n"
        "    5  Eva     entered\n"
    )
    assert _succeeded(run("event", "return", "Friday", "3", "--json")).json["playing"] == [
        "Ana",
        "Beñat",
        "Carmen",
        "Eva",
    ]
    assert run("event", "show", "--json").json["states"] == [
        *("checked in", "checked in", "entered", "no-show", "entered")
    ]


def test_the_commands_after_a_new_event_run_as_they_are_pasted(run: Runner) -> None:
    """Everybody who is registered is entered by the first one, and the second draws the round."""
    _succeeded(run("event", "finish", "--anyway"))
    created = _succeeded(run("event", "new", "Saturday"))
    assert "`tourney event enter --all`" in created.out
    entered = _succeeded(run("event", "enter", "--all"))
    assert "Draw round 1, when all are here: `tourney round draw`" in entered.out
    assert "Saturday, round 1" in _succeeded(run("round", "draw")).out


@pytest.mark.parametrize("words", [("--checkin", "required"), ("--format", "manual")], ids=["check-in", "manual"])
def test_a_draw_that_would_be_refused_is_not_suggested_when_players_are_entered(
    run: Runner, words: tuple[str, ...]
) -> None:
    _succeeded(run("event", "new", "Saturday", *words))
    assert "round draw" not in _succeeded(run("event", "enter", "Saturday", "--all")).out


def test_an_event_is_changed_finished_and_reopened(run: Runner) -> None:
    changed = _succeeded(
        run("event", "set", "--minutes", "50", "--unfinished", "penalty", "--unfinished-points", "25")
    ).out
    assert changed == (
        "Friday: settings changed\n\n"
        "What                             Before       After\n"
        "minutes per round                not set      50\n"
        "games unfinished at time         count hands  penalty\n"
        "points for each hand not played  not set      25\n\n"
        "The round drawn already stays as it is.\n"
    )
    _succeeded(run("event", "set", "--name", "Saturday", "--clear", "minutes"))
    assert "minutes" not in run("event", "show", "Saturday").out
    finished = _succeeded(run("event", "finish", "--anyway")).out
    assert finished == "finished: Saturday\n\nIt lacks 1 round; the result of round 1, table 1.\n"
    assert run("event", "list", "--format", "csv").out.splitlines()[1].endswith(",finished")
    assert run("round", "draw").code == ExitCode.REFUSED
    assert _succeeded(run("event", "reopen", "--reason", "a sheet was found")).out == "reopened: Saturday\n"


def test_two_people_of_one_name_are_distinguished_by_label_or_exact_name(run: Runner) -> None:
    """“ana” may be either of two players; “Ana” is the player without a label, until that player gets one too."""
    _succeeded(run("player", "add", "Ana", "--label", "Getxo"))
    for words in (("player", "show"), ("player", "erase"), ("player", "merge", "Beñat"), ("event", "enter", "Friday")):
        result = run(*words, "ana")
        assert (result.code, "may be Ana, Ana (Getxo)" in result.err) == (ExitCode.NOT_FOUND, True), words
    assert "others of this name  Ana (Getxo)" in run("player", "show", "Ana").out
    _succeeded(run("player", "rename", "Ana", "--label", "Bilbao"))
    assert run("player", "show", "Ana").code == ExitCode.NOT_FOUND
    assert run("player", "show", "ana (bilbao)", "--json").json["label"] == "Bilbao"


def test_a_merge_says_what_moves_and_an_erasure_what_remains(run: Runner) -> None:
    _enter_sheet(run)
    _succeeded(run("event", "new", "Sunday"))
    _succeeded(run("event", "enter", "Sunday", "Eva", "--add"))
    merged = _succeeded(run("player", "merge", "Ana", "Eva", "--dry-run")).out
    assert merged.startswith("dry run: nothing was saved. Eva is now Ana\n")
    assert "Sunday      0" in merged
    erased = run("player", "erase", "Ana", "--dry-run").out
    assert "This cannot be undone. What remains: 1 event, 1 game and their points." in erased
    assert run("player", "show", "Ana").code == 0
    _succeeded(run("player", "erase", "Ana"))
    assert run("standings", "Friday", "--json").json[0]["player"] == "erased-1"


def _standings(names: tuple[str, ...], money: int | None = None) -> StandingsTable:
    """Return standings with every column filled and as wide as it can become; money replaces points per game."""
    rows = tuple(
        Standing(place, Player(place, name), 12_345, 35, 8, 1543.125, "why", 2000, 3, money, "withdrawn", score=place)
        for place, name in enumerate(names, 1)
    )
    event = events.Event(1, events.EventSettings("Friday", "oficial"), RulesRef("oficial"))
    return StandingsTable(event, None, rows, (), "0" * 64)


def test_standings_stay_within_eighty_columns_and_keep_every_letter() -> None:
    """The names have up to 42 letters, one has 40 wide letters, and no column is left out."""
    text = page_text(reports.standings(_standings(LONG)), 80)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert max(map(cell_len, page_text(reports.standings(_standings(LONG, -123_450)), 80).splitlines())) <= 80
    for name in LONG:
        assert all(word in text for word in name.split() if len(word) < 16), name
    assert text.count("王") == 40


def test_standings_in_csv_hold_no_formula_and_in_markdown_no_broken_cell() -> None:
    """One name begins like a formula, and one holds a bar, which would end a Markdown cell."""
    report = reports.standings(_standings(LONG))
    rows = list(csv.reader(io.StringIO(csv_text(report))))
    numbers = ["points", "hands_won", "games", "average", "money", "penalty", "short"]
    assert rows[0] == ["rank", "player", *numbers, "state"]
    assert [row[1] for row in rows[1:]] == [*LONG[:2], "'" + LONG[2], *LONG[3:]]
    table = [line for line in markdown_text(report).splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in table}) == 1


def test_an_event_of_200_players_is_shown_with_as_many_statements_as_one_of_20(tmp_path: Path) -> None:
    """Check that showing an event does not query the database once per player."""
    counts = []
    for people in (20, 200):
        db = str(tmp_path / f"{people}.db")
        apply(db, RegisterPlayers([f"Player {number}" for number in range(people)]))
        apply(db, CreateEvent(events.EventSettings("Crowd", "oficial")))
        apply(db, EnterPlayers("Crowd", [f"Player {number}" for number in range(people)]))
        counts.append(_statements(db))
    assert counts[0] == counts[1]


def _statements(db: str) -> int:
    """Return the number of SQL statements that showing the event and its results takes."""
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    statements: list[str] = []

    def count(*arguments: object) -> None:
        statements.append(str(arguments[2]))

    event.listen(Engine, "before_cursor_execute", count)
    try:
        events.show(db)
        results.show(db)
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    return len(statements)
