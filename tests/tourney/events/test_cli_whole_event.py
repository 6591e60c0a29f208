"""Tests of a club evening and a bot event on the command line: what each command prints and what it keeps."""

import csv
import json
from collections import defaultdict
from pathlib import Path

import pytest
import trueskill

from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode

CLUB = Path(__file__).resolve().parents[3] / "fixtures" / "club"
PEOPLE, SHEETS = str(CLUB / "players.csv"), str(CLUB / "score-sheets.csv")
MORE = ("--size", "4", "--seed", "9")
CONTRACTS = ("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line with an empty database."""
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "desk.db"))
    return Runner(capsys)


@pytest.fixture
def club(run: Runner) -> Runner:
    """The command line with the imported club evening."""
    assert succeeded(run("player", "import", PEOPLE)).err == ""
    succeeded(run("event", "import", "Friday", "--sheets", SHEETS, "--rules", "oficial"))
    return run


@pytest.fixture
def bots(run: Runner) -> Runner:
    """The command line with a bot event of two rounds, the first drawn."""
    succeeded(
        run(
            "event",
            "new",
            "Bots",
            "--rules",
            "oficial",
            "--format",
            "rotation",
            "--rounds",
            "2",
            "--size",
            "4",
            "--seed",
            "9",
        )
    )
    succeeded(run("event", "enter", "Bots", "--bots", "greedy:4,random:4"))
    succeeded(run("round", "draw", "Bots"))
    return run


@pytest.fixture
def people(run: Runner) -> Runner:
    """The command line with four people, entered and seated at one table that has no result yet."""
    succeeded(run("player", "add", "Ana", "Beñat", "Carmen", "Diego"))
    succeeded(run("event", "new", "Small", "--rounds", "2", "--seed", "4"))
    succeeded(run("event", "enter", "Small", "Ana", "Beñat", "Carmen", "Diego"))
    succeeded(run("round", "draw", "Small"))
    return run


def succeeded(result: Ran) -> Ran:
    """Return the result, after checking that the command succeeded."""
    assert result.code == 0, result.err
    return result


def sheet_rows() -> list[dict[str, str]]:
    with open(SHEETS, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def tables() -> list[list[dict[str, str]]]:
    """Return the rows of each table of the evening, by round and table; the rows are in seat order."""
    rows_by_table: dict[tuple[int, int], list[dict[str, str]]] = defaultdict(list)
    for row in sheet_rows():
        rows_by_table[int(row["round"]), int(row["table"])].append(row)
    return [sorted(rows_by_table[key], key=lambda row: int(row["seat"])) for key in sorted(rows_by_table)]


# --- the club evening -------------------------------------------------------------------------------------


def test_the_totals_of_the_evening_are_those_of_the_sheets(club: Runner) -> None:
    """The points, hands won and games of every player are added up independently from the CSV file."""
    points: dict[str, int] = defaultdict(int)
    won: dict[str, int] = defaultdict(int)
    games: dict[str, int] = defaultdict(int)
    for row in sheet_rows():
        hands = [int(row[contract]) for contract in CONTRACTS]
        points[row["player"]] += sum(hands)
        won[row["player"]] += sum(hand <= 0 for hand in hands)
        games[row["player"]] += 1
    rows = succeeded(club("standings", "Friday", "--json")).json
    first = ["rank", "player", "points", "score", "hands_won", "games", "average", "money", "prize", "penalty"]
    assert list(rows[0]) == [*first, "short", "state", "why"]
    assert {row["player"]: row["points"] for row in rows} == points
    assert {row["player"]: row["hands_won"] for row in rows} == won
    assert {row["player"]: row["games"] for row in rows} == games
    assert [row["points"] for row in rows] == sorted(points.values())


def test_the_ratings_equal_those_of_trueskill_table_by_table(club: Runner) -> None:
    """The draw probability is 0.01; the more recent hand won breaks a tie at a table, so no places are equal."""
    env = trueskill.TrueSkill(draw_probability=0.01)
    ratings = defaultdict(env.create_rating)
    for table in tables():
        totals = [sum(int(row[contract]) for contract in CONTRACTS) for row in table]
        last_won = [
            max((hand for hand, contract in enumerate(CONTRACTS) if int(row[contract]) <= 0), default=-1)
            for row in table
        ]
        order = sorted(range(len(table)), key=lambda seat: (totals[seat], -last_won[seat]))
        groups = [(ratings[row["player"]],) for row in table]
        rated = env.rate(groups, [order.index(seat) for seat in range(len(table))])
        for row, (rating,) in zip(table, rated, strict=True):
            ratings[row["player"]] = rating
    rows = succeeded(club("ratings", "--json")).json
    assert list(rows[0])[:8] == ["rank", "player", "mu", "sigma", "score", "games", "wins", "change"]
    assert {row["player"] for row in rows} == set(ratings)
    for row in rows:
        assert row["mu"] == pytest.approx(ratings[row["player"]].mu, abs=1e-9)
        assert row["sigma"] == pytest.approx(ratings[row["player"]].sigma, abs=1e-9)
        assert row["score"] == pytest.approx(row["mu"] - 3 * row["sigma"], abs=1e-12)
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)


