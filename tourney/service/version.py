"""Which program this is."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Final

from tourney.text import _

SEATS: Final = ("seating", "service/coming.py", "service/drawing.py")
"""What of the package decides who sits where: a folder of modules, and modules."""


def program_version() -> str:
    """The distribution's version, such as `0.1.0`; in words where it is not installed."""
    try:
        return version("tourney-continental")
    except PackageNotFoundError:
        return _("(not installed)")


@cache
def seating_version() -> str:
    """The same with a digest of the sources that seat, as `0.1.0+seating.3f9a1c2e`: whatever has it, from the same seed
    and the same past seats everybody alike. Nobody need raise a number when a seating changes."""
    digest = hashlib.sha256()
    for part in SEATS:
        found = files("tourney").joinpath(part)
        modules = [found] if found.is_file() else sorted(found.iterdir(), key=lambda one: one.name)
        for module in modules:
            if module.name.endswith(".py"):
                # As text: line ends differ between systems.
                digest.update(f"{module.name}\n{module.read_text(encoding='utf-8')}\0".encode())
    return f"{program_version()}+seating.{digest.hexdigest()[:8]}"
