"""Tests of leagues from start to end: with any number of workers, after joining, and after undo."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.leagues.small_league import BLOCKS, LEAGUE, same_outcome
from tourney.domain.errors import ExitCode, TourneyWarning
from tourney.domain.league_tables import LeagueProgress, LeagueTable
from tourney.domain.leagues import League, PlayedBlock, PlaySettings
from tourney.league import workers
from tourney.league.blocks import LeagueHash, read_block
from tourney.league.workers import FirstEntrant
from tourney.rulebook import rulesets
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.leagues import comparisons, leagues, play
from tourney.storage.session import writing


def test_eight_workers_give_the_same_table_as_one(db: str) -> None:
    """The league has eight blocks, one for each worker."""
    league = replace(LEAGUE, blocks=8)
    assert same_outcome(leagues.run(db, league, PlaySettings(8)), leagues.run(db, league))
    assert database.check(db).problems == ()


def test_a_finished_league_is_shown_without_playing(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = leagues.run(db, LEAGUE)
    monkeypatch.setattr(workers, "_player", None)
    assert leagues.resume(db) == leagues.status(db) == table
    assert table.verdict == "played"


def test_the_newest_league_is_the_default(db: str) -> None:
    leagues.run(db, replace(LEAGUE, blocks=1))
    second = leagues.run(db, replace(LEAGUE, blocks=2))
    assert leagues.status(db) == leagues.resume(db) == second
    assert leagues.status(db, 1).blocks == 1
    with desk.refused(ExitCode.NOT_FOUND, "no league 3", "1, 2"):
        leagues.status(db, 3)


COMMANDS = {
    "resume": leagues.resume,
    "join": lambda db: leagues.join(db, leagues.Joining(["greedy"])),
    "status": leagues.status,
    "record": lambda db: comparisons.record(db, None, 1, 1),
    "why": lambda db: comparisons.compare(db, "greedy", "random"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_without_a_league_the_hint_is_how_to_start_one(db: str, command: Callable[[str], object]) -> None:
    """There is first no database, which is not created, and then one with an event."""
    for _database in ("none", "one"):
        with desk.refused(ExitCode.NOT_FOUND, "there is no", "`tourney league run --bots greedy,random`", "--db"):
            command(db)
        if not Path(db).exists():
            desk.event(db)


def test_a_kept_block_is_not_played_again(db: str, whole: LeagueTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that were finished out of order are kept: only the missing one is played, by one worker."""
    played: list[int] = []
    sizes: list[int] = []

    def play_last_blocks(
        league: League, numbers: Iterator[int], settings: PlaySettings, _ending: object, _first_entrant: FirstEntrant
    ) -> Iterator[PlayedBlock]:
        play = workers._player(league, 600)
        sizes.append(settings.workers)
        for number in sorted(numbers, key=lambda number: -number)[: BLOCKS - 1]:
            played.append(number)
            yield play((number, 0))

    monkeypatch.setattr(workers, "play_blocks", play_last_blocks)
    with desk.refused(ExitCode.INTERRUPTED, f"0 of {BLOCKS} blocks"):
        leagues.run(db, LEAGUE, PlaySettings(1000))
    assert leagues.status(db).blocks == 0
    assert same_outcome(leagues.resume(db, settings=PlaySettings(1000)), whole)
    assert (sorted(played), sizes) == (list(range(BLOCKS)), [BLOCKS, 1])


def test_a_league_that_ends_early_has_the_hash_of_as_many_blocks(db: str) -> None:
    """Greedy beats random in nearly every block. Blocks that two workers have started beyond the end do not count."""
    league = replace(LEAGUE, blocks=10_000, certainty="0.6")
    ended = leagues.run(db, league, PlaySettings(2))
    assert (ended.verdict, ended.blocks % 32) == ("certain", 0)
    assert ended.certainty >= 0.6
    assert [bot.bot for bot in ended.bots] == ["greedy", "random"]
    assert leagues.resume(db) == ended
    league_hash = LeagueHash(leagues.checked(league))
    for (text,) in desk.query(db, "SELECT text FROM league_block ORDER BY block LIMIT ?", ended.blocks):
        league_hash.add(text)
    assert league_hash.text() == ended.hash


