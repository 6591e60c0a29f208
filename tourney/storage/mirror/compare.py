"""Compare the whole journal of a mirror with that of a database, and say how they differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tourney.domain.errors import ExitCode, LackingEntriesError, TourneyError
from tourney.storage.mirror.lines import MirroredEntry, MirroredJournal, read_journal
from tourney.storage.mirror.names import read_names
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class Difference:
    """The entries of a mirror that a database lacks, and the number of those after `common` that only it has."""

    content: MirroredJournal
    lacking: tuple[MirroredEntry, ...]
    common: int
    own: int

    def is_of_restored(self, hashes: Mapping[int, str], head: str) -> bool:
        """Return whether the difference is that the backup with the last hash `head` was restored.

        The database is that backup, or has gone its own way since. Otherwise the restore was broken off, and a database
        that lacks entries of the journal still lacks them.
        """
        return self.own > 0 or hashes.get(len(hashes)) == head


def difference(hashes: Mapping[int, str], journal: Path) -> Difference:
    """Compare the hashes of a database's entries by number with those of a mirror. Raises OSError."""
    content = read_journal(journal)
    lacking = tuple(entry for entry in content.entries if hashes.get(entry.number) != entry.hash)
    last = content.tail.number
    common = min(len(hashes), lacking[0].number - 1 if lacking else last)
    return Difference(content, lacking, common, len(hashes) - common)


def lacking_error(path: Path, journal: Path, found: Difference) -> TourneyError:
    """Return the error for a database that lacks entries of its mirror, or has others."""
    db, mirror = quote_argument(str(path)), quote_argument(str(journal))
    if found.own and not found.common:
        return _of_another(path, journal, ExitCode.STORAGE)
    if found.own:
        message = _("the database and its mirror {mirror} differ since change {common}: {own} and {lacking}").format(
            mirror=journal,
            common=found.common,
            own=_only_in_database(found.own),
            lacking=_only_in_mirror(len(found.lacking)),
        )
        hint = _("compare with a second file: `tourney db restore --mirror {mirror} --db second.db`")
        return LackingEntriesError(ExitCode.STORAGE, message, hint.format(mirror=mirror), str(journal))
    message = ngettext(
        "the database lacks {number} change that its mirror {mirror} has",
        "the database lacks {number} changes that its mirror {mirror} has",
        len(found.lacking),
    ).format(number=len(found.lacking), mirror=journal)
    hint = _("complete it with `tourney db restore --mirror {mirror} --db {db}`").format(mirror=mirror, db=db)
    return LackingEntriesError(ExitCode.STORAGE, message, hint, str(journal))


def refuse_another(path: Path, journal: Path, found: Difference) -> None:
    """Raise TourneyError CONFLICT if the mirror is one of another database."""
    if found.own and found.lacking and not found.common:
        raise _of_another(path, journal, ExitCode.CONFLICT)


def _of_another(path: Path, journal: Path, code: ExitCode) -> TourneyError:
    names = read_names(journal)
    other = _("another database") if names is None else names.database
    message = _("{mirror} is the mirror of {other}, not of {path}").format(mirror=journal, other=other, path=path)
    db = quote_argument(str(path))
    hints = {
        ExitCode.CONFLICT: _("add another folder: `tourney db mirror add FOLDER --db {db}`"),
        ExitCode.STORAGE: _("put the right stick in, or forget this mirror: `tourney db mirror remove --db {db}`"),
    }
    return TourneyError(code, message, hints[code].format(db=db))


def _only_in_database(number: int) -> str:
    return ngettext("{number} change only in the database", "{number} changes only in the database", number).format(
        number=number
    )


def _only_in_mirror(number: int) -> str:
    return ngettext("{number} only in the mirror", "{number} only in the mirror", number).format(number=number)
