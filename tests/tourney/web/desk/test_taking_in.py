"""Tests of an event that goes from one desk to another as a file: downloaded, looked at, and imported."""

import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.effort import effort
from tests.harness.web.asking import ORIGIN, TestClient, client
from tourney.service.events.events import listing
from tourney.service.results.results import show
from tourney.web.forms import MOST_UPLOADED, Newest, parts_of
from tourney.web.guard import MOST_BYTES

PATH = "/desk/events/import"


@pytest.fixture
def other(tmp_path: Path) -> Iterator[TestClient]:
    """Ask as the desk of another computer, whose database has one event."""
    db = str(tmp_path / "other.db")
    desk.event(db, 4, name="Sunday")
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        yield pages


@pytest.fixture
def file(evening: str) -> bytes:
    """The file of the club evening, as its desk downloads it."""
    with client(evening, address="127.0.0.1", signed_in=True) as pages:
        assert "/desk/paper/files/event" in pages.get("/desk/backup").text
        return pages.get("/desk/paper/files/event").content


def look(pages: TestClient, content: bytes, name: str = "Friday.event") -> str:
    """Choose a file and ask what is in it; return the page."""
    return unescape(pages.post(PATH, data={"do": "look"}, files={"file": (name, content)}, headers=ORIGIN).text)


def key_in(page: str) -> str:
    found = re.search(r'name="key" value="([0-9a-f]{32})"', page)
    assert found is not None
    return found[1]


def names(tmp_path: Path) -> list[str]:
    return [event.settings.name for event in listing(str(tmp_path / "other.db"))]


def test_an_event_is_imported_from_its_file_after_a_look_at_it(
    tmp_path: Path, evening: str, other: TestClient, file: bytes
) -> None:
    """The sheets are those of the database from which the file was downloaded."""
    page = look(other, file)
    assert "This event will be imported: Friday" in page
    assert names(tmp_path) == ["Sunday"]
    answer = other.post(PATH, data={"key": key_in(page), "name": "", "do": "import"}, headers=ORIGIN)
    assert answer.status_code == 303
    assert "imported: Friday" in other.get(answer.headers["location"]).text
    assert names(tmp_path) == ["Sunday", "Friday"]
    points = [[each.outcome.points for each in show(db, "Friday")] for db in (evening, str(tmp_path / "other.db"))]
    assert points[0] == points[1] != []
    other.post("/desk/events", data={"do": "use", "name": "Sunday", "sure": "yes"}, headers=ORIGIN)
    again = look(other, file)
    assert "is here already, as Friday, and nothing in the file is new" in again
    assert 'name="name" value="Friday">\n<button name="do" value="use"' in again
    assert "A different name here" not in again
    assert str(tmp_path) not in again
    assert "/tourney-" not in again


