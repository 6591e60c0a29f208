"""Tests of the static site: what it has, that one state makes one site, and that no file of somebody else is lost."""

import errno
import os
import re
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from random import Random

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.evening import weekend
from tests.harness.slow import slow
from tests.harness.web.hall import make_drawn, names_at
from tests.harness.web.markup import Markup
from tests.tourney.web.test_hall import HOSTILE
from tourney.domain.club import Club
from tourney.domain.errors import ExitCode
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Table
from tourney.files.site_folder import SiteFolder
from tourney.reports.ratings.first_players import first_curves, interval_bars
from tourney.reports.render.plots import inline_svg, svg
from tourney.service.admin.club import SetClub
from tourney.service.change import apply
from tourney.service.events.events import FinishEvent
from tourney.service.players import PublishPlayer
from tourney.service.ratings.editions import PublishEdition
from tourney.service.results.results import EnterResult
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound, PublishRound
from tourney.web.pages.site import compact, event_site, pool_site
from tourney.web.render import STATIC

MOST_BYTES = 1_000_000


def texts(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: content.decode() for name, content in files.items() if name.endswith(".html")}


def written(folder: Path) -> dict[str, bytes]:
    """Return the files of a site, each page without its own name, which it must say."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: content.replace(_own_name(name), b"", 1) for name, content in files.items()}


def _own_name(file: str) -> bytes:
    return f' data-file="{file.removeprefix("site/")}"'.encode()


def test_a_site_has_the_hall_and_a_page_for_each_player(drawn: str) -> None:
    files = event_site(drawn, "Friday")
    players = {f"players/{number}.html" for number in range(1, 9)}
    pages = {"index.html", "seating.html", "tables.html", "players.html", "next.html"}
    assert set(files) == {*pages, *players, "style.css"}
    assert set(desk.NAMES) <= set(Markup(files["index.html"].decode()).texts)
    assert "<svg" in files[f"players/{desk.NAMES.index(names_at(drawn, 1)[0]) + 1}.html"].decode()


def test_earlier_rounds_have_a_page_of_their_tables(drawn: str) -> None:
    apply(drawn, EnterResult("Friday", 1, 2, desk.hands(names_at(drawn, 2))))
    apply(drawn, DrawRound("Friday"))
    files = texts(event_site(drawn, "Friday"))
    assert "Tables, round 2" in files["tables.html"] or "mesas" in files["tables.html"].lower()
    assert set(names_at(drawn, 1)) <= set(Markup(files["tables/1.html"]).texts)
    assert set(desk.NAMES) <= set(Markup(files["standings/1.html"]).texts)
    assert "standings/1.html" in files["index.html"]


@pytest.mark.parametrize("make", ["event", "pool"])
def test_every_link_leads_to_a_file_of_the_site_and_nothing_needs_a_server(full: str, make: str) -> None:
    files = event_site(full, "Friday") if make == "event" else pool_site(full, "people")
    for name, text in texts(files).items():
        page = Markup(text)
        for address in page.links():
            assert ":" not in address
            assert not address.startswith("/")
            here = PurePosixPath(name).parent
            target = os.path.normpath(here / address.partition("#")[0]) if address[:1] != "#" else name
            assert target.replace(os.sep, "/") in files, (name, address)
        assert {"script", "form", "button", "iframe"}.isdisjoint(tag for tag, _attributes in page.elements)
    linked = {
        os.path.normpath(PurePosixPath(name).parent / each)
        for name in texts(files)
        for each in Markup(texts(files)[name]).links()
    }
    assert set(files) <= {each.replace(os.sep, "/") for each in linked}


def test_a_site_has_the_look_of_the_club_in_its_stylesheet_and_no_file_more(drawn: str) -> None:
    """The letters are in it, too: a site is opened from a stick, and what is not text has no mark of a site."""
    before = event_site(drawn, "Friday")
    assert b"/club/" not in b"".join(before.values())
    apply(drawn, SetClub("Club", "red", desk.LOGO))
    files = event_site(drawn, "Friday")
    assert set(files) == set(before)
    assert all("<span class=club>Club</span>" in text for text in texts(files).values())
    style = files["style.css"].decode()
    assert Club(colour="red").accents[1] in style
    assert f'url("data:image/png;base64,{b64encode(desk.LOGO).decode()}")' in style
    fonts = [b64decode(found) for found in re.findall(r"url\(data:font/woff2;base64,([^)]+)\)", style)]
    assert fonts == [(STATIC / "latin.woff2").read_bytes()]
    assert re.findall(r"url\((?!\"?data:)", style) == []


def test_one_state_makes_one_site(drawn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on another day, and with a clock that was started."""
    apply(drawn, ChangeClock("Friday", "start", minutes=30))
    first = event_site(drawn, "Friday")
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 400 * 24 * 3600)
    assert event_site(drawn, "Friday") == first


