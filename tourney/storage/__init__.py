"""The database: the only package that knows SQL. It takes and gives domain values."""

from tourney.storage.opening import reading, writing
from tourney.storage.place import locate
from tourney.storage.reader import NOTHING, PlayedTable, Reader
from tourney.storage.sqlite import writable
from tourney.storage.store import ImportedRow, NewPerson, Store, rows_digest

__all__ = [
    "NOTHING",
    "ImportedRow",
    "NewPerson",
    "PlayedTable",
    "Reader",
    "Store",
    "locate",
    "reading",
    "rows_digest",
    "writable",
    "writing",
]
