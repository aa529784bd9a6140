"""Sealing by hand: known answers of every derivation, and a refusal for every byte that moved.

What was sealed once is opened by these derivations for ever: another answer here is a log that
nobody can read any more.
"""

import msgspec
import pytest

from muniment.log import compression, sealing
from muniment.log.entry import Commitment, Head, SealedPart, genesis, link
from muniment.log.keyring import MemoryKeyring, SeededEntropy, mint_from, minted
from muniment.model.errors import IntegrityError

KEY, OTHER = b"k" * 32, b"o" * 32
TEXT = b"hello hello hello"
TOLD, PART = sealing.seal(KEY, "ada", b"place", TEXT, period="may")
NOT_OPENED = "a sealed part cannot be decrypted with its subject's key"
NO_BLOB = "a derived blob cannot be decrypted with its stream's key"


def test_a_sealed_part_is_the_same_bytes_wherever_it_is_sealed() -> None:
    assert (
        Commitment(
            subject="ada",
            commitment="29681908412d281dd65561c1fb4ddc59c455734395219c9a8f9a26a6ef45de33",
            bucket=32,
            period="may",
        )
        == TOLD
    )
    nonce = sealing.seal(KEY, "ada", b"place", b"?")[1].data[: sealing.NONCE_BYTES]
    assert nonce.hex() == "7c02d1412b40a94a7b56e2a9", "of bytes that no compressor spells otherwise"
    assert PART.subject == "ada"
    assert sealing.token(KEY, "x").hex() == "a17cc46b69395fa04ffef1d4f9ffa5d3"
    assert sealing.pseudonym(KEY, "x") == "cc991566cd83e49a"
    assert sealing.seal_blob(KEY, "place", b"blob").hex() == (
        "88942a964c1fa12b18e71b8b70464aece95278e171d0897c7146f48b0157af59"
    )
    first = "31c58dfda7820655f1e4ce94e1e74225ba72d12c5059b72797e4f9894aa8184d"
    assert genesis("o") == Head(seq=0, hash=bytes.fromhex(first))
    assert link(b"p", b"h").hex() == (
        "e4dd3ca2339b4fa6c707f710125a1c9496df20ff59ee9975f93c32fda3059566"
    )


def test_a_part_opens_under_its_key_at_its_place_and_reveals_its_salt() -> None:
    told, part = sealing.seal(KEY, "ada", b"place", TEXT, period="may")
    salt, content = sealing.revealed(KEY, b"place", told, part)

    assert (told, part) == (TOLD, PART)
    assert sealing.open_part(KEY, b"place", told, part) == content == TEXT
    assert sealing.committed(salt, content) == TOLD.commitment
    assert sealing.committed(salt, content + b"!") != TOLD.commitment


@pytest.mark.parametrize(
    ("key", "place", "data", "says"),
    [
        (OTHER, b"place", PART.data, NOT_OPENED),
        (KEY, b"another", PART.data, NOT_OPENED),
        (KEY, b"place", PART.data[:-1], NOT_OPENED),
        (KEY, b"place", PART.data[:3], NOT_OPENED),
        (KEY, b"place", b"", NOT_OPENED),
        (KEY, b"place", bytes([PART.data[0] ^ 1]) + PART.data[1:], NOT_OPENED),
        (
            KEY,
            b"place",
            sealing.seal(KEY, "ada", b"place", b"other words")[1].data,
            "a sealed part is not what the chain committed to",
        ),
    ],
)
def test_a_part_that_is_not_what_was_sealed_there_does_not_open(
    key: bytes, place: bytes, data: bytes, says: str
) -> None:
    with pytest.raises(IntegrityError) as refused:
        sealing.open_part(key, place, TOLD, SealedPart(subject="ada", data=data))

    assert refused.value.detail == says


def test_what_is_only_tried_out_is_committed_to_and_not_encrypted() -> None:
    told, part = sealing.seal(KEY, "ada", b"place", TEXT, period="may", encrypts=False)

    assert (told, part) == (TOLD, SealedPart(subject="ada", data=b""))
    assert sealing.seal(KEY, "ada", b"place", TEXT)[0].period == ""


