"""Tests of checkpoints: after every kind of change the ratings equal those computed from the first game."""

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
from tests.harness.ratings.imported import finishes, import_text
from tests.oracles import second_fold
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rankings import RatingsTable
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, bot_seats
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.ratings import rating_cache, ratings
from tourney.service.ratings.pools import ImportResults, OpenJointPool
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import bot_tables, rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.journal import kinds
from tourney.storage.session import writing

NIGHTS, ROUNDS, PEOPLE = 4, 3, 12
TABLES = NIGHTS * ROUNDS * PEOPLE // 4


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database with 4 nights of 3 rounds of 3 tables: 36 games."""
    db = str(tmp_path_factory.mktemp("nights") / "club.db")
    long_history(db, NIGHTS, ROUNDS, PEOPLE)
    assert database.check(db).problems == ()
    return db


@pytest.fixture
def db(nights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a copy of `nights` with checkpoints every four games."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 4)
    copy = str(shutil.copy(nights, tmp_path / "club.db"))
    ratings.ratings(copy)
    return copy


@pytest.fixture
def rated_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """A list to which every game is added when it is rated; cautious readings, which rate it too, are left out."""
    games: list[object] = []
    add_all = Fold.add_all

    def counting(self: Fold, added: Iterator[object], days: Iterator[int] | None = None) -> None:
        added_games = list(added)
        if self.rating("nobody").sigma == Parameters().sigma:
            games.extend(added_games)
        add_all(self, added_games, days)

    monkeypatch.setattr(Fold, "add_all", counting)
    return games


def without_checkpoints(db: str, pool: str = "people") -> RatingsTable:
    """Return the ratings of a copy without checkpoints."""
    copy = str(shutil.copy(db, f"{db}-anew"))
    desk.tamper(copy, "DELETE FROM rated_round", "DELETE FROM rating_checkpoint")
    return ratings.ratings(copy, pool)


def check_ratings(db: str, pool: str = "people") -> RatingsTable:
    """Return the ratings, after checking them against a copy without checkpoints and against `trueskill`."""
    table = ratings.ratings(db, pool)
    assert table == without_checkpoints(db, pool)
    with writing(db, dry_run=True) as store:
        numbers = {player.shown: player.id for player in store.people.players()}
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
        event = store.events.get(night)
        (result,) = store.results.of(event, spot=(round_number, table))
        outcome = result.outcome
        store.write(
            kinds.results.ResultCorrected.of(
                event, result.table, replace(outcome, places=outcome.places[::-1]), "the wrong way round"
            )
        )


@pytest.mark.parametrize(
    ("spot", "rated_again"),
    [((1, 1, 1), 36), ((2, 3, 2), 36), ((3, 1, 1), 18), ((3, 3, 3), 12), ((4, 3, 3), 3)],
    ids=["the first", "before the middle", "after the middle", "in the last third", "the last"],
)
def test_a_correction_rates_only_the_games_after_a_checkpoint(
    db: str, rated_games: list[object], spot: tuple[int, int, int], rated_again: int
) -> None:
    """Of 36 games in rounds of three, checkpoints are after 18, 24 and 33: the first to reach 16, 24 and 32."""
    before = ratings.ratings(db)
    assert rated_games == []
    correct(db, *spot)
    after = ratings.ratings(db)
    assert len(rated_games) == rated_again
    assert after.rows != before.rows
    assert check_ratings(db) == after


def test_several_corrections_are_rated_together(db: str, rated_games: list[object]) -> None:
    """The games are rated once, from the checkpoint before the first correction."""
    correct(db, 3, 1, 1)
    correct(db, 4, 1, 2)
    ratings.ratings(db)
    assert len(rated_games) == 18
    check_ratings(db)


def test_a_correction_that_changes_no_place_rates_no_game(db: str, rated_games: list[object]) -> None:
    """Every player of a table gets one point more."""
    with writing(db) as store:
        event = store.events.get(1)
        (result,) = store.results.of(event, spot=(1, 1))
        points = tuple(point + 1 for point in result.outcome.points)
        store.write(
            kinds.results.ResultCorrected.of(
                event, result.table, replace(result.outcome, points=points), "one more each"
            )
        )
    ratings.ratings(db)
    assert rated_games == []


CHANGES: dict[str, Callable[[str], object]] = {
    "a correction undone": lambda db: (correct(db, 2, 1, 1), ratings.ratings(db), apply(db, Undo())),
    "a correction redone": lambda db: (correct(db, 2, 1, 1), apply(db, Undo()), ratings.ratings(db), apply(db, Redo())),
    "a result void": lambda db: apply(db, VoidResult("Night 2", 2, 2, "not played")),
    "a round void": lambda db: [apply(db, VoidResult("Night 2", 2, table, "not played")) for table in (1, 2, 3)],
    "void, and entered after all": lambda db: (
        apply(db, VoidResult("Night 2", 2, 2, "not played")),
        ratings.ratings(db),
        correct_void(db, 2, 2, 2),
    ),
    "another date": lambda db: apply(db, ChangeSettings("Night 3", {"date": "1999-12-31"})),
    "a renaming": lambda db: apply(db, RenamePlayer("Player 0003", "Ana")),
    "a name erased": lambda db: apply(db, ErasePlayer("Player 0003")),
    "two players merged": lambda db: merge(db),
}
"""Changes that an organiser may make to old results."""


def correct_void(db: str, night: int, round_number: int, table: int) -> None:
    """Give a void table a result again."""
    with writing(db) as store:
        event = store.events.get(night)
        (other,) = store.results.of(event, spot=(1, 1))
        (void,) = store.results.of(event, spot=(round_number, table))
        store.write(kinds.results.ResultCorrected.of(event, void.table, other.outcome, "it was played"))


def merge(db: str) -> None:
    """Merge a player of the first nights with one who has played only a new night."""
    apply(db, RegisterPlayers(["Irene"]))
    apply(db, CreateEvent(EventSettings("Night 5", "oficial", rounds=1)))
    apply(db, EnterPlayers("Night 5", ["Irene", "Player 0001", "Player 0002"]))
    (table,) = apply(db, DrawRound("Night 5")).rounds[0].tables
    apply(db, EnterResult("Night 5", 1, 1, desk.hands([player.shown for player in table.players])))
    ratings.ratings(db)
    apply(db, MergePlayers("Player 0007", "Irene"))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_after_every_change_the_ratings_equal_those_from_the_first_game(
    db: str, change: Callable[[str], object]
) -> None:
    """The ratings are equal to the last bit, and `db check` finds nothing."""
    change(db)
    check_ratings(db)
    assert database.check(db).problems == ()


def test_each_pool_has_checkpoints_of_its_own(db: str, rated_games: list[object]) -> None:
    """A correction of a table of people rates no game of bots, joint pool or races again."""
    import_text(Path(db).parent, finishes("Eva Iker", "Iker Eva"))
    apply(db, OpenJointPool())
    for name, entered, bots in (("Bots", [], "greedy:2,random:2"), ("Both", ["Player 0001"], "greedy:2")):
        apply(db, CreateEvent(EventSettings(name, "oficial", rounds=1, size=4)))
        apply(db, EnterPlayers(name, entered, bots=bot_seats(bots)))
        apply(db, DrawRound(name))
    bot_tables.play(db, bot_tables.BotTables("Bots"))
    (table,) = rounds.show(db, "Both").rounds[0].tables
    apply(db, EnterResult("Both", 1, 1, desk.hands([player.shown for player in table.players])))
    names = ("people", "bots", "joint", "races")
    before = {pool: ratings.ratings(db, pool) for pool in names}
    rated_games.clear()
    correct(db, 4, 3, 1)
    after = {pool: ratings.ratings(db, pool) for pool in names}
    assert len(rated_games) == 3
    assert [pool for pool in names if after[pool].rows != before[pool].rows] == ["people"]
    for pool in ("people", "bots", "joint"):
        check_ratings(db, pool)
    assert without_checkpoints(db, "races") == after["races"]


def test_an_import_is_undone_and_redone_without_rating_its_games(
    tmp_path: Path, rated_games: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Undo gives the ratings of the first file again, and redo those of both files."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 1)
    rows_after_import = []
    for number, names in enumerate(("Eva Iker", "Iker Eva Noa")):
        db = import_text(tmp_path, finishes(names), file=f"{number}.csv")
        rows_after_import.append(ratings.ratings(db, "races").rows)
    assert rated_games == []
    apply(db, Undo())
    assert ratings.ratings(db, "races").rows == rows_after_import[0]
    assert rated_games == []
    apply(db, Redo())
    assert ratings.ratings(db, "races").rows == rows_after_import[1]
    assert without_checkpoints(db, "races").rows == rows_after_import[1]
    assert database.check(db).problems == ()


DAMAGES = {
    "ratings of a checkpoint": ["UPDATE rating_checkpoint SET text = replace(text, '1', '2')"],
    "the last checkpoint": ["UPDATE rating_checkpoint SET text = replace(text, '1', '2') WHERE games = 36"],
    "the inputs of a checkpoint": ["UPDATE rating_checkpoint SET inputs = 'x' || inputs"],
    "a missing checkpoint": ["DELETE FROM rating_checkpoint WHERE games = 24"],
    "players of a round": ["UPDATE rated_round SET text = replace(text, '\"1\"', '\"2\"')"],
    "the number of tables": ["UPDATE rated_round SET text = replace(text, 'people 3', 'people 2') WHERE event = 2"],
    "the number of a round": ["UPDATE rated_round SET round = 9 WHERE event = 3 AND round = 2"],
    "a missing round": ["DELETE FROM rated_round WHERE event = 3 AND round = 2"],
    "the checksums of a round": ["UPDATE rated_round SET seats = scores, scores = seats WHERE event = 3 AND round = 2"],
}
"""Statements that damage the cache."""


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("corrected", ["before it", "not at all"])
def test_a_damaged_cache_is_not_used(db: str, damage: list[str], corrected: str) -> None:
    """The ratings are right, and the cache is repaired, with and without a correction before the damage."""
    if corrected == "before it":
        correct(db, 4, 1, 1)
    desk.tamper(db, *damage)
    check_ratings(db)
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
def test_a_round_without_its_checksum_is_reported(db: str, damage: str) -> None:
    """Without the report the round would silently not be rated."""
    desk.tamper(db, damage)
    with desk.refused(ExitCode.STORAGE, "not as they were written"):
        ratings.ratings(db)


@pytest.mark.parametrize(
    ("games", "interval", "checkpoints"),
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
def test_checkpoints_are_kept_after_these_games(
    games: list[int], interval: int, checkpoints: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The numbers of games were derived by hand from the rule of `checkpoint_places`."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", interval)
    assert sorted(games[place] for place in rating_cache.checkpoint_places(list(games))) == checkpoints


def test_checkpoints_are_few_and_near_every_correction(monkeypatch: pytest.MonkeyPatch) -> None:
    """A growing history only drops old checkpoints, and a correction rates at most four times the games after it."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 10)
    rng, games = random.Random(3), [0]
    kept: set[int] = set()
    while games[-1] < 3000:
        games.append(games[-1] + rng.randint(1, 9))
        before, kept = kept, set(rating_cache.checkpoint_places(games))
        assert kept <= before | {len(games) - 1, len(games) - 2}
        assert len(kept) <= 2 * (games[-1] // 10 + 2).bit_length()
    for changed in range(1, len(games)):
        start = max((games[place] for place in kept if place < changed), default=0)
        assert games[-1] - start <= 4 * (games[-1] - games[changed - 1]) + 40


def peak(work: Callable[[], object]) -> int:
    """Return the peak memory of `work` in bytes; garbage is collected often, so that it does not distort the peak."""
    threshold = gc.get_threshold()
    gc.collect()
    gc.set_threshold(50, 5, 5)
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.set_threshold(*threshold)


@pytest.mark.slow
def test_memory_hardly_grows_with_the_history(tmp_path: Path) -> None:
    """A round takes at most 2,000 bytes at the peak, from the first game and after an early correction.

    It takes about 1,100 and 1,500. Every test run measures the memory of the fold itself, and of a results file.
    """
    peaks = []
    for nights in (1, 4, 12):
        db = str(tmp_path / f"{nights}.db")
        long_history(db, nights, 3, 80)
        first = peak(lambda db=db: ratings.ratings(db))
        correct(db, 1, 1, 1)
        peaks.append((first, peak(lambda db=db: ratings.ratings(db))))
    (_warm, few, many), rounds = peaks, (12 - 4) * 3
    assert many[0] - few[0] < 2000 * rounds
    assert many[1] - few[1] < 2000 * rounds


@pytest.mark.slow
def test_memory_does_not_grow_with_a_results_file(tmp_path: Path) -> None:
    """Twice the games of the same players take at most 1.1 times the memory; both files exceed what is read at once."""
    rng, peaks = random.Random(5), []
    for games in (100, 4000, 8000):
        file = tmp_path / f"{games}.csv"
        orders = [(game, rng.sample(range(50), 4)) for game in range(games)]
        rows = [f"{game},Player {player},{rank}\n" for game, order in orders for rank, player in enumerate(order, 1)]
        file.write_text("seq,player,rank\n" + "".join(rows), encoding="utf-8")
        db = str(tmp_path / f"{games}.db")
        peaks.append(peak(lambda db=db, file=file: apply(db, ImportResults(file, "races"))))
    assert peaks[2] < 1.1 * peaks[1]


@pytest.mark.soak
def test_corrections_among_a_hundred_thousand_results_give_the_ratings_from_the_first_game(tmp_path: Path) -> None:
    """The first result and one in the middle are corrected."""
    db = str(tmp_path / "club.db")
    long_history(db, 200, 5, 400)
    before = ratings.ratings(db)
    correct(db, 1, 1, 1)
    correct(db, 120, 1, 1)
    after = ratings.ratings(db)
    assert sum(row.games for row in after.rows) == 400_000
    assert after.rows != before.rows
    assert without_checkpoints(db) == after
