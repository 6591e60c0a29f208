"""Make an environment with the compiled build: `python -m tests.compiled FOLDER [PATH ...]`.

The program is built from the last commit, but the named paths are copied from the working tree. If the folder holds
an environment already, only the program in it is built again. Run measurements with the environment's Python and
outside the checkout, whose plain sources Python would find first: `cd / && FOLDER/bin/python ...`.
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
ASSERT_COMPILED = """
from engine import hand
assert not hand.__file__.endswith(".py"), "this build is plain; `tourney doctor` says why"
"""


def main(folder: str, *changed: str) -> None:
    """Build the wheel, install it with the packages that the tests need, and check that it is compiled."""
    python = environment(Path(folder).absolute())
    with tempfile.TemporaryDirectory() as work:
        source = sources(Path(work), changed)
        run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", work, str(source))
        wheel = next(Path(work).glob("*.whl"))
        run(python, "-m", "pip", "install", "--quiet", f"{wheel}[test]")
        run(python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", str(wheel))
    run(python, "-c", ASSERT_COMPILED)
    run(python, "-m", "tourney", "doctor")


def environment(home: Path) -> str:
    """Return the path of the Python of the environment in `home`, which is created if missing."""
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(home, with_pip=True)
    return str(python)


def sources(work: Path, changed: tuple[str, ...]) -> Path:
    """Return a copy of the last commit, with the `changed` paths copied from the working tree."""
    source = work / "source"
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(source, filter="data")
    for path in changed:
        target = source / path
        if target.is_dir():
            shutil.rmtree(target)
            shutil.copytree(ROOT / path, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / path, target)
    return source


def run(*words: str) -> None:
    """Run a command outside the checkout."""
    subprocess.run(words, check=True, cwd=Path(sys.executable).anchor)


if __name__ == "__main__":
    main(*sys.argv[1:])
