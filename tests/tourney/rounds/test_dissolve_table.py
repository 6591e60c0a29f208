"""Tests of tables that are dissolved: the nine-player evening of commands, and what then reads a round with a gap."""

import json
import re
import shlex
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, done
from tests.oracles.second_fold import fold
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import FinishEvent
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.draw_round import DrawRound

NAMES = ("Ana", "Beñat", "Carmen", "Diego", "Elena", "Félix", "Gloria", "Hugo", "Inés")


def make_db(db: str) -> None:
    """Nine players in three tables of three; round 1 is drawn, and table 3 has its sheet."""
    desk.people_in(db, NAMES, rounds=3, size=3)
    apply(db, DrawRound())
    apply(db, EnterResult(None, 1, 3, desk.hands(seats(db)[3])))


def seats(db: str, number: int = 1) -> dict[int, list[str]]:
    """Return the names at each table of a round, by table number."""
    (round_,) = rounds.show(db, None, number).rounds
    return {table.number: [player.name for player in table.players] for table in round_.tables}


def byes(db: str, number: int = 1) -> list[str]:
    (round_,) = rounds.show(db, None, number).rounds
    return [player.name for player in round_.sitting_out]


def pasted(text: str) -> list[str]:
    """Return the words of the one command `tourney round dissolve` that a text names, as a shell reads them."""
    (command,) = set(re.findall(r"`tourney (round dissolve[^`]*)`", " ".join(text.split())))
    return shlex.split(command)


def test_nine_players_in_three_tables_play_on_after_two_of_a_table_leave(db: str, run: Runner) -> None:
    """The evening of the organiser: table 3 has its sheet, two of table 1 leave; the third can play at table 2 only.

    Every refusal on the way names the command that helps, and so does `round show`.
    """
    tables = seats(db)
    (first, second, third), joined = tables[1], [*tables[2], tables[1][2]]
    done(run("event", "withdraw", "Friday", first, second, "--reason", "the last bus"))
    shown = done(run("round", "show")).out
    assert "too few players" in next(line for line in shown.splitlines() if first in line)
    assert pasted(shown)[:3] == ["round", "dissolve", "--round"]
    done(run("round", "move", "Friday", first, "--out"))
    for words in ((second, "--out"), (third, "--out"), (third, "--table", "2")):
        refused = run("round", "move", "Friday", *words)
        assert (refused.code, refused.err.splitlines()[0]) == (1, "error: table 1 would have 1 player")
        assert pasted(refused.err) == pasted(shown)
    refused = run("round", "cancel", "--reason", "two have left")
    assert (refused.code, pasted(refused.err)) == (ExitCode.CONFLICT, pasted(shown))
    planned = done(run(*pasted(shown), "--dry-run"))
    assert planned.out.startswith("dry run: nothing was saved. dissolved: Friday, round 1, table 1\n")
    assert list(seats(db)) == [1, 2, 3]
    assert f"{third} joins table 2" in done(run(*pasted(shown))).out
    assert seats(db) == {2: joined, 3: tables[3]}
    assert byes(db) == []
    done(run("result", "enter", "--round", "1", "--table", "2", *_sheet(joined)))
    assert "too few" not in done(run("round", "show")).out
    ranked = {row["player"]: row["games"] for row in done(run("standings", "--json")).json}
    assert ranked == {name: 1 for name in NAMES if name not in (first, second)}
    assert third in {name for table in done(run("round", "draw", "--json")).json["rounds"][0] for name in table}


def _sheet(names: list[str]) -> list[str]:
    points = " ".join(f"{name}={0 if seat == 0 else 20 + 10 * seat}" for seat, name in enumerate(names))
    return [word for contract in desk.CONTRACTS for word in ("--hand", f"{contract} {points}")]


