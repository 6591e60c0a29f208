"""Tests of a stage without a seat left: nobody is added to it, nobody replaced, and nobody wins it without a game."""

from pathlib import Path

from tests.harness.commands import Runner
from tests.harness.desk import CONTRACTS, refused
from tests.harness.evening.weekend import by_number, enter, names, planned, play_round, seated, with_stages
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event, EventSettings
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Round, Stage, Table
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import CreateEvent, EnterPlayers, bot_seats, show
from tourney.service.results.results import CorrectResult
from tourney.service.rounds import bot_tables
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.stages.cut_changes import AddSeats, ReplacePlayers
from tourney.service.stages.shown import standings

QUALIFYING = Stage("Q", 1, "rotation")
FINAL = Stage("F", 1, take="best", number=4, ties="list", tables=1)


def notes(db: str) -> str:
    return " ".join(standings(db).notes)


def swapped(event: Event, table: Table) -> list[SheetHand[str]]:
    """Return the sheet on which the points of the first and the last name have changed places."""
    order = sorted(player.shown for player in table.players)
    return [
        SheetHand(contract, dict(zip((order[-1], *order[1:-1], order[0]), hand.points.values(), strict=True)))
        for contract, hand in zip(CONTRACTS, by_number(event, table), strict=True)
    ]


def correct(db: str, drawn: Round) -> str:
    """Correct the sheet of the first table of the qualifying, whose last name then has won all; return that name."""
    table = drawn.tables[0]
    apply(db, CorrectResult(None, 1, table.number, swapped(show(db), table), "the columns were swapped"))
    return max(player.shown for player in table.players)


def test_nobody_is_added_after_the_last_game_of_a_final_and_nobody_wins_it_without_a_game(db: str) -> None:
    with_stages(db, 8, QUALIFYING, planned(FINAL, carry="all"))
    drawn = play_round(db)
    finalists = seated(play_round(db))
    newcomer = correct(db, drawn)
    assert newcomer not in finalists
    assert newcomer in notes(db)
    assert "--keep" in notes(db)
    assert "--add" not in notes(db)
    with refused(ExitCode.REFUSED, "no seat is left in F"):
        apply(db, AddSeats())
    with refused(ExitCode.REFUSED, "no seat is left in F"):
        apply(db, AddSeats(None, [newcomer]))
    assert sorted(row.player.shown for row in standings(db).rows[:4]) == finalists


def test_a_final_at_one_table_has_no_fifth_seat_although_a_round_is_still_to_be_drawn(db: str) -> None:
    """By these rules four sit at a table; once one of the four leaves, there is a seat again."""
    with_stages(db, 8, QUALIFYING, planned(FINAL, rounds=2))
    drawn = play_round(db)
    final = play_round(db)
    newcomer = correct(db, drawn)
    assert newcomer in notes(db)
    assert "--add" not in notes(db)
    with refused(ExitCode.REFUSED, "no seat is left in F", "tables are full"):
        apply(db, AddSeats())
    apply(db, WithdrawPlayers(None, [seated(final)[0]]))
    assert [player.shown for player in apply(db, ReplacePlayers()).added] == [newcomer]


def test_who_leaves_a_final_without_a_game_in_it_stands_last_of_its_players(db: str) -> None:
    """Added after the first of two rounds, they leave before the second, with a game carried over."""
    with_stages(db, 8, QUALIFYING, planned(FINAL, rounds=2, carry="all", tables=None), minimum=1)
    drawn = play_round(db)
    play_round(db)
    newcomer = correct(db, drawn)
    apply(db, AddSeats())
    apply(db, WithdrawPlayers(None, [newcomer]))
    play_round(db)
    rows = standings(db).rows
    assert [row.stage for row in rows] == ["F"] * 5 + ["Q"] * 3
    assert (rows[4].rank, rows[4].player.shown) == (5, newcomer)


