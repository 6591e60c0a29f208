"""Tests of the pages of the next round and of all players: what is known, what is found, and nothing of drafts."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.web.asking import TestClient, client
from tests.harness.web.hall import names_at
from tests.harness.web.markup import Markup
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import FinishEvent
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound, PublishRound


@pytest.fixture
def hall(drawn: str):
    with client(drawn) as asked:
        yield asked


def finish_round(db: str) -> None:
    apply(db, EnterResult("Friday", 1, 2, desk.hands(names_at(db, 2))))


def test_the_next_round_names_the_tables_that_it_waits_for(hall: TestClient, drawn: str) -> None:
    texts = Markup(hall.get("/next").text).texts
    assert "Round 2 follows once these tables have a result." in texts
    assert ", ".join(names_at(drawn, 2)) in texts
    assert ", ".join(names_at(drawn, 1)) not in texts


def test_the_next_round_says_when_the_time_of_this_one_ends(hall: TestClient, drawn: str) -> None:
    apply(drawn, ChangeClock("Friday", "start", minutes=70))
    clock = rounds.show(drawn, "Friday", 1).rounds[0].clock
    assert clock is not None
    ends = datetime.fromisoformat(clock.started).astimezone() + timedelta(minutes=70)
    assert re.search(rf"The time of round 1 ends at [^.]*{ends:%H:%M}\.", hall.get("/next").text)


def test_a_complete_round_waits_for_the_next_to_be_published(hall: TestClient, drawn: str) -> None:
    finish_round(drawn)
    texts = Markup(hall.get("/next").text).texts
    assert "Every table of round 1 has its result." in texts
    assert "Who sits where in round 2 is not published yet." in texts
    before = hall.get("/next").text
    apply(drawn, DrawRound("Friday", draft=True))
    assert hall.get("/next").text == before
    apply(drawn, PublishRound("Friday", 2))
    page = Markup(hall.get("/next").text)
    assert "Round 2 is drawn: find your table." in page.texts
    assert set(desk.NAMES) <= set(page.texts)
    assert ("a", ("href",)) in page.shape


def test_the_last_round_has_none_after_it(hall: TestClient, drawn: str) -> None:
    finish_round(drawn)
    apply(drawn, DrawRound("Friday"))
    for table in rounds.show(drawn, "Friday", 2).rounds[0].tables:
        apply(drawn, EnterResult("Friday", 2, table.number, desk.hands([each.name for each in table.players])))
        text = hall.get("/next").text
        assert ("Round 2 is the last." in text) == (table.number == 1)
    assert "All rounds are played." in hall.get("/next").text
    apply(drawn, FinishEvent("Friday"))
    assert "The event is finished." in hall.get("/next").text


def test_an_event_without_rounds_has_no_next_one(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 8)
    with client(db) as pages:
        assert "No round is drawn yet." in pages.get("/next").text


def test_open_flags_are_counted_and_their_words_are_not_shown(hall: TestClient, drawn: str) -> None:
    number = apply(drawn, RaiseFlag("Friday", 1, 2, "a card is bent")).number
    text = hall.get("/next").text
    assert "1 call of a table has no answer yet." in text
    assert "a card is bent" not in text
    apply(drawn, AnswerFlag("Friday", number, "a new pack is there"))
    assert "flag" not in hall.get("/next").text


def test_all_players_are_listed_by_name_with_table_and_seat(hall: TestClient, drawn: str) -> None:
    texts = Markup(hall.get("/players").text).texts
    assert [text for text in texts if text in desk.NAMES] == sorted(desk.NAMES)
    for seat, name in enumerate(names_at(drawn, 2), 1):
        at = texts.index(name)
        assert texts[at + 1 : at + 3] == ["2", str(seat)]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("beñ", ["Beñat"]),
        ("BEN", ["Beñat"]),
        ("felix", ["Félix"]),
        ("e", ["Beñat", "Carmen", "Diego", "Elena", "Félix"]),
        ("  ana ", ["Ana"]),
        ("", sorted(desk.NAMES)),
    ],
)
def test_a_search_finds_parts_of_names_without_accents_and_case(
    hall: TestClient, wanted: str, found: list[str]
) -> None:
    texts = Markup(hall.get("/players", params={"q": wanted}).text).texts
    assert [text for text in texts if text in desk.NAMES] == found


@pytest.mark.parametrize("wanted", ["Gloira", "<script>alert(1)</script>", '"><b>', "x" * 5000])
def test_a_search_without_success_says_so(hall: TestClient, wanted: str) -> None:
    answer = hall.get("/players", params={"q": wanted})
    page = Markup(answer.text)
    assert answer.status_code == 200
    assert f"Nobody is called “{wanted[:80]}”." in page.texts
    assert ("Perhaps: Gloria." in page.texts) == (wanted == "Gloira")
    assert {tag for tag, _attributes in page.elements}.isdisjoint({"b", "i"})
    assert not any(tag == "script" and "src" not in attributes for tag, attributes in page.elements)


def test_somebody_who_has_left_is_marked_in_words(hall: TestClient, drawn: str) -> None:
    apply(drawn, WithdrawPlayers("Friday", ["Ana"], "ill"))
    assert "withdrawn" in Markup(hall.get("/players").text).texts
