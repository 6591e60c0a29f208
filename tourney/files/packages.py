"""Packages that only some forms of files need."""

from importlib.util import find_spec

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _


def refuse_without_openpyxl() -> None:
    """Raise TourneyError REFUSED if workbooks can neither be read nor written."""
    if find_spec("openpyxl") is None:
        message = _("workbooks (.xlsx) need the package openpyxl, which is not installed")
        raise TourneyError(ExitCode.REFUSED, message, _("pip install openpyxl"))
