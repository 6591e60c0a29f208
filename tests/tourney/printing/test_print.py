"""Tests of `tourney print`: each page as whole commands make it, beside the report that it arranges."""

import re
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.paper.markup import Element, document, rows
from tests.harness.terminal import Terminal
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.events.codes import event_code
from tourney.service.lookup import find_event
from tourney.service.players import RegisterPlayers
from tourney.service.results.dialogue import SheetDialogue

PAGES = ("slips", "wall", "signs", "standings", "certificates", "ratings", "rules")


def made(run: Runner, *words: str) -> Element:
    """Return the page that a command makes."""
    ran = run(*words)
    assert ran.code == 0, ran.err
    return document(ran.out)


def seating(run: Runner, number: int) -> list[list[str]]:
    """Return the names by table and seat, as JSON has them."""
    return run("round", "show", "--round", str(number), "--json").json["rounds"][0]


@pytest.mark.parametrize("what", PAGES)
def test_a_file_has_the_whole_page_with_the_day_and_but_for_certificates_the_code(
    evening: str, run: Runner, tmp_path: Path, what: str
) -> None:
    file = tmp_path / "out.html"
    done = run("print", what, "--output", str(file))
    assert (done.code, done.out, done.err) == (0, "", f"The output is in {file}.\n")
    page = document(file.read_text(encoding="utf-8"))
    (footer,) = page.all("footer")
    code = event_code(None)(evening) if what not in ("ratings", "rules") else head(evening)
    mark = "" if what == "certificates" else f" · code {code}"
    assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d{mark}", footer.text)
    assert re.fullmatch(r"[0-9a-f]{16}", code)
    again = run("print", what, "--output", str(file))
    assert again.code == ExitCode.CONFLICT


def head(db: str) -> str:
    with storage.reading(db) as reader:
        return reader.journal.head()[1][:16]


def test_a_slip_has_columns_in_the_order_of_the_prompt_and_lines_of_the_contracts(evening: str, run: Runner) -> None:
    """The dialogue of `result enter` greets with the players by seat; contracts and cards are those of document 003."""
    page = made(run, "print", "slips", "--round", "1")
    slips = page.all("section", class_="slip")
    with storage.reading(evening) as reader:
        event = find_event(reader, None)
        tables = reader.rounds.of(event)[0].tables
    assert len(slips) == len(tables) == 6
    for slip, table in zip(slips, tables, strict=True):
        (caption,) = slip.all("caption")
        assert caption.text == f"Friday, round 1, table {table.number}"
        heads = slip.all("th", class_="player")
        assert "   ".join(each.text for each in heads) == SheetDialogue(event, table).greeting[1]
        assert {each.attributes["colspan"] for each in heads} == {"2"}
        lines = rows(slip.all("table")[0])
        names = [player.shown for player in table.players]
        dealers = [f"{number % len(names) + 1} {names[number % len(names)]}" for number in range(7)]
        assert [line[:3] for line in lines] == [
            [contract, str(cards), dealer]
            for contract, cards, dealer in zip(desk.CONTRACTS, range(7, 14), dealers, strict=True)
        ]
        assert {len(line) for line in lines} == {3 + 2 * len(names) + 2}
        assert {cell for line in lines for cell in line[3:]} == {""}
        (signatures,) = slip.all("ul", class_="signatures")
        assert [each.text for each in signatures.all("li")] == names
        assert f"code {event_code(None)(evening)}" in slip.text


def test_round_slips_as_html_are_the_printed_slips(evening: str, run: Runner) -> None:
    printed, shown = (
        made(run, *words).all("main")[0]
        for words in (("print", "slips", "--table", "2"), ("round", "slips", "--table", "2", "--format", "html"))
    )
    assert printed == shown


