"""The newest change of a mirror in words, for a database that lacks it."""

from tourney import storage
from tourney.service.sentences.journal_sentences import SENTENCES
from tourney.service.sentences.journal_text import JournalText


def newest_mirrored(mirror: str) -> str:
    """Return the sentence of the newest entry of a mirror's journal, a file, or "" if it has none."""
    entries, names = storage.mirrored_entries(mirror)
    text = JournalText(SENTENCES, names, {})
    lines = [text.line(entry) for entry in entries]
    return lines[-1].said if lines else ""