def test_the_seating_of_the_evening_is_that_of_the_sheets(club: Runner) -> None:
    shown = succeeded(club("round", "show", "Friday", "--json")).json
    assert [names for tables_ in shown["rounds"] for names in tables_] == [
        [row["player"] for row in table] for table in tables()
    ]
    (second,) = succeeded(club("round", "show", "Friday", "--round", "2", "--json")).json["rounds"]
    assert second == shown["rounds"][1]


def test_standings_of_round_one_count_only_that_round(club: Runner) -> None:
    rows = succeeded(club("standings", "Friday", "--round", "1", "--json")).json
    first = {row["player"]: sum(int(row[c]) for c in CONTRACTS) for row in sheet_rows() if row["round"] == "1"}
    assert {row["player"]: row["points"] for row in rows if row["games"]} == first


def test_why_explains_a_player_named_without_accents(club: Runner) -> None:
    result = succeeded(club("standings", "Friday", "--why", "benat", "--json"))
    assert result.json["player"] == "Beñat"
    assert result.json["why"]
    assert result.json["why"] in succeeded(club("standings", "Friday", "--why", "Beñat")).out
    unknown = club("standings", "Friday", "--why", "Nobody")
    assert (unknown.code, unknown.out) == (ExitCode.NOT_FOUND, "")


def test_only_verbose_tables_name_the_head_of_the_journal(club: Runner) -> None:
    """Check that JSON and CSV omit it, so that equal games give equal output."""
    head = succeeded(club("db", "check", "--json")).json["head"][:16]
    for command in (("standings", "Friday"), ("ratings",)):
        assert f"journal head {head}" in succeeded(club(*command, "--verbose")).out
        assert head not in succeeded(club(*command)).out
        for format in ("json", "csv"):
            assert head not in succeeded(club(*command, "--format", format)).out


