"""Tests of why somebody plays in a stage: `standings --why` names the hand, the lot, who left, and the organiser."""

from tests.harness.commands import Runner
from tests.harness.evening.weekend import FINAL, planned, play_round, seated, with_stages
from tests.tourney.stages.test_cuts import QUALIFYING, corrected, equal_seconds, final_of_eight, published_lots, tied
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.stages.cut_changes import AddSeats, DecidePlayOff, KeepCut, NamePlayers, ReplacePlayers
from tourney.service.stages.shown import standings


def reasons(run: Runner, db: str, name: str, *options: str) -> list[str]:
    """Return the sentences of `standings --why` that say why somebody plays in the final or not."""
    ran = run("standings", "--why", name, "--db", db, "--json", *options)
    assert ran.code == 0, ran.err
    steps: list[str] = ran.json["steps"]
    return [step for step in steps if "Final" in step and not step.startswith(("Final:", "Q"))]


def test_the_play_off_hand_is_named_for_those_who_played_it(db: str, run: Runner) -> None:
    """Of nine who are level the last name wins the hand, and the one place."""
    winners, level = tied(db, "play-off")
    apply(db, DecidePlayOff(None, level[::-1]))
    play_round(db)
    ended = f"in Final in the play-off hand, which ended, the best first: {', '.join(level[::-1])}."
    assert reasons(run, db, level[-1]) == [f"{level[-1]} won a place {ended}"]
    assert reasons(run, db, level[0]) == [f"{level[0]} won no place {ended}"]
    assert reasons(run, db, winners[0]) == []
    assert reasons(run, db, level[-1], "--round", "1") == []


def test_the_second_of_a_play_off_plays_since_somebody_left_and_not_by_the_hand(db: str, run: Runner) -> None:
    """The final is drawn, and a finalist by the results goes home before it is played."""
    winners, level = tied(db, "play-off")
    apply(db, DecidePlayOff(None, level[::-1]))
    apply(db, DrawRound())
    apply(db, WithdrawPlayers(None, [winners[0]]))
    apply(db, ReplacePlayers())
    assert reasons(run, db, level[-2]) == [f"{level[-2]} plays in Final as the next in line, since {winners[0]} left."]
    (said,) = reasons(run, db, level[-1])
    assert said.startswith(f"{level[-1]} won a place in Final in the play-off hand")


def test_the_play_off_hand_is_named_as_soon_as_it_is_played(db: str, run: Runner) -> None:
    winners, level = tied(db, "play-off")
    assert reasons(run, db, level[-1]) == []
    apply(db, DecidePlayOff(None, level[::-1]))
    ended = f"in Final in the play-off hand, which ended, the best first: {', '.join(level[::-1])}."
    assert reasons(run, db, level[-1]) == [f"{level[-1]} won a place {ended}"]
    assert reasons(run, db, level[0]) == [f"{level[0]} won no place {ended}"]
    assert reasons(run, db, winners[0]) == []


def test_a_finalist_who_was_replaced_and_the_replacement_are_named(db: str, run: Runner) -> None:
    order = final_of_eight(db)
    apply(db, WithdrawPlayers(None, [order[1]]))
    assert reasons(run, db, order[4]) == []
    apply(db, ReplacePlayers())
    assert reasons(run, db, order[4]) == [f"{order[4]} plays in Final as the next in line, since {order[1]} left."]
    assert reasons(run, db, order[1]) == [f"{order[1]} was through to Final, but left."]
    assert reasons(run, db, order[0]) == []
    assert reasons(run, db, order[5]) == []


def test_the_next_in_line_who_went_through_by_themself_is_named_after_the_end_too(db: str, run: Runner) -> None:
    """The second of the qualifying goes home before the final is drawn; the event is finished before it is asked."""
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    order = [row.player.shown for row in standings(db).rows]
    apply(db, WithdrawPlayers(None, [order[1]]))
    assert order[4] in seated(play_round(db))
    assert run("event", "finish", "--db", db).code == 0
    assert reasons(run, db, order[4]) == [f"{order[4]} plays in Final as the next in line, since {order[1]} left."]


def test_somebody_who_left_in_the_qualifying_was_never_through(db: str, run: Runner) -> None:
    with_stages(db, 8, planned(QUALIFYING, rounds=2), FINAL)
    play_round(db)
    leader = standings(db).rows[0].player.shown
    apply(db, WithdrawPlayers(None, [leader]))
    play_round(db)
    finalists = seated(play_round(db))
    assert [reason for name in (*finalists, leader) for reason in reasons(run, db, name)] == []


def test_the_lot_is_named_for_those_whom_it_chose_and_those_whom_it_did_not(db: str, run: Runner) -> None:
    winners, level = tied(db, "list")
    chosen = (set(seated(play_round(db))) - set(winners)).pop()
    other = next(name for name in level if name != chosen)
    lots = ", ".join(f"{name} {lot}" for lot, name in published_lots(db, level))
    begins = f"Nothing separates {', '.join(sorted(level))} at the border of Final."
    assert reasons(run, db, chosen) == [f"{begins} {chosen} goes through by lot: {lots}."]
    assert reasons(run, db, other) == [f"{begins} The lot decided against {other}: {lots}."]


