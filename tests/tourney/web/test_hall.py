"""Tests of the pages for everybody: what they show of an evening, and that no name can change a page."""

import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.evening import weekend
from tests.harness.slow import slow
from tests.harness.web.asking import ORIGIN, TestClient, client
from tests.harness.web.hall import make_drawn, names_at
from tests.harness.web.markup import Markup
from tourney.domain.leagues import League
from tourney.domain.people import Player
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers, WithdrawPlayers
from tourney.service.events.copy_event import CopyEvent
from tourney.service.events.events import EnterPlayers, FinishEvent, UseEvent
from tourney.service.leagues import leagues
from tourney.service.leagues.leagues import StartLeague, checked
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import open_pool
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound, PublishRound
from tourney.web.pages.hall import name_code
from tourney.web.pages.site import event_site

PAGES = (
    *("/", "/seating", "/tables", "/next", "/clock", "/screen", "/players", "/players/1"),
    *("/pools", "/pools/people", "/leagues"),
)


@pytest.fixture
def hall(drawn: str):
    """Ask the pages of that event."""
    with client(drawn) as asked:
        yield asked


def test_the_front_page_shows_every_player_with_points_and_a_link(hall: TestClient, drawn: str) -> None:
    """The sheet gives the first seat 0, the others 20 + 10 × seat, in hands closed by seats 0, 1, 2, 3, 0, 1, 2.

    So seat 0 has five hands of 20, seat 1 five of 30, seat 2 five of 40 and seat 3 six of 50.
    """
    page = Markup(hall.get("/").text)
    assert set(desk.NAMES) <= set(page.texts)
    for name, points in zip(names_at(drawn, 1), (100, 150, 200, 300), strict=True):
        assert page.texts[page.texts.index(name) + 1] == str(points)
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    assert {f"/players/{number}" for number in range(1, 9)} <= links


def test_the_front_page_leads_to_the_tables_while_a_round_is_played(hall: TestClient, drawn: str) -> None:
    assert "Round 1: find your table" in hall.get("/").text
    apply(drawn, EnterResult("Friday", 1, 2, desk.hands(names_at(drawn, 2))))
    assert "find your table" not in hall.get("/").text


def test_the_seating_is_sorted_by_name_and_says_table_and_seat(hall: TestClient, drawn: str) -> None:
    texts = Markup(hall.get("/seating").text).texts
    shown = [text for text in texts if text in desk.NAMES]
    assert shown == sorted(desk.NAMES)
    for seat, name in enumerate(names_at(drawn, 2), 1):
        at = texts.index(name)
        assert texts[at + 1 : at + 3] == ["2", str(seat)]


def test_each_table_has_its_players_in_seat_order_and_its_state_in_words(hall: TestClient, drawn: str) -> None:
    texts = Markup(hall.get("/tables").text).texts
    names = names_at(drawn, 1)
    scored = [text for name, points in zip(names, ("100", "150", "200", "300"), strict=True) for text in (name, points)]
    second = len(texts) - texts[::-1].index("Table") - 1
    first = texts.index("Table")
    assert texts[first : first + 11] == ["Table", "1", *scored, "complete"]
    assert texts[second : second + 7] == ["Table", "2", *names_at(drawn, 2), "awaiting result"]


def test_a_complete_table_leads_to_its_sheet(hall: TestClient) -> None:
    assert 'href="/tables/1/1"' in hall.get("/tables").text
    sheet = Markup(hall.get("/tables/1/1").text)
    assert [text for text in sheet.texts if text in desk.CONTRACTS] == list(desk.CONTRACTS)


def test_earlier_rounds_have_pages_of_their_own(hall: TestClient, drawn: str) -> None:
    apply(drawn, EnterResult("Friday", 1, 2, desk.hands(names_at(drawn, 2))))
    apply(drawn, DrawRound("Friday"))
    assert "Seating, round 2" in hall.get("/seating").text
    assert 'href="/seating/1"' in hall.get("/seating").text
    assert "Seating, round 1" in hall.get("/seating/1").text
    assert "Tables, round 1" in hall.get("/tables/1").text


@pytest.mark.parametrize("path", ["/", "/seating", "/tables", "/next", "/screen", "/players", "/players/1", "/clock"])
def test_a_draft_is_shown_to_nobody_until_it_is_published(hall: TestClient, drawn: str, path: str) -> None:
    apply(drawn, EnterResult("Friday", 1, 2, desk.hands(names_at(drawn, 2))))
    before = hall.get(path).text
    apply(drawn, DrawRound("Friday", draft=True))
    assert hall.get(path).text == before
    assert hall.get("/seating/2").status_code == 404
    apply(drawn, PublishRound("Friday", 2))
    assert hall.get(path).text != before
    assert hall.get("/seating/2").status_code == 200


