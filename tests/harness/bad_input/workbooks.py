"""Workbooks (.xlsx) that are damaged, in the archive or below its checksums, or hold what nobody expects in a cell."""

import datetime
import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from tests.harness.bad_input.judged import Judged, judged
from tests.harness.bad_input.mutations import flipped, mutated, mutated_file
from tests.harness.desk import CLUB, CONTRACTS
from tourney.files.results import read_results
from tourney.files.score_csv import read_score_sheets
from tourney.service.people_file import read_people

RESULTS: Final = (("seq", "player", "rank", "date"), (1, "Ana", 1, datetime.date(2026, 11, 20)), (1, "Beñat", 2, None))
READERS: Final[dict[str, tuple[Callable[[Path], object], str]]] = {
    "people": (read_people, "players.csv"),
    "score sheets": (lambda path: read_score_sheets(path, CONTRACTS), "score-sheets.csv"),
    "results": (lambda path: list(read_results(path)), ""),
}
"""Readers of workbooks, and the file of the club's evening that has the rows; "": RESULTS."""
NUMBERS: Final = (b"-1", b"9" * 400, b"1e400", b"0", b"x", b"99999", b"NaN", b"1048577", b"XFE1")
VALUES: Final = (None, True, 1e300, -0.0, 2.5, datetime.time(1, 2), datetime.timedelta(days=-1), "=1+1", "#REF!", "'")


def tried(folder: Path, number: int, seed: int) -> Iterator[Judged]:
    """Give so many workbooks to the readers in turn; yield what became of each."""
    names = list(READERS)
    for turn in range(number):
        rng, name = Random(f"{seed} workbooks {turn}"), names[turn % len(names)]
        path = folder / "given.xlsx"
        path.write_bytes(_damaged(rng, _rows(name)))
        read = READERS[name][0]
        yield judged(f"workbooks {seed} {turn}: {name}", lambda read=read, path=path: read(path))


def _rows(name: str) -> list[list[Any]]:
    """Return the rows of a sound workbook, numbers as numbers."""
    file = READERS[name][1]
    if not file:
        return [list(row) for row in RESULTS]
    lines = (CLUB / file).read_text("utf-8").splitlines()[:9]
    return [[int(cell) if cell.lstrip("-").isdigit() else cell for cell in line.split(",")] for line in lines]


def _damaged(rng: Random, rows: list[list[Any]]) -> bytes:
    """Return a workbook of these rows with damage of one of three kinds."""
    kind = rng.randrange(3)
    if kind == 0:
        _change_a_cell(rng, rows)
    packed = _packed(rows)
    if kind == 1:
        return flipped(rng, packed) if rng.random() < 0.5 else mutated_file(rng, packed)
    return _below_the_checksums(rng, packed) if kind == 2 else packed


def _change_a_cell(rng: Random, rows: list[list[Any]]) -> None:
    row = rng.choice(rows)
    place = rng.randrange(len(row))
    text = mutated(rng, str(row[place])).encode("utf-8", "replace").decode()
    row[place] = rng.choice((ILLEGAL_CHARACTERS_RE.sub("", text), rng.choice(VALUES)))


def _packed(rows: list[list[Any]]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def _below_the_checksums(rng: Random, packed: bytes) -> bytes:
    """Return the workbook with a part damaged and packed again, so that no checksum differs."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice([*parts, "xl/worksheets/sheet1.xml"])
    parts[name] = _damaged_xml(rng, parts[name])
    if rng.random() < 0.05:
        del parts[name]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return file.getvalue()


def _damaged_xml(rng: Random, xml: bytes) -> bytes:
    digits = [place for place, byte in enumerate(xml) if chr(byte).isdigit()]
    if rng.random() < 0.4 and digits:
        place = rng.choice(digits)
        return xml[:place] + rng.choice(NUMBERS) + xml[place + 1 :]
    return mutated_file(rng, xml)
