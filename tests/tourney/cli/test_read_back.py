"""Tests that commands read what `standings` and `player list` write, and what a club's spreadsheet has."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from tests.harness import desk
from tests.harness.commands import Runner, done
from tests.harness.desk import CLUB
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, bot_seats
from tourney.service.players import ErasePlayer, RegisterPlayers

NAMES = ("=1+1", "@x", "+34 600", "Ana", 'Ben, «el ñu»; "x"', "María José")
FORMS = {"csv": "csv", "csv-es": "csv", "xlsx": "xlsx"}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line in a folder with people of odd names, two of one name, one erased, and bots, in an event."""
    monkeypatch.setenv("TOURNEY_DB", desk.copied(tmp_path / "club.db", make_an_event_of_odd_names))
    monkeypatch.chdir(tmp_path)
    return Runner(capsys)


def make_an_event_of_odd_names(db: str) -> None:
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    apply(db, RegisterPlayers(NAMES))
    apply(db, RegisterPlayers(["Ana"], "Getxo", "Club de Getxo"))
    apply(db, RegisterPlayers(["Gone"]))
    apply(db, EnterPlayers("Friday", [*NAMES, "Ana (Getxo)", "Gone"], bots=bot_seats("greedy:2")))
    apply(db, ErasePlayer("Gone"))


def people(run: Runner, *more: str) -> set[tuple[str, str]]:
    """Return the name and the label of everybody who is registered, without bots and those who were erased."""
    rows = done(run("player", "list", "--kind", "person", "--json", *more)).json
    return {(row["name"], row["label"]) for row in rows if not row["name"].startswith("erased-")}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("listing", ["player list", "standings"])
def test_a_list_in_each_form_is_read_back_into_another_database(run: Runner, listing: str, form: str) -> None:
    """Everybody has their name and label there; bots and erased people are not registered."""
    file = f"list.{FORMS[form]}"
    done(run(*listing.split(), "--format", form, "--output", file))
    done(run("player", "import", file, "--db", "other.db"))
    assert people(run, "--db", "other.db") == people(run) == {*((name, "") for name in NAMES), ("Ana", "Getxo")}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("listing", ["player list", "standings"])
def test_the_players_of_a_list_are_entered_in_the_next_event(
    run: Runner, tmp_path: Path, listing: str, form: str
) -> None:
    file = f"list.{FORMS[form]}"
    done(run(*listing.split(), "--format", form, "--output", file))
    apply(str(tmp_path / "club.db"), CreateEvent(EventSettings("Saturday", "oficial")))
    done(run("event", "enter", "Saturday", "--file", file))
    entrants = done(run("event", "show", "Saturday", "--json")).json["entrants"]
    assert sorted(entrants) == sorted([*NAMES, "Ana (Getxo)"])


def book(path: str, *rows: tuple[object, ...]) -> str:
    """Write a workbook as a club keeps it, and return its name."""
    made = Workbook()
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


def test_score_sheets_and_results_are_read_from_workbooks(run: Runner) -> None:
    """Both are the rows of a CSV of the fixtures, so standings and ratings are those of the CSV."""
    lines = [line.split(",") for line in (CLUB / "score-sheets.csv").read_text(encoding="utf-8").splitlines()]
    typed = [tuple(int(cell) if cell.lstrip("-").isdigit() else cell for cell in row) for row in lines]
    sheets = book("sheets.xlsx", *typed)
    for name, file in (("From book", sheets), ("From text", str(CLUB / "score-sheets.csv"))):
        done(run("player", "import", str(CLUB / "players.csv"), "--db", f"{name}.db"))
        done(run("event", "import", "Evening", "--sheets", file, "--db", f"{name}.db"))
    shown = [run("standings", "--db", f"{name}.db", "--json").out for name in ("From book", "From text")]
    assert shown[0] == shown[1]
    results = book("races.xlsx", ("seq", "player", "rank"), (1, "Eva", 1), (1, "Iker", 2))
    done(run("rating", "import", results, "--pool", "races"))
    assert [row["player"] for row in done(run("ratings", "--pool", "races", "--json")).json] == ["Eva", "Iker"]


COLUMNS = {
    "players": (
        ("player", "import", "FILE"),
        [("Jugador", "Pueblo"), ("Zoe", "Lekeitio")],
        ("jugador=name", "pueblo=label"),
    ),
    "entries": (("event", "enter", "Friday", "--file", "FILE", "--add"), [("Jugadór",), ("Zoe",)], ("jugador=player",)),
    "results": (
        ("rating", "import", "FILE", "--pool", "races"),
        [("Prueba", "Jugador", "Puesto"), (1, "Zoe", 1), (1, "Ana", 2)],
        ("prueba=seq", "jugador=player", "rank=Puesto"),
    ),
}


