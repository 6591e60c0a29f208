"""Tests of the address that phones are given, among the networks of a computer."""

import pytest

from tourney.web.access import LOCAL, is_local, seen_here
from tourney.web.qr import terminal_code
from tourney.web.serve import addresses as module
from tourney.web.serve.addresses import Interface, addresses, for_phones, is_loopback, page_address

LOOPBACK = ("lo", "127.0.0.1")
CASES = {
    "wi-fi": ([LOOPBACK, ("wlan0", "192.168.1.5")], None, ["192.168.1.5"]),
    "docker": ([("docker0", "172.17.0.1"), ("br-3f2a", "172.18.0.1"), ("eth0", "10.0.0.7")], None, ["10.0.0.7"]),
    "a pair of containers": ([("veth12ab", "172.19.0.1"), ("wlp3s0", "172.20.4.4")], None, ["172.20.4.4"]),
    "machines of libvirt": ([("virbr0", "192.168.122.1"), ("enp0s3", "192.168.0.9")], None, ["192.168.0.9"]),
    "VirtualBox": ([("vboxnet0", "192.168.56.1"), ("en0", "192.168.1.8")], None, ["192.168.1.8"]),
    "VMware": ([("vmnet1", "172.16.5.1"), ("vmnet8", "172.16.6.1"), ("en1", "10.1.1.1")], None, ["10.1.1.1"]),
    "VPN as the way out": ([("utun3", "10.8.0.2"), ("en0", "192.168.1.8")], "10.8.0.2", ["192.168.1.8"]),
    "WireGuard": ([("wg0", "10.9.0.2"), ("tun0", "10.8.0.2"), ("eth0", "192.168.1.8")], None, ["192.168.1.8"]),
    "tailscale": ([("tailscale0", "100.101.102.103"), ("wlan0", "192.168.1.8")], None, ["192.168.1.8"]),
    "a mac that shares": ([("bridge100", "192.168.64.1"), ("awdl0", "169.254.3.4")], None, []),
    "Windows": ([("vEthernet (WSL)", "172.30.0.1"), ("Wi-Fi", "192.168.1.8")], None, ["192.168.1.8"]),
    "Windows by description": (
        [("Ethernet adapter VirtualBox Host-Only", "192.168.56.1"), ("Ethernet", "192.168.1.8")],
        None,
        ["192.168.1.8"],
    ),
    "no names": ([("", "192.168.56.1"), ("", "192.168.1.8")], "192.168.1.8", ["192.168.1.8", "192.168.56.1"]),
    "two networks": ([("eth0", "10.0.0.2"), ("wlan0", "192.168.1.5")], "192.168.1.5", ["192.168.1.5", "10.0.0.2"]),
    "a private one before a public one": (
        [("eth0", "8.8.8.8"), ("wlan0", "192.168.1.5")],
        "8.8.8.8",
        ["192.168.1.5", "8.8.8.8"],
    ),
    "a real bridge": ([("br0", "192.168.1.5")], None, ["192.168.1.5"]),
    "no address was given": ([LOOPBACK, ("wlan0", "169.254.7.7"), ("eth0", "0.0.0.0")], None, []),
    "by number, not by text": ([("a", "192.168.1.10"), ("b", "192.168.1.9")], None, ["192.168.1.9", "192.168.1.10"]),
    "nothing": ([], None, []),
}


@pytest.mark.parametrize(("found", "routed", "expected"), CASES.values(), ids=CASES)
def test_phones_get_the_address_of_a_network_that_they_share(
    found: list[tuple[str, str]], routed: str | None, expected: list[str]
) -> None:
    assert list(for_phones([Interface(*each) for each in found], routed)) == expected


def test_a_server_of_all_networks_may_be_asked_under_each_of_them_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: a computer's name also leads to its addresses of IPv6, where another user took the port."""
    found = [Interface("docker0", "172.17.0.1"), Interface("wlan0", "192.168.1.5")]
    monkeypatch.setattr(module, "_interfaces", lambda: iter(found))
    monkeypatch.setattr(module, "_routed", lambda: None)
    here = addresses(["0.0.0.0"])
    assert here.phones == ("192.168.1.5",)
    assert here.own == {"172.17.0.1", "192.168.1.5"}


def test_a_server_of_one_address_may_be_asked_under_it_alone() -> None:
    assert addresses(["192.168.1.5"]) == module.Addresses(("192.168.1.5",), frozenset({"192.168.1.5"}))
    assert addresses(["127.0.0.1", "::1"]).phones == ()
    assert addresses(["fd77::1", "127.0.0.1"]) == module.Addresses(("fd77::1",), frozenset({"[fd77::1]", "127.0.0.1"}))


def test_this_computer_tells_its_own_networks() -> None:
    """Whatever networks there are, the loopback of this computer is among them, or its system tells no names."""
    found = list(module._interfaces())
    assert all(len(address.split(".")) == 4 for _name, address in found)
    assert any(address == "127.0.0.1" for _name, address in found)


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("127.0.0.1", 8000, "http://127.0.0.1:8000/"),
        ("192.168.1.5", 80, "http://192.168.1.5/"),
        ("::1", 81, "http://[::1]:81/"),
    ],
)
def test_the_address_of_the_front_page(host: str, port: int, address: str) -> None:
    assert page_address(host, port) == address


@pytest.mark.parametrize(
    ("host", "alone"),
    [("127.0.0.1", True), ("127.1.2.3", True), ("::1", True), ("0.0.0.0", False), ("fd77::1", False)],
)
def test_loopback_is_what_only_this_computer_reaches(host: str, alone: bool) -> None:
    assert is_loopback(host) == alone


def test_a_code_fits_a_narrow_terminal_and_begins_with_its_finder_pattern() -> None:
    """A finder pattern is a square of 7 modules; its first row is dark, with a light module beside it."""
    lines = terminal_code("http://192.168.100.100:65535/").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) <= 40
    assert len(lines) <= 20
    quiet, *rest = lines
    assert set(quiet) == {"█"}
    assert rest[0].startswith("██ ▄▄▄▄▄ █")


def test_every_address_of_this_computer_is_one_visitor_and_no_other_address_is() -> None:
    """Each of its addresses had wrong codes of its own. The addresses come from the system's list of interfaces."""
    own = addresses(["0.0.0.0"]).own
    assert {seen_here(address) for address in own} == {LOCAL}
    mapped = {f"::ffff:{address}" for address in own}
    assert {seen_here(address) for address in mapped} == {LOCAL}
    loopback = ["127.0.0.2", "127.255.255.254", "::ffff:127.0.0.3", "::1"]
    assert {seen_here(address) for address in loopback} == {LOCAL}
    assert seen_here("::ffff:192.0.2.99") == "192.0.2.99"
    others = ["192.0.2.99", "203.0.113.7", "10.255.255.254", "fe80::1", "2001:db8::9", "club.test", ""]
    assert [seen_here(address) for address in others] == others
    assert not any(map(is_local, others))
