"""Tests of two desks at once: a page that is older than a change of the other desk takes nothing of it back."""

from collections.abc import Mapping

import pytest
from httpx import Response

from tests.harness.web.asking import ORIGIN, TestClient
from tests.harness.web.markup import Markup
from tourney.domain.events import EventSettings
from tourney.service.admin.journal import Undo, log
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

SETTINGS = "/desk/events/settings"


def form(pages: TestClient, path: str, field: str) -> dict[str, str]:
    """Return the fields of the form of a page that has a field of this name."""
    found = next(each for each in Markup(pages.get(path).text).forms if field in dict(each.fields))
    return dict(found.fields)


def send(pages: TestClient, path: str, fields: Mapping[str, str]) -> Response:
    return pages.post(path, data=dict(fields), headers=ORIGIN)


def test_settings_that_another_desk_has_changed_stay(db: str, pages: TestClient) -> None:
    """An older page put the 75 minutes of the other desk back to 60 when it wrote only the organiser."""
    old = form(pages, SETTINGS, "minutes")
    apply(db, ChangeSettings("Friday", {"minutes": 75}))
    assert send(pages, SETTINGS, old | {"organiser": "Club"}).status_code == 303
    settings = rounds.show(db).event.settings
    assert (settings.minutes, settings.organiser) == (75, "Club")


def test_a_setting_that_both_desks_change_is_refused_once_and_shown(db: str, pages: TestClient) -> None:
    """The page then has the other desk's value as the one before, so that sending it again decides."""
    old = form(pages, SETTINGS, "minutes")
    apply(db, ChangeSettings("Friday", {"minutes": 75, "organiser": "Club"}))
    answer = send(pages, SETTINGS, old | {"minutes": "90"})
    assert (answer.status_code, "meanwhile, to “75”" in answer.text) == (409, True)
    again = dict(next(each for each in Markup(answer.text).forms if "minutes" in dict(each.fields)).fields)
    assert (again["minutes"], again["organiser"]) == ("90", "Club")
    assert send(pages, SETTINGS, again).status_code == 303
    settings = rounds.show(db).event.settings
    assert (settings.minutes, settings.organiser) == (90, "Club")


def test_a_person_s_club_that_another_desk_has_written_stays(db: str, pages: TestClient) -> None:
    """A label from an older page took the club away."""
    old = form(pages, "/desk/people/1", "club")
    apply(db, RenamePlayer("Ana", club="Madrid"))
    assert send(pages, "/desk/people/1", old | {"label": "x", "do": "rename"}).status_code == 303
    player = rounds.show(db).event.entrants[0]
    assert (player.label, player.club) == ("x", "Madrid")


def test_a_club_that_both_desks_write_is_refused(db: str, pages: TestClient) -> None:
    old = form(pages, "/desk/people/1", "club")
    apply(db, RenamePlayer("Ana", club="Madrid"))
    answer = send(pages, "/desk/people/1", old | {"club": "Getxo", "do": "rename"})
    assert (answer.status_code, "“Madrid”" in answer.text) == (409, True)
    assert rounds.show(db).event.entrants[0].club == "Madrid"


def test_what_is_put_back_is_what_the_page_shows(db: str, pages: TestClient) -> None:
    """The other desk has taken one more change back since: the older page put that one back."""
    for name in ("Ana", "Hugo"):
        apply(db, CheckInPlayers("Friday", [name]))
    apply(db, Undo())
    forms = [dict(each.fields) for each in Markup(pages.get("/desk/undo").text).forms]
    back = next(fields for fields in forms if fields.get("number") and fields["number"] != newest(db))
    apply(db, Undo())
    answer = send(pages, "/desk/undo", back | {"do": "redo"})
    assert (answer.status_code, "something else was taken back last" in answer.text) == (409, True)
    assert [line.state for line in log(db).lines][-1] == "takes back"


def newest(db: str) -> str:
    """Return the number of the newest change that stands."""
    return str([line for line in log(db).lines if line.state == "stands"][-1].number)


