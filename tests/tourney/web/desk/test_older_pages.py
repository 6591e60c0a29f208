"""Tests that a form of an older page of the desk undoes nothing that the other desk has done since."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.evening.weekend import FINAL, planned, play_round, with_stages
from tests.harness.web import routes
from tests.harness.web.asking import HOST, ORIGIN, TestClient, client, press
from tests.harness.web.markup import Form, Markup
from tests.tourney.stages.test_cuts import equal_seconds
from tourney.domain.rounds import Stage
from tourney.service import database
from tourney.service.admin.journal import Undo, log
from tourney.service.change import Change, apply
from tourney.service.events.attendance import CheckInPlayers, TakeBackCheckIn, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import FinishEvent, ReopenEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import RenamePlayer
from tourney.service.results.entry import KeepPartialSheet
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seasons.seasons import CountEvents, CreateSeason
from tourney.service.web.as_seen import KINDS
from tourney.web.server import Server, Settings

MAY_BE_OLD = {
    "/desk/name": "it says who is at this browser",
    "/desk/sign-out": "it ends this browser's own key",
    "/desk/desks": "it makes an address, or ends the one key that it names",
    "/desk/network": "it says which state it wants",
    "/desk/screen": "it says what the projector shows",
    "/desk/backup": "it changes nothing",
    "/desk/paper/mirrors": "it adds a folder",
    "/desk/paper/mirrors/remove": "it names the folder",
    "/desk/undo": "it has the number of the change, which is refused if another one is the last",
    "/desk/events use": "it names the event",
    "/desk next": "it adds an event",
    "/desk/events/new": "it adds an event",
    "/desk/events/import": "it adds an event, and has the digest of the file that was seen",
    "/desk/events/seasons create": "it adds a season",
    "/desk/events/settings": "it sends each field with its value before",
    "/desk/events/club": "it sends each field with its value before",
    "/desk/events/club/logo": "it says which picture it wants",
    "/desk/events/club/no-logo": "it says that it wants no picture",
    "/desk/people/add add": "it adds a person",
    "/desk/people/enrol": "it adds people",
    "/desk/people/constraints add": "it adds a constraint",
    "/desk/people/constraints clubs": "it adds a constraint",
    "/desk/results/{round}/{table}/enter check": "it changes nothing",
    "/desk/results/{round}/{table}/correct check": "it changes nothing",
    "/desk/results/{round}/{table}/correct moves": "it changes nothing",
    "/desk/rulings": "it adds a ruling",
    "/desk/rulings/flags": "it adds a flag",
    "/desk/paper/phones/signs": "it makes new codes, and its page says that the earlier ones end",
    "/desk/paper/phones/codes": "it makes new codes, and its page says that the earlier ones end",
    "/desk/paper/phones/pin": "it makes a PIN, and its page says that the earlier one ends",
    "/desk/paper/phones/revoke": "it ends all keys of the table that it names",
    "/desk/paper/phones/release": "it has the key of the phone, and ends no other phone's",
}
"""The forms that may be sent from an older page, by their page and button, each with the reason."""


# --- every form ---------------------------------------------------------------------------------------------------


def names_at(db: str, number: int = 1, round_number: int = 1) -> list[str]:
    return [player.name for player in rounds.show(db, None, round_number).rounds[0].tables[number - 1].players]


def sheet(db: str, closers: Sequence[int] = (0, 1, 2, 3, 0, 1, 2), table: int = 1) -> EnterResult:
    return EnterResult(None, 1, table, desk.hands(names_at(db, table), closers))


def evening(db: str) -> None:
    """An evening in whose played round a phone has a seat and a correction is begun."""
    routes.evening(db)
    routes.handsets(db)


def played(db: str) -> None:
    """A round that is played, with a begun sheet, a clock, and a season."""
    desk.event(db, 8, rounds=3, checkin="required")
    apply(db, CheckInPlayers("Friday", desk.NAMES))
    apply(db, DrawRound("Friday"))
    apply(db, ChangeClock("Friday", "start", minutes=30))
    apply(db, KeepPartialSheet("Friday", 1, 1, desk.hands(names_at(db))[:1]))
    apply(db, ConstrainSeating("Friday", apart=["Ana,Hugo"]))


def before(db: str) -> None:
    """An evening before its first round, with a player who has left and one who is here."""
    desk.event(db, 8, rounds=3, checkin="required")
    apply(db, WithdrawPlayers("Friday", ["Hugo"]))
    apply(db, CheckInPlayers("Friday", ["Ana"]))


def finished(db: str) -> None:
    """An event that is finished."""
    desk.event(db, 8, rounds=1)
    apply(db, FinishEvent("Friday", incomplete=True))


def play_off(db: str) -> None:
    """A cut that a play-off hand decides."""
    with_stages(db, 12, Stage("Qualifying", 1, "rotation"), planned(FINAL, ties="play-off"))
    play_round(db, equal_seconds)


EVENINGS: tuple[Callable[[str], None], ...] = (evening, played, before, finished, play_off)


def key_of(form: Form, button: tuple[str, str]) -> str:
    """Return the page of a form, and what its button does."""
    page = routes.pattern_of(form.action, "POST")
    return page if page in MAY_BE_OLD or button[0] != "do" else f"{page} {button[1]}"


CHOSEN = ("/desk/rounds/move?player=Ana&to=out", "/desk/people/1/mistake?of=Hugo")
"""Pages that no link leads to: somebody has chosen something on them first."""


def forms_of(pages: TestClient) -> Iterator[Form]:
    """Yield the forms of all pages of the desk."""
    for text in (*routes.reached(pages, audiences=("desk",)).values(), *(pages.get(path).text for path in CHOSEN)):
        yield from (form for form in Markup(text).forms if form.method == "POST" and form.action.startswith("/desk"))


class Open:
    """A switch of a desk that is open to the network, and stays so."""

    is_open = True

    def open(self) -> str:
        return ""

    def close(self) -> None:
        pass


def test_every_form_of_the_desk_may_be_old_or_is_refused_with_another_mark(tmp_path: Path) -> None:
    """Each is found on the pages of several evenings; every page of the desk that takes a form is among them."""
    found, stick = set[str](), tmp_path / "stick"
    stick.mkdir()
    for begin in EVENINGS:
        db = desk.copied(tmp_path / f"{begin.__name__}.db", begin)
        database.add_mirror(db, str(stick))
        server = Server(Settings(db, None, True, frozenset({HOST}), "http://club.test/"), network=Open())
        with client(db, address="127.0.0.1", signed_in=True, server=server) as pages:
            entries = len(log(db).lines)
            for form in forms_of(pages):
                for button in form.buttons or [("", "")]:
                    key = key_of(form, button)
                    if key not in {*found, *MAY_BE_OLD}:
                        assert (key, "about" in dict(form.fields)) == (key, True)
                        assert (key, send_old(pages, form, button)) == (key, 409)
                    found.add(key)
            assert len(log(db).lines) == entries
    assert set(MAY_BE_OLD) - found == set()
    assert {page.path for page in routes.pages_for("desk", method="POST")} == {key.partition(" ")[0] for key in found}


def send_old(pages: TestClient, form: Form, button: tuple[str, str]) -> int:
    """Send a form, its sheet filled in, as if its page had shown something else; return the status."""
    blank = [name for name, value in form.fields if "points-" in name and not value and "/correct" not in form.action]
    sheets = {name: "0" if name.endswith("-1") else "30" for name in blank}
    values = form.filled(**sheets, mark="0" * 16, **({button[0]: button[1]} if button[0] else {}))
    return pages.post(form.action, data=values, headers=ORIGIN).status_code


# --- every kind of mark -------------------------------------------------------------------------------------------

Step = Change[object] | Callable[[str], Change[object]]
"""A change, or the function that returns it for a database."""

DRAWN = DrawRound("Friday", anyway=True)
ASKED = ChangeSettings("Friday", {"checkin": "required"})
FLAG, NOTE = RaiseFlag("Friday", 1, 1, "who deals?"), AddRuling("Friday", Decision("note", "a phone rang", 1, 1))
APART = ConstrainSeating("Friday", apart=["Ana,Hugo"])
FINISHED = FinishEvent("Friday", incomplete=True)
NEVER_CAME = "All who are not here yet never came"
WHY = {"reason": "why"}


def begun(hands: int) -> Step:
    """Return the step that keeps so many hands of the sheet of table 1."""
    return lambda db: KeepPartialSheet("Friday", 1, 1, desk.hands(names_at(db))[:hands])


def other_sheet(db: str) -> Change[object]:
    return sheet(db, (1,) * 7)


def second_sheet(db: str) -> Change[object]:
    return sheet(db, table=2)


SCENES: dict[str, tuple[str, Sequence[Step], str, str, dict[str, str], Sequence[Step]]] = {
    "who is here, before the list is closed": (
        "people",
        [ASKED],
        "/desk/people",
        NEVER_CAME,
        {},
        [CheckInPlayers("Friday", ["Ana"])],
    ),
    "a check-in that was taken back": (
        "people",
        [ASKED, CheckInPlayers("Friday", ["Ana"])],
        "/desk/people",
        "Everybody who has not left is here",
        {},
        [TakeBackCheckIn("Friday", ["Ana"])],
    ),
    "somebody who has left": ("people", [ASKED], "/desk/people", "Check in", {}, [WithdrawPlayers("Friday", ["Ana"])]),
    "somebody who is here": ("people", [], "/desk/people/1", "Never came", {}, [CheckInPlayers("Friday", ["Ana"])]),
    "a name": ("name", [], "/desk/people/1", "Save", {"club": "Getxo"}, [RenamePlayer("Ana", "Anabel")]),
    "a seat": ("mistake", [], "/desk/people/1/mistake", "Take them out of the event", {}, [DRAWN]),
    "a constraint": (
        "constraints",
        [APART],
        "/desk/people/constraints",
        "Remove",
        {},
        [ConstrainSeating("Friday", never=["Ana,Hugo"])],
    ),
    "a draw": ("rounds", [], "/desk/rounds", "Draw round 1", {}, [DRAWN]),
    "a clock": (
        "clock",
        [DRAWN, ChangeClock("Friday", "start", minutes=30)],
        "/desk/rounds",
        "5 minutes more",
        {},
        [ChangeClock("Friday", "set", minutes=60)],
    ),
    "another result": (
        "table",
        [DRAWN, sheet],
        "/desk/results/1/1",
        "Make the result void",
        WHY,
        [VoidResult("Friday", 1, 1, "why"), other_sheet],
    ),
    "more of a sheet": ("table", [DRAWN, begun(1)], "/desk/results/1/1", "Discard what is typed", WHY, [begun(2)]),
    "a sheet that was kept": (
        "typed",
        [DRAWN],
        "/desk/results/1/1/enter",
        "Keep what is typed for later",
        {"1.points-1": "0", "1.points-2": "30", "1.points-3": "40", "1.points-4": "55"},
        [begun(2)],
    ),
    "results of an event": ("event", [DRAWN, sheet], "/desk/events/delete", "Delete the event", {}, [second_sheet]),
    "a round of an event": (
        "event",
        [DRAWN, sheet, second_sheet],
        "/desk/events/finish",
        "Finish the event",
        {},
        [DRAWN],
    ),
    "an event that was finished again": (
        "event",
        [FINISHED],
        "/desk/events/finish",
        "Open it again",
        WHY,
        [ReopenEvent("Friday", "why"), FINISHED],
    ),
    "an answer": (
        "flag",
        [DRAWN, FLAG],
        "/desk/rulings",
        "Answer the call",
        {"answer": "seat 2"},
        [AnswerFlag("Friday", 1, "1")],
    ),
    "another ruling of its number": (
        "ruling",
        [DRAWN, NOTE],
        "/desk/rulings",
        "Cancel this decision",
        {"why": "why"},
        [Undo(), AddRuling("Friday", Decision("note", "a card fell", 1, 1))],
    ),
    "what counts": (
        "season",
        [CreateSeason("Autumn")],
        "/desk/events/seasons",
        "Delete the season",
        {},
        [CountEvents("Autumn", ["Friday"])],
    ),
}
"""Changes of the other desk: the kind of mark, the steps before, the page, its button and fields, and the changes."""


def make(db: str, steps: Sequence[Step]) -> None:
    for step in steps:
        apply(db, step(db) if callable(step) else step)


@pytest.mark.parametrize("what", SCENES)
def test_what_the_other_desk_has_changed_stays(db: str, pages: TestClient, what: str) -> None:
    """The page was loaded before the change; its form was taken without a word, and undid the change."""
    _kind, steps, path, button, typed, others = SCENES[what]
    make(db, steps)
    old = pages.get(path).text
    make(db, others)
    entries = len(log(db).lines)
    answer = press(pages, path, button, typed, shown=old)
    assert (answer.status_code, "somebody has changed this while the page was open" in answer.text) == (409, True)
    assert len(log(db).lines) == entries


def test_every_kind_of_mark_has_a_scene() -> None:
    assert {kind for kind, *_rest in SCENES.values()} == {*KINDS, "season"}


def test_the_page_that_refuses_shows_what_is_there_now_and_may_be_sent(db: str, pages: TestClient) -> None:
    make(db, [ASKED])
    old = pages.get("/desk/people").text
    make(db, [CheckInPlayers("Friday", ["Ana"])])
    again = press(pages, "/desk/people", NEVER_CAME, shown=old).text
    form = next(form for form in Markup(again).forms if ("do", "none") in form.buttons)
    assert pages.post(form.action, data=form.filled(do="none"), headers=ORIGIN).status_code == 303
    event = rounds.show(db).event
    assert event.states == ("checked in", *["no-show"] * 7)


def test_a_sheet_that_is_checked_keeps_the_mark_of_the_page_that_was_loaded(db: str, pages: TestClient) -> None:
    """A look at the sheet would have taken the place of the look at what the other desk had kept."""
    make(db, [DRAWN])
    path, typed = "/desk/results/1/1/enter", {"1.points-1": "0", "1.points-2": "30", "1.points-3": "40"}
    old = pages.get(path).text
    make(db, [begun(2)])
    checked = press(pages, path, "Check it only", {**typed, "1.points-4": "55"}, shown=old).text
    refused = press(pages, path, "Keep what is typed for later", shown=checked)
    assert refused.status_code == 409
    assert press(pages, path, "Keep what is typed for later", shown=refused.text).status_code == 303


@pytest.mark.parametrize("about", ["nothing", "table", "table x", "people 9999999", "season", "event 1 2 3"])
def test_a_form_about_what_is_not_there_is_refused_in_one_line(pages: TestClient, about: str) -> None:
    data = {"event": "Friday", "about": about, "mark": "0" * 16, "do": "finish"}
    answer = pages.post("/desk/events/finish", data=data, headers=ORIGIN)
    assert answer.status_code in (400, 409)
