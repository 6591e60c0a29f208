"""Tests of kept histories, records and score sheets: after every change they equal those from the first game."""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.long_history import long_history, long_life
from tests.harness.ratings.imported import finishes
from tourney.domain.errors import TourneyError
from tourney.domain.events import EventSettings
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import ErasePlayer, MergePlayers, PublishPlayer, RegisterPlayers, RenamePlayer
from tourney.service.ratings import rated_games, rating_cache
from tourney.service.ratings.player_history import player_games, player_histories, player_history
from tourney.service.ratings.pools import ImportResults, SetPoolParameters, list_pools
from tourney.service.ratings.ranking_lists import hall_of_fame
from tourney.service.ratings.ratings import ratings
from tourney.service.ratings.score_sheets import all_sheet_statistics
from tourney.service.ratings.sources import AddAlias, RemoveAlias, RemoveSource
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage import rating_inputs
from tourney.storage.journal import checksums, kinds
from tourney.storage.session import reading, writing

NIGHTS, ROUNDS, PEOPLE = 3, 2, 8
KEPT = ("games", "records", "sheets")


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database with 3 nights of 2 rounds of 2 tables, and a pool of files."""
    folder = tmp_path_factory.mktemp("nights")
    db = str(folder / "club.db")
    long_history(db, NIGHTS, ROUNDS, PEOPLE)
    file = folder / "first.csv"
    file.write_text(finishes("Eva Iker", "Iker Noa Eva", "Noa Eva", "Eva Noa", "Iker Eva Noa"), encoding="utf-8")
    apply(db, ImportResults(file, "races"))
    return db


@pytest.fixture
def db(nights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a copy of `nights`, with a checkpoint every four games and pieces that end within rounds, too."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 4)
    monkeypatch.setattr(rated_games, "MOST_TEXT", 500)
    return str(shutil.copy(nights, tmp_path / "club.db"))


def answers(db: str, pool: str) -> dict[str, Any]:
    """Return all that is shown of a pool from what is kept."""
    histories = player_histories(db, pool)
    sheets = all_sheet_statistics(db, pool)
    keys = sorted(histories)
    found: dict[str, Any] = {"histories": {key: histories[key] for key in keys}, "days": histories.days}
    found |= {"sheets": {key: sheets.of(key) for key in keys}, "fame": hall_of_fame(db, pool)}
    for name in [each.player for each in histories.values()][:1]:
        if pool == "races":
            found |= {"alone": player_history(db, name, pool), "games": player_games(db, name, pool)}
    return found | {"ratings": ratings(db, pool), "table": histories.table}


def anew(db: str, pool: str) -> dict[str, Any]:
    """Return the same from a copy in which nothing is kept."""
    copy = str(shutil.copy(db, f"{db}-anew"))
    desk.tamper(copy, "DELETE FROM rated_round", "DELETE FROM rating_checkpoint")
    return answers(copy, pool)


def check(db: str) -> None:
    """Check every pool against what is computed from nothing."""
    for pool in (pool.name for pool in list_pools(db)):
        assert answers(db, pool) == anew(db, pool)


def kept_texts(db: str) -> str:
    """Return all that is kept of the pool of people."""
    rows = desk.query(db, "SELECT text FROM rating_checkpoint WHERE pool LIKE 'people%'")
    return "\n".join(text for (text,) in rows) + str(desk.query(db, "SELECT text FROM rated_round"))


def _players(db: str) -> list[str]:
    with reading(db) as reader:
        return [player.shown for player in reader.people.players()]


def _rewrite(db: str, rng: random.Random) -> None:
    """Shift places or points of a table."""
    with writing(db) as store:
        event = store.events.get(rng.choice(list(store.events.names())))
        results = [result for result in store.results.of(event) if result.state == "counts"]
        if not results:
            return
        result = rng.choice(results)
        outcome = result.outcome
        if rng.random() < 0.3:
            outcome = replace(outcome, points=tuple(point + 1 for point in outcome.points))
        else:
            outcome = replace(outcome, places=outcome.places[1:] + outcome.places[:1])
        store.write(kinds.results.ResultCorrected.of(event, result.table, outcome, "as it was"))


def _play(db: str, rng: random.Random) -> None:
    """Enter the next result of a new night, or begin one with somebody new."""
    with reading(db) as reader:
        names = [name for name in reader.events.names().values() if name.startswith("New")]
        event = next((event for event in reader.events.all() if names and event.settings.name == names[-1]), None)
        waiting = reader.results.waiting(event, reader.rounds.of(event)) if event is not None else []
    if waiting and event is not None:
        players = [player.shown for player in waiting[0].players]
        sheet = desk.hands(players, [rng.randrange(len(players)) for _contract in desk.CONTRACTS])
        apply(db, EnterResult(event.settings.name, waiting[0].round, waiting[0].number, sheet))
        return
    name, person = f"New {rng.randrange(10**6)}", f"Person {rng.randrange(10**6)}"
    apply(db, RegisterPlayers([person]))
    date = f"20{rng.randrange(10):02}-06-01"
    apply(db, CreateEvent(EventSettings(name, "oficial", rounds=1, date=date)))
    others = [each for each in _players(db) if each != person and not each.startswith("erased")]
    apply(db, EnterPlayers(name, [person, *rng.sample(others, min(7, len(others)))]))
    apply(db, DrawRound(name))


def _file(db: str, rng: random.Random) -> None:
    """Import a file, or another version of one."""
    file = Path(db).parent / f"{rng.choice('ab')}.csv"
    names = ["Eva", "Iker", "Noa", "Ane", "Jon"]
    games = [" ".join(rng.sample(names, rng.randint(2, 4))) for _game in range(rng.randint(1, 6))]
    file.write_text(finishes(*games), encoding="utf-8")
    apply(db, ImportResults(file, "races"))


CHANGES: dict[str, Callable[[str, random.Random], object]] = {
    "correct": _rewrite,
    "play": _play,
    "play more": _play,
    "void": lambda db, rng: apply(
        db, VoidResult(f"Night {rng.randint(1, NIGHTS)}", rng.randint(1, ROUNDS), rng.randint(1, 2), "not played")
    ),
    "undo": lambda db, _rng: apply(db, Undo()),
    "redo": lambda db, _rng: apply(db, Redo()),
    "rename": lambda db, rng: apply(db, RenamePlayer(rng.choice(_players(db)), f"Renamed {rng.randrange(10**6)}")),
    "erase": lambda db, rng: apply(db, ErasePlayer(rng.choice(_players(db)))),
    "merge": lambda db, rng: apply(db, MergePlayers(*rng.sample(_players(db), 2))),
    "hide": lambda db, rng: apply(db, PublishPlayer(rng.choice(_players(db)), "nothing", "")),
    "pseudonym": lambda db, rng: apply(
        db, PublishPlayer(rng.choice(_players(db)), "other name", f"Zz {rng.randrange(10**6)}")
    ),
    "date": lambda db, rng: apply(
        db, ChangeSettings(f"Night {rng.randint(1, NIGHTS)}", {"date": f"2000-01-{rng.randint(1, 28):02}"})
    ),
    "event": lambda db, rng: apply(db, ChangeSettings("Night 2", {"name": f"Night 2 {rng.randrange(10**6)}"})),
    "parameters": lambda db, rng: apply(db, SetPoolParameters("people", {"absence": rng.choice((0.0, 2.0))})),
    "file": _file,
    "source": lambda db, rng: apply(db, RemoveSource(rng.choice(("a.csv", "b.csv", "first.csv")), "races")),
    "alias": lambda db, rng: apply(db, AddAlias(*rng.sample(["Jon", "Ane", "Iker"], 2), "races")),
    "no alias": lambda db, rng: apply(db, RemoveAlias(rng.choice(("Jon", "Ane")), "races")),
}
"""Changes that an organiser may make; some are refused, by what was done before."""


def change_at_random(db: str, seed: int, steps: int) -> Counter[str]:
    """Make changes, with a check after each; return how many of each kind were made."""
    rng, made = random.Random(seed), Counter[str]()
    check(db)
    for _step in range(steps):
        name = rng.choice(list(CHANGES))
        try:
            CHANGES[name](db, rng)
        except TourneyError:
            continue
        made[name] += 1
        check(db)
    assert database.check(db).problems == ()
    return made


@pytest.mark.parametrize("seed", range(2))
def test_what_is_kept_equals_what_is_computed_from_nothing(db: str, seed: int) -> None:
    """A few random changes; the second source is a copy of the database without anything kept."""
    assert change_at_random(db, seed, 8).total() >= 3


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 110))
def test_what_is_kept_equals_what_is_computed_from_nothing_at_length(db: str, seed: int) -> None:
    assert len(change_at_random(db, seed, 60)) >= 10


def test_nothing_kept_has_a_name(db: str) -> None:
    """Names that were erased, renamed or hidden are in no text that is kept, and on no row."""
    for name in KEPT:
        answers(db, "people")
        assert desk.query(db, "SELECT games FROM rating_checkpoint WHERE pool = ?", f"people\n{name}"), name
    assert "Player" not in kept_texts(db)
    apply(db, RenamePlayer("Player 0001", "Ana"))
    apply(db, ErasePlayer("Player 0002"))
    apply(db, PublishPlayer("Player 0003", "nothing", ""))
    shown = repr(answers(db, "people"))
    for name in ("Player 0001", "Player 0002", "Player 0003"):
        assert name not in shown
    assert "Ana" in shown
    assert "Ana" not in kept_texts(db)


DAMAGES = {
    "a piece": "UPDATE rating_checkpoint SET text = text || '1' WHERE pool LIKE 'people_games' AND games < 8",
    "a missing piece": "DELETE FROM rating_checkpoint WHERE pool LIKE 'people_games' AND games < 8",
    "the start of a piece": "UPDATE rating_checkpoint SET text = '1' || text WHERE pool LIKE 'people_games'",
    "the records": "UPDATE rating_checkpoint SET text = replace(text, '1', '2') WHERE pool LIKE 'people_records'",
    "the sheets of an event": "UPDATE rating_checkpoint SET text = '' WHERE pool LIKE 'people_sheets' AND games = 1",
    "the inputs": "UPDATE rating_checkpoint SET inputs = 'x' || inputs WHERE pool LIKE 'people%'",
}
"""Statements that damage what is kept."""


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_history_is_not_used(db: str, damage: str) -> None:
    """The damaged history is computed again, and `db check` then finds nothing."""
    before = answers(db, "people")
    desk.tamper(db, damage)
    assert answers(db, "people") == before
    assert database.check(db).problems == ()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts of games that are read to be rated or shown, and of rows that are read from results and sheets."""
    counts = Counter[str]()
    numbered, table = rating_inputs.PlayedRounds.numbered, checksums._table

    def counted_games(self: Any, batch: Any) -> Iterator[Any]:
        for game in numbered(self, batch):
            counts["games"] += 1
            yield game

    def counted_rows(connection: Any, name: str, partition: Any) -> list[Any]:
        rows = table(connection, name, partition)
        counts["rows"] += len(rows) * (name in ("result", "score", "hand", "hand_score"))
        return rows

    monkeypatch.setattr(rating_inputs.PlayedRounds, "numbered", counted_games)
    monkeypatch.setattr(checksums, "_table", counted_rows)
    return counts


