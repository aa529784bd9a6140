"""Stream names on a server: tenant and agent as random names, and the hidden flag."""

from typing import Final, NamedTuple, Protocol

import msgspec

from muniment.log import sealing
from muniment.log.keyring import REF_BYTES
from muniment.log.sealing import Keyring
from muniment.model.scope import Persona, stream_from_text

AGENT_BYTES: Final = 8  # enough to spread agents over servers, and nothing more is asked of it


class StreamHome(NamedTuple):
    """The first arguments of every function: whose stream, which one, and who may see it."""

    tenant: bytes
    agent: bytes
    stream: bytes
    hidden: bool


class Home(msgspec.Struct, frozen=True, kw_only=True):
    tenant: bytes
    agent: bytes
    hidden: bool


class Homes(Protocol):
    def of(self, stream: str) -> Home: ...

    def tenants(self) -> list[bytes]:
        """Every tenant whose streams may be listed here."""


NOWHERE: Final = Home(tenant=bytes(REF_BYTES), agent=bytes(AGENT_BYTES), hidden=False)


class OneHome:
    """For a store that is used without names: all its streams belong together."""

    def __init__(self, home: Home = NOWHERE) -> None:
        self._home = home

    def of(self, stream: str) -> Home:
        del stream
        return self._home

    def tenants(self) -> list[bytes]:
        return [self._home.tenant]


class NamedHomes:
    """By the names in a keyring, which alone knows whose a reference is.

    The server learns that two streams have one tenant or one agent, and never which.
    """

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self._found: dict[str, Home] = {}

    def of(self, stream: str) -> Home:
        home = self._found.get(stream)
        if home is None:
            home = self._found[stream] = self._look(stream)
        return home

    def tenants(self) -> list[bytes]:
        return sorted(bytes.fromhex(ref) for ref, _ in self._keyring.known("tenant"))

    def _look(self, stream: str) -> Home:
        name = self._keyring.name(stream)
        if name is None:
            return NOWHERE
        stream_id = stream_from_text(name)  # of a branch: the one that it goes on from
        tenant = self._keyring.ref("tenant", stream_id.tenant)
        key = self._keyring.key(tenant)
        assert key is not None, "the key of a tenant is never destroyed"
        return Home(
            tenant=bytes.fromhex(tenant),
            agent=sealing.token(key, f"agent:{stream_id.owner}")[:AGENT_BYTES],
            hidden=stream_id.persona is Persona.SUBCONSCIOUS,
        )


def place(homes: Homes, stream: str) -> StreamHome:
    home = homes.of(stream)
    return StreamHome(home.tenant, home.agent, bytes.fromhex(stream), home.hidden)