def heads(text: str) -> list[str]:
    return re.findall(r"<th scope=\"col\">([^<]*)</th>", text)


def test_the_number_that_ranks_follows_the_name_and_is_bold(hall: TestClient, drawn: str) -> None:
    """Points, until somebody has played more games than others: then the points per game, which no phone leaves out."""
    front = hall.get("/").text
    assert heads(front)[:3] == ["Rank", "Player", "Points"]
    assert re.search(r'<table class="grid r1 s1 t2 n2 r3 s3 ', front)
    apply(drawn, EnterResult("Friday", 1, 2, desk.hands(names_at(drawn, 2))))
    apply(drawn, DrawRound("Friday"))
    apply(drawn, EnterResult("Friday", 2, 1, desk.hands([player.name for player in at(drawn, 2, 1)])))
    front = hall.get("/").text
    assert heads(front)[:5] == ["Rank", "Moved", "Player", "Per game", "Points"]
    assert re.search(r'<table class="grid r1 s1 c2 t3 n3 r4 s4 r5', front)


def at(db: str, number: int, table: int) -> tuple[Player, ...]:
    return rounds.show(db, "Friday", number).rounds[0].tables[table - 1].players


def test_stages_are_parts_of_one_table_of_standings(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    event = weekend.from_preset(db, "swiss-final", 16)
    while (shown := weekend.show(db)).next_stage is not None:
        for table in apply(db, DrawRound(event)).rounds[0].tables:
            weekend.enter(db, weekend.show(db), table)
    with client(db) as pages:
        front = pages.get("/").text
    assert "Stage" not in heads(front)
    parts = re.findall(rf'<tr><th colspan="{len(heads(front))}" class="part" dir="auto">([^<]+)</th></tr>', front)
    assert parts == [stage.name for stage in reversed(shown.settings.stages)]


def test_a_void_result_is_named_as_such(hall: TestClient, drawn: str) -> None:
    apply(drawn, VoidResult("Friday", 1, 1, "a card was missing"))
    assert "void" in Markup(hall.get("/tables").text).texts
    assert "a card was missing" in hall.get("/tables/1/1").text


@pytest.mark.parametrize("path", ["/seating", "/tables", "/clock", "/screen", "/"])
def test_a_page_of_an_event_without_rounds_is_useful(tmp_path: Path, path: str) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 8)
    with client(db) as pages:
        answer = pages.get(path)
    assert answer.status_code == 200
    if path != "/":
        assert "No round is drawn" in answer.text
    assert "`tourney" not in answer.text


def test_the_clock_has_its_end_and_the_words_of_each_minute(hall: TestClient, drawn: str) -> None:
    apply(drawn, ChangeClock("Friday", "start", minutes=30))
    page = Markup(hall.get("/clock").text)
    started = rounds.show(drawn, "Friday", 1).rounds[0].clock
    assert started is not None
    (ends,) = [int(str(attributes["data-ends"])) for _tag, attributes in page.elements if "data-ends" in attributes]
    urgencies = [attributes["data-urgency"] for _tag, attributes in page.elements if "data-urgency" in attributes]
    begins = [int(str(attributes["data-begins"])) for _tag, attributes in page.elements if "data-begins" in attributes]
    assert urgencies == ["running", "warning", "warning", "warning", "warning", "last", "expired"]
    assert begins == [0, *(ends - minutes * 60_000 for minutes in (5, 4, 3, 2, 1, 0))]
    assert "5 minutes left" in page.texts
    assert "last hand: 1 minute left" in page.texts


def test_a_player_finds_their_table_their_games_and_the_others(hall: TestClient, drawn: str) -> None:
    """Gloria's number is 7: she was the seventh to enter."""
    page = Markup(hall.get("/players/7").text)
    table = 1 if "Gloria" in names_at(drawn, 1) else 2
    names = names_at(drawn, table)
    others = [name for name in names if name != "Gloria"]
    place = f"Round 1: table {table}, seat {names.index('Gloria') + 1}, with {others[0]}, {others[1]} and {others[2]}."
    assert place in page.texts


