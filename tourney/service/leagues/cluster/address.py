"""Where a scheduler listens, as `--on` names it, and what a coordinator needs of any scheduler."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import shown
from tourney.storage.private import regular
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class Seen:
    """A worker that a scheduler knows: its name for people, and how many tasks it runs at the same time.

    `machine` stays the same when a worker that has ended is started again.
    """

    name: str
    machine: str
    slots: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """The end of a task: the reply of its function, or the error for which there is none."""

    key: str
    reply: Mapping[str, Any] | None
    error: str = ""


class Network(Protocol):
    """A scheduler and its workers. Every method raises Stopped once the scheduler is gone."""

    def workers(self) -> Mapping[str, Seen]:
        """Return the workers that are connected, by address."""
        ...

    def send(self, worker: str, key: str, function: str, *arguments: object) -> None:
        """Let a worker run a function of `worker_side` as the task of that key; the same key is the same task."""
        ...

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """Return the tasks that have ended, waiting for one at most so many seconds."""
        ...

    def forget(self, key: str) -> None:
        """Let a task end without an arrival."""
        ...

    def close(self) -> None:
        """Leave the scheduler, which forgets all tasks."""
        ...


MOST_BYTES: Final = 1 << 24
"""The most bytes of a scheduler file: it lists all workers."""
MOST_ADDRESS: Final = 100
"""The most characters of an address that a message shows."""
_ADDRESS: Final = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+(?:%[\w.-]+)?\]|[\w.-]+):([0-9]{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """An address of a scheduler or worker: whether its connections are encrypted, its host and its port."""

    encrypted: bool
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls' if self.encrypted else 'tcp'}://{host}:{self.port}"

    @property
    def safe(self) -> bool:
        """Return whether nobody but people of this computer, or those with a certificate, can reach the address."""
        return self.encrypted or is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Return whether only this computer can reach the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def read_address(text: str) -> Address:
    """Return the address that a text or a scheduler file names. Raises TourneyError as `checked`, and NOT_FOUND."""
    address = parsed(_in_file(text) if text.endswith(".json") else text)
    if address is None:
        message = _("“{text}” is not the address of a scheduler").format(text=shown(text))
        hint = _("write it as in --on dask:tcp://127.0.0.1:8786, or name the scheduler's file, as in --on dask:s.json")
        raise TourneyError(ExitCode.USAGE, message, hint)
    return checked(address)


def parsed(text: str) -> Address | None:
    """Return the address that a text is, as a worker or scheduler describes itself; None for another text."""
    found = _ADDRESS.fullmatch(text.strip())
    if found is None or not 0 < int(found[3]) < 1 << 16:
        return None
    return Address(found[1] == "tls", found[2].strip("[]"), int(found[3]))


def is_safe(text: str) -> bool:
    """Return whether an address, as a worker or scheduler describes itself, is one that is known to be safe.

    That is one within its process, too. Dask has more schemes than are read here, and most are open.
    """
    address = parsed(text)
    return text.startswith("inproc://") if address is None else address.safe


def checked(address: Address) -> Address:
    """Return the address. Raises TourneyError as `refuse_open`."""
    refuse_open(str(address))
    return address


def refuse_open(address: str) -> None:
    """Raise TourneyError REFUSED if other computers may reach the address, and its connections may be open."""
    if not is_safe(address):
        message = _(
            "{address} is refused: anybody at a scheduler's port can run programs on all of its computers; a "
            "scheduler that other computers can reach needs TLS"
        )
        hint = _("use --on dask:tls://…, or a scheduler on 127.0.0.1; see `tourney guide machines`")
        raise TourneyError(ExitCode.REFUSED, message.format(address=address[:MOST_ADDRESS]), hint)


def _in_file(path: str) -> str:
    """Return the address in a scheduler file. Raises TourneyError NOT_FOUND, and REFUSED for another file."""
    try:
        with open(path, "rb", opener=regular) as file:
            return str(json.loads(file.read(MOST_BYTES))["address"])
    except OSError as error:
        message = _("the scheduler file {file} cannot be read: {reason}")
        message = message.format(file=shown(path, 200), reason=error.strerror)
        hint = _("`dask scheduler --scheduler-file FILE` writes one when it starts")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint) from None
    except (ValueError, TypeError, LookupError, RecursionError):
        message = _("{file} is not the file of a scheduler").format(file=shown(path, 200))
        hint = _("`dask scheduler --scheduler-file FILE` writes one when it starts")
        raise TourneyError(ExitCode.REFUSED, message, hint) from None
