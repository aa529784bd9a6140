"""Merkle tree (RFC 6962) over the hashes of a log's entries, with both kinds of proof.

The chain says that every entry follows from the one before; to check that, one needs all of them.
The tree says the same of the same hashes in one root, from which a few hashes lead to any entry,
and from any earlier root to a later one. Everything here is pure; the checks are those of RFC 9162.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

HASH_BYTES: Final = 32
PROOF_MAX: Final = 63  # hashes of one proof: more than any log can need
EMPTY: Final = hashlib.sha256(b"").digest()


def leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Growing:
    """A tree that is only ever added to: it keeps the roots of its whole parts, a few dozen."""

    def __init__(self) -> None:
        self.size = 0
        self._whole: list[bytes] = []  # the largest first; one for each bit that size has

    def add(self, data: bytes) -> None:
        found, size = leaf(data), self.size
        while size & 1:
            found = node(self._whole.pop(), found)
            size >>= 1
        self._whole.append(found)
        self.size += 1

    @property
    def root(self) -> bytes:
        if not self._whole:
            return EMPTY
        found = self._whole[-1]
        for left in reversed(self._whole[:-1]):
            found = node(left, found)
        return found


def root(data: Iterable[bytes]) -> bytes:
    tree = Growing()
    for each in data:
        tree.add(each)
    return tree.root


def inclusion(
    data: Sequence[bytes], index: int, known: dict[tuple[int, int], bytes] | None = None
) -> list[bytes]:
    """What leads from one of them to the root of all, from the leaf's sibling upwards.

    Whoever wants many of one tree hands in what is `known` of its parts, which grows.
    """
    known = {} if known is None else known
    if not 0 <= index < len(data):
        raise ValueError("there is no such leaf")
    path: list[bytes] = []
    first, end = 0, len(data)
    while end - first > 1:
        middle = first + _split(end - first)
        if index < middle:
            path.append(_part(data, middle, end, known))
            end = middle
        else:
            path.append(_part(data, first, middle, known))
            first = middle
    return path[::-1]


def _part(
    data: Sequence[bytes], first: int, end: int, known: dict[tuple[int, int], bytes]
) -> bytes:
    found = known.get((first, end))
    if found is None:
        if end - first == 1:
            found = leaf(data[first])
        else:
            middle = first + _split(end - first)
            found = node(_part(data, first, middle, known), _part(data, middle, end, known))
        known[first, end] = found
    return found


def consistency(data: Sequence[bytes], old: int) -> list[bytes]:
    """What shows that the tree of the first `old` is the beginning of the tree of all."""
    if not 0 < old <= len(data):
        raise ValueError("an earlier tree has at least one leaf, and no more than the later")
    path: list[bytes] = []
    first, end, known = 0, len(data), True
    while old != end - first:
        middle = first + _split(end - first)
        if old <= middle - first:
            path.append(root(data[middle:end]))
            end = middle
        else:
            path.append(root(data[first:middle]))
            old, first, known = old - (middle - first), middle, False
    if not known:
        path.append(root(data[first:end]))
    return path[::-1]


def includes(data: bytes, index: int, *, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Whether a path leads from a leaf at that place to the root of so many (RFC 9162, 2.1.3.2)."""
    return 0 <= index < size and _climbed(index, size - 1, path, leaf(data)) == (root,)


def extends(old: tuple[int, bytes], new: tuple[int, bytes], path: Sequence[bytes]) -> bool:
    """Whether one (size, root) is the beginning of another (RFC 9162, 2.1.4.2)."""
    (size, root), (end, later) = old, new
    if not 0 < size < end:
        return old == new and size > 0 and not path
    steps = [root, *path] if size & (size - 1) == 0 else list(path)
    place, last = size - 1, end - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    return bool(steps) and _climbed(place, last, steps[1:], steps[0], steps[0]) == (root, later)


def _climbed(
    place: int, last: int, path: Sequence[bytes], *found: bytes
) -> tuple[bytes, ...] | None:
    """What a path leads to, from one hash; or, of a consistency proof, from the old and the new.

    A sibling on the left is of both trees; one on the right only the new tree has.
    """
    if len(path) > PROOF_MAX:
        return None
    for each in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            found = tuple(node(each, its) for its in found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = (*found[:-1], node(found[-1], each))
        place, last = place >> 1, last >> 1
    return found if last == 0 else None


def _split(size: int) -> int:
    """The largest power of two below it: how many leaves its left side has."""
    return 1 << (size - 1).bit_length() - 1