@pytest.mark.parametrize(
    ("length", "bucket"),
    [(0, 1), (1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (1024, 1024), (1025, 2048)],
)
def test_a_length_is_told_as_the_next_power_of_two(length: int, bucket: int) -> None:
    assert sealing.seal(KEY, "ada", b"place", b"x" * length)[0].bucket == bucket


def test_a_part_of_two_keys_is_closed_as_soon_as_one_is_destroyed() -> None:
    ring = MemoryKeyring(seed=b"seed")
    ada, may = ring.ref("subject", "ada"), ring.ref("period", "may")
    keys = (ring.key(ada) or b"") + (ring.key(may) or b"")

    assert sealing.part_key(ring, (ada, may)) == keys
    assert len(keys) == 64
    ring.destroy(may)
    assert sealing.part_key(ring, (ada, may)) is None
    assert sealing.part_key(ring, (ada,)) == keys[:32]


@pytest.mark.parametrize("data", [b"", b"short", sealing.seal_blob(OTHER, "place", b"blob")])
def test_a_blob_that_is_not_its_own_says_so(data: bytes) -> None:
    with pytest.raises(IntegrityError) as refused:
        sealing.open_blob(KEY, "place", data)

    assert refused.value.detail == NO_BLOB


@pytest.mark.parametrize("size", [4, sealing.READ_BYTES])
def test_a_blob_that_is_read_part_by_part_says_so_too(size: int) -> None:
    sealed = sealing.seal_blob(OTHER, "place", bytes(size))

    with pytest.raises(IntegrityError) as refused:
        sealing.open_large(
            KEY, "place", lambda at, n: sealed[at : at + n], memoryview(bytearray(size))
        )

    assert refused.value.detail == NO_BLOB
    assert [sealing.room_for(each) for each in (0, 28, 29)] == [0, 0, 1]


# ── Packing ─────────────────────────────────────────────────────────────────────────────────────


def test_what_is_packed_is_shorter_or_as_it_was() -> None:
    assert compression.pack(b"?") == b"\x00?"
    assert compression.pack(b"") == b"\x00"
    packed = compression.pack(TEXT * 9)
    assert packed[:1] == b"\x01"
    assert len(packed) < 20
    assert [compression.unpack(compression.pack(each)) for each in (b"", b"?", TEXT * 9)] == [
        b"",
        b"?",
        TEXT * 9,
    ]


@pytest.mark.parametrize(
    ("packed", "says"),
    [
        (b"\x02?", "stored data has an unknown compression"),
        (b"", "stored data has an unknown compression"),
        (b"\x01\xff\xff", "stored data cannot be decompressed"),
        (compression.pack(TEXT * 9)[:-1], "stored data cannot be decompressed"),
        (compression.pack(TEXT * 9) + b"!", "stored data cannot be decompressed"),
    ],
)
def test_what_was_not_packed_here_is_refused(packed: bytes, says: str) -> None:
    with pytest.raises(IntegrityError) as refused:
        compression.unpack(packed)

    assert refused.value.detail == says


def test_words_that_entries_are_spelled_with_take_hardly_any_room() -> None:
    spelled = b'"operation":""type":"received","command":{"query":""reads":{"job":0,'

    assert len(compression.pack(spelled)) < 10
    assert compression.unpack(compression.pack(spelled)) == spelled


def test_a_damaged_stream_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = compression.pack(bytes(1000))
    monkeypatch.setattr(compression, "UNPACKED_BYTES_MAX", 999)

    with pytest.raises(IntegrityError) as refused:
        compression.unpack(packed)

    assert refused.value.detail == "stored data cannot be decompressed"


# ── Keys ────────────────────────────────────────────────────────────────────────────────────────


def test_a_seed_gives_the_same_bytes_in_the_same_order() -> None:
    drawn = SeededEntropy(b"seed")

    assert drawn(40).hex() == (
        "d64f439a47e2f293d893daa4bbee3d6f8e823da09946e9c6dbcb014212077884614821fe37052cc3"
    )
    assert drawn(3).hex() == "dcc1ed"
    assert drawn(0) == b""
    assert [len(drawn(size)) for size in (1, 32, 33, 64, 65)] == [1, 32, 33, 64, 65]


def test_a_reference_and_its_key_follow_from_seed_kind_and_name() -> None:
    ring = MemoryKeyring(seed=b"seed")
    ada = ring.ref("subject", "ada")

    assert ada == "d8a0202580e9b195c21f5b304ccaeea8"
    assert (ring.key(ada) or b"").hex() == (
        "eb06ee8594d9deb356d7a4e33a66c58216931e2934186556207f4432420622ac"
    )
    assert ring.ref("subject", "ada") == ada
    assert ring.ref("subjec", "tada") != ada
    assert ring.name(ada) == "ada"
    assert (ring.name("nobody"), ring.key("nobody"), ring.find("subject", "bea")) == (None,) * 3
    assert ring.find("subject", "ada") == ada


def test_what_is_known_of_a_kind_is_in_the_order_of_names() -> None:
    ring = MemoryKeyring(seed=b"seed")
    refs = {name: ring.ref("subject", name) for name in ("cleo", "ada", "bea")}
    ring.ref("period", "may")

    assert ring.known("subject") == [(refs[each], each) for each in ("ada", "bea", "cleo")]
    assert ring.known("nothing") == []


def test_a_destroyed_key_is_gone_and_its_name_gets_another() -> None:
    ring = MemoryKeyring(seed=b"seed")
    ada, bea = ring.ref("subject", "ada"), ring.ref("subject", "bea")
    before = ring.generation()

    ring.destroy(ada)
    ring.destroy(ada)
    ring.destroy("nobody")

    assert (before, ring.generation()) == (bytes(8), bytes(7) + b"\x01")
    assert (ring.key(ada), ring.name(ada), ring.find("subject", "ada")) == (None,) * 3
    again = ring.ref("subject", "ada")
    assert again not in {ada, bea}
    assert ring.key(again) not in {None, ring.key(bea)}
    ring.destroy(again)
    assert ring.ref("subject", "ada") not in {ada, again}


def test_a_key_of_chance_follows_from_nothing() -> None:
    drawn = iter([b"r" * 16, b"k" * 32])
    sizes: list[int] = []

    def entropy(size: int) -> bytes:
        sizes.append(size)
        return next(drawn)

    assert mint_from(entropy)("subject", "ada") == ((b"r" * 16).hex(), b"k" * 32)
    assert sizes == [16, 32]


def test_a_name_that_is_known_draws_no_other_key() -> None:
    drawn: list[int] = []

    def entropy(size: int) -> bytes:
        drawn.append(size)
        return bytes([len(drawn)]) * size

    ring = MemoryKeyring(entropy=entropy)

    assert ring.ref("subject", "ada") == ring.ref("subject", "ada") == "01" * 16
    assert drawn == [16, 32]


def test_a_keyring_has_a_seed_or_something_to_draw_from() -> None:
    MemoryKeyring(entropy=SeededEntropy(b"seed"))
    with pytest.raises(AssertionError, match=r"^a keyring needs a seed or an entropy, not both$"):
        MemoryKeyring()
    with pytest.raises(AssertionError, match=r"^a keyring needs a seed or an entropy, not both$"):
        MemoryKeyring(seed=b"seed", entropy=SeededEntropy(b"seed"))


def test_one_pair_follows_the_other_by_its_generation() -> None:
    asked: list[tuple[str, str]] = []

    def mint(kind: str, name: str) -> tuple[str, bytes]:
        asked.append((kind, name))
        return kind, b""

    pairs = minted(mint, "subject", "ada")

    assert [next(pairs)[0] for _ in range(3)] == ["subject", "subject:1", "subject:2"]
    assert {name for _, name in asked} == {"ada"}


def test_a_commitment_names_the_keys_that_it_takes() -> None:
    assert TOLD.keys == ("ada", "may")
    assert msgspec.structs.replace(TOLD, period="").keys == ("ada",)
