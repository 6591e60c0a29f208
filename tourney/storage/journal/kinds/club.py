"""Kind of entry about the club that uses the database."""

from collections.abc import Mapping
from typing import Annotated

from sqlalchemy import Connection

from tourney.domain.club import are_values
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import Change
from tourney.storage.journal.kinds.meanings import Meaning
from tourney.storage.journal.kinds.text import JournalText
from tourney.storage.journal.partitions import Partition
from tourney.text.i18n import _

ClubValues = Annotated[Mapping[str, str], Meaning((dict,), sound=are_values)]


def _sound(_connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Write nothing; what an entry of another program has may be no picture and no colour."""
    ClubSet.refuse_other_form(payload)


class ClubSet(Change, kind="club.set"):
    """The club has another name, colour or logo; an empty one is taken away, one that is not in `changes` stays."""

    changes: ClubValues

    parts = {"club": _sound}
    writes = ("club",)

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the new values; the logo is not shown."""
        changes = payload["changes"]
        parts = [_said(_("name"), changes["name"])] if "name" in changes else []
        if "colour" in changes:
            parts.append(_said(_("colour"), changes["colour"] and _(changes["colour"])))
        if "logo" in changes:
            parts.append(_("a new logo") if changes["logo"] else _("no logo"))
        return _("club: {changes}").format(changes=", ".join(parts))


def _said(setting: str, value: str) -> str:
    return _("{setting} {value}").format(setting=setting, value=value or _("not set"))
