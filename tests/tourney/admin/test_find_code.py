"""Tests of `db check --head CODE`: the change after which a printed code stood, and databases that were forged."""

import json
import random
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service import database
from tourney.service.admin.find_code import find_code
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.codes import event_code, journal_code
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.people.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage import canonical_json, chain_hash

NO_CODE = "0" * 16


@pytest.fixture
def evening(tmp_path: Path) -> tuple[str, dict[tuple[str, str], int]]:
    """A database with two events, and the codes that it had: for each code of the journal ("") or of an event, the
    number of changes that the journal had then.
    """
    db = str(tmp_path / "club.db")
    codes: dict[tuple[str, str], int] = {}
    changes = [
        RegisterPlayers(desk.NAMES),
        CreateEvent(EventSettings("Friday", "oficial", rounds=2)),
        EnterPlayers("Friday", desk.NAMES[:4]),
        CreateEvent(EventSettings("Sunday", "oficial", rounds=2)),
        EnterPlayers("Sunday", desk.NAMES[2:6]),
        DrawRound("Friday"),
        EnterResult("Friday", 1, 1, desk.hands(desk.NAMES[:4])),
        DrawRound("Sunday"),
        Undo(),
        DrawRound("Sunday"),
    ]
    for change in changes:
        apply(db, change)
        entries = desk.query(db, "SELECT max(number) FROM act")[0][0]
        codes.setdefault(("", journal_code(db)), entries)
        for name in [row[0] for row in desk.query(db, "SELECT name FROM event")]:
            codes.setdefault((name, event_code(name)(db)), entries)
    return db, codes


def test_every_code_that_was_printed_is_found_at_its_change(evening: tuple[str, dict[tuple[str, str], int]]) -> None:
    """The codes were noted after each change, with the number of changes that there were."""
    db, codes = evening
    found = {key: find_code(db, key[1]) for key in codes}
    assert {key: code.change for key, code in found.items()} == codes
    assert all(code.event == key[0] and code.hash.startswith(key[1]) for key, code in found.items())


def test_a_code_is_read_as_people_type_it(run: Runner, evening: tuple[str, dict[tuple[str, str], int]]) -> None:
    """Spaces and capitals of the paper do not matter, and the answer names the change."""
    db, codes = evening
    (event, code), change = list(codes.items())[-1]
    spaced = f" {code[:4].upper()} {code[4:]}"
    ran = run("db", "check", "--head", spaced, "--db", db)
    assert f"{code} was the code of {event} after change {change} of the journal" in ran.out
    assert run("db", "check", "--head", code, "--db", db, "--json").json["code"]["act"] == change


@pytest.mark.parametrize("typed", ["", "5860", "g" * 16, "0" * 65, "ñ" * 16])
def test_a_text_that_is_no_code_is_a_usage_error(run: Runner, db: str, typed: str) -> None:
    """A code has 16 to 64 hexadecimal digits."""
    ran = run("db", "check", "--head", typed, "--db", db)
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert "is not a code" in ran.err


def test_the_code_of_another_database_is_not_found(run: Runner, db: str) -> None:
    """The answer says what the cause may be."""
    ran = run("db", "check", "--head", NO_CODE, "--db", db)
    assert (ran.code, ran.out) == (ExitCode.NOT_FOUND, "")
    assert NO_CODE in ran.err
    assert "from another database" in ran.err


def test_a_damaged_database_answers_with_its_problems(run: Runner, db: str) -> None:
    """Exit code 1, as without a code."""
    desk.tamper(db, desk.changed(db, "score", "points"))
    assert run("db", "check", "--head", NO_CODE, "--db", db).code == ExitCode.REFUSED


def _forge(db: str, number: int, before: str, after: str) -> None:
    """Change the text of an entry, then compute all that follows from it anew: hashes, head and tables."""
    changed = desk.query(db, "SELECT text FROM act WHERE number = ?", number)[0][0].replace(before, after)
    texts = desk.query(db, "SELECT number, text FROM act ORDER BY number")
    hash_, statements = "", []
    for at, text in texts:
        text = changed if at == number else text
        hash_ = chain_hash(hash_, text)
        quoted = text.replace("'", "''")
        statements.append(f"UPDATE act SET text = '{quoted}', hash = '{hash_}' WHERE number = {at}")
    statements.append(f"UPDATE head SET hash = '{hash_}'")
    # An upgrade makes all tables again of the journal.
    desk.tamper(db, *statements, "UPDATE alembic_version SET version_num = '0009'")
    database.upgrade(db)


@pytest.mark.parametrize("seed", [0, *slow(range(1, 10))])
def test_a_forged_database_lacks_the_codes_that_were_printed(
    evening: tuple[str, dict[tuple[str, str], int]], seed: int
) -> None:
    """An entry is changed, the chain computed anew and the tables folded again, so that the check alone finds nothing.

    The codes of the journal and of its event from that entry on are gone; those before it are still found.
    """
    db, codes = evening
    rng = random.Random(seed)
    number, text = next(
        (number, text) for number, text in desk.query(db, "SELECT number, text FROM act") if '"result.enter"' in text
    )
    points = rng.choice([hand["points"] for hand in json.loads(text)["payload"]["hands"]])
    value = canonical_json(points)
    changed = [*points]
    changed[rng.choice([seat for seat, point in enumerate(points) if point > 0])] += 10 * rng.randint(1, 3)
    _forge(db, number, value, canonical_json(changed))
    assert database.check(db).problems == ()
    for (event, code), change in codes.items():
        gone = change >= number and event != "Sunday"
        if gone:
            with desk.refused(ExitCode.NOT_FOUND, code):
                find_code(db, code)
        else:
            assert find_code(db, code).change == change