def test_a_wall_has_everybody_by_name_and_by_table(crowd: str, run: Runner) -> None:
    page = made(run, "print", "wall")
    by_name, by_table = page.all("table")
    tables = seating(run, 1)
    places = {name: (table, seat) for table, names in enumerate(tables, 1) for seat, name in enumerate(names, 1)}
    listed = {name: (int(table), int(seat)) for name, table, seat in rows(by_name)}
    assert listed == places
    assert len(listed) == 66
    assert [name for name, *_place in rows(by_name) if name.startswith(("Á", "An"))] == [
        f"Ana {family}" for family in ("Áviles", "Etxeberria", "García", "López", "Ruiz de la Torre")
    ]
    bodies = by_table.all("tbody")
    assert [[cell.text for cell in body.all("td")[1::2]] for body in bodies] == tables
    assert [body.all("th", scope="rowgroup")[0].text for body in bodies] == [str(n + 1) for n in range(len(tables))]
    for table in (by_name, by_table):
        assert table.all("thead")[0].all("tr")[0].text == "Otoño </style> 2026, round 1"


def test_type_on_a_wall_has_at_least_eighteen_points(crowd: str, run: Runner) -> None:
    (style,) = made(run, "print", "wall").all("style")
    sizes = [float(size) for size in re.findall(r"\.(?:list|wall)[^{}]*\{[^}]*font-size: ([\d.]+)pt", style.text)]
    assert len(sizes) >= 4
    assert min(sizes) >= 18


def test_a_sign_has_the_number_and_the_players_of_its_table(crowd: str, run: Runner) -> None:
    signs = made(run, "print", "signs").all("section", class_="sign")
    tables = seating(run, 1)
    assert [sign.all("span", class_="number")[0].text for sign in signs] == [str(n + 1) for n in range(len(tables))]
    assert [[each.text for each in sign.all("li")] for sign in signs] == tables


def test_printed_standings_and_ratings_are_those_of_their_reports(evening: str, run: Runner) -> None:
    for what in ("standings", "ratings"):
        (table,) = made(run, "print", what).all("table")
        at = [each.text for each in table.all("th", scope="col")].index("Player")
        assert [(row[0], row[at]) for row in rows(table)] == [
            (str(row["rank"]), row["player"]) for row in run(what, "--json").json
        ]
        assert run("print", what, "--json").json == run(what, "--json").json


def test_standings_after_a_round_and_ratings_of_a_season_are_printed(evening: str, run: Runner) -> None:
    assert made(run, "print", "standings", "--round", "2").all("h1")[0].text == "Standings of Friday after round 2"
    title = made(run, "print", "ratings", "people", "--games", "3").all("h1")[0].text
    assert title == "Ratings: players, first 3 games"


PLACES = {1: "1st place", 2: "2nd place", 3: "3rd place", 4: "4th place", 5: "5th place"}


@pytest.mark.parametrize("top", [1, 3, 5])
def test_each_winner_has_a_certificate(evening: str, run: Runner, top: int) -> None:
    """Club, points and rank are those of the standings and of the list of players; place and date are to be written."""
    winners = made(run, "print", "certificates", "--top", str(top)).all("section", class_="certificate")
    assert all("Certificate" in winner.text for winner in winners)
    expected = run("standings", "--json").json[:top]
    clubs = {row["name"]: row["club"] for row in run("player", "list", "--json").json}
    assert [each.all("h1")[0].text for each in winners] == [row["player"] for row in expected]
    for winner, row in zip(winners, expected, strict=True):
        facts = dict(zip([dt.text for dt in winner.all("dt")], [dd.text for dd in winner.all("dd")], strict=True))
        assert winner.all("p", class_="rank")[0].text == PLACES[row["rank"]]
        assert facts["Points"] == str(row["points"])
        assert facts.get("Club", "") == clubs[row["player"]]
        assert (facts["Date"], facts["Organised by"], facts["Signature"]) == ("", "", "")


def test_the_organiser_stands_on_certificates_slips_and_at_the_foot_and_its_line_is_left_out(
    evening: str, run: Runner
) -> None:
    assert run("event", "set", "--organiser", "Club  Getxo").code == ExitCode.DONE
    for what in ("standings", "slips", "wall", "signs"):
        assert made(run, "print", what).all("footer")[0].text.startswith("Club Getxo · ")
    winner = made(run, "print", "certificates").all("section", class_="certificate")[0]
    assert winner.all("p", class_="organiser")[0].text == "Club Getxo"
    assert [dt.text for dt in winner.all("dt")][-2:] == ["Date", "Signature"]
    assert run("print", "certificates", "--json").json[0]["organiser"] == "Club Getxo"
    assert "Club Getxo" not in made(run, "print", "ratings").all("footer")[0].text


