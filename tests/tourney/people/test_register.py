"""Tests of registering, importing and finding people."""

from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.people import Player
from tourney.service import players
from tourney.service.change import apply
from tourney.service.impact import preview
from tourney.service.lookup import Directory
from tourney.service.players import ImportPlayers, RegisterPlayers
from tourney.text.names import MAX_LENGTH, clean, fold

PEOPLE = [
    Player(1, "Ana"),
    Player(2, "Ana", label="Getxo"),
    Player(3, "Beñat"),
    Player(4, "José María"),
    Player(5, "Søren"),
    Player(6, "Łukasz Wiśniewski"),
    Player(7, "Íñigo", label="mayor"),
    Player(8, "Íñigo", label="menor"),
    Player(9, "ΣΩΚΡΑΤΗΣ"),
    Player(10, "O’Neill"),
    Player(11, "Straße"),
    Player(12, "greedy-1", "bot"),
]
FOUND = [
    ("Ana", 1),
    ("Ana (Getxo)", 2),
    ("ana (getxo)", 2),
    ("benat", 3),
    ("Ben\u0303at", 3),
    ("BEÑAT", 3),
    ("jose maria", 4),
    ("  José   María ", 4),
    ("soren", 5),
    ("lukasz wisniewski", 6),
    ("inigo (menor)", 8),
    ("σωκρατης", 9),
    ("o'neill", 10),
    ("strasse", 11),
    ("Greedy-1", 12),
]


@pytest.mark.parametrize(("typed", "number"), FOUND)
def test_people_are_found_without_accents_and_case(typed: str, number: int) -> None:
    """An exact match counts first, then one without accents and case, then one without the label."""
    assert Directory(PEOPLE).find(typed, "").id == number


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("ana", ("Ana, Ana (Getxo)", "label", "exactly")),
        ("ÁNA", ("Ana, Ana (Getxo)",)),
        ("Iñigo", ("Íñigo (mayor), Íñigo (menor)", "label")),
        ("Beñta", ("nobody is called “Beñta”", "did you mean Beñat?")),
        ("Zorro", ("nobody is called “Zorro”", "do this")),
        ("", ("nobody is called",)),
    ],
)
def test_no_match_and_several_matches_are_refused_with_a_hint(typed: str, words: tuple[str, ...]) -> None:
    """Check that the refusal names all candidates or suggests a similar name."""
    with desk.refused(ExitCode.NOT_FOUND, *words):
        Directory(PEOPLE).find(typed, "do this")


@pytest.mark.parametrize(
    ("typed", "clean_name"),
    [("  Ana  ", "Ana"), ("José \t María", "José María"), ("Ben\u0303at", "Be\u00f1at"), ("x" * MAX_LENGTH,) * 2],
)
def test_names_are_kept_composed_and_trimmed(typed: str, clean_name: str) -> None:
    """Accents are kept, combining accents are composed, and blanks inside become one."""
    assert clean(typed) == clean_name


INVISIBLE = ["A\x07na", "A\u202ena", "A\u200bna", "\udcf1", "A\x1b[2J"]


@pytest.mark.parametrize("typed", ["", "  ", "x" * (MAX_LENGTH + 1), *INVISIBLE])
def test_names_that_cannot_be_read_are_refused(typed: str) -> None:
    """Check empty names, too long ones, and names with invisible characters."""
    with desk.refused(ExitCode.REFUSED):
        clean(typed)


def test_folding_ignores_case_and_accents_however_typed() -> None:
    """Check composed and combining accents, capital and small letters."""
    assert {fold(text) for text in ("Beñat", "BEN\u0303AT", "benat", "Bênàt")} == {"benat"}


def test_people_are_numbered_in_the_order_of_registration(db: str) -> None:
    """Listings are sorted by name and have the numbers 1, 2, 3; a search ignores case and accents."""
    apply(db, RegisterPlayers(["Beñat", "Ana"], club="Getxo"))
    apply(db, RegisterPlayers(["Carmen"], label="abogada"))
    listed = players.listing(db)
    assert [(player.id, player.shown, player.club) for player in listed] == [
        (2, "Ana", "Getxo"),
        (1, "Beñat", "Getxo"),
        (3, "Carmen (abogada)", ""),
    ]
    assert [player.name for player in players.listing(db, search="ENA")] == ["Beñat"]
    assert players.listing(db, kind="bot") == ()


