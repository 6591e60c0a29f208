"""The addresses under which a server is reached: of this computer's networks, those that phones in the hall share."""

from __future__ import annotations

import re
import socket
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from typing import Final, NamedTuple

ALL: Final = frozenset({"0.0.0.0", "::"})
"""The hosts that mean every network of this computer."""
LOCAL: Final = "127.0.0.1"
VIRTUAL: Final = re.compile(
    r"lo\d*$|docker|podman|cni|flannel|br-|veth|virbr|bridge\d|vbox|virtualbox|vmnet|vmware|vethernet|vnic|lxc|lxd|tailscale|"
    r"utun|tun\d|tap\d|wg\d|zt|ppp|ipsec|awdl|llw|anpi|hyper-v|bluetooth|.*\b(virtualbox|vmware|hyper-v|wsl)\b",
    re.IGNORECASE,
)
"""The beginnings of names of interfaces that no phone reaches: machines within this one, tunnels."""
ANYWHERE: Final = ("192.0.2.1", 9)
"""An address of no computer (RFC 5737): the system chooses a route to it, and nothing is sent."""
ASK_ADDRESS: Final = 0x8915 if sys.platform == "linux" else 0xC0206921
"""The number of the system call that asks for the address of an interface (SIOCGIFADDR)."""


class Interface(NamedTuple):
    """A network of this computer: its name, empty if the system does not tell it, and our address in it."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where a server is reached: addresses for phones, the best first; `own` are all under which it may be asked.

    All are numbers: a name may also lead to an address at which another program has the port.
    """

    phones: tuple[str, ...]
    own: frozenset[str]


def addresses(bound: Sequence[str]) -> Addresses:
    """Return where a server that listens at these addresses is reached."""
    if ALL.isdisjoint(bound):
        phones = tuple(address for address in bound if not is_loopback(address))
        return Addresses(phones, frozenset(map(in_url, bound)))
    found = list(_interfaces())
    own = frozenset(interface.address for interface in found)
    return Addresses(tuple(for_phones(found, _routed())), own)


def for_phones(found: Iterable[Interface], routed: str | None = None) -> Sequence[str]:
    """Return the addresses that phones in the same network reach, the best first.

    `routed` is the address from which this computer reaches others.
    """
    real = {address for name, address in found if not VIRTUAL.match(name) and _is_reachable(address)}
    return sorted(
        real, key=lambda address: (not ip_address(address).is_private, address != routed, IPv4Address(address))
    )


def is_loopback(address: str) -> bool:
    """Return whether only this computer reaches the address."""
    return ip_address(address).is_loopback


def in_url(host: str) -> str:
    """Return the host as it stands in an address of a page."""
    return f"[{host}]" if ":" in host else host


def page_address(host: str, port: int) -> str:
    """Return the address of the front page."""
    return f"http://{in_url(host)}/" if port == 80 else f"http://{in_url(host)}:{port}/"


def _is_reachable(address: str) -> bool:
    with suppress(ValueError):
        ip = IPv4Address(address)
        return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)
    return False


def _interfaces() -> Iterator[Interface]:
    """Yield this computer's networks with an address of four numbers; Windows tells no names."""
    if sys.platform == "win32":
        with suppress(OSError):
            for *_more, place in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
                yield Interface("", str(place[0]))
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _number, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), ASK_ADDRESS, struct.pack("256s", name.encode()[:15]))
                yield Interface(name, socket.inet_ntoa(answer[20:24]))


def _routed() -> str | None:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(ANYWHERE)
        return str(asking.getsockname()[0])
    return None
