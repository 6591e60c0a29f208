"""Tests of the file that says which machines play a league: a stranger may have written it."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.harness.leagues.small_league import LEAGUE
from tourney.domain.league_tables import LeagueMachine, LeagueTable
from tourney.service.leagues import leagues
from tourney.service.leagues.cluster.machines import _path, with_machines, write_machines

MACHINE = LeagueMachine("lab", "playing", "compiled", 2, 10, 240, 80.5)


@pytest.fixture
def played(tmp_path: Path) -> tuple[str, LeagueTable]:
    db = str(tmp_path / "club.db")
    return db, leagues.run(db, replace(LEAGUE, blocks=1))


def changed(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda content: content["machines"][0].update({name: value})


@pytest.mark.parametrize(
    "change",
    [
        *(changed("state", value) for value in ("x", None, 1, [])),
        *(changed("build", value) for value in ([], None, {})),
        *(changed("hands", value) for value in (-1, 10**400, float("inf"), float("nan"), "9", None)),
        *(changed(name, float("inf")) for name in ("speed", "slots", "blocks")),
        changed("more", 1),
        lambda content: content.update(machines=5),
        lambda content: content.update(at="yesterday"),
    ],
)
def test_a_machine_of_another_form_is_taken_for_none(
    played: tuple[str, LeagueTable], change: Callable[[dict[str, Any]], None]
) -> None:
    db, table = played
    write_machines(db, 1, table.league, (MACHINE,))
    assert with_machines(db, table).machines == (MACHINE,)
    content = json.loads(_path(db, 1).read_text(encoding="utf-8"))
    change(content)
    _path(db, 1).write_text(json.dumps(content), encoding="utf-8")
    assert with_machines(db, table).machines == ()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes and links")
@pytest.mark.parametrize("kind", ["a pipe", "a link", "a folder"])
def test_what_is_no_file_of_ours_is_not_read(played: tuple[str, LeagueTable], tmp_path: Path, kind: str) -> None:
    db, table = played
    write_machines(db, 1, table.league, (MACHINE,))
    file = _path(db, 1)
    file.rename(tmp_path / "elsewhere")
    if kind == "a pipe":
        os.mkfifo(file)
    elif kind == "a link":
        file.symlink_to(tmp_path / "elsewhere")
    else:
        file.mkdir()
    assert with_machines(db, table).machines == ()
