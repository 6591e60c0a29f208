"""The names under which a server is asked, as the header Host has them."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address
from typing import Final

HOST: Final = re.compile(
    r"([a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?", re.IGNORECASE
)
"""A name, four numbers, or an address of IPv6 in brackets, and a port."""
MOST_PORT: Final = 65_535


def host_name(host: str) -> str | None:
    """Return the name or address in a header Host, in small letters; None if the header has anything else in it."""
    found = HOST.fullmatch(host)
    if found is None or int(found[2] or 0) > MOST_PORT:
        return None
    name = found[1].lower()
    if name.startswith("["):
        try:
            return f"[{IPv6Address(name[1:-1])}]"
        except AddressValueError:
            return None
    return name
