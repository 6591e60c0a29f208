"""Packages without which there are no web pages."""

from importlib.util import find_spec
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

NEEDED: Final = ("starlette", "uvicorn", "segno")


def refuse_without_packages() -> None:
    """Raise TourneyError REFUSED if the extra `web` is not installed."""
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        message = _("web pages need packages that are not installed: {names}").format(names=", ".join(lacking))
        raise TourneyError(ExitCode.REFUSED, message, _('pip install "tourney-continental[web]"'))