def test_somebody_who_never_came_has_no_page_and_none_in_the_site(tmp_path: Path) -> None:
    db = desk.copied(tmp_path / "club.db", make_drawn)
    apply(db, RegisterPlayers(("Koldo", "Lucía")))
    apply(db, EnterPlayers("Friday", ("Koldo", "Lucía")))
    apply(db, WithdrawPlayers("Friday", ("Koldo",), absence="no-show"))
    apply(db, WithdrawPlayers("Friday", ("Lucía",)))
    site = event_site(db, "Friday")
    assert "players/8.html" in site
    assert not {"players/9.html", "players/10.html"} & site.keys()
    assert not any(name.encode() in page for page in site.values() for name in ("Koldo", "Lucía"))
    with client(db, "Friday") as hall:
        assert [hall.get(f"/players/{number}").status_code for number in (8, 9, 10)] == [200, 404, 404]


def test_a_player_who_has_played_has_a_rating_curve(hall: TestClient, drawn: str) -> None:
    number = desk.NAMES.index(names_at(drawn, 1)[0]) + 1
    assert any(tag == "svg" for tag, _attributes in Markup(hall.get(f"/players/{number}").text).elements)
    waiting = desk.NAMES.index(names_at(drawn, 2)[0]) + 1
    assert not any(tag == "svg" for tag, _attributes in Markup(hall.get(f"/players/{waiting}").text).elements)


@pytest.mark.parametrize(
    "path",
    [
        "/players/0",
        "/players/9",
        "/players/x",
        "/players/1e1",
        "/players/٣",
        "/players/99999999999999999999",
        "/players/-1",
        "/seating/2",
        "/seating/x",
        "/tables/0",
        "/tables/1/3",
        "/tables/1/2",
        "/pools/nothing",
        "/pools/people/players/Nobody",
        "/pools/people/editions/1",
        "/leagues/1",
        "/leagues/x",
    ],
)
def test_a_page_that_is_not_there_is_one_sentence(hall: TestClient, path: str) -> None:
    answer = hall.get(path)
    assert answer.status_code == 404, path
    assert "`tourney" not in answer.text


def test_pages_of_ratings_and_leagues_show_what_there_is(full: str) -> None:
    with client(full) as pages:
        assert "Ana" in pages.get("/pools/people").text
        assert "<svg" in pages.get(f"/pools/people/players/{name_code('Ana')}").text
        assert "Iker" in pages.get("/pools/races").text
        assert "<svg" in pages.get(f"/pools/races/players/{name_code('Iker')}").text
        assert "random" in pages.get("/leagues").text
        assert pages.get("/leagues/1").status_code == 200
        assert pages.get("/pools/people/editions").status_code == 200


@pytest.mark.parametrize("name", ["2026/27", "50%", "%2F", "a/b%2Fc?d#e"])
def test_a_pool_has_its_pages_whatever_its_name(tmp_path: Path, run: Runner, name: str) -> None:
    """The links to pools with a slash in their names led nowhere."""
    db, file = str(tmp_path / "club.db"), tmp_path / "races.csv"
    file.write_text("seq,player,rank\n1,Ana,1\n1,Iker,2\n", encoding="utf-8")
    assert run("rating", "import", str(file), "--pool", name, "--db", db).code == 0
    with client(db) as pages:
        (path,) = [
            each for each in re.findall('href="(/pools/[^"]+)"', pages.get("/pools").text) if "people" not in each
        ]
        links = re.findall(f'href="({re.escape(path)}/[^"]+)"', pages.get(path).text)
        assert len(links) >= 4
        assert [link for link in links if pages.get(link).status_code != 200] == []


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/pools/People", 303),
        ("/pools/RACES/fame", 303),
        ("/pools/%20people/players/Ana", 303),
        (f"/pools/races/players/{name_code('iker')}", 404),
        (f"/pools/people/players/{name_code('Ana').upper()}", 404),
        ("/pools/people/players/Ana", 404),
        ("/pools/people/seasons/1987", 404),
        ("/pools/races/seasons/9999", 404),
        ("/leagues/01", 404),
        ("/players/001", 404),
    ],
)
def test_a_page_has_one_address(full: str, path: str, status: int) -> None:
    """The attack: each spelling of a pool, a player or a number was a page of its own, and none was kept for long."""
    with client(full) as pages:
        answer = pages.get(path)
        assert answer.status_code == status
        if status == 303:
            assert answer.headers["location"].lower() in path.lower().replace("%20", "")


