"""Tests of the club: what its name, colour and logo may be, and that its entries are kept as all others are."""

import re
import struct
import zlib
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.paper.markup import document
from tourney import storage
from tourney.domain.club import BY_DAY, BY_NIGHT, COLOURS, DARK, LIGHT, MOST_BYTES, Club, contrast, plain_png
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.documents import PRINTED
from tourney.reports.html.document import html_text
from tourney.service import database
from tourney.service.admin import club as service
from tourney.service.admin.club import SetClub
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.storage import kinds

STYLE = Path(service.__file__).parents[2] / "web" / "static" / "style.css"


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(
    width: int = 3, height: int = 2, depth: int = 8, colour: int = 2, methods: tuple[int, ...] = (0, 0, 0)
) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, *methods))


ROWS = zlib.compress(b"\0" * 20)
SIGNATURE, DATA, END = b"\x89PNG\r\n\x1a\n", chunk(b"IDAT", ROWS), chunk(b"IEND", b"")
LOGO = desk.LOGO


@pytest.mark.parametrize(
    "more",
    [
        chunk(b"tEXt", b"Author\0Ana <b>"),
        chunk(b"eXIf", b"\0" * 9),
        chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"x")),
        chunk(b"acTL", b"\0" * 8),
    ],
)
def test_nothing_of_a_logo_is_kept_but_what_draws_it(more: bytes) -> None:
    assert plain_png(SIGNATURE + header() + more + DATA + END) == LOGO == SIGNATURE + header() + DATA + END
    assert plain_png(LOGO) == LOGO
    assert Club(logo=LOGO).size == (3, 2)


def test_kinds_of_pictures_that_programs_write_are_taken() -> None:
    """With a palette, transparent, in several parts, with few bits, and interlaced, in seven passes."""
    palette = chunk(b"PLTE", b"\0" * 6)
    parts = chunk(b"IDAT", ROWS[:5]) + chunk(b"IDAT", ROWS[5:])
    bits = chunk(b"IDAT", zlib.compress(b"\0" * 4))
    interlaced = chunk(b"IDAT", zlib.compress(b"\0" * ((1 + 3) + (1 + 3) + (1 + 3) + (1 + 9))))
    for content in (
        header() + parts,
        header(depth=1, colour=3) + palette + chunk(b"tRNS", b"\0") + bits,
        header(depth=1, colour=0) + chunk(b"tRNS", b"\0\1") + bits,
        header() + chunk(b"tRNS", b"\0" * 6) + DATA,
        header(methods=(0, 0, 1)) + interlaced,
    ):
        assert plain_png(SIGNATURE + content + END) == SIGNATURE + content + END


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        SIGNATURE,
        LOGO[:-1],
        LOGO + b"\0",
        LOGO + END,
        SIGNATURE + DATA + END,
        SIGNATURE + header() + END,
        SIGNATURE + header() + header() + DATA + END,
        SIGNATURE + header() + DATA + chunk(b"PLTE", b"\0" * 3) + END,
        SIGNATURE + chunk(b"tEXt", b"a\0b") * 2,
        SIGNATURE + header() + chunk(b"tRNS", b"\0" * 6 + b"where it was taken") + DATA + END,
        SIGNATURE + header(depth=1, colour=3) + chunk(b"PLTE", b"\0" * 6) + chunk(b"tRNS", b"\0" * 3) + DATA + END,
        SIGNATURE + header(width=2, colour=4) + chunk(b"tRNS", b"\0\0") + DATA + END,
        SIGNATURE + header()[:-1] + b"\0" + DATA + END,
        SIGNATURE + header() + DATA + chunk(b"IEND", b"x"),
        SIGNATURE + chunk(b"IHDR", b"\0" * 12) + DATA + END,
        *(SIGNATURE + header(*sides) + DATA + END for sides in ((0, 2), (3, 0), (1025, 1), (1, 1025), (2**31, 1))),
        *(
            SIGNATURE + header(depth=depth, colour=kind) + DATA + END
            for depth, kind in ((3, 2), (16, 3), (8, 5), (8, 3))
        ),
        *(SIGNATURE + header(methods=each) + DATA + END for each in ((1, 0, 0), (0, 1, 0), (0, 0, 2))),
        SIGNATURE + header() + chunk(b"IDAT", zlib.compress(b"\0" * 19)) + END,
        SIGNATURE + header() + chunk(b"IDAT", zlib.compress(b"\0" * 50_000_000)) + END,
        SIGNATURE + header() + chunk(b"IDAT", ROWS[:-1]) + END,
        SIGNATURE + header() + chunk(b"IDAT", ROWS + b"<script>") + END,
        SIGNATURE + header() + chunk(b"IDAT", b"<script>") + END,
        SIGNATURE + header() + chunk(b"tEXt", b"\0" * MOST_BYTES) + DATA + END,
        SIGNATURE + b"\xff\xff\xff\xffIHDR" + LOGO,
    ],
)
def test_what_is_not_a_whole_picture_of_the_size_is_no_logo(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"^(signature|chunk|chunks|header|rows)$"):
        plain_png(content)


