"""The newest change of a mirror in words, for a database that lacks it."""

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.service.chained_lines import MALFORMED


def newest_mirrored(mirror: str) -> str:
    """Return the sentence of the newest entry of a mirror's journal, a file, or "" if it has none that can be read.

    Somebody else may have written the mirror: its hashes hold for entries of any form.
    """
    try:
        entries, names = storage.mirrored_entries(mirror)
        text = storage.JournalText(names, {})
        lines = [text.line(entry) for entry in entries]
    except (*MALFORMED, TourneyError):
        return ""
    return lines[-1].said if lines else ""
