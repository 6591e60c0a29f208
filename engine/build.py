"""The compiled build: which build of the engine Python has found, and how compiled values are pickled.

The build hook writes into `built.toml` which modules it compiled, or why it compiled none.
"""

import copyreg
import tomllib
from dataclasses import dataclass, fields
from importlib import resources
from importlib.util import find_spec
from typing import Any, Literal

Kind = Literal["compiled", "plain", "sources"]
"""`compiled`: installed with compiled modules; `plain`: installed as plain Python; `sources`: run from a checkout."""


@dataclass(frozen=True, slots=True)
class Build:
    """The kind of build, the compiled modules, and why there are none (empty: a plain build was requested)."""

    kind: Kind
    modules: tuple[str, ...] = ()
    reason: str = ""


def build() -> Build:
    """Return the build of the engine that Python has found."""
    written = resources.files("engine") / "built.toml"
    if not written.is_file():
        return Build("sources")
    table = tomllib.loads(written.read_text(encoding="utf-8"))
    if not table["modules"]:
        return Build("plain", (), table["reason"])
    spec = find_spec("engine.hand")
    if spec is None or str(spec.origin).endswith(".py"):
        return Build("plain", (), "the compiled modules are not for this Python")
    return Build("compiled", tuple(table["modules"]))


def pickle_by_fields(*classes: type) -> None:
    """Let values of these frozen dataclasses be copied and pickled by field: compiled ones cannot be otherwise."""
    for cls in classes:
        copyreg.pickle(cls, _reduce)


def _reduce(value: Any) -> tuple[type, tuple[Any, ...]]:
    """Return the class of a value and the arguments of its constructor."""
    cls = type(value)
    return cls, tuple(getattr(value, field.name) for field in fields(cls))
