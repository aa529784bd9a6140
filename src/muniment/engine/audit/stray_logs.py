"""Stray logs: what lies in a store, and whose key and name nobody here has.

A log that is left out is proved, erased and searched by nobody; whoever is told nothing of it takes
a proof or an erasure for whole.
"""

from muniment.engine.session.stream_hub import StreamHub
from muniment.log import sealing


def strays(hub: StreamHub) -> list[str]:
    return hub.parts.world.keyring.strays(hub.unlisted())


def insist_on_whole(hub: StreamHub) -> None:
    """No log may be left out of a proof because nobody has its name."""
    if found := strays(hub):
        raise sealing.keyless(found[0])
