"""Tests of paper and files at the desk: what commands print and write, keys for phones, and mirrors."""

import io
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from pathlib import Path
from urllib.parse import unquote
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.slow import half_slow
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tourney.reports.documents import PRINTED
from tourney.service import database
from tourney.service.change import apply
from tourney.service.seasons.seasons import CreateSeason
from tourney.service.web import access

PHONES = "/desk/paper/phones"
MIRRORS = "/desk/paper/mirrors"
ADDRESS = "http://192.168.1.9:8000/"


make_db = desk.make_evening
"""The path of a database with the club evening, whose rounds are complete."""


@pytest.fixture
def drawn(tmp_path: Path) -> str:
    """The path of a database with an event of eight of which round 1 is drawn."""
    return desk.drawn(tmp_path / "drawn.db", 8)


@pytest.fixture
def phones(drawn: str) -> Iterator[TestClient]:
    """Ask as a desk that phones reach."""
    with client(drawn, entry=True, signed_in=True, phones=ADDRESS) as asked:
        yield asked


@pytest.mark.parametrize("sheet", half_slow(["slips", "wall", "standings", "certificates", "rules", "signs"]))
def test_a_page_for_paper_is_the_file_of_its_command(
    db: str, pages: TestClient, capsys: pytest.CaptureFixture[str], sheet: str
) -> None:
    event = ("--event", "Friday") if sheet == "rules" else ("Friday",)
    written = Runner(capsys)("print", sheet, *event, "--db", db)
    assert written.code == 0
    assert pages.get(f"/desk/paper/print/{sheet}").text == written.out


def test_the_policy_of_a_page_for_paper_allows_its_own_styles_and_nothing_else(db: str, pages: TestClient) -> None:
    apply(db, CreateSeason("Autumn", {}))
    for sheet in PRINTED:
        answer = pages.get(f"/desk/paper/print/{sheet}")
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == policy["form-action"] == policy["frame-ancestors"] == "'none'", sheet
        assert policy["script-src"] == "'self'"
        assert "unsafe-inline" not in policy["style-src"]
        styles = re.findall(r"<style>(.*?)</style>|style=\"([^\"]*)\"", answer.text, re.DOTALL)
        assert styles
        for style in map("".join, styles):
            assert f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" in policy["style-src"], sheet
        assert "<script" not in answer.text


def test_each_round_has_its_own_sheets(pages: TestClient) -> None:
    text = pages.get("/desk/paper").text
    links = re.findall(r'href="(/desk/paper/print/wall\?round=\d)"', text)
    assert len(links) > 1
    assert [f"round {link[-1]}" in pages.get(link).text for link in links] == [True] * len(links)


@pytest.mark.parametrize("path", ["/desk/paper", "/desk/paper/phones", "/desk/results"])
def test_a_page_says_that_no_round_is_drawn(tmp_path: Path, path: str) -> None:
    """Two of them said “None”, which is what Jinja's word `none` is."""
    db = str(tmp_path / "new.db")
    desk.event(db, 8, rounds=2)
    with client(db, signed_in=True, address="127.0.0.1") as pages:
        assert "<p>No round is drawn yet.</p>" in pages.get(path).text


def test_what_is_not_there_is_one_sentence(pages: TestClient) -> None:
    paths = ("print/nothing", "print/slips?round=99", "print/slips?round=x", "files/nothing.csv", "files/standings.exe")
    assert [pages.get(f"/desk/paper/{path}").status_code for path in paths] == [404] * len(paths)


@pytest.mark.parametrize(
    ("name", "command"),
    half_slow([("standings", "standings Friday"), ("seating", "round show Friday"), ("results", "result show Friday")]),
)
def test_a_spreadsheet_has_the_rows_of_the_command(
    db: str, pages: TestClient, capsys: pytest.CaptureFixture[str], name: str, command: str
) -> None:
    answer = pages.get(f"/desk/paper/files/{name}.csv")
    written = Runner(capsys)(*command.split(), "--format", "csv", "--db", db)
    assert without_rounds(answer.text) == written.out
    assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''Friday%20{name}.csv"
    book = load_workbook(io.BytesIO(pages.get(f"/desk/paper/files/{name}.xlsx").content))
    assert book.active.max_row == len(answer.text.splitlines())


