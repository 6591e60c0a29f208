"""How this engine was installed: compiled, or as plain Python, and why. The build writes it into `built.toml`."""

import tomllib
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from typing import Literal

Kind = Literal["compiled", "plain", "sources"]
"""Plain was installed as plain Python; sources are run where they are edited."""


@dataclass(frozen=True, slots=True)
class Build:
    """The kind of build, the modules that are compiled, and why there are none (empty: it was asked for)."""

    kind: Kind
    modules: tuple[str, ...] = ()
    reason: str = ""


def build() -> Build:
    """The build of the engine that Python finds."""
    told = resources.files("engine") / "built.toml"
    if not told.is_file():
        return Build("sources")
    table = tomllib.loads(told.read_text(encoding="utf-8"))
    if not table["modules"]:
        return Build("plain", (), table["reason"])
    found = find_spec("engine.hand")
    if found is None or str(found.origin).endswith(".py"):
        return Build("plain", (), "the compiled modules are not for this Python")
    return Build("compiled", tuple(table["modules"]))
