"""An evening and a bot event from the command line: every promised invocation, what it prints and what it keeps."""

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
def desk(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line with an empty database of its own."""
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "desk.db"))
    return Runner(capsys)


@pytest.fixture
def club(desk: Runner) -> Runner:
    """The club evening, imported."""
    assert done(desk("player", "import", PEOPLE)).err == ""
    done(desk("event", "import", "Friday", "--sheets", SHEETS, "--rules", "oficial"))
    return desk


@pytest.fixture
def bots(desk: Runner) -> Runner:
    """A bot event of two rounds, the first drawn."""
    done(
        desk(
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
    done(desk("event", "enter", "Bots", "--bots", "greedy:4,random:4"))
    done(desk("round", "draw", "Bots"))
    return desk


@pytest.fixture
def people(desk: Runner) -> Runner:
    """Five people entered and seated, table 1 of four or three players not yet played."""
    done(desk("player", "add", "Ana", "Beñat", "Carmen", "Diego"))
    done(desk("event", "new", "Small", "--rounds", "2", "--seed", "4"))
    done(desk("event", "enter", "Small", "Ana", "Beñat", "Carmen", "Diego"))
    done(desk("round", "draw", "Small"))
    return desk


def done(result: Ran) -> Ran:
    assert result.code == 0, result.err
    return result


def sheet_rows() -> list[dict[str, str]]:
    with open(SHEETS, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def tables() -> list[list[dict[str, str]]]:
    """The evening's tables in the order of rounds and tables, players in seat order."""
    found: dict[tuple[int, int], list[dict[str, str]]] = defaultdict(list)
    for row in sheet_rows():
        found[int(row["round"]), int(row["table"])].append(row)
    return [sorted(found[key], key=lambda row: int(row["seat"])) for key in sorted(found)]


# --- the club evening -------------------------------------------------------------------------------------


def test_the_evening_s_totals_are_those_of_the_sheets(club: Runner) -> None:
    """Points, hands won and games of every player, added up here from the CSV file."""
    points: dict[str, int] = defaultdict(int)
    won: dict[str, int] = defaultdict(int)
    games: dict[str, int] = defaultdict(int)
    for row in sheet_rows():
        hands = [int(row[contract]) for contract in CONTRACTS]
        points[row["player"]] += sum(hands)
        won[row["player"]] += sum(hand <= 0 for hand in hands)
        games[row["player"]] += 1
    rows = done(club("standings", "Friday", "--json")).json
    keys = ["rank", "player", "points", "hands_won", "games", "average", "money", "penalty", "short", "state", "why"]
    assert list(rows[0]) == keys
    assert {row["player"]: row["points"] for row in rows} == points
    assert {row["player"]: row["hands_won"] for row in rows} == won
    assert {row["player"]: row["games"] for row in rows} == games
    assert [row["points"] for row in rows] == sorted(points.values())


def test_the_ratings_are_trueskill_s_table_by_table(club: Runner) -> None:
    """Draw probability 0.01; a table's tie goes to who won a hand more recently, so places never tie here."""
    env = trueskill.TrueSkill(draw_probability=0.01)
    known = defaultdict(env.create_rating)
    for table in tables():
        totals = [sum(int(row[contract]) for contract in CONTRACTS) for row in table]
        recent = [max((at for at, c in enumerate(CONTRACTS) if int(row[c]) <= 0), default=-1) for row in table]
        order = sorted(range(len(table)), key=lambda seat: (totals[seat], -recent[seat]))
        groups = [(known[row["player"]],) for row in table]
        after = env.rate(groups, [order.index(seat) for seat in range(len(table))])
        for row, (rating,) in zip(table, after, strict=True):
            known[row["player"]] = rating
    rows = done(club("ratings", "--json")).json
    assert list(rows[0])[:8] == ["rank", "player", "mu", "sigma", "score", "games", "wins", "change"]
    assert {row["player"] for row in rows} == set(known)
    for row in rows:
        assert row["mu"] == pytest.approx(known[row["player"]].mu, abs=1e-9)
        assert row["sigma"] == pytest.approx(known[row["player"]].sigma, abs=1e-9)
        assert row["score"] == pytest.approx(row["mu"] - 3 * row["sigma"], abs=1e-12)
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)