def test_a_league_of_identical_bots_ends_not_separated(db: str) -> None:
    """Two greedy bots play each deal alike."""
    alike = leagues.run(db, replace(LEAGUE, bots=("greedy", "greedy"), certainty="0.9"))
    assert (alike.verdict, alike.blocks) == ("not separated", BLOCKS)


def test_undo_removes_a_league_and_redo_restores_it_whole(db: str, whole: LeagueTable) -> None:
    """The blocks are kept for a redo, and the number is not used again."""
    leagues.run(db, LEAGUE)
    apply(db, Undo())
    with desk.refused(ExitCode.NOT_FOUND, "no league"):
        leagues.status(db)
    assert database.check(db).problems == ()
    apply(db, Redo())
    assert leagues.status(db) == whole
    apply(db, Undo())
    assert leagues.run(db, LEAGUE).number == 2
    assert database.check(db).problems == ()


def during_first_block(monkeypatch: pytest.MonkeyPatch, action: Callable[[], object]) -> None:
    """Call the function while the first block of a league is played."""

    def play(
        league: League, numbers: Iterator[int], _crew: PlaySettings, _ending: object, _first_entrant: FirstEntrant
    ) -> Iterator[PlayedBlock]:
        action()
        yield workers._player(league, 600)((next(numbers), 0))

    monkeypatch.setattr(workers, "play_blocks", play)


