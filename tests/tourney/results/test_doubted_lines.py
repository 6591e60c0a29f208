"""Tests of points in doubt: lines at the prompt, which do not take the next hand for an answer, and imported sheets."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.desk import CONTRACTS
from tests.tourney.results.test_dialogue import new_dialogue, type_lines


@pytest.mark.parametrize("doubted", ["0 105 20", "105 0 4"])
def test_a_question_never_swallows_the_line_of_the_next_hand(doubted: str) -> None:
    """A line that is not the one in doubt with other points for the unusual ones is not read."""
    dialogue = new_dialogue()
    type_lines(dialogue, doubted)
    reply = type_lines(dialogue, "7 0 9")
    assert f"“7 0 9” was not read: first say whether {doubted} is right in TT" in reply
    assert dialogue.question == f"TT: who closed? [{doubted}] "
    assert type_lines(dialogue, "").endswith("TE: who closed? ")
    assert type_lines(dialogue, "7 0 9").endswith("EE: who closed? ")
    assert dialogue.draft.hands[1].points == {0: 7, 1: 0, 2: 9}


def test_a_line_in_doubt_is_corrected_by_a_line_with_other_points_there() -> None:
    dialogue = new_dialogue()
    assert type_lines(dialogue, "0 105 20", "0 15 20").endswith("TE: who closed? ")
    assert dialogue.draft.hands[0].points == {0: 0, 1: 15, 2: 20}


def test_the_points_of_the_next_player_are_not_taken_for_those_in_doubt() -> None:
    """20 is not what 105 was meant to be; Enter takes it all the same."""
    dialogue = new_dialogue()
    assert "has Elena 20 points, and not 105? Enter takes 20" in type_lines(dialogue, "1", "n", "105", "20")
    assert dialogue.question == "TT, Elena: [20] "
    assert type_lines(dialogue, "") == "TT, Bea: "
    assert dialogue.draft.current.points[1] == 20


@pytest.mark.parametrize("line", ["0,30,20", "0, 30, 20", "0;30;20", "0/30/20"])
def test_a_line_of_points_may_have_other_signs_than_blanks(line: str) -> None:
    dialogue = new_dialogue()
    assert type_lines(dialogue, line).endswith("TE: who closed? ")
    assert dialogue.draft.hands[0].points == {0: 0, 1: 30, 2: 20}


USUAL: dict[int, Sequence[int]] = {1: (0, 25, 30, 35), 2: (40, 0, 20, 15), 3: (25, 15, 0, 45)}
"""The points of each hand at tables of four, none of them unusual, seat by seat."""


def sheets(path: Path, tables: Mapping[int, Sequence[int]], changes: Mapping[tuple[int, int, str], int]) -> str:
    """Write a round of these tables, with other points by table, seat and hand; who has 0 closes every hand."""
    rows = [f"round,table,seat,player,{','.join(CONTRACTS)}"]
    for table, points in tables.items():
        for seat, usual in enumerate(points, 1):
            hands = [str(changes.get((table, seat, contract), usual)) for contract in CONTRACTS]
            rows.append(f"1,{table},{seat},P{4 * table + seat},{','.join(hands)}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


IMPORTS = {
    "nothing is unusual": (USUAL, {}, ()),
    "one score": (USUAL, {(2, 1, "TT"): 105}, ("round 1, table 2: TT, P9: 105 points are unusual in that hand",)),
    "three scores, the first of which is shown": (
        USUAL,
        {(3, 4, "TE"): 150, (1, 2, "TT"): 105, (1, 3, "EE"): 190},
        ("round 1, table 1: TT, P6: 105 points are unusual", "(and 2 more)"),
    ),
    "a sheet typed for two tables": (
        {**USUAL, 3: USUAL[1]},
        {},
        ("round 1, table 3: table 3 has the same points in every hand as table 1",),
    ),
    "a sheet typed for three": (
        dict.fromkeys(USUAL, USUAL[1]),
        {},
        ("table 2 has the same points in every hand as table 1", "(and 1 more)"),
    ),
    "almost the same sheet": ({**USUAL, 3: USUAL[1]}, {(3, 4, "EEE"): 36}, ()),
}


@pytest.mark.parametrize("case", IMPORTS)
def test_sheets_that_are_imported_are_doubted_once_with_round_and_table(run: Runner, tmp_path: Path, case: str) -> None:
    """The import is made all the same; a dry run says the same."""
    tables, changes, doubts = IMPORTS[case]
    file, db = sheets(tmp_path / "sheets.csv", tables, changes), str(tmp_path / "club.db")
    assert (
        run("player", "add", *[f"P{4 * table + seat}" for table in tables for seat in range(1, 5)], "--db", db).code
        == 0
    )
    for words in (("--dry-run",), ()):
        imported = run("event", "import", "Friday", "--sheets", file, "--db", db, *words)
        assert imported.code == 0, imported.err
        said = [line for line in imported.err.splitlines() if line.startswith("warning: ")]
        assert len(said) == (1 if doubts else 0)
        assert all(doubt in " ".join(said) for doubt in doubts)
    assert len(run("result", "show", "Friday", "--json", "--db", db).json) == 3