def test_a_round_with_a_missing_table_number_is_read_everywhere(db: str, run: Runner, tmp_path: Path) -> None:
    """Table 1 is dissolved: lists, slips, the clock, verification, files and the log know tables 2 and 3 only."""
    before = seats(db)
    done(run("round", "dissolve", "--table", "1", "--reason", "a leg is broken"))
    after = {2: [*before[2], before[1][0]], 3: before[3]}
    assert seats(db) == after, "table 2 has room for one of the three"
    assert byes(db) == sorted(before[1][1:], key=NAMES.index)
    assert done(run("round", "show", "--json")).json["numbers"] == [[2, 3]]
    assert run("round", "slips", "--table", "1").code == ExitCode.NOT_FOUND
    assert "table 2" in done(run("round", "slips")).out
    assert run("result", "show", "--round", "1", "--table", "1").code == ExitCode.NOT_FOUND
    assert "min left" in done(run("round", "clock", "--start", "--minutes", "30")).out
    assert "identical, seat by seat" in done(run("round", "verify")).out
    assert "changed by hand once" in done(run("round", "verify")).out
    assert "round 1: table 1 dissolved, which had" in done(run("log", "--last", "2")).out
    assert "a leg is broken" in done(run("log", "--last", "2")).out
    for form in ("json", "csv"):
        file = tmp_path / f"round.{form}"
        if form == "json":
            file.write_text(done(run("round", "show", "--json")).out, encoding="utf-8")
        else:
            rows = [f"1,{at},{seat},{name}" for at, names in after.items() for seat, name in enumerate(names, 1)]
            rows += [f"1,,,{name}" for name in before[1][1:]]
            file.write_text("\n".join(("round,table,seat,player", *rows)), encoding="utf-8")
        done(run("seating", "judge", str(file)))
        done(run("round", "draw", "--file", str(file)))
        assert seats(db, 2) == after
        assert [row["state"] for row in done(run("round", "verify", "--json")).json] == ["the same"] * 2
        done(run("undo"))
    assert database.check(db).problems == ()
    (event,) = fold(db).events.values()
    assert sorted(event.tables) == [(1, 2), (1, 3)]


def test_undo_brings_a_dissolved_table_back_with_its_void_result(db: str) -> None:
    """A second fold of the journal has the same tables and results at every step."""
    before = rounds.show(db)
    apply(db, VoidResult(None, 1, 3, "wrong pack"))
    with_void = rounds.show(db)
    apply(db, DissolveTable(None, 3, "no chairs"))
    assert list(seats(db)) == [1, 2]
    assert next(iter(fold(db).events.values())).results == {}
    assert database.check(db).problems == ()
    for shown in (with_void, before):
        apply(db, Undo())
        assert rounds.show(db) == shown
    assert database.check(db).problems == ()


def test_players_who_left_are_not_seated_again_and_make_room_where_others_come(db: str, run: Runner) -> None:
    """One of table 1 has left, and so has one of table 2: the two others of table 1 fill table 2 up to four.

    The one of table 2 might still be playing the round to its end, and so is named.
    """
    tables = seats(db)
    apply(db, WithdrawPlayers(None, [tables[1][0], tables[2][1]]))
    said = done(run("round", "dissolve", "--table", "1")).out
    assert f"\n{tables[1][0]} has left the event\n" in said
    assert f"\n{tables[2][1]} had left the event, and no longer has a seat\n" in said
    assert seats(db)[2] == [tables[2][0], tables[2][2], *tables[1][1:]]
    assert byes(db) == []


def test_an_abandoned_table_goes_and_a_table_of_absent_players_gets_nobody(db: str) -> None:
    """All of tables 1 and 2 have left but one of table 1, who cannot play alone at table 2: they have a bye."""
    tables = seats(db)
    apply(db, WithdrawPlayers(None, [*tables[1][1:], *tables[2]]))
    assert [table.number for table in rounds.show(db).too_few] == [1, 2]
    apply(db, DissolveTable(None, 1, "too few"))
    assert (seats(db), byes(db)) == ({2: tables[2], 3: tables[3]}, [tables[1][0]])
    apply(db, DissolveTable(None, 2, "nobody is there"))
    assert (seats(db), byes(db)) == ({3: tables[3]}, [tables[1][0]])


def test_a_table_with_a_partial_sheet_takes_nobody_and_is_not_dissolved(db: str, run: Runner) -> None:
    """Table 2 has one hand entered: nobody joins it, and it is refused with the way to discard the sheet."""
    tables = seats(db)
    done(run("result", "enter", "--round", "1", "--table", "2", "--half", *_sheet(tables[2])[:2]))
    refused = run("round", "dissolve", "--table", "2", "--reason", "x")
    assert (refused.code, "table 2 of round 1 has a partial sheet" in refused.err) == (ExitCode.CONFLICT, True)
    done(run("round", "dissolve", "--table", "1"))
    assert (seats(db)[2], byes(db)) == (tables[2], sorted(tables[1], key=NAMES.index))


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("--table", "3", "--reason", "x"), ExitCode.CONFLICT, "table 3 of round 1 has a result"),
        (("--table", "4", "--reason", "x"), ExitCode.NOT_FOUND, "round 1 of Friday has no table 4"),
        (("--table", "1", "--round", "2", "--reason", "x"), ExitCode.NOT_FOUND, "round 2 of Friday is not drawn"),
        (("--table", "1", "--reason", " "), ExitCode.REFUSED, "reason"),
        (("--reason", "x"), ExitCode.USAGE, "--table"),
    ],
    ids=["a result", "no table", "no round", "an empty reason", "no number"],
)
def test_a_table_that_cannot_be_dissolved_is_refused(
    db: str, run: Runner, words: tuple[str, ...], code: ExitCode, text: str
) -> None:
    before = seats(db)
    ran = run("round", "dissolve", *words)
    assert (ran.code, ran.out, text in ran.err) == (code, "", True), ran.err
    assert seats(db) == before


