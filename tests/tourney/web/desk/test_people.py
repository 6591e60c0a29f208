"""Tests of the desk's chapter on people: names that are pasted, check-in by a tap, and who leaves or comes back."""

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.harness import desk
from tests.harness.slow import half_slow
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tests.tourney.web.desk.test_home import fields
from tourney.domain.errors import DoubtWarning
from tourney.domain.events import Event
from tourney.service.admin.journal import log
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers, ReturnPlayers, WithdrawPlayers
from tourney.service.events.copy_event import CopyEvent
from tourney.service.events.events import EnterPlayers, FinishEvent
from tourney.service.events.events import show as show_event
from tourney.service.events.pasted_names import pasted_names
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import RegisterPlayers, RenamePlayer
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds as rounds_service
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.rounds.substitute import NameSubstitute


def states(db: str) -> dict[str, str]:
    event: Event = show_event(db, "Friday")
    return {player.shown: state for player, state in zip(event.entrants, event.states, strict=True)}


def send(pages: TestClient, path: str, page: str = "", **values: str | Sequence[str]) -> str:
    """Fill in the first form of a page, send it, and return the page that follows."""
    form = {**fields(pages.get(page or path).text, path), **values}
    answer = pages.post(path, data=form, headers=ORIGIN)
    assert answer.status_code == 303, answer.text
    return pages.get(answer.headers["location"]).text


def refused(pages: TestClient, path: str, **values: str | Sequence[str]) -> str:
    """Send a form that is refused, and return the page that says why."""
    answer = pages.post(path, data=values, headers=ORIGIN)
    assert answer.status_code in (400, 404, 409)
    assert 'role="alert"' in answer.text
    return answer.text


# --- names that are pasted ----------------------------------------------------------------------------------------


def test_a_name_that_is_written_twice_is_one_person(db: str) -> None:
    names = pasted_names(db, "Friday", "  Ana   María \n\n\nANA MARÍA\nBeñat").names
    assert [(name.text, name.again) for name in names] == [("Ana María", ("ANA MARÍA",)), ("Beñat", ())]


def test_a_pasted_name_is_known_only_in_full_and_otherwise_asked_about(db: str) -> None:
    apply(db, RegisterPlayers(["Zacarías Pérez", "Zoe"]))
    text = "ana\nZOE\nZacarías\nZaccarias Perez\nWilma"
    found = {name.text: name for name in pasted_names(db, "Friday", text).names}
    assert found["ana"].entered
    assert (found["ZOE"].player.name, found["ZOE"].entered) == ("Zoe", False)
    for text in ("Zacarías", "Zaccarias Perez"):
        meant = found[text].player, found[text].candidates, found[text].likely
        assert meant == (None, ("Zacarías Pérez",), "Zacarías Pérez")
    assert (found["Wilma"].player, found["Wilma"].candidates) == (None, ())


@pytest.mark.parametrize(
    "text", half_slow(["", " \n ", "1\n2", "a" * 81, "\n".join(f"Name {n}" for n in range(501)), "A\x00a"])
)
def test_a_list_that_cannot_be_read_is_refused_and_what_was_typed_stays(pages: TestClient, text: str) -> None:
    page = refused(pages, "/desk/people/enrol", names=text, do="look")
    assert unescape(
        re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)[1]
    ).strip() == text.strip().replace("\0", r"\x00")


def test_enrolling_shows_first_who_is_meant_and_enters_nobody(db: str, pages: TestClient) -> None:
    apply(db, RegisterPlayers(["Zacarías", "Zoe"]))
    before = len(log(db).lines)
    text = pages.post(
        "/desk/people/enrol", data={"names": "Ana\nZoe\nZacarias P\nWilma", "do": "look"}, headers=ORIGIN
    ).text
    assert re.findall(r'type="checkbox" name="player" value="([^"]*)" checked', text) == ["Zoe"]
    assert "Entered already" in text
    choices = re.findall(r'type="(\w+)" name="choice(\d)" value="([^"]*)"( required)?( checked)?', text)
    assert choices == [
        ("radio", "0", "is:Zacarías", " required", " checked"),
        ("radio", "0", "new:Zacarias P", " required", ""),
        ("radio", "0", "out", " required", ""),
        ("checkbox", "1", "new:Wilma", "", " checked"),
    ]
    assert len(log(db).lines) == before