def test_the_evening_s_seating_is_that_of_the_sheets(club: Runner) -> None:
    shown = done(club("round", "show", "Friday", "--json")).json
    assert [table for one in shown["rounds"] for table in one] == [[row["player"] for row in t] for t in tables()]
    (second,) = done(club("round", "show", "Friday", "--round", "2", "--json")).json["rounds"]
    assert second == shown["rounds"][1]


def test_standings_after_a_round_count_that_round_alone(club: Runner) -> None:
    rows = done(club("standings", "Friday", "--round", "1", "--json")).json
    first = {row["player"]: sum(int(row[c]) for c in CONTRACTS) for row in sheet_rows() if row["round"] == "1"}
    assert {row["player"]: row["points"] for row in rows if row["games"]} == first


def test_why_explains_one_player_found_without_accents(club: Runner) -> None:
    result = done(club("standings", "Friday", "--why", "benat", "--json"))
    assert result.json["player"] == "Beñat"
    assert result.json["why"]
    assert result.json["why"] in done(club("standings", "Friday", "--why", "Beñat")).out
    unknown = club("standings", "Friday", "--why", "Nobody")
    assert (unknown.code, unknown.out) == (ExitCode.NOT_FOUND, "")


def test_verbose_tables_name_the_journal_s_head_and_rows_never_do(club: Runner) -> None:
    """Check that the output for programs is the same for the same play."""
    head = done(club("db", "check", "--json")).json["head"][:16]
    for command in (("standings", "Friday"), ("ratings",)):
        assert f"journal head {head}" in done(club(*command, "--verbose")).out
        assert head not in done(club(*command)).out
        for form in ("json", "csv"):
            assert head not in done(club(*command, "--format", form)).out


