"""Allowed hosts and origins: where a door listens, and which pages may call it.

A page in a browser can make any host name resolve to this machine. So the names that a request
uses are compared, whole, with those that the door was told it has; nothing is let in by default.
"""

import ipaddress
import re
import socket
from typing import Final

import msgspec

from muniment.adapters.gateway.errors import WrongPlaceError
from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern

NAME: Final = lazy_pattern(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?", re.IGNORECASE)
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened at
PORTS: Final = {"http": 80, "https": 443}


class AllowedOrigins(msgspec.Struct, frozen=True, kw_only=True):
    """The hosts (`name:port`) and pages (`scheme://name:port`) that a door answers to."""

    hosts: frozenset[str]
    origins: frozenset[str]
    any_port: bool = False  # of a door that people reach through a tunnel: names alone count

    def is_host(self, text: str) -> bool:
        return self._short(text) in self.hosts

    def is_page(self, text: str) -> bool:
        scheme, mark, name = text.lower().partition("://")
        return f"{scheme}{mark}{self._short(name)}" in self.origins

    def check(self, host: str, origin: str | None) -> None:
        """A known host; a page, where a browser names one, that is known as well."""
        if not self.is_host(host):
            raise WrongPlaceError("the Host header names an unknown host; --allow-host adds one")
        if origin is not None and not self.is_page(origin):
            raise WrongPlaceError("the Origin header names a page that this service does not serve")

    def _short(self, name: str) -> str:
        found = NAME.fullmatch(name) if self.any_port else None
        return (found[1] if found else name).lower()


def at_port(
    port: int,
    *,
    scheme: str = "http",
    hosts: tuple[str, ...] = (),
    origins: tuple[str, ...] = (),
    proxied: bool = False,
) -> AllowedOrigins:
    """Loopback names at the port, and what was named besides; an origin is its own host's too.

    A proxy passes on the name that it was called by, without the port behind it.
    """
    own = {f"{name}:{port}" for name in LOOPBACK} | {_whole(name, port) for name in hosts}
    usual = PORTS[scheme]
    bare = {name.removesuffix(f":{usual}") for name in own if name.endswith(f":{usual}")}
    same = {f"{scheme}://{name}" for name in own | bare}
    if proxied:
        outside = {name.lower() for name in hosts}
        bare |= outside
        same |= {f"https://{name}" for name in outside}
    return AllowedOrigins(hosts=frozenset(own | bare), origins=frozenset(same | set(origins)))


def on_this_machine() -> AllowedOrigins:
    """Loopback names at whatever port: for pages that people look at, also through a tunnel."""
    pages = {f"{scheme}://{name}" for scheme in PORTS for name in LOOPBACK}
    return AllowedOrigins(hosts=frozenset(LOOPBACK), origins=frozenset(pages), any_port=True)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A socket that is open when this returns: whoever is told of it now is not refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or the event loop leaves Nagle's algorithm on: every answer would wait 40 ms.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host.strip("[]"), port))
        made.listen(socket.SOMAXCONN)
    except (OSError, OverflowError) as error:
        made.close()
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(
            f"cannot listen at {shown(host)}:{port}: {why}; try another port"
        ) from None
    return made


def shown(host: str) -> str:
    """A name by which a door is called; one that stands everywhere is called by no address."""
    if host.strip("[]") in EVERYWHERE:
        return LOOPBACK[1]
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _whole(name: str, port: int) -> str:
    found = NAME.fullmatch(name.lower())
    if found is None:
        raise WrongPlaceError(f"{name!r} is no host")
    return name.lower() if found[2] else f"{name.lower()}:{port}"
