"""Kinds of entries about pools of ratings and their editions."""

from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection

from tourney.domain.editions import Edition
from tourney.domain.pools import POOL_PARAMETERS, Pool, PoolKind
from tourney.storage.journal import payloads
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import Change, Facts, unwritten, updating
from tourney.storage.journal.kinds.meanings import Imports, MaybePool, PoolNo, Rows, Values
from tourney.storage.journal.kinds.text import JournalText
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.subjects import Past, Subject
from tourney.storage.table_rows import delete_rows, insert_rows
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold
from tourney.text.numbers import Number

_OLD_PARAMETERS: Final[Mapping[str, str]] = {"absence": "0.0", "unit": "game"}
"""The values of parameters that older entries lack, and of the unit, which an entry has where it is another."""


def _new_pool(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Create a pool with its parameters."""
    row = {"id": payload["pool"], "name": payload["name"], "folded": fold(payload["name"]), "act": number}
    insert_rows(connection, "pool", [{**_OLD_PARAMETERS, **row, "kind": payload["kind"], **payload["parameters"]}])


def _pool_name(payload: Payload) -> Facts:
    return {("pool", payload["pool"]): payload["name"]}


class PoolOpened(Change, kind="pool.new", makes="pool"):
    """A pool is opened, or people or bots have parameters for the first time."""

    name: str
    kind: PoolKind
    parameters: Values

    parts = {"pools": _new_pool}
    writes = ("ratings",)
    facts = _pool_name

    @classmethod
    def of(cls, pool: Pool) -> "PoolOpened":
        """Return the opening of a pool."""
        unit = {} if pool.unit == "game" else {"unit": pool.unit}
        return cls(pool.name, pool.kind, {**pool.parameters, **unit})

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the name, or with the parameters of people or bots."""
        if payload["kind"] in ("people", "bots"):
            return _rated_with(payload["name"], payload["parameters"])
        return _("pool opened: {name}").format(name=payload["name"])


def _rated_with(name: str, parameters: Mapping[str, str]) -> str:
    values = ", ".join(f"{each} {Number(parameters[each]):.4g}" for each in POOL_PARAMETERS if each in parameters)
    return _("the pool {name} is rated with {parameters}").format(name=name, parameters=values)


class OfPool(Change):
    """A change of the games of a pool, or of how they are rated."""

    pool: PoolNo

    writes = ("ratings", "rated pool")


class PoolSet(OfPool, kind="pool.set"):
    """A pool has other parameters."""

    changes: Values

    parts = {"pools": updating("pool", itemgetter("changes"))}

    @classmethod
    def of(cls, number: int, before: Pool, after: Pool) -> "PoolSet":
        """Return the change of the parameters of the pool with that number."""
        unit = {} if after.unit == before.unit else {"unit": after.unit}
        return cls(number, {**dict(after.parameters.items() - before.parameters.items()), **unit})

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the new parameters."""
        return _rated_with(text.fact("pool", payload["pool"]), payload["changes"])


def _import_results(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Note an imported file, in place of those it replaces; the journal has the digest of its rows, not the rows."""
    _remove_imports(connection, partition, number, {"imports": payload.get("replaces", ())})
    row = {"id": payload["import"], "pool": payload["pool"], "games": payload["games"], "act": number}
    insert_rows(connection, "pool_import", [{**row, "rows": payload["rows"], "digest": payload["digest"]}])


def _remove_imports(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Take imported files out of their pool; their rows stay, so that this can be undone."""
    for imported in payload["imports"]:
        delete_rows(connection, "pool_import", id=imported)


class GamesImported(OfPool, kind="rating.import", makes="import"):
    """The games of a file are in a pool, in place of those of the files that it `replaces`.

    `days` and `names` are attributes of the games.
    """

    games: int
    rows: int
    digest: str
    source: str
    place: int
    replaces: Imports = ()
    days: Rows = ()
    names: Rows = ()

    parts = {"pools": _import_results}

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the number of games."""
        said = ngettext(
            "imported into pool {pool}: {number} game",
            "imported into pool {pool}: {number} games",
            payload["games"],
        )
        if "replaces" in payload:
            said = ngettext(
                "imported again into pool {pool}, from {source}: {number} game",
                "imported again into pool {pool}, from {source}: {number} games",
                payload["games"],
            )
        source = payload.get("source", "")
        return said.format(pool=text.fact("pool", payload["pool"]), source=source, number=payload["games"])


class FilesRemoved(OfPool, kind="rating.remove"):
    """Imported files are taken out of a pool."""

    imports: Imports

    parts = {"pools": _remove_imports}

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the number of files."""
        number = len(payload["imports"])
        said = ngettext(
            "{number} imported file removed from pool {pool}",
            "{number} imported files removed from pool {pool}",
            number,
        )
        return said.format(pool=text.fact("pool", payload["pool"]), number=number)


class AliasSet(OfPool, kind="rating.alias"):
    """The games of a name of imported files count for another player; both by number, 0 for none any more.

    An alias names players by the place of their names in the files.
    """

    alias: int
    player: int

    parts = {"pools": unwritten}
    reads = ("rated pool",)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return whether an alias was added or removed."""
        said = _("pool {pool}: an alias added") if payload["player"] else _("pool {pool}: an alias removed")
        return said.format(pool=text.fact("pool", payload["pool"]))


def editions_counter(pool: str) -> str:
    """Return the name under which the editions of a pool are counted; people and bots may have no number."""
    return f"edition {fold(pool)}"


def _counted_games(payload: Payload, _past: Past) -> Iterator[Subject]:
    """Yield what makes the games of the events that an edition counts; of imports its pool is enough."""
    if payload["kind"] != "imported":
        for event, _day, _digest in payload["counted"]:
            yield from (("results", event), ("people", event), ("setting", event, "substitutes"))


class EditionPublished(Change, kind="rating.publish"):
    """An edition of a pool is published; its values are as `payloads.edition` gives them."""

    pool: MaybePool

    parts = {"editions": unwritten}
    writes = ("editions name",)
    reads = (_counted_games, "dates", "rated pool", "editions name")

    @classmethod
    def of(cls, edition: Edition, kind: PoolKind, pool: int | None) -> "EditionPublished":
        """Return the publishing of an edition of the pool of that kind and number (None: it has none)."""
        values: dict[str, Any] = payloads.edition(edition, kind)
        return cls(pool, **values)

    @classmethod
    def numbers(cls, payload: Payload) -> Mapping[tuple[str, int], int]:
        """Return the number of the edition."""
        return {(editions_counter(payload["name"]), 0): payload["edition"]}

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the number and the day of the edition."""
        number = len(payload["rows"])
        said = ngettext(
            "edition {edition} of the pool {pool} published, as of {day}: {number} player",
            "edition {edition} of the pool {pool} published, as of {day}: {number} players",
            number,
        )
        return said.format(
            edition=payload["edition"], pool=payload["name"], day=shown_dates(payload["as_of"]), number=number
        )
