"""Shims of version managers: scripts that look up, when they are run, which program is meant."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

MANAGERS: Final = ("pyenv", "asdf", "mise", "nodenv", "rbenv", "goenv")
"""Managers whose command `which` prints the program behind a shim in a folder `shims`."""
SECONDS: Final = 10.0


@cache
def behind_shim(executable: str, folder: str | None) -> str:
    """Return the path of the program that a shim stands for in a folder, or the path of a program that is no shim.

    A sandbox does not show the manager that the shim would ask.
    """
    if Path(executable).parent.name != "shims":
        return executable
    own = os.path.join(os.path.dirname(os.path.dirname(executable)), "bin")
    managers = (shutil.which(name, path=os.pathsep.join((own, os.environ.get("PATH", "")))) for name in MANAGERS)
    asked = (_answer(manager, os.path.basename(executable), folder) for manager in managers if manager is not None)
    return next(filter(None, asked), executable)


def _answer(manager: str, name: str, folder: str | None) -> str:
    """Return the path that a manager names for a program, '' if it names none."""
    try:
        ran = subprocess.run((manager, "which", name), cwd=folder, capture_output=True, timeout=SECONDS, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    path = ran.stdout.strip()
    return path if ran.returncode == 0 and os.access(path, os.X_OK) else ""
