"""A running server asks itself for a page under the address that it shows."""

from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

SECONDS = 3.0
"""The time that an answer may take."""


def answers(host: str, port: int) -> bool:
    """Return whether the server answers under this address. No proxy is asked."""
    connection = HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", "/version")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
