"""Tests of the hall of fame, and of the pages and plots of a pool."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.harness.commands import Runner
from tests.harness.ratings.imported import import_days
from tourney.reports.ratings.first_players import first_curves, interval_bars, legend

GAMES = (
    ("2025-01-10", "Ana Leo"),
    ("2025-01-11", "Ana Leo"),
    ("2025-02-10", "Leo Ana"),
    ("2025-02-11", "Ana Leo Eva"),
    ("2026-01-10", "Leo Ana"),
    ("2026-01-11", "Leo Eva"),
    ("2026-01-12", "Leo Ana"),
)
"""The days of the games, and the players in the order of finishing."""


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with the pool `p`."""
    return import_days(tmp_path, GAMES)


def test_the_hall_of_fame_has_peaks_streaks_and_the_closest_rivals(run: Runner, db: str) -> None:
    """Leo won his last three games, Ana her first two; they met six times and finished ahead three times each."""
    fame = run("rating", "fame", "--pool", "p", "--db", db, "--json").json
    assert [(each["player"], each["games"], each["first"], each["lasting"]) for each in fame["streaks"]] == [
        ("Leo", 3, "2026-01-10", True),
        ("Ana", 2, "2025-01-10", False),
    ]
    assert fame["rivals"] == [{"player": "Ana", "rival": "Leo", "games": 6, "ahead": 3, "behind": 3}]
    scores = {
        player: max(
            game["score"] for game in run("rating", "history", player, "--pool", "p", "--db", db, "--json").json
        )
        for player in ("Ana", "Leo", "Eva")
    }
    assert {each["player"]: each["score"] for each in fame["peaks"]} == pytest.approx(scores)


def test_a_pool_s_site_has_its_seasons_its_hall_of_fame_and_who_moved(run: Runner, db: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    run("rating", "publish", "--pool", "p", "--as-of", "2025-12-31", "--db", db)
    assert run("site", "--pool", "p", str(folder), "--db", db).code == 0
    index = (folder / "index.html").read_text(encoding="utf-8")
    for file in ("fame.html", "moved.html", "seasons/2025.html", "seasons/2026.html"):
        assert (folder / file).exists()
        assert f"href={file}>" in index
    assert "Eva" in (folder / "seasons" / "2026.html").read_text(encoding="utf-8")
    assert "↑1" in (folder / "moved.html").read_text(encoding="utf-8")
    for player in (folder / "players").glob("*.html"):
        assert "Opponents, with games finished ahead" in player.read_text(encoding="utf-8")


def test_plots_are_sound_and_escape_names() -> None:
    bars = interval_bars("Pool <p>", [(1, "A & B", 1, 3), (2, "x" * 40, 1, 3)])
    lines = first_curves("Pool", [(1, "A", [(0.0, 1.0), (5.0, 9.0)]), (2, "B", [(2.0, 3.0)])], ("<", ">"))
    for text in (bars, lines):
        ElementTree.fromstring(text)
    assert "A &amp; B" in bars
    assert "x" * 17 + "…" in bars
    assert legend([(2, "A", [(0.0, 1.0)]), (3, "B", [(0.0, 1.0)])]).endswith("2 A; 3 B.")


def test_a_bar_spans_the_interval_and_is_marked_at_the_rank() -> None:
    """Of three ranks on 224 units from 130 on, each has 74.67: 1 to 2 is 130 to 279, and rank 2 is at 242."""
    text = interval_bars("Pool", [(2, "A", 1, 2), (3, "B", 2, 3)])
    found = re.search(r'<rect x="(\d+)" y="7" width="(\d+)"', text)
    assert found is not None
    assert (int(found[1]), int(found[2])) == (130, 149)
    assert "M242 4v16" in text


def test_lines_differ_without_colour() -> None:
    """Each of ten lines has dashes of its own, and the rank at its end: 2 to 11 where the first player is hidden."""
    text = first_curves("Pool", [(n + 2, str(n), [(0.0, n), (9.0, n + 1.0)]) for n in range(10)], ("a", "b"))
    dashes = re.findall(r'class="line"( stroke-dasharray="[^"]*")?/>', text)
    assert len(dashes) == len(set(dashes)) == 10
    assert re.findall(r'class="rank">(\d+)<', text) == [str(rank) for rank in range(2, 12)]
    assert "#" not in text
    ends = sorted(float(y) for y in re.findall(r'y="(\d+)" class="rank"', text))
    assert min(later - earlier for earlier, later in pairwise(ends)) >= 12


def test_highest_scores_and_best_of_all_time_each_say_how_they_differ_from_the_other(run: Runner, db: str) -> None:
    assert "`tourney rating peaks`" in " ".join(run("rating", "fame", "--pool", "p", "--db", db).out.split())
    assert "`tourney rating fame`" in " ".join(run("rating", "peaks", "--pool", "p", "--db", db).out.split())


def test_the_opponents_of_a_player_s_page_keep_ahead_and_behind_on_a_phone(
    run: Runner, db: str, tmp_path: Path
) -> None:
    """Columns 3 and 4; the share ahead is the fifth, which a narrow page leaves out (`c5`)."""
    run("site", "--pool", "p", str(tmp_path / "site"), "--db", db)
    page = min((tmp_path / "site" / "players").glob("*.html")).read_text(encoding="utf-8")
    table = next(part for part in page.split("<table ") if "Share ahead" in part)
    classes = re.match(r'class="([^"]*)"', table)
    assert classes is not None
    assert re.findall(r"<th>([^<]*)", table)[:5] == ["Player", "Games", "Ahead", "Behind", "Share ahead"]
    left_out = {each for each in classes[1].split() if each[0] in "bcd"}
    assert left_out & {"b3", "c3", "d3", "b4", "c4", "d4"} == set()
    assert left_out & {"b5", "c5", "d5"}