@pytest.mark.parametrize("start", ["/pools/people", "/seasons/1"])
def test_every_name_in_rankings_leads_to_a_page_of_its_own(run: Runner, tmp_path: Path, start: str) -> None:
    """The attack: “Ana/” led to the page of Ana, and “..” to the page above."""
    db, names = str(tmp_path / "club.db"), ["Ana", "Ana/", "..", "."]
    desk.club_of(db, names, "Friday", rounds=1)
    apply(db, DrawRound("Friday"))
    seated = rounds.show(db, "Friday", 1).rounds[0].tables[0].players
    apply(db, EnterResult("Friday", 1, 1, desk.hands([player.name for player in seated])))
    for words in (("new", "2026"), ("add", "2026", "Friday")):
        assert run("season", *words, "--db", db).code == 0
    with client(db) as pages:
        links = dict(re.findall(rf'<a href="({start}/players/[^"]*)">([^<]*)<', pages.get(start).text))
        assert sorted(links.values()) == sorted(names)
        for path, name in links.items():
            assert urlsplit(urljoin("http://x/", path)).path.startswith(f"{start}/players/")
            heading = pages.get(path).text.partition("</h1>")[0].rpartition("<h1")[2]
            assert re.search(rf"[\s>]{re.escape(name)}(?:$|[\s:,])", heading)


