"""Versions of this program and of its seating."""

from tourney.seating.model import SEATING_VERSION
from tourney.text.i18n import _


def program_version() -> str:
    """Return the distribution's version, such as `0.2.0`; `(not installed)` without one."""
    from importlib.metadata import PackageNotFoundError, version  # takes longer to import than most modules

    try:
        return version("tourney-continental")
    except PackageNotFoundError:
        return _("(not installed)")


def seating_version() -> str:
    """Return the program's version with its seating version, such as `0.2.0+seating.1`.

    Programs with the same seating version draw the same seats from the same seed and history.
    """
    return f"{program_version()}+seating.{SEATING_VERSION}"
