"""Tests of flags and rulings at the desk: answered, added, cancelled, and the steps for what happened."""

import re
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tourney.domain.results import Ruling
from tourney.service.change import apply
from tourney.service.results import flags, rulings
from tourney.service.results.flags import RaiseFlag
from tourney.service.rules import irregularities

PAGE = "/desk/rulings"


make_db = desk.make_drawn
"""The path of a database with an event of four of which round 1 is drawn."""


def only_ruling(db: str) -> Ruling:
    (ruling,) = rulings.listing(db).rulings
    return ruling


def test_a_flag_is_answered_at_the_desk(db: str, pages: TestClient) -> None:
    apply(db, RaiseFlag(None, 1, 1, "the points of TEE were read wrongly", 0))
    text = pages.get(PAGE).text
    assert "1 open call" in text
    assert "the points of TEE were read wrongly" in text
    assert press(pages, PAGE, "Answer the call", {"answer": "the sheet is right"}).status_code == 303
    (flag,) = flags.listing(db).flags
    assert (flag.state, flag.answer, flag.answered_by) == ("answered", "the sheet is right", "desk")
    assert "0 open calls" in pages.get(PAGE).text


def test_a_refused_answer_stays_in_its_field(db: str, pages: TestClient) -> None:
    apply(db, RaiseFlag(None, 1, 1, "a card is bent", 0))
    answer = press(pages, PAGE, "Answer the call", {"answer": "new\u200bpack"})
    assert answer.status_code == 400
    # A page shows a character that nobody sees by its number.
    assert r'value="new\u200bpack"' in answer.text
    assert flags.listing(db).flags[0].state == "open"


def test_the_desk_writes_a_flag_down(db: str, pages: TestClient) -> None:
    typed = {"round": "1", "table": "1", "text": "a joker is missing"}
    assert press(pages, PAGE, "Write a call down", typed).status_code == 303
    (flag,) = flags.listing(db).flags
    assert (flag.text, flag.player) == ("a joker is missing", None)


BAD_FLAGS = {
    "no round": ({"round": "", "table": "1", "text": "x"}, 400),
    "a word": ({"round": "one", "table": "1", "text": "x"}, 400),
    "no such table": ({"round": "1", "table": "9", "text": "x"}, 404),
    "no text": ({"round": "1", "table": "1", "text": " "}, 400),
}


def test_a_flag_of_no_table_is_refused(db: str, pages: TestClient) -> None:
    shown = pages.get(PAGE).text
    for case, (typed, status) in BAD_FLAGS.items():
        assert press(pages, PAGE, "Write a call down", typed, shown=shown).status_code == status, case
    assert flags.listing(db).flags == ()


def test_a_penalty_is_added_and_stands_in_the_list(db: str, pages: TestClient) -> None:
    typed = {"player": "Carmen", "points": "20", "reason": "came late", "round": "1"}
    answer = press(pages, PAGE, "Add the penalty", typed)
    assert answer.status_code == 303
    ruling = only_ruling(db)
    assert (ruling.kind, ruling.player and ruling.player.shown, ruling.points) == ("penalty", "Carmen", 20)
    assert (ruling.text, ruling.round, ruling.by) == ("came late", 1, "desk")
    assert "came late" in pages.get(answer.headers["location"]).text


def test_a_name_that_looks_like_a_number_is_a_name(tmp_path: Path) -> None:
    db = str(tmp_path / "numbers.db")
    desk.club_of(db, ["Ana", "1", "Beñat", "2"])
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        press(pages, PAGE, "Add the penalty", {"player": "2", "points": "20", "reason": "late"})
    found = only_ruling(db).player
    assert found is not None
    assert found.name == "2"


def test_points_may_be_taken_off(db: str, pages: TestClient) -> None:
    press(pages, PAGE, "Add the penalty", {"player": "Ana", "points": "−20", "reason": "counted twice"})
    assert only_ruling(db).points == -20


def test_a_penalty_sent_twice_counts_once(db: str, pages: TestClient) -> None:
    shown = pages.get(PAGE).text
    for _time in range(2):
        press(pages, PAGE, "Add the penalty", {"player": "Ana", "points": "20", "reason": "late"}, shown=shown)
    assert only_ruling(db).number == 1


BAD_PENALTIES = {
    "no player": ({"points": "20", "reason": "late"}, "Add the penalty"),
    "no points": ({"player": "Ana", "reason": "late"}, "Add the penalty"),
    "a word": ({"player": "Ana", "points": "many", "reason": "late"}, "Add the penalty"),
    "no reason": ({"player": "Ana", "points": "20"}, "Add the penalty"),
    "zero": ({"player": "Ana", "points": "0", "reason": "late"}, "Add the penalty"),
    "a round to come": ({"player": "Ana", "points": "20", "reason": "late", "round": "9"}, "Add the penalty"),
    "a note without text": ({"player": "Ana"}, "Add the note"),
    "no hand": ({"round": "1", "table": "1", "reason": "51 cards"}, "Write it down"),
    "an unknown hand": ({"round": "1", "table": "1", "hand": "TTTT", "reason": "51 cards"}, "Write it down"),
}


