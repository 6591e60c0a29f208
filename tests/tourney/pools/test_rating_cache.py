"""Ratings continued from checkpoints: after every kind of change those of a fold from the first game."""

import gc
import random
import shutil
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.long_history import long_history
from tests.oracles import second_fold
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rankings import RatingsTable
from tourney.ratings.fold import Fold
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.settings import ChangeSettings
from tourney.service.people.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.ratings import rating_cache, ratings
from tourney.service.ratings.pools import ImportResults, OpenJointPool
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.rounds import DrawRound
from tourney.storage.session import writing

NIGHTS, ROUNDS, PEOPLE = 4, 3, 12
TABLES = NIGHTS * ROUNDS * PEOPLE // 4


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> str:
    db = str(tmp_path_factory.mktemp("nights") / "club.db")
    long_history(db, NIGHTS, ROUNDS, PEOPLE)
    assert database.check(db).problems == ()
    return db


@pytest.fixture
def db(nights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a copy with checkpoints every four games."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 4)
    copy = str(shutil.copy(nights, tmp_path / "club.db"))
    ratings.ratings(copy)
    return copy


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Collect the games that are rated, as they come."""
    games: list[object] = []
    add_all = Fold.add_all

    def counting(self: Fold, found: Iterator[object], days: Iterator[int] | None = None) -> None:
        there = list(found)
        games.extend(there)
        add_all(self, there, days)

    monkeypatch.setattr(Fold, "add_all", counting)
    return games


def anew(db: str, pool: str = "people") -> RatingsTable:
    """Return the ratings of a copy without checkpoints."""
    copy = str(shutil.copy(db, f"{db}-anew"))
    desk.tamper(copy, "DELETE FROM rated_round", "DELETE FROM rating_checkpoint")
    return ratings.ratings(copy, pool)


def agree(db: str, pool: str = "people") -> RatingsTable:
    """Return the ratings after checking them against a copy without checkpoints and `trueskill`."""
    table = ratings.ratings(db, pool)
    assert table == anew(db, pool)
    with writing(db, dry_run=True) as store:
        numbers = {player.shown: player.id for player in store.players()}
    second = second_fold.fold(db).ratings(pool)
    assert {numbers[row.player] for row in table.rows} == set(second)
    for row in table.rows:
        mu, sigma, games, wins = second[numbers[row.player]]
        assert (row.mu, row.sigma) == pytest.approx((mu, sigma), abs=1e-9)
        assert (row.games, row.wins) == (games, wins)
    return table


def correct(db: str, night: int, round_number: int, table: int) -> None:
    """Reverse the places of a table."""
    with writing(db) as store:
        event = store.event(night)
        (result,) = store.results(event, spot=(round_number, table))
        outcome = result.outcome
        store.correct_result(event, result.table, replace(outcome, places=outcome.places[::-1]), "the wrong way round")


@pytest.mark.parametrize(
    ("spot", "behind"),
    [((1, 1, 1), 36), ((2, 3, 2), 36), ((3, 1, 1), 18), ((3, 3, 3), 12), ((4, 3, 3), 3)],
    ids=["the first", "before the middle", "behind the middle", "in the last third", "the last"],
)
def test_a_correction_folds_the_games_after_a_checkpoint(
    db: str, counted: list[object], spot: tuple[int, int, int], behind: int
) -> None:
    """Of 36 games in rounds of three the checkpoints after 18, 24 and 33 have passed 4, 6 and 8 times four games."""
    before = ratings.ratings(db)
    assert counted == []
    correct(db, *spot)
    after = ratings.ratings(db)
    assert len(counted) == behind
    assert after.rows != before.rows
    assert agree(db) == after


def test_several_corrections_are_folded_together(db: str, counted: list[object]) -> None:
    """Several corrections are rated once, from before the first."""
    correct(db, 3, 1, 1)
    correct(db, 4, 1, 2)
    ratings.ratings(db)
    assert len(counted) == 18
    agree(db)


def test_a_correction_that_moves_no_place_folds_nothing(db: str, counted: list[object]) -> None:
    """A correction of points that changes no place rates nothing again."""
    with writing(db) as store:
        event = store.event(1)
        (result,) = store.results(event, spot=(1, 1))
        points = tuple(point + 1 for point in result.outcome.points)
        store.correct_result(event, result.table, replace(result.outcome, points=points), "one more each")
    ratings.ratings(db)
    assert counted == []


CHANGES: dict[str, Callable[[str], object]] = {
    "a correction undone": lambda db: (correct(db, 2, 1, 1), ratings.ratings(db), apply(db, Undo())),
    "put back again": lambda db: (correct(db, 2, 1, 1), apply(db, Undo()), ratings.ratings(db), apply(db, Redo())),
    "a result void": lambda db: apply(db, VoidResult("Night 2", 2, 2, "not played")),
    "a round void": lambda db: [apply(db, VoidResult("Night 2", 2, table, "not played")) for table in (1, 2, 3)],
    "void, and entered after all": lambda db: (
        apply(db, VoidResult("Night 2", 2, 2, "not played")),
        ratings.ratings(db),
        correct_void(db, 2, 2, 2),
    ),
    "another date": lambda db: apply(db, ChangeSettings("Night 3", {"date": "1999-12-31"})),
    "a name": lambda db: apply(db, RenamePlayer("Player 0003", "Ana")),
    "a name erased": lambda db: apply(db, ErasePlayer("Player 0003")),
    "two who are one": lambda db: merge(db),
}
"""Changes that an organiser may make to old results."""


def correct_void(db: str, night: int, round_number: int, table: int) -> None:
    """Give a void table a result again."""
    with writing(db) as store:
        event = store.event(night)
        (other,) = store.results(event, spot=(1, 1))
        (void,) = store.results(event, spot=(round_number, table))
        store.correct_result(event, void.table, other.outcome, "it was played")


def merge(db: str) -> None:
    """Two entries are one person: one played the first nights, the other a new one."""
    apply(db, RegisterPlayers(["Irene"]))
    apply(db, CreateEvent(EventSettings("Night 5", "oficial", rounds=1)))
    apply(db, EnterPlayers("Night 5", ["Irene", "Player 0001", "Player 0002"]))
    (table,) = apply(db, DrawRound("Night 5")).rounds[0].tables
    apply(db, EnterResult("Night 5", 1, 1, desk.hands([player.shown for player in table.players])))
    ratings.ratings(db)
    apply(db, MergePlayers("Player 0007", "Irene"))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_after_every_change_the_ratings_are_those_of_a_fold_from_the_first_game(
    db: str, change: Callable[[str], object]
) -> None:
    """Ratings are right to the last bit after each change, and `db check` finds nothing."""
    change(db)
    agree(db)
    assert database.check(db).problems == ()


def test_pools_of_people_bots_both_and_files_go_on_each_for_itself(db: str, counted: list[object]) -> None:
    """A correction among people rates no game of bots or races again."""
    file = Path(db).with_name("races.csv")
    file.write_text("seq,player,rank\n1,Eva,1\n1,Iker,2\n2,Iker,1\n2,Eva,2\n", encoding="utf-8")
    apply(db, ImportResults(file, "races"))
    apply(db, OpenJointPool())
    for name, entered, bots in (("Bots", [], "greedy:2,random:2"), ("Both", ["Player 0001"], "greedy:2")):
        apply(db, CreateEvent(EventSettings(name, "oficial", rounds=1, size=4)))
        apply(db, EnterPlayers(name, entered, bots=bots))
        apply(db, DrawRound(name))
    rounds.play(db, "Bots")
    (table,) = rounds.show(db, "Both").rounds[0].tables
    apply(db, EnterResult("Both", 1, 1, desk.hands([player.shown for player in table.players])))
    names = ("people", "bots", "joint", "races")
    before = {pool: ratings.ratings(db, pool) for pool in names}
    counted.clear()
    correct(db, 4, 3, 1)
    after = {pool: ratings.ratings(db, pool) for pool in names}
    assert len(counted) == 3
    assert [pool for pool in names if after[pool].rows != before[pool].rows] == ["people"]
    for pool in ("people", "bots", "joint"):
        agree(db, pool)
    assert anew(db, "races") == after["races"]


def test_a_file_undone_and_put_back(tmp_path: Path, counted: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo and redo of an import give the ratings before and after without rating games again."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 1)
    db = str(tmp_path / "club.db")
    seen = []
    for number, text in enumerate(("1,Eva,1\n1,Iker,2\n", "1,Iker,1\n1,Eva,2\n1,Noa,2\n")):
        file = tmp_path / f"{number}.csv"
        file.write_text(f"seq,player,rank\n{text}", encoding="utf-8")
        apply(db, ImportResults(file, "races"))
        seen.append(ratings.ratings(db, "races").rows)
    assert counted == []
    apply(db, Undo())
    assert ratings.ratings(db, "races").rows == seen[0]
    assert counted == []
    apply(db, Redo())
    assert ratings.ratings(db, "races").rows == seen[1]
    assert anew(db, "races").rows == seen[1]
    assert database.check(db).problems == ()


DAMAGES = {
    "ratings of a checkpoint": ["UPDATE rating_checkpoint SET text = replace(text, '1', '2')"],
    "the last checkpoint": ["UPDATE rating_checkpoint SET text = replace(text, '1', '2') WHERE games = 36"],
    "whose a checkpoint is": ["UPDATE rating_checkpoint SET inputs = 'x' || inputs"],
    "a checkpoint gone": ["DELETE FROM rating_checkpoint WHERE games = 24"],
    "players of a round": ["UPDATE rated_round SET text = replace(text, '\"1\"', '\"2\"')"],
    "how many tables count": ["UPDATE rated_round SET text = replace(text, 'people 3', 'people 2') WHERE event = 2"],
    "which round it is": ["UPDATE rated_round SET round = 9 WHERE event = 3 AND round = 2"],
    "a round gone": ["DELETE FROM rated_round WHERE event = 3 AND round = 2"],
    "the seals of a round": ["UPDATE rated_round SET seats = scores, scores = seats WHERE event = 3 AND round = 2"],
}
"""Damage to the cache that a disk may do."""


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("corrected", ["before it", "not at all"])
def test_nothing_damaged_is_gone_on_with(db: str, damage: list[str], corrected: str) -> None:
    """A damaged cache gives right ratings and is repaired."""
    if corrected == "before it":
        correct(db, 4, 1, 1)
    desk.tamper(db, *damage)
    agree(db)
    assert database.check(db).problems == ()


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM seal WHERE part = 'results' AND event = 2 AND round = 1",
        "UPDATE seal SET round = 9 WHERE part = 'results' AND event = 2 AND round = 1",
        "UPDATE seal SET event = 9 WHERE part = 'rounds' AND event = 2",
        "DELETE FROM seal WHERE part = 'rounds' AND event = 2",
    ],
)
def test_a_round_that_has_lost_its_seal_is_reported(db: str, damage: str) -> None:
    """A missing seal is reported: the round would otherwise silently not be rated."""
    desk.tamper(db, damage)
    with desk.refused(ExitCode.STORAGE, "not as they were written"):
        ratings.ratings(db)


@pytest.mark.parametrize(
    ("games", "every", "behind"),
    [
        ([0], 4, []),
        ([0, 3], 4, [3]),
        ([0, 3, 6, 9, 12], 4, [9, 12]),
        (range(0, 37, 3), 4, [18, 24, 33, 36]),
        ([0, 5000], 2000, [5000]),
        ([0, 5000, 5001], 2000, [5000, 5001]),
        ([0, 16, 20], 1, [16, 20]),
    ],
)
def test_where_checkpoints_are_kept(
    games: list[int], every: int, behind: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Places by hand: the roundest multiple passed in each batch, and its distance from the last."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", every)
    assert sorted(games[place] for place in rating_cache.checkpoint_places(list(games))) == behind


def test_checkpoints_are_few_and_never_far_from_what_they_are_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A growing history only drops checkpoints, and a correction costs at most four times the games after it."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 10)
    chance, games = random.Random(3), [0]
    kept: set[int] = set()
    while games[-1] < 3000:
        games.append(games[-1] + chance.randint(1, 9))
        before, kept = kept, set(rating_cache.checkpoint_places(games))
        assert kept <= before | {len(games) - 1, len(games) - 2}
        assert len(kept) <= 2 * (games[-1] // 10 + 2).bit_length()
    for changed in range(1, len(games)):
        start = max((games[place] for place in kept if place < changed), default=0)
        assert games[-1] - start <= 4 * (games[-1] - games[changed - 1]) + 40


def peak(act: Callable[[], object]) -> int:
    """Return the peak memory of Python in bytes; garbage is collected often, so that it does not count by chance."""
    often = gc.get_threshold()
    gc.collect()
    gc.set_threshold(50, 5, 5)
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.set_threshold(*often)


def test_memory_does_not_grow_with_the_history(tmp_path: Path) -> None:
    """Three times the nights, rated from the first game, and after a correction of the first result.

    What is known of a round is a few hundred bytes; of its games nothing is.
    """
    peaks = []
    for nights in (1, 4, 12):
        db = str(tmp_path / f"{nights}.db")
        long_history(db, nights, 3, 80)
        first = peak(lambda db=db: ratings.ratings(db))
        correct(db, 1, 1, 1)
        peaks.append((first, peak(lambda db=db: ratings.ratings(db))))
    (_warm, few, many) = peaks
    assert many[0] < 1.2 * few[0]
    assert many[1] < 1.2 * few[1]


def test_memory_does_not_grow_with_a_results_file(tmp_path: Path) -> None:
    """Twice the games of the same players take no more memory; both files exceed one read block."""
    chance, peaks = random.Random(5), []
    for games in (100, 2000, 4000):
        file = tmp_path / f"{games}.csv"
        there = [(game, chance.sample(range(50), 4)) for game in range(games)]
        rows = [f"{game},Player {who},{rank}\n" for game, four in there for rank, who in enumerate(four, 1)]
        file.write_text("seq,player,rank\n" + "".join(rows), encoding="utf-8")
        db = str(tmp_path / f"{games}.db")
        peaks.append(peak(lambda db=db, file=file: apply(db, ImportResults(file, "races"))))
    assert peaks[2] < 1.1 * peaks[1]


@pytest.mark.soak
def test_a_hundred_thousand_results_corrected_at_the_first_and_in_the_middle(tmp_path: Path) -> None:
    """The ranking after a correction is that of a fold from the first game."""
    db = str(tmp_path / "club.db")
    long_history(db, 200, 5, 400)
    before = ratings.ratings(db)
    correct(db, 1, 1, 1)
    correct(db, 120, 1, 1)
    after = ratings.ratings(db)
    assert sum(row.games for row in after.rows) == 400_000
    assert after.rows != before.rows
    assert anew(db) == after
