"""Tests of enrolling as clubs do: regulars are ticked, lists are read as they are meant, a newcomer takes one line."""

import re
from html import unescape

import pytest

from tests.harness import desk
from tests.harness.web.asking import ORIGIN, TestClient, press
from tests.harness.web.markup import Markup
from tests.tourney.web.desk.test_people import refused
from tourney.domain.events import EventSettings
from tourney.service.admin.journal import log
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers, WithdrawPlayers
from tourney.service.events.copy_event import CopyEvent
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound

PEOPLE, ENROL = "/desk/people", "/desk/people/enrol"


def make_db(db: str) -> None:
    """The path of a database with two evenings before a Friday whose players check in, and two who never came."""
    desk.event(db, 8)
    apply(db, DrawRound("Friday"))
    apply(db, RegisterPlayers(["Yago Paz", "Zoe"]))
    apply(db, CreateEvent(EventSettings("Monday", "oficial", rounds=2)))
    apply(db, EnterPlayers("Monday", ["Hugo", "Gloria", "Félix", "Elena"]))
    apply(db, DrawRound("Monday"))
    apply(db, CreateEvent(EventSettings("Sunday", "oficial", rounds=2, checkin="required")))
    apply(db, UseEvent("Sunday"))


def pasted(pages: TestClient, text: str) -> str:
    """Return the page that checks the names of a pasted text."""
    return unescape(press(pages, ENROL, "Check the names", {"names": text}).text)


def offered(text: str) -> list[tuple[str, str, bool]]:
    """Return the ticks and choices of a page, each with its value and whether it is made already."""
    found = re.findall(r'<input type="(?:checkbox|radio)"[^>]*name="(\w+)" value="([^"]*)"([^>]*)>', text)
    return [(name, value, "checked" in rest) for name, value, rest in found]


def entered(db: str) -> dict[str, str]:
    """Return the states of those who are entered for Sunday."""
    from tourney.service.events.events import show

    event = show(db, "Sunday")
    return {player.shown: state for player, state in zip(event.entrants, event.states, strict=True)}


# --- regulars --------------------------------------------------------------------------------------------------------


def test_those_of_the_last_evening_come_first_and_one_tap_ticks_them(pages: TestClient) -> None:
    text = pages.get(ENROL).text
    assert [value for _name, value, _made in offered(text)] == [
        *("Elena", "Félix", "Gloria", "Hugo"),
        *("Ana", "Beñat", "Carmen", "Diego"),
        *("Yago Paz", "Zoe"),
    ]
    links = dict(re.findall(r'<a class="button" href="([^"]*of=[^"]*)" dir="auto">([^<]*)<', text))
    assert list(links.values()) == ["Tick the 4 of Monday", "Tick the 8 of Friday"]
    ticked = offered(pages.get(next(iter(links))).text)
    assert [value for _name, value, made in ticked if made] == ["Elena", "Félix", "Gloria", "Hugo"]


def test_an_evening_that_is_only_prepared_does_not_count(db: str, pages: TestClient) -> None:
    """A copy of the last evening for next week made two evenings of one, and was the first of them."""
    before = pages.get(ENROL).text
    assert (before.count("1 evening<"), before.count("2 evenings<")) == (4, 4)
    apply(db, CopyEvent("Next week", "Monday"))
    apply(db, DrawRound("Next week", draft=True))
    apply(db, UseEvent("Sunday"))
    assert [pages.get(ENROL).text.count(words) for words in ("1 evening<", "2 evenings<", "of Next week")] == [4, 4, 0]


def test_regulars_are_entered_and_checked_in_by_three_clicks(db: str, pages: TestClient) -> None:
    """The link to the page, the tick of all of an evening, and the button: 26 clicks before for 23 players."""
    answer = press(pages, f"{ENROL}?of=Friday", "Enter and check in")
    assert answer.status_code == 303
    assert set(entered(db).values()) == {"checked in"}
    assert len(entered(db)) == 8


def test_ticks_stay_where_an_enrolment_is_refused(pages: TestClient) -> None:
    text = refused(pages, ENROL, player=["Zoe", "Nobody"], do="enter")
    assert [value for _name, value, made in offered(text) if made] == ["Zoe"]


def test_who_is_entered_already_is_no_regular_any_more(db: str, pages: TestClient) -> None:
    apply(db, EnterPlayers("Sunday", ["Hugo"]))
    text = pages.get(ENROL).text
    assert ("player", "Hugo", False) not in offered(text)
    assert "Tick the 3 of Monday" in text


@pytest.mark.parametrize("button", ["Check the names", "Enter and check in"])
def test_ticks_stay_where_pasted_names_are_checked(db: str, pages: TestClient, button: str) -> None:
    """Names that are pasted beside ticks are looked at first, whichever button sends both."""
    text = press(pages, f"{ENROL}?of=Monday", button, {"names": "Wilma Ortiz\nHugo"}).text
    assert entered(db) == {}
    ticked = [("player", name, True) for name in ("Elena", "Félix", "Gloria")]
    assert offered(text) == [("choice0", "new:Wilma Ortiz", True), *ticked, ("player", "Hugo", True)]
    back = press(pages, ENROL, "Change the list of names", shown=text).text
    assert [name for _field, name, made in offered(back) if made] == ["Elena", "Félix", "Gloria"]
    press(pages, ENROL, "Enter and check in", shown=text)
    assert entered(db).keys() == {"Wilma Ortiz", "Elena", "Félix", "Gloria", "Hugo"}


