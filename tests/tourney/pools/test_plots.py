"""Tests of the plots of a rating: marks and lines are at their values, and any name gives a valid file."""

import random
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from tourney.reports.render.bars import bar, interval, sparkline
from tourney.reports.render.plots import MAX_COLUMNS, PLOT_LINES, figure, inline_svg, svg

Skills = list[tuple[float, float]]
SVG = "{http://www.w3.org/2000/svg}"


def walk(games: int, seed: int = 1) -> Skills:
    """Return the mu and sigma after each game of a random walk, sigma falling."""
    rng = random.Random(seed)
    mu, skills = 25.0, []
    for game in range(games):
        mu += rng.gauss(0.0, 1.0)
        skills.append((mu, 8.0 / (1.0 + game) ** 0.5 + 0.5))
    return skills


CASES = {
    "one game": [(25.0, 6.0)],
    "two games": walk(2),
    "a season": walk(30),
    "as many games as columns": walk(MAX_COLUMNS),
    "a thousand games": walk(1000),
    "below zero": [(-200.0, 8.0), (-190.0, 3.0)],
    "never moved": [(25.0, 0.001)] * 4,
}


@pytest.mark.parametrize("skills", CASES.values(), ids=CASES)
def test_marks_of_a_figure_are_at_their_values(skills: Skills) -> None:
    """Marks are at most half a line from their value on the scale at the left; every game has its mark."""
    lines = figure(skills, 80)
    plot, axis, games = lines[:PLOT_LINES], lines[PLOT_LINES], lines[PLOT_LINES + 1]
    assert max(map(len, lines)) <= 78
    assert axis.strip() == "+" + "-" * (len(axis.strip()) - 1)
    assert games.split() == sorted({"1", str(len(skills))}, key=int)
    high, low = float(plot[0][:8]), float(plot[-1][:8])
    line_high = (high - low) / (PLOT_LINES - 1)
    columns = {place for line in plot for place in range(10, len(line)) if line[place] != " "}
    assert columns
    if len(skills) <= MAX_COLUMNS:
        assert len(columns) == len(skills)
        for place, (mu, sigma) in zip(sorted(columns), skills, strict=True):
            column = [line[place : place + 1].strip() for line in plot]
            for mark, value in (("o", mu), ("*", mu - 3 * sigma)):
                if mark in column:
                    assert high - column.index(mark) * line_high == pytest.approx(value, abs=0.5 * line_high + 0.06)
            assert "*" in column


@pytest.mark.parametrize("skills", CASES.values(), ids=CASES)
def test_lines_of_an_svg_file_go_through_their_values(skills: Skills) -> None:
    """The values are read back from the SVG with the labels beside its grid."""
    page = ElementTree.fromstring(svg("Ana", skills))
    grid = [
        (float(label.text), float(label.get("y")) - 4)
        for label in page.iter(f"{SVG}text")
        if label.get("text-anchor") == "end" and "game" not in label.text
    ]
    (first, first_y), (last, last_y) = grid[0], grid[-1]
    assert first < last
    values = {None: [mu for mu, _sigma in skills], "6 4": [mu - 3 * sigma for mu, sigma in skills]}
    abscissas = []
    for line in page.iter(f"{SVG}polyline"):
        points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        abscissas.append([x for x, _y in points])
        for (_x, y), value in zip(points, values[line.get("stroke-dasharray")], strict=True):
            read_off = first + (y - first_y) / (last_y - first_y) * (last - first)
            assert read_off == pytest.approx(value, abs=0.005 * (last - first) + 0.001)
            assert 40 <= y <= 290
    assert abscissas[0] == abscissas[1] == sorted(abscissas[0])
    assert 0 <= min(abscissas[0]) <= max(abscissas[0]) <= 640


def places(path: str) -> list[tuple[float, float]]:
    """Return the places of a path that goes from the first of them by steps."""
    numbers = list(map(int, re.findall(r"-?\d+", path)))
    steps = list(zip(numbers[::2], numbers[1::2], strict=True))
    return [tuple(map(sum, zip(*steps[: at + 1], strict=True))) for at in range(len(steps))]


@pytest.mark.parametrize("skills", CASES.values(), ids=CASES)
def test_a_plot_in_a_page_has_the_lines_of_the_file_in_whole_units(skills: Skills) -> None:
    """Points differ by half a unit at most; a single game is a dot, and there is no colour."""
    file, page = svg("Ana", skills), inline_svg("Ana", skills)
    drawn, paths = ElementTree.fromstring(file), list(ElementTree.fromstring(page).iter("path"))
    for name, line in zip(("mu", "score"), drawn.iter(f"{SVG}polyline"), strict=True):
        exact = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        curve, *dots = [path.get("d") for path in paths if name in path.get("class", "").split()]
        for place, value in zip(places(curve), exact, strict=True):
            assert place == pytest.approx(value, abs=0.55)
        has_dots = name == "mu" and len(skills) == 1
        assert [places(each.replace("h0", "")) for each in dots] == ([places(curve)] if has_dots else [])
    assert "#" not in page
    labels = [each.text for each in ElementTree.fromstring(page).iter("text")]
    assert labels == [each.text for each in drawn.iter(f"{SVG}text")][1:-1]


@pytest.mark.parametrize("draw", [svg, inline_svg])
@pytest.mark.parametrize("name", ["Ana & Co <b>", 'O"Hara', "a\x07b", "Żaneta 😀", "\udc80x", "x\ufffey"])
def test_any_name_makes_a_valid_file(name: str, draw: Callable[[str, Skills], str]) -> None:
    """Characters that XML cannot hold are escaped or left out."""
    page = ElementTree.fromstring(draw(name, walk(3)).encode())
    title = page[0].text
    assert title == name.replace("\x07", "\\x07").replace("\udc80", "\\udc80").replace("\ufffe", "")


@pytest.mark.parametrize(
    ("share", "drawn"), [(0.0, ""), (1 / 80, "▏"), (0.55, "█████▌"), (0.8, "████████"), (1.0, "██████████")]
)
def test_a_bar_has_a_tenth_of_the_share_in_each_character(share: float, drawn: str) -> None:
    assert bar(share) == drawn


@pytest.mark.parametrize(
    ("values", "ends", "drawn"),
    [
        ([0, 1, 2, 3, 4, 5, 6], (0, 6), "▁▂▃▄▅▆▇"),
        ([6, None, 0, None], (0, 6), "▇ ▁"),
        ([5, 5], (5, 5), "▁▁"),
    ],
)
def test_a_sparkline_has_a_block_for_each_value_and_a_blank_for_none(
    values: list[float | None], ends: tuple[float, float], drawn: str
) -> None:
    assert sparkline(values, *ends) == drawn


@pytest.mark.parametrize(
    ("ends", "drawn"),
    [
        ((0, 14), "───────●───────"),
        ((2, 6), "  ──●──"),
        ((7, 7), "       ●"),
        ((-9, 2), "─●─"),
        ((14, 99), " " * 14 + "●"),
    ],
)
def test_an_interval_has_its_middle_and_stays_on_the_scale(ends: tuple[float, float], drawn: str) -> None:
    """The scale goes from 0 to 14 in fifteen characters."""
    assert interval(ends, (0, 14)) == drawn