@pytest.mark.parametrize("name", ["table 2: seats 1, 3", "table 1: seat 4"])
def test_a_cookie_does_not_make_players_of_a_table_the_authors_of_what_a_desk_does(
    db: str, pages: TestClient, name: str
) -> None:
    """The form for the name refused it; the cookie, which another page may have set, was believed."""
    pages.cookies.set("tourney_name", name.replace(" ", "%20").replace(":", "%3A").replace(",", "%2C"))
    assert send(pages, SETTINGS, form(pages, SETTINGS, "minutes") | {"organiser": "Club"}).status_code == 303
    assert (log(db).lines[-1].kind, log(db).lines[-1].by) == ("event.set", "desk")


def test_a_tap_swaps_the_two_players_of_its_page_whatever_event_the_other_desk_runs(db: str, pages: TestClient) -> None:
    """Places in the list of the event that runs now named two others."""
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    names = [player.name for player in rounds.show(db, "Friday").event.entrants]
    apply(db, EnterPlayers("Saturday", names[::-1]))
    apply(db, UseEvent("Friday"))
    apply(db, DrawRound("Friday", draft=True))
    one, other = (table.players[0] for table in rounds.show(db, "Friday").rounds[-1].tables[:2])
    number = rounds.show(db, "Friday").event.entrants.index(one) + 1
    sent = form(pages, f"/desk/rounds?chosen={number}", "chosen")
    apply(db, UseEvent("Saturday"))
    assert send(pages, "/desk/rounds", sent | {"other": other.shown}).status_code == 303
    tables = rounds.show(db, "Friday").rounds[-1].tables[:2]
    assert [table.players[0] for table in tables] == [other, one]


def test_somebody_who_comes_is_checked_in_where_the_event_of_the_page_asks_for_it(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Friday", {"checkin": "required"}))
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    apply(db, UseEvent("Friday"))
    sent = form(pages, "/desk/people", "names")
    apply(db, UseEvent("Saturday"))
    assert send(pages, "/desk/people/add", sent | {"names": "Pilar"}).status_code == 303
    event = rounds.show(db, "Friday").event
    assert event.states[[player.shown for player in event.entrants].index("Pilar")] == "checked in"


REFUSED = {
    "/desk/rulings": ("points", {"points": "x"}),
    "/desk/events/settings": ("minutes", {"minutes": "x"}),
    "/desk/people/1": ("club", {"club": "a" * 200, "do": "rename"}),
    "/desk/people/enrol": ("names", {"names": "Wanda", "do": "names"}),
}


@pytest.mark.parametrize("path", REFUSED)
def test_the_page_that_answers_a_form_is_of_the_form_s_event_and_person(db: str, pages: TestClient, path: str) -> None:
    """The text for Friday came back in a form of Saturday, and the next tap sent it there."""
    field, typed = REFUSED[path]
    names = [player.name for player in rounds.show(db).event.entrants]
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    apply(db, EnterPlayers("Saturday", names[::-1]))
    apply(db, UseEvent("Friday"))
    sent = form(pages, path, field)
    apply(db, UseEvent("Saturday"))
    answer = send(pages, path, sent | typed)
    forms = [dict(each.fields) for each in Markup(answer.text).forms]
    assert answer.status_code != 303
    assert {fields["event"] for fields in forms if "event" in fields} == {"Friday"}
    assert {fields.get("player", names[0]) for fields in forms if path == "/desk/people/1"} <= {names[0]}


def test_a_form_about_a_person_stays_theirs_where_a_merger_shifts_the_list(db: str, pages: TestClient) -> None:
    apply(db, RegisterPlayers(["Otto"]))
    apply(db, EnterPlayers("Friday", ["Anna"], add=True))
    names = [player.shown for player in rounds.show(db).event.entrants]
    number = len(names)
    sent = form(pages, f"/desk/people/{number}", "club")
    apply(db, MergePlayers("Ana", "Beñat"))
    answer = send(pages, f"/desk/people/{number}", sent | {"club": "a" * 200, "do": "rename"})
    assert {dict(each.fields).get("player", "Anna") for each in Markup(answer.text).forms} == {"Anna"}
