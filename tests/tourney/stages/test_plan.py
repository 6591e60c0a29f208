"""Tests of plans of events: files that are read, and plans that cannot end, refused with the field."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness.desk import refused
from tests.harness.evening import weekend
from tests.harness.evening.weekend import FINAL, with_stages
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.events.copy_event import ChangePlan, CreatePlannedEvent
from tourney.service.events.events import CreateEvent, show
from tourney.service.events.settings import ChangeSettings
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.rounds import show as show_rounds

QUALIFYING = Stage("Qualifying", 3, "swiss")
GROUPS = Stage("Groups", 3, "groups")
KNOCK_OUT = Stage("Knock-out", 20, "knock-out", lives=1, until=4)

FAULTS = [
    pytest.param([QUALIFYING, replace(FINAL, ties="")], "ties", "tie at the border", id="a tie without a rule"),
    pytest.param([QUALIFYING, replace(FINAL, number=5)], "number", "2 to 4 players", id="no table for five"),
    pytest.param([QUALIFYING, replace(FINAL, ties="together")], "ties", "no seat", id="no table for five who tie"),
    pytest.param(
        [QUALIFYING, FINAL, replace(FINAL, name="Last", number=8)], "number", "at most 4", id="more than play"
    ),
    pytest.param([KNOCK_OUT, replace(FINAL, number=8, tables=None)], "number", "at most 4", id="more than are left"),
    pytest.param([QUALIFYING, replace(FINAL, number=8, tables=None)], "number", "none decides", id="two finals"),
    pytest.param(
        [QUALIFYING, replace(FINAL, carry="place points", carry_points=(10**9, 0, 0, 0))],
        "carry_points",
        "100000",
        id="place points without a limit",
    ),
    pytest.param([replace(QUALIFYING, hands=("TT", "XX"))], "hands", "TT XX", id="a hand that the rules lack"),
    pytest.param([replace(QUALIFYING, hands=("TE", "TT"))], "hands", "order", id="hands in another order"),
    pytest.param([KNOCK_OUT], "format", "last stage", id="a knock-out at the end"),
    pytest.param([replace(KNOCK_OUT, lives=0), FINAL], "lives", "0", id="no lives"),
    pytest.param([replace(QUALIFYING, lives=2), FINAL], "lives", "knock-out", id="lives elsewhere"),
    pytest.param(
        [replace(QUALIFYING, take="best", number=4)], "take", "first stage", id="a cut before the first stage"
    ),
    pytest.param(
        [GROUPS, replace(FINAL, take="of each table", number=5)], "number", "5", id="more than sit at a table"
    ),
    pytest.param([QUALIFYING, replace(FINAL, name="qualifying")], "name", "two stages", id="one name twice"),
    pytest.param(
        [QUALIFYING, replace(FINAL, carry="place points")], "carry_points", "each player", id="no place points"
    ),
    pytest.param(
        [
            replace(QUALIFYING, rounds=1),
            replace(GROUPS, take="best", number=16, ties="list"),
            Stage(
                "Final", 1, take="of each table", number=1, ties="list", carry="place points", carry_points=(0, 10, 20)
            ),
        ],
        "carry_points",
        "each player",
        id="place points for some of the four winners of tables",
    ),
    pytest.param(
        [QUALIFYING, replace(FINAL, carry_points=(1,))], "carry_points", "place points", id="idle place points"
    ),
    pytest.param([replace(QUALIFYING, carry="all")], "carry", "first stage", id="nothing to carry"),
    pytest.param(
        [QUALIFYING, replace(FINAL, carry="half", scoring="neuberg")], "carry", "the fewest", id="half of the worst"
    ),
    pytest.param([replace(QUALIFYING, size=9)], "size", "2 to 4", id="tables larger than the rules allow"),
    pytest.param([replace(QUALIFYING, scoring="table points")], "", "lists", id="no table points"),
    pytest.param([replace(QUALIFYING, tie_breaks="nonsense")], "", "nonsense", id="a tie-break that is none"),
    pytest.param([replace(QUALIFYING, rounds=0)], "rounds", "0", id="no rounds"),
    pytest.param([KNOCK_OUT, replace(FINAL, take="percent", number=50)], "take", "best", id="per cent of a knock-out"),
]


@pytest.mark.parametrize(("stages", "field", "word"), FAULTS)
def test_a_plan_that_cannot_end_is_refused_when_it_is_made(
    tmp_path: Path, stages: list[Stage], field: str, word: str
) -> None:
    with refused(ExitCode.REFUSED, f"), {field}: " if field else "stage 1 (Qualifying): ", word):
        apply(str(tmp_path / "club.db"), CreateEvent(EventSettings("Weekend", "oficial", stages=tuple(stages))))


def test_a_last_round_at_several_tables_decides_with_what_is_carried_into_it(db: str) -> None:
    """The round alone decides nothing, and such a plan is refused."""
    final = replace(FINAL, take="percent", number=80, tables=None, rounds=1, carry="all")
    with_stages(db, 12, QUALIFYING, final)
    for _round in range(QUALIFYING.rounds + 1):
        weekend.play_round(db)
    assert len(show_rounds(db, None, 4).rounds[0].tables) > 1


def test_an_empty_name_of_a_stage_is_refused_with_the_number_of_the_stage(tmp_path: Path) -> None:
    stages = (QUALIFYING, replace(FINAL, name=" "))
    with refused(ExitCode.REFUSED, "stage 2: the name is empty"):
        apply(str(tmp_path / "club.db"), CreateEvent(EventSettings("Weekend", "oficial", stages=stages)))


def test_too_few_players_for_the_plan_are_refused_before_anything_is_played(db: str) -> None:
    with_stages(db, 5, QUALIFYING, replace(FINAL, name="Semi-final", number=8, tables=None, rounds=2), FINAL)
    with refused(ExitCode.REFUSED, "stage 2", "8 go through", "5 play"):
        apply(db, DrawRound())


def test_a_group_stage_with_too_few_groups_for_a_final_is_refused_at_its_first_draw(db: str) -> None:
    """Three players sit at one table, whose best alone cannot play a final."""
    with_stages(db, 4, GROUPS, replace(FINAL, take="of each table", number=1))
    with refused(ExitCode.REFUSED, "stage 2", "1 go through"):
        apply(db, DrawRound())


def test_points_and_lists_of_table_points_in_one_stage_are_refused(tmp_path: Path) -> None:
    stages = (replace(QUALIFYING, scoring="points", table_points="7-5-3-1"),)
    with refused(ExitCode.REFUSED, "stage 1 (Qualifying): ", "--table-points"):
        apply(str(tmp_path / "club.db"), CreateEvent(EventSettings("Weekend", "oficial", stages=stages)))


def test_prizes_above_the_pot_of_a_plan_are_refused_when_it_is_made(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(f'pot = "90"\nprizes = "60-36"\n{PLAN}', encoding="utf-8")
    for change in (
        CreatePlannedEvent("Weekend", plan=tmp_path / "plan.toml"),
        CreatePlannedEvent("Weekend", preset="groups", given={"pot": "90", "prizes": "60-36"}),
    ):
        with refused(ExitCode.REFUSED, "the prizes are 96, and the pot is 90"):
            apply(str(tmp_path / "club.db"), change)


def test_a_percentage_that_is_nobody_is_refused_with_its_arithmetic(db: str) -> None:
    """Ten per cent of eight players are 0.8 of one."""
    with_stages(db, 8, QUALIFYING, replace(FINAL, take="percent", number=10))
    with refused(ExitCode.REFUSED, "stage 2 (Final), number: 10 % of 8 players are 0, rounded down"):
        apply(db, DrawRound())


PLAN = """
size = 3
minutes = 45
rules = "oficial"