def test_the_same_play_gives_the_same_output_in_two_databases(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The output is equal byte for byte: only the times and ids of entries differ."""
    run = Runner(capsys)
    outputs: list[list[str]] = []
    for name in ("one.db", "two.db"):
        db = ("--db", str(tmp_path / name))
        succeeded(run("event", "new", "Bots", "--rounds", "1", "--seed", "7", *db))
        succeeded(run("event", "enter", "Bots", "--bots", "greedy:2,random:2", *db))
        succeeded(run("round", "draw", *db))
        succeeded(run("round", "play", *db))
        shown = (("standings",), ("ratings", "--pool", "bots"), ("result", "show"), ("round", "show"))
        outputs.append([succeeded(run(*words, *db, "--json")).out for words in shown])
        outputs[-1].append(succeeded(run("result", "show", "--round", "1", "--table", "1", "--record", *db)).out)
    assert outputs[0] == outputs[1]
    assert all(outputs[0])


# --- players and events -----------------------------------------------------------------------------------


def test_players_are_listed_searched_and_shown(run: Runner) -> None:
    added = succeeded(run("player", "add", "Beñat", "Óscar", "--club", "Getxo")).out
    assert (
        added
        == "registered: 2 players\n\nNo.  Name   Club   Kind\n  1  Beñat  Getxo  person\n  2  Óscar  Getxo  person\n"
    )
    assert [row["name"] for row in succeeded(run("player", "list", "--json")).json] == ["Beñat", "Óscar"]
    assert [row["name"] for row in succeeded(run("player", "list", "--search", "osc", "--json")).json] == ["Óscar"]
    assert succeeded(run("player", "list", "--kind", "bot", "--json")).json == []
    shown = succeeded(run("player", "show", "oscar", "--json")).json
    assert shown == {
        "id": 2,
        "name": "Óscar",
        "label": "",
        "club": "Getxo",
        "kind": "person",
        "published": "Óscar",
        "events": [],
        "games": 0,
        "wins": 0,
        "namesakes": [],
    }
    taken = run("player", "add", "benat")
    assert taken.code == ExitCode.CONFLICT
    assert "hint: " in taken.err
    labelled = succeeded(run("player", "add", "Beñat", "--label", "Bilbao", "--json")).json
    assert labelled[0]["label"] == "Bilbao"


def test_an_event_is_created_with_every_option_and_shown(run: Runner) -> None:
    words = (
        "--rules",
        "oficial",
        "--format",
        "rotation",
        "--rounds",
        "3",
        "--size",
        "4",
        "--seed",
        "s",
        "--minimum",
        "2",
        "--checkin",
        "required",
        "--minutes",
        "50",
        "--unfinished",
        "penalty",
        "--unfinished-points",
        "25",
        "--seats",
        "drawn",
        "--table-points",
        "dc",
        "--totals",
        "sum",
        "--tie-breaks",
        "games-won,lot",
        "--fee",
        "7,5",
        "--pot",
        "100.00",
        "--prizes",
        "50%-30%;newcomer 10",
        "--organiser",
        "Club Getxo",
        "--substitutes",
        "nobody",
        "--lang",
        "en",
        "--table-points",
        "dc",
        "--totals",
        "sum",
        "--tie-breaks",
        "games-won,lot",
        "--lang",
        "en",
    )
    created = succeeded(run("event", "new", "May", *words, "--short", "sit out", "--date", "2026-05-01", "--json")).json
    assert {key: value for key, value in created.items() if key != "rules_digest"} == {
        "id": 1,
        "name": "May",
        "date": "2026-05-01",
        "rules": "oficial",
        "format": "rotation",
        "rounds": 3,
        "size": 4,
        "seed": "s",
        "short": "sit out",
        "minimum": 2,
        "checkin": "required",
        "minutes": 50,
        "unfinished": "penalty",
        "unfinished_points": 25,
        "stake": 0,
        "tables": None,
        "seats": "drawn",
        "lang": "en",
        "scoring": "table points",
        "table_points": "4-3-2-1/4-2.5-1",
        "totals": "sum",
        "tie_breaks": "games-won,lot",
        "fee": "7.50",
        "pot": "100",
        "prizes": "50%-30%; newcomer 10",
        "substitutes": "nobody",
        "organiser": "Club Getxo",
        "phone_pins": "seat taken",
        "wishes": [],
        "state": "open",
        "states": [],
        "entrants": [],
    }
    assert succeeded(run("event", "show", "may", "--json")).json == created
    assert succeeded(run("event", "list", "--json")).json == [created]
    assert succeeded(run("event", "use", "May")).out == "current event: May\n"
    assert succeeded(run("event", "show", "--json")).json == created


def test_entrants_are_named_read_from_a_file_or_bots(run: Runner, tmp_path: Path) -> None:
    succeeded(run("player", "add", "Ana", "Beñat"))
    succeeded(run("event", "new", "May"))
    assert succeeded(run("event", "enter", "May", "Ana", "benat", "--json")).json["added"] == ["Ana", "Beñat"]
    entries = tmp_path / "entries.csv"
    entries.write_text("name\nAna\nCarmen\n", encoding="utf-8")
    refused = run("event", "enter", "May", "--file", str(entries))
    assert refused.code == ExitCode.NOT_FOUND
    assert "player import" in refused.err
    entered = succeeded(run("event", "enter", "May", "--file", str(entries), "--add", "--json")).json
    assert (entered["added"], entered["already"], entered["registered"]) == (["Carmen"], ["Ana"], ["Carmen"])
    seats = succeeded(run("event", "enter", "May", "--bots", "greedy:2,random:1", "--json")).json["added"]
    assert seats == ["greedy-1", "greedy-2", "random-1"]


# --- rounds, bots and records -----------------------------------------------------------------------------


def test_bot_tables_are_played_and_their_records_replay(bots: Runner, tmp_path: Path) -> None:
    """Check that `result show --record` prints a file that `record verify` accepts and `record show` reads."""
    shown = succeeded(bots("round", "show", "Bots", "--json")).json
    assert sorted(name for table in shown["rounds"][0] for name in table) == sorted(
        f"{kind}-{number}" for kind in ("greedy", "random") for number in range(1, 5)
    )
    played = succeeded(bots("round", "play", "Bots", "--json"))
    assert played.json["played"] == [{"round": 1, "table": 1}, {"round": 1, "table": 2}]
    assert played.err == "", "no progress bar without a terminal"
    for number, names in enumerate(shown["rounds"][0], 1):
        table_options = ("--round", "1", "--table", str(number))
        result = succeeded(bots("result", "show", "Bots", *table_options, "--json")).json
        assert [player["player"] for player in result["players"]] == names
        record = tmp_path / f"{number}.toml"
        record.write_text(succeeded(bots("result", "show", "Bots", *table_options, "--record")).out, encoding="utf-8")
        verified = succeeded(bots("record", "verify", str(record), "--json")).json
        assert verified["replays"] is True
        assert verified["record_digest"] == result["record_digest"]
        for verb in ("replay", "show"):
            replayed = succeeded(bots("record", verb, str(record), "--json")).json
            assert (replayed["players"], replayed["hands"]) == (result["players"], result["hands"])
        actions = succeeded(bots("record", "show", str(record), "--hand", "1", "--json")).json
        assert {row["player"] for row in actions} == set(names)
        assert bots("record", "show", str(record), "--hand", "8").code == ExitCode.NOT_FOUND


def test_a_record_that_does_not_replay_is_refused_with_its_hand_and_step(bots: Runner, tmp_path: Path) -> None:
    succeeded(bots("round", "play", "Bots"))
    text = succeeded(bots("result", "show", "Bots", "--round", "1", "--table", "1", "--record")).out
    record = tmp_path / "altered.toml"
    record.write_text(text.replace('seed = "9/', 'seed = "8/'), encoding="utf-8")
    result = bots("record", "verify", str(record))
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert f"{record}: hand 1 (TT), step " in result.err
    for content, words in ((b"\xff", "is not UTF-8"), (b"x", "this is not a record"), (b"", "field 'format'")):
        record.write_bytes(content)
        refused = bots("record", "show", str(record))
        assert refused.code == ExitCode.REFUSED
        assert words in refused.err
    missing = bots("record", "replay", str(tmp_path / "none.toml"))
    assert missing.code == ExitCode.NOT_FOUND


def test_no_round_is_drawn_after_the_last_of_a_rotation(bots: Runner) -> None:
    succeeded(bots("round", "draw"))
    refused = bots("round", "draw", "Bots")
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")


# --- results of people ------------------------------------------------------------------------------------


def seats_of(run: Runner) -> list[str]:
    seats: list[str] = succeeded(run("round", "show", "Small", "--json")).json["rounds"][0][0]
    return seats


def hand_options(names: list[str], points: tuple[int, ...] = (-10, 35, 12, 60)) -> list[str]:
    words: list[str] = []
    for contract in CONTRACTS:
        pairs = " ".join(f"{name}={point}" for name, point in zip(names, points, strict=True))
        words += ["--hand", f"{contract} {pairs}"]
    return words


AT = ("Small", "--round", "1", "--table", "1")


def test_a_sheet_is_entered_by_options_corrected_and_made_void(people: Runner) -> None:
    names = seats_of(people)
    entered = succeeded(people("result", "enter", *AT, *hand_options(names), "--json")).json
    assert {player["player"]: player["points"] for player in entered["players"]} == dict(
        zip(names, (-70, 245, 84, 420), strict=True)
    )
    assert [hand["closer"] for hand in entered["hands"]] == [names[0]] * 7
    assert people("result", "enter", *AT, *hand_options(names)).code == ExitCode.CONFLICT
    corrected = succeeded(
        people("result", "correct", *AT, *hand_options(names, (35, -10, 12, 60)), "--reason", "seats", "--json")
    )
    assert corrected.json["reason"] == "seats"
    assert {player["player"]: player["points"] for player in corrected.json["players"]}[names[1]] == -70
    assert succeeded(people("standings", "Small", "--json")).json[0]["player"] == names[1]
    void = succeeded(people("result", "void", *AT, "--reason", "wrong cards", "--json")).json
    assert (void["state"], void["players"], void["hands"]) == ("void", [], [])
    assert "wrong cards" in succeeded(people("result", "show", *AT)).out


def test_a_sheet_is_entered_from_a_file(people: Runner, tmp_path: Path) -> None:
    """The file has cards instead of points, hands laid down and closed in one turn, and a dead hand."""
    names = seats_of(people)
    hands = [
        f'[[hands]]\ncontract = "{contract}"\ncloser = "{names[0]}"\nat_once = true\n'
        f'points = {{ "{names[0]}" = -10, "{names[1]}" = 12, "{names[2]}" = 20 }}\n'
        f'left = {{ "{names[3]}" = "Kh 7d" }}\n'
        for contract in CONTRACTS[:6]
    ]
    dead = ", ".join(f'"{name}" = 50' for name in names)
    hands.append(f'[[hands]]\ncontract = "EEE"\ndead = true\npoints = {{ {dead} }}\n')
    sheet = tmp_path / "sheet.toml"
    sheet.write_text("\n".join(hands), encoding="utf-8")
    entered = succeeded(people("result", "enter", *AT, "--file", str(sheet), "--json")).json
    assert [player["points"] for player in entered["players"]] == [-60 + 50, 72 + 50, 120 + 50, 6 * (10 + 7) + 50]
    assert [hand["dead"] for hand in entered["hands"]] == [False] * 6 + [True]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--file", "a.toml", "--hand", "TT Ana=0"),
        ("--file", "a.toml", "--dead", "TT"),
        ("--hand", "nonsense"),
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_a_sheet_comes_either_from_a_file_or_from_options(people: Runner, words: tuple[str, ...]) -> None:
    refused = people("result", "enter", *AT, *words)
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")


def test_a_record_needs_its_table_and_a_table_alone_is_of_the_newest_round(people: Runner) -> None:
    for words in (("--round", "1", "--record"), ("--record",)):
        assert people("result", "show", "Small", *words).code == ExitCode.USAGE
    missing = people("result", "show", "Small", "--table", "1")
    assert (missing.code, "table 1 of round 1" in missing.err) == (ExitCode.NOT_FOUND, True)


# --- dry runs ---------------------------------------------------------------------------------------------


def test_every_dry_run_shows_a_report_and_keeps_nothing(people: Runner, tmp_path: Path) -> None:
    """Every changing command is run dry; the head of the journal is the same before and after."""
    names = seats_of(people)
    results = tmp_path / "results.csv"
    results.write_text("seq,player,rank\n1,x,1\n1,y,2\n", encoding="utf-8")
    commands = [
        ("player", "add", "Unai"),
        ("player", "import", PEOPLE),
        ("event", "new", "Other"),
        ("event", "use", "Small"),
        ("event", "enter", "Small", "--bots", "greedy:4"),
        ("round", "draw", "Small"),
        ("round", "play", "Small"),
        ("result", "enter", *AT, *hand_options(names)),
        ("rating", "import", str(results), "--pool", "p"),
        ("db", "upgrade"),
    ]
    before = succeeded(people("db", "check", "--json")).json
    for words in commands:
        result = succeeded(people(*words, "--dry-run"))
        assert result.out.startswith("dry run: nothing was saved"), words
        shown = succeeded(people(*words, "--dry-run", "--json"))
        assert shown.err.startswith("dry run: nothing was saved\n"), words
        json.loads(shown.out)
    assert succeeded(people("db", "check", "--json")).json == before


# --- ratings of other games, the database -----------------------------------------------------------------


def test_a_results_file_is_rated_with_its_columns_named(run: Runner, tmp_path: Path) -> None:
    """Two games are rated as by trueskill; the names in the file are not added to the player list."""
    file = tmp_path / "results.csv"
    file.write_text("seq,Pilot,rank\n1,x,1\n1,y,2\n2,y,1\n2,x,1\n", encoding="utf-8")
    succeeded(run("player", "add", "Ana"))
    imported = succeeded(run("rating", "import", str(file), "--pool", "air", "--column", "player=Pilot", "--json")).json
    counts = {"pool": "air", "games": 2, "players": 2, "rows": 4, "skipped": 0}
    assert imported == {
        **counts,
        "source": "results.csv",
        "file": "results.csv",
        "file_players": 2,
        "replaced": None,
        "spellings": [],
        "backwards": None,
        "backward_source": None,
    }
    env = trueskill.TrueSkill(draw_probability=0.01)
    (x,), (y,) = env.rate([(env.create_rating(),), (env.create_rating(),)], [0, 1])
    (y,), (x,) = env.rate([(y,), (x,)], [0, 0])
    rows = {row["player"]: row for row in succeeded(run("ratings", "--pool", "air", "--json")).json}
    assert rows["x"]["mu"] == pytest.approx(x.mu, abs=1e-9)
    assert rows["y"]["sigma"] == pytest.approx(y.sigma, abs=1e-9)
    assert [row["name"] for row in succeeded(run("player", "list", "--json")).json] == ["Ana"]
    bad = run("rating", "import", str(file), "--pool", "air2", "--column", "Pilot")
    assert (bad.code, bad.out) == (ExitCode.USAGE, "")


def test_the_pools_have_the_published_parameters_of_trueskill_and_the_joint_pool_is_opened_once(club: Runner) -> None:
    """mu 25, sigma 25/3, beta 25/6, tau 25/300 (0 for bots), draw probability 0.01; absence does not raise sigma."""
    people, bots = club("rating", "pool", "--json").json
    defaults = {"mu": 25, "sigma": 25 / 3, "beta": 25 / 6, "tau": 25 / 300, "draw": 0.01, "absence": 0, "unit": "game"}
    assert people == {"pool": "people", "kind": "people", **defaults}
    assert bots == {"pool": "bots", "kind": "bots", **defaults, "tau": 0}
    assert club("rating", "pool", "--open", "--dry-run").code == 0
    assert len(club("rating", "pool", "--json").json) == 2
    assert club("rating", "pool", "--open", "--format", "csv").out == "pool,kind,unit\njoint,joint,game\n"
    assert club("rating", "pool", "--json").json[2] == {"pool": "joint", "kind": "joint", **defaults}
    assert club("rating", "pool", "--open").code == 4


def test_the_option_db_names_the_database(run: Runner, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    assert succeeded(run("db", "path", "--db", other)).out == f"{other}\n"
    assert succeeded(run("db", "path", "--json")).json == {"path": str(tmp_path / "desk.db")}
    refused = run("player", "list", "--db", other)
    assert (refused.code, refused.out) == (ExitCode.NOT_FOUND, "")
    assert not Path(other).exists()


def test_a_sound_database_passes_the_check_and_a_damaged_one_fails(club: Runner, tmp_path: Path) -> None:
    """A name is changed in the file: exit code 1, and the problem is named."""
    import sqlite3

    sound = succeeded(club("db", "check", "--json")).json
    assert sound["problems"] == []
    with sqlite3.connect(tmp_path / "desk.db") as db:
        assert db.execute("UPDATE person SET name = 'Nobody' WHERE rowid = 1").rowcount == 1
    damaged = club("db", "check", "--json")
    assert damaged.code == ExitCode.REFUSED
    assert damaged.json["problems"]
    assert damaged.json["problems"][0] in club("db", "check").out


def test_the_demo_shows_every_report_and_leaves_no_file(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo prints its commands, seating, standings and ratings, and which command to type next."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = succeeded(run("demo"))
    assert result.err == ""
    for words in (
        "$ tourney player import",
        "Seat 1",
        "Standings of",
        "Ratings of the pool people",
        "tourney player add",
    ):
        assert words in result.out
    assert list(tmp_path.iterdir()) == []
