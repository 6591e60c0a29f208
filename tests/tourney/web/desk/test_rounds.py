"""Tests of the desk's chapter on rounds: drafts, the clock, players who are moved, and tables that are dissolved."""

import re
from collections import Counter
from datetime import datetime
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import half_slow
from tests.harness.web.asking import ORIGIN, TestClient, client
from tests.tourney.web.desk.test_home import fields
from tests.tourney.web.desk.test_people import refused, send
from tourney.domain.errors import ExitCode
from tourney.domain.rounds import Round
from tourney.service.admin.journal import Undo, log
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import EnterPlayers, FinishEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.results.flags import RaiseFlag
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds as rounds_service
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound, PublishRound, RedrawRound
from tourney.service.rounds.edit_round import MovePlayer, Swap
from tourney.service.web.as_seen import AsSeen, marks_of

PATH = "/desk/rounds"


def make_db(db: str) -> None:
    """The path of a database with an event of eight people, two rounds and 60 minutes a round."""
    desk.event(db, 8, rounds=2, minutes=60)


def drawn(db: str) -> list[Round]:
    return list(rounds_service.show(db, "Friday").rounds)


def seats(db: str) -> dict[str, int]:
    """Return the table of each player in the newest round."""
    return {player.name: table.number for table in drawn(db)[-1].tables for player in table.players}


def enter_all(db: str) -> None:
    newest = drawn(db)[-1]
    for table in newest.tables:
        sheet = desk.hands([player.name for player in table.players])
        apply(db, EnterResult("Friday", newest.number, table.number, sheet))


# --- drawn and published ------------------------------------------------------------------------------------------


def test_a_round_is_drawn_as_a_draft_that_only_the_desk_sees_until_it_is_published(db: str, pages: TestClient) -> None:
    text = send(pages, PATH, do="draw")
    assert [round_.draft for round_ in drawn(db)] == [True]
    assert all(name in text for name in seats(db))
    assert "nobody but the desk sees it" in text
    assert "awaiting result" not in text
    assert "/desk/results/1/1" not in text
    assert "Ana" not in pages.get("/seating").text
    text = send(pages, PATH, do="publish")
    assert "round 1 is published" in text
    assert '<a href="/desk/results/1/1/enter">Enter the sheet</a>' in text
    assert "Ana" in pages.get("/seating").text


def test_a_whole_event_is_played_from_the_desk(db: str, pages: TestClient) -> None:
    for number in (1, 2):
        assert f"Draw round {number}" in pages.get(PATH).text
        send(pages, PATH, do="draw")
        send(pages, PATH, do="publish")
        send(pages, PATH, do="start")
        enter_all(db)
    text = pages.get(PATH).text
    assert "/desk/events/finish" in text
    assert 'value="draw"' not in text
    assert [round_.number for round_ in drawn(db)] == [1, 2]
    assert pages.get(f"{PATH}/1").status_code == 200
    assert pages.get(f"{PATH}/3").status_code == 404


