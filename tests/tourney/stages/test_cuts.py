"""Tests of cuts: ties at the border, players who leave a final, corrections after a cut, and who is sure.

Points are those of the sheets: on `weekend.by_number` players with lower names always have fewer points.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from hashlib import sha256

import pytest

from tests.harness.desk import CONTRACTS, refused
from tests.harness.evening import weekend
from tests.harness.evening.weekend import FINAL, names, planned, play, play_round, seated, with_stages
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Stage, Table
from tourney.reports.results.standings import cut_text
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import show
from tourney.service.results import results
from tourney.service.results.results import CorrectResult
from tourney.service.results.standings import whatif
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.stages.cut_changes import AddSeats, DecidePlayOff, KeepCut, NamePlayers, ReplacePlayers
from tourney.service.stages.plan_check import expected
from tourney.service.stages.shown import standings
from tourney.standings.cuts import cut
from tourney.standings.standing import Standing

QUALIFYING = Stage("Qualifying", 1, "rotation")


def equal_seconds(_event: Event, table: Table) -> list[SheetHand[str]]:
    """Return a sheet on which the first name of the table closes all hands, and all others have 140 points."""
    order = sorted(player.shown for player in table.players)
    return [SheetHand(hand, {name: 20 if at else 0 for at, name in enumerate(order)}) for hand in CONTRACTS]


def rows(db: str) -> Sequence[Standing]:
    return standings(db).rows


def tied(db: str, ties: str, number: int = 4) -> tuple[list[str], list[str]]:
    """Play a round of 12 at three tables, and return the three winners and the nine who are level behind them."""
    final = Stage("Final", 2, take="best", number=number, ties=ties)  # type: ignore[arg-type]
    with_stages(db, 12, QUALIFYING, final)
    play_round(db, equal_seconds)
    order = [row.player.shown for row in rows(db)]
    return sorted(order[:3]), sorted(order[3:])


def test_players_level_at_the_border_all_go_through_together(db: str) -> None:
    winners, level = tied(db, "together")
    assert seated(play_round(db)) == sorted(winners + level)


def test_a_play_off_hand_is_asked_for_and_decides(db: str) -> None:
    winners, level = tied(db, "play-off")
    with refused(ExitCode.REFUSED, "Final", level[0], level[-1], "--playoff"):
        apply(db, DrawRound())
    with refused(ExitCode.REFUSED, level[0]):
        apply(db, DecidePlayOff(None, level[:3]))
    apply(db, DecidePlayOff(None, level[::-1]))
    assert seated(play_round(db)) == sorted([*winners, level[-1]])


def test_a_lot_that_was_drawn_stays_whatever_another_one_would_say(db: str) -> None:
    """An event that an earlier version cut by another lot keeps its players."""
    winners, level = tied(db, "list")
    rows, stage = standings(db).rows, show(db).settings.stages[1]
    numbers = {row.player.shown: row.player.id for row in rows}
    free = 4 - len(winners)
    lots = {numbers[name]: place for place, name in enumerate([*winners, *level])}
    drawn = replace(stage, by_rule=tuple(numbers[name] for name in level[-free:]))
    for decided, chosen in ((stage, level[:free]), (drawn, level[-free:])):
        assert {player.shown for player in cut(decided, rows, (), lots, 2).through} == {*winners, *chosen}


def published_lots(db: str, names: Collection[str]) -> list[tuple[int, str]]:
    """Return lots and names, the lowest first, as the guide says under `lot` of the tie-breaks."""
    event = show(db)
    numbers = {player.shown: number for number, player in enumerate(event.entrants, 1)}
    digests = {name: sha256(f"lot {event.settings.seed} {numbers[name]}".encode()).digest() for name in names}
    return sorted((int.from_bytes(digest[:8], "big") % 10**9, name) for name, digest in digests.items())


def test_a_tie_that_no_tie_break_decides_goes_to_the_lot_that_anybody_can_draw(db: str) -> None:
    winners, level = tied(db, "list")
    schedule = apply(db, DrawRound())
    through = seated(schedule.rounds[0])
    assert set(winners) < set(through)
    assert len(through) == 4
    assert any("the lot has decided" in note for note in schedule.notes)
    apply(db, CancelRound(None, "again"))
    assert seated(apply(db, DrawRound()).rounds[0]) == through
    lots = published_lots(db, level)
    assert set(through) - set(winners) == {name for _lot, name in lots[: 4 - len(winners)]}


def test_named_players_are_named_by_the_organiser(db: str) -> None:
    with_stages(db, 8, QUALIFYING, Stage("Final", 1, take="named", tables=1))
    play_round(db)
    with refused(ExitCode.REFUSED, "nobody is named", "--players"):
        apply(db, DrawRound())
    apply(db, NamePlayers(None, ["P08", "P02", "P05"]))
    assert seated(play_round(db)) == ["P02", "P05", "P08"]


def test_players_who_were_out_already_may_be_named_for_a_final(db: str) -> None:
    """Somebody who did not reach the semi-final is named; whoever goes home before the final is not seated."""
    semi = Stage("Semi-final", 1, take="best", number=4, ties="list")
    with_stages(db, 8, QUALIFYING, semi, Stage("Final", 1, take="named", tables=1))
    play_round(db)
    semi_finalists = seated(play_round(db))
    out = next(name for name in names(8) if name not in semi_finalists)
    apply(db, NamePlayers(None, [out, *semi_finalists[:2]]))
    apply(db, WithdrawPlayers(None, [semi_finalists[1]]))
    assert seated(play_round(db)) == sorted([out, semi_finalists[0]])
    assert [row.player.shown for row in rows(db)[:2]] == sorted([out, semi_finalists[0]])


def test_somebody_who_has_left_is_not_named(db: str) -> None:
    with_stages(db, 8, QUALIFYING, Stage("Final", 1, take="named", tables=1))
    play_round(db)
    apply(db, WithdrawPlayers(None, ["P08"]))
    with refused(ExitCode.REFUSED, "P08 has left the event", "event return P08"):
        apply(db, NamePlayers(None, ["P07", "P08"]))


def test_a_percentage_is_rounded_down_and_fills_a_table(db: str) -> None:
    """A third of ten players are three; one per cent is nobody, and the smallest table has two."""
    with_stages(db, 10, QUALIFYING, Stage("Final", 1, take="percent", number=33, ties="list", tables=1))
    play_round(db)
    assert len(seated(play_round(db))) == 3


def test_better_than_takes_those_with_fewer_points_per_game(db: str) -> None:
    with_stages(db, 8, QUALIFYING, Stage("Final", 2, take="better than", number=300))
    play_round(db)
    good = sorted(row.player.shown for row in rows(db) if row.points < 300)
    assert 2 <= len(good) < 8
    assert seated(play_round(db)) == good


def final_of_eight(db: str) -> list[str]:
    """Play two rounds of eight and draw a final of four; return the players in the order of the qualifying."""
    with_stages(db, 8, planned(QUALIFYING, rounds=2), planned(FINAL, rounds=2, tables=None))
    play(db, 2)
    order = [row.player.shown for row in rows(db)]
    apply(db, DrawRound())
    return order


def test_a_finalist_who_leaves_is_replaced_by_the_next_who_is_offered(db: str) -> None:
    order = final_of_eight(db)
    apply(db, WithdrawPlayers(None, [order[1]]))
    notes = " ".join(standings(db).notes)
    assert f"{order[1]} left Final; next in line: {order[4]}" in notes
    assert "--replace" in notes
    decision = apply(db, ReplacePlayers())
    assert [player.shown for player in decision.added] == [order[4]]
    assert [player.shown for player in decision.removed] == [order[1]]
    assert "next in line" not in " ".join(standings(db).notes)
    assert rows(db)[0].player.shown != order[1]


def worse(_event: Event, table: Table) -> list[SheetHand[str]]:
    """Return a sheet on which the last name of the table closes all hands."""
    order = sorted((player.shown for player in table.players), reverse=True)
    return [SheetHand(hand, {name: 150 if at else 0 for at, name in enumerate(order)}) for hand in CONTRACTS]


def corrected(db: str) -> tuple[set[str], set[str]]:
    """Correct a sheet of the qualifying after the cut, so that others would play; return who comes and who goes."""
    order = final_of_eight(db)
    table = next(each.table for each in results.show(db, None, 1) if order[0] in {p.shown for p in each.table.players})
    apply(db, CorrectResult(None, 1, table.number, worse(show(db), table), "the columns were swapped"))
    points: Counter[str] = Counter()
    for result in results.show(db):
        points.update(dict(zip((p.shown for p in result.table.players), result.outcome.points, strict=True)))
    now = set(sorted(points, key=points.__getitem__)[:4])
    return now - set(order[:4]), set(order[:4]) - now


def test_a_correction_after_the_cut_changes_nothing_by_itself_and_names_who_is_hit(db: str) -> None:
    coming, going = corrected(db)
    assert coming
    assert going
    notes = " ".join(standings(db).notes)
    for name in coming | going:
        assert name in notes
    assert "--keep" in notes
    assert "--add" in notes
    assert "round cancel" in notes
    assert {row.player.shown for row in rows(db)[:4]} > going


def test_the_cut_can_be_left_as_it_is(db: str) -> None:
    corrected(db)
    apply(db, KeepCut())
    assert "--keep" not in " ".join(standings(db).notes)
    with refused(ExitCode.REFUSED, "still give"):
        apply(db, KeepCut())


def test_seats_can_be_added_for_those_who_would_go_through(db: str) -> None:
    coming, _going = corrected(db)
    decision = apply(db, AddSeats())
    assert {player.shown for player in decision.added} == coming
    assert len(decision.players) == 4 + len(coming)
    assert "--add" not in " ".join(standings(db).notes)


def test_the_stage_can_be_seated_again(db: str) -> None:
    coming, going = corrected(db)
    apply(db, CancelRound(None, "a sheet was wrong"))
    through = set(seated(apply(db, DrawRound()).rounds[0]))
    assert coming <= through
    assert not going & through


def test_cut_commands_without_a_later_stage_say_so(db: str) -> None:
    with_stages(db, 8, planned(QUALIFYING, rounds=2), FINAL)
    play_round(db)
    for change in (KeepCut(), AddSeats(), ReplacePlayers()):
        with refused(ExitCode.REFUSED, "no stage of Weekend has begun"):
            apply(db, change)
    with refused(ExitCode.REFUSED, "no play-off hand"):
        apply(db, DecidePlayOff(None, names(2)))
    with refused(ExitCode.REFUSED, "follow from the results"):
        apply(db, NamePlayers(None, names(2)))


def test_after_every_sheet_each_player_is_sure_open_or_out(db: str) -> None:
    """Two tables of one round: whoever closes every hand at the first has 0 points; the four best of eight go on.

    With the first table in, its winner cannot be passed by four players of one table, of whom one closes each hand, as
    long as three rivals would have to close hands to have fewer points than 0. The last one has 560 points, and three
    players of the same table are ahead already: at the other table all can have fewer than 560, but need not.
    """
    with_stages(db, 8, QUALIFYING, FINAL)
    drawn = play_round(db, open_tables=1)
    first = sorted(player.shown for player in drawn.tables[0].players)
    states = {row.player.shown: row.cut for row in rows(db)}
    assert states[first[0]] == "sure"
    assert states[first[3]] == "open"
    assert {states[player.shown] for player in drawn.tables[1].players} == {"open"}
    chances = {row.player.shown: row.chance for row in rows(db)}
    assert chances[first[0]] == 1
    assert 0 < (chances[first[1]] or 0) <= 1
    weekend.enter(db, show(db), drawn.tables[1])
    assert sorted(row.cut or "" for row in rows(db)) == ["out"] * 4 + ["sure"] * 4


def test_states_end_with_the_last_cut(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play(db, 2)
    assert {row.cut for row in rows(db)} == {None}


def test_what_a_place_in_the_final_takes_is_told_by_the_final_alone(db: str) -> None:
    """Nothing is played in the final, so that every rival must score more than the player: the room is 0 for each."""
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    apply(db, DrawRound())
    answer = whatif(db)
    assert len(answer.prospects) == 4
    assert {rival.room for prospect in answer.prospects for rival in prospect.rivals} == {0}


def test_places_in_a_stage_that_ranks_by_lives_are_not_told_by_points(db: str) -> None:
    with_stages(db, 8, Stage("Knock-out", 9, "knock-out", lives=1, until=4), FINAL)
    play_round(db)
    with refused(ExitCode.REFUSED, "Knock-out", "tourney standings"):
        whatif(db)


@pytest.mark.parametrize(
    ("given", "message"), [(["P01"], "1 player is named for Final"), (["P01", "P01"], "P01 is named twice for Final")]
)
def test_naming_one_player_or_one_twice_is_refused_at_once(db: str, given: list[str], message: str) -> None:
    with_stages(db, 8, QUALIFYING, Stage("Final", 1, take="named", tables=1))
    play_round(db)
    with refused(ExitCode.REFUSED, message):
        apply(db, NamePlayers(None, given))


def test_a_stage_that_is_over_has_as_many_players_as_have_played_in_it(db: str) -> None:
    final_of_eight(db)
    apply(db, WithdrawPlayers(None, ["P08"]))
    assert [(stage.players, stage.sizes) for stage in expected(show(db), len(show(db).playing))] == [
        (8, (4, 4)),
        (4, (4,)),
    ]


def test_a_chance_of_nearly_nothing_is_less_than_one_per_cent(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    row = rows(db)[0]
    texts = [cut_text(replace(row, cut="open", chance=chance)) for chance in (0.0, 0.004, 0.006, 0.5, 0.999)]
    assert texts == ["< 1 %", "< 1 %", "1 %", "50 %", "99 %"]
