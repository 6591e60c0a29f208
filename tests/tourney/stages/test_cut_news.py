"""Tests of what a change after a cut says at once: who would go through now, who would not, and the honest choices.

On the sheets of `weekend.by_number` the first name of a table has 0 points, and the name P05 has 350.
"""

from collections.abc import Mapping, Sequence
from html import unescape

import pytest

from tests.harness.commands import Ran, Runner
from tests.harness.desk import CONTRACTS
from tests.harness.evening.weekend import FINAL, Sheet, by_number, enter, planned, play_round, with_stages
from tests.harness.web.asking import client, press
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Round, Stage, Table
from tourney.service.change import apply
from tourney.service.events.events import show
from tourney.service.results.results import CorrectResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.rounds import show as rounds
from tourney.service.stages.watched_change import apply_watched

QUALIFYING = Stage("Qualifying", 1, "rotation")
NOBODY: dict[str, list[str]] = {"coming": [], "going": [], "gone": [], "level": []}


def order(table: Table) -> list[str]:
    return sorted(player.shown for player in table.players)


def sheet(points: Mapping[str, int]) -> list[SheetHand[str]]:
    """Return a sheet on which the player of 0 points closes every hand, and the others have these points in each."""
    return [SheetHand(contract, dict(points)) for contract in CONTRACTS]


def of_each_table(points: Sequence[int]) -> Sheet:
    """Return what makes sheets with these points a hand, for the names of the table in order."""
    return lambda _event, table: sheet(dict(zip(order(table), points, strict=True)))


def flags(points: Mapping[str, int]) -> list[str]:
    """Return the options of such a sheet."""
    scores = " ".join(f"{name}={each}" for name, each in points.items())
    return [f"--hand={contract} {scores}" for contract in CONTRACTS]


def two_tables_and_a_final(db: str, final: Stage = FINAL, points: Sequence[int] = (0, 20, 30, 40)) -> Round:
    """Play a qualifying of eight at two tables, each with these points a hand by name, and draw the final."""
    with_stages(db, 8, QUALIFYING, final)
    drawn = play_round(db, of_each_table(points))
    apply(db, DrawRound())
    return drawn


def corrected(run: Runner, db: str, table: Table, points: Sequence[int], *options: str) -> Ran:
    """Correct the sheet of a table by a command."""
    given = flags(dict(zip(order(table), points, strict=True)))
    place = ("--round", str(table.round), "--table", str(table.number), "--reason", "misread", "--db", db)
    ran = run("result", "correct", *place, *given, *options)
    assert ran.code == 0, ran.err
    return ran


def cut(stage: str = "Final", **names: Sequence[str]) -> dict[str, object]:
    return {"event": "Weekend", "stage": stage, **NOBODY, **names}


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("options", [(), ("--dry-run",)], ids=["made", "previewed"])
def test_a_correction_names_who_would_go_through_and_who_would_not(
    db: str, run: Runner, options: Sequence[str]
) -> None:
    """The first two of both tables play the final; corrected, the second one has 50 a hand, and the third 10."""
    table = two_tables_and_a_final(db).tables[0]
    _first, second, third, _last = order(table)
    text = plain(corrected(run, db, table, (0, 50, 10, 40), *options).out)
    assert f"By the results {third} would play in Final, and {second} would not." in text
    assert "Leave it: `tourney event cut --keep`." in text
    assert "Seat Final again: `tourney round cancel --reason TEXT`" in text


def test_programs_read_the_same_and_a_correction_taken_back_says_so(db: str, run: Runner) -> None:
    table = two_tables_and_a_final(db).tables[0]
    _first, second, third, _last = order(table)
    for options in (["--dry-run"], []):
        cuts = corrected(run, db, table, (0, 50, 10, 40), "--json", *options).json["cuts"]
        assert cuts == [cut(coming=[third], going=[second])]
    assert corrected(run, db, table, (0, 20, 30, 40), "--json").json["cuts"] == [cut()]
    text = corrected(run, db, table, (0, 50, 10, 40)).out
    assert third in text
    text = run("undo", "--db", db).out
    assert "By the results the right players are in Final again." in plain(text)


def test_a_correction_that_moves_nobody_over_the_border_says_nothing_of_it(db: str, run: Runner) -> None:
    table = two_tables_and_a_final(db).tables[0]
    assert "cuts" not in corrected(run, db, table, (0, 21, 30, 40), "--json").json