def test_a_draft_is_not_in_a_site(drawn: str) -> None:
    apply(drawn, EnterResult("Friday", 1, 2, desk.hands(names_at(drawn, 2))))
    before = event_site(drawn, "Friday")
    apply(drawn, DrawRound("Friday", draft=True))
    assert event_site(drawn, "Friday") == before


@pytest.mark.parametrize("preset", ["swiss-final", *slow(["groups", "knock-out"])])
def test_the_draft_of_no_stage_is_in_a_site(tmp_path: Path, preset: str) -> None:
    """The attack: the draft of a final announced who plays it, and each draft changed the chances of all."""
    db = str(tmp_path / "club.db")
    event = weekend.from_preset(db, preset, 16)
    while weekend.show(db).next_stage is not None:
        before = event_site(db, event)
        drawn = apply(db, DrawRound(draft=True)).rounds[0]
        assert event_site(db, event) == before
        apply(db, PublishRound(event))
        for table in drawn.tables:
            weekend.enter(db, weekend.show(db), table)


def test_a_finished_event_has_no_next_round(drawn: str) -> None:
    assert "next.html" in event_site(drawn, "Friday")
    apply(drawn, FinishEvent("Friday", incomplete=True))
    files = event_site(drawn, "Friday")
    assert "next.html" not in files
    assert not any(b"next.html" in content for content in files.values())


def test_a_site_speaks_the_language_of_the_event_unless_another_is_asked_for(
    drawn: str, tmp_path: Path, run: Runner
) -> None:
    """The event keeps Spanish."""
    folder = tmp_path / "site"
    assert run("site", "Friday", str(folder), "--db", drawn).code == 0
    assert "<html lang=es>" in (folder / "index.html").read_text(encoding="utf-8")
    assert run("--lang", "en", "site", "Friday", str(folder), "--db", drawn).code == 0
    assert "<html lang=en>" in (folder / "index.html").read_text(encoding="utf-8")


def test_a_pool_has_its_players(full: str) -> None:
    files = texts(pool_site(full, "races"))
    assert {"Eva", "Iker", "Noa"} <= set(Markup(files["index.html"]).texts)
    pages = [name for name in files if name.startswith("players/")]
    assert len(pages) == 3
    assert all("<svg" in files[name] for name in pages)


def test_no_page_of_a_pool_has_the_number_of_whose_other_name_it_shows(tmp_path: Path) -> None:
    """By a person's number somebody could find their page in the hall of an event, which shows their own name."""
    db = desk.everything(tmp_path / "club.db")
    apply(db, PublishPlayer("Ana", "other name", "Zorro"))
    files = texts(pool_site(db, "people"))
    assert [name for name, text in files.items() if "<h1>Zorro<" in text]
    assert not [name for name in files if re.fullmatch(r"players/\d+\.html", name)]


@pytest.mark.parametrize(("pool", "has_hands"), [("people", True), ("races", False)])
def test_a_player_s_page_has_points_by_contract_and_by_seat_where_there_are_sheets(
    full: str, pool: str, has_hands: bool
) -> None:
    """Somebody has played each of the seven hands; results files have none."""
    players = [text for name, text in texts(pool_site(full, pool)).items() if name.startswith("players/")]
    for heading in ("By contract", "By seat; seat 1 is the first dealer"):
        assert any(f"<caption>{heading}</caption>" in text for text in players) is has_hands
    tables = [text.partition("<caption>By contract</caption>")[2].partition("</table>")[0] for text in players]
    assert any(all(f">{name}<" in table for name in desk.CONTRACTS) for table in tables) is has_hands


def test_the_site_of_a_pool_has_the_ranking_chosen(run: Runner, full: str, tmp_path: Path) -> None:
    """Of everybody only the first is listed, still with a page of their own; the rest is counted."""
    shown = run("ratings", "--top", "1", "--db", full, "--json").json
    listed = [row["player"] for row in shown if row["verdict"] == "listed"]
    others = [row["player"] for row in shown if row["verdict"] == "below top"]
    assert len(listed) == 1
    assert len(others) == 2
    result = run("site", "--pool", "people", str(tmp_path / "site"), "--top", "1", "--db", full)
    assert (result.code, result.err) == (0, "")
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert all(name in page for name in listed)
    assert not any(f">{name}<" in page for name in others)
    assert f"{len(others)} more players are ranked." in page
    assert page.count("href=players/") + page.count('href="players/') == 1


