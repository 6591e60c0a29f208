"""Files of others: leagues, events and databases with programs in them, workbooks, tables, and names in files of ours."""
# ruff: noqa: E501 - a case is a line of its table

import io
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from tests.campaigns.attacks.attack import SECRET, each, home, marker, refused, tourney
from tests.campaigns.attacks.bots import PLAIN
from tests.harness.bad_input.chained import chained, values_of
from tests.harness.bots.own_bots import MINE, write_bot

RUNS: Final = "sh -c 'id > pwned; exec python3 -I -S bot.py'"
"""A program that leaves a marker where it starts, and then plays."""


def _forge(file: Path, change: Callable[[Any], Any]) -> None:
    """Rewrite a file of an event or a league with a chain that holds."""
    values = values_of(file.read_text("utf-8").splitlines())
    file.write_text(chained([change(value) for value in values]), "utf-8")


def _replaced(old: str, new: str) -> Callable[[Any], Any]:
    """Return what replaces a text within a value."""
    inside = (json.dumps(old)[1:-1], json.dumps(new)[1:-1])
    return lambda value: json.loads(json.dumps(value).replace(*inside))


def _league_file(folder: Path, entrant: str) -> Path:
    """Write a league of a plain bot, of which two of four blocks are played, with another entrant put into it."""
    maker = folder / "maker"
    write_bot(maker, "bot.py", PLAIN.source())
    words = ("--seats", "2", "--blocks", "1", "--workers", "1", "--records", "none")
    ran = tourney(maker, "league", "run", "--bots", "greedy,cmd:python3 -I -S bot.py", *words)
    assert ran.code == 0, ran.err
    assert tourney(maker, "league", "export", "--output", "l.league").code == 0
    file = folder / "evil.league"
    shutil.copy(maker / "l.league", file)
    shutil.copy(maker / "bot.py", folder)
    _forge(file, _replaced(str(maker), str(folder)))
    if entrant:
        _forge(file, _replaced("cmd:python3 -I -S bot.py", entrant))
        _forge(file, _replaced('"blocks": 1, "bots"', '"blocks": 3, "bots"'))
    _forge(file, lambda value: value | {"league": value["league"] | {"blocks": 3}} if "league" in value else value)
    return file


def _import_runs(folder: Path, entrant: str) -> Iterator[str]:
    """Import a league whose entrant is a class, a file or a module: nothing of it is opened or run."""
    key = home(folder)
    write_bot(folder, "payload.py", f"open('pwned', 'w').close()\n{MINE}")
    (folder / "package").mkdir()
    write_bot(folder / "package", "__init__.py", "open('pwned', 'w').close()\n")
    entrant = entrant.replace("KEY", str(key))
    file = _league_file(folder, entrant)
    _forge(
        file,
        lambda value: (
            value | {"league": {k: v for k, v in value["league"].items() if k != "outside"}}
            if "league" in value
            else value
        ),
    )
    ran = tourney(folder, "league", "import", str(file))
    yield from marker(folder / "pwned", "during the import")
    if "Traceback" in ran.err or SECRET in ran.out + ran.err or "Zen of Python" in ran.out:
        yield f"{ran.err[-100:] or ran.out[:100]}"
    for words in (("resume", "--workers", "1"), ("status",)):
        tourney(folder, "league", *words)
        yield from marker(folder / "pwned", words[0])


def _commands_run(folder: Path, command: str) -> Iterator[str]:
    """Use an imported league whose entrant is a shell's command: nothing runs before somebody trusts it."""
    file = _league_file(folder, f"cmd:{RUNS}")
    imported = tourney(folder, "league", "import", str(file))
    yield from marker(folder / "pwned", "import")
    if imported.code == 0:
        if "pwned" not in imported.out + imported.err:
            yield "the import does not show the entrant in full"
        ran = tourney(folder, "league", *command.split())
        yield from marker(folder / "pwned", command)
        if "Traceback" in ran.err:
            yield f"{command}: {ran.err[-100:]}"
    elif imported.code < 0 or "Traceback" in imported.err:
        yield imported.err[-100:]


def _database_runs(folder: Path, command: str) -> Iterator[str]:
    """Use a database that somebody else has made, copied with its bot."""
    _league_file(folder, "")
    maker = folder / "maker"
    write_bot(folder, "bot.py", PLAIN.source())
    for db in ("club.db",):
        shutil.copy(maker / db, folder / db)
    with closing(sqlite3.connect(folder / "club.db")) as base, base:
        tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for column in [row[1] for row in base.execute(f"PRAGMA table_info({table})")]:
                base.execute(
                    f'UPDATE "{table}" SET "{column}" = replace("{column}", ?, ?) WHERE typeof("{column}") = \'text\'',
                    ("cmd:python3 -I -S bot.py", f"cmd:{RUNS}"),
                )
    tourney(folder, "league", *command.split())
    if (folder / "pwned").exists() or (maker / "pwned").exists():
        yield f"ran: league {command} of a database of others"


