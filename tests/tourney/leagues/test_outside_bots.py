"""Leagues with bots from outside: played, resumed, joined and compared; faults of bots that do what they please."""

import json
import signal
import sqlite3
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from engine.records.record import read
from engine.records.replay import replay
from tests.harness import desk
from tests.harness.bots.own_bots import MINE, misbehaving, write_bot
from tests.harness.commands import Runner
from tests.harness.leagues.small_league import same_outcome
from tourney.bots.roster import read_roster
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import League, PlayedBlock, PlaySettings
from tourney.league.blocks import LeagueHash, read_block
from tourney.league.playing import play_block
from tourney.reports.leagues import table as leagues_report
from tourney.rulebook.rulesets import resolve, rules_of
from tourney.service import database
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.leagues import comparisons, leagues
from tourney.text.signals import listening

GOLDEN = (
    "3d7165478aad3f3042ef7afbc830e9f81283f3338bdb4d695b50b88a60d8379e",
    "91ee20e1e7439bea48006127574ba88f0779444f409c8878f9c75abe063a9e4e",
)
"""Hashes of two leagues, as commit 9c308e92 gave them, before bots from outside could play."""


@pytest.fixture
def folder(folder: Path) -> Path:
    """A folder with a bot's file, in which the program runs."""
    write_bot(folder)
    return folder


def league(*bots: str, blocks: int = 2, seats: int = 2) -> League:
    """Return a small league."""
    return League(bots, "oficial", seats, "7", blocks)


def test_leagues_of_built_in_bots_keep_their_hash(db: str) -> None:
    assert leagues.run(db, League(("greedy", "random"), "oficial", 2, "golden", 1)).hash == GOLDEN[0]


@pytest.mark.slow
def test_leagues_of_the_knock_game_keep_their_hash(db: str) -> None:
    knock = League(("greedy", "greedy", "random"), "knock", 3, "golden", 1, "rotations")
    assert leagues.run(db, knock).hash == GOLDEN[1]


def test_a_class_plays_a_league_that_replays_and_can_be_compared(db: str, folder: Path) -> None:
    table = leagues.run(db, replace(league("mine.py:Mine", "greedy"), records="sampled"))
    assert [(bot.entrant, bot.faults) for bot in table.bots] == [("greedy", 0), ("mine.py:Mine", 0)]
    kept, played = (comparisons.record(db, None, block, 1) for block in (1, 2))
    assert replay(read(kept)).points == read(kept).points
    assert read(played).players[0] in ("mine.py:Mine", "greedy")
    assert comparisons.compare(db, "greedy", "mine.py:Mine").hands
    assert database.check(db).problems == ()


@pytest.mark.slow
def test_two_workers_end_with_the_same_table_as_one(db: str, folder: Path) -> None:
    tables = [leagues.run(db, league("mine.py:Mine?bold=on", "greedy"), PlaySettings(workers)) for workers in (1, 2)]
    assert same_outcome(*tables)


def test_the_hash_is_of_the_file_and_not_of_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another comment in the file is another bot; the same file elsewhere is the same one."""
    hashes = []
    for place, source in (("one", MINE), ("two", MINE), ("three", MINE + "# a comment\n")):
        write_bot(tmp_path / place, source=source)
        monkeypatch.chdir(tmp_path / place)
        hashes.append(leagues.run(str(tmp_path / f"{place}.db"), league("mine.py:Mine", "greedy", blocks=1)).hash)
    assert hashes[0] == hashes[1] != hashes[2]


def test_names_parameters_and_limits_belong_to_the_hash(folder: Path) -> None:
    """Only the first of these leagues is in today's folder; none is played."""
    write_bot(folder, "field.toml", '[[bot]]\nname = "a"\nentrant = "mine.py:Mine"\nlimits = { action = 1 }\n')
    hashes = set()
    for text in ("mine.py:Mine", "mine.py:Mine?care=3", "mine.py:Other", "@field.toml"):
        roster = read_roster([text, "greedy"], folder)
        hashes.add(LeagueHash(replace(league(*roster.bots), outside=roster.outside)).text())
    assert len(hashes) == 4


def test_a_changed_file_is_not_resumed_joined_or_replayed(db: str, folder: Path) -> None:
    leagues.run(db, league("mine.py:Mine", "greedy", blocks=1))
    write_bot(folder, source=MINE + "# another version\n")
    assert leagues.status(db).blocks == 1
    for use in (
        lambda: leagues.resume(db),
        lambda: leagues.join(db, leagues.Joining(["random"])),
        lambda: comparisons.record(db, None, 1, 1),
    ):
        with desk.refused(ExitCode.REFUSED, "mine.py:Mine has changed", "new league"):
            use()
    (folder / "mine.py").unlink()
    with desk.refused(ExitCode.NOT_FOUND, "mine.py"):
        leagues.resume(db)