@pytest.mark.parametrize("colour", [*COLOURS, "#ffffff", "#000000", "#ffff00", "#808080", "#00ff00", "#123456"])
def test_a_colour_can_be_read_by_day_and_by_night(colour: str) -> None:
    """On the papers of the stylesheet, of which the two that count here are those with the least contrast."""
    light, dark = (tuple(bytes.fromhex(each[1:])) for each in Club(colour=colour).accents)
    assert contrast(light, LIGHT) >= BY_DAY == 4.5
    assert contrast(dark, DARK) >= BY_NIGHT
    day, night = STYLE.read_text(encoding="utf-8").split("prefers-color-scheme: dark")[:2]
    for text, accent in ((day, light), (night, dark)):
        # The last one is the paper of letters on a button of the colour.
        papers = re.findall(r"--(?:paper|band|warn-band|bad-band|on-accent): #(\w+)", text)[:5]
        assert len(papers) == 5
        for paper in papers:
            whole = paper if len(paper) == 6 else "".join(digit * 2 for digit in paper)
            assert contrast(accent, tuple(bytes.fromhex(whole))) >= BY_DAY, paper


def test_contrast_is_computed_as_in_the_guidelines() -> None:
    """The examples of WebAIM and W3C: black on white has 21, #767676 on white 4.54, #777777 on white 4.48."""
    white = (255, 255, 255)
    assert contrast((0, 0, 0), white) == pytest.approx(21)
    assert contrast((0x76, 0x76, 0x76), white) == pytest.approx(4.54, abs=0.005)
    assert contrast(white, (0x77, 0x77, 0x77)) == pytest.approx(4.48, abs=0.005)


@pytest.fixture
def logo(tmp_path: Path) -> str:
    """The path of a file with a logo."""
    file = tmp_path / "logo.png"
    file.write_bytes(LOGO)
    return str(file)


