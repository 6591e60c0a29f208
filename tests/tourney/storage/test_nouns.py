"""Tests of the parts of a reader and of a store: their size, their depth, and which of them can write."""

import pytest

from tourney.storage.session import create_all
from tourney.storage.sqlite import memory_engine, transaction
from tourney.storage.store import Reader, Store


@pytest.mark.parametrize("whole", [Reader, Store])
def test_a_part_is_small_and_inherits_from_one_class_at_most(whole: type[Reader]) -> None:
    """One class had 139 methods before, most of them inherited from seven others in a row."""
    with transaction(memory_engine(), "IMMEDIATE") as connection:
        create_all(connection)
        opened = whole(connection)
    for part in (opened, *vars(opened).values()):
        if type(part).__module__.startswith("tourney."):
            assert len([name for name in dir(part) if not name.startswith("_")]) <= 25, part
            assert len(type(part).__mro__) <= 3, part


def test_only_the_parts_of_a_store_know_a_transaction_that_writes() -> None:
    """A function that takes a reader, or a reader's part, cannot write, whatever it calls."""
    with transaction(memory_engine(), "IMMEDIATE") as connection:
        create_all(connection)
        reader, store = Reader(connection), Store(connection)
        assert not hasattr(reader.transaction, "write")
        assert {part._transaction for name, part in vars(reader).items() if name != "transaction"} == {
            reader.transaction
        }
        assert all(part._transaction is store.transaction for part in (store.people, store.rounds, store.results))