def test_news_comes_once_and_a_second_correction_says_only_what_is_new(db: str, run: Runner) -> None:
    first, other = two_tables_and_a_final(db).tables
    assert "cuts" in corrected(run, db, first, (0, 50, 10, 40), "--json").json
    assert "cuts" not in corrected(run, db, other, (0, 21, 30, 40), "--json").json


def test_a_result_that_is_made_void_names_who_would_go_through(db: str, run: Runner) -> None:
    """Without the games of one table its players have no rank, and the four of the other would play."""
    void, other = two_tables_and_a_final(db).tables
    ran = run("result", "void", "--round", "1", "--table", str(void.number), "--reason", "52", "--json", "--db", db)
    assert ran.json["cuts"] == [cut(coming=order(other)[2:], going=order(void)[:2])]


def test_a_penalty_names_who_would_go_through(db: str, run: Runner) -> None:
    """With 140 and 200 points the second of a table has more than the third of either, with 210: who is first by name.

    Both thirds have 210 points and no hand won, so that the lot would choose between them.
    """
    table = two_tables_and_a_final(db).tables[0]
    second = order(table)[1]
    cuts = run("ruling", "penalty", second, "200", "shouted", "--round", "1", "--db", db, "--json").json["cuts"]
    assert [each["going"] for each in cuts] == [[second]]
    assert len(cuts[0]["coming"]) == 1


def test_a_finalist_who_withdraws_and_the_next_in_line_are_named(db: str, run: Runner) -> None:
    table = two_tables_and_a_final(db).tables[0]
    leaver = order(table)[0]
    text = plain(run("event", "withdraw", leaver, "--reason", "ill", "--db", db).out)
    assert f"{leaver} left Final; next in line: " in text
    assert "`tourney event cut --replace`" in text


def test_a_tie_that_a_correction_makes_at_the_border_asks_for_a_hand(db: str, run: Runner) -> None:
    """Three go through: both winners and the better second; corrected, both seconds have 20 points a hand."""
    final = planned(FINAL, number=3, ties="play-off")
    with_stages(db, 8, QUALIFYING, final)
    drawn = apply(db, DrawRound()).rounds[0]
    event, (one, other) = show(db), drawn.tables
    enter(db, event, one, of_each_table((0, 20, 30, 40)))
    enter(db, event, other, of_each_table((0, 21, 30, 40)))
    apply(db, DrawRound())
    level = sorted([order(one)[1], order(other)[1]])
    text = plain(corrected(run, db, other, (0, 20, 30, 40)).out)
    assert f"By the results {', '.join(level)} are level at the border of Final" in text
    assert "would play one hand for 1 place." in text
    assert "would not" not in text
    assert run("status", "--db", db).out.count("--keep") == 1
    assert run("event", "cut", "--keep", "--db", db).code == 0
    assert "level at the border" not in run("standings", "--db", db).out


def test_a_player_who_ties_after_a_correction_would_play_too(db: str, run: Runner) -> None:
    """Four go through with all who tie; corrected, the third of a table has the 20 points a hand of both seconds."""
    table = two_tables_and_a_final(db, planned(FINAL, rounds=2, tables=None, ties="together")).tables[0]
    third = order(table)[2]
    text = plain(corrected(run, db, table, (0, 20, 20, 40)).out)
    assert f"By the results {third} would play in Final, too." in text
    assert "would not" not in text
    assert "Add a seat for each: `tourney event cut --add`." in text


def test_whoever_would_no_longer_go_through_is_named_alone_where_nobody_comes(db: str, run: Runner) -> None:
    """Fewer than 150 points a game: the winners with 0 and the seconds with 140; corrected, a second has 350."""
    table = two_tables_and_a_final(db, Stage("Final", 2, take="better than", number=150)).tables[0]
    second = order(table)[1]
    text = plain(corrected(run, db, table, (0, 50, 30, 40)).out)
    assert f"By the results {second} would not play in Final." in text


def test_a_correction_of_the_groups_after_the_semi_final_names_who_should_have_played_there(
    db: str, run: Runner
) -> None:
    groups, semi = Stage("Groups", 1, "groups"), Stage("Semi", 1, "groups", take="best", number=8, ties="list")
    with_stages(db, 16, groups, semi, FINAL)
    table = play_round(db, of_each_table((0, 20, 30, 40))).tables[0]
    play_round(db, by_number)
    apply(db, DrawRound())
    _first, second, third, _last = order(table)
    text = plain(corrected(run, db, table, (0, 50, 10, 40)).out)
    sentence = "By the results {} would have played in Semi, and {} would not; nothing changes there."
    assert sentence.format(third, second) in text
    assert "--keep" not in text