def test_a_club_is_set_shown_and_taken_away(run: Runner, new_db: str, logo: str) -> None:
    done = run("club", "set", "--name", " Club  Ribadesella ", "--colour", "Blue", "--logo", logo, "--db", new_db)
    assert done.code == ExitCode.DONE
    assert service.show(new_db) == Club("Club Ribadesella", "blue", LOGO)
    assert "3 × 2 pixels" in run("club", "show", "--db", new_db).out
    assert "club: name Club Ribadesella, colour blue, a new logo" in run("log", "--db", new_db).out
    assert run("club", "set", "--logo", "", "--colour", "#1F4E9E", "--db", new_db).code == ExitCode.DONE
    assert service.show(new_db) == Club("Club Ribadesella", "#1f4e9e")
    assert run("club", "set", "--name", "", "--colour", "", "--db", new_db).code == ExitCode.DONE
    assert "The club has no name yet" in run("club", "show", "--db", new_db).out
    log = run("log", "--db", new_db, "--lang", "es").out
    assert "color azul, logotipo nuevo" in log
    assert "color #1f4e9e, sin logotipo" in log


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--colour", "pinkish"), "is not a colour"),
        (("--colour", "#1f4e9"), "is not a colour"),
        (("--colour", "red;}"), "is not a colour"),
        (("--name", "a" * 81), "81 characters"),
        (("--name", "Ana\u202e"), "invisible"),
        (("--logo", __file__), "not a whole PNG picture"),
        (("--logo", "nowhere.png"), "there is no such file"),
        ((), "already"),
    ],
)
def test_what_no_club_can_have_is_refused_in_a_line(
    run: Runner, new_db: str, words: tuple[str, ...], text: str
) -> None:
    apply(new_db, SetClub("Club"))
    refused = run("club", "set", *words, "--db", new_db)
    assert refused.code in (ExitCode.REFUSED, ExitCode.NOT_FOUND)
    assert text in refused.err.splitlines()[0]
    assert len(refused.err.splitlines()) <= 2
    assert service.show(new_db) == Club("Club")


def test_an_entry_of_the_club_is_undone_checked_mirrored_and_restored_as_every_other(
    new_db: str, tmp_path: Path
) -> None:
    apply(new_db, SetClub("Club", "red"))
    database.add_mirror(new_db, str(tmp_path))
    apply(new_db, SetClub(logo=LOGO))
    apply(new_db, Undo())
    assert service.show(new_db) == Club("Club", "red")
    apply(new_db, Redo())
    assert database.check(new_db).problems == ()
    assert [state.state for state in database.list_mirrors(new_db)] == ["complete"]
    other = str(tmp_path / "other.db")
    database.restore_mirror(other, str(tmp_path))
    assert service.show(other) == Club("Club", "red", LOGO)


@pytest.mark.parametrize(
    "changes",
    [
        {"colour": "red;}"},
        {"logo": "PHN2Zy8+"},
        {"logo": "!"},
        {"name": "a" * 81},
        {"name": 1},
        {"style": "x"},
        {"name": "\n"},
    ],
    ids=str,
)
def test_values_that_no_command_writes_are_refused(new_db: str, changes: dict[str, str]) -> None:
    """The values are in a database of somebody else, or in its mirror."""
    with storage.writing(new_db) as store, pytest.raises((ValueError, TypeError)):
        store.write(kinds.club.ClubSet(changes))
    with pytest.raises((ValueError, TypeError)):
        kinds.club.ClubSet.refuse_other_form({"changes": changes})


def test_a_database_whose_club_cannot_be_is_refused_in_a_line(new_db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(kinds.club.ClubSet, "refuse_other_form", classmethod(lambda _kind, _payload: None))
        with storage.writing(new_db) as store:
            store.write(kinds.club.ClubSet({"colour": "red;}"}))
    with pytest.raises(TourneyError, match="not one that can be set") as refused:
        service.show(new_db)
    assert refused.value.code == ExitCode.STORAGE
    assert service.club_if_any(new_db) == Club()
    assert [problem.endswith("cannot follow those before it") for problem in database.check(new_db).problems] == [True]


def printed(db: str, name: str) -> str:
    paper, _kept = PRINTED[name][0].of(db, event="Friday", of_event="Friday").coded(db)
    return html_text(paper, "2026-11-20")


@pytest.mark.parametrize("name", ["standings", "certificates", "signs"])
def test_paper_has_the_logo_in_the_page_itself_and_the_name_of_the_club(new_db: str, name: str) -> None:
    """Without a club it is as before."""
    db = desk.evening(new_db)
    assert document(printed(db, name)).all("img") == []
    apply(db, SetClub("Club <Ribadesella>", "red", LOGO))
    text = printed(db, name)
    sources = {str(image.attributes["src"])[:22] for image in document(text).all("img")}
    assert sources == {"data:image/png;base64,"}
    assert f"--club: {Club(colour='red').accents[0]};" in text
    assert ("Club &lt;Ribadesella&gt;" in text) == (name == "standings")
