"""List of streams: the logs of a store by the names in its keyring, and those that have none.

A log that the keyring does not list is no log that is not there: whoever took it for one would
take a proof or an erasure for whole.
"""

from collections.abc import Iterable

from muniment.log import sealing
from muniment.log.sealing import Keyring
from muniment.log.store import Store
from muniment.model.errors import KeystoreError
from muniment.model.scope import BRANCH, StreamId, stream_from_text

Names = Iterable[tuple[str, str]]  # (reference, name)


def known(store: Store, keyring: Keyring) -> list[StreamId]:
    """Every stream that holds at least one entry, in the order of their names."""
    stored = set(store.streams())  # first: a name is made before its log is
    named = keyring.known("stream")
    for ref in _unlisted(stored, named, keyring):
        if keyring.name(ref) is not None:
            raise KeystoreError(f"the keystore is damaged (it does not list the log {ref[:8]})")
    by_name = sorted(named, key=lambda known: known[1])
    return [stream_from_text(name) for ref, name in by_name if ref in stored]


def strays(store: Store, keyring: Keyring) -> list[str]:
    """Logs that lie in the store, and whose key and name nobody here has."""
    stored = set(store.streams())
    return keyring.strays(_unlisted(stored, keyring.known("stream"), keyring))


def insist_on_whole(store: Store, keyring: Keyring) -> None:
    """No log may be left out of a proof because nobody has its name."""
    if found := strays(store, keyring):
        raise sealing.keyless(found[0])


def _unlisted(stored: set[str], named: Names, keyring: Keyring) -> set[str]:
    """Logs without a name of their own; what a branch has written lies beside them."""
    rest = stored - {ref for ref, _ in named}
    return rest - {ref for ref, _ in keyring.known(BRANCH)} if rest else rest