def test_it_may_have_another_name_here(tmp_path: Path, other: TestClient, file: bytes) -> None:
    key = key_in(look(other, file))
    seen = other.post(PATH, data={"key": key, "name": "Sunday", "do": "look"}, headers=ORIGIN)
    assert seen.status_code == 409
    other.post(PATH, data={"key": key, "name": "Friday in Getxo", "do": "import"}, headers=ORIGIN)
    assert names(tmp_path) == ["Sunday", "Friday in Getxo"]


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (b"", "Friday.event", "Friday.event"),
        (b"a,b\n1,2\n", "../../etc/sheets.csv", "sheets.csv: this is not the file of an event"),
        (b"\xff\xfe\x00", "<zzxss>.event", "_zzxss_.event"),
        (None, "Friday.event", "ends after line"),
    ],
    ids=["nothing", "a spreadsheet", "bytes", "half of it"],
)
def test_another_file_is_refused_by_its_name_and_imports_nothing(
    tmp_path: Path, other: TestClient, file: bytes, content: bytes | None, name: str, words: str
) -> None:
    half = file[: file.rfind(b"\n", 0, len(file) // 2) + 1]
    page = look(other, half if content is None else content, name)
    assert words in page
    assert 'value="import"' not in page
    assert names(tmp_path) == ["Sunday"]


def test_without_a_file_the_form_says_so(other: TestClient) -> None:
    for data in ({"do": "look"}, {"do": "import"}, {"file": "Friday.event"}):
        assert "no file is chosen" in other.post(PATH, data=data, headers=ORIGIN).text
    assert "not here any more" in other.post(PATH, data={"key": "a" * 32, "do": "import"}, headers=ORIGIN).text
    broken = {**ORIGIN, "Content-Type": "multipart/form-data"}
    assert "no file is chosen" in other.post(PATH, content=b"--x\r\n", headers=broken).text


def test_a_file_may_be_longer_than_other_forms_up_to_its_own_limit(other: TestClient) -> None:
    assert other.post(PATH, files={"file": ("a", b"a" * MOST_BYTES)}, headers=ORIGIN).status_code == 400
    assert other.post(PATH, files={"file": ("a", b"a" * MOST_UPLOADED)}, headers=ORIGIN).status_code == 413


def test_few_files_are_kept_and_each_part_of_a_form_is_read() -> None:
    kept = Newest[int, str](4)
    for number in (0, 1, 2, 0, 3, 4):
        kept.keep(number, "a file")
    assert list(kept) == [2, 0, 3, 4]
    body = (
        b'--x\r\nContent-Disposition: form-data; name="do"\r\n\r\nlook\r\n--x\r\nContent-Disposition: form-data; '
        b'name="file"; filename="F\xc3\xa9lix.event"\r\nContent-Type: text/plain\r\n\r\none\ntwo\n\r\n--x--\r\n'
    )
    fields, file = parts_of("multipart/form-data; boundary=x", body)
    assert fields == {"do": "look"}
    assert file is not None
    assert file.content == b"one\ntwo\n"
    assert parts_of("text/plain", body) == ({}, None)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b'Content-Disposition: form-data; name="file"; filename="a.event"\r\nContent-Type: text/plain', "a.event"),
        (b'content-disposition:form-data;name="file";filename="a%22%0D%0Ab%2A; c"', 'a"\r\nb%2A; c'),
        (b'Content-Type: text/plain\r\nContent-Disposition: form-data; name="file"; filename="\xff"', "\ufffd"),
        (b'Content-Disposition: form-data; name="file"; filename=""', None),
        (b"Content-Disposition: form-data; name=\"file\"; filename*=punycode''%FF", None),
        (b"Content-Disposition: form-data; name=\"file\"; filename*=utf-7''+2AA-", None),
        (b"Content-Disposition: form-data; name=\"file\"; filename*=idna''%80.x", None),
        (b"Content-Disposition: form-data; name=\"file\"; filename*=a\x00b''zz", None),
        (b"Content-Disposition: form-data; name=" + b"(" * 440, None),
        (b'Content-Disposition: form-data; name="' + b"(" * 440 + b'"; filename="a"', "a"),
        (b'Content-Disposition: attachment; name="file"; filename="a"', None),
        (b'X: "\r\n Content-Disposition: form-data; name="file"; filename="a"', None),
        (b"\xff\x00", None),
    ],
)
def test_the_heads_of_a_form_are_read_as_browsers_write_them(other: TestClient, head: bytes, name: str | None) -> None:
    """The HTML standard escapes three characters; five of the other heads ended in a traceback of the mail reader."""
    body = b"--x\r\n" + head + b"\r\n\r\ncontent\r\n--x--\r\n"
    fields, file = parts_of("multipart/form-data; boundary=x", body)
    assert (None if file is None else file.name) == name
    assert fields == {}
    headers = {**ORIGIN, "Content-Type": "multipart/form-data; boundary=x"}
    assert other.post(PATH, content=body, headers=headers).status_code == 400


def test_a_form_of_parts_inside_parts_or_of_very_many_is_read_at_once() -> None:
    """Python's reader of messages fails at the first, and takes time with the square of the second."""
    nested = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (number, number + 1)
        for number in range(20_000)
    )
    many = b'--b0\r\nContent-Disposition: form-data; name="do"\r\n\r\nlook\r\n' * 20_000
    for body in (nested, many, b"--b0\r\n" + b"A: b\r\n" * 300_000):
        read = partial(parts_of, "multipart/form-data; boundary=b0", body)
        assert read() == ({}, None)
        assert effort(read) < 28
