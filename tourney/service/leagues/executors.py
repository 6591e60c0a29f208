"""The players of a league's blocks: processes of this computer, or the workers of a scheduler that `--on` names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import shown
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.service.leagues.cluster.network import Network


def _dask(place: str, trust_users: bool) -> Network:
    """Connect to a scheduler of dask.

    Raises TourneyError as `read_address`, and REFUSED without the package, and without TLS where others are signed in.
    """
    from tourney.service.leagues.cluster.address import read_address

    address = read_address(place)
    if find_spec("distributed") is None:
        message = _("leagues on a scheduler need the package {package}, which is not installed")
        hint = 'pip install "tourney-continental[cluster]"'
        raise TourneyError(ExitCode.REFUSED, message.format(package="distributed"), hint)
    from tourney.service.leagues.cluster.dask_network import DaskNetwork
    from tourney.service.leagues.cluster.signed_in import refuse_shared

    if not trust_users:
        refuse_shared(address)
    return DaskNetwork(address)


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
