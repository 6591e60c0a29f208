#!/usr/bin/env python3
"""Make a folder with `tourney` and a Python inside, in which a double click opens the desk.

    python .ci/folder.py WHEEL HOME FOLDER

WHEEL is a wheel of `tourney` for this system, HOME the home of a Python of the wheel's version that is copied, FOLDER
what is made. A Python of `uv python install` runs from any folder as it is. Of any other one on Linux the libraries
outside it are copied, too, which takes `patchelf` on the search path. The packages are those of `.ci/folder.txt`. A
copied Python starts the bots of a league as an installed one does: nothing is frozen. It has `pip`, for what is added
later.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pip

ROOT: Final = Path(__file__).resolve().parents[1]
LEFT_OUT: Final = shutil.ignore_patterns(
    *("__pycache__", "*.pyc", "*.a", "*.pdb", "*.lib", "test", "tests", "site-packages", "config-*", "ensurepip"),
    *("idlelib", "turtledemo", "*tkinter*", "tcl*", "tk*", "libtcl*", "libtk*", "itcl*", "thread2*", "lib2to3"),
    *("_curses*", "_dbm*", "_gdbm*", "nis.*", "include", "share", "Doc", "Scripts", "pkgconfig", "EXTERNALLY-MANAGED"),
)
"""The parts of a Python that no command needs."""
PROGRAM: Final = re.compile(r"python(3(\.\d+)?)?")
"""The names of the interpreter, beside which the scripts of other packages may lie."""
OF_LINUX: Final = re.compile(r"(ld-linux[\w-]*|lib(c|m|dl|rt|util|pthread|resolv))\.so\.\d+")
"""The libraries that each Linux has."""
UNIX: Final = """\
#!/bin/sh
# The program `tourney` of this folder.
exec "$(dirname "$(readlink -f "$0")")/python/bin/python3" -I -m tourney "$@"
"""
OPEN_UNIX: Final = """\
#!/bin/sh
# Open the desk. The window stays if that is refused, so that the reason can be read.
"$(dirname "$(readlink -f "$0")")/tourney" desk "$@" || { code=$?; printf '\\n[Enter] '; read -r _; exit "$code"; }
"""
OF_DESKTOP: Final = """\
[Desktop Entry]
Type=Application
Version=1.0
Name=Open the desk
Name[es]=Abrir la organización
Comment=An evening of Continental in the browser
Comment[es]=Una velada de Continental en el navegador
Exec=sh -c "exec \\\\"\\\\$(dirname \\\\"\\\\$0\\\\")/open-desk\\\\"" %k
Icon=applications-games
Terminal=true
Categories=Game;CardGame;
"""
WINDOWS: Final = '@"%~dp0python\\python.exe" -I -m tourney %*\r\n'
OPEN_WINDOWS: Final = """\
@echo off\r
title tourney\r
"%~dp0python\\python.exe" -I -m tourney desk %*\r
if errorlevel 1 pause\r
"""
STARTS: Final[dict[str, dict[str, str]]] = {
    "linux": {"tourney": UNIX, "open-desk": OPEN_UNIX, "Open the desk.desktop": OF_DESKTOP},
    "darwin": {"tourney": UNIX, "Open the desk.command": OPEN_UNIX},
    "win32": {"tourney.bat": WINDOWS, "Open the desk.bat": OPEN_WINDOWS},
}
"""The files by which the folder of each system is started."""


def main(wheel: Path, home: Path, folder: Path) -> None:
    """Make the folder."""
    python, system = folder / "python", sys.platform
    shutil.copytree(home, python, symlinks=True, ignore=LEFT_OUT)
    for script in (python / "bin").glob("*"):
        if not PROGRAM.fullmatch(script.name):
            script.unlink()
    program = program_of(home)
    packages = site_packages(python, program)
    shutil.copytree(Path(pip.__file__).parent, packages / "pip", ignore=shutil.ignore_patterns("__pycache__"))
    installing = (sys.executable, "-m", "pip", "--python", program, "install", "--quiet", "--no-compile")
    for what in (["--require-hashes", "-r", ROOT / ".ci" / "folder.txt"], ["--no-deps", wheel]):
        run(*installing, "--target", packages, *what)
    shutil.rmtree(packages / "bin", ignore_errors=True)  # scripts that name the Python that was copied
    if system == "linux":
        bring_libraries(python)
    # What was compiled holds wherever the folder is copied to: a stick keeps other times.
    run(program_of(python), "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(python))
    write_starts(folder, system)


def run(*command: str | Path) -> str:
    """Return what a command prints."""
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True).stdout


def program_of(home: Path) -> Path:
    """Return the interpreter in the home of a Python."""
    return home / ("python.exe" if sys.platform == "win32" else "bin/python3")


def site_packages(python: Path, program: Path) -> Path:
    """Return where a copy of the Python of `program` has its packages."""
    version = run(program, "-I", "-c", "import sys; print('python%d.%d' % sys.version_info[:2])").strip()
    return python / ("Lib" if sys.platform == "win32" else f"lib/{version}") / "site-packages"


def bring_libraries(python: Path) -> None:
    """Copy the libraries that lie outside the folder, and let each file find them in the folder."""
    libraries = python / "lib"
    for file in [path for path in python.rglob("*") if is_binary(path)]:
        outside = dict(needed(file, python))
        for name, path in outside.items():
            if not (libraries / name).exists():
                shutil.copy(path, libraries / name)
        if outside:
            place = os.path.relpath(libraries, file.parent)
            run("patchelf", "--set-rpath", f"$ORIGIN/{place}", file)
    for library in libraries.glob("*.so*"):
        if not library.is_symlink() and dict(needed(library, python)):
            run("patchelf", "--set-rpath", "$ORIGIN", library)


def is_binary(path: Path) -> bool:
    """Return whether a file is a program or library of Linux."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(file: Path, python: Path) -> Iterator[tuple[str, Path]]:
    """Yield the libraries outside the folder that a file is linked to, without those that each Linux has."""
    found = subprocess.run(["ldd", file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (/.+) \(0x[0-9a-f]+\)$", found, re.MULTILINE):
        if not OF_LINUX.fullmatch(name) and not Path(path).resolve().is_relative_to(python.resolve()):
            yield name, Path(path)


def write_starts(folder: Path, system: str) -> None:
    """Write the files by which a folder of a system is started."""
    for name, text in STARTS[system].items():
        file = folder / name
        file.write_text(text, encoding="utf-8", newline="")
        file.chmod(0o755)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
