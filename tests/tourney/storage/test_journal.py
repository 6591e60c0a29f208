"""The journal's text and hashes."""

import hashlib
import json

import pytest

from tests.harness import desk
from tourney.storage.journal.entries import FIRST, Entry, chain_hash, entry_text, parse_entry

ACT = Entry("a" * 32, "event.use", "2026-11-20T20:00:00.000000Z", "a" * 32, {"event": 3})


def test_an_entry_is_one_line_of_sorted_json_without_blanks() -> None:
    """Anybody can write the same line: keys in order, no blanks, letters as they are."""
    act = Entry("b" * 32, "event.new", ACT.time, "b" * 32, {"name": "Año «1»", "event": 1})
    text = entry_text(act)
    assert "\n" not in text
    assert "Año «1»" in text
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert parse_entry(text) == act


def test_a_hash_covers_the_hash_before_and_the_text() -> None:
    """hash = sha256(previous hash, line feed, text), as the design says."""
    text = entry_text(ACT)
    first = hashlib.sha256(b"\n" + text.encode()).hexdigest()
    assert chain_hash(FIRST, text) == first
    assert chain_hash(first, text) == hashlib.sha256(first.encode() + b"\n" + text.encode()).hexdigest()


@pytest.mark.parametrize("payload", [{"a": 1.0}, {"a": [1, {"b": 2.5}]}, {"a": (0.1,)}, {1: 2}])
def test_an_entry_holds_no_float_and_no_number_as_a_key(payload: dict) -> None:
    """Check that values whose text is not the same everywhere are refused."""
    with pytest.raises(TypeError):
        entry_text(Entry("c" * 32, "event.use", ACT.time, "c" * 32, payload))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        entry_text(ACT).replace('"v":1', '"v":2'),
        entry_text(ACT).replace(",", ", "),
        entry_text(ACT).replace('"v":1', '"v":1,"x":2'),
    ],
)
def test_a_line_that_is_not_canonical_is_no_entry(text: str) -> None:
    """Blanks, unknown fields and versions, and whatever is no JSON."""
    with pytest.raises(ValueError, match=r"it is|version"):
        parse_entry(text)


def test_the_chain_in_the_file_can_be_followed_without_the_program(tmp_path) -> None:
    """SHA-256 and the texts alone give every hash, the head among them."""
    db = desk.everything(tmp_path / "club.db")
    before = ""
    for text, found in desk.query(db, "SELECT text, hash FROM act ORDER BY number"):
        before = hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
        assert found == before
    assert desk.query(db, "SELECT hash FROM head") == [(before,)]


def test_names_of_people_are_in_no_entry(tmp_path) -> None:
    """Check that entries hold numbers, so that a person can be renamed or erased."""
    db = desk.everything(tmp_path / "club.db")
    acts = "\n".join(row[0] for row in desk.query(db, "SELECT text FROM act"))
    assert "Friday" in acts
    assert not [name for name in (*desk.NAMES, "Iker", "Noa") if name in acts]


def test_all_entries_of_a_command_have_the_id_of_its_first(tmp_path) -> None:
    """Check that an import is one command of many entries, so that it can be undone whole."""
    db = desk.evening(tmp_path / "club.db")
    acts = [json.loads(row[0]) for row in desk.query(db, "SELECT text FROM act ORDER BY number")]
    assert [act["kind"] for act in acts[:3]] == ["player.add", "event.new", "event.enter"]
    assert {act["batch"] for act in acts[1:]} == {acts[1]["id"]}
    assert acts[0]["batch"] == acts[0]["id"]
