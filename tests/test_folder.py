"""Tests of the folder with a Python inside: its files start the program, and a whole folder needs no other Python."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
SYSTEMS = ("linux", "darwin", "win32")
UNIX = pytest.mark.skipif(
    sys.platform == "win32",
    reason="the folder made here is for Linux or macOS: Windows keeps its Python in other places",
)


@pytest.fixture
def made() -> ModuleType:
    """The script that makes a folder."""
    specification = importlib.util.spec_from_file_location("folder", ROOT / ".ci" / "folder.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def started(made: ModuleType, tmp_path: Path) -> Path:
    """A folder, its path with a blank and a quote, in which a script that prints its arguments is the Python."""
    folder = tmp_path / "a club's folder"
    python = folder / "python" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@"\nexit ${CODE:-0}\n', encoding="utf-8")
    python.chmod(0o755)
    for system in ("linux", "darwin"):
        made.write_starts(folder, system)
    return folder


def run(*command: str | Path, code: int = 0) -> tuple[int, str]:
    """Return the exit code and the output of a command that ends with this code; Enter is typed."""
    done = subprocess.run(
        command, input="\n", capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "CODE": str(code)}
    )
    return done.returncode, done.stdout


@UNIX
def test_the_program_of_a_folder_runs_from_anywhere_also_by_a_link(started: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(started / "tourney")
    for program in (started / "tourney", tmp_path / "link"):
        assert run(program, "event", "new", "A B", code=3) == (3, "-I -m tourney event new A B\n")


@UNIX
@pytest.mark.parametrize("name", ["open-desk", "Open the desk.command"])
def test_a_double_click_opens_the_desk_and_waits_only_after_a_refusal(started: Path, name: str) -> None:
    assert run(started / name) == (0, "-I -m tourney desk\n")
    assert run(started / name, code=4) == (4, "-I -m tourney desk\n\n[Enter] ")


@UNIX
def test_the_icon_of_linux_finds_the_folder_that_it_lies_in(started: Path) -> None:
    """The line is taken apart as the desktop entry specification says: escapes of texts, then quotes."""
    icon = started / "Open the desk.desktop"
    (line,) = [line for line in icon.read_text(encoding="utf-8").splitlines() if line.startswith("Exec=")]
    program, option, rest = line.removeprefix("Exec=").replace("\\\\", "\\").split(" ", 2)
    quoted, field = rest.rsplit(" ", 1)
    script = quoted[1:-1].replace('\\"', '"').replace("\\$", "$")
    assert (program, option, field) == ("sh", "-c", "%k")
    assert run(program, option, script, icon) == (0, "-I -m tourney desk\n")


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_system_has_a_file_to_click_and_the_program(made: ModuleType, tmp_path: Path, system: str) -> None:
    made.write_starts(tmp_path, system)
    names = {file.name.partition(".")[0] for file in tmp_path.iterdir()}
    assert {"Open the desk", "tourney"} <= names
    texts = [file.read_bytes() for file in tmp_path.glob("*.bat")]
    assert len(texts) == (2 if system == "win32" else 0)
    assert all(text.count(b"\r\n") == text.count(b"\n") and b"%~dp0python" in text for text in texts)


@pytest.mark.slow
def test_a_whole_folder_plays_without_another_python(made: ModuleType, tmp_path: Path) -> None:
    """The plain wheel and the Python of these tests; the folder is moved after it was made.

    A distribution spreads its Python over /usr among everything else, so nothing there is a Python to copy.
    `.ci/nightly` runs with one that has a folder of its own.
    """
    if Path(sys.base_prefix) in (Path("/usr"), Path("/usr/local")):
        pytest.skip("this Python is a part of /usr: a Python to copy has a folder of its own")
    if sys.platform == "linux" and shutil.which("patchelf") is None:
        pytest.fail("patchelf is missing: install it with apt-get")
    wheels, folder = tmp_path / "wheels", tmp_path / "made"
    build = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", wheels, ROOT)
    subprocess.run(build, check=True, env={**os.environ, "TOURNEY_PURE": "1"})
    (wheel,) = wheels.glob("*.whl")
    made.main(wheel, Path(sys.base_prefix), folder)
    moved = folder.rename(tmp_path / "a club's folder")
    assert not [file for file in moved.rglob("*") if made.is_binary(file) and dict(made.needed(file, moved / "python"))]
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "dirname", "readlink"):
        (tools / tool).symlink_to(shutil.which(tool))
    done = subprocess.run(
        [moved / "tourney", "demo"], capture_output=True, text=True, env={"PATH": str(tools), "HOME": str(tmp_path)}
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = subprocess.run([moved / "tourney", "--version"], capture_output=True, text=True, env={"PATH": str(tools)})
    assert shown.stdout.startswith("tourney ")
