"""The ticket of a worker: what it plays with, and how it plays a reference block, compared with what is here."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tourney.rulebook.records import engine_build
from tourney.service.version import program_version
from tourney.text.i18n import _

PLAYED_BY: Final = ("engine", "tourney.bots", "tourney.domain", "tourney.league", "tourney.rulebook")
"""The packages whose sources decide how a block ends; the files of rules are compared by themselves."""
SHOWN: Final = 12
"""The characters of a hash that a person is shown."""


@dataclass(frozen=True, slots=True)
class ProgramDigest:
    """A program by its version and the SHA-256 of the sources that play, with its build and its Python."""

    version: str
    sources: str
    build: str
    python: str


@cache
def this_program() -> ProgramDigest:
    """Return the program of this process."""
    build = "compiled" if engine_build().kind == "compiled" else "plain"
    return ProgramDigest(program_version(), _sources_digest(), build, platform.python_version())


def _sources_digest() -> str:
    """Return the SHA-256 of the sources that play; a compiled build has the same ones beside its modules."""
    lines = (f"{name} {sha256(text).hexdigest()}\n" for name, text in _sources())
    return sha256("".join(lines).encode()).hexdigest()


def _sources() -> Iterator[tuple[str, bytes]]:
    """Yield the sources by name, without the build hook, which no wheel has."""
    for package in PLAYED_BY:
        found = find_spec(package)
        assert found is not None
        assert found.submodule_search_locations is not None
        folder = Path(next(iter(found.submodule_search_locations)))
        for file in sorted(folder.rglob("*.py")):
            if file.name != "_compile.py":
                yield f"{package}/{file.relative_to(folder).as_posix()}", file.read_bytes().replace(b"\r\n", b"\n")


@dataclass(frozen=True, slots=True)
class Ticket:
    """A worker's program, the digest of its rules, and the reference block as it played it, in so many seconds.

    A worker whose program or rules are others has played nothing.
    """

    program: ProgramDigest
    rules: str = ""
    block: str = ""
    seconds: float = 0.0


def difference(ticket: Ticket, rules: str, block: str) -> str:
    """Return in what a worker differs from this program, these rules, and the reference block; '' if in nothing."""
    ours, theirs = this_program(), ticket.program
    if theirs.version != ours.version:
        return _("its program is {theirs}, this one is {ours}").format(theirs=theirs.version, ours=ours.version)
    if theirs.sources != ours.sources:
        message = _("its program {version} has different sources ({theirs}, here {ours})")
        return message.format(version=ours.version, theirs=theirs.sources[:SHOWN], ours=ours.sources[:SHOWN])
    if ticket.rules != rules:
        return _("its rules are different ({theirs}, here {ours})").format(
            theirs=ticket.rules[:SHOWN], ours=rules[:SHOWN]
        )
    if ticket.block != block:
        message = _("it plays the reference block differently (hash {theirs}, here {ours})")
        return message.format(theirs=_hash(ticket.block), ours=_hash(block))
    return ""


def _hash(block: str) -> str:
    return sha256(block.encode()).hexdigest()[:SHOWN]