def test_what_is_refused_stays_in_the_form(db: str, pages: TestClient) -> None:
    shown = pages.get(PAGE).text
    for case, (typed, button) in BAD_PENALTIES.items():
        answer = press(pages, PAGE, button, typed, shown=shown)
        assert answer.status_code in (400, 404), case
        assert "`tourney" not in answer.text, case
        assert all(f'value="{value}"' in answer.text for value in typed.values()), case
    assert rulings.listing(db).rulings == ()


def test_a_hand_dealt_again_and_a_note_are_written_down(db: str, pages: TestClient) -> None:
    press(pages, PAGE, "Write it down", {"round": "1", "table": "1", "hand": "tet", "reason": "51 cards"})
    press(pages, PAGE, "Add the note", {"reason": "a new pack is there"})
    assert [(each.kind, each.hand) for each in rulings.listing(db).rulings] == [("redeal", "TTE"), ("note", "")]


def test_a_ruling_is_cancelled_with_a_reason(db: str, pages: TestClient) -> None:
    press(pages, PAGE, "Add the penalty", {"player": "Ana", "points": "20", "reason": "late"})
    assert press(pages, PAGE, "Cancel this decision", {"why": " "}).status_code == 400
    assert press(pages, PAGE, "Cancel this decision", {"why": "appeal upheld"}).status_code == 303
    assert only_ruling(db).state == "cancelled"
    assert "cancelled: appeal upheld" in pages.get(PAGE).text
    assert "Cancel this decision" not in pages.get(PAGE).text


def test_a_kind_that_needs_a_sheet_is_no_form_of_this_page(db: str, pages: TestClient) -> None:
    sent = pages.post(PAGE, data={"kind": "correction", "round": "1", "table": "1", "reason": "x"}, headers=ORIGIN)
    assert sent.status_code == 400


@pytest.mark.parametrize(
    ("language", "words", "forms"),
    [("en", "showed a card", ("“Penalty”", "“Note”")), ("es", "enseñó una carta", ("“Sanción”", "“Nota”"))],
)
def test_typed_words_find_the_steps_which_name_forms_in_place_of_commands(
    pages: TestClient, language: str, words: str, forms: tuple[str, ...]
) -> None:
    text = pages.get(f"{PAGE}/steps", params={"words": words}, headers={"Accept-Language": language}).text
    assert "[003" not in text
    assert "`tourney" not in text
    assert all(form in text for form in forms)
    assert f"{PAGE}?note=" in text


def test_every_kind_has_its_steps_and_can_be_written_down(db: str, pages: TestClient) -> None:
    kinds = irregularities()
    links = re.findall(r'href="(/desk/rulings/steps\?words=[a-z-]+)"', pages.get(f"{PAGE}/steps").text)
    assert len(links) == len(kinds) > 10
    shown = pages.get(links[0]).text
    note = re.search(r'href="(/desk/rulings\?note=[^"]+)"', shown)
    assert note is not None
    assert press(pages, note[1], "Add the note").status_code == 303
    assert only_ruling(db).text == kinds[0].title


def test_words_that_mean_nothing_show_all_kinds(pages: TestClient) -> None:
    text = pages.get(f"{PAGE}/steps", params={"words": "zzzz"}).text
    assert "there is no irregularity “zzzz”" in text
    assert "steps?words=misdeal" in text


def test_steps_name_other_kinds_as_people_call_them(pages: TestClient) -> None:
    """The words that choose a kind at the command line have a hyphen and are English in every language."""
    kinds = irregularities()
    for kind in kinds:
        text = re.sub(r"<[^>]*>", "", pages.get(f"/desk/rulings/steps?words={kind.kind}").text)
        assert not [each.kind for each in kinds if "-" in each.kind and each.kind in text], kind.kind


def test_the_form_of_a_penalty_says_that_its_reason_is_public(pages: TestClient) -> None:
    assert "Everybody reads it below the standings." in pages.get("/desk/rulings").text


def test_a_call_stands_on_every_page_of_the_desk_with_its_number(db: str, pages: TestClient) -> None:
    raise_one = RaiseFlag("Friday", 1, 1, "a player showed a card")
    for path in ("/desk", "/desk/people", "/desk/rounds", "/desk/results", "/desk/results/1/1/enter", "/desk/paper"):
        assert "<title>(" not in pages.get(path).text, path
    apply(db, raise_one)
    for path in ("/desk", "/desk/people", "/desk/rounds", "/desk/results", "/desk/results/1/1/enter", "/desk/paper"):
        text = pages.get(path).text
        assert "<title>(1) " in text, path
        assert 'data-number="1"><strong class="calls">1</strong> <span class="hidden">open call</span>' in text, path
        assert 'id="mute"' in text, path


def test_the_steps_of_the_rules_stand_beside_the_answer_to_a_call(db: str, pages: TestClient) -> None:
    apply(db, RaiseFlag("Friday", 1, 1, "showed a card"))
    call = pages.get("/desk/rulings").text.partition('id="flag1"')[2].partition("Answer the call")[0]
    steps = pages.get("/desk/rulings/steps?words=showed a card").text
    title = re.search(r"<h1[^>]*>([^<]*)</h1>", steps)
    assert title is not None
    assert title[1] in call