def test_the_ratings_on_paper_have_pictures_of_the_first_players_and_say_what_they_mean(
    evening: str, run: Runner
) -> None:
    """A bar for each of the first 20 players, a line for each of the first ten; of a filter only its games."""
    page = made(run, "print", "ratings")
    assert len(page.all("rect", class_="bar")) == min(20, len(run("ratings", "--json").json))
    assert len(page.all("path", class_="line")) == 10
    assert page.all("figcaption")[0].text.startswith("Bars: the ranks that a player may have")
    few = made(run, "print", "ratings", "people", "--top", "3")
    assert (len(few.all("rect", class_="bar")), len(few.all("path", class_="line"))) == (3, 3)


def test_rules_are_printed_as_they_are_shown(run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Rules need no database; a page without one has no code."""
    monkeypatch.delenv("TOURNEY_DB", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    page = made(run, "print", "rules", "oficial+scaled")
    shown = run("rules", "show", "oficial+scaled", "--json").json
    listed = [each.text for each in page.all("li")]
    sentences = [row["text"] for row in shown["sentences"] if row["field"] not in ("players.least", "players.most")]
    assert "2 to 4 players." in sentences
    for sentence in sentences:
        assert any(sentence.split(" [")[0] in text for text in listed), sentence
    assert "code" not in page.all("footer")[0].text


@pytest.mark.parametrize("database", ["missing", "damaged", "older"])
def test_a_rule_set_is_printed_whatever_state_the_database_is_in(run: Runner, tmp_path: Path, database: str) -> None:
    """A file that is not there was refused, and an older one asked for an upgrade."""
    file = tmp_path / "some.db"
    if database == "damaged":
        file.write_bytes(b"no database" * 100)
    elif database == "older":
        apply(str(file), RegisterPlayers(["Ana"]))
        desk.tamper(str(file), "UPDATE alembic_version SET version_num = '0000'")
    before = file.read_bytes() if file.exists() else None
    page = made(run, "print", "rules", "oficial", "--db", str(file))
    assert "code" not in page.all("footer")[0].text
    assert (file.read_bytes() if file.exists() else None) == before
    assert run("print", "rules", "--event", "Friday", "--db", str(file)).code != 0


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_paper_is_a4_or_letter(evening: str, run: Runner, paper: str) -> None:
    size = {"a4": "A4", "letter": "Letter"}[paper]
    assert f"size: {size} portrait;" in run("print", "slips", "--paper", paper).out


REFUSED = {
    "another paper": (("slips", "--paper", "legal"), ExitCode.USAGE, "--paper cannot be “legal”"),
    "an event that is not there": (("wall", "Nowhere"), ExitCode.NOT_FOUND, "Nowhere"),
    "a round that is not drawn": (("signs", "--round", "9"), ExitCode.NOT_FOUND, "9"),
    "nothing to print": (("posters",), ExitCode.USAGE, "`tourney print` has no “posters”"),
    "a folder that is not there": (("wall", "--output", "none/x.html"), ExitCode.NOT_FOUND, "there is no folder"),
    "rules that are not there": (("rules", "nowhere"), ExitCode.NOT_FOUND, "nowhere"),
    "nobody": (("certificates", "--top", "0"), ExitCode.USAGE, "--top"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_printed_is_refused_in_one_line(evening: str, run: Runner, case: str) -> None:
    words, code, text = REFUSED[case]
    done = run("print", *words)
    assert (done.code, done.out) == (code, "")
    assert text in done.err
    assert len(done.err.splitlines()) == 2


def test_there_are_no_certificates_before_somebody_has_a_rank(crowd: str, run: Runner) -> None:
    done = run("print", "certificates")
    assert (done.code, done.out) == (ExitCode.REFUSED, "")
    assert done.err == (
        "error: nobody has a rank in Otoño </style> 2026 yet\nhint: `tourney status` says which results are missing\n"
    )


@pytest.mark.parametrize("words", ["print wall", "standings --format html"])
def test_a_terminal_gets_no_html(evening: str, words: str) -> None:
    with Terminal(*words.split()) as terminal:
        terminal.see("HTML is for a browser, not for a terminal", "--output page.html")
        assert terminal.code() == ExitCode.USAGE
