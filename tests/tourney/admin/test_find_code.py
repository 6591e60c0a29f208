"""Tests of `db check --head CODE`: the change after which a printed code stood, and databases that were forged."""

import random

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.disk.forgery import evening_with_codes, forge_points
from tests.harness.slow import slow
from tourney.domain.errors import ExitCode
from tourney.service.events.codes import find_code

make_db = desk.make_everything

NO_CODE = "0" * 16


@pytest.fixture
def evening(new_db: str) -> tuple[str, dict[tuple[str, str], int]]:
    """A database with two events, and the codes that it had with the number of changes then."""
    return new_db, evening_with_codes(new_db)


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


@pytest.mark.parametrize("seed", [0, *slow(range(1, 10))])
def test_a_forged_database_lacks_the_codes_that_were_printed(
    evening: tuple[str, dict[tuple[str, str], int]], seed: int
) -> None:
    """An entry is changed, the chain computed anew and the tables folded again, so that the check alone finds nothing.

    The codes of the journal and of its event from that entry on are gone; those before it are still found.
    """
    db, codes = evening
    number = forge_points(db, random.Random(seed))
    for (event, code), change in codes.items():
        gone = change >= number and event != "Sunday"
        if gone:
            with desk.refused(ExitCode.NOT_FOUND, code):
                find_code(db, code)
        else:
            assert find_code(db, code).change == change
