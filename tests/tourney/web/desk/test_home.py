"""Tests of the desk's first page, of the name that each change has, of undo, and of forms that are sent twice."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import half_slow
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tests.harness.web.markup import Markup
from tourney.service.admin.journal import Undo, log
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers
from tourney.service.rounds import rounds as rounds_service
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access
from tourney.service.web.submissions import KeepTyped, Submit
from tourney.web.pages import PAGES
from tourney.web.pages.desk.chapters import CHAPTERS, page_of


def make_db(db: str) -> None:
    """The path of a database with an event of eight of which round 1 is drawn."""
    desk.make_drawn(db, 8)


def fields(text: str, action: str) -> dict[str, str]:
    """Return the hidden fields of the first form with this action."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', text, re.DOTALL)
    assert form is not None
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0]))


def test_the_first_page_shows_where_the_evening_stands_and_what_comes_next(pages: TestClient) -> None:
    text = pages.get("/desk").text
    assert "Friday: round 1 of 2" in text
    assert "2 tables without a result" in text
    assert "There is no backup yet." in text
    assert "`tourney" not in text
    assert '<p class="name" dir="auto"><a href="/desk">Friday</a></p>' in text


def test_an_open_flag_and_a_draft_stand_on_the_first_page(db: str, pages: TestClient) -> None:
    from tourney.service.results.flags import RaiseFlag

    apply(db, RaiseFlag("Friday", 1, 2, "the joker is torn"))
    apply(db, DrawRound("Friday", anyway=True, draft=True))
    text = pages.get("/desk").text
    assert "the joker is torn" in text
    assert re.findall(r'class="button main" href="([^"]*)"[^>]*>([^<]*)', text)[0] == (
        "/desk/rulings",
        "Answer the call of table 2",
    )
    assert "class=urgent" in text
    assert "round 2 of 2 (draft)" in text
    assert "2 tables without a result" in text
    assert "/desk/results/2/1/enter" not in text


def test_sheets_from_phones_that_wait_stand_first_and_those_that_disagree_say_so(db: str, pages: TestClient) -> None:
    tables = rounds_service.show(db, "Friday", 1).rounds[0].tables
    for table, phones in zip(tables, (1, 2), strict=True):
        names = [player.name for player in table.players]
        for phone in range(phones):
            closers = (0, 1, 2, 3, 0, 1, 2) if phone == 0 else (1, 0, 2, 3, 0, 1, 2)
            sheet = desk.hands(names, closers)
            sent = Submit("Friday", 1, table.number, f"{table.number}{phone}" * 16, str(phone), phone, sheet)
            apply(db, sent)
    text = pages.get("/desk").text
    assert ">Decide between the sheets of table 2<" in text
    assert "Decide between the sheets of table 1" not in text
    assert text.count("a sheet from a phone waits") == text.count("sheets disagree") == 1
    assert [path in text for path in ("/desk/results/1/1", "/desk/results/1/2")] == [True, True]
    assert "/desk/results/1/1/enter" not in text.partition("Last changes")[0].partition("wait for the desk")[2]


def test_a_table_whose_phone_types_is_offered_last_and_in_words(db: str, pages: TestClient) -> None:
    table = rounds_service.show(db, "Friday", 1).rounds[0].tables[0]
    typed = desk.hands([player.name for player in table.players])[:2]
    apply(db, KeepTyped("Friday", 1, 1, "1" * 32, "phone", 0, typed))
    steps = re.findall(r'class="button[^>]*>([^<]+)', pages.get("/desk").text)[:2]
    assert steps == ["Enter the sheet of table 2", "Enter the sheet of table 1 in place of the phone there"]


def test_the_last_changes_say_who_made_them(db: str, pages: TestClient) -> None:
    apply(db, CheckInPlayers("Friday", ["Ana"]), by="Marta")
    apply(db, CheckInPlayers("Friday", ["Beñat"]), by="table 2: seats 1, 3")
    apply(db, CheckInPlayers("Friday", ["Carmen"]), by="desk")
    english = pages.get("/desk").text
    spanish = pages.get("/desk", headers={"Accept-Language": "es"}).text
    assert [word in english for word in ("Marta", "table 2: seats 1, 3", "· desk")] == [True] * 3
    assert [word in spanish for word in ("Marta", "mesa 2: puestos 1, 3", "· organización")] == [True] * 3