[[stages]]
name = "Groups"
format = "groups"
rounds = 2
hands = ["TTE", "TEE", "EEE"]

[[stages]]
name = "Final"
take = "best"
number = 4
ties = "play-off"
carry = "place points"
carry_points = [0, 10, 20, 30]
rounds = 1
tables = 1
"""


def test_an_event_has_the_stages_and_settings_of_its_plan(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    event = apply(str(tmp_path / "club.db"), CreatePlannedEvent("Weekend", plan=tmp_path / "plan.toml"))
    settings = event.settings
    assert (settings.size, settings.minutes, settings.rounds, settings.format) == (3, 45, 3, "groups")
    groups, final = settings.stages
    assert groups == Stage("Groups", 2, "groups", hands=("TTE", "TEE", "EEE"), first=1)
    assert final == Stage(
        "Final",
        1,
        take="best",
        number=4,
        ties="play-off",
        carry="place points",
        carry_points=(0, 10, 20, 30),
        tables=1,
    )


LINES = [
    pytest.param("rounds = 2\n", 'rounds = "two"\n', "stage 1, rounds", id="a text for a number"),
    pytest.param("rounds = 2\n", "", "“rounds” is missing", id="a field is missing"),
    pytest.param('take = "best"\n', 'take = "bets"\n', "stage 2, take", id="a word that is none"),
    pytest.param("carry_points = [0, 10, 20, 30]\n", 'carry_points = ["a"]\n', "stage 2, carry_points", id="a list"),
    pytest.param(
        "tables = 1\n", "tables = 1\nfirst = 3\n", "“first” is not a field", id="a field that is decided later"
    ),
    pytest.param("minutes = 45\n", "minuts = 45\n", "“minuts” is not a setting", id="a setting that is none"),
    pytest.param(
        'hands = ["TTE", "TEE", "EEE"]\n', "hands = []\n", "stage 1, hands: the list is empty", id="an empty list"
    ),
    pytest.param("rounds = 1\n", 'rounds = 1\ntie_breaks = ""\n', "list of tie-breaks is empty", id="no tie-break"),
    pytest.param("rounds = 1\n", "rounds = \n", "plan.toml", id="no TOML"),
    pytest.param("[[stages]]", "[[phases]]", "stages", id="no stages"),
]


@pytest.mark.parametrize(("line", "other", "word"), LINES)
def test_a_plan_file_is_refused_with_the_stage_and_the_field(tmp_path: Path, line: str, other: str, word: str) -> None:
    (tmp_path / "plan.toml").write_text(PLAN.replace(line, other), encoding="utf-8")
    with refused(ExitCode.REFUSED, word):
        apply(str(tmp_path / "club.db"), CreatePlannedEvent("Weekend", plan=tmp_path / "plan.toml"))


def test_stages_that_have_not_begun_can_be_planned_anew(db: str, tmp_path: Path) -> None:
    with_stages(db, 8, Stage("Groups", 2, "groups", hands=("TTE", "TEE", "EEE")), FINAL)
    weekend.play_round(db)
    (tmp_path / "plan.toml").write_text(PLAN.replace("size = 3\n", ""), encoding="utf-8")
    event = apply(db, ChangePlan(None, tmp_path / "plan.toml")).event
    assert event.settings.stages[1].ties == "play-off"
    assert event.settings.stages[0].first == 1
    (tmp_path / "plan.toml").write_text(
        PLAN.replace("size = 3\n", "").replace("rounds = 2", "rounds = 4"), encoding="utf-8"
    )
    with refused(ExitCode.REFUSED, "stage 1", "has begun"):
        apply(db, ChangePlan(None, tmp_path / "plan.toml"))


def test_rounds_and_format_of_an_event_with_stages_are_those_of_its_stages(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    assert show(db).settings.rounds == 4
    for change in ({"rounds": 7}, {"format": "random"}):
        with refused(ExitCode.REFUSED, "stages", "--plan"):
            apply(db, ChangeSettings(None, change))


def test_a_preset_takes_other_settings_but_not_those_of_its_stages(db: str) -> None:
    event = apply(db, CreatePlannedEvent("Weekend", preset="swiss-final", given={"minutes": 50}))
    assert event.settings.minutes == 50
    with refused(ExitCode.USAGE, "--rounds"):
        apply(db, CreatePlannedEvent("Other", preset="swiss-final", given={"rounds": 3}))
    with refused(ExitCode.NOT_FOUND, "swiss-final"):
        apply(db, CreatePlannedEvent("Other", preset="swiss-finall"))


def test_rules_without_the_hands_of_a_preset_play_whole_games(tmp_path: Path) -> None:
    event = apply(str(tmp_path / "club.db"), CreatePlannedEvent("Weekend", preset="groups", rules="knock"))
    assert event.settings.stages[0].hands == ()