def test_the_same_play_gives_the_same_output_in_two_databases(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Byte for byte: only times and ids of acts differ."""
    run = Runner(capsys)
    said: list[list[str]] = []
    for name in ("one.db", "two.db"):
        db = ("--db", str(tmp_path / name))
        done(run("event", "new", "Bots", "--rounds", "1", "--seed", "7", *db))
        done(run("event", "enter", "Bots", "--bots", "greedy:2,random:2", *db))
        done(run("round", "draw", *db))
        done(run("round", "play", *db))
        shown = (("standings",), ("ratings", "--pool", "bots"), ("result", "show"), ("round", "show"))
        said.append([done(run(*words, *db, "--json")).out for words in shown])
        said[-1].append(done(run("result", "show", "--round", "1", "--table", "1", "--record", *db)).out)
    assert said[0] == said[1]
    assert all(said[0])


# --- players and events -----------------------------------------------------------------------------------


def test_players_are_listed_searched_and_shown(desk: Runner) -> None:
    added = done(desk("player", "add", "Beñat", "Óscar", "--club", "Getxo")).out
    assert (
        added
        == "registered: 2 players\n\nNo.  Name   Club   Kind\n  1  Beñat  Getxo  person\n  2  Óscar  Getxo  person\n"
    )
    assert [row["name"] for row in done(desk("player", "list", "--json")).json] == ["Beñat", "Óscar"]
    assert [row["name"] for row in done(desk("player", "list", "--search", "osc", "--json")).json] == ["Óscar"]
    assert done(desk("player", "list", "--kind", "bot", "--json")).json == []
    shown = done(desk("player", "show", "oscar", "--json")).json
    assert shown == {
        "id": 2,
        "name": "Óscar",
        "label": "",
        "club": "Getxo",
        "kind": "person",
        "events": [],
        "games": 0,
        "wins": 0,
        "namesakes": [],
    }
    taken = desk("player", "add", "benat")
    assert taken.code == ExitCode.CONFLICT
    assert "hint: " in taken.err
    labelled = done(desk("player", "add", "Beñat", "--label", "Bilbao", "--json")).json
    assert labelled[0]["label"] == "Bilbao"


def test_an_event_is_made_with_every_option_and_shown(desk: Runner) -> None:
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
    )
    made = done(desk("event", "new", "May", *words, "--short", "sit out", "--date", "2026-05-01", "--json")).json
    assert {key: value for key, value in made.items() if key != "rules_digest"} == {
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
        "wishes": [],
        "state": "open",
        "states": [],
        "entrants": [],
    }
    assert done(desk("event", "show", "may", "--json")).json == made
    assert done(desk("event", "list", "--json")).json == [made]
    assert done(desk("event", "use", "May")).out == "current event: May\n"
    assert done(desk("event", "show", "--json")).json == made


def test_entrants_come_by_name_from_a_file_and_as_bots(desk: Runner, tmp_path: Path) -> None:
    done(desk("player", "add", "Ana", "Beñat"))
    done(desk("event", "new", "May"))
    assert done(desk("event", "enter", "May", "Ana", "benat", "--json")).json["added"] == ["Ana", "Beñat"]
    entries = tmp_path / "entries.csv"
    entries.write_text("name\nAna\nCarmen\n", encoding="utf-8")
    refused = desk("event", "enter", "May", "--file", str(entries))
    assert refused.code == ExitCode.NOT_FOUND
    assert "player import" in refused.err
    entered = done(desk("event", "enter", "May", "--file", str(entries), "--add", "--json")).json
    assert (entered["added"], entered["already"], entered["registered"]) == (["Carmen"], ["Ana"], ["Carmen"])
    seats = done(desk("event", "enter", "May", "--bots", "greedy:2,random:1", "--json")).json["added"]
    assert seats == ["greedy-1", "greedy-2", "random-1"]


# --- rounds, bots and records -----------------------------------------------------------------------------


def test_bot_tables_are_played_and_their_records_replay(bots: Runner, tmp_path: Path) -> None:
    """Check that `result show --record` prints a file that `record verify` accepts and `record show` reads."""
    shown = done(bots("round", "show", "Bots", "--json")).json
    assert sorted(name for table in shown["rounds"][0] for name in table) == sorted(
        f"{kind}-{number}" for kind in ("greedy", "random") for number in range(1, 5)
    )
    played = done(bots("round", "play", "Bots", "--json"))
    assert played.json["played"] == [{"round": 1, "table": 1}, {"round": 1, "table": 2}]
    assert played.err == "", "no progress bar where nobody looks"
    for number, names in enumerate(shown["rounds"][0], 1):
        at = ("--round", "1", "--table", str(number))
        result = done(bots("result", "show", "Bots", *at, "--json")).json
        assert [player["player"] for player in result["players"]] == names
        record = tmp_path / f"{number}.toml"
        record.write_text(done(bots("result", "show", "Bots", *at, "--record")).out, encoding="utf-8")
        verified = done(bots("record", "verify", str(record), "--json")).json
        assert verified["replays"] is True
        assert verified["record_digest"] == result["record_digest"]
        for verb in ("replay", "show"):
            again = done(bots("record", verb, str(record), "--json")).json
            assert (again["players"], again["hands"]) == (result["players"], result["hands"])
        acts = done(bots("record", "show", str(record), "--hand", "1", "--json")).json
        assert {row["player"] for row in acts} == set(names)
        assert bots("record", "show", str(record), "--hand", "8").code == ExitCode.NOT_FOUND


def test_a_record_that_does_not_replay_is_refused_with_its_hand_and_step(bots: Runner, tmp_path: Path) -> None:
    done(bots("round", "play", "Bots"))
    text = done(bots("result", "show", "Bots", "--round", "1", "--table", "1", "--record")).out
    record = tmp_path / "bent.toml"
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


def test_the_rotation_ends_with_its_last_round(bots: Runner) -> None:
    done(bots("round", "draw"))
    refused = bots("round", "draw", "Bots")
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")


# --- results of people ------------------------------------------------------------------------------------


def seats_of(desk: Runner) -> list[str]:
    seats: list[str] = done(desk("round", "show", "Small", "--json")).json["rounds"][0][0]
    return seats


def flags(names: list[str], points: tuple[int, ...] = (-10, 35, 12, 60)) -> list[str]:
    words: list[str] = []
    for contract in CONTRACTS:
        pairs = " ".join(f"{name}={point}" for name, point in zip(names, points, strict=True))
        words += ["--hand", f"{contract} {pairs}"]
    return words


AT = ("Small", "--round", "1", "--table", "1")


def test_a_sheet_is_entered_by_flags_corrected_and_made_void(people: Runner) -> None:
    names = seats_of(people)
    entered = done(people("result", "enter", *AT, *flags(names), "--json")).json
    assert {player["player"]: player["points"] for player in entered["players"]} == dict(
        zip(names, (-70, 245, 84, 420), strict=True)
    )
    assert [hand["closer"] for hand in entered["hands"]] == [names[0]] * 7
    assert people("result", "enter", *AT, *flags(names)).code == ExitCode.CONFLICT
    corrected = done(people("result", "correct", *AT, *flags(names, (35, -10, 12, 60)), "--reason", "seats", "--json"))
    assert corrected.json["reason"] == "seats"
    assert {player["player"]: player["points"] for player in corrected.json["players"]}[names[1]] == -70
    assert done(people("standings", "Small", "--json")).json[0]["player"] == names[1]
    void = done(people("result", "void", *AT, "--reason", "wrong cards", "--json")).json
    assert (void["state"], void["players"], void["hands"]) == ("void", [], [])
    assert "wrong cards" in done(people("result", "show", *AT)).out


def test_a_sheet_is_entered_from_a_file(people: Runner, tmp_path: Path) -> None:
    """As the design writes it: cards instead of points, a dead hand, laid down and closed in one turn."""
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
    entered = done(people("result", "enter", *AT, "--file", str(sheet), "--json")).json
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
def test_a_sheet_comes_from_a_file_or_from_flags(people: Runner, words: tuple[str, ...]) -> None:
    refused = people("result", "enter", *AT, *words)
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")


def test_a_table_is_meant_whole_or_not_at_all(people: Runner) -> None:
    for words in (("--table", "1"), ("--round", "1", "--record"), ("--record",)):
        assert people("result", "show", "Small", *words).code == ExitCode.USAGE


# --- dry runs ---------------------------------------------------------------------------------------------


def test_a_dry_run_says_what_would_be_and_keeps_nothing(people: Runner, tmp_path: Path) -> None:
    """Every act; the journal's head is the same before and after."""
    names = seats_of(people)
    results = tmp_path / "results.csv"
    results.write_text("seq,player,rank\n1,x,1\n1,y,2\n", encoding="utf-8")
    acts = [
        ("player", "add", "Unai"),
        ("player", "import", PEOPLE),
        ("event", "new", "Other"),
        ("event", "use", "Small"),
        ("event", "enter", "Small", "--bots", "greedy:4"),
        ("round", "draw", "Small"),
        ("round", "play", "Small"),
        ("result", "enter", *AT, *flags(names)),
        ("rating", "import", str(results), "--pool", "p"),
        ("db", "upgrade"),
    ]
    before = done(people("db", "check", "--json")).json
    for words in acts:
        result = done(people(*words, "--dry-run"))
        assert result.out.startswith("dry run: nothing was saved"), words
        shown = done(people(*words, "--dry-run", "--json"))
        assert shown.err.startswith("dry run: nothing was saved\n"), words
        json.loads(shown.out)
    assert done(people("db", "check", "--json")).json == before


# --- ratings of other games, the database -----------------------------------------------------------------


def test_a_results_file_is_rated_with_its_columns_named(desk: Runner, tmp_path: Path) -> None:
    """Two games, against trueskill; its names stay out of the player list."""
    file = tmp_path / "results.csv"
    file.write_text("seq,Pilot,rank\n1,x,1\n1,y,2\n2,y,1\n2,x,1\n", encoding="utf-8")
    done(desk("player", "add", "Ana"))
    imported = done(desk("rating", "import", str(file), "--pool", "air", "--column", "player=Pilot", "--json")).json
    assert imported == {"pool": "air", "games": 2, "players": 2, "rows": 4, "skipped": 0}
    env = trueskill.TrueSkill(draw_probability=0.01)
    (x,), (y,) = env.rate([(env.create_rating(),), (env.create_rating(),)], [0, 1])
    (y,), (x,) = env.rate([(y,), (x,)], [0, 0])
    rows = {row["player"]: row for row in done(desk("ratings", "--pool", "air", "--json")).json}
    assert rows["x"]["mu"] == pytest.approx(x.mu, abs=1e-9)
    assert rows["y"]["sigma"] == pytest.approx(y.sigma, abs=1e-9)
    assert [row["name"] for row in done(desk("player", "list", "--json")).json] == ["Ana"]
    bad = desk("rating", "import", str(file), "--pool", "air2", "--column", "Pilot")
    assert (bad.code, bad.out) == (ExitCode.USAGE, "")


def test_the_pools_have_trueskill_s_published_parameters_and_the_joint_one_is_opened_once(club: Runner) -> None:
    """mu 25, sigma 25/3, beta 25/6, tau 25/300 and the design's draw probability; nothing drifts for bots,
    and no sigma grows while a player is away."""
    people, bots = club("rating", "pool", "--json").json
    defaults = {"mu": 25, "sigma": 25 / 3, "beta": 25 / 6, "tau": 25 / 300, "draw": 0.01, "absence": 0}
    assert people == {"pool": "people", "kind": "people", **defaults}
    assert bots == {"pool": "bots", "kind": "bots", **defaults, "tau": 0}
    assert club("rating", "pool", "--open", "--dry-run").code == 0
    assert len(club("rating", "pool", "--json").json) == 2
    assert club("rating", "pool", "--open", "--format", "csv").out == "pool,kind\njoint,joint\n"
    assert club("rating", "pool", "--json").json[2] == {"pool": "joint", "kind": "joint", **defaults}
    assert club("rating", "pool", "--open").code == 4


def test_the_database_is_where_the_option_says(desk: Runner, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    assert done(desk("db", "path", "--db", other)).out == f"{other}\n"
    assert done(desk("db", "path", "--json")).json == {"path": str(tmp_path / "desk.db")}
    nothing = desk("player", "list", "--db", other)
    assert (nothing.code, nothing.out) == (ExitCode.NOT_FOUND, "")
    assert not Path(other).exists()


def test_a_sound_database_passes_the_check_and_a_damaged_one_fails(club: Runner, tmp_path: Path) -> None:
    """A name changed behind the journal's back: exit code 1, and the problem is named."""
    import sqlite3

    sound = done(club("db", "check", "--json")).json
    assert sound["problems"] == []
    with sqlite3.connect(tmp_path / "desk.db") as db:
        assert db.execute("UPDATE person SET name = 'Nobody' WHERE rowid = 1").rowcount == 1
    bent = club("db", "check", "--json")
    assert bent.code == ExitCode.REFUSED
    assert bent.json["problems"]
    assert bent.json["problems"][0] in club("db", "check").out


def test_the_demo_shows_everything_and_leaves_nothing(
    desk: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seating, standings and ratings as it goes, and what to type next."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = done(desk("demo"))
    assert result.err == ""
    for words in (
        "$ tourney player import",
        "Seat 1",
        "Standings of",
        "Ratings of the pool bots",
        "tourney player add",
    ):
        assert words in result.out
    assert list(tmp_path.iterdir()) == []