def test_a_full_final_that_is_drawn_has_no_seat_to_add_but_is_drawn_again(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    drawn = play_round(db)
    apply(db, DrawRound())
    newcomer = correct(db, drawn)
    assert "--add" not in notes(db)
    assert "round cancel" in notes(db)
    with refused(ExitCode.REFUSED, "no seat is left in F", "round cancel"):
        apply(db, AddSeats())
    apply(db, CancelRound(None, "a sheet was wrong"))
    assert newcomer in seated(apply(db, DrawRound()).rounds[0])


def test_nobody_replaces_a_finalist_who_leaves_after_the_last_game(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    winner = min(seated(play_round(db)))
    apply(db, WithdrawPlayers(None, [winner]))
    assert "next in line" not in notes(db)
    assert "--replace" not in notes(db)
    with refused(ExitCode.REFUSED, "no seat is left in F"):
        apply(db, ReplacePlayers())


def test_a_finalist_who_leaves_before_the_game_stands_alone_below_those_who_play(db: str) -> None:
    """At both tables two players are level: two share the first rank of the qualifying, and two the third."""

    def level(_event: Event, table: Table) -> list[SheetHand[str]]:
        order = sorted(player.shown for player in table.players)
        return [
            SheetHand(hand, {name: 0 if at == number % 2 else 10 * (at + 1) for at, name in enumerate(order)})
            for number, hand in enumerate(CONTRACTS)
        ]

    with_stages(db, 8, QUALIFYING, FINAL, tie_breaks="none")
    play_round(db, level)
    apply(db, DrawRound())
    order = [row.player.shown for row in standings(db).rows]
    apply(db, WithdrawPlayers(None, [order[3]]))
    rows = standings(db).rows
    assert [row.rank for row in rows[:4]] == [1, 2, 3, 4]
    assert rows[3].player.shown == order[3]
    apply(db, ReplacePlayers())
    assert [row.rank for row in standings(db).rows[:4]] == [1, 2, 3, 4]


def test_late_entrants_for_whom_a_one_table_final_has_no_seat_are_announced_and_refused_at_its_draw(
    db: str, run: Runner, tmp_path: Path
) -> None:
    """Four winners of four tables are a table; with a fifth table of four late entrants there are five winners."""
    groups = Stage("Groups", 2, "groups")
    with_stages(db, 16, groups, planned(FINAL, take="of each table", number=1))
    play_round(db)
    entered = run("event", "enter", "--add", "Q17", "Q18", "Q19", "Q20", "--db", db).out
    assert "5 players go through, and 4 have a seat" in " ".join(entered.split())
    play_round(db)
    with refused(ExitCode.REFUSED, "5 players go through, and 4 have a seat", "--plan FILE"):
        apply(db, DrawRound())
    assert len(show(db).settings.stages) == 2
    plan = tmp_path / "plan.toml"
    stage = '[[stages]]\nname = "{}"\nrounds = 2\n{}\n'
    final = 'take = "of each table"\nnumber = 1\nties = "list"'
    plan.write_text(stage.format("Groups", 'format = "groups"') + stage.format("F", final), encoding="utf-8")
    changed = run("event", "set", "--plan", str(plan), "--db", db)
    assert changed.code == 0, changed.err
    assert len(seated(play_round(db))) == 5


def test_the_tables_of_a_stage_are_those_of_bots_too(db: str) -> None:
    """Four of eight bots sit at the one table of the final, and the others have a bye."""
    final = Stage("Final", 2, take="best", number=8, ties="list", tables=1)
    apply(db, CreateEvent(EventSettings("Weekend", "oficial", stages=(Stage("Qualifying", 1), final))))
    apply(db, EnterPlayers("Weekend", bots=bot_seats("greedy:8")))
    apply(db, DrawRound())
    bot_tables.play(db)
    drawn = apply(db, DrawRound()).rounds[0]
    assert [len(table.players) for table in drawn.tables] == [4]
    assert len(drawn.sitting_out) == 4


def test_people_and_bots_who_reach_a_final_of_one_table_share_it(db: str) -> None:
    """Two people win their table of four, and the two best bots theirs; both pairs could fill a table of their own."""
    final = Stage("Final", 1, take="of each table", number=2, ties="list", tables=1)
    apply(db, CreateEvent(EventSettings("Weekend", "oficial", stages=(Stage("Qualifying", 1), final))))
    apply(db, EnterPlayers("Weekend", names(4), bots=bot_seats("greedy:4"), add=True))
    (drawn,) = apply(db, DrawRound()).rounds
    (people,) = (table for table in drawn.tables if table.players[0].kind == "person")
    enter(db, show(db), people)
    bot_tables.play(db)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    assert sorted(player.kind for player in table.players) == ["bot", "bot", "person", "person"]


def test_nobody_is_moved_to_a_full_final_by_a_seat_that_it_does_not_have(db: str, run: Runner) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    (drawn,) = apply(db, DrawRound()).rounds
    other = next(name for name in names(8) if name not in seated(drawn))
    for words in ((other, "--table", "1"), (other, "--with", seated(drawn)[0])):
        ran = run("round", "move", *words, "--db", db)
        assert ran.code == ExitCode.REFUSED
        assert "P05 does not play in F, where no seat is left" in ran.err
        assert "--also" not in ran.err
        assert "round cancel" in ran.err
