"""Options of commands that let bots play which a file or a database names."""

from dataclasses import dataclass
from typing import Annotated

import typer

from tourney.service.trusted_bots import Consent
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class Trusting:
    """The options `--isolation` and `--trust-bots`."""

    isolation: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help=_(
                "The least level at which bots from outside play: trusted, process, sandbox or wasm. Bots that came "
                "with a file or a database and are not trusted need sandbox or wasm."
            ),
        ),
    ] = ""
    trust_bots: Annotated[
        bool,
        typer.Option(
            "--trust-bots", help=_("Trust the bots that came with a file or a database: they run as you. Names them.")
        ),
    ] = False

    @property
    def consent(self) -> Consent:
        """Return what the organiser says about such bots."""
        return Consent(self.isolation, self.trust_bots)