def without_rounds(text: str) -> str:
    """Return CSV without the columns r1, r2, …, which only the desk's file of the standings has."""
    rows = [line.split(",") for line in text.splitlines()]
    kept = [at for at, name in enumerate(rows[0]) if not re.fullmatch(r"r\d+", name)]
    return "".join(",".join(row[at] for at in kept) + "\n" for row in rows)


def test_the_standings_of_paper_site_and_spreadsheet_have_the_points_of_each_round(
    db: str, pages: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    """The points of all rounds add up to those of the standings, less penalties."""
    header, *rows = [line.split(",") for line in pages.get("/desk/paper/files/standings.csv").text.splitlines()]
    for row in rows:
        values = {
            name: int(row[at] or 0) for at, name in enumerate(header) if re.fullmatch(r"points|penalty|r\d", name)
        }
        rounds = [value for name, value in values.items() if name.startswith("r")]
        assert len(rounds) == 5
        assert sum(rounds) + values["penalty"] == values["points"]
    for path in ("/desk/paper/print/standings", "/"):
        assert ">R3<" in pages.get(path).text, path


def test_a_spanish_spreadsheet_opens_in_a_spanish_program(pages: TestClient) -> None:
    text = pages.get("/desk/paper/files/standings.csv", headers={"Accept-Language": "es"}).content.decode()
    assert text.startswith("\ufeff")
    assert ";" in text.splitlines()[0]


def test_the_file_of_an_event_is_what_the_command_exports(
    db: str, pages: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pages.get("/desk/paper/files/event").text == Runner(capsys)("event", "export", "Friday", "--db", db).out


def test_messages_are_those_of_the_commands_line_by_line(
    db: str, pages: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [unescape(text) for text in re.findall(r"<textarea[^>]*>(.*?)</textarea>", _messages(pages), re.DOTALL)]
    commands = ("round show Friday --round 3", "standings Friday", "event show Friday")
    run = Runner(capsys)
    expected = [run(*command.split(), "--format", "message", "--db", db).out for command in commands]
    assert texts[1:] == expected[1:]
    assert texts[0].count("\n") > 10


def _messages(pages: TestClient) -> str:
    return pages.get("/desk/paper/messages").text


def test_the_name_of_a_file_is_one_on_every_system(tmp_path: Path) -> None:
    db = str(tmp_path / "named.db")
    desk.club_of(db, desk.NAMES[:4], '../A "B"; <c>')
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        header = pages.get("/desk/paper/files/event").headers["content-disposition"]
    assert re.fullmatch(r"attachment; filename\*=UTF-8''[\w%.-]+", header)
    assert not set('/"<>') & set(unquote(header.partition("''")[2]))


def test_a_printed_sign_opens_its_table_and_has_its_code(drawn: str, phones: TestClient) -> None:
    """The address is in the QR code; the digits are printed beside it."""
    answer = press(phones, PHONES, "Print the signs for the tables")
    assert answer.status_code == 200
    assert answer.text.count("<svg") == 2
    assert f"{ADDRESS}code" in answer.text
    codes = re.findall(r'<p class="typed code">(\d{3} \d{3})</p>', answer.text)
    opened = [access.visitor(drawn, access.enter_code(drawn, code) or "") for code in codes]
    assert [found and found.table and found.table.number for found in opened] == [1, 2]
    assert "img-src data:" in answer.headers["content-security-policy"]


def test_codes_and_addresses_are_shown_once_and_ended_by_table(drawn: str, phones: TestClient) -> None:
    shown = press(phones, PHONES, "Show the addresses and codes").text
    assert "If you print the signs, these codes end" in shown
    signs = re.findall(rf"{re.escape(ADDRESS)}s/([\w-]+)", shown)
    tokens = [access.scan_sign(drawn, sign) or "" for sign in signs]
    assert [found and found.table and found.table.number for found in map_visitors(drawn, tokens)] == [1, 2]
    assert not re.search(r"/[st]/[\w-]{10}", phones.get(PHONES).text)
    ended = press(phones, PHONES, "End them", {"table": "1"})
    assert "3 keys of table 1 are ended" in ended.text, "its sign, its code and its address in this round"
    assert [access.scan_sign(drawn, sign) is None for sign in signs] == [True, False]
    assert [found is None for found in map_visitors(drawn, tokens)] == [True, False]


def map_visitors(db: str, tokens: list[str]) -> list[access.Access | None]:
    return [access.visitor(db, token) for token in tokens]


def test_a_pin_is_shown_once(drawn: str, phones: TestClient) -> None:
    event = desk.query(drawn, "SELECT count(*) FROM access WHERE kind = 'pin'")
    made = press(phones, PHONES, "Make a PIN", {"player": "Carmen"})
    found = re.search(r'<p class="key"[^>]*>(.+): (\d{4})</p>', made.text)
    assert found is not None
    assert event == [(0,)]
    from tourney.service.rounds import rounds

    player = next(each for each in rounds.show(drawn).event.entrants if each.shown == found[1])
    assert access.has_pin(drawn, "Friday", player, found[2])
    assert found[2] not in re.sub(r"[0-9a-f]{12,}", "", phones.get(PHONES).text)


def test_a_form_of_the_phones_without_its_fields_is_refused_or_means_the_newest_round(phones: TestClient) -> None:
    sent = [phones.post(f"{PHONES}/{form}", data={}, headers=ORIGIN).status_code for form in ("pin", "revoke", "codes")]
    assert sent == [400, 400, 200]


def test_no_sign_is_printed_that_no_phone_reaches(drawn: str) -> None:
    with client(drawn, address="127.0.0.1", signed_in=True) as pages:
        assert "Print the signs for the tables" not in pages.get(PHONES).text
        answer = pages.post(f"{PHONES}/signs", data={"round": "1"}, headers=ORIGIN)
    assert answer.status_code == 400
    assert desk.query(drawn, "SELECT count(*) FROM access WHERE kind IN ('table', 'code')") == [(0,)]


def test_a_mirror_is_added_shown_and_removed(db: str, pages: TestClient, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    added = press(pages, MIRRORS, "Mirror every change there", {"folder": f" {stick} "})
    assert added.status_code == 303
    assert "mirror: " in pages.get(added.headers["location"]).text
    (state,) = database.list_mirrors(db)
    assert state.path.startswith(str(stick))
    assert press(pages, MIRRORS, f"Stop mirroring to {state.path}").status_code == 303
    assert database.list_mirrors(db) == ()


def test_a_folder_that_is_not_there_is_refused_and_stays_in_its_field(pages: TestClient) -> None:
    for folder in ("/nowhere/at/all", "", "\x00"):
        assert press(pages, MIRRORS, "Mirror every change there", {"folder": folder}).status_code in (400, 404)
    assert 'value="/nowhere"' in press(pages, MIRRORS, "Mirror every change there", {"folder": "/nowhere"}).text


def test_a_desk_elsewhere_does_not_say_where_this_computer_writes(drawn: str, tmp_path: Path) -> None:
    with client(drawn, entry=True, signed_in=True) as pages:
        assert "at the computer that runs the desk" in pages.get(MIRRORS).text
        answer = pages.post(MIRRORS, data={"folder": str(tmp_path)}, headers=ORIGIN)
    assert answer.status_code == 403
    assert database.list_mirrors(drawn) == ()


def test_the_site_is_downloaded_as_one_archive_of_the_files_that_its_command_writes(
    db: str, pages: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two downloads of one state have equal bytes."""
    assert "/desk/paper/files/site.zip" in pages.get("/desk/paper/files").text
    answer = pages.get("/desk/paper/files/site.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert Runner(capsys)("site", "Friday", str(tmp_path / "site"), "--db", db).code == 0
    written = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_bytes() for path in files_in(tmp_path / "site")
    }
    with ZipFile(io.BytesIO(answer.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == written
    assert pages.get("/desk/paper/files/site.zip").content == answer.content


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
