"""The guard before every address: which hosts and origins this door answers to.

A page in a browser can make any host name resolve to this machine. So the names that a request
uses are compared, whole, with those that this door was told it has; nothing is let in by default.
"""

import re
from typing import Final

import msgspec

from muniment.adapters.doors.faults import WrongPlaceError
from muniment.adapters.http.asking import Headers

HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?", re.IGNORECASE)
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
PORTS: Final = {"http": 80, "https": 443}


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """The hosts (`name:port`) and origins (`scheme://name:port`) that a door answers to."""

    hosts: frozenset[str]
    origins: frozenset[str]


def places(
    port: int, *, scheme: str = "http", hosts: tuple[str, ...] = (), origins: tuple[str, ...] = ()
) -> Places:
    """Loopback names at the port, and what was named besides; an origin is its own host's too."""
    own = {f"{name}:{port}" for name in LOOPBACK} | {_whole(name, port) for name in hosts}
    usual = PORTS[scheme]
    bare = {name.removesuffix(f":{usual}") for name in own if name.endswith(f":{usual}")}
    same = {f"{scheme}://{name}" for name in own | bare}
    return Places(hosts=frozenset(own | bare), origins=frozenset(same | set(origins)))


def check(given: Headers, allowed: Places) -> None:
    """Exactly one known host; an origin, where a browser names one, that is known as well."""
    host = given.get(b"host", b"").decode("latin-1").lower()
    if host not in allowed.hosts:
        raise WrongPlaceError("the Host header names no place of this service")
    origin = given.get(b"origin")
    if origin is not None and origin.decode("latin-1").lower() not in allowed.origins:
        raise WrongPlaceError("the Origin header names a page that this service does not serve")


def _whole(name: str, port: int) -> str:
    found = HOST.fullmatch(name.lower())
    if found is None:
        raise WrongPlaceError(f"{name!r} is no host")
    return name.lower() if found[2] else f"{name.lower()}:{port}"