def test_the_histories_of_a_pool_are_read_once_for_all_its_pages(full: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For ratings, histories, score sheets and records, whatever the pages of all players and languages."""
    reads = list[str]()
    read = open_pool.open_history
    monkeypatch.setattr(open_pool, "open_history", lambda *args: reads.append(args[1]) or read(*args))
    with client(full) as pages:
        players = re.findall(r'href="(/pools/people/players/[^"]*)"', pages.get("/pools/people").text)
        assert len(players) == 3
        for language in ("en", "es"):
            for path in (*players, "/pools/people/fame"):
                assert pages.get(path, headers={"Accept-Language": language}).status_code == 200
    assert len(reads) <= 4


def test_the_projector_is_steered_by_the_desk_alone(drawn: str) -> None:
    with client(drawn, address="127.0.0.1") as pages:
        assert pages.post("/desk/screen", data={"do": "pause"}, headers=ORIGIN).status_code == 403
        assert pages.get("/version").json()["screen"] == {"show": "all", "paused": False, "turned": 0}


@pytest.mark.parametrize(
    ("button", "state"),
    [
        ("pause", {"show": "all", "paused": True, "turned": 0}),
        ("next", {"show": "all", "paused": False, "turned": 1}),
        ("back", {"show": "all", "paused": False, "turned": -1}),
        ("clock", {"show": "clock", "paused": False, "turned": 0}),
    ],
)
def test_a_button_of_the_desk_steers_the_projector(drawn: str, button: str, state: dict[str, object]) -> None:
    with client(drawn, address="127.0.0.1", signed_in=True) as pages:
        assert pages.post("/desk/screen", data={"do": button}, headers=ORIGIN).status_code == 303
        assert pages.get("/version").json()["screen"] == state
        assert pages.post("/desk/screen", data={"do": "explode"}, headers=ORIGIN).status_code == 400


HOSTILE = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "' onmouseover='alert(1)",
    "{{ 7*7 }}",
    "{% raw %}",
    "</title><h1>x",
    "--><b>x",
    "&lt;b&gt;",
    "a/../../etc/passwd",
    "javascript:alert(1)",
    "?lang=es#main",
    "%00%0d%0aSet-Cookie",
    "שלום עולם",
    "王" * 40,
    "a" * 80,
    "Ana & Beñat",
    "${7*7} `id`",
    "\\u003cscript\\u003e",
    "]]><svg/onload=alert(1)>",
    "12",
)
"""Names that would change a page if they were not escaped."""


def hostile(number: int) -> list[str]:
    """Return that many different names."""
    return [f"{HOSTILE[at % len(HOSTILE)][:72]} {at}".strip() for at in range(number)]


@pytest.mark.parametrize("number", [len(HOSTILE), *slow([500])])
def test_no_name_changes_a_page(tmp_path: Path, number: int) -> None:
    """The pages of harmless names of the same event have the same elements with the same attributes."""
    shapes = []
    for kind, names in (("a", [f"Player {at:03}" for at in range(number)]), ("b", hostile(number))):
        db = str(tmp_path / f"{kind}.db")
        event = "Friday" if kind == "a" else HOSTILE[0]
        desk.club_of(db, names, event, rounds=1)
        apply(db, DrawRound(event))
        table = rounds.show(db, event, 1).rounds[0].tables[0]
        apply(db, EnterResult(event, 1, 1, desk.hands([player.name for player in table.players])))
        with client(db) as pages:
            paths = [*PAGES, *(f"/players/{at}" for at in range(2, 12)), "/tables/1/1"]
            answers = [pages.get(path) for path in paths]
            answers += [pages.get(f"/pools/people/players/{name_code(player.shown)}") for player in table.players]
        assert {answer.status_code for answer in answers} == {200}
        shapes.append([Markup(answer.text).shape for answer in answers])
        if kind == "b":
            assert set(names) <= set(Markup(answers[0].text).texts)
    for safe, risky in zip(*shapes, strict=True):
        assert {element for element in risky if element not in safe} == set()


@pytest.mark.parametrize("text", ["Al", "Bo --x", "`tourney undo`", "--cards", "Hugo D`Or"])
def test_no_name_and_no_reason_takes_a_sentence_off_the_hall(tmp_path: Path, text: str) -> None:
    """With the penalty the first two have 150 points each."""
    db = str(tmp_path / "club.db")
    desk.club_of(db, [text, "Beñat", "Carmen", "Diego"], rounds=1)
    apply(db, DrawRound())
    first, second, *_others = names_at(db, 1)
    apply(db, EnterResult(None, 1, 1, desk.hands(names_at(db, 1))))
    apply(db, AddRuling(None, Decision("penalty", f"looked at {text}", player=first, points=50)))
    with client(db) as pages:
        said = Markup(pages.get("/").text).texts
    assert any(first in each and second in each and "level with" in each for each in said), said
    assert any(f"looked at {text}" in each for each in said), said


def test_a_league_is_shown_while_it_is_played(tmp_path: Path) -> None:
    """A league of two blocks, started and not played yet, then played to its end."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    apply(db, StartLeague(checked(League(("random", "random"), "oficial", 2, "7", 2))))
    with client(db) as pages:
        assert "0 of 2 blocks" in pages.get("/leagues/1").text
        leagues.resume(db, 1)
        assert "2 of 2 blocks" in pages.get("/leagues/1").text
        assert 'href="/leagues"' in pages.get("/pools").text


def test_points_per_game_stay_on_the_narrowest_page_where_they_decide(hall: TestClient, drawn: str) -> None:
    """After one table of round 2 some players have two games and others one."""
    average = "Per game"
    heads = [text for text in Markup(hall.get("/").text).texts if text in ("Rank", "Player", "Points", average)]
    assert heads == ["Rank", "Player", "Points", average]

    def leaves(text: str) -> bool:
        column = [tag for tag, _attributes in Markup(text[: text.index(average)]).elements].count("th")
        classes = re.findall(r'class="grid ([^"]*)"', text)[0].split()
        return f"b{column}" in classes

    assert leaves(hall.get("/").text)
    apply(drawn, EnterResult("Friday", 1, 2, desk.hands(names_at(drawn, 2))))
    apply(drawn, DrawRound("Friday"))
    seated = [player.name for player in rounds.show(drawn, "Friday", 2).rounds[0].tables[0].players]
    apply(drawn, EnterResult("Friday", 2, 1, desk.hands(seated)))
    assert not leaves(hall.get("/").text)


def test_the_hall_keeps_the_finished_evening_until_the_next_one_begins(drawn: str) -> None:
    """A draft begins nothing; a published round does, and so does the first check-in."""
    apply(drawn, EnterResult("Friday", 1, 2, desk.hands(names_at(drawn, 2))))
    apply(drawn, FinishEvent("Friday", incomplete=True))
    for begin in ("publish", "check in"):
        apply(drawn, CopyEvent(f"Next, {begin}", "Friday"))
        apply(drawn, UseEvent(f"Next, {begin}"))
        with client(drawn, address="127.0.0.1", signed_in=True) as pages:
            apply(drawn, DrawRound(draft=True))
            for path in ("/", "/screen", "/tables"):
                assert "Next, " not in pages.get(path).text, path
            assert "Projector and phones still show Friday" in pages.get("/desk").text
            assert f"Next, {begin}" in pages.get("/desk").text
            assert "projector and phones stay with Friday." in pages.get("/desk/events/look?name=Friday").text
            apply(drawn, PublishRound(None) if begin == "publish" else CheckInPlayers(None, everybody=True))
            assert f"Next, {begin}" in pages.get("/").text
            assert "still show" not in pages.get("/desk").text