def test_without_an_event_the_first_page_says_so(tmp_path: Path) -> None:
    db = str(tmp_path / "new.db")
    access.sign_in_token(db)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        answer = pages.get("/desk")
    assert answer.status_code == 200
    assert ">No event is open</h1>" in answer.text
    assert re.findall(r'<a class="button main"[^>]*>([^<]*)<', answer.text) == ["Create an event"]


def test_the_name_of_a_desk_stands_in_its_changes_and_is_kept_in_its_browser(db: str, pages: TestClient) -> None:
    answer = pages.post("/desk/name", data={"name": "  Begoña   Ñ. "}, headers=ORIGIN)
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk")
    assert "Begoña Ñ." in pages.get("/desk").text
    undo(pages)
    assert log(db).lines[-1].by == "Begoña Ñ."


def test_a_desk_without_a_name_is_called_desk(db: str, pages: TestClient) -> None:
    undo(pages)
    assert log(db).lines[-1].by == "desk"


@pytest.mark.parametrize("name", half_slow(["", " ", "a" * 81, "\x00", "table 3: seat 1", "\u202eMarta"]), ids=repr)
def test_a_name_that_cannot_be_kept_is_refused_on_the_same_page(pages: TestClient, name: str) -> None:
    answer = pages.post("/desk/name", data={"name": name}, headers=ORIGIN)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "set-cookie" not in answer.headers


def undo(pages: TestClient, path: str = "/desk/undo") -> str:
    """Press the button on the page of undo, and return the page that follows."""
    answer = pages.post("/desk/undo", data={**fields(pages.get(path).text, "/desk/undo"), "do": "undo"}, headers=ORIGIN)
    assert answer.status_code == 303, answer.text
    return pages.get(answer.headers["location"]).text


def test_undo_first_shows_what_it_would_do(db: str, pages: TestClient) -> None:
    before = len(log(db).lines)
    text = pages.get("/desk/undo").text
    assert "round 1 drawn" in text
    assert len(log(db).lines) == before


def test_undo_says_what_was_done_and_can_be_put_back(db: str, pages: TestClient) -> None:
    assert "undone: round 1 drawn" in undo(pages)
    form = [each for each in Markup(pages.get("/desk/undo").text).forms if each.action == "/desk/undo"][-1]
    answer = pages.post("/desk/undo", data={**dict(form.fields), "do": "redo"}, headers=ORIGIN)
    assert "put back: round 1 drawn" in pages.get(answer.headers["location"]).text
    assert [line.state for line in log(db).lines][-3:] == ["stands", "takes back", "puts back"]


def test_a_change_is_undone_by_its_number(db: str, pages: TestClient) -> None:
    apply(db, CheckInPlayers("Friday", ["Ana"]))
    number = log(db).lines[-1].number
    apply(db, CheckInPlayers("Friday", ["Beñat"]))
    undo(pages, f"/desk/undo?number={number}")
    assert [line.number for line in log(db).lines if line.state == "undone"] == [number]


def test_what_others_rest_on_is_not_undone_and_the_page_says_why(db: str, pages: TestClient) -> None:
    entered = next(line.number for line in log(db).lines if line.kind == "event.enter")
    answer = pages.get(f"/desk/undo?number={entered}")
    assert 'role="alert"' in answer.text
    assert "<button" not in answer.text.partition("<footer")[0]


@pytest.mark.parametrize("number", half_slow(["0", "99999", "-1", "x", "1' OR 1=1"]))
def test_a_number_of_no_change_is_refused(pages: TestClient, number: str) -> None:
    answer = pages.get("/desk/undo", params={"number": number})
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text


def test_the_same_form_sent_twice_counts_once(db: str, pages: TestClient) -> None:
    apply(db, CheckInPlayers("Friday", ["Ana"]))
    form = {**fields(pages.get("/desk/undo").text, "/desk/undo"), "do": "undo"}
    first, second = (pages.post("/desk/undo", data=form, headers=ORIGIN) for _time in range(2))
    assert first.headers["location"] == second.headers["location"]
    assert [line.state for line in log(db).lines].count("takes back") == 1