def test_a_league_undone_while_it_is_played_keeps_no_block(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    during_first_block(monkeypatch, lambda: apply(db, Undo()))
    with desk.refused(ExitCode.CONFLICT, "league 1 was taken back"):
        leagues.run(db, LEAGUE)
    assert desk.query(db, "SELECT * FROM league_block") == []


def test_a_league_whose_database_is_deleted_while_it_is_played_creates_no_new_one(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    during_first_block(monkeypatch, Path(db).unlink)
    with desk.refused(ExitCode.STORAGE, f"the database {db} is gone", "the same seed"):
        leagues.run(db, LEAGUE)
    assert not Path(db).exists()


def test_a_joined_league_equals_one_started_with_all_bots(db: str, tmp_path: Path) -> None:
    """Table, hash and records are equal, and undo removes the new bot."""
    leagues.run(db, replace(LEAGUE, blocks=2, records="all"))
    joined = leagues.join(db, leagues.Joining(["greedy"]))
    other = str(tmp_path / "other.db")
    together = leagues.run(other, replace(LEAGUE, bots=("greedy", "random", "greedy"), blocks=2, records="all"))
    assert joined == together
    records = "SELECT block, game, packed FROM league_record WHERE entrants = 3 ORDER BY block, game"
    assert desk.query(db, records) == desk.query(other, records)
    assert database.check(db).problems == ()
    apply(db, Undo())
    assert leagues.status(db).bots != joined.bots
    assert leagues.status(db).blocks == 2


def test_only_the_missing_games_of_a_joined_league_are_played(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With three entrants each block has six games, four of them with the new bot."""
    leagues.run(db, replace(LEAGUE, blocks=2))
    games: list[int] = []
    real = workers.play_block

    def counting_play_block(*words: object, **named: object) -> PlayedBlock:
        block = real(*words, **named)
        games.append(len(read_block(block.text).games))
        return block

    monkeypatch.setattr(workers, "play_block", counting_play_block)
    assert leagues.join(db, leagues.Joining(["greedy"])).games == 12
    assert games == [4, 4]


def test_a_league_that_is_not_paired_cannot_be_joined(db: str) -> None:
    leagues.run(db, replace(LEAGUE, design="fresh", blocks=1))
    with desk.refused(ExitCode.REFUSED, "league 1 cannot be joined", "`pairs`"):
        leagues.join(db, leagues.Joining(["greedy"]))


def test_a_block_that_ends_differently_than_before_is_refused(db: str) -> None:
    """Two programs that play one league keep each block once; a different block is not overwritten."""
    league = replace(LEAGUE, blocks=2)
    leagues.run(db, league)
    kept = desk.query(db, "SELECT block, text FROM league_block")
    with writing(db) as store:
        repeated = [PlayedBlock(number, text) for number, text in kept]
        store.leagues.keep_blocks(1, store.leagues.all()[1], repeated)
        with desk.refused(ExitCode.CONFLICT, "block 2 of league 1", "ended otherwise"):
            store.leagues.keep_blocks(1, store.leagues.all()[1], [repeated[0], PlayedBlock(1, "[1,1,[],[]]")])
    assert desk.query(db, "SELECT block, text FROM league_block") == kept
    assert database.check(db).problems == ()


def test_progress_reports_blocks_speed_and_the_order_so_far(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "PROGRESS_SECONDS", 0.0)
    reports: list[LeagueProgress] = []
    leagues.run(db, replace(LEAGUE, bots=("random", "greedy")), progress=reports.append)
    assert [report.done for report in reports] == list(range(BLOCKS + 1))
    assert {(report.blocks, report.until, report.phase) for report in reports} == {(BLOCKS, "played", "playing")}
    assert (reports[0].order, reports[0].left) == ((), None)
    assert reports[-1].order == ("greedy", "random")
    assert 0.5 < reports[-1].certainty < 1
    assert all(report.speed > 0 and report.left is not None for report in reports[1:])
    assert reports[-1].left == 0


def test_a_league_whose_rules_have_changed_is_not_resumed(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the rules' digest is made to fail."""
    leagues.run(db, replace(LEAGUE, blocks=1))
    monkeypatch.setattr(rulesets, "is_same", lambda _rules: False)
    with desk.refused(ExitCode.REFUSED, "have changed since league 1 started", "version"):
        leagues.resume(db)


def test_a_league_of_rules_that_allow_more_now_has_changed_since_bots_play_otherwise() -> None:
    """`zoliky` of before November 2026 laid down trios of three; the digest of `oficial` is of the same rules."""
    with desk.refused(ExitCode.REFUSED, "the rules zoliky have changed since league 3 started"):
        leagues.check_unchanged(3, replace(LEAGUE, rules="zoliky", rules_digest="407d3dfdd754b82e"))
    leagues.check_unchanged(3, replace(LEAGUE, rules="oficial", rules_digest="a48a4ccc1ce0692c"))


def test_resuming_a_league_with_another_version_of_the_program_warns(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leagues.run(db, replace(LEAGUE, blocks=1))
    monkeypatch.setattr(leagues, "program_version", lambda: "9.9")
    with pytest.warns(TourneyWarning, match=r"this is 9\.9: its bots may play differently"):
        leagues.resume(db)


REFUSED = {
    "no bots": ({"bots": ()}, ExitCode.USAGE, "no bots are named"),
    "unknown bot": ({"bots": ("gredy",)}, ExitCode.NOT_FOUND, "greedy"),
    "unknown rules": ({"rules": "oficiale"}, ExitCode.NOT_FOUND, "oficiale"),
    "too many seats": ({"seats": 7}, ExitCode.REFUSED, "2 to 4"),
    "certainty of one": ({"certainty": "1"}, ExitCode.USAGE, "“1”"),
    "certainty of a coin": ({"certainty": "0.5"}, ExitCode.USAGE, "0.95"),
    "not a number": ({"certainty": "nan"}, ExitCode.USAGE, "nan"),
    "more blocks than a database counts": ({"blocks": 10**20}, ExitCode.USAGE, "blocks"),
    "a seed that is not text": ({"seed": "\udcff"}, ExitCode.REFUSED, "the seed contains"),
    "more money than a database counts": ({"rules": "knock", "stake": 10**20}, ExitCode.REFUSED, "a stake of"),
    "stake of no whole bonuses": ({"rules": "knock", "stake": 7}, ExitCode.REFUSED, "multiple of 50"),
    "stake without money": ({"stake": 50}, ExitCode.REFUSED, "money"),
}


@pytest.mark.parametrize(("change", "code", "word"), REFUSED.values(), ids=REFUSED)
def test_an_impossible_league_is_refused_before_anything_is_kept(
    db: str, change: dict, code: ExitCode, word: str
) -> None:
    with desk.refused(code, word):
        leagues.run(db, replace(LEAGUE, **change))
    assert not Path(db).exists()


def test_a_knock_league_counts_money(db: str) -> None:
    """Money is zero-sum, so the means add up to 0; the best bot has the highest mean."""
    table = leagues.run(db, replace(LEAGUE, rules="knock", blocks=2))
    assert (table.league.stake, table.contracts) == (100, ())
    assert sum(bot.money for bot in table.bots) == 0
    assert [bot.entrant for bot in table.bots] == ["greedy", "random"]
    assert table.bots[0].mean == -table.bots[1].mean > 0
