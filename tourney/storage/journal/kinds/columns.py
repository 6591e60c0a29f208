"""Kind of entry about the names of columns in files."""

from itertools import starmap

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import Change, unwritten
from tourney.storage.journal.kinds.meanings import Values
from tourney.storage.journal.kinds.text import JournalText
from tourney.text.i18n import _

SAVED = "--as "
"""The beginning of a header under which a description of files is kept."""


class ColumnsNamed(Change, kind="columns.name"):
    """Headers of files stand for columns from now on."""

    columns: Values

    parts = {"columns": unwritten}
    writes = ("columns",)

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence for each header."""
        return "; ".join(starmap(_named_column, payload["columns"].items()))


def _named_column(theirs: str, ours: str) -> str:
    if theirs.startswith(SAVED):
        return _("a description of files is saved as {name}").format(name=theirs.removeprefix(SAVED))
    return _("{theirs} is the column {ours}").format(theirs=theirs, ours=ours)