def test_a_taken_name_is_a_conflict_without_another_label(db: str) -> None:
    """Names are compared without accents and case, also those of one command; a refused command keeps nothing."""
    apply(db, RegisterPlayers(["Iñaki"]))
    with desk.refused(ExitCode.CONFLICT, "Iñaki", "--label"):
        apply(db, RegisterPlayers(["Zoe", "INAKI"]))
    with desk.refused(ExitCode.CONFLICT, "zoe", "twice"):
        apply(db, RegisterPlayers(["Zoe", "zoe"]))
    assert [player.name for player in players.listing(db)] == ["Iñaki"]
    (other,) = apply(db, RegisterPlayers(["Iñaki"], label="el alto"))
    assert players.show(db, "iñaki (el alto)").player == other
    with desk.refused(ExitCode.CONFLICT, "Iñaki (el alto)"):
        apply(db, RegisterPlayers(["Iñaki"], label="El Alto"))


def test_an_import_registers_new_people_and_reports_known_ones(db: str) -> None:
    """The 22 players of the club are imported twice; the second import adds no entry to the journal."""
    first = apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    names = (desk.CLUB / "players.csv").read_text(encoding="utf-8").split()[1:]
    assert [player.name for player in first.added] == names
    assert first.known == ()
    second = apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    assert (second.added, second.known) == ((), first.added)
    assert desk.query(db, "SELECT count(*) FROM act") == [(1,)]


def test_an_import_reads_labels_and_clubs(db: str, tmp_path: Path) -> None:
    """The file has the optional columns and is saved as by a Spanish spreadsheet: semicolons, code page 1252."""
    file = tmp_path / "people.csv"
    file.write_bytes("Name;Label;Club\nPeña;;Muñoz CF\nPeña;hijo;\n".encode("cp1252"))
    added = apply(db, ImportPlayers(file)).added
    assert [(player.shown, player.club) for player in added] == [("Peña", "Muñoz CF"), ("Peña (hijo)", "")]


BAD = {
    "players-no-name-column.csv": ("line 1", "'name'", "nombre"),
    "players-twice.csv": ("line 4", "line 2", "label"),
    "players-name-empty.csv": ("line 3", "empty"),
    "players-invisible-character.csv": ("line 2", "U+200B"),
    "players-stray-quote.csv": ("line 3", "quotation mark"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_its_line_and_nothing_is_kept(db: str, name: str) -> None:
    """Each file has one fault."""
    with desk.refused(ExitCode.REFUSED, name, *BAD[name]):
        apply(db, ImportPlayers(desk.BAD / name))
    assert not Path(db).exists()


def test_ten_megabytes_in_one_field_are_refused_with_the_line(db: str, tmp_path: Path) -> None:
    """The size of the field is checked before anything is registered."""
    file = tmp_path / "large.csv"
    file.write_text("name\nAna\n" + "x" * 10_000_000 + "\n", encoding="utf-8")
    with desk.refused(ExitCode.REFUSED, "line 3"):
        apply(db, ImportPlayers(file))


def test_a_dry_run_returns_the_outcome_of_the_change_and_saves_nothing(db: str) -> None:
    """Check a registration and an import."""
    dry = preview(db, RegisterPlayers(["Ana", "Beñat"])).outcome
    assert apply(db, RegisterPlayers(["Ana", "Beñat"])) == dry
    outcome = preview(db, ImportPlayers(desk.CLUB / "players.csv")).outcome
    assert len(players.listing(db)) == 2
    assert apply(db, ImportPlayers(desk.CLUB / "players.csv")) == outcome


def test_the_page_of_a_player_counts_games_and_tables_won(tmp_path: Path) -> None:
    """The expected numbers are counted independently from the club's sheets."""
    db = desk.evening(tmp_path / "evening.db")
    rows = [line.split(",") for line in (desk.CLUB / "score-sheets.csv").read_text("utf-8").splitlines()[1:]]
    tables = [row[:2] for row in rows if row[3] == "Quique"]
    totals = {(*row[:2], row[3]): sum(map(int, row[4:])) for row in rows}
    winners = [min((total, key[2]) for key, total in totals.items() if list(key[:2]) == table)[1] for table in tables]
    page = players.show(db, "quique")
    assert (page.events, page.games, page.wins) == (("Friday",), len(tables), winners.count("Quique"))
