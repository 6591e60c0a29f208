"""Tests of keys to the pages of desks and tables: what each opens, when it ends, and what a restore does to it."""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.crowd import crowd
from tests.harness.slow import half_slow
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.domain.submissions import Access, TableKeys
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import FinishEvent
from tourney.service.players import MergePlayers, RenamePlayer
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.web import access
from tourney.storage.nouns.outside import OutsideReader


def make_db(db: str) -> None:
    """The path of a database with an event of seven people, of which the first of three rounds is drawn."""
    desk.event(db, 7, size=3, rounds=3)
    apply(db, DrawRound())


def _keys(db: str, round_number: int = 1) -> dict[int, TableKeys]:
    return {keys.table.number: keys for keys in access.grant_tables(db, "Friday", round_number)}


def _enter(db: str, keys: TableKeys) -> None:
    sheet = desk.hands([player.name for player in keys.table.players])
    apply(db, EnterResult(None, keys.table.round, keys.table.number, sheet))


def test_a_token_opens_its_table_and_nothing_else(db: str) -> None:
    """Each table has a token of 128 bits (22 letters of base64) and a code of six digits, all different."""
    keys = _keys(db)
    for each in keys.values():
        assert access.visitor(db, each.token) == Access("table", "Friday", each.table)
        assert len(each.token) >= 22
        assert len(each.code) == 6
        assert each.code.isdecimal()
    assert len({key for each in keys.values() for key in (each.token, each.code)}) == 2 * len(keys)


def test_a_code_is_exchanged_for_a_token_of_its_table(db: str) -> None:
    """The code may be typed in two groups."""
    keys = _keys(db)[2]
    token = access.enter_code(db, f" {keys.code[:3]} {keys.code[3:]} ")
    assert token not in (None, keys.token)
    assert access.visitor(db, token) == Access("table", "Friday", keys.table)


def test_only_hashes_are_kept(db: str) -> None:
    """No key stands anywhere in the file; the hash of a token is its SHA-256, that of digits is by scrypt with a salt.

    A SHA-256 of six digits would be found in seconds by somebody who has read the file.
    """
    keys = [*_keys(db).values()]
    pin = access.grant_pin(db, "Friday", "Ana").pin
    digits = (*(each.code for each in keys), pin, access.sign_in_code(db))
    tokens = [*(each.token for each in keys), access.sign_in_token(db)]
    content = "".join(path.read_bytes().decode("latin-1") for path in Path(db).parent.glob("club.db*"))
    assert [token for token in tokens if token in content] == []
    hashes = {row[0]: row[1] for row in desk.query(db, "SELECT hash, salt FROM access")}
    assert all(hashes[hashlib.sha256(token.encode()).hexdigest()] == "" for token in tokens)
    salts = {salt for salt in hashes.values() if salt}
    for key in digits:
        assert not {hashlib.sha256((salt + key).encode()).hexdigest() for salt in ("", *salts)} & hashes.keys()
        slow = {
            hashlib.scrypt((salt + key).encode(), salt=salt.encode(), n=2**13, r=8, p=1, dklen=32).hex(): salt
            for salt in salts
        }
        assert [salt for found, salt in slow.items() if hashes.get(found) == salt]


def test_digits_of_versions_before_0012_are_still_read(db: str) -> None:
    """Older versions kept a SHA-256 of salt and digits."""
    player = access.grant_pin(db, "Friday", "Ana").player
    old = hashlib.sha256(b"00ff4711").hexdigest()
    with storage.writing(db) as store:
        (row,) = (row for row in store.outside.access() if row.kind == "pin")
        store.outside.forget_access([row.hash])
        store.outside.keep_access([row._replace(hash=old, salt="00ff")])
    assert access.has_pin(db, "Friday", player, "4711")
    assert not access.has_pin(db, "Friday", player, "4712")


@pytest.mark.parametrize("token", ["", "x", "ñ", "0" * 100_000, "' OR 1=1 --", "\ud800"], ids=repr)
def test_other_texts_open_nothing(db: str, token: str) -> None:
    """Neither as a token, nor as a code, a PIN or a sign-in; so do hashes and codes as tokens."""
    keys = _keys(db)[1]
    hash_ = desk.query(db, "SELECT hash FROM access")[0][0]
    ana = keys.table.players[0]
    for text in (token, hash_, keys.code):
        assert access.visitor(db, text) is None
        assert access.sign_in(db, text) is None
        assert not access.has_pin(db, "Friday", ana, text)
    for text in (token, hash_, keys.token):
        assert access.enter_code(db, text) is None
    assert access.why_closed(db, token) == "this address opens nothing here"


