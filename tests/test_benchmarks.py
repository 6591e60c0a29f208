"""Tests of the benchmarks: every part runs, names missing peers, and computes ratios and verdicts correctly."""

import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.benchmarks import sweep
from tests.benchmarks.harness import machine, report, timing
from tests.benchmarks.peers import engines, golfers, raters

ROOT = Path(__file__).resolve().parents[1]
FACTS = machine.Facts("python -m tests.benchmarks engine", "plain", "CPython 3.11.7", "a processor", 2, "2026-11-21")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m tests.benchmarks` with these words in the checkout."""
    return subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def installed() -> str:
    """Return the build that the benchmarks measure, which need not be the one that pytest imports in the checkout."""
    code = (
        "from tests.benchmarks.__main__ import prefer_installed; prefer_installed();"
        "from tests.benchmarks.harness import machine; print(machine.build())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def missing_peers(makers: Mapping[str, object]) -> set[str]:
    """Return the peers that are not installed."""
    names = set()
    for name, make in makers.items():
        try:
            make()
        except ImportError:
            names.add(name)
    return names


@pytest.mark.parametrize(
    ("part", "peers"),
    [
        ("engine", engines.PEERS),
        ("bots", {}),
        ("designs", {}),
        pytest.param("league", {}, marks=pytest.mark.slow),
        pytest.param("machines", {}, marks=pytest.mark.slow),
        pytest.param("programs", {}, marks=pytest.mark.slow),
        pytest.param("ratings", raters.PEERS, marks=pytest.mark.slow),
        ("forecasts", {}),
        ("seating", golfers.PEERS),
        pytest.param("storage", {}, marks=pytest.mark.slow),
        pytest.param("startup", {}, marks=pytest.mark.slow),
        pytest.param("install", {}, marks=pytest.mark.slow),
    ],
    ids=[
        *("engine", "bots", "designs", "league", "machines", "programs", "ratings", "forecasts", "seating"),
        *("storage", "startup", "install"),
    ],
)
def test_every_part_runs_and_has_a_row_for_each_peer_installed_or_missing(
    part: str, peers: Mapping[str, object], installed: str
) -> None:
    """The parts that take seconds, all run in the same way, are slow tests."""
    done = run(part, "--quick", "--format", "markdown", "--build", installed)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert len({line.count("|") for line in rows}) == 1
    for name in peers:
        matching = [row for row in rows if f"| {name} |" in row]
        assert matching
        assert all(("missing: " in row) == (name in missing_peers(peers)) for row in matching)
    assert f"{installed} build" in lines[0]
    assert "quick run" in lines[0]


@pytest.mark.slow
def test_another_installation_is_measured_beside_this_one_if_both_rate_alike(tmp_path: Path) -> None:
    """The other one is this one; a Python without any installation is refused by its path."""
    done = run("--against", sys.executable, "--quick", "--format", "markdown")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("versions: ")
    assert done.stdout.count("| the other |") == 4
    venv.create(tmp_path / "bare")
    bare = str(tmp_path / "bare" / "bin" / "python")
    done = run("--against", bare, "--quick")
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: peers.versions: {bare} fails: ")


def test_a_build_other_than_that_of_the_option_is_not_measured(installed: str) -> None:
    other = {"plain": "compiled", "compiled": "plain"}[installed]
    done = run("startup", "--quick", "--build", other)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"error: the {installed} build is installed, not the {other} one\n"


def test_the_installed_build_is_measured_even_in_the_checkout() -> None:
    """`prefer_installed` moves the checkout to the end of the path."""
    code = "import sys; from tests.benchmarks.__main__ import prefer_installed; prefer_installed(); print(sys.path[-1])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"{ROOT}\n"


def test_a_ratio_is_taken_within_each_round() -> None:
    """The ratios of the rounds are 6/3, 8/2 and 30/5: their median is 4, the ratio of the medians 8/3."""
    ours, theirs = timing.Rate("ours", (6.0, 8.0, 30.0)), timing.Rate("theirs", (3.0, 2.0, 5.0))
    assert timing.ratio(ours, theirs) == timing.Ratio(4.0, 2.0, 6.0)


def test_every_work_is_measured_in_every_round() -> None:
    """Each work does a first share that is not timed, then at least one in each round; shares count from 0."""
    calls: list[tuple[str, int]] = []

    def busy(name: str, number: int) -> int:
        calls.append((name, number))
        sum(range(200_000))
        return 5

    works = [timing.Work(name, lambda number, name=name: busy(name, number)) for name in "ab"]
    rates = timing.side_by_side(works, "quick")
    names = "".join(name for index, (name, _number) in enumerate(calls) if index == 0 or calls[index - 1][0] != name)
    assert names == "ab" * (timing.ROUNDS["quick"] + 1)
    assert [number for name, number in calls if name == "a"] == list(range(sum(name == "a" for name, _ in calls)))
    assert [len(rate.rounds) for rate in rates] == [timing.ROUNDS["quick"]] * 2


@pytest.mark.parametrize(
    ("target", "value", "verdict"),
    [
        (report.Target("at least", 5, " ×", goal=10), 4.99, "not met"),
        (report.Target("at least", 5, " ×", goal=10), 5.0, "met"),
        (report.Target("at least", 5, " ×", goal=10), 10.0, "goal met"),
        (report.Target("at most", 3, " µs"), 3.0, "met"),
        (report.Target("at most", 3, " µs"), 3.01, "not met"),
    ],
    ids=str,
)
def test_a_target_is_met_at_its_bound(target: report.Target, value: float, verdict: str) -> None:
    assert target.verdict(value) == verdict


def test_a_table_shows_rate_peer_ratio_and_target() -> None:
    """The expected cells are worked out by hand."""
    ours, theirs = timing.Rate("tourney", (1000.0, 1200.0)), timing.Rate("trueskill", (100.0, 100.0))
    row = report.rate_row("games a second", ours, theirs, "", report.Target("at least", 12, " ×"))
    missing = report.missing_row("games a second", "another", "No module named 'another'")
    table = report.render(report.Report("ratings", FACTS, "full", [row, missing]), "markdown")
    assert table.splitlines() == [
        "ratings: plain build, CPython 3.11.7, a processor, 2 cores, 2026-11-21",
        "",
        "`python -m tests.benchmarks engine`",
        "",
        "| Measure | tourney | Beside it | Its number | Ratio (least–most) | Target | Verdict |",
        "|---|---|---|---|---|---|---|",
        "| games a second | 1,100 | trueskill | 100 | 11 × (10–12) | ≥ 12 × | not met |",
        "| games a second |  | another | missing: No module named 'another' |  |  |  |",
    ]


def test_a_claim_that_does_not_hold_is_a_wrong_answer() -> None:
    timing.check(True, "a game has an end")
    with pytest.raises(timing.WrongAnswer, match="a game has an end"):
        timing.check(False, "a game has an end")


@pytest.mark.parametrize("players", [40, 62])
def test_the_page_of_seatings_matches_the_plans(players: int) -> None:
    """Check the rows of two numbers of players, whose plans are quickly made, in both tables against plans made now."""
    rows = [line for line in sweep.PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {players} |")]
    assert rows == [sweep.line(players, aim) for aim in sweep.SECTIONS]


@pytest.mark.soak
def test_the_whole_page_of_seatings_matches_the_plans() -> None:
    """Check the stored page against one made now."""
    assert sweep.PAGE.read_text(encoding="utf-8") == sweep.page()


def test_repeats_match_a_count_by_hand_and_bad_seatings_are_refused() -> None:
    """Players 0 and 1 meet three times, 2 and 3 too: four repeats."""
    assert golfers.repeats([[[0, 1], [2, 3]], [[1, 0], [3, 2]], [[2, 3], [0, 1]]], 4, 2) == 4
    with pytest.raises(timing.WrongAnswer, match="everybody sits once"):
        golfers.repeats([[[0, 1], [2, 2]]], 4, 2)
    with pytest.raises(timing.WrongAnswer, match="all tables have 2 players"):
        golfers.repeats([[[0, 1, 2], [3]]], 4, 2)


def test_an_unknown_part_is_refused_before_anything_is_measured() -> None:
    done = run("startup", "nonsense", "--quick")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].endswith(
        "no part nonsense; the parts are engine, bots, designs, league, machines, programs, isolation, "
        "ratings, forecasts, seating, storage, startup, install"
    )


def test_a_quick_run_has_no_verdicts() -> None:
    """A quick run is too short for verdicts; a full run of the same row has one."""
    row = report.value_row("hands a second", 6000, "", report.Target("at least", 5000))
    text = report.render(report.Report("engine", FACTS, "quick", [row]), "text")
    assert "≥ 5,000" in text
    assert "met" not in text
    assert "met" in report.render(report.Report("engine", FACTS, "full", [row]), "text")
