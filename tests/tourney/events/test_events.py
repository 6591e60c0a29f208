"""Tests of events: settings, entrants, the current event, and a whole evening imported from a spreadsheet."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service import database, players
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent, bot_seats
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.players import ErasePlayer, ImportPlayers, RegisterPlayers
from tourney.service.results import results, standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound


def test_an_event_keeps_its_settings(db: str) -> None:
    """Check that every setting is kept, the name is trimmed, and the digest of the rules is added."""
    settings = EventSettings("  Café  Año ", "oficial", "rotation", 7, 3, "seed 9", "sit out", 2, "2026-11-20")
    event = apply(db, CreateEvent(settings))
    kept = events.show(db, "cafe ano")
    assert kept == event
    assert kept.settings == EventSettings("Café Año", "oficial", "rotation", 7, 3, "seed 9", "sit out", 2, "2026-11-20")
    assert kept.rules.digest


WRONG = [
    (ExitCode.NOT_FOUND, {"rules": "oficiall"}, ("oficiall", "did you mean 'oficial'?")),
    (ExitCode.REFUSED, {"size": 5}, ("table size", "“5”", "2 to 4")),
    (ExitCode.REFUSED, {"size": 1}, ("2 to 4",)),
    (ExitCode.REFUSED, {"rounds": 0}, ("rounds", "“0”", "1 to 1000")),
    (ExitCode.REFUSED, {"minimum": 6}, ("minimum", "0 to 3")),
    (ExitCode.REFUSED, {"date": "11/20/2026"}, ("date", "2026-11-20")),
    (ExitCode.REFUSED, {"name": " "}, ("empty",)),
    (ExitCode.REFUSED, {"seed": ""}, ("seed",)),
    (ExitCode.USAGE, {"format": "knockout"}, ("knockout", "rotation, swiss")),
    (ExitCode.REFUSED, {"minutes": 0}, ("minutes per round", "1 to 1440")),
    (ExitCode.REFUSED, {"unfinished": "penalty"}, ("what each hand not played costs", "--unfinished-points")),
    (ExitCode.REFUSED, {"unfinished": "penalty", "unfinished_points": 1001}, ("0 to 1000",)),
    (ExitCode.REFUSED, {"unfinished": "void", "unfinished_points": 5}, ("--unfinished penalty",)),
    (ExitCode.REFUSED, {"minimum": -1}, ("0 to 3",)),
    (ExitCode.REFUSED, {"stake": -1}, ("stake",)),
    (ExitCode.REFUSED, {"tables": 0}, ("1 to 1000",)),
    (ExitCode.USAGE, {"checkin": "perhaps"}, ("check-in", "not asked, required")),
    (ExitCode.USAGE, {"unfinished": "play on"}, ("count hands, void, penalty",)),
    (ExitCode.USAGE, {"short": "stand"}, ("short tables, sit out",)),
    (ExitCode.CONFLICT, {"name": "FRÍDAY"}, ("Friday",)),
]


@pytest.mark.parametrize(("code", "changes", "words"), WRONG)
def test_impossible_settings_are_refused(db: str, code: ExitCode, changes: dict, words: tuple) -> None:
    """Check that each refusal names the possible values."""
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    with desk.refused(code, *words):
        apply(db, CreateEvent(EventSettings(**{"name": "Saturday", "rules": "oficial", **changes})))
    assert len(events.listing(db)) == 1


def test_a_command_uses_the_event_that_is_named_or_current_or_the_only_one(db: str) -> None:
    """Check this order, and that the names of all events are listed if none of them applies."""
    with desk.refused(ExitCode.NOT_FOUND, "no database"):
        events.show(db)
    apply(db, RegisterPlayers(["Ana"]))
    with desk.refused(ExitCode.NOT_FOUND, "no event yet", "event new"):
        events.show(db)
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    assert events.show(db).settings.name == "Friday"
    apply(db, CreateEvent(EventSettings("Sunday", "oficial")))
    with desk.refused(ExitCode.NOT_FOUND, "event use", "Friday, Sunday"):
        events.show(db)
    apply(db, UseEvent("friday"))
    assert events.show(db).settings.name == "Friday"
    assert events.show(db, "SUNDAY").settings.name == "Sunday"
    with desk.refused(ExitCode.NOT_FOUND, "Fridax", "did you mean Friday?"):
        events.show(db, "Fridax")


def test_people_and_bots_enter_once(db: str) -> None:
    """Entrants are in the order of entry; the seats of bots are the same players in every event."""
    apply(db, RegisterPlayers(["Ana", "Beñat"]))
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    apply(db, CreateEvent(EventSettings("Sunday", "oficial")))
    first = apply(db, EnterPlayers("Friday", ["benat"], bots=bot_seats("greedy:2,random:1")))
    assert [player.shown for player in first.added] == ["Beñat", "greedy-1", "greedy-2", "random-1"]
    second = apply(db, EnterPlayers("Friday", ["Ana", "Beñat"], bots=bot_seats("greedy:3")))
    assert [player.shown for player in second.added] == ["Ana", "greedy-3"]
    assert [player.shown for player in second.already] == ["Beñat", "greedy-1", "greedy-2"]
    sunday = apply(db, EnterPlayers("Sunday", bots=bot_seats("greedy:1"))).event.entrants
    assert sunday == (first.added[1],)
    assert [player.name for player in players.listing(db, kind="bot")] == [
        "greedy-1",
        "greedy-2",
        "greedy-3",
        "random-1",
    ]


UNKNOWN = [
    (ExitCode.NOT_FOUND, {"players": ["Zuriñe"]}, ("Zuriñe", "--add", "player list")),
    (ExitCode.NOT_FOUND, {"players": ["Anna"]}, ("did you mean Ana?",)),
    (ExitCode.NOT_FOUND, {"bots": "greddy:2"}, ("greddy", "did you mean greedy?")),
    (ExitCode.USAGE, {"bots": "greedy"}, ("greedy:6,random:6",)),
    (ExitCode.USAGE, {"bots": "greedy:0"}, ("greedy:0",)),
    (ExitCode.USAGE, {}, ("nobody",)),
    (ExitCode.NOT_FOUND, {"file": desk.BAD / "entries-unregistered.csv"}, ("entries-unregistered.csv", "Zuriñe")),
    (ExitCode.REFUSED, {"file": desk.BAD / "players-twice.csv"}, ("line 4",)),
]


@pytest.mark.parametrize(("code", "who", "words"), UNKNOWN)
def test_an_unknown_person_or_bot_is_not_entered(db: str, code: ExitCode, who: dict, words: tuple) -> None:
    """Check that no entrant of the command is kept."""
    apply(db, RegisterPlayers(["Ana", "Beñat"]))
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    before = desk.query(db, "SELECT hash FROM head")
    with desk.refused(code, *words):
        apply(db, EnterPlayers("Friday", **(who | {"bots": bot_seats(who.get("bots", ""))})))
    assert desk.query(db, "SELECT hash FROM head") == before


def test_unknown_people_are_registered_with_the_option_add(db: str) -> None:
    """The file is one that is refused without the option."""
    apply(db, RegisterPlayers(["Ana"]))
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    entered = apply(db, EnterPlayers("Friday", file=desk.BAD / "entries-unregistered.csv", add=True))
    assert [player.shown for player in entered.registered] == ["Zuriñe"]
    assert [player.shown for player in entered.added] == ["Ana", "Zuriñe"]


def test_no_person_takes_the_name_of_a_bot(db: str, tmp_path: Path) -> None:
    """The names of bots are refused, typed or from a file, although no bot has played; other names are accepted."""
    with desk.refused(ExitCode.REFUSED, "Greedy-2", "bot greedy"):
        apply(db, RegisterPlayers(["Greedy-2"]))
    file = tmp_path / "people.csv"
    file.write_text("name\nAna\nrandom-1\n", encoding="utf-8")
    with desk.refused(ExitCode.REFUSED, "line 3", "random-1"):
        apply(db, ImportPlayers(file))
    apply(db, RegisterPlayers(["Ana-2", "greedy"]))


SHEETS = ["score-sheets.csv", "score-sheets-excel.csv", "score-sheets-cp1252.csv"]


@pytest.mark.parametrize("name", SHEETS)
def test_the_standings_of_a_whole_evening_add_up_its_sheets(db: str, name: str) -> None:
    """Every player's points, hands won (0 or −10) and games are added up independently from the file."""
    encoding = "cp1252" if "cp1252" in name else "utf-8-sig"
    with open(desk.CLUB / name, encoding=encoding) as file:
        rows = list(csv.DictReader(file, delimiter="," if name == SHEETS[0] else ";"))
    desk.evening(Path(db), sheets=name)
    expected: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        points = [int(row[contract]) for contract in desk.CONTRACTS]
        sums = expected[row["player"]]
        sums[0] += sum(points)
        sums[1] += sum(point <= 0 for point in points)
        sums[2] += 1
    table = standings.standings(db)
    assert {row.player.shown: [row.points, row.hands_won, row.games] for row in table.rows} == expected
    seats = {(row["round"], row["table"], row["seat"]): row["player"] for row in rows}
    schedule = rounds.show(db)
    assert seats == {
        (str(table.round), str(table.number), str(seat)): player.shown
        for round_ in schedule.rounds
        for table in round_.tables
        for seat, player in enumerate(table.players, 1)
    }
    assert len(schedule.done) == len({key[:2] for key in seats})
    assert schedule.event.settings.rounds == 5
    assert database.check(db).problems == ()