def test_a_sign_in_is_used_once_and_gives_a_desk_its_own_token(db: str) -> None:
    token = access.sign_in_token(db)
    assert access.visitor(db, token) is None
    opened = access.sign_in(db, token)
    assert opened not in (None, token)
    assert access.visitor(db, opened) == Access("desk")
    assert access.sign_in(db, token) is None
    assert "once" in access.why_closed(db, token)
    access.end(db, access.token_hash(opened))
    assert access.visitor(db, opened) is None
    assert "closed at the desk" in access.why_closed(db, opened)


@pytest.mark.parametrize(("late", "opens"), [(timedelta(minutes=9), True), (timedelta(minutes=11), False)], ids=str)
def test_a_sign_in_holds_ten_minutes(db: str, monkeypatch: pytest.MonkeyPatch, late: timedelta, opens: bool) -> None:
    token, granted = access.sign_in_token(db), access._now()
    monkeypatch.setattr(access, "_now", lambda: granted + late)
    assert (access.sign_in(db, token) is not None) is opens


def test_a_desk_is_signed_out_after_an_evening_and_a_day(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token, granted = access.sign_in(db, access.sign_in_token(db)), access._now()
    assert token is not None
    monkeypatch.setattr(access, "_now", lambda: granted + timedelta(hours=35))
    assert access.visitor(db, token) is not None
    monkeypatch.setattr(access, "_now", lambda: granted + timedelta(hours=37))
    assert access.visitor(db, token) is None


ENDS: dict[str, tuple[Callable[[str, TableKeys], object], bool]] = {
    "a result": (lambda db, keys: _enter(db, keys), True),
    "the next round": (lambda db, keys: apply(db, DrawRound()), True),
    "a result and the next round": (lambda db, keys: (_enter(db, keys), apply(db, DrawRound())), False),
    "a void result and the next round": (
        lambda db, keys: (
            _enter(db, keys),
            apply(db, VoidResult(None, 1, keys.table.number, "wet cards")),
            apply(db, DrawRound()),
        ),
        True,
    ),
    "its table dissolved": (lambda db, keys: apply(db, DissolveTable(None, keys.table.number, "too few")), False),
    "its round cancelled": (lambda db, keys: apply(db, CancelRound(None, "late")), False),
    "its round cancelled and drawn again": (
        lambda db, keys: (apply(db, CancelRound(None, "late")), apply(db, DrawRound())),
        False,
    ),
    "its round undone": (lambda db, keys: apply(db, Undo()), False),
    "its round undone and redone": (lambda db, keys: (apply(db, Undo()), apply(db, Redo())), True),
    "its event finished": (lambda db, keys: apply(db, FinishEvent("Friday", incomplete=True)), False),
    "a player renamed": (lambda db, keys: apply(db, RenamePlayer("Ana", name="Ana María")), True),
    "its table revoked": (lambda db, keys: access.revoke(db, "Friday", 1, keys.table.number), False),
    "another table revoked": (lambda db, keys: access.revoke(db, "Friday", 1, 3 - keys.table.number), True),
    "new keys of its round": (lambda db, keys: access.grant_tables(db, "Friday", 1), True),
}
"""Events after a table's key was granted, each with whether the key still opens the table."""
CODE_LEADS_ON = frozenset({"a result and the next round", "its round cancelled and drawn again"})
"""The events after which the table's code, which holds for all rounds, leads to the table of the newest round."""


@pytest.mark.parametrize("name", half_slow(ENDS))
def test_a_key_of_a_table_ends_when_its_round_is_over_or_was_never_that_one(db: str, name: str) -> None:
    happens, opens = ENDS[name]
    keys = _keys(db)[2]
    happens(db, keys)
    assert (access.visitor(db, keys.token) is not None) is opens
    assert (access.enter_code(db, keys.code) is not None) is (
        (opens and name != "new keys of its round") or name in CODE_LEADS_ON
    )
    assert database.check(db).problems == ()


def test_a_new_pin_takes_the_place_of_the_one_before_and_follows_a_merger(db: str) -> None:
    """Hugo, who was registered twice, is merged into Gloria."""
    first = access.grant_pin(db, "Friday", "Ana")
    second = access.grant_pin(db, "Friday", "Ana")
    assert not access.has_pin(db, "Friday", first.player, first.pin) or first.pin == second.pin
    assert access.has_pin(db, "Friday", second.player, f" {second.pin} ")
    other = access.grant_pin(db, "Friday", "Beñat")
    assert access.has_pin(db, "Friday", second.player, other.pin) is (second.pin == other.pin)
    desk.event(db, 0, "greedy:3", name="Saturday")
    with desk.refused(ExitCode.NOT_FOUND, "Hugo"):
        access.grant_pin(db, "Friday", "Hugo")


def test_keys_that_open_nothing_are_deleted_when_new_ones_are_granted(db: str) -> None:
    """Of round 1, whose tables all have results, no address is left once round 2 has keys; signs hold for both."""
    for keys in _keys(db).values():
        _enter(db, keys)
    access.sign_in(db, access.sign_in_token(db))
    apply(db, DrawRound())
    tables = len(_keys(db, 2))
    kinds = sorted(desk.query(db, "SELECT kind, round FROM access"), key=repr)
    signs = [("table", None)] * 2 * tables
    assert kinds == [("code", None)] * tables + [("desk", None)] + [("table", 2)] * tables + signs


@pytest.mark.parametrize("people", [8, 40])
def test_the_keys_that_are_there_are_read_as_often_for_many_tables_as_for_few(
    people: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading them for each table took 0.8 s for 70 tables, in which nobody else could write."""
    db = str(tmp_path / "club.db")
    crowd(db, people, 1, "Friday", played=0)
    apply(db, DrawRound())
    read, real = list[int](), OutsideReader.access
    monkeypatch.setattr(OutsideReader, "access", lambda reader: (read.append(1), real(reader))[1])
    assert len(access.grant_tables(db, "Friday")) == people // 4
    assert len(read) == 2


# --- after a restore ------------------------------------------------------------------------------------------


def test_a_key_revoked_since_a_backup_stays_revoked_after_it_is_restored(db: str) -> None:
    """One that was not revoked stays, and one granted since stays too: all are those of the present database."""
    ended, kept = _keys(db)[1], _keys(db)[2]
    desk_token = access.sign_in(db, access.sign_in_token(db))
    assert desk_token is not None
    backup = database.backup(db).path
    access.revoke(db, "Friday", 1, 1)
    access.end(db, access.token_hash(desk_token))
    newer = access.grant_tables(db, "Friday")[1]
    database.restore(db, backup)
    assert access.visitor(db, ended.token) is None
    assert access.visitor(db, desk_token) is None
    assert access.enter_code(db, ended.code) is None
    assert access.visitor(db, kept.token) is not None
    assert access.visitor(db, newer.token) is not None
    assert database.check(db).problems == ()


def test_a_key_opens_no_round_that_was_drawn_anew_after_a_restore(db: str) -> None:
    """Round 2 has other keys before the restore and after it, although it has the same number and tables."""
    backup = database.backup(db).path
    apply(db, DrawRound())
    before = _keys(db, 2)[1]
    database.restore(db, backup)
    assert access.visitor(db, before.token) is None
    apply(db, DrawRound())
    assert access.visitor(db, before.token) is None
    assert access.visitor(db, _keys(db, 2)[1].token) is not None


@pytest.mark.parametrize("damage", ["gone", "no database", "changed keys"])
def test_where_the_database_is_gone_or_damaged_no_key_of_the_backup_opens_anything(db: str, damage: str) -> None:
    """Nobody can say which of them were revoked."""
    keys = _keys(db)[1]
    backup = database.backup(db).path
    if damage == "gone":
        for path in Path(db).parent.glob("club.db*"):
            path.unlink()
    elif damage == "no database":
        Path(db).write_bytes(b"no database" * 1000)
    else:
        desk.tamper(db, "UPDATE access SET ended = 'yesterday'")
    database.restore(db, backup)
    assert access.visitor(db, keys.token) is None
    assert desk.query(db, "SELECT * FROM access") == []
    assert database.check(db).problems == ()


def test_a_dry_run_of_a_restore_changes_no_key(db: str) -> None:
    keys = _keys(db)
    backup = database.backup(db).path
    for number in keys:
        access.revoke(db, "Friday", 1, number)
    database.restore(db, backup, dry_run=True)
    assert desk.query(db, "SELECT count(*) FROM access WHERE ended IS NULL AND kind IN ('table', 'code')") == [(0,)]
    assert access.visitor(db, keys[1].token) is None


def test_merged_players_keep_their_pins(tmp_path: Path) -> None:
    """The PIN of a registration that was merged into another is then that player's."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8)
    pin = access.grant_pin(db, "Friday", "Hugo").pin
    kept = apply(db, MergePlayers("Gloria", "Hugo")).keep
    assert access.has_pin(db, "Friday", kept, pin)