def test_a_correction_after_the_cut_is_named_for_those_whom_it_moves(db: str, run: Runner) -> None:
    coming, going = corrected(db)
    missed, kept = min(coming), min(going)
    would = f"By the corrected results {missed} would play in Final; nothing was changed there."
    would_not = f"{kept} plays in Final, although by the results as they are they would not."
    for decide in (None, KeepCut()):
        if decide is not None:
            apply(db, decide)
        assert reasons(run, db, missed) == [would]
        assert reasons(run, db, kept) == [would_not]


def test_an_added_seat_is_named_for_the_one_who_would_not_play(db: str, run: Runner) -> None:
    coming, going = corrected(db)
    apply(db, AddSeats())
    assert reasons(run, db, min(coming)) == []
    assert len(reasons(run, db, min(going))) == 1


def test_named_players_are_named_by_the_organiser(db: str, run: Runner) -> None:
    with_stages(db, 8, QUALIFYING, Stage("Final", 1, take="named", tables=1))
    play_round(db)
    apply(db, NamePlayers(None, ["P08", "P02"]))
    apply(db, DrawRound())
    assert reasons(run, db, "P08") == ["P08 was named for Final by the organiser."]
    assert reasons(run, db, "P01") == []


def test_every_stage_says_so_for_itself(db: str, run: Runner) -> None:
    """The winner of a group leaves before the semi-final, and the one of the semi-final before the final."""
    groups = Stage("Groups", 1, "groups")
    semi = Stage("Semi Final", 1, "groups", take="best", number=8, ties="list")
    with_stages(db, 16, groups, semi, FINAL)
    play_round(db, equal_seconds)
    gone = standings(db).rows[0].player.shown
    apply(db, WithdrawPlayers(None, [gone]))
    drawn = seated(play_round(db))
    assert gone not in drawn
    best = standings(db).rows[0].player.shown
    apply(db, WithdrawPlayers(None, [best]))
    finalists = seated(play_round(db))
    said = [reason for name in finalists for reason in reasons(run, db, name)]
    assert any(f"plays in Final as the next in line, since {best} left." in each for each in said)
    assert reasons(run, db, gone) == [f"{gone} was through to Semi Final, but left."]


def test_ties_at_the_border_are_explained_for_both_sides_of_it(db: str, run: Runner) -> None:
    """Nine are level with 140 points and no hand won: each is shown the other eight, whether they go through or not."""
    winners, level = tied(db, "list")
    chosen = (set(seated(play_round(db))) - set(winners)).pop()
    for name in (chosen, next(each for each in level if each != chosen)):
        steps = run("standings", "--why", name, "--db", db, "--json").json["steps"]
        assert steps[-1].startswith("Qualifying: level with ")
        assert steps[-1].endswith("; tie-break 1, most recent hand won, does not separate them")
        assert sum(other in steps[-1] for other in level) == 8


def test_equal_points_with_other_lives_are_no_tie(db: str, run: Runner) -> None:
    """Two players have 140 points, and one of them has lost a life: ranked by lives, they are not level."""
    with_stages(db, 8, Stage("Knock-out", 9, "knock-out", lives=2, until=4), FINAL)
    play_round(db, equal_seconds)
    play_round(db)
    for row in standings(db).rows:
        assert run("standings", "--why", row.player.shown, "--db", db).code == 0


def test_who_is_out_of_a_knock_out_and_goes_home_keeps_the_rank(db: str) -> None:
    """One life: the last of each table is out. Those of round 2 stand above those of round 1, gone home or not."""
    with_stages(db, 16, Stage("Knock-out", 20, "knock-out", lives=1, until=4), FINAL)
    first, second = play_round(db), play_round(db)
    out_first = {max(player.shown for player in table.players) for table in first.tables}
    out = sorted(max(player.shown for player in table.players) for table in second.tables)
    before = {row.player.shown: row.rank for row in standings(db).rows}
    apply(db, WithdrawPlayers(None, out))
    after = {row.player.shown: row.rank for row in standings(db).rows}
    assert after == before
    assert max(after[name] or 99 for name in out) < min(after[name] or 0 for name in out_first)


def test_a_penalty_without_a_round_given_in_the_final_is_one_of_the_final(db: str, run: Runner) -> None:
    """1,000 points would have kept the finalist out of the final, had they counted in the qualifying."""
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    finalist = seated(play_round(db))[0]
    ran = run("ruling", "penalty", finalist, "1000", "shouted", "--db", db, "--json")
    assert ran.code == 0, ran.err
    assert "cuts" not in ran.json
    assert "By the results" not in run("standings", "--db", db).out
    assert reasons(run, db, finalist) == []
