"""Sixteen results files as other programs and people leave them, imported by options alone.

The files were made for this project; the places were written down from the files by hand.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.description import Description, FileLayout, Unfinished, read_lines
from tourney.files.rank_text import decimal_sign, read_rank, read_score
from tourney.files.results import read_results

make_db = desk.make_everything

FOLDER = desk.ROOT / "fixtures" / "results"
Game = tuple[str, str, dict[str, int]]
ANA, LUIS, EVA = "Ana", "Luis", "Eva"

FILES: list[tuple[str, str, FileLayout, str, dict[str, str], list[Game]]] = [
    (
        "stage-race.csv",
        "times, gaps, the time of the row above, two who did not finish",
        FileLayout(game=("Stage",), score="Time", best="low", unfinished="last"),
        "",
        {"rider": "player"},
        [
            ("2026-05-02", "1", {"Arrieta": 1, "Beloki": 2, "Castro": 2, "Duarte": 4}),
            ("2026-05-03", "2", {"Castro": 1, "Arrieta": 2, "Duarte": 3, "Beloki": 3}),
            ("2026-05-04", "3", {"Arrieta": 1, "Castro": 1}),
        ],
    ),
    (
        "sailing.txt",
        "tabs, a title, a footer, a column for each race, discards in brackets",
        FileLayout(wide="games", cells=("R1:R4",), unfinished="last"),
        "4-8",
        {},
        [
            ("", "R1", {"Olatz": 1, "Marko": 2, "Joana": 3, "Iker": 4}),
            ("", "R2", {"Olatz": 2, "Marko": 4, "Joana": 1, "Iker": 3}),
            ("", "R3", {"Olatz": 4, "Marko": 1, "Joana": 2, "Iker": 3}),
            ("", "R4", {"Olatz": 1, "Marko": 2, "Joana": 4, "Iker": 3}),
        ],
    ),
    (
        "poker-night.csv",
        "money, and the date is the game",
        FileLayout(game=("Night",), score="Winnings", best="high"),
        "",
        {"night": "date"},
        [("2026-01-09", "", {ANA: 1, LUIS: 2, EVA: 3}), ("2026-01-16", "", {EVA: 1, ANA: 1, LUIS: 3})],
    ),
    (
        "song-contest.txt",
        "bars, a game by two columns, ranks as 1st and T2",
        FileLayout(game=("year", "round"), columns={"rank": "place", "player": "country"}),
        "",
        {},
        [
            ("", "2025, semi-final", {"Norway": 1, "Malta": 2, "Chad": 3}),
            ("", "2025, final", {"Norway": 1, "Malta": 2, "Peru": 2}),
            ("", "2026, final", {"Peru": 1, "Norway": 2}),
        ],
    ),
    (
        "reality-show.csv",
        "words for places, episodes in the order of a text",
        FileLayout(
            game=("season", "episode"),
            ranks={"Winner": "1", "Runner-up": "2", "Eliminated": "last"},
            columns={"rank": "placing", "player": "contestant"},
        ),
        "",
        {},
        [
            ("", "1, 1", {"Dana": 1, "Emil": 2, "Fay": 3}),
            ("", "1, 2", {"Emil": 1, "Dana": 2}),
            ("", "1, 10", {"Dana": 1, "Emil": 2}),
            ("", "2, 1", {"Gus": 1, "Hana": 2, "Ivo": 3}),
        ],
    ),
    (
        "fighting-games.csv",
        "the better of two rows of a player counts",
        FileLayout(game=("tournament",), twice="best", columns={"rank": "placement", "player": "gamer"}),
        "",
        {},
        [
            ("", "Winter Bash", {"K1": 1, "Zed": 2, "Moxie": 3, "Pix": 3}),
            ("", "Spring Bash", {"Zed": 1, "K1": 2, "Moxie": 2, "Pix": 5}),
            ("", "Summer Bash", {"Pix": 1, "K1": 2}),
        ],
    ),
    (
        "board-game-night.csv",
        "a column for each player, with scores",
        FileLayout(wide="players", best="high"),
        "",
        {},
        [
            ("2026-01-12", "Catan", {"Ana": 1, "Beto": 2, "Carla": 3}),
            ("2026-01-19", "Carcassonne", {"Carla": 1, "Dani": 1, "Ana": 3}),
            ("2026-01-26", "Catan", {"Beto": 1, "Dani": 2, "Ana": 3}),
        ],
    ),
    (
        "podium.csv",
        "a column for each place",
        FileLayout(wide="places"),
        "",
        {},
        [
            ("2026-02-01", "Slalom", {"Vera": 1, "Nora": 2, "Ida": 3}),
            ("2026-02-08", "Downhill", {"Nora": 1, "Ida": 2, "Vera": 3}),
            ("2026-02-15", "Relay", {"Ida": 1, "Vera": 2}),
        ],
    ),
    (
        "newest-first.csv",
        "the newest game first",
        FileLayout(game=("match",), order="newest-first", columns={"rank": "finish", "player": "name"}),
        "",
        {},
        [
            ("", "Evening 1", {"Rosa": 1, "Pablo": 2}),
            ("", "Evening 2", {"Pablo": 1, "Rosa": 2}),
            ("", "Evening 3", {"Rosa": 1, "Pablo": 2}),
        ],
    ),
    (
        "golf.tsv",
        "one list without a game; who withdrew is left out",
        FileLayout(one_game=True, day="2026-06-07", score="Strokes", best="low", unfinished="out"),
        "",
        {},
        [("2026-06-07", "", {"Soto": 1, "Yuste": 1, "Vidal": 3})],
    ),
    (
        "old-mac.csv",
        "Mac Roman with the line ends of an old Mac, a title and a footer, ties as =2 and 2=",
        FileLayout(columns={"seq": "Jornada", "rank": "Puesto", "player": "Nombre"}),
        "3-9",
        {},
        [("", "", {"Begoña": 1, "Íñigo": 2, "Raúl": 3}), ("", "", {"Íñigo": 1, "Begoña": 2, "Raúl": 2})],
    ),
    (
        "dos.csv",
        "code page 850, scores of which the low one is best",
        FileLayout(game=("Partida",), score="Puntos", best="low", columns={"player": "Jugador"}),
        "",
        {},
        [
            ("", "1", {"Ángel": 1, "Muñoz": 2, "León": 3}),
            ("", "2", {"Muñoz": 1, "Ángel": 2, "León": 3}),
        ],
    ),
    (
        "spreadsheet-unicode.txt",
        "UTF-16 with tabs, decimal commas, a game by round and table",
        FileLayout(game=("Ronda", "Mesa"), score="Total", best="high", columns={"player": "Jugador"}),
        "",
        {},
        [
            ("", "1, 1", {"Łukasz": 1, "Jiří": 2}),
            ("", "1, 2", {"Åsa": 1, "Şule": 2}),
            ("", "2, 1", {"Łukasz": 1, "Şule": 1}),
        ],
    ),
    (
        "athletics.csv",
        "times with decimals, a disqualification and one who did not start",
        FileLayout(game=("Heat",), score="Mark", best="low", unfinished="last", columns={"player": "Athlete"}),
        "",
        {},
        [("", "1", {"Solé": 1, "Prat": 2, "Vila": 3}), ("", "2", {"Mas": 1, "Roig": 2, "Font": 3})],
    ),
    (
        "forum-table.txt",
        "a table with bars at its ends and a rule below its header",
        FileLayout(game=("Game",)),
        "",
        {},
        [("", "Azul", {"Tess": 1, "Uwe": 2, "Vic": 3}), ("", "Root", {"Vic": 1, "Tess": 2, "Uwe": 2})],
    ),
    (
        "chess-crosstable.csv",
        "a column for each date, out of order, and a total",
        FileLayout(wide="games", best="high", cells=("2026-03-01:2026-03-08",), columns={"player": "Name"}),
        "",
        {},
        [
            ("2026-03-01", "", {"Aitor": 1, "Bixen": 2, "Cira": 3}),
            ("2026-03-08", "", {"Bixen": 1, "Aitor": 2}),
            ("2026-03-15", "", {"Aitor": 1, "Cira": 2, "Bixen": 3}),
        ],
    ),
]


@pytest.mark.parametrize(
    ("name", "layout", "lines", "given", "expected"),
    [(row[0], *row[2:]) for row in FILES],
    ids=[row[1] for row in FILES],
)
def test_a_file_of_another_kind_is_read_by_its_layout(
    name: str, layout: FileLayout, lines: str, given: dict[str, str], expected: list[Game]
) -> None:
    """Games have their days, names and places, in the order of rating."""
    described = Description(given, lines=read_lines(lines), layout=layout)
    read = read_results(FOLDER / name, described=described)
    found = [(game.date, game.name, dict(zip(game.players, game.places, strict=True))) for game in read]
    assert found == expected


def test_there_are_sixteen_files_all_of_which_are_read() -> None:
    """The folder of files has the sixteen of the table, and no other."""
    assert sorted(row[0] for row in FILES) == sorted(path.name for path in FOLDER.iterdir())
    assert len(FILES) == 16


RANKS = [("1", 1), ("01", 1), ("1.0", 1), ("1,0", 1), ("1st", 1), ("2nd", 2), ("3RD", 3), ("4th", 4), ("T3", 3)]
RANKS += [("t-3", 3), ("=3", 3), ("3=", 3), ("3T", 3), ("#5", 5), ("(24)", 24), ("2º", 2), ("2.ª", 2), ("1er", 1)]
RANKS += [
    ("3.", 3),
    ("0", None),
    ("1.5", None),
    ("-1", None),
    ("DNF", None),
    ("", None),
    ("first", None),
    ("1 2", None),
]


@pytest.mark.parametrize(("text", "place"), RANKS)
def test_a_rank_is_read_as_people_write_it(text: str, place: int | None) -> None:
    """Ordinals, ties and whole numbers with decimals are places; nothing else is."""
    assert read_rank(text) == place


SCORES = [
    (["1,234.5", "987"], ["1234.5", "987"]),
    (["1.234,5", "987"], ["1234.5", "987"]),
    (["12,5", "8"], ["12.5", "8"]),
    (["$1,200.00", "-$35"], ["1200", "-35"]),
    (["€ 50", "7 €"], ["50", "7"]),
    (["1.234.567"], ["1234567"]),
    (["4:05:12", "59:03.5"], ["14712", "3543.5"]),
    (["4h05'12\"", "12 pts"], ["14712", "12"]),
    (["1h05", "58'20", "1h02'20''", "2h", "1h05m20s"], ["3900", "3500", "3740", "7200", "3920"]),
    (["1:00.5", "1:01"], ["60.5", "61"]),
]


@pytest.mark.parametrize(("texts", "values"), SCORES)
def test_scores_are_read_as_people_write_them(texts: Sequence[str], values: Sequence[str]) -> None:
    """The sign of decimals follows from the whole column; times are in seconds."""
    sign = decimal_sign(texts)
    assert sign is not None
    assert [read_score(text, sign) for text in texts] == list(map(Decimal, values))


def test_a_word_for_the_same_time_decides_no_sign() -> None:
    """By `s.t.` a comma began decimals, and 1:00.5 was a thousand seconds and more."""
    assert decimal_sign(["1:00", "s.t.", "1:00.5"]) == "point"


@pytest.mark.parametrize("text", ["59,9", "0,599", "1,23", "1,2345", "1:00,5", "1.5,000"])
def test_a_sign_of_thousands_has_three_digits_behind_it(text: str) -> None:
    """A column with decimals of both kinds was read as hundreds."""
    assert read_score(text, "point") is None
    assert read_score(text.translate(str.maketrans(",.", ".,")), "comma") is None


def test_a_sign_that_may_be_either_is_asked_for() -> None:
    """1.234 may be above a thousand; nothing decides it."""
    assert decimal_sign(["1.234", "987"]) is None


@pytest.fixture
def imported(run: Runner, db: str) -> Callable[..., Ran]:
    """Import a file of the folder by a command line."""
    return lambda file, *options: run("rating", "import", str(FOLDER / file), "--pool", "x", *options, "--db", db)


REFUSED = [
    ("golf.tsv", "--score Strokes --one-game", ["--best high", "--best low"]),
    ("golf.tsv", "--score Strokes --best low --one-game", ["--unfinished last", "--unfinished out"]),
    ("reality-show.csv", "--game season --column rank=placing --column player=contestant", ["--rank Eliminated=1"]),
    ("fighting-games.csv", "--game tournament --column rank=placement --column player=gamer", ["--twice best", "Pix"]),
    ("sailing.txt", "--across games", ["--lines 4-"]),
    ("golf.tsv", "--as nothing", ["--save-as"]),
    ("golf.tsv", "--lines 9-4", ["--lines 4-40"]),
    ("old-mac.csv", "--encoding klingon", ["mac_roman"]),
    ("poker-night.csv", "--game Nite --score Winnings --best high", ["Night"]),
]


TITLES = "Results;;;\nClub evening;;;\n"
TITLED = {
    "our names": ("seq;player;rank\n1;Ana;1\n", "", "line 3 names the columns"),
    "names that are given": (
        "Partida;Jugador;Puesto\n1;Ana;1\n",
        "--game Partida --column Jugador=player --column Puesto=rank",
        "line 3 names the columns",
    ),
    "a name that is given for a field": (
        "Name;Runde;Punkte\nAna;1;9\n",
        "--game Runde --score Punkte --best high --column player=Name",
        "line 3 names the columns",
    ),
    "names of nobody": ("Partida;Jugador;Puesto\n1;Ana;1\n", "", "line 1 looks like a title"),
    "a wide table": ("Day;Ana;Beto;Eva\n2026-01-02;1;2;3\n", "--across players --game Day", "line 3 names the columns"),
}


@pytest.mark.parametrize("case", TITLED)
def test_titles_with_separators_are_refused_with_the_lines_to_read(run: Runner, db: str, case: str) -> None:
    table, options, said = TITLED[case]
    file = Path(db).with_name("titled.csv")
    file.write_text(TITLES + table, encoding="utf-8")
    refused = run("rating", "import", str(file), "--pool", "x", *options.split(), "--db", db).err
    assert said in refused
    assert "`--lines 3-`" in refused


@pytest.mark.parametrize(("command", "field"), [(("rating", "import"), "player"), (("player", "import"), "name")])
def test_the_name_in_the_file_comes_before_ours_in_every_command(
    run: Runner, db: str, command: tuple[str, ...], field: str
) -> None:
    """The first line of the help says so, in the same words, and so does the refusal of a word without a sign."""
    explained = " ".join(run(*command, "-h").out.split())
    assert (
        "--column THEIRS=OURS First the name of a column in the file, then ours, such as jugador=player." in explained
    )
    assert f"={field}" in explained
    file = Path(db).with_name("file.csv")
    file.write_text("seq;Jugador;rank\n1;Ana;1\n1;Eva;2\n", encoding="utf-8")
    words = (*command, str(file), *(("--pool", "x") if command[0] == "rating" else ()), "--db", db)
    assert "--column Jugador is not THEIRS=OURS" in run(*words, "--column", "Jugador").err
    assert "The column “Jugador” was read as" in run(*words, "--column", f"Jugador={field}").out


WORDS = {
    "a word for a score": ("--game g --score Score --best high", "column “Score”: “DQ” is neither a number nor a time"),
    "a word for a place": ("--game g --column Score=rank", "column “Score”: “DQ” is not a place"),
    "a word in a wide table": ("--across games --cells Score --best high", "column “Score”: “DQ” is neither"),
}


@pytest.mark.parametrize("case", WORDS)
def test_a_word_that_says_that_nobody_finished_is_refused_with_its_column(run: Runner, db: str, case: str) -> None:
    options, said = WORDS[case]
    file = Path(db).with_name("words.csv")
    file.write_text("g,player,Score\n1,Ana,5\n1,Beto,DQ\n", encoding="utf-8")
    refused = run("rating", "import", str(file), "--pool", "x", *options.split(), "--db", db).err
    assert said in refused
    assert "“did not finish”" in refused
    assert "`--unfinished out`" in " ".join(refused.split())


@pytest.mark.parametrize(("file", "options", "words"), REFUSED)
def test_a_refusal_says_which_option_helps(
    imported: Callable[..., Ran], file: str, options: str, words: Sequence[str]
) -> None:
    """The option that is missing is named, ready to be typed."""
    said = imported(file, *options.split()).err
    assert not [word for word in words if word not in said], said


def test_a_description_is_saved_and_read_by_again_under_its_name(
    imported: Callable[..., Ran], run: Runner, db: str
) -> None:
    """The options of the first import hold for the second, which gives only the name."""
    words = ("--column", "rank=placement", "--column", "player=gamer", "--game", "tournament", "--twice", "best")
    first = imported("fighting-games.csv", *words, "--save-as", "Bash")
    again = imported("fighting-games.csv", "--as", "bash", "--pool", "y")
    assert "imported 3 games of 4 players" in first.out
    assert "imported 3 games of 4 players" in again.out
    assert "a description of files is saved as bash" in run("log", "--db", db).out


def test_the_answer_says_how_many_did_not_finish(imported: Callable[..., Ran]) -> None:
    """Players who did not finish are counted by the words for it."""
    options = "--game Stage --score Time --best low --unfinished last --column player=Rider"
    said = imported("stage-race.csv", *options.split()).out
    assert "2 results without a place" in said
    assert "DNF 1, OTL 1" in said


def test_ranks_of_the_plain_layout_name_the_option(tmp_path: Path) -> None:
    """A file with seq and rank needs only `--unfinished` for a DNF."""
    path = tmp_path / "a.csv"
    path.write_text("seq,player,rank\n1,Ana,1st\n1,Eva,T2\n1,Luis,=2\n1,Rosa,DNF\n", encoding="utf-8")
    with pytest.raises(TourneyError) as caught:
        list(read_results(path))
    assert caught.value.code == ExitCode.REFUSED
    assert "--unfinished last" in caught.value.hint
    (game,) = read_results(path, described=Description(layout=FileLayout(unfinished="last")))
    assert game.places == (1, 2, 2, 4)


WORDS_AND_OTHERS = [
    # C was eliminated, and D has no place: the word's own rule, and what holds for the others.
    ("last", "out", {"A": 1, "B": 2, "C": 3}, ["1 result without a place shares", "ELIM 1", "is left out: – 1"]),
    ("out", "last", {"A": 1, "B": 2, "D": 3}, ["1 result without a place shares", "game: – 1"]),
    ("last", "last", {"A": 1, "B": 2, "C": 3, "D": 3}, ["2 results without a place share", "ELIM 1, – 1"]),
    ("out", "out", {"A": 1, "B": 2}, ["1 result without a place is left out: – 1"]),
]


@pytest.mark.parametrize(("word", "others", "places", "notes"), WORDS_AND_OTHERS, ids=str)
def test_a_word_for_a_rank_holds_whatever_becomes_of_others_without_a_place(
    word: str, others: Unfinished, places: dict[str, int], notes: Sequence[str], tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("g,player,rank\n1,A,1\n1,B,2\n1,C,ELIM\n1,D,\n", encoding="utf-8")
    described = Description(layout=FileLayout(game=("g",), ranks={"ELIM": word}, unfinished=others))
    (game,) = read_results(path, described=described)
    assert dict(zip(game.players, game.places, strict=True)) == places
    said = " ".join(described.notes.values())
    assert all(note in said for note in notes), said


def test_a_list_of_words_that_is_cut_says_so(tmp_path: Path) -> None:
    """Seven without a place by seven words, of which five are named."""
    path = tmp_path / "a.csv"
    words = ("DNF", "DNS", "DSQ", "RET", "DNC", "WD", "OCS")
    path.write_text("seq,player,rank\n1,A,1\n" + "".join(f"1,{word},{word}\n" for word in words), encoding="utf-8")
    described = Description(layout=FileLayout(unfinished="last"))
    assert len(list(read_results(path, described=described))) == 1
    assert described.notes["unfinished"].startswith("7 results without a place")
    assert described.notes["unfinished"].endswith("DNF 1, DNS 1, DSQ 1, RET 1, DNC 1, ….")
