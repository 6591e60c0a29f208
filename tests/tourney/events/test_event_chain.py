"""The chain of an event: its lines, its code, and the file that the guide's page shows.

Hashes are computed here with hashlib alone, by the words of the page.
"""

import hashlib
import json
import re
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.pages import event_file as page_event
from tourney.domain.events import EventSettings
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.event_chain import event_code
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent, UseEvent
from tourney.service.lookup import find_event
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.storage.journal.kinds import KINDS, is_of_events
from tourney.storage.journal.partitions import UNDIVIDED
from tourney.storage.session import reading

PAGE = Path(__file__).resolve().parents[3] / "tourney" / "guide" / "event-file.md"


def chain_of(text: str) -> list[dict]:
    """Return the values of a file's lines, each hash checked as the page says."""
    values, before = [], ""
    assert text.endswith("\n")
    for line in text[:-1].split("\n"):
        digits, blank, value = line.partition(" ")
        assert blank == " "
        assert hashlib.sha256(f"{before}\n{value}".encode()).hexdigest() == digits
        values.append(json.loads(value))
        assert json.dumps(values[-1], sort_keys=True, separators=(",", ":"), ensure_ascii=False) == value
        before = digits
    return values


def code_of(db: str, name: str = "Friday") -> str:
    with reading(db) as reader:
        return event_code(reader, find_event(reader, name))


def test_the_file_on_the_page_is_what_the_program_writes(tmp_path: Path) -> None:
    db = str(tmp_path / "page.db")
    page_event.make(db)
    text = page_event.text(db)
    shown = re.search(r"^```text friday.event\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert shown is not None
    assert shown[1] == text, "python -m tests.harness.pages.event_file"
    values = chain_of(text)
    assert [value.get("kind", "") for value in values] == [
        "",
        *("event.new", "event.enter", "round.draw", "result.enter", "undo", "redo", "ruling.add"),
        *("", "", "", ""),
    ]
    assert values[-1] == {"entries": 7, "head": text.split("\n")[7][:64], "people": 3, "records": 0}
    assert code_of(db) == values[-1]["head"][:16]
    assert f"Its code is `{code_of(db)}`." in PAGE.read_text(encoding="utf-8")


def test_a_code_is_found_in_every_later_file_whatever_happens_to_names(db: str) -> None:
    """The code after each change is the beginning of the hash of the entry that was the newest then."""
    desk.event(db, 8)
    codes = [code_of(db)]
    changes = (
        RenamePlayer("Ana", label="Getxo"),
        UseEvent("Friday"),
        RegisterPlayers(["Zoe"]),
        ErasePlayer("Beñat"),
        CreateEvent(EventSettings("Other", "oficial")),
        EnterPlayers("Friday", ["Zoe"]),
        Undo(),
        Redo(),
        MergePlayers("Ana (Getxo)", "Zoe"),
        FinishEvent("Friday", incomplete=True),
    )
    lengths = []
    for change in changes:
        apply(db, change)
        codes.append(code_of(db))
        lengths.append(len(dict.fromkeys(codes)))
    assert lengths == [1, 1, 1, 1, 1, 2, 3, 4, 5, 6], "only what concerns the event changes its code"
    lines = [line[:16] for line in page_event.text(db).split("\n")]
    assert [code for code in lines if code in codes] == list(dict.fromkeys(codes))


def test_people_stand_below_the_entries_as_they_are_called_today(db: str) -> None:
    desk.event(db, 4, bots="greedy:1")
    apply(db, RegisterPlayers(["Anna"], club="Txoko"))
    apply(db, EnterPlayers("Friday", ["Anna"]))
    for change in (RenamePlayer("Ana", club="Getxo"), MergePlayers("Ana", "Anna"), ErasePlayer("Carmen")):
        apply(db, change)
    people = [value for value in chain_of(page_event.text(db)) if "person" in value]
    assert people == [
        {"person": 1, "name": "Ana", "club": "Getxo"},
        {"person": 2, "name": "Beñat"},
        {"person": 3},
        {"person": 4, "name": "Diego"},
        {"person": 5, "bot": "greedy-1"},
        {"person": 6, "name": "Anna", "club": "Txoko", "merged": 1},
    ]


def test_numbers_begin_at_one_whatever_they_are_in_the_database(db: str) -> None:
    """People of earlier registrations and events take the first numbers of the database."""
    apply(db, RegisterPlayers(["X", "Y"]))
    apply(db, CreateEvent(EventSettings("Other", "oficial")))
    page_event.make(db)
    values = chain_of(page_event.text(db))
    assert [value["payload"]["event"] for value in values if value.get("kind", "").startswith("event.")] == [1, 1]
    assert [value["payload"]["players"] for value in values if value.get("kind") == "event.enter"] == [[1, 2, 3]]
    drawn = next(value["payload"] for value in values if value.get("kind") == "round.draw")
    assert drawn["tables"] == [{"table": 1, "players": [2, 1, 3]}]
    assert drawn["plan"][0]["rounds"] == {"1": [[2, 1, 3]]}


def test_every_kind_of_entry_of_an_event_says_where_it_names_people() -> None:
    """A kind belongs to events if it writes a partition that is divided by them."""
    of_events = {name for name, kind in KINDS.items() if not UNDIVIDED.issuperset(kind.parts)}
    assert of_events - {"event.import", "event.delete"} == {name for name in KINDS if is_of_events(name)}


@pytest.mark.parametrize("closer", ["#12", None], ids=["closed", "dead"])
def test_a_partial_sheet_names_people_in_its_hands(closer: str | None) -> None:
    hand = {"points": {"#12": 0, "#7": 5}, "left": {"#7": "Kh"}, "closer": closer, "buys": ["#7"], "declined": ["#12"]}
    payload = {"event": 9, "round": 1, "table": 1, "hands": [hand | {"contract": "TT"}], "people": [7, 12]}
    numbers = {7: 1, 12: 2}
    assert KINDS["result.partial"].renumbered(payload, lambda _event: 1, numbers.__getitem__) == {
        "event": 1,
        "round": 1,
        "table": 1,
        "people": [1, 2],
        "hands": [
            {
                "contract": "TT",
                "points": {"#2": 0, "#1": 5},
                "left": {"#1": "Kh"},
                "closer": None if closer is None else "#2",
                "buys": ["#1"],
                "declined": ["#2"],
            }
        ],
    }
