"""Tests of `--output`: every form of a report in a file, written whole or not at all, and over nothing unasked."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, refusal
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.whole_file import WholeFile
from tourney.text.names import written_at


@pytest.fixture
def club(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line in a folder with an event of four."""
    monkeypatch.setenv("TOURNEY_DB", desk.copied(tmp_path / "club.db", make_an_event_of_four))
    monkeypatch.chdir(tmp_path)
    return Runner(capsys)


def make_an_event_of_four(db: str) -> None:
    desk.event(db, 4)


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "html"])
def test_a_file_has_what_standard_output_would_have(club: Runner, tmp_path: Path, form: str) -> None:
    expected = club("player", "list", "--format", form)
    done = club("player", "list", "--format", form, "--output", "players.txt")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"{expected.err}The output is in players.txt.\n"
    assert (tmp_path / "players.txt").read_bytes() == expected.out.encode()


ENDINGS = {
    "a.csv": "csv",
    "a.json": "json",
    "A.MD": "markdown",
    "a.html": "html",
    "a.HTM": "html",
    "a.txt": "table",
    "a": "table",
    "Friday 21.11": "table",
}


@pytest.mark.parametrize("name", ENDINGS)
def test_without_a_format_the_name_of_the_file_says_which(club: Runner, tmp_path: Path, name: str) -> None:
    assert club("player", "list", "--output", name).code == 0
    assert club("player", "list", "--format", ENDINGS[name], "--output", "expected").code == 0
    assert (tmp_path / name).read_bytes() == (tmp_path / "expected").read_bytes()


def test_a_file_named_as_a_workbook_is_one_unless_another_form_is_asked_for(club: Runner, tmp_path: Path) -> None:
    assert club("player", "list", "--output", "list.xlsx").code == 0
    assert (tmp_path / "list.xlsx").read_bytes().startswith(b"PK")
    assert club("player", "list", "--json", "--output", "list.xlsx", "--force").code == 0
    assert (tmp_path / "list.xlsx").read_bytes().startswith(b"[")


HTML = "hint: `--output list.html` opens in a browser, which prints it or saves it as PDF"
UNWRITTEN = {
    "a table as a PDF": ("player list --output list.pdf", HTML),
    "as a document": ("player list --output list.DOCX", HTML),
    "as a spreadsheet that is no workbook": ("player list --output list.ods", HTML),
    "though a form is named": ("player list --format html --output list.odt", HTML),
    "a change": ("round draw --output list.pdf", HTML),
    "a page to print": ("print slips --output list.pdf", HTML),
    "a page to print as a workbook": ("print slips --output list.xlsx", HTML),
    "an event's file": ("event export --output list.csv", "hint: the file is for another computer, as in `--output li"),
}


@pytest.mark.parametrize("case", UNWRITTEN)
def test_a_name_that_promises_what_is_not_written_is_refused(club: Runner, tmp_path: Path, case: str) -> None:
    """A text with the name of a PDF was "in list.pdf", and no reader of PDF opened it."""
    command, hint = UNWRITTEN[case]
    done = club(*command.split())
    message, said = refusal(done, ExitCode.USAGE)
    name = command.split()[-1]
    assert message == f"error: {name}: this is not written as {Path(name).suffix.lower()}"
    assert said.startswith(hint)
    assert not (tmp_path / name).exists()
    assert "No round is drawn" in club("round", "show").out


@pytest.mark.parametrize("command", ["guide files", "round draw", "rules show oficial", "rating pool --open"])
def test_other_commands_write_files_too(club: Runner, tmp_path: Path, command: str) -> None:
    """A page of the guide, a change, rules without a database, and a group with a command of its own."""
    done = club(*command.split(), "--output", "page.txt")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "page.txt").stat().st_size > 0