READS: dict[str, Callable[[str], object]] = {
    "ratings": lambda db: ratings(db),
    "histories": lambda db: [player_histories(db)[key] for key in sorted(player_histories(db))[:5]],
    "hall of fame": lambda db: hall_of_fame(db),
    "score sheets": lambda db: all_sheet_statistics(db, "people"),
}
"""Readings of the pages of a pool, each with a new result before it."""


def test_the_work_of_a_page_after_a_result_does_not_grow_with_the_history(
    tmp_path: Path, work: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a result of the last night, pages read the same games and rows at 6 nights as at 12, and few of all.

    At most three times four games between checkpoints are rated, by at most six readings; the rows are of one night.
    """
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 4)
    spent: dict[int, dict[str, Counter[str]]] = {}
    for nights in (6, 12):
        db = str(tmp_path / f"{nights}.db")
        long_life(db, nights, 4, 16, 16)
        for read in READS.values():
            read(db)
        spent[nights] = {}
        for name, read in READS.items():
            with writing(db) as store:
                event = store.events.get(nights)
                result = store.results.of(event)[-1]
                places = result.outcome.places
                outcome = replace(result.outcome, places=places[1:] + places[:1])
                store.write(kinds.results.ResultCorrected.of(event, result.table, outcome, "as it was"))
            work.clear()
            read(db)
            spent[nights][name] = Counter(work)
    for name in READS:
        assert spent[12][name]["games"] <= max(12 * 6, spent[6][name]["games"])
        assert spent[12][name]["rows"] <= spent[6][name]["rows"]
    assert spent[12]["hall of fame"]["games"] <= 24
