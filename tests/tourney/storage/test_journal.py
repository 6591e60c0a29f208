"""Tests of the texts and hashes of the journal."""

import hashlib
import json
from dataclasses import replace

import pytest

from tests.harness import desk
from tourney.storage.journal.entries import FIRST, Entry, chain_hash, entry_text, parse_entry

ENTRY = Entry("a" * 32, "event.use", "2026-11-20T20:00:00.000000Z", "a" * 32, {"event": 3}, "desk")
FIRST_VERSION = replace(ENTRY, by="")


def test_an_entry_is_one_line_of_sorted_json_without_blanks() -> None:
    """Any JSON library can write the same line: keys sorted, no blanks, letters not escaped."""
    entry = Entry("b" * 32, "event.new", ENTRY.time, "b" * 32, {"name": "Año «1»", "event": 1}, "desk")
    text = entry_text(entry)
    assert "\n" not in text
    assert "Año «1»" in text
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert parse_entry(text) == entry


def test_an_entry_of_version_1_has_no_author_and_stays_as_it_was_written() -> None:
    """The text is that of older programs, written here by hand, so that its hash holds."""
    text = (
        '{"batch":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","kind":"event.use",'
        '"payload":{"event":3},"time":"2026-11-20T20:00:00.000000Z","v":1}'
    )
    assert parse_entry(text) == FIRST_VERSION
    assert entry_text(FIRST_VERSION) == text
    assert entry_text(ENTRY) == text.replace('"id"', '"by":"desk","id"').replace('"v":1', '"v":2')
    assert parse_entry(entry_text(ENTRY)) == ENTRY


def test_a_hash_covers_the_hash_before_and_the_text() -> None:
    """Check that the hash is sha256(previous hash, line feed, text)."""
    text = entry_text(ENTRY)
    first = hashlib.sha256(b"\n" + text.encode()).hexdigest()
    assert chain_hash(FIRST, text) == first
    assert chain_hash(first, text) == hashlib.sha256(first.encode() + b"\n" + text.encode()).hexdigest()


@pytest.mark.parametrize("payload", [{"a": 1.0}, {"a": [1, {"b": 2.5}]}, {"a": (0.1,)}, {1: 2}])
def test_an_entry_with_a_float_or_a_number_as_a_key_is_refused(payload: dict) -> None:
    """The text of such values could differ between programs."""
    with pytest.raises(TypeError):
        entry_text(Entry("c" * 32, "event.use", ENTRY.time, "c" * 32, payload, "desk"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        entry_text(ENTRY).replace('"v":2', '"v":3'),
        entry_text(ENTRY).replace('"v":2', '"v":1'),
        entry_text(ENTRY).replace('"by":"desk"', '"by":""'),
        entry_text(ENTRY).replace('"by":"desk"', '"by":7'),
        entry_text(ENTRY).replace('"by":"desk",', ""),
        entry_text(FIRST_VERSION).replace('"v":1', '"v":2'),
        entry_text(ENTRY).replace(",", ", "),
        entry_text(ENTRY).replace('"v":2', '"v":2,"x":2'),
        entry_text(ENTRY).replace('"payload":{', '"payload":{"a":1.5,'),
    ],
)
def test_a_line_that_is_not_canonical_is_no_entry(text: str) -> None:
    """Check blanks, floats, unknown fields and versions, authors, and texts that are not JSON or not an entry."""
    with pytest.raises(ValueError, match=r"it is|version"):
        parse_entry(text)


def test_the_hashes_in_the_file_can_be_recomputed_without_the_program(tmp_path) -> None:
    """Check that SHA-256 of the texts gives every hash, including that of the head."""
    db = desk.everything(tmp_path / "club.db")
    computed = ""
    for text, stored in desk.query(db, "SELECT text, hash FROM act ORDER BY number"):
        computed = hashlib.sha256(f"{computed}\n{text}".encode()).hexdigest()
        assert stored == computed
    assert desk.query(db, "SELECT hash FROM head") == [(computed,)]


def test_no_entry_holds_the_name_of_a_person(tmp_path) -> None:
    """Check that entries hold the numbers of players, so that a person can be renamed or erased."""
    db = desk.everything(tmp_path / "club.db")
    texts = "\n".join(row[0] for row in desk.query(db, "SELECT text FROM act"))
    assert "Friday" in texts
    assert not [name for name in (*desk.NAMES, "Iker", "Noa") if name in texts]


def test_all_entries_of_a_command_have_the_id_of_its_first(tmp_path) -> None:
    """Check that all entries of an import have one batch id, by which it is undone whole."""
    db = desk.evening(tmp_path / "club.db")
    entries = [json.loads(row[0]) for row in desk.query(db, "SELECT text FROM act ORDER BY number")]
    assert [entry["kind"] for entry in entries[:3]] == ["player.add", "event.new", "event.enter"]
    assert {entry["batch"] for entry in entries[1:]} == {entries[1]["id"]}
    assert entries[0]["batch"] == entries[0]["id"]


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"])
def test_no_entry_has_a_time_that_ends_in_another_time_zone(time: str) -> None:
    """Shown in local time, such an entry made the log of its whole database an error in the program."""
    entry = Entry("0" * 32, "event.use", time, "b", {"event": 1}, "")
    with pytest.raises(ValueError, match="it is not an entry"):
        parse_entry(entry_text(entry))


def test_a_line_of_many_brackets_is_no_entry() -> None:
    """Such a line at the end of a mirror stopped every command."""
    with pytest.raises(ValueError, match="it is not an entry"):
        parse_entry('{"v":' + "[" * 50_000 + "]" * 50_000 + "}")
