"""Shims of version managers: scripts that look up, when they are run, which program is meant.

Only the organiser's environment says where managers and their shims lie: nothing in a bot's folder is asked, started
or read.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

MANAGERS: Final = {
    "pyenv": ("PYENV_ROOT", ".pyenv"),
    "asdf": ("ASDF_DATA_DIR", ".asdf"),
    "mise": ("MISE_DATA_DIR", ".local/share/mise"),
    "nodenv": ("NODENV_ROOT", ".nodenv"),
    "rbenv": ("RBENV_ROOT", ".rbenv"),
    "goenv": ("GOENV_ROOT", ".goenv"),
}
"""Managers whose command `which` prints the program behind a shim: the variable of their folder, and its default."""
SECONDS: Final = 10.0
MOST_KEPT: Final = 128
"""The most search paths and options of sandboxes that are kept, because many looks at the disk find each of them."""
SYSTEM: Final = ("/bin", "/sbin", "/usr", "/opt", "/nix", "/snap")
"""Where the programs of the system are."""


def search_path(folder: str | None) -> str:
    """Return the organiser's search path without relative folders, and without those in the bot's folder."""
    return _outside(os.environ.get("PATH", os.defpath), folder)


@lru_cache(maxsize=MOST_KEPT)
def _outside(path: str, folder: str | None) -> str:
    own = os.path.realpath(folder or os.sep)
    entries = filter(os.path.isabs, path.split(os.pathsep))
    return os.pathsep.join([entry for entry in entries if own == os.sep or not inside(entry, own)])


def is_known(program: str, folder: str | None) -> bool:
    """Return whether an absolute path is of the system, of this Python, of a version manager, or on the search path.

    Any other program is an author's, even if the organiser has typed its path.
    """
    path = Path(os.path.normpath(program))
    places = (*SYSTEM, sys.prefix, sys.base_prefix, *[root for _manager, root in _roots()])
    return str(path.parent) in search_path(folder).split(os.pathsep) or any(map(path.is_relative_to, places))


def _roots() -> Iterator[tuple[str, str]]:
    """Yield the version managers, each with its folder."""
    for manager, (variable, default) in MANAGERS.items():
        root = os.environ.get(variable) or os.path.join(os.path.expanduser("~"), default)
        if os.path.isabs(root):
            yield manager, os.path.normpath(root)


def inside(path: str, folder: str) -> bool:
    """Return whether a path, by itself or after its links, lies in a folder or is that folder."""
    own = os.path.realpath(folder)
    return any(Path(each).is_relative_to(own) for each in (os.path.abspath(path), os.path.realpath(path)))


@cache
def behind_shim(executable: str, folder: str | None) -> str:
    """Return the path of the program that a shim means, or the path of a program that is not a shim.

    A sandbox does not show the manager that the shim would ask.
    """
    if folder not in (None, os.sep) and inside(executable, folder or ""):
        return executable
    for manager, root in _roots():
        if os.path.dirname(executable) == os.path.join(root, "shims"):
            found = shutil.which(manager, path=search_path(folder))
            return (_answer(found, os.path.basename(executable)) if found else "") or executable
    return executable


def _answer(manager: str, name: str) -> str:
    """Return the path that a manager names for a program, '' if it names none."""
    try:
        ran = subprocess.run((manager, "which", name), cwd=os.sep, capture_output=True, timeout=SECONDS, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    path = ran.stdout.strip()
    return path if ran.returncode == 0 and os.path.isabs(path) and os.access(path, os.X_OK) else ""
