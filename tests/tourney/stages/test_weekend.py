"""Tests of an event with stages from its first round to its end: who plays, who stands where, and what undo takes back.

On the sheets of `weekend.by_number` players with lower names always have fewer points, so that the right players of
every stage are known without the program.
"""

from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.desk import query, refused
from tests.harness.evening import weekend
from tests.harness.evening.weekend import FINAL, names, planned, play, play_round, seated, with_stages
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event
from tourney.domain.rounds import Stage
from tourney.rulebook import rulesets
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.copy_event import CopyEvent
from tourney.service.events.event_file import exported
from tourney.service.events.events import FinishEvent, show
from tourney.service.events.import_event import ImportEvent
from tourney.service.lookup import with_rules_of_round
from tourney.service.players import MergePlayers, RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound, verify
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Swap
from tourney.service.rounds.rounds import slips
from tourney.service.stages.shown import standings
from tourney.storage.upkeep import check_database

QUALIFYING = Stage("Qualifying", 2, "swiss")


def ranks(db: str) -> list[tuple[int | None, str]]:
    return [(row.rank, row.player.shown) for row in standings(db).rows]


def test_the_four_best_play_the_final_and_the_others_keep_their_ranks_below(db: str) -> None:
    with_stages(db, 12, QUALIFYING, FINAL)
    play(db, 2)
    before = [row.player.shown for row in standings(db).rows]
    final = play_round(db)
    assert seated(final) == sorted(before[:4])
    after = [row.player.shown for row in standings(db).rows]
    assert after[:4] == sorted(before[:4])
    assert after[4:] == before[4:]
    assert [rank for rank, _name in ranks(db)] == list(range(1, 13))


def test_points_of_the_stages_before_do_not_count_in_the_final(db: str) -> None:
    """Seven hands: 0 for the first, 10 times the number in the name for each other, in each hand."""
    with_stages(db, 8, QUALIFYING, FINAL)
    play(db, 2)
    final = seated(play_round(db))
    points = {row.player.shown: row.points for row in standings(db).rows if row.player.shown in final}
    assert points == {name: 70 * int(name[1:]) if at else 0 for at, name in enumerate(final)}


@pytest.mark.parametrize(
    ("carry", "factor"),
    [("all", 1), ("half", 0.5)],
)
def test_points_are_carried_over_whole_or_in_half(db: str, carry: str, factor: float) -> None:
    with_stages(db, 8, QUALIFYING, planned(FINAL, carry=carry))
    play(db, 2)
    before = {row.player.shown: row.points for row in standings(db).rows}
    final = seated(play_round(db))
    for row in standings(db).rows[:4]:
        own = 70 * int(row.player.shown[1:]) if row.player.shown != final[0] else 0
        assert row.points == own + int(before[row.player.shown] * factor)


def test_place_points_are_given_by_rank(db: str) -> None:
    with_stages(db, 8, QUALIFYING, planned(FINAL, carry="place points", carry_points=(0, 100, 200, 300)))
    play(db, 2)
    best = [row.player.shown for row in standings(db).rows[:4]]
    play_round(db)
    carried = {
        row.player.shown: row.carried for row in standings(db).rows if row.carried or row.player.shown == best[0]
    }
    assert carried == dict(zip(best, (0, 100, 200, 300), strict=True))


def test_whoever_has_left_is_never_on_top(db: str) -> None:
    """P01 wins every hand; withdrawn after one of two rounds they stand below all who stayed and have a rank."""
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    apply(db, WithdrawPlayers(None, ["P01"]))
    play_round(db)
    assert ranks(db)[-1][1] == "P01"
    final = play_round(db)
    assert "P01" not in seated(final)
    assert standings(db).rows[0].player.shown == "P02"


def test_a_weekend_where_28_of_32_go_home_before_the_final_keeps_their_ranks(db: str) -> None:
    """The case that the standings had wrong: players who were withdrawn took ranks 1 to 4."""
    with_stages(db, 32, QUALIFYING, FINAL)
    play(db, 2)
    before = [row.player.shown for row in standings(db).rows]
    play_round(db)
    apply(db, WithdrawPlayers(None, before[4:]))
    assert [row.player.shown for row in standings(db).rows[:4]] == sorted(before[:4])
    assert [row.player.shown for row in standings(db).rows[4:]] == before[4:]


