"""Which program this is."""

from importlib.metadata import PackageNotFoundError, version

from tourney.text import _


def program_version() -> str:
    """The distribution's version, such as `0.1.0`; in words where it is not installed."""
    try:
        return version("tourney-continental")
    except PackageNotFoundError:
        return _("(not installed)")