def test_an_existing_file_is_replaced_only_with_force(club: Runner, tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    file.write_text("mine\n")
    file.chmod(0o640)
    refused = club("player", "list", "--format", "csv", "--output", "players.csv")
    assert refused.code == ExitCode.CONFLICT
    assert refused.err == ("error: players.csv exists already\nhint: name another file, or add --force to replace it\n")
    assert file.read_text() == "mine\n"
    assert club("player", "list", "--format", "csv", "--output", "players.csv", "--force").code == 0
    assert file.read_text().startswith("id,name,")
    assert file.stat().st_mode & 0o777 == 0o640


MODES = {"a private file": (0o600, 0o600), "a group's file": (0o640, 0o600), "a new file": (None, 0o644)}


@pytest.mark.skipif(
    os.name == "nt", reason="Windows has no permission bits: who may read a file follows from its folder"
)
@pytest.mark.parametrize("case", MODES)
def test_what_replaces_a_file_can_be_read_by_nobody_else_while_it_is_written(case: str, tmp_path: Path) -> None:
    """The draft had the permissions of a new file until it got its name."""
    kept, while_written = MODES[case]
    file = tmp_path / "list.txt"
    if kept is not None:
        file.touch()
        file.chmod(kept)
    before = os.umask(0o022)
    try:
        with WholeFile(str(file), force=True).open() as stream:
            assert os.fstat(stream.fileno()).st_mode & 0o777 == while_written
            stream.write(b"names\n")
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == (0o644 if kept is None else kept)


REFUSED = {
    "no folder": ("none/list.txt", ExitCode.NOT_FOUND, "there is no folder"),
    "a file as a folder": ("club.db/list.txt", ExitCode.NOT_FOUND, "there is no folder"),
    "a folder": (".", ExitCode.REFUSED, "this is not a file"),
    "a device": ("/dev/null", ExitCode.REFUSED, "this is not a file"),
    "the database": ("club.db", ExitCode.CONFLICT, "club.db: this is a database, which no output replaces"),
    "a name too long": ("x" * 300, ExitCode.STORAGE, "the file cannot be written"),
    "no name": ("", ExitCode.USAGE, "the path of the file is empty"),
    "a zero character": ("a\0b", ExitCode.USAGE, "zero character"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_cannot_be_written_is_refused_before_a_round_is_drawn(
    club: Runner, tmp_path: Path, case: str
) -> None:
    path, code, words = REFUSED[case]
    before = sorted(tmp_path.iterdir())
    done = club("round", "draw", "--output", path, "--force")
    assert words in refusal(done, code)[0]
    assert sorted(tmp_path.iterdir()) == before
    assert "No round is drawn" in club("round", "show").out


def test_an_output_that_would_be_the_new_database_is_refused_before_a_league_is_played(run: Runner) -> None:
    words = ["league", "run", "--bots", "random,random", "--blocks", "1", "--output", "./new.csv", "--db", "new.csv"]
    assert "this is the database of this command" in refusal(run(*words), ExitCode.USAGE)[0]
    assert not Path("new.csv").exists()


@pytest.mark.parametrize("command", ["player list", "round draw"])
def test_on_a_full_disk_nothing_is_half_written(
    club: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """The older file stays. A change is made before its report is written, so its hint warns not to repeat it."""

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "list.txt").write_text("older\n")
    monkeypatch.setattr("tourney.files.whole_file.os.fsync", full)
    done = club(*command.split(), "--output", "list.txt", "--force")
    assert done.code == ExitCode.STORAGE
    assert "list.txt: the file cannot be written (No space left on device)" in done.err
    assert ("the change itself was made" in done.err) == (command == "round draw")
    assert (tmp_path / "list.txt").read_text() == "older\n"
    assert not list(tmp_path.glob(".tourney-*"))


def test_a_file_that_appears_while_another_is_written_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"

    def write() -> None:
        with WholeFile(str(file)).open() as stream:
            stream.write(b"ours\n")
            file.write_text("theirs\n")

    with desk.refused(ExitCode.CONFLICT, "exists already"):
        write()
    assert file.read_text() == "theirs\n"
    assert list(tmp_path.iterdir()) == [file]


def test_on_a_stick_without_links_a_file_is_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(_draft: str, _target: str) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("tourney.files.whole_file.os.link", no_links)
    WholeFile(str(tmp_path / "list.txt")).write(b"ours\n")
    assert (tmp_path / "list.txt").read_bytes() == b"ours\n"


def test_a_link_leads_to_the_new_file_and_stays(tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(tmp_path / "list.txt")
    for content in (b"first\n", b"second\n"):
        WholeFile(str(tmp_path / "latest"), force=True).write(content)
        assert (tmp_path / "list.txt").read_bytes() == content
    assert (tmp_path / "latest").is_symlink()


WRITES = {
    "a report": "standings --format csv --output PLACE",
    "an event": "event export --output PLACE",
    "a part": "league part 1/2 --bots greedy,random --seats 2 --blocks 2 --seed 1 --output PLACE",
    "a site": "site DAY PLACE",
    "a backup": "db backup PLACE",
    "a new bot": "bot new PLACE",
    "a new database": "player add Ana --db PLACE",
}


@pytest.mark.skipif(os.name == "nt", reason="Python cannot give a link to another user on Windows")
@pytest.mark.parametrize("where", ["the file", "a folder on the way"])
@pytest.mark.parametrize("words", WRITES.values(), ids=WRITES)
def test_no_output_follows_a_link_of_another_user(
    club: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, where: str
) -> None:
    """The kernel does not follow such a link in a shared folder either, where a path is opened as it was named."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "shared").mkdir()
    link = tmp_path / "shared" / "out"
    link.symlink_to(tmp_path / "mine" / "new" if where == "the file" else tmp_path / "mine")
    if os.geteuid() == 0:
        os.chown(link, 65534, 65534, follow_symlinks=False)
    else:
        monkeypatch.setattr("tourney.text.names.os.geteuid", lambda: 65534)
    place = str(link if where == "the file" else link / "new")
    (name,) = [each["name"] for each in club("event", "list", "--json").json]
    refused = club(*[{"PLACE": place, "DAY": name}.get(word, word) for word in words.split()])
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    assert "is a link of another user" in refused.err
    assert list((tmp_path / "mine").iterdir()) == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files to others")
def test_no_mirror_is_made_or_continued_through_a_link_of_another_user(club: Runner, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "stick").symlink_to(tmp_path / "one")
    added = club("db", "mirror", "add", str(tmp_path / "stick"))
    assert added.code == 0, added.err
    (tmp_path / "stick").unlink()
    (tmp_path / "stick").symlink_to(tmp_path / "two")
    os.chown(tmp_path / "stick", 65534, 65534, follow_symlinks=False)
    assert "is a link of another user" in club("player", "add", "Zoe").err
    assert club("db", "mirror", "remove", str(tmp_path / "stick" / "club.db-mirror.txt")).code == 0
    assert "is a link of another user" in club("db", "mirror", "add", str(tmp_path / "stick")).err
    assert list((tmp_path / "two").iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Python cannot give a folder to another user on Windows")
@pytest.mark.parametrize("inner", ["", "players"])
def test_no_site_is_written_into_a_folder_of_another_user(
    club: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inner: str
) -> None:
    """The owner of such a folder may put a link there while the site is written."""
    (name,) = [each["name"] for each in club("event", "list", "--json").json]
    (tmp_path / "site" / inner).mkdir(parents=True)
    if os.geteuid() == 0:
        os.chown(tmp_path / "site" / inner, 65534, 65534)
    else:
        monkeypatch.setattr("tourney.files.site_folder.os.geteuid", lambda: 65534)
    refused = club("site", name, str(tmp_path / "site"), "--force")
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    assert "is a folder of another user" in refused.err


def test_links_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(TourneyError):
        WholeFile(str(tmp_path / "one")).write(b"x")


KILLED = """
import os, signal, sys
from tourney.files.whole_file import WholeFile
from tourney.text.names import written_at
with WholeFile(sys.argv[1], force=True).open() as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_program_killed_while_it_writes_leaves_the_older_file(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("older\n")
    assert subprocess.run([sys.executable, "-c", KILLED, os.fspath(file)], check=False).returncode == -9
    assert file.read_text() == "older\n"


def test_force_without_a_file_is_refused(club: Runner) -> None:
    done = club("player", "list", "--force")
    assert done.code == ExitCode.USAGE
    assert done.err.splitlines()[1] == "hint: add --output FILE, or leave out --force"


def test_an_output_goes_where_its_path_was_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: another user put a link in the place of their folder behind the walk, and a second one followed."""
    mine, out, islink = tmp_path / "mine", tmp_path.resolve() / "out", os.path.islink
    mine.mkdir()
    out.mkdir()

    def exchanged(path: str) -> bool:
        if path == str(out / "a.csv"):
            out.rename(tmp_path / "away")
            out.symlink_to(mine)
        return islink(path)

    monkeypatch.setattr(os.path, "islink", exchanged)
    assert written_at(out / "a.csv") == str(out / "a.csv")