def test_the_desk_names_them_before_and_after_a_correction_with_a_link_to_the_choices(db: str) -> None:
    table = two_tables_and_a_final(db).tables[0]
    _first, second, third, _last = order(table)
    sentence = f"By the results {third} would play in Final, and {second} would not."
    path = f"/desk/results/1/{table.number}"
    seats = [player.shown for player in table.players]
    new = dict(zip(order(table), (0, 50, 10, 40), strict=True))
    typed = {f"{hand}.points-{seat}": str(new[name]) for hand in range(1, 8) for seat, name in enumerate(seats, 1)}
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        looked = press(pages, f"{path}/correct", "Show what this would change", {**typed, "reason": "misread"})
        assert sentence in unescape(looked.text)
        made = press(pages, f"{path}/correct", "Correct the result", {**typed, "reason": "misread"})
        page = unescape(pages.get(made.headers["location"]).text)
        assert sentence in page
        assert 'href="/desk/stages"' in page.partition('class="message')[2].partition("</div>")[0]
        stages = unescape(pages.get("/desk/stages").text)
        assert "Leave it as it is" in stages
        assert "Seat Final again: cancel the round and draw again" in stages


def test_an_event_without_stages_has_no_cuts(db: str, run: Runner) -> None:
    with_stages(db, 8, rounds=2)
    table = play_round(db).tables[0]
    assert "cuts" not in corrected(run, db, table, (0, 50, 10, 40), "--json").json


def test_sheets_of_the_final_itself_are_no_news(db: str, run: Runner) -> None:
    two_tables_and_a_final(db)
    (table,) = rounds(db, None).rounds[1].tables
    given = flags(dict(zip(order(table), (0, 20, 30, 40), strict=True)))
    entered = run("result", "enter", "--round", "2", "--table", "1", "--db", db, "--json", *given)
    assert entered.code == 0, entered.err
    assert "cuts" not in entered.json


def test_a_retry_of_a_correction_counts_once_and_says_nothing_new(db: str, run: Runner) -> None:
    table = two_tables_and_a_final(db).tables[0]
    hands = sheet(dict(zip(order(table), (0, 50, 10, 40), strict=True)))
    change = CorrectResult(None, 1, table.number, hands, "misread", entry_id="7" * 32)
    assert len(apply_watched(db, change).cuts) == 1
    assert apply_watched(db, change).cuts == ()


def test_whom_an_earlier_decision_kept_out_or_in_is_no_news_when_somebody_leaves(db: str, run: Runner) -> None:
    """Corrected, the third of a table would play and not the second; left as it is, a finalist of the other leaves."""
    first, other = two_tables_and_a_final(db, planned(FINAL, rounds=2)).tables
    _first, second, third, _last = order(first)
    corrected(run, db, first, (0, 50, 10, 40))
    assert run("event", "cut", "--keep", "--db", db).code == 0
    leaver = order(other)[0]
    cuts = run("event", "withdraw", leaver, "--db", db, "--json").json["cuts"]
    assert [(each["going"], each["gone"], each["coming"][0]) for each in cuts] == [([], [leaver], third)]
    assert run("event", "cut", "--replace", "--db", db, "--json").json["players"][-1] == third
    assert second in run("round", "show", "--db", db).out


def test_a_percentage_stays_that_of_the_players_who_were_there_when_it_was_decided(db: str, run: Runner) -> None:
    """40 % of nine are three, rounded down, after one of ten went home, and stay three when two more have gone."""
    final = Stage("Final", 1, take="percent", number=40, ties="list", tables=1)
    with_stages(db, 10, QUALIFYING, final)
    play_round(db, by_number)
    ranked = [row["player"] for row in run("standings", "--db", db, "--json").json]
    assert run("event", "withdraw", ranked[-1], "--db", db).code == 0
    (drawn,) = apply(db, DrawRound()).rounds
    assert sorted(player.shown for player in drawn.tables[0].players) == sorted(ranked[:3])
    for leaver in ranked[-2:-4:-1]:
        assert "cuts" not in run("event", "withdraw", leaver, "--db", db, "--json").json
    assert "By the results" not in run("standings", "--db", db).out