def test_a_form_sent_again_later_says_when_it_was_sent(
    db: str, pages: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = {**fields(pages.get("/desk/undo").text, "/desk/undo"), "do": "undo"}
    pages.post("/desk/undo", data=form, headers=ORIGIN)
    monkeypatch.setattr("tourney.web.forms.AGAIN", timedelta(0))
    answer = pages.post("/desk/undo", data=form, headers=ORIGIN)
    assert answer.status_code == 409
    assert "sent at" in answer.text
    assert [line.state for line in log(db).lines].count("takes back") == 1


def test_what_was_done_is_said_for_two_minutes(db: str, pages: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    form = {**fields(pages.get("/desk/undo").text, "/desk/undo"), "do": "undo"}
    page = pages.post("/desk/undo", data=form, headers=ORIGIN).headers["location"]
    assert 'class="message' in pages.get(page).text
    monkeypatch.setattr("tourney.web.forms.SHOWN", timedelta(0))
    assert 'class="message' not in pages.get(page).text


def test_an_undo_that_somebody_else_made_is_not_made_twice(db: str, pages: TestClient) -> None:
    form = {**fields(pages.get("/desk/undo").text, "/desk/undo"), "do": "undo"}
    apply(db, Undo())
    answer = pages.post("/desk/undo", data=form, headers=ORIGIN)
    assert answer.status_code == 400
    assert "undone already" in answer.text
    assert [line.state for line in log(db).lines].count("takes back") == 1


def test_names_of_players_are_text_wherever_the_desk_shows_them(tmp_path: Path) -> None:
    from tourney.service.events.events import EnterPlayers

    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    hostile = '<script>alert("x")</script>'
    apply(db, EnterPlayers("Friday", [hostile], add=True), by="<b>Marta</b>")
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        texts = [pages.get(path).text for path in ("/desk", "/desk/undo", "/desk/changes")]
    assert [text for text in texts if "<script>" in text or "<b>" in text] == []
    assert all("&lt;script&gt;" in text for text in texts)


@pytest.mark.parametrize(
    ("words", "path"),
    half_slow(
        [
            (("tourney", "undo"), "/desk/undo"),
            (("tourney", "undo", "12", "--db", "round.db"), "/desk/undo"),
            (
                ("tourney", "round", "move", "Friday", "Ana & Co", "--out", "--db", "x"),
                "/desk/rounds/move?player=Ana%20%26%20Co&to=out",
            ),
            (("tourney", "round", "move", "PLAYER", "--table", "2"), "/desk/rounds/move"),
            (("tourney", "no-such-command"), ""),
            (("tourney",), ""),
            ((), ""),
        ]
    ),
    ids=str,
)
def test_a_command_has_the_page_that_does_it(words: tuple[str, ...], path: str) -> None:
    assert page_of(words) == path


def test_every_page_that_a_chapter_names_is_there() -> None:
    known = {re.sub(r"\{\w+\}", "1", page.path) for page in PAGES if page.method == "GET"}
    named = {chapter.path for chapter in CHAPTERS}
    named |= {path.format(round=1, table=1, player="Ana") for chapter in CHAPTERS for path in chapter.commands.values()}
    assert {path.partition("?")[0] for path in named} <= known


def test_a_backup_is_made_by_a_button(db: str, pages: TestClient) -> None:
    assert "There is no backup yet." in pages.get("/desk/backup").text
    answer = pages.post("/desk/backup", headers=ORIGIN)
    assert "tourney-backups" in pages.get(answer.headers["location"]).text
    assert len(list((Path(db).parent / "tourney-backups").iterdir())) >= 1
    assert "Every change is in the last backup" in pages.get("/desk").text


def test_a_waiting_sheet_is_looked_at_and_not_typed_again(db: str, pages: TestClient) -> None:
    table = rounds_service.show(db, "Friday", 1).rounds[0].tables[0]
    hands = desk.hands([player.name for player in table.players], (0, 1, 2, 3, 0, 1, 2))
    apply(db, Submit("Friday", 1, table.number, "a" * 32, "phone", 0, hands))
    steps = pages.get("/desk").text.partition("Sheets from phones")[0]
    first = re.findall(r'class="button main" href="([^"]*)"[^>]*>([^<]*)', steps)[0]
    assert first == ("/desk/results/1/1", "Look at the sheet of table 1")
    assert "/desk/results/1/1/enter" not in steps
    # The heading counts the tables below it.
    assert "1 table without a result" in pages.get("/desk").text


def test_the_next_round_is_drawn_from_the_first_page(tmp_path: Path) -> None:
    db = str(tmp_path / "eight.db")
    desk.event(db, 8)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        answer = press(pages, "/desk", "Draw round 1")
        assert answer.headers["location"].startswith("/desk/rounds")
    assert rounds_service.show(db, "Friday", "newest").rounds[0].draft