def test_dead_hands_and_two_spellings_of_a_contract_are_read(db: str, tmp_path: Path) -> None:
    """Check the column `dead`, and TET and ETE for TTE and TEE; in a dead hand all players' points count."""
    apply(db, RegisterPlayers(["Ana", "Beñat"]))
    file = tmp_path / "sheets.csv"
    file.write_text(
        "Round;Table;Seat;Player;TT;TE;EE;TTT;TET;ETE;EEE;dead\n"
        "1;3;2;Beñat;20;-10;35;50;45;40;70;\n1;3;1;Ana;0;30;25;40;0;55;60;EE EEE TEE TTT\n",
        encoding="utf-8",
    )
    assert apply(db, ImportSheets("Friday", file, "oficial")).tables == 1
    (result,) = results.show(db, "Friday", 1, 3)
    assert [player.shown for player in result.table.players] == ["Ana", "Beñat"]
    assert [hand.closer for hand in result.outcome.hands] == [0, 1, None, None, 0, None, None]
    assert [hand.at_once for hand in result.outcome.hands][:2] == [False, True]
    assert result.outcome.points == (0 + 30 + 25 + 40 + 0 + 55 + 60, 20 - 10 + 35 + 50 + 45 + 40 + 70)


BAD = {
    "score-sheets-missing-column.csv": ("line 1", "TTE"),
    "score-sheets-stray-quote.csv": ("line 3", "quotation mark"),
    "score-sheets-unclosed-quote.csv": ("line 3", "quotation mark"),
    "score-sheets-row-twice.csv": ("line 6", "line 5", "seat 4"),
    "score-sheets-player-twice.csv": ("line 5", "Ana", "round 1"),
    "score-sheets-seat-missing.csv": ("round 1, table 1", "seat 2"),
    "score-sheets-round-missing.csv": ("round 1",),
    "score-sheets-negative.csv": ("round 1, table 1", "TE", "Beñat", "-20"),
    "score-sheets-no-closer.csv": ("round 1, table 1", "TT", "dead"),
    "score-sheets-two-closers.csv": ("round 1, table 1", "TT"),
    "score-sheets-one-point.csv": ("round 1, table 1", "TT", "Beñat"),
    "score-sheets-impossible-points.csv": ("round 1, table 1", "TT", "Beñat", "9999"),
    "score-sheets-points-missing.csv": ("line 5", "TTT"),
    "score-sheets-no-number.csv": ("line 5", "TTT", "forty"),
    "score-sheets-five-at-a-table.csv": ("round 1, table 1", "5 players"),
    "score-sheets-empty.csv": ("empty",),
    "score-sheets-header-only.csv": ("no rows",),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_sheets_file_is_refused_with_the_place_of_the_fault_and_nothing_is_kept(db: str, name: str) -> None:
    """Each file has one fault; the database is afterwards the same, byte for byte."""
    apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    before = Path(db).read_bytes()
    with desk.refused(ExitCode.REFUSED, name, *BAD[name]):
        apply(db, ImportSheets("Friday", desk.BAD / name, "oficial"))
    assert Path(db).read_bytes() == before


def test_a_sheet_with_an_unregistered_player_is_refused_with_the_import_command(db: str) -> None:
    """Check exit code 3 and the line of the file."""
    apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    with desk.refused(ExitCode.NOT_FOUND, "line 4", "Zuriñe", "tourney player import"):
        apply(db, ImportSheets("Friday", desk.BAD / "score-sheets-unregistered.csv", "oficial"))
    assert events.listing(db) == ()


def test_every_bad_sheets_file_is_tested() -> None:
    """Check that the tests above name every bad sheets file of the fixtures."""
    names = {path.name for path in desk.BAD.iterdir() if path.name.startswith("score-sheets")}
    assert names == {*BAD, "score-sheets-unregistered.csv"}


def test_finishing_an_event_says_who_has_won(db: str, run: Runner) -> None:
    """By seat the sheet gives 5 × 20, 5 × 30, 5 × 40 and 6 × 50 points; the first three ranks are shown."""
    desk.event(db, 4, rounds=1)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    names = [player.shown for player in table.players]
    apply(db, EnterResult(None, 1, 1, desk.hands(names)))
    text = run("event", "finish", "--dry-run", "--db", db).out
    assert f"\nThe winner is {names[0]}.\n" in text
    assert "\nRank  Player  Points\n" in text
    first = run("event", "finish", "--db", db, "--json").json["first"]
    assert first == [
        {"rank": rank, "player": name, "score": score, "games": 1, "average": float(score)}
        for rank, name, score in zip((1, 2, 3), names, (100, 150, 200), strict=False)
    ]


def test_everybody_who_is_registered_is_entered_but_no_bot_and_no_erased_name(db: str) -> None:
    desk.event(db, 3, "greedy:1")
    apply(db, RegisterPlayers(["Zoe", "Xavi"]))
    apply(db, ErasePlayer("Xavi"))
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    entered = apply(db, EnterPlayers("Saturday", everybody=True))
    assert [player.shown for player in entered.added] == ["Ana", "Beñat", "Carmen", "Zoe"]
