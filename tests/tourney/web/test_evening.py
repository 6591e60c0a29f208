"""Tests of a whole evening in Chromium with no command typed: desk, phones and projector, and what happens to them.

Its seating, sheets and standings are those of the same evening done by commands.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.harness import desk as sheets
from tests.harness.commands import Runner
from tests.harness.web.browser import BROWSED
from tests.harness.web.evening import Club, Desk, Phone, club
from tests.harness.web.process import program
from tourney.domain.results import SheetHand

pytestmark = BROWSED

NAMES = (
    *("Ana", "Beñat", "Carmen", "Diego", "Elena", "Félix", "Gloria", "Hugo", "Irene", "Jon", "Karmele"),
    *("Lucía", "Mateo", "Nerea", "Óscar", "Pilar", "Quique", "Rosa", "Sergio", "Teresa", "Unai", "Valeria"),
)
LATE = "Ximena"
ROUNDS = 2
SETTINGS = {"date": "2026-11-20"}


def planned(names: Sequence[str], number: int, table: int) -> list[SheetHand[str]]:
    """Return the sheet of a table: 0 points for the closer, seat s (from 0) otherwise 20 + 10 s."""
    return sheets.hands(names, [(at + number + table) % len(names) for at in range(7)])


def seating(run: Runner, db: str, number: int) -> dict[int, list[str]]:
    """Return the names at each table of a round, read by a command that changes nothing."""
    return dict(enumerate(run("round", "show", "--json", "--db", db).json["rounds"][number - 1], 1))


def state(run: Runner, db: str) -> list[Any]:
    """Return seating, sheets and standings, as commands show them."""
    shown = (("round", "show"), ("result", "show"), ("standings",))
    return [run(*words, "--json", "--db", db).json for words in shown]


def drawn_by_commands(run: Runner, db: str, rounds: int, names: Sequence[str]) -> None:
    """Create the event with its name as its seed, as the card of a new event does, and draw its first round."""
    options = ("--seed", "Friday", *(word for name, value in SETTINGS.items() for word in (f"--{name}", value)))
    create = ("event", "new", "Friday", "--rounds", str(rounds), "--checkin", "required", *options)
    for words in (create, ("event", "enter", *names, "--add"), ("event", "checkin", "--all"), ("round", "draw")):
        assert run(*words, "--db", db).code == 0


def enter_by_command(run: Runner, db: str, number: int, table: int, names: Sequence[str]) -> None:
    hands = [
        f"--hand={hand.contract} {' '.join(f'{name}={points}' for name, points in hand.points.items())}"
        for hand in planned(names, number, table)
    ]
    done = run("result", "enter", "--round", str(number), "--table", str(table), *hands, "--db", db)
    assert done.code == 0, done.err


def played_by_commands(run: Runner, db: str) -> None:
    """Play the evening by commands, in the order in which the desk does."""
    drawn_by_commands(run, db, ROUNDS, NAMES)
    for table, names in seating(run, db, 1).items():
        enter_by_command(run, db, 1, table, names)
    for words in (("event", "enter", LATE, "--add"), ("event", "checkin", LATE), ("round", "draw")):
        assert run(*words, "--db", db).code == 0
    tables = seating(run, db, 2)
    small = smallest(tables)
    assert run("round", "dissolve", "--table", str(small), "--reason", "too few players", "--db", db).code == 0
    del tables[small]
    for table, names in tables.items():
        enter_by_command(run, db, 2, table, names)
    assert run("event", "finish", "--db", db).code == 0


def smallest(tables: dict[int, list[str]]) -> int:
    return min(tables, key=lambda table: len(tables[table]))


def test_an_evening_of_one_table_has_no_command_typed(browser: Browser, tmp_path: Path, run: Runner) -> None:
    db, names = str(tmp_path / "club.db"), NAMES[:4]
    with program(db, "desk", "--host", "0.0.0.0", "--no-open") as server, club(browser, server) as people:
        desk = people.desk("Marta")
        desk.create("Friday", rounds="1", **SETTINGS)
        desk.enrol(names)
        desk.all_here()
        desk.draw(1)
        desk.publish()
        address = desk.addresses()[1]
        seats = seating(run, db, 1)[1]
        first, second = people.at_table(seats)
        first.scan(address)
        first.type_sheet(seats, planned(seats, 1, 1))
        second.scan(address)
        first.send()
        second.confirm(address)
        first.expect_result()
        desk.finish()
    other = str(tmp_path / "commands.db")
    drawn_by_commands(run, other, 1, names)
    enter_by_command(run, other, 1, 1, seating(run, other, 1)[1])
    assert state(run, db) == state(run, other)


@pytest.mark.slow
def test_an_evening_of_23_has_no_command_typed_whatever_happens(browser: Browser, tmp_path: Path, run: Runner) -> None:
    db = str(tmp_path / "club.db")
    with program(db, "desk", "--host", "0.0.0.0", "--no-open") as server, club(browser, server) as people:
        desk = people.desk("Marta")
        desk.create("Friday", rounds=str(ROUNDS), **SETTINGS)
        desk.enrol(NAMES)
        desk.check_in("Ana", "Beñat", "Carmen")
        desk.all_here()
        wall = people.projector()
        desk.draw(1)
        assert "Quique" not in wall.locator(".seating, .tables").all_inner_texts()
        desk.publish()
        expect(wall.locator(".seating")).to_contain_text("Quique")
        people.screens.keep(wall, "projector")
        first_round(people, desk, seating(run, db, 1))
        expect(wall.locator(".tables")).to_contain_text("complete")
        desk.enrol([LATE], Anna="Ana")
        desk.check_in(LATE)
        desk.draw(2)
        desk.publish()
        second_round(people, desk, wall, seating(run, db, 2))
        desk.finish()
        desk.open("/")
        people.screens.keep(desk.page, "standings")
    other = str(tmp_path / "commands.db")
    played_by_commands(run, other)
    assert state(run, db) == state(run, other)
    assert run("db", "check", "--db", db).code == 0


def first_round(people: Club, desk: Desk, tables: dict[int, list[str]]) -> None:
    """Play round 1: something happens at every table."""
    addresses = desk.addresses()
    assert set(addresses) == set(tables) == set(range(1, 7))
    one, *others = (Sitting(people, number, names, addresses[number]) for number, names in tables.items())
    typed_wrongly(one, desk)
    two, three, four, five, six = others
    two_sheets_that_disagree(two, desk)
    without_a_network(three)
    asleep(four)
    server_killed(five, desk)
    desk.enter(1, six.number, six.names, six.hands)
    desk.undo_and_put_back()


class Sitting:
    """A table of a round with two phones, and the sheet that is played there."""

    def __init__(self, people: Club, number: int, names: list[str], address: str, round_number: int = 1) -> None:
        self.people, self.number, self.names, self.address = people, number, names, address
        self.hands = planned(names, round_number, number)
        self.round = round_number

    def keep(self, page: Page, name: str) -> None:
        """Keep a picture of a page."""
        self.people.screens.keep(page, name)

    def phones(self) -> tuple[Phone, Phone]:
        """Return the phones of two players, of which the first has scanned the sign."""
        first, second = self.people.at_table(self.names)
        first.scan(self.address)
        return first, second


def typed_wrongly(at: Sitting, desk: Desk) -> None:
    """A number that cannot be is doubted, the right one proposed; the table calls the desk, which answers."""
    first, second = at.phones()
    first.mistype(1, at.names, at.hands[0], "330", 30)
    first.call_desk("a card is bent")
    desk.answer_flag("a card is bent", "a new pack is on its way")
    expect(first.page.locator("ul.flags")).to_contain_text("a new pack is on its way")
    at.keep(first.page, "hand")
    first.type_sheet(at.names, at.hands, 2)
    at.keep(first.page, "review")
    second.scan(at.address)
    first.send()
    second.confirm(at.address)
    at.keep(second.page, "result")
    first.expect_result()


def two_sheets_that_disagree(at: Sitting, desk: Desk) -> None:
    """Each phone shows the difference, neither sheet counts, and the desk takes one of them."""
    first, second = at.phones()
    second.scan(at.address)
    other = sheets.hands(at.names, [(at.hands[0].points[at.names[0]] == 0) + at.number + 2] * 7)
    assert other != at.hands
    first.type_hand(1, at.names, at.hands[0])
    expect(second.page.locator("main")).to_contain_text(f"{first.name} is typing")
    at.keep(second.page, "warned")
    second.page.get_by_role("link", name="Type my own sheet").click()
    second.type_sheet(at.names, other)
    second.send()
    first.type_sheet(at.names, at.hands, 2)
    first.send()
    expect(first.page.locator(".differ")).to_be_visible()
    expect(second.page.locator(".differ")).to_be_visible()
    at.keep(first.page, "differ")
    desk.take(at.round, at.number, first.name)
    first.expect_result()
    second.expect_result()


def without_a_network(at: Sitting) -> None:
    """Five hands are typed without a network; they are sent by themselves when it is back."""
    first, second = at.phones()
    first.type_sheet(at.names, at.hands[:2])
    first.context.set_offline(True)
    for number in range(3, 8):
        first.keep(number, at.names, at.hands[number - 1])
        expect(first.page.locator("#kept")).to_contain_text("Kept on this phone")
    at.keep(first.page, "offline")
    first.context.set_offline(False)
    first.expect_hand(8)
    second.scan(at.address)
    first.send()
    second.confirm(at.address)
    first.expect_result()


def asleep(at: Sitting) -> None:
    """A phone that slept while the other one confirmed shows the result soon after it is woken."""
    first, second = at.phones()
    first.type_sheet(at.names, at.hands)
    second.scan(at.address)
    first.send()
    first.sleep()
    second.confirm(at.address)
    first.wake()
    first.expect_result()


def server_killed(at: Sitting, desk: Desk) -> None:
    """The server is killed between two hands: no hand is lost, and phones go on when it is started again.

    The page of the desk that was open says that its run has ended, and the desk signs in again.
    """
    first, second = at.phones()
    first.type_sheet(at.names, at.hands[:3])
    at.people.server.kill()
    first.keep(4, at.names, at.hands[3])
    expect(first.page.locator("#kept")).to_contain_text("Kept on this phone")
    at.people.server.start()
    expect(desk.page.locator("main")).to_contain_text("this run of the desk has ended")
    desk.page = at.people.desk("Marta").page
    first.expect_hand(5)
    first.type_sheet(at.names, at.hands, 5)
    second.scan(at.address)
    first.send()
    second.confirm(at.address)
    first.expect_result()


def second_round(people: Club, desk: Desk, wall: Page, tables: dict[int, list[str]]) -> None:
    """Play round 2 on phones, without a table that is dissolved."""
    addresses = desk.addresses()
    small = smallest(tables)
    left, _other = Sitting(people, small, tables[small], addresses[small], 2).phones()
    desk.dissolve(small)
    expect(left.page.locator("main")).to_contain_text("dissolved")
    expect(wall.locator(".tables")).not_to_contain_text(tables[small][0])
    for number in sorted(set(tables) - {small}):
        at = Sitting(people, number, tables[number], addresses[number], 2)
        first, second = at.phones()
        first.type_sheet(at.names, at.hands)
        second.scan(at.address)
        first.send()
        second.confirm(at.address)