def test_a_class_joins_a_league_as_if_it_had_begun_it(db: str, folder: Path) -> None:
    together = leagues.run(db, league("greedy", "planner", "mine.py:Mine", blocks=1))
    leagues.run(db, league("greedy", "planner", blocks=1))
    table, more = leagues.preview_join(db, leagues.Joining(["mine.py:Mine"]))
    assert (table.blocks, more) == (1, 4)
    assert same_outcome(leagues.join(db, leagues.Joining(["mine.py:Mine"])), together)
    assert database.check(db).problems == ()


@pytest.mark.slow
def test_blocks_of_an_older_file_are_not_taken_for_those_of_the_new_one(db: str, folder: Path) -> None:
    """A bot joins, is undone, and joins again with another file: its games are played anew."""
    leagues.run(db, league("greedy", "planner", blocks=1))
    first = leagues.join(db, leagues.Joining(["mine.py:Mine"]))
    apply(db, Undo())
    write_bot(folder, source=MINE.replace('("pass", "down", "off", "close")', '("claim", "down")'))
    second = leagues.join(db, leagues.Joining(["mine.py:Mine"]))
    write_bot(folder, source=MINE)
    assert second.hash != first.hash
    assert second.bots != first.bots


def test_another_file_of_a_name_in_the_league_does_not_join(db: str, folder: Path) -> None:
    write_bot(folder / "new", source=MINE + "# newer\n")
    leagues.run(db, league("mine.py:Mine", "greedy", blocks=1))
    with desk.refused(ExitCode.USAGE, "another bot called “mine.py:Mine”", "entrants file"):
        leagues.join(db, leagues.Joining([f"{folder}/new/mine.py:Mine"]))


def test_the_journal_keeps_no_outside_bots_for_leagues_of_built_in_ones(db: str) -> None:
    leagues.run(db, league("greedy", "planner?guarding=off", blocks=1))
    with sqlite3.connect(db) as connection:
        ((text,),) = connection.execute("SELECT text FROM act WHERE kind = 'league.new'")
    assert json.loads(text)["payload"]["bots"] == ["greedy", "planner?guarding=off"]
    assert "outside" not in text


# --- faults ---------------------------------------------------------------------------------------------


def played(folder: Path, source: str, time_limit: float = 600.0, other: str = "greedy") -> PlayedBlock:
    """Return the first block of a league of the bot of this source and another."""
    write_bot(folder, "bad.py", source)
    roster, rules = read_roster(["bad.py:Mine", other], folder, isolation="trusted"), resolve("oficial")
    settings = replace(league(*roster.bots), outside=roster.outside, rules_digest=rules.digest, records="all")
    settings = replace(settings, isolation="trusted")
    with listening(signal.SIGINT):
        return play_block(settings, rules_of(rules), 0, time_limit=time_limit)