def _event_runs(folder: Path, name: str) -> Iterator[str]:
    """Play a round of an imported event whose entrant has a harmless name."""
    maker = folder / "maker"
    write_bot(maker, "bot.py", PLAIN.source())
    for words in (
        ("event", "new", "Friday"),
        ("event", "enter", "--bots", "greedy:3,cmd:python3 -I -S bot.py:1"),
        ("round", "draw"),
        ("event", "export", "Friday", "--output", "f.event"),
    ):
        ran = tourney(maker, *words)
        assert ran.code == 0, ran.err
    shutil.copy(maker / "bot.py", folder)
    file = folder / "evil.event"
    shutil.copy(maker / "f.event", file)

    def evil(value: Any) -> Any:
        if "outside" in value.get("payload", {}):
            outside = [
                [text, f"cmd:{RUNS}", "." if name else "/", [], []] for text, *_rest in value["payload"]["outside"]
            ]
            return value | {"payload": value["payload"] | {"outside": outside}}
        return value

    _forge(file, evil)
    imported = tourney(folder, "event", "import", str(file))
    if imported.code == 0:
        if "pwned" not in imported.out + imported.err:
            yield "the import does not show the entrant in full"
        tourney(folder, "event", "use", "Friday")
        tourney(folder, "round", "play")
    yield from marker(folder / "pwned", "round play")


def _forged_head(folder: Path, _given: str) -> Iterator[str]:
    """An event with a new chain is found by the code that was printed before."""
    tourney(folder, "event", "new", "Friday")
    ran = tourney(folder, "event", "export", "Friday", "--output", "f.event")
    code = ran.out.rpartition("code ")[2].split()[0] if "code " in ran.out else ""
    _forge(folder / "f.event", _replaced('"rounds": null', '"rounds": 3'))
    _forge(folder / "f.event", lambda value: value | {"by": "somebody else"} if "kind" in value else value)
    tourney(folder, "event", "import", "f.event", "--db", "new.db")
    checked = tourney(folder, "db", "check", "--head", code, "--db", "new.db")
    if checked.code == 0:
        yield "db check --head calls a forged event right"


TRIGGERS: Final = (
    "CREATE TRIGGER t AFTER INSERT ON person BEGIN DELETE FROM act; END",
    "CREATE VIEW x AS SELECT 1",
    "CREATE TABLE x (y DEFAULT (hex(randomblob(9))))",
)


def _trigger(folder: Path, statement: str) -> Iterator[str]:
    tourney(folder, "player", "add", "Ana")
    with closing(sqlite3.connect(folder / "club.db")) as base, base:
        base.execute(statement)
    yield from refused(tourney(folder, "player", "add", "Eva"), statement)


# Workbooks and tables of text


def _workbook(**parts: str) -> bytes:
    """Return a workbook with these parts in place of the plain ones."""
    from openpyxl import Workbook

    plain = io.BytesIO()
    book = Workbook()
    book.active.append(["round", "table", "seat", "player"])
    book.save(plain)
    made = io.BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, text in parts.items():
            new.writestr(name, text)
    return made.getvalue()