def test_two_new_names_of_one_list_that_are_nearly_the_same_are_asked_about(db: str, pages: TestClient) -> None:
    """A letter more or less is asked about; other first names or surnames are not."""
    names = "Olga Ruiz\nOlgo Ruiz\nIrene Sanz\nIrene Paz\nWilma"
    text = pages.post("/desk/people/enrol", data={"names": names, "do": "look"}, headers=ORIGIN).text
    choices = re.findall(r'type="radio" name="choice(\d)" value="([^"]*)"', text)
    assert choices == [("1", "same"), ("1", "new:Olgo Ruiz"), ("1", "out")]
    assert "Olga Ruiz, on this list above" in text
    send(pages, "/desk/people/enrol", do="enter", choice0="new:Olga Ruiz", choice1="same")
    assert ("Olga Ruiz" in states(db), "Olgo Ruiz" in states(db)) == (True, False)


CYRILLIC = {"Ana": "\u0410na", "Wilma": "Wilm\u0430"}
"""Names with a letter that is drawn as the Latin one."""


def test_a_name_in_letters_of_another_alphabet_is_asked_about_before_anybody_is_registered(
    db: str, pages: TestClient
) -> None:
    """Somebody who is registered, and a new name of the list, are offered in their place."""
    names = "\n".join((CYRILLIC["Ana"], "Wilma", CYRILLIC["Wilma"]))
    text = unescape(pages.post("/desk/people/enrol", data={"names": names, "do": "look"}, headers=ORIGIN).text)
    choices = re.findall(r'type="radio" name="choice(\d)" value="([^"]*)"', text)
    assert ("0", "is:Ana") in choices
    assert ("2", "same") in choices
    for name, other in CYRILLIC.items():
        assert f"{other} looks like {name}, but in letters of another alphabet: they are probably one person" in text
    assert "tourney player merge" not in text


def test_a_name_in_letters_of_another_alphabet_is_reported_when_the_desk_gives_it(pages: TestClient) -> None:
    said = "looks like Ana, but in letters of another alphabet: they are probably one person"
    with pytest.warns(DoubtWarning, match="`tourney player merge` merges them"):
        assert said in send(pages, "/desk/people/enrol", choice0=f"new:{CYRILLIC['Ana']}", do="enter")
    with pytest.warns(DoubtWarning):
        assert "looks like Beñat" in send(
            pages, "/desk/people/5", do="rename", name="Be\u00f1\u0430t", label="", club=""
        )


def test_lines_taken_for_two_people_or_for_one_are_named(pages: TestClient) -> None:
    def notes(names: str) -> list[str]:
        text = pages.post("/desk/people/enrol", data={"names": names, "do": "look"}, headers=ORIGIN).text
        return [unescape(note) for note in re.findall(r'<p class="notice"[^>]*>([^<]*)<', text)]

    assert notes("Pérez, José\nLuis\n3. Luís\nWilma") == [
        "A comma was read as the end of a name. If it is “Surname, First name”, read the list in another way.",
        "Taken for one person: Luis, Luís. If they are two, add to one name what tells them apart, such as a town.",
    ]
    assert notes("Pérez Gil, José\nRuiz, Luis") == ["Read as “Surname, First name”: José Pérez Gil, Luis Ruiz"]
    assert notes("Xavi, Yago") == notes("Xavi\nYago\nWilma, Zoe, Quique") == []


def test_enrolling_enters_those_who_are_known_and_registers_those_who_are_said_to_be_new(
    db: str, pages: TestClient
) -> None:
    apply(db, RegisterPlayers(["Zacarías", "Zoe"]))
    form = {"player": ["Zoe"], "choice0": "is:Zacarías", "choice1": "new:Wilma", "choice2": "out", "do": "enter"}
    text = send(pages, "/desk/people/enrol", **form)
    assert list(states(db))[8:] == ["Zoe", "Zacarías", "Wilma"]
    assert "entered: Zoe, Zacarías, Wilma" in text
    assert "newly registered: Wilma" in text


