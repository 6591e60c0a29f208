"""Tests of the desk's first page, of the name that each change has, of undo, and of forms that are sent twice."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import half_slow
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tests.harness.web.markup import Markup
from tourney.domain.rounds import Clock
from tourney.service.admin.journal import Undo, log
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.attendance import CheckInPlayers
from tourney.service.events.events import FinishEvent
from tourney.service.lookup import find_event
from tourney.service.results.flags import RaiseFlag
from tourney.service.rounds import rounds as rounds_service
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access
from tourney.service.web.submissions import KeepTyped, Submit
from tourney.storage.journal import kinds
from tourney.storage.session import writing
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
    assert "<b>0</b> of 2 tables in" in text
    assert "There is no backup yet." in text
    assert "`tourney" not in text
    assert '<p class="name" dir="auto"><a href="/desk">Friday</a></p>' in text


def test_an_open_flag_and_a_draft_stand_on_the_first_page(db: str, pages: TestClient) -> None:
    apply(db, RaiseFlag("Friday", 1, 2, "the joker is torn"))
    apply(db, DrawRound("Friday", anyway=True, draft=True))
    text = pages.get("/desk").text
    assert "the joker is torn" in text
    assert re.findall(r'class="button main" href="([^"]*)"[^>]*>([^<]*)', text)[0] == (
        "/desk/rulings",
        "Answer the call of table 2",
    )
    assert 'class="urgent">Call 1, round 1, table 2: the joker is torn</p>' in text
    assert "round 2 of 2 (draft)" in text
    assert tiles(text) == {"1": "no result", "2": "no result called"}
    assert "/desk/results/2/" not in text


def tiles(text: str) -> dict[str, str]:
    """Return the words of each tile of the first page, without the players, by the table."""
    found = re.findall(r'<li class="tile.*?</li>', text, re.DOTALL)
    words = [" ".join(re.sub(r"<[^>]+>", " ", each.partition('<span class="names"')[0]).split()) for each in found]
    return dict(each.removeprefix("Table ").split(" ", 1) for each in words)


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
    assert tiles(text) == {"1": "waiting for the second player", "2": "sheets disagree"}
    assert ['href="/desk/results/1/1"' in text, 'href="/desk/results/1/2"' in text] == [True, True]
    assert "/enter" not in text


def test_a_table_whose_phone_types_says_at_which_hand_it_is_and_is_not_the_next_action(
    db: str, pages: TestClient
) -> None:
    table = rounds_service.show(db, "Friday", 1).rounds[0].tables[0]
    typed = desk.hands([player.name for player in table.players])[:2]
    apply(db, KeepTyped("Friday", 1, 1, "1" * 32, "phone", 0, typed))
    text = pages.get("/desk").text
    assert re.findall(r'class="button main"[^>]*>([^<]+)', text) == ["Enter the sheet of table 2"]
    assert tiles(text) == {"1": "typing hand 3 of 7", "2": "no result"}
    assert ['href="/desk/results/1/1"' in text, 'href="/desk/results/1/2/enter"' in text] == [True, True]


def test_the_last_changes_say_who_made_them(db: str, pages: TestClient) -> None:
    apply(db, CheckInPlayers("Friday", ["Ana"]), by="Marta")
    apply(db, CheckInPlayers("Friday", ["Beñat"]), by="table 2: seats 1, 3")
    apply(db, CheckInPlayers("Friday", ["Carmen"]), by="desk")
    assert 'href="/desk/changes"' in pages.get("/desk").text
    assert "Marta" not in pages.get("/desk").text
    english = pages.get("/desk/changes").text
    spanish = pages.get("/desk/changes", headers={"Accept-Language": "es"}).text
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
        texts = [pages.get(path).text for path in ("/desk/people", "/desk/undo", "/desk/changes")]
    assert [text for text in texts if "<script>alert" in text or "<b>Marta" in text] == []
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
    steps = pages.get("/desk").text
    first = re.findall(r'class="button main" href="([^"]*)"[^>]*>([^<]*)', steps)[0]
    assert first == ("/desk/results/1/1", "Look at the sheet of table 1")
    assert "/desk/results/1/1/enter" not in steps
    assert tiles(steps) == {"1": "waiting for the second player", "2": "no result"}


def test_the_next_round_is_drawn_from_the_first_page(tmp_path: Path) -> None:
    db = str(tmp_path / "eight.db")
    desk.event(db, 8)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        answer = press(pages, "/desk", "Draw round 1")
        assert answer.headers["location"].startswith("/desk/rounds")
    assert rounds_service.show(db, "Friday", "newest").rounds[0].draft


def enter(db: str, *tables: int, round_number: int = 1) -> None:
    """Enter a sheet of each of these tables; seat 0 has the fewest points."""
    found = {table.number: table for table in rounds_service.show(db, "Friday", round_number).rounds[0].tables}
    for number in tables:
        desk.enter(db, found[number], "Friday")


def test_a_tile_says_that_its_table_is_in_or_called_and_the_count_goes_with_it(db: str, pages: TestClient) -> None:
    enter(db, 1)
    apply(db, RaiseFlag("Friday", 1, 2, "a card is bent"))
    text = pages.get("/desk").text
    assert tiles(text) == {"1": "in", "2": "no result called"}
    assert "<b>1</b> of 2 tables in" in text
    assert '<progress value="1" max="2"' in text


def test_a_table_is_late_once_the_time_is_up_and_one_whose_sheet_waits_is_not(db: str, pages: TestClient) -> None:
    first, second = rounds_service.show(db, "Friday", 1).rounds[0].tables
    apply(db, Submit("Friday", 1, 1, "a" * 32, "phone", 0, desk.hands([player.name for player in first.players])))
    with writing(db) as store:
        event = find_event(store, "Friday")
        store.write(kinds.rounds.ClockSet(event, 1, "2026-11-20T20:00:00.000000Z", 45))
    found = tiles(pages.get("/desk").text)
    assert found["1"] == "waiting for the second player"
    assert re.fullmatch(r"no result late since .+", found["2"])
    assert len(second.players) == 4


def test_the_clock_is_set_and_paused_where_the_evening_stands(db: str, pages: TestClient) -> None:
    apply(db, ChangeClock("Friday", "start", minutes=30))
    for button in ("5 minutes more", "Pause the clock"):
        assert press(pages, "/desk", button).headers["location"] == "/desk"
    text = pages.get("/desk").text
    assert "Pause: 35 min are left." in text
    assert ">35:00<" in text
    press(pages, "/desk", "Go on with the clock")
    clock = rounds_service.show(db, "Friday", 1).rounds[0].clock
    assert clock is not None
    assert clock.minutes == 35


@pytest.mark.parametrize(
    ("started", "minutes", "paused", "clock"),
    [
        ("2026-11-20T20:00:00", 60, 0, Clock("2026-11-20T20:00:00Z", 60)),
        ("2026-11-20", 60, 0, Clock("2026-11-20T00:00:00Z", 60)),
        ("2026-11-20T20:00:00Z", 10**12, 0, Clock("2026-11-20T20:00:00Z", 24 * 60)),
        ("", 10**12, 24 * 60, None),
    ],
)
def test_a_clock_that_an_earlier_version_imported_breaks_no_page(
    started: str, minutes: int, paused: int, clock: Clock | None, db: str, pages: TestClient
) -> None:
    """The beginning has no time zone, or the round lasts longer than a round may."""
    with writing(db) as store:
        store.write(kinds.rounds.ClockSet(find_event(store, "Friday"), 1, started, minutes))
    shown = rounds_service.show(db, "Friday", 1).rounds[0]
    assert (shown.paused, shown.clock) == (paused, clock)
    for path in ("/desk", "/desk/rounds", "/desk/results", "/desk/undo", "/", "/tables", "/clock", "/screen", "/next"):
        assert pages.get(path).status_code == 200, path


@pytest.mark.parametrize("button", ["", "<b>"])
def test_a_button_that_the_first_page_does_not_have_changes_nothing(db: str, pages: TestClient, button: str) -> None:
    before = len(log(db).lines)
    answer = pages.post("/desk", data={"do": button}, headers=ORIGIN)
    assert answer.status_code == 400
    assert "this page cannot be used in this way" in answer.text
    assert len(log(db).lines) == before


def test_the_clock_is_started_by_the_next_action(tmp_path: Path) -> None:
    db = str(tmp_path / "timed.db")
    desk.make_drawn(db, 8, minutes=45)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        press(pages, "/desk", "Start the clock of round 1")
    clock = rounds_service.show(db, "Friday", 1).rounds[0].clock
    assert clock is not None
    assert clock.minutes == 45


def test_the_three_who_lead_stand_on_the_first_page(db: str, pages: TestClient) -> None:
    enter(db, 1)
    text = pages.get("/desk").text
    assert ">In the lead</h2>" in text
    first, second, third, _fourth = rounds_service.show(db, "Friday", 1).rounds[0].tables[0].players
    assert re.findall(r'<span class="medal">(\d)</span> <span class="who"[^>]*><a[^>]*>([^<]*)', text) == [
        ("1", first.shown),
        ("2", second.shown),
        ("3", third.shown),
    ]


def test_the_first_page_reads_no_history(db: str, pages: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_arguments: object, **_options: object) -> None:
        raise AssertionError("the history was read")

    monkeypatch.setattr("tourney.service.admin.journal.log", read)
    assert pages.get("/desk").status_code == 200


@pytest.mark.parametrize(
    "path", ["/desk", "/desk/people", "/desk/rounds", "/desk/screen", "/desk/events", "/desk/backup"]
)
def test_phones_projector_and_standings_are_in_the_head_of_each_page(pages: TestClient, path: str) -> None:
    head = pages.get(path).text.partition("</header>")[0]
    found = re.findall(r'<a href="([^"]*)"[^>]*>([^<]*)</a>', head)
    wanted = [("/desk/paper/phones", "Phones"), ("/desk/screen", "Projector"), ("/", "Standings")]
    assert [link for link in found if link in wanted] == wanted


def test_where_everybody_is_here_the_next_round_is_drawn_there_and_on_the_list_of_people(tmp_path: Path) -> None:
    db = str(tmp_path / "eight.db")
    desk.event(db, 8, checkin="required")
    apply(db, CheckInPlayers("Friday", list(desk.NAMES)))
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert ">Everybody is here.</p>" in pages.get("/desk").text
        answer = press(pages, "/desk/people?show=missing", "Draw round 1")
        assert answer.headers["location"].startswith("/desk/rounds")


# --- the end ----------------------------------------------------------------------------------------------------------


def finished(db: str, **settings: object) -> None:
    """Play the one round of an event of eight, and finish it."""
    desk.event(db, 8, rounds=1, **settings)
    apply(db, CheckInPlayers("Friday", list(desk.NAMES)))
    apply(db, DrawRound("Friday"))
    enter(db, 1, 2)
    apply(db, FinishEvent("Friday"))


def test_after_the_end_certificates_are_one_tap_away_and_the_winners_stand_first(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    finished(db, fee="5", prizes="50%-30%-20%")
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        text = pages.get("/desk").text
        main, path = re.findall(r'class="button main" href="([^"]*)"[^>]*>([^<]*)', text)[0][::-1]
        assert main == "Print the certificates"
        assert pages.get(path.replace("&amp;", "&")).status_code == 200
        winners = text.partition('class="podium"')[2].partition("</ol>")[0]
        assert "The winners are" in text or "The winner is" in text
        assert re.findall(r'class="medal">(\d)', winners)[:2] == ["1", "1"]
        assert '<span class="prize">' in winners


def test_the_next_evening_has_people_and_settings_and_is_a_week_later(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    finished(db, date="2999-11-27", checkin="required", minutes=40)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert press(pages, "/desk", "Next evening").headers["location"].startswith("/desk?")
        assert "8 players are not here yet: check in" in pages.get("/desk").text
        assert "Projector and phones still show Friday" in pages.get("/desk").text
    event = events.show(db)
    assert (event.settings.date, event.settings.minutes, event.settings.name) == ("2999-12-04", 40, "4 December 2999")
    assert {player.shown for player in event.entrants} == set(desk.NAMES)


def test_an_undo_of_the_end_brings_the_round_back(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    finished(db)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert 'data-view="podium"' in pages.get("/screen").text
        undo(pages)
        assert 'data-view="podium"' not in pages.get("/screen").text
        assert tiles(pages.get("/desk").text) == {"1": "in", "2": "in"}
        assert "Finish the event" in pages.get("/desk").text
