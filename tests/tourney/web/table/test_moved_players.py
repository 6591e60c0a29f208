"""Tests of a phone's forms that are older than the seats of its table: nobody gets the points of another player.

Points are those of BLANK: 20, 30 and 40 for the players in seats 2, 3 and 4 of the page that was typed on.
"""

import re

import pytest

from tests.harness.web.asking import TestClient
from tests.harness.web.markup import Markup
from tests.harness.web.phone import Phone
from tests.tourney.web.table.test_confirming import confirmation, entered, sent
from tests.tourney.web.table.test_hands import BLANK, make_club, names_at, phone, sheets
from tourney.service.change import apply
from tourney.service.rounds import rounds
from tourney.service.rounds.edit_round import MovePlayer, Swap
from tourney.service.web import access

make_db = make_club


def swap(db: str, one: str, other: str) -> None:
    apply(db, MovePlayer(None, one, Swap(other)))


def points(db: str) -> dict[str, int]:
    """Return the points of the first hand that the one phone of table 1 has typed, by the names of players."""
    (sheet,) = sheets(db)
    return {sheet.table.players[seat].name: points for seat, points in sheet.hands[0].points.items()}


@pytest.mark.parametrize("seats", [(1, 2), (0, 3), (0, 1)])
def test_a_hand_that_was_typed_before_the_seats_were_changed_counts_for_its_players(
    pages: TestClient, db: str, seats: tuple[int, int]
) -> None:
    """The closer is the player who was chosen, in whatever seat; a phone without a network sends such a hand, too."""
    names, ana = names_at(db), phone(pages, db)
    ana.get()
    swap(db, names[seats[0]], names[seats[1]])
    assert ana.type_hand(1, BLANK).status_code == 303
    assert points(db) == dict(zip(names, (0, 20, 30, 40), strict=True))
    closer = sheets(db)[0].hands[0].closer
    assert closer is not None
    assert names_at(db)[closer] == names[0]


def test_a_mistake_and_an_answer_that_is_right_all_the_same_stay_with_their_player(pages: TestClient, db: str) -> None:
    names, ana = names_at(db), phone(pages, db)
    ana.get()
    swap(db, names[1], names[2])
    answer = ana.type_hand(1, BLANK | {"points-2": "105"})
    assert answer.status_code == 400
    shown = Markup(answer.text)
    (form,) = (each for each in shown.forms if each.action.endswith("/hands/1"))
    assert dict(form.fields)["points-3"] == "105"
    assert ("keep", "points-3") in form.buttons
    swap(db, names[1], names[2])
    assert ana.post("/hands/1", **form.filled(keep="points-3")).status_code == 303
    assert points(db) == dict(zip(names, (0, 105, 30, 40), strict=True))


def test_a_hand_that_is_corrected_is_the_one_that_was_typed_whatever_seats_its_players_have_by_then(
    pages: TestClient, db: str
) -> None:
    names, ana = names_at(db), phone(pages, db)
    ana.type_hand(1, BLANK)
    was = ana.field("was", "/hands/1")
    players = ana.players
    swap(db, names[1], names[3])
    fields = BLANK | {"points-2": "25", "was": was, "players": players}
    assert ana.type_hand(1, fields).status_code == 303
    assert points(db) == dict(zip(names, (0, 25, 30, 40), strict=True))


@pytest.mark.parametrize("named", ["as the page did", "nobody", "somebody twice"])
def test_a_hand_of_other_players_is_refused_and_stays_on_the_phone(pages: TestClient, db: str, named: str) -> None:
    """409 tells the phone to keep it. Without the names of its players no hand is taken."""
    names, ana = names_at(db), phone(pages, db)
    ana.get()
    if named == "as the page did":
        swap(db, names[3], names_at(db, 2)[0])
    one = ana.players.split(",")[0]
    players = {"as the page did": ana.players, "nobody": "", "somebody twice": ",".join([one] * 4)}[named]
    answer = ana.type_hand(1, {**BLANK, "players": players})
    assert (answer.status_code, "this was not taken: other players sit here now" in answer.text) == (409, True)
    assert sheets(db) == ()


def test_a_name_that_was_chosen_on_an_older_page_is_the_player_s(pages: TestClient, db: str) -> None:
    names, scanned, late = names_at(db), phone(pages, db, 0), phone(pages, db, 0)
    for each in (scanned, late):
        each.get()
    swap(db, names[1], names[2])
    assert scanned.post("/who", seat="2").status_code == 303
    assert names[1] in scanned.texts()
    swap(db, names[3], names_at(db, 2)[0])
    answer = late.post("/who", seat="4")
    assert (answer.status_code, "other players sit here now" in answer.text) == (409, True)


def test_a_pin_on_an_older_page_is_that_of_the_player_who_was_chosen(pages: TestClient, db: str) -> None:
    """The form named a seat, in which another player sat by then: wrong tries counted against that player."""
    names, ana = names_at(db), sent(pages, db)
    pins = [access.grant_pin(db, "Friday", name).pin for name in names]
    ana.get()
    swap(db, names[1], names[2])
    assert ana.post("/confirm", **confirmation(db), seat="2", pin=pins[1]).status_code == 303
    assert entered(db) == 1


LABELS = re.compile(
    r'<label for="([^"]+)"[^>]*>([^<]*)<|<input type="radio" id="([^"]+)"[^>]*> <span dir="auto">([^<]*)<'
)


def labels(of: Phone, path: str) -> dict[str, str]:
    """Return the labels of a page by the ids of their fields."""
    return {found[1] or found[3]: found[2] or found[4] for found in LABELS.finditer(of.get(path).text)}


@pytest.mark.parametrize("path", ["/hands/1", "/who"])
def test_the_id_of_a_field_names_a_player_whatever_seat_they_have(pages: TestClient, db: str, path: str) -> None:
    """A page that loads itself again keeps what is typed by ids: it gave the points of one player to another."""
    names = names_at(db)
    for name in names:
        access.grant_pin(db, "Friday", name)
    ana = [phone(pages, db, seat) for seat in (1, 2, 3, 4)][-1]
    before = labels(ana, path)
    players = rounds.show(db, None, 1).rounds[0].tables[0].players
    swap(db, names[1], names[2])
    assert labels(ana, path) == before
    assert {f"p{player.id}": player.name for player in players if path == "/hands/1" or player.name != names[3]} == {
        field.rpartition("-")[2]: label.removeprefix("PIN of ") for field, label in before.items() if "-p" in field
    }