# --- pasted lists ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [("yago", "is:Yago Paz"), ("Yago Pas", "is:Yago Paz"), ("Zoé Paz", ""), ("Yoga", "")],
    ids=["its beginning", "a letter wrong", "of two people", "only alike"],
)
def test_a_sole_candidate_is_chosen_already(pages: TestClient, typed: str, chosen: str) -> None:
    """A name that is only somewhat like somebody's is still a question: it may be somebody new."""
    made = [
        value for _name, value, is_made in offered(pasted(pages, typed)) if is_made and not value.startswith("new:")
    ]
    assert made == ([chosen] if chosen else [])


def test_which_column_has_the_names_is_asked_once_and_the_answer_is_kept(db: str, pages: TestClient) -> None:
    """Each cell of two columns was a player, and the mail, too."""
    text = pasted(pages, "Ruiz\tMaite\tm@x.org\nGil\tIñaki\ti@x.org")
    ways = re.findall(r'name="reading" value="([^"]*)"><span dir="auto">([^<]*)<', text)
    assert ways == [
        ("columns 2 1", "Maite Ruiz, Iñaki Gil"),
        ("columns 1 2", "Ruiz Maite, Gil Iñaki"),
        ("columns 1", "Ruiz, Gil"),
        ("columns 2", "Maite, Iñaki"),
        ("people", "Ruiz, Maite, Gil, Iñaki"),
    ]
    form = next(form for form in Markup(text).forms if "reading" in text and form.values.get("do") == "look")
    text = unescape(pages.post(ENROL, data={**form.filled(), "reading": "columns 2 1"}, headers=ORIGIN).text)
    assert [value for _name, value, _made in offered(text)] == ["new:Maite Ruiz", "new:Iñaki Gil"]
    assert "m@x.org" in text
    again = next(form for form in Markup(text).forms if form.values.get("reading"))
    assert "Ruiz\tMaite" in again.values["names"]
    pages.post(ENROL, data={**again.filled(), "do": "here"}, headers=ORIGIN)
    assert entered(db) == {"Maite Ruiz": "checked in", "Iñaki Gil": "checked in"}


def test_names_that_are_known_say_how_a_list_is_read(db: str, pages: TestClient) -> None:
    apply(db, RegisterPlayers(["Maite Ruiz"]))
    assert ("player", "Maite Ruiz", True) in offered(pasted(pages, "Maite\tRuiz\nIñaki\tGil"))


def test_surname_first_is_one_person_on_each_line_and_can_be_read_otherwise(pages: TestClient) -> None:
    """The page saw two people on each line, with a warning for each."""
    text = pasted(pages, "Ruiz Sanz, Maite\nGil, Iñaki")
    assert [value for _name, value, _made in offered(text)] == ["new:Maite Ruiz Sanz", "new:Iñaki Gil"]
    assert len(re.findall('class="notice"', text)) == 1
    assert 'name="reading" value="people"' in text


def test_messages_of_a_chat_give_their_senders_and_a_no_is_not_ticked(pages: TestClient) -> None:
    text = pasted(pages, "[27/11, 20:31] Ana: me apunto\n23:15 - Wilma: yo voy\n23:16 - Koldo: no puedo\nTotal: 9")
    assert offered(text) == [
        ("choice0", "new:Wilma", True),
        ("choice1", "new:Koldo", False),
        ("player", "Ana", True),
    ]
    assert "“no puedo”" in text
    assert re.search(r"1 line is left out</summary>\s*<ul class=\"plain\">\s*<li dir=\"auto\">Total: 9<", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hola a todos,\nNos vemos el viernes en el bar.\n", "“Hola a todos,”, “Nos vemos el viernes en el bar.”"),
        ("1. Introduction ..... 3\n1.2 Rules 17", "“1. Introduction ..... 3”, “1.2 Rules 17”"),
        ("ana@x.org", "“ana@x.org”"),
    ],
    ids=["an e-mail", "a table of contents", "an address"],
)
def test_a_text_without_a_name_is_refused_with_what_was_understood(pages: TestClient, text: str, said: str) -> None:
    page = unescape(refused(pages, ENROL, names=text, do="look"))
    assert "o name is found in this text" in page
    assert f"this was left out: {said}" in page


# --- a newcomer at the door -------------------------------------------------------------------------------------------


def test_a_newcomer_is_registered_entered_and_checked_in_by_one_line(db: str, pages: TestClient) -> None:
    """The name and one click; the field is ready for the next one."""
    answer = press(pages, PEOPLE, "Add and check in", {"names": "Wilma Ortiz"})
    assert (answer.status_code, entered(db)) == (303, {"Wilma Ortiz": "checked in"})
    text = pages.get(answer.headers["location"]).text
    assert re.search(r'<input id="add"[^>]* autofocus', text)
    assert 'href="/desk/undo">Take it back<' in text