def test_options_that_choose_players_need_a_pool(run: Runner, full: str, tmp_path: Path) -> None:
    result = run("site", "Friday", str(tmp_path / "site"), "--top", "2", "--db", full)
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    assert "for the site of a pool" in result.err
    assert not (tmp_path / "site").exists()


def test_a_pool_has_its_editions(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=1, date="2026-11-20")
    apply(db, DrawRound("Friday"))
    apply(db, EnterResult("Friday", 1, 1, desk.hands(names_at(db, 1))))
    number = apply(db, PublishEdition("people", "2026-11-21")).edition.number
    files = texts(pool_site(db, "people"))
    assert f"href=editions/{number}.html" in files["editions.html"]
    assert set(Markup(files["index.html"]).texts) & set(Markup(files[f"editions/{number}.html"]).texts) >= {"Ana"}


@pytest.mark.parametrize("names", [HOSTILE])
def test_no_name_changes_a_page_of_a_site(tmp_path: Path, names: tuple[str, ...]) -> None:
    db, event = str(tmp_path / "club.db"), HOSTILE[0]
    desk.club_of(db, names, event, rounds=1)
    apply(db, DrawRound(event))
    files = texts(event_site(db, event))
    assert set(names) <= set(Markup(files["index.html"]).texts)
    plain = event_site(desk.copied(tmp_path / "plain.db", make_drawn), "Friday")
    known = {each for text in texts(plain).values() for each in Markup(text).shape}
    for text in files.values():
        assert {each for each in Markup(text).shape if each not in known} == set()


def test_compacting_a_page_changes_neither_its_elements_nor_its_texts() -> None:
    head = '<table>\n<thead>\n<tr>\n<th scope="col">A</th>\n</tr>\n</thead>\n'
    page = f'{head}<tbody>\n<tr>\n<td dir="auto">x &lt;/td&gt;\nz</td>\n</tr>\n</tbody>\n</table>\n'
    before, after = Markup(page), Markup(compact(page))
    assert after.texts == before.texts
    assert [tag for tag, _attributes in after.elements] == [tag for tag, _attributes in before.elements]
    assert len(compact(page)) < len(page)


@pytest.mark.parametrize("name", ['Al rank="1" z', 'Bo dir="auto"', "<b>Cy</b>", "D'Or & Co"])
def test_compacting_a_page_changes_no_name_in_a_picture(name: str) -> None:
    skills = [(25.0, 8.0), (27.0, 7.0)]
    bars = interval_bars(name, [(1, name, 1, 2), (2, "Ana", 1, 2)])
    curves = first_curves(name, [(1, name, [(0, 1.0), (1, 2.0)])], ("2025", "2026"))
    for picture in (svg(name, skills), inline_svg(name, skills), bars, curves):
        before, after = Markup(picture), Markup(compact(picture))
        assert name in before.texts
        assert after.texts == before.texts
        assert after.elements == before.elements


def _chance_sheet(table: Table, rng: Random) -> list[SheetHand[str]]:
    """Return a sheet with points as different as those of real tables, so that few players are level."""
    names = [player.name for player in table.players]
    sheet = []
    for contract in desk.CONTRACTS:
        closer = rng.choice(names)
        sheet.append(SheetHand(contract, {name: 0 if name == closer else rng.randint(2, 110) for name in names}))
    return sheet


@pytest.mark.parametrize(("players", "rounds"), [(20, 2), *slow([(200, 10)])])
def test_a_site_is_small(tmp_path: Path, players: int, rounds: int) -> None:
    """At most 1 MB for 200 players and 10 rounds; a small event has no more for each player and round."""
    db = str(tmp_path / "club.db")
    names = [
        f"{desk.NAMES[at % 8]} {('García', 'Etxeberria', 'Martínez de la Cruz', 'Ruiz')[at % 4]} {at}"
        for at in range(players)
    ]
    desk.club_of(db, names, rounds=rounds, format="random", lang="es")
    rng = Random(rounds)
    for _round in range(rounds):
        for table in apply(db, DrawRound("Friday")).rounds[0].tables:
            apply(db, EnterResult("Friday", table.round, table.number, _chance_sheet(table, rng)))
    size = sum(map(len, event_site(db, "Friday").values()))
    style = 60_000  # with the letters, which are half of it
    assert size <= style + (MOST_BYTES - style) * players // 200


SERVERS = ("starlette", "uvicorn", "segno")
"""The packages of the server, which a site must not need."""