_SHEET: Final = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)
_ENTITIES: Final = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{}]>'.format(
    "".join(f'<!ENTITY {b} "{("&" + a + ";") * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
)
_FIRST: Final = "xl/worksheets/sheet1.xml"
_STRINGS: Final = "xl/sharedStrings.xml"
WORKBOOKS: Final[dict[str, Callable[[], bytes]]] = {
    "entities": lambda: _workbook(**{_FIRST: _ENTITIES + _SHEET.format('<row r="1"><c t="inlineStr"><is><t>&i;</t></is></c></row>')}),
    "an entity of a file": lambda: _workbook(**{_FIRST: '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + _SHEET.format('<row r="1"><c t="inlineStr"><is><t>&a;</t></is></c></row>')}),
    "200 MB of blanks": lambda: _workbook(**{_FIRST: _SHEET.format(" " * 200_000_000)}),
    "a cell XFD1048576": lambda: _workbook(**{_FIRST: _SHEET.format('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')}),
    "4,700,000 empty shared strings": lambda: _workbook(**{_STRINGS: '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' + "<si><t/></si>" * 4_700_000 + "</sst>"}),
    "400,000 empty shared strings": lambda: _workbook(**{_STRINGS: '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' + "<si><t/></si>" * 400_000 + "</sst>"}),
    "1,000,000 styles": lambda: _workbook(**{"xl/styles.xml": '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts>' + "<font/>" * 1_000_000 + "</fonts></styleSheet>"}),
    "elements 200,000 deep": lambda: _workbook(**{_FIRST: _SHEET.format("<a>" * 200_000)}),
    "parts outside the archive": lambda: _workbook(**{"../../evil": "x", "/etc/evil": "x"}),
}  # fmt: skip


def _read_workbook(folder: Path, kind: str) -> Iterator[str]:
    """A workbook is read or refused without much time or memory, and nothing else is read or written."""
    (folder / "evil.xlsx").write_bytes(WORKBOOKS[kind]())
    ran = tourney(folder, "event", "import", "Friday", "--sheets", "evil.xlsx", seconds=30)
    if ran.code < 0 or "Traceback" in ran.err or "root:" in ran.out + ran.err:
        yield ran.err[-100:]
    yield from marker(folder.parent / "evil", "written outside")


FORMULAS: Final = (
    "=cmd|'/C calc'!A0",
    "+1+1",
    "@SUM(1)",
    "＝1+1",
    "Ana;=cmd|'/C calc'!A0",
    "x,=HYPERLINK(1)",
    "x\u2003|=1",
    "-1+1",
    "Ana;@x",
    "Ana;+x",
)


def _formula(folder: Path, name: str) -> Iterator[str]:
    """No cell is a formula, whether a spreadsheet splits lines at commas, semicolons, tabs or bars."""
    added = tourney(folder, "player", "add", name)
    if added.code:
        return
    for form in ("csv", "csv-es"):
        text = tourney(folder, "player", "list", "--format", form).out
        for line, separator in ((line, s) for line in text.splitlines() for s in ",;\t|"):
            cells = [cell.strip('"\ufeff') for cell in line.split(separator)]
            bad = [cell for cell in cells if cell[:1] in ("=", "+", "@", "＝", "＋", "＠", "－") or cell[:2] == "-1"]
            if bad:
                yield f"{form} split at {separator!r}: {bad[0]}"
                return


def _erased(folder: Path, _given: str) -> Iterator[str]:
    """An erased name is nowhere but in the places that the answer names."""
    name = "Zoltan Eraseme"
    tourney(folder, "player", "add", name)
    tourney(folder, "player", "add", "Ana", env={"USER": name, "LOGNAME": name, "TOURNEY_USER": name, "USERNAME": name})
    ran = tourney(folder, "player", "erase", name, "--yes", given="y\n")
    left = [file.name for file in folder.rglob("*") if file.is_file() and name.encode() in file.read_bytes()]
    left = [file for file in left if file not in ("out.txt", "err.txt")]
    said = " ".join(ran.out.split())
    if left and not all(file in said or "of the journal contains the name" in said for file in left):
        yield f"still in {left}, and the answer does not say so"


def _folder_in_export(folder: Path, _given: str) -> Iterator[str]:
    """An exported league does not have the folder of its author."""
    file = _league_file(folder, "")
    if str(folder).encode() in (folder / "maker" / "l.league").read_bytes():
        yield f"{file.name} has the author's folder"


def _drafts(folder: Path, name: str) -> Iterator[str]:
    """A link laid in a shared folder under the name of a draft is not followed."""
    target = folder / "victim.txt"
    target.write_text("kept", "utf-8")
    shared = folder / "shared"
    shared.mkdir()
    for suffix in ("-new", ".new", ".tmp", "-draft", ".part"):
        (shared / f"{name}{suffix}").symlink_to(target)
    tourney(folder, "player", "add", "Ana", "--db", f"shared/{name}")
    tourney(folder, "player", "list", "--db", f"shared/{name}", "--format", "csv", "--output", f"shared/out-{name}.csv")
    if target.read_text("utf-8", "replace") != "kept":
        yield "the draft was written through a link"


RESUMES: Final = (
    "resume --workers 1",
    "record --block 1 --game 1",
    "log --block 1 --game 1",
    "why",
    "join --bots random",
)
ATTACKS: Final = (
    *each(tuple((f"import of a league with the entrant {e}", e) for e in (
        "payload.py:Mine", "package:Mine", "this:X", "@KEY", "KEY:Mine", "wasm:payload.py", "@payload.py", "../maker/bot.py:X",
    )), "row 26", _import_runs),
    *each(tuple((f"league {c} of an imported league", c) for c in RESUMES), "row 27", _commands_run),
    *each(tuple((f"league {c} of a database of others", c) for c in RESUMES[1:3]), "F2d", _database_runs),
    *each((("an event with a harmless name of an entrant", "x"),), "row 28", _event_runs),
    *each((("an event with a new chain", ""),), "row 29", _forged_head),
    *each(tuple((s[:40], s) for s in TRIGGERS), "row 30", _trigger),
    *each(tuple((f"a workbook: {kind}", kind) for kind in WORKBOOKS), "rows 31-32", _read_workbook),
    *each(tuple((f"the name {name!a} in a table of text", name) for name in FORMULAS), "row 33", _formula),
    *each((("an erased name", ""),), "row 36", _erased),
    *each((("the author's folder in an exported league", ""),), "F15", _folder_in_export),
    *each((("links under the names of drafts", "club.db"),), "F15", _drafts),
)  # fmt: skip
