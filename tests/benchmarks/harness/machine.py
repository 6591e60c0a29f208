"""Find the facts of a measurement: build, Python, processor, date."""

import importlib
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

Build = Literal["compiled", "plain"]

HOT = ("engine.cards", "engine.hand", "tourney.ratings.kernel")
"""Modules that are extensions in the compiled build and source files in the plain one."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a measurement, shown above every table."""

    command: str
    build: Build
    python: str
    processor: str
    cores: int
    date: str


def build() -> Build:
    """Return the build that this process imports. Raises ImportError if only some of its hot modules are compiled."""
    kinds: set[Build] = {"plain" if _file(name).suffix == ".py" else "compiled" for name in HOT}
    if len(kinds) > 1:
        raise ImportError(f"half compiled: {', '.join(str(_file(name)) for name in HOT)}; install the package again")
    return kinds.pop()


def facts(command: str) -> Facts:
    """Return the facts of this process, now."""
    today = datetime.now(tz=UTC).date().isoformat()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return Facts(command, build(), python, _processor(), os.cpu_count() or 1, today)


def _file(name: str) -> Path:
    return Path(importlib.import_module(name).__file__ or "")


def _processor() -> str:
    """Return the name of the processor, from /proc/cpuinfo (Linux) or else from Python."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