def test_groups_stay_together_and_the_best_of_each_go_through(db: str) -> None:
    groups = Stage("Groups", 3, "groups")
    with_stages(db, 16, groups, Stage("Final", 1, take="of each table", number=1, ties="list", tables=1))
    drawn = play(db, 3)
    tables = [{frozenset(player.id for player in table.players) for table in each.tables} for each in drawn]
    assert tables[0] == tables[1] == tables[2]
    winners = sorted(min(player.shown for player in table.players) for table in drawn[0].tables)
    assert seated(play_round(db)) == winners


def test_a_knock_out_takes_a_life_from_the_last_of_each_table_until_four_are_left(db: str) -> None:
    """16 players with one life each: 4 tables lose 4 of them, then 3 tables 3, 3 tables 3 and 2 tables 2."""
    knock_out = Stage("Knock-out", 20, "knock-out", lives=1, until=4)
    with_stages(db, 16, knock_out, FINAL)
    sizes = []
    while show(db).stage.name == "Knock-out":  # type: ignore[union-attr]
        drawn = play_round(db)
        sizes.append(len(seated(drawn)))
        lost = {max(player.shown for player in table.players) for table in drawn.tables}
        if len(sizes) < 5:
            last = lost
    assert sizes == [16, 12, 9, 6, 4]
    assert show(db).settings.rounds == 5
    assert seated(drawn) == names(4)
    out = [row for row in standings(db).rows[4:] if row.player.shown in last]
    assert sorted(row.rank or 0 for row in out) == [5, 6]
    apply(db, FinishEvent())


def test_on_a_ladder_the_winner_moves_up_and_the_last_one_down(db: str) -> None:
    with_stages(db, 12, Stage("Ladder", 2, "ladder"))
    first = play_round(db)
    orders = [sorted(player.shown for player in table.players) for table in first.tables]
    second = play_round(db)
    seats = [{player.shown for player in table.players} for table in second.tables]
    assert {orders[0][0], orders[1][0]} <= seats[0]
    assert {orders[0][-1], orders[2][0]} <= seats[1]
    assert {orders[1][-1], orders[2][-1]} <= seats[2]
    top = sorted(seats[0])
    assert [row.player.shown for row in standings(db).rows[:4]] == top


def test_a_stage_may_play_some_hands_of_the_game(db: str) -> None:
    short = planned(QUALIFYING, hands=("TTE", "TEE", "EEE"))
    with_stages(db, 8, short, FINAL)
    drawn = play_round(db)
    assert [hand for hand, _cards in slips(db, None, 1).hands] == ["TTE", "TEE", "EEE"]
    play_round(db)
    assert [hand for hand, _cards in slips(db, None, play_round(db).number).hands][:1] == ["TT"]
    event = show(db)
    table = drawn.tables[0]
    with refused(ExitCode.CONFLICT):
        apply(db, EnterResult(None, 1, table.number, weekend.by_number(event, table)))
    assert rulesets.contracts(with_rules_of_round(event, 1).rules)[0] == ("TTE", 11)


def test_the_packs_of_a_hand_are_those_of_the_whole_game() -> None:
    """000: up to eight players, one more pack after the second hand and another after the next two (rules.md, 1.1)."""
    rules = rulesets.resolve("fournier")
    last = rulesets.rules_of(rulesets.with_hands(rules, ("TTE", "TEE", "EEE")))
    whole = rulesets.rules_of(rules)
    assert [last.packs(8, hand) for hand in (1, 2, 3)] == [4, 4, 4]
    assert [whole.packs(8, hand) for hand in (1, 3, 5)] == [2, 3, 4]


@pytest.mark.parametrize("seats", ["rank", "lot"])
def test_the_seats_of_a_final_follow_rank_or_lot(db: str, seats: str) -> None:
    with_stages(db, 8, QUALIFYING, planned(FINAL, seats=seats))
    play(db, 2)
    best = [row.player.shown for row in standings(db).rows[:4]]
    drawn = play_round(db)
    order = [player.shown for player in drawn.tables[0].players]
    assert sorted(order) == sorted(best)
    assert seats == "lot" or order == best


