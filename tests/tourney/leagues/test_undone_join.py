"""Tests of the blocks of bots whose joining a league was undone."""

from tourney.domain.leagues import League, LeagueFault, PlayedBlock
from tourney.service import database
from tourney.storage.journal import kinds
from tourney.storage.session import reading, writing

STALE = '[1,0,[],["of three"]]'


def make_db(db: str) -> None:
    """A league of two bots with a block; planner joined it and played a block, and was taken back."""
    with writing(db) as store:
        store.add(kinds.leagues.LeagueStarted.of(League(("greedy", "random"), "oficial", 4, "7", 10), "0.1.0"))
        store.leagues.keep_blocks(1, store.leagues.all()[1], [PlayedBlock(0, "[1,0,[],[]]")])
    _join(db, "planner")
    with writing(db) as store:
        store.leagues.keep_blocks(
            1, store.leagues.all()[1], [PlayedBlock(0, STALE, [LeagueFault(0, 1, 2, "a fault", "")], [(0, "r")])]
        )
    with writing(db) as store:
        store.undo()


def _join(db: str, *bots: str) -> None:
    with writing(db) as store:
        store.leagues.join(1, bots, (), shown=False)


def _texts(db: str) -> list[str]:
    """Return the blocks that count, and those that a league with one bot more would begin with."""
    with reading(db) as reader:
        blocks = reader.leagues.blocks(1)
        return [text for _number, text in blocks.texts()] + [block.text for block in blocks.earlier([0])]


def test_the_games_of_a_bot_that_was_taken_back_are_not_those_of_the_next(db: str) -> None:
    """Another bot joins: only the block of the two bots before counts for it."""
    _join(db, "claimer")
    assert _texts(db) == ["[1,0,[],[]]"]
    assert database.check(db).problems == ()


def test_several_bots_that_join_do_not_begin_with_the_games_of_a_bot_that_was_taken_back(db: str) -> None:
    _join(db, "claimer", "planner")
    assert _texts(db) == ["[1,0,[],[]]"]
    assert database.check(db).problems == ()


def test_a_bot_that_joins_again_has_its_games(db: str) -> None:
    _join(db, "planner")
    assert _texts(db) == [STALE, "[1,0,[],[]]"]
    assert database.check(db).problems == ()


def test_a_join_before_another_is_not_taken_back_alone(db: str) -> None:
    """The second join names the bots of the first."""
    _join(db, "planner")
    _join(db, "random")
    with writing(db) as store:
        joins = [
            entry.number for entry in store.journal.entries() if entry.kind == "league.join" and entry.state == "stands"
        ]
        resting = store.journal.resting_on(store.journal.undo_of(joins[0]).entries, lambda _format: "nothing")
        assert [entry.number for entry in resting] == joins[1:]