def test_the_pages_of_a_site_are_imported_without_the_packages_of_the_server() -> None:
    """In a process of its own, since modules that are imported twice are two."""
    code = f"import sys; sys.modules.update(dict.fromkeys({SERVERS})); import tourney.web.pages.site"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_the_command_needs_none_of_the_packages_of_the_server(drawn: str, tmp_path: Path) -> None:
    blocked = f"import sys; sys.modules.update(dict.fromkeys({SERVERS}))"
    code = f"{blocked}; from tourney.cli.framework.app import main; raise SystemExit(main(sys.argv[1:]))"
    line = [sys.executable, "-c", code, "site", "Friday", str(tmp_path / "site"), "--db", drawn]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def page(text: str) -> bytes:
    """Return a file as those of a site begin."""
    return b'<meta name="generator" content="tourney">' + text.encode()


SITE = {"index.html": page("front"), "players/1.html": page("one"), "style.css": b'/* content="tourney" */'}


FOLDERS = ["players", "tables", "standings", "editions", "seasons", "pages of a later version"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a site."""
    SiteFolder(str(tmp_path / "site")).write({**SITE, "players/2.html": page("two")})
    return tmp_path / "site"


def test_a_site_replaces_an_older_one_and_leaves_other_files(folder: Path) -> None:
    """Of the older site a page is gone that the new one lacks, and a folder without pages."""
    mine = {"CNAME": b"club.test", "players/photo.html": b"<p>mine", "tables/notes.txt": b"mine"}
    for name, content in mine.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    SiteFolder(str(folder)).write({**SITE, "editions/1.html": page("edition")})
    assert written(folder) == {**SITE, "editions/1.html": page("edition"), **mine}
    SiteFolder(str(folder)).write(SITE)
    assert written(folder) == {**SITE, **mine}
    assert not (folder / "editions").exists()


def test_a_copy_of_a_page_under_another_name_stays(folder: Path) -> None:
    """The attack: a page that was kept from an evening was deleted after the next one."""
    for name in ("evening.html", "players/about.html"):
        (folder / name).write_bytes((folder / "index.html").read_bytes())
    SiteFolder(str(folder)).write(SITE)
    assert written(folder).keys() == {*SITE, "evening.html", "players/about.html"}


def test_a_folder_with_other_files_is_refused_and_with_force_they_stay(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "notes.txt").write_bytes(b"mine")
    with desk.refused(ExitCode.CONFLICT, "notes.txt", "--force"):
        SiteFolder(str(folder)).write(SITE)
    assert written(folder) == {"notes.txt": b"mine"}
    SiteFolder(str(folder), force=True).write(SITE)
    assert written(folder) == {**SITE, "notes.txt": b"mine"}


def test_a_site_without_its_front_page_is_still_one(folder: Path) -> None:
    (folder / "index.html").unlink()
    SiteFolder(str(folder)).write(SITE)
    assert written(folder) == SITE


@pytest.mark.parametrize("name", ["index.html", "style.css", "players/1.html", "players"])
def test_somebody_elses_file_is_never_replaced(tmp_path: Path, name: str) -> None:
    file = tmp_path / "site" / name
    file.parent.mkdir(parents=True)
    file.write_bytes(b"mine")
    with desk.refused(ExitCode.CONFLICT, name, "not of a site"):
        SiteFolder(str(tmp_path / "site"), force=True).write(SITE)
    assert written(tmp_path / "site") == {name: b"mine"}


def test_a_link_to_a_file_elsewhere_is_not_followed(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.html"
    (folder / "index.html").rename(other)
    (folder / "index.html").symlink_to(other)
    with desk.refused(ExitCode.CONFLICT, "index.html"):
        SiteFolder(str(folder), force=True).write(SITE)
    assert (folder / "index.html").is_symlink()
    assert other.read_bytes() == page("front").replace(b'"tourney"', b'"tourney" data-file="index.html"')


@pytest.mark.parametrize("name", [*FOLDERS, ".tourney-site"])
def test_a_link_to_a_folder_elsewhere_is_not_followed(tmp_path: Path, name: str) -> None:
    """Another site stands there, whose pages this one would replace and delete."""
    folder, other = tmp_path / "site", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    pages = {"1.html": page("one"), "99.html": page("ninety-nine")}
    for file, content in pages.items():
        (other / file).write_bytes(content)
    (folder / name).symlink_to(other)
    with desk.refused(ExitCode.CONFLICT, name):
        SiteFolder(str(folder)).write(SITE)
    assert written(other) == pages
    assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize("name", FOLDERS)
def test_no_page_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    SiteFolder(str(tmp_path / "site")).write({"index.html": page("front")})
    (tmp_path / "other").mkdir()
    (tmp_path / "site" / name).symlink_to(tmp_path / "other")
    with desk.refused(ExitCode.CONFLICT, name):
        SiteFolder(str(tmp_path / "site"), force=True).write({**SITE, f"{name}/1.html": page("one")})
    assert written(tmp_path / "other") == {}


def test_a_folder_that_nobody_may_look_into_does_not_stop_a_site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some sticks have such a folder. The test replaces `listdir`, because root can read every folder."""
    (folder / "lost+found").mkdir()
    (folder / "lost+found" / "kept").touch()
    real = os.listdir

    def listed(path: str) -> list[str]:
        if path.endswith("lost+found"):
            raise PermissionError(path)
        return real(path)

    monkeypatch.setattr("tourney.files.site_folder.os.listdir", listed)
    SiteFolder(str(folder)).write(SITE)
    assert not (folder / "players" / "2.html").exists()


def test_an_empty_folder_of_somebody_else_stays(folder: Path) -> None:
    (folder / "photos").mkdir()
    SiteFolder(str(folder)).write(SITE)
    assert (folder / "photos").is_dir()


@pytest.mark.parametrize("name", FOLDERS)
def test_every_page_of_an_older_site_is_deleted(folder: Path, name: str) -> None:
    SiteFolder(str(folder)).write({**SITE, f"{name}/7.html": page("seven")})
    SiteFolder(str(folder)).write(SITE)
    assert written(folder) == SITE


@pytest.mark.parametrize(
    ("words", "code", "named"),
    [
        (["Fridya", "site"], ExitCode.NOT_FOUND, "did you mean Friday?"),
        (["Friday"], ExitCode.USAGE, "tourney site Friday Friday-pages"),
        (["Friday", "site", "more"], ExitCode.USAGE, "too many words"),
        (["Friday", "site", "--pool", "people"], ExitCode.USAGE, "--pool"),
        (["Friday", "site", "--event", "Friday"], ExitCode.USAGE, "two events"),
        (["site", "--pool", "peopel"], ExitCode.NOT_FOUND, "people"),
        (["Friday", "no/such/place"], ExitCode.NOT_FOUND, "there is no folder"),
        (["Friday", "club.db"], ExitCode.REFUSED, "not a folder"),
        (["Friday", ""], ExitCode.USAGE, "name"),
        (["Friday", "a\0b"], ExitCode.USAGE, ""),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_bad_input_is_one_line(
    drawn: str, monkeypatch: pytest.MonkeyPatch, run: Runner, words: list[str], code: ExitCode, named: str
) -> None:
    monkeypatch.chdir(Path(drawn).parent)
    before = set(Path(drawn).parent.iterdir())
    refused = run("site", *words, "--db", drawn)
    assert (refused.code, refused.out) == (code, "")
    assert named in refused.err
    assert "Traceback" not in refused.err
    assert set(Path(drawn).parent.iterdir()) == before


@pytest.mark.parametrize("room", [0, 3])
@pytest.mark.parametrize("older", [False, True], ids=["a new folder", "a folder with a site"])
def test_a_full_disk_leaves_the_folder_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, older: bool
) -> None:
    """The disk has room for some files."""
    folder = tmp_path / "site"
    if older:
        SiteFolder(str(folder)).write(SITE)
    left = iter(range(room))

    def full(handle: int) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    files = {f"players/{at}.html": page("new") for at in range(9)}
    with desk.refused(ExitCode.STORAGE, "No space left"):
        SiteFolder(str(folder)).write({**files, "index.html": page("new")})
    assert folder.exists() == older
    assert written(tmp_path) == ({f"site/{name}": content for name, content in SITE.items()} if older else {})


def test_what_a_killed_program_left_is_no_hindrance(tmp_path: Path) -> None:
    """A draft is all that a first writing leaves if it is killed."""
    half = tmp_path / "site" / ".tourney-site" / "players" / "1.html"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"half")
    SiteFolder(str(tmp_path / "site")).write(SITE)
    assert written(tmp_path / "site") == SITE


def test_a_command_writes_the_site_and_json_says_what_was_written(drawn: str, tmp_path: Path, run: Runner) -> None:
    folder = tmp_path / "site"
    done = run("site", "Friday", str(folder), "--db", drawn, "--json").json
    found = written(folder)
    assert found == dict(event_site(drawn, "Friday"))
    assert done == {"folder": str(folder), "files": len(found), "bytes": sum(map(len, found.values()))}
