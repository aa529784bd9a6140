"""The tree of RFC 6962: its published roots, and what holds of every tree and every proof."""

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.log import merkle_tree

# The leaves and roots that implementations of Certificate Transparency have checked each other by.
PUBLISHED = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
SIZES = [1, 2, 3, 7, 8, 64, 65, 255, 256]
SIZE = st.integers(1, 300)


def leaves(size: int) -> list[bytes]:
    return [hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(size)]


def by_the_book(data: Sequence[bytes]) -> bytes:
    """RFC 6962, 2.1, word for word: another implementation than ours."""
    if len(data) == 0:
        return hashlib.sha256(b"").digest()
    if len(data) == 1:
        return hashlib.sha256(b"\x00" + data[0]).digest()
    k = 1
    while k * 2 < len(data):
        k *= 2
    return hashlib.sha256(b"\x01" + by_the_book(data[:k]) + by_the_book(data[k:])).digest()


@pytest.mark.parametrize("size", range(1, 9))
def test_the_root_is_the_published_one(size: int) -> None:
    data = [bytes.fromhex(each) for each in PUBLISHED[:size]]

    assert merkle_tree.root(data).hex() == ROOTS[size - 1]


@pytest.mark.parametrize("size", [0, *SIZES])
def test_the_root_is_what_the_book_says(size: int) -> None:
    assert merkle_tree.root(leaves(size)) == by_the_book(leaves(size))


def test_published_proofs_come_out_as_they_are_published() -> None:
    data = [bytes.fromhex(each) for each in PUBLISHED]

    assert [each.hex() for each in merkle_tree.inclusion(data, 0)] == [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]
    assert [each.hex() for each in merkle_tree.consistency(data, 6)] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@pytest.mark.parametrize("size", SIZES)
def test_every_entry_has_a_proof_and_it_fits_no_other_place(size: int) -> None:
    data = leaves(size)
    root = by_the_book(data)
    for index in {0, 1, size // 2, size - 1} & set(range(size)):
        path = merkle_tree.inclusion(data, index)

        assert merkle_tree.includes(data[index], index, size=size, root=root, path=path)
        for other in {index - 1, index + 1, size} - {index}:
            assert not merkle_tree.includes(data[index], other, size=size, root=root, path=path)
        assert not merkle_tree.includes(b"another", index, size=size, root=root, path=path)
        assert not merkle_tree.includes(
            data[index], index, size=size, root=root, path=[*path, root]
        )
        if path:
            assert not merkle_tree.includes(
                data[index], index, size=size, root=root, path=path[:-1]
            )


@given(st.data(), SIZE)
def test_any_earlier_tree_is_shown_to_be_the_beginning_of_a_later(
    draw: st.DataObject, size: int
) -> None:
    data = leaves(size)
    old = draw.draw(st.integers(1, size))
    before, after = (old, by_the_book(data[:old])), (size, by_the_book(data))

    path = merkle_tree.consistency(data, old)

    assert merkle_tree.extends(before, after, path)
    assert not merkle_tree.extends((old, b"\x00" * 32), after, path)
    assert not merkle_tree.extends(before, (size, b"\x00" * 32), path)
    assert not merkle_tree.extends(before, after, [*path, b"\x00" * 32])
    assert not merkle_tree.extends(after, before, path) or before == after
    if path:
        assert not merkle_tree.extends(before, after, path[1:])
        assert not merkle_tree.extends(before, after, path[:-1])


@given(st.data(), SIZE)
def test_a_proof_with_one_hash_changed_proves_nothing(draw: st.DataObject, size: int) -> None:
    data, index = leaves(size), draw.draw(st.integers(0, size - 1))
    path = merkle_tree.inclusion(data, index)
    if not path:
        return
    place = draw.draw(st.integers(0, len(path) - 1))
    path[place] = bytes([path[place][0] ^ 1]) + path[place][1:]

    assert not merkle_tree.includes(
        data[index], index, size=size, root=merkle_tree.root(data), path=path
    )


def test_a_proof_longer_than_any_log_needs_is_refused() -> None:
    assert not merkle_tree.includes(b"", 0, size=1 << 70, root=b"", path=[b""] * 64)
    assert not merkle_tree.extends((1 << 69, b""), (1 << 70, b""), [b""] * 64)


def test_a_tree_of_nothing_is_the_beginning_of_none() -> None:
    """Whoever says that they saw an empty log has seen no log."""
    nothing = (0, b"\x11" * 32)

    assert not merkle_tree.extends(nothing, nothing, [])
    assert not merkle_tree.extends(nothing, (1, nothing[1]), [])


def test_there_is_no_proof_of_what_is_not_there() -> None:
    for index in (-1, 3):
        with pytest.raises(ValueError, match="no such leaf"):
            merkle_tree.inclusion(leaves(3), index)
    for old in (0, 4):
        with pytest.raises(ValueError, match="earlier tree"):
            merkle_tree.consistency(leaves(3), old)


def test_what_is_known_of_a_tree_is_used_and_grows() -> None:
    data = leaves(8)
    known: dict[tuple[int, int], bytes] = {}

    path = merkle_tree.inclusion(data, 0, known)

    assert path == merkle_tree.inclusion(data, 0)
    assert {(1, 2), (2, 4), (4, 8)} <= set(known)
    assert known[4, 8] == by_the_book(data[4:])
    assert merkle_tree.inclusion(data, 0, {(4, 8): b"as it was told"})[-1] == b"as it was told"


def test_every_small_tree_is_the_beginning_of_every_larger_one_and_of_no_other() -> None:
    data = leaves(17)
    trees = {size: (size, by_the_book(data[:size])) for size in range(1, 18)}
    for new, later in trees.items():
        for old in range(1, new + 1):
            path = merkle_tree.consistency(data[:new], old)
            assert merkle_tree.extends(trees[old], later, path)
            for other in {1, old - 1, old + 1} & set(range(1, new)) - {old}:
                assert not merkle_tree.extends(trees[other], later, path)
            assert not merkle_tree.extends(trees[old], later, [*path, merkle_tree.EMPTY])
            if path:
                assert not merkle_tree.extends(trees[old], later, path[:-1])


def test_a_proof_of_what_is_not_there_says_so() -> None:
    with pytest.raises(ValueError, match=r"^there is no such leaf$"):
        merkle_tree.inclusion(leaves(3), 3)
    with pytest.raises(
        ValueError, match=r"^an earlier tree has at least one leaf, and no more than the later$"
    ):
        merkle_tree.consistency(leaves(3), 4)


@pytest.mark.parametrize(
    ("hashes", "leads"), [(merkle_tree.PROOF_MAX, True), (merkle_tree.PROOF_MAX + 1, False)]
)
def test_the_longest_proof_that_is_read_has_sixty_three_hashes(hashes: int, *, leads: bool) -> None:
    path = [bytes([n]) * merkle_tree.HASH_BYTES for n in range(hashes)]
    found = merkle_tree.leaf(b"first")
    for each in path:
        found = merkle_tree.node(found, each)

    assert merkle_tree.includes(b"first", 0, size=2**hashes, root=found, path=path) is leads