def test_the_final_begins_only_when_every_result_is_in(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    play_round(db, open_tables=1)
    with refused(ExitCode.REFUSED, "Final", "round 2"):
        apply(db, DrawRound())
    with refused(ExitCode.REFUSED, "Final"):
        apply(db, DrawRound(anyway=True))


def test_undo_of_the_draw_takes_the_cut_back_too(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play(db, 2)
    before = show(db)
    apply(db, DrawRound())
    assert show(db).stage.name == "Final"  # type: ignore[union-attr]
    apply(db, Undo())
    assert show(db) == before


def test_cancelling_the_first_round_of_a_stage_lets_it_begin_anew(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play(db, 2)
    before = show(db)
    apply(db, DrawRound())
    apply(db, CancelRound(None, "somebody left"))
    assert show(db) == before
    apply(db, WithdrawPlayers(None, [standings(db).rows[0].player.shown]))
    (final,) = apply(db, DrawRound()).rounds
    assert len(seated(final)) == 4


def _played(db: str) -> Event:
    with_stages(db, 9, QUALIFYING, planned(FINAL, carry="half", seats="rank"), seed="weekend")
    play(db, 3, weekend.at_random("7"))
    return show(db)


def test_every_draw_of_an_event_with_stages_verifies_and_the_journal_replays(db: str) -> None:
    _played(db)
    assert verify(db).agree
    assert not check_database(db).problems


def test_an_exported_event_with_stages_is_the_same_elsewhere(db: str, tmp_path: Path) -> None:
    """The other database has other people first, so that all numbers differ."""
    _played(db)
    before = [(row.rank, row.player.shown, row.points, row.stage) for row in standings(db).rows]
    file = tmp_path / "weekend.event"
    file.write_text(exported(db, None).text, encoding="utf-8")
    other = str(tmp_path / "other.db")
    with_stages(other, 5, QUALIFYING)
    apply(other, ImportEvent(file, "Other"))
    after = [(row.rank, row.player.shown, row.points, row.stage) for row in standings(other, "Other").rows]
    assert after == before
    assert verify(other, "Other").agree


def test_a_copy_of_an_event_has_its_stages_and_nothing_of_what_was_decided(db: str) -> None:
    _played(db)
    copy = apply(db, CopyEvent("Next", "Weekend")).event
    assert [stage.name for stage in copy.settings.stages] == ["Qualifying", "Final"]
    assert [stage.first for stage in copy.settings.stages] == [1, 0]
    assert copy.settings.rounds == 3


def number_of(db: str, kind: str) -> int:
    """Return the number of the last entry of a kind."""
    return max(row[0] for row in query(db, "SELECT number FROM act WHERE kind = ?", kind))


def test_a_result_on_which_a_cut_rests_cannot_be_undone_alone(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play(db, 2)
    result = number_of(db, "result.enter")
    apply(db, DrawRound())
    with refused(ExitCode.REFUSED, "round 3"):
        apply(db, Undo(result))


def test_a_finalist_who_was_registered_twice_stays_one_finalist(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play(db, 2)
    final = seated(play_round(db))
    apply(db, RegisterPlayers(["P99"]))
    apply(db, MergePlayers("P99", final[0]))
    assert [row.player.shown for row in standings(db).rows[:4]] == ["P99", *final[1:]]
    assert verify(db).agree
    assert not check_database(db).problems


def test_whoever_does_not_play_in_the_final_cannot_be_moved_to_its_table(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play(db, 2)
    (final,) = apply(db, DrawRound()).rounds
    other = next(name for name in names(8) if name not in seated(final))
    with refused(ExitCode.REFUSED, f"{other} does not play in Final, where no seat is left"):
        apply(db, MovePlayer(None, other, Swap(seated(final)[0])))


def test_whoever_enters_after_the_cut_is_told_that_they_do_not_play(db: str, run: Runner) -> None:
    with_stages(db, 8, QUALIFYING, planned(FINAL, rounds=2))
    play(db, 3)
    shown = run("event", "enter", "Zoe", "--add", "--db", db)
    assert "not in Final" in shown.out
    assert "Zoe" not in seated(play_round(db))
