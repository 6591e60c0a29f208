"""Tests of rankings as a club publishes them: who is listed, who stands apart, who moved and why."""

from pathlib import Path
from typing import Any

import pytest

from tests.harness.commands import Ran, Runner
from tests.harness.ratings.imported import import_days
from tourney.domain.errors import ExitCode

GAMES = (
    ("2025-01-10", "Ana Leo Eva"),
    ("2025-02-10", "Ana Eva Leo"),
    ("2025-12-20", "Ana Leo Noa"),
    ("2026-03-01", "Leo Eva Iker"),
    *((f"2026-04-{day:02}", "Leo Eva") for day in range(1, 21)),
    ("2026-05-01", "Leo Eva"),
)
"""The days of the games, and the players in the order of finishing."""


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with the pool `p`."""
    return import_days(tmp_path, GAMES)


def verdicts(ran: Ran) -> dict[str, str]:
    return {row["player"]: row["verdict"] for row in ran.json}


def ranks(ran: Ran) -> dict[str, int | None]:
    return {row["player"]: row["rank"] for row in ran.json}


SELECTIONS = {
    "few games": (("--min-games", "2"), {"Noa": "few games", "Iker": "few games"}),
    "since a day": (("--active-since", "2025-12-31"), {"Ana": "inactive", "Noa": "inactive"}),
    "months before the last game": (("--active", "4m"), {"Ana": "inactive", "Noa": "inactive"}),
    "days before the last game": (("--active", "61d"), {"Ana": "inactive", "Noa": "inactive"}),
    "years": (("--active", "1Y"), {}),
    "the first": (("--top", "1"), {"Ana": "below top", "Eva": "below top", "Noa": "below top", "Iker": "below top"}),
}


@pytest.mark.parametrize(("words", "left_out"), SELECTIONS.values(), ids=SELECTIONS)
def test_json_lists_everybody_with_the_verdict_of_the_options(
    run: Runner, db: str, words: tuple[str, ...], left_out: dict[str, str]
) -> None:
    """The last game was on 1 May 2026; Iker played on 1 March, 61 days before."""
    ran = run("ratings", "--pool", "p", *words, "--db", db, "--json")
    assert verdicts(ran) == dict.fromkeys(("Leo", "Ana", "Eva", "Noa", "Iker"), "listed") | left_out
    unranked = {player for player, rank in ranks(ran).items() if rank is None}
    assert unranked == {player for player, verdict in left_out.items() if verdict in ("few games", "inactive")}
    counted = [row for row in ran.json if row["rank"] is not None]
    assert [row["rank"] for row in counted] == list(range(1, len(counted) + 1))
    assert all(row["rank_low"] <= row["rank"] <= row["rank_high"] <= len(counted) for row in counted)


def test_without_options_nothing_is_left_out(run: Runner, db: str) -> None:
    assert "verdict" not in run("ratings", "--pool", "p", "--db", db, "--json").json[0]


def test_inactive_players_stand_apart(run: Runner, db: str) -> None:
    lines = run("ratings", "--pool", "p", "--active", "4m", "--db", db).out.splitlines()
    apart = lines.index("Inactive, without a rank")
    assert all(not any(name in line for line in lines[:apart]) for name in ("Ana", "Noa"))
    assert [line.split()[0] for line in lines[apart + 2 : apart + 4]] == ["Ana", "Noa"]


def test_players_with_few_games_are_counted_below(run: Runner, db: str) -> None:
    output = run("ratings", "--pool", "p", "--min-games", "2", "--db", db).out
    assert "2 players have fewer than 2 games and no rank." in output
    assert "Iker" not in output


def test_who_moved_is_shown_with_where_from_and_why(run: Runner, db: str) -> None:
    """At the end of 2025 Ana had won all three games, before Leo, Eva and Noa; in 2026 Leo won all 22 others."""
    then = ranks(run("ratings", "--pool", "p", "--as-of", "2025-12-31", "--db", db, "--json"))
    now = ranks(run("ratings", "--pool", "p", "--db", db, "--json"))
    ran = run("ratings", "--pool", "p", "--moved-since", "2025-12-31", "--db", db, "--json")
    rows: dict[str, dict[str, Any]] = {row["player"]: row for row in ran.json}
    assert {player: row["before"] for player, row in rows.items()} == {player: then.get(player) for player in now}
    assert (rows["Leo"]["moved"], rows["Leo"]["why"], rows["Leo"]["games_since"]) == ("up", "games", 22)
    assert (rows["Ana"]["moved"], rows["Ana"]["why"], rows["Ana"]["games_since"]) == ("down", "others", 0)
    assert rows["Iker"]["moved"] == "new"


def test_absence_is_named_as_the_reason(run: Runner, db: str) -> None:
    """With absence Ana's sigma grows from her last game to the pool's; or she is inactive and has no rank any more."""
    run("rating", "pool", "set", "p", "--absence", "9", "--db", db)
    words = ("ratings", "--pool", "p", "--moved-since", "2025-12-31", "--db", db, "--json")
    (ana,) = [row for row in run(*words).json if row["player"] == "Ana"]
    assert (ana["moved"], ana["why"]) == ("down", "absence")
    (ana,) = [row for row in run(*words, "--active", "4m").json if row["player"] == "Ana"]
    assert (ana["moved"], ana["why"], ana["rank"]) == ("left", "absence", None)


def test_a_ranking_of_a_club_keeps_the_ranks_among_all(run: Runner, tmp_path: Path) -> None:
    from tests.harness import desk

    db = desk.evening(tmp_path / "club.db")
    names = [row["player"] for row in run("ratings", "--db", db, "--json").json]
    for name in names[1::2]:
        run("player", "rename", name, "--club", "Getxo", "--db", db)
    ran = run("ratings", "--club", "GETXO", "--db", db, "--json")
    assert ranks(ran) == {name: rank for rank, name in enumerate(names, 1)}
    assert [player for player, verdict in verdicts(ran).items() if verdict == "listed"] == names[1::2]
    assert run("ratings", "--club", "Irun", "--db", db).code == ExitCode.NOT_FOUND


BAD = {
    "no span": (("--active", "soon"), ExitCode.REFUSED, "12m (months)"),
    "no date": (("--active-since", "soon"), ExitCode.REFUSED, "hint"),
    "both": (("--active", "12m", "--active-since", "2026-01-01"), ExitCode.USAGE, "only one"),
    "a club of files": (("--club", "Getxo"), ExitCode.REFUSED, "leave --club out"),
    "after the last game": (("--moved-since", "2026-05-01"), ExitCode.REFUSED, "an earlier day"),
    "no date to compare with": (("--moved-since", "x"), ExitCode.REFUSED, "hint"),
}


@pytest.mark.parametrize(("words", "code", "hint"), BAD.values(), ids=BAD)
def test_what_cannot_be_is_refused_with_what_to_do(
    run: Runner, db: str, words: tuple[str, ...], code: int, hint: str
) -> None:
    refused = run("ratings", "--pool", "p", *words, "--db", db)
    assert (refused.code, hint in refused.err) == (code, True)


def test_days_are_refused_where_a_file_has_none(run: Runner, tmp_path: Path) -> None:
    file, db = tmp_path / "games.csv", str(tmp_path / "p.db")
    file.write_text("seq,player,rank\n1,Ana,1\n1,Leo,2\n", encoding="utf-8")
    run("rating", "import", str(file), "--pool", "p", "--db", db)
    refused = run("ratings", "--pool", "p", "--active", "12m", "--db", db)
    assert (refused.code, "leave out the options that ask for days" in refused.err) == (ExitCode.REFUSED, True)


def test_intervals_in_markdown_keep_their_place_on_the_scale(run: Runner, db: str) -> None:
    """Markdown drops blanks at the start of a cell, but neither code nor no-break spaces."""
    page = run("ratings", "--pool", "p", "--db", db)
    places = sorted(
        line.index("●") - page.out.splitlines()[2].index("Skill") for line in page.out.splitlines() if "●" in line
    )
    markdown = run("ratings", "--pool", "p", "--db", db, "--format", "markdown").out
    cells = [line.split(" | ")[-1] for line in markdown.splitlines() if "●" in line]
    assert all(cell.startswith("`") and " " not in cell.rstrip(" |") for cell in cells)
    assert len({cell.index("●") for cell in cells}) == len(set(places))


def test_beside_the_first_ranks_inactive_players_are_only_counted(run: Runner, db: str) -> None:
    """Ana and Noa have not played in 2026; JSON has them all the same."""
    words = ("ratings", "--pool", "p", "--active-since", "2025-12-31", "--db", db)
    assert "Inactive, without a rank" in run(*words).out
    first = run(*words, "--top", "1").out
    assert "Inactive, without a rank" not in first
    assert "2 players are inactive and have no rank." in first
    assert "Noa" not in first
    assert len(run(*words, "--top", "1", "--json").json) == 5