FAULTY = {
    "raises": ("1 / 0", "ZeroDivisionError: division by zero"),
    "exits": ("sys.exit('enough')", "SystemExit: enough"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "raises the base of all errors": ("raise BaseException('x' * 100_000)", "BaseException: xxx"),
    "returns nothing": ("return None", "NoneType is not an action"),
    "returns itself": ("return self", "Mine is not an action"),
    "returns the list": ("return legal", "Legal is not an action"),
    "illegal": (
        "from tourney.bots import Discard\nreturn Discard(0) if view.phase == 'claim' else legal[0]",
        "[003/1.6]",
    ),
    "changes what it was given": (
        "object.__setattr__(view, 'hand', ())\nlegal._actions = ()\nreturn legal[0]",
        "IndexError",
    ),
    "error without text": (
        "class Odd(Exception):\n    def __str__(self):\n        raise ValueError\nraise Odd",
        "Odd: …",
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_whatever_a_class_does_is_its_fault_and_the_game_ends(name: str, folder: Path) -> None:
    """Every decision fails, or every one in the claim window; the record replays with the actions taken instead."""
    body, error = FAULTY[name]
    block = played(folder, misbehaving(body))
    assert read_block(block.text).totals[0].faults > 20
    assert read_block(block.text).totals[1].faults == 0
    assert error in block.faults[0].what
    assert len(block.faults[0].what) <= 200
    assert len(block.faults[0].trace) <= 10_000
    for _game, text in block.records:
        assert replay(read(text)).points == read(text).points


@pytest.mark.parametrize("level", ["trusted", "process"])
def test_no_traceback_tells_where_the_program_or_a_bot_lies(level: str, folder: Path, run: Runner) -> None:
    """Only a class inside this program has one; the file of a league would tell others of the organiser's folders."""
    write_bot(folder, "bad.py", misbehaving("1 / 0"))
    words = ("--seats", "2", "--blocks", "1", "--isolation", level, "--db", "club.db")
    assert run("league", "run", "--bots", "bad.py:Mine,greedy", *words).code == 0
    traces = [trace for (trace,) in desk.query("club.db", "SELECT trace FROM league_fault")]
    assert len(traces) > 1
    assert set(traces) == {""} or level == "trusted"
    for trace in traces if level == "trusted" else ():
        assert '  File "bad.py", line ' in trace
        assert '  File "tourney/league/playing.py", line ' in trace
        assert trace.endswith("ZeroDivisionError: division by zero\n")
    exported = run("league", "export", "--db", "club.db").out
    assert "ZeroDivisionError" in exported
    assert str(folder) not in exported
    assert str(desk.ROOT) not in exported


ENDLESS = """
for action in reversed(legal):
    if str(action) == "back" or str(action).startswith("down"):
        return action
"""


def test_a_turn_without_an_end_is_a_fault_and_ends(folder: Path) -> None:
    """The bot lays down and takes back, again and again, whenever it holds its contract."""
    block = played(folder, misbehaving(ENDLESS.strip()))
    assert any("the turn has no end" in fault.what for fault in block.faults)
    for _game, text in block.records:
        assert replay(read(text)).points == read(text).points


PLACES = ("__init__", "start", "see", "finish")


@pytest.mark.parametrize("method", PLACES)
def test_a_class_may_fail_in_every_method(method: str, folder: Path) -> None:
    source = misbehaving("pass") + f"\n    def {method}(self, *given):\n        raise SystemExit(3)\n"
    block = played(folder, source)
    assert read_block(block.text).totals[0].faults >= (2 if method == "finish" else 20)
    assert read_block(block.text).totals[1].faults == 0


SWALLOWS = """
try:
    while True:
        signal.raise_signal(signal.SIGALRM)
except BaseException:
    return legal[0]
"""
HANGS = "while True:\n    signal.raise_signal(signal.SIGALRM)"


@pytest.mark.parametrize("body", [SWALLOWS, HANGS], ids=["swallows", "hangs"])
def test_a_class_without_an_answer_in_time_is_out_of_the_game(body: str, folder: Path) -> None:
    """One of them catches the error that ends its time and answers all the same. The block has two games.

    Time passes only while the class lets it, by the signal of the timer.
    """
    block = played(folder, misbehaving(body.strip()), time_limit=60)
    assert Counter(fault.game for fault in block.faults) == {0: 1, 1: 1}
    assert all("OutOfTime: no answer within 60 s" in fault.what for fault in block.faults)
    assert read_block(block.text).totals[0].faults > read_block(block.text).totals[0].hands


def test_the_timer_ends_a_class_that_hangs(folder: Path) -> None:
    """Without the timer this class would never end. Its opponent may be late, too, on a busy machine."""
    block = played(folder, misbehaving("while True:\n    pass"), time_limit=0.2)
    assert any(fault.entrant == 0 and "OutOfTime: no answer within 0.2 s" in fault.what for fault in block.faults)


def test_what_a_class_prints_goes_to_standard_error(folder: Path, run: Runner) -> None:
    write_bot(folder, "loud.py", "print('hello')\n" + misbehaving("print('thinking')"))
    words = ("--bots", "loud.py:Mine,greedy", "--blocks", "1", "--seats", "2", "--workers", "1", "--json")
    ran = run("league", "run", *words, "--isolation", "trusted", "--db", "club.db")
    assert ran.code == 0
    assert ran.json["bots"]
    assert "thinking" in ran.err


def test_a_class_that_exits_ends_no_league(folder: Path, run: Runner) -> None:
    """The league is played to its end by workers too, and says how often the bot failed."""
    write_bot(folder, "bad.py", misbehaving("sys.exit(0)"))
    words = ("--bots", "bad.py:Mine,greedy", "--blocks", "2", "--seats", "2", "--workers", "2", "--json")
    ran = run("league", "run", *words, "--db", "club.db")
    assert (ran.code, ran.json["blocks"], ran.json["state"]) == (0, 2, "played")
    assert ran.json["faults_total"] > 40


REFUSED = {
    "a comma too many": ("greedy,", ExitCode.USAGE, "comma"),
    "an unknown parameter": ("planner?speed=1", ExitCode.USAGE, "guarding=on"),
    "a missing file": ("gone.py:Mine,greedy", ExitCode.NOT_FOUND, "gone.py"),
    "a missing entrants file": ("@gone.toml,greedy", ExitCode.NOT_FOUND, "gone.toml"),
    "a count": ("greedy:2,random", ExitCode.USAGE, "greedy,greedy"),
    "an unknown bot": ("greddy,random", ExitCode.NOT_FOUND, "greedy"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bots_that_cannot_play_are_refused_and_nothing_is_begun(name: str, folder: Path, run: Runner) -> None:
    bots, code, word = REFUSED[name]
    ran = run("league", "run", "--bots", bots, "--db", "new.db")
    assert (ran.code, ran.out) == (code, "")
    assert word in ran.err
    assert not (folder / "new.db").exists()


def test_an_interrupt_of_a_person_is_no_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot's decision is interrupted by a signal, as by Ctrl-C."""
    source = misbehaving("import signal\nsignal.raise_signal(signal.SIGINT)")
    with pytest.raises(KeyboardInterrupt):
        played(folder, source)


def test_at_an_event_parameters_stand_before_the_count(db: str, folder: Path, run: Runner) -> None:
    desk.event(db)
    ran = run("event", "enter", "--bots", "planner?guarding=off:2,greedy:2", "--db", db)
    assert ran.code == 0, ran.err
    assert "planner?guarding=off-2" in run("event", "show", "--json", "--db", db).out
    ran = run("event", "enter", "--bots", "mine.py:Mine?care=7:2", "--db", db)
    assert ran.code == 0, ran.err
    assert "mine.py:Mine?care=7-2" in run("event", "show", "--json", "--db", db).out


TAKING = """
if view.turns > 400:
    raise SystemError
for action in legal:
    if str(action) == "take":
        from tourney.bots import card_text
        self.taken = card_text(view.top)
        return action
    if str(action) in ("pass", f"discard {getattr(self, 'taken', '')}"):
        return action
return legal[0]
"""


def test_two_bots_that_take_each_other_s_discards_come_to_an_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a certain turn on they have to draw from the stock, which has an end."""
    monkeypatch.setattr("tourney.bots.seated.MOST_TURNS", 60)
    block = played(folder, misbehaving(TAKING.strip()), other="bad.py:Mine")
    assert {fault.what.partition(";")[0] for fault in block.faults} == {"illegal: the hand has no end: 60 turns in it"}


@pytest.mark.parametrize("walled", ["run", "join"])
@pytest.mark.parametrize("seed", [(), ("--seed", "0123456789abcdef-given")])
def test_a_bot_behind_a_wall_joins_no_league_whose_seed_is_known(
    folder: Path, run: Runner, walled: str, seed: tuple[str, ...]
) -> None:
    """The seed of the league that has ended is shown; the other one was given."""
    level = {each: ("--isolation", "sandbox") if each == walled else () for each in ("run", "join")}
    words = ("--blocks", "1", "--seats", "2", "--db", "club.db", *seed, "--json")
    ended = run("league", "run", "--bots", "greedy,random", *words, *level["run"]).json
    assert sha256(ended["seed"].encode()).hexdigest() == ended["seed_sha256"]
    for dry in ((), ("--dry-run",)):
        refused = run("league", "join", "--bots", "mine.py:Mine", "--db", "club.db", *level["join"], *dry)
        assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
        assert "the deals of the league are known" in refused.err
    assert run("league", "join", "--bots", "planner", "--db", "club.db").code == 0


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_a_bot_joins_at_the_level_that_its_joining_asks_for(
    db: str, folder: Path, run: Runner, dry: tuple[str, ...]
) -> None:
    """No bot from outside is in the league yet, which has no level of its own."""
    mark = folder.parent / "outside"
    write_bot(folder, source=f"{MINE}open({str(mark)!r}, 'w').close()\n")
    apply(db, leagues.StartLeague(leagues.checked(replace(league("greedy", "random", blocks=1), seed=""))))
    joined = run("league", "join", "--bots", "mine.py:Mine", "--isolation", "sandbox", *dry, "--db", db)
    assert not mark.exists()
    assert joined.code != 0, "the wall has refused the file"


def test_a_league_shows_the_hash_of_its_seed_until_it_has_ended(db: str) -> None:
    """A league's published seed, given to another league, gives the same hash."""
    begun = leagues.checked(League(("greedy", "random"), "oficial", 2, "", 1))
    apply(db, leagues.StartLeague(begun))
    open_table = leagues_report.table(leagues.status(db))
    digest = sha256(begun.seed.encode()).hexdigest()
    assert begun.seed not in f"{open_table.lines}{open_table.data}"
    assert any(digest in line for line in open_table.lines)
    ended = leagues.resume(db)
    assert ended.seed == begun.seed
    assert begun.seed in str(leagues_report.table(ended).lines)
    assert leagues.run(db, League(("greedy", "random"), "oficial", 2, begun.seed, 1)).hash == ended.hash
