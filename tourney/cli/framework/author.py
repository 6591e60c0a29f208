"""The author of a change: whoever types at this command line, as every entry of the journal says it."""

import os

from tourney.domain.errors import TourneyError
from tourney.text.i18n import _
from tourney.text.names import clean

VARIABLE = "TOURNEY_BY"
UNKNOWN = "unknown"
"""The author where the system has no name for its user, as in some containers."""


def author() -> str:
    """Return who makes the changes of this command: `TOURNEY_BY`, else the system's name for the user.

    Raises TourneyError REFUSED if the variable has a name that is too long or contains invisible characters.
    """
    given = os.environ.get(VARIABLE, "")
    return clean(given, _("author"), where=VARIABLE) if given.strip() else _user()


def _user() -> str:
    """Return the user's name, or UNKNOWN if there is none that the journal could keep."""
    from getpass import getuser

    try:
        return clean(getuser())
    except (TourneyError, ImportError, KeyError, OSError):
        return UNKNOWN
