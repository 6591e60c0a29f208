"""Tests of the desk's page on stages: a weekend run there to the final, and the decisions of a cut."""

import re
from html import unescape
from pathlib import Path

import pytest

from tests.harness.evening import weekend
from tests.harness.evening.weekend import FINAL, names, planned, play_round, with_stages
from tests.harness.web.asking import TestClient, press
from tests.tourney.stages.test_cuts import corrected, equal_seconds, final_of_eight
from tests.tourney.stages.test_play_off import two_hands
from tests.tourney.web.desk.test_people import refused
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import EnterPlayers, show
from tourney.service.players import RenamePlayer
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.stages.shown import standings

STAGES = "/desk/stages"
QUALIFYING = Stage("Qualifying", 1, "rotation")


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a new database."""
    return str(tmp_path / "club.db")


def draw(pages: TestClient, db: str, button: str) -> None:
    """Draw the next round with this button, publish it, and enter its sheets."""
    press(pages, "/desk/rounds", button)
    press(pages, "/desk/rounds", "Publish the round")
    event, number = show(db), len(weekend_rounds(db))
    for table in weekend_rounds(db)[-1].tables:
        assert table.round == number
        weekend.enter(db, event, table)


def weekend_rounds(db: str):
    from tourney.service.rounds.rounds import show as show_rounds

    return show_rounds(db, None).rounds


@pytest.mark.parametrize("players", [8, pytest.param(32, marks=pytest.mark.slow)])
def test_a_weekend_is_run_at_the_desk_from_its_creation_to_the_final(db: str, pages: TestClient, players: int) -> None:
    """Four Swiss rounds, and the final, which the desk draws with the button that begins it."""
    with_stages(db, 4, QUALIFYING)
    press(pages, "/desk/events/new?preset=swiss-final", "Create the event", {"name": "Weekend 32"})
    press(pages, "/desk/events", "Run this one")
    apply(db, EnterPlayers("Weekend 32", names(players), add=True))
    for number in range(1, 5):
        draw(pages, db, f"Draw round {number}")
    best = [row.player.shown for row in standings(db).rows[:4]]
    text = unescape(pages.get(STAGES).text)
    assert text.count("sure") == 4
    assert "Draw Final" in text
    draw(pages, db, "Begin Final: draw round 5")
    assert sorted(row.player.shown for row in standings(db).rows[:4]) == sorted(best)
    assert [row.rank for row in standings(db).rows] == list(range(1, players + 1))


def test_a_play_off_hand_is_entered_by_place(db: str, pages: TestClient) -> None:
    with_stages(db, 12, QUALIFYING, planned(FINAL, ties="play-off"))
    play_round(db, equal_seconds)
    level = [row.player for row in standings(db).rows if row.points]
    fields = {f"place-{player.id}": str(place) for place, player in enumerate(reversed(level), 1)}
    press(pages, STAGES, "Enter the play-off hand", {**fields, f"place-{level[0].id}": "1"})
    assert show(db).settings.stages[1].playoff == ()
    press(pages, STAGES, "Enter the play-off hand", fields)
    assert show(db).settings.stages[1].playoff == tuple(player.id for player in reversed(level))


def test_a_play_off_hand_is_entered_by_points_which_are_kept(db: str, pages: TestClient) -> None:
    """Fewer points are better, also below zero; gaps, impossible points, and points next to places decide nothing."""
    with_stages(db, 12, QUALIFYING, planned(FINAL, ties="play-off"))
    play_round(db, equal_seconds)
    level = [row.player for row in standings(db).rows if row.points]
    points = [10 * (len(level) - 2 - place) for place in range(len(level))]
    fields = {f"points-{player.id}": str(each) for player, each in zip(level, points, strict=True)}
    wrong = (
        {f"points-{level[0].id}": ""},
        {f"place-{level[0].id}": "1"},
        {f"points-{level[0].id}": "x"},
        {f"points-{level[0].id}": "1"},
    )
    for change in (*wrong, {f"points-{level[-2].id}": str(points[-1])}):
        assert 'role="alert"' in press(pages, STAGES, "Enter the play-off hand", {**fields, **change}).text
        assert show(db).settings.stages[1].playoff == ()
    press(pages, STAGES, "Enter the play-off hand", fields)
    decided = show(db).settings.stages[1]
    assert decided.playoff == tuple(player.id for player in reversed(level))
    assert decided.playoff_points == tuple(sorted(points))


def test_each_of_two_play_off_hands_has_a_form_of_its_own(db: str, pages: TestClient) -> None:
    hands = two_hands(db)
    numbers = {player.shown: player.id for player in show(db).entrants}
    for names_of_hand in hands:
        points = {f"points-{numbers[name]}": str(5 * place) for place, name in enumerate(names_of_hand)}
        press(pages, STAGES, "Enter the play-off hand", points)
    assert "Enter the play-off hand" not in pages.get(STAGES).text
    stage = show(db).settings.stages[1]
    assert stage.playoff == tuple(numbers[name] for hand in hands for name in hand)
    assert stage.playoff_points == (0, 5, 0, 5, 10)


def test_desk_hall_and_paper_lead_to_the_table_at_the_end_of_a_stage(db: str, pages: TestClient) -> None:
    with_stages(db, 8, Stage("Qualifying", 2, "rotation"), FINAL)
    weekend.play(db, 2)
    before = [row.player.shown for row in standings(db).rows]
    text = "Qualifying: standings after round 2"
    assert text not in pages.get(STAGES).text, "the stage has not ended"
    apply(db, DrawRound())
    for page, leads_to in {
        STAGES: "/standings/2",
        "/": "/standings/2",
        "/desk/paper": "/desk/paper/print/standings?round=2",
    }.items():
        shown = unescape(pages.get(page).text)
        assert re.search(rf'href="?{re.escape(leads_to)}"?[^>]*>{text}', shown), page
        rows = unescape(pages.get(leads_to).text).partition("<tbody")[2]
        assert sorted(before, key=rows.index) == before
        assert "Final" not in rows


def test_the_players_of_a_stage_are_named_by_ticks(db: str, pages: TestClient) -> None:
    with_stages(db, 8, QUALIFYING, Stage("Final", 1, take="named", tables=1))
    play_round(db)
    press(pages, STAGES, "Name these players", {"player": "P07"})
    assert show(db).settings.stages[1].named == ()
    press(pages, STAGES, "Name these players", {"player": ["P07", "P02"]})
    named = show(db).settings.stages[1].named
    assert [each.shown for each in show(db).entrants if each.id in named] == ["P02", "P07"]


def test_a_finalist_who_left_is_replaced(db: str, pages: TestClient) -> None:
    order = final_of_eight(db)
    apply(db, WithdrawPlayers(None, [order[0]]))
    text = unescape(pages.get(STAGES).text)
    assert f"{order[0]} left Final; next in line: {order[4]}." in text
    press(pages, STAGES, "Let the next in line play")
    numbers = {player.shown: player.id for player in show(db).entrants}
    stage = show(db).stage
    assert stage is not None
    assert numbers[order[4]] in stage.players
    assert numbers[order[0]] not in stage.players


@pytest.mark.parametrize("name", ["Hugo D`Or", "Hugo --x", "`tourney undo`"])
def test_no_name_hides_what_the_desk_decides_about_a_cut(db: str, pages: TestClient, name: str) -> None:
    _coming, going = corrected(db)
    apply(db, RenamePlayer(min(going), name))
    for page in (STAGES, "/desk"):
        text = unescape(pages.get(page).text)
        assert re.search(rf"By the results [^.]* would play in Final, and [^.]*{re.escape(name)}", text), page
        assert "--keep" not in text


@pytest.mark.parametrize("button", ["Leave it as it is", "Add a seat for each"])
def test_a_correction_offers_its_choices(db: str, pages: TestClient, button: str) -> None:
    coming, _going = corrected(db)
    text = unescape(pages.get(STAGES).text)
    assert all(name in text for name in coming)
    press(pages, STAGES, button)
    assert button not in pages.get(STAGES).text


def test_an_event_without_stages_says_so_and_decisions_are_refused(db: str, pages: TestClient) -> None:
    with_stages(db, 8)
    assert "This event has no stages" in unescape(pages.get(STAGES).text)
    for do in ("keep", "add", "replace", "playoff", "name", "nonsense"):
        assert "`tourney" not in refused(pages, STAGES, do=do)


def test_the_hall_shows_who_goes_through(db: str, pages: TestClient) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    apply(db, DrawRound())
    weekend.enter(db, show(db), weekend_rounds(db)[0].tables[0])
    text = unescape(pages.get("/").text)
    assert "Goes through" in text
    assert "sure" in text


def test_the_desk_offers_no_next_player_after_the_last_game(db: str, pages: TestClient) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    (drawn,) = apply(db, DrawRound()).rounds
    apply(db, WithdrawPlayers(None, [standings(db).rows[0].player.shown]))
    assert "Let the next in line play" in pages.get(STAGES).text
    weekend.enter(db, show(db), drawn.tables[0])
    assert "Let the next in line play" not in pages.get(STAGES).text
