"""Tests of files made to fill the memory: each is read in less than a bound that does not depend on what is in it.

What Python allocates is counted by `tracemalloc`; each of these files took several times its bound before.
"""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.files.description import Description, FileLayout
from tourney.files.results import read_results
from tourney.files.rows import read_rows
from tourney.service.events.event_file import read_event_file
from tourney.service.leagues.league_file import LeagueFile
from tourney.storage.mirror.lines import MOST_DAMAGED, read_journal

MB = 1_000_000


@contextmanager
def below(most: int) -> Iterator[None]:
    """Require that what happens meanwhile never holds more than so many bytes."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def entry(number: int, kind: str, payload: str) -> str:
    mark = f"{number:032x}"
    return f'{{"batch":"{mark}","id":"{mark}","kind":"{kind}","payload":{payload},"time":"2026-01-01T00:00:00Z"}}'


def event_file(path: Path, *payloads: str) -> Path:
    """Write an event's file of one event and entries of these payloads, whose chain holds."""
    values = '"event":1,"format":"rotation","name":"X","rounds":3,"rules":"oficial","rules_digest":""'
    new = entry(1, "event.new", f"{{{values}}}")
    texts = ['{"format":"tourney event","version":1}', new]
    texts += [entry(number, "round.draw", payload) for number, payload in enumerate(payloads, 2)]
    before, lines = "", []
    for text in texts:
        before = storage.chain_hash(before, text)
        lines.append(f"{before} {text}\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


DRAWN = '{{"event":1,"out":[],"plan":[{}],"round":1,"tables":[]}}'
VALUES = {
    "lists": DRAWN.format(",".join(["[]"] * 1_200_000)),
    "names": DRAWN.format(f"{{{','.join(f'{chr(34)}{each:05x}{chr(34)}:{{}}' for each in range(300_000))}}}"),
}


@pytest.mark.parametrize("kind", VALUES)
def test_an_event_s_file_of_countless_values_is_refused_before_they_fill_the_memory(kind: str, tmp_path: Path) -> None:
    """Seven lines of up to 4 MB have 16 million values of lists, which would take 600 MB."""
    file = event_file(tmp_path / "x.event", *[VALUES[kind]] * 7)
    with below(450 * MB), desk.refused(ExitCode.REFUSED, "x.event, line", "more than 4000000 values"):
        read_event_file(file)


@pytest.mark.parametrize("line", ["\n", "x\n", "1 rows []\n"])
def test_a_mirror_of_damaged_lines_takes_little_more_than_its_first_ones(line: str, tmp_path: Path) -> None:
    """A number for each line would take 50 times the file."""
    journal = tmp_path / "club.db-mirror.txt"
    journal.write_text(line * (2 * MB // len(line)), encoding="ascii")
    with below(2 * MB):
        found = read_journal(journal)
    assert (found.entries, found.damaged) == ((), ())
    assert len(found.after) <= MOST_DAMAGED


def test_a_mirror_s_line_of_countless_values_is_damaged_and_not_read(tmp_path: Path) -> None:
    """The line of 15 MB would take 350 MB as values."""
    journal = tmp_path / "club.db-mirror.txt"
    journal.write_text(f'1 {"0" * 64} {{"x":[{",".join(["[]"] * 5 * MB)}]}}\n', encoding="ascii")
    with below(100 * MB):
        assert read_journal(journal).after == (1,)


def test_a_table_of_thousands_of_columns_is_refused(tmp_path: Path, run: Runner) -> None:
    file = tmp_path / "wide.csv"
    file.write_text(f"player,{','.join(f'g{each}' for each in range(1_000))}\n" + f"Ana{',1' * 1_000}\n" * 1_000)
    with below(50 * MB):
        refused = run(
            "rating", "import", str(file), "--pool", "P", "--across", "games", "--db", str(tmp_path / "club.db")
        )
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    assert "wide.csv: the file has 1001 columns, and the limit is 1000\n" in refused.err


def test_a_table_of_too_many_results_is_refused(tmp_path: Path) -> None:
    """999 games of 1,000 players would take 400 MB and more."""
    file = tmp_path / "wide.csv"
    row = ",1" * 999
    file.write_text(
        f"player,{','.join(f'g{each}' for each in range(999))}\n" + "".join(f"{n}{row}\n" for n in range(999))
    )
    described = Description(layout=FileLayout(wide="games", order="file"))
    with below(250 * MB), desk.refused(ExitCode.REFUSED, "wide.csv: the file has more than 300000 results"):
        list(read_results(file, described=described))


def test_a_file_of_too_many_rows_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("name\n" + "".join(f"{each:x}\n" for each in range(300_001)))
    with below(300 * MB), desk.refused(ExitCode.REFUSED, "people.csv: the file has more than 300000 rows"):
        list(read_rows(file, ["name"]))


HELD: dict[str, Callable[[int], str]] = {
    "one game": lambda each: f"1,{each + 1},{each:x}\n",
    "rows out of order": lambda each: f"{200 - each // 2},{each % 2 + 1},{each:x}\n",
}


@pytest.mark.parametrize("kind", HELD)
def test_rows_that_have_to_be_held_are_counted(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.files.results.MAX_SORTED", 100)
    file = tmp_path / "long.csv"
    file.write_text("seq,rank,player\n" + "".join(map(HELD[kind], range(101))))
    with desk.refused(ExitCode.REFUSED, "more than 100 rows have to be held", "sort the rows by seq"):
        list(read_results(file))


def test_a_pool_has_no_more_names_than_it_can_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Runner
) -> None:
    monkeypatch.setattr("tourney.service.ratings.spellings.MOST_NAMES", 10)
    file = tmp_path / "many.csv"
    file.write_text("seq,rank,player\n" + "".join(f"{each // 2},{each % 2 + 1},p{each}\n" for each in range(12)))
    refused = run("rating", "import", str(file), "--pool", "P", "--db", str(tmp_path / "club.db"))
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    assert "the pool would have more than 10 names" in refused.err


def test_the_records_of_a_block_are_counted_while_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Runner
) -> None:
    """A block with two records is read whole; with a bound below the two, the second one is refused."""
    db, file = str(tmp_path / "club.db"), str(tmp_path / "a.league")
    words = ("--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--seed", "1", "--records", "all")
    assert run("league", "run", *words, "--db", db).code == 0
    assert run("league", "export", "--output", file, "--db", db).code == 0
    ((_line, block),) = LeagueFile(file).blocks()
    lengths = [len(text) + 100 for _game, text in block.records]
    assert len(lengths) > 1
    monkeypatch.setattr("tourney.service.leagues.league_file.MOST_RECORDS", sum(lengths) - 1)
    with desk.refused(ExitCode.REFUSED, f"line {3 + len(lengths)}: the records of this block have more than"):
        list(LeagueFile(file).blocks())


FORMS = {"hexadecimal": "0x" + "f" * 20_000, "octal": "0o" + "7" * 20_000, "binary": "0b" + "1" * 20_000}
TABLES = {
    "entrants": ('[[bot]]\nentrant = "greedy"\nparameters = {{ risk = {number} }}', "league run --bots @FILE"),
    "plan": ('size = {number}\n[[stages]]\nname = "A"\nrounds = 1', "event new E --plan FILE"),
    "sheet": ("[[hands]]\ncontract = {number}", "result enter E --round 1 --table 1 --file FILE"),
    "rules": ("packs = {number}", "rules show FILE"),
    "record": ("format = {number}", "record show FILE"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("table", TABLES)
def test_a_number_that_python_cannot_write_is_refused(
    table: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Runner
) -> None:
    """Python limits the digits of decimal numbers alone when it reads, and of all of them when it writes."""
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "club.db"))
    text, command = TABLES[table]
    file = tmp_path / "odd.toml"
    file.write_text(text.format(number=FORMS[form]))
    refused = run(*command.replace("FILE", str(file)).split())
    assert (refused.code in (1, 2), refused.out) == (True, "")
    assert "a number in it has too many digits\n" in refused.err