def test_before_the_next_round_missing_results_and_open_flags_are_named(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    apply(db, RaiseFlag("Friday", 1, 2, "the joker is torn"))
    text = pages.get(PATH).text
    assert "Results are missing: round 1, tables 1, 2." in text
    assert "the joker is torn" in text
    assert re.search(r'<input type="checkbox" id="anyway" name="anyway" value="round 1, tables 1, 2" required>', text)


def test_a_round_seated_by_results_is_drawn_without_them_only_on_purpose(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Friday", {"format": "swiss"}))
    apply(db, DrawRound("Friday"))
    form = fields(pages.get(PATH).text, PATH)
    text = refused(pages, PATH, **form, do="draw")
    assert "seated by results" in text
    for seen in ("yes", "round 1, table 2"):
        assert "somebody has changed this" in refused(pages, PATH, **form, do="draw", anyway=seen)
    send(pages, PATH, do="draw", anyway="round 1, tables 1, 2")
    assert len(drawn(db)) == 2


def test_two_desks_that_draw_at_once_draw_one_round(db: str, pages: TestClient) -> None:
    """The second one's page does not know of the round, and must not draw another."""
    form = fields(pages.get(PATH).text, PATH)
    apply(db, DrawRound("Friday"))
    assert "changed this while the page was open" in refused(pages, PATH, **form, do="draw")
    assert len(drawn(db)) == 1


def test_a_draw_that_is_sent_twice_is_one_round(db: str, pages: TestClient) -> None:
    form = {**fields(pages.get(PATH).text, PATH), "do": "draw"}
    answers = [pages.post(PATH, data=form, headers=ORIGIN) for _time in range(2)]
    assert answers[0].headers["location"] == answers[1].headers["location"]
    assert len(drawn(db)) == 1


def test_a_sheet_that_comes_in_does_not_disturb_a_decision_about_seats(db: str) -> None:
    apply(db, DrawRound("Friday"))
    mark = marks_of(db, "Friday", ("rounds",))["rounds"]
    table = drawn(db)[0].tables[0]
    apply(db, EnterResult("Friday", 1, table.number, desk.hands([player.name for player in table.players])))
    apply(db, ChangeClock("Friday", "start"))
    assert marks_of(db, "Friday", ("rounds",))["rounds"] == mark


@pytest.mark.parametrize("what", half_slow(["publish", "draw", "move", "undo"]))
def test_a_decision_about_seats_is_refused_once_they_have_changed(db: str, what: str) -> None:
    apply(db, DrawRound("Friday", draft=what == "publish"))
    mark = marks_of(db, "Friday", ("rounds",))["rounds"]
    one, other = (table.players[0].name for table in drawn(db)[0].tables)
    changes = {
        "draw": DrawRound("Friday", anyway=True),
        "publish": PublishRound("Friday"),
        "move": MovePlayer("Friday", one, Swap(other)),
        "undo": Undo(),
    }
    apply(db, changes[what])
    with desk.refused(ExitCode.CONFLICT, "changed this while the page was open"):
        apply(db, AsSeen("Friday", "rounds", mark, MovePlayer("Friday", one, Swap(other))))


# --- drawn anew, cancelled --------------------------------------------------------------------------------------


def test_a_round_is_drawn_anew_for_those_who_play_now(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    apply(db, EnterPlayers("Friday", ["Wilma", "Xavier"], add=True))
    send(pages, PATH, do="again")
    assert {"Wilma", "Xavier"} <= {*seats(db)} | {player.name for player in drawn(db)[0].sitting_out}
    assert [round_.draft for round_ in drawn(db)] == [True]
    apply(db, Undo())
    assert "Wilma" not in seats(db)


def test_a_round_that_would_be_the_same_is_not_drawn_anew(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    before = len(log(db).lines)
    with desk.refused(ExitCode.REFUSED, "would be drawn as it is"):
        apply(db, RedrawRound("Friday"))
    assert "would be drawn as it is" in refused(pages, PATH, **fields(pages.get(PATH).text, PATH), do="again")
    assert len(log(db).lines) == before


def test_a_round_is_cancelled_with_a_reason(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    refused(pages, PATH, **fields(pages.get(PATH).text, PATH), do="cancel", reason="")
    assert "cancelled" in send(pages, PATH, do="cancel", reason="two came late")
    assert drawn(db) == []


def test_a_round_with_a_result_is_neither_drawn_anew_nor_cancelled(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    enter_all(db)
    form = fields(pages.get(PATH).text, PATH)
    for values in ({"do": "again"}, {"do": "cancel", "reason": "late"}):
        refused(pages, PATH, **form, **values)
    assert len(drawn(db)) == 1


# --- the clock -------------------------------------------------------------------------------------------------------


def minutes(db: str) -> int | None:
    clock = drawn(db)[-1].clock
    return None if clock is None else clock.minutes


def test_the_clock_starts_with_the_event_s_minutes_gets_five_more_and_stops(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    assert 'name="minutes" value="60"' in pages.get(PATH).text
    send(pages, PATH, do="start", minutes="60")
    started = drawn(db)[0].clock.started
    assert datetime.fromisoformat(started)
    send(pages, PATH, do="set", minutes="65")
    assert (minutes(db), drawn(db)[0].clock.started) == (65, started)
    send(pages, PATH, do="stop")
    assert minutes(db) is None


def test_the_clock_of_a_round_that_is_played_runs_on_beside_the_draft_of_the_next(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    apply(db, ChangeClock("Friday", "start"))
    apply(db, DrawRound("Friday", draft=True))
    assert 'name="minutes"' not in pages.get(PATH).text
    page = f"{PATH}/1"
    form = fields(pages.get(page).text, page)
    answer = pages.post(page, data={**form, "do": "set"}, headers=ORIGIN)
    assert answer.headers["location"].startswith(f"{page}?")
    assert [round_.clock and round_.clock.minutes for round_ in drawn(db)] == [65, None]


def test_five_minutes_more_are_five_however_often_they_are_sent(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    apply(db, ChangeClock("Friday", "start"))
    form = {**fields(pages.get(PATH).text, PATH), "do": "set"}
    assert form["minutes"] == "65"
    for _time in range(3):
        pages.post(PATH, data=form, headers=ORIGIN)
    assert minutes(db) == 65


@pytest.mark.parametrize("given", half_slow(["0", "x", "-5", "1441", "99999999"]))
def test_a_length_that_no_round_has_is_refused(db: str, pages: TestClient, given: str) -> None:
    apply(db, DrawRound("Friday"))
    text = refused(pages, PATH, do="start", minutes=given)
    assert f'value="{given}"' in text
    assert minutes(db) is None


def test_two_desks_that_start_the_clock_start_it_once(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    form = fields(pages.get(PATH).text, PATH)
    apply(db, ChangeClock("Friday", "start"))
    assert "changed this while the page was open" in refused(pages, PATH, **{**form, "do": "start", "minutes": "60"})


# --- moved and dissolved ----------------------------------------------------------------------------------------------


def test_two_players_swap_after_the_page_has_shown_what_that_changes(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    before = seats(db)
    one, other = (table.players[0].name for table in drawn(db)[0].tables)
    query = {"player": one, "to": f"with:{other}"}
    text = pages.get(f"{PATH}/move", params=query).text
    assert "players meet again as often as before" in text.lower()
    assert "changed: " not in text
    assert seats(db) == before
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text))
    assert (
        "changed: Friday, round 1"
        in pages.get(pages.post(f"{PATH}/move", data=form, headers=ORIGIN).headers["location"]).text
    )
    assert (seats(db)[one], seats(db)[other]) == (before[other], before[one])
    refused(pages, f"{PATH}/move", **form, again="1")
    assert seats(db)[one] == before[other]


def test_a_player_too_many_for_a_table_is_refused_without_the_options_of_a_command(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    apply(db, EnterPlayers("Friday", ["Wilma"], add=True))
    text = pages.get(f"{PATH}/move", params={"player": "Wilma", "to": "table:1"}).text
    assert "table 1 would have 5 players" in text
    assert "--with" not in text


@pytest.mark.parametrize(("minutes", "opening"), [("abc", ""), ("0", "sentence")], ids=["quoted", "a word"])
def test_a_refusal_begins_with_a_capital_letter_unless_it_quotes(
    db: str, pages: TestClient, minutes: str, opening: str
) -> None:
    apply(db, DrawRound("Friday"))
    text = refused(pages, PATH, do="set", minutes=minutes)
    assert re.search(rf'<p class="{opening}" dir="auto"><strong>', text)


@pytest.mark.parametrize(("to", "where"), [("table:2", 2), ("out", None)], ids=["to another table", "out of the round"])
def test_a_latecomer_gets_a_seat_and_a_player_gives_theirs_up(tmp_path: Path, to: str, where: int | None) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 7, rounds=2)
    apply(db, DrawRound("Friday"))
    apply(db, EnterPlayers("Friday", ["Wilma"], add=True))
    player = "Wilma" if where else next(name for name, table in seats(db).items() if table == 1)
    small = min(drawn(db)[0].tables, key=lambda table: len(table.players)).number
    to = f"table:{small}" if where else to
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        pages.post(f"{PATH}/move", data={"player": player, "to": to}, headers=ORIGIN)
    assert seats(db).get(player) == (small if where else None)


@pytest.mark.parametrize(
    "query",
    half_slow(
        [
            {"player": "Nobody", "to": "out"},
            {"player": "Ana", "to": "nonsense"},
            {"player": "Ana", "to": "table:9"},
            {"player": "Ana", "to": "table:x"},
            {"player": "Ana", "to": "with:Ana"},
            {"player": "Ana", "to": "with:Nobody"},
            {"player": "<script>", "to": "<script>"},
        ]
    ),
    ids=str,
)
def test_a_move_that_cannot_be_is_refused_before_and_after(db: str, pages: TestClient, query: dict[str, str]) -> None:
    apply(db, DrawRound("Friday"))
    before = seats(db)
    looked = pages.get(f"{PATH}/move", params=query)
    assert looked.status_code in (400, 404)
    assert "<script>" not in looked.text
    refused(pages, f"{PATH}/move", **query)
    assert seats(db) == before


def test_players_who_never_share_a_table_are_not_brought_to_one(db: str, pages: TestClient) -> None:
    apply(db, ConstrainSeating("Friday", never=["Ana,Beñat"]))
    apply(db, DrawRound("Friday"))
    beside = next(name for name, table in seats(db).items() if table == seats(db)["Beñat"] and name != "Beñat")
    assert "never share a table" in pages.get(f"{PATH}/move", params={"player": "Ana", "to": f"with:{beside}"}).text


def test_a_table_is_dissolved_after_the_page_has_shown_who_goes_where(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=2, size=3)
    apply(db, DrawRound("Friday"))
    leaving = [name for name, table in seats(db).items() if table == 1][:2]
    apply(db, WithdrawPlayers("Friday", leaving))
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert "/desk/rounds/dissolve?table=1" in pages.get("/desk").text
        page = f"{PATH}/dissolve?table=1"
        text = pages.get(page).text
        assert "dissolved: " not in text
        assert "After this change" in text
        assert 1 in seats(db).values()
        send(pages, f"{PATH}/dissolve", page, reason="two left")
    assert 1 not in seats(db).values()
    assert "two left" in log(db).lines[-1].said


def test_dissolving_says_who_rests_and_where_players_are_moved_and_begins_without_a_reason(tmp_path: Path) -> None:
    """Eight sit at two tables of four, the most that the rules allow: nobody finds a seat at the other one."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=2, size=4)
    apply(db, DrawRound("Friday"))
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        text = pages.get(f"{PATH}/dissolve?table=1").text
        (line,) = re.findall(r"([^>]*) find no free seat and have byes this round", text)
        assert set(line.split(", ")) == {name for name, table in seats(db).items() if table == 1}
        assert f'<a href="{PATH}/move">Move or swap players</a>' in text
        assert 'id="reason" name="reason" value=""' in text
        again = refused(pages, f"{PATH}/dissolve", table="1", reason=" ")
        assert 'name="reason"' in again
    assert 1 in seats(db).values()


def test_without_a_table_the_page_that_dissolves_leads_to_where_one_is_chosen(pages: TestClient) -> None:
    assert pages.get(f"{PATH}/dissolve").headers["location"] == PATH


@pytest.mark.parametrize("table", ["x", "9", "-1"])
def test_a_table_that_is_not_there_is_not_dissolved(db: str, pages: TestClient, table: str) -> None:
    apply(db, DrawRound("Friday"))
    assert pages.get(f"{PATH}/dissolve", params={"table": table}).status_code == 404
    refused(pages, f"{PATH}/dissolve", table=table, reason="few")


# --- other ------------------------------------------------------------------------------------------------------------


def test_why_says_how_good_the_seating_is(db: str, pages: TestClient) -> None:
    assert pages.get(f"{PATH}/why").status_code == 400
    apply(db, DrawRound("Friday"))
    text = pages.get(f"{PATH}/why").text
    assert text.index("No two players meet more than once") < text.index("<details") < text.index("no repeats")
    assert "Nobody deals first more than once." in text
    apply(db, DrawRound("Friday", anyway=True))
    met = Counter(
        pair for each in drawn(db) for at in each.tables for pair in combinations(sorted(p.name for p in at.players), 2)
    )
    again = sum(number > 1 for number in met.values())
    assert again > 1
    assert f"{again} pairs of players meet more than once" in pages.get(f"{PATH}/why").text


def test_a_finished_event_shows_its_rounds_and_no_button_to_change_them(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    apply(db, FinishEvent("Friday", incomplete=True))
    text = pages.get(PATH).text
    assert "Ana" in text
    assert "<button name=" not in text
    assert 'name="do"' not in text
    refused(pages, PATH, do="draw")


def test_a_button_that_is_not_there_does_nothing(db: str, pages: TestClient) -> None:
    before = len(log(db).lines)
    refused(pages, PATH, do="explode")
    assert len(log(db).lines) == before


def test_a_clock_is_paused_and_goes_on_with_the_minutes_that_were_left(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    apply(db, ChangeClock("Friday", "start", minutes=60))
    send(pages, "/desk/rounds", do="pause")
    (paused,) = rounds_service.show(db, "Friday", "newest").rounds
    assert (paused.clock, paused.paused) == (None, 60)
    assert "Pause: 60 min are left." in pages.get("/desk/rounds").text
    assert "Pause: 60 min are left." in pages.get("/clock").text
    apply(db, ChangeClock("Friday", "start"))
    (running,) = rounds_service.show(db, "Friday", "newest").rounds
    assert running.clock is not None
    assert (running.clock.minutes, running.paused) == (60, 0)
