"""Replies of workers: JSON as bytes, which can run nothing where they are read."""

import json
from typing import Any, Final, NoReturn

Reply = dict[str, Any]
"""An answer of a worker, by the names of its parts."""
NOT_JSON: Final = "a reply that is not JSON"
MOST_BYTES: Final = 64 << 20
"""The most bytes of a reply; some seconds of play, with the records of all games, have a tenth of it."""


def written(reply: Reply) -> bytes:
    """Return a reply as one line of JSON, without its line end."""
    return json.dumps(reply, allow_nan=False).encode()


def read(line: object) -> Reply:
    """Return the reply that bytes hold. Raises ValueError for anything else."""
    try:
        reply = (
            json.loads(line, parse_constant=_refused) if isinstance(line, bytes) and len(line) <= MOST_BYTES else None
        )
    except RecursionError:
        raise ValueError(NOT_JSON) from None
    if not isinstance(reply, dict):
        raise ValueError(NOT_JSON)
    return reply


def _refused(_constant: str) -> NoReturn:
    raise ValueError(NOT_JSON)
