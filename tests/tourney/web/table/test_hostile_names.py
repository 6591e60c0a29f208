"""Tests of hostile names and texts at every step of a table's sheet: they stay text, and no step looks otherwise."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import slow
from tests.harness.web import hostile
from tests.harness.web.asking import client
from tests.harness.web.markup import Markup, escapes
from tests.harness.web.phone import Phone
from tests.tourney.web.table.test_hands import BLANK, names_at, sheets
from tourney.service.change import apply
from tourney.service.results.flags import AnswerFlag
from tourney.service.results.results import CorrectResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access
from tourney.service.web.submissions import KeepTyped, RefuseSheet

SEATS = 4
GROUPS = [hostile.names(500)[at : at + SEATS] for at in range(0, 500, SEATS)]


Shape = list[tuple[str, tuple[str, ...]]]
"""The elements of a page in order, each with the names of its attributes."""


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> list[Shape]:
    """The shapes of all steps with usual names."""
    return shapes(str(tmp_path_factory.mktemp("usual") / "club.db"), desk.NAMES[:SEATS], "a note")


@pytest.mark.parametrize("group", [GROUPS[0], *slow((names,) for names in GROUPS[1:])])
def test_hostile_names_and_texts_are_text_at_every_step(
    tmp_path: Path, usual: list[Shape], group: tuple[str, ...]
) -> None:
    """The elements and their attributes are those of the same steps with usual names."""
    found = shapes(str(tmp_path / "club.db"), group, " ".join(group)[:70])
    for step, (shape, usual_shape) in enumerate(zip(found, usual, strict=True)):
        assert shape == usual_shape, step


def shapes(db: str, names: tuple[str, ...], text: str) -> list[Shape]:
    """Return the elements of each step of a sheet of these players, and assert that nothing in it escapes."""
    desk.copied(db, make, names)
    seated = names_at(db)
    token, found = access.grant_tables(db, None)[0].token, list[str]()
    with client(db, entry=True) as pages:
        ana, luis, carmen = (Phone(pages, token) for _phone in range(3))
        found.append(ana.get().text)
        for seat, each in enumerate((ana, luis, carmen), 1):
            each.post("/who", seat=str(seat))
        # A text may be like a name of the table, which is then suggested: only what escapes is looked at.
        doubtful = ana.type_hand(1, BLANK | {"closer": text}).text
        found.append(ana.type_hand(1, BLANK | {"points-2": text}).text)
        ana.type_sheet(seated, desk.hands(seated)[:2])
        found += [ana.get().text, luis.get().text]
        sheet = sheets(db)[0]
        apply(db, KeepTyped("Friday", 1, 1, sheet.id, sheet.device, 0, desk.hands(seated)))
        found += [ana.get().text, ana.send().text, luis.get().text]
        luis.post("/copy", id=sheets(db)[0].id)
        luis.type_hand(1, BLANK | {"points-2": "25"})
        found += [luis.send().text, carmen.get().text]
        apply(db, RefuseSheet("Friday", sheets(db)[1].id, text))
        found.append(luis.get().text)
        luis.post("/flags", text=text, flag="0")
        apply(db, AnswerFlag(None, 1, text))
        carmen.post("/confirm", id=carmen.field("id"), digest=carmen.field("digest"))
        apply(db, CorrectResult(None, 1, 1, desk.hands(seated, (1, 0, 2, 3, 0, 1, 2)), text))
        found.append(carmen.get().text)
        access.revoke(db, "Friday", 1, 1)
        found.append(carmen.get().text)
    assert [fault for page in (*found, doubtful) for fault in escapes(page)] == []
    return [[(tag, tuple(values)) for tag, values in Markup(page).elements] for page in found]


def make(db: str, names: tuple[str, ...]) -> None:
    desk.club_of(db, names, size=SEATS, rounds=2)
    apply(db, DrawRound())
