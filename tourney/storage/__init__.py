"""The database: the only package that knows SQL. It takes and gives domain values."""

from tourney.storage.opening import reading, writing
from tourney.storage.persons import NewPerson
from tourney.storage.place import locate
from tourney.storage.reader import LoggedAct, PlayedTable, Reader
from tourney.storage.sqlite import writable
from tourney.storage.store import ImportedRow, Store, rows_digest
from tourney.storage.undoing import Turn
from tourney.storage.values import NOTHING

__all__ = [
    "NOTHING",
    "ImportedRow",
    "LoggedAct",
    "NewPerson",
    "PlayedTable",
    "Reader",
    "Store",
    "Turn",
    "locate",
    "reading",
    "rows_digest",
    "writable",
    "writing",
]
