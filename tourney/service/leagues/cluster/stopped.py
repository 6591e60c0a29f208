"""Why a league on a scheduler stops before its end."""

from tourney.domain.errors import ExitCode, TourneyError


class Stopped(TourneyError):
    """A league that cannot be played any further now, for a reason in one line; its kept blocks stay."""

    def __init__(self, reason: str) -> None:
        super().__init__(ExitCode.REFUSED, reason)
