"""Tests of knock events from the command line: stake, sheets, money and standings."""

import json
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, Result
from tourney.domain.rounds import Table
from tourney.standings.placing import RankingBasis
from tourney.standings.ranking import standings
from tourney.standings.scoring import BY_MONEY

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
SHEET = FIXTURES / "sheet-knock.toml"
TABLE = ("--round", "1", "--table", "1")


@pytest.fixture
def desk(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run commands on an empty database."""
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "knock.db"))
    return Runner(capsys)


@pytest.fixture
def paper(desk: Runner) -> Runner:
    """Draw a table of three players who play for a stake of 50."""
    assert desk("player", "add", "Ana", "Beñat", "Carla").code == 0
    assert desk("event", "new", "Paper", "--rules", "knock", "--stake", "50", "--size", "3", "--rounds", "1").code == 0
    assert desk("event", "enter", "Paper", "Ana", "Beñat", "Carla").code == 0
    assert desk("round", "draw", "Paper").code == 0
    return desk


def money(desk: Runner, event: str) -> dict[str, tuple[int, int]]:
    """Return the rank and the money of each player."""
    rows = json.loads(desk("standings", event, "--json").out)
    return {row["player"]: (row["rank"], row["money"]) for row in rows}


def test_a_sheet_gives_the_money_of_the_golden_record(paper: Runner) -> None:
    """Points, endings and money are those of fixtures/records/knock.toml."""
    ran = paper("result", "enter", "Paper", *TABLE, "--file", str(SHEET))
    assert (ran.code, ran.err) == (0, "")
    assert "Ana, rummy with 3 jokers" in ran.out
    assert "bought off" in ran.out
    assert money(paper, "Paper") == {"Beñat": (1, 180), "Ana": (2, -50), "Carla": (3, -130)}
    data = json.loads(paper("result", "show", "Paper", *TABLE, "--json").out)
    assert {row["player"]: (row["points"], row["place"]) for row in data["players"]} == {
        "Ana": (71, 2),
        "Beñat": (87, 1),
        "Carla": (123, 3),
    }
    assert [hand["ending"] for hand in data["hands"]] == [
        "knock",
        "rummy with 3 jokers",
        "color",
        "knock",
        "continental",
    ]
    assert data["hands"][1]["off"] == {"Ana": 0, "Beñat": 34, "Carla": 0}
    assert paper("db", "check").code == 0


def test_a_sheet_may_be_given_by_options_with_the_player_who_ended_a_hand_first(paper: Runner) -> None:
    words = ["--hand", "void Ana=60 Beñat=70 Carla=101"]
    assert paper("result", "enter", "Paper", *TABLE, *words).code == 0
    assert money(paper, "Paper") == {"Ana": (1, 25), "Beñat": (1, 25), "Carla": (3, -50)}
    words = ["--hand", "knock Beñat=0 Ana=101 Carla=102"]
    assert paper("result", "correct", "Paper", *TABLE, *words, "--reason", "misread").code == 0
    assert money(paper, "Paper")["Beñat"] == (1, 50 * 3 + 10 + 10 - 50)


def test_buys_and_jokers_may_be_given_by_options(paper: Runner) -> None:
    """Five options with the game of fixtures/records/knock.toml give its money."""
    lines = (
        "knock Carla=1 Ana=37 Beñat=38",
        "rummy Ana=-10 Beñat=56 Carla=59 jokers=3 buys=Beñat",
        "color Beñat=-25 Ana=26 Carla=63",
        "knock Ana=2 Beñat=52",
        "continental Beñat=0 Ana=16",
    )
    words = [word for line in lines for word in ("--hand", line)]
    assert paper("result", "enter", "Paper", *TABLE, *words).code == 0
    assert money(paper, "Paper") == {"Beñat": (1, 180), "Ana": (2, -50), "Carla": (3, -130)}


def test_a_penalty_lowers_the_money(paper: Runner) -> None:
    """A penalty of 300 puts Beñat with 180 behind Ana with -50; points do not change, and the dry run agrees."""
    assert paper("result", "enter", "Paper", *TABLE, "--file", str(SHEET)).code == 0
    words = ("ruling", "add", "Paper", "--kind", "penalty", "--player", "Beñat", "--points", "300", "--reason", "late")
    assert "180 → -120" in paper(*words, "--dry-run").out
    assert paper(*words).code == 0
    assert money(paper, "Paper") == {"Ana": (1, -50), "Beñat": (2, -120), "Carla": (3, -130)}
    output = paper("standings", "Paper", "--why", "Beñat").out
    assert "70 less money than Ana; a penalty of 300 points: late" in output
    assert "the points of a penalty are taken off the money" in output
    rows = json.loads(paper("standings", "Paper", "--json").out)
    assert [(row["points"], row["penalty"]) for row in rows] == [(71, 0), (87, 300), (123, 0)]


def test_a_redeal_names_the_number_of_its_hand(paper: Runner) -> None:
    """Before the sheet is entered any number is accepted, afterwards only that of a hand that was played."""
    words = ("ruling", "add", "Paper", "--kind", "redeal", *TABLE, "--reason", "a card was seen", "--hand")
    assert "the hand 9 was dealt again" in paper(*words, "9").out
    assert paper("result", "enter", "Paper", *TABLE, "--file", str(SHEET)).code == 0
    assert "the hand 5 was dealt again" in paper(*words, "05").out
    for wrong in ("6", "0", "TT", "-1"):
        ran = paper(*words, wrong)
        assert (ran.code, ran.out) == (1, "")
        assert f"there is no hand {wrong}" in ran.err
        assert "numbered from 1 to 5" in ran.err


def test_a_knock_event_cannot_have_points_for_unplayed_hands(desk: Runner) -> None:
    words = ("--unfinished", "penalty", "--unfinished-points", "10")
    ran = desk("event", "new", "Bad", "--rules", "knock", *words)
    assert (ran.code, ran.out) == (1, "")
    assert "a knock game has no number of hands" in ran.err
    assert desk("event", "new", "Good", "--rules", "knock").code == 0
    assert desk("event", "set", "Good", *words).code == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('ending = "color"', 'ending = "colour"', "hand 3: ended with 'colour'; a hand ends with knock, rummy"),
        ('"Ana" = 26, ', '"Ana" = 1, ', "hand 3, Ana: no hand leaves 1 point of deadwood"),
        ('buys = ["Beñat"]', 'buys = ["Ana"]', "hand 2, Ana: may buy above 80 points, and has 27"),
        ('buys = ["Beñat"]', 'buys = "Beñat"', "hand 2: the field buys has the wrong type"),
        ('buys = ["Beñat"]', 'buys = ["Zoe"]', "hand 2: nobody called “Zoe” sits at table 1 of round 1 of Paper"),
        ('"Ana" = 2, ', '"Ana" = 2, "Carla" = 5, ', "hand 4, Carla: is out of the game"),
        ('ending = "color"', 'contract = "TT"', "hand 3 has the contract TT; the knock game has none"),
        ('ending = "color"\n', "", "hand 3 has no contract"),
        ('ending = "color"', "ending = 3", "hand 3: the field ending has the wrong type"),
    ],
)
def test_an_impossible_sheet_is_refused_in_one_line(
    paper: Runner, tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = SHEET.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "sheet.toml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    ran = paper("result", "enter", "Paper", *TABLE, "--file", str(file))
    assert (ran.code, ran.out) == (1, "")
    assert message in ran.err.splitlines()[0]


def test_a_sheet_in_spanish_names_hands_and_endings_in_spanish(paper: Runner, tmp_path: Path) -> None:
    """A hand of the knock game has no contract, but a number."""
    text = SHEET.read_text(encoding="utf-8")
    file = tmp_path / "sheet.toml"
    for old, new, message in (
        ('"Ana" = 26, ', '"Ana" = 1, ', "error: mano 3, Ana: "),
        ('"Ana" = 26, ', "", "error: mano 3, Ana: "),
        ('ending = "color"', 'ending = "colour"', "error: mano 3: "),
    ):
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        assert paper("--lang", "es", "result", "enter", "Paper", *TABLE, "--file", str(file)).err.startswith(message)
    entered = paper("--lang", "es", "result", "enter", "Paper", *TABLE, "--file", str(SHEET))
    assert "Ana, rummy con 3 comodines" in entered.out
    assert paper("result", "show", "Paper", *TABLE, "--json").json["hands"][1]["ending"] == "rummy with 3 jokers"


def test_a_game_that_is_not_over_needs_the_option_short(paper: Runner, tmp_path: Path) -> None:
    """After two hands the lowest score gets the pot of 260 and a bonus of 50, less 60 that were paid."""
    file = tmp_path / "sheet.toml"
    file.write_text("\n\n".join(SHEET.read_text(encoding="utf-8").split("\n\n")[:2]), encoding="utf-8")
    ran = paper("result", "enter", "Paper", *TABLE, "--file", str(file))
    assert ran.code == 1
    assert "hand 3: is missing: 3 players are still in" in ran.err
    assert "--stopped" in ran.err
    assert paper("result", "enter", "Paper", *TABLE, "--file", str(file), "--stopped").code == 0
    assert sorted(net for _rank, net in money(paper, "Paper").values()) == [-160, -90, 250]
    assert "was stopped before its end" in paper("standings", "Paper").out


def test_the_record_of_a_sheet_can_be_read(paper: Runner, tmp_path: Path) -> None:
    """The record has the endings, jokers, money and stake; it has no actions and cannot be replayed."""
    from engine.records.record import read
    from tourney.service.results import results

    assert paper("result", "enter", "Paper", *TABLE, "--file", str(SHEET)).code == 0
    record = read(results.record(None, "Paper", 1, 1))
    assert (record.stake, sorted(record.money)) == (50, [-130, -50, 180])
    assert [(hand.ending, hand.jokers) for hand in record.hands] == [
        ("knock", 0),
        ("rummy", 3),
        ("color", 0),
        ("knock", 0),
        ("continental", 0),
    ]
    file = tmp_path / "record.toml"
    file.write_text(results.record(None, "Paper", 1, 1), encoding="utf-8")
    assert paper("record", "show", str(file)).code == 0


def test_bots_play_knock_events_for_money(desk: Runner) -> None:
    """The money of every table adds up to 0, and the standings are in the order of money."""
    assert desk("event", "new", "Bots", "--rules", "knock", "--stake", "50", "--rounds", "2", "--seed", "3").code == 0
    assert desk("event", "enter", "Bots", "--bots", "greedy:4,random:4").code == 0
    for number in ("1", "2"):
        assert desk("round", "draw", "Bots").code == 0
        assert desk("round", "play", "Bots").code == 0
        for table in ("1", "2"):
            shown = json.loads(desk("result", "show", "Bots", "--round", number, "--table", table, "--json").out)
            assert sum(row["money"] for row in shown["players"]) == 0
    rows = json.loads(desk("standings", "Bots", "--json").out)
    assert [row["money"] for row in rows] == sorted((row["money"] for row in rows), reverse=True)
    assert sum(row["money"] for row in rows) == 0
    assert len(json.loads(desk("ratings", "--pool", "bots", "--json").out)) == 8
    assert desk("db", "check").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rules", "knock", "--stake", "7"), "a stake of 7 makes the bonus of a knock 70/50, not a whole number"),
        (("--rules", "oficial", "--stake", "50"), "oficial is not played for money"),
    ],
)
def test_an_impossible_stake_is_refused(desk: Runner, words: tuple[str, ...], message: str) -> None:
    ran = desk("event", "new", "Bad", *words)
    assert (ran.code, ran.out) == (1, "")
    assert message in ran.err


def test_the_stake_can_change_until_a_round_is_drawn(paper: Runner) -> None:
    assert json.loads(paper("event", "show", "Paper", "--json").out)["stake"] == 50
    ran = paper("event", "set", "Paper", "--stake", "100")
    assert ran.code == 1
    assert "the stake of Paper cannot change" in ran.err
    assert paper("event", "new", "Later", "--rules", "knock").code == 0
    assert paper("event", "set", "Later", "--stake", "100").code == 0
    assert json.loads(paper("event", "show", "Later", "--json").out)["stake"] == 100


def test_score_sheets_with_contracts_cannot_be_imported_into_a_knock_event(desk: Runner) -> None:
    sheets = FIXTURES / "club" / "score-sheets.csv"
    ran = desk("event", "import", "Friday", "--sheets", str(sheets), "--rules", "knock")
    assert ran.code == 1
    assert "score sheets have a column for each contract, and knock has none" in ran.err


# --- standings by money ---------------------------------------------------------------------------------

PEOPLE = tuple(Player(number, name) for number, name in enumerate(("Ana", "Beñat", "Carla", "Diego"), 1))


def result(number: int, seats: tuple[int, ...], net: tuple[int, ...], places: tuple[int, ...]) -> Result:
    """Return the result of a table of round `number` with this money and these places."""
    hand = HandScore("", (0,) * len(seats), 0, False, "knock")
    outcome = Outcome((hand,), (10,) * len(seats), (0,) * len(seats), places, money=net)
    return Result("x", Table(number, 1, tuple(PEOPLE[seat] for seat in seats)), outcome)


def test_knock_events_rank_by_net_money_and_then_by_mean_place() -> None:
    """Ana has 80; Beñat and Carla have -20 each, Carla with the better places; Diego has -40."""
    results = [
        result(1, (0, 1, 2, 3), (100, -20, -40, -40), (1, 3, 2, 4)),
        result(2, (0, 1, 2, 3), (-20, 0, 20, 0), (4, 2, 1, 3)),
    ]
    rows, notes = standings(PEOPLE, results, basis=RankingBasis(scoring=BY_MONEY))
    assert [(row.rank, row.player.name, row.money) for row in rows] == [
        (1, "Ana", 80),
        (2, "Carla", -20),
        (3, "Beñat", -20),
        (4, "Diego", -40),
    ]
    assert [row.why for row in rows] == [
        "most money",
        "100 less money than Ana",
        "level with Carla; mean place 1.50 against 2.50",
        "20 less money than Beñat",
    ]
    assert notes == ()


def test_equal_money_and_equal_places_share_a_rank() -> None:
    rows, _notes = standings(PEOPLE[:2], [result(1, (0, 1), (0, 0), (1, 1))], basis=RankingBasis(scoring=BY_MONEY))
    assert [row.rank for row in rows] == [1, 1]
    assert rows[1].why == "level with Ana, also by the tie-breaks: the rank is shared"


def test_standings_of_other_events_have_no_money() -> None:
    rows, _notes = standings(PEOPLE[:2], [result(1, (0, 1), (50, -50), (2, 1))])
    assert [row.money for row in rows] == [None, None]