def test_the_only_table_is_cancelled_with_its_round_and_a_finished_event_keeps_its_tables(tmp_path: Path) -> None:
    db = str(tmp_path / "one.db")
    desk.event(db, 4, rounds=2)
    apply(db, DrawRound())
    with desk.refused(ExitCode.REFUSED, "round 1 of Friday has no other table", "tourney round cancel Friday"):
        apply(db, DissolveTable(None, 1, "too few"))
    apply(db, FinishEvent("Friday", incomplete=True))
    with desk.refused(ExitCode.REFUSED, "Friday is finished"):
        apply(db, DissolveTable(None, 1, "too few"))


@pytest.mark.parametrize("apart", [(), ("P1,P5", "P2,P6", "P3,P9")], ids=["without constraints", "with constraints"])
def test_a_full_table_is_spread_with_the_fewest_broken_constraints_and_repeats(
    tmp_path: Path, apart: tuple[str, ...]
) -> None:
    """Dissolve a full table of 15 players in round 3, and compare with all ways to spread its players."""
    db, names = str(tmp_path / "many.db"), [f"P{number}" for number in range(1, 16)]
    desk.people_in(db, names, format="random", rounds=4, seed="7")
    for _round in range(3):
        apply(db, DrawRound())
    if apart:
        apply(db, ConstrainSeating("Friday", apart))
    history = [table for number in (1, 2) for table in seats(db, number).values()]
    met = [frozenset(pair) for table in history for pair in combinations(table, 2)]
    forbidden = {frozenset(words.split(",")) for words in apart}
    before = seats(db, 3)
    number = next(at for at, names in before.items() if len(names) == 4)
    others = {at: names for at, names in before.items() if at != number}

    def price(tables: list[list[str]]) -> tuple[int, int]:
        pairs = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
        return sum(pair in forbidden for pair in pairs), sum(pair in met for pair in pairs)

    room = sum(4 - len(names) for names in others.values())
    ways = [
        price([[*names, *(player for player, to in way.items() if to == at)] for at, names in others.items()])
        for seated in combinations(before[number], min(room, 4))
        for way in _ways(seated, {at: 4 - len(names) for at, names in others.items()})
    ]
    apply(db, DissolveTable(None, number, "the table is needed"))
    after = seats(db, 3)
    assert len(byes(db, 3)) == 4 - min(room, 4)
    assert price(list(after.values())) == min(ways)


def _ways(players: tuple[str, ...], room: dict[int, int]) -> list[dict[str, int]]:
    """Return all ways to give each of these players a table with room."""
    if not players:
        return [{}]
    return [
        {players[0]: at, **rest}
        for at, free in room.items()
        if free
        for rest in _ways(players[1:], {**room, at: free - 1})
    ]


def test_people_do_not_join_tables_of_bots(tmp_path: Path) -> None:
    """Six people at two tables and three bots at one: the people of table 1 join table 2 only."""
    db = str(tmp_path / "bots.db")
    desk.event(db, 6, "random:3", rounds=2, size=3)
    apply(db, DrawRound())
    before = seats(db)
    kinds = {player.name: player.kind for player in rounds.show(db).event.entrants}
    people = [at for at, names in before.items() if kinds[names[0]] == "person"]
    apply(db, DissolveTable(None, people[0], "too few"))
    (bots,) = (at for at in before if at not in people)
    assert seats(db)[bots] == before[bots]
    assert len(seats(db)[people[1]]) == 4


def test_json_numbers_that_do_not_fit_the_tables_are_refused(db: str, run: Runner, tmp_path: Path) -> None:
    """The document says numbers for each round; anything else names the place."""
    document = done(run("round", "show", "--json")).json
    file = tmp_path / "round.json"
    for numbers in ([[1, 2]], [[1, 2, 2]], [[0, 1, 2]], [[1, 2, "3"]], [[1, 2, True]], [], [[1, 2, 10**9]]):
        file.write_text(json.dumps({**document, "numbers": numbers}), encoding="utf-8")
        ran = run("seating", "judge", str(file))
        assert (ran.code, "numbers" in ran.err) == (ExitCode.REFUSED, True), numbers
