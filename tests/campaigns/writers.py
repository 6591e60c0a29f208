"""Many that enter results at once: none is refused, no entry lost or double, and none waits for long.

First sixteen programs, then eight programs beside a server with twenty phones, then sixteen programs at the pace of a
busy hall, 300 entries in a minute, of which the seconds are measured that each waits.
"""

import math
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from httpx import Client

from tests.campaigns.campaign import Campaign, Result
from tests.harness import desk, victims
from tests.harness.crowd import seated
from tests.harness.disk.watched import fast_folder
from tests.harness.programs import run_at_once
from tests.harness.web.phone import Phone
from tests.harness.web.process import program
from tourney.domain.rounds import Table
from tourney.domain.submissions import TableKeys
from tourney.service import database
from tourney.service.rounds import rounds
from tourney.service.web import access

PROGRAMS, BESIDE = 16, 8
ENTRIES, SERVED = 5000, 5000
MOST_TURNS = 80
"""The entries of others for which one may wait: in a queue they would be 15, with equal chances about 140."""
PHONE_TABLES, FIRST_PHONE_ROUND = 10, 3
"""The tables from 1 at which two phones each enter the sheets of the rounds from this one on: 60 sheets of 508."""
PACE, SECONDS, MOST_SECONDS = 300, 60.0, 5.0


def run(part: float, _seed: int) -> Sequence[Result]:
    """Let the programs and phones enter the part of the results, in events of about 500."""
    return [_programs(part), _beside_a_server(part), _paced(part)]


def _programs(part: float) -> Result:
    left, waits, faults = math.ceil(ENTRIES * part / PROGRAMS), [], []
    while left:
        each = min(left, 32)
        with tempfile.TemporaryDirectory() as folder:
            db = str(Path(folder) / "club.db")
            seated(db, tables=2 * each)
            outputs = run_at_once(victims.enter_queued, [(db, number, PROGRAMS, each) for number in range(PROGRAMS)])
            waits += [int(line) for output in outputs for line in output.split()]
            faults += _faults(db, each * PROGRAMS)
        left -= each
    return _waited(f"{PROGRAMS} programs", waits, len(waits), faults)


def _waited(who: str, waits: Sequence[int], tried: int, faults: list[str]) -> Result:
    if max(waits) > MOST_TURNS:
        faults.append(f"one waited for {max(waits)} entries of others")
    text = f"{who}: {len(faults)} faults; the longest wait was for {max(waits)} entries of others"
    return Result(tried, text, tuple(faults))


def _faults(db: str, expected: int) -> list[str]:
    """Return what is wrong with the results in a database: so many, each of another table."""
    ((entered, different),) = desk.query(
        db,
        "SELECT count(*), count(DISTINCT json_extract(text, '$.payload.round') * 1000 "
        "+ json_extract(text, '$.payload.table')) FROM act WHERE kind = 'result.enter'",
    )
    problems = list(database.check(db).problems)
    if not entered == different == expected:
        problems.append(f"{entered} entries of {different} tables for {expected} results")
    return problems


def _beside_a_server(part: float) -> Result:
    left, tried, waits, faults = math.ceil(SERVED * part), 0, list[int](), list[str]()
    while left > tried:
        rounds_of_phones = min(6, math.ceil((left - tried) / 2 / PHONE_TABLES))
        sheets = PHONE_TABLES * rounds_of_phones
        each = min(56, math.ceil(max(1, left - tried - sheets) / BESIDE))
        with tempfile.TemporaryDirectory() as folder:
            db = str(Path(folder) / "club.db")
            seated(db, tables=70)
            drawn = rounds.show(db).rounds[FIRST_PHONE_ROUND - 1 :][:rounds_of_phones]
            keys = [access.grant_tables(db, "Crowd", each.number) for each in drawn]
            with program(db, "serve", "Crowd", "--entry") as server, ThreadPoolExecutor(1) as evening:
                typed = evening.submit(_phones, server.here, keys)
                shares = [(db, number, BESIDE, each, PHONE_TABLES) for number in range(BESIDE)]
                outputs = run_at_once(victims.enter_queued, shares)
                faults += typed.result()
            waits += [int(line) for output in outputs for line in output.split()]
            faults += _faults(db, sheets + each * BESIDE)
            tried += sheets + each * BESIDE
    return _waited(f"{BESIDE} programs beside a server with {2 * PHONE_TABLES} phones", waits, tried, faults)


def _phones(address: str, keys: Sequence[Sequence[TableKeys]]) -> list[str]:
    """Let the phones of two players at each table enter its sheet, round by round; return what they were refused."""
    faults, phones = list[str](), dict[int, Phone]()
    with ThreadPoolExecutor(PHONE_TABLES) as tables:
        for of_round in keys:
            here = [own for own in of_round if own.table.number <= PHONE_TABLES]
            faults += [fault for found in tables.map(partial(_at_a_table, address, phones), here) for fault in found]
    return faults


def _at_a_table(address: str, phones: dict[int, Phone], own: TableKeys) -> list[str]:
    """Let two phones enter a sheet: a player whose phone has a seat keeps it from round to round."""
    with Client(base_url=address, timeout=120) as client:
        typing, other = (_phone(client, phones, own, seat) for seat in (1, 2))
        return _entered(own.table, typing, other)


def _phone(client: Client, phones: dict[int, Phone], own: TableKeys, seat: int) -> Phone:
    number = own.table.players[seat - 1].id
    if number not in phones:
        phones[number] = Phone(client, own.token, seat)
    phone = phones[number]
    phone.pages, phone.home, phone.players = client, f"/t/{own.token}", ""
    return phone


def _entered(table: Table, typing: Phone, other: Phone) -> list[str]:
    names = [player.name for player in table.players]
    try:
        typing.type_sheet(names, desk.hands(names))
        answers = [typing.post("/send", sheet=typing.field("sheet"))]
        answers.append(other.post("/confirm", id=other.field("id"), digest=other.field("digest")))
    except (AssertionError, StopIteration) as error:
        return [f"round {table.round}, table {table.number}: {error!r}"]
    return [answer.text for answer in answers if answer.status_code != 303]


def _paced(part: float) -> Result:
    """Let the programs enter a minute's results, or a part of them at the same pace."""
    each = math.ceil(PACE * max(part, PROGRAMS / PACE) / PROGRAMS)
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        db = str(Path(folder) / "club.db")
        seated(db, tables=2 * each)
        seconds = SECONDS * each * PROGRAMS / PACE
        shares = [(db, number, PROGRAMS, each, time.time() + 2, seconds) for number in range(PROGRAMS)]
        waits = [float(line) for output in run_at_once(victims.enter_paced, shares) for line in output.split()]
        faults = _faults(db, each * PROGRAMS)
    if max(waits) > MOST_SECONDS:
        faults.append(f"one took {max(waits):.1f} s")
    text = f"{PROGRAMS} programs, {PACE} entries in a minute: {len(faults)} faults; the longest took {max(waits):.1f} s"
    return Result(len(waits), text, tuple(faults))


CAMPAIGN = Campaign("writers", run)
