"""Other people who are signed in to this computer, and can reach ports on its loopback."""

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.leagues.cluster.address import Address
from tourney.text.i18n import _

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
        found |= {_name(user) for user in people(_owners(), os.getuid())}
        if os.path.isdir("/proc/self") and not os.path.isdir("/proc/1"):
            found.add(_("hidden by this computer"))
    return sorted(found)


def people(owners: Iterable[int], mine: int) -> set[int]:
    """Return which owners of processes are other people."""
    return {user for user in owners if user >= FIRST_PERSON and user not in NOT_PEOPLE and user != mine}


def _owners() -> set[int]:
    """Return the users that run processes here."""
    import psutil

    uids = (process.info["uids"] for process in psutil.process_iter(["uids"]))
    return {found.real for found in uids if found is not None}


def _name(user: int) -> str:
    import pwd

    with suppress(KeyError):
        return pwd.getpwuid(user).pw_name
    return str(user)