def test_what_was_chosen_stays_where_an_enrolment_is_refused(pages: TestClient) -> None:
    text = refused(
        pages, "/desk/people/enrol", names="Wilma\nXavier", choice1="new:Xavier", player="Nobody", do="enter"
    )
    assert re.findall(r'value="new:(\w+)"( checked)?', text) == [("Wilma", ""), ("Xavier", " checked")]


@pytest.mark.parametrize(
    "form",
    half_slow(
        [
            {"do": "enter"},
            {"do": "enter", "choice0": "out"},
            {"do": "enter", "player": "Nobody"},
            {"do": "enter", "choice0": "is:Nobody"},
            {"do": "enter", "choice0": "new:" + "a" * 81},
            {"do": "all", "event": "Monday"},
        ]
    ),
    ids=str,
)
def test_an_enrolment_that_cannot_be_is_refused(db: str, pages: TestClient, form: dict[str, str]) -> None:
    refused(pages, "/desk/people/enrol", names="Wilma", **form)
    assert len(states(db)) == 8


def test_latecomers_are_told_from_which_round_they_play(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    assert "They play from round 2." in send(pages, "/desk/people/enrol", choice0="new:Wilma", do="enter")


def test_entering_everybody_is_offered_as_long_as_somebody_is_left(db: str, pages: TestClient) -> None:
    assert "Enter everybody who is registered" not in pages.get("/desk/people/enrol").text
    apply(db, RegisterPlayers(["Zoe"]))
    assert "Enter everybody who is registered" in pages.get("/desk/people/enrol").text


def test_everybody_who_is_registered_can_be_entered_at_once(db: str, pages: TestClient) -> None:
    apply(db, RegisterPlayers(["Zoe"]))
    send(pages, "/desk/people/enrol", do="all")
    assert "Zoe" in states(db)


# --- the list --------------------------------------------------------------------------------------------------------


def listed(text: str) -> list[str]:
    return [unescape(name) for name in re.findall(r'<span class="name" dir="auto">([^<]*)<', text)]


def test_a_tap_checks_a_player_in_and_leads_back_to_their_line(db: str, pages: TestClient) -> None:
    form = fields(pages.get("/desk/people").text, "/desk/people")
    answer = pages.post(
        "/desk/people", data={**form, "player": "Carmen", "number": "3", "do": "checkin"}, headers=ORIGIN
    )
    assert answer.headers["location"].endswith("#n3")
    line = re.search(r'<li id="n3" class="([^"]*)">.*?</li>', pages.get(answer.headers["location"]).text, re.DOTALL)
    assert line is not None
    assert (line[1], "role=status" in line[0], 'value="uncheck"' in line[0]) == ("checked-in", True, True)
    assert states(db)["Carmen"] == "checked in"


def test_the_list_is_in_the_order_of_names_and_can_be_filtered(db: str, pages: TestClient) -> None:
    apply(db, EnterPlayers("Friday", ["Ñico", "Núria", "Óscar", "Zoe"], add=True))
    apply(db, CheckInPlayers("Friday", ["Zoe", "Núria"]))
    apply(db, WithdrawPlayers("Friday", ["Óscar"]))
    assert listed(pages.get("/desk/people").text)[-4:] == ["Núria", "Ñico", "Óscar", "Zoe"]
    for query, names in {
        "show=here": ["Núria", "Zoe"],
        "show=left": ["Óscar"],
        "find=nur": ["Núria"],
        "show=missing&find=%C3%B1I": ["Ñico"],
    }.items():
        assert listed(pages.get(f"/desk/people?{query}").text) == names
    assert "Nobody is on this list." in pages.get("/desk/people?find=xyz").text


def test_where_check_in_is_not_asked_for_nobody_is_shown_as_missing(db: str, pages: TestClient) -> None:
    apply(db, WithdrawPlayers("Friday", ["Hugo"]))
    text = pages.get("/desk/people?show=missing").text
    assert [word in text for word in ("All: 8", "Here: 7", "Left: 1")] == [True] * 3
    assert [word in text for word in ("Not here yet", 'value="checkin"', "All at once")] == [False] * 3
    assert 'href="/desk/events/settings">Ask for check-in' in text
    assert listed(pages.get("/desk/people?show=here").text) == [*states(db)][:7]


def test_once_somebody_is_checked_in_the_others_are_not_here_yet(db: str, pages: TestClient) -> None:
    apply(db, CheckInPlayers("Friday", ["Ana"]))
    text = pages.get("/desk/people").text
    assert [word in text for word in ("Not here yet: 7", "Here: 1", 'value="checkin"')] == [True] * 3


def test_where_check_in_is_required_everybody_is_missing_at_first(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Friday", {"checkin": "required"}))
    text = pages.get("/desk/people").text
    assert [word in text for word in ("Not here yet: 8", "Here: 0", 'value="checkin"')] == [True] * 3


def test_once_everybody_is_here_the_list_draws_the_round(db: str, pages: TestClient) -> None:
    apply(db, CheckInPlayers("Friday", ["Ana"]))
    assert "Draw round 1" not in pages.get("/desk/people").text
    apply(db, CheckInPlayers("Friday", everybody=True))
    assert press(pages, "/desk/people", "Draw round 1").headers["location"].startswith("/desk/rounds?")
    assert "Draw round" not in pages.get("/desk/people").text


def test_all_who_are_missing_are_checked_in_or_struck_off_at_once(db: str, pages: TestClient) -> None:
    apply(db, CheckInPlayers("Friday", ["Ana", "Beñat", "Carmen", "Diego", "Elena"]))
    text = pages.get("/desk/people").text
    missing = [unescape(name) for name in re.findall(r'name="missing" value="([^"]*)"', text)]
    assert missing == ["Félix", "Gloria", "Hugo"]
    apply(db, CheckInPlayers("Friday", ["Hugo"]))
    send(pages, "/desk/people", missing=missing[:2], do="none")
    assert [states(db)[name] for name in missing] == ["no-show", "no-show", "checked in"]
    send(pages, "/desk/people", player="Félix", number=number_of(db, "Félix"), do="return")
    send(pages, "/desk/people", do="all")
    assert states(db)["Félix"] == "checked in"


@pytest.mark.parametrize(
    "form",
    half_slow(
        [
            {},
            {"do": "nonsense", "player": "Ana"},
            {"do": "checkin", "player": "Nobody"},
            {"do": "checkin", "player": ""},
            {"do": "checkin", "player": "Hugo"},
            {"do": "none"},
        ]
    ),
    ids=str,
)
def test_what_the_list_cannot_do_is_refused(db: str, pages: TestClient, form: dict[str, str]) -> None:
    apply(db, WithdrawPlayers("Friday", ["Hugo"]))
    before = len(log(db).lines)
    refused(pages, "/desk/people", **form)
    assert len(log(db).lines) == before


def test_a_refusal_names_the_page_that_helps_and_no_command(db: str, pages: TestClient) -> None:
    apply(db, WithdrawPlayers("Friday", ["Hugo"]))
    text = refused(pages, "/desk/people", do="checkin", player="Hugo", number="8")
    assert "`tourney" not in text
    assert 'href="/desk/people?show=left"' in text


# --- one person ------------------------------------------------------------------------------------------------------


def test_a_player_withdraws_with_a_reason_and_comes_back(db: str, pages: TestClient) -> None:
    page = "/desk/people/5"
    assert "withdrawn: Elena" in send(pages, page, do="withdraw", reason="has to catch a train")
    assert "has to catch a train" in log(db).lines[-1].said
    assert "returned: Elena" in send(pages, page, do="return")
    send(pages, page, do="no-show")
    assert states(db)["Elena"] == "no-show"


def test_a_player_who_leaves_can_be_taken_out_of_their_table(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    send(pages, "/desk/people/5", do="withdraw", out="yes")
    (drawn,) = rounds_service.show(db, "Friday").rounds
    assert "Elena" not in {player.name for table in drawn.tables for player in table.players}
    assert "has a bye" in pages.get("/desk/people/5").text or "has no seat" in pages.get("/desk/people/5").text


def test_who_left_but_still_sits_at_a_table_is_taken_out_by_the_link_on_their_page(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    send(pages, "/desk/people/5", do="withdraw")
    link = re.search(r'href="(/desk/rounds/move[^"]*)"', pages.get("/desk/people/5").text)
    assert link is not None
    text = pages.get(unescape(link[1])).text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text))
    assert pages.post("/desk/rounds/move", data=form, headers=ORIGIN).status_code == 303
    (drawn,) = rounds_service.show(db, "Friday").rounds
    assert "Elena" not in {player.name for table in drawn.tables for player in table.players}
    assert "/desk/rounds/move" not in pages.get("/desk/people/5").text


def test_a_name_is_corrected_on_the_player_s_page(db: str, pages: TestClient) -> None:
    send(pages, "/desk/people/5", do="rename", name="Elena María", label="", club="Getxo")
    assert "Elena María" in states(db)
    text = refused(pages, "/desk/people/5", do="rename", player="Elena María", name="Ana", label="", club="Bilbao")
    assert 'value="Bilbao"' in text


@pytest.mark.parametrize("number", half_slow(["0", "9", "-1", "x", "99999999"]))
def test_an_entrant_that_is_not_there_is_not_found(pages: TestClient, number: str) -> None:
    assert pages.get(f"/desk/people/{number}").status_code == 404


@pytest.mark.parametrize(
    ("path", "button"),
    [
        ("/desk/people/1", "Withdraw"),
        ("/desk/people/1", "Save"),
        ("/desk/people/1/mistake", "Take them out of the event"),
        ("/desk/people", "Check in"),
    ],
)
def test_a_form_about_a_person_does_nothing_to_another_one_who_has_the_name_by_now(
    db: str, pages: TestClient, path: str, button: str
) -> None:
    """An old page of Ana withdrew Beñat, after she was renamed and he got her name; undo shifts numbers, too."""
    apply(db, ChangeSettings("Friday", {"checkin": "required"}))
    before, old = states(db), pages.get(path).text
    apply(db, RenamePlayer("Ana", "Anabel"))
    apply(db, RenamePlayer("Beñat", "Ana"))
    answer = press(pages, path, button, shown=old)
    assert (answer.status_code, "changed this while the page was open" in answer.text) == (409, True)
    assert list(states(db).values()) == list(before.values())
    assert list(states(db))[:2] == ["Anabel", "Ana"]


def test_one_check_in_is_taken_back_until_the_player_is_in_a_round(db: str, pages: TestClient) -> None:
    send(pages, "/desk/people", do="all")
    path = f"/desk/people/{number_of(db, 'Elena')}"
    assert "check-in of 1 player taken back" in send(pages, path, do="uncheck")
    assert [name for name, state in states(db).items() if state != "checked in"] == ["Elena"]
    assert 'value="uncheck"' not in pages.get(path).text
    apply(db, DrawRound("Friday"))
    other = f"/desk/people/{number_of(db, 'Ana')}"
    assert 'value="uncheck"' not in pages.get(other).text
    assert "is in round 1, which is drawn" in refused(pages, other, player="Ana", do="uncheck")


def test_in_a_finished_event_nobody_comes_or_goes(db: str, pages: TestClient) -> None:
    apply(db, FinishEvent("Friday", incomplete=True))
    for path in ("/desk/people", "/desk/people/5"):
        assert "is finished" in refused(pages, path, player="Elena", number="5", do="checkin")


@pytest.mark.parametrize("path", ["/desk/people", "/desk/people/1", "/desk/people/enrol"])
def test_without_an_event_the_pages_lead_to_where_one_is_made(tmp_path: Path, path: str) -> None:
    from tourney.service.web import access

    db = str(tmp_path / "new.db")
    access.sign_in_token(db)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert pages.get(path).headers["location"] == "/desk/events"


@pytest.mark.parametrize(
    "name", half_slow(['"><script>alert(1)</script>', "{{ 7777*77777 }}", "<img src=x onerror=alert(1)>", "Zoe & Ñ'"])
)
def test_a_hostile_name_is_text_on_every_page_and_can_be_checked_in(db: str, pages: TestClient, name: str) -> None:
    apply(db, EnterPlayers("Friday", [name], add=True))
    texts = [pages.get(path).text for path in ("/desk/people", "/desk/people/9")]
    texts.append(pages.get(f"/desk/people?{urlencode({'find': name})}").text)
    texts.append(
        pages.post("/desk/people/enrol", data={"names": name.replace(";", ""), "do": "look"}, headers=ORIGIN).text
    )
    assert [text for text in texts if "<script>" in text or "<img" in text or "604871729" in text] == []
    send(pages, "/desk/people", player=name, number="9", do="checkin")
    assert states(db)[name] == "checked in"


def test_the_answer_to_a_form_does_not_give_way_to_the_empty_form(pages: TestClient) -> None:
    """A live page is loaded again by its address, where nothing has been typed."""
    path = "/desk/people/enrol"
    form = {**fields(pages.get(path).text, path), "names": "Iris", "do": "look"}
    answer = pages.post(path, data=form, headers=ORIGIN)
    assert answer.status_code == 200
    assert "Iris" in answer.text
    assert "live.js" in pages.get(path).text
    assert "live.js" not in answer.text


def test_a_message_names_five_players_and_gives_the_number_of_more(pages: TestClient) -> None:
    names = [f"Player{letter}" for letter in "ABCDEFGHIJK"]
    for few, number in ((True, 5), (False, 6)):
        new = [names.pop() for _place in range(number)]
        fields = {f"choice{place}": f"new:{name}" for place, name in enumerate(new)}
        said = _message(send(pages, "/desk/people/enrol", **fields, do="enter"))
        assert [name in said for name in new] == [few] * number, said
        assert f"{number} players entered" in said
        assert ("newly registered: 6" in said) is not few
    said = _message(send(pages, "/desk/people", do="all"))
    assert "19 players checked in" in said
    assert "Player" not in said


def _message(shown: str) -> str:
    found = re.search(r'<(\w+) class="message[^>]*>.*?</\1>', shown, re.DOTALL)
    assert found is not None
    return found[0]


# --- people who were entered by mistake ---------------------------------------------------------------------------


def number_of(db: str, name: str) -> int:
    return [player.shown for player in show_event(db, "Friday").entrants].index(name) + 1


def test_somebody_entered_by_mistake_counts_nowhere_and_is_not_copied(db: str, pages: TestClient) -> None:
    """Eight are entered; without Hugo there are seven in every list but that of who has left."""
    path = f"/desk/people/{number_of(db, 'Hugo')}"
    assert f"{path}/mistake" in pages.get(path).text
    assert "Hugo will be taken out of the event." in pages.get(f"{path}/mistake").text
    assert 'value="remove"' in pages.get(f"{path}/mistake").text
    assert states(db)["Hugo"] == "entered"
    assert "taken out of the event: Hugo" in send(pages, f"{path}/mistake", do="remove")
    assert ">Hugo<" not in pages.get("/players").text
    assert ">Hugo<" not in pages.get("/").text
    for page in ("/desk/paper/phones", "/desk/rulings"):
        assert '<option value="Hugo">' not in pages.get(page).text, page
        assert "Gloria" in pages.get(page).text, page
    assert "of 7 entered" in pages.get("/desk").text
    assert "7 players" in pages.get("/desk/events").text
    outcome = apply(db, CopyEvent("Next", "Friday"))
    assert "Hugo" not in [player.shown for player in outcome.event.entrants]


def test_somebody_taken_out_by_mistake_is_no_no_show_for_the_desk_and_can_be_entered_again(
    db: str, pages: TestClient
) -> None:
    path = f"/desk/people/{number_of(db, 'Hugo')}"
    send(pages, f"{path}/mistake", do="remove")
    assert states(db)["Hugo"] == "removed"
    shown = pages.get("/desk/people").text
    assert "Hugo" not in shown
    assert all(part in shown for part in ("All: 7", "Left: 0", "Entered by mistake: 1"))
    assert "Hugo" in pages.get("/desk/people?show=removed").text
    assert "Hugo" not in pages.get("/desk/people?show=left").text
    assert "No-show" not in pages.get("/desk").text
    changes = pages.get("/desk/undo").text
    assert ("Hugo taken out: entered by mistake" in changes, "did not come" in changes) == (True, False)
    apply(db, ReturnPlayers("Friday", ["Hugo"]))
    assert states(db)["Hugo"] == "entered"
    assert "Entered by mistake:" not in pages.get("/desk/people").text


def test_a_substitute_is_in_a_list_of_their_own(db: str, pages: TestClient) -> None:
    """Eva plays for Hugo: neither among the eight nor among those who have left."""
    apply(db, RegisterPlayers(["Eva"]))
    apply(db, DrawRound("Friday"))
    apply(db, NameSubstitute("Friday", ["Hugo", "Eva"]))
    shown = pages.get("/desk/people").text
    assert all(part in shown for part in ("All: 8", "Left: 0", "Substitutes: 1"))
    assert ">Eva<" not in shown
    only = pages.get("/desk/people?show=substitutes").text
    assert (">Eva<" in only, ">substitute<" in only, ">Hugo<" in only) == (True, True, False)
    assert ">Eva<" in pages.get("/desk/people?find=eva").text
    assert ">substitute<" in pages.get(f"/desk/people/{number_of(db, 'Eva')}").text


def test_a_substitute_who_plays_from_now_on_is_one_again_by_the_button_in_its_place(db: str, pages: TestClient) -> None:
    apply(db, RegisterPlayers(["Eva"]))
    apply(db, DrawRound("Friday"))
    apply(db, NameSubstitute("Friday", ["Hugo", "Eva"]))
    back = press(pages, "/desk/people?show=substitutes", "Is here after all").headers["location"]
    assert states(db)["Eva"] == "entered"
    press(pages, back, "Has left")
    assert states(db)["Eva"] == "substitute"


def test_who_left_before_the_first_seat_is_not_copied_and_who_has_a_seat_is_no_mistake(
    db: str, pages: TestClient
) -> None:
    apply(db, WithdrawPlayers("Friday", ["Hugo"]))
    apply(db, DrawRound("Friday"))
    apply(db, WithdrawPlayers("Friday", ["Ana"]))
    assert ">Hugo<" not in pages.get("/players").text
    assert ">Ana<" in pages.get("/players").text
    assert 'value="remove"' not in pages.get(f"/desk/people/{number_of(db, 'Ana')}/mistake").text
    copied = [player.shown for player in apply(db, CopyEvent("Next", "Friday")).event.entrants]
    assert ("Ana" in copied, "Hugo" in copied) == (True, False)


def test_two_registrations_of_one_person_become_one_after_a_look_at_what_moves(db: str, pages: TestClient) -> None:
    apply(db, RegisterPlayers(["Carmem"]))
    apply(db, EnterPlayers("Friday", ["Carmem"]))
    apply(db, DrawRound("Friday"))
    path = f"/desk/people/{number_of(db, 'Carmem')}/mistake"
    others = re.findall(r"<option[^>]*>([^<]*)</option>", pages.get(path).text)
    assert others[1] == "Carmen"
    refused(pages, path, player="Carmem", of="Carmen", do="merge", event="Friday")
    apply(db, CancelRound("Friday", "a mistake"))
    seen = pages.get(f"{path}?of=Carmen").text
    assert "Carmem and Carmen will be one person, with the name Carmen." in seen
    assert "Carmem is now" not in seen
    assert "Carmem" in states(db)
    assert "Carmem is now Carmen" in send(pages, path, f"{path}?of=Carmen", do="merge", of="Carmen")
    assert "Carmem" not in states(db)
    assert list(states(db)).count("Carmen") == 1


def test_a_player_whose_table_has_a_result_neither_came_never_nor_leaves_their_table(
    db: str, pages: TestClient
) -> None:
    apply(db, DrawRound("Friday"))
    first, second = rounds_service.show(db, "Friday", 1).rounds[0].tables
    names = [player.name for player in first.players]
    apply(db, EnterResult("Friday", 1, 1, desk.hands(names)))
    played = pages.get(f"/desk/people/{number_of(db, names[0])}").text
    waits = pages.get(f"/desk/people/{number_of(db, second.players[0].name)}").text
    for part in ('value="no-show"', 'name="out"', "Change their seat in this round"):
        assert part in waits
        assert part not in played


def test_a_name_is_found_in_the_whole_list_whichever_part_is_shown(db: str, pages: TestClient) -> None:
    apply(db, CheckInPlayers("Friday", ["Ana"]))
    text = pages.get("/desk/people?show=missing&find=Ana").text
    assert "Nobody is on this list" not in text
    assert ">Ana<" in text
