"""Tests of `tourney guide`: the list, a page in a pipe and at a terminal, and the pictures of the README."""

import re
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from tests.harness.commands import Runner
from tests.harness.pages.examples import PAGES, README, TRANSLATED
from tourney.domain import league_tables, rankings
from tourney.domain.database import EntryState, FindingState, MirrorState
from tourney.domain.errors import ExitCode
from tourney.domain.events import EntrantState, EventState, PersonOrigin
from tourney.domain.results import FlagState, ResultState, RulingState
from tourney.domain.schedule import VerifiedState

SPANISH_README = README.parent / ".github" / "README.es.md"
NAMES = [name for name, page in PAGES.items() if page != README]


def source(name: str) -> str:
    """Return the text of a page's file."""
    return PAGES[name].read_text(encoding="utf-8")


def test_the_list_has_every_page_with_its_first_sentence(run: Runner) -> None:
    """The guide begins with a club evening, as the README says in Spanish."""
    listed = run("guide", "--json").json
    assert [row["page"] for row in listed] == ["club-evening", *(name for name in NAMES if name != "club-evening")]
    for row in listed:
        assert source(row["page"]).startswith(f"# {row['title']}\n\n{row['about']}\n")
        assert row["about"].endswith(".")


def test_a_page_in_a_pipe_is_the_file_as_it_is(run: Runner) -> None:
    for name in NAMES:
        assert run("guide", name).out == run("guide", name, "--format", "markdown").out == source(name)


CODES = (
    *(EntrantState, EventState, ResultState, RulingState, FlagState, EntryState, VerifiedState, FindingState),
    *(
        league_tables.Verdict,
        league_tables.ProbeVerdict,
        rankings.Verdict,
        PersonOrigin,
        get_type_hints(MirrorState)["state"],
    ),
)
"""The types of which machine output shows the values."""


@pytest.mark.parametrize("page", [PAGES["files"], TRANSLATED["es/files"]], ids=["en", "es"])
def test_every_code_of_machine_output_stands_on_the_page_about_files(page: Path) -> None:
    codes = {code for each in CODES for code in get_args(each)}
    named = set(re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")))
    assert codes - named == set()


def test_json_of_a_page_has_its_text(run: Runner) -> None:
    assert run("guide", "limits", "--json").json["text"] == source("limits")


def test_an_unknown_page_is_refused_with_the_nearest_name(run: Runner) -> None:
    refused = run("guide", "club")
    assert refused.code == ExitCode.NOT_FOUND
    assert refused.err.startswith("error: the guide has no page “club”\nhint: ")
    assert "did you mean club-evening?" in run("guide", "clubevening").err


def test_links_between_pages_lead_to_files() -> None:
    """Check every relative link of both READMEs and the guide."""
    for page in (*PAGES.values(), SPANISH_README):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target.replace("\n", "")).exists(), f"{page.name}: {target}"


def test_no_page_is_too_long_to_be_read() -> None:
    for page in (README, SPANISH_README):
        assert len(page.read_text(encoding="utf-8").split()) <= 750, page.name
    for name in NAMES:
        assert len(source(name).splitlines()) <= 250, name


if sys.platform != "win32":
    from tests.harness.pages.pictures import Picture, pictures, words_of
    from tests.harness.terminal import Terminal

    @pytest.mark.parametrize("columns", [20, 80])
    def test_a_terminal_shows_a_page_without_marks_and_broken_links(columns: int) -> None:
        with Terminal("guide", "limits", columns=columns) as terminal:
            assert terminal.code() == 0
        assert "##" not in terminal.shown
        assert ".md" not in terminal.shown
        assert max(map(len, terminal.shown.splitlines())) <= columns

    @pytest.mark.parametrize("picture", pictures(), ids=lambda picture: picture.path.stem)
    def test_a_picture_shows_what_its_commands_print_today(picture: Picture) -> None:
        """Check the stored text, colours aside: `python -m tests.harness.pages.pictures` draws the pictures again."""
        stored = picture.path.read_text(encoding="utf-8")
        assert words_of(picture.svg()) == words_of(stored)
        assert len(stored.encode()) < 100_000

    def test_the_readme_has_a_picture_of_a_command() -> None:
        assert len(pictures()) == 1
