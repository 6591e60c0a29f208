"""The file beside a database that says which machines play a league, written while it is played.

It comes with a folder of others, so that anything but the machines of this league is taken for no machines.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from time import time
from typing import Any, Final, get_args

from tourney import storage
from tourney.domain.leagues import League, LeagueMachine, LeagueTable, MachineState
from tourney.service.chained_lines import MALFORMED

STALE_SECONDS: Final = 60.0
"""A file as old as this was left by a process that is gone."""
MOST_BYTES: Final = 1 << 20
"""More than 4,000 machines take."""
MOST: Final = 1e15
"""More than any count or speed of a machine."""


def _path(db: str | None, number: int) -> Path:
    path = storage.locate(db)
    return path.with_name(f"{path.name}.league-{number}.machines.json")


def _identity(league: League) -> str:
    from tourney.league.blocks import LeagueHash

    return LeagueHash(league).text()


def write_machines(db: str | None, number: int, league: League, machines: tuple[LeagueMachine, ...]) -> None:
    """Write the machines; where that is impossible, `league status` does not show them."""
    path = _path(db, number)
    content = {"league": _identity(league), "at": time(), "machines": [asdict(machine) for machine in machines]}
    with suppress(OSError), storage.replacing(path) as file:
        file.write(json.dumps(content, ensure_ascii=False))


def with_machines(db: str | None, table: LeagueTable) -> LeagueTable:
    """Return the table with the machines on which the league was played last, if it was."""
    path = _path(db, table.number)
    try:
        with open(path, "rb", opener=storage.opener) as file:
            content = json.loads(file.read(MOST_BYTES))
        if content["league"] != _identity(table.league):
            return table
        machines = tuple([_machine(kept) for kept in content["machines"]])
        stale = time() - float(content["at"]) > STALE_SECONDS
    except (OSError, *MALFORMED):
        return table
    return replace(table, machines=tuple([_as_of_now(machine, stale) for machine in machines]))


def _machine(kept: dict[str, Any]) -> LeagueMachine:
    """Return a machine that was kept. Raises ValueError or TypeError for anything else."""
    machine = LeagueMachine(**kept)
    texts = (machine.name, machine.build, machine.why)
    numbers = (machine.slots, machine.blocks, machine.hands, machine.speed)
    if (
        machine.state not in get_args(MachineState)
        or not all(isinstance(text, str) for text in texts)
        or not all(isinstance(number, int | float) and 0 <= number < MOST for number in numbers)
    ):
        raise ValueError("a machine of other types")
    return machine


def _as_of_now(machine: LeagueMachine, stale: bool) -> LeagueMachine:
    return replace(machine, state="gone") if stale and machine.state in ("playing", "late") else machine
