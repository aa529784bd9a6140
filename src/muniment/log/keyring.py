"""Keyring: source of references and keys, and an in-memory implementation."""

import hmac
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Final

from muniment.log.sealing import KEY_BYTES

REF_BYTES: Final = 16

Entropy = Callable[[int], bytes]
Mint = Callable[[str, str], tuple[str, bytes]]  # (kind, name) to a reference and its key


class SeededEntropy:
    """Bytes that only look random: the same seed gives the same bytes in the same order."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._count = 0

    def __call__(self, size: int) -> bytes:
        blocks = (self._block() for _ in range(0, size, KEY_BYTES))
        return b"".join(blocks)[:size]

    def mint(self, kind: str, name: str) -> tuple[str, bytes]:
        """A reference and a key that follow from the name, whatever was drawn before."""
        place = f"{len(kind)}:{kind}:{name}".encode()
        ref = hmac.digest(self._seed, b"muniment/v1/ref\x00" + place, "sha256")[:REF_BYTES]
        return ref.hex(), hmac.digest(self._seed, b"muniment/v1/key\x00" + place, "sha256")

    def _block(self) -> bytes:
        self._count += 1
        return hmac.digest(self._seed, b"muniment/v1/drawn\x00%d" % self._count, "sha256")


def mint_from(entropy: Entropy) -> Mint:
    """By name if the entropy is seeded; otherwise nothing follows from anything."""
    if isinstance(entropy, SeededEntropy):
        return entropy.mint
    return lambda _kind, _name: (entropy(REF_BYTES).hex(), entropy(KEY_BYTES))


def minted(mint: Mint, kind: str, name: str) -> Iterator[tuple[str, bytes]]:
    """One pair after the other: a name whose key was destroyed must never get it again."""
    yield mint(kind, name)
    yield from (mint(f"{kind}:{generation}", name) for generation in count(1))


class MemoryKeyring:
    """A keyring without a file: give it a seed, or something to draw from."""

    def __init__(self, *, seed: bytes = b"", entropy: Entropy | None = None) -> None:
        assert bool(seed) != bool(entropy), "a keyring needs a seed or an entropy, not both"
        self._mint = mint_from(entropy or SeededEntropy(seed))
        self._refs: dict[tuple[str, str], str] = {}
        self._named: dict[str, tuple[str, str]] = {}
        self._keys: dict[str, bytes] = {}
        self._destroyed: set[str] = set()

    def ref(self, kind: str, name: str) -> str:
        found = self._refs.get((kind, name))
        return found if found is not None else self._make(kind, name)

    def name(self, ref: str) -> str | None:
        named = self._named.get(ref)
        return named[1] if named else None

    def key(self, ref: str) -> bytes | None:
        return self._keys.get(ref)

    def known(self, kind: str) -> list[tuple[str, str]]:
        return [(ref, name) for (its, name), ref in sorted(self._refs.items()) if its == kind]

    def find(self, kind: str, name: str) -> str | None:
        return self._refs.get((kind, name))

    def strays(self, logs: Iterable[str]) -> list[str]:
        return sorted({*logs} - self._named.keys() - self._destroyed)

    def generation(self) -> bytes:
        return len(self._destroyed).to_bytes(8, "big")

    def destroy(self, ref: str) -> None:
        named = self._named.pop(ref, None)
        if named is not None:
            self._destroyed.add(ref)
            del self._keys[ref]
            del self._refs[named]

    def close(self) -> None:
        """Nothing is held open."""

    def _make(self, kind: str, name: str) -> str:
        pairs = minted(self._mint, kind, name)
        ref, key = next(pair for pair in pairs if pair[0] not in self._destroyed)
        # The reference is published last: whoever finds it finds its key too.
        self._keys[ref] = key
        self._named[ref] = (kind, name)
        return self._refs.setdefault((kind, name), ref)