def test_somebody_who_is_entered_already_is_only_checked_in(db: str, pages: TestClient) -> None:
    apply(db, EnterPlayers("Sunday", ["Ana", "Zoe"]))
    press(pages, PEOPLE, "Add and check in", {"names": "zoe"})
    assert entered(db) == {"Ana": "entered", "Zoe": "checked in"}


def test_a_line_that_may_mean_somebody_else_is_asked_about_first(db: str, pages: TestClient) -> None:
    answer = press(pages, PEOPLE, "Add and check in", {"names": "yago"})
    assert (answer.status_code, entered(db)) == (200, {})
    press(pages, "", "Enter and check in", shown=answer.text)
    assert entered(db) == {"Yago Paz": "checked in"}


def test_where_players_do_not_check_in_the_line_only_adds(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Sunday", {"checkin": "not asked"}))
    apply(db, EnterPlayers("Sunday", ["Ana"]))
    press(pages, PEOPLE, "Add", {"names": "Zoe"})
    assert entered(db) == {"Ana": "entered", "Zoe": "entered"}


def test_a_line_that_names_nobody_or_somebody_who_left_says_why(db: str, pages: TestClient) -> None:
    apply(db, EnterPlayers("Sunday", ["Ana"]))
    apply(db, WithdrawPlayers("Sunday", ["Ana"]))
    before = len(log(db).lines)
    for typed in ("", "7", "Ana"):
        refused(pages, f"{PEOPLE}/add", names=typed)
    assert len(log(db).lines) == before


# --- taps that are taken back ----------------------------------------------------------------------------------------


def test_each_tap_is_taken_back_by_the_button_in_its_place(db: str, pages: TestClient) -> None:
    apply(db, EnterPlayers("Sunday", ["Ana", "Zoe"]))
    for button, state in (("Check in", "checked in"), ("Undo check-in", "entered")):
        form = next(form for form in Markup(pages.get(PEOPLE).text).forms if form.values.get("player") == "Zoe")
        assert list(form.texts) == [button]
        press(pages, PEOPLE, button, action=form.action, shown=only(pages.get(PEOPLE).text, "Zoe"))
        assert entered(db)["Zoe"] == state


def only(text: str, player: str) -> str:
    """Return a page with the form of this player alone."""
    return next(form for form in re.findall(r"<form.*?</form>", text, re.DOTALL) if f'value="{player}"' in form)


def test_a_line_stays_in_its_part_of_the_list_after_a_tap(db: str, pages: TestClient) -> None:
    """Of those who are missing each tap took a line away, so that the next name was never where it was."""
    apply(db, EnterPlayers("Sunday", ["Ana", "Beñat", "Zoe"]))
    at = f"{PEOPLE}?show=missing"
    for player in ("Ana", "Zoe"):
        at = press(pages, "", "Check in", shown=only(pages.get(at).text, player)).headers["location"]
    text = pages.get(at).text
    assert re.findall(r'<li id="n\d" class="([\w-]+)">', text) == ["checked-in", "entered", "checked-in"]
    assert 'class="message' not in text
    assert re.findall(r'<li id="n\d"', pages.get(f"{PEOPLE}?show=missing").text) == ['<li id="n2"']


def test_who_is_back_by_mistake_has_left_again_by_the_button_in_its_place(db: str, pages: TestClient) -> None:
    apply(db, EnterPlayers("Sunday", ["Ana", "Zoe"]))
    apply(db, WithdrawPlayers("Sunday", ["Zoe"]))
    at = press(pages, "", "Is back", shown=only(pages.get(PEOPLE).text, "Zoe")).headers["location"]
    assert entered(db)["Zoe"] == "checked in"
    press(pages, "", "Has left", shown=only(pages.get(at).text, "Zoe"))
    assert entered(db)["Zoe"] == "withdrawn"


def test_a_check_in_is_not_taken_back_in_the_list_once_a_round_is_drawn(db: str, pages: TestClient) -> None:
    apply(db, EnterPlayers("Sunday", ["Ana", "Beñat", "Carmen", "Diego"]))
    apply(db, CheckInPlayers("Sunday", everybody=True))
    assert 'value="uncheck"' in pages.get(PEOPLE).text
    apply(db, DrawRound("Sunday"))
    assert 'value="uncheck"' not in pages.get(PEOPLE).text


def test_a_name_is_found_wherever_it_is_and_a_complete_list_says_so(db: str, pages: TestClient) -> None:
    """“Nobody is on this list” was said of somebody who was here."""
    apply(db, EnterPlayers("Sunday", ["Ana", "Zoe"]))
    apply(db, CheckInPlayers("Sunday", everybody=True))
    assert "Zoe" in pages.get(f"{PEOPLE}?show=missing&find=zo").text
    assert "Everybody is here." in pages.get(f"{PEOPLE}?show=missing").text
