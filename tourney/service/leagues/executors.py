"""The players of a league's blocks: processes here, or workers of a scheduler that nobody else can reach."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import shown
from tourney.service.leagues.cluster import dask_network
from tourney.service.leagues.cluster.address import Address, Network, read_address
from tourney.text.i18n import _
from tourney.text.sanitize import pip_command

FIRST_PERSON: Final = 1000
NOT_PEOPLE: Final = range(61184, 65536)
"""The numbers of users that systemd makes for its services, and nobody."""


def refuse_shared(address: Address) -> None:
    """Raise TourneyError REFUSED for an address without TLS, if other people are signed in to this computer."""
    if address.encrypted:
        return
    others = other_people()
    if others:
        message = _(
            "{address} is refused: other users of this computer ({users}) can reach it without TLS, and run programs "
            "as you"
        )
        hint = _("use TLS as in `tourney guide machines`, or accept it with --trust-users")
        raise TourneyError(ExitCode.REFUSED, message.format(address=address, users=", ".join(others[:3])), hint)


def other_people() -> list[str]:
    """Return the other people who are signed in or run programs here, by name or number, sorted.

    A computer that hides the processes of others counts as one with others.
    """
    import psutil

    mine = psutil.Process().username()
    found = {user.name for user in psutil.users()} - {mine, "root"}
    if hasattr(os, "getuid"):
        found |= {_name(user) for user in people(owners(), os.getuid())}
    return sorted(found)


def people(owners: Iterable[int | None], mine: int) -> set[int | None]:
    """Return which owners of processes are other people: None, an owner that cannot be read, may be one."""
    return {
        user for user in owners if user is None or (user >= FIRST_PERSON and user not in NOT_PEOPLE and user != mine)
    }


def owners(folder: str = "/proc") -> set[int | None]:
    """Return the users that run processes here, None for those that this computer hides.

    In `/proc` everybody may see whose a process is, also where its files are hidden from others.
    """
    if not os.path.isdir(os.path.join(folder, "self")):
        import psutil

        uids = (process.info["uids"] for process in psutil.process_iter(["uids"]))
        return {None if found is None else found.real for found in uids}
    found: set[int | None] = set() if os.path.isdir(os.path.join(folder, "1")) else {None}
    for process in filter(str.isdecimal, os.listdir(folder)):
        try:
            found.add(os.stat(os.path.join(folder, process)).st_uid)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended since
        except OSError:
            found.add(None)
    return found


def _name(user: int | None) -> str:
    import pwd

    if user is None:
        return _("hidden by this computer")
    with suppress(KeyError):
        return pwd.getpwuid(user).pw_name
    return str(user)


def _dask(place: str, trust_users: bool) -> Network:
    """Connect to a scheduler of dask.

    Raises TourneyError as `read_address`, and REFUSED without the package, and without TLS where others are signed in.
    """
    address = read_address(place)
    if find_spec("distributed") is None:
        message = _("leagues on a scheduler need the package {package}, which is not installed")
        raise TourneyError(ExitCode.REFUSED, message.format(package="distributed"), pip_command("cluster"))

    if not trust_users:
        refuse_shared(address)
    return dask_network.DaskNetwork(address)


SCHEDULERS: Final[Mapping[str, Callable[[str, bool], Network]]] = {"dask": _dask}
"""The kinds of schedulers by the word before the first colon of `--on`; each connects to one.

The second argument is whether the other users of this computer are trusted.
"""


@contextmanager
def scheduler(on: str, trust_users: bool = False) -> Iterator[Network | None]:
    """Yield the connection to the scheduler that `--on` names, None for ''. Raises TourneyError if there is none."""
    if not on:
        yield None
        return
    kind, _colon, place = on.partition(":")
    if kind not in SCHEDULERS:
        message = _("“{text}” names no scheduler").format(text=shown(on))
        hint = _("write it as in --on dask:tcp://127.0.0.1:8786, or name the scheduler's file, as in --on dask:s.json")
        raise TourneyError(ExitCode.USAGE, message, hint)
    network = SCHEDULERS[kind](place, trust_users)
    try:
        yield network
    finally:
        network.close()
