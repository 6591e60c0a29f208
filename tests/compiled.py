"""An environment with the compiled build: `python -m tests.compiled FOLDER [PATH ...]`.

It is built from the last commit, with the paths named taken as they stand in the working tree. Where the folder
holds an environment already, only the program in it is built anew. Run what you measure with its Python and from
another folder, since Python would find the sources here first: `cd / && FOLDER/bin/python ...`.
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ASSERTED = """
from engine import hand
assert not hand.__file__.endswith(".py"), "this build is plain; `tourney doctor` says why"
"""


def main(folder: str, *changed: str) -> None:
    """Builds the wheel, installs it with what the tests need, and makes sure that it is compiled."""
    python = environment(Path(folder).absolute())
    with tempfile.TemporaryDirectory() as work:
        source = sources(Path(work), changed)
        run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", work, str(source))
        wheel = next(Path(work).glob("*.whl"))
        run(python, "-m", "pip", "install", "--quiet", f"{wheel}[test]")
        run(python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", str(wheel))
    run(python, "-c", ASSERTED)
    run(python, "-m", "tourney", "doctor")


def environment(home: Path) -> str:
    """The path of the Python of an environment in that folder, made if need be."""
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(home, with_pip=True)
    return str(python)


def sources(work: Path, changed: tuple[str, ...]) -> Path:
    """A copy of the last commit, with these paths as they stand in the working tree."""
    source = work / "source"
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(source, filter="data")
    for path in changed:
        there = source / path
        if there.is_dir():
            shutil.rmtree(there)
            shutil.copytree(ROOT / path, there, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / path, there)
    return source


def run(*words: str) -> None:
    """Runs a command away from the sources."""
    subprocess.run(words, check=True, cwd=Path(sys.executable).anchor)


if __name__ == "__main__":
    main(*sys.argv[1:])
