"""Public addresses: a request may go there; into this network only where the operator says so.

The name is looked up, every address is checked, and the connection is made to the address that was
checked: a name that points elsewhere a moment later (DNS rebinding) changes nothing.
"""

import ipaddress
import socket
from collections.abc import Collection
from typing import Final
from urllib.parse import SplitResult, urlsplit

from muniment.model.errors import InputError

PORTS: Final = {"https": 443, "http": 80}
URL_CHARACTERS_MAX: Final = 2_000
# Addresses that hold another one, which is where a packet ends.
NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
# Of a network of one's own, though Python calls them global: translated to what one chooses, once
# compatible with IPv4, once of a site.
LOCAL: Final = tuple(map(ipaddress.ip_network, ("64:ff9b:1::/48", "::/96", "fec0::/10")))

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressNotAllowedError(InputError):
    """A webhook goes to a public https address, or to a host that the operator has allowed."""

    code = "ADDRESS_NOT_ALLOWED"
    status = 403
    sentence = "Webhooks may not be sent to that address."


def checked(url: str, allowed: Collection[str]) -> SplitResult:
    """An address as far as it can be judged without asking anybody where it leads."""
    try:
        found = urlsplit(url)
        host, _ = found.hostname or "", found.port
    except ValueError:
        raise AddressNotAllowedError("this is not a URL") from None
    if len(url) > URL_CHARACTERS_MAX or not url.isascii() or any(map(str.isspace, url)):
        raise AddressNotAllowedError("a URL is ASCII without spaces, and not that long")
    if not host or found.username is not None or found.fragment:
        raise AddressNotAllowedError("a URL has a host, and neither a password nor a fragment")
    if host in allowed:
        if found.scheme in PORTS:
            return found
        raise AddressNotAllowedError("a URL must begin with https:// or http://")
    if found.scheme != "https":
        raise AddressNotAllowedError("a URL must begin with https://")
    if (literal := _literal(host)) and not is_public(literal):
        raise AddressNotAllowedError("it points to a private network")
    return found


def resolved(url: SplitResult, allowed: Collection[str]) -> tuple[str, int]:
    """The one checked address to connect to."""
    host, port = url.hostname or "", url.port or PORTS[url.scheme]
    try:
        told = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise ConnectionError("its host name cannot be resolved") from None
    found = [str(each[4][0]) for each in told]
    if host not in allowed and not all(is_public(ipaddress.ip_address(each)) for each in found):
        raise AddressNotAllowedError("it points to a private network")
    return found[0], port


def is_public(address: Address) -> bool:
    """Whether it is somewhere in the world, and whatever it holds inside is so too."""
    if not address.is_global or address.is_multicast or any(address in each for each in LOCAL):
        return False
    inner = _inside(address)
    return inner is None or is_public(inner)


def _inside(address: Address) -> Address | None:
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