@pytest.mark.parametrize("case", COLUMNS)
def test_columns_of_other_names_are_read_and_reported(run: Runner, case: str) -> None:
    command, rows, names = COLUMNS[case]
    file = book("club.xlsx", *rows)
    words = [file if word == "FILE" else word for word in command]
    refused = run(*words)
    assert refused.code == ExitCode.REFUSED
    assert "--column" in refused.err or case == "results"
    options = [word for name in names for word in ("--column", name)]
    read = done(run(*words, *options))
    assert f"The column “{rows[0][-1] if case == 'players' else rows[0][0]}” was read as" in read.out
    assert "Zoe" in read.out + run("player", "list").out + run("ratings", "--pool", "races").out


WRONG = {
    "no such header": ("jugadora=name", ExitCode.REFUSED, "no column “jugadora”, which --column names"),
    "no such column": ("jugador=nombre", ExitCode.USAGE, "there is no column “nombre” to stand for"),
    "no equals sign": ("jugador", ExitCode.USAGE, "--column jugador is not THEIRS=OURS"),
    "nothing before it": ("=name", ExitCode.USAGE, "--column =name is not THEIRS=OURS"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_name_of_a_column_is_refused(run: Runner, case: str) -> None:
    option, code, words = WRONG[case]
    file = book("club.xlsx", ("jugador",), ("Zoe",))
    refused = run("player", "import", file, "--column", option)
    assert (refused.code, refused.out) == (code, "")
    assert words in refused.err
    assert len(refused.err.splitlines()) == 2


@pytest.mark.parametrize("option", ["jugador\udcff=name", "jugador=name\ud800"], ids=["a wrong byte", "half a pair"])
def test_a_name_of_a_column_that_cannot_be_stored_is_refused(run: Runner, option: str) -> None:
    """Without a file nothing else compares the name with headers; half of a character has no place in UTF-8."""
    half = next(char for char in option if "\ud800" <= char <= "\udfff")
    refused = run("event", "enter", "Friday", "--all", "--column", option)
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    assert refused.err == (
        f"error: --column: the text contains an invisible character (U+{ord(half):04X})\n"
        "hint: type it again without that character\n"
    )


def test_a_missing_column_has_a_hint_that_can_be_pasted(run: Runner) -> None:
    file = book("club.xlsx", ("Jugador de club", "Pueblo"), ("Zoe", "Lekeitio"))
    refused = run("player", "import", file)
    assert "no column 'name' or 'player'; the columns found are: Jugador de club, Pueblo" in refused.err
    assert 'hint: say which column it is, once, as in `--column "Jugador de club=name"`' in refused.err
    done(run("player", "import", file, "--column", "Jugador de club=name"))


def test_results_of_another_layout_have_a_hint_at_the_page_that_describes_them(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "night.csv").write_text("Night,Player,Winnings\n1,Ana,5\n1,Eva,-5\n")
    refused = run("rating", "import", str(tmp_path / "night.csv"), "--pool", "poker")
    assert refused.code == ExitCode.REFUSED
    assert "`--column NAME=seq`; `tourney guide result-files` has other layouts" in refused.err


def test_a_seq_with_a_decimal_comma_is_a_number(run: Runner, tmp_path: Path) -> None:
    """1,5 stands between 1 and 2; as text it would come after 10."""
    (tmp_path / "races.csv").write_text("seq;player;rank\n1;Ana;1\n1;Eva;2\n10;Eva;1\n10;Ana;2\n1,5;Ana;1\n1,5;Eva;2\n")
    done(run("rating", "import", "races.csv", "--pool", "races"))
    (tmp_path / "points.csv").write_text("seq,player,rank\n1,Ana,1\n1,Eva,2\n2,Ana,1\n2,Eva,2\n10,Eva,1\n10,Ana,2\n")
    done(run("rating", "import", "points.csv", "--pool", "points"))
    shown = [run("ratings", "--pool", pool, "--json").out for pool in ("races", "points")]
    assert shown[0] == shown[1]


def club_file(name: str) -> str:
    """Write a workbook with one new player, under headings that only `--column` explains."""
    return book("club.xlsx", ("Jugador", "Equipo"), (name, "Getxo"))


def test_a_column_is_named_once_and_remembered_for_every_file(run: Runner) -> None:
    done(run("player", "import", club_file("Zoe"), "--column", "Jugador=name", "--column", "equipo=club"))
    again = done(run("player", "import", club_file("Yago")))
    assert "The column “Jugador” was read as name." in again.out
    assert "The column “Equipo” was read as club." in again.out
    assert done(run("player", "list", "--search", "yago", "--json")).json[0]["club"] == "Getxo"
    assert "jugador is the column name" in run("log", "--last", "3").out
    entered = done(run("event", "enter", "Friday", "--file", club_file("Yago"), "--json"))
    assert entered.err == "The column “Jugador” was read as name.\nThe column “Equipo” was read as club.\n"


def test_a_column_of_our_own_name_counts_before_one_that_is_remembered(run: Runner) -> None:
    done(run("player", "import", club_file("Zoe"), "--column", "jugador=name"))
    read = done(run("player", "import", book("both.xlsx", ("jugador", "name"), ("Number 7", "Yago"))))
    assert "was read as" not in read.out
    assert ("Yago", "") in people(run)


def test_what_is_given_counts_before_what_is_remembered_and_replaces_it(run: Runner) -> None:
    done(run("player", "import", club_file("Zoe"), "--column", "jugador=club", "--column", "equipo=name"))
    done(run("player", "import", club_file("Yago"), "--column", "jugador=name", "--column", "equipo=club"))
    done(run("player", "import", club_file("Xabi")))
    assert {("Getxo", ""), ("Yago", ""), ("Xabi", "")} <= people(run)


def test_undo_forgets_a_name_of_a_column_with_the_import_and_redo_brings_it_back(run: Runner) -> None:
    done(run("player", "import", club_file("Zoe"), "--column", "jugador=name"))
    done(run("undo", "--yes"))
    assert run("player", "import", club_file("Zoe")).code == ExitCode.REFUSED
    done(run("redo"))
    done(run("player", "import", club_file("Yago")))
    assert {("Zoe", ""), ("Yago", "")} <= people(run)


@pytest.mark.parametrize("option", ["--dry-run", "--column=equipo=nombre"])
def test_neither_a_dry_run_nor_a_refused_import_is_remembered(run: Runner, option: str) -> None:
    run("player", "import", club_file("Zoe"), "--column", "jugador=name", option)
    assert run("player", "import", club_file("Zoe")).code == ExitCode.REFUSED


def test_names_of_columns_are_in_backups_and_pass_the_check(run: Runner) -> None:
    done(run("player", "import", club_file("Zoe"), "--column", "jugador=name"))
    done(run("db", "backup", "kept.db"))
    done(run("db", "check"))
    done(run("player", "import", club_file("Yago"), "--db", "kept.db"))


def test_naming_a_column_again_changes_nothing(run: Runner) -> None:
    done(run("player", "import", club_file("Zoe"), "--column", "jugador=name"))
    before = len(done(run("log", "--json")).json)
    done(run("player", "import", club_file("Zoe"), "--column", "JUGADOR=name"))
    assert len(done(run("log", "--json")).json) == before


@pytest.mark.parametrize(
    ("language", "headers", "named"),
    [
        ("en", ("Club", "Players", "Town"), "Players=name"),
        ("en", ("No.", "Nme"), "Nme=name"),
        ("es", ("Pueblo", "Jugadores"), "Jugadores=name"),
        ("en", ("club", "x1", "x2"), "NAME=name"),
        ("en", ("seq", "date", "race", "driver", "rank"), "NAME=name"),
    ],
)
def test_a_missing_column_is_proposed_under_the_nearest_header(
    run: Runner, language: str, headers: tuple[str, ...], named: str
) -> None:
    """“name” and “player” are ours, also as “Jugador”; `club` is another column, and people were called 1, 2 and 3."""
    refused = run("player", "import", book("club.xlsx", headers, ("Zoe",) * len(headers)), "--lang", language)
    assert f"`--column {named}`" in refused.err


def test_a_mistyped_name_of_a_column_has_the_nearest_one_in_its_hint(run: Runner) -> None:
    file = book("club.xlsx", ("Pueblo", "Jugador"), ("Lekeitio", "Zoe"))
    assert "did you mean `--column Jugador=name`?" in run("player", "import", file, "--column", "jugadora=name").err
    assert "did you mean `--column jugador=name`?" in run("player", "import", file, "--column", "jugador=nmae").err
