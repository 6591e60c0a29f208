"""Hostile bots in leagues at each level of isolation: each ends as the guide says, and behind a wall none leaks."""

import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from tests.campaigns.campaign import Campaign, LackingError, Result

if TYPE_CHECKING:
    from tests.harness.bots.hostile_bots import Hostile

BUBBLEWRAP: Final = Path("/usr/bin/bwrap")
PLAIN_C: Final = '#include <stdio.h>\nint main(void) { puts("x"); return 0; }\n'


def run(part: float, seed: int) -> Iterator[Result]:
    """Return an iterator that plays a part of the leagues, and yields a result for each level.

    Raises LackingError where bubblewrap, wasmtime or a compiler for WebAssembly is missing.
    """
    _refuse_without_walls()
    from tests.harness.bots.hostile_bots import HOSTILE, LEVELS
    from tests.harness.bots.hostile_calls import CHANNELS, CLASS, ROADS

    cases = [(hostile, level) for hostile in (*HOSTILE, *ROADS, *CHANNELS) for level in hostile.levels]
    chosen = Random(seed).sample(cases, math.ceil(part * len(cases)))
    by_level = {level: [hostile for hostile, at in chosen if at == level] for level in (*LEVELS, CLASS)}
    return (_tried(level, hostile) for level, hostile in by_level.items() if hostile)


def _refuse_without_walls() -> None:
    if sys.platform != "linux" or not BUBBLEWRAP.exists():
        raise LackingError("bubblewrap is needed: apt install bubblewrap")
    if find_spec("wasmtime") is None:
        raise LackingError('wasmtime is needed: pip install "tourney-continental[wasm]"')
    if not _compiles():
        packages = "clang lld wasi-libc libclang-rt-14-dev-wasm32"
        raise LackingError(f"a compiler for WebAssembly is needed: apt install {packages}")


def _compiles() -> bool:
    """Return whether C can be built for WebAssembly here."""
    from tests.harness.bots.hostile_modules import COMPILER

    if shutil.which(COMPILER[0]) is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        command = [*COMPILER, "-x", "c", "-", "-o", str(Path(folder) / "x.wasm")]
        return subprocess.run(command, input=PLAIN_C.encode(), capture_output=True, check=False).returncode == 0


def _tried(level: str, bots: "Sequence[Hostile]") -> Result:
    from tests.harness.bots.hostile_leagues import judged

    faults = []
    for hostile in bots:
        with tempfile.TemporaryDirectory() as folder:
            faults += [f"{hostile.name}: {wrong}" for wrong in judged(hostile, level, Path(folder).resolve())]
    leaks = sum("leaks: " in fault for fault in faults)
    return Result(len(bots), f"{level}: {leaks} leaks, {len(faults)} faults in all", tuple(map(ascii, faults)))


CAMPAIGN = Campaign("hostile-bots", run)
